"""One-way passes over the frames: every candidate of every point follows the motion of the image.

Candidates, in this order: *patch* aligns an affinely warped patch with the person's; *dense* chains
dense flow; *whole* follows the camera; *near* follows the neighborhood. The last two carry on
where the point cannot be seen and take hold again where it looks as it did. In another shot all
stay where they are until the point's own shot goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.one_way import dense_flow
from annotator.assist.points.patches import PIXELS, Floats, Floats32, Gray, Templates, sample
from annotator.assist.points.redetection import Finder
from annotator.assist.protocol import Cancel
from annotator.assist.shots import Shots

_FINE_PX: Final = 13
_COARSE_PX: Final = 30
_AROUND_PX: Final = 44
_WINDOW: Final = (13, 13)
_LEVELS: Final = 3
_STOP: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 0.03)
_WORST_RETURN_PX: Final = 1.0
_FLOW_PX: Final = 96  # how far around the points dense flow is computed
_FLOW_STEP_PX: Final = 32
_NEIGHBORS: Final = 40
_NEAR_PX: Final = 26.0
_VOTE_PX: Final = 1.2


class Motion:
    """How pixels move from one gray picture to the next.

    `places` [m, 2] are where points are, `chained` [m, 2] where dense flow has carried them.
    """

    def __init__(
        self,
        before: Gray,
        after: Gray,
        places: Floats,
        chained: Floats,
        flow: cv2.DISOpticalFlow,
    ) -> None:
        self._size = before.shape[1], before.shape[0]
        seeds = np.concatenate([_grid(self._size, places), places]).astype(np.float32)
        moved, is_sound = _there_and_back(before, after, seeds)
        self.of_places = moved[-len(places) :]
        self.is_sound = is_sound[-len(places) :]
        grid = slice(0, len(seeds) - len(places))
        self._from = seeds[grid][is_sound[grid]].astype(np.float64)
        self._shift = moved[grid][is_sound[grid]] - self._from
        self._corner, region = _region(self._size, np.concatenate([places, chained]))
        self._flow = dense_flow(flow, before[region], after[region])
        self._whole = self._homography()

    def flow(self, xy: Floats) -> Floats:
        """Return where dense flow carries places."""
        at = np.clip(xy, 0, np.array(self._size) - 1).astype(np.float32) - self._corner
        moved = cv2.remap(
            self._flow, at[:, :1], at[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(xy + moved.reshape(-1, 2))

    def whole(self, xy: Floats) -> tuple[Floats, Floats]:
        """Return where the camera's motion carries places, and its slope there [m, 2, 2]."""
        h = self._whole
        lifted = np.column_stack([xy, np.ones(len(xy))]) @ h.T
        depth = lifted[:, 2:]
        moved = lifted[:, :2] / depth
        slope = (h[None, :2, :2] - moved[:, :, None] * h[None, 2:, :2]) / depth[..., None]
        return moved, slope

    def near(self, xy: Floats) -> tuple[Floats, Floats]:
        """Return where most neighbors carry places, and the slope of their motion [m, 2, 2]."""
        slopes = np.tile(np.eye(2), (len(xy), 1, 1))
        if len(self._from) < 6:
            return xy.copy(), slopes
        distance = np.linalg.norm(xy[:, None] - self._from, axis=2)
        count = min(_NEIGHBORS, len(self._from))
        which = np.argpartition(distance, count - 1, axis=1)[:, :count]
        distances = np.take_along_axis(distance, which, axis=1)
        weight = np.exp(-0.5 * (distances / _NEAR_PX) ** 2) + 1e-9
        shift = self._shift[which]
        # The largest array of all: single precision is enough for a vote.
        x, y = (shift / _VOTE_PX).astype(np.float32).transpose(2, 0, 1)
        unlike = (x[:, :, None] - x[:, None]) ** 2 + (y[:, :, None] - y[:, None]) ** 2
        support = np.einsum("mij,mj->mi", np.exp(unlike * np.float32(-0.5)), weight)
        chosen = (support * weight**0.3).argmax(axis=1)
        middle = shift[np.arange(len(xy)), chosen]
        agree = weight * np.exp(-((shift - middle[:, None]) ** 2).sum(axis=2) / 8.0)
        return self._fit(xy, which, shift, agree)

    def _fit(
        self, xy: Floats, which: NDArray[np.int64], shift: Floats, weight: Floats
    ) -> tuple[Floats, Floats]:
        """Weighted affine fit of the neighbors' motion, held towards a plain shift."""
        side = (self._from[which] - xy[:, None]) / _NEAR_PX
        x = np.concatenate([side, np.ones((*side.shape[:2], 1))], axis=2)
        total = weight.sum(axis=1)
        left = np.einsum("mk,mki,mkj->mij", weight, x, x)
        left += total[:, None, None] * np.diag([0.05, 0.05, 1e-6])
        left += np.eye(3) * 1e-9
        right = np.einsum("mk,mki,mkj->mij", weight, x, shift)
        solved = np.linalg.solve(left, right)
        slopes = np.eye(2) + solved[:, :2].transpose(0, 2, 1) / _NEAR_PX
        return xy + solved[:, 2], slopes

    def _homography(self) -> Floats:
        if len(self._from) < 12:
            return np.eye(3)
        # Evenly over the picture, so that the fine grid on the object does not outvote the rest.
        cells = np.floor(self._from / _COARSE_PX).astype(np.int64)
        _, first = np.unique(cells[:, 0] * 4096 + cells[:, 1], return_index=True)
        start, end = self._from[first], (self._from + self._shift)[first]
        if len(start) < 8:
            return np.eye(3)
        found, _ = cv2.findHomography(start, end, cv2.RANSAC, 1.5, maxIters=300)
        return np.eye(3) if found is None else np.asarray(found, np.float64)


