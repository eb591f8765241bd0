"""The field that asks for a point's name, beside the point itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from annotator.domain.ids import PointId


class PointNameField(QLineEdit):
    """Takes a name with completion from the parts in use; Esc leaves the name as it was."""

    named = Signal(object, str)  # PointId, the name typed
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._point: PointId | None = None
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)
        self.setAccessibleName(self.tr("Point name"))
        self.setPlaceholderText(self.tr("Name of the part"))
        self.setMaximumWidth(220)
        self.returnPressed.connect(self._finish)
        self.hide()

    def ask(self, point: PointId, name: str, names: Sequence[str], at: QPoint) -> None:
        """Show the field at a place of the parent, with the name selected."""
        self._finish()
        self._point = point
        self._names.setStringList(list(names))
        self.setText(name)
        self.selectAll()
        self.resize(190, self.sizeHint().height())
        room = self._over.rect().adjusted(4, 4, -4, -4)
        x = min(max(room.left(), at.x()), room.right() - self.width())
        y = min(max(room.top(), at.y()), room.bottom() - self.height())
        self.move(x, y)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._point = None
            self._finish()
            return
        super().keyPressEvent(event)
        # Left to the canvas, Enter would place another point.
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._finish()

    @Slot()
    def _finish(self) -> None:
        """Hand the name over, if there is one, and go."""
        point, self._point = self._point, None
        had_focus = self.hasFocus()
        if self.isVisible():
            self.hide()
            if point is not None and self.text().strip():
                self.named.emit(point, self.text().strip())
            if had_focus:
                self._over.setFocus(Qt.FocusReason.OtherFocusReason)
            self.closed.emit()
