"""Trains the network that fits boxes to objects, on scenes with known boxes.

Run as ``python -m tests.benchmarks.train_box_refinement MINUTES TRAIN… HELD_OUT [--write]``, each a
folder of scenes (see `truth_scenes`); needs torch and onnx. A box that is known on one frame shows
the object; on another frame a box is moved and resized at random, and the network predicts how far
each side is from the true one, and how exact that is: it minimizes the likelihood of a Laplace
distribution. ``--write`` replaces resources/models/box-refinement.onnx.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from annotator import paths
from annotator.assist import Pictures, use_threads
from annotator.assist.boxes.arrays import (
    Box4,
    around,
    center,
    from_box,
    half_size,
    inside_share,
    iou,
    side,
)
from annotator.assist.boxes.refinement import Look
from annotator.assist.pictures import Image
from annotator.media import Video
from tests.benchmarks.truth_scenes import TruthScene, read_scenes

PAIRS: Final = 250  # of each object
MOST_FRAMES: Final = 150  # between the two frames of a pair
BATCH: Final = 128
RATE: Final = 2e-3
WIDTH: Final = 16  # channels of the first layer
COVERED: Final = 0.3  # share of the examples in which something covers a part of the object
UNIT: Final = np.array([0.0, 0.0, 1.0, 1.0])


class Pair(NamedTuple):
    """The object in a box of a person, what is around another box, both [64, 64, 4], and how far
    its sides are off: [4] in sizes of that box.
    """

    look: Image
    here: Image
    moves: NDArray[np.float32]


def pairs_of(scene: TruthScene) -> list[Pair]:
    """Return pairs of all objects of a scene that are seen well on some frames."""
    use_threads(1)
    rng = np.random.default_rng(list(scene.name.encode()))
    pairs: list[Pair] = []
    with Video(scene.video) as video:
        pictures = Pictures(video)
        for each in scene.objects:
            boxes, seen = np.array([from_box(box) for box in each.boxes]), np.array(each.visible)
            inside = np.array([inside_share(box, pictures.size) for box in boxes])
            looks = np.flatnonzero((seen > 0.9) & (inside > 0.95))
            frames = np.flatnonzero((seen > 0.3) & (inside > 0.5))
            if len(looks) < 5 or len(frames) < 5:
                continue
            pairs += [
                _pair(pictures, boxes, looks, int(rng.choice(frames)), rng) for _ in range(PAIRS)
            ]
    return pairs


def _pair(
    pictures: Pictures,
    boxes: Box4,
    looks: NDArray[np.int64],
    frame: int,
    rng: np.random.Generator,
) -> Pair:
    distance = np.exp(rng.uniform(0, np.log(MOST_FRAMES))) * rng.choice([-1, 1])
    known = int(looks[np.abs(looks - (frame + distance)).argmin()])
    true, view = boxes[frame], pictures.view(side(boxes[known]))
    look = Look(view, known, boxes[known])
    box = _moved(true, rng)
    moves = (true - box) / np.tile(2 * half_size(box), 2)
    return Pair(look.image, look.beside(view, frame, box), moves.astype(np.float32))


def _moved(box: Box4, rng: np.random.Generator) -> Box4:
    """Return a box moved and resized at random, now and then only a little."""
    is_near = rng.random() < 0.15
    shift, growth, scale = (0.02, 0.03, 0.0) if is_near else (0.10, 0.17, 0.12)
    size = np.exp(rng.normal(0, growth, 2) + rng.normal(0, scale))
    return around(center(box) + rng.normal(0, shift, 2) * 2 * half_size(box), half_size(box) * size)


def collect(folders: Sequence[Path]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return inputs, uint8 [n, 8, 64, 64], and moves [n, 4] of all scenes of folders."""
    scenes = [scene for folder in folders for scene in read_scenes(folder)]
    with ProcessPoolExecutor(2) as pool:
        pairs = [pair for part in pool.map(pairs_of, scenes) for pair in part]
    both = np.concatenate([[p.look for p in pairs], [p.here for p in pairs]], axis=-1)
    ordered = both[..., [0, 1, 2, 4, 5, 6, 3, 7]].transpose(0, 3, 1, 2)
    moves = torch.from_numpy(np.array([p.moves for p in pairs]))
    return torch.from_numpy(np.ascontiguousarray(ordered)), moves


