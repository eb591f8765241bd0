"""The points of one video as such files have them, made sure of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.checks import Finding
from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.fractions import MAX_BEYOND

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
