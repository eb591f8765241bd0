"""The first picture of a project, on its way before the project is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotator.domain.errors import MediaError
from annotator.media.decode.server import FrameServer
from annotator.media.index.frame_table import FrameTable
from annotator.media.values import PictureRequest
from annotator.store.file.glance import Glance, glance


class FirstLook:
    """Decodes the picture of the last session early; the opened video takes it over.

    Made by `first_look`, and to be closed when it is not taken over.
    """

    def __init__(self, glance: Glance, budget_bytes: int) -> None:
        """Start to decode; MediaError when the video cannot be."""
        self.frame = glance.frame
        self.view = (glance.zoom, *glance.center)
        self._video = glance.video
        self._table = FrameTable.from_bytes(glance.table)
        if not 0 <= self.frame < len(self._table):
            raise MediaError("The frame does not exist in the video.", where=str(glance.video))
        # What lies around the picture can wait for the window.
        self.pictures: FrameServer | None = FrameServer(
            glance.video,
            self._table,
            budget_bytes=budget_bytes,
            on_ready=_ignore,
            reads_ahead=False,
        )
        self.pictures.request(PictureRequest(self.frame, 0, 0))

    @property
    def n_frames(self) -> int:
        return len(self._table)

    def hand_over(
        self, video: Path, table: FrameTable, on_ready: Callable[[], None]
    ) -> FrameServer | None:
        """Pass the decoder to the stage of the same video, once; None for others."""
        pictures = self.pictures
        if pictures is None or video != self._video or table.digest() != self._table.digest():
            return None
        self.pictures = None
        pictures.on_ready = on_ready
        pictures.reads_ahead = True
        return pictures

    def close(self) -> None:
        """Stop decoding, unless a stage has taken it over."""
        pictures, self.pictures = self.pictures, None
        if pictures is not None:
            pictures.close()


def first_look(project: Path, budget_bytes: int) -> FirstLook | None:
    """Start decoding the first picture; None if it is not known in advance."""
    seen = glance(project)
    if seen is None:
        return None
    try:
        return FirstLook(seen, budget_bytes)
    except MediaError:
        # Whatever is the matter with it is said when the task is opened.
        return None


def _ignore() -> None:
    """Ignore an image before the window exists."""
