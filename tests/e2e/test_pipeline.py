"""A task on its way through all stages, by the hands of five people in one window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from annotator.domain.ids import TaskId
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.work import Work
from annotator.ui.dialogs.submit import SubmitDialog
from annotator.ui.review.comment_dialog import CommentDialog
from annotator.ui.review.comments_panel import CommentsPanel
from annotator.ui.review.reason_dialog import ReasonDialog
from annotator.ui.review.send_back_dialog import SendBackDialog
from tests.e2e.answering import answering
from tests.e2e.conftest import Desktop
from tests.e2e.review_floor import KIND, Floor, make_floor

CTRL = Qt.KeyboardModifier.ControlModifier
ENTER = Qt.Key.Key_Return


@dataclass
class Hands:
    """What people do with keys, mouse and dialogs, whoever they are."""

    desktop: Desktop
    floor: Floor

    @property
    def work(self) -> Work:
        project = self.desktop.window.desk.project
        assert project is not None
        return project.work

    @property
    def task_id(self) -> TaskId:
        task_id = self.desktop.window.desk.task_id
        assert task_id is not None
        return task_id

    def sit_down(self, name: str) -> None:
        """Choose a name on the first page, and take the next task with one key."""
        window = self.desktop.window
        if window.desk.person is not None:
            self.desktop.run("person.change")
        page = window.pages.start.sign_in
        (item,) = page.list.findItems(name, Qt.MatchFlag.MatchStartsWith)
        page.list.setCurrentItem(item)
        QTest.keyClick(page.list, ENTER)
        assert window.desk.person is not None
        assert window.desk.person.name == name
        window.refresh()
        QTest.keyClick(window.pages.start.mine, ENTER, CTRL)
        self.desktop.settle()

    def is_offered(self, name: str, task_id: TaskId) -> bool:
        """Tell whether somebody would be given a task; they leave it alone."""
        self.work.people.sign_in(self.floor.people[name])
        record = self.work.claim_next(KIND)
        if record is not None:
            self.work.release(record.id)
        return record is not None and record.id == task_id

    def wait_for_changes(self, n: int) -> None:
        reviewing = self.desktop.window.review_actions.reviewing
        self.desktop.qtbot.waitUntil(lambda: len(reviewing.items) == n)

    def hand_in(self) -> None:
        """Press Ctrl+Enter, look at what is still open, and go on all the same."""
        self.desktop.window.refresh()
        with answering(SubmitDialog, _ok):
            self.desktop.window.table.run("task.submit")

    def say(self, text: str) -> None:
        def answer(dialog: CommentDialog) -> None:
            QTest.keyClicks(dialog.text, text)
            QTest.keyClick(dialog.text, ENTER, CTRL)

        with answering(CommentDialog, answer):
            self.desktop.press("Shift+C")

    def return_change(self, code: str, text: str) -> None:
        """Mark the change in hand to go back."""

        def answer(dialog: ReasonDialog) -> None:
            dialog.kind.setCurrentIndex(dialog.kind.findData(code))
            QTest.keyClicks(dialog.text, text)
            _ok(dialog)

        with answering(ReasonDialog, answer):
            self.desktop.press("Alt+Shift+Return")

    def send_back(self) -> tuple[str, ...]:
        """Send the task back with what was noted; return the reasons that went along."""
        told: list[str] = []

        def answer(dialog: SendBackDialog) -> None:
            told.extend(reason.text for reason in dialog.reasons())
            _ok(dialog)

        self.desktop.window.refresh()
        with answering(SendBackDialog, answer):
            self.desktop.window.table.run("task.send-back")
        return tuple(told)

    def record(self, task_id: TaskId) -> TaskRecord:
        return self.work.record(task_id)


def _ok(dialog: SubmitDialog | SendBackDialog | ReasonDialog) -> None:
    box = dialog.findChild(QDialogButtonBox)
    assert isinstance(box, QDialogButtonBox)
    box.button(QDialogButtonBox.StandardButton.Ok).click()


@pytest.fixture
def hands(desktop: Desktop, tmp_path: Path, clip: Path) -> Hands:
    floor = make_floor(tmp_path, clip, ("Ann", "Ben", "Cleo", "Dan", "Eve"))
    assert desktop.window.projects.open_path(floor.path)
    return Hands(desktop, floor)


def test_annotate_check_send_back_check_by_another_verify_complete(hands: Hands) -> None:
    desktop, window = hands.desktop, hands.desktop.window

    hands.sit_down("Ann")
    task_id = hands.task_id
    assert not window.table.action("task.send-back").isEnabled()
    desktop.draw((20, 60), (80, 120))
    desktop.draw((150, 20), (210, 90))
    hands.hand_in()
    assert (hands.record(task_id).stage, window.desk.task_id) == ("check", None)

    hands.sit_down("Ben")
    assert hands.task_id == task_id
    hands.wait_for_changes(2)
    desktop.drag((50, 90), (70, 95))
    hands.wait_for_changes(2)
    hands.hand_in()
    assert hands.record(task_id).stage == "verify"

    hands.sit_down("Cleo")
    assert hands.task_id == task_id
    hands.wait_for_changes(1)
    desktop.press("Alt+PgDown")
    hands.return_change("wrong-place", "It was better before.")
    hands.say("See the left edge.")
    told = hands.send_back()
    assert told == ("It was better before.", "See the left edge.")
    record = hands.record(task_id)
    assert (record.stage, record.is_returned) == ("check", True)
    assert [r.code for r in record.reasons] == ["wrong-place", ""]

    assert [n for n in ("Ann", "Ben", "Cleo") if hands.is_offered(n, task_id)] == []
    hands.sit_down("Dan")
    assert hands.task_id == task_id
    hands.wait_for_changes(1)
    desktop.press("Alt+Right")
    assert window.desk.selection.primary is not None
    panel = window.people_docks.show("comments")
    assert isinstance(panel, CommentsPanel)
    panel.resolve.click()
    desktop.press("Alt+PgDown", "Alt+Backspace")
    hands.wait_for_changes(0)
    hands.hand_in()
    assert hands.record(task_id).stage == "verify"

    hands.sit_down("Eve")
    assert hands.task_id == task_id
    hands.hand_in()
    record = hands.record(task_id)
    assert record.status is TaskStatus.COMPLETE
    people = [hands.work.people.person(a.person_id).name for a in record.assignments]
    assert people == ["Ann", "Ben", "Cleo", "Dan", "Eve"]
    assert len(hands.work.submissions(task_id)) == 5
