"""The page My work: returned, started and waiting tasks, and the tests before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPalette, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.people import Role
from annotator.domain.questions.quality import QualificationStatus
from annotator.services.project.projects import OpenProject
from annotator.services.questions.qualification.submission_grading import OwnTest
from annotator.services.workflow.work import MOST_COUNTED, Feedback, MyWork
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import counted
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace
from annotator.ui.work.shared.hub_exchange import HubCard, SharedWork
from annotator.ui.work.shared.video_fetching import FetchLine, VideoFetching
from annotator.ui.work.task_strips import FeedbackCard
from annotator.ui.work.work_list import WorkList, is_submit_key
from annotator.ui.work.work_texts import duration_text, roles_text

_AVATAR_PX: Final = 32
_SIGN_PX = 18


class OwnTests(QFrame):
    """A line for each test, and for each kind of work that has ended; hidden without any."""

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._rows: list[tuple[str, str, str]] = []
        self.texts: list[QLabel] = []
        self._signs: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        hub.changed.connect(self._dress)
        self.hide()

    def show_tests(self, project: OpenProject) -> None:
        """Show how the person at the keyboard stands."""
        rows = [_test_row(test) for test in project.qualification.own_tests()]
        me = project.work.me
        for kind in project.work.recipe.task_types:
            if me is not None and kind.kind in me.kept_from:
                rows.append(("error", "error", _tr("ended").format(title=kind.title)))
        if rows != self._rows:
            self._rows = rows
            self._build(rows)
        self.setVisible(bool(rows))

    def _build(self, rows: Sequence[tuple[str, str, str]]) -> None:
        for old in (*self._signs, *self.texts):
            self._grid.removeWidget(old)
            old.deleteLater()
        self._signs, self.texts = [], []
        for y, (_, _, words) in enumerate(rows):
            sign, text = plain(QLabel()), plain(QLabel(words))
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            self._grid.addWidget(sign, y, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, y, 1)
            self._signs.append(sign)
            self.texts.append(text)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        for sign, (icon, token, _) in zip(self._signs, self._rows, strict=True):
            picture = self._hub.theme.icon(icon, token=token).pixmap(_SIGN_PX, _SIGN_PX)
            sign.setPixmap(picture)


def _test_row(test: OwnTest) -> tuple[str, str, str]:
    """Return icon, its color and the words for a test."""
    state = test.status
    if state is QualificationStatus.PASSED:
        sign, key = ("accept", "success"), "passed"
    elif state is QualificationStatus.HANDED_IN:
        sign, key = ("info", "accent"), "waits"
    elif state is QualificationStatus.SPENT:
        sign, key = ("error", "error"), "spent"
    elif state is QualificationStatus.FAILED:
        sign, key = ("warning", "warning"), "once" if test.left == 1 else "failed"
    else:
        sign, key = ("info", "accent"), "first" if test.opens else "open"
    words = _tr(key).format(
        title=test.title,
        reached=_reached(test),
        n=test.left,
        opens=", ".join(f"“{title}”" for title in test.opens),
    )
    n_tasks = test.passing.n_tasks
    if n_tasks > 1 and key in ("first", "open", "once", "failed"):
        words += " " + _tr("tasks").format(n=test.n_done, all=n_tasks)
    if test.needs and key in ("first", "open"):
        needs = ", ".join(f"“{title}”" for title in test.needs)
        words += " " + _tr("needs").format(needs=needs)
    return (*sign, f"{words}\n{test.note}" if test.note else words)


def _reached(test: OwnTest) -> str:
    """Return a person's result in a test, and the result required."""
    if test.reached is None:
        return ""
    passing = test.passing
    if passing.grade is not None:
        text = _tr("grade")
        return text.format(reached=f"{test.reached:.3g}", wanted=f"{passing.grade:g}")
    return _tr("share").format(reached=f"{test.reached:.0%}", wanted=f"{passing.share or 0:.0%}")


