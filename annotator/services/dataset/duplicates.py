"""Videos in different splits that may show the same: equal files, people and scripts, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.dataset.statistics import check_columns
from annotator.services.dataset.split_optimization import KEY
from annotator.services.dataset.video_scans import GLIMPSES, scans_of
from annotator.services.project.metadata import metadata_of
from annotator.store.catalog import videos

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from annotator.domain.ids import VideoId
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject

    Hashes = NDArray[np.uint64]

COLUMNS: Final = ("participant", "script")
"""Videos with equal values in all of these columns may show the same."""

MOST_BITS: Final = 8.0
"""Pictures that differ in so few of 64 bits, in the mean over five, are alike."""

_MOST_PAIRS: Final = 5000
_FLAT_BITS: Final = 6
_ROWS: Final = 500


class DuplicateReason(StrEnum):
    """Why two videos may show the same, the surest first."""

    FILE = "same file"
    PICTURES = "similar pictures"
    COLUMNS = "same columns"


@dataclass(frozen=True, slots=True)
class Twin:
    """One of two videos that may show the same."""

    id: VideoId
    name: str
    split: str


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two videos that may show the same; ``bits`` is how far their pictures differ, of 64."""

    first: Twin
    second: Twin
    reasons: tuple[DuplicateReason, ...]
    bits: float | None = None


@dataclass(frozen=True, slots=True)
class Pairs:
    """The suspicious pairs, the surest first; ``n_unscanned`` videos have no picture hashes yet.

    ``is_cut``: there are more than are listed.
    """

    found: tuple[DuplicatePair, ...]
    n_unscanned: int
    is_cut: bool = False


def near_duplicates(
    project: OpenProject,
    token: JobToken,
    *,
    columns: Sequence[str] = COLUMNS,
    everywhere: bool = False,
) -> Pairs:
    """Return the videos that may show the same as one in another split.

    ``everywhere``: also as one in the same split. Pictures are compared by the hashes of the last
    scan. UserError for an unknown column, CanceledError when canceled.
    """
    stored = videos.list_videos(project.file)
    facts = [metadata_of(stored_video.info) for stored_video in stored]
    if tuple(columns) != COLUMNS:
        check_columns(columns, facts)
    twins = [
        Twin(stored_video.info.id, stored_video.info.name, metadata.get(KEY, ""))
        for stored_video, metadata in zip(stored, facts, strict=True)
    ]
    reasons: dict[tuple[int, int], list[DuplicateReason]] = {}
    bits: dict[tuple[int, int], float] = {}
    splits = [twin.split for twin in twins]

    def note(pairs: Iterable[tuple[int, int]], reason: DuplicateReason) -> None:
        for pair in pairs:
            if everywhere or splits[pair[0]] != splits[pair[1]]:
                reasons.setdefault(pair, []).append(reason)

    note(_equal([stored_video.content_hash or "" for stored_video in stored]), DuplicateReason.FILE)
    hashes = _hashes(project, [twin.id for twin in twins])
    for pair, distance in _alike(hashes, token):
        bits[pair] = distance
        note([pair], DuplicateReason.PICTURES)
    if all(any(column in metadata for metadata in facts) for column in columns):
        keys = ["\n".join(metadata.get(c, "") for c in columns).strip() for metadata in facts]
        has_all_columns = [all(metadata.get(c) for c in columns) for metadata in facts]
        keys = [
            key if is_whole else "" for key, is_whole in zip(keys, has_all_columns, strict=True)
        ]
        note(_equal(keys), DuplicateReason.COLUMNS)
    order = list(DuplicateReason)
    groups = sorted(
        (
            DuplicatePair(
                twins[i], twins[j], tuple(sorted(metadata, key=order.index)), bits.get((i, j))
            )
            for (i, j), metadata in reasons.items()
        ),
        key=lambda p: (order.index(p.reasons[0]), -len(p.reasons), p.bits or 0.0, p.first.name),
    )
    n_unscanned = int((hashes == 0).all(axis=1).sum())
    return Pairs(tuple(groups[:_MOST_PAIRS]), n_unscanned, len(groups) > _MOST_PAIRS)


def glimpses(path: Path, height: int) -> list[NDArray[np.uint8]]:
    """Return five pictures of a video as RGB [height, width, 3]. MediaError when damaged."""
    from annotator.media import Video

    with Video(path) as video:
        wide, high = video.size
        width = max(1, round(wide * height / high))
        return [
            video.scaled(round(share * (len(video) - 1)), width, height).copy()
            for share in GLIMPSES
        ]


def _equal(keys: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of equal keys; empty ones equal nothing."""
    places: dict[str, list[int]] = {}
    for i, key in enumerate(keys):
        if key:
            places.setdefault(key, []).append(i)
    for found in places.values():
        yield from combinations(found, 2)


def _hashes(project: OpenProject, wanted: Sequence[VideoId]) -> Hashes:
    """Return the picture hashes of videos [n, 5]; 0 where a video was not scanned."""
    found = np.zeros((len(wanted), len(GLIMPSES)), np.uint64)
    scans = scans_of(project)
    for i, video in enumerate(wanted):
        scan = scans.get(video)
        if scan is not None and len(scan.hashes) == len(GLIMPSES):
            found[i] = [int(text, 16) for text in scan.hashes]
    return found


def _alike(hashes: Hashes, token: JobToken) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield the pairs of videos whose pictures are alike, and the mean number of other bits.

    Images without structure (black) cannot be compared; such videos are left out.
    """
    counts = np.bitwise_count(hashes)
    is_flat = (counts < _FLAT_BITS) | (counts > 64 - _FLAT_BITS)
    usable = np.flatnonzero(is_flat.sum(axis=1) <= len(GLIMPSES) // 2)
    chosen = hashes[usable]
    for start in range(0, len(usable), _ROWS):
        token.check()
        token.report(start / len(usable), "")
        rows = chosen[start : start + _ROWS]
        # The middle picture alone leaves few candidates.
        middle = len(GLIMPSES) // 2
        near = np.bitwise_count(rows[:, None, middle] ^ chosen[None, start:, middle])
        at, other = np.nonzero(near <= 3 * MOST_BITS)
        later = other > at
        at, other = at[later], other[later] + start
        distances = np.bitwise_count(rows[at] ^ chosen[other]).mean(axis=1)
        for k in np.flatnonzero(distances <= MOST_BITS).tolist():
            pair = int(usable[start + at[k]]), int(usable[other[k]])
            yield pair, float(distances[k])
