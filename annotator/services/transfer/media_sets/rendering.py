"""Pictures and clips of annotations: frames, crops of objects, clips of segments, and videos with
the annotations drawn in.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import MediaError
from annotator.services.files import make_folder, protect, refuse_filled, write_atomically
from annotator.services.transfer.proof import prove_frames
from annotator.services.transfer.snapshot import Snapshot, Snapshots, snapshots

if TYPE_CHECKING:
    from collections.abc import Callable

    from annotator.domain.annotation.document import Document
    from annotator.media import FrameTable, Video
    from annotator.media.files.annotation_overlay import DrawnShape
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject

LIST_NAME: Final = "rendered.csv"
_HEADS: Final = ("file", "video", "kind", "first_frame", "last_frame", "label", "sha256")
_UNFIT: Final = re.compile(r"[^\w.-]+")
_MOST_LETTERS: Final = 60


@dataclass(frozen=True, slots=True)
class RenderWish:
    """Choice of files: ``kinds`` are "frames", "crops", "clips" and "overlay".

    Frames and crops are those with ``keyframes``, or else every ``step``-th (0: the grid of the
    video), of the half-open ``span`` where one is given. ``is_jpeg``: smaller
    images, which are not exact to the pixel.
    """

    kinds: frozenset[str]
    videos: tuple[str, ...] = ()
    step: int = 0
    has_keyframes_only: bool = False
    is_jpeg: bool = False
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Rendered:
    """Number of written files by kind, and files that failed or could not be verified."""

    counts: dict[str, int]
    findings: tuple[Finding, ...]


def render(project: OpenProject, folder: Path, wish: RenderWish, token: JobToken) -> Rendered:
    """Write pictures and clips into an empty or new folder, with a list of them.

    The list gives the frames and the SHA-256 of each file. UserError when the folder holds
    anything, or nothing is annotated; CanceledError when canceled; files written so far stay.
    """
    return render_items(snapshots(project, wish.videos), folder, wish, token)


def render_items(items: Snapshots, folder: Path, wish: RenderWish, token: JobToken) -> Rendered:
    """Do the same for videos as they were; may run on any thread. Closes ``items``."""
    with closing(items):
        refuse_filled(folder)
        protect(folder / LIST_NAME, items.own_files())
        make_folder(folder)
        work = _Rendering(folder, wish, token)
        for i, place in enumerate(items.places):
            token.check()
            work.share = (i / len(items.places), 1 / len(items.places))
            work.video(items[i], place.name)
        work.finish()
    return Rendered(work.counts, tuple(work.findings))


class _Rendering:
    """Writes the files of one video after the other; ``share`` is where the progress stands."""

    def __init__(self, folder: Path, wish: RenderWish, token: JobToken) -> None:
        self._folder, self._wish, self._token = folder, wish, token
        self._rows: list[tuple[str, ...]] = []
        self.counts = dict.fromkeys(sorted(wish.kinds), 0)
        self.findings: list[Finding] = []
        self.share = (0.0, 1.0)
        self._suffix = ".jpg" if wish.is_jpeg else ".png"

    def video(self, item: Snapshot, name: str) -> None:
        from annotator.media import FrameTable, Video

        if item.video_path is None:
            text = "The video file is missing; nothing was written."
            self.findings.append(Finding("missing-media", name, text, Severity.ERROR))
            return
        table = FrameTable.from_bytes(item.table) if item.table is not None else None
        stem = safe_name(Path(name).stem)
        try:
            with Video(item.video_path, table=table) as video:
                frames = frames_of(item.document, self._wish, len(video))
                if "frames" in self._wish.kinds:
                    self._write_frames(video, stem, frames)
                if "crops" in self._wish.kinds:
                    self._write_crops(video, stem, item.document, frames)
                frame_table = video.table
            if "clips" in self._wish.kinds:
                self._write_clips(item, item.video_path, frame_table, stem)
            if "overlay" in self._wish.kinds:
                self._write_overlay(item.document, item.video_path, frame_table, stem)
        except MediaError as error:
            self.findings.append(Finding("bad-media", name, error.text, Severity.ERROR))
            return
        if frames:
            proof = prove_frames(item.video_path, item.table, frames)
            for text in proof.differences:
                self.findings.append(Finding("frames-differ", name, text))

    def finish(self) -> None:
        """Write the list of all files."""
        out = StringIO()
        csv.writer(out, lineterminator="\n").writerows([_HEADS, *self._rows])
        write_atomically(self._folder / LIST_NAME, [out.getvalue().encode()])

    def _write_frames(self, video: Video, stem: str, frames: Sequence[int]) -> None:
        for i, frame in enumerate(frames):
            self._tell(i / max(1, len(frames)), stem)
            self._picture(
                video, frame, f"frames/{stem}/{frame:06}{self._suffix}", stem, ("frames", "")
            )

    def _write_crops(
        self, video: Video, stem: str, document: Document, frames: Sequence[int]
    ) -> None:
        for i, frame in enumerate(frames):
            self._tell(i / max(1, len(frames)), stem)
            for track, state in document.states_at(frame):
                if state.box is None:
                    continue
                inside = state.box.clipped(*video.size)
                x1, y1, x2, y2 = (round(side) for side in inside.as_tuple())
                if x2 <= x1 or y2 <= y1:
                    continue
                label = safe_name(track.label)
                path = f"crops/{stem}/{track.info.number:03}_{label}/{frame:06}{self._suffix}"
                part = (x1, y1, x2, y2)
                self._picture(video, frame, path, stem, ("crops", track.label), part)

    def _picture(
        self,
        video: Video,
        frame: int,
        name: str,
        stem: str,
        columns: tuple[str, str],
        part: tuple[int, int, int, int] | None = None,
    ) -> None:
        """Write a picture, or a part of it, and read it again: every pixel is the same."""
        import numpy as np

        from annotator.media.decode.convert import jpeg_bytes, png_bytes, read_image

        image = video.image(frame)
        if part is not None:
            x1, y1, x2, y2 = part
            image = image[y1:y2, x1:x2]
        is_jpeg = self._wish.is_jpeg
        body = jpeg_bytes(image) if is_jpeg else png_bytes(image)
        reread = read_image(body)
        if reread.shape != image.shape or not (is_jpeg or np.array_equal(reread, image)):
            text = f"Frame {frame}: the picture that was written differs."
            self.findings.append(Finding("not-as-written", name, text, Severity.ERROR))
        self._write(name, body, stem, columns, frame, frame)

    def _write_clips(self, item: Snapshot, path: Path, table: FrameTable, stem: str) -> None:
        from annotator.media.files.cut_copies import SUFFIX, write_cut

        segments = item.document.segments
        for number, segment in enumerate(segments, 1):
            start, end = segment.start, min(segment.end, len(table))
            if end <= start:
                continue
            name = (
                f"clips/{stem}/{number:03}_{segment.lane.value}_{safe_name(segment.label)}{SUFFIX}"
            )
            target = self._folder / name
            make_folder(target.parent)
            until = table.time(end) if end < len(table) else table.duration_s
            write_cut(
                path,
                table,
                target,
                frozenset(range(start, end)),
                heard_until_s=float(until),
                first=start,
                progress=self._follow(stem, (number - 1) / len(segments), 1 / len(segments)),
            )
            self._prove(target, table, name, range(start, end))
            self._note(name, target, stem, ("clips", segment.label), start, end - 1)

    def _write_overlay(self, document: Document, path: Path, table: FrameTable, stem: str) -> None:
        from annotator.media.files.annotation_overlay import can_write, draw
        from annotator.media.files.cut_copies import SUFFIX, write_cut

        name = f"overlay/{stem}{SUFFIX}"
        target = self._folder / name
        make_folder(target.parent)
        write_cut(
            path,
            table,
            target,
            frozenset(range(len(table))),
            heard_until_s=float(table.duration_s),
            progress=self._follow(stem, 0.0, 1.0),
            paint=lambda image, frame: draw(image, _marks(document, frame), _head(document, frame)),
        )
        self._prove(target, table, name, range(len(table)))
        self._note(name, target, stem, ("overlay", ""), 0, len(table) - 1)
        labels = {t.label for t in document.tracks} | {p.label for p in document.points}
        if not all(map(can_write, labels)):
            text = "Letters that the font does not have are drawn as question marks."
            self.findings.append(Finding("no-letters", name, text, Severity.NOTE))

    def _prove(self, target: Path, table: FrameTable, name: str, frames: range) -> None:
        """Compare number and times of the frames of a written video."""
        import numpy as np

        from annotator.media.index.indexing import build_table

        written = build_table(target)
        wanted = [float(table.time(f) - table.time(frames[0])) for f in frames]
        found = [float(written.time(f) - written.time(0)) for f in range(len(written))]
        if len(found) != len(wanted) or not np.allclose(found, wanted, atol=1e-3):
            text = "Verification failed: frames or times differ from those of the video."
            self.findings.append(Finding("not-as-written", name, text, Severity.ERROR))

    def _write(
        self, name: str, body: bytes, stem: str, told: tuple[str, str], first: int, last: int
    ) -> None:
        path = self._folder / name
        make_folder(path.parent)
        write_atomically(path, [body])
        self._row(name, stem, told, (first, last), hashlib.sha256(body).hexdigest())

    def _note(
        self, name: str, path: Path, stem: str, told: tuple[str, str], first: int, last: int
    ) -> None:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self._row(name, stem, told, (first, last), digest)

    def _row(
        self, name: str, stem: str, told: tuple[str, str], frames: tuple[int, int], digest: str
    ) -> None:
        kind, label = told
        self.counts[kind] += 1
        self._rows.append((name, stem, kind, str(frames[0]), str(frames[1]), label, digest))

    def _tell(self, share: float, text: str) -> None:
        self._token.check()
        self._token.report(self.share[0] + self.share[1] * share, text)

    def _follow(self, text: str, begin: float, share: float) -> Callable[[float], None]:
        return lambda done: self._tell(begin + share * done, text)


def frames_of(document: Document, wish: RenderWish, n_frames: int) -> list[int]:
    """Return the frames to write as pictures."""
    start, end = wish.span or (0, n_frames)
    if wish.has_keyframes_only:
        found = {key.frame for track in document.tracks for key in track.keyframes}
    else:
        found = set(range(0, n_frames, wish.step or max(1, document.video.grid_step)))
    return sorted(frame for frame in found if start <= frame < min(end, n_frames))


def _marks(document: Document, frame: int) -> Iterator[DrawnShape]:
    from annotator.media.files.annotation_overlay import DrawnShape

    for track, state in document.states_at(frame):
        if state.box is not None:
            caption = f"{track.info.number} {track.label}"
            yield DrawnShape(state.box.as_tuple(), track.info.color, caption, state.occluded)
    for point in document.points:
        mark = point.mark(frame)
        if mark is not None and mark.xy is not None:
            place = (mark.xy.x, mark.xy.y)
            yield DrawnShape(place, point.info.color, point.label, mark.occluded)


def _head(document: Document, frame: int) -> str:
    """Return the frame number and the segments of a frame."""
    told = [s.label for s in document.segments if s.start <= frame < s.end]
    return "  |  ".join([str(frame), *told])


def safe_name(text: str) -> str:
    """Return a name of a file that no system takes amiss."""
    return _UNFIT.sub("_", text).strip("._")[:_MOST_LETTERS] or "unnamed"
