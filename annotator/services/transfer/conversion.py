"""Converts a file of one format into another, without a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.checks import Finding
from annotator.domain.errors import ExchangeError
from annotator.domain.ids import DraftId, VideoId
from annotator.exchange.formats.base.document_conversion import content_of, import_command
from annotator.exchange.formats.base.file_content import VideoContent
from annotator.exchange.formats.base.format import Format, losses_of
from annotator.exchange.order import natural_key
from annotator.services.files import make_folder, new_folder, protect, write_atomically
from annotator.services.transfer.frame_times import FrameTimes

_RATE: float = 30.0


@dataclass(frozen=True, slots=True)
class Conversion:
    """Result of a conversion: written files, losses and guesses."""

    paths: tuple[Path, ...]
    findings: tuple[Finding, ...]


def convert(
    source: Path, target: Path, forms: tuple[Format, Format], media: Sequence[Path] = ()
) -> Conversion:
    """Convert a file; ``media`` are the video files of the same names, for times and sizes.

    Without the video of an entry its size, frame count and rate are those of the file; the default
    rate is 30 per second. ExchangeError for a bad file and for formats that cannot be converted;
    UserError when the target cannot be written.
    """
    read, write, files = forms[0].read, forms[1].write, forms[1].files
    for form, is_able in ((forms[0], read), (forms[1], write or files)):
        if is_able is None:
            text = f"Cannot convert the format {form.name} without a project."
            raise ExchangeError(text, hint="Import it into a project, and export it from there.")
    assert read is not None
    protect(target, (source, *media))
    media_by_stem = {path.stem: path for path in media}
    findings: list[Finding] = []
    contents: list[VideoContent] = []
    for content in sorted(read(source), key=lambda video_content: natural_key(video_content.name)):
        path = media_by_stem.get(content.name) or (media[0] if len(media) == 1 else None)
        contents.append(_converted(content, path, forms, findings))
    if files is not None:
        with new_folder(target) as folder:
            names = []
            for name, body in files(contents):
                write_atomically(folder / name, [body])
                names.append(name)
        return Conversion(tuple(target / name for name in names), tuple(findings))
    assert write is not None
    if not forms[1].is_per_video:
        write_atomically(target, write(contents))
        return Conversion((target,), tuple(findings))
    if len(contents) == 1 and not target.is_dir():
        write_atomically(target, write(contents))
        return Conversion((target,), tuple(findings))
    make_folder(target)
    paths = [target / f"{Path(content.name).name}{forms[1].suffix}" for content in contents]
    for path, content in zip(paths, contents, strict=True):
        write_atomically(path, write([content]))
    return Conversion(tuple(paths), tuple(findings))


def _converted(
    content: VideoContent,
    path: Path | None,
    forms: tuple[Format, Format],
    findings: list[Finding],
) -> VideoContent:
    video, table = _video(content, path)
    if path is None and content.rate is None and any(s.times_us for s in content.segments):
        text = f"The frame rate is not known; {_RATE:g} frames per second were assumed."
        findings.append(Finding("guessed-rate", content.name, text))
    document = Document(DraftId(""), video)
    times = FrameTimes(table, video)
    command, problems = import_command(content, document, times.listed(), forms[0].name)
    findings += [*content.findings, *problems]
    document = Document(DraftId(""), video, command.tracks, command.segments, command.points)
    findings += losses_of(document, forms[1].losses, content.name)
    n = video.n_frames
    converted = content_of(document, [*times[:n], times.at(n)])
    return replace(converted, name=content.name)


def _video(content: VideoContent, path: Path | None) -> tuple[VideoInfo, bytes | None]:
    """Return the video of an entry: from its file, or from the entry."""
    if path is not None:
        from annotator.media import Video

        with Video(path) as video:
            size, n_frames = video.table.size, len(video.table)
            length = float(video.table.duration_s)
            rate = n_frames / length if length else _RATE
            table = video.table.to_bytes()
        info = VideoInfo(VideoId(""), path.name, *size, n_frames, rate, length, round(rate) or 1)
        return info, table
    rate = content.rate or _RATE
    ends = [key.frame + 1 for track in content.tracks for key in track.keyframes]
    ends += [max(point.places) + 1 for point in content.points if point.places]
    ends += [s.frames[1] for s in content.segments if s.frames]
    ends += [int(s.times_us[1] / 1e6 * rate) + 2 for s in content.segments if s.times_us]
    n_frames = content.n_frames or max(ends, default=1)
    if content.size is None and (content.tracks or content.points):
        text = f"The file does not tell the image size of “{content.name}”."
        raise ExchangeError(text, hint="Specify the video file with --media.", where=content.path)
    size = content.size or (1, 1)
    seconds = n_frames / rate
    return VideoInfo(VideoId(""), content.name, *size, n_frames, rate, seconds, round(rate)), None
