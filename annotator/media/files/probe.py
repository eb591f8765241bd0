"""Reports the properties of a media file, its frame count, and differences of other readers."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from av.video.frame import VideoFrame

from annotator.domain.errors import MediaError
from annotator.domain.plurals import are, many
from annotator.media.audio.check import check_sound
from annotator.media.audio.streams import AudioStreamInfo, streams
from annotator.media.decode.decoder import Decoder
from annotator.media.decode.opencv_reader import OpenCvReader
from annotator.media.index.container import open_container, open_video, video_streams
from annotator.media.index.frame_table import FrameTable
from annotator.media.index.indexing import build_table
from annotator.media.values import MediaFinding

_NAMED_FRAMES = 10
_PROGRESS_STEP = 25


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """Facts about a media file; for audio files, everything about images is empty.

    ``size`` is (width, height) in display orientation, ``rotation`` the clockwise turn applied.
    ``opencv_count`` is what OpenCV's frame count property claims, ``opencv_frames`` how many frames
    its sequential reader delivers (None: not tried). ``table`` holds the frames themselves.
    """

    path: Path
    container: str
    codec: str | None = None
    pixel_format: str | None = None
    size: tuple[int, int] = (0, 0)
    rotation: int = 0
    is_flipped: bool = False
    sar: Fraction = Fraction(1)
    rate: float = 0.0
    is_variable_rate: bool = False
    n_frames: int = 0
    duration_s: float = 0.0
    opencv_count: int | None = None
    opencv_frames: int | None = None
    audio: tuple[AudioStreamInfo, ...] = ()
    findings: tuple[MediaFinding, ...] = ()
    table: FrameTable | None = field(default=None, compare=False, repr=False)


Progress = Callable[[int, int], None]
"""Receives (done, total) frames from time to time; may raise to stop."""


def probe(
    path: str | os.PathLike[str],
    *,
    check_frames: bool = False,
    progress: Progress | None = None,
) -> ProbeReport:
    """Examine a file; MediaError if it is no media file.

    With ``check_frames`` every frame is decoded, by this engine and by OpenCV's sequential reader,
    and damaged or differently counted frames are reported; ``progress`` gets the share done.
    """
    path = Path(path)
    with open_container(path) as container:
        kind = container.format.name
        has_video, has_sound = bool(video_streams(container)), bool(container.streams.audio)
    sounds = streams(path) if has_sound else ()
    if not has_video and has_sound:
        return ProbeReport(path, kind, audio=sounds, findings=check_sound(path).findings)
    table = build_table(path)
    container, stream = open_video(path)
    with container:
        codec = stream.codec_context.codec.canonical_name
        pixels = stream.codec_context.pix_fmt
    all_findings = list(table.findings)
    if has_sound:
        all_findings += _sound_findings(path, table)
    if check_frames:
        all_findings += _damaged_frames(path, table, progress)
    count, frames = _opencv_counts(path, is_to_end=check_frames)
    all_findings += _opencv_findings(len(table), count, frames)
    return ProbeReport(
        path=path,
        container=kind,
        codec=codec,
        pixel_format=pixels,
        size=table.size,
        rotation=table.orientation.rotation,
        is_flipped=table.orientation.is_flipped,
        sar=table.sample_aspect_ratio,
        rate=table.frame_rate,
        is_variable_rate=table.is_variable_rate,
        n_frames=len(table),
        duration_s=table.duration_s,
        opencv_count=count,
        opencv_frames=frames,
        audio=sounds,
        findings=tuple(all_findings),
        table=table,
    )


def _sound_findings(path: Path, table: FrameTable) -> tuple[MediaFinding, ...]:
    """Problems of the audio; audio that cannot be read is a problem, too."""
    try:
        return check_sound(path, origin_s=table.origin_s, end_s=table.duration_s).findings
    except MediaError as error:
        return (MediaFinding("sound-unusable", f"Cannot use the audio: {error.text}"),)


def _damaged_frames(path: Path, table: FrameTable, progress: Progress | None) -> list[MediaFinding]:
    marked: set[int] = set()
    lost: list[int] = []

    def note(index: int, picture: VideoFrame) -> None:
        if picture.is_corrupt:
            marked.add(index)

    decoder = Decoder(path, table)
    try:
        for index in range(len(table)):
            if decoder.frame(index, note) is None:
                lost.append(index)
            if progress is not None and index % _PROGRESS_STEP == 0:
                progress(index, len(table))
    finally:
        decoder.close()
    findings = []
    if lost:
        text = (
            f"{many(len(lost), 'frame')} cannot be decoded ({_named(lost)}). Frame indexes in "
            "annotator include them; FFmpeg and OpenCV skip them, so later numbers are lower there."
        )
        findings.append(MediaFinding("frames-lost", text, lost[0]))
    flawed = sorted(marked - set(lost))
    if flawed:
        text = f"{are(len(flawed), 'frame')} damaged and displayed partly ({_named(flawed)})."
        findings.append(MediaFinding("frames-damaged", text, flawed[0]))
    return findings


def _named(indices: list[int]) -> str:
    head = ", ".join(map(str, indices[:_NAMED_FRAMES]))
    return f"{head}, ..." if len(indices) > _NAMED_FRAMES else head


def _opencv_findings(n_frames: int, count: int | None, frames: int | None) -> list[MediaFinding]:
    findings = []
    if count is None:
        text = "OpenCV cannot open the file. Data loaders that use OpenCV will fail."
        return [MediaFinding("opencv-cannot-open", text)]
    if count != n_frames:
        text = f"The frame count property of OpenCV is {count}; the video has {n_frames} frames."
        findings.append(MediaFinding("opencv-count-differs", text))
    if frames is not None and frames != n_frames:
        text = (
            f"OpenCV reads {frames} frames sequentially; the video has {n_frames}. Frame numbers "
            "will differ in data loaders that use OpenCV."
        )
        findings.append(MediaFinding("opencv-frames-differ", text))
    return findings


def _opencv_counts(path: Path, *, is_to_end: bool) -> tuple[int | None, int | None]:
    """Frame count that OpenCV reports, and that its reader delivers; None where it cannot."""
    try:
        with OpenCvReader(path) as reader:
            if not is_to_end:
                return reader.reported, None
            return reader.reported, sum(1 for _ in reader.frames((), is_to_end=True))
    except MediaError:
        return None, None
