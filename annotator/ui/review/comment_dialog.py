"""Asks for the text of a comment and its target."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPlainTextEdit,
    QWidget,
)

from annotator.domain.annotation.comment import WHOLE_TASK, Pin
from annotator.domain.commands.comments import MAX_COMMENT_LENGTH
from annotator.ui.review.change_texts import pin_text
from annotator.ui.state.workspace import Workspace

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ROWS: Final = 4


class CommentDialog(QDialog):
    """Words, and the place they are about; the first of ``pins`` is chosen. Ctrl+Enter ends it."""

    def __init__(
        self, workspace: Workspace, title: str, pins: list[Pin], *, text: str = "", parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.text = QPlainTextEdit(text)
        self.text.setAccessibleName(self.tr("Comment text"))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(_ROWS * self.fontMetrics().lineSpacing() + 16)
        self.text.setMinimumWidth(44 * self.fontMetrics().averageCharWidth())
        self.place = pin_box(workspace, pins)
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        if pins:
            form.addRow(self.tr("Refers to"), self.place)
        form.addRow(self.text)
        form.addRow(self._buttons)
        self.text.textChanged.connect(self._check)
        self.text.setFocus()
        self._check()

    def result_value(self) -> tuple[str, Pin]:
        """Return the words and the place."""
        pin = self.place.currentData()
        return self.text.toPlainText().strip(), pin if isinstance(pin, Pin) else WHOLE_TASK

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self._is_complete():
                self.accept()
            return
        super().keyPressEvent(event)

    @Slot()
    def _check(self) -> None:
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self._is_complete())

    def _is_complete(self) -> bool:
        return 0 < len(self.text.toPlainText().strip()) <= MAX_COMMENT_LENGTH


def pin_box(workspace: Workspace, pins: list[Pin]) -> QComboBox:
    """Return a choice of places."""
    box = QComboBox()
    session = workspace.session
    if session is not None:
        for pin in pins:
            box.addItem(pin_text(pin, session.document), pin)
    return box


def pins_here(workspace: Workspace) -> list[Pin]:
    """Return the possible targets of a comment or a reason, most likely first."""
    pins: list[Pin] = []
    frame = workspace.frame if workspace.n_frames else None
    segment, range_ = workspace.segment, workspace.range
    if range_ is not None:
        pins.append(Pin(span=range_))
    if segment is not None and workspace.selection.is_on_segment:
        pins.append(Pin(span=(segment.start, segment.end), segment_id=segment.id))
    if workspace.point is not None:
        owner = workspace.point.info.track_id
        pins.append(Pin(frame=frame, track_id=owner, point_id=workspace.point.id))
    if workspace.track is not None:
        pins.append(Pin(frame=frame, track_id=workspace.track.id))
        pins.append(Pin(track_id=workspace.track.id))
    if segment is not None and not workspace.selection.is_on_segment:
        pins.append(Pin(span=(segment.start, segment.end), segment_id=segment.id))
    if frame is not None:
        pins.append(Pin(frame=frame))
    return [*pins, WHOLE_TASK]
