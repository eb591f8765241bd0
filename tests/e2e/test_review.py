"""A reviewer at work in a real window: changes, what was before, comments, verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QLabel

from annotator.domain.annotation.attributes import with_attributes
from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import AddImported, SetTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, segment_id
from annotator.domain.review.document_diff import diff
from annotator.domain.work.records import TaskStatus, VerdictKind
from annotator.ui.review.change_texts import difference_text
from annotator.ui.review.changes_panel import ChangeColumn, ChangesPanel
from annotator.ui.review.comment_dialog import CommentDialog
from annotator.ui.review.comments_panel import CommentsPanel
from annotator.ui.review.verdicts import PinnedReasonDialog, SendBackDialog
from annotator.ui.work.submit import SubmitDialog
from tests.domain.edits import make_document
from tests.e2e.answering import answering
from tests.e2e.conftest import Desktop
from tests.e2e.review_team import CUP, KIND, MUG, Team, make_team

MOVED = Box(90, 50, 170, 130)


@pytest.fixture
def team(tmp_path: Path, clip: Path) -> Team:
    return make_team(tmp_path, clip, ("Ann", "Ben", "Cleo", "Dan"))


@pytest.fixture
def cup(team: Team) -> TrackId:
    """A cup that Ann drew and Ben moved on frame 30."""
    keys = team.annotated()
    team.checked(keys[0], MOVED)
    return keys[0]


def sit_down(desktop: Desktop, team: Team, name: str, stage: str) -> None:
    """Let somebody sign in and take the next task of a stage."""
    window = desktop.window
    if window.context.workspace.project is None:
        assert window.context.projects.open_path(team.path)
    window.context.workspace.sign_in(team.people[name])
    window.context.tasks.claim_next(KIND, stage)
    desktop.settle()
    reviewing = window.assembly.review_actions.reviewing
    if stage != "annotate":
        desktop.qtbot.waitUntil(lambda: reviewing.review is not None)
    window.context.updates.refresh()


@pytest.fixture
def verifying(desktop: Desktop, team: Team, cup: TrackId) -> Desktop:
    """Cleo has taken the task to verify it."""
    sit_down(desktop, team, "Cleo", "verify")
    return desktop


def changes(desktop: Desktop) -> ChangesPanel:
    panel = desktop.window.context.docks.show("changes")
    assert isinstance(panel, ChangesPanel)
    return panel


def comments(desktop: Desktop) -> CommentsPanel:
    panel = desktop.window.context.docks.show("comments")
    assert isinstance(panel, CommentsPanel)
    return panel


def say(text: str) -> Callable[[CommentDialog], None]:
    def answer(dialog: CommentDialog) -> None:
        QTest.keyClicks(dialog.text, text)
        QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    return answer


def comment(desktop: Desktop, text: str) -> None:
    with answering(CommentDialog, say(text)):
        desktop.press("Shift+C")


def press_ok(dialog: SendBackDialog | PinnedReasonDialog) -> None:
    box = dialog.findChild(QDialogButtonBox)
    assert isinstance(box, QDialogButtonBox)
    box.button(QDialogButtonBox.StandardButton.Ok).click()


def test_what_was_approved_as_it_was_has_no_changes(desktop: Desktop, team: Team) -> None:
    team.annotated()
    sit_down(desktop, team, "Ben", "check")
    project, session = (
        desktop.window.context.workspace.project,
        desktop.window.context.workspace.session,
    )
    assert project is not None
    assert session is not None
    project.work.submit(session)
    sit_down(desktop, team, "Cleo", "verify")
    panel = changes(desktop)
    desktop.qtbot.waitUntil(lambda: panel.choice.currentText().startswith("Annotate · Ann"))
    assert panel.rows.rowCount() == 0
    assert "No changes found." in [label.text() for label in panel.findChildren(QLabel)]


def test_changes_are_listed_by_object_and_gone_to(verifying: Desktop, cup: TrackId) -> None:
    panel, window = changes(verifying), verifying.window
    assert panel.choice.currentText().startswith("Annotate · Ann")
    assert panel.counts.text() == "1 changed · 1 of 1 not reviewed"
    group = panel.rows.index(0, 0)
    assert group.data() == "cup 1"
    row = panel.rows.index(0, ChangeColumn.WHAT, group)
    assert row.data() == "Changed: box (1)"
    assert row.siblingAtColumn(ChangeColumn.FRAME).data() == "30"
    verifying.press("Alt+PgDown")
    assert (window.context.workspace.frame, window.context.workspace.selection.primary) == (30, cup)
    assert panel.view.currentIndex() == row
    verifying.press("Home", "Esc")
    place = panel.view.visualRect(row).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    verifying.settle()
    assert (window.context.workspace.frame, window.context.workspace.selection.primary) == (30, cup)


def test_list_follows_what_the_reviewer_corrects(verifying: Desktop) -> None:
    panel, window = changes(verifying), verifying.window
    verifying.draw((220, 100), (300, 160))
    assert [panel.rows.index(i, 0).data() for i in range(panel.rows.rowCount())] == [
        "object 3",
        "cup 1",
    ]
    assert panel.counts.text().startswith("1 added")
    verifying.press("Ctrl+Z")
    assert panel.rows.rowCount() == 1
    verifying.press("Alt+PgDown", "Alt+Backspace")
    assert window.assembly.review_actions.reviewing.items == ()
    assert panel.rows.rowCount() == 0
    assert window.context.workspace.session is not None
    assert [t.keyframe_at(30).box for t in window.context.workspace.session.document.tracks] == [
        CUP,
        MUG,
    ]
    verifying.press("Ctrl+Z")
    assert panel.rows.rowCount() == 1


def test_another_submission_is_compared_with(verifying: Desktop) -> None:
    panel, reviewing = changes(verifying), verifying.window.assembly.review_actions.reviewing
    assert panel.choice.count() == 3
    panel.choice.setCurrentIndex(0)
    panel.choice.activated.emit(0)
    verifying.qtbot.waitUntil(lambda: len(reviewing.items) == 2)
    assert {panel.rows.index(0, 0, panel.rows.index(i, 0)).data() for i in range(2)} == {
        "Object added"
    }
    panel.choice.activated.emit(2)
    verifying.qtbot.waitUntil(lambda: not reviewing.items)
    assert reviewing.review is not None


def test_what_was_before_is_drawn_dashed_where_it_differs(verifying: Desktop) -> None:
    canvas = verifying.window.context.canvas
    verifying.press("Alt+PgDown", "Esc")
    edge = verifying.at(CUP.x1, 90)
    plain = canvas.grab().toImage()
    verifying.press("Alt+C")
    image = canvas.grab().toImage()
    column = [QPoint(edge.x(), edge.y() + dy) for dy in range(-20, 20)]
    colors = {image.pixelColor(p).name() for p in column}
    assert len(colors) >= 2, "dashes and the ground between them"
    assert [image.pixelColor(p) for p in column] != [plain.pixelColor(p) for p in column]
    same = verifying.at(MUG.x1, 60)
    assert image.pixelColor(same) == plain.pixelColor(same), "the mug is as it was"
    verifying.press("Alt+C")
    assert canvas.grab().toImage() == plain


def test_divider_is_dragged_between_before_and_now(verifying: Desktop) -> None:
    window, canvas = verifying.window, verifying.window.context.canvas
    verifying.press("Alt+PgDown", "Esc")
    plain = canvas.grab().toImage()
    verifying.press("Alt+X")
    divider = window.assembly.review_actions.divider
    assert divider.isVisible()
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(divider, left, pos=divider.rect().center())
    QTest.mouseMove(divider, divider.rect().center() + QPoint(100, 0))
    QTest.mouseRelease(divider, left, pos=divider.rect().center())
    share = divider.share
    assert share == pytest.approx(0.5 + 100 / canvas.width(), abs=0.02)
    image = canvas.grab().toImage()
    for box, is_left in ((CUP, True), (MOVED, False)):
        at = verifying.at(box.x1, (box.y1 + box.y2) / 2)
        is_drawn = image.pixelColor(at) != plain.pixelColor(at)
        assert is_drawn, "left: the old box has come, the new one has gone"
        assert (at.x() < share * canvas.width()) or not is_left
    verifying.press("Alt+D")
    assert not divider.isVisible()
    side = window.context.middle.panes.widget(0)
    assert side.isVisible()
    assert abs(side.width() - canvas.width()) < 30
    verifying.press("Alt+D")
    assert not side.isVisible()
    assert canvas.layers.before is None


def test_judging_one_by_one(verifying: Desktop) -> None:
    panel, window = changes(verifying), verifying.window
    verifying.press("Alt+PgDown", "Alt+Return")
    assert panel.counts.text().endswith("0 of 1 not reviewed")
    verifying.press("Alt+Return")
    assert panel.counts.text().endswith("1 of 1 not reviewed")

    def choose(dialog: PinnedReasonDialog) -> None:
        dialog.kind.setCurrentIndex(dialog.kind.findData("wrong-place"))
        press_ok(dialog)

    with answering(PinnedReasonDialog, choose):
        verifying.press("Alt+Shift+Return")
    review = window.assembly.review_actions.reviewing.review
    assert review is not None
    (reason,) = review.reasons
    assert reason.code == "wrong-place"
    assert window.assembly.verdicts.open_points() == ["1 change is rejected."]
    asked: list[list[str]] = []

    def look(dialog: SubmitDialog) -> None:
        asked.append([dialog.list.item(i).text() for i in range(dialog.list.count())])
        assert dialog.send_back.isVisible()
        dialog.reject()

    with answering(SubmitDialog, look):
        window.context.tasks._submit()
    assert len(asked) == 1, "what a reviewer noted is asked about with everything else"
    assert asked[0][:2] == ["Review", "1 change is rejected."]
    verifying.press("Alt+Shift+Return")
    assert review.reasons == ()


def test_all_of_an_object_is_judged_at_once(verifying: Desktop, cup: TrackId) -> None:
    panel, workspace = changes(verifying), verifying.window.context.workspace
    assert workspace.run(SetTrack(cup, label="glass"))
    verifying.settle()
    group = panel.rows.index(0, 0)
    assert panel.rows.rowCount(group) == 2
    place = panel.view.visualRect(group).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    verifying.press("Alt+Return")
    assert panel.counts.text().endswith("0 of 2 not reviewed")
    assert panel.view.currentIndex() == panel.rows.index(0, 0)
    verifying.press("Alt+Backspace")
    assert panel.rows.rowCount() == 0
    assert workspace.session is not None
    back = workspace.session.document.track(cup)
    key = back.keyframe_at(30)
    assert (back.label, key.box if key is not None else None) == ("cup", CUP)


def test_comments_are_pinned_answered_and_resolved(verifying: Desktop, cup: TrackId) -> None:
    panel, window = comments(verifying), verifying.window
    verifying.press("Alt+PgDown")
    comment(verifying, "The handle is cut off.")
    session = window.context.workspace.session
    assert session is not None
    (first,) = session.document.comments
    assert first.pin == Pin(frame=30, track_id=cup)
    (sign,) = window.context.canvas.layers.signs()
    verifying.press("Home", "Esc")
    assert window.context.canvas.layers.signs() == []
    comment(verifying, "Is this frame usable?")
    assert panel.counts.text() == "2 of 2 open"
    verifying.press("Alt+Right")
    assert (window.context.workspace.frame, window.context.workspace.selection.primary) == (30, cup)
    assert panel.current == first
    with answering(CommentDialog, say("I moved it.")):
        panel.reply.click()
    assert session.document.replies_to(first.id)[0].text == "I moved it."
    verifying.press("Alt+Left")
    assert window.context.workspace.frame == 0
    verifying.press("Alt+PgDown")
    at = QPointF(sign.x + 5, sign.y + 5).toPoint()
    QTest.mouseClick(window.context.canvas, Qt.MouseButton.LeftButton, pos=at)
    assert panel.current == first
    panel.resolve.click()
    assert session.document.comment(first.id).is_resolved
    assert panel.counts.text() == "1 of 2 open"
    assert window.context.canvas.layers.signs() == []
    verifying.press("Ctrl+Z")
    assert not session.document.comment(first.id).is_resolved


def test_sending_back_needs_a_reason_and_goes_to_somebody_else(
    verifying: Desktop, team: Team
) -> None:
    window = verifying.window

    def look(dialog: SendBackDialog) -> None:
        ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
        assert not ok.isEnabled()
        assert dialog.focusWidget() is dialog.add
        assert any(label.isVisible() for label in dialog.list.findChildren(QLabel))
        with answering(PinnedReasonDialog, give):
            QTest.keyClick(dialog.add, Qt.Key.Key_Return)
        assert ok.isEnabled()
        assert (
            dialog.list.item(0).text().startswith("Something is in the wrong place: too far left\n")
        )
        dialog.reject()

    def give(dialog: PinnedReasonDialog) -> None:
        box = dialog.findChild(QDialogButtonBox)
        assert isinstance(box, QDialogButtonBox)
        QTest.keyClicks(dialog.text, "too far left")
        # No reason is counted that nobody chose.
        assert not box.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
        dialog.kind.setCurrentIndex(dialog.kind.findData("wrong-place"))
        press_ok(dialog)

    with answering(SendBackDialog, look):
        verifying.press("Ctrl+Shift+Return")
    verifying.press("Alt+PgDown")
    comment(verifying, "The cup is elsewhere.")

    def tick(dialog: SendBackDialog) -> None:
        assert [r.text for r in dialog.reasons()] == ["The cup is elsewhere."]
        press_ok(dialog)

    task_id = window.context.workspace.task_id
    assert task_id is not None
    window.context.updates.refresh()
    with answering(SendBackDialog, tick):
        window.context.table.run("task.send-back")
    project = window.context.workspace.project
    assert project is not None
    record = project.work.record(task_id)
    assert (record.stage, record.status, record.is_returned) == ("check", TaskStatus.WAITING, True)
    assert [(r.text, r.pin.frame) for r in record.reasons] == [("The cup is elsewhere.", 30)]
    window.context.workspace.sign_in(team.people["Ben"])
    assert project.work.claim_next(KIND, "check") is None, "Ben has had a part in it"
    sit_down(verifying, team, "Dan", "check")
    assert window.context.workspace.task_id == task_id
    assert window.context.workspace.session is not None
    assert len(window.context.workspace.session.document.comments) == 1


def test_approving_says_what_speaks_against_it(verifying: Desktop) -> None:
    window = verifying.window
    comment(verifying, "Look here.")
    task_id, project = window.context.workspace.task_id, window.context.workspace.project
    assert task_id is not None
    assert project is not None
    window.context.updates.refresh()

    asked: list[str] = []

    def back_off(dialog: SubmitDialog) -> None:
        asked.append(dialog.list.item(1).text())
        dialog.reject()

    with answering(SubmitDialog, back_off):
        window.context.table.run("task.submit")
    assert asked == ["1 comment is not resolved."], "asked once, with everything else"
    assert project.work.record(task_id).status is TaskStatus.IN_PROGRESS
    assert VerdictKind.APPROVE not in {
        handed.verdict.kind
        for each in project.work.record(task_id).assignments
        if each.stage == "verify"
        for handed in each.submissions
    }


def test_plain_project_knows_nothing_of_it(desktop: Desktop, project: Path) -> None:
    desktop.open(project)
    window = desktop.window
    assert not window.context.table.menu("Review").menuAction().isVisible()
    assert window.context.docks.show("changes") is None
    assert window.assembly.review_actions.reviewing.review is None


def test_changed_attributes_of_a_segment_are_called_so(desktop: Desktop) -> None:
    lane = Segment(segment_id(), Lane.ACTION, "pour", 0, 5, extra={"note": 1})
    other = replace(lane, extra=with_attributes(lane.extra, {"hand": "left"}))
    before, after = make_document(), make_document()
    before.apply(AddImported((), (lane,)).plan(before))
    after.apply(AddImported((), (other,)).plan(after))
    labels = desktop.window.context.workspace.labels
    (item,) = diff(before, after).of_entity[lane.id]
    assert difference_text(item, before, after, labels) == "pour: attributes"
    bare = make_document()
    bare.apply(AddImported((), (replace(lane, extra={"note": 2}),)).plan(bare))
    (item,) = diff(before, bare).of_entity[lane.id]
    assert difference_text(item, before, bare, labels) == "pour: imported metadata"
