"""Page People: names, roles and assigned tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.board.board_rows import natural
from annotator.ui.lead.lead_texts import roles_text
from annotator.ui.lead.people.people_dialogs import PersonDialog, PinDialog
from annotator.ui.look.widgets import calm, fit_columns, warn
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

_ID = Qt.ItemDataRole.UserRole
_N_ASSIGNED: Final = 3  # column
_AVATAR_PX: Final = 20
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PeoplePage(Page):
    """A table of everybody, and the buttons that add and change them."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("People"))
        self.table = QTableWidget(0, 5)
        self.table.setIconSize(QSize(_AVATAR_PX, _AVATAR_PX))
        self.table.setAccessibleName(self.tr("People"))
        self.table.setHorizontalHeaderLabels(
            [
                self.tr("Name"),
                self.tr("Roles"),
                self.tr("PIN"),
                self.tr("Assigned tasks"),
                self.tr("State"),
            ]
        )
        calm(self.table)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.itemSelectionChanged.connect(self._on_selection_changed)
        self.table.doubleClicked.connect(self._on_edit_clicked)
        self.add = self._button(self.tr("Add person…"), self._on_add_clicked)
        self.edit = self._button(self.tr("Edit name and roles…"), self._on_edit_clicked)
        self.pin = self._button(self.tr("Set PIN…"), self._on_pin_clicked)
        self.gone = self._button(self.tr("Deactivate…"), self._on_gone_clicked)
        hint = QLabel(
            self.tr(
                "A PIN prevents sign-in under the wrong name by mistake. It does not protect the "
                "data from anyone with access to the file."
            )
        )
        hint.setWordWrap(True)
        buttons = QHBoxLayout()
        for button in (self.add, self.edit, self.pin, self.gone):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addWidget(self.table, 1)
        layout.addLayout(buttons)
        layout.addWidget(hint)
        self._on_selection_changed()

    def choose(self, person_id: PersonId) -> None:
        """Select a person."""
        for row in range(self.table.rowCount()):
            item = self.table.item(row, 0)
            if item is not None and item.data(_ID) == person_id:
                self.table.selectRow(row)

    def _button(self, text: str, handler: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(handler)
        return button

    def _read(self) -> None:
        project = self._project

        def work(_: JobToken) -> tuple[list[Person], Counter[PersonId]]:
            held = project.work.board().holders()
            return list(project.work.people.all()), held

        self._latest.ask(work, self._show)

    def _show(self, shown_people: tuple[list[Person], Counter[PersonId]]) -> None:
        people, held_counts = shown_people
        chosen = self._chosen()
        self.table.setRowCount(len(people))
        for row, person in enumerate(sorted(people, key=_order)):
            texts = (
                person.name,
                roles_text(person),
                self.tr("set") if person.has_pin else "",
                f"{held_counts[person.id]:,}" if held_counts[person.id] else "",
                "" if person.is_active else self.tr("inactive"),
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setData(_ID, person.id)
                if column == 0:
                    item.setIcon(self._workspace.hub.theme.avatar(person.id, person.name))
                if column == _N_ASSIGNED:
                    item.setTextAlignment(_RIGHT)
                if not person.is_active:
                    item.setForeground(self._workspace.hub.theme.color("text_dim"))
                self.table.setItem(row, column, item)
        fit_columns(self.table)
        if chosen is not None:
            self.choose(chosen.id)
        self._on_selection_changed()

    def _chosen(self) -> Person | None:
        items = self.table.selectedItems()
        return self._project.work.people.find(PersonId(items[0].data(_ID))) if items else None

    def _do(self, act: Callable[[], object]) -> bool:
        """Change people in the background: hashing PINs and leaving take long."""
        try:
            self._workspace.background(act)
        except UserError as error:
            self._workspace.failed.emit(error)
            warn(self, self.title, str(error))
            return False
        return True

    @Slot()
    def _on_selection_changed(self) -> None:
        person = self._chosen()
        for button in (self.edit, self.pin, self.gone):
            button.setEnabled(person is not None)
        has_left = person is not None and not person.is_active
        self.gone.setText(self.tr("Reactivate") if has_left else self.tr("Deactivate…"))

    @Slot()
    def _on_add_clicked(self) -> None:
        dialog = PersonDialog(None, self)
        if dialog.ask():
            people, pin = self._project.work.people, dialog.pin.text() or None
            self._do(partial(people.add, dialog.name.text(), dialog.roles.chosen(), pin))

    @Slot()
    def _on_edit_clicked(self) -> None:
        person, people = self._chosen(), self._project.work.people
        if person is None:
            return
        dialog = PersonDialog(person, self)
        if not dialog.ask():
            return
        name, roles = dialog.name.text(), dialog.roles.chosen()

        def act() -> None:
            if " ".join(name.split()) != person.name:
                people.rename(person.id, name)
            if roles != person.roles:
                people.set_roles(person.id, roles)

        self._do(act)

    @Slot()
    def _on_pin_clicked(self) -> None:
        person = self._chosen()
        if person is None:
            return
        dialog = PinDialog(person, self)
        if dialog.ask():
            pin = dialog.pin.text() or None
            self._do(partial(self._project.work.people.set_pin, person.id, pin))

    @Slot()
    def _on_gone_clicked(self) -> None:
        person, lead = self._chosen(), self._project.work.lead
        if person is None:
            return
        if not person.is_active:
            self._do(partial(lead.bring_back, person.id))
        elif self._ask_gone(person):
            self._do(partial(lead.remove_person, person.id))

    def _ask_gone(self, person: Person) -> bool:
        """Explain what happens to a person's assigned tasks, and ask for confirmation."""
        row = self.table.currentRow()
        item = self.table.item(row, 3)
        n = item.text() if item is not None else ""
        text = self.tr("No tasks are assigned to this person.")
        if n:
            text = self.tr(
                "Their assigned tasks ({n}) return to the queue, and drafts are kept. If a task "
                "has no eligible person left, you are asked to decide."
            ).format(n=n)
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Deactivate"))
        box.setText(self.tr("Deactivate {name} in this project?").format(name=person.name))
        box.setInformativeText(
            text + " " + self.tr("Their submissions are kept. You can reactivate them at any time.")
        )
        go = box.addButton(self.tr("Deactivate"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        is_yes = box.clickedButton() is go
        box.deleteLater()
        return is_yes


def _order(person: Person) -> tuple[bool, str]:
    return (not person.is_active, natural(person.name))
