"""``annotator team gold``: results known to be right, and the errors of raters against them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.team.people import person_named, sign_in
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.ids import TaskId
    from annotator.services.project.projects import OpenProject

_project = click.argument("project", type=click.Path(path_type=Path))
_videos = click.argument("videos", metavar="VIDEO...", nargs=-1, required=True)
_task_type = click.option(
    "--task-type", "kind", metavar="KEY", required=True, help="Task type of the recipe."
)


@click.group("gold")
def gold_group() -> None:
    """Measure raters with gold tasks against references.

    A recipe mixes them into drawn work, for example with
    gold = { every = 20 } in a task type. Raters are not told which tasks
    these are.
    """


@gold_group.command("add")
@_project
@_videos
@_task_type
@click.pass_context
def add_command(context: click.Context, project: Path, videos: tuple[str, ...], kind: str) -> None:
    """Use results of complete tasks for gold tasks. Lead only.

    VIDEO is the name of a video in the project.
    """
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        ids = _tasks(opened, videos, kind)
        refused = dict(opened.work.gold.add(ids))
        names = dict(zip(ids, videos, strict=True))
        for task_id, why in refused.items():
            click.echo(f"{one_line(names[task_id])}: {why}", err=True)
        click.echo(f"{many(len(ids) - len(refused), 'result')} added.")
        if refused:
            context.exit(FAILURE)
    finally:
        opened.close()


@gold_group.command("remove")
@_project
@_videos
@_task_type
def remove_command(project: Path, videos: tuple[str, ...], kind: str) -> None:
    """Make no further gold tasks from results. Scores are kept. Lead only."""
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        opened.work.gold.remove(_tasks(opened, videos, kind))
    finally:
        opened.close()


@gold_group.command("list")
@_project
def list_command(project: Path) -> None:
    """List the references and how often each was used. Lead only."""
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        names = {video.id: video.name for video in opened.videos()}
        for gold_task in opened.work.gold.results():
            state = "active" if gold_task.is_active else "not in use"
            name = one_line(names[gold_task.video_id])
            click.echo(f"{name}\t{gold_task.kind}\t{state}\t{many(gold_task.n_given, 'gold task')}")
        for shortage in opened.work.gold.shortages():
            click.echo(
                f"{shortage.kind}: {many(shortage.n_known, 'reference')}; at least"
                f" {shortage.n_needed} are needed.",
                err=True,
            )
    finally:
        opened.close()


@gold_group.command("scores")
@_project
@click.argument("person", metavar="[NAME]", required=False)
@click.option("--csv", "target", type=click.Path(path_type=Path), help="Write every score here.")
@terminal.force_option
def scores_command(project: Path, person: str | None, target: Path | None, force: bool) -> None:
    """Show the errors of each person and their trend. Lead only.

    Columns: person, task type, gold tasks, IoU of boxes, point distance in
    pixels, edge offset in milliseconds, F1 of what was drawn, tasks out of
    limits. The change per week follows in parentheses.
    """
    from annotator.services.project.projects import open_project
    from annotator.services.tables import write_table
    from annotator.services.workflow.submission_statistics import (
        COLUMNS,
        by_person,
        measure_text,
        score_rows,
    )

    if target is not None:
        terminal.check(target, project, writes="table", force=force)
    opened = open_project(project)
    try:
        sign_in(opened)
        person_id = person_named(opened, person) if person is not None else None
        scores = opened.work.gold.scores(person_id=person_id)
        for errors in by_person(scores):
            name = one_line(opened.work.people.person(errors.person_id).name)
            measures = "\t".join(measure_text(errors, key) for key in ("iou", "px", "ms", "found"))
            click.echo(
                f"{name}\t{errors.kind}\t{errors.n}\t{measures}\t{errors.n_beyond} out of limits"
            )
        if target is not None:
            write_table(target, COLUMNS, score_rows(opened, scores))
            click.echo(f"{many(len(scores), 'score')} written to {target}.")
    finally:
        opened.close()


def _tasks(project: OpenProject, videos: tuple[str, ...], kind: str) -> list[TaskId]:
    """Return the task of a kind on each video; WorkError names what there is none of."""
    from annotator.domain.errors import WorkError

    by_name = {video.name: video.id for video in project.videos()}
    tasks = {task.video_id: task.id for task in project.tasks() if task.kind == kind}
    task_ids: list[TaskId] = []
    for name in videos:
        task_id = tasks.get(by_name[name]) if name in by_name else None
        if task_id is None:
            raise WorkError(
                f"Cannot find a task of the type “{kind}” for the video “{name}”.",
                code="no-task",
                hint="Check the name of the video and the key of the task type.",
            )
        task_ids.append(task_id)
    return task_ids
