"""A task on its way through all stages, by the hands of five people in one window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.ids import TaskId
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.project.projects import open_project
from annotator.services.workflow.work import Work
from annotator.ui.review.comment_dialog import CommentDialog
from annotator.ui.review.comments_panel import CommentsPanel
from annotator.ui.review.verdicts import PinnedReasonDialog, SendBackDialog
from annotator.ui.work.submit import SubmitDialog
from tests.e2e.answering import answering
from tests.e2e.conftest import Desktop
from tests.e2e.review_team import KIND, Team, make_team

CTRL = Qt.KeyboardModifier.ControlModifier
ENTER = Qt.Key.Key_Return


@dataclass
class Hands:
    """What people do with keys, mouse and dialogs, whoever they are."""

    desktop: Desktop
    team: Team

    @property
    def work(self) -> Work:
        project = self.desktop.window.context.workspace.project
        assert project is not None
        return project.work

    @property
    def task_id(self) -> TaskId:
        task_id = self.desktop.window.context.workspace.task_id
        assert task_id is not None
        return task_id

    @property
    def document(self) -> Document:
        session = self.desktop.window.context.workspace.session
        assert session is not None
        return session.document

    def sign_in(self, name: str) -> None:
        """Choose a name on the first page."""
        window = self.desktop.window
        if window.context.workspace.person is not None:
            self.desktop.run("person.change")
        page = window.assembly.pages.start.sign_in
        (item,) = page.list.findItems(name, Qt.MatchFlag.MatchStartsWith)
        page.list.setCurrentItem(item)
        QTest.keyClick(page.list, ENTER)
        assert window.context.workspace.person is not None
        assert window.context.workspace.person.name == name
        window.context.updates.refresh()

    def sit_down(self, name: str) -> None:
        """Sign in, and take the next task with one key."""
        self.sign_in(name)
        QTest.keyClick(self.desktop.window.assembly.pages.start.mine, ENTER, CTRL)
        self.desktop.settle()

    def take(self, name: str, kind: str) -> None:
        """Sign in, and take the next task of a kind."""
        self.sign_in(name)
        self.desktop.window.context.tasks.claim_next(kind)
        self.desktop.settle()

    def is_offered(self, name: str, task_id: TaskId) -> bool:
        """Tell whether somebody would be given a task; they leave it alone."""
        self.work.people.sign_in(self.team.people[name])
        record = self.work.claim_next(KIND)
        if record is not None:
            self.work.release(record.id)
        return record is not None and record.id == task_id

    def wait_for_changes(self, n: int) -> None:
        reviewing = self.desktop.window.assembly.review_actions.reviewing
        self.desktop.qtbot.waitUntil(lambda: len(reviewing.items) == n)

    def hand_in(self) -> None:
        """Press Ctrl+Enter, look at what is still open, and go on all the same."""
        self.desktop.window.context.updates.refresh()
        with answering(SubmitDialog, _ok):
            self.desktop.window.context.table.run("task.submit")

    def say(self, text: str) -> None:
        def answer(dialog: CommentDialog) -> None:
            QTest.keyClicks(dialog.text, text)
            QTest.keyClick(dialog.text, ENTER, CTRL)

        with answering(CommentDialog, answer):
            self.desktop.press("Shift+C")

    def return_change(self, code: str, text: str) -> None:
        """Mark the change in hand to go back."""

        def answer(dialog: PinnedReasonDialog) -> None:
            dialog.kind.setCurrentIndex(dialog.kind.findData(code))
            QTest.keyClicks(dialog.text, text)
            _ok(dialog)

        with answering(PinnedReasonDialog, answer):
            self.desktop.press("Alt+Shift+Return")

    def send_back(self) -> tuple[str, ...]:
        """Send the task back with what was noted; return the reasons that went along."""
        told: list[str] = []

        def answer(dialog: SendBackDialog) -> None:
            told.extend(reason.text for reason in dialog.reasons())
            _ok(dialog)

        self.desktop.window.context.updates.refresh()
        with answering(SendBackDialog, answer):
            self.desktop.window.context.table.run("task.send-back")
        return tuple(told)

    def record(self, task_id: TaskId) -> TaskRecord:
        return self.work.record(task_id)


def _ok(dialog: SubmitDialog | SendBackDialog | PinnedReasonDialog) -> None:
    box = dialog.findChild(QDialogButtonBox)
    assert isinstance(box, QDialogButtonBox)
    box.button(QDialogButtonBox.StandardButton.Ok).click()


@pytest.fixture
def hands(desktop: Desktop, tmp_path: Path, clip: Path) -> Hands:
    team = make_team(tmp_path, clip, ("Ann", "Ben", "Cleo", "Dan", "Eve"))
    assert desktop.window.context.projects.open_path(team.path)
    return Hands(desktop, team)


def test_annotate_check_send_back_check_by_another_verify_complete(hands: Hands) -> None:
    desktop, window = hands.desktop, hands.desktop.window

    hands.sit_down("Ann")
    task_id = hands.task_id
    assert not window.context.table.action("task.send-back").isEnabled()
    desktop.draw((20, 60), (80, 120))
    desktop.draw((150, 20), (210, 90))
    hands.hand_in()
    assert (hands.record(task_id).stage, window.context.workspace.task_id) == ("check", None)

    desktop.qtbot.waitUntil(lambda: window.focusWidget() is window.assembly.pages.start.mine.next)
    window.context.docks.show("checklist")
    hands.sit_down("Ben")
    assert hands.task_id == task_id
    # What the person before had in front is there again; what is to be judged comes to the front.
    desktop.qtbot.waitUntil(lambda: window.context.docks.is_shown("checklist"))
    desktop.qtbot.waitUntil(lambda: window.context.docks.is_shown("changes"))
    hands.wait_for_changes(2)
    # Who checks corrects; from here there is no way back, and none is offered.
    back = [window.context.table.action(name) for name in ("task.send-back", "change.return")]
    assert not any(action.isEnabled() for action in back)
    desktop.drag((50, 90), (70, 95))
    hands.wait_for_changes(2)
    hands.hand_in()
    assert hands.record(task_id).stage == "verify"

    hands.sit_down("Cleo")
    assert hands.task_id == task_id
    hands.wait_for_changes(1)
    desktop.press("Alt+PgDown")
    assert all(action.isEnabled() for action in back)
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
    assert window.context.workspace.selection.primary is not None
    panel = window.context.docks.show("comments")
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

    # What follows is there now, for whoever comes next.
    assert {row.kind for row in hands.work.board()} == {KIND, "point-tracks", "actions", "sounds"}
    hands.sit_down("Ann")
    assert hands.record(hands.task_id).kind != KIND
    assert len(hands.document.tracks) == 2


@pytest.fixture
def followed(desktop: Desktop, tmp_path: Path, clip: Path) -> Hands:
    """The boxes of a cup and a mug are complete, and what follows waits."""
    team = make_team(tmp_path, clip, ("Ann", "Ben", "Cleo", "Dan"))
    team.annotated()
    project = open_project(team.path)
    for name, stage in (("Ben", "check"), ("Cleo", "verify")):
        project.work.submit(team.do(project, name, stage))
    project.close()
    assert desktop.window.context.projects.open_path(team.path)
    return Hands(desktop, team)


def test_in_a_task_for_points_the_boxes_are_given(followed: Hands) -> None:
    hands, desktop, window = followed, followed.desktop, followed.desktop.window
    hands.take("Dan", "point-tracks")
    before = hands.document.tracks
    box = window.context.table.action("tool.box")
    assert not box.isEnabled()
    assert "This task allows only points." in box.toolTip()
    assert "press P and click" in window.context.middle.hint.text()
    desktop.press("B")
    assert window.context.canvas.tools.tool == "select"
    desktop.drag((50, 90), (70, 95))
    assert window.context.workspace.selection.primary is not None
    for action_id in ("track.delete", "track.rename", "key.set", "box.move-left", "track.split"):
        assert not window.context.table.action(action_id).isEnabled(), action_id
    assert not window.context.panels.inspector.name.isEnabled()
    assert hands.document.tracks == before
    desktop.press("N")
    assert window.context.canvas.tools.tool == "point"
    desktop.drag((50, 90), (50, 90))
    assert len(hands.document.points) == 1
    assert window.context.table.action("point.delete").isEnabled()
    assert not box.isEnabled()
    # What is in the way may be hidden all the same.
    window.context.workspace.selection.set_tracks([before[0].id])
    desktop.press("H")
    assert hands.document.tracks[0].info.is_hidden


def test_in_a_task_for_sounds_only_sounds_are_marked(followed: Hands) -> None:
    hands, desktop, window = followed, followed.desktop, followed.desktop.window
    hands.take("Dan", "sounds")
    assert window.context.workspace.labels.lane is Lane.SOUND
    for action_id in ("tool.box", "tool.point", "tool.again"):
        action = window.context.table.action(action_id)
        assert not action.isEnabled()
        assert action.toolTip().endswith("This task allows only sounds.")
    desktop.press("1", "Home", "I", "End", "O")
    window.context.workspace.labels.set_lane(Lane.ACTION)
    window.context.updates.refresh()
    assert not window.context.table.action("segment.commit").isEnabled()
    window.context.workspace.labels.set_lane(Lane.SOUND)
    desktop.press("Return")
    assert [s.lane for s in hands.document.segments] == [Lane.SOUND]
    assert window.context.panels.live.findings == () or all(
        f.segment_id for f in window.context.panels.live.findings
    )
