"""Boxes and points in image pixels.

Coordinates are continuous, in display orientation; (0, 0) is the corner of the top-left pixel,
whose center is (0.5, 0.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the picture, in pixels."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-parallel rectangle, in pixels; ``x1 <= x2`` and ``y1 <= y2`` for a valid one."""

    x1: float
    y1: float
    x2: float
    y2: float

    @classmethod
    def around(cls, *points: Point) -> Box:
        """Return the smallest box that holds all points (two corners, or four extreme points)."""
        xs = [p.x for p in points]
        ys = [p.y for p in points]
        return cls(min(xs), min(ys), max(xs), max(ys))

    @property
    def width(self) -> float:
        return self.x2 - self.x1

    @property
    def height(self) -> float:
        return self.y2 - self.y1

    @property
    def area(self) -> float:
        """Area in square pixels; 0 for an inverted box."""
        return max(0.0, self.width) * max(0.0, self.height)

    @property
    def center(self) -> Point:
        return Point((self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2)

    @property
    def is_valid(self) -> bool:
        """True when all coordinates are finite and the area is positive."""
        # Ordered numbers are bounded by the outer ones. Written out, because every box is checked.
        return -math.inf < self.x1 < self.x2 < math.inf and -math.inf < self.y1 < self.y2 < math.inf

    def as_tuple(self) -> tuple[float, float, float, float]:
        return (self.x1, self.y1, self.x2, self.y2)

    def contains(self, point: Point) -> bool:
        return self.x1 <= point.x <= self.x2 and self.y1 <= point.y <= self.y2

    def moved(self, dx: float, dy: float) -> Box:
        return Box(self.x1 + dx, self.y1 + dy, self.x2 + dx, self.y2 + dy)

    def intersection(self, other: Box) -> float:
        """Return the common area in square pixels."""
        width = min(self.x2, other.x2) - max(self.x1, other.x1)
        height = min(self.y2, other.y2) - max(self.y1, other.y1)
        return max(0.0, width) * max(0.0, height)

    def iou(self, other: Box) -> float:
        """Return intersection over union, 0..1; 0 when both are empty."""
        common = self.intersection(other)
        union = self.area + other.area - common
        return common / union if union > 0 else 0.0

    def largest_offset(self, other: Box) -> float:
        """Return the largest distance between matching edges, in pixels."""
        pairs = zip(self.as_tuple(), other.as_tuple(), strict=True)
        return max(abs(a - b) for a, b in pairs)

    def lerp(self, other: Box, t: float) -> Box:
        """Return the box at fraction ``t`` (0 = this one, 1 = the other)."""
        if t <= 0:
            return self
        if t >= 1:
            return other
        # Written out: it is asked for every track on every frame shown.
        return Box(
            self.x1 + (other.x1 - self.x1) * t,
            self.y1 + (other.y1 - self.y1) * t,
            self.x2 + (other.x2 - self.x2) * t,
            self.y2 + (other.y2 - self.y2) * t,
        )

    def clipped(self, width: float, height: float) -> Box:
        """Return the part inside a picture of the given size; may be empty."""
        if 0.0 <= self.x1 <= self.x2 <= width and 0.0 <= self.y1 <= self.y2 <= height:
            return self
        x1, x2 = (min(max(x, 0.0), width) for x in (self.x1, self.x2))
        y1, y2 = (min(max(y, 0.0), height) for y in (self.y1, self.y2))
        return Box(x1, y1, x2, y2)

    def pushed_inside(self, width: float, height: float) -> Box:
        """Return the box shifted into the picture, and cut only where it is larger."""
        dx = max(0.0, -self.x1) - max(0.0, self.x2 - width)
        dy = max(0.0, -self.y1) - max(0.0, self.y2 - height)
        return self.moved(dx, dy).clipped(width, height)
