"""Pictures of what is meant in the videos of an item: the frame of each box, as a task shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.domain.answers import FrameBox
from annotator.domain.errors import MediaError
from annotator.domain.questions.items.item import Item
from annotator.services.background.jobs import JobToken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.services.project.viewing import SeenVideo


@dataclass(frozen=True, slots=True)
class MeantPicture:
    """A frame, RGB uint8 (height, width, 3), and the box on it, in its pixels."""

    rgb: NDArray[np.uint8]
    box: FrameBox


def meant_in(items: Sequence[Item]) -> tuple[FrameBox | None, ...]:
    """Return what is meant in the videos of a task: all its items are about the same ones."""
    return next((item.boxes for item in items if any(item.boxes)), ())


def pictures_of(
    seen: Sequence[SeenVideo], boxes: Sequence[FrameBox | None], token: JobToken
) -> list[MeantPicture | None]:
    """Decode the frames; None where there is no box, or none may be seen or read. Takes a moment
    for each, so run it as a job.
    """
    found: list[MeantPicture | None] = []
    for video, box in zip(seen, boxes, strict=False):
        token.check()
        found.append(_picture(video, box) if box is not None else None)
    return found


def _picture(seen: SeenVideo, box: FrameBox) -> MeantPicture | None:
    from annotator.media import Video
    from annotator.media.index.frame_table import FrameTable

    if seen.path is None or seen.table_bytes is None:
        return None
    start, _ = seen.viewing.frames(seen.info.n_frames + seen.info.n_hidden, None)
    if not start <= box.frame < seen.info.n_frames:
        return None
    try:
        with Video(seen.path, table=FrameTable.from_bytes(seen.table_bytes)) as video:
            return MeantPicture(video.image(box.frame), box)
    except MediaError:
        return None  # whoever opens the video is told
