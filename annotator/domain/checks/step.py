"""A piece of a check, small enough to be carried out between two events of a window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track
from annotator.domain.checks.finding import Finding


class CheckStep(NamedTuple):
    """Finds what ``find`` finds, as long as each of ``subjects`` is the very same object.

    ``key`` tells what it looks at, the same from check to check.
    """

    key: tuple[str, str]
    subjects: tuple[object, ...]
    find: Callable[[], Iterable[Finding]]


def place(document: Document, track: Track) -> str:
    """Return how findings name a track: video, number and label."""
    return f"{document.video.name}, track {track.info.number} “{track.label}”"
