"""Proposals between two boxes that are 30 to 200 frames apart, on scenes with known boxes.

Run as ``python -m tests.benchmarks.bench_far_boxes FOLDER …`` (see `truth_scenes`). A box is right
when its IoU is at least 0.7; out of view is right where the object is. Time is that of the
processor, with decoding.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from annotator.assist import Pictures, propose, use_threads
from annotator.assist.boxes.arrays import from_box, iou
from annotator.domain.proposals.box_proposals import Anchor
from annotator.media import Video
from tests.benchmarks.truth_scenes import TruthScene, read_scenes

GAPS = {30: 2, 60: 1, 120: 1, 200: 1}
GOOD, TIGHT, SURE = 0.7, 0.85, 0.9


class Checked(NamedTuple):
    """A proposal: IoU with the true box (1 if both are out of view), and processor time in ms."""

    profile: str
    gap: int
    overlap: float
    is_out_of_view: bool
    confidence: float
    cpu_ms: float


def measure(scene: TruthScene) -> list[Checked]:
    """Propose between two boxes of each object."""
    use_threads(1)
    checked = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for truth, frames in scene.gaps(GAPS):
            anchors = [Anchor(frame, truth.boxes[frame]) for frame in (frames[0], frames[-1])]
            began = time.process_time()
            found = {p.frame: p for p in propose(pictures, anchors, (frames[0], frames[-1]))}
            cpu_ms = (time.process_time() - began) / len(found) * 1000
            for frame, proposal in found.items():
                true = truth.boxes[frame]
                if true is None or proposal.box is None:
                    overlap = float(true is proposal.box)
                else:
                    overlap = float(iou(from_box(proposal.box), from_box(true)))
                checked.append(
                    Checked(
                        scene.profile,
                        len(frames) - 1,
                        overlap,
                        true is None,
                        proposal.confidence,
                        cpu_ms,
                    )
                )
    return checked


def report(rows: Sequence[Checked], title: str) -> None:
    """Print the shares of right and tight boxes, and whether confidence means something."""
    overlap = np.array([row.overlap for row in rows])
    sure = np.array([row.confidence for row in rows])
    is_right = overlap >= GOOD
    least = np.argsort(sure, kind="stable")[: len(rows) // 5]
    found = (~is_right[least]).sum() / max(1, (~is_right).sum())
    cpu_ms = np.mean([row.cpu_ms for row in rows])
    sys.stdout.write(
        f"{title:9}{len(rows):6} frames, IoU >= {GOOD} {is_right.mean():.3f}, "
        f">= {TIGHT} {(overlap >= TIGHT).mean():.3f}; confidence >= {SURE} "
        f"{(sure >= SURE).mean():.2f}, of which right {is_right[sure >= SURE].mean():.3f}; "
        f"errors in the least confident fifth {found:.2f}; {cpu_ms:.1f} ms for each frame\n"
    )


def main(folders: Sequence[Path]) -> None:
    """Print the figures by length of gap and by class."""
    scenes = [scene for folder in folders for scene in read_scenes(folder)]
    with ProcessPoolExecutor(2) as pool:
        rows = [row for part in pool.map(measure, scenes) for row in part]
    report(rows, "all")
    for gap in GAPS:
        report([row for row in rows if row.gap == gap], str(gap))
    for profile in sorted({row.profile for row in rows}):
        report([row for row in rows if row.profile == profile], profile)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main([Path(text) for text in sys.argv[1:]])
    else:
        sys.stdout.write("Left out: it needs folders of scenes, see the docstring.\n")
