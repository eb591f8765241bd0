"""``annotator team``: people, work packages and qualification."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.terminal import progress
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.services.project.projects import OpenProject

_ROLES = ("rater", "reviewer", "lead", "participant")
_project = click.argument("project", type=click.Path(path_type=Path))
_names = click.argument("names", metavar="NAME...", nargs=-1, required=True)


@click.group("team")
def team_group() -> None:
    """Manage people, work packages and qualification."""


@team_group.command("list")
@_project
def list_command(project: Path) -> None:
    """List people, roles and status."""
    from annotator.services.project.projects import open_project

    opened = open_project(project, read_only=True)
    try:
        _list(opened)
    finally:
        opened.close()


@team_group.command("add")
@_project
@_names
@click.option(
    "--role",
    "roles",
    type=click.Choice(_ROLES),
    multiple=True,
    help="Role of the added people. Repeatable. Default: rater.",
)
def add_command(project: Path, names: tuple[str, ...], roles: tuple[str, ...]) -> None:
    """Add people. Lead only. They set their PIN in the window."""
    from annotator.domain.people import Role

    wanted = [Role(role) for role in roles or ("rater",)]
    _change(project, names, lambda opened, name: opened.work.people.add(name, wanted))


@team_group.command("deactivate")
@_project
@_names
def deactivate_command(project: Path, names: tuple[str, ...]) -> None:
    """Deactivate people and unassign their tasks. Lead only."""
    _change(
        project,
        names,
        lambda opened, name: opened.work.lead.remove_person(person_named(opened, name)),
    )


@team_group.command("reactivate")
@_project
@_names
def reactivate_command(project: Path, names: tuple[str, ...]) -> None:
    """Reactivate people. Lead only."""
    _change(
        project, names, lambda opened, name: opened.work.lead.bring_back(person_named(opened, name))
    )


@team_group.command("package")
@_project
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--for", "person", required=True, metavar="NAME", help="Recipient.")
@click.option(
    "--tasks",
    type=click.IntRange(1),
    metavar="N",
    help="Assign up to N more tasks from the queue.",
)
@click.option(
    "--stage",
    metavar="S",
    help="Assign tasks of this stage only; all available ones without --tasks.",
)
@click.option("--include-media", "with_media", is_flag=True, help="Include the video files.")
@terminal.force_option
def package_command(
    project: Path,
    out: Path,
    person: str,
    tasks: int | None,
    stage: str | None,
    with_media: bool,
    force: bool,
) -> None:
    """Create a work package for one person. Lead only.

    OUT contains the tasks assigned to the person, and everything they need to
    work offline. They create a project from it with “team unpack”.
    """
    from annotator.services.packages.packages import pack_tasks
    from annotator.services.project.projects import open_project

    terminal.check(out, project, writes="package", force=force)
    opened = open_project(project)
    try:
        sign_in(opened)
        with progress("Packing") as report:
            packed = pack_tasks(
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
    for name in packed.without_media:
        click.echo(f"{one_line(name)}: file not found; not included", err=True)
    media = f", {many(packed.n_media, 'video')} included" if with_media else ""
    click.echo(
        f"{packed.path}: {many(packed.n_tasks, 'task')}, {packed.n_new} newly assigned{media}"
    )


@team_group.command("unpack")
@click.argument("package", metavar="PACKAGE", type=click.Path(path_type=Path))
@_project
@click.argument("folders", metavar="[MEDIA]...", nargs=-1, type=click.Path(path_type=Path))
@click.pass_context
def unpack_command(
    context: click.Context, package: Path, project: Path, folders: tuple[Path, ...]
) -> None:
    """Create a rater's project from a work package.

    MEDIA are folders with the videos, which are matched by content, not by
    name. The exit code is 1 if a video is missing.
    """
    if not _unpack(package, project, folders):
        context.exit(FAILURE)


@team_group.command("export-submissions")
@_project
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@terminal.force_option
def submit_command(project: Path, out: Path, force: bool) -> None:
    """Export submissions to a file for the project lead.

    PROJECT was created from a work package. OUT contains all submissions made in
    it. Collecting a file twice has no effect.
    """
    from annotator.services.packages.submissions import pack_submissions
    from annotator.services.project.projects import open_project

    terminal.check(out, project, writes="package", force=force)
    opened = open_project(project)
    try:
        packed = pack_submissions(opened, out)
    finally:
        opened.close()
    click.echo(f"{packed.path}: {many(packed.n_submissions, 'submission')}")
    if packed.n_open:
        click.echo(f"{many(packed.n_open, 'task')} not submitted yet.", err=True)


@team_group.command("collect")
@_project
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.pass_context
def collect_command(context: click.Context, project: Path, files: tuple[Path, ...]) -> None:
    """Collect submission files into the project. Lead only.

    Files may be in any order, also repeated. A damaged or foreign file is
    rejected as a whole; the other files are collected. The exit code is 1 if a
    file was rejected.
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
                seal = " ".join(filter(None, done.seal))
                line = f"{one_line(done.person)}, {counts}, {seal}"
                click.echo(f"{one_line(str(path))}: {line}")
                for task_id, flag in done.flagged:
                    name = one_line(_video_name(opened, task_id))
                    click.echo(f"{name}: stored as {flag}; the task is unchanged", err=True)
    finally:
        opened.close()
    if is_refused:
        context.exit(FAILURE)


