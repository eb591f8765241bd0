"""Gallery of an object or a point: which frames to look at next, and which part of each picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.track import Track, unchecked_grid_frames
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.box_proposals import AHEAD_FRAMES, Proposed
from annotator.domain.proposals.point_proposals import ProposedPoint
from annotator.domain.proposals.runs import Suggestion

DOUBTFUL: Final = 0.9
"""Confidence below which a frame off the grid is worth a look."""
_SIDES: Final = 3.0  # boxes that fit side by side into the area
_LEAST_PX: Final = 64.0
_GRID_PARTS: Final = 4  # one look answers for a quarter of the grid step on either side
POINT_REACH: Final = 7
"""Frames on either side of a point's frame that one look answers for."""
_POINT_SHARE: Final = 1 / 14  # of the image's shorter side: the part around a point that matters


def grid_frames(
    track: Track, proposed_at: Callable[[int], Proposed | None], *, grid_step: int, n_frames: int
) -> list[int]:
    """Return the unchecked grid frames of an object, ascending.

    Among them are those before its first keyframe on which a box is proposed: once that is
    accepted the object begins there. ``grid_step`` 0 means that there is no grid.
    """
    if not track.frames or grid_step < 1:
        return []
    first = track.frames[0]
    start = -(-max(first - AHEAD_FRAMES, 0) // grid_step) * grid_step
    proposed = ((frame, proposed_at(frame)) for frame in range(start, first, grid_step))
    early = [frame for frame, one in proposed if one is not None and one.box is not None]
    return early + unchecked_grid_frames(track, step=grid_step, n_frames=n_frames)


def next_frames(
    track: Track,
    pending: Sequence[Proposed],
    grid: Sequence[int],
    *,
    grid_step: int,
    seen: Collection[int],
    limit: int,
) -> list[int]:
    """Return the frames of an object to look at next, ascending, at most ``limit``.

    These are the first frames of ``grid`` (see `grid_frames`) that are not in ``seen``, first those
    to which proposals reach before more are accepted. Room behind the last of them is filled with
    the proposals of lowest confidence, none of them close to a frame that was seen.
    """
    grid = [frame for frame in grid if frame not in seen]
    end = track.frames[-1] + AHEAD_FRAMES if track.frames else 0
    chosen = ([frame for frame in grid if frame <= end] or grid)[:limit]
    reach = max(1, grid_step // _GRID_PARTS)
    near = {frame + i for frame in (*seen, *chosen) for i in range(-reach, reach + 1)}
    # Before its first keyframe a track has not begun: that it is out of view says nothing.
    first = track.frames[0] if track.frames else 0
    doubtful = [
        p for p in pending if p.confidence < DOUBTFUL and (p.box is not None or p.frame > first)
    ]
    chosen += _doubtful_frames(doubtful, near, reach, limit - len(chosen))
    return sorted(chosen)


def next_point_frames(
    point: PointTrack, pending: Sequence[ProposedPoint], *, seen: Collection[int], limit: int
) -> list[int]:
    """Return the frames of a point to look at next, ascending, at most ``limit``.

    These are the proposals of lowest confidence, none of them close to a frame that was seen, and
    the nearest frame on which a person placed the point, to compare them with.
    """
    near = {frame + i for frame in seen for i in range(-POINT_REACH, POINT_REACH + 1)}
    doubtful = [p for p in pending if p.confidence < DOUBTFUL]
    chosen = _doubtful_frames(doubtful, near, POINT_REACH, limit - 1)
    human = point.path.human_frames().tolist()
    if chosen and human:
        chosen.append(min(human, key=lambda frame: abs(frame - min(chosen))))
    return sorted(chosen)


def _doubtful_frames(
    doubtful: Sequence[Suggestion], near: set[int], reach: int, limit: int
) -> list[int]:
    """Return the frames of the least certain proposals, not ``near`` and not near each other."""
    chosen: list[int] = []
    for proposed in sorted(doubtful, key=lambda p: (p.confidence, p.frame)):
        if len(chosen) >= limit:
            break
        if proposed.frame not in near:
            chosen.append(proposed.frame)
            near.update(range(proposed.frame - reach, proposed.frame + reach + 1))
    return chosen


def around_point(place: Point, size: tuple[int, int]) -> Box:
    """Return the box around a point that shows what it lies on, in pixels of a picture."""
    half = min(size) * _POINT_SHARE / 2
    return Box(place.x - half, place.y - half, place.x + half, place.y + half)


def area_around(box: Box | None, size: tuple[int, int], shape: float) -> Box:
    """Return the part of a picture that shows a box and its surroundings, in image pixels.

    ``size`` is that of the picture, width and height; ``shape`` is the width of the area by its
    height. The area lies inside the picture where it fits in; without a box it shows all of it.
    """
    width, height = size
    if box is None:
        high = max(height, width / shape)
        center_x, center_y = width / 2, height / 2
    else:
        high = max(_LEAST_PX, _SIDES * max(box.height, box.width / shape))
        high = min(high, max(height, width / shape))
        center_x, center_y = box.center.x, box.center.y
    wide = high * shape
    left, top = _placed(center_x, wide, width), _placed(center_y, high, height)
    return Box(left, top, left + wide, top + high)


def _placed(center: float, length: float, room: float) -> float:
    """Return where a length around a center begins within a room; in its middle if too long."""
    if length >= room:
        return (room - length) / 2
    return min(max(center - length / 2, 0.0), room - length)
