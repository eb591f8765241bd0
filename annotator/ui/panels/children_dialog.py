"""Asks for the objects that one object becomes where it changes state."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.track import Track
from annotator.ui.look.widgets import plain
from annotator.ui.panels.objects_panel import name_completer
from annotator.ui.state.workspace import Workspace


class ChildrenDialog(QDialog):
    """One line per child; empty lines do not count."""

    def __init__(self, workspace: Workspace, track: Track, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setWindowTitle(self.tr("Split into children"))
        lead = plain(
            plain(
                QLabel(
                    self.tr(
                        "“{name}” ends at frame {frame}. Enter the names of the new objects (for "
                        "example, egg shells and egg content for an egg):"
                    ).format(name=track.label, frame=workspace.frame)
                )
            )
        )
        lead.setWordWrap(True)
        self.fields: list[QLineEdit] = []
        self._rows = QVBoxLayout()
        more = QPushButton(self.tr("Add child"))
        more.setAutoDefault(False)
        more.clicked.connect(self.add_field)
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.button(standard.Ok).setText(self.tr("Split"))
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(lead)
        layout.addLayout(self._rows)
        layout.addWidget(more)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self.add_field()
        self.add_field()
        self.fields[0].setFocus()
        self.resize(440, 240)
        self._check()

    def names(self) -> list[str]:
        return [text for field in self.fields if (text := field.text().strip())]

    @Slot()
    def add_field(self) -> None:
        field = QLineEdit()
        number = len(self.fields) + 1
        field.setPlaceholderText(self.tr("Name of child {n}").format(n=number))
        field.setAccessibleName(field.placeholderText())
        field.setCompleter(name_completer(self._workspace, field))
        field.textChanged.connect(self._check)
        self.fields.append(field)
        self._rows.addWidget(field)

    @Slot()
    def _check(self) -> None:
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self.names()))


def ask_children(workspace: Workspace, track: Track, parent: QWidget) -> list[str]:
    """Ask for the names; empty when the person thought better of it."""
    dialog = ChildrenDialog(workspace, track, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    names = dialog.names() if is_accepted else []
    dialog.deleteLater()
    return names
