"""``annotator``, ``annotator open`` and ``annotator demo``: what opens the window."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("open")
@click.argument("project", type=click.Path(path_type=Path))
def open_command(project: Path) -> None:
    """Open the window on a project."""
    open_window(project)


@click.command("demo")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
def demo_command(folder: Path | None) -> None:
    """Open the window on a demo project with a video, tracks and a task.

    The project is made in DIR, or in your data folder, unless it is there. Where
    there is no display the same job runs without a window: a box is tracked, the
    project is exported and judged, and a picture of the window is written.
    """


def open_window(project: Path | None) -> None:
    """Open the window and stay until it is closed."""
    from annotator.app import run_window

    context = click.get_current_context()
    context.exit(run_window(project))
