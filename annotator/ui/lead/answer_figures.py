"""What the page of answers shows: read and made ready for tables, by jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from annotator.domain.questions.item import ItemState
from annotator.services.jobs import JobToken
from annotator.services.projects import OpenProject
from annotator.services.tables import Cell
from annotator.ui.lead import answer_words as words

if TYPE_CHECKING:
    from annotator.domain.agreement.figure import Figure

Rows = Sequence[tuple[Cell, ...]]
Shown = Sequence[tuple[str, ...]]
_NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for a file, and the same as they are shown."""

    rows: Rows
    shown: Shown


@dataclass(frozen=True, slots=True)
class Answers:
    """What is known at once: the kinds with their titles, items by state, reasons, raters."""

    kinds: tuple[tuple[str, str], ...]
    items: Table
    reasons: Table
    raters: Table


@dataclass(frozen=True, slots=True)
class Agreed:
    """What takes its time: agreement in a kind, and the median time of an answer in seconds."""

    agreement: Table
    seconds: float | None


def read_answers(project: OpenProject) -> Answers:
    """Read what became of items, and who knew what is known."""
    from annotator.services.questions import figures

    kinds = tuple((t.kind, t.title) for t in figures.asked_kinds(project))
    items: list[tuple[Cell, ...]] = []
    reasons: list[tuple[Cell, ...]] = []
    raters: list[tuple[tuple[Cell, ...], tuple[str, ...]]] = []
    for kind, title in kinds:
        found = figures.counts_of(project, kind)
        if n := sum(found.states.values()):
            items.append((title, *(found.states[state] for state in ItemState), n))
        reasons += [(title, reason, count) for reason, count in found.reasons.items()]
        raters += _raters(project, kind, title)
    return Answers(
        kinds,
        _counted(items),
        _counted(reasons),
        Table([row for row, _ in raters], [shown for _, shown in raters]),
    )


def work_out(project: OpenProject, kind: str, token: JobToken) -> Agreed:
    """Work out how far the raters of a kind agree, with intervals; leaves when cancelled."""
    from annotator.services.questions import figures

    # Those of single items, with which nothing can be seen at a glance, are in files only.
    found = [f for f in figures.agreement_of(project, kind, token) if f.by != "item"]
    named = list(figures.agreement_rows(project, kind, found))
    task_type = project.work.recipe.task_type(kind)
    form = task_type.form if task_type is not None else None
    titles = {field.key: field.title for field in form.fields} if form is not None else {}
    rows: list[tuple[Cell, ...]] = []
    shown: list[tuple[str, ...]] = []
    for figure, (_, _, by, name, _, value, low, high, reason, units, raters, *rest) in zip(
        found, named, strict=True
    ):
        head = (
            titles.get(figure.field, figure.field),
            words.part_text(str(by), str(name)),
            words.method_text(figure.method),
        )
        rows.append((*head, value, low, high, units, raters, reason, *rest))
        shown.append((*head, *_value_texts(figure), f"{units:,}", f"{raters:,}"))
    seconds = figures.median_seconds(figures.item_figures(project, kind))
    return Agreed(Table(rows, shown), seconds)


def _raters(
    project: OpenProject, kind: str, title: str
) -> Iterator[tuple[tuple[Cell, ...], tuple[str, ...]]]:
    """Yield who knew what is known and how they stand: as a row for a file, and as it is shown."""
    from annotator.services.questions import figures

    people = project.work.people
    standings = {who: s for (who, of), s in figures.standings_now(project).items() if of == kind}
    known = figures.known_answers(project, kind)
    for each in known:
        state = standings.get(each.person_id)
        head = people.person(each.person_id).name, title, words.purpose_text(each.purpose)
        standing = words.standing_text(state) if state is not None else ""
        yield (
            (*head, each.right, each.answers, each.share, each.low, each.high, standing),
            (
                *head,
                f"{each.right:,}",
                f"{each.answers:,}",
                f"{each.share:.0%}",
                f"{each.low:.0%}",
                f"{each.high:.0%}",
                standing or _NOTHING,
            ),
        )
    judged = {each.person_id for each in known}
    for person_id, state in standings.items():
        if person_id not in judged:
            name, standing = people.person(person_id).name, words.standing_text(state)
            yield (
                (name, title, "", "", "", "", "", "", standing),
                (name, title, *[_NOTHING] * 6, standing),
            )


def _value_texts(figure: Figure) -> tuple[str, str, str]:
    """Return a figure and both ends of its interval, or why there is none."""
    if figure.value is None:
        why = words.missing_text(figure.reason) if figure.reason is not None else _NOTHING
        return why, _NOTHING, _NOTHING
    low, high = (_NOTHING if e is None else f"{e:.3f}" for e in (figure.low, figure.high))
    return f"{figure.value:.3f}", low, high


def _counted(rows: Rows) -> Table:
    return Table(rows, [tuple(c if isinstance(c, str) else f"{c:,}" for c in r) for r in rows])
