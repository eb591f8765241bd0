"""``annotator``, ``annotator open`` and ``annotator demo``: what opens the window."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from annotator.domain.errors import UserError

_WITHOUT_SCREEN = ("offscreen", "minimal", "minimalegl", "vnc")


@click.command("open")
@click.argument("project", type=click.Path(path_type=Path))
@click.pass_context
def open_command(context: click.Context, project: Path) -> None:
    """Open the window on a project."""
    if not project.is_file():
        hint = "Make one with: annotator new PROJECT VIDEO"
        raise UserError("There is no such project.", hint=hint, where=str(project))
    context.exit(open_window(project))


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


def open_window(project: Path | None) -> int:
    """Open the window and return its exit status when it is closed; UserError without display."""
    if not has_display():
        raise UserError(
            "There is no display here, so no window can be opened.",
            hint="Start from a desktop, or use the commands that need none: annotator --help",
        )
    with window_libraries():
        from annotator.app import run_window
    return run_window(project)


@contextlib.contextmanager
def window_libraries() -> Iterator[None]:
    """Import what draws windows; UserError when a library of the system is missing."""
    plain = builtins.__import__
    try:
        importlib.import_module("PySide6.QtWidgets")
        # Qt's own import reads the source of every module that comes after it, to look for a
        # switch of Qt's that no module here has; that would be a quarter of the time to import.
        builtins.__import__ = plain
        yield
    except ImportError as error:
        raise UserError(
            f"The window cannot be made: {error}.",
            hint="This names what is missing and the line that installs it: annotator doctor",
        ) from error


def has_display() -> bool:
    """Return whether a window could be seen here."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if chosen:
        return chosen not in _WITHOUT_SCREEN
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
