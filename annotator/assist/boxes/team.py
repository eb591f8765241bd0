"""Several one-way trackers side by side: run in step, compared frame by frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from annotator.assist.boxes import look
from annotator.assist.boxes.arrays import Box4, Floats, iou
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
) -> Iterator[tuple[int, Box4, float, float]]:
    """Run several trackers in step and yield (frame, box, consensus 0..1, likeness) as they go.

    Each votes with how much the others agree with it and how much its box looks like the first.
    Likeness, -1..1, is that of the box they settle on.
    """
    start = view.inward(box)
    first = look.patch(view.colour(frames[0]), start)
    for stepper in steppers:
        stepper.start(view, frames[0], start)
    for frame in frames[1:]:
        if cancel():
            return
        boxes = np.array([stepper.step(frame)[0] for stepper in steppers])
        image = view.colour(frame)
        alike = np.array([look.likeness(first, look.patch(image, found)) for found in boxes])
        found, sure = consensus(boxes, alike)
        for stepper in steppers:
            stepper.adjust(found)
        yield frame, view.outward(found), sure, look.likeness(first, look.patch(image, found))


def consensus(boxes: Box4, alike: Floats) -> tuple[Box4, float]:
    """Return the box most trackers stand by and how much they do.

    `boxes` [m, 4], `alike` [m]: likeness to what is followed, -1..1.
    """
    alike = np.clip(alike, 0.05, 1.0)
    if len(boxes) == 1:
        return boxes[0], float(alike[0]) * 0.5
    mutual = iou(boxes[:, None], boxes[None]) - np.eye(len(boxes))
    support = mutual.sum(axis=1) / (len(boxes) - 1)
    weight = (0.05 + support) ** 2 * alike**3
    order = np.argsort(boxes, axis=0)
    passed = np.cumsum(weight[order], axis=0) / weight.sum()
    middle = np.argmax(passed >= 0.5, axis=0)
    found = np.take_along_axis(boxes, order, axis=0)[middle, np.arange(4)]
    sure = support * (0.3 + 0.7 * alike)
    return found, float((weight * sure).sum() / weight.sum())