def _grid(size: tuple[int, int], places: Floats) -> Floats:
    """Seeds: close together around the places, wide apart elsewhere."""
    low = np.maximum(places.min(axis=0) - _AROUND_PX, 4)
    high = np.minimum(places.max(axis=0) + _AROUND_PX, np.array(size) - 4)
    fine = _lattice(low, high, _FINE_PX)
    coarse = _lattice(np.full(2, 6.0), np.array(size) - 6.0, _COARSE_PX)
    near = np.linalg.norm(fine[:, None] - places, axis=2).min(axis=1, initial=np.inf)
    return np.concatenate([fine[near < _AROUND_PX], coarse])


def _region(
    size: tuple[int, int], places: Floats
) -> tuple[NDArray[np.float32], tuple[slice, slice]]:
    """The part of the picture around places: its corner, and its rows and columns."""
    low = np.maximum(places.min(axis=0) - _FLOW_PX, 0) // _FLOW_STEP_PX * _FLOW_STEP_PX
    low = np.minimum(low, np.maximum(np.array(size) - 2 * _FLOW_STEP_PX, 0))
    high = np.ceil((places.max(axis=0) + _FLOW_PX) / _FLOW_STEP_PX) * _FLOW_STEP_PX
    high = np.maximum(high, low + 2 * _FLOW_STEP_PX)
    (x, y), (right, below) = low.astype(int).tolist(), high.astype(int).tolist()
    return low.astype(np.float32), (slice(y, below), slice(x, right))


def _lattice(low: Floats, high: Floats, step: int) -> Floats:
    xs, ys = (np.arange(a, b, step) for a, b in zip(low, high, strict=True))
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)


