"""The tree of commands, and those that open the window or look over the machine."""

from __future__ import annotations

import os
from pathlib import Path

import click

from annotator.cli.annotation import annotation_group
from annotator.cli.batch import batch_group
from annotator.cli.common.terminal import progress
from annotator.cli.common.window_start import has_display, open_files, open_window
from annotator.cli.dataset.dataset_commands import dataset_group
from annotator.cli.formats import convert_command, formats_command
from annotator.cli.media import media_group
from annotator.cli.models import models_group
from annotator.cli.project import project_group
from annotator.cli.questions import questions_group
from annotator.cli.recipe import recipe_group
from annotator.cli.stats import stats_group
from annotator.cli.team.gold import gold_group
from annotator.cli.team.hub import hub_group
from annotator.cli.team.people import team_group
from annotator.cli.team.qualification import grade_command, qualification_group
from annotator.cli.team.study import study_group
from annotator.paths import PROJECT_SUFFIX


@click.command("doctor")
@click.pass_context
def doctor_command(context: click.Context) -> None:
    """Check the installation: libraries, codecs, audio, display.

    Shows the command that installs each missing part. The exit code is 1 if
    something is missing.
    """
    from annotator import doctor

    checks = doctor.report()
    for check in checks:
        click.echo(f"{check.state:8}{check.name}: {check.text}")
        for line in check.advice:
            click.echo(f"{'':8}  {line}")
    if not doctor.is_healthy(checks):
        context.exit(1)


@click.command("open")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.pass_context
def open_command(context: click.Context, files: tuple[str, ...]) -> None:
    """Open a project or videos in the window.

    FILE is a project, a work package, an invitation, or one or more videos and
    folders, of which the window makes a new project.
    """
    context.exit(open_files(files))


@click.command("demo")
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.pass_context
def demo_command(context: click.Context, name: str | None, folder: Path | None) -> None:
    """Create a demo project and open it.

    Without NAME, the project has a video, tracks and a task for your first day.
    NAME is a benchmark: a project of several people with its recipe, which you
    join as project lead. An unknown name is answered with the list of names.

    The project is created in DIR or in your data folder, unless it exists.
    Without a display, the demo runs without a window: a box is tracked, the
    project is exported and verified, and an image of the window is written; for
    a benchmark the data set is written.
    """
    from annotator import paths

    if name is not None and folder is None and is_folder(name):
        folder, name = Path(name), None
    if name is None:
        from annotator.services.demo.first_demo import create_demo

        project = create_demo(folder or paths.data_dir() / "demo")
    else:
        from annotator.services.demo.demo_project import make_demo

        with progress("Creating the demo") as report:
            project = make_demo(
                name, folder or paths.data_dir() / f"demo-{name}", lambda share: report(share, "")
            )
    if has_display():
        context.exit(open_window(project))
    from annotator.cli.common.headless import run_demo, write_demo

    click.echo("No display is available: running the demo without a window.", err=True)
    context.exit(run_demo(project) if name is None else write_demo(project))


def is_folder(word: str) -> bool:
    """Return whether a word alone means a folder: names of demos have no separator and no dot."""
    return any(sign in word for sign in (os.sep, "/", ".")) or Path(word).is_dir()


SHORT_FORMS = {
    "new": (project_group, "create"),
    "check": (project_group, "check"),
    "import": (annotation_group, "import"),
    "export": (annotation_group, "export"),
    "render": (annotation_group, "render"),
    "track": (annotation_group, "track-box"),
    "follow": (annotation_group, "track-points"),
    "propose": (annotation_group, "propose"),
    "probe": (media_group, "probe"),
    "frame": (media_group, "extract-frame"),
    "people": (team_group, "list"),
    "package": (team_group, "package"),
    "submit": (team_group, "export-submissions"),
    "collect": (team_group, "collect"),
    "evaluate": (dataset_group, "evaluate"),
    "release": (dataset_group, "release"),
    "verify": (dataset_group, "verify"),
    "diff": (dataset_group, "compare"),
}
"""Frequent commands that can be called without their group."""


class Tree(click.Group):
    """Lists commands in sections: to start with, groups, short forms."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of the help."""
        groups = [n for n, c in self.commands.items() if isinstance(c, click.Group)]
        start = [n for n in self.commands if n not in groups and n not in SHORT_FORMS]
        for title, names in (("Start", start), ("Groups", groups)):
            with formatter.section(title):
                rows = [(n, self.commands[n].get_short_help_str(limit=66)) for n in names]
                formatter.write_dl(rows)
        with formatter.section("Short forms"):
            formatter.write_dl(
                [(n, f"{group.name} {name}") for n, (group, name) in SHORT_FORMS.items()]
            )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Open a project file, or other files, given instead of a command."""
        if args and args[0] not in self.commands:
            path = Path(args[0])
            if path.suffix.lower() == PROJECT_SUFFIX or path.exists():
                args = ["open", *args]
        return super().resolve_command(ctx, args)


@click.group(
    cls=Tree,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": 80,
        "max_content_width": 80,
    },
)
@click.version_option(package_name="annotator", message="annotator %(version)s")
@click.pass_context
def annotator(context: click.Context) -> None:
    """Annotate video with object tracks, point tracks, action and sound segments,
    and question answers.

    Without a command, opens the window with the last project, or with the
    project or the videos given in its place: annotator cups.annot
    """
    if context.invoked_subcommand is None:
        context.exit(open_window())


team_group.add_command(grade_command)
team_group.add_command(qualification_group)
team_group.add_command(gold_group)
for _command in (
    open_command,
    demo_command,
    doctor_command,
    formats_command,
    convert_command,
    project_group,
    recipe_group,
    media_group,
    models_group,
    annotation_group,
    batch_group,
    questions_group,
    team_group,
    hub_group,
    stats_group,
    dataset_group,
    study_group,
):
    annotator.add_command(_command)
for _short, (_group, _name) in SHORT_FORMS.items():
    annotator.add_command(_group.commands[_name], _short)
