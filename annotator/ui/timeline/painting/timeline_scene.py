"""Everything the timeline paints, as one value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from annotator.domain.ids import PointId, SegmentId, TrackId
from annotator.ui.look.theme import Theme
from annotator.ui.state.selection import Edge
from annotator.ui.timeline.model.axis import TimeAxis
from annotator.ui.timeline.model.lane_contents import LaneStore
from annotator.ui.timeline.model.layout import TimelineLayout
from annotator.ui.timeline.painting.film_painter import Film
from annotator.ui.timeline.painting.mark_painter import MarkPictures

if TYPE_CHECKING:
    from annotator.services.session import Session
    from annotator.services.sound.soundscape import Scale, Soundscape
    from annotator.ui.state.selection import LabelChoice

_USUAL_GRID_STEP = 30


@dataclass(frozen=True, slots=True)
class SoundLook:
    """How the spectrogram is drawn; see ``services.soundscape.Look``."""

    scale: Scale = "mel"
    gain_db: float = 20.0
    range_db: float = 80.0
    colors: str = "lagoon"


@dataclass(frozen=True, slots=True)
class TimelineScene:
    """Everything but the playhead. Spans are half-open in frames; ``ratio`` is the screen's.

    ``small_pt`` is the size of the small text beside the strips.
    """

    theme: Theme
    session: Session | None
    lanes: LaneStore
    marks: MarkPictures
    axis: TimeAxis
    whole: TimeAxis
    layout: TimelineLayout
    selected: Sequence[TrackId]
    segments: Sequence[SegmentId]
    ratio: float
    loaded: Collection[tuple[int, int]] = ()
    range: tuple[int, int] | None = None
    answers: tuple[tuple[int, int], ...] = ()
    loop: tuple[int, int] | None = None
    sound: Soundscape | None = None
    look: SoundLook = SoundLook()
    is_muted: bool = False
    small_pt: float = 8.0
    film: Film = field(default_factory=Film)
    points: Collection[PointId] = ()
    edge: Edge = "start"
    dragged: Collection[SegmentId] = ()
    folded: Collection[TrackId] = ()
    labels: LabelChoice | None = None

    @property
    def grid_step(self) -> int:
        """Every how many frames the annotation grid has a line."""
        return self.session.document.video.grid_step if self.session else _USUAL_GRID_STEP

    @property
    def glowing(self) -> frozenset[TrackId]:
        """The objects that play a role in a selected segment."""
        if self.session is None:
            return frozenset()
        found = map(self.session.document.find_segment, self.segments)
        return frozenset(t for segment in found if segment is not None for t in segment.objects)

    def has_points(self, track_id: TrackId) -> bool:
        """Return whether an object has points, with lanes of their own or folded away."""
        return self.session is not None and bool(self.session.document.points_of(track_id))

    @property
    def primary_keys(self) -> tuple[int, ...]:
        """The keyframes of the track chosen last."""
        if self.session is None or not self.selected:
            return ()
        track = self.session.document.find_track(self.selected[-1])
        return track.frames if track is not None else ()

    def crisp(self, x: float) -> float:
        """Return the nearest place where a line covers whole device pixels."""
        return (round(x * self.ratio) + 0.5) / self.ratio
