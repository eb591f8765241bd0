"""Tracking plans as files: one job per video, with its passes.

A job knows a video by its content and its path, and each pass by a key: the hash of the video,
tracker and keyframes. More keyframes of the object and boxes of others improve a result, but, as
in the window, it stays valid when they change. So results can be made anywhere, in any order and
twice, and one that is there already is not made again. Results are proposals in files, never
annotation.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.checks import Finding
from annotator.domain.errors import UserError
from annotator.domain.ids import VideoId
from annotator.domain.proposals.runs import Origin
from annotator.domain.video_address import filled_in
from annotator.services.assist.box_plan import MOST_BOXES, BoxJob, boxes_of_others
from annotator.services.assist.point_plan import PointJob, ends_of
from annotator.services.batch.batch_tracking import End
from annotator.services.batch.trackable_gaps import (
    Detection,
    drafts_with_gaps,
    untracked_detections,
)
from annotator.services.fetching.fetch import template_of
from annotator.services.files import write_atomically
from annotator.store.catalog import videos

if TYPE_CHECKING:
    from annotator.domain.json_type import Json
    from annotator.domain.proposals.box_proposals import Anchor
    from annotator.services.assist.tracker_requests import ProposalBoard
    from annotator.services.project.projects import OpenProject
    from annotator.store.catalog.videos import StoredVideo

FORMAT: Final = "annotator-batch/5"
MAX_PLAN_BYTES: Final = 1 << 30
_MAX_PASSES: Final = 1_000_000

ModelName: TypeAlias = tuple[str, str]
"""Name and version."""


@dataclass(frozen=True, slots=True)
class TrackerNames:
    """Names of the trackers of boxes and of points."""

    boxes: str
    points: str


def trackers_with(boxes: str, points: str = "") -> TrackerNames:
    """Return trackers by name, "" for the standard ones."""
    from annotator.assist import DEFAULT, DEFAULT_POINTS

    return TrackerNames(boxes or DEFAULT, points or DEFAULT_POINTS)


class PlannedAnchor(msgspec.Struct):
    """A fixed frame; ``box`` is x1, y1, x2, y2 in image pixels, None for out of view."""

    frame: int
    box: tuple[float, float, float, float] | None


class GapPass(msgspec.Struct, tag="gap"):
    """Frames ``start <= f < end`` of a box track, to be filled from the anchors.

    ``looks`` are more keyframes that show the object. ``others`` are the boxes that `other_boxes`
    returns, float32, compressed with zlib. With ``hidden_is_absent`` objects that are hidden are
    out of view.
    """

    key: str
    start: int
    end: int
    anchors: list[PlannedAnchor]
    looks: list[PlannedAnchor] = []
    others: bytes = b""
    hidden_is_absent: bool = False

    @property
    def others_start(self) -> int:
        return max(0, self.start - 1)

    def other_boxes(self) -> NDArray[np.float32]:
        """Return boxes of other objects, [m, n, 4] in image pixels, NaN where unknown.

        They are those on each frame from ``others_start`` to ``end`` inclusive. ValueError if they
        are damaged.
        """
        n_frames = self.end + 1 - self.others_start
        try:
            body = zlib.decompressobj().decompress(self.others, MOST_BOXES * 4 * 4)
        except zlib.error as error:
            raise ValueError("the boxes of other objects are damaged") from error
        return np.frombuffer(body, "<f4").reshape(-1, n_frames, 4)


class PointPass(msgspec.Struct, tag="points"):
    """Gaps of the points of one object, each with its two ends."""

    key: str
    paths: list[tuple[End, End]]


class DetectionPass(msgspec.Struct, tag="detections"):
    """Detections that are linked to objects and tracked."""

    key: str
    detections: list[Detection]


Pass: TypeAlias = GapPass | PointPass | DetectionPass


class VideoJob(msgspec.Struct):
    """All passes over one video.

    ``table`` is the frame table, so that a worker does not have to read the whole file first.
    ``address`` is where a worker fetches a file that is not at ``path``, "" for nowhere.
    """

    name: str
    path: str
    content: str
    trackers: TrackerNames
    passes: list[Pass]
    table: bytes = b""
    address: str = ""
    format: str = FORMAT


@dataclass(frozen=True, slots=True)
class Planned:
    """Result of planning: jobs, passes, and skipped videos with the reason."""

    n_jobs: int
    n_passes: int
    findings: tuple[Finding, ...]


class Keys:
    """Names of results: hashes of all that they depend on."""

    def __init__(self, trackers: TrackerNames) -> None:
        from annotator.assist import installed

        self._boxes = installed().get(trackers.boxes).origin()
        self._points = installed().get_for_points(trackers.points).origin()

    def job(self, content: str, job: BoxJob | PointJob) -> str:
        """Return the name of the result for gaps of boxes or of points."""
        if isinstance(job, PointJob):
            paths: list[Json] = [list(map(list, ends_of(gap))) for gap in job.gaps]
            return _key(content, self._points, paths=paths)
        anchors: list[Json] = [
            [a.frame, *([round(v, 3) for v in a.box.as_tuple()] if a.box is not None else [])]
            for a in job.anchors
        ]
        told: dict[str, Json] = {"hidden_is_absent": True} if job.hidden_is_absent else {}
        return _key(content, self._boxes, span=[job.start, job.end], anchors=anchors, **told)

    def detections(self, content: str, found: Sequence[Detection]) -> str:
        """Return the name of the result for the detections in a video."""
        rows: list[Json] = [[d.frame, d.label, list(d.box), d.score] for d in found]
        return _key(content, self._boxes, detections=rows)


def plan(
    project: OpenProject,
    path: Path,
    trackers: TrackerNames,
    *,
    model: ModelName | None = None,
    on_progress: Callable[[float, str], object] = lambda _fraction, _name: None,
) -> Planned:
    """Write the jobs for all drafts in progress, one per line.

    With a ``model`` those for its detections instead. What has proposals already is left out.
    """
    lines: list[bytes] = []
    findings: list[Finding] = []
    keys, n_passes, template = Keys(trackers), 0, template_of(project)
    planned_passes = list(_passes(project, keys, trackers, model))
    for i, (video_id, passes) in enumerate(planned_passes):
        entry = project.media.video(video_id)
        on_progress(i / len(planned_passes), entry.info.name)
        place = project.media.path(video_id)
        if place is None or entry.content_hash is None:
            text = "The video file is missing; nothing was tracked. Locate the video first."
            findings.append(Finding("missing-media", entry.info.name, text))
            continue
        table = videos.frame_table(project.file, video_id) or b""
        address = _address(template, entry)
        head = entry.info.name, str(place), entry.content_hash
        job = VideoJob(*head, trackers, passes, table, address)
        lines.append(msgspec.json.encode(job))
        n_passes += len(passes)
    write_atomically(path, [line + b"\n" for line in lines])
    return Planned(len(lines), n_passes, tuple(findings))


def _address(template: str, entry: StoredVideo) -> str:
    """Return the address of a video; "" if unknown."""
    try:
        found = filled_in(template, entry.info.name, entry.content_hash) if template else None
    except ValueError:
        return ""  # fetching a video reports what is wrong with the template
    return found.text if found is not None else ""


def read_plan(path: Path) -> list[VideoJob]:
    """Return the jobs of a plan; UserError when it is none."""
    try:
        if path.stat().st_size > MAX_PLAN_BYTES:
            raise ValueError("it is too long")
        lines = [line for line in path.read_bytes().splitlines() if line.strip()]
        if any(msgspec.json.decode(line, type=_Format).format != FORMAT for line in lines):
            raise ValueError("it is of another version")
        jobs = [msgspec.json.decode(line, type=VideoJob) for line in lines]
        if sum(len(job.passes) for job in jobs) > _MAX_PASSES:
            raise ValueError("it has too many gaps")
    except (OSError, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UserError(
            f"Cannot read the plan: {error}.",
            hint="Write it with “annotator batch plan”.",
            where=str(path),
        ) from error
    return jobs


class _Format(msgspec.Struct):
    format: str = ""


def _passes(
    project: OpenProject, keys: Keys, trackers: TrackerNames, model: ModelName | None
) -> Iterator[tuple[VideoId, list[Pass]]]:
    """Yield the tracking work, by draft or by video."""
    if model is not None:
        for each in untracked_detections(project, model, trackers.boxes):
            content = project.media.video(each.video_id).content_hash or ""
            key = keys.detections(content, each.detections)
            yield each.video_id, [DetectionPass(key, list(each.detections))]
        return
    for draft in drafts_with_gaps(project):
        content = project.media.video(draft.video_id).content_hash or ""
        found = [_pass(keys.job(content, job), job, draft.board) for job in draft.jobs]
        yield draft.video_id, found


def _pass(key: str, job: BoxJob | PointJob, board: ProposalBoard) -> Pass:
    if isinstance(job, PointJob):
        return PointPass(key, [(ends[0], ends[1]) for ends in map(ends_of, job.gaps)])
    others = zlib.compress(boxes_of_others(board, job).tobytes())
    anchors, looks = _planned(job.anchors), _planned(job.looks)
    return GapPass(key, job.start, job.end, anchors, looks, others, job.hidden_is_absent)


def _planned(anchors: Iterable[Anchor]) -> list[PlannedAnchor]:
    return [PlannedAnchor(a.frame, a.box.as_tuple() if a.box else None) for a in anchors]


def _key(content: str, origin: Origin, **told: Json) -> str:
    tracker: Json = [origin.name, origin.version, origin.parameters]
    # Results of another form have other names, and are made again.
    value = {"format": FORMAT, "content": content, "tracker": tracker, **told}
    return hashlib.sha256(canonical_bytes(value)).hexdigest()
