"""Results of a study: statistics, tables, and a file to recompute them.

    results = results_of(project, study, token)
    write_results(project, study, folder, token)     results.csv, answers.csv, study.json

The files contain no names of people. If the program cannot judge an answer (open answers), its
scores do (`reference_scores`); ``judged`` supplies all others, by item and person:
`reference_scores.answers_in_study` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from annotator.domain.agreement.estimate import COLUMNS, Estimate, table
from annotator.domain.agreement.resampling import Bootstrap, Watch
from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.answer import Value, plain_of
from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId
from annotator.domain.json_type import Json
from annotator.domain.study.results import (
    ACCURACY,
    MAJORITY,
    SECONDS,
    STUDY,
    StudyEstimate,
    StudyResponse,
    results,
)
from annotator.services.background.jobs import JobToken
from annotator.services.files import make_folder, write_atomically
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.reference_scores import (
    Judged,
    StudyAnswer,
    answers_in_study,
    is_right_in,
    judged_in,
    tags_of,
)
from annotator.services.questions.studies.studies import plans_of
from annotator.services.questions.studies.study_values import Study
from annotator.services.tables import Cell, write_table

RESULTS: Final = "results.csv"
ANSWERS: Final = "answers.csv"
SIDE_FILE: Final = "study.json"
RESULT_COLUMNS: Final = ("condition", *COLUMNS[1:])
ANSWER_COLUMNS: Final = ("item", "question", "person", "condition", "right", "said", "seconds")


@dataclass(frozen=True, slots=True)
class StudyResults:
    """Estimates, and their number of answers; ``n_unjudged`` could not be judged yet."""

    found: tuple[StudyEstimate, ...]
    n_answers: int
    n_unjudged: int


class SummaryRow(NamedTuple):
    """Summary of a part of a study under a condition: "" for all.

    Shares come with both ends of their interval, which is Wilson's; None: nothing is known.
    """

    condition: str
    by: str
    name: str
    n_items: int
    n_answers: int
    accuracy: tuple[float, float, float] | None
    majority: tuple[float, float, float] | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class WrittenResults:
    """Where results were written, and how many rows of each."""

    folder: Path
    counts: dict[str, int]


def results_of(
    project: OpenProject,
    study: Study,
    token: JobToken,
    how: Bootstrap = STUDY,
    judged: Judged | None = None,
) -> StudyResults:
    """Work out accuracy by area, reasoning and tag, majorities and median times; leads only.

    Leaves the job when it is canceled.
    """
    answers = answers_in_study(project, study)
    graded = _graded(answers, {**judged_in(project, study), **(judged or {})})
    conditions = study.wish.design.conditions
    watch = Watch(token.follow(study.name), lambda: token.is_canceled)
    try:
        estimates = results(graded, conditions, study.wish.answers, tags_of(answers), how, watch)
    except WorkError:
        token.check()
        raise
    return StudyResults(estimates, len(answers), len(answers) - len(graded))


def overview(estimates: Sequence[StudyEstimate]) -> list[SummaryRow]:
    """Return the estimates of each part in one line, in their order."""
    parts: dict[tuple[str, str, str], dict[str, Estimate]] = {}
    for condition, estimate in estimates:
        cells = parts.setdefault((condition, estimate.by, estimate.name), {})
        cells.setdefault(estimate.method, estimate)  # Wilson's interval comes first
    return [
        SummaryRow(
            *part,
            cells[ACCURACY].inputs.units,
            cells[ACCURACY].inputs.votes,
            _share(cells[ACCURACY]),
            _share(cells.get(MAJORITY)),
            cells[SECONDS].value if SECONDS in cells else None,
        )
        for part, cells in parts.items()
        if ACCURACY in cells
    ]


def _share(estimate: Estimate | None) -> tuple[float, float, float] | None:
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    return estimate.value, estimate.low, estimate.high


def result_rows(found: Sequence[StudyEstimate]) -> Iterator[tuple[Cell, ...]]:
    """Yield results as rows under `RESULT_COLUMNS`, numbers as numbers."""
    for each, cells in zip(found, table(r.estimate for r in found), strict=True):
        estimate = each.estimate
        _, by, name, method, _, _, _, reason, units, raters, votes, *rest = cells
        numbers = (estimate.value, estimate.low, estimate.high)
        yield (
            each.condition,
            by,
            name,
            method,
            *("" if number is None else number for number in numbers),
            reason,
            *(int(n) for n in (units, raters, votes)),
            *rest,
        )


def write_results(
    project: OpenProject,
    study: Study,
    folder: Path,
    token: JobToken,
    how: Bootstrap = STUDY,
    judged: Judged | None = None,
) -> WrittenResults:
    """Write estimates, answers, and the plan with its seed into a folder; leads only.

    UserError when the folder cannot be written. Leaves the job when it is canceled.
    """
    from annotator.exchange.json_value import encode_value

    answers = answers_in_study(project, study)
    worked_out = results_of(project, study, token, how, judged)
    rights = {**judged_in(project, study), **(judged or {})}
    graded = _graded(answers, rights)
    number = _numbers(project, study)
    token.check()
    make_folder(folder)
    rows = list(result_rows(worked_out.found))
    write_table(folder / RESULTS, RESULT_COLUMNS, rows)
    write_table(folder / ANSWERS, ANSWER_COLUMNS, _answer_rows(answers, rights, number))
    side = _side_file(project, study, graded, number)
    side["tags"] = {
        by: {item: list(names) for item, names in tags.items()}
        for by, tags in tags_of(answers).items()
    }
    side["figures"] = [list(row) for row in rows]
    write_atomically(folder / SIDE_FILE, encode_value(side))
    return WrittenResults(folder, {RESULTS: len(rows), ANSWERS: len(answers), SIDE_FILE: 1})


def _graded(answers: Sequence[StudyAnswer], judged: Judged) -> list[StudyResponse]:
    """Return answers of which it is known whether they are right."""
    return [
        StudyResponse(
            each.original,
            each.person_id,
            each.condition,
            right,
            _answer_text(each.values),
            each.seconds,
        )
        for each in answers
        if (right := is_right_in(each, judged)) is not None
    ]


def _answer_text(values: Mapping[str, Value]) -> str:
    """Return answers as one text, the same for the same answers."""
    return canonical_bytes({key: plain_of(value) for key, value in values.items()}).decode()


def _numbers(project: OpenProject, study: Study) -> dict[PersonId, str]:
    """Return pseudonyms of people for files: by their order in the study."""
    people = dict.fromkeys(p for plan in plans_of(project, study.id) for p in plan.people)
    return {person: f"P{i}" for i, person in enumerate(people, 1)}


def _answer_rows(
    answers: Sequence[StudyAnswer], judged: Judged, number: Mapping[PersonId, str]
) -> Iterator[tuple[Cell, ...]]:
    for each in answers:
        right = is_right_in(each, judged)
        yield (
            each.original,
            each.item.text,
            number[each.person_id],
            each.condition,
            "" if right is None else ("yes" if right else "no"),
            _answer_text(each.values),
            each.seconds,
        )


def _side_file(
    project: OpenProject,
    study: Study,
    graded: Sequence[StudyResponse],
    number: Mapping[PersonId, str],
) -> dict[str, Json]:
    recipe, wish = project.work.recipe, study.wish
    conditions: list[Json] = [[c.key, c.title] for c in wish.conditions]
    plans: list[Json] = [
        {
            "seed": plan.seed,
            "people": [number[p] for p in plan.people],
            "kept": plan.kept,
            "new": [[part.item_id, number[part.person_id], part.condition] for part in plan.new],
            "dropped": [[part.item_id, number[part.person_id]] for part in plan.dropped],
        }
        for plan in plans_of(project, study.id)
    ]
    return {
        "recipe": {"name": recipe.name, "version": recipe.version},
        "study": wish.name,
        "kind": wish.kind,
        "answers_each": wish.answers,
        "per_person": wish.per_person,
        "conditions": conditions,
        "deals": plans,
        "answers": [
            [e.item_id, number[PersonId(e.person_id)], e.condition, e.is_right, e.said, e.seconds]
            for e in graded
        ],
        "result_columns": list(RESULT_COLUMNS),
    }
