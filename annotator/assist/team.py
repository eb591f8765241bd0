"""Several one-way trackers side by side: run in step, compared frame by frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from annotator.assist.boxes import Box4, Floats, iou
from annotator.assist.pictures import View
from annotator.assist.protocol import Cancel, Stepper


def follow(
    stepper: Stepper, view: View, frames: Sequence[int], box: Box4, *, cancel: Cancel
) -> tuple[Box4, Floats] | None:
    """Run one tracker over neighbouring frames, the first of which has `box` (picture pixels).

    Return boxes [n, 4] in picture pixels and trust [n] in the order of `frames`; None if cancelled.
    """
    start = view.inward(box)
    stepper.start(view, frames[0], start)
    boxes, trust = [start], [1.0]
    for frame in frames[1:]:
        if cancel():
            return None
        found, sure = stepper.step(frame)
        boxes.append(found)
        trust.append(sure)
    return view.outward(np.array(boxes)), np.array(trust)


def stream(
    steppers: Sequence[Stepper], view: View, frames: Sequence[int], box: Box4, *, cancel: Cancel
) -> Iterator[tuple[int, Box4, float]]:
    """Run several trackers in step and yield (frame, consensus box, consensus 0..1) as they go."""
    start = view.inward(box)
    for stepper in steppers:
        stepper.start(view, frames[0], start)
    for frame in frames[1:]:
        if cancel():
            return
        steps = [stepper.step(frame) for stepper in steppers]
        found, sure = consensus(np.array([s[0] for s in steps]), np.array([s[1] for s in steps]))
        yield frame, view.outward(found), sure


def consensus(boxes: Box4, trust: Floats) -> tuple[Box4, float]:
    """Return the box most trackers stand by, [m, 4] and trust [m] given, and how much they do."""
    if len(boxes) == 1:
        return boxes[0], float(trust[0]) * 0.5
    mutual = iou(boxes[:, None], boxes[None]) - np.eye(len(boxes))
    support = mutual.sum(axis=1) / (len(boxes) - 1)
    weight = (0.05 + support) ** 4 * (0.2 + trust)
    order = np.argsort(boxes, axis=0)
    sorted_boxes = np.take_along_axis(boxes, order, axis=0)
    passed = np.cumsum(weight[order], axis=0) / weight.sum()
    middle = np.argmax(passed >= 0.5, axis=0)
    return sorted_boxes[middle, np.arange(4)], float((weight * support).sum() / weight.sum())
