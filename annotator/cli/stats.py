"""``annotator stats``: data set statistics, agreement, accuracy, annotation time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.dataset.statistics import DataSet
    from annotator.services.tables import Cell

_SAID = {
    "other-inputs": "inputs changed",
    "other-method": "computed by another method version",
    "other-value": "value does not match the inputs",
    "gone": "not in the project",
}
"""Texts for changed statistics, by verdict."""

_project = click.argument("project", type=click.Path(path_type=Path))
_task_type = click.option("--task-type", "kind", metavar="KEY", help="Only tasks of this type.")
_resamples = click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Bootstrap resamples for confidence intervals; 0 disables them.",
)
_seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Random seed.",
)
_EVERY = frozenset({"agreement.csv", "gold-answers.csv", "items.csv", "hours.csv"})


class _Statistics(click.Group):
    """Takes ``stats PROJECT`` for ``stats dataset PROJECT``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the matching command and its arguments."""
        if args and args[0] not in self.commands and Path(args[0]).suffix == ".annot":
            return super().resolve_command(ctx, ["dataset", *args])
        return super().resolve_command(ctx, args)


@click.group("stats", cls=_Statistics)
def stats_group() -> None:
    """Data set statistics, inter-rater agreement, accuracy, annotation time.

    “annotator stats PROJECT” is short for “annotator stats dataset PROJECT”.
    """


@stats_group.command("dataset")
@_project
@click.option(
    "--where",
    "conditions",
    metavar="COLUMN=VALUE",
    multiple=True,
    help="Only videos with this metadata, for example split=valid. Repeatable.",
)
@click.option(
    "--include-incomplete",
    is_flag=True,
    help="Also count the latest submissions of tasks that are not complete.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="Print this many bars of each chart.",
)
@click.option(
    "--output",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write all tables as CSV files.",
)
def dataset_command(
    project: Path,
    conditions: tuple[str, ...],
    include_incomplete: bool,
    top: int,
    folder: Path | None,
) -> None:
    """Count the contents of the data set: annotations, labels, questions, videos.

    PROJECT is a project, or the folder of a release. In a project with stages,
    only complete tasks count. Charts: durations, objects per video, track
    lengths, occlusion, box sizes, roles, labels, questions by area and tag; and
    which action and sound labels share objects.
    """
    from annotator.domain.dataset.statistics import check_columns
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.releases.certificate import read_certificate
    from annotator.services.dataset.releases.released import released_data
    from annotator.services.dataset.statistics import collect, write_statistics
    from annotator.services.project.projects import open_project

    values_by_column = dict(_condition(condition) for condition in conditions)
    if project.is_dir():
        read_certificate(project)
        with progress("Computing statistics") as report:
            data = released_data(project, JobToken(report))
    else:
        opened = open_project(project)
        try:
            with progress("Computing statistics") as report:
                data = collect(
                    opened, JobToken(report), complete_only=not include_incomplete, updates=True
                )
        finally:
            opened.close()
    if values_by_column:
        check_columns(values_by_column, [video.metadata for video in data.videos])
        data = data.only(
            lambda v: all(v.metadata.get(c) == value for c, value in values_by_column.items())
        )
    for line in _described(data, top):
        click.echo(one_line(line))
    if folder is not None:
        for name, n in write_statistics(data, folder).items():
            click.echo(f"{folder / name}: {many(n, 'row')}")


def _condition(text: str) -> tuple[str, str]:
    column, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"“{text}” is not of the form COLUMN=VALUE.")
    return column.strip(), value.strip()


def _described(data: DataSet, top: int) -> Iterator[str]:
    """Yield the counts and charts as lines."""
    yield f"{many(len(data.videos), 'video')}, {sum(v.duration_s for v in data.videos):,.0f} s"
    yield f"{'':<20}{'videos':>9}{'number':>10}{'marks':>12}{'classes':>9}{'per video':>11}"
    for c in data.counts():
        numbers = f"{c.videos:>9,}{c.annotations:>10,}{c.marks:>12,}{c.classes:>9,}{c.mean:>11.2f}"
        yield f"{c.kind:<20}{numbers}"
    for chart in data.charts():
        yield ""
        yield chart.key.replace("_", " ")
        for bar in chart.bars[:top]:
            yield f"  {bar.name or '–':<40}{bar.value:>9,.0f}"
        if len(chart.bars) > top:
            rest = sum(bar.value for bar in chart.bars[top:])
            yield f"  {f'({len(chart.bars) - top} more)':<40}{rest:>9,.0f}"


@stats_group.command("export")
@_project
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@_task_type
@_resamples
@_seed
def export_command(
    project: Path, folder: Path, kind: str | None, resamples: int, seed: int
) -> None:
    """Export agreement, accuracy, item and time tables as CSV. Lead only.

    Writes agreement.csv (statistic, method, confidence interval),
    gold-answers.csv (accuracy per person on gold questions), items.csv (state of
    each item) and hours.csv (annotation time per stage), and the tables of the
    recipe's benchmark. Answers are included after their task is resolved.
    """
    for name, n in _write(project, folder, kind, resamples, seed).items():
        click.echo(f"{folder / name}: {many(n, 'row')}")


def _write(
    project: Path, folder: Path, kind: str | None, resamples: int, seed: int
) -> dict[str, int]:
    """Write all tables into a folder; return the number of rows by file name."""
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.project_checks import vote_findings
    from annotator.services.project.projects import open_project
    from annotator.services.questions.agreement.agreement_files import (
        write_agreement,
        write_benchmark_tables,
    )

    opened = open_project(project)
    try:
        sign_in(opened)
        bootstrap = Bootstrap(resamples, seed)
        with progress("Computing statistics") as report:
            written = write_agreement(opened, folder, JobToken(report), bootstrap, kind)
        more = write_benchmark_tables(opened, folder) if kind is None else {}
        show_findings(vote_findings(opened, kind))
    finally:
        opened.close()
    return {**written.counts, **more}


def _table_command(name: str, files: tuple[str, ...], text: str) -> None:
    """Add a command that prints tables; without ``files`` those of the recipe's benchmark."""

    @stats_group.command(name, help=f"{text} Lead only.")
    @_project
    @_task_type
    @_resamples
    @_seed
    def print_command(project: Path, kind: str | None, resamples: int, seed: int) -> None:
        with TemporaryDirectory() as place:
            folder = Path(place)
            written = _write(project, folder, kind, resamples, seed)
            for each in files or [n for n in written if n not in _EVERY]:
                if not files:
                    click.echo(f"# {each}")
                click.echo((folder / each).read_text(encoding="utf-8-sig"), nl=False)


