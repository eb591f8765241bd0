"""Finding trackers: plug-ins under the entry-point group ``annotator.assist``.

A plug-in that fails to load is left out and named in a notice; the others work on.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from annotator.assist.pictures import FrameSource
from annotator.assist.protocol import Cancel, Tracker
from annotator.domain.errors import AssistError
from annotator.domain.proposal import Anchor, Proposed

GROUP: Final = "annotator.assist"
DEFAULT: Final = "fused"

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


@dataclass(frozen=True, slots=True)
class Trackers:
    """The trackers at hand by name, and a sentence for each plug-in that could not be loaded."""

    by_name: dict[str, Tracker]
    notices: tuple[str, ...]

    def get(self, name: str) -> Tracker:
        """Return a tracker that is ready to run; AssistError says what is missing otherwise."""
        tracker = self.by_name.get(name)
        if tracker is None:
            known = ", ".join(sorted(self.by_name))
            broken = next((f" {n}" for n in self.notices if f"“{name}”" in n), "")
            raise AssistError(
                f"There is no tracker named “{name}”.{broken}", hint=f"Choose one of: {known}."
            )
        missing = tracker.needs()
        if missing:
            raise AssistError(f"The tracker “{tracker.title}” cannot run: {' '.join(missing)}")
        return tracker


def load(points: Iterable[EntryPoint]) -> Trackers:
    """Load trackers from entry points; what fails becomes a notice."""
    found: dict[str, Tracker] = {}
    notices = []
    for point in sorted(points, key=lambda p: p.name):
        try:
            tracker = _instance(point)
        except _FAULTS as error:
            _log.warning("plug-in %s: %r", point.value, error)
            notices.append(
                f"The tracker plug-in “{point.name}” ({point.value}) could not be loaded and is "
                f"left out: {error}"
            )
        else:
            found[tracker.name] = tracker
    return Trackers(found, tuple(notices))


@functools.cache
def installed() -> Trackers:
    """Return the trackers of this installation."""
    return load(entry_points(group=GROUP))


def propose(
    video: FrameSource,
    anchors: Sequence[Anchor],
    span: tuple[int, int],
    *,
    cancel: Cancel = lambda: False,
    tracker: str = DEFAULT,
) -> Iterator[Proposed]:
    """Yield proposals for the frames of a half-open span that no anchor fixes.

    `video` gives RGB pictures by index, boxes are in image pixels. A later proposal for a frame
    replaces an earlier one. Raises AssistError if the tracker is unknown or lacks something.
    """
    return installed().get(tracker).propose(video, anchors, span, cancel=cancel)


def _instance(point: EntryPoint) -> Tracker:
    loaded = point.load()
    tracker = loaded() if isinstance(loaded, type) else loaded
    if not isinstance(tracker, Tracker):
        raise TypeError("it is not a tracker: name, title, needs, origin or propose is missing")
    return tracker
