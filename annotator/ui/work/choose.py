"""Lets a rater choose from what waits, where the lead allows it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import TaskId
from annotator.services.workflow.work import Free


class ChooseDialog(QDialog):
    """The tasks of a queue in its order, with a field to search by name."""

    def __init__(self, tasks: Sequence[Free], title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tasks = list(tasks)
        self.setWindowTitle(self.tr("Select task: {stage}").format(stage=title))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Search"))
        self.filter.setAccessibleName(self.tr("Search tasks by video name"))
        self.filter.textChanged.connect(self._on_filter_changed)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Waiting tasks"))
        self.list.setUniformItemSizes(True)
        for task in self._tasks:
            back = f" · {self.tr('sent back')}" if task.is_returned else ""
            self.list.addItem(f"{task.video}{back}")
        self.list.itemActivated.connect(self.accept)
        self.list.currentRowChanged.connect(self._check)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(self.tr("Claim task"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.filter)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        self.resize(460, 420)
        self.list.setCurrentRow(0)
        self._check()

    def chosen(self) -> TaskId | None:
        row = self.list.currentRow()
        is_seen = row >= 0 and not self.list.item(row).isHidden()
        return self._tasks[row].task_id if is_seen else None

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        wanted = text.casefold()
        seen = []
        for row in range(self.list.count()):
            is_hidden = wanted not in self.list.item(row).text().casefold()
            self.list.item(row).setHidden(is_hidden)
            seen += [] if is_hidden else [row]
        if self.list.currentRow() not in seen:
            self.list.setCurrentRow(seen[0] if seen else -1)

    @Slot()
    def _check(self) -> None:
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(self.chosen() is not None)


def ask_task(tasks: Sequence[Free], title: str, parent: QWidget) -> TaskId | None:
    """Ask which task to take; None when the person thought better of it."""
    dialog = ChooseDialog(tasks, title, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    chosen = dialog.chosen() if is_accepted else None
    dialog.deleteLater()
    return chosen
