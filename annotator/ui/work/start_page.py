"""The first page of a project with people: who is at the keyboard, then what there is to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.widgets import plain, rows_height
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.my_work import MyWorkPage
from annotator.ui.work.shared.hub_exchange import SharedWork
from annotator.ui.work.shared.video_fetching import VideoFetching
from annotator.ui.work.work_texts import roles_text

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_ID: Final = Qt.ItemDataRole.UserRole
_WIDTH_PX: Final = 380
_AVATAR_PX: Final = 28
_GAP_PX: Final = 2
_LIST_PX: Final = 430
_MANY: Final = 8


class SignInPage(QWidget):
    """A list of people, a PIN where one is set, and Enter. Who signed in last is chosen.

    ``expects_other``: that person has just left, so the list has the keys and not their PIN.
    """

    signedIn = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._people: dict[PersonId, Person] = {}
        self.expects_other = False
        self.title = plain(QLabel())
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        self.title.setFont(font)
        self.title.setWordWrap(True)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Type your name"))
        self.filter.setAccessibleName(self.tr("Search people by name"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._on_filter_changed)
        self.filter.returnPressed.connect(self.sign_in)
        self.filter.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("People"))
        self.list.setSpacing(_GAP_PX)
        self.list.setIconSize(QSize(_AVATAR_PX, _AVATAR_PX))
        self.list.currentItemChanged.connect(self._on_current_changed)
        self.list.itemActivated.connect(self.sign_in)
        self.pin = QLineEdit()
        self.pin.setEchoMode(QLineEdit.EchoMode.Password)
        self.pin.setPlaceholderText(self.tr("PIN"))
        self.pin.setAccessibleName(self.tr("PIN"))
        self.pin.returnPressed.connect(self.sign_in)
        self.refused = plain(QLabel())
        self.refused.setWordWrap(True)
        self.button = QPushButton(self.tr("Sign in"))
        self.button.setDefault(True)
        self.button.clicked.connect(self.sign_in)
        self._lay_out()
        workspace.hub.changed.connect(self._dress)

    @Slot()
    def refresh(self) -> None:
        """Read the people again and choose who was here last."""
        project = self._workspace.project
        if project is None:
            return
        self.title.setText(self.tr("Select your name"))
        people = project.work.people
        able = people.able
        self._people = {p.id: p for p in able}
        me = people.me.id if people.me is not None else None
        last = project.last_person if project.last_person in self._people else me
        self.list.clear()
        for person in sorted(able, key=lambda p: p.name.casefold()):
            item = QListWidgetItem(f"{person.name}\n{roles_text(person)}")
            item.setData(_ID, person.id)
            item.setIcon(self._workspace.hub.theme.avatar(person.id, person.name, _AVATAR_PX))
            self.list.addItem(item)
            if person.id == last or self.list.currentItem() is None:
                self.list.setCurrentItem(item)
        self.filter.clear()
        self.filter.setVisible(len(able) > _MANY)
        self.list.setMaximumHeight(min(rows_height(self.list) + 4 * _GAP_PX, _LIST_PX))
        self._dress()
        self._say("")

    @Slot()
    def take_focus(self) -> None:
        """Give the keys to the field that is needed first."""
        person = self.chosen()
        wants_pin = person is not None and person.has_pin and not self.expects_other
        field = self.pin if wants_pin else self.list
        (self.filter if self.filter.isVisible() and not wants_pin else field).setFocus()

    def chosen(self) -> Person | None:
        """Return who is chosen in the list."""
        item = self.list.currentItem()
        return None if item is None else self._people.get(item.data(_ID))

    @Slot()
    def sign_in(self) -> None:
        """Sign in who is chosen; a wrong PIN is said and can be tried again."""
        person = self.chosen()
        if person is None:
            return
        if person.has_pin and not self.pin.text():
            self.pin.setFocus()
            return
        try:
            self._workspace.sign_in(person.id, self.pin.text() or None)
        except WorkError as error:
            self._say(str(error))
            self.pin.selectAll()
            self.pin.setFocus()
            return
        self.pin.clear()
        self.signedIn.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while a name is typed."""
        if watched is self.filter and isinstance(event, QKeyEvent):
            is_press = event.type() == QEvent.Type.KeyPress
            if is_press and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
                self._step(1 if event.key() == Qt.Key.Key_Down else -1)
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(8)
        self.pin.setMinimumHeight(30)
        self.button.setMinimumHeight(34)
        for widget in (self.title, self.filter, self.list, self.pin, self.refused, self.button):
            widget.setFixedWidth(_WIDTH_PX)
            column.addWidget(widget, 1 if widget is self.list else 0)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 32, 24, 32)
        layout.addStretch(1)
        layout.addLayout(column)
        layout.addStretch(1)
        column.addStretch()

    def _step(self, by: int) -> None:
        shown = [r for r in range(self.list.count()) if not self.list.item(r).isHidden()]
        if shown:
            now = self.list.currentRow()
            at = shown.index(now) + by if now in shown else 0
            self.list.setCurrentRow(shown[max(0, min(at, len(shown) - 1))])

    def _say(self, text: str) -> None:
        self.refused.setText(text)
        self.refused.setVisible(bool(text))

    @Slot(str)
    def _on_filter_changed(self, text: str) -> None:
        wanted = text.casefold()
        first: QListWidgetItem | None = None
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(wanted not in item.text().casefold())
            first = first or (item if not item.isHidden() else None)
        current = self.list.currentItem()
        if current is None or current.isHidden():
            self.list.setCurrentRow(-1 if first is None else self.list.row(first))
        self.list.setVisible(first is not None)
        if first is None:
            self._say(self.tr("No person has this name. A project lead can add you."))

    @Slot()
    def _on_current_changed(self) -> None:
        person = self.chosen()
        self.pin.setVisible(person is not None and person.has_pin)
        self.pin.clear()
        self._say("")
        self.button.setEnabled(person is not None)

    @Slot()
    def _dress(self) -> None:
        theme = self._workspace.hub.theme
        palette = self.refused.palette()
        palette.setColor(self.refused.foregroundRole(), theme.color("error"))
        self.refused.setPalette(palette)


