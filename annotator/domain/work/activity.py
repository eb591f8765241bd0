"""Active time per person, task and stage, from the times of activity."""

from __future__ import annotations

from typing import Final, NamedTuple

from annotator.domain.ids import PersonId, TaskId
from annotator.domain.work.records import Instant

IDLE_MS: Final = 30_000


class Workplace(NamedTuple):
    """Task, stage and person that active time is counted for."""

    person_id: PersonId
    task_id: TaskId
    stage: str


class ActivityMeter:
    """Adds up the time between signs of life: input, playback, a moved playhead.

    Each sign stands for the 30 seconds after it: of a longer pause these count and the rest does
    not, nor does what happens while the window is in the background. A clock that jumps back adds
    nothing, one that jumps ahead no more than a pause. Times are milliseconds.
    """

    def __init__(self, idle_ms: int = IDLE_MS) -> None:
        self._idle_ms = idle_ms
        self._place: Workplace | None = None
        self._last: Instant | None = None
        self._counted: dict[Workplace, int] = {}

    def enter(self, place: Workplace | None, now: Instant) -> None:
        """Begin to count for another task, or for none; what ran until now is counted still."""
        if place != self._place:
            self.poke(now)
            self._place = place
            self._last = now

    def poke(self, now: Instant, *, is_background: bool = False) -> None:
        """Take a sign of life. In the background the time until now ends, and none begins."""
        if self._place is not None:
            passed = self._passed(now)
            if passed:
                self._counted[self._place] = self._counted.get(self._place, 0) + passed
        self._last = None if is_background else now

    def take(self) -> dict[Workplace, int]:
        """Return the milliseconds counted since this was asked last, to be written down."""
        counted, self._counted = self._counted, {}
        return counted

    def untaken_ms(self, place: Workplace, now: Instant) -> int:
        """Return what would be counted for a place if there were a sign of life now."""
        running = self._passed(now) if place == self._place else 0
        return self._counted.get(place, 0) + running

    def _passed(self, now: Instant) -> int:
        """Return how much of the time since the last sign of life counts."""
        return min(max(0, now - self._last), self._idle_ms) if self._last is not None else 0
