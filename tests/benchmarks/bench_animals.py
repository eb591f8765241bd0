"""Point proposals on real animal video whose every frame is labeled.

Of each point every 120th frame is given; the frames between are scored at 256 x 256: position
accuracy, the mean over 1, 2, 4, 8 and 16 pixels, on the frames with a label. Compared are
interpolation, Lucas-Kanade both ways and the proposals.

Run as ``python -m tests.benchmarks.bench_animals VIDEO LABELS.slp [GAP]``. The measured video has
two flies with 13 points each and comes with the package SLEAP (BSD-3-Clause-Clear): ``clip.mp4``
and ``clip.slp`` in ``tests/data/tracks`` of the wheel that ``pip download --no-deps sleap==1.3.1``
fetches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from annotator.exchange.formats.base.file_content import PointContent
from annotator.exchange.formats.points import sleap
from annotator.media import Video
from tests.benchmarks.bench_points import PIXELS, Floats, Method, point_methods
from tests.benchmarks.point_scenes import PointScene

_GAP = 120


def gaps_of(video: Video, points: tuple[PointContent, ...], gap: int) -> Iterator[PointScene]:
    """Yield the frames between two given ones as scenes, with the points labeled on both."""
    owners = [point.key.split("/")[0] for point in points]
    for start in range(0, len(video) - 1, gap):
        stop = min(start + gap, len(video) - 1)
        xy = np.array([[_place(p, f) for f in range(start, stop + 1)] for p in points])
        rows = ~np.isnan(xy[:, [0, -1], 0]).any(axis=1)
        body = np.unique(owners, return_inverse=True)[1][rows]
        pictures = [video.compact(f) for f in range(start, stop + 1)]
        yield PointScene(f"{start}", pictures, xy[rows], ~np.isnan(xy[rows, :, 0]), body)


def _place(point: PointContent, frame: int) -> tuple[float, float]:
    place = point.places.get(frame)
    return (np.nan, np.nan) if place is None else (place.x, place.y)


def off(scene: PointScene, method: Method) -> Floats:
    """Return how far the places between the given ones are off, in pixels of 256."""
    last = len(scene) - 1
    ends = np.tile(np.array([[0, last]]), (len(scene.xy), 1))
    xy, _, _ = method(scene, ends)
    height, width = scene.image(0).shape[:2]
    far = np.linalg.norm((xy - scene.xy) * [256 / width, 256 / height], axis=2)[:, 1:last]
    return np.asarray(far[~np.isnan(far)])


def main(video_path: Path, labels: Path, gap: int = _GAP) -> None:
    """Print the position accuracy of every method."""
    points = sleap.read(labels)[0].points
    methods = point_methods()
    distances: dict[str, list[Floats]] = {name: [] for name in methods}
    with Video(video_path) as video:
        for scene in gaps_of(video, points, gap):
            for name, method in methods.items():
                distances[name].append(off(scene, method))
    for name, parts in distances.items():
        within = np.concatenate(parts)[:, None] < PIXELS
        each = "  ".join(f"{share:.3f}" for share in within.mean(axis=0))
        sys.stdout.write(f"{name:16}{within.mean():.3f}   1 to 16 px: {each}  ({len(within)})\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
    else:
        sys.stdout.write("Left out: it needs a video and its labels, see the docstring.\n")