def _tr(key: str) -> str:
    """Return the words for a case."""
    texts = {
        "first": QCoreApplication.translate("OwnTests", "Pass “{title}” to unlock {opens}."),
        "open": QCoreApplication.translate("OwnTests", "Pass the test “{title}”."),
        "tasks": QCoreApplication.translate("OwnTests", "Tasks of this attempt: {n} of {all}."),
        "needs": QCoreApplication.translate("OwnTests", "Required first: {needs}."),
        "waits": QCoreApplication.translate("OwnTests", "“{title}”: submitted, awaiting grade."),
        "passed": QCoreApplication.translate("OwnTests", "“{title}”: passed{reached}."),
        "once": QCoreApplication.translate(
            "OwnTests", "“{title}”: not passed{reached}. 1 attempt left."
        ),
        "failed": QCoreApplication.translate(
            "OwnTests", "“{title}”: not passed{reached}. {n} attempts left."
        ),
        "spent": QCoreApplication.translate(
            "OwnTests", "“{title}”: not passed{reached}. No attempts left. Contact the lead."
        ),
        "ended": QCoreApplication.translate(
            "OwnTests",
            (
                "“{title}”: you are suspended from these tasks because of failed checks. Contact "
                "the lead."
            ),
        ),
        "grade": QCoreApplication.translate("OwnTests", ", grade {reached} (required: {wanted})"),
        "share": QCoreApplication.translate("OwnTests", ", {reached} correct (required: {wanted})"),
    }
    return texts[key]


_WIDTH_PX: Final = 620
_SOON_MS: Final = 50


