"""Small dialogs of the live board: a message, and an invitation."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Slot
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLineEdit, QPlainTextEdit, QWidget

from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.ui.lead.board.dialogs import AskDialog


class MessageDialog(AskDialog):
    """Asks for a message and whom it is for."""

    def __init__(self, people: Sequence[Person], name: str, parent: QWidget | None) -> None:
        """``name`` is the person to begin with, "" for everybody."""
        super().__init__(
            _tr("Send message"),
            _tr("The message appears on the page My work until the person marks it as read."),
            parent,
        )
        self.person = QComboBox()
        self.person.addItem(_tr("Everybody"), None)
        for person in sorted(people, key=lambda p: p.name.casefold()):
            self.person.addItem(person.name, person.id)
        self.person.setCurrentIndex(max(0, self.person.findText(name)) if name else 0)
        self.field = QPlainTextEdit()
        self.field.setTabChangesFocus(True)
        self.field.textChanged.connect(self._check_text)
        self.form.addRow(_tr("&To"), self.person)
        self.form.addRow(_tr("&Message"), self.field)
        self._check_text()

    def text(self) -> str:
        """Return what was written."""
        return self.field.toPlainText().strip()

    def person_id(self) -> PersonId | None:
        """Return whom it is for, None for everybody."""
        found = self.person.currentData()
        return PersonId(found) if found else None

    @Slot()
    def _check_text(self) -> None:
        self.allow(bool(self.text()))


class InviteDialog(AskDialog):
    """Asks whom to invite; for a server also for the login of an administrator."""

    def __init__(
        self, people: Sequence[Person], *, is_server: bool, parent: QWidget | None
    ) -> None:
        super().__init__(
            _tr("Invite"),
            _tr(
                "An invitation file is written beside the project. Somebody invited again gets a "
                "new login, and the earlier one ends."
            ),
            parent,
        )
        self.person = QComboBox()
        for person in sorted(people, key=lambda p: p.name.casefold()):
            self.person.addItem(person.name, person.id)
        self.admin, self.password = QLineEdit(), QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.form.addRow(_tr("&Person"), self.person)
        if is_server:
            self.form.addRow(_tr("&Administrator login"), self.admin)
            self.form.addRow(_tr("Pass&word"), self.password)
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(self.person.count() > 0)


def _tr(text: str) -> str:
    return QCoreApplication.translate("sharing", text)
