"""The media engine: exact frames, their times, and sound."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.media.decode.server import FrameServer
    from annotator.media.decode.video import Video
    from annotator.media.index.frame_table import FrameTable
    from annotator.media.values import MediaFinding, Picture, PictureRequest

__all__ = ["FrameServer", "FrameTable", "MediaFinding", "Picture", "PictureRequest", "Video"]

# Imported when first named: a picture on the screen needs none of what reads whole files.
_HOMES = {
    "MediaFinding": "annotator.media.values",
    "FrameServer": "annotator.media.decode.server",
    "FrameTable": "annotator.media.index.frame_table",
    "Picture": "annotator.media.values",
    "PictureRequest": "annotator.media.values",
    "Video": "annotator.media.decode.video",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found