class StartPage(QStackedWidget):
    """Shows the sign-in page, or My work once a person has signed in."""

    openWanted = Signal(object)  # TaskId
    lookWanted = Signal(object)  # TaskId
    nextWanted = Signal(str, str)  # kind, stage
    chooseWanted = Signal(str, str)
    decideWanted = Signal()

    def __init__(
        self, workspace: Workspace, table: ActionTable, shared: SharedWork, fetching: VideoFetching
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._project: OpenProject | None = None
        self.sign_in = SignInPage(workspace)
        self.mine = MyWorkPage(workspace, table, shared, fetching)
        self.addWidget(self.sign_in)
        self.addWidget(self.mine)
        self.mine.openWanted.connect(self.openWanted)
        self.mine.list.lookWanted.connect(self.lookWanted)
        self.mine.list.nextWanted.connect(self.nextWanted)
        self.mine.list.chooseWanted.connect(self.chooseWanted)
        self.mine.list.decideWanted.connect(self.decideWanted)
        workspace.projectChanged.connect(self.refresh)
        workspace.personChanged.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what fits, as it is now."""
        if not self._workspace.has_people:
            return
        page = self.sign_in if self._workspace.person is None else self.mine
        is_new = page is not self.currentWidget()
        if is_new:
            self.sign_in.expects_other = (
                page is self.sign_in and self._project is self._workspace.project
            )
        self._project = self._workspace.project
        page.refresh()
        self.setCurrentWidget(page)
        if is_new:
            self.take_focus()

    @Slot()
    def take_focus(self) -> None:
        """Give the keyboard focus to the page shown."""
        if self.isVisible():
            (self.sign_in if self.currentWidget() is self.sign_in else self.mine).take_focus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.take_focus()
