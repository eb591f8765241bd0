"""References of an item to boxes and objects in a video, with pictures of them.

Errors name the place in the file, so that its author finds what to change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.domain.annotation.edits import checked_box
from annotator.domain.annotation.track import Track
from annotator.domain.answer import FrameBox
from annotator.domain.errors import EditError, ExchangeError, MediaError
from annotator.domain.forms.field import FieldKind
from annotator.domain.forms.restricted_view import limited_video
from annotator.domain.ids import TrackId, VideoId
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.recipe import TaskType
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.project.restricted_video import cut_frame_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.exchange.items_file import ItemEntry
    from annotator.services.project.restricted_video import SeenVideo


def boxes_of(
    project: OpenProject, item_read: ItemEntry, videos: Sequence[VideoId], task_type: TaskType
) -> tuple[FrameBox | None, ...]:
    """Return the boxes of an item, the part of each inside the picture.

    ExchangeError when there is not one for each video, or when a box lies outside the picture or on
    a frame that tasks of the type do not show.
    """
    if not item_read.boxes:
        return ()
    where = f"{item_read.where}.boxes"
    if len(item_read.boxes) != len(videos):
        n, n_videos = len(item_read.boxes), len(videos)
        text = (
            f"Expected {n_videos} entries in “boxes”, found {n}. Write one box or null per video."
        )
        raise ExchangeError(text, where=where)
    checked: list[FrameBox | None] = []
    for i, (video_id, box) in enumerate(zip(videos, item_read.boxes, strict=True)):
        checked.append(_checked(project, video_id, box, task_type, f"{where}[{i}]"))
    return tuple(checked)


def tracks_of(
    project: OpenProject, found: ItemEntry, videos: Sequence[VideoId], task_type: TaskType
) -> tuple[TrackId, ...]:
    """Return the objects of an item; ExchangeError when tasks of the type show none."""
    if not found.tracks:
        return ()
    where = f"{found.where}.tracks"
    fields = task_type.form.fields if task_type.form is not None else ()
    is_picked = any(field.kind is FieldKind.TRACKS for field in fields)
    if not task_type.viewing.has_tracks and not is_picked:
        text = f"Task type “{found.kind}” has no field that draws in or selects objects."
        raise ExchangeError(text, where=where)
    named = tracks_named(project, videos[0], found.tracks, where)
    if len(set(named)) < len(named):
        raise ExchangeError("Duplicate object.", where=where)
    return named


def tracks_named(
    project: OpenProject, video_id: VideoId, names: Iterable[str | int], where: str
) -> tuple[TrackId, ...]:
    """Return objects of the submissions on a video, by name or number.

    The number of an object is the one it has in an export: those that are seen somewhere, counted
    from 0. ExchangeError for none, or for several of one name.
    """
    from annotator.services.transfer.snapshot import parts_of, result_of

    info = project.media.video(video_id).info
    parts, _ = parts_of(project, video_id, info.name)
    if not parts:
        text = f"“{info.name}” has no submitted tracks, so objects cannot be referenced."
        raise ExchangeError(text, where=where)
    document = result_of(project.file, parts, info)
    tracks = [t for t in document.tracks if any(not key.outside for key in t.keyframes)]
    return tuple(_named(tracks, name, where) for name in names)


def _named(tracks: Sequence[Track], name: str | int, where: str) -> TrackId:
    if isinstance(name, int):
        if not 0 <= name < len(tracks):
            n = len(tracks)
            text = f"Object number {name} does not exist. There are {n} objects, counted from 0."
            raise ExchangeError(text, where=where)
        return tracks[name].id
    places = [i for i, track in enumerate(tracks) if track.label == name.strip()]
    if len(places) == 1:
        return tracks[places[0]].id
    if places:
        numbers = ", ".join(map(str, places))
        text = f"{len(places)} objects have the name “{name}”. Use one of the numbers {numbers}."
        raise ExchangeError(text, where=where)
    label_list = ", ".join(f"“{track.label}”" for track in tracks[:10])
    hint = f"Available objects: {label_list}." if label_list else "The video has no objects."
    raise ExchangeError(f"Unknown object “{name}”.", hint=hint, where=where)


def _checked(
    project: OpenProject,
    video_id: VideoId,
    box: FrameBox | None,
    task_type: TaskType,
    where: str,
) -> FrameBox | None:
    if box is None:
        return None
    info = project.media.video(video_id).info
    if box.frame >= info.n_frames:
        text = f"“{info.name}” has {info.n_frames} frames, 0 to {info.n_frames - 1}."
        raise ExchangeError(text, where=f"{where}.frame")
    visible_video = limited_video(info, task_type.viewing, cut_frame_of(info))
    if not visible_video.first_seen <= box.frame < visible_video.n_frames:
        text = f"Frame {box.frame} is not visible in tasks of this type."
        raise ExchangeError(text, where=f"{where}.frame")
    try:
        return FrameBox(box.frame, checked_box(info, box.box))
    except EditError as error:
        raise ExchangeError(error.text, where=f"{where}.box") from error


@dataclass(frozen=True, slots=True)
class ReferencePicture:
    """A frame, RGB uint8 (height, width, 3), and the box on it, in its pixels."""

    rgb: NDArray[np.uint8]
    box: FrameBox


def references_of(items: Sequence[Item]) -> tuple[FrameBox | None, ...]:
    """Return the references of a task; all its items have the same ones."""
    return next((item.boxes for item in items if any(item.boxes)), ())


def pictures_of(
    seen: Sequence[SeenVideo], boxes: Sequence[FrameBox | None], token: JobToken
) -> list[ReferencePicture | None]:
    """Decode the frames; None where there is no box, or none may be seen or read. Takes a moment
    for each, so run it as a job.
    """
    found: list[ReferencePicture | None] = []
    for video, box in zip(seen, boxes, strict=False):
        token.check()
        found.append(_picture(video, box) if box is not None else None)
    return found


def _picture(seen: SeenVideo, box: FrameBox) -> ReferencePicture | None:
    from annotator.media import Video
    from annotator.media.index.frame_table import FrameTable

    if seen.path is None or seen.table_bytes is None:
        return None
    start, _ = seen.viewing.frames(seen.info.n_frames + seen.info.n_hidden, None)
    if not start <= box.frame < seen.info.n_frames:
        return None
    try:
        with Video(seen.path, table=FrameTable.from_bytes(seen.table_bytes)) as video:
            return ReferencePicture(video.image(box.frame), box)
    except MediaError:
        return None  # opening the video reports it
