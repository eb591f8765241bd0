"""Box proposals for animals that are alike, seen from above by a camera that does not move.

The true boxes are those of what is darker than the median picture of the whole video, as far as
it is one animal and can be followed without doubt for 150 frames. From every 60th box on the
proposals of up to 150 frames are compared with them, and those between boxes 10 and 30 frames
apart, also with interpolation.

Who is who after a meeting was told by eye from pictures of every frame, for meetings of two
animals: from a box ten frames before each, proposals are compared with both animals ten frames
after it, and the other way round. The frames between boxes on both sides are compared with what is
known of the animal before and after it touches the other one. The same from a box drawn in the
meeting, as a person corrects it: 14 of these boxes were drawn by eye, 12 are what silhouettes
followed both ways agree on.

Run as ``python -m tests.benchmarks.bench_tank VIDEO``. The measured videos show eight fish and come
with idtracker.ai (GPL-3.0): ``test_A.avi`` and ``test_B.avi`` in the sources that ``pip download
--no-deps --no-binary :all: idtrackerai==6.0.9`` fetches.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

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
_SHORTEST: Final = 6  # frames of pieces around meetings
_THROUGH: Final = "boxes before and after a meeting"
_DRAWN_IN_IT: Final = "a box in the meeting"

_Corners: TypeAlias = tuple[int, int, int, int]
_Row: TypeAlias = tuple[int, _Corners, int, _Corners, int, _Corners]
MEETINGS: Final[dict[str, tuple[_Row, ...]]] = {
    "test_A.avi": (
        (234, (723, 132, 786, 160), 246, (798, 154, 865, 170), 259, (837, 145, 903, 165)),
        (234, (804, 182, 842, 230), 246, (860, 166, 906, 207), 259, (912, 205, 938, 267)),
        (257, (832, 198, 879, 237), 268, (850, 152, 872, 212), 279, (842, 109, 858, 168)),
        (257, (832, 147, 899, 165), 268, (860, 144, 918, 174), 279, (914, 176, 931, 244)),
        (313, (824, 458, 877, 489), 325, (929, 362, 949, 427), 336, (895, 261, 912, 323)),
        (313, (911, 324, 922, 392), 325, (883, 388, 936, 424), 336, (866, 379, 881, 440)),
        (328, (913, 333, 946, 392), 339, (887, 250, 926, 301), 352, (888, 169, 927, 224)),
        (328, (888, 117, 900, 176), 339, (895, 216, 909, 274), 352, (870, 284, 899, 335)),
        (343, (859, 241, 878, 301), 357, (848, 288, 877, 348), 376, (785, 357, 815, 418)),
        (343, (896, 235, 910, 293), 356, (863, 294, 878, 356), 376, (864, 368, 880, 429)),
        (403, (783, 422, 827, 477), 414, (824, 455, 841, 528), 426, (793, 505, 842, 559)),
        (403, (864, 362, 883, 424), 414, (835, 504, 876, 549), 426, (890, 512, 952, 545)),
        (414, (740, 149, 797, 186), 426, (718, 209, 736, 274), 439, (672, 336, 689, 415)),
        (414, (712, 113, 744, 160), 428, (713, 168, 752, 220), 439, (768, 218, 827, 241)),
        (419, (918, 438, 936, 512), 430, (875, 495, 935, 533), 441, (829, 502, 894, 528)),
        (419, (854, 523, 912, 547), 430, (922, 483, 948, 545), 441, (887, 390, 916, 454)),
    ),
    "test_B.avi": (
        (168, (924, 464, 938, 532), 181, (909, 506, 945, 537), 195, (938, 390, 948, 456)),
        (168, (905, 484, 917, 549), 181, (902, 514, 914, 578), 195, (904, 558, 915, 624)),
        (283, (914, 259, 934, 318), 296, (924, 176, 944, 236), 309, (921, 101, 941, 160)),
        (283, (920, 70, 934, 136), 296, (919, 138, 931, 207), 309, (915, 176, 930, 240)),
        (302, (862, 200, 906, 261), 318, (888, 211, 911, 272), 324, (874, 171, 904, 226)),
        (302, (916, 156, 928, 224), 315, (885, 198, 943, 226), 324, (901, 134, 925, 195)),
        (319, (855, 95, 880, 157), 325, (854, 95, 882, 158), 337, (850, 97, 883, 158)),
        (319, (889, 206, 909, 265), 325, (870, 160, 897, 210), 337, (805, 84, 846, 140)),
        (350, (792, 20, 859, 34), 363, (736, 20, 799, 40), 376, (658, 28, 720, 44)),
        (350, (776, 56, 826, 98), 363, (767, 34, 801, 92), 376, (760, 38, 824, 56)),
    ),
}
"""By video: a frame before a meeting, in it and after it, with the box of an animal on each.

