"""Writes a YOLO set: images of the chosen frames, and a label file for each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError, UserError
from annotator.exchange.formats.base.document_conversion import boxes_on_frames
from annotator.exchange.formats.boxes import yolo
from annotator.services.files import new_folder
from annotator.services.transfer.media_sets.set_videos import SetVideo, videos_of, written

if TYPE_CHECKING:
    from annotator.services.background.jobs import JobToken
    from annotator.services.transfer.snapshot import ExportRequest, Snapshots, WrittenContent

_PARTS: Final = {"val": "val", "valid": "val", "validation": "val", "test": "test"}
"""Names of splits; all others are "train"."""


def write(
    items: Snapshots, request: ExportRequest, token: JobToken, share: float
) -> tuple[list[WrittenContent], list[Finding]]:
    """Write the set into a new folder, and read its labels again.

    An image without boxes has an empty label file. UserError when the folder is not empty.
    """
    with new_folder(request.path) as folder:
        work = _Set(folder)
        for video in videos_of(items, request, yolo.FORMAT, token, work.findings):
            try:
                work.add(video, token)
            except MediaError as error:
                finding = Finding("bad-media", video.content.name, error.text, Severity.ERROR)
                work.findings.append(finding)
        work.finish()
    return work.written, work.findings


class _Set:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._labels: dict[str, int] = {}
        self._parts: set[str] = set()
        self._rows: list[tuple[str, int, str]] = []
        self._n_rows: dict[str, int] = {}
        self.written: list[WrittenContent] = []
        self.findings: list[Finding] = []

    def add(self, video: SetVideo, token: JobToken) -> None:
        from annotator.media import FrameTable, Video
        from annotator.media.decode.convert import jpeg_bytes

        item, content = video.item, video.content
        assert item.video_path is not None
        part = _PARTS.get(video.split.lower(), "train")
        lines = self._lines(video)
        images, labels = (self._folder / kind / part for kind in ("images", "labels"))
        images.mkdir(parents=True, exist_ok=True)
        labels.mkdir(parents=True, exist_ok=True)
        table = FrameTable.from_bytes(item.table) if item.table is not None else None
        n_boxes = 0
        with Video(item.video_path, table=table) as frames:
            for frame in video.frames:
                token.check()
                name = f"{content.name}_{frame:06}"
                (images / f"{name}.jpg").write_bytes(jpeg_bytes(frames.image(frame)))
                own = lines.get(frame, [])
                (labels / f"{name}.txt").write_text(
                    "".join(f"{line}\n" for line, _ in own), encoding="utf-8"
                )
                place = f"labels/{part}/{name}.txt"
                self._rows += [(place, row, track) for row, (_, track) in enumerate(own)]
                n_boxes += len(own)
        self._parts.add(part)
        self._n_rows[content.name] = n_boxes
        self.written.append(written(video, n_boxes))

    def _lines(self, video: SetVideo) -> dict[int, list[tuple[str, str]]]:
        """Return the rows of each frame, with their tracks."""
        content, wanted = video.content, set(video.frames)
        size = content.size or (1, 1)
        found: dict[int, list[tuple[str, str]]] = {}
        for track in content.tracks:
            label = self._labels.setdefault(track.label, len(self._labels))
            for frame, box, _ in boxes_on_frames(track, content.n_frames or 0):
                line = yolo.box_line(label, box, size) if frame in wanted else None
                if line is not None:
                    found.setdefault(frame, []).append((line, track.key))
        return found

    def finish(self) -> None:
        """Write the settings and the tracks, and read the labels again."""
        if not self._labels:
            text = "No boxes are annotated in these videos."
            raise UserError(text, hint="A YOLO set holds boxes.")
        if "train" not in self._parts or "val" not in self._parts:
            text = "Training needs a train and a val split; one part serves as both."
            self.findings.append(Finding("one-split", yolo.SETTINGS, text))
        path = self._folder / yolo.SETTINGS
        path.write_text(yolo.settings_text(list(self._labels), self._parts), encoding="utf-8")
        rows = yolo.track_lines(self._rows)
        (self._folder / yolo.TRACKS).write_text(rows, encoding="utf-8")
        n_found = {
            content.name: sum(
                1 for track in content.tracks for key in track.keyframes if key.box is not None
            )
            for content in yolo.read(path)
        }
        for name, n_rows in self._n_rows.items():
            # Rows on a line are one span when they are read, so a track may have fewer keyframes.
            if bool(n_rows) != bool(n_found.get(name)):
                text = "Verification failed: the file content differs from the written data."
                self.findings.append(Finding("not-as-written", name, text, Severity.ERROR))
