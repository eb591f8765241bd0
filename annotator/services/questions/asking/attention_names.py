"""Attention checks as they travel in work packages: each under a name made up for one person.

A check is asked of many people, in many tasks, and was made at another time than what stands around
it. Its own name would tell all that. So it goes out under one that sorts in where it stands, and
the lead's copy of the project remembers whose it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from annotator.domain.ids import AssignmentId, ItemId, id_between
from annotator.domain.questions.items.item import Item
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import travel

_NAMES: Final = "checks_of:{}"
"""The fact of a project that tells which checks an assignment met in a package."""


def disguised(
    file: ProjectFile,
    assignment_id: AssignmentId,
    asked: Sequence[Item],
    own: Collection[ItemId],
) -> list[Item]:
    """Return what is asked in a task, its checks under other names, the same ones each time.

    ``own`` are the items of the task itself, one of which follows each check.
    """
    known = revealed(file, assignment_id)
    used = {check_id: name for name, check_id in known.items()}
    made: list[Item] = []
    for i, item in enumerate(asked):
        if item.id in own:
            made.append(item)
            continue
        if item.id not in used:
            low, high = made[-1].id if made else "", next(e.id for e in asked[i:] if e.id in own)
            used[item.id] = ItemId(id_between(low, high))
        made.append(replace(item, id=used[item.id]))
    names = {name: check_id for check_id, name in used.items()}
    if names != known:
        with file.transaction() as connection:
            travel.set_meta(connection, _NAMES.format(assignment_id), json.dumps(names))
    return made


def revealed(file: ProjectFile, assignment_id: AssignmentId) -> dict[ItemId, ItemId]:
    """Return the checks that went out to an assignment, by the names they have there."""
    text = file.meta(_NAMES.format(assignment_id))
    return json.loads(text) if text is not None else {}
