"""How well people do on Video-TT: finished questions answered, answers scored, robustness."""

from __future__ import annotations

from typing import Final

from annotator.domain.agreement.figure import Figure
from annotator.domain.ids import item_id
from annotator.domain.questions.groups import VARIANTS, Part
from annotator.domain.questions.item import Item
from annotator.domain.study.figures import is_right_score, robustness
from annotator.services.projects import OpenProject
from annotator.services.questions.making import Made, added
from annotator.services.questions.outcomes import items_of_kind, made_from
from annotator.services.questions.sheets import sheets
from annotator.services.questions.video_tt import FINISHED

OPEN: Final = "baseline"
CHOICE: Final = "baseline-choice"
SCORING: Final = "scoring"


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
    """Ask for a score of each open answer against the reference, once each; leads only."""
    references = {str(item.id): item for _, item in items_of_kind(project, FINISHED)}
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


def right_answers(project: OpenProject) -> dict[str, dict[Part, bool]]:
    """Return for each group which of its questions people got right, as far as that is known.

    Of several answers, or several scores of one, more than half have to be right.
    """
    found: dict[tuple[str, Part], list[bool]] = {}
    for sheet in sheets(project, CHOICE):
        right = sheet.text("answer") in sheet.item.right.get("answer", ())
        found.setdefault((sheet.item.group, Part(sheet.item.part)), []).append(right)
    for sheet in sheets(project, SCORING):
        score = sheet.text("score")
        if score:
            key = sheet.item.group, Part(sheet.item.part)
            found.setdefault(key, []).append(is_right_score(float(score)))
    groups: dict[str, dict[Part, bool]] = {}
    for (group, part), rights in found.items():
        groups.setdefault(group, {})[part] = 2 * sum(rights) > len(rights)
    return groups


def robustness_of(project: OpenProject) -> Figure:
    """Return R: of the groups with a right primary question, the share with all five right."""
    rights = {
        group: {str(part): right for part, right in parts.items()}
        for group, parts in right_answers(project).items()
    }
    return robustness(rights, str(Part.PRIMARY), [str(part) for part in VARIANTS])