class Network(nn.Module):
    """Returns moves and logarithms of expected errors, [n, 8], of inputs [n, 8, 64, 64]."""

    def __init__(self) -> None:
        super().__init__()
        sizes = ((8, 1, 2), (1, 2, 2), (2, 2, 1), (2, 3, 2), (3, 3, 1), (3, 3, 2))
        layers: list[nn.Module] = []
        for i, (before, after, stride) in enumerate(sizes):
            channels = before * WIDTH if i else before
            layers += [nn.Conv2d(channels, after * WIDTH, 3, stride, 1), nn.ReLU()]
        layers += [nn.Flatten(), nn.Linear(3 * WIDTH * 16, 64), nn.ReLU(), nn.Linear(64, 8)]
        self.layers = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


def train(inputs: torch.Tensor, moves: torch.Tensor, minutes: float) -> Network:
    """Train for some minutes, with a learning rate that falls to 0."""
    torch.manual_seed(0)
    network, began = Network(), time.monotonic()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=1e-3)
    while True:
        for rows in torch.randperm(len(inputs)).split(BATCH):
            share = (time.monotonic() - began) / (60 * minutes)
            if share >= 1:
                return network
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 + np.cos(np.pi * share)) / 2 + 1e-5
            x, y = varied(inputs[rows].float() / 255 - 0.5, moves[rows])
            moved, errors = network(x).split(4, dim=1)
            errors = errors.clamp(-5, 2)
            loss = ((moved - y).abs() * torch.exp(-errors) + errors).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def varied(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return examples mirrored, in other colors and light, and partly covered, at random."""
    y = y.clone()
    if torch.rand(1) < 0.5:
        x, y = x.flip(3), torch.stack([-y[:, 2], y[:, 1], -y[:, 0], y[:, 3]], 1)
    if torch.rand(1) < 0.5:
        x, y = x.flip(2), torch.stack([y[:, 0], -y[:, 3], y[:, 2], -y[:, 1]], 1)
    n = len(x)
    gain, offset = 1 + 0.25 * torch.randn(n, 3, 1, 1), 0.08 * torch.randn(n, 1, 1, 1)
    light, shade = 1 + 0.08 * torch.randn(n, 1, 1, 1), 0.04 * torch.randn(n, 1, 1, 1)
    order = torch.randperm(3)
    look, here = ((part * gain + offset)[:, order] for part in (x[:, :3], x[:, 3:6]))
    x = torch.cat([look, here * light + shade, x[:, 6:]], 1)
    for row in torch.nonzero(torch.rand(n) < COVERED)[:, 0].tolist():
        _cover(x, row)
    return x, y


def _cover(x: torch.Tensor, row: int) -> None:
    """Cover a part of one example with one of another, or with a color."""
    sizes = torch.randint(8, 34, (2,)).tolist()
    starts = [int(torch.randint(0, x.shape[2] - size, (1,))) for size in sizes]
    rows, columns = (slice(a, a + size) for a, size in zip(starts, sizes, strict=True))
    other = int(torch.randint(0, len(x), (1,)))
    is_other = bool(torch.rand(1) < 0.5)
    x[row, 3:6, rows, columns] = (
        x[other, 3:6, rows, columns] if is_other else torch.rand(3, 1, 1) - 0.5
    )
    x[row, 7, rows, columns] = -0.5 + (0.3 if is_other else 0.1) * torch.rand(1)


def report(network: Network, inputs: torch.Tensor, moves: torch.Tensor) -> None:
    """Print the share of good boxes before and after, for all and the surer half."""
    network.eval()
    with torch.no_grad():
        found = torch.cat([network(part.float() / 255 - 0.5) for part in inputs.split(512)])
    true = moves.numpy() + UNIT
    before, after = (
        iou(np.broadcast_to(UNIT, true.shape), true),
        iou(found[:, :4].numpy() + UNIT, true),
    )
    surest = np.argsort(found[:, 4:].mean(1).numpy())[: len(true) // 2]
    for name, rows in (("all", slice(None)), ("surer half", surest)):
        told = [
            f"{(v[rows] >= limit).mean():.3f}" for v in (before, after) for limit in (0.7, 0.85)
        ]
        sys.stdout.write(f"{name}: IoU >= 0.7, 0.85 before {told[:2]}, after {told[2:]}\n")


def main(arguments: list[str]) -> None:
    minutes, *folders = (a for a in arguments if not a.startswith("--"))
    *training, held_out = map(Path, folders)
    network = train(*collect(training), float(minutes))
    report(network, *collect([held_out]))
    if "--write" in arguments:
        sizes: Any = {"input": {0: "n"}, "output": {0: "n"}}
        path = str(paths.resource("models", "box-refinement.onnx"))
        names = {"input_names": ["input"], "output_names": ["output"], "dynamic_axes": sizes}
        torch.onnx.export(network, (torch.zeros(1, 8, 64, 64),), path, dynamo=False, **names)


if __name__ == "__main__":
    main(sys.argv[1:])
