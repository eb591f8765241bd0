"""Data of the page of studies, read by jobs."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.plan import Progress, Study
from annotator.services.tables import Cell
from annotator.ui.lead.answers import words
from annotator.ui.lead.answers.figures import Table

_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Shown:
    """All studies, and of one of them how far it is, what came of it, and who has answered."""

    studies: tuple[Study, ...]
    progress: tuple[Progress, ...]
    study: Study | None
    results: Table
    people: Table
    n_unjudged: int


def read_studies(project: OpenProject, wanted: str | None, token: JobToken) -> Shown:
    """Read the studies, and what is known of one: that of an id, else the latest."""
    from annotator.services.questions.studies import studies

    found = tuple(studies.studies(project))
    progress = tuple(studies.progress(project, each.id) for each in found)
    nothing = Table([], [])
    if not found:
        return Shown((), (), None, nothing, nothing, 0)
    at = next((i for i, each in enumerate(found) if each.id == wanted), len(found) - 1)
    results, n_unjudged = _results(project, found[at], token)
    people = _people(project, found[at], progress[at])
    return Shown(found, progress, found[at], results, people, n_unjudged)


def _results(project: OpenProject, study: Study, token: JobToken) -> tuple[Table, int]:
    """Return the results of a study, by condition and part; intervals are Wilson's, at once."""
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.domain.study.figures import LEVEL
    from annotator.services.questions.studies.results import overview, results_of

    found = results_of(project, study, token, Bootstrap(0, level=LEVEL))
    titles = {each.key: each.title for each in study.wish.conditions}
    rows: list[tuple[Cell, ...]] = []
    shown: list[tuple[str, ...]] = []
    for line in overview(found.found):
        if line.accuracy is None:
            continue
        head = (
            words.part_text(line.by, line.name),
            titles.get(line.condition, line.condition) or words.part_text("", ""),
        )
        numbers: list[float | None] = [*line.accuracy]
        numbers += line.majority if line.majority is not None else (None, None, None)
        rows.append(
            (
                *head,
                *("" if number is None else number for number in numbers),
                "" if line.seconds is None else line.seconds,
                line.n_items,
                line.n_answers,
            )
        )
        shown.append(
            (
                *head,
                *(_NOTHING if number is None else f"{number:.1%}" for number in numbers),
                _NOTHING if line.seconds is None else f"{line.seconds:.1f} s",
                f"{line.n_items:,}",
                f"{line.n_answers:,}",
            )
        )
    return Table(rows, shown), found.n_unjudged


def _people(project: OpenProject, study: Study, progress: Progress) -> Table:
    people = project.work.people
    rows: list[tuple[Cell, ...]] = []
    for person_id, (given, dealt) in progress.by_person.items():
        rows.append((people.person(person_id).name, given, dealt))
    rows.sort(key=lambda row: str(row[0]).casefold())
    return Table(rows, [tuple(str(cell) for cell in row) for row in rows])
