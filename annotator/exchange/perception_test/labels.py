"""Numbers of action and sound labels: the label sets of a project, and what segments say."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Final

from annotator.domain.document import Document
from annotator.domain.labels import LabelSet
from annotator.domain.segment import Lane

FIRST_OWN: Final = 1000
"""Labels that no list knows are numbered from here on, by name."""


def label_ids(
    documents: Iterable[Document], label_sets: Iterable[LabelSet]
) -> dict[tuple[Lane, str], int]:
    """Return the number of each label; what segments of the documents say goes first."""
    segments = [segment for document in documents for segment in document.segments]
    known = {(s.lane, label.text): label.id for s in label_sets for label in s.labels}
    for segment in segments:
        if segment.label_id is not None:
            known[segment.lane, segment.label] = segment.label_id
    for lane in Lane:
        taken = {number for (of, _), number in known.items() if of is lane}
        free = (number for number in count(FIRST_OWN) if number not in taken)
        own = sorted({s.label for s in segments if s.lane is lane and (lane, s.label) not in known})
        known.update(((lane, label), next(free)) for label in own)
    return known
