"""Writes the formats of other programs and reads the files again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError, UserError
from annotator.exchange.formats.base.document_conversion import boxes_on_frames, content_of
from annotator.exchange.formats.base.file_content import VideoContent
from annotator.exchange.formats.base.format import Format, losses_of
from annotator.exchange.formats.boxes import mot
from annotator.exchange.order import natural_key
from annotator.services.background.jobs import JobToken
from annotator.services.files import make_folder, new_folder, write_atomically
from annotator.services.transfer.formats import format_named
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.snapshot import ExportRequest, Snapshots, WrittenContent


def write(
    items: Snapshots, request: ExportRequest, token: JobToken, share: float
) -> tuple[list[WrittenContent], list[Finding]]:
    """Write one file, or a folder with a file for each video where the format has one video per
    file; read everything again. ``share`` is how much of the whole progress that is.

    UserError when it cannot be written, or several videos would go into one file.
    """
    form = format_named(request.format_name)
    order = sorted(range(len(items)), key=lambda i: natural_key(items.places[i].name))
    if form.files is not None:
        with new_folder(request.path) as folder:
            export = _Export(items, form, token, share / max(1, len(order)))
            export.write_files(order, folder)
        return export.written, export.findings
    is_folder = form.is_per_video and (len(order) > 1 or _means_folder(request.path))
    if is_folder and request.path.is_file():
        text = f"{form.title} has one video per file; select a folder for {len(order)} videos."
        raise UserError(text, where=str(request.path))
    if is_folder:
        make_folder(request.path)
    export = _Export(items, form, token, share / max(1, len(order)))
    if is_folder:
        for i in order:
            export.write_into_folder(i, request.path)
    else:
        export.write_file(order, request.path)
    return export.written, export.findings


def _means_folder(path: Path) -> bool:
    return path.is_dir() or not path.suffix


class _Export:
    def __init__(self, items: Snapshots, form: Format, token: JobToken, step: float) -> None:
        self._items, self._form, self._token, self._step = items, form, token, step
        self.written: list[WrittenContent] = []
        self.findings: list[Finding] = []
        self._names: set[str] = set()

    def write_file(self, order: Sequence[int], path: Path) -> None:
        """Write all videos into one file, each read when it is its turn."""
        assert self._form.write is not None
        sent: list[_Sent] = []

        def contents() -> Iterator[VideoContent]:
            for i in order:
                content = self._content(i)
                if content is not None:
                    sent.append(_Sent.of(content, self._form))
                    yield content

        write_atomically(path, self._form.write(contents()))
        self._compare(path, sent)

    def write_files(self, order: Sequence[int], folder: Path) -> None:
        """Write all videos into the files of a folder."""
        assert self._form.files is not None
        sent: list[_Sent] = []

        def contents() -> Iterator[VideoContent]:
            for i in order:
                content = self._content(i)
                if content is not None:
                    sent.append(_Sent.of(content, self._form))
                    yield content

        first = None
        for name, body in self._form.files(contents()):
            first = first or name
            write_atomically(folder / name, [body])
        if first is not None and not self._form.is_sampled:
            self._compare(folder / first, sent)

    def write_into_folder(self, index: int, folder: Path) -> None:
        """Write a video into its file; for MOT, into its folder."""
        assert self._form.write is not None
        content = self._content(index)
        if content is None:
            return
        path = folder / f"{content.name}{self._form.suffix}"
        if self._form is mot.FORMAT:
            path = folder / content.name / "gt" / "gt.txt"
            make_folder(path.parent)
            for name, body in mot.beside(content).items():
                place = path.parent if name == mot.CLASSES else path.parent.parent
                write_atomically(place / name, [body])
        write_atomically(path, self._form.write([content]))
        self._compare(path, [_Sent.of(content, self._form)])

    def _content(self, index: int) -> VideoContent | None:
        self._token.check()
        item = self._items[index]
        place = self._items.places[index]
        self._token.report(self._step * len(self.written), place.name)
        document = item.document
        times = FrameTimes(item.table, document.video)
        n = document.video.n_frames
        content = content_of(document, [*times[:n], times.at(n)])
        if content.name in self._names:
            text = (
                "Not exported: another video has the same name. Export the videos to "
                "separate files."
            )
            self.findings.append(Finding("same-name", content.name, text, Severity.ERROR))
            return None
        self._names.add(content.name)
        self.findings += losses_of(document, self._form.losses, content.name)
        self.findings += item.remarks
        if item.pending and not item.remarks:
            text = "Proposals that are not accepted were not exported."
            self.findings.append(Finding("pending", content.name, text))
        table = partial(self._items.table, place)
        self.written.append(_written(item.video_path, table, content, self._form))
        return content

    def _compare(self, path: Path, sent: Sequence[_Sent]) -> None:
        """Read a file again; the content must be equal."""
        self._token.check()
        if self._form.read is None:
            return
        try:
            sent_by_name = {
                sent_video.name: _Sent.of(sent_video, self._form)
                for sent_video in self._form.read(path)
            }
        except ExchangeError as error:
            self.findings.append(Finding("broken-rule", path.name, str(error), Severity.ERROR))
            return
        is_one = len(sent) == len(sent_by_name) == 1
        for sent_video in sent:
            read_back = (
                next(iter(sent_by_name.values())) if is_one else sent_by_name.get(sent_video.name)
            )
            if read_back is None and not any(sent_video[1:]):
                continue
            if read_back is None or read_back[1:] != sent_video[1:]:
                text = "Verification failed: the file content differs from the written data."
                self.findings.append(
                    Finding("not-as-written", sent_video.name, text, Severity.ERROR)
                )


class _Sent(NamedTuple):
    """Content of a video in a format; the written and the read file must agree on it."""

    name: str
    n_tracks: int
    n_points: int
    n_segments: int

    @classmethod
    def of(cls, content: VideoContent, form: Format) -> Self:
        """Count the tracks that are ever in view, and what else the format holds."""
        tracks = content.tracks if "boxes" in form.holds else ()
        n_tracks = sum(any(key.box is not None for key in t.keyframes) for t in tracks)
        n_points = sum(bool(p.places) for p in content.points) if "points" in form.holds else 0
        n_segments = sum(_lane(s.lane) in form.holds for s in content.segments)
        return cls(content.name, n_tracks, n_points, n_segments)


def _written(
    path: Path | None, table: Callable[[], bytes | None], content: VideoContent, form: Format
) -> WrittenContent:
    tracks = content.tracks if "boxes" in form.holds else ()
    points = content.points if "points" in form.holds else ()
    segments = [s for s in content.segments if _lane(s.lane) in form.holds]
    n_frames = content.n_frames or 0
    frames: set[int] = set()
    n_boxes = 0
    for track in tracks:
        keys = [key.frame for key in track.keyframes if key.box is not None]
        if form.is_dense:
            keys = [frame for frame, _, _ in boxes_on_frames(track, n_frames)]
        n_boxes += len(keys)
        frames.update(keys)
    for point in points:
        frames.update(point.places)
    for segment in segments:
        start, end = segment.frames or (0, 1)
        frames.update((start, min(end, n_frames) - 1))
    counts = (len(tracks), n_boxes, len(points), len(segments), 0)
    ordered = tuple(sorted(frame for frame in frames if 0 <= frame < n_frames))
    return WrittenContent(content.name, path, table, *counts, ordered)


def _lane(lane: Lane) -> str:
    return "actions" if lane is Lane.ACTION else "sounds"
