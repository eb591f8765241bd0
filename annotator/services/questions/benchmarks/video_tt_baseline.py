"""Human baseline of Video-TT: studies of finished questions, and robustness.

The first version of the recipe asked finished questions in tasks of their own, open to everybody:
`OPEN` and `CHOICE`. What was answered there counts on, except of those who had a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple

from annotator.domain.agreement.figure import Figure
from annotator.domain.ids import PersonId
from annotator.domain.questions.items.groups import FINISHED, VARIANTS, Part
from annotator.domain.study.figures import robustness
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmarks.video_tt import (
    ALIGNMENT,
    PRIMARY,
    SAMPLING,
    VARIANTS_ALIGNMENT,
)
from annotator.services.questions.benchmarks.video_tt import VARIANTS as WRITTEN_VARIANTS
from annotator.services.questions.making import Made
from annotator.services.questions.studies.answers import given_in
from annotator.services.questions.studies.scoring import (
    Scorable,
    ask_for_scores,
    is_right_in,
    judged_in,
    make_scoring,
    scores_of,
)
from annotator.services.questions.studies.studies import studies
from annotator.services.questions.voting.outcomes import items_of_kind
from annotator.services.questions.voting.sheets import sheets
from annotator.store.questions.studies import takers

OPEN: Final = "baseline"
CHOICE: Final = "baseline-choice"
SCORING: Final = "scoring"
_MADE_IN: Final = (PRIMARY, ALIGNMENT, SAMPLING, WRITTEN_VARIANTS, VARIANTS_ALIGNMENT)


def make_scores(project: OpenProject) -> Made:
    """Ask for a score of each open answer against the reference, once each; leads only."""
    earlier = ask_for_scores(project, SCORING, _answered_before(project))
    made = make_scoring(project)
    return Made((*earlier.item_ids, *made.item_ids), (*earlier.findings, *made.findings))


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
    """Answer of a study participant to one question of a group."""

    group: str
    part: Part
    person_id: PersonId
    is_right: bool


def baseline_answers(project: OpenProject) -> list[BaselineAnswer]:
    """Return the answers of which it is known whether they are right; leads only.

    An open answer is right when more than half of its scores are.
    """
    return sorted(chain(_of_studies(project), _of_before(project)))


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


def _of_studies(project: OpenProject) -> Iterator[BaselineAnswer]:
    for study in studies(project):
        if FINISHED not in study.wish.choice.of:
            continue
        judged = judged_in(project, study)
        for each in given_in(project, study):
            is_right = is_right_in(each, judged)
            if is_right is not None and each.item.group and each.item.part:
                yield BaselineAnswer(
                    each.item.group, Part(each.item.part), each.person_id, is_right
                )


def _of_before(project: OpenProject) -> Iterator[BaselineAnswer]:
    """Yield what was answered in tasks of the first recipe, by people who had no part."""
    makers = makers_of(project)
    for sheet in sheets(project, CHOICE):
        if sheet.person_id not in makers.get(sheet.item.group, ()):
            right = sheet.text("answer") in sheet.item.right.get("answer", ())
            yield BaselineAnswer(sheet.item.group, Part(sheet.item.part), sheet.person_id, right)
    scores = scores_of(project, SCORING)
    for sheet in sheets(project, OPEN):
        rights = scores.get(f"{sheet.item.id}/{sheet.person_id}")
        if rights and sheet.person_id not in makers.get(sheet.item.group, ()):
            right = 2 * sum(rights) > len(rights)
            yield BaselineAnswer(sheet.item.group, Part(sheet.item.part), sheet.person_id, right)


def _answered_before(project: OpenProject) -> Iterator[Scorable]:
    """Yield open answers given in tasks of the first recipe, by people who had no part."""
    references = {str(item.id): item for _, item in items_of_kind(project, FINISHED)}
    makers = makers_of(project)
    for sheet in sheets(project, OPEN):
        reference = references.get(str(sheet.item.source.get("item")))
        given = sheet.text("answer").strip()
        is_maker = sheet.person_id in makers.get(sheet.item.group, ())
        if reference is not None and given and not is_maker:
            yield Scorable(f"{sheet.item.id}/{sheet.person_id}", reference, given)
