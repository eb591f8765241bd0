"""Numbers of action and sound labels: a list shipped as data, and what imported files used."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Final

from annotator import paths
from annotator.domain.document import Document
from annotator.domain.segment import Lane

FIRST_OWN: Final = 1000
"""Labels that no list knows are numbered from here on, by name."""


def label_ids(documents: Iterable[Document]) -> dict[tuple[Lane, str], int]:
    """Return the number of each label; what segments of the documents say goes first."""
    segments = [segment for document in documents for segment in document.segments]
    with paths.resource("labels", "perception-test.toml").open("rb") as file:
        listed = tomllib.load(file)
    known = {(lane, label): int(number) for lane in Lane for label, number in listed[lane].items()}
    for segment in segments:
        if segment.label_id is not None:
            known[segment.lane, segment.label] = segment.label_id
    for lane in Lane:
        own = sorted({s.label for s in segments if s.lane is lane and (lane, s.label) not in known})
        known.update(((lane, label), FIRST_OWN + i) for i, label in enumerate(own))
    return known
