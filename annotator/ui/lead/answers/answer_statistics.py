"""Data of the page of answers, read by jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.checks import Finding
from annotator.domain.questions.items.item import ItemState
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.tables import Cell
from annotator.ui.lead import lead_texts
from annotator.ui.lead.statistics.charts import interval_text

if TYPE_CHECKING:
    from annotator.domain.agreement.estimate import Estimate

Rows = Sequence[tuple[Cell, ...]]
Shown = Sequence[tuple[str, ...]]
_NOTHING: Final = "–"
_MOST_FINDINGS: Final = 500


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows for a file, and the same as they are shown."""

    rows: Rows
    shown: Shown


@dataclass(frozen=True, slots=True)
class AnswerOverview:
    """Estimates available at once: the kinds in which raters can be compared, with their titles,
    items by state, reasons, raters."""

    compared: tuple[tuple[str, str], ...]
    items: ReportTable
    reasons: ReportTable
    raters: ReportTable


@dataclass(frozen=True, slots=True)
class AgreedRow:
    """An estimate as a row: ``cells`` are those of a file, ``said`` the question, subject and
    method in words, ``sought`` the same as search text."""

    estimate: Estimate
    cells: tuple[Cell, ...]
    said: tuple[str, str, str]
    sought: str

    def text(self, column: int) -> str:
        """Return the words of a cell: asked, of what, method, value, from, to, items, raters."""
        estimate = self.estimate
        match column:
            case 0 | 1 | 2:
                return self.said[column]
            case 3 if estimate.value is None:
                return lead_texts.missing_text(estimate.reason) if estimate.reason else _NOTHING
            case 3 | 4 | 5:
                number = (estimate.value, estimate.low, estimate.high)[column - 3]
                return _NOTHING if number is None else f"{number:.3f}"
            case _:
                return f"{(estimate.inputs.units, estimate.inputs.raters)[column - 6]:,}"

    def key(self, column: int) -> tuple[float, str]:
        """Return the sort key of a row in a column."""
        estimate = self.estimate
        if column < 3:
            return 0.0, self.said[column]
        numbers = (
            estimate.value,
            estimate.low,
            estimate.high,
            estimate.inputs.units,
            estimate.inputs.raters,
        )
        number = numbers[column - 3]
        return (-inf, "") if number is None else (float(number), "")


@dataclass(frozen=True, slots=True)
class Agreed:
    """What takes its time: agreement in a kind, the median time of an answer in seconds, and how
    many votes do not count since they cannot come from a submission.
    """

    rows: Sequence[AgreedRow]
    seconds: float | None
    n_faulty: int = 0


@dataclass(frozen=True, slots=True)
class FileChecked:
    """Result of verifying the statistics of a file: a sentence, and the differences."""

    text: str
    findings: list[Finding]


def read_answers(project: OpenProject) -> AnswerOverview:
    """Read the outcome of items and the gold accuracy of people."""
    from annotator.services.questions.agreement import agreement_files

    kinds = tuple((t.kind, t.title) for t in agreement_files.question_kinds(project))
    items: list[tuple[Cell, ...]] = []
    reasons: list[tuple[Cell, ...]] = []
    raters: list[tuple[tuple[Cell, ...], tuple[str, ...]]] = []
    for kind, title in kinds:
        counts = agreement_files.counts_of(project, kind)
        if n := sum(counts.states.values()):
            items.append((title, *(counts.states[state] for state in ItemState), n))
        reasons += [(title, reason, count) for reason, count in counts.reasons.items()]
        raters += _raters(project, kind, title)
    compared = agreement_files.compared_kinds(project)
    return AnswerOverview(
        tuple((t.kind, t.title) for t in sorted(compared, key=lambda t: t.form is None)),
        _counted(items),
        _counted(reasons),
        ReportTable([row for row, _ in raters], [shown_cells for _, shown_cells in raters]),
    )