@team_group.command("accept-key")
@_project
@click.argument("name", metavar="NAME")
@click.argument("fingerprint", metavar="FINGERPRINT", default="")
def accept_command(project: Path, name: str, fingerprint: str) -> None:
    """Accept the key that a person signs submissions with. Lead only.

    FINGERPRINT is shown by “annotator team collect”; compare it with the one that
    the person reads to you from “annotator team fingerprint”. Without it, the
    accepted key is forgotten. Later files with another key are marked.
    """
    from annotator.services.packages.signatures import accept_key
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        accept_key(opened, person_named(opened, name), fingerprint)
    finally:
        opened.close()
    click.echo(f"{one_line(name)}: {one_line(fingerprint) or 'no accepted key'}")


@team_group.command("fingerprint")
@_project
def fingerprint_command(project: Path) -> None:
    """Show the fingerprint of the key that this copy signs submissions with.

    PROJECT was created from a work package.
    """
    from annotator.services.packages.signatures import own_fingerprint
    from annotator.services.project.projects import open_project
    from annotator.services.workflow.sent_packages import origin_of

    opened = open_project(project)
    try:
        if origin_of(opened) is None:
            raise click.UsageError("This project was not created from a work package.")
        fingerprint = own_fingerprint(opened)
    finally:
        opened.close()
    click.echo(fingerprint or "Submissions are not signed: install the extra “sign”.")


def _list(project: OpenProject) -> None:
    for person in project.work.people.all():
        roles = ", ".join(role for role in _ROLES if role in person.roles)
        state = "" if person.is_active else "\tdeactivated"
        click.echo(f"{one_line(person.name)}\t{roles}{state}")


def _change(
    project: Path, names: tuple[str, ...], act: Callable[[OpenProject, str], object]
) -> None:
    """Change people, all or none, and list everybody."""
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        with opened.file.transaction():
            for name in names:
                act(opened, name)
        _list(opened)
    finally:
        opened.close()


def _unpack(package: Path, project: Path, folders: tuple[Path, ...]) -> bool:
    """Make a project of a work package; False when not all of its videos are found."""
    from annotator.services.packages.packages import open_package

    with progress("Unpacking") as report:
        done = open_package(package, project, media_folders=folders, on_progress=report)
    click.echo(done.path)
    click.echo(f"{one_line(done.person)}: {many(done.n_tasks, 'task')}")
    for name in done.missing:
        fail(f"{name}: video not found. Locate it in the window, or specify its folder.")
    return not done.missing


def sign_in(project: OpenProject) -> None:
    """Ask for the PIN of who is at the keyboard, if they have one."""
    me = project.work.me
    if me is not None and me.has_pin:
        pin = click.prompt(f"PIN of {me.name}", hide_input=True, err=True)
        project.work.people.sign_in(me.id, pin)


def person_named(project: OpenProject, name: str) -> PersonId:
    """Return the person with a name; WorkError if there is none."""
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
    return project.media.video(task.video_id).info.name
