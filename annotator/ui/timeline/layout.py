"""Where the parts of the timeline lie: rows, gutter, header; and what a point belongs to. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, TypeAlias

from annotator.domain.track import Track
from annotator.ui.timeline.axis import AXIS_MARGIN_PX
from annotator.ui.timeline.lanes import SegmentLane

Row: TypeAlias = "Track | SegmentLane"

OVERVIEW_PX: Final = 24
RULER_PX: Final = 36
LANE_PX: Final = 26
HEADER_PX: Final = OVERVIEW_PX + RULER_PX
_GUTTER_PX: Final = 176
_GUTTER_SHARE: Final = 0.3


class Zone(Enum):
    """A part of the timeline."""

    CORNER = "corner"
    OVERVIEW = "overview"
    RULER = "ruler"
    GUTTER = "gutter"
    LANES = "lanes"


@dataclass(frozen=True, slots=True)
class Layout:
    """The geometry of a timeline of ``width`` x ``height`` logical pixels.

    ``rows`` are the lanes from top to bottom; ``scroll`` pixels of them lie above the border.
    ``bar`` is the width of the scroll bar at the right, 0 where there is none.
    """

    width: int = 1
    height: int = 1
    rows: Sequence[Row] = field(default=())
    scroll: int = 0
    bar: int = 0

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
        return max(0, self.height - HEADER_PX)

    @property
    def max_scroll(self) -> int:
        return max(0, len(self.rows) * LANE_PX - self.lanes_height)

    def scrolled(self, scroll: int) -> Layout:
        return replace(self, scroll=min(max(0, scroll), self.max_scroll))

    def visible_rows(self) -> range:
        """Return the indices of the rows with a part in sight."""
        first = self.scroll // LANE_PX
        last = -(-(self.scroll + self.lanes_height) // LANE_PX)
        return range(min(first, len(self.rows)), min(last, len(self.rows)))

    def top_of(self, row: int) -> int:
        """Return the y of a row's upper border."""
        return HEADER_PX + row * LANE_PX - self.scroll

    def row_at(self, y: float) -> int | None:
        """Return the row at a height, None above and below the lanes."""
        if y < HEADER_PX:
            return None
        row = int(y - HEADER_PX + self.scroll) // LANE_PX
        return row if row < len(self.rows) else None

    def zone_at(self, x: float, y: float) -> Zone:
        if y < HEADER_PX:
            if x < self.gutter:
                return Zone.CORNER
            return Zone.OVERVIEW if y < OVERVIEW_PX else Zone.RULER
        return Zone.GUTTER if x < self.gutter else Zone.LANES

    def showing(self, row: int) -> Layout:
        """Return the layout scrolled as little as needed to have a whole row in sight."""
        top = row * LANE_PX
        if top < self.scroll:
            return self.scrolled(top)
        if top + LANE_PX > self.scroll + self.lanes_height:
            return self.scrolled(top + LANE_PX - self.lanes_height)
        return self
