"""Evidence of visibility along the final point paths.

The candidates were compared with the ends of their gap before one of them was chosen. Here each
chosen path is compared: how the place looks, and whether the image there moves as the path does.
An occluder moves differently.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.points.evidence import PartialPath, least_around, mean_around
from annotator.assist.points.patches import PIXELS, Floats, Floats32, Gray, correlation, sample
from annotator.assist.points.sweep import PATCH, End, GraysAndColors, Pass
from annotator.assist.protocol import Cancel

_CLOSE: Final = 0.5  # how much smaller the middle of a patch is that is compared, too
_APART: Final = 2  # frames between which a place is compared with itself
_TINT: Final = 64.0
_DARKEST: Final = 8.0
_WINDOW: Final = (9, 9)
_LEVELS: Final = 3
_LOST_PX: Final = 9.0

# A pass with the ends that its candidates come from, one for each gap.
Side: TypeAlias = tuple[Pass, Sequence[End | None]]


class Along(NamedTuple):
    """Appearance and motion along a path, NaN where no reference exists.

    ``alike`` and ``close`` [2, t], correlations of the patch and of its middle with those at the
    lower and the upper end; ``tint`` and ``hue`` [2, t], differences of color from either end, and
    those that light does not explain; ``slip`` [2, t], how many working pixels what is seen there
    moves apart from the path until the frame after and before; ``kept`` [2, t], correlation of the
    middle with that two frames before and after.
    """

    alike: Floats
    close: Floats
    tint: Floats
    hue: Floats
    slip: Floats
    kept: Floats


class _Ends:
    """Appearance of the places at the lower or at the upper ends of the gaps."""

    def __init__(self, one: Pass, ends: Sequence[End | None], grays: GraysAndColors) -> None:
        self._pass = one
        self.is_known = np.array([end is not None for end in ends])
        self._close = np.zeros((len(ends), PIXELS), np.float32)
        for row, end in enumerate(ends):
            if end is not None:
                image = grays.gray(end.frame)
                self._close[row] = _middles(image, np.array([end.xy]), np.eye(2)[None])[0]

    def maps(self, rows: NDArray[np.int64], column: int, places: Floats) -> Floats:
        """Return how patches are warped, [m, 2, 2]: as those of the nearest candidate."""
        apart = np.linalg.norm(self._pass.xy[:, rows, column] - places, axis=2)
        nearest = np.where(np.isnan(apart), np.inf, apart).argmin(axis=0)
        nearest = np.where(np.isnan(apart).all(axis=0), PATCH, nearest)
        return np.asarray(self._pass.maps[nearest, rows, column], np.float64)

    def alike(
        self, image: Gray, places: Floats, maps: Floats, rows: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats32]:
        """Return correlations of patches and of their middles, [m], and the middles."""
        middles = _middles(image, places, maps)
        whole = self._pass.templates.likeness(image, places, maps, rows)
        return whole, correlation(middles, self._close[rows]), middles

    def colors(self, tints: Floats, rows: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return how far colors [m, 3] are from those of the ends, and apart from brightness."""
        own = self._pass.tint[rows]
        hues, own_hues = (
            each / (each.mean(axis=1, keepdims=True) + _DARKEST) for each in (tints, own)
        )
        far = np.linalg.norm(tints - own, axis=1) / _TINT
        return np.asarray(far), np.abs(hues - own_hues).sum(axis=1)


