"""Count the frames that were due while playing but never painted."""

from __future__ import annotations


class DropCount:
    """Compares what was due with what the view reports as painted.

    A frame painted late is not dropped; a frame that a later one overtook is. Frames are counted
    on through the laps of a loop.
    """

    def __init__(self) -> None:
        self.count = 0
        self._is_counting = False
        self._first = 0
        self._length: int | None = None
        self._due = 0
        self._seen = 0

    def begin(self, frame: int, loop: tuple[int, int] | None, *, is_counting: bool) -> None:
        """Start from a frame that is on screen."""
        self._is_counting = is_counting
        self._first = loop[0] if loop else 0
        self._length = loop[1] - loop[0] if loop else None
        self._due = self._seen = frame - self._first

    def due(self, frame: int, laps: int) -> None:
        """This frame should be on screen now, in the given lap of the loop."""
        self._due = frame - self._first + laps * (self._length or 0)

    def painted(self, frame: int) -> None:
        """This frame came on screen."""
        number = frame - self._first
        if self._length:
            number += self._due // self._length * self._length
            if number > self._due:
                number -= self._length
        if self._is_counting and self._seen < number <= self._due:
            self.count += number - self._seen - 1
            self._seen = number

    def end(self) -> None:
        """Playback halts on the frame that is due: it will still be painted, those before not."""
        if self._is_counting:
            self.count += max(0, self._due - self._seen - 1)
        self._seen = self._due
