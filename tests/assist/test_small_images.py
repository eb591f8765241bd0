"""Optical flow on images that are smaller than OpenCV's patches, which ended the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotator.assist import Pictures, propose
from annotator.assist.boxes.one_way import dense_flow
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor

_PROGRAM = """
import cv2, numpy as np
from annotator.assist.boxes.one_way import dense_flow
cv2.setNumThreads(1)
chance = np.random.default_rng({seed})
dis = cv2.DISOpticalFlow.create(getattr(cv2, "DISOPTICAL_FLOW_PRESET_" + {preset!r}))
for number in range(1500):
    if number % 2:
        dis = cv2.DISOpticalFlow.create(getattr(cv2, "DISOPTICAL_FLOW_PRESET_" + {preset!r}))
    height, width = chance.integers(2, 60), chance.integers(2, 300)
    if number % 3 == 0:
        height, width = width, height
    images = chance.integers(0, 255, (2, height, width), np.uint8)
    assert dense_flow(dis, *images).shape == (height, width, 2)
"""


@pytest.mark.parametrize("preset", ["FAST", "MEDIUM", "ULTRAFAST"])
def test_small_images_do_not_end_the_process(preset: str) -> None:
    program = _PROGRAM.format(seed=24, preset=preset)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:2000]


def test_the_border_does_not_change_the_flow() -> None:
    chance = np.random.default_rng(1)
    texture = cv2.GaussianBlur(chance.integers(0, 255, (120, 90), np.uint8), (0, 0), 2)
    one, two = texture[10:50, 10:40], texture[10:50, 8:38]
    dis = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    flow = dense_flow(dis, np.ascontiguousarray(one), np.ascontiguousarray(two))
    assert np.median(flow[..., 0]) == pytest.approx(2.0, abs=0.4)
    assert np.median(flow[..., 1]) == pytest.approx(0.0, abs=0.4)


class _Noise:
    def __len__(self) -> int:
        return 12

    def image(self, index: int, /) -> np.ndarray:
        return np.random.default_rng(index).integers(0, 255, (70, 90, 3), np.uint8)


def test_an_object_at_the_edge_of_a_small_video_is_tracked() -> None:
    for box in (Box(60, 2, 89, 30), Box(0, 40, 27, 69), Box(1, 1, 6, 5)):
        anchors = [Anchor(0, box), Anchor(11, box)]
        found = list(propose(Pictures(_Noise()), anchors, (0, 12), cancel=lambda: False))
        assert {p.frame for p in found} >= set(range(1, 11))


def test_starting_and_canceling_at_random_moments_does_not_crash() -> None:
    """A short run of the stress program; `python -m tests.assist.stress 2000` is the long one."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.assist.stress", "25", "7"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr[:3000]
    assert "25 runs without a crash" in done.stdout
