"""All commands. They import what they need when they run, so that help is at once there."""

from __future__ import annotations

import click

from annotator.cli.common.opening import open_window
from annotator.cli.doctor import doctor_command
from annotator.cli.following import follow_command
from annotator.cli.grading import grade_command, standing_command
from annotator.cli.media import frame_command, probe_command
from annotator.cli.package import collect_command, package_command, submit_command
from annotator.cli.people import people_command
from annotator.cli.project import check_command, metadata_command, new_command
from annotator.cli.questions import ask_command, dataset_command, figures_command
from annotator.cli.study import study_command
from annotator.cli.tracking import track_command
from annotator.cli.transfer import export_command, import_command
from annotator.cli.window import demo_command, open_command


@click.group(
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
    """Draw box tracks and segments on real video, and export benchmark files.

    Without a command the window opens where you left off.
    """
    if context.invoked_subcommand is None:
        context.exit(open_window(None))


for _command in (
    open_command,
    new_command,
    demo_command,
    import_command,
    export_command,
    check_command,
    people_command,
    metadata_command,
    package_command,
    submit_command,
    collect_command,
    ask_command,
    dataset_command,
    figures_command,
    study_command,
    grade_command,
    standing_command,
    probe_command,
    frame_command,
    track_command,
    follow_command,
    doctor_command,
):
    annotator.add_command(_command)
