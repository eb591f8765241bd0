"""What a lead is asked: all of it is to be read, the keys begin in the form, buttons come last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from annotator.domain.forms.field import Option
from annotator.domain.ids import PersonId, item_id
from annotator.domain.people import Person
from annotator.domain.questions.items.item import Item
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.ui.lead.answers.items_box import EditItemDialog
from annotator.ui.lead.board.board_dialogs import (
    AskDialog,
    AssignDialog,
    PriorityDialog,
    StageReasonDialog,
)
from annotator.ui.lead.setup.package_actions import PackageDialog
from annotator.ui.lead.setup.video_sources import SourcesBox


def _answer(qtbot: QtBot, dialog: AskDialog, *keys: Qt.Key | str) -> bool:
    """Show a dialog and press keys where they go."""

    def press() -> None:
        qtbot.waitUntil(dialog.isActiveWindow, timeout=20_000)
        for key in keys:
            target = QApplication.focusWidget()
            assert target is not None
            if isinstance(key, str):
                QTest.keyClicks(target, key)
            else:
                QTest.keyClick(target, key)

    QTimer.singleShot(0, press)
    return dialog.ask()


def test_a_reason_is_typed_at_once(qtbot: QtBot) -> None:
    dialog = StageReasonDialog("Withdraw", "1 task", None)
    assert _answer(qtbot, dialog, "It is dark", Qt.Key.Key_Return)
    assert dialog.reason.text() == "It is dark"


def test_tab_goes_through_the_form_and_to_the_buttons_last(qtbot: QtBot) -> None:
    people = [Person(PersonId(name), name) for name in ("Ann", "Ben")]
    dialog = AssignDialog(1, people, None)
    tab, space = Qt.Key.Key_Tab, Qt.Key.Key_Space
    assert _answer(qtbot, dialog, Qt.Key.Key_Down, tab, space, tab, "ill", tab, space)
    assert dialog.person.currentData() == "Ben"
    assert dialog.overrules.isChecked()
    assert dialog.reason.text() == "ill"


def test_a_number_is_typed_over_the_one_before(qtbot: QtBot) -> None:
    dialog = PriorityDialog(2, 5, None)
    assert _answer(qtbot, dialog, "7", Qt.Key.Key_Return)
    assert dialog.priority.value() == 7


def test_a_question_is_high_enough_for_all_its_lines(qtbot: QtBot) -> None:
    recipe = parse_recipe(shipped_recipe("pacs"))
    dialog = PackageDialog([Person(PersonId("Ann"), "Ann")], recipe, lambda _: 1, None)
    sizes: list[tuple[int, int]] = []

    def measure() -> None:
        labels = [label for label in dialog.findChildren(QLabel) if label.text()]
        assert len(labels) > 3
        sizes.extend((each.height(), each.heightForWidth(each.width())) for each in labels)
        fields = dialog.findChildren(QComboBox)
        sizes.extend((each.height(), each.minimumSizeHint().height()) for each in fields)
        dialog.reject()

    QTimer.singleShot(0, measure)
    assert not dialog.ask()
    assert sizes
    assert all(height >= needed for height, needed in sizes)


def test_a_package_dialog_says_what_a_person_will_get(qtbot: QtBot) -> None:
    people = [Person(PersonId(name), name) for name in ("Ann", "Ben")]
    recipe = parse_recipe(shipped_recipe("pacs"))
    dialog = PackageDialog(people, recipe, {"Ann": 1, "Ben": 3}.__getitem__, None)
    qtbot.addWidget(dialog)
    assert dialog.outlook.text().startswith("Ann gets 1 assigned task and up to 20 from the queue.")
    dialog.person.setCurrentText("Ben")
    dialog.further.setValue(0)
    dialog.media.setChecked(True)
    assert dialog.outlook.text() == "Ben gets 3 assigned tasks."


def test_an_item_is_changed_for_a_reason(qtbot: QtBot) -> None:
    options = (Option("a", "ball"), Option("b", "cup"))
    item = Item(item_id(), "final", (), "What falls?", options, {"answer": ("a",)})
    dialog = EditItemDialog(item, ("lid", "mug"), None)
    qtbot.addWidget(dialog)
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled()
    right, wrong = dialog.fields["a"], dialog.fields["b"]
    assert [right.count(), wrong.count()] == [1, 3]
    wrong.setCurrentIndex(1)
    assert not ok.isEnabled()
    dialog.reason.setText("A cup falls, too.")
    assert ok.isEnabled()
    assert (dialog.text, dialog.options) == ("What falls?", {"a": "ball", "b": "lid"})
    right.setEditText(" ")
    assert not ok.isEnabled()


def test_only_what_is_selected_can_be_removed(qtbot: QtBot, tmp_path: Path) -> None:
    box = SourcesBox(tmp_path)
    qtbot.addWidget(box)
    remove = box.findChildren(QPushButton)[-1]
    box.add([tmp_path / "a.mp4", tmp_path / "b.mp4"])
    assert not remove.isEnabled()
    box.list.setCurrentRow(0)
    assert remove.isEnabled()
    remove.click()
    assert box.paths() == [tmp_path / "b.mp4"]
