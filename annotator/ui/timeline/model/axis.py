"""The time axis: which frame and which second lies at which pixel. Plain numbers, no Qt.

Times come from the frame table alone, so a video of variable rate is laid out as it plays. A frame
owns the cell from its own time to that of the next frame; marks stand in the middle of the cell.
A sound without picture has no frames: milliseconds take their place.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A frame is never drawn wider than this where there is no sound, a sample never wider than that.
MAX_CELL_PX: Final = 60.0
MAX_SAMPLE_PX: Final = 12.0
# Margin beyond both ends of the axis.
AXIS_MARGIN_PX: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class TimeAxis:
    """A stretch of time shown on ``width`` logical pixels.

    ``edges`` is float64 [n + 1], seconds: where each frame begins, and where the last one ends.
    ``start_s`` and ``end_s`` are the seconds at the left and the right border. ``sample_rate`` is
    that of the sound (Hz), 0 where there is none: it bounds how far one can zoom in. ``before_s``
    and ``after_s`` are by how many seconds the sound begins before the video and ends after it:
    that much more can be shown.
    """

    edges: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))
    start_s: float = 0.0
    end_s: float = 1.0
    width: float = 1.0
    sample_rate: int = 0
    before_s: float = 0.0
    after_s: float = 0.0

    @classmethod
    def whole(cls, times: NDArray[np.float64], end_s: float, width: float) -> TimeAxis:
        """Return the axis that shows all frames of a video."""
        last = float(times[-1]) if len(times) else 0.0
        end = max(end_s, last + 1e-3)
        if not len(times):
            # A sound without a picture: the axis has a length, but no frames.
            return cls(np.array([end]), 0.0, end, max(1.0, width))
        edges = np.append(np.asarray(times, dtype=np.float64), end)
        return cls(edges, float(edges[0]), end, max(1.0, width))

    @property
    def n_frames(self) -> int:
        return len(self.edges) - 1

    @property
    def first_s(self) -> float:
        """Where the video begins, in seconds."""
        return float(self.edges[0]) if self.n_frames else 0.0

    @property
    def last_s(self) -> float:
        """Where the video ends, in seconds."""
        return float(self.edges[-1]) or 1.0

    @property
    def low_s(self) -> float:
        """The earliest moment that can be shown: where video or sound begins."""
        return self.first_s - self.before_s

    @property
    def high_s(self) -> float:
        """The latest moment that can be shown: where video or sound ends."""
        return self.last_s + self.after_s

    @property
    def scale(self) -> float:
        """Pixels per second."""
        return self.width / (self.end_s - self.start_s)

    @property
    def is_whole(self) -> bool:
        return self.start_s <= self.low_s and self.end_s >= self.high_s

    @property
    def shortest_s(self) -> float:
        """The shortest stretch that can be shown on this width, in seconds."""
        whole = self.last_s - self.first_s
        scale = max(MAX_CELL_PX * self.n_frames / whole, MAX_SAMPLE_PX * self.sample_rate)
        return min(self.high_s - self.low_s, self.width / scale) if scale else whole

    @property
    def typical_cell_px(self) -> float:
        """The width of a frame of average duration."""
        if not self.n_frames:
            return self.width
        return (self.last_s - self.first_s) / self.n_frames * self.scale

    def x_of_time(self, seconds: float) -> float:
        return (seconds - self.start_s) * self.scale

    def time_at(self, x: float) -> float:
        return self.start_s + x / self.scale

    def frame_at(self, x: float) -> int:
        """Return the frame whose cell lies at a pixel; outside the video the first or last."""
        return self.frame_at_time(self.time_at(x))

    def frame_at_time(self, seconds: float) -> int:
        if not self.n_frames:
            return round(min(max(seconds, 0.0), self.last_s) * 1000)
        found = int(np.searchsorted(self.edges, seconds, side="right")) - 1
        return min(max(found, 0), max(0, self.n_frames - 1))

    def left_of(self, frame: int) -> float:
        """Return the pixel where a frame's cell begins; ``n_frames`` gives the end of the video."""
        if not self.n_frames:
            return self.x_of_time(frame / 1000)
        return self.x_of_time(float(self.edges[min(max(frame, 0), self.n_frames)]))

    def middle_of(self, frame: int) -> float:
        """Return the pixel in the middle of a frame's cell."""
        return (self.left_of(frame) + self.left_of(frame + 1)) / 2

    def lefts_of(self, frames: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return `left_of` for many frames."""
        return (self.edges[np.clip(frames, 0, self.n_frames)] - self.start_s) * self.scale

    def middles_of(self, frames: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return `middle_of` for many frames."""
        return (self.lefts_of(frames) + self.lefts_of(frames + 1)) / 2

    def visible_frames(self) -> tuple[int, int]:
        """Return the half-open span of frames with a part of their cell in sight."""
        if not self.n_frames:
            return (0, 0)
        margin = AXIS_MARGIN_PX
        return (self.frame_at(-margin), self.frame_at(self.width + margin) + 1)

    def with_sound(self, rate: int, before_s: float, after_s: float) -> TimeAxis:
        """Return the axis with room for another sound; all is in sight if all was before."""
        axis = replace(self, sample_rate=rate, before_s=before_s, after_s=after_s)
        return axis.fitted() if self.is_whole else axis.showing(self.start_s, self.end_s)

    def with_width(self, width: float) -> TimeAxis:
        return replace(self, width=max(1.0, width))

    def showing(self, start_s: float, end_s: float) -> TimeAxis:
        """Return the axis for another range, kept within the limits and not too short."""
        whole = self.high_s - self.low_s
        length = min(max(end_s - start_s, self.shortest_s), whole)
        middle = (start_s + end_s) / 2
        start = start_s if length == end_s - start_s else middle - length / 2
        start = min(max(start, self.low_s), self.high_s - length)
        return replace(self, start_s=start, end_s=start + length)

    def fitted(self) -> TimeAxis:
        return replace(self, start_s=self.low_s, end_s=self.high_s)

    def zoomed(self, factor: float, x: float) -> TimeAxis:
        """Return the axis magnified by a factor, with the moment at ``x`` staying there."""
        anchor = self.time_at(x)
        whole = self.high_s - self.low_s
        length = min(max((self.end_s - self.start_s) / factor, self.shortest_s), whole)
        start = anchor - x / self.width * length
        return self.showing(start, start + length)

    def scrolled(self, dx: float) -> TimeAxis:
        """Return the axis scrolled by pixels; its content moves left."""
        shift = dx / self.scale
        return self.showing(self.start_s + shift, self.end_s + shift)

    def following(self, frame: int, *, pages: bool) -> TimeAxis:
        """Return the axis that shows a frame; unchanged if it is visible already.

        ``pages`` turns the page as during playback: the frame appears near the border it comes
        from; otherwise it is centered.
        """
        if not self.n_frames:
            return self
        left, right = self.left_of(frame), self.left_of(frame + 1)
        if left >= 0 and right <= self.width + 0.5:
            return self
        if right - left > self.width / 2 and left < self.width and right > 0:
            # One frame fills the view: any part of it will do.
            return self
        length = self.end_s - self.start_s
        at = float(self.edges[min(max(frame, 0), self.n_frames)])
        share = 0.5
        if pages:
            share = 0.06 if right > self.width else 0.94
        return self.showing(at - share * length, at + (1 - share) * length)

    def following_time(self, seconds: float) -> TimeAxis:
        """Return the axis that has a moment in sight, the same where it has it already."""
        if self.start_s <= seconds <= self.end_s:
            return self
        length = self.end_s - self.start_s
        share = 0.06 if seconds > self.end_s else 0.94
        return self.showing(seconds - share * length, seconds + (1 - share) * length)
