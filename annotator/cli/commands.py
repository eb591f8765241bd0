"""The tree of commands. They import what they need when they run, so that help is immediate."""

from __future__ import annotations

import click

from annotator.cli.annotation import annotation_group
from annotator.cli.batch import batch_group
from annotator.cli.common.opening import open_window
from annotator.cli.dataset.commands import dataset_group
from annotator.cli.doctor import doctor_command
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
from annotator.cli.window import demo_command, open_command

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

    Without a command, opens the window with the last project.
    """
    if context.invoked_subcommand is None:
        context.exit(open_window(None))


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
