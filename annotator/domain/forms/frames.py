"""The frame on which a box must be drawn, as the form demands."""

from __future__ import annotations

from typing import Final

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.forms.field import Field
from annotator.domain.questions.items.item import Item

FIRST: Final = "first"
MIDDLE: Final = "middle"  # of the whole video: the one that a task of one picture shows
CUT: Final = "cut"  # the last one that may be seen
ITEM: Final = "item"  # the number in the item's text “frame”
NAMED: Final = (FIRST, MIDDLE, CUT, ITEM)

TEXT: Final = "frame"
"""The text of an item that names a frame."""


def frame_of(field: Field, item: Item, video: VideoInfo) -> int | None:
    """Return the frame on which the box of a field must be drawn; None for any.

    One that lies beyond what may be seen of the video is the nearest one that may.
    """
    if not field.frame or video.n_frames == 0:
        return None
    first, last = video.first_seen, video.n_frames - 1
    named = {FIRST: first, MIDDLE: (video.n_frames + video.n_hidden) // 2, CUT: last}
    if field.frame in named:
        return min(named[field.frame], last)
    text = item.texts.get(TEXT, "") if field.frame == ITEM else field.frame
    return max(first, min(int(text), last)) if is_frame(text) else None


def is_frame(text: str) -> bool:
    """Return whether a text is the number of a frame."""
    return text.isascii() and text.isdigit() and len(text) < 10
