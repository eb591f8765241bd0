"""How fast a file is tracked between two boxes and from one, and how soon the first proposal comes.

The file has an intra-coded picture on every 250th frame, the default of x264, so that going back is
expensive. Pictures are read and kept as in the window's tracker process, and the object is small:
it is tracked in pictures of full size at 720p. Memory is the peak of this process so far.

``python -m tests.benchmarks.bench_gaps CLIP X1,Y1,X2,Y2 ...`` measures other clips, with the box of
the object on frame 0, which also serves as its box at the end.
"""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np

from annotator.assist import installed, use_threads
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor
from annotator.media import Video
from annotator.services.assist.messages import Request
from annotator.services.assist.tracker_process import OpenVideo, peak_bytes, returning_memory
from tests.benchmarks.scenes import SceneSpec, make_scene
from tests.media.encoding import write_video

GAPS: Final = (29, 59, 119, 286)
_FIRST_S: Final = 0.5
_SIZES: Final = ((1280, 720), (1920, 1080))
_GOP: Final = 250


def main() -> int:
    """Print the times; 1 if a first proposal comes too late."""
    use_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        clips = [
            (Path(p), _box(text)) for p, text in zip(sys.argv[1::2], sys.argv[2::2], strict=True)
        ]
        if not clips:
            sizes = {Path(folder) / f"{height}p.mp4": (width, height) for width, height in _SIZES}
            # In a process of its own, so that its memory does not count.
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                made = {path: pool.submit(_make, path, *size) for path, size in sizes.items()}
                clips = [(path, box.result()) for path, box in made.items()]
        is_met = [_measure(path, box) for path, box in clips]
    return int(not all(is_met))


def _box(text: str) -> Box:
    x1, y1, x2, y2 = map(float, text.split(","))
    return Box(x1, y1, x2, y2)


def _make(path: Path, width: int, height: int) -> Box:
    """Encode a scene into a file; return the box of its object on the first frame."""
    spec = SceneSpec("gap", 41, (width, height), GAPS[-1] + 1, object_px=70.0, travel=3.0)
    scene = make_scene(spec)
    write_video(
        path,
        [scene.image(f) for f in range(len(scene))],
        preset="veryfast",
        g=str(_GOP),
        sc_threshold="0",
    )
    return Box(*np.asarray(scene.boxes[0]).tolist())


def _measure(path: Path, box: Box) -> bool:
    """Print a line for each gap; whether all first proposals came in time."""
    is_met = True
    with Video(path) as video:
        table, n_frames = video.table.to_bytes(), len(video)
    gaps = [n for n in GAPS if n < n_frames]
    for n, is_alone in [*((n, False) for n in gaps), (gaps[-1], True)]:
        anchors = [Anchor(0, box)] if is_alone else [Anchor(0, box), Anchor(n, box)]
        name = "from one box, {:3} frames" if is_alone else "gap of {:3} frames"
        pictures = OpenVideo().pictures(Request(1, str(path), table, (), 0, n, "fused"))
        began, first_s = time.monotonic(), 0.0
        tracker = installed().get("fused")
        with returning_memory():
            for _ in tracker.propose(pictures, anchors, (1, n), cancel=lambda: False):
                first_s = first_s or time.monotonic() - began
        took_s = time.monotonic() - began
        sys.stdout.write(
            f"{path.name:24} {name.format(n)}: first proposal after {first_s:.2f} s,"
            f" {took_s:6.2f} s = {n / took_s:5.1f} frames/s, memory {peak_bytes() >> 20} MB\n"
        )
        sys.stdout.flush()
        del pictures  # before the next ones are decoded
        is_met &= first_s <= _FIRST_S
    return is_met


if __name__ == "__main__":
    sys.exit(main())