class MyWorkPage(QWidget):
    """The page of the signed-in person; read again when the work changes while it is visible."""

    openWanted = Signal(object)  # TaskId

    def __init__(
        self, workspace: Workspace, table: ActionTable, shared: SharedWork, fetching: VideoFetching
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._table = table
        self._shared = shared
        self.hub = HubCard(workspace, shared)
        self.fetch = FetchLine(table, fetching)
        shared.changed.connect(self._refresh_soon)
        self._cards: list[FeedbackCard] = []
        self._avatar = QLabel()
        self.name = plain(QLabel())
        font = self.name.font()
        font.setPointSizeF(font.pointSizeF() * 1.6)
        self.name.setFont(font)
        self.hours = plain(QLabel())
        self._change = QToolButton()
        self._change.setDefaultAction(table.action("person.change"))
        self.next = QToolButton()
        self.next.setDefaultAction(table.action("task.next"))
        self.next.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.next.setProperty("kind", "primary")
        self.next.setMinimumHeight(44)
        font = self.next.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        font.setBold(True)
        self.next.setFont(font)
        self.count = plain(QLabel())
        self.count.setWordWrap(True)
        self.tests = OwnTests(workspace.hub)
        self.due, self.begin = QWidget(), QWidget()
        self.list = WorkList(workspace, is_roomy=True)
        self._begins = False
        self.list.openWanted.connect(self.openWanted)
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SOON_MS)
        self._timer.timeout.connect(self.refresh)
        workspace.bridge.workChanged.connect(self._refresh_soon)
        workspace.hub.changed.connect(self._refresh_soon)

    @Slot()
    def refresh(self) -> None:
        """Read the work again."""
        project, person = self._workspace.project, self._workspace.person
        if project is None or person is None:
            return
        work = project.work.my_work()
        self.name.setText(person.name)
        disc = self._workspace.hub.theme.avatar(person.id, person.name, _AVATAR_PX)
        self._avatar.setPixmap(disc.pixmap(_AVATAR_PX, _AVATAR_PX))
        self.hours.setText(
            self.tr("{roles} · active today {today}, this week {week}").format(
                roles=roles_text(person),
                today=duration_text(work.active_seconds_today),
                week=duration_text(work.active_seconds_week),
            )
        )
        self._show_feedback(work.feedback)
        self._count(work)
        self.tests.show_tests(project)
        is_lead = person.has(Role.LEAD)
        self.due.setVisible(is_lead and project.work.lead.is_spot_check_due())
        has_none = not any(q.count for q in work.queues) and not work.in_progress
        begins = is_lead and has_none and project.work.recipe.asks and not project.n_tasks
        self.begin.setVisible(begins and bool(project.videos()))
        held_tasks = *work.returned, *work.in_progress
        queues, submitted = work.queues, work.submitted
        # A list without rows hides, and its keys go to any button of the page.
        keys, had_work = self.window().focusWidget(), self.list.has_work
        is_here = keys is not None and self.isAncestorOf(keys)
        had_keys = keys is self.list or (is_here and not had_work)
        if self._begins:
            # The page was shown again: select the first task, not the row that had the focus.
            self.list.setCurrentRow(-1)
            self._begins = False
        self.list.fill(project, held_tasks, queues, submitted, work.n_for_lead, self._shared.status)
        self.list.setVisible(self.list.count() > 0)
        if had_keys:
            self.take_focus()
        self._dress()

    @Slot()
    def take_focus(self) -> None:
        """Give the keys to the list, or to the button where there is nothing to do in it."""
        (self.list if self.list.has_work else self.next).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the key that hands a task in take the next one, where no task is open."""
        if is_submit_key(event):
            self._table.run("task.next")
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._begins = True
        self._refresh_soon()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._avatar)
        head.addWidget(self.name, 1)
        head.addWidget(self._change)
        self._messages = QVBoxLayout()
        self._messages.setSpacing(4)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.next)
        row.addWidget(self.count, 1)
        self._fill_row(self.due, self.tr("New spot checks are due."), "lead.spot-checks")
        text = self.tr("There are no tasks yet: the steps of the recipe create them.")
        self._fill_row(self.begin, text, "lead.questions")
        middle = QWidget()
        middle.setMaximumWidth(_WIDTH_PX)
        column = QVBoxLayout(middle)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self.hours)
        column.addWidget(self.hub)
        column.addWidget(self.fetch)
        column.addLayout(self._messages)
        column.addLayout(row)
        column.addWidget(self.tests)
        column.addWidget(self.due)
        column.addWidget(self.begin)
        column.addWidget(self.list, 100)
        column.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.addStretch(1)
        layout.addWidget(middle, 100)
        layout.addStretch(1)

    def _fill_row(self, row: QWidget, text: str, action_id: str) -> None:
        """Put up something for a lead to do, and the button for it."""
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(plain(QLabel(text)), 1)
        button = QToolButton()
        button.setDefaultAction(self._table.action(action_id))
        layout.addWidget(button)

    def _count(self, work: MyWork) -> None:
        total = sum(q.count for q in work.queues)
        n_held = len(work.returned) + len(work.in_progress)
        if self._shared.status is not None:
            text = self.tr("The next task comes from the shared project.")
        elif not total and n_held:
            one, many = (
                self.tr("1 task is assigned to you."),
                self.tr("{n} tasks are assigned to you."),
            )
            text = counted(n_held, one, many)
        elif not total:
            text = self.tr("No tasks are waiting for you.")
        elif total == 1:
            text = self.tr("1 task is waiting for you.")
        elif any(q.count >= MOST_COUNTED for q in work.queues):
            text = self.tr("At least {n} tasks are waiting for you.").format(n=total)
        else:
            text = self.tr("{n} tasks are waiting for you.").format(n=total)
        keys = self._table.keymap.keys("task.next")
        self.count.setText(f"{text} ({shown(keys[0])})" if (total or n_held) and keys else text)

    def _show_feedback(self, messages: tuple[Feedback, ...]) -> None:
        project = self._workspace.project
        assert project is not None
        for card in self._cards:
            self._messages.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = []
        for message in messages:
            sender = project.work.people.find(message.from_id)
            card = FeedbackCard(self._workspace.hub, message, sender.name if sender else "?")
            card.putAway.connect(self._on_put_away)
            card.taskWanted.connect(self.openWanted)
            self._messages.addWidget(card)
            self._cards.append(card)

    @Slot(object)
    def _on_put_away(self, message: Feedback) -> None:
        if self._workspace.project is not None:
            self._workspace.project.work.put_away(message)

    @Slot()
    def _refresh_soon(self) -> None:
        if self.isVisible():
            self._timer.start()

    def _dress(self) -> None:
        theme = self._workspace.hub.theme
        for label in (self.hours, self.count):
            palette = label.palette()
            palette.setColor(QPalette.ColorRole.WindowText, theme.color("text_dim"))
            label.setPalette(palette)
