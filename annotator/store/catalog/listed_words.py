"""Words that lists were answered with before, to complete what is typed next."""

from __future__ import annotations

from typing import cast

import msgspec

from annotator.domain.answer_codec import value_from
from annotator.domain.ids import PersonId
from annotator.domain.work.records import TaskStatus
from annotator.store.columns import id_bytes, json_object
from annotator.store.file.readable import Readable


def listed_words(file: Readable, field: str, person_id: PersonId | None) -> list[str]:
    """Return what people listed in a field, the most frequent first.

    What others said counts where their task is complete: before that nobody is told.
    """
    rows = file.rows(
        "SELECT v.value, count(*) FROM vote v WHERE v.field = ?1 AND (v.person_id = ?2 OR EXISTS"
        " (SELECT 1 FROM task t WHERE t.id = v.task_id AND t.status = ?3)) GROUP BY v.value",
        (field, id_bytes(person_id) if person_id is not None else None, TaskStatus.COMPLETE.value),
    )
    counts: dict[str, int] = {}
    for text, n in cast("list[tuple[str, int]]", rows):
        try:
            value = value_from(json_object(text))
        except (ValueError, msgspec.MsgspecError):
            continue
        for word in value if isinstance(value, tuple) else ():
            counts[word] = counts.get(word, 0) + n
    return sorted(counts, key=lambda word: (-counts[word], word.casefold()))
