"""``annotator dataset evaluate``: metrics of predictions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.services.dataset.evaluation.evaluation import Evaluation, MetricResult
    from annotator.services.project.projects import OpenProject

_WIDTH = 22


@click.command("evaluate")
@click.argument("reference", metavar="PROJECT", type=click.Path(path_type=Path))
@click.argument("files", metavar="PREDICTIONS", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--baseline",
    "baselines",
    metavar="NAME",
    multiple=True,
    help="Also evaluate a baseline: static, linear, tracker (the program's own trackers), "
    "majority, random; or people: raters (independent submissions, studies), first (first "
    "submissions against the result). Repeatable.",
)
@click.option(
    "--by",
    "columns",
    metavar="COLUMN",
    multiple=True,
    help="Group results by this metadata column, or by label. Repeatable. Default: split, "
    "camera, length, occlusion, area, reasoning, tag.",
)
@click.option("--split", metavar="NAME", help="Only videos of this split.")
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    metavar="N",
    help="Bootstrap resamples for confidence intervals; 0 disables them.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
@click.option(
    "--output",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write metrics.csv and items.csv (scores of single tracks and questions, worst first).",
)
@click.option(
    "--media",
    metavar="FOLDER",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder with the videos, for “tracker” on annotations in a file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def evaluate_command(
    context: click.Context,
    reference: Path,
    files: tuple[Path, ...],
    baselines: tuple[str, ...],
    columns: tuple[str, ...],
    split: str | None,
    resamples: int,
    seed: int,
    folder: Path | None,
    media: Path | None,
    as_json: bool,
) -> None:
    """Evaluate predictions against a project's annotations.

    PROJECT is a project or a Perception Test file. PREDICTIONS are files of
    results in the format of the Perception Test challenges, annotations in the
    same format, or tracks and segments in another format (“annotator formats”).
    In a project whose benchmark has questions of its own, PREDICTIONS are answers
    (JSON, JSON Lines or CSV with qid, answer, score, correct).

    Metrics: mean IoU, average Jaccard (TAP-Vid first, strided, whole video), mAP
    of actions and sounds, top-1 accuracy, HOTA; of tracks without IDs of the
    reference HOTA, MOTA and IDF1. Confidence intervals are bootstrapped over
    videos. The exit code is 1 if a record was left out.
    """
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.services.dataset.evaluation.evaluation_tables import as_json as json_of
    from annotator.services.dataset.evaluation.evaluation_tables import write_evaluation

    if not files and not baselines:
        raise click.UsageError("Name a file of predictions or a --baseline.")
    bootstrap = Bootstrap(resamples, seed)
    evaluation = evaluated(
        reference, files, baselines, columns, media=media, split=split, how=bootstrap
    )
    n_errors = show_findings(evaluation.findings)
    grouped = {result.by for result in evaluation.results}
    for column in columns:
        if column not in grouped:
            click.echo(f"warning: No evaluated video has the column “{column}”.", err=True)
    if as_json:
        click.echo(json.dumps(json_of(evaluation), ensure_ascii=False, indent=1))
    else:
        for line in _lines(evaluation):
            click.echo(line)
    if folder is not None:
        for name, n in write_evaluation(evaluation, folder).items():
            click.echo(f"{folder / name}: {many(n, 'row')}", err=as_json)
    if n_errors:
        context.exit(FAILURE)


def evaluated(
    place: Path | OpenProject,
    files: tuple[Path, ...],
    baselines: tuple[str, ...],
    columns: tuple[str, ...] = (),
    *,
    media: Path | None = None,
    split: str | None = None,
    how: Bootstrap | None = None,
) -> Evaluation:
    """Evaluate files and baselines with progress; without ``how`` there are no intervals."""
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.evaluation.baselines import PEOPLE, baseline
    from annotator.services.dataset.evaluation.evaluation import USUAL_COLUMNS, Predictor, evaluate
    from annotator.services.dataset.evaluation.models import named_predictions, prediction_file
    from annotator.services.dataset.evaluation.question_scores import evaluate_answers, questions_of
    from annotator.services.dataset.evaluation.reference import Reference

    how = how or Bootstrap(0)
    with ExitStack() as stack, progress("Evaluating") as report:
        is_read_only = not any(name in PEOPLE for name in baselines)
        opened = stack.enter_context(
            Reference(place, split=split, media=media, is_read_only=is_read_only)
        )
        if not is_read_only and isinstance(place, Path) and opened.project is not None:
            sign_in(opened.project)
        token = JobToken(report)
        questions = questions_of(opened.project) if opened.project is not None else []
        named = named_predictions(files)
        if questions and opened.project is not None:
            return evaluate_answers(
                opened.project,
                questions,
                [*named.items(), *((name, None) for name in baselines)],
                token,
                columns=columns,
                bootstrap=how,
                seed=how.seed,
            )
        models: list[Predictor] = []
        for name, path in named.items():
            models.append(prediction_file(path, name))
            stack.callback(models[-1].close)
        for name in baselines:
            models.append(baseline(name, opened, JobToken(lambda *_: None), how.seed))
            stack.callback(models[-1].close)
        return evaluate(
            opened.videos(token),
            models,
            token,
            columns=columns or USUAL_COLUMNS,
            bootstrap=how,
            n_videos=opened.count(),
        )


def _lines(done: Evaluation) -> Iterator[str]:
    """Yield the results as a table: a line for each metric and group, a column for each model."""
    from annotator.services.dataset.evaluation.evaluation_tables import side_by_side

    models = list(dict.fromkeys(result.model for result in done.results))
    if not models:
        yield "Nothing to evaluate: predictions and annotations have no task in common."
        return
    rows = [(title, group, by_model) for title, group, by_model in side_by_side(done.results)]
    first = max(len(_title(title, group)) for title, group, _ in rows) + 2
    yield f"{'':<{first}}" + "".join(f"{one_line(m)[: _WIDTH - 2]:<{_WIDTH}}" for m in models)
    for title, group, by_model in rows:
        cells = (_cell(by_model.get(model)) for model in models)
        yield f"{_title(title, group):<{first}}" + "".join(f"{c:<{_WIDTH}}" for c in cells)


def _title(title: str, group: str) -> str:
    return one_line(f"  {group}" if group else title)


def _cell(result: MetricResult | None) -> str:
    if result is None or math.isnan(result.value):
        return "–"
    span = result.interval
    return f"{result.value:.4f}" + (f" [{span[0]:.3f}, {span[1]:.3f}]" if span else "")
