"""Machine proposals for box tracks: `propose` and the trackers behind it."""

from __future__ import annotations

from annotator.assist.pictures import FrameSource, Pictures, use_threads
from annotator.assist.registry import DEFAULT, Trackers, installed, propose

__all__ = ["DEFAULT", "FrameSource", "Pictures", "Trackers", "installed", "propose", "use_threads"]