def _there_and_back(
    before: Gray, after: Gray, seeds: NDArray[np.float32]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Follow seeds there and back; return where they went and which came home."""
    there, ok = _lucas_kanade(before, after, seeds)
    back, ok_back = _lucas_kanade(after, before, there)
    missed = np.abs(back - seeds).max(axis=1)
    inside = ((there > -2) & (there < [before.shape[1] + 2, before.shape[0] + 2])).all(axis=1)
    return there.astype(np.float64), ok & ok_back & inside & (missed < _WORST_RETURN_PX)


def _lucas_kanade(
    one: Gray, two: Gray, seeds: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    start = np.ascontiguousarray(seeds[:, None])
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one, two, start, start.copy(), winSize=_WINDOW, maxLevel=_LEVELS, criteria=_STOP
    )
    return np.asarray(there, np.float32)[:, 0], np.asarray(found)[:, 0] == 1


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


class GraysAndColors(Protocol):
    """Gray pictures by frame, and mean colors [m, 3] around places."""

    def gray(self, frame: int, /) -> Gray: ...

    def tints(self, frame: int, places: Floats, /) -> Floats: ...
    def can_hold(self, n_frames: int, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class End:
    """Where a gap's path is known: on a frame, in array coordinates."""

    frame: int
    xy: tuple[float, float]


@dataclass(slots=True)
class Pass:
    """Candidates of one direction: rows are gaps, columns frames from `first` on.

    ``xy`` float32 [4, k, t, 2] (NaN where not followed), ``maps`` float32 [4, k, t, 2, 2],
    ``home`` [k, 2] where the gaps start, ``is_other_shot`` [k, t].
    """

    first: int
    templates: Templates
    xy: NDArray[np.float32]
    maps: NDArray[np.float32]
    home: Floats
    starts: NDArray[np.int64]
    wide: Floats32
    tint: Floats
    is_other_shot: NDArray[np.bool_]


class _ShotNumbers:
    """Numbers the shots along a pass; one that goes on after others keeps its number."""

    def __init__(self, shots: Shots) -> None:
        self._shots = shots
        self._numbers: dict[int, int] = {}  # by their last frame
        self.now = 0

    def enter(self, before: int, frame: int, *, is_away: bool) -> int:
        """Enter the frame after `before`; return the last frame before it in its own shot.

        ``is_away``: no point is expected in the present shot.
        """
        is_new, end = self._shots.changes_shot(before, frame), None
        if is_new:
            self._numbers[before] = self.now
            end = self._shots.resumed(self._numbers, frame)
        elif is_away:
            end = self._shots.resumed_unnoticed(self._numbers, frame)
        if end is not None:
            self._numbers[before], self.now = self.now, self._numbers[end]
            return end
        if is_new:
            self.now = max(self._numbers.values()) + 1
        return before


def open_pass(grays: GraysAndColors, ends: Sequence[End | None], frames: range) -> Pass:
    """Return an empty pass with the templates of the gaps that start there; others stay dark."""
    patches = np.zeros((len(ends), PIXELS))
    wide = np.zeros((len(ends), PIXELS), np.float32)
    tint = np.zeros((len(ends), 3))
    for row, end in enumerate(ends):
        if end is not None:
            image, at = grays.gray(end.frame), np.array([end.xy])
            patches[row] = sample(image, at, np.eye(2)[None])[0]
            wide[row] = sample(image, at, np.eye(2)[None] * WIDE)[0]
            tint[row] = grays.tints(end.frame, at)[0]
    shape = (CANDIDATES, len(ends), len(frames))
    xy = np.full((*shape, 2), np.nan, np.float32)
    maps = np.tile(np.eye(2, dtype=np.float32), (*shape, 1, 1))
    home = np.array([end.xy if end else (np.nan, np.nan) for end in ends])
    starts = np.array([end.frame if end else -1 for end in ends])
    other = np.zeros(shape[1:], bool)
    return Pass(frames.start, Templates(patches), xy, maps, home, starts, wide, tint, other)


def run_pass(
    sweep: Pass,
    grays: GraysAndColors,
    ends: Sequence[End | None],
    until: Sequence[int],
    frames: Sequence[int],
    finder: Finder,
    shots: Shots,
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
    # A pass without gaps finds the camera's motion for the one in the other direction.
    is_helper = not has_end.any() and grays.can_hold(len(frames))
    numbers = _ShotNumbers(shots)
    shot_of = np.zeros(len(ends), np.int64)
    for frame in frames:
        if cancel():
            return
        column, before = frame - sweep.first, frame - onward
        last = before
        is_open = has_end & ((before - starts) * onward >= 0) & ((stops - frame) * onward >= 0)
        if is_open.any() or (is_helper and frame != frames[0]):
            shots.read_ahead(before, frame, grays.gray)
            is_here = is_open & (shot_of == numbers.now)
            last = numbers.enter(before, frame, is_away=bool(is_open.any() and not is_here.any()))
        for row in np.flatnonzero(has_end & (starts == frame)).tolist():
            end = ends[row]
            sweep.xy[:, row, column] = end.xy if end else np.nan
            shot_of[row] = numbers.now
        _stay(sweep, np.flatnonzero(is_open & (shot_of != numbers.now)), column - onward, column)
        rows = np.flatnonzero(is_open & (shot_of == numbers.now))
        if len(rows):
            _step(sweep, rows, last - sweep.first, column, grays, (last, frame), flow, finder)
        yield frame


def _stay(sweep: Pass, rows: NDArray[np.int64], old: int, new: int) -> None:
    """Leave all candidates of some gaps where they are: another shot is shown."""
    if len(rows):
        sweep.xy[:, rows, new] = sweep.xy[:, rows, old]
        sweep.maps[:, rows, new] = sweep.maps[:, rows, old]
        sweep.is_other_shot[rows, new] = True


def _step(
    sweep: Pass,
    rows: NDArray[np.int64],
    old: int,
    new: int,
    grays: GraysAndColors,
    frames: tuple[int, int],
    flow: cv2.DISOpticalFlow,
    finder: Finder,
) -> None:
    before, after = grays.gray(frames[0]), grays.gray(frames[1])
    xy = sweep.xy[:, rows, old].astype(np.float64)
    maps = sweep.maps[:, rows, old].astype(np.float64)
    motion = Motion(before, after, xy[PATCH], xy[DENSE], flow)
    n = len(rows)
    near, slopes = motion.near(np.concatenate([xy[PATCH], xy[NEAR]]))
    common_shift, whole_slopes = motion.whole(xy[WHOLE])
    guess = np.where(motion.is_sound[:, None], motion.of_places, near[:n])
    xy = np.stack([guess, motion.flow(xy[DENSE]), common_shift, near[n:]])
    maps[PATCH] = slopes[:n] @ maps[PATCH]
    maps[WHOLE] = whole_slopes @ maps[WHOLE]
    maps[NEAR] = slopes[n:] @ maps[NEAR]
    alike = _hold(sweep.templates, after, xy, maps, rows)
    _join_mates(sweep, rows, xy, maps, alike, after)
    if frames[1] % _FIND_EVERY == 0:
        _find_again(sweep, rows, xy, maps, after, frames[1], finder)
    maps[DENSE] = maps[PATCH]
    limit = np.array([after.shape[1], after.shape[0]], np.float64)
    sweep.xy[:, rows, new] = np.clip(xy, -limit, 2 * limit)
    sweep.maps[:, rows, new] = maps


def _hold(
    templates: Templates, image: Gray, xy: Floats, maps: Floats, rows: NDArray[np.int64]
) -> Floats:
    """Align patch, whole and near with the person's template where that is believable.

    Return how alike the patch candidates are, [m].
    """
    which = [PATCH, WHOLE, NEAR]
    n = len(rows)
    all_rows = np.tile(rows, len(which))
    start_xy, start_maps = xy[which].reshape(-1, 2), maps[which].reshape(-1, 2, 2)
    aligned, warped, alike = templates.align(image, start_xy, start_maps, all_rows)
    lost = np.flatnonzero(alike < _LOST)
    if len(lost):
        tried = templates.search(
            image, start_xy[lost], start_maps[lost], all_rows[lost], reach=_SEARCH_PX
        )
        realigned = templates.align(image, tried, start_maps[lost], all_rows[lost])
        better = realigned[2] > np.maximum(alike[lost], _TAKES_HOLD)
        picked = lost[better]
        aligned[picked], warped[picked] = realigned[0][better], realigned[1][better]
        alike[picked] = realigned[2][better]
    needed = np.repeat([_HOLDS, _TAKES_HOLD, _TAKES_HOLD], n)
    accepted = (alike >= needed).reshape(len(which), n)
    aligned, warped = aligned.reshape(-1, n, 2), warped.reshape(-1, n, 2, 2)
    for place, candidate in enumerate(which):
        ok = accepted[place]
        xy[candidate, ok], maps[candidate, ok] = aligned[place, ok], warped[place, ok]
    unsafe = np.abs(maps).max(axis=(2, 3)) > 4.0
    maps[unsafe] = np.eye(2)
    return alike[:n]


def _join_mates(
    sweep: Pass,
    rows: NDArray[np.int64],
    xy: Floats,
    maps: Floats,
    alike: Floats,
    image: Gray,
) -> None:
    """Bring points that are lost to where the other points of the object say they are."""
    sound = alike >= _HOLDS
    lost = np.flatnonzero(alike < _LOST)
    if sound.sum() < _MATES or not len(lost):
        return
    home = sweep.home[rows]
    moved = cv2.estimateAffinePartial2D(
        home[sound], xy[PATCH][sound], method=cv2.RANSAC, ransacReprojThreshold=_MATES_PX
    )
    if moved[0] is None or moved[1].sum() < max(_MATES, 0.6 * sound.sum()):
        return
    kept_rows = np.flatnonzero(sound)[moved[1][:, 0] > 0]
    places, slope = _affine_prediction(home[kept_rows], xy[PATCH][kept_rows], home[lost])
    warps = np.tile(slope, (len(lost), 1, 1))
    xy[NEAR, lost], maps[NEAR, lost] = places, warps
    templates = sweep.templates
    tried = templates.search(image, places, warps, rows[lost], reach=6)
    aligned, warped, good = templates.align(image, tried, warps, rows[lost])
    holds = good >= _HOLDS
    joined_rows = lost[holds]
    for candidate in (PATCH, NEAR, DENSE):
        xy[candidate, joined_rows], maps[candidate, joined_rows] = aligned[holds], warped[holds]


def _find_again(
    sweep: Pass,
    rows: NDArray[np.int64],
    xy: Floats,
    maps: Floats,
    image: Gray,
    frame: int,
    finder: Finder,
) -> None:
    """Bring points that are lost to where the features around them are found again."""
    templates = sweep.templates
    alike = templates.likeness(image, xy[PATCH], maps[PATCH], rows)
    lost = np.flatnonzero(alike < _LOST)
    for start in np.unique(sweep.starts[rows[lost]]).tolist():
        mine = lost[sweep.starts[rows[lost]] == start]
        places, slopes = finder.find(start, sweep.home[rows[mine]], frame)
        has_place = ~np.isnan(places[:, 0])
        mine, places, slopes = mine[has_place], places[has_place], slopes[has_place]
        if not len(mine):
            continue
        tried = templates.search(image, places, slopes, rows[mine], reach=3)
        aligned, warped, good = templates.align(image, tried, slopes, rows[mine])
        holds = (good >= _HOLDS) & (np.linalg.norm(aligned - places, axis=1) < 6.0)
        found_rows = mine[holds]
        for candidate in (PATCH, NEAR, DENSE):
            xy[candidate, found_rows], maps[candidate, found_rows] = aligned[holds], warped[holds]


def _affine_prediction(home: Floats, now: Floats, asked: Floats) -> tuple[Floats, Floats]:
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
