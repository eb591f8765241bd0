"""Saved geometry of the window, its docks and the image."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPoint, QRect, QSettings
from PySide6.QtWidgets import QMainWindow

if TYPE_CHECKING:
    from annotator.ui.shell.context import Context


def restore_size(window: QMainWindow) -> None:
    """Give the window the size and place it had."""
    value = QSettings().value("window/geometry")
    if isinstance(value, QByteArray):
        window.restoreGeometry(value)


def canvas_margins() -> tuple[int, int, int, int] | None:
    """Return the margins left, above, right and below the canvas; None if unknown."""
    parts = str(QSettings().value("window/canvas")).split()
    if len(parts) != 4 or not all(part.isdecimal() for part in parts):
        return None
    left, top, right, bottom = map(int, parts)
    return left, top, right, bottom


def restore_parts(context: Context) -> None:
    """Give bars, panels and rows the places they had."""
    store = QSettings()
    state, rows = store.value("window/state"), store.value("window/splitter")
    frame, middle = context.frame, context.middle
    if isinstance(state, QByteArray):
        frame.restoreState(state)
    if isinstance(rows, QByteArray):
        if frame.isVisible():
            # What is put up in a window on the screen gets its size only later, and rows that are
            # resized after this share the change by their own rules.
            for widget in (frame, middle, middle.splitter.parentWidget()):
                layout = widget.layout() if widget is not None else None
                if layout is not None:
                    layout.activate()
        middle.splitter.restoreState(rows)
    is_wanted = store.value("window/curves", False, type=bool) is True
    context.table.set_checked("view.curves", is_wanted)


def is_known() -> bool:
    """Whether the places are those of an earlier time."""
    return QSettings().contains("window/state")


def idle_docks() -> tuple[list[str], list[str]]:
    """Return the names of docks that were hidden as empty, and of those opened nevertheless."""
    store = QSettings()
    empty, opened = (str(store.value(key, "")).split() for key in ("window/empty", "window/opened"))
    return empty, opened


def save(context: Context, empty: Iterable[str], opened: Iterable[str]) -> None:
    """Keep all of it for the next time, and the theme that a first picture is shown in.

    Docks that are hidden on a page without a video must be back by then. ``empty`` and ``opened``
    are the names that `idle_docks` returns.
    """
    store = QSettings()
    frame, middle, canvas = context.frame, context.middle, context.canvas
    store.setValue("window/theme", context.workspace.hub.theme.name)
    store.setValue("window/geometry", frame.saveGeometry())
    store.setValue("window/state", frame.saveState())
    store.setValue("window/empty", " ".join(sorted(empty)))
    store.setValue("window/opened", " ".join(sorted(opened)))
    store.setValue("window/curves", not middle.curves_row.isHidden())
    if canvas.isVisible() and middle.has_usual_sizes:
        # Rows that were never shown have arbitrary sizes.
        store.setValue("window/splitter", middle.splitter.saveState())
        place = QRect(canvas.mapTo(frame, QPoint(0, 0)), canvas.size())
        right, bottom = frame.width() - place.x(), frame.height() - place.y()
        margins = (place.x(), place.y(), right - place.width(), bottom - place.height())
        store.setValue("window/canvas", " ".join(str(part) for part in margins))
