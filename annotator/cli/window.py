"""``annotator``, ``annotator open`` and ``annotator demo``: what opens the window."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.opening import has_display, open_project, open_window


@click.command("open")
@click.argument("project", type=click.Path())
@click.pass_context
def open_command(context: click.Context, project: str) -> None:
    """Open the window on a project."""
    context.exit(open_project(project))


@click.command("demo")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.pass_context
def demo_command(context: click.Context, folder: Path | None) -> None:
    """Open the window on a demo project with a video, tracks and a task.

    The project is made in DIR, or in your data folder, unless it is there. Where
    there is no display the same job runs without a window: a box is tracked, the
    project is exported and judged, and a picture of the window is written.
    """
    from annotator import paths
    from annotator.services.projects import create_demo

    place = folder or paths.data_dir() / "demo"
    project = create_demo(place)
    if has_display():
        context.exit(open_window(project))
    from annotator.cli.headless import run_demo

    click.echo("There is no display here: the demo runs without a window.", err=True)
    context.exit(run_demo(project))
