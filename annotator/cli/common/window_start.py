"""Start of the window; nothing else is imported, to keep the start short."""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.errors import UserError
from annotator.paths import PROJECT_SUFFIX

if TYPE_CHECKING:
    from annotator.services.playback.early_picture import FirstLook
    from annotator.services.settings import Settings

_WITHOUT_SCREEN = ("offscreen", "minimal", "minimalegl", "vnc")


def open_files(names: Sequence[str]) -> int:
    """Open the window on a project, or as if other files were dropped onto it; as `open_window`."""
    files = [Path(name) for name in names]
    for path in files:
        if not path.exists():
            is_project = path.suffix.lower() == PROJECT_SUFFIX
            raise UserError(
                f"Cannot open the {'project' if is_project else 'file'}: it does not exist.",
                hint="Create it with: annotator new PROJECT VIDEO" if is_project else "",
                where=str(path),
            )
    if len(files) == 1 and files[0].suffix.lower() == PROJECT_SUFFIX:
        return open_window(files[0])
    # Relative to where the command was given, whatever the window does.
    return open_window(files=[path.absolute() for path in files])


def open_window(project: Path | None = None, files: Sequence[Path] = ()) -> int:
    """Open the window and return its exit status when it is closed; UserError without display.

    Without a project and ``files`` it opens on the last project.
    """
    if not has_display():
        raise UserError(
            "Cannot open a window: no display is available.",
            hint=(
                "Start annotator in a desktop session, or use a command that needs no "
                "window. See: annotator --help"
            ),
        )
    if not _is_display_reached():
        raise UserError(
            "Cannot open a window: the display does not respond.",
            hint=(
                "Check that the display is running and that you have access to it, or set "
                "DISPLAY to another display."
            ),
            where=os.environ["DISPLAY"],
        )
    from annotator.services.settings import Settings

    settings = Settings()
    project = project if project or files else _last_project(settings)
    look = _look(project, settings) if project is not None else None
    try:
        with window_libraries():
            from annotator.app import run_window
    except BaseException:
        if look is not None:
            look.close()
        raise
    return run_window(settings, project, look, files)


def _look(project: Path, settings: Settings) -> FirstLook | None:
    """Let the first picture be decoded while all else is imported."""
    from annotator.services.playback.early_picture import first_look

    return first_look(project, settings.whole("playback.cache_mb") << 20)


def _last_project(settings: Settings) -> Path | None:
    return next((path for path in settings.recent[:1] if path.is_file()), None)


@contextlib.contextmanager
def window_libraries() -> Iterator[None]:
    """Import the window libraries; UserError if a system library is missing."""
    plain = builtins.__import__
    try:
        importlib.import_module("PySide6.QtWidgets")
        # Qt's own import reads the source of every module that comes after it, to look for a
        # switch of Qt's that no module here has; that would be a quarter of the time to import.
        builtins.__import__ = plain
        yield
    except ImportError as error:
        raise UserError(
            f"Cannot create the window: {error}.",
            hint="Run this command to list missing components: annotator doctor",
        ) from error


def has_display() -> bool:
    """Return whether a window could be seen here."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if chosen:
        return chosen not in _WITHOUT_SCREEN
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _is_display_reached() -> bool:
    """Try the display of X that Qt would use: where there is none behind it Qt ends the program."""
    is_x = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in ("", "xcb")
    if not is_x or not os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    if sys.platform in ("win32", "darwin"):
        return True
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # Qt needs it too and reports the missing library.
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    is_reached = bool(xcb.xcb_connection_has_error(connection) == 0)
    xcb.xcb_disconnect(connection)
    return is_reached
