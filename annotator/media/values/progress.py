"""Progress and cancellation of work on a file."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float], object]
"""Told the share done, 0..1, every few hundredths of a second.

What it raises ends the work: nothing was written by then, and the file is let go.
"""


def part_of(progress: Progress | None, start: float, end: float) -> Progress | None:
    """The progress of one of several works, which takes from ``start`` to ``end`` of the whole."""
    if progress is None:
        return None
    return lambda share: progress(start + share * (end - start))
