"""State of the player, and the protocol of its audio output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from annotator.media.audio.clock import Course
    from annotator.media.audio.output import AudioUnavailable


@dataclass(frozen=True, slots=True)
class PlayerState:
    """State of playback for views. `frame` is the one that is due; `time_s` is media time.

    `is_exact` is False while scrubbing: the nearest picture will do. `dropped` counts frames that
    were due but never painted at speeds up to 1. Without picture `frame` stays 0.
    """

    frame: int
    time_s: float
    is_playing: bool
    speed: float
    loop: tuple[int, int] | None
    loop_s: tuple[float, float] | None
    dropped: int
    is_silent: bool
    is_exact: bool
    notice: str | None


class SoundOutput(Protocol):
    """Protocol of the audio output; `AudioOutput` is the real one. No call blocks."""

    trouble: AudioUnavailable | None

    def wake(self) -> None: ...
    def prepare(self, course: Course, end_s: float) -> None: ...
    def go(self) -> None: ...
    def elapsed(self) -> float: ...
    def stop(self) -> None: ...
    def snippet(self, start_s: float, end_s: float) -> None: ...
    def set_volume(self, volume: float) -> None: ...
    def close(self) -> None: ...
