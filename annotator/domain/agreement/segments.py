"""Agreement on actions and sounds: the same label at nearly the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from annotator.domain.agreement.pairing import Assign, matched
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane, Segment

TIOU: Final = 0.5


def segment_f1(
    first: Document, second: Document, assign: Assign, tiou: float = TIOU
) -> float | None:
    """Return the share of segments that both have: 2 · both / (all of one + all of the other).

    Two are the same when lane and label are, and they share at least ``tiou`` of the frames that
    either covers. None when neither has any.
    """
    n = len(first.segments) + len(second.segments)
    return 2 * len(same_segments(first, second, assign, tiou)) / n if n else None


def same_segments(
    first: Document, second: Document, assign: Assign, tiou: float = TIOU
) -> list[tuple[Segment, Segment]]:
    """Return the segments that both documents have, as `segment_f1` counts them."""
    mine, theirs = _by_label(first), _by_label(second)
    pairs: list[tuple[Segment, Segment]] = []
    for key in mine.keys() & theirs.keys():
        one, other = _spans(mine[key]), _spans(theirs[key])
        shared = np.minimum(one[:, 1:], other[:, 1]) - np.maximum(one[:, :1], other[:, 0])
        lengths = np.diff(one, axis=1) + np.diff(other, axis=1).T
        overlap = np.maximum(shared, 0.0) / np.maximum(lengths - np.maximum(shared, 0.0), 1.0)
        found = matched(np.where(overlap >= tiou, overlap, 0.0), assign)
        pairs += [(mine[key][i], theirs[key][j]) for i, j in found]
    return pairs


def _by_label(document: Document) -> dict[tuple[Lane, str], list[Segment]]:
    found: dict[tuple[Lane, str], list[Segment]] = {}
    for segment in document.segments:
        found.setdefault((segment.lane, segment.label), []).append(segment)
    return found


def _spans(segments: Sequence[Segment]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([(s.start, s.end) for s in segments], dtype=np.float64)
