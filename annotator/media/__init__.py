"""The media engine: exact frames, their times, and sound."""

from __future__ import annotations

from annotator.media.frame_table import FrameTable
from annotator.media.frames import Finding, Picture, PictureRequest
from annotator.media.server import FrameServer
from annotator.media.video import Video

__all__ = ["Finding", "FrameServer", "FrameTable", "Picture", "PictureRequest", "Video"]