_table_command(
    "agreement", ("agreement.csv",), "Print inter-rater agreement with confidence intervals as CSV."
)
_table_command(
    "accuracy", ("gold-answers.csv",), "Print accuracy per person on gold questions as CSV."
)
_table_command("items", ("items.csv",), "Print state and result of every item as CSV.")
_table_command("hours", ("hours.csv",), "Print annotation time per task type and stage as CSV.")
_table_command("benchmark", (), "Print the tables of the recipe's benchmark as CSV.")


@stats_group.command("people")
@_project
@click.option("--by-day", is_flag=True, help="One row per day, task type and stage.")
def people_command(project: Path, by_day: bool) -> None:
    """Print hours, submissions, items and quality of each person as CSV. Lead only.

    Hours are active time. Quality: the share of submissions that reviewers sent
    back, and accuracy on gold questions.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.workflow import people_table

    opened = open_project(project)
    try:
        sign_in(opened)
        people = people_table.people_work(opened)
    finally:
        opened.close()
    if by_day:
        _print_table(people_table.COLUMNS, people_table.day_rows(people))
    else:
        _print_table(people_table.TOTAL_COLUMNS, people_table.total_rows(people))


@stats_group.command("provenance")
@_project
def provenance_command(project: Path) -> None:
    """Print the origin of each keyframe and edge that several raters drew as CSV. Lead only.

    One row per keyframe, run of point marks, and segment edge of complete tasks
    with parallel raters: whose work was averaged, or who adjudicated it.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.workflow import consensus

    opened = open_project(project)
    try:
        sign_in(opened)
        rows = list(consensus.provenance_rows(opened))
    finally:
        opened.close()
    _print_table(consensus.COLUMNS, rows)


@stats_group.command("forecast")
@_project
def forecast_command(project: Path) -> None:
    """Estimate the remaining hours and days of a project.

    From the measured time per task and the tasks that still have to pass each
    stage, with 90% bootstrap intervals. Days are working days at the rate of the
    latest 14 days with activity.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.workflow.people_table import project_forecast

    opened = open_project(project, read_only=True)
    try:
        forecast = project_forecast(opened)
    finally:
        opened.close()
    for stage in forecast.stages:
        place = f"{stage.kind}, {stage.stage}: {many(stage.remaining, 'task')}"
        if stage.hours is None:
            click.echo(one_line(f"{place}, no estimate ({stage.measured} measured)"))
            continue
        low, middle, high = stage.hours
        click.echo(one_line(f"{place}, {middle:,.1f} h ({low:,.1f} to {high:,.1f})"))
    low, middle, high = forecast.hours
    click.echo(f"remaining: {middle:,.1f} h ({low:,.1f} to {high:,.1f})")
    if forecast.days is not None:
        low, middle, high = forecast.days
        rate = f"{forecast.hours_per_day:,.1f} h per day"
        click.echo(f"working days: {middle:,.1f} ({low:,.1f} to {high:,.1f}) at {rate}")


def _print_table(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    from annotator.services.tables import write_table

    with TemporaryDirectory() as place:
        path = Path(place) / "table.csv"
        write_table(path, head, rows)
        click.echo(path.read_text(encoding="utf-8-sig"), nl=False)


@stats_group.command("verify")
@_project
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.pass_context
def verify_command(context: click.Context, project: Path, file: Path) -> None:
    """Recompute a statistics file and report differences. Lead only.

    FILE is agreement.csv, gold-answers.csv or a votes file. The exit code is 1
    if a value differs.
    """
    if not _verify(project, file):
        context.exit(FAILURE)


def _verify(project: Path, path: Path) -> bool:
    """Report the values of a file that differ from their inputs; True if none does."""
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.questions.agreement.estimate_verification import (
        RecomputeResult,
        counts_of,
        verify_estimates,
    )

    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Recomputing statistics") as report:
            checks = verify_estimates(opened, path, JobToken(report))
    finally:
        opened.close()
    for check in checks:
        if check.verdict is not RecomputeResult.SAME:
            stored = check.stored
            parts = (
                stored.kind,
                stored.field,
                stored.by,
                stored.name,
                stored.method,
            )
            place = " ".join(one_line(part) for part in parts if part)
            before, now = stored.answer or stored.value, check.answer_now or check.now
            click.echo(one_line(f"{place}: {before} → {now} ({_SAID[check.verdict]})"))
    counts = counts_of(checks)
    differing = ", ".join(f"{n} {_SAID[v]}" for v, n in counts.items() if n and v in _SAID)
    same = f"{many(counts[RecomputeResult.SAME], 'value')} verified"
    click.echo(f"{path}: {same}{', ' if differing else ''}{differing}")
    return not differing
