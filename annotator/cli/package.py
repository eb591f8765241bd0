"""``annotator package``, ``annotator submit`` and ``annotator collect``: work that goes by file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import output
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.progress import progress
from annotator.cli.common.words import many

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.services.project.projects import OpenProject

_project = click.argument("project", type=click.Path(path_type=Path))


@click.command("package")
@_project
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--person", required=True, metavar="NAME", help="Who the work is for.")
@click.option(
    "--tasks",
    type=click.IntRange(1),
    metavar="N",
    help="Give the person up to N further tasks from the queue.",
)
@click.option(
    "--stage",
    metavar="S",
    help="Further tasks of this stage only; all that they may have if --tasks is absent.",
)
@click.option("--with-media", is_flag=True, help="Put the videos into the file too.")
@output.force_option
def package_command(
    project: Path,
    out: Path,
    person: str,
    tasks: int | None,
    stage: str | None,
    with_media: bool,
    force: bool,
) -> None:
    """Write the work of one person in PROJECT into the file OUT.

    It holds what the person has in hand, and the further tasks asked for, with
    all they need to work offline. They make a project of it with annotator new
    --package. For leads.
    """
    from annotator.services.packages.packages import pack_tasks
    from annotator.services.project.projects import open_project

    output.check(out, project, writes="package", force=force)
    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Packing") as report:
            done = pack_tasks(
                opened,
                out,
                person_named(opened, person),
                n_tasks=tasks,
                stage=stage,
                with_media=with_media,
                on_progress=report,
            )
    finally:
        opened.close()
    for name in done.without_media:
        click.echo(f"{one_line(name)}: file not found; not included", err=True)
    media = f", {many(done.n_media, 'video')} included" if with_media else ""
    click.echo(f"{done.path}: {many(done.n_tasks, 'task')}, {done.n_new} newly assigned{media}")


@click.command("submit")
@_project
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@output.force_option
def submit_command(project: Path, out: Path, force: bool) -> None:
    """Write what was submitted in PROJECT into the file OUT, for the lead.

    PROJECT was made of a work package. OUT holds all that was ever submitted
    there; sending it twice does no harm.
    """
    from annotator.services.packages.submissions import pack_submissions
    from annotator.services.project.projects import open_project

    output.check(out, project, writes="package", force=force)
    opened = open_project(project)
    try:
        done = pack_submissions(opened, out)
    finally:
        opened.close()
    click.echo(f"{done.path}: {many(done.n_submissions, 'submission')}")
    if done.n_open:
        click.echo(f"{many(done.n_open, 'task')} not submitted yet.", err=True)


@click.command("collect")
@_project
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.pass_context
def collect_command(context: click.Context, project: Path, files: tuple[Path, ...]) -> None:
    """Take over submission files into PROJECT. For leads.

    In any order, also twice: what is there already is left alone. A file that is
    damaged, changed or of another project is refused as a whole, and the others
    are taken over. The exit status is 0 only when none was refused.
    """
    from annotator.domain.errors import UserError
    from annotator.services.packages.submissions import collect
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    is_refused = False
    try:
        sign_in(opened)
        with progress("Collecting") as report:
            for i, path in enumerate(files):
                report(i / len(files), path.name)
                try:
                    done = collect(opened, path)
                except UserError as error:
                    is_refused = True
                    fail(str(error) if str(path) in str(error) else f"{path}: {error}")
                    continue
                counts = (
                    f"{many(len(done.new), 'new submission')}, {done.n_known} already collected"
                )
                click.echo(f"{one_line(str(path))}: {one_line(done.person)}, {counts}")
                for task_id, flag in done.flagged:
                    name = one_line(_video_name(opened, task_id))
                    click.echo(f"{name}: stored as {flag}; the task is unchanged", err=True)
    finally:
        opened.close()
    if is_refused:
        context.exit(FAILURE)


def sign_in(project: OpenProject) -> None:
    """Ask for the PIN of who is at the keyboard, if they have one."""
    me = project.work.me
    if me is not None and me.has_pin:
        pin = click.prompt(f"PIN of {me.name}", hide_input=True, err=True)
        project.work.people.sign_in(me.id, pin)


def person_named(project: OpenProject, name: str) -> PersonId:
    """Return who is called so; WorkError when nobody is."""
    from annotator.domain.errors import WorkError

    people = project.work.people.all()
    for person in people:
        if person.name == name:
            return person.id
    known = ", ".join(p.name for p in people)
    raise WorkError(
        f"Unknown person “{name}”.",
        code="unknown-person",
        hint=f"People in this project: {known}.",
    )


def _video_name(project: OpenProject, task_id: str) -> str:
    from annotator.domain.ids import TaskId

    task = project.task(TaskId(task_id))
    return project.footage.video(task.video_id).info.name
