"""A video as a task may show it; the one place that applies these limits.

A task can show only a part of its video. The frame table is cut there, so all decoders (pictures,
thumbnails, sound, waveform, spectrogram, trackers) see nothing beyond. The files themselves stay
complete: anyone with access to a file can read it with other programs.

A project made from a work package is restricted further: if videos are not included, the person's
own files are complete, and other content of the package could reveal all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.forms.restricted_view import Extent, Viewing, limited_video, narrowed
from annotator.domain.ids import VideoId
from annotator.services.project.metadata import CUT_FRAME, facts_of
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

if TYPE_CHECKING:
    from annotator.media.audio.reader import Audio


@dataclass(frozen=True, slots=True)
class SeenVideo:
    """A video as it may be seen; ``path`` None while missing, ``table_bytes`` while unread."""

    info: VideoInfo
    path: Path | None
    table_bytes: bytes | None
    viewing: Viewing


def seen_video(
    info: VideoInfo, path: Path | None, table_bytes: bytes | None, viewing: Viewing
) -> SeenVideo:
    """Return a video as a viewing lets it be seen."""
    if viewing.extent is Extent.WHOLE or info.n_frames == 0:
        return SeenVideo(info, path, table_bytes, viewing)
    cut = cut_frame_of(info)
    limited_info = limited_video(info, viewing, cut)
    if table_bytes is not None:
        from annotator.media.index.frame_table import FrameTable

        table = FrameTable.from_bytes(table_bytes)
        # A copy that came with a package ends where the viewing does, and is no shorter for it.
        limited = table.limited(*viewing.frames(info.n_frames, cut))
        limited_info = replace(limited_info, duration_s=limited.duration_s)
        if limited.is_limited:
            table_bytes = limited.to_bytes()
    return SeenVideo(limited_info, path, table_bytes, viewing)


def cut_frame_of(info: VideoInfo) -> int | None:
    """Return the cut frame of a video from its metadata; None without one."""
    cut = facts_of(info).get(CUT_FRAME)
    return cut if isinstance(cut, int) and not isinstance(cut, bool) and cut > 0 else None


def open_sound(seen_video: SeenVideo) -> Audio | None:
    """Return the sound of a video as far as it may be heard, None where nothing may be or the file
    has none; MediaError when it cannot be read.
    """
    from annotator.media.audio.reader import Audio
    from annotator.media.audio.streams import NoSoundError
    from annotator.media.index.frame_table import FrameTable

    if seen_video.viewing.is_silent or seen_video.path is None:
        return None
    if seen_video.table_bytes is None and seen_video.info.n_hidden:
        return None  # its end is unknown
    origin_s = until_s = None
    if seen_video.table_bytes is not None:
        table = FrameTable.from_bytes(seen_video.table_bytes)
        origin_s, until_s = table.origin_s if len(table) else None, table.until_s
    try:
        return Audio(seen_video.path, origin_s=origin_s, until_s=until_s)
    except NoSoundError:
        return None


_VIEWINGS: Final = "viewings_of:{}"
"""Project fact: views of a video that the tasks of a package allow."""


def remember_viewings(file: ProjectFile, video_id: VideoId, viewings: Iterable[Viewing]) -> None:
    """Remember, in a project made of a package, how its tasks let a video be seen."""
    text = msgspec.json.encode(list(viewings)).decode()
    with file.transaction() as connection:
        travel.set_meta(connection, _VIEWINGS.format(video_id), text)


def allowed_viewing(file: ProjectFile, video_id: VideoId, viewing: Viewing) -> Viewing:
    """Return a viewing as far as the package that a project was made of lets a video be seen."""
    text = file.meta(_VIEWINGS.format(video_id))
    return narrowed(viewing, msgspec.json.decode(text, type=list[Viewing])) if text else viewing
