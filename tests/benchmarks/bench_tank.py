"""Box proposals for animals that are alike, seen from above by a camera that does not move.

The true boxes are those of what is darker than the median picture of the whole video, as far as
it is one animal and can be followed without doubt for 150 frames. From every 60th box on the
proposals of up to 150 frames are compared with them, and those between boxes 10 and 30 frames
apart, also with interpolation.

Run as ``python -m tests.benchmarks.bench_tank VIDEO``. The measured videos show eight fish and come
with idtracker.ai (GPL-3.0): ``test_A.avi`` and ``test_B.avi`` in the sources that ``pip download
--no-deps --no-binary :all: idtrackerai==6.0.9`` fetches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from annotator.assist import propose, use_threads
from annotator.assist.boxes.arrays import Box4, between, from_box, iou
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor
from annotator.media import Video

_LEAST_DARKER: Final = 25
_LEAST_PX: Final = 60
_MOST_STEP_PX: Final = 25.0  # from where it is expected
_MOST_AREA: Final = 1.6  # of the median animal
_LEAST_FRAMES: Final = 150
_EACH: Final = 60
_AHEAD: Final = 150
_GAPS: Final = (10, 30)


class Piece:
    """The true boxes [n, 4] of an animal on neighboring frames from ``start`` on, image pixels."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.boxes: list[Box4] = []
        self._middles: list[Box4] = []

    def expected(self) -> Box4:
        """Return where its middle [2] is expected on the next frame, in image pixels."""
        return self._middles[-1] * 2 - self._middles[max(len(self._middles) - 2, 0)]

    def add(self, box: Box4, middle: Box4) -> None:
        self.boxes.append(box)
        self._middles.append(middle)


def pieces_of(path: Path) -> list[Piece]:
    """Return what is known of the animals without doubt."""
    with Video(path) as video:
        grays = [cv2.cvtColor(video.image(f), cv2.COLOR_RGB2GRAY) for f in range(len(video))]
    behind = np.median(grays[::10], axis=0)
    patches = []
    for gray in grays:
        mask = (behind - gray > _LEAST_DARKER).astype(np.uint8)
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, _, rows, middles = cv2.connectedComponentsWithStats(mask)
        patches.append(
            [(r, m) for r, m in zip(rows[1:], middles[1:], strict=True) if r[4] >= _LEAST_PX]
        )
    most = _MOST_AREA * np.median([row[4] for frame in patches for row, _ in frame])
    pieces: list[Piece] = []
    open_pieces: list[Piece] = []
    for frame, found in enumerate(patches):
        places = np.array([piece.expected() for piece in open_pieces]).reshape(-1, 1, 2)
        distances = np.linalg.norm(places - np.array([m for _, m in found]), axis=2)
        next_pieces = []
        for k, (row, middle) in enumerate(found):
            if row[4] > most:
                continue
            near = int(distances[:, k].argmin()) if open_pieces else -1
            is_mutual = near >= 0 and distances[near].argmin() == k
            if is_mutual and distances[near, k] <= _MOST_STEP_PX:
                piece = open_pieces[near]
            else:
                pieces.append(piece := Piece(frame))
            x, y, width, height = row[:4]
            piece.add(np.array([x, y, x + width, y + height], np.float64), middle)
            next_pieces.append(piece)
        open_pieces = next_pieces
    return [piece for piece in pieces if len(piece.boxes) >= _LEAST_FRAMES]


def _measured(job: tuple[Path, Piece]) -> dict[str, list[tuple[float, float]]]:
    """Return overlaps and confidences by name of what is measured."""
    path, piece = job
    use_threads(1)
    rows: dict[str, list[tuple[float, float]]] = {}
    boxes, count = np.array(piece.boxes), len(piece.boxes)

    def anchor(at: int) -> Anchor:
        return Anchor(piece.start + at, Box(*boxes[at]))

    def compare(name: str, video: Video, ends: Iterable[int], stop: int) -> None:
        start, *_ = at = list(ends)
        span = piece.start + start + 1, piece.start + stop
        latest = {p.frame: p for p in propose(video, [anchor(i) for i in at], span)}
        rows.setdefault(name, []).extend(
            (float(iou(from_box(p.box), boxes[f - piece.start])), p.confidence)
            for f, p in latest.items()
        )

    with Video(path) as video:
        for start in range(0, count - 30, _EACH):
            compare("one way", video, [start], min(start + _AHEAD + 1, count))
        for gap in _GAPS:
            for start in range(0, count - gap, gap):
                compare(f"gaps of {gap}", video, [start, start + gap], start + gap)
                straight = between(boxes[start], boxes[start + gap], gap)[1:-1]
                rows.setdefault(f"gaps of {gap}, interpolated", []).extend(
                    (float(v), 0.0) for v in iou(straight, boxes[start + 1 : start + gap])
                )
    return rows


def main(path: Path) -> None:
    """Print the shares of frames that are right."""
    with ProcessPoolExecutor(2) as pool:  # forked before OpenCV has threads
        pieces = pool.submit(pieces_of, path).result()
        n_frames = sum(len(piece.boxes) for piece in pieces)
        sys.stdout.write(f"{len(pieces)} pieces of tracks with {n_frames} true boxes\n")
        parts = list(pool.map(_measured, [(path, piece) for piece in pieces]))
    for name in parts[0]:
        overlap, confidence = np.array([row for part in parts for row in part[name]]).T
        sure = confidence >= 0.9
        right = f"{(overlap[sure] >= 0.7).mean():.3f}" if sure.any() else "-"
        sys.stdout.write(
            f"{name:28}{len(overlap):6} frames  IoU >= 0.7: {(overlap >= 0.7).mean():.3f}  "
            f">= 0.85: {(overlap >= 0.85).mean():.3f}  "
            f"sure: {sure.mean():.2f}, of these right: {right}\n"
        )


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]))
    else:
        sys.stdout.write("Left out: it needs a video, see the docstring.\n")
