"""Measured signs of errors in one document: boxes that jump, roles far apart, answers that differ.

Unlike facts they need the whole document, so they are computed once for each state of a video and
kept. Each detector of signs compares their values with its limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from annotator.domain.agreement.documents import places
from annotator.domain.annotation.segment import Lane
from annotator.domain.questions.grounding_rules import RuleFacts
from annotator.domain.questions.items.bank import BLANK
from annotator.domain.questions.items.grounded import answers_to
from annotator.domain.recipes.recipe import Tool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.annotation.document import Document
    from annotator.domain.annotation.segment import Segment
    from annotator.domain.annotation.track import Track
    from annotator.domain.ids import TrackId
    from annotator.domain.questions.items.bank import Bank, Template
    from annotator.domain.questions.items.grounded import GroundedRule
    from annotator.domain.questions.items.item import Item

JUMP: Final = "jump"
APART: Final = "apart-objects"
ANSWER: Final = "answer-contradicts"

_LEAST_JUMP: Final = 0.5
_LEAST_GAP: Final = 0.02
_LOOKS: Final = 30
_TOOLS: Final = {Lane.ACTION: Tool.ACTIONS, Lane.SOUND: Tool.SOUNDS}
_WORDS: Final = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SEPARATOR: Final = re.compile(r"\s*(?:,|;|→|\bthen\b|\band\b)\s*", re.IGNORECASE)


class Signal(NamedTuple):
    """A measured sign of an error; its detector compares ``value`` with the limit.

    ``mark_id`` is the track or segment that ``tool`` drew, "" for a question.
    """

    detector: str
    mark_id: str
    tool: Tool | None
    frame: int
    value: float
    text: str


def signs_of(
    document: Document, items: Iterable[Item], rules: Sequence[GroundedRule], bank: Bank | None
) -> Iterator[Signal]:
    """Yield the signs in a document and in the finished questions about its video."""
    for track in document.tracks:
        yield from _jump(track)
    for segment in document.segments:
        yield from _apart(document, segment)
    yield from _contradictions(document, items, rules, bank)


def _jump(track: Track) -> Iterator[Signal]:
    """Yield the farthest that a box leaves both its neighbors, which are near each other.

    In sizes of the box (root of its area).
    """
    best: tuple[float, int] = (0.0, 0)
    keys = track.keyframes
    for one, middle, other in zip(keys, keys[1:], keys[2:], strict=False):
        if one.box is None or middle.box is None or other.box is None:
            continue
        boxes = one.box, middle.box, other.box
        size = sum((box.width * box.height) ** 0.5 for box in boxes) / 3
        if size <= 0:
            continue
        before, at, after = (np.array([box.center.x, box.center.y]) for box in boxes)
        away = min(np.linalg.norm(at - before), np.linalg.norm(at - after))
        value = float(away - np.linalg.norm(after - before)) / size
        best = max(best, (value, middle.frame))
    value, frame = best
    if value >= _LEAST_JUMP:
        text = f"“{track.label}” jumps {value:.1f} box sizes away and back."
        yield Signal(JUMP, track.id, Tool.BOXES, frame, round(value, 2), text)


def _apart(document: Document, segment: Segment) -> Iterator[Signal]:
    """Yield how far the object of a role stays from all the others, in diagonals of the image."""
    tracks = {slot: document.find_track(slot) for slot in segment.slots if slot}
    present_tracks = [track for track in tracks.values() if track is not None]
    if len(present_tracks) < 2:
        return
    n = max(1, segment.end - segment.start)
    looks = segment.start + np.unique(np.linspace(0, n - 1, min(n, _LOOKS)).astype(np.int64))
    boxes = [places(track, looks) for track in present_tracks]
    diagonal = float(np.hypot(document.video.width, document.video.height)) or 1.0
    for i, track in enumerate(present_tracks):
        gaps = [_least_gap(boxes[i], other) for j, other in enumerate(boxes) if j != i]
        present_gaps = [gap for gap in gaps if gap is not None]
        if not present_gaps or min(present_gaps) / diagonal < _LEAST_GAP:
            continue
        value = min(present_gaps) / diagonal
        text = f"“{segment.label}”: “{track.label}” stays {value:.0%} of the image away."
        yield Signal(APART, segment.id, _TOOLS[segment.lane], segment.start, round(value, 3), text)


def _least_gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    """Return the least distance of two boxes [frames, 4], 0 where they touch; None if never both
    are there.
    """
    apart = np.maximum(0.0, np.maximum(one[:, :2] - other[:, 2:], other[:, :2] - one[:, 2:]))
    gaps = np.linalg.norm(apart, axis=1)
    gaps = gaps[~np.isnan(gaps)]
    return float(gaps.min()) if len(gaps) else None


def _contradictions(
    document: Document, items: Iterable[Item], rules: Sequence[GroundedRule], bank: Bank | None
) -> Iterator[Signal]:
    """Yield answers that are others when rules compute them from the tracks as they are now."""
    facts = RuleFacts(document)
    by_key = {rule.key: rule for rule in rules}
    for item in items:
        rule = by_key.get(str(item.source.get("rule", "")))
        if rule is not None and item.track_ids:
            now = answers_to(rule, facts)
            if set(now) != set(item.track_ids):
                lost, more = set(item.track_ids) - set(now), set(now) - set(item.track_ids)
                text = f"“{item.text}”: {_named(facts, more)} missing, {_named(facts, lost)} extra."
                yield Signal(ANSWER, item.id, None, 0, 1.0, text)
            continue
        template = _template_of(item, bank)
        right = _right_text(item)
        if template is None or right is None:
            continue
        if template.counts is not None:
            n = sum(template.counts(facts, track) for track in facts.tracks)
            if not _is_number(right, n):
                text = f"“{item.text}” is answered “{right}”; the tracks say {n}."
                yield Signal(ANSWER, item.id, None, 0, 1.0, text)
        if template.lists is not None:
            expected_labels = [
                facts.tracks[track].label
                for track in facts.order(template.order)
                if template.lists(facts, track)
            ]
            answered_labels = [label for label in _SEPARATOR.split(right) if label]
            if [_plain(label) for label in answered_labels] != [
                _plain(label) for label in expected_labels
            ]:
                expected_text = ", ".join(expected_labels) or "no object"
                text = f"“{item.text}” is answered “{right}”; the tracks say {expected_text}."
                yield Signal(ANSWER, item.id, None, 0, 1.0, text)


def _template_of(item: Item, bank: Bank | None) -> Template | None:
    """Return the template that a question is made of, by its text."""
    for template in bank.templates if bank is not None else ():
        if template.counts is None and template.lists is None:
            continue
        parts = BLANK.split(template.text)[::2]
        if re.fullmatch(".+".join(re.escape(part) for part in parts), item.text):
            return template
    return None


def _right_text(item: Item) -> str | None:
    keys = next(iter(item.right.values()), ())
    return next((option.text for option in item.options if option.key in keys), None)


def _is_number(text: str, n: int) -> bool:
    word = text.strip().casefold()
    return word == str(n) or (n < len(_WORDS) and word == _WORDS[n]) or (n == 0 and word == "zero")


def _named(facts: RuleFacts, tracks: Iterable[TrackId]) -> str:
    labels = (facts.tracks[t].label if t in facts.tracks else "deleted object" for t in tracks)
    return ", ".join(sorted(f"“{label}”" for label in labels)) or "nothing"


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def still_runs(track: Track, n_frames: int) -> list[tuple[int, int]]:
    """Return pairs of distant frames between which the box of a track hardly moves.

    Occluded frames are left out. At most one pair for each stretch between two keyframes.
    """
    ends = [*track.frames[1:], n_frames]
    runs: list[tuple[int, int]] = []
    visible = [
        (key.frame, end, key.box)
        for key, end in zip(track.keyframes, ends, strict=True)
        if key.box is not None and not key.occluded and end > key.frame
    ]
    for (first, _, one), (second, _, other) in pairwise(visible):
        if one.iou(other) >= _STILL:
            runs.append((first, second))
    if visible and visible[-1][1] - visible[-1][0] > 1:
        runs.append((visible[-1][0], visible[-1][1] - 1))
    return runs


_STILL: Final = 0.95
