"""Handlers of the menu View: zoom, image tone, curves, full screen, and the way between panels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtWidgets import QWidget

from annotator.ui.shell.context import Context

if TYPE_CHECKING:
    from annotator.ui.dialogs.tone_dialog import ToneDialog


class ViewActions(QObject):
    """Changes the visible parts of the window and the keyboard focus, never the annotation."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.frame)
        self._context = context
        self._tone_dialog: ToneDialog | None = None
        canvas, table = context.canvas, context.table
        for action_id, handler in (
            ("view.zoom-in", canvas.zooming.zoom_in),
            ("view.zoom-out", canvas.zooming.zoom_out),
            ("view.fit", canvas.zooming.zoom_fit),
            ("view.actual", canvas.zooming.zoom_actual),
            ("view.tone", self._show_tone),
            ("view.curves", self.show_curves),
            ("view.full-screen", self._toggle_full_screen),
            ("view.next-panel", partial(self._step_panel, 1)),
            ("view.previous-panel", partial(self._step_panel, -1)),
            ("app.quit", context.frame.close),
        ):
            table.on(action_id, handler)
        table.bind_canvas([canvas])
        canvas.contextMenuAt.connect(self.show_menu)

    @Slot()
    def show_curves(self) -> None:
        """Show the curves below the timeline, or put them away, as the menu says."""
        is_wanted = self._context.table.action("view.curves").isChecked()
        self._context.middle.curves_row.setVisible(is_wanted)

    @Slot(QPoint)
    @Slot(QPoint, object)
    def show_menu(self, at: QPoint, track: object = None) -> None:
        """Open the menu of the selected object, or of the picture beside all objects."""
        from annotator.ui.actions.table import context_menu

        context = self._context
        context.updates.refresh()
        is_beside = self.sender() is context.canvas and track is None
        context_menu(context.frame, context.table, is_on_object=not is_beside).popup(at)

    def _show_tone(self) -> None:
        from annotator.ui.dialogs.tone_dialog import ToneDialog

        if self._tone_dialog is None:
            self._tone_dialog = ToneDialog(self._context.canvas.tone, self._context.frame)
            self._tone_dialog.toneChanged.connect(self._context.canvas.set_tone)
        self._tone_dialog.show()
        self._tone_dialog.raise_()
        self._tone_dialog.activateWindow()

    def _toggle_full_screen(self) -> None:
        frame = self._context.frame
        frame.setWindowState(frame.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _step_panel(self, direction: int) -> None:
        """Give the focus to the next panel that is in sight: Tab goes through objects instead."""
        canvas, panels = self._context.canvas, self._context.panels
        timeline = self._context.middle.timeline_row
        stops: list[tuple[QWidget, QWidget]] = [
            *panels.fields(left=True),
            (canvas, canvas),
            (timeline, timeline),
            *panels.fields(left=False),
        ]
        now = self._context.frame.focusWidget()
        at = next((i for i, (p, _) in enumerate(stops) if now and _is_in(now, p)), 1)
        for step in range(1, len(stops) + 1):
            field = stops[(at + direction * step) % len(stops)][1]
            if field.isEnabled() and not field.visibleRegion().isEmpty():
                field.setFocus(Qt.FocusReason.TabFocusReason)
                return


def _is_in(widget: QWidget, panel: QWidget) -> bool:
    return widget is panel or panel.isAncestorOf(widget)
