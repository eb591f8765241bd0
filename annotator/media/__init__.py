"""The media engine: exact frames, their times, and sound."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.media.frame_table import FrameTable
    from annotator.media.frames import Finding, Picture, PictureRequest
    from annotator.media.server import FrameServer
    from annotator.media.video import Video

__all__ = ["Finding", "FrameServer", "FrameTable", "Picture", "PictureRequest", "Video"]

# Imported when first named: a picture on the screen needs none of what reads whole files.
_HOMES = {
    "Finding": "frames",
    "FrameServer": "server",
    "FrameTable": "frame_table",
    "Picture": "frames",
    "PictureRequest": "frames",
    "Video": "video",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
