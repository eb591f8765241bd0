"""Dialogs about a person: name, roles, PIN."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QWidget

from annotator.domain.people import Person, Role
from annotator.services.project.people import MAX_NAME, MAX_PIN, MIN_PIN
from annotator.ui.lead.board.dialogs import AskDialog
from annotator.ui.lead.words import role_text


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
    """Takes a PIN; what is typed is not shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setMaxLength(MAX_PIN)
        self.setPlaceholderText(self.tr("none"))

    @property
    def is_possible(self) -> bool:
        return not self.text() or len(self.text()) >= MIN_PIN


class PersonDialog(AskDialog):
    """Asks for name and roles; for somebody new for a PIN as well."""

    def __init__(self, person: Person | None, parent: QWidget | None) -> None:
        title = _tr("Add person") if person is None else _tr("Update name and roles")
        told = _tr(
            "Raters annotate and check. Reviewers approve tasks or send them back. Leads manage "
            "the project. Participants only answer in studies."
        )
        super().__init__(title, told, parent)
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
    """Asks for a new PIN; left empty there is none any more."""

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
