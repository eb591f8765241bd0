"""The points of one TAP-Vid example, to tracks and back: every frame is a mark."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import (
    IMPORTED_CODE,
    NO_MARK,
    OCCLUDED_BIT,
    OUTSIDE_BIT,
    SOURCE_BITS,
    PointInfo,
    PointPath,
    PointRun,
    PointTrack,
)
from annotator.domain.checks import Finding, Severity
from annotator.domain.checks.point_checks import point_place
from annotator.domain.commands import AddImported
from annotator.domain.errors import ExchangeError
from annotator.domain.ids import point_id
from annotator.domain.json_type import Json
from annotator.domain.plurals import many
from annotator.exchange.fractions import (
    DECIMALS,
    MAX_BEYOND,
    MAX_MARKS,
    kept_steps,
    to_fractions,
    to_pixels,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXTRA_KEY: Final = "tap_vid"
"""Where ``extra`` of videos and points keeps what came from such a file."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """Points on all frames of one video.

    ``points`` is float64 [n, frames, 2], (x, y) as fractions of width and height; ``occluded`` is
    bool [n, frames]. An occluded point may have no place (NaN). ``facts`` is what is kept of the
    video; ``styles``, one for each point, how its numbers are written: ``decimals`` (None: as many
    as it takes), ``hidden_zero`` (all zeros while it is occluded). ``is_exact`` says that numbers
    have to come back as float64, not as float32.
    """

    name: str
    path: str
    points: NDArray[np.float64]
    occluded: NDArray[np.bool_]
    styles: tuple[dict[str, Json], ...]
    facts: dict[str, Json] = field(default_factory=dict)
    is_exact: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def n_frames(self) -> int:
        return int(self.points.shape[1])


def checked_places(
    points: NDArray[np.float64], occluded: NDArray[np.bool_], path: str
) -> tuple[NDArray[np.float64], tuple[dict[str, Json], ...], tuple[Finding, ...]]:
    """Return places, the style of each point, and findings.

    What an occluded point has that cannot be a place is taken away, also zeros where it has nothing
    else. ExchangeError where a visible point is nowhere.
    """
    is_place = np.asarray((np.abs(points) <= MAX_BEYOND).all(axis=2))
    lost = np.argwhere(~is_place & ~occluded)
    if len(lost):
        number, frame = (int(v) for v in lost[0])
        text = f"Point {number} is visible on frame {frame} but has no position."
        raise ExchangeError(text, where=path)
    findings: list[Finding] = []
    if ((points[~occluded] < 0) | (points[~occluded] > 1)).any():
        text = "A visible point is outside the image; its position is kept."
        findings.append(Finding("point-outside", path, text))
    is_blank = ((points == 0) & ~np.signbit(points)).all(axis=2)
    is_zero = (is_blank | ~occluded).all(axis=1) & occluded.any(axis=1)
    is_place &= ~(is_zero[:, None] & occluded)
    places = points.copy()
    places[~is_place] = np.nan
    styles: list[dict[str, Json]] = [{"hidden_zero": True} if z else {} for z in is_zero.tolist()]
    return places, tuple(styles), tuple(findings)


def import_command(example: Example, document: Document) -> tuple[AddImported, tuple[Finding, ...]]:
    """Return the one command that adds the points of an example without an object.

    An ERROR among the findings says why they cannot be in this video; nothing is added then.
    """
    video = document.video
    problem = None
    if example.n_frames != video.n_frames:
        problem = (
            f"Frame count mismatch: {example.n_frames} for the points, {video.n_frames} "
            "for the video."
        )
    elif not (video.width and video.height):
        problem = "Cannot import points: the video has no image size."
    elif example.occluded.size > MAX_MARKS:
        problem = f"Too many points: more than {MAX_MARKS} point marks in one video."
    if problem:
        finding = Finding("other-video", example.path, problem, Severity.ERROR)
        return AddImported(()), (finding,)
    points = tuple(_point(example, document, i) for i in range(len(example.points)))
    extra: dict[str, Json] | None = None
    if example.facts:
        extra = {**video.extra, EXTRA_KEY: example.facts}
    return AddImported((), (), extra, points), ()


def example_of(document: Document) -> tuple[Example, tuple[Finding, ...]]:
    """Return the points of a document in the written form, and all changes."""
    video = document.video
    facts = _object(video.extra.get(EXTRA_KEY))
    tracks = document.points
    points = np.zeros((len(tracks), video.n_frames, 2))
    occluded = np.ones((len(tracks), video.n_frames), dtype=np.bool_)
    styles = tuple(_object(point.info.extra.get(EXTRA_KEY)) for point in tracks)
    findings: list[Finding] = []
    for i, point in enumerate(tracks):
        points[i], occluded[i], n_outside = _written(point, document)
        if styles[i].get("hidden_zero") is True:
            points[i, occluded[i]] = 0.0
        if n_outside:
            frames = many(n_outside, "frame")
            text = f"The point is outside the image on {frames}; exported as occluded."
            findings.append(Finding("point-outside", point_place(document, point), text))
    name = video.name.rpartition(".")[0] if "." in video.name.lstrip(".") else video.name
    return Example(name, name, points, occluded, styles, facts), tuple(findings)


def visible_frames(example: Example) -> list[int]:
    """Return the frames on which any point is visible, ascending."""
    return [int(frame) for frame in np.flatnonzero((~example.occluded).any(axis=0))]


def _point(example: Example, document: Document, index: int) -> PointTrack:
    video = document.video
    frames = np.arange(video.n_frames)
    values, hidden = example.points[index], example.occluded[index]
    flags = np.where(hidden, IMPORTED_CODE | OCCLUDED_BIT, IMPORTED_CODE).astype(np.uint8)
    size = (video.width, video.height)
    run = PointRun(0, to_pixels(values, size), flags)
    kept = dict(example.styles[index])
    if example.is_exact and "decimals" not in kept:
        has_place = ~np.isnan(values).any(axis=1)
        if steps := kept_steps(values[has_place], size, frames[has_place]):
            kept["steps"] = steps
    extra: dict[str, Json] = {EXTRA_KEY: kept} if kept else {}
    number = document.next_point_number() + index
    info = PointInfo(point_id(), None, f"point {number}", number, number - 1, extra=extra)
    return PointTrack(info, PointPath().with_run(run))


def _written(
    point: PointTrack, document: Document
) -> tuple[NDArray[np.float64], NDArray[np.bool_], int]:
    """Return places as fractions, occlusion, and how many places lie beyond the picture."""
    video = document.video
    size = (video.width, video.height)
    run = point.path.run(0, video.n_frames)
    steps = _object(_object(point.info.extra.get(EXTRA_KEY)).get("steps"))
    values = to_fractions(run.xy, size, np.arange(video.n_frames), steps)
    own = (run.flags & SOURCE_BITS) != IMPORTED_CODE
    for frame in np.flatnonzero(own):
        values[frame] = [round(v, DECIMALS) for v in values[frame].tolist()]
    has_place = ~np.isnan(values).any(axis=1)
    is_visible = (
        (run.flags != NO_MARK) & ((run.flags & (OCCLUDED_BIT | OUTSIDE_BIT)) == 0) & has_place
    )
    beyond = is_visible & own & ((values < 0) | (values > 1)).any(axis=1)
    # A hidden point has no valid place: the last known one is written.
    last = np.maximum.accumulate(np.where(has_place, np.arange(len(values)), -1))
    filled = np.where((last >= 0)[:, None], values[np.maximum(last, 0)], 0.0)
    return filled, ~(is_visible & ~beyond), int(beyond.sum())


def _object(value: Json | None) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
