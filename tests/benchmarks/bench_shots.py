"""Box proposals in videos with cuts: scenes with known boxes, each interrupted by another one.

Run as ``python -m tests.benchmarks.bench_shots FOLDER OTHER_FOLDER`` on scenes of one size (see
`truth_scenes`). Objects are followed from one box, and between two boxes with both cuts between.
A proposal is right when its IoU is at least 0.7, or when it is out of view where the object is.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np

from annotator.assist import propose, use_threads
from annotator.assist.boxes.arrays import from_box, iou
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.media import Video
from tests.benchmarks.scenes import DecodedPictures
from tests.benchmarks.truth_scenes import TruthObject, TruthScene, read_scenes

_START, _CUT, _END = 40, 100, 240
_OTHER = range(60, 140)  # frames of the other scene
_GOOD = 0.7
_SURE = 0.7
_PARTS = ("before", "other shot", "after")


class Checked(NamedTuple):
    """A proposal: how it was asked for, in which part of the video, and whether it is right."""

    method: str
    part: str
    is_right: bool
    confidence: float


def measure(scenes: tuple[TruthScene, TruthScene]) -> list[Checked]:
    """Follow every object of the first scene, which the other one interrupts."""
    use_threads(1)
    scene, other = scenes
    with Video(scene.video) as video, Video(other.video) as between:
        shot = [video.compact(frame) for frame in range(len(video))]
        pictures = [*shot[:_CUT], *(between.compact(frame) for frame in _OTHER), *shot[_CUT:]]
    edited = DecodedPictures(scene.name, pictures)
    return [checked for each in scene.objects for checked in _follow(edited, each)]


def _follow(edited: DecodedPictures, truth: TruthObject) -> list[Checked]:
    boxes = [*truth.boxes[:_CUT], *([None] * len(_OTHER)), *truth.boxes[_CUT:]]
    first, last = boxes[_START], boxes[_END]
    if first is None:
        return []
    spans = {"one box": (_START + 1, len(edited))}
    anchors = {"one box": [Anchor(_START, first)]}
    if last is not None:
        spans["two boxes"] = (_START + 1, _END)
        anchors["two boxes"] = [Anchor(_START, first), Anchor(_END, last)]
    found = []
    for method, span in spans.items():
        final = {p.frame: p for p in propose(edited, anchors[method], span)}
        found += [_checked(method, p, boxes[frame]) for frame, p in final.items()]
    return found


def _checked(method: str, proposal: Proposed, box: Box | None) -> Checked:
    if box is None or proposal.box is None:
        is_right = box is proposal.box
    else:
        is_right = bool(iou(from_box(proposal.box), from_box(box)) >= _GOOD)
    n_after = _CUT + len(_OTHER)
    part = _PARTS[(proposal.frame >= _CUT) + (proposal.frame >= n_after)]
    return Checked(method, part, is_right, proposal.confidence)


def main(folder: Path, other_folder: Path) -> None:
    """Print the share of right proposals before, between and after the cuts."""
    pairs = list(zip(read_scenes(folder), cycle(read_scenes(other_folder)), strict=False))
    with ProcessPoolExecutor(2) as pool:
        rows = [row for part in pool.map(measure, pairs) for row in part]
    for method in dict.fromkeys(row.method for row in rows):
        for part in _PARTS:
            mine = [row for row in rows if (row.method, row.part) == (method, part)]
            right = np.array([row.is_right for row in mine])
            is_sure = np.array([row.confidence >= _SURE for row in mine])
            sys.stdout.write(
                f"{method:10}{part:11}{len(mine):6} proposals, right {right.mean():.3f}; "
                f"confidence of {_SURE} and more {is_sure.mean():.2f}, "
                f"of which right {right[is_sure].mean():.3f}\n"
            )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        sys.stdout.write("Left out: it needs two folders of scenes, see the docstring.\n")
