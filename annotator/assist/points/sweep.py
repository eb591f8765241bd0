"""One-way passes over the frames: every candidate of every point follows from its end of the gap.

Candidates, in this order: *patch* aligns an affinely warped patch with the person's; *dense* chains
dense flow; *whole* follows the camera; *near* follows the neighbourhood. The last two carry on
where the point cannot be seen and take hold again where it looks as it did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.points.finding import Finder
from annotator.assist.points.motion import Motion
from annotator.assist.points.patches import PIXELS, Floats, Floats32, Grey, Templates, sample
from annotator.assist.protocol import Cancel

PATCH: Final = 0
DENSE: Final = 1
WHOLE: Final = 2
NEAR: Final = 3
CANDIDATES: Final = 4

_HOLDS: Final = 0.72  # correlation at which a patch counts as the same
_TAKES_HOLD: Final = 0.8  # and at which one that was carried is believed to be found again
_LOST: Final = 0.55
_SEARCH_PX: Final = 9
_MATES: Final = 3  # points of the object needed to tell where another one is
_MATES_PX: Final = 8.0
_FIND_EVERY: Final = 5
WIDE: Final = 2.0  # how much larger the surroundings are that are compared, too


class GreysAndColors(Protocol):
    """Grey pictures by frame, and mean colors [m, 3] around places."""

    def grey(self, frame: int, /) -> Grey: ...

    def tints(self, frame: int, places: Floats, /) -> Floats: ...


@dataclass(frozen=True, slots=True)
class End:
    """Where a gap's path is known: on a frame, in array coordinates."""

    frame: int
    xy: tuple[float, float]


@dataclass(slots=True)
class Pass:
    """Candidates of one direction: rows are gaps, columns frames from `first` on.

    ``xy`` float32 [4, k, t, 2] (NaN where not followed), ``maps`` float32 [4, k, t, 2, 2],
    ``home`` [k, 2] where the gaps start.
    """

    first: int
    templates: Templates
    xy: NDArray[np.float32]
    maps: NDArray[np.float32]
    home: Floats
    starts: NDArray[np.int64]
    wide: Floats32
    tint: Floats


def open_pass(greys: GreysAndColors, ends: Sequence[End | None], frames: range) -> Pass:
    """Return an empty pass with the templates of the gaps that start there; others stay dark."""
    patches = np.zeros((len(ends), PIXELS))
    wide = np.zeros((len(ends), PIXELS), np.float32)
    tint = np.zeros((len(ends), 3))
    for row, end in enumerate(ends):
        if end is not None:
            image, at = greys.grey(end.frame), np.array([end.xy])
            patches[row] = sample(image, at, np.eye(2)[None])[0]
            wide[row] = sample(image, at, np.eye(2)[None] * WIDE)[0]
            tint[row] = greys.tints(end.frame, at)[0]
    shape = (CANDIDATES, len(ends), len(frames))
    xy = np.full((*shape, 2), np.nan, np.float32)
    maps = np.tile(np.eye(2, dtype=np.float32), (*shape, 1, 1))
    home = np.array([end.xy if end else (np.nan, np.nan) for end in ends])
    starts = np.array([end.frame if end else -1 for end in ends])
    return Pass(frames.start, Templates(patches), xy, maps, home, starts, wide, tint)


def run_pass(
    seen: Pass,
    greys: GreysAndColors,
    ends: Sequence[End | None],
    until: Sequence[int],
    frames: Sequence[int],
    finder: Finder,
    *,
    cancel: Cancel,
) -> Iterator[int]:
    """Fill a pass along `frames`; gap i runs from its end to frame `until[i]`. Yield each frame."""
    # Robust fits sample at random, with a generator per thread: same request, same result.
    cv2.setRNGSeed(0)
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    onward = 1 if len(frames) < 2 or frames[1] > frames[0] else -1
    starts = np.array([e.frame if e else -1 for e in ends])
    stops = np.array(until)
    has_end = np.array([e is not None for e in ends])
    for frame in frames:
        if cancel():
            return
        column = frame - seen.first
        for row in np.flatnonzero(has_end & (starts == frame)).tolist():
            end = ends[row]
            seen.xy[:, row, column] = end.xy if end else np.nan
        before = frame - onward
        rows = np.flatnonzero(
            has_end & ((before - starts) * onward >= 0) & ((stops - frame) * onward >= 0)
        )
        if len(rows):
            _step(seen, rows, before - seen.first, column, greys, (before, frame), flow, finder)
        yield frame


def _step(
    seen: Pass,
    rows: NDArray[np.int64],
    old: int,
    new: int,
    greys: GreysAndColors,
    frames: tuple[int, int],
    flow: cv2.DISOpticalFlow,
    finder: Finder,
) -> None:
    before, after = greys.grey(frames[0]), greys.grey(frames[1])
    xy = seen.xy[:, rows, old].astype(np.float64)
    maps = seen.maps[:, rows, old].astype(np.float64)
    motion = Motion(before, after, xy[PATCH], flow)
    n = len(rows)
    near, slopes = motion.near(np.concatenate([xy[PATCH], xy[NEAR]]))
    whole, whole_slopes = motion.whole(xy[WHOLE])
    guess = np.where(motion.is_sound[:, None], motion.of_places, near[:n])
    xy = np.stack([guess, motion.flow(xy[DENSE]), whole, near[n:]])
    maps[PATCH] = slopes[:n] @ maps[PATCH]
    maps[WHOLE] = whole_slopes @ maps[WHOLE]
    maps[NEAR] = slopes[n:] @ maps[NEAR]
    alike = _hold(seen.templates, after, xy, maps, rows)
    _join_mates(seen, rows, xy, maps, alike, after)
    if frames[1] % _FIND_EVERY == 0:
        _find_again(seen, rows, xy, maps, after, frames[1], finder)
    maps[DENSE] = maps[PATCH]
    limit = np.array([after.shape[1], after.shape[0]], np.float64)
    seen.xy[:, rows, new] = np.clip(xy, -limit, 2 * limit)
    seen.maps[:, rows, new] = maps


