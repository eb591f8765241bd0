"""Dialogs about people: name, roles, PIN, and the people to begin a project with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding
from annotator.domain.errors import UserError
from annotator.domain.people import Person, Role
from annotator.services.project.people import MAX_NAME, MAX_PIN, MIN_PIN, NewPerson, read_people
from annotator.ui.dialogs.file_dialogs import ask_file
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.board.board_dialogs import AskDialog
from annotator.ui.lead.lead_texts import role_text
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace


class RoleBoxes(QWidget):
    """A box to tick for each role."""

    changed = Signal()

    def __init__(self, roles: Iterable[Role]) -> None:
        super().__init__()
        chosen = set(roles)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.boxes: dict[Role, QCheckBox] = {}
        for role in Role:
            box = QCheckBox(role_text(role))
            box.setChecked(role in chosen)
            box.toggled.connect(self.changed)
            layout.addWidget(box)
            self.boxes[role] = box
        layout.addStretch(1)

    def chosen(self) -> frozenset[Role]:
        """Return the ticked roles."""
        return frozenset(role for role, box in self.boxes.items() if box.isChecked())


class PinField(QLineEdit):
    """Hidden entry of a PIN."""

    def __init__(self) -> None:
        super().__init__()
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setMaxLength(MAX_PIN)
        self.setPlaceholderText(self.tr("none"))

    @property
    def is_possible(self) -> bool:
        return not self.text() or len(self.text()) >= MIN_PIN


class PersonDialog(AskDialog):
    """Asks for name and roles; for a new person also for a PIN."""

    def __init__(self, person: Person | None, parent: QWidget | None) -> None:
        title = _tr("Add person") if person is None else _tr("Update name and roles")
        hint = _tr(
            "Raters annotate and check. Reviewers approve tasks or send them back. Leads manage "
            "the project. Participants only answer in studies."
        )
        super().__init__(title, hint, parent)
        self.name = QLineEdit(person.name if person is not None else "")
        self.name.setMaxLength(MAX_NAME)
        self.roles = RoleBoxes(person.roles if person is not None else (Role.RATER,))
        self.pin = PinField()
        self.form.addRow(self.tr("&Name"), self.name)
        self.form.addRow(self.tr("Roles"), self.roles)
        if person is None:
            self.form.addRow(self.tr("&PIN"), self.pin)
        self.name.textChanged.connect(self._check)
        self.pin.textChanged.connect(self._check)
        self._check()

    @Slot()
    def _check(self) -> None:
        self.allow(bool(self.name.text().strip()) and self.pin.is_possible)


class PinDialog(AskDialog):
    """Asks for a new PIN; an empty one removes it."""

    def __init__(self, person: Person, parent: QWidget | None) -> None:
        text = _tr("{name} enters the PIN to sign in. Use at least {least} characters.")
        super().__init__(_tr("Set PIN"), text.format(name=person.name, least=MIN_PIN), parent)
        self.pin = PinField()
        self.form.addRow(self.tr("&PIN"), self.pin)
        self.pin.textChanged.connect(self._check)

    @Slot()
    def _check(self) -> None:
        self.allow(self.pin.is_possible)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


_NAME, _ROLES, _PIN = range(3)
_MARGIN_PX: Final = 12


class PeopleBox(QWidget):
    """A table to write people into; ``changed`` after every change."""

    changed = Signal()

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        hint = QLabel(
            self.tr(
                "You are the lead and have all permissions. List the people who work with you. "
                "You can add more people at any time. PINs are optional and prevent sign-in "
                "under the wrong name."
            )
        )
        hint.setWordWrap(True)
        self.table = QTableWidget(0, 3)
        self.table.setAccessibleName(self.tr("People"))
        self.table.setHorizontalHeaderLabels([self.tr("Name"), self.tr("Roles"), self.tr("PIN")])
        self.table.verticalHeader().hide()
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        columns = self.table.horizontalHeader()
        columns.setHighlightSections(False)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        # Contents of a cell that are a widget do not make a column wide by themselves.
        self.table.setColumnWidth(_ROLES, RoleBoxes(()).sizeHint().width() + _MARGIN_PX)
        self.table.itemChanged.connect(self.changed)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        row = QHBoxLayout()
        for text, handler in (
            (self.tr("Add person"), self._on_add_clicked),
            (self.tr("Import from table…"), self._on_table_clicked),
            (self.tr("Remove person"), self._on_remove_clicked),
        ):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(handler)
            row.addWidget(button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(hint)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)
        layout.addWidget(self.word)

    def add(self, people: Iterable[NewPerson]) -> None:
        """Add lines."""
        for person in people:
            row = self.table.rowCount()
            self.table.insertRow(row)
            self.table.setItem(row, _NAME, QTableWidgetItem(person.name))
            roles, pin = RoleBoxes(person.roles), PinField()
            pin.setText(person.pin)
            pin.setAccessibleName(self.tr("PIN"))
            pin.textChanged.connect(self.changed)
            self.table.setCellWidget(row, _ROLES, roles)
            self.table.setCellWidget(row, _PIN, pin)
        self.table.resizeRowsToContents()
        self.changed.emit()

    def people(self) -> list[NewPerson]:
        """Return who is written down; empty lines do not count."""
        found: list[NewPerson] = []
        for row in range(self.table.rowCount()):
            item = self.table.item(row, _NAME)
            roles, pin = self.table.cellWidget(row, _ROLES), self.table.cellWidget(row, _PIN)
            name = " ".join(item.text().split()) if item is not None else ""
            if name and isinstance(roles, RoleBoxes) and isinstance(pin, PinField):
                found.append(NewPerson(name, roles.chosen(), pin.text()))
        return found

    def problem(self) -> str:
        """Return the fault in the lines; empty if there is none."""
        people = self.people()
        names = [p.name for p in people]
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            return self.tr("The name “{name}” is used twice. Enter unique names.").format(
                name=twice
            )
        pins = (self.table.cellWidget(row, _PIN) for row in range(self.table.rowCount()))
        if any(isinstance(pin, PinField) and not pin.is_possible for pin in pins):
            return self.tr("The PIN is too short. Enter at least four characters.")
        return ""

    @Slot()
    def _on_add_clicked(self) -> None:
        self.add([NewPerson("", frozenset((Role.RATER, Role.REVIEWER)))])
        item = self.table.item(self.table.rowCount() - 1, _NAME)
        if item is not None:
            self.table.setCurrentItem(item)
            self.table.editItem(item)

    @Slot()
    def _on_table_clicked(self) -> None:
        title, filters = self.tr("Import people from table"), self.tr("Tables (*.csv)")
        path = ask_file(self, title, filters, self._folder)
        if path is None:
            return
        try:
            people = read_people(path)
        except UserError as error:
            self.word.setText(str(error))
            return
        known = {p.name for p in self.people()}
        self.add(p for p in people if p.name not in known)
        many = self.tr("{n} people imported.")
        self.word.setText(counted(len(people), self.tr("1 person imported."), many))

    @Slot()
    def _on_remove_clicked(self) -> None:
        for row in sorted({i.row() for i in self.table.selectedIndexes()}, reverse=True):
            self.table.removeRow(row)
        self.changed.emit()


def tell_refused(
    workspace: Workspace, parent: QWidget, refused: list[tuple[NewPerson, str]]
) -> None:
    """Report the people who could not be added, if there are any."""
    if not refused:
        return
    many = _tr("{n} people could not be added:")
    text = counted(len(refused), _tr("1 person could not be added:"), many)
    findings = [Finding("not-added", person.name, why) for person, why in refused]
    ReportDialog(workspace.hub, _tr("People"), text, findings, parent=parent).open()
