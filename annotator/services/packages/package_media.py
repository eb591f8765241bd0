"""Media and annotations of a work package, limited to the visible parts of its tasks."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import (
    canonical_bytes,
    document_value,
    plain_value,
    read_document,
)
from annotator.domain.forms.restricted_view import Extent, Viewing, drawn_within
from annotator.domain.ids import DraftId, VideoId
from annotator.services.project.restricted_video import cut_frame_of
from annotator.store.catalog import videos
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

if TYPE_CHECKING:
    from annotator.media.index.frame_table import FrameTable
    from annotator.media.values import Progress
    from annotator.services.project.projects import OpenProject

_COPIES: Final = "copies_of:{}"
"""Project fact: hashes of the sent copies of a video."""


@dataclass(frozen=True, slots=True)
class PackedMedia:
    """A file that goes into a package, and its hash; ``is_copy``: it is not the project's own."""

    path: Path
    content_hash: str | None
    is_copy: bool


def packed_media(
    project: OpenProject,
    video_id: VideoId,
    path: Path,
    viewings: Iterable[Viewing],
    folder: Path,
    progress: Progress | None = None,
) -> PackedMedia | None:
    """Return the file of a video for a person with tasks of some viewings.

    Where they may see and hear all of it that is the file itself, else a copy that is made in
    ``folder`` and remembered, so that answers about it are taken. None where there is nothing to be
    seen or heard. MediaError when a copy cannot be made.
    """
    from annotator.media.files.cut_copies import SUFFIX, write_cut, write_silent
    from annotator.media.index.fingerprint import content_hash
    from annotator.media.index.frame_table import FrameTable
    from annotator.media.index.indexing import build_table

    stored, ranges = project.media.video(video_id), list(viewings)
    packed = PackedMedia(path, stored.content_hash, is_copy=False)
    if not ranges or any(v.extent is Extent.WHOLE and not v.is_silent for v in ranges):
        return packed
    if stored.info.n_frames == 0:
        return None if all(v.is_silent for v in ranges) else packed
    frame_table = videos.frame_table(project.file, video_id)
    table = FrameTable.from_bytes(frame_table) if frame_table is not None else build_table(path)
    visible, heard_until_s = _allowed(table, ranges, cut_frame_of(stored.info))
    is_all_seen = len(visible) == len(table)
    if is_all_seen and heard_until_s == math.inf:
        return packed
    target = folder / f"{video_id}{SUFFIX}"
    if is_all_seen and heard_until_s is None:
        write_silent(path, table, target, progress)
    else:
        write_cut(path, table, target, visible, heard_until_s=heard_until_s, progress=progress)
    digest = content_hash(target)
    _remember(project.file, video_id, digest)
    return PackedMedia(target, digest, is_copy=True)


def seen_frames(
    project: OpenProject, video_id: VideoId, viewings: Iterable[Viewing]
) -> list[tuple[int, int]]:
    """Return the visible frames of a video for tasks with some viewings.

    Half-open, ascending and disjoint ranges; all frames without viewings.
    """
    info = project.media.video(video_id).info
    cut = cut_frame_of(info)
    spans = sorted(viewing.frames(info.n_frames, cut) for viewing in viewings)
    ranges_seen: list[tuple[int, int]] = []
    for start, end in spans or [(0, info.n_frames)]:
        if ranges_seen and start <= ranges_seen[-1][1]:
            ranges_seen[-1] = ranges_seen[-1][0], max(end, ranges_seen[-1][1])
        else:
            ranges_seen.append((start, end))
    return ranges_seen


def is_part_of(frames: Sequence[tuple[int, int]], seen: Sequence[tuple[int, int]]) -> bool:
    """Return whether all of some frames are among those that may be seen."""
    return all(any(s <= start and end <= e for s, e in seen) for start, end in frames)


def drawn_on(
    project: OpenProject, video_id: VideoId, body: bytes, seen: Sequence[tuple[int, int]]
) -> bytes:
    """Return a submission limited to the visible part of its video.

    Comments are left out. It keeps its ID, although its bytes differ.
    """
    info = project.media.video(video_id).info
    whole = read_document(body, DraftId(""), info)
    told = document_value(drawn_within(whole, info, seen))
    told.pop("comments", None)
    drawn = document_value(whole).keys()
    head = {key: value for key, value in plain_value(body).items() if key not in drawn}
    return canonical_bytes({**head, **told})


def is_copy_of(file: ProjectFile, video_id: VideoId, content_hash: str) -> bool:
    """Return whether a file of that content went out as a copy of a video."""
    return content_hash in _copies(file, video_id)


def _allowed(
    table: FrameTable, viewings: Iterable[Viewing], cut_frame: int | None
) -> tuple[frozenset[int], float | None]:
    """Return which frames some viewings let be seen, and until when the sound be heard.

    In seconds of media time, infinity for all of it; None where nothing is heard.
    """
    seen: set[int] = set()
    heard: list[float] = []
    for viewing in viewings:
        start, end = viewing.frames(len(table), cut_frame)
        seen.update(range(start, end))
        if not viewing.is_silent:
            heard.append(table.limited(0, end).duration_s if end < len(table) else math.inf)
    return frozenset(seen), max(heard, default=None)


def _copies(file: ProjectFile, video_id: VideoId) -> list[str]:
    text = file.meta(_COPIES.format(video_id))
    return [str(each) for each in json.loads(text)] if text is not None else []


def _remember(file: ProjectFile, video_id: VideoId, content_hash: str) -> None:
    known = dict.fromkeys((*_copies(file, video_id), content_hash))
    with file.transaction() as connection:
        travel.set_meta(connection, _COPIES.format(video_id), json.dumps(list(known)))
