"""``annotator dataset``: statistics, splits, releases and model evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.terminal import progress
from annotator.cli.dataset.evaluation import evaluate_command, evaluated
from annotator.cli.dataset.release import compare_command, release_command, verify_command
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.services.dataset.split_optimization import Split

_SHOWN = 12


@click.group("dataset")
def dataset_group() -> None:
    """Evaluate, split and release data sets."""


@dataset_group.command("split")
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--share",
    "shares",
    metavar="SPLIT=FRACTION",
    multiple=True,
    required=True,
    help="Name and fraction of a split, for example train=0.7. Repeatable.",
)
@click.option(
    "--together",
    metavar="COLUMN",
    multiple=True,
    help="Videos with equal values in all these columns stay together, for example script and "
    "participant. Repeatable.",
)
@click.option(
    "--apart",
    metavar="COLUMN",
    multiple=True,
    help="No value of this column may be in two splits. Repeatable.",
)
@click.option(
    "--even",
    "columns",
    metavar="COLUMN",
    multiple=True,
    help="Also split the values of this column evenly, for example camera. Repeatable.",
)
@click.option(
    "--fix", "pinned", metavar="VIDEO=SPLIT", multiple=True, help="Fix a video. Repeatable."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0, min_open=True),
    default=0.25,
    show_default=True,
    metavar="X",
    help="Allowed relative deviation of an attribute from its target.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds to search.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
@click.option("--save", is_flag=True, help="Store the split in the project. Lead only.")
@click.option(
    "--output",
    "table",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write video and split as CSV.",
)
@terminal.force_option
@click.pass_context
def split_command(
    context: click.Context,
    project: Path,
    shares: tuple[str, ...],
    together: tuple[str, ...],
    apart: tuple[str, ...],
    columns: tuple[str, ...],
    pinned: tuple[str, ...],
    tolerance: float,
    time_limit: float,
    seed: int,
    save: bool,
    table: Path | None,
    force: bool,
) -> None:
    """Split the videos evenly by labels, questions and metadata.

    Groups of videos stay together. The result is the split for which the totals
    of all attributes are closest to their targets, with a bound on how much
    better any split could be. The exit code is 1 if an attribute is outside the
    tolerance.
    """
    from annotator.domain.dataset.split_groups import SplitWish
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.split_optimization import save_split, split_videos
    from annotator.services.dataset.statistics import collect
    from annotator.services.project.projects import open_project
    from annotator.services.tables import write_table

    if table is not None:
        terminal.check(table, project, writes="table", force=force)
    fractions = {name: _fraction(value) for name, value in map(_pair, shares)}
    wish = SplitWish(
        fractions,
        together,
        apart,
        dict(map(_pair, pinned)),
        columns,
        tolerance,
        seed,
        time_limit,
    )
    opened = open_project(project)
    try:
        if save:
            sign_in(opened)
        with progress("Splitting") as report:
            token = JobToken(report)
            data = collect(opened, token, complete_only=False, updates=True)
            split = split_videos(data, wish, token)
        if save:
            n = save_split(opened, split, wish)
            click.echo(f"{many(n, 'video')} changed.", err=True)
    finally:
        opened.close()
    _show(split, wish.tolerance)
    if table is not None:
        write_table(table, ("video", "split"), sorted(split.by_video.items()))
        click.echo(table)
    if split.beyond(wish.tolerance):
        context.exit(FAILURE)


@dataset_group.command("issues")
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--detector", "only", metavar="NAME", multiple=True, help="Use only this one. Repeatable."
)
@click.option(
    "--limit",
    "limits",
    metavar="NAME=X",
    multiple=True,
    help="Change the limit of a detector. Repeatable.",
)
@click.option("--all", "with_decided", is_flag=True, help="Also list confirmed and dismissed ones.")
@click.option("--list", "is_listing", is_flag=True, help="List the detectors with their rules.")
@click.option(
    "--scan",
    "is_scanning",
    is_flag=True,
    help="First scan videos that changed: signs in pictures, sound and whole documents.",
)
@click.option(
    "--predictions",
    "files",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Compare tracks with those of a model, see “evaluate”. Repeatable.",
)
@click.option(
    "--baseline",
    "baselines",
    metavar="NAME",
    multiple=True,
    help="Compare tracks with a baseline, see “evaluate”. Repeatable.",
)
def issues_command(
    project: Path,
    only: tuple[str, ...],
    limits: tuple[str, ...],
    with_decided: bool,
    is_listing: bool,
    is_scanning: bool,
    files: tuple[Path, ...],
    baselines: tuple[str, ...],
) -> None:
    """List suspicious annotations of the whole data set, the most severe first.

    Each line has severity, detector, video, frame, state and text, separated by
    tabs. Decide on them in the window: Lead > Data set, tab Issues.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.issue_queue import (
        OPEN,
        ScoredTrack,
        find_issues,
        results,
        scored_tracks,
    )
    from annotator.services.dataset.video_scans import scan_videos
    from annotator.services.project.projects import open_project

    limits_by_name = {name: _fraction(value) for name, value in map(_pair, limits)}
    opened = open_project(project)
    try:
        sign_in(opened)
        if is_scanning:
            with progress("Scanning videos") as report:
                state = scan_videos(opened, JobToken(report))
            if state.n_without_media:
                note = f"note: {many(state.n_without_media, 'video')} without a file."
                click.echo(note, err=True)
        scores: list[ScoredTrack] = []
        if files or baselines:
            scores = list(scored_tracks(evaluated(opened, files, baselines)))
        with progress("Looking for issues") as report:
            token = JobToken(report)
            suspects = find_issues(
                opened, token, limits=limits_by_name, only=only, updates=True, scores=scores
            )
        rated = results(opened, suspects) if is_listing else []
    finally:
        opened.close()
    for shown_suspect in rated:
        precision = f"{shown_suspect.precision:.0%}" if shown_suspect.precision is not None else "–"
        limit = shown_suspect.limit_text if shown_suspect.setting.is_on else "off"
        cells = (
            shown_suspect.detector.key,
            limit,
            f"{shown_suspect.n_open:,}",
            precision,
            shown_suspect.detector.rule,
        )
        click.echo("\t".join(map(one_line, cells)))
    for suspect in () if is_listing else suspects:
        if suspect.state != OPEN and not with_decided:
            continue
        s = suspect.suspicion
        place = suspect.video, f"{s.frame}", suspect.state
        line = (f"{s.severity:.2f}", s.detector, *place, s.text)
        click.echo("\t".join(map(one_line, line)))


