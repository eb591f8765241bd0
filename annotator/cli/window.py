"""``annotator``, ``annotator open`` and ``annotator demo``: what opens the window."""

from __future__ import annotations

import os
from pathlib import Path

import click

from annotator.cli.common.opening import has_display, open_project, open_window
from annotator.cli.common.progress import progress


@click.command("open")
@click.argument("project", type=click.Path())
@click.pass_context
def open_command(context: click.Context, project: str) -> None:
    """Open a project in the window."""
    context.exit(open_project(project))


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
        from annotator.services.demo.making import make_demo

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
    """Tell whether a word alone means a folder: names of demos have no separator and no dot."""
    return any(sign in word for sign in (os.sep, "/", ".")) or Path(word).is_dir()
