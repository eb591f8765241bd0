"""Messages between the window's process and the tracker process.

MessagePack records of fixed shape; nothing is unpickled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor


def row_type(width: int) -> np.dtype[np.void]:
    """Return the type of a proposal in a batch; ``width`` numbers are its place."""
    return np.dtype(
        [
            ("gap", "<i4"),
            ("frame", "<i4"),
            ("place", "<f4", width),
            ("confidence", "<f4"),
            ("occluded", "u1"),
        ]
    )


AnchorRecord: TypeAlias = tuple[int, tuple[float, float, float, float] | None]


class Request(msgspec.Struct, frozen=True, tag="run"):
    """Propose boxes for a half-open span of frames. `table` is a frame table's bytes, if known.

    With ``hidden_is_absent`` hidden objects are out of view.
    """

    id: int
    path: str
    table: bytes | None
    anchors: tuple[AnchorRecord, ...]
    start: int
    end: int
    tracker: str
    others: bytes = b""
    """Boxes of other objects: float32 [m, n, 4] in pixels, NaN where unknown, from ``others_start``
    to ``end`` inclusive.
    """
    others_start: int = 0
    hidden_is_absent: bool = False

    def other_boxes(self) -> NDArray[np.float32]:
        """Return the boxes of other objects, [m, n, 4]."""
        n_frames = self.end + 1 - self.others_start
        return np.frombuffer(self.others, "<f4").reshape(-1, n_frames, 4)


class PointRequest(msgspec.Struct, frozen=True, tag="run-points"):
    """Propose points: for each path the known places (frame, x, y), in pixels.

    `start` and `end` span all paths.
    """

    id: int
    path: str
    table: bytes | None
    paths: tuple[tuple[tuple[int, float, float], ...], ...]
    start: int
    end: int
    tracker: str


class Cancel(msgspec.Struct, frozen=True, tag="cancel"):
    """Stop a request, running or waiting."""

    id: int


class ProposalBatch(msgspec.Struct, frozen=True, tag="batch"):
    """Some proposals of a request; a later one for a frame replaces an earlier one."""

    id: int
    width: int
    rows: bytes

    def proposals(self) -> NDArray[np.void]:
        """Return records: number of the gap in the request, frame, place[width] in pixels or NaN,
        confidence, occluded.
        """
        return np.frombuffer(self.rows, row_type(self.width))


class RequestEnd(msgspec.Struct, frozen=True, tag="done"):
    """End of a request, by completion or cancellation. Origin: tool, version, JSON settings."""

    id: int
    origin: tuple[str, str, bytes]
    is_canceled: bool = False


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A request could not be met; `text` is for people. `is_crash`: the process has died."""

    id: int
    text: str
    is_crash: bool = False


AnyRequest: TypeAlias = Request | PointRequest
Reply: TypeAlias = ProposalBatch | RequestEnd | Failed


def anchor_records(anchors: Iterable[Anchor]) -> tuple[AnchorRecord, ...]:
    """Return anchors in the form a request carries."""
    return tuple((a.frame, _corners(a.box) if a.box else None) for a in anchors)


def _corners(box: Box) -> tuple[float, float, float, float]:
    return (float(box.x1), float(box.y1), float(box.x2), float(box.y2))