@dataset_group.command("duplicates")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--scan", "is_scanning", is_flag=True, help="First scan videos that changed.")
@click.option(
    "--by",
    "columns",
    metavar="COLUMN",
    multiple=True,
    help="Videos with equal values in all of these columns are suspicious. Repeatable. Default: "
    "participant, script.",
)
@click.option("--everywhere", is_flag=True, help="Also list pairs within a split.")
@click.pass_context
def duplicates_command(
    context: click.Context,
    project: Path,
    is_scanning: bool,
    columns: tuple[str, ...],
    everywhere: bool,
) -> None:
    """List videos in different splits that may show the same.

    Reasons: the same file, similar pictures (difference hashes of five frames),
    the same participant and script. Each line has reasons, video, split, other
    video, split and the mean number of different bits (of 64), separated by tabs.
    The exit code is 1 if there are any.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.duplicates import COLUMNS, near_duplicates
    from annotator.services.dataset.video_scans import scan_videos
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        if is_scanning:
            with progress("Scanning videos") as report:
                scan_videos(opened, JobToken(report))
        with progress("Comparing videos") as report:
            groups = near_duplicates(
                opened, JobToken(report), columns=columns or COLUMNS, everywhere=everywhere
            )
    finally:
        opened.close()
    for pair in groups.found:
        one, other = pair.first, pair.second
        bits = f"{pair.bits:.1f}" if pair.bits is not None else ""
        cells = ", ".join(pair.reasons), one.name, one.split, other.name, other.split, bits
        click.echo("\t".join(map(one_line, cells)))
    if groups.n_unscanned:
        click.echo(f"note: {many(groups.n_unscanned, 'video')} not scanned; use --scan.", err=True)
    if groups.is_cut:
        click.echo("note: there are more pairs.", err=True)
    if groups.found:
        context.exit(FAILURE)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals:
        raise click.UsageError(f"“{text}” is not of the form NAME=VALUE.")
    return name.strip(), value.strip()


def _fraction(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"“{text}” is not a number.") from None


def _show(split: Split, tolerance: float) -> None:
    counts: dict[str, int] = {}
    for name in split.by_video.values():
        counts[name] = counts.get(name, 0) + 1
    sizes = ", ".join(f"{name} {n:,}" for name, n in counts.items())
    click.echo(f"{many(split.n_groups, 'group')} in {split.seconds:.1f} s: {sizes}")
    for step in split.steps:
        line = f"{step.split}: objective {step.value:.6f}, no split is below {step.bound:.6f}"
        click.echo(f"{line} (gap {step.gap:.6f})")
    click.echo(
        f"{'split':<8}{'count':>8}{'of':>9}{'share':>9}{'target':>9}  attribute, worst first"
    )
    for row in split.achieved[:_SHOWN]:
        numbers = f"{row.count:>8,}{row.total:>9,}{row.share:>9.3f}{row.target:>9.3f}"
        click.echo(f"{row.split:<8}{numbers}  {one_line(row.attribute)}")
    for row in split.beyond(tolerance):
        text = f"warning: {row.attribute} deviates by {abs(1 - row.ratio):.0%} in {row.split}"
        click.echo(f"{one_line(text)}; no group can be moved to improve it.", err=True)
    if split.left_out:
        names = ", ".join(f"{name} ({n})" for name, n in split.left_out[:_SHOWN])
        click.echo(f"note: too rare to be split evenly: {one_line(names)}", err=True)


for _command in (evaluate_command, release_command, verify_command, compare_command):
    dataset_group.add_command(_command)
