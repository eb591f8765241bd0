"""Machine proposals: `propose` for boxes, `propose_points`, and the trackers behind them."""

from __future__ import annotations

from annotator.assist.boxes.other_objects import OtherObjects
from annotator.assist.pictures import FrameSource, Pictures, use_threads
from annotator.assist.registry import (
    DEFAULT,
    DEFAULT_POINTS,
    Trackers,
    installed,
    propose,
    propose_points,
)

__all__ = [
    "DEFAULT",
    "DEFAULT_POINTS",
    "FrameSource",
    "OtherObjects",
    "Pictures",
    "Trackers",
    "installed",
    "propose",
    "propose_points",
    "use_threads",
]
