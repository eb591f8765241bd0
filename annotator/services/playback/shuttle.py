"""The speeds of playback and the ladder that J, K and L climb."""

from __future__ import annotations

MIN_SPEED = 0.1
MAX_SPEED = 4.0
_FASTER = (1.0, 2.0, 4.0)
_SLOWER = (0.5, 0.25, 0.1)


def next_shuttle(speed: float | None, is_slow: bool) -> float:
    """The next faster step after `speed`, or the next slower one; from rest (None) the first."""
    if is_slow:
        return next((step for step in _SLOWER if speed is None or step < speed), _SLOWER[-1])
    return next((step for step in _FASTER if speed is None or step > speed), _FASTER[-1])
