"""Tables of Video-TT: how often and how steadily people are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from annotator.domain.agreement.estimate import COLUMNS as ESTIMATE_COLUMNS
from annotator.domain.agreement.estimate import Estimate
from annotator.domain.agreement.estimate import table as estimate_rows
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.ids import PersonId
from annotator.domain.questions.items.groups import FINISHED, VARIANTS, GroupRole
from annotator.domain.study.results import LEVEL, ScoredAnswer, baseline, robustness
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmark_plugin import (
    BenchmarkTable,
    Column,
    Proportion,
    TableKind,
)
from annotator.services.questions.studies.reference_scores import (
    answers_in_study,
    is_right_in,
    judged_in,
)
from annotator.services.questions.studies.studies import studies
from annotator.services.questions.voting.outcomes import items_of_kind, video_names
from annotator.services.tables import Cell


class BaselineAnswer(NamedTuple):
    """Answer of a study participant to one question of a group."""

    group: str
    part: GroupRole
    person_id: PersonId
    is_right: bool


def baseline_answers(project: OpenProject) -> list[BaselineAnswer]:
    """Return the answers of which it is known whether they are right; leads only.

    An open answer is right when more than half of its scores are.
    """
    return sorted(_of_studies(project))


def right_answers(answers: Iterable[BaselineAnswer]) -> dict[str, dict[GroupRole, bool]]:
    """Return for each group which of its questions people got right, as far as that is known.

    Of several people's answers more than half have to be right.
    """
    found: dict[tuple[str, GroupRole], list[bool]] = {}
    for each in answers:
        found.setdefault((each.group, each.part), []).append(each.is_right)
    groups: dict[str, dict[GroupRole, bool]] = {}
    for (group, part), rights in found.items():
        groups.setdefault(group, {})[part] = 2 * sum(rights) > len(rights)
    return groups


def robustness_of(
    project: OpenProject, rights: Mapping[str, Mapping[GroupRole, bool]] | None = None
) -> Estimate:
    """Return R: of the groups with a right primary question, the share with all five right.

    ``rights`` are the `right_answers`, where they are at hand.
    """
    if rights is None:
        rights = right_answers(baseline_answers(project))
    told = {
        group: {str(part): right for part, right in parts.items()}
        for group, parts in rights.items()
    }
    return robustness(told, str(GroupRole.PRIMARY), [str(part) for part in VARIANTS])


def _of_studies(project: OpenProject) -> Iterator[BaselineAnswer]:
    for study in studies(project):
        if FINISHED not in study.wish.choice.of:
            continue
        judged = judged_in(project, study)
        for each in answers_in_study(project, study):
            is_right = is_right_in(each, judged)
            if is_right is not None and each.item.group and each.item.part:
                yield BaselineAnswer(
                    each.item.group, GroupRole(each.item.part), each.person_id, is_right
                )


_ABOUT_ESTIMATES: Final = ("method", "parameters", "digest")
_ROBUSTNESS: Final = "robustness"
_MEASURES: Final = {
    _ROBUSTNESS: "Robustness: all five",
    GroupRole.PRIMARY.value: "Primary question",
    GroupRole.PARAPHRASED.value: "Paraphrased question",
    GroupRole.CORRECTLY_LED.value: "Correctly led question",
    GroupRole.WRONGLY_LED.value: "Wrongly led question",
    GroupRole.MULTIPLE_CHOICE.value: "Multiple choice",
}
_PARTS: Final = {
    GroupRole.PRIMARY: "Primary",
    GroupRole.PARAPHRASED: "Paraphrased",
    GroupRole.CORRECTLY_LED: "Correctly led",
    GroupRole.WRONGLY_LED: "Wrongly led",
    GroupRole.MULTIPLE_CHOICE: "Multiple choice",
}
_RIGHT: Final = {"right": "correct", "wrong": "incorrect"}

ROBUSTNESS: Final = TableKind(
    _ROBUSTNESS,
    "Human accuracy",
    (
        Column("measure", "Measure", _MEASURES),
        Column("of", "Total"),
        Column("right", "Correct"),
        Column("value", "Share"),
        Column("low", "CI lower"),
        Column("high", "CI upper"),
        *map(Column, _ABOUT_ESTIMATES),
    ),
    "Robustness: all five questions correct, among videos with a correct primary question. "
    "Involved people are excluded. 90% confidence intervals.",
)
GROUPS: Final = TableKind(
    "groups",
    "Correct answers by video",
    (Column("video", "Video"), *(Column(part, head, _RIGHT) for part, head in _PARTS.items())),
    "If a question has several answers, more than half must be correct.",
)
KINDS: Final = (ROBUSTNESS, GROUPS)


def tables(project: OpenProject) -> Iterator[BenchmarkTable]:
    """Yield how steadily people are right, with intervals of 90%, and where they are not."""
    counted = baseline_answers(project)
    answers = [
        ScoredAnswer(f"{response.group}/{response.part}", response.person_id, response.is_right)
        for response in counted
    ]
    rights = right_answers(counted)
    complete_groups = [group for group in rights.values() if group.keys() >= set(GroupRole)]
    begun = [group for group in complete_groups if group[GroupRole.PRIMARY]]
    n_kept = sum(all(group.values()) for group in begun)
    steady = robustness_of(project, rights)
    rows = [(_ROBUSTNESS, len(begun), n_kept, *_estimate(steady))] if begun else []
    parts = {response.item_id: (response.item_id.rpartition("/")[2],) for response in answers}
    # Wilson's interval only: with a handful of groups the bootstrap's says nothing.
    accuracies = {
        estimate.name: estimate
        for estimate in baseline(answers, {"part": parts}, Bootstrap(0, level=LEVEL))
        if estimate.by and estimate.params.get("interval") == "wilson"
    }
    for part in GroupRole:
        if part in accuracies:
            estimate = accuracies[part]
            theirs = [
                response.is_right for response in answers if parts[response.item_id] == (part,)
            ]
            rows.append((part.value, len(theirs), sum(theirs), *_estimate(estimate)))
    yield BenchmarkTable(ROBUSTNESS, tuple(rows))
    names = video_names(project)
    videos = {item.group: names[item.video_ids[0]] for _, item in items_of_kind(project, FINISHED)}
    yield BenchmarkTable(
        GROUPS,
        tuple(
            (videos[group], *(_word(group_rights.get(part)) for part in GroupRole))
            for group, group_rights in rights.items()
            if group in videos
        ),
    )


def _estimate(estimate: Estimate) -> tuple[Cell, ...]:
    told = dict(zip(ESTIMATE_COLUMNS, next(estimate_rows([estimate])), strict=True))
    numbers = (estimate.value, estimate.low, estimate.high)
    words = (told[name] for name in _ABOUT_ESTIMATES)
    return (*("" if n is None else Proportion(n) for n in numbers), *words)


def _word(is_right: bool | None) -> str:
    return "" if is_right is None else ("right" if is_right else "wrong")
