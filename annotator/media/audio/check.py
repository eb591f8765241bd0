"""Decodes the sound of a file once, counts its samples and lists its faults."""

from __future__ import annotations

import os
from dataclasses import dataclass

from annotator.domain.plurals import many
from annotator.media.audio.audio_decoder import AudioDecoder
from annotator.media.audio.streams import NoSoundError
from annotator.media.values import MediaFinding, Progress, part_of

_NAMED_S = 0.1
"""Sound that begins or ends this much off the picture is worth a word."""
_HEARD_S = 0.001
"""Shorter gaps, such as joined files have for want of a few samples, are not."""


@dataclass(frozen=True, slots=True)
class SoundFacts:
    """Samples per channel and rate of the first sound stream, and faults of all streams.

    The count is that of the decoded sound, with the encoder's padding at the end, which
    ``ffmpeg -i video.mp4 sound.wav`` writes and loaders count; the declared length leaves it out.
    """

    samples: int = 0
    rate: int = 0
    findings: tuple[MediaFinding, ...] = ()


def check_sound(
    path: str | os.PathLike[str],
    *,
    origin_s: float | None = None,
    end_s: float | None = None,
    progress: Progress | None = None,
) -> SoundFacts:
    """Decode all sound of a file; zeros without sound. MediaError if it cannot be read.

    ``origin_s`` is the file's own time of the first picture and ``end_s`` the media time at which
    the last one ends; None for sound alone. ``progress`` is called with the share done;
    raising in it cancels.
    """
    facts = SoundFacts()
    number, count = 0, 1
    while number < count:
        try:
            decoder = AudioDecoder(path, number, origin_s)
        except NoSoundError:
            break
        count = len(decoder.streams)
        try:
            _decode(decoder, part_of(progress, number / count, (number + 1) / count))
            sound_findings = _findings(decoder, origin_s is not None, end_s)
        finally:
            decoder.close()
        if count > 1:
            sound_findings = [
                MediaFinding(f.code, f"Audio stream {number + 1}: {f.text}") for f in sound_findings
            ]
        if number == 0:
            facts = SoundFacts(decoder.faults.n_samples, decoder.rate)
        facts = SoundFacts(facts.samples, facts.rate, (*facts.findings, *sound_findings))
        number += 1
    if count > 1:
        text = f"The file has {count} audio streams; the first is used by default."
        facts = SoundFacts(
            facts.samples, facts.rate, (MediaFinding("several-sounds", text), *facts.findings)
        )
    return facts


def _decode(decoder: AudioDecoder, progress: Progress | None) -> None:
    """Run through the sound and put the end where it really is."""
    length = max(1, decoder.end - decoder.first)
    last = told = decoder.first
    while (block := decoder.next()) is not None:
        last = block[0] + len(block[1])
        if progress is not None and last - told > decoder.rate:
            told = last
            progress(min(1.0, (last - decoder.first) / length))
    decoder.end = last


def _findings(decoder: AudioDecoder, has_pictures: bool, end_s: float | None) -> list[MediaFinding]:
    faults, rate = decoder.faults, decoder.rate
    sound_findings = []
    if faults.n_not_finite:
        at_s = faults.first_not_finite / rate
        text = (
            f"{faults.n_not_finite} audio samples are not finite, the first at {at_s:.3f} s. NaN "
            "is played as silence, infinity at full scale."
        )
        sound_findings.append(("sound-no-numbers", text))
    gaps = [gap for gap in faults.gaps if gap[1] > _HEARD_S * rate]
    if gaps:
        at, longest = max(gaps, key=lambda gap: gap[1])
        text = f"The audio has {len(gaps)} gaps, the longest of {longest / rate:.3f} s at"
        sound_findings.append(
            ("sound-gaps", f"{text} {at / rate:.3f} s. Gaps are played as silence.")
        )
    if faults.changes:
        at, other, layout = faults.changes[0]
        text = (
            f"The audio format changes {len(faults.changes)} times: at {at / rate:.3f} s to "
            f"{other} Hz {layout}. All audio is converted to the initial format, {rate} Hz."
        )
        sound_findings.append(("sound-changes", text))
    if faults.n_torn:
        text = f"{many(faults.n_torn, 'audio packet')} cannot be decoded and will be silent."
        sound_findings.append(("sound-damaged", text))
    if has_pictures:
        sound_findings += _beside_the_picture(decoder.first / rate, decoder.end / rate, end_s)
    return [MediaFinding(code, text) for code, text in sound_findings]


def _beside_the_picture(
    first_s: float, last_s: float, end_s: float | None
) -> list[tuple[str, str]]:
    found = []
    if abs(first_s) > _NAMED_S:
        when = "after" if first_s > 0 else "before"
        text = f"The audio starts {abs(first_s):.3f} s {when} the first frame."
        found.append(("sound-late" if first_s > 0 else "sound-early", text))
    if end_s is not None and last_s - end_s > _NAMED_S:
        text = f"The audio continues for {last_s - end_s:.3f} s after the last frame."
        found.append(("sound-longer", text))
    return found
