"""Proposals in videos with cuts: scenes with known boxes and points, interrupted by another one.

Run as ``python -m tests.benchmarks.bench_shots FOLDER OTHER_FOLDER [fade=N | dissolve=N]`` on
scenes of one size (see `truth_scenes`): each shot fades to black and comes from black within N
frames, or they dissolve into each other. Objects are followed from one box, and between two boxes
with both cuts between; so are points, those of an object together. A box is right when its IoU is
at least 0.7, a point within 4 pixels of 256; out of view is right where the object is, and
occluded, too, for points.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import cycle
from math import hypot
from pathlib import Path
from typing import NamedTuple

import numpy as np
from av import VideoFrame

from annotator.assist import propose, propose_points, use_threads
from annotator.assist.boxes.arrays import Floats, from_box, iou
from annotator.domain.geometry import Box
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.domain.proposals.point_proposals import ProposedPoint
from annotator.media import Video
from annotator.media.decode.convert import CompactImage
from annotator.media.index.frame_table import Orientation
from tests.benchmarks.scenes import DecodedPictures
from tests.benchmarks.truth_scenes import TruthObject, TruthPoint, TruthScene, read_scenes

_START, _CUT, _END = 40, 100, 240
_OTHER = range(60, 140)  # frames of the other scene
_GOOD = 0.7
_GOOD_PX = 4.0
_EVERY_POINT = 3  # of so many points of a scene one is followed
_SURE = 0.7
_PARTS = ("before", "other shot", "after")


class Checked(NamedTuple):
    """A proposal: how it was asked for, in which part of the video, and whether it is right."""

    method: str
    part: str
    is_right: bool
    confidence: float


def measure(
    scenes: tuple[TruthScene, TruthScene], fade: int = 0, dissolve: int = 0
) -> list[Checked]:
    """Follow the objects and points of the first scene, which the other one interrupts.

    ``fade`` and ``dissolve`` are numbers of frames; without both there are cuts.
    """
    use_threads(1)
    scene, other = scenes
    with Video(scene.video) as video, Video(other.video) as between:
        shot = [video.compact(frame) for frame in range(len(video))]
        parts = [shot[:_CUT], [between.compact(frame) for frame in _OTHER], shot[_CUT:]]
        pictures = [picture for part in parts for picture in _faded(part, fade)]
        for i in range(dissolve):
            at, share = i - dissolve // 2, (i + 1) / (dissolve + 1)
            pair = shot[_CUT + at], between.compact(_OTHER.start + at)
            pictures[_CUT + at] = _mixed(*pair, share)
            pair = between.compact(_OTHER.stop + at), shot[_CUT + at]
            pictures[_CUT + len(_OTHER) + at] = _mixed(*pair, share)
    edited = DecodedPictures(scene.name, pictures)
    boxes = [checked for each in scene.objects for checked in _follow(edited, each)]
    points = [_interrupted(point) for point in scene.points[::_EVERY_POINT]]
    teams = [[p for p in points if p.object_id == x] for x in {p.object_id for p in points}]
    return boxes + [checked for team in teams for checked in _follow_points(edited, team)]


def _faded(pictures: Sequence[CompactImage], n_frames: int) -> list[CompactImage]:
    """Let a shot come from black and end in black, within frames each."""
    n = len(pictures)
    if n_frames:
        shares = [min(1.0, i / n_frames, (n - 1 - i) / n_frames) for i in range(n)]
        pictures = [_darker(*pair) for pair in zip(pictures, shares, strict=True)]
    return list(pictures)


def _darker(picture: CompactImage, share: float) -> CompactImage:
    return picture if share == 1.0 else _encoded(picture.rgb() * share)


def _mixed(one: CompactImage, other: CompactImage, share: float) -> CompactImage:
    return _encoded(one.rgb() * (1 - share) + other.rgb() * share)


def _encoded(rgb: Floats) -> CompactImage:
    return CompactImage(VideoFrame.from_ndarray(np.asarray(rgb, np.uint8)), Orientation())


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
    return Checked(method, _part(proposal.frame), is_right, proposal.confidence)


def _interrupted(point: TruthPoint) -> TruthPoint:
    """Return a point that is hidden, without a place, on the frames of the other scene."""
    n = len(_OTHER)
    xy = (*point.xy[:_CUT], *([None] * n), *point.xy[_CUT:])
    occluded = (*point.occluded[:_CUT], *([True] * n), *point.occluded[_CUT:])
    return replace(point, xy=xy, occluded=occluded)


def _follow_points(edited: DecodedPictures, team: list[TruthPoint]) -> list[Checked]:
    """Follow the points of one object together."""
    height, width = edited.image(0).shape[:2]
    found = []
    for method, ends in (("one place", [_START]), ("two places", [_START, _END])):
        points = {p.id: p for p in team if all(_is_seen(p, frame) for frame in ends)}
        anchors = {key: [(frame, p.place(frame)) for frame in ends] for key, p in points.items()}
        stop = len(edited) if len(ends) == 1 else _END
        proposals = propose_points(edited, anchors, (_START, stop))
        for (key, frame), proposal in {(key, p.frame): p for key, p in proposals}.items():
            truth = points[key]
            is_right = proposal.occluded or proposal.xy is None
            if _is_seen(truth, frame):
                is_right = not is_right and _apart(proposal, truth, width, height) <= _GOOD_PX
            found.append(Checked(method, _part(frame), is_right, proposal.confidence))
    return found


def _is_seen(point: TruthPoint, frame: int) -> bool:
    return point.xy[frame] is not None and not point.occluded[frame]


def _apart(proposal: ProposedPoint, truth: TruthPoint, width: int, height: int) -> float:
    """Return how far the proposal is off, in pixels of 256 x 256."""
    place = truth.place(proposal.frame)
    assert proposal.xy is not None
    return 256 * hypot((proposal.xy.x - place.x) / width, (proposal.xy.y - place.y) / height)


def _part(frame: int) -> str:
    return _PARTS[(frame >= _CUT) + (frame >= _CUT + len(_OTHER))]


def main(folder: Path, other_folder: Path, **between: int) -> None:
    """Print the share of right proposals before, in and after the other shot."""
    pairs = list(zip(read_scenes(folder), cycle(read_scenes(other_folder)), strict=False))
    with ProcessPoolExecutor(2) as pool:
        rows = [row for part in pool.map(partial(measure, **between), pairs) for row in part]
    for method in dict.fromkeys(row.method for row in rows):
        for part in _PARTS:
            mine = [row for row in rows if (row.method, row.part) == (method, part)]
            right = np.array([row.is_right for row in mine])
            is_sure = np.array([row.confidence >= _SURE for row in mine])
            sys.stdout.write(
                f"{method:11}{part:11}{len(mine):6} proposals, right {right.mean():.3f}; "
                f"confidence of {_SURE} and more {is_sure.mean():.2f}, "
                f"of which right {right[is_sure].mean():.3f}\n"
            )


if __name__ == "__main__":
    if len(sys.argv) in (3, 4):
        asked = (text.split("=") for text in sys.argv[3:])
        main(Path(sys.argv[1]), Path(sys.argv[2]), **{key: int(n) for key, n in asked})
    else:
        sys.stdout.write("Left out: it needs two folders of scenes, see the docstring.\n")
