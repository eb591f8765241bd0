"""Numbers of action and sound labels, from the label sets of the project and its segments."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Final

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.labels import LabelSet
from annotator.domain.annotation.segment import Lane

FIRST_OWN: Final = 1000
"""Labels that no list knows are numbered from here on, by name."""


def label_ids(
    documents: Iterable[Document], label_sets: Iterable[LabelSet]
) -> dict[tuple[Lane, str], int]:
    """Return the number of each label; numbers in segments take precedence."""
    used = ((s.lane, s.label, s.label_id) for document in documents for s in document.segments)
    return numbered(used, label_sets)


def numbered(
    used: Iterable[tuple[Lane, str, int | None]], label_sets: Iterable[LabelSet]
) -> dict[tuple[Lane, str], int]:
    """Return the number of each label; ``used`` are the labels of segments, as far as numbered."""
    known = {(s.lane, label.text): label.id for s in label_sets for label in s.labels}
    names: set[tuple[Lane, str]] = set()
    for lane, text, number in used:
        names.add((lane, text))
        if number is not None:
            known[lane, text] = number
    for lane in Lane:
        taken = {number for (of, _), number in known.items() if of is lane}
        free = (number for number in count(FIRST_OWN) if number not in taken)
        own = sorted(text for of, text in names if of is lane and (of, text) not in known)
        known.update(((lane, label), next(free)) for label in own)
    return known
