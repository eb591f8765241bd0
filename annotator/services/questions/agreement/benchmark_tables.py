"""Tables of figures that a benchmark asks for, beside those of every project.

The columns are named for files; a window has words of its own for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Final

from annotator.domain.agreement.figure import COLUMNS as FIGURE_COLUMNS
from annotator.domain.agreement.figure import Figure
from annotator.domain.agreement.figure import table as figure_rows
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.questions.items.groups import FINISHED, Part
from annotator.domain.study.figures import LEVEL, Answered, baseline
from annotator.services.project.projects import OpenProject
from annotator.services.questions.benchmarks import neptune, video_tt_baseline
from annotator.services.questions.voting.outcomes import Outcome, items_of_kind, video_names
from annotator.services.tables import Cell, write_table

NEPTUNE: Final = "neptune"
VIDEO_TT: Final = "video-tt"

DISCARDS: Final = "discards"
MODALITIES: Final = "modalities"
CERTIFICATES: Final = "certificates"
PROOFS: Final = "proofs"
ROBUSTNESS: Final = "robustness"
GROUPS: Final = "groups"
HOURS: Final = "hours"

COLUMNS: Final = {
    DISCARDS: ("by", "name", "sets", "discarded", "share"),
    MODALITIES: ("modality", "sets", "share"),
    CERTIFICATES: ("measure", "sets", "mean", "median", "least", "most"),
    PROOFS: ("key", "video", "spans", "length_s", "reach_s", "share", "effort_s"),
    ROBUSTNESS: (
        "measure",
        "of",
        "right",
        "value",
        "low",
        "high",
        "method",
        "parameters",
        "digest",
    ),
    GROUPS: ("video", *Part),
    HOURS: ("kind", "stage", "tasks", "items", "hours_per_item", "people_per_item", "hours"),
}


@dataclass(frozen=True, slots=True)
class BenchmarkTable:
    """A table: its name, which is that of its file, and rows under its `COLUMNS`."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]


def benchmark_tables(project: OpenProject) -> tuple[BenchmarkTable, ...]:
    """Return the tables of the benchmark that the project's recipe is of; leads only.

    None where a recipe of somebody's own leaves out what they are about.
    """
    project.work.people.check_lead()
    recipe = project.work.recipe
    if recipe.export == NEPTUNE and recipe.task_type(neptune.JUDGE) is not None:
        return tuple(_of_neptune(project))
    if recipe.export == VIDEO_TT:
        return tuple(_of_video_tt(project))
    return ()


def hours_of(project: OpenProject) -> BenchmarkTable:
    """Return the human hours of each stage, idle time left out, and of all together.

    In the order of the recipe; what it has no more comes last.
    """
    types = project.work.recipe.task_types
    places = {place: i for i, place in enumerate((t.kind, s.key) for t in types for s in t.stages)}
    found = sorted(
        project.work.numbers().hours, key=lambda e: places.get((e.kind, e.stage), len(places))
    )
    rows: list[tuple[Cell, ...]] = [
        (e.kind, e.stage, e.tasks, e.items, e.hours_per_item, e.people_per_item, e.total_hours)
        for e in found
    ]
    rows.append(("all", "", "", "", "", "", sum(each.total_hours for each in found)))
    return BenchmarkTable(HOURS, tuple(rows))


def write_benchmark_tables(project: OpenProject, folder: Path) -> dict[str, int]:
    """Write the tables of the benchmark, and the hours, into a folder; leads only.

    Returns the number of rows by file.
    """
    counts: dict[str, int] = {}
    for table in (*benchmark_tables(project), hours_of(project)):
        name = f"{table.name}.csv"
        write_table(folder / name, COLUMNS[table.name], table.rows)
        counts[name] = len(table.rows)
    return counts


