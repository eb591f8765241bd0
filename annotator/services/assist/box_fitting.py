"""Boxes by click: the object at a place of a frame, by a model that the user has added."""

from __future__ import annotations

from pathlib import Path

from annotator.assist.models.box_fitter import fitted_box, fitters
from annotator.domain.errors import AssistError
from annotator.domain.geometry import Box, Point
from annotator.media.decode.video import Video
from annotator.media.index.frame_table import FrameTable
from annotator.services.background.jobs import JobToken


def box_at(
    path: Path, table: bytes | None, frame: int, click: Point, token: JobToken
) -> Box | None:
    """Return the box around a clicked object, in image pixels; None if there is none.

    Reads the frame and runs the first model for this by name; on the thread of a job. AssistError
    when there is no such model, MediaError when the frame cannot be read.
    """
    available = fitters()
    if not available:
        raise AssistError(
            "No model for boxes by click is installed.",
            hint="Add one with “annotator models add”, see “Models of your own” in the guide.",
        )
    with Video(path, table=FrameTable.from_bytes(table) if table else None) as video:
        picture = video.image(frame)
    token.check()
    return fitted_box(available[0], picture, click)
