"""Selection of the frame to show when the window was late, and counting of dropped frames."""

from __future__ import annotations

from typing import Final

_LATE_S: Final = 0.09
"""So late a picture may come after its sound: the bound of what viewers accept by ITU-R BT.1359."""


class Cadence:
    """Compares what is due by the clock with what the view reports as painted.

    A window that was held up for a moment shows the frames of that moment late rather than never:
    one with each tick until it is on time again. Whoever is later than that cannot keep up: then
    what is due comes next, and the frames between count as dropped. A frame painted late is not
    dropped; a frame that a later one overtook is. Frames are counted on through the laps of a loop.
    """

    def __init__(self) -> None:
        self.n_dropped = 0
        self._is_counting = False
        self._first = 0
        self._length: int | None = None
        self._slack = 0
        self._is_beyond = False
        self._due = 0
        self._seen = 0

    def begin(
        self, frame: int, loop: tuple[int, int] | None, *, rate: float, is_counting: bool
    ) -> None:
        """Start from a frame that is on screen; ``rate`` is in frames for a second of play."""
        self._is_counting = is_counting
        self._first = loop[0] if loop else 0
        self._length = loop[1] - loop[0] if loop else None
        self._slack = max(1, int(_LATE_S * rate))
        self._is_beyond = False
        self._due = self._seen = frame - self._first

    def due(self, frame: int, laps: int, *, may_wait: bool = True) -> int:
        """Give the frame to show now that ``frame`` is due, in the given lap of the loop.

        Without ``may_wait`` it is the one that is due, whatever was not shown yet.
        """
        number = frame - self._first + laps * (self._length or 0)
        n_between = number - self._seen - 1
        self._is_beyond = n_between > 0 and (self._is_beyond or n_between > self._slack)
        is_next = self._is_beyond or n_between <= 0 or not may_wait
        if is_next or not self._is_counting:
            self._due = number
            return frame
        self._due = self._seen + 1
        return self._first + (self._due % self._length if self._length else self._due)

    def painted(self, frame: int) -> None:
        """This frame came on screen."""
        number = self._number(frame)
        if self._is_counting and self._seen < number <= self._due:
            self.n_dropped += number - self._seen - 1
            self._seen = number

    def missed(self, frame: int) -> None:
        """This frame cannot be shown: it is dropped and nobody waits for it."""
        number = self._number(frame)
        if self._is_counting and self._seen < number <= self._due:
            self.n_dropped += number - self._seen
            self._seen = number

    def end(self) -> None:
        """Playback halts on the frame that is due: it will still be painted, those before not."""
        if self._is_counting:
            self.n_dropped += max(0, self._due - self._seen - 1)
        self._seen = self._due

    def _number(self, frame: int) -> int:
        """Count of a frame painted lately, through the laps."""
        number = frame - self._first
        if self._length:
            number += self._due // self._length * self._length
            if number > self._due:
                number -= self._length
        return number
