"""Scenes with known boxes in folders: a video and ``gt.json`` of the form "track-gt-1" in each.

Boxes there are [x, y, width, height] per frame in image pixels, null where the object is out of
view, and ``visible`` tells which share of the object is seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.geometry import Box


@dataclass(frozen=True)
class TruthObject:
    """One object: its box per frame, None where it is out of view, and its visible share."""

    boxes: tuple[Box | None, ...]
    visible: tuple[float, ...]

    @property
    def first_frame(self) -> int:
        return next(i for i, box in enumerate(self.boxes) if box is not None)


@dataclass(frozen=True)
class TruthScene:
    """A scene: ``profile`` is its class, as in syn_PROFILE_SEED."""

    name: str
    profile: str
    video: Path
    rate: float
    objects: tuple[TruthObject, ...]


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
        yield TruthScene(name, profile, path.parent / told["video"], told["fps"], objects)
