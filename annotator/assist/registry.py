"""Finding trackers: plug-ins under the entry-point group ``annotator.assist``.

A plug-in that fails to load is left out and named in a notice; the others work on.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Final, TypeVar

from annotator.assist.boxes.other_objects import NO_OTHERS, OtherObjects
from annotator.assist.models import installed as added_models
from annotator.assist.pictures import FrameSource
from annotator.assist.protocol import (
    AvoidingTracker,
    Cancel,
    PointAnchors,
    PointTracker,
    Tracker,
)
from annotator.domain.errors import AssistError
from annotator.domain.proposals.box_proposals import Anchor, Proposed, out_of_view_if_hidden
from annotator.domain.proposals.point_proposals import ProposedPoint

GROUP: Final = "annotator.assist"
DEFAULT: Final = "fused"
DEFAULT_POINTS: Final = "flow-points"

# What importing foreign code and making its object raises when it is broken.
_FAULTS: Final = (
    ImportError,
    AttributeError,
    LookupError,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)

_log = logging.getLogger(__name__)

T = TypeVar("T", Tracker, PointTracker)


@dataclass(frozen=True, slots=True)
class Trackers:
    """The trackers at hand by name, and a sentence for each plug-in that could not be loaded.

    `by_name` holds those that propose boxes, `of_points` those that propose points.
    """

    by_name: dict[str, Tracker]
    notices: tuple[str, ...]
    of_points: dict[str, PointTracker] = field(default_factory=dict)

    def get(self, name: str) -> Tracker:
        """Return a tracker that is ready to run; AssistError names missing parts."""
        return self._ready(self.by_name, name)

    def get_for_points(self, name: str) -> PointTracker:
        """Return a tracker of points that is ready to run; AssistError as in `get`."""
        return self._ready(self.of_points, name)

    def _ready(self, trackers: Mapping[str, T], name: str) -> T:
        tracker = trackers.get(name)
        if tracker is None:
            known = ", ".join(sorted(trackers))
            broken = next((f" {n}" for n in self.notices if f"“{name}”" in n), "")
            raise AssistError(f"Unknown tracker “{name}”.{broken}", hint=f"Use one of: {known}.")
        missing = tracker.needs()
        if missing:
            raise AssistError(f"Cannot run the tracker “{tracker.title}”: {' '.join(missing)}")
        return tracker


def load(points: Iterable[EntryPoint]) -> Trackers:
    """Load trackers from entry points; failures become notices."""
    trackers: dict[str, Tracker] = {}
    of_points: dict[str, PointTracker] = {}
    notices = []
    for point in sorted(points, key=lambda p: p.name):
        try:
            tracker = _instance(point)
        except _FAULTS as error:
            _log.warning("plug-in %s: %r", point.value, error)
            notices.append(
                f"Cannot load the tracker plug-in “{point.name}” ({point.value}): {error}. The "
                "plug-in is disabled."
            )
        else:
            if isinstance(tracker, Tracker):
                trackers[tracker.name] = tracker
            if isinstance(tracker, PointTracker):
                of_points[tracker.name] = tracker
    return Trackers(trackers, tuple(notices), of_points)


@functools.cache
def installed() -> Trackers:
    """Return the trackers of this installation, with the models that the user has added."""
    found = load(entry_points(group=GROUP))
    added = list(added_models.trackers())
    of_boxes = {each.name: each for each in added if isinstance(each, Tracker)}
    of_points = {each.name: each for each in added if isinstance(each, PointTracker)}
    return Trackers({**found.by_name, **of_boxes}, found.notices, {**found.of_points, **of_points})


def propose(
    video: FrameSource,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    *,
    cancel: Cancel = lambda: False,
    tracker: str = DEFAULT,
    others: OtherObjects = NO_OTHERS,
    hidden_is_absent: bool = False,
) -> Iterator[Proposed]:
    """Yield proposals for the frames of a half-open span that no anchor fixes.

    `video` gives RGB pictures by index, boxes are in image pixels. Trackers that can avoid other
    objects avoid ``others``. With ``hidden_is_absent`` hidden objects are proposed as out of view.
    A later proposal for a frame replaces an earlier one. Raises AssistError if the tracker is
    unknown or lacks something.
    """
    plugin = installed().get(tracker)
    if isinstance(plugin, AvoidingTracker) and len(others.boxes):
        proposals = plugin.propose_avoiding(video, anchors, span, others, cancel=cancel)
    else:
        proposals = plugin.propose(video, anchors, span, cancel=cancel)
    return map(out_of_view_if_hidden, proposals) if hidden_is_absent else proposals


def propose_points(
    video: FrameSource,
    anchors: PointAnchors,
    span: tuple[int, int] | None = None,
    *,
    cancel: Cancel = lambda: False,
    tracker: str = DEFAULT_POINTS,
) -> Iterator[tuple[str, ProposedPoint]]:
    """Yield proposals by point name for the frames between the anchors of each point.

    All points are followed in one pass. A point with a single anchor is followed through the
    half-open span of frames, by default to both ends of the video. A later proposal for a frame
    replaces an earlier one. Raises AssistError if the tracker is unknown or lacks something.
    """
    return installed().get_for_points(tracker).propose_points(video, anchors, span, cancel=cancel)


def _instance(point: EntryPoint) -> Tracker | PointTracker:
    loaded = point.load()
    tracker = loaded() if isinstance(loaded, type) else loaded
    if not isinstance(tracker, Tracker | PointTracker):
        raise TypeError("it is not a tracker: name, title, needs, origin or propose is missing")
    return tracker