def work_out(project: OpenProject, kind: str, token: JobToken) -> Agreed:
    """Work out how far the raters of a kind agree, with intervals; leaves when canceled."""
    from annotator.services.project.project_checks import vote_findings
    from annotator.services.questions.agreement import agreement_files

    estimates = agreement_files.agreement_of(project, kind, token, by_item=True)
    named = agreement_files.agreement_rows(project, kind, estimates)
    task_type = project.work.recipe.task_type(kind)
    form = task_type.form if task_type is not None else None
    titles = {field.key: field.title for field in form.fields} if form is not None else {}
    title = task_type.title if task_type is not None else kind
    rows: list[AgreedRow] = []
    for estimate, cells in zip(estimates, named, strict=True):
        sentence = (
            titles.get(estimate.field, estimate.field or title),
            lead_texts.part_text(estimate.by, str(cells[3]) if estimate.by else ""),
            lead_texts.method_text(estimate.method, estimate.params),
        )
        rows.append(AgreedRow(estimate, cells, sentence, " ".join(sentence).casefold()))
    if form is None:
        return Agreed(rows, None)
    seconds = agreement_files.median_seconds(agreement_files.item_statistics(project, kind))
    return Agreed(rows, seconds, len(list(vote_findings(project, kind))))


def check_file(project: OpenProject, path: Path, token: JobToken) -> FileChecked:
    """Verify the statistics in a file; ends when canceled."""
    from annotator.services.questions.agreement.estimate_verification import (
        RecomputeResult,
        counts_of,
        verify_estimates,
    )

    checked = verify_estimates(project, path, token)
    differing = [check for check in checked if check.verdict is not RecomputeResult.SAME]
    counts = counts_of(checked)
    parts = [
        lead_texts.verdict_text(verdict).format(n=f"{n:,}")
        for verdict, n in counts.items()
        if n or verdict is RecomputeResult.SAME
    ]
    findings = []
    for check in differing[:_MOST_FINDINGS]:
        stored = check.stored
        where = " ".join(
            part
            for part in (
                stored.kind,
                stored.field,
                stored.by,
                stored.name,
            )
            if part
        )
        text = f"{lead_texts.method_text(stored.method)}: {stored.value} → {check.now}"
        findings.append(Finding(check.verdict.value, where, text))
    return FileChecked(f"{path.name}: {', '.join(parts)}", findings)


def _raters(
    project: OpenProject, kind: str, title: str
) -> Iterator[tuple[tuple[Cell, ...], tuple[str, ...]]]:
    """Yield raters' gold results and qualification: as a row of a file, and as shown."""
    from annotator.services.questions.agreement import agreement_files

    people = project.work.people
    status_history = {
        rater_id: s
        for (rater_id, of), s in agreement_files.current_statuses(project).items()
        if of == kind
    }
    accuracies = agreement_files.known_answers(project, kind)
    for accuracy in accuracies:
        state = status_history.get(accuracy.person_id)
        head = (
            people.person(accuracy.person_id).name,
            title,
            lead_texts.purpose_text(accuracy.purpose),
        )
        status_text = lead_texts.qualification_text(state) if state is not None else ""
        yield (
            (
                *(
                    *head,
                    accuracy.right,
                    accuracy.answers,
                    accuracy.share,
                    accuracy.low,
                    accuracy.high,
                    status_text,
                ),
                *(agreement_files.KNOWN_METHOD, accuracy.level, accuracy.digest),
            ),
            (
                *head,
                f"{accuracy.right:,}",
                f"{accuracy.answers:,}",
                interval_text((accuracy.share, accuracy.low, accuracy.high)),
                status_text or _NOTHING,
            ),
        )
    judged = {accuracy.person_id for accuracy in accuracies}
    for person_id, state in status_history.items():
        if person_id not in judged:
            name, status_text = people.person(person_id).name, lead_texts.qualification_text(state)
            yield (
                (name, title, "", "", "", "", "", "", status_text, "", "", ""),
                (name, title, *[_NOTHING] * 4, status_text),
            )


def _counted(rows: Rows) -> ReportTable:
    return ReportTable(
        rows, [tuple(c if isinstance(c, str) else f"{c:,}" for c in r) for r in rows]
    )