Two neighboring rows are the two animals that meet.
"""


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


def pieces_of(path: Path, least_frames: int = _LEAST_FRAMES) -> list[Piece]:
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
    return [piece for piece in pieces if len(piece.boxes) >= least_frames]


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


class Crossing(NamedTuple):
    """What is known of an animal before and after it meets another: boxes [4] by frame.

    ``drawn`` is its box on the frame ``middle``, in the meeting.
    """

    first: int
    middle: int
    last: int
    drawn: Box4
    known: dict[int, Box4]
    partner_first: Box4
    partner_last: Box4


def crossings_of(path: Path, pieces: list[Piece]) -> list[Crossing]:
    """Return the meetings of a video, each once for both animals."""
    crossings = []
    rows = MEETINGS.get(path.name, ())
    for pair in zip(rows[::2], rows[1::2], strict=True):
        for own, partner in (pair, pair[::-1]):
            first, box_first, middle, box_middle, last, box_last = own
            known: dict[int, Box4] = {}
            for frame, box in ((first, box_first), (last, box_last)):
                for piece in pieces:
                    at = frame - piece.start
                    if 0 <= at < len(piece.boxes) and (piece.boxes[at] == box).all():
                        known |= dict(enumerate(piece.boxes, start=piece.start))
            drawn, *ends = (
                np.array(box, np.float64) for box in (box_middle, partner[1], partner[5])
            )
            crossings.append(Crossing(first, middle, last, drawn, known, *ends))
    return crossings


class Crossed(NamedTuple):
    """Whose the boxes are at the far ends, and the overlaps in the gaps, by what is given."""

    whose: dict[str, list[str]]
    overlaps: dict[str, list[float]]


def _crossed(job: tuple[Path, Crossing]) -> Crossed:
    path, crossing = job
    use_threads(1)
    first, middle, last, drawn, known, partner_first, partner_last = crossing
    corners = {first: known[first], middle: drawn, last: known[last]}
    given = {frame: Anchor(frame, Box(*box)) for frame, box in corners.items()}
    partners = {first: partner_first, last: partner_last}
    crossed = Crossed({}, {})
    with Video(path) as video:

        def follow(name: str, start: int, end: int) -> None:
            span = (start + 1, end + 1) if start < end else (end, start)
            latest = {p.frame: from_box(p.box) for p in propose(video, [given[start]], span)}
            is_own, is_partner = (
                iou(latest[end], box) >= 0.5 for box in (known[end], partners[end])
            )
            whose = "own" if is_own else "partner" if is_partner else "neither"
            crossed.whose.setdefault(name, []).append(whose)

        def fill(name: str, *ends: int) -> None:
            for pair in pairwise(ends):
                anchors = [given[end] for end in pair]
                latest = {p.frame: p.box for p in propose(video, anchors, (pair[0] + 1, pair[1]))}
                crossed.overlaps.setdefault(name, []).extend(
                    float(iou(from_box(box), known[frame]))
                    for frame, box in latest.items()
                    if frame in known
                )

        follow(_THROUGH, first, last)
        follow(_THROUGH, last, first)
        follow(_DRAWN_IN_IT, middle, last)
        follow(_DRAWN_IN_IT, middle, first)
        fill(_THROUGH, first, last)
        fill(_DRAWN_IN_IT, first, middle, last)
    return crossed


def main(path: Path) -> None:
    """Print the shares of frames that are right."""
    with ProcessPoolExecutor(2) as pool:  # forked before OpenCV has threads
        crossings = crossings_of(path, pool.submit(pieces_of, path, _SHORTEST).result())
        crossed = list(pool.map(_crossed, [(path, crossing) for crossing in crossings]))
        pieces = pool.submit(pieces_of, path).result()
        n_frames = sum(len(piece.boxes) for piece in pieces)
        sys.stdout.write(f"{len(pieces)} pieces of tracks with {n_frames} true boxes\n")
        parts = list(pool.map(_measured, [(path, piece) for piece in pieces]))
    _print_meetings(crossed)
    for name in parts[0]:
        overlap, confidence = np.array([row for part in parts for row in part[name]]).T
        sure = confidence >= 0.9
        right = f"{(overlap[sure] >= 0.7).mean():.3f}" if sure.any() else "-"
        sys.stdout.write(
            f"{name:28}{len(overlap):6} frames  IoU >= 0.7: {(overlap >= 0.7).mean():.3f}  "
            f">= 0.85: {(overlap >= 0.85).mean():.3f}  "
            f"sure: {sure.mean():.2f}, of these right: {right}\n"
        )


def _print_meetings(crossed: list[Crossed]) -> None:
    for name in (_THROUGH, _DRAWN_IN_IT) if crossed else ():
        counts = Counter(whose for meeting in crossed for whose in meeting.whose[name])
        overlap = np.array([value for meeting in crossed for value in meeting.overlaps[name]])
        sys.stdout.write(
            f"{name}: own {counts['own']}, partner {counts['partner']}, neither "
            f"{counts['neither']}; gaps, IoU >= 0.7: {(overlap >= 0.7).mean():.3f} of "
            f"{len(overlap)} frames\n"
        )


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]))
    else:
        sys.stdout.write("Left out: it needs a video, see the docstring.\n")
