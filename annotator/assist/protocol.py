"""Protocols of tracker plug-ins and of their one-way parts.

A plug-in is an object (or a class without constructor arguments) registered under the entry-point
group ``annotator.assist``. It proposes boxes, points or both: it receives a video and the
annotations of people, and yields proposals; a later proposal for a frame replaces an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from annotator.assist.boxes.arrays import Box4
from annotator.assist.boxes.other_objects import OtherObjects
from annotator.assist.pictures import FrameSource, View
from annotator.domain.geometry import Point
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.domain.proposals.point_proposals import ProposedPoint
from annotator.domain.proposals.runs import Origin

Cancel = Callable[[], bool]
PointAnchors = Mapping[str, Sequence[tuple[int, Point]]]


@runtime_checkable
class Tracker(Protocol):
    """A plug-in that proposes boxes."""

    name: str
    title: str

    def needs(self) -> list[str]:
        """Return what is missing to run it, as sentences for people; empty when ready."""
        ...

    def origin(self) -> Origin:
        """Name the tool, its version and its settings; kept with every proposal."""
        ...

    def propose(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        """Yield proposals for the frames of a half-open span that have no anchor.

        Boxes are in image pixels. Anchors may lie far outside the span: they show how the object
        looks, and are the same object. Stop within 100 ms of `cancel()` becoming true; it is cheap
        to ask once per frame.
        """
        ...


@runtime_checkable
class AvoidingTracker(Tracker, Protocol):
    """A plug-in that proposes boxes and avoids other objects."""

    def propose_avoiding(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        others: OtherObjects,
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        """Yield proposals as `propose` does; ``others`` has boxes of other objects."""
        ...


@runtime_checkable
class PointTracker(Protocol):
    """A plug-in that proposes points."""

    name: str
    title: str

    def needs(self) -> list[str]:
        """Return what is missing to run it, as sentences for people; empty when ready."""
        ...

    def origin(self) -> Origin:
        """Name the tool, its version and its settings; kept with every proposal."""
        ...

    def propose_points(
        self,
        video: FrameSource,
        anchors: PointAnchors,
        span: tuple[int, int] | None = None,
        *,
        cancel: Cancel,
    ) -> Iterator[tuple[str, ProposedPoint]]:
        """Yield proposals by point name for the frames between two anchors of a point.

        `anchors` gives, by name, the frames on which a person has placed a point, and where, in
        image pixels. A point with a single anchor is followed from it through the half-open span
        of frames, by default to both ends of the video.
        Stop within 100 ms of `cancel()` becoming true; it is cheap to ask once per frame.
        """
        ...


class Stepper(Protocol):
    """Follows one object frame by frame in one direction. Boxes are in the view's pixels."""

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Take hold of the object."""
        ...

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and its own trust in it, 0..1."""
        ...

    def adjust(self, box: Box4) -> None:
        """Hear where several trackers together see the object; take it over or not."""
        ...
