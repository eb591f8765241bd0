"""One-way tracker: dense optical flow (DIS) around the box carries the box."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from annotator.assist.boxes.arrays import Box4, Floats, around, centre, half_size
from annotator.assist.pictures import Image, View

_LEAST_SIDE_PX: Final = 48


class Flow:
    """Follows a box by the motion of all its pixels: good for soft objects and short gaps."""

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Take hold of the object; `box` is in the view's pixels."""
        self._view = view
        self._frame = frame
        self._box = box
        self._dis = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighbouring frame; return the box and how well one motion fits."""
        before, after = self._view.grey(self._frame), self._view.grey(frame)
        self._frame = frame
        box = self._box
        middle, half = centre(box), np.maximum(half_size(box), 2.0)
        reach = half * 1.0 + 24
        height, width = before.shape[:2]
        x1, y1 = (int(v) for v in np.maximum(middle - half - reach, 0))
        x2 = min(int(middle[0] + half[0] + reach[0]), width)
        y2 = min(int(middle[1] + half[1] + reach[1]), height)
        if x2 - x1 < 24 or y2 - y1 < 24:
            return box, 0.0
        one = np.ascontiguousarray(before[y1:y2, x1:x2])
        two = np.ascontiguousarray(after[y1:y2, x1:x2])
        flow = dense_flow(self._dis, one, two)
        ys, xs = np.mgrid[y1:y2:2, x1:x2:2]
        unit = np.stack([(xs + 0.5 - middle[0]) / half[0], (ys + 0.5 - middle[1]) / half[1]], -1)
        inside = (unit**2).sum(-1) < 0.9
        if inside.sum() < 8:
            return box, 0.0
        moved, grown, share = _motion(unit[inside], flow[::2, ::2][inside].astype(np.float64))
        half_after = np.clip(half + grown, half * 0.9, half * 1.1)
        self._box = around(middle + moved, half_after)
        return self._box, share

    def adjust(self, box: Box4) -> None:
        """Go on from there: flow knows motion only and would drift alone."""
        self._box = box


def dense_flow(dis: cv2.DISOpticalFlow, one: Image, two: Image) -> NDArray[np.float32]:
    """Return the flow between two grey images of equal size, float32 [height, width, 2] in pixels.

    OpenCV reads outside its buffers where a side is shorter than its patches at the coarsest
    scale (32 pixels) and ends the process, so small images get a border.
    """
    height, width = one.shape
    below, right = max(0, _LEAST_SIDE_PX - height), max(0, _LEAST_SIDE_PX - width)
    if below or right:
        one, two = (
            np.asarray(cv2.copyMakeBorder(each, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
            for each in (one, two)
        )
    flow = dis.calc(one, two, np.zeros((*one.shape, 2), np.float32))
    return np.asarray(flow, np.float32)[:height, :width]


def _motion(unit: Floats, flow: Floats) -> tuple[Floats, Floats, float]:
    """Fit shift and growth along x and y: flow = shift + growth * unit, by reweighting."""
    shift, growth = np.median(flow, axis=0), np.zeros(2)
    weight = np.ones(len(flow))
    for _ in range(4):
        gap = flow - shift - growth * unit
        weight = 1.0 / (1.0 + (gap**2).sum(axis=1) / 0.7)
        total = weight.sum() + 1e-9
        mean_u, mean_f = (weight @ unit) / total, (weight @ flow) / total
        spread = weight @ (unit - mean_u) ** 2 + 0.05 * len(flow)
        growth = (weight @ ((unit - mean_u) * (flow - mean_f))) / spread
        shift = mean_f - growth * mean_u
    return shift, growth, float(weight.mean())
