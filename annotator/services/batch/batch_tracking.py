"""Batch tracking: fills gaps of boxes and points, and links detections to objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.box_proposals import AHEAD_FRAMES, Anchor, ProposalRun, Proposed
from annotator.domain.proposals.box_proposals import signature as signed
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.services.batch.trackable_gaps import Detection

if TYPE_CHECKING:
    from annotator.assist import OtherObjects
    from annotator.media import Video

SAME: Final = 0.5
"""A detection continues an object that was tracked to its frame from this IoU on."""

End: TypeAlias = tuple[int, float, float]
"""An end of a gap of a point: frame, x, y in image pixels."""

Cancel: TypeAlias = Callable[[], bool]


@dataclass(slots=True)
class Followed:
    """An object with its linked detections and the tracked boxes between them."""

    label: str
    anchors: list[Detection]
    found: dict[int, Proposed] = field(default_factory=dict)


def fill(
    video: Video,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    tracker: str,
    *,
    looks: Sequence[Anchor] = (),
    others: OtherObjects | None = None,
    hidden_is_absent: bool = False,
    cancel: Cancel = lambda: False,
) -> ProposalRun | None:
    """Return the proposals for a span of frames from its anchors; None when canceled.

    They are those that the window would make at first. ``looks`` are more keyframes that show the
    object; ``others`` are avoided. With ``hidden_is_absent`` hidden objects are out of view.
    """
    from annotator.assist import OtherObjects, installed, propose

    tracker_origin = installed().get(tracker).origin()
    origin = tracker_origin.finished(signed(anchors), is_complete=True)
    run = ProposalRun.empty(TrackId(""), *span, origin)
    proposals = propose(
        video,
        [*looks, *anchors],
        span,
        tracker=tracker,
        others=others or OtherObjects(),
        hidden_is_absent=hidden_is_absent,
        cancel=cancel,
    )
    for proposed in proposals:
        run.put(proposed)
    return None if cancel() else run


def fill_points(
    video: Video,
    paths: Sequence[tuple[End, End]],
    tracker: str,
    *,
    cancel: Cancel = lambda: False,
) -> list[PointProposalRun] | None:
    """Return the proposals between two ends of each of some points; None when canceled.

    The points are of one object and are followed in one pass.
    """
    from annotator.assist import installed, propose_points

    anchors = {
        str(i): [(frame, Point(x, y)) for frame, x, y in path] for i, path in enumerate(paths)
    }
    runs = []
    tracker_origin = installed().get_for_points(tracker).origin()
    for lower, upper in paths:
        origin = tracker_origin.finished([list(lower), list(upper)], is_complete=True)
        runs.append(PointProposalRun.empty(PointId(""), lower[0] + 1, upper[0], origin))
    for name, proposals in propose_points(video, anchors, tracker=tracker, cancel=cancel):
        runs[int(name)].put(proposals)
    return None if cancel() else runs


def follow_detections(
    video: Video,
    detections: Sequence[Detection],
    tracker: str,
    *,
    cancel: Cancel = lambda: False,
) -> list[Followed] | None:
    """Return objects: detections linked by tracking from each to the frame of the next.

    None when canceled.
    """
    frames = sorted({detection.frame for detection in detections})
    objects: list[Followed] = []
    for frame, after in zip(frames, [*frames[1:], len(video)], strict=True):
        for tracked in _link(objects, [d for d in detections if d.frame == frame]):
            lower, upper = (_anchor(d) for d in tracked.anchors[-2:])
            _track(video, tracked, [lower, upper], (lower.frame + 1, upper.frame), tracker, cancel)
        for tracked in objects:
            last = tracked.anchors[-1]
            end = min(after + 1, last.frame + AHEAD_FRAMES, len(video))
            anchors = [_anchor(last)]
            if last.frame < frame:
                # No detection here: tracking continues from the last box.
                last_found = tracked.found.get(frame)
                if last_found is None or last_found.box is None:
                    continue
                anchors.append(Anchor(frame, last_found.box))
            if frame + 1 < end:
                _track(video, tracked, anchors, (frame + 1, end), tracker, cancel)
        if cancel():
            return None
    return objects


def _link(objects: list[Followed], frame_detections: Sequence[Detection]) -> list[Followed]:
    """Give the detections of a frame to the objects tracked to it, the most similar first; the
    others start objects. Return the continuing objects.
    """
    ranked = sorted(
        (
            (_agreement(tracked, detection), i, n)
            for i, tracked in enumerate(objects)
            for n, detection in enumerate(frame_detections)
        ),
        reverse=True,
    )
    of: dict[int, int] = {}
    for iou, i, n in ranked:
        if iou >= SAME and i not in of and n not in of.values():
            of[i] = n
    for i, n in of.items():
        objects[i].anchors.append(frame_detections[n])
    linked = [objects[i] for i in of]
    objects += [
        Followed(d.label, [d]) for n, d in enumerate(frame_detections) if n not in of.values()
    ]
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
    video: Video,
    each: Followed,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    tracker: str,
    cancel: Cancel,
) -> None:
    from annotator.assist import propose

    for proposed in propose(video, anchors, span, tracker=tracker, cancel=cancel):
        each.found[proposed.frame] = proposed
