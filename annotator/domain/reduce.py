"""Keyframe reduction: the fewest keyframes whose interpolation keeps to a dense path of boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_OFFSET_PX = 1.0
MIN_IOU = 0.98


def reduce_path(
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    *,
    max_offset_px: float = MAX_OFFSET_PX,
    min_iou: float = MIN_IOU,
) -> list[int]:
    """Return the indices of the boxes to keep as keyframes, first and last among them.

    ``frames`` is int64 [n], ascending; ``boxes`` float64 [n, 4] in pixels. Linear interpolation
    between the kept boxes stays within ``max_offset_px`` on every edge and reaches ``min_iou`` on
    every frame. From each kept box the farthest reachable next one is taken.
    """
    n = len(frames)
    if n <= 2:
        return list(range(n))
    bends = _bends(frames, boxes, max_offset_px, min_iou)
    kept = [0]
    while kept[-1] < n - 1:
        start = kept[-1]
        if start >= n - 2 or bends[start]:
            kept.append(start + 1)
        else:
            kept.append(_farthest(frames, boxes, start, max_offset_px, min_iou))
    return kept


def _bends(
    frames: NDArray[np.int64], boxes: NDArray[np.float64], max_offset_px: float, min_iou: float
) -> NDArray[np.bool_]:
    """Tell for each box but the last two whether the next one lies off the line to the second.

    All at once: where a path trembles nearly every box has to stay.
    """
    t = ((frames[1:-1] - frames[:-2]) / (frames[2:] - frames[:-2]))[:, None]
    line = boxes[:-2] + (boxes[2:] - boxes[:-2]) * t
    is_far = np.abs(line - boxes[1:-1]).max(axis=1) > max_offset_px
    bends: NDArray[np.bool_] = is_far | (_ious(line, boxes[1:-1]) < min_iou)
    return bends


def _farthest(
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    start: int,
    max_offset_px: float,
    min_iou: float,
) -> int:
    """Return the end of the longest stretch from ``start`` found by doubling, then bisecting."""
    last = len(frames) - 1
    good, stride = start + 1, 2
    bad = last + 1
    while start + stride <= last:
        if not _is_straight(frames, boxes, start, start + stride, max_offset_px, min_iou):
            bad = start + stride
            break
        good = start + stride
        stride *= 2
    while bad - good > 1:
        middle = (good + bad) // 2
        if _is_straight(frames, boxes, start, middle, max_offset_px, min_iou):
            good = middle
        else:
            bad = middle
    return good


def _is_straight(
    frames: NDArray[np.int64],
    boxes: NDArray[np.float64],
    start: int,
    end: int,
    max_offset_px: float,
    min_iou: float,
) -> bool:
    inner = slice(start + 1, end)
    span = frames[end] - frames[start]
    t = ((frames[inner] - frames[start]) / span)[:, None]
    line = boxes[start] + (boxes[end] - boxes[start]) * t
    wanted = boxes[inner]
    if np.abs(line - wanted).max(initial=0.0) > max_offset_px:
        return False
    return bool(_ious(line, wanted).min(initial=1.0) >= min_iou)


def _ious(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the IoU of matching rows of two [n, 4] arrays."""
    size = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
    common = np.clip(size, 0, None).prod(axis=1)
    union = (a[:, 2:] - a[:, :2]).prod(axis=1) + (b[:, 2:] - b[:, :2]).prod(axis=1) - common
    ratio: NDArray[np.float64] = np.divide(common, union, out=np.ones_like(common), where=union > 0)
    return ratio
