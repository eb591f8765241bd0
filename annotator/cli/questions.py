"""``annotator ask``, ``dataset`` and ``figures``: questions, their data sets and their figures."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.common import output
from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.findings import show_findings
from annotator.cli.common.progress import progress
from annotator.cli.common.words import many
from annotator.cli.package import sign_in

_SAID = {
    "other-inputs": "inputs changed",
    "other-method": "computed by another method version",
    "other-value": "value does not match the inputs",
    "gone": "not in the project",
}
"""What is said of figures that are not what they were, by the verdict."""

_project = click.argument("project", type=click.Path(path_type=Path))


@click.command("ask")
@_project
@click.argument("act", metavar="[ACT]", required=False)
@click.option(
    "--sets",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Bring in what was made elsewhere: sets to be judged for Neptune, finished questions for"
    " Video-TT, else items of any kind, such as tests and checks.",
)
@click.pass_context
def ask_command(context: click.Context, project: Path, act: str | None, sets: Path | None) -> None:
    """Turn what is settled in PROJECT into what is asked next.

    ACT is one of those that the project's recipe has a use for; without it they
    are listed, in the order of the work. What was made before is not made
    again, so an act may be repeated as work goes on. For leads.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.questions.acts import acts_of, bring_in, run_act

    opened = open_project(project)
    try:
        sign_in(opened)
        if act is None and sets is None:
            for each in acts_of(opened):
                click.echo(f"{each.name:<16} {each.title}")
            return
        made = bring_in(opened, sets) if sets is not None else run_act(opened, act or "")
    finally:
        opened.close()
    n_errors = show_findings(made.findings)
    click.echo(f"{project}: {many(len(made.item_ids), 'new item')}")
    if n_errors:
        context.exit(FAILURE)


@click.command("dataset")
@_project
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@output.force_option
@click.pass_context
def dataset_command(context: click.Context, project: Path, out: Path, force: bool) -> None:
    """Write the questions of PROJECT as the data set of its benchmark.

    OUT is a folder for PACS, a file for the others; the recipe says which it
    is. Where each answer came from goes into a file of its own beside it. For
    the Perception Test this is the file of cut frames; its questions are in
    what annotator export writes. For leads.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.questions.acts import write_data_set

    writes = "parquet" if out.suffix.lower() == ".parquet" else "json"
    output.check(out, project, writes=writes, force=force)
    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Writing") as report:
            done = write_data_set(opened, out, JobToken(report))
    finally:
        opened.close()
    n_errors = show_findings(done.findings)
    counts = ", ".join(f"{one_line(name)} {n}" for name, n in done.counts.items())
    click.echo(f"{done.path}: {counts}")
    if n_errors:
        context.exit(FAILURE)


@click.command("figures")
@_project
@click.argument("out", metavar="[OUT]", required=False, type=click.Path(path_type=Path))
@click.option("--kind", metavar="KIND", help="Of tasks of this kind only.")
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="How often items are drawn again for an interval; 0: no intervals.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Of what is drawn: the same seed gives the same intervals.",
)
@click.option(
    "--check",
    "checked",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Work out again what a file tells: agreement.csv, or the votes beside a data set.",
)
@click.pass_context
def figures_command(
    context: click.Context,
    project: Path,
    out: Path | None,
    kind: str | None,
    draws: int,
    seed: int,
    checked: Path | None,
) -> None:
    """Write how far raters of PROJECT agree, and what they knew.

    OUT is a folder for tables as CSV: agreement.csv with each figure, its
    method and interval, known-answers.csv with who was right how often,
    items.csv with what became of each item, and hours.csv with the human hours
    of each stage. Of Neptune there are discards, modalities and certificates
    too, of Video-TT the robustness. Answers count once their task is decided.
    For leads.
    """
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.checks import vote_findings
    from annotator.services.project.projects import open_project
    from annotator.services.questions.agreement.benchmark_tables import write_benchmark_tables
    from annotator.services.questions.agreement.figures import write_figures

    if (out is None) == (checked is None):
        raise click.UsageError("Specify either an output folder or --check FILE.")
    if out is None:
        if checked is not None and not _check(project, checked):
            context.exit(FAILURE)
        return
    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Computing statistics") as report:
            done = write_figures(opened, out, JobToken(report), Bootstrap(draws, seed), kind)
        more = write_benchmark_tables(opened, out) if kind is None else {}
        show_findings(vote_findings(opened, kind))
    finally:
        opened.close()
    for name, n in (*done.counts.items(), *more.items()):
        click.echo(f"{done.folder / name}: {many(n, 'row')}")


def _check(project: Path, path: Path) -> bool:
    """Tell which figures of a file are not what they were; True when all are."""
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import open_project
    from annotator.services.questions.agreement.recomputing import Verdict, check_figures, counts_of

    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Recomputing statistics") as report:
            found = check_figures(opened, path, JobToken(report))
    finally:
        opened.close()
    for each in found:
        if each.verdict is not Verdict.SAME:
            told = each.told
            parts = (told.kind, told.field, told.by, told.name, told.method)
            place = " ".join(one_line(part) for part in parts if part)
            click.echo(f"{place}: {told.value} → {each.now} ({_SAID[each.verdict]})")
    counts = counts_of(found)
    differing = ", ".join(f"{n} {_SAID[v]}" for v, n in counts.items() if n and v in _SAID)
    same = f"{many(counts[Verdict.SAME], 'value')} verified"
    click.echo(f"{path}: {same}{', ' if differing else ''}{differing}")
    return not differing