def _hold(
    templates: Templates, image: Grey, xy: Floats, maps: Floats, rows: NDArray[np.int64]
) -> Floats:
    """Align patch, whole and near with the person's template where that is believable.

    Return how alike the patch candidates are, [m].
    """
    which = [PATCH, WHOLE, NEAR]
    n = len(rows)
    all_rows = np.tile(rows, len(which))
    start_xy, start_maps = xy[which].reshape(-1, 2), maps[which].reshape(-1, 2, 2)
    found, warped, alike = templates.align(image, start_xy, start_maps, all_rows)
    lost = np.flatnonzero(alike < _LOST)
    if len(lost):
        tried = templates.search(
            image, start_xy[lost], start_maps[lost], all_rows[lost], reach=_SEARCH_PX
        )
        again = templates.align(image, tried, start_maps[lost], all_rows[lost])
        better = again[2] > np.maximum(alike[lost], _TAKES_HOLD)
        picked = lost[better]
        found[picked], warped[picked] = again[0][better], again[1][better]
        alike[picked] = again[2][better]
    needed = np.repeat([_HOLDS, _TAKES_HOLD, _TAKES_HOLD], n)
    accepted = (alike >= needed).reshape(len(which), n)
    found, warped = found.reshape(-1, n, 2), warped.reshape(-1, n, 2, 2)
    for place, candidate in enumerate(which):
        ok = accepted[place]
        xy[candidate, ok], maps[candidate, ok] = found[place, ok], warped[place, ok]
    unsafe = np.abs(maps).max(axis=(2, 3)) > 4.0
    maps[unsafe] = np.eye(2)
    return alike[:n]


def _join_mates(
    seen: Pass,
    rows: NDArray[np.int64],
    xy: Floats,
    maps: Floats,
    alike: Floats,
    image: Grey,
) -> None:
    """Bring points that are lost to where the other points of the object say they are."""
    sound = alike >= _HOLDS
    lost = np.flatnonzero(alike < _LOST)
    if sound.sum() < _MATES or not len(lost):
        return
    home = seen.home[rows]
    moved = cv2.estimateAffinePartial2D(
        home[sound], xy[PATCH][sound], method=cv2.RANSAC, ransacReprojThreshold=_MATES_PX
    )
    if moved[0] is None or moved[1].sum() < max(_MATES, 0.6 * sound.sum()):
        return
    kept = np.flatnonzero(sound)[moved[1][:, 0] > 0]
    places, slope = _carried(home[kept], xy[PATCH][kept], home[lost])
    warps = np.tile(slope, (len(lost), 1, 1))
    xy[NEAR, lost], maps[NEAR, lost] = places, warps
    templates = seen.templates
    tried = templates.search(image, places, warps, rows[lost], reach=6)
    found, warped, good = templates.align(image, tried, warps, rows[lost])
    held = good >= _HOLDS
    again = lost[held]
    for candidate in (PATCH, NEAR, DENSE):
        xy[candidate, again], maps[candidate, again] = found[held], warped[held]


def _find_again(
    seen: Pass,
    rows: NDArray[np.int64],
    xy: Floats,
    maps: Floats,
    image: Grey,
    frame: int,
    finder: Finder,
) -> None:
    """Bring points that are lost to where the features around them are found again."""
    templates = seen.templates
    alike = templates.likeness(image, xy[PATCH], maps[PATCH], rows)
    lost = np.flatnonzero(alike < _LOST)
    for start in np.unique(seen.starts[rows[lost]]).tolist():
        mine = lost[seen.starts[rows[lost]] == start]
        places, slopes = finder.find(start, seen.home[rows[mine]], frame)
        known = ~np.isnan(places[:, 0])
        mine, places, slopes = mine[known], places[known], slopes[known]
        if not len(mine):
            continue
        tried = templates.search(image, places, slopes, rows[mine], reach=3)
        found, warped, good = templates.align(image, tried, slopes, rows[mine])
        held = (good >= _HOLDS) & (np.linalg.norm(found - places, axis=1) < 6.0)
        again = mine[held]
        for candidate in (PATCH, NEAR, DENSE):
            xy[candidate, again], maps[candidate, again] = found[held], warped[held]


def _carried(home: Floats, now: Floats, asked: Floats) -> tuple[Floats, Floats]:
    """An affine map held towards a similarity by its few points: where `asked` is, its slope."""
    middle, target = home.mean(axis=0), now.mean(axis=0)
    a, b = home - middle, now - target
    spread = float((a**2).sum()) + 1e-6
    cos = float((a * b).sum()) / spread
    sin = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()) / spread
    similar = np.array([[cos, -sin], [sin, cos]])
    rest = b - a @ similar.T
    ridge = np.eye(2) * spread / max(len(home), 1) * 0.5
    slope = similar + np.linalg.solve(a.T @ a + ridge, a.T @ rest).T
    return target + (asked - middle) @ slope.T, slope
