"""Scenes with known boxes in folders: a video and ``gt.json`` of the form "track-gt-1" in each.

Boxes there are [x, y, width, height] per frame in image pixels, null where the object is out of
view, and ``visible`` tells which share of the object is seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from annotator.domain.geometry import Box, Point


@dataclass(frozen=True)
class TruthObject:
    """One object: its box per frame, None where it is out of view, and its visible share."""

    boxes: tuple[Box | None, ...]
    visible: tuple[float, ...]

    @property
    def first_frame(self) -> int:
        return next(i for i, box in enumerate(self.boxes) if box is not None)


@dataclass(frozen=True)
class TruthPoint:
    """A point of an object: its place per frame, None where not known, and whether it is hidden."""

    id: str
    object_id: str
    xy: tuple[Point | None, ...]
    occluded: tuple[bool, ...]

    @property
    def first_seen(self) -> int:
        return self._seen()[0]

    @property
    def last_seen(self) -> int:
        return self._seen()[-1]

    def _seen(self) -> list[int]:
        both = zip(self.xy, self.occluded, strict=True)
        return [i for i, (xy, hidden) in enumerate(both) if xy is not None and not hidden] or [0]

    def place(self, frame: int) -> Point:
        """Return where it is on a frame on which it is seen."""
        xy = self.xy[frame]
        assert xy is not None
        return xy

    def between(self, first: int, last: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return places [t, 2], NaN where not known, and what is hidden [t], both ends included."""
        there = self.xy[first : last + 1]
        xy = [(p.x, p.y) if p is not None else (np.nan, np.nan) for p in there]
        return np.array(xy), np.array(self.occluded[first : last + 1], np.bool_)


@dataclass(frozen=True)
class TruthScene:
    """A scene: ``profile`` is its class, as in syn_PROFILE_SEED."""

    name: str
    profile: str
    video: Path
    rate: float
    objects: tuple[TruthObject, ...]
    points: tuple[TruthPoint, ...] = ()

    def gaps(self, counts: Mapping[int, int]) -> Iterator[tuple[TruthObject, range]]:
        """Yield frames between two boxes of an object, chosen at random but always the same.

        ``counts`` says how many at most of each length.
        """
        for number, each in enumerate(self.objects):
            is_seen = [box is not None for box in each.boxes]
            chance = np.random.default_rng(crc32(f"{self.name} {number}".encode()))
            for length, count in counts.items():
                ends = zip(is_seen, is_seen[length:], strict=False)
                starts = [start for start, (one, other) in enumerate(ends) if one and other]
                for start in chance.choice(starts, min(count, len(starts)), replace=False).tolist():
                    yield each, range(start, start + length + 1)


def read_scenes(folder: Path) -> Iterator[TruthScene]:
    """Yield the scenes in the sub-folders of a folder, by name."""
    for path in sorted(folder.glob("*/gt.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        objects = tuple(
            TruthObject(
                tuple(
                    None if b is None else Box(b[0], b[1], b[0] + b[2], b[1] + b[3])
                    for b in each["boxes"]
                ),
                tuple(each.get("visible", [1.0] * len(each["boxes"]))),
            )
            for each in told["objects"]
            if any(each["boxes"])
        )
        name = path.parent.name
        profile = name.split("_")[1] if name.count("_") >= 2 else "all"
        points = tuple(_point(each) for each in told.get("points", []))
        yield TruthScene(name, profile, path.parent / told["video"], told["fps"], objects, points)


def _point(told: dict[str, Any]) -> TruthPoint:
    xy = tuple(None if place is None else Point(*place) for place in told["xy"])
    occluded = tuple(map(bool, told["occluded"]))
    return TruthPoint(told["id"], told["object"], xy, occluded)
