"""Point tracks to and from records, exact to the bit for unedited values.

A record holds the frames on which the point is visible. Frames left out between the first and the
last are occluded; before and after, nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.point_track import (
    IMPORTED_CODE,
    NO_MARK,
    OCCLUDED_BIT,
    OUTSIDE_BIT,
    SOURCE_BITS,
    PointInfo,
    PointPath,
    PointRun,
    PointTrack,
)
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.exchange.fractions import DECIMALS, Size, kept_steps, to_fractions, to_pixels
from annotator.exchange.perception_test.records import EXTRA_KEY, NO_OBJECT, PointRecord


@dataclass(frozen=True, slots=True)
class Visible:
    """The marks that an export holds: ``frames`` ascending, places as fractions.

    ``n_outside`` counts marks that were placed here and lie beyond the picture; they are left out.
    """

    frames: list[int]
    xs: list[int | float]
    ys: list[int | float]
    n_outside: int = 0


def point_of(item: PointRecord, info: PointInfo, video: VideoInfo) -> PointTrack:
    """Return the point of a record; its frames must be in the video."""
    frames = np.asarray(item.frames, dtype=np.int64)
    start, end = int(frames[0]), int(frames[-1]) + 1
    xy = np.full((end - start, 2), np.nan)
    flags = np.full(end - start, IMPORTED_CODE | OCCLUDED_BIT, dtype=np.uint8)
    values = _values_of(item)
    xy[frames - start] = to_pixels(values, _size(video))
    flags[frames - start] = IMPORTED_CODE
    return PointTrack(info, PointPath().with_run(PointRun(start, xy, flags)))


def stored_marks(item: PointRecord, video: VideoInfo, shift: int) -> dict[str, Json]:
    """Return the stored form of a record, empty where the marks contain everything.

    ``shift`` moves the ids of objects behind those of earlier imports.
    """
    frames = np.asarray(item.frames, dtype=np.int64)
    values = _values_of(item)
    raw_values: dict[str, Json] = {}
    if steps := kept_steps(values, _size(video), frames):
        raw_values["steps"] = steps
    for axis, column in (("x", item.xs), ("y", item.ys)):
        if set(map(type, column)) == {float}:
            continue
        whole_frames = [f for f, v in zip(item.frames, column, strict=True) if isinstance(v, int)]
        if whole_frames:
            raw_values[f"whole_{axis}"] = list[Json](whole_frames)
    if isinstance(item.parents, int):
        raw_values["parent"] = _moved(item.parents, shift)
    elif item.parents is not None and (len(item.parents) != 1 or NO_OBJECT in item.parents):
        raw_values["parents"] = [_moved(number, shift) for number in item.parents]
    if item.unknown:
        raw_values["unknown"] = item.unknown
    return {EXTRA_KEY: raw_values} if raw_values else {}


def owner_of(item: PointRecord, ids: Mapping[int, TrackId]) -> TrackId | None:
    """Return the object a point lies on: the first that it names."""
    parents = (item.parents,) if isinstance(item.parents, int) else item.parents or ()
    return next((ids[number] for number in parents if number in ids), None)


def visible_of(point: PointTrack, kept: Mapping[str, Json], video: VideoInfo) -> Visible:
    """Return the visible marks of a point as they are written."""
    path = point.path
    frames = path.frames()
    if not len(frames):
        return Visible([], [], [])
    run = path.run(int(frames[0]), int(frames[-1]) + 1)
    hidden = (run.flags & (OCCLUDED_BIT | OUTSIDE_BIT)) != 0
    rows = np.flatnonzero((run.flags != NO_MARK) & ~hidden & ~np.isnan(run.xy).any(axis=1))
    frames, xy = rows + run.start, run.xy[rows]
    imported = (run.flags[rows] & SOURCE_BITS) == IMPORTED_CODE
    inside = ((xy >= 0) & (xy <= np.asarray(_size(video)))).all(axis=1)
    told = imported | inside
    frames, xy, imported = frames[told], xy[told], imported[told]
    xs, ys = _values(frames, xy, imported, kept, _size(video))
    return Visible(frames.tolist(), xs, ys, int((~told).sum()))


def _values(
    frames: NDArray[np.int64],
    xy: NDArray[np.float64],
    imported: NDArray[np.bool_],
    raw_values: Mapping[str, Json],
    size: Size,
) -> tuple[list[int | float], list[int | float]]:
    """Return the fractions across and down: as they were imported, or those of our own marks."""
    steps = raw_values.get("steps")
    exact = to_fractions(xy, size, frames, steps if isinstance(steps, dict) else {})
    own = xy / np.asarray(size, dtype=np.float64)
    columns: list[list[int | float]] = [exact[:, 0].tolist(), exact[:, 1].tolist()]
    for axis, column in enumerate(columns):
        whole_numbers = frozenset(_wholes(raw_values.get(f"whole_{'xy'[axis]}")))
        for row in np.flatnonzero(np.isin(frames, list(whole_numbers)) & imported).tolist():
            column[row] = int(column[row])
        for row in np.flatnonzero(~imported).tolist():
            column[row] = round(float(own[row, axis]), DECIMALS)
    return columns[0], columns[1]


def _wholes(value: Json | None) -> list[int]:
    return [v for v in value if isinstance(v, int)] if isinstance(value, list) else []


def _values_of(item: PointRecord) -> NDArray[np.float64]:
    return np.array([item.xs, item.ys], np.float64).T


def _size(video: VideoInfo) -> Size:
    return video.width, video.height


def _moved(number: int, shift: int) -> int:
    return number if number == NO_OBJECT else number + shift
