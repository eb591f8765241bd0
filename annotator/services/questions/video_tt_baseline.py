"""How well people do on Video-TT: finished questions answered, answers scored, robustness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from annotator.domain.agreement.figure import Figure
from annotator.domain.ids import PersonId, item_id
from annotator.domain.questions.groups import VARIANTS, Part
from annotator.domain.questions.item import Item
from annotator.domain.study.figures import is_right_score, robustness
from annotator.services.projects import OpenProject
from annotator.services.questions.making import Made, added
from annotator.services.questions.outcomes import items_of_kind, made_from
from annotator.services.questions.sheets import sheets
from annotator.services.questions.video_tt import (
    ALIGNMENT,
    FINISHED,
    PRIMARY,
    SAMPLING,
    VARIANTS_ALIGNMENT,
)
from annotator.services.questions.video_tt import VARIANTS as WRITTEN_VARIANTS
from annotator.store.studies import takers

OPEN: Final = "baseline"
CHOICE: Final = "baseline-choice"
SCORING: Final = "scoring"
_MADE_IN: Final = (PRIMARY, ALIGNMENT, SAMPLING, WRITTEN_VARIANTS, VARIANTS_ALIGNMENT)


def make_baseline(project: OpenProject) -> Made:
    """Ask the finished questions of people who had no part in them; leads only."""
    done = made_from(project, OPEN) | made_from(project, CHOICE)
    items = [
        Item(
            item_id(),
            CHOICE if item.options else OPEN,
            item.video_ids,
            item.text,
            item.options,
            item.right,
            tags=item.tags,
            group=item.group,
            part=item.part,
            source={"made": "finished", "item": item.id},
        )
        for _, item in items_of_kind(project, FINISHED)
        if item.id not in done
    ]
    return added(project, items)


def make_scoring(project: OpenProject) -> Made:
    """Ask for a score of each open answer against the reference, once each; leads only.

    Answers of people who had a part in the question do not count, and are not scored.
    """
    references = {str(item.id): item for _, item in items_of_kind(project, FINISHED)}
    makers = makers_of(project)
    done = {
        (item.source.get("item"), item.source.get("answer"))
        for _, item in items_of_kind(project, SCORING, with_discarded=True)
    }
    items: list[Item] = []
    for sheet in sheets(project, OPEN):
        reference = references.get(str(sheet.item.source.get("item")))
        key = f"{sheet.item.id}/{sheet.person_id}"
        given = sheet.text("answer").strip()
        if reference is None or not given or (reference.id, key) in done:
            continue
        if sheet.person_id in makers.get(sheet.item.group, ()):
            continue
        lines = (reference.text, f"Reference: {reference.texts.get('answer', '')}")
        items.append(
            Item(
                item_id(),
                SCORING,
                sheet.item.video_ids,
                "\n".join((*lines, f"Answer: {given}")),
                group=sheet.item.group,
                part=sheet.item.part,
                source={"made": "answer", "item": reference.id, "answer": key},
            )
        )
    return added(project, items)


def makers_of(project: OpenProject) -> dict[str, set[PersonId]]:
    """Return who took a task in which the questions of a group were made; leads only."""
    took = takers(project.file)
    found: dict[str, set[PersonId]] = {}
    for kind in _MADE_IN:
        for task_id, item in items_of_kind(project, kind, with_discarded=True):
            people = took.get(task_id, set()) if task_id is not None else set()
            found.setdefault(item.group or item.id, set()).update(people)
    return found


class BaselineAnswer(NamedTuple):
    """What somebody who had no part in a group answered to one of its questions."""

    group: str
    part: Part
    person_id: PersonId
    is_right: bool


def baseline_answers(project: OpenProject) -> list[BaselineAnswer]:
    """Return the answers that count, as far as it is known whether they are right; leads only.

    Not those of people who had a part in the question. An open answer is right when more than half
    of its scores are, those that somebody gave themselves left out.
    """
    makers = makers_of(project)
    scores: dict[tuple[str, Part, PersonId], list[bool]] = {}
    for sheet in sheets(project, CHOICE):
        right = sheet.text("answer") in sheet.item.right.get("answer", ())
        key = sheet.item.group, Part(sheet.item.part), sheet.person_id
        scores.setdefault(key, []).append(right)
    for sheet in sheets(project, SCORING):
        author = PersonId(str(sheet.item.source.get("answer")).rpartition("/")[2])
        score = sheet.text("score")
        if score and author != sheet.person_id:
            key = sheet.item.group, Part(sheet.item.part), author
            scores.setdefault(key, []).append(is_right_score(float(score)))
    return [
        BaselineAnswer(*key, 2 * sum(rights) > len(rights))
        for key, rights in sorted(scores.items())
        if key[2] not in makers.get(key[0], ())
    ]


def right_answers(answers: Iterable[BaselineAnswer]) -> dict[str, dict[Part, bool]]:
    """Return for each group which of its questions people got right, as far as that is known.

    Of several people's answers more than half have to be right.
    """
    found: dict[tuple[str, Part], list[bool]] = {}
    for each in answers:
        found.setdefault((each.group, each.part), []).append(each.is_right)
    groups: dict[str, dict[Part, bool]] = {}
    for (group, part), rights in found.items():
        groups.setdefault(group, {})[part] = 2 * sum(rights) > len(rights)
    return groups


def robustness_of(
    project: OpenProject, rights: Mapping[str, Mapping[Part, bool]] | None = None
) -> Figure:
    """Return R: of the groups with a right primary question, the share with all five right.

    ``rights`` are the `right_answers`, where they are at hand.
    """
    if rights is None:
        rights = right_answers(baseline_answers(project))
    told = {
        group: {str(part): right for part, right in parts.items()}
        for group, parts in rights.items()
    }
    return robustness(told, str(Part.PRIMARY), [str(part) for part in VARIANTS])
