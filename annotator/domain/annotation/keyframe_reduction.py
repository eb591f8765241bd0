"""Keyframe reduction: the fewest keyframes whose interpolation keeps to a dense path of boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Tolerance(NamedTuple):
    """How far interpolation may be from a path: pixels on every edge, or IoU if that is looser."""

    max_offset_px: float = 2.0
    min_iou: float = 0.95


TOLERANCE: Final = Tolerance()

_NOTHING_PX: Final = 1e-6
_WINDOW: Final = 9
"""Frames over which the jitter of a tracker is averaged."""


def smooth_path(
    boxes: NDArray[np.float64], is_fixed: NDArray[np.bool_], tolerance: Tolerance = TOLERANCE
) -> NDArray[np.float64]:
    """Return a path without the jitter of a tracker, float64 [n, 4] in pixels.

    Every box is replaced by a weighted mean of its neighbors, except where ``is_fixed`` (bool [n])
    or where that would leave half of the tolerance.
    """
    n = len(boxes)
    reach = min(_WINDOW // 2, (n - 1) // 2)
    if reach < 1:
        return boxes.copy()
    weights = np.hanning(2 * reach + 3)[1:-1]
    weights /= weights.sum()
    # The path is mirrored at its ends, so that a straight motion stays straight.
    before = 2 * boxes[0] - boxes[reach:0:-1]
    after = 2 * boxes[-1] - boxes[-2 : -reach - 2 : -1]
    padded = np.vstack([before, boxes, after])
    smooth = np.column_stack([np.convolve(column, weights, mode="valid") for column in padded.T])
    half = Tolerance(tolerance.max_offset_px / 2, (1 + tolerance.min_iou) / 2)
    is_kept = is_fixed | ~_is_within(smooth, boxes, half)
    # Values without jitter stay unchanged.
    is_kept |= np.abs(smooth - boxes).max(axis=1) < _NOTHING_PX
    smooth[is_kept] = boxes[is_kept]
    return smooth


def reduce_path(
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    tolerance: Tolerance = TOLERANCE,
    *,
    smooth: NDArray[np.float64] | None = None,
) -> list[int]:
    """Return the indices of the boxes to keep as keyframes, including first and last.

    ``frames`` is int64 [n], ascending; ``boxes`` float64 [n, 4] in pixels. Linear interpolation
    between the kept boxes (their ``smooth`` values, if given) stays within the tolerance of
    ``boxes`` on every frame. From each kept box the farthest reachable next one is taken.
    """
    n = len(frames)
    if n <= 2:
        return list(range(n))
    path = boxes if smooth is None else smooth
    bends = _bends(frames, path, boxes, tolerance)
    kept_frames = [0]
    while kept_frames[-1] < n - 1:
        start = kept_frames[-1]
        if start >= n - 2 or bends[start]:
            kept_frames.append(start + 1)
        else:
            kept_frames.append(_farthest(frames, path, boxes, start, tolerance))
    return kept_frames


def largest_deviation(
    frames: NDArray[np.int64], boxes: NDArray[np.float64], kept: NDArray[np.int64]
) -> float:
    """Return how far interpolation between the kept boxes is from the path, in pixels."""
    line = np.column_stack([np.interp(frames, frames[kept], column[kept]) for column in boxes.T])
    return float(np.abs(line - boxes).max(initial=0.0))


def _is_within(
    line: NDArray[np.float64], boxes: NDArray[np.float64], tolerance: Tolerance
) -> NDArray[np.bool_]:
    """Return for matching rows of two [n, 4] arrays whether they agree within the tolerance."""
    is_near = np.abs(line - boxes).max(axis=1, initial=0.0) <= tolerance.max_offset_px
    within: NDArray[np.bool_] = is_near | (_ious(line, boxes) >= tolerance.min_iou)
    return within


def _bends(
    frames: NDArray[np.int64],
    path: NDArray[np.float64],
    boxes: NDArray[np.float64],
    tolerance: Tolerance,
) -> NDArray[np.bool_]:
    """Return for each box but the last two whether the next one is off the line to the second.

    All at once: where a path has jitter nearly every box has to stay.
    """
    t = ((frames[1:-1] - frames[:-2]) / (frames[2:] - frames[:-2]))[:, None]
    line = path[:-2] + (path[2:] - path[:-2]) * t
    return ~_is_within(line, boxes[1:-1], tolerance)


def _farthest(
    frames: NDArray[np.int64],
    path: NDArray[np.float64],
    boxes: NDArray[np.float64],
    start: int,
    tolerance: Tolerance,
) -> int:
    """Return the end of the longest stretch from ``start`` found by doubling, then bisecting."""
    last = len(frames) - 1
    good, stride = start + 1, 2
    bad = last + 1
    while start + stride <= last:
        if not _is_straight(frames, path, boxes, start, start + stride, tolerance):
            bad = start + stride
            break
        good = start + stride
        stride *= 2
    while bad - good > 1:
        middle = (good + bad) // 2
        if _is_straight(frames, path, boxes, start, middle, tolerance):
            good = middle
        else:
            bad = middle
    return good


def _is_straight(
    frames: NDArray[np.int64],
    path: NDArray[np.float64],
    boxes: NDArray[np.float64],
    start: int,
    end: int,
    tolerance: Tolerance,
) -> bool:
    inner = slice(start + 1, end)
    span = frames[end] - frames[start]
    t = ((frames[inner] - frames[start]) / span)[:, None]
    line = path[start] + (path[end] - path[start]) * t
    return bool(_is_within(line, boxes[inner], tolerance).all())


def _ious(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the IoU of matching rows of two [n, 4] arrays."""
    size = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
    common = np.clip(size, 0, None).prod(axis=1)
    union = (a[:, 2:] - a[:, :2]).prod(axis=1) + (b[:, 2:] - b[:, :2]).prod(axis=1) - common
    ratio: NDArray[np.float64] = np.divide(common, union, out=np.ones_like(common), where=union > 0)
    return ratio
