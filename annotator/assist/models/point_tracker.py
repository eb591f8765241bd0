"""A point tracker from a network of the user: frames and queries in, tracks out.

Each gap between two places of a point is followed from both, in stretches of as many frames as the
network takes; in between the nearer end counts more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from annotator.assist.models.box_tracker import loaded
from annotator.assist.models.manifest import Manifest, PointNetwork
from annotator.assist.models.network import MISSING, Network, is_runtime_there
from annotator.assist.pictures import FrameSource
from annotator.assist.protocol import Cancel
from annotator.domain.geometry import Point
from annotator.domain.proposals.point_proposals import ProposedPoint
from annotator.domain.proposals.runs import Origin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class _Gap(NamedTuple):
    """Frames ``start`` to ``stop`` (both given or the ends of the video) with the known places."""

    name: str
    start: int
    stop: int
    lower: Point | None
    upper: Point | None


class _Followed(NamedTuple):
    """Places [n, 2] in image pixels and how hidden the point is [n], 0 to 1, by frame."""

    xy: Floats
    hidden: Floats


class NetworkFollower:
    """Follows points with an added model."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self.name, self.title = f"model-{manifest.name}", manifest.title
        self._manifest, self._folder = manifest, folder

    def needs(self) -> list[str]:
        """Return what is missing to run the model."""
        return [] if is_runtime_there() else [MISSING]

    def origin(self) -> Origin:
        """Name the model, its version, and the hash of its file."""
        manifest = self._manifest
        about = {"model_sha256": manifest.sha256, "license": manifest.license}
        return Origin(self.name, manifest.version, {"model": manifest.name, **about})

    def propose_points(
        self,
        video: FrameSource,
        anchors: Mapping[str, Sequence[tuple[int, Point]]],
        span: tuple[int, int] | None = None,
        *,
        cancel: Cancel,
    ) -> Iterator[tuple[str, ProposedPoint]]:
        """Yield proposals by point name for every frame between two places of a point.

        A point with one place is followed from there within the span, by default to both ends of
        the video.
        """
        reach = span or (0, len(video))
        frames = _Frames(video, loaded(self._manifest, self._folder))
        for name, places in anchors.items():
            for gap in _gaps(name, sorted(places, key=lambda place: place[0]), reach):
                yield from _proposals(gap, frames, cancel)
                if cancel():
                    return


class _Frames:
    """Frames in the network's input format, and its results in image pixels."""

    def __init__(self, video: FrameSource, network: Network) -> None:
        about = network.manifest.network
        assert isinstance(about, PointNetwork)
        self._video, self._network, self._about = video, network, about
        height, width = video.image(0).shape[:2]
        self._scale = np.array([about.width / width, about.height / height])

    def follow(self, start: int, place: Point, stop: int, cancel: Cancel) -> _Followed:
        """Follow a point from a frame to another one, before or after it."""
        about, step = self._about, 1 if stop >= start else -1
        frame_numbers = list(range(start, stop + step, step))
        xy = np.full((len(frame_numbers), 2), np.nan)
        hidden = np.ones(len(frame_numbers))
        xy[0], hidden[0] = (place.x, place.y), 0.0
        at = 0
        while at < len(frame_numbers) - 1 and not cancel():
            part = frame_numbers[at : at + about.frames]
            places, unseen = self._run(part, xy[at])
            end = at + len(part)
            xy[at + 1 : end] = places[1 : len(part)]
            hidden[at + 1 : end] = unseen[1 : len(part)]
            # On from the last frame on which the point was seen, if that is any further.
            visible = np.flatnonzero(hidden[at + 1 : end] < 0.5)
            at += int(visible[-1]) + 1 if len(visible) else len(part) - 1
        return _Followed(xy, hidden)

    def _run(self, part: Sequence[int], place: Floats) -> tuple[Floats, Floats]:
        about = self._about
        size = (about.width, about.height)
        pictures = [
            cv2.resize(self._video.image(frame), size, interpolation=cv2.INTER_AREA)
            for frame in part
        ]
        # The last picture fills the missing ones.
        pictures += [pictures[-1]] * (about.frames - len(pictures))
        video = np.stack(pictures).astype(np.float32) / np.float32(255)
        video = video * np.float32(about.high - about.low) + np.float32(about.low)
        x, y = place * self._scale
        queries = np.array([[[0.0, y, x]]], np.float32)
        outputs = self._network.run({about.video: video[None], about.queries: queries})
        tracks = np.asarray(outputs[about.tracks][0, 0], np.float64) / self._scale
        visibility = 1 - _share(outputs[about.occlusion][0, 0])
        if about.distance:
            visibility *= 1 - _share(outputs[about.distance][0, 0])
        return tracks, 1 - visibility


def _share(logits: NDArray[np.float32]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -30, 30))))


def _gaps(name: str, places: Sequence[tuple[int, Point]], span: tuple[int, int]) -> Iterator[_Gap]:
    if not places:
        return
    (first, at_first), (last, at_last) = places[0], places[-1]
    if len(places) == 1 and first > span[0]:
        yield _Gap(name, span[0], first, None, at_first)
    if len(places) == 1 and last < span[1] - 1:
        yield _Gap(name, last, span[1] - 1, at_last, None)
    for (start, lower), (stop, upper) in pairwise(places):
        if stop - start > 1:
            yield _Gap(name, start, stop, lower, upper)


def _proposals(gap: _Gap, frames: _Frames, cancel: Cancel) -> Iterator[tuple[str, ProposedPoint]]:
    ahead = frames.follow(gap.start, gap.lower, gap.stop, cancel) if gap.lower else None
    back = frames.follow(gap.stop, gap.upper, gap.start, cancel) if gap.upper else None
    if cancel():
        return
    first = gap.start if gap.lower is None else gap.start + 1
    stop = gap.stop + 1 if gap.upper is None else gap.stop
    for frame in range(first, stop):
        from_start, from_stop = frame - gap.start, gap.stop - frame
        ends = [
            (path, distance, other)
            for path, distance, other in (
                (ahead, from_start, from_stop),
                (back, from_stop, from_start),
            )
            if path is not None
        ]
        # The weight of an end is the distance to the other one.
        weights = [other + 1.0 if len(ends) > 1 else 1.0 for _, _, other in ends]
        places = np.array([path.xy[at] for path, at, _ in ends])
        unseen = np.array([path.hidden[at] for path, at, _ in ends])
        hidden = float(np.average(unseen, weights=weights))
        xy = np.average(places, axis=0, weights=weights * np.maximum(1 - unseen, 1e-3))
        gap_px = float(np.linalg.norm(places[0] - places[-1]))
        is_hidden = bool(hidden >= 0.5)
        trust = max(hidden, 1 - hidden) / (1 + gap_px / 8)
        place = None if is_hidden or np.isnan(xy).any() else Point(float(xy[0]), float(xy[1]))
        yield gap.name, ProposedPoint(frame, place, is_hidden, float(np.clip(trust, 0.0, 1.0)))
