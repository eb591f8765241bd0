"""Proposals made in advance: trackers run over many videos, from detections or from keyframes.

From detections (boxes of a model on single frames) come objects that wait as the proposals of a
model of their own. From the keyframes of drafts come proposals in their gaps, as in the window.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.checks import Finding
from annotator.domain.errors import MediaError, UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId, VideoId, track_id
from annotator.domain.proposals.boxes import Anchor, Gap, Origin, ProposalRun, Proposed, open_gaps
from annotator.domain.proposals.boxes import signature as signed
from annotator.domain.proposals.predicted import Model
from annotator.domain.recipes.recipe import Tool
from annotator.exchange.formats.base.converting import keyframes_of
from annotator.services.assist.gaps import open_job
from annotator.services.background.process_pool import outcome_of, started_pool
from annotator.services.project.predictions import keep, read
from annotator.store.annotation import predictions
from annotator.store.annotation import proposals as stored
from annotator.store.annotation.drafts import read_draft
from annotator.store.catalog import videos
from annotator.store.columns import id_bytes
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.media import Video
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject
    from annotator.services.project.videos import VideoEntry

SAME: Final = 0.5
"""A detection continues an object that was tracked to its frame from this IoU on."""

AHEAD_FRAMES: Final = 300
"""So many frames an object is tracked beyond its last detection, at most."""

_PROCESSES: Final = 2


class Detection(NamedTuple):
    """A box of a model on one frame; ``score`` is 0..1."""

    frame: int
    label: str
    box: tuple[float, float, float, float]
    score: float


@dataclass(slots=True)
class Followed:
    """An object that detections were linked to: their frames, and what was tracked between."""

    label: str
    anchors: list[Detection]
    found: dict[int, Proposed] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prepared:
    """Name and number of objects of each video that was tracked; ``findings`` name the others."""

    videos: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...]


def model_named(project: OpenProject, text: str) -> tuple[str, str]:
    """Return name and version of the model called “NAME” or “NAME VERSION”; UserError for none."""
    known = models_in(project)
    found = [each for each in known if text in (each[0], " ".join(each).strip())]
    if not found:
        names = ", ".join(" ".join(each).strip() for each in known)
        hint = f"Use one of: {names}." if names else "Import its detections as proposals first."
        raise UserError(f"The project has no predictions of a model “{text}”.", hint=hint)
    return found[-1]


def models_in(project: OpenProject) -> list[tuple[str, str]]:
    """Return name and version of the models whose predictions are in a project."""
    return predictions.models(project.file)


def prepare_detections(
    project: OpenProject, model: tuple[str, str], tracker: str, token: JobToken
) -> Prepared:
    """Track what a model detected, in each video that has not been done yet.

    What is made is kept as the predictions of “MODEL + TRACKER”. CancelledError when canceled; the
    videos that were done by then are kept, and the next call goes on with the others.
    """
    done: list[tuple[str, int]] = []
    findings: list[Finding] = []
    entries = project.videos()
    asked: deque[tuple[VideoInfo, Model, Future[list[Followed]]]] = deque()
    with started_pool(_PROCESSES, _nothing, ()) as pool:

        def finish() -> None:
            info, made, future = asked.popleft()
            try:
                objects = outcome_of(future, token)
            except MediaError as error:
                findings.append(Finding("bad-media", info.name, error.text))
                return
            content, scores = _content(info, objects)
            keep(project.file, made, content, scores)
            done.append((info.name, len(objects)))

        try:
            for i, entry in enumerate(entries):
                token.check()
                token.report(i / len(entries), entry.name)
                wanted = _waiting(project, entry, model, tracker, findings)
                if wanted is None:
                    continue
                info, made, given = wanted
                asked.append((info, made, pool.submit(follow_detections, *given, tracker)))
                if len(asked) > _PROCESSES:
                    finish()
            while asked:
                finish()
        finally:
            for _, _, future in asked:
                future.cancel()
    return Prepared(tuple(done), tuple(findings))


def _waiting(
    project: OpenProject,
    entry: VideoEntry,
    model: tuple[str, str],
    tracker: str,
    findings: list[Finding],
) -> tuple[VideoInfo, Model, tuple[Path, bytes | None, list[Detection]]] | None:
    """Return what tracking the detections in a video needs; None where nothing is to be done."""
    rows = predictions.predictions_of(project.file, entry.id)
    row = next((r for r in rows if (r.model, r.version) == model), None)
    if row is None:
        return None
    made = Model(f"{row.model} + {tracker}", row.version, row.file, row.sha256)
    told = made.name, made.version, made.sha256
    if predictions.has_prediction(project.file, entry.id, *told):
        return None
    if entry.path is None:
        text = "The video file is missing; nothing was tracked. Locate the video first."
        findings.append(Finding("missing-media", entry.name, text))
        return None
    info = project.footage.video(entry.id).info
    prediction = read(row, info)
    found = [
        Detection(
            key.frame,
            track.label,
            key.box.as_tuple(),
            prediction.scores.get(track.id, {}).get(key.frame, 1.0),
        )
        for track in prediction.content.tracks
        for key in _single(track)
        if key.box is not None
    ]
    if not found:
        return None
    table = videos.frame_table(project.file, entry.id)
    return info, made, (entry.path, table, sorted(found))


def _single(track: Track) -> tuple[Keyframe, ...]:
    """Return the one keyframe with a box of a detection; none for what has been tracked."""
    boxed = tuple(key for key in track.keyframes if key.box is not None)
    return boxed if len(boxed) == 1 else ()


def follow_detections(
    path: Path, table: bytes | None, detections: Sequence[Detection], tracker: str
) -> list[Followed]:
    """Return objects: detections linked by tracking from each to the frame of the next.

    Runs in a process of its own. MediaError when the video cannot be read.
    """
    from annotator.media import FrameTable, Video

    frames = sorted({each.frame for each in detections})
    objects: list[Followed] = []
    with Video(path, table=FrameTable.from_bytes(table) if table else None) as video:
        for frame, after in zip(frames, [*frames[1:], len(video)], strict=True):
            for each in _link(objects, [d for d in detections if d.frame == frame]):
                lower, upper = (_anchor(d) for d in each.anchors[-2:])
                _track(video, each, [lower, upper], (lower.frame + 1, upper.frame), tracker)
            for each in objects:
                last = each.anchors[-1]
                end = min(after + 1, last.frame + AHEAD_FRAMES, len(video))
                anchors = [_anchor(last)]
                if last.frame < frame:
                    # Nothing was detected here: it goes on from where it was tracked to.
                    found = each.found.get(frame)
                    if found is None or found.box is None:
                        continue
                    anchors.append(Anchor(frame, found.box))
                if frame + 1 < end:
                    _track(video, each, anchors, (frame + 1, end), tracker)
    return objects


def _link(objects: list[Followed], here: Sequence[Detection]) -> list[Followed]:
    """Give the detections of a frame to the objects tracked to it, the most similar first; the
    others begin objects. Return the objects that go on.
    """
    ranked = sorted(
        (
            (_agreement(each, detection), i, n)
            for i, each in enumerate(objects)
            for n, detection in enumerate(here)
        ),
        reverse=True,
    )
    of: dict[int, int] = {}
    for iou, i, n in ranked:
        if iou >= SAME and i not in of and n not in of.values():
            of[i] = n
    for i, n in of.items():
        objects[i].anchors.append(here[n])
    linked = [objects[i] for i in of]
    objects += [Followed(d.label, [d]) for n, d in enumerate(here) if n not in of.values()]
    return linked


def _agreement(each: Followed, detection: Detection) -> float:
    """Return the IoU of a detection with where an object was tracked to; 0 for another label."""
    found = each.found.get(detection.frame)
    if found is None or found.box is None or each.label != detection.label:
        return 0.0
    return found.box.iou(Box(*detection.box))


def _anchor(detection: Detection) -> Anchor:
    return Anchor(detection.frame, Box(*detection.box))


def _track(
    video: Video, each: Followed, anchors: Sequence[Anchor], span: tuple[int, int], tracker: str
) -> None:
    from annotator.assist import propose

    for proposed in propose(video, anchors, span, tracker=tracker):
        each.found[proposed.frame] = proposed


def _content(
    info: VideoInfo, objects: Sequence[Followed]
) -> tuple[Document, dict[str, dict[int, float]]]:
    """Return objects as the content of a prediction, with their scores."""
    tracks: list[Track] = []
    scores: dict[str, dict[int, float]] = {}
    for number, each in enumerate(objects, 1):
        states = {p.frame: (p.box, p.occluded, p.confidence) for p in each.found.values()}
        states |= {d.frame: (Box(*d.box), False, d.score) for d in each.anchors}
        seen = [frame for frame in sorted(states) if states[frame][0] is not None]
        rows = [(f, box, states[f][1]) for f in seen if (box := states[f][0]) is not None]
        made = TrackInfo(track_id(), each.label, number, number - 1)
        tracks.append(Track(made, tuple(keyframes_of(rows, info.n_frames))))
        scores[made.id] = {f: round(min(1.0, max(0.0, states[f][2])), 4) for f in seen}
    return Document(DraftId(""), info, tracks), scores


def prepare_drafts(project: OpenProject, tracker: str, token: JobToken) -> Prepared:
    """Track from the keyframes of the drafts that people have in hand, where nothing up to date is
    there. A draft that is open in this program is left to it. Cancel and resume as above.
    """
    done: list[tuple[str, int]] = []
    findings: list[Finding] = []
    drafts = list(drafts_in_hand(project))
    with started_pool(_PROCESSES, _nothing, ()) as pool:
        for i, (draft_id, video_id) in enumerate(drafts):
            entry = project.footage.video(video_id)
            token.report(i / len(drafts), entry.info.name)
            path = project.footage.path(video_id)
            if path is None:
                text = "The video file is missing; nothing was tracked. Locate the video first."
                findings.append(Finding("missing-media", entry.info.name, text))
                continue
            document = read_draft(project.file, draft_id, entry.info)
            kept = stored.read_runs(project.file, id_bytes(draft_id))
            gaps = list(gaps_to_fill(document, kept))
            if not gaps:
                continue
            table = videos.frame_table(project.file, video_id)
            futures = [(gap, pool.submit(fill_gap, path, table, gap, tracker)) for gap in gaps]
            try:
                for gap, future in futures:
                    run = outcome_of(future, token)
                    old = [r for r in kept if r.track_id == gap.track_id and _overlaps(r, gap)]
                    stored.replace_runs(project.file, id_bytes(draft_id), gap.track_id, old, [run])
            except MediaError as error:
                findings.append(Finding("bad-media", entry.info.name, error.text))
                continue
            finally:
                for _, future in futures:
                    future.cancel()
            done.append((entry.info.name, len({gap.track_id for gap in gaps})))
    return Prepared(tuple(done), tuple(findings))


def drafts_in_hand(project: OpenProject) -> Iterator[tuple[DraftId, VideoId]]:
    """Yield the drafts in hand of tasks that draw boxes, but for those open in this program."""
    for task in project.tasks():
        record = project.work.record(task.id)
        if not record.holders or Tool.BOXES not in project.work.tools_of(task.id):
            continue
        if project.is_open(task.id):
            continue
        with project.file.reading() as connection:
            found = [tasks.find_draft(connection, held.id) for held in record.holders]
        yield from ((draft_id, task.video_id) for draft_id in found if draft_id is not None)


def gaps_to_fill(document: Document, kept: Sequence[ProposalRun]) -> Iterator[Gap]:
    """Yield the gaps that want proposals."""
    for track in document.tracks:
        runs = [run for run in kept if run.track_id == track.id]
        if not track.keyframes or track.info.is_locked or any(run.origin.is_file for run in runs):
            continue
        for gap in open_gaps(track, document.video.n_frames):
            if open_job(gap, runs, None) is not None:
                yield gap


def _overlaps(run: ProposalRun, gap: Gap) -> bool:
    return run.start < gap.end and gap.start < run.end


def fill_gap(path: Path, table: bytes | None, gap: Gap, tracker: str) -> ProposalRun:
    """Return the proposals for a gap, as far as the window would make them at first.

    Runs in a process of its own. MediaError when the video cannot be read.
    """
    from annotator.media import FrameTable, Video

    anchors = [anchor for anchor in (gap.lower, gap.upper) if anchor is not None]
    with Video(path, table=FrameTable.from_bytes(table) if table else None) as video:
        run = fill(video, gap.track_id, anchors, bounded(gap), tracker)
    assert run is not None
    return run


def bounded(gap: Gap) -> tuple[int, int]:
    """Return the half-open span of a gap that is filled in advance."""
    if gap.upper is None:
        return gap.start, min(gap.end, gap.start + AHEAD_FRAMES)
    if gap.lower is None:
        return max(gap.start, gap.end - AHEAD_FRAMES), gap.end
    return gap.start, gap.end


def fill(
    video: Video,
    of: TrackId,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    tracker: str,
    *,
    cancel: Callable[[], bool] = lambda: False,
) -> ProposalRun | None:
    """Return the proposals for a span of frames from its anchors; None when cancelled."""
    from annotator.assist import installed, propose

    start, end = span
    boxes = np.full((end - start, 4), np.nan, np.float32)
    confidence = np.full(end - start, np.nan, np.float32)
    occluded = np.zeros(end - start, np.uint8)
    for proposed in propose(video, anchors, span, cancel=cancel, tracker=tracker):
        at = proposed.frame - start
        if proposed.box is not None:
            boxes[at] = proposed.box.as_tuple()
        confidence[at], occluded[at] = proposed.confidence, proposed.occluded
    if cancel():
        return None
    made = installed().get(tracker).origin()
    told = {**made.parameters, "anchors": signed(anchors), "is_complete": True}
    return ProposalRun(
        of, start, boxes, confidence, Origin(made.name, made.version, told), occluded
    )


def _nothing() -> None:
    """There is nothing to prepare in the processes."""