def look_along(
    grays: GraysAndColors,
    frames: range,
    xy: Floats,
    sides: Sequence[Side],
    cancel: Cancel,
) -> Along:
    """Look along paths [k, t, 2] of working pixels, NaN outside their gaps; fields are [2, k, t].

    ``sides`` are the pass from the lower ends and the one from the upper ends, with the ends.
    Once canceled, later frames stay NaN.
    """
    shape = (2, *xy.shape[:2])
    along = Along(*(np.full(shape, np.nan) for _ in Along._fields))
    looks = [_Ends(one, ends, grays) for one, ends in sides]
    is_there = ~np.isnan(xy[..., 0])
    middles: deque[Floats32] = deque(maxlen=_APART)
    for column, frame in enumerate(frames):
        if cancel():
            break
        rows = np.flatnonzero(is_there[:, column])
        image, places = grays.gray(frame), xy[rows, column]
        tints = grays.tints(frame, places)
        now = np.full((len(xy), PIXELS), np.nan, np.float32)
        # The lower end last: where both are known, the middle is warped as seen from there.
        for side, look in reversed(list(enumerate(looks))):
            is_known = look.is_known[rows]
            known_rows, at = rows[is_known], places[is_known]
            maps = look.maps(known_rows, column, at)
            alike, close, now[known_rows] = look.alike(image, at, maps, known_rows)
            along.alike[side, known_rows, column], along.close[side, known_rows, column] = (
                alike,
                close,
            )
            tint, hue = look.colors(tints[is_known], known_rows)
            along.tint[side, known_rows, column], along.hue[side, known_rows, column] = tint, hue
        for side, step in enumerate((1, -1)):
            if 0 <= column + step < len(frames):
                on = rows[is_there[rows, column + step]]
                along.slip[side, on, column] = _slip(
                    image, grays.gray(frame + step), xy[on, column], xy[on, column + step]
                )
        if len(middles) == _APART:
            same = correlation(now, middles[0])
            along.kept[0, :, column], along.kept[1, :, column - _APART] = same, same
        middles.append(now)
    return along


def features_along(along: Along, look: PartialPath, around: Floats) -> Floats:
    """Return visibility features of the chosen path, [t, 29].

    ``look`` is the first one, ``around`` [2, t] the log odds that the mates are seen, far and near.
    """
    alike, close, likeness_kept = (
        np.clip(np.nan_to_num(values), -0.2, 1.0)
        for values in (along.alike, along.close, along.kept)
    )
    tint, hue = (np.minimum(np.nan_to_num(values), 2.0) for values in (along.tint, along.hue))
    slip = np.log1p(np.minimum(np.nan_to_num(along.slip), 20.0))
    least_tint, best_close = tint.min(axis=0), close.max(axis=0)
    least_slip, best_kept = slip.min(axis=0), likeness_kept.max(axis=0)
    columns = [
        alike.max(axis=0),
        best_close,
        alike.min(axis=0),
        close.min(axis=0),
        least_tint,
        hue.min(axis=0),
        tint.max(axis=0),
        hue.max(axis=0),
        least_slip,
        slip.max(axis=0),
        best_kept,
        likeness_kept.min(axis=0),
        *(
            mean_around(values, 2)
            for values in (best_close, least_tint, hue.min(axis=0), least_slip)
        ),
        mean_around(best_kept, 2),
        *(mean_around(values, 6) for values in (best_close, least_tint, least_slip, best_kept)),
        least_around(best_close, 2),
        -least_around(-least_tint, 2),
        mean_around(look.seen, 3) / 4,
        mean_around(look.seen, 8) / 4,
        look.seen / 4,
        look.score,
        *around / 4,
    ]
    return np.stack(columns, axis=1)


def _middles(image: Gray, places: Floats, maps: Floats) -> Floats32:
    return sample(image, places, maps * _CLOSE)


def _slip(image: Gray, other: Gray, places: Floats, path: Floats) -> Floats:
    """Return the distance between image motion and path motion at places, [m], in pixels."""
    if not len(places):
        return np.zeros(0)
    start = np.ascontiguousarray(places[:, None], np.float32)
    moved, is_found, _ = cv2.calcOpticalFlowPyrLK(
        image, other, start, start.copy(), winSize=_WINDOW, maxLevel=_LEVELS
    )
    apart = np.linalg.norm(np.asarray(moved)[:, 0] - path, axis=1)
    return np.where(np.asarray(is_found)[:, 0] == 1, apart, _LOST_PX)
