"""Human baseline of Video-TT: answers of studies to finished questions, and robustness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from annotator.domain.agreement.figure import Figure
from annotator.domain.ids import PersonId
from annotator.domain.questions.items.groups import FINISHED, VARIANTS, Part
from annotator.domain.study.figures import robustness
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.answers import given_in
from annotator.services.questions.studies.scoring import is_right_in, judged_in
from annotator.services.questions.studies.studies import studies


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
    return sorted(_of_studies(project))


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
