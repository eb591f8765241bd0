"""Saved geometry of the window, its docks and the image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPoint, QRect, QSettings

if TYPE_CHECKING:
    from annotator.ui.shell.main_window import MainWindow


def restore_size(window: MainWindow) -> None:
    """Give the window the size and place it had."""
    value = QSettings().value("window/geometry")
    if isinstance(value, QByteArray):
        window.restoreGeometry(value)


def canvas_margins() -> tuple[int, int, int, int] | None:
    """Return what is left, above, right and below of the canvas; None when that is not known."""
    parts = str(QSettings().value("window/canvas")).split()
    if len(parts) != 4 or not all(part.isdecimal() for part in parts):
        return None
    left, top, right, bottom = map(int, parts)
    return left, top, right, bottom


def restore_parts(window: MainWindow) -> None:
    """Give bars, panels and rows the places they had."""
    store = QSettings()
    state, rows = store.value("window/state"), store.value("window/splitter")
    if isinstance(state, QByteArray):
        window.restoreState(state)
    if isinstance(rows, QByteArray):
        if window.isVisible():
            # What is put up in a window on the screen gets its size only later, and rows that are
            # resized after this share the change by their own rules.
            for widget in (window, window.middle, window.pages):
                layout = widget.layout()
                if layout is not None:
                    layout.activate()
        window.splitter.restoreState(rows)
    window.table.set_checked("view.curves", store.value("window/curves", False, type=bool) is True)
    window.show_curves()


def save(window: MainWindow) -> None:
    """Keep all of it for the next time, and the theme that a first picture is shown in."""
    store = QSettings()
    store.setValue("window/theme", window.hub.theme.name)
    window.idle_docks.bring_back()
    store.setValue("window/geometry", window.saveGeometry())
    store.setValue("window/state", window.saveState())
    store.setValue("window/curves", not window.assembly.curves_row.isHidden())
    canvas = window.canvas
    if canvas.isVisible():
        # Rows that were never on the screen have sizes that nobody gave them.
        store.setValue("window/splitter", window.splitter.saveState())
        place = QRect(canvas.mapTo(window, QPoint(0, 0)), canvas.size())
        right, bottom = window.width() - place.x(), window.height() - place.y()
        margins = (place.x(), place.y(), right - place.width(), bottom - place.height())
        store.setValue("window/canvas", " ".join(str(part) for part in margins))
