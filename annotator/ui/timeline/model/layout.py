"""Layout of the timeline: rows, gutter, header, hit testing, without Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import accumulate
from typing import Final

from annotator.ui.timeline.model.axis import AXIS_MARGIN_PX
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.model.rows import LANE_PX, Row, row_height

OVERVIEW_PX: Final = 40
RULER_PX: Final = 36
# Overview and ruler; the strips of sound stand below.
RULER_END_PX: Final = OVERVIEW_PX + RULER_PX
_DIVIDER_REACH_PX: Final = 4
_GUTTER_PX: Final = 176
_GUTTER_SHARE: Final = 0.3
_LEAST_ROOM_PX: Final = 2 * LANE_PX  # of rows that scroll below rows that do not


class Zone(Enum):
    """A part of the timeline."""

    CORNER = "corner"
    OVERVIEW = "overview"
    RULER = "ruler"
    WAVEFORM = "waveform"
    SPECTROGRAM = "spectrogram"
    GUTTER = "gutter"
    LANES = "lanes"


@dataclass(frozen=True, slots=True)
class Strips:
    """How high the strips of sound between ruler and lanes are, in logical pixels; 0: hidden."""

    waveform: int = 0
    spectrogram: int = 0

    @property
    def height(self) -> int:
        return self.waveform + self.spectrogram


@dataclass(frozen=True, slots=True)
class TimelineLayout:
    """The geometry of a timeline of ``width`` x ``height`` logical pixels.

    ``rows`` are the lanes from top to bottom; lanes of segments come first and stay where they are,
    if there is room for others below them. ``scroll`` pixels of the others lie above the border.
    ``bar`` is the width of the scroll bar at the right, 0 where there is none. ``offsets`` follows
    from the rows: where each begins, and where the last one ends; so does ``n_segment_rows``.
    """

    width: int = 1
    height: int = 1
    rows: Sequence[Row] = field(default=())
    scroll: int = 0
    bar: int = 0
    strips: Strips = field(default=Strips())
    offsets: tuple[int, ...] = field(default=(), repr=False)
    n_segment_rows: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        if len(self.offsets) != len(self.rows) + 1:
            ends = accumulate((row_height(row) for row in self.rows), initial=0)
            object.__setattr__(self, "offsets", tuple(ends))
            n = sum(1 for row in self.rows if isinstance(row, SegmentLane))
            object.__setattr__(self, "n_segment_rows", n)

    @property
    def header(self) -> int:
        """The height of all that does not scroll: overview, ruler and strips of sound."""
        return RULER_END_PX + self.strips.height

    @property
    def gutter(self) -> int:
        """The width of the names' column."""
        return min(_GUTTER_PX, round(self.width * _GUTTER_SHARE))

    @property
    def axis_left(self) -> int:
        """Where the axis begins: beside the gutter, so that a mark on its first frame is whole."""
        return self.gutter + AXIS_MARGIN_PX

    @property
    def axis_width(self) -> int:
        """The width of the axis, without the margins at its ends."""
        return max(1, self.lanes_width - 2 * AXIS_MARGIN_PX)

    @property
    def lanes_width(self) -> int:
        """The width of the part that shows time, with the margins."""
        return max(1, self.width - self.gutter - self.bar)

    @property
    def lanes_height(self) -> int:
        return max(0, self.height - self.header)

    @property
    def n_fixed(self) -> int:
        """The number of rows at the top that do not scroll."""
        room = self.lanes_height - _LEAST_ROOM_PX
        return self.n_segment_rows if self.offsets[self.n_segment_rows] <= room else 0

    @property
    def border(self) -> int:
        """The y from which on rows scroll."""
        return self.header + self.offsets[self.n_fixed]

    def border_of(self, row: int) -> int:
        """Return the y (logical pixels) above which nothing of a row is seen."""
        return self.header if row < self.n_fixed else self.border

    @property
    def max_scroll(self) -> int:
        return max(0, self.offsets[-1] - self.lanes_height)

    def scrolled(self, scroll: int) -> TimelineLayout:
        return replace(self, scroll=min(max(0, scroll), self.max_scroll))

    def with_rows(self, rows: Sequence[Row]) -> TimelineLayout | None:
        """Return the layout with other rows of the very same heights; None where they differ."""
        other = replace(self, rows=rows, offsets=())
        return other if other.offsets == self.offsets else None

    def visible_rows(self) -> list[int]:
        """Return the indices of the rows with a part in sight."""
        n, n_fixed = len(self.rows), self.n_fixed
        start = self.scroll + self.border - self.header
        first = max(n_fixed, bisect_right(self.offsets, start) - 1)
        last = bisect_right(self.offsets, self.scroll + self.lanes_height - 1)
        return [*range(n_fixed), *range(min(first, n), min(last, n))]

    def top_of(self, row: int) -> int:
        """Return the y of a row's upper border; the number of rows gives where the last ends."""
        top = self.header + self.offsets[row]
        return top if row < self.n_fixed else top - self.scroll

    def height_of(self, row: int) -> int:
        return self.offsets[row + 1] - self.offsets[row]

    def row_at(self, y: float) -> int | None:
        """Return the row at a height, None above and below the lanes."""
        if y < self.header:
            return None
        scroll = 0 if y < self.border else self.scroll
        row = bisect_right(self.offsets, int(y - self.header + scroll)) - 1
        return row if 0 <= row < len(self.rows) else None

    def zone_at(self, x: float, y: float) -> Zone:
        if y < self.header:
            if x < self.gutter:
                return Zone.CORNER
            if y < RULER_END_PX:
                return Zone.OVERVIEW if y < OVERVIEW_PX else Zone.RULER
            is_waveform = y < RULER_END_PX + self.strips.waveform
            return Zone.WAVEFORM if is_waveform else Zone.SPECTROGRAM
        return Zone.GUTTER if x < self.gutter else Zone.LANES

    def divider_at(self, y: float) -> Zone | None:
        """Return the strip whose lower edge lies at a height, to be dragged."""
        if self.strips.spectrogram and abs(y - self.header) <= _DIVIDER_REACH_PX:
            return Zone.SPECTROGRAM
        edge = RULER_END_PX + self.strips.waveform
        if self.strips.waveform and abs(y - edge) <= _DIVIDER_REACH_PX:
            return Zone.WAVEFORM
        return None

    def showing(self, row: int) -> TimelineLayout:
        """Return the layout scrolled as little as needed to have a whole row in sight."""
        if row < self.n_fixed:
            return self
        fixed_px = self.border - self.header
        top, bottom = self.offsets[row], self.offsets[row + 1]
        if top < self.scroll + fixed_px:
            return self.scrolled(top - fixed_px)
        if bottom > self.scroll + self.lanes_height:
            return self.scrolled(bottom - self.lanes_height)
        return self
