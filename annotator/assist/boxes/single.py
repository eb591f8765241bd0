"""One-way trackers as plug-ins of their own: one method, both ways where two boxes bound a gap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from annotator.assist.boxes.fused import propose_with
from annotator.assist.boxes.one_way import Csrt, Flow, Points
from annotator.assist.pictures import FrameSource
from annotator.assist.protocol import Cancel, Stepper
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.domain.proposals.runs import Origin


class SingleTracker:
    """Runs one kind of stepper; subclasses name it."""

    name: str
    title: str
    version: ClassVar[str] = "1"

    def needs(self) -> list[str]:
        return []

    def parameters(self) -> dict[str, Json]:
        """Settings that belong to the origin of its proposals."""
        return {}

    def origin(self) -> Origin:
        return Origin(self.name, self.version, self.parameters())

    def stepper(self) -> Callable[[], Stepper]:
        """Return a factory of fresh steppers."""
        raise LookupError(f"{type(self).__name__} names no stepper")

    def propose(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        """Yield proposals of this one method."""
        make = self.stepper()
        return propose_with([make], [], video, anchors, span, cancel=cancel)


class CsrtTracker(SingleTracker):
    """Appearance: robust to changing shape, slower."""

    name = "csrt"
    title = "CSRT correlation filter"

    def stepper(self) -> Callable[[], Stepper]:
        return Csrt


class PointsTracker(SingleTracker):
    """Corner points and an affine map: precise on firm objects, very fast."""

    name = "points"
    title = "Feature points with affine motion"

    def stepper(self) -> Callable[[], Stepper]:
        return Points


class FlowTracker(SingleTracker):
    """Dense optical flow: fast, for soft objects and short gaps."""

    name = "flow"
    title = "Dense optical flow"

    def stepper(self) -> Callable[[], Stepper]:
        return Flow