def _of_neptune(project: OpenProject) -> Iterator[BenchmarkTable]:
    settled = neptune.settled_sets(project)
    yield BenchmarkTable(DISCARDS, tuple(_discards(project, settled)))
    kept = list(neptune.kept_sets(project, settled))
    counts: dict[str, int] = {}
    for each in kept:
        counts[each.modality] = counts.get(each.modality, 0) + 1
    yield BenchmarkTable(
        MODALITIES, tuple((name, counts[name], counts[name] / len(kept)) for name in sorted(counts))
    )
    proofs = tuple(
        (
            each.found.key,
            each.found.video,
            proof.n_spans,
            proof.length_s,
            proof.reach_s,
            proof.share,
            "" if each.effort_s is None else each.effort_s,
        )
        for each in kept
        if (proof := each.certificate) is not None
    )
    columns = COLUMNS[PROOFS]
    spreads = (
        _spread(columns[i], [row[i] for row in proofs])
        for i in range(columns.index("spans"), len(columns))
    )
    yield BenchmarkTable(CERTIFICATES, tuple(row for row in spreads if row is not None))
    yield BenchmarkTable(PROOFS, proofs)


def _discards(project: OpenProject, settled: Sequence[Outcome]) -> Iterator[tuple[Cell, ...]]:
    """Yield how many sets were discarded: of all, by reason, by type of question, by rater."""
    report = neptune.report_discards(project, settled)
    texts = neptune.statements(project)
    total = report.sets.total
    if not total:
        return
    yield ("all", "", total, report.sets.discarded, report.sets.discarded / total)
    for reason, n in report.reasons.items():
        yield ("reason", texts.get(reason, reason), total, n, n / total)
    for by, shares in (("type", report.by_type), ("rater", report.by_rater)):
        for name, each in shares.items():
            yield (by, name, each.total, each.discarded, each.discarded / each.total)


def _of_video_tt(project: OpenProject) -> Iterator[BenchmarkTable]:
    """Yield how steadily people are right, with intervals of 90 %, and where they are not."""
    counted = video_tt_baseline.baseline_answers(project)
    answers = [
        Answered(f"{each.group}/{each.part}", each.person_id, each.is_right) for each in counted
    ]
    rights = video_tt_baseline.right_answers(counted)
    whole = [group for group in rights.values() if group.keys() >= set(Part)]
    begun = [group for group in whole if group[Part.PRIMARY]]
    n_kept = sum(all(group.values()) for group in begun)
    steady = video_tt_baseline.robustness_of(project, rights)
    rows = [(ROBUSTNESS, len(begun), n_kept, *_figure(steady))] if begun else []
    parts = {each.item_id: (each.item_id.rpartition("/")[2],) for each in answers}
    # Wilson's interval only: with a handful of groups the bootstrap's says nothing.
    accuracies = {
        figure.name: figure
        for figure in baseline(answers, {"part": parts}, Bootstrap(0, level=LEVEL))
        if figure.by and figure.params.get("interval") == "wilson"
    }
    for part in Part:
        if part in accuracies:
            figure = accuracies[part]
            theirs = [each.is_right for each in answers if parts[each.item_id] == (part,)]
            rows.append((part.value, len(theirs), sum(theirs), *_figure(figure)))
    yield BenchmarkTable(ROBUSTNESS, tuple(rows))
    names = video_names(project)
    videos = {item.group: names[item.video_ids[0]] for _, item in items_of_kind(project, FINISHED)}
    yield BenchmarkTable(
        GROUPS,
        tuple(
            (videos[group], *(_word(found.get(part)) for part in Part))
            for group, found in rights.items()
            if group in videos
        ),
    )


def _figure(figure: Figure) -> tuple[Cell, ...]:
    told = dict(zip(FIGURE_COLUMNS, next(figure_rows([figure])), strict=True))
    numbers = (figure.value, figure.low, figure.high)
    words = (told[name] for name in COLUMNS[ROBUSTNESS][6:])
    return (*("" if n is None else n for n in numbers), *words)


def _word(is_right: bool | None) -> str:
    return "" if is_right is None else ("right" if is_right else "wrong")


def _spread(name: str, cells: Sequence[Cell]) -> tuple[Cell, ...] | None:
    found = [each for each in cells if not isinstance(each, str)]
    if not found:
        return None
    return (name, len(found), fmean(found), median(found), min(found), max(found))
