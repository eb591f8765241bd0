"""Live board of a shared project: assignees, start, and last activity."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.services.hub.hub_place import place_of
from annotator.services.hub.lead_window import BoardLine, publish_all, send_message, take_back
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.board.board_dialogs import AskDialog
from annotator.ui.lead.lead_texts import TaskLink, kind_title
from annotator.ui.lead.sharing.hub_collection import Collecting, tell
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.look.texts import counted, moment_text
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.work_texts import stage_title


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
        """Return the entered text."""
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
                "An invitation file is written beside the project. A repeated invitation creates a "
                "new login and ends the earlier one."
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


_WIDTHS: Final = (28, 18, 16, 14, 15, 15, 15, 18)
_QUIET_MS: Final = 24 * 3_600_000


class SharingPage(Page):
    """Table of claimed tasks, with buttons; ``lookWanted`` asks to open a task."""

    lookWanted = Signal(object)  # Look

    def __init__(self, workspace: Workspace, project: OpenProject, collecting: Collecting) -> None:
        super().__init__(workspace, project, self.tr("Shared work"))
        self._collecting = collecting
        self.line = plain(QLabel())
        self.line.setWordWrap(True)
        self.refused = plain(QLabel())
        self.refused.setWordWrap(True)
        self.lines = RowModel(self._columns())
        self.table = RowTable(
            self.lines,
            self.tr("Claimed tasks"),
            _WIDTHS,
            self.tr("No task is claimed at the moment."),
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.table.doubleClicked.connect(self._on_double_clicked)
        self.back = QPushButton(self.tr("Unassign"))
        self.back.setToolTip(
            self.tr("Return the selected tasks to the queue. Drafts stay on their computers.")
        )
        self.back.clicked.connect(self._on_back_clicked)
        self.message = QPushButton(self.tr("Message…"))
        self.message.setToolTip(self.tr("Send a message to one person or to everybody."))
        self.message.clicked.connect(self._on_message_clicked)
        self.invite = QPushButton(self.tr("Invite…"))
        self.invite.clicked.connect(self._on_invite_clicked)
        self.publish = QPushButton(self.tr("Publish all"))
        self.publish.setToolTip(
            self.tr("Offer all tasks that can be done. Changes are published by themselves.")
        )
        self.publish.clicked.connect(self._on_publish_clicked)
        buttons = QHBoxLayout()
        for button in (self.back, self.message, self.invite, self.publish):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addWidget(self.line)
        layout.addWidget(self.refused)
        layout.addWidget(self.table, 1)
        layout.addLayout(buttons)
        collecting.changed.connect(self._show)
        self._show()
        self._on_chosen()

    def leave(self) -> None:
        super().leave()
        self._collecting.changed.disconnect(self._show)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._collecting.watch(is_seen=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._collecting.watch(is_seen=False)

    def _columns(self) -> RowColumns[BoardLine]:
        heads = [
            self.tr("Video"),
            self.tr("Task type"),
            self.tr("Stage"),
            self.tr("Assignee"),
            self.tr("Since"),
            self.tr("Last contact"),
            self.tr("Until"),
            self.tr("State"),
        ]
        return RowColumns(heads, self._cell, self._sort_key)

    def _cell(self, line: BoardLine, column: int) -> str:
        recipe = self._project.work.recipe
        status = self._collecting.status
        match column:
            case 0:
                return line.video
            case 1:
                return kind_title(recipe, line.kind)
            case 2:
                return stage_title(recipe, line.kind, line.stage)
            case 3:
                return line.person
            case 4:
                return moment_text(line.since)
            case 5:
                return moment_text(line.seen)
            case 6:
                return moment_text(line.until)
            case _:
                is_quiet = status is not None and status.now - line.seen > _QUIET_MS
                return self.tr("no contact for a day") if is_quiet else self.tr("claimed")

    def _sort_key(self, line: BoardLine, column: int) -> object:
        times = {4: line.since, 5: line.seen, 6: line.until}
        return times.get(column) or self._cell(line, column).casefold()

    def _chosen(self) -> list[BoardLine]:
        return [self.lines.rows[i.row()] for i in self.table.selectionModel().selectedRows()]

    @Slot()
    def _show(self) -> None:
        """Show the result of the last synchronization; the selection is kept."""
        status = self._collecting.status
        if self._collecting.problem:
            words = self.tr(
                "{problem} The program tries again. Raters can still claim what is published."
            )
            self.line.setText(words.format(problem=self._collecting.problem))
        elif status is None:
            self.line.setText(self.tr("Connecting…"))
        else:
            parts = [
                self.tr("Connected to {place}").format(place=status.place),
                self.tr("{n} open").format(n=f"{status.n_open:,}"),
                self.tr("{n} claimed").format(n=f"{len(status.lines):,}"),
                self.tr("{n} submitted").format(n=f"{status.n_submitted:,}"),
                self.tr("{n} to collect").format(n=f"{status.n_pending:,}"),
            ]
            if not status.may_write:
                parts.append(self.tr("another copy of this project publishes and collects"))
            self.line.setText(" · ".join(parts))
            self.publish.setEnabled(status.may_write)
            self.refused.setText("\n".join(status.refused) or self.refused.text())
        self.refused.setVisible(bool(self.refused.text()))
        if status is None:
            return
        chosen_claims = {line.claim_id for line in self._chosen()}
        self.lines.set_rows(status.lines)
        flags = QItemSelectionModel.SelectionFlag
        for i, line in enumerate(self.lines.rows):
            if line.claim_id in chosen_claims:
                index = self.lines.index(i, 0)
                self.table.selectionModel().select(index, flags.Select | flags.Rows)

    @Slot()
    def _on_chosen(self) -> None:
        self.back.setEnabled(bool(self._chosen()))

    @Slot()
    def _on_double_clicked(self) -> None:
        for line in self._chosen()[:1]:
            if line.task_id is not None:
                self.lookWanted.emit(TaskLink(line.task_id))

    @Slot()
    def _on_back_clicked(self) -> None:
        claims = [line.claim_id for line in self._chosen()]
        one, many = self.tr("1 task unassigned."), self.tr("{n} tasks unassigned.")
        self._collecting.act(
            self.tr("Unassign"),
            lambda project, _: take_back(project, claims),
            lambda n: counted(n, one, many),
        )

    @Slot()
    def _on_message_clicked(self) -> None:
        names = {line.person for line in self._chosen()}
        dialog = MessageDialog(self._members(), names.pop() if len(names) == 1 else "", self)
        if not dialog.exec():
            return
        text, person_id = dialog.text(), dialog.person_id()
        self._collecting.act(
            self.tr("Message"),
            lambda project, _: send_message(project, text, person_id),
            lambda _: self.tr("Message sent."),
        )

    @Slot()
    def _on_invite_clicked(self) -> None:
        place = place_of(self._project)
        people = [p for p in self._project.work.people.all() if p.is_active]
        is_server = place is not None and bool(place.host)
        dialog = InviteDialog(people, is_server=is_server, parent=self)
        if dialog.exec():
            self._collecting.invite(
                PersonId(dialog.person.currentData()), dialog.admin.text(), dialog.password.text()
            )

    @Slot()
    def _on_publish_clicked(self) -> None:
        one, many = self.tr("1 new task published."), self.tr("{n} new tasks published.")
        self._collecting.act(
            self.tr("Publish"),
            lambda project, token: publish_all(project, partial(tell, token)),
            lambda n: counted(n, one, many),
        )

    def _members(self) -> list[Person]:
        status = self._collecting.status
        known = status.members if status is not None else frozenset()
        return [p for p in self._project.work.people.all() if p.id in known and p.is_active]
