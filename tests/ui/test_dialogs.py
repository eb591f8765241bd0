"""The dialogs: what they say about entries, and what they give back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QPushButton,
    QSpinBox,
)
from pytestqt.qtbot import QtBot

from annotator import app, paths
from annotator.domain.annotation.attributes import AppliesTo
from annotator.log import CrashReport
from annotator.services.settings import SETTINGS, Settings
from annotator.ui.actions.keymap import Keymap
from annotator.ui.actions.specs import action_specs
from annotator.ui.dialogs.crash_dialog import CrashDialog
from annotator.ui.dialogs.go_to import GoToDialog
from annotator.ui.dialogs.help_windows import GuideDialog, KeyHelp, guide_pages
from annotator.ui.dialogs.keys_page import KeysPage
from annotator.ui.dialogs.preferences import PreferencesDialog
from annotator.ui.dialogs.project.attributes_dialog import AttributesDialog
from annotator.ui.lead.setup.bulk_import import AddDialog
from annotator.ui.lead.setup.new_project import NewProjectDialog
from annotator.ui.lead.setup.video_sources import FileList
from annotator.ui.lead.sharing.sharing_dialog import ShareDialog
from annotator.ui.look.theme import ThemeHub
from annotator.ui.shell.main_window import MainWindow

NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "settings.toml")


@pytest.fixture
def window(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    made = app.make_window(settings, remembers_place=False)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def hub(qapp: QApplication) -> ThemeHub:
    return ThemeHub("light")


@pytest.mark.parametrize(
    ("entry", "frame"),
    [
        ("12", 12),
        ("1.0 s", 30),
        ("0:02", 60),
        ("0:00:01,5", 45),
        ("90", None),
        ("1:00:00", 89),
        ("-1", None),
        ("soon", None),
        ("", None),
    ],
)
def test_go_to_takes_frames_and_times(qtbot: QtBot, entry: str, frame: int | None) -> None:
    dialog = GoToDialog(np.arange(90) / 30, 0)
    qtbot.addWidget(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    chosen: list[int] = []
    dialog.frameChosen.connect(chosen.append)
    dialog.field.setText(entry)
    assert dialog.frame() == frame
    dialog.accept()
    assert chosen == ([] if frame is None else [frame])


def test_key_help_is_searched_by_word_and_by_key(qtbot: QtBot, window: MainWindow) -> None:
    help_page = KeyHelp(window.context.table)
    qtbot.addWidget(help_page)
    with_keys = help_page.visible_texts()
    assert "Occluded" in with_keys
    assert "Locate video" not in with_keys
    help_page.everything.click()
    everything = help_page.visible_texts()
    assert len(everything) > len(with_keys)
    assert {spec.text.rstrip("…") for spec in action_specs()} <= set(everything)
    help_page.search.setText("occluded")
    found = help_page.visible_texts()
    assert "Occluded" in found
    assert len(found) < 5
    help_page.everything.click()
    help_page.search.setText("locate video")
    assert help_page.visible_texts() == ["Locate video"]
    help_page.search.setText("ctrl+alt+a")
    assert help_page.visible_texts() == ["Accept all"]


def test_enter_presses_no_button_beside_the_main_one(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    workspace = window.context.workspace
    dialogs: list[QDialog] = [
        NewProjectDialog(workspace, tmp_path),
        AddDialog(workspace, tmp_path, None),
        PreferencesDialog(workspace),
        ShareDialog([], 0, tmp_path),
        AttributesDialog("Attributes", [], (AppliesTo.OBJECT,)),
    ]
    found, taken = [], []
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        boxes = dialog.findChildren(QDialogButtonBox)
        for button in dialog.findChildren(QPushButton):
            if not any(box.isAncestorOf(button) for box in boxes):
                found.append(button.text())
                taken += [button.text()] if button.autoDefault() else []
    assert len(found) >= 10
    assert taken == []


def test_files_are_dropped_onto_the_list_of_videos(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = NewProjectDialog(window.context.workspace, tmp_path)
    qtbot.addWidget(dialog)
    dialog.show()
    view = dialog.videos.list.viewport()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.mp4")), QUrl("https://example.org/b.mp4")])
    where = QPointF(view.rect().center())
    enter = QDragEnterEvent(
        where.toPoint(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, NO_KEYS
    )
    QApplication.sendEvent(view, enter)
    assert enter.isAccepted()
    drop = QDropEvent(where, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, NO_KEYS)
    QApplication.sendEvent(view, drop)
    assert drop.isAccepted()
    assert dialog.videos.paths() == [tmp_path / "a.mp4"]
    lists = [FileList(hint) for hint in ("", "Drag files here")]
    for each in lists:
        qtbot.addWidget(each)
    silent, hinting = (each.grab().toImage() for each in lists)
    assert silent != hinting
    for each in lists:
        each.addItem("a.mp4")
    silent, hinting = (each.grab().toImage() for each in lists)
    assert silent == hinting


def test_a_project_is_called_like_its_videos_until_it_is_named(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = NewProjectDialog(window.context.workspace, tmp_path)
    qtbot.addWidget(dialog)
    folder = tmp_path / "kitchen: day 1"
    dialog.add_videos([folder / "pour.mp4"])
    assert dialog.name.text() == "pour"
    folder.mkdir()
    dialog.add_videos([folder / "stir.mp4"])
    assert dialog.name.text() == "kitchen day 1"
    assert dialog.problem() == ""
    dialog.name.selectAll()
    QTest.keyClicks(dialog.name, "mine")
    dialog.add_videos([folder])
    assert dialog.name.text() == "mine"


def test_preferences_offer_every_setting_and_take_it(
    qtbot: QtBot, window: MainWindow, settings: Settings
) -> None:
    dialog = PreferencesDialog(window.context.workspace)
    qtbot.addWidget(dialog)
    # What is about shared work is there in a shared project only.
    hidden = ("Shortcuts", "Shared work")
    assert set(dialog.fields) == {s.key for s in SETTINGS if s.group not in hidden}
    theme = dialog.fields["appearance.theme"]
    assert isinstance(theme, QComboBox)
    theme.setCurrentIndex(theme.findData("dark"))
    theme.activated.emit(theme.currentIndex())
    assert settings.text("appearance.theme") == "dark"
    assert window.context.workspace.hub.theme.is_dark
    step = dialog.fields["playback.step_sound"]
    assert isinstance(step, QCheckBox)
    step.click()
    assert not settings.flag("playback.step_sound")
    assert dialog.word() == ""
    scale = dialog.fields["appearance.scale"]
    assert isinstance(scale, QSpinBox)
    scale.setValue(500)
    assert settings.whole("appearance.scale") == 200
    assert "Restart the program" in dialog.word()


def test_preferences_are_searched_and_restored_by_group(
    qtbot: QtBot, window: MainWindow, settings: Settings
) -> None:
    settings.set("playback.volume", 0.25)
    dialog = PreferencesDialog(window.context.workspace)
    qtbot.addWidget(dialog)
    dialog.show()
    rows = range(dialog.groups.count())
    names = [dialog.groups.item(row).text() for row in rows]
    assert names[:2] == ["You", "Appearance"]
    assert names[-1] == "Shortcuts"
    dialog.search.setText("volume")
    shown = [
        name for row, name in zip(rows, names, strict=True) if not dialog.groups.isRowHidden(row)
    ]
    assert shown == ["Playback"]
    volume = dialog.fields["playback.volume"]
    assert volume.isVisible()
    assert not dialog.fields["appearance.theme"].isVisible()
    assert not dialog.form.restore["Appearance"].isVisible()
    dialog.form.restore["Playback"].click()
    assert settings.get("playback.volume") == 1.0
    assert isinstance(volume, QDoubleSpinBox)
    assert volume.value() == 1.0
    assert not dialog.form.restore["Playback"].isVisible()
    dialog.search.setText("shortcuts")
    assert dialog.keys.isVisible()
    dialog.search.setText("")
    dialog.groups.setCurrentRow(names.index("Points"))
    bar = dialog.form.verticalScrollBar()
    assert bar.value() > 0
    assert dialog.groups.currentItem().text() == "Points"
    assert dialog.fields["points.trail"].visibleRegion().isEmpty() is False
    assert dialog.fields["appearance.theme"].visibleRegion().isEmpty()
    bar.setValue(0)
    assert dialog.groups.currentItem().text() == "You"
    dialog.groups.setCurrentRow(len(names) - 1)
    assert dialog.keys.isVisible()


def test_browsing_for_a_folder_offers_folders(
    qtbot: QtBot, window: MainWindow, settings: Settings, tmp_path: Path, monkeypatch
) -> None:
    dialog = PreferencesDialog(window.context.workspace)
    qtbot.addWidget(dialog)
    asked: list[str] = []

    def answer(kind: str):
        return lambda *_, **__: asked.append(kind) or tmp_path / kind

    monkeypatch.setattr("annotator.ui.dialogs.preferences.ask_folder", answer("folder"))
    monkeypatch.setattr("annotator.ui.dialogs.preferences.ask_model", answer("model"))
    for key, kind in (("videos.cache", "folder"), ("proposals.model", "model")):
        row = dialog.fields[key].parentWidget()
        assert row is not None
        row.findChild(QPushButton).click()
        assert asked[-1] == kind
        assert settings.text(key) == str(tmp_path / kind)


def test_keys_of_an_action_can_be_changed(
    qtbot: QtBot, window: MainWindow, settings: Settings
) -> None:
    dialog = PreferencesDialog(window.context.workspace)
    qtbot.addWidget(dialog)
    dialog.keys.choose("key.set")
    dialog.keys.edit.setKeySequence(QKeySequence("D"))
    assert "One frame back" in dialog.keys.word()
    dialog.keys.use_key()
    assert window.context.table.action("key.set").shortcut() == QKeySequence("D")
    assert window.context.table.keymap.keys("go.frame-back") == ("Left", ",")
    assert window.context.table.keymap.conflicts() == {}
    assert Settings(settings.path).bindings["key.set"] == ("D",)


def test_preset_is_taken_and_own_keys_stay(qtbot: QtBot, hub: ThemeHub) -> None:
    page = KeysPage(hub, Keymap().with_keys("track.hide", ("Ctrl+H",)))
    qtbot.addWidget(page)
    seen: list[Keymap] = []
    page.changed.connect(seen.append)
    page.preset.setCurrentIndex(page.preset.findData("cvat"))
    page.preset.activated.emit(page.preset.currentIndex())
    assert seen[-1].keys("key.set") == ("K",)
    assert seen[-1].keys("track.hide") == ("Ctrl+H",)


def test_guide_opens_its_pages_and_follows_links(qtbot: QtBot, hub: ThemeHub) -> None:
    dialog = GuideDialog(hub, "index.md")
    qtbot.addWidget(dialog)
    folder = paths.resource("guide")
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))
    assert {"index.md", "recipes/pacs.md"} <= set(pages)
    for name in pages:
        dialog.browser.open_page(name)
        first = paths.resource("guide", name).read_text(encoding="utf-8").splitlines()[0]
        assert dialog.browser.toPlainText().startswith(first.lstrip("# "))
    before = dialog.browser.toPlainText()
    dialog.browser.open_page("../../etc/passwd")
    dialog.browser.open_page("no-such-page.md")
    assert dialog.browser.toPlainText() == before
    dialog.browser.open_page("index.md")
    dialog.browser.anchorClicked.emit(QUrl("recipes/pacs.md"))
    assert dialog.browser.toPlainText().startswith("PACS")
    dialog.browser.anchorClicked.emit(QUrl("../leads.md"))
    assert dialog.browser.toPlainText().startswith("For leads")
    dialog.show()
    dialog.browser.anchorClicked.emit(QUrl("questions.md#human-baseline-studies"))
    assert dialog.browser.toPlainText().startswith("Questions")
    bar = dialog.browser.verticalScrollBar()
    assert 0 < bar.value() < bar.maximum()
    dialog.browser.anchorClicked.emit(QUrl("#perception-test"))
    assert 0 < bar.value() < bar.maximum() // 2


def test_search_goes_through_all_pages_of_the_guide(qtbot: QtBot, hub: ThemeHub) -> None:
    folder = paths.resource("guide")
    pages = [path.relative_to(folder.resolve()).as_posix() for path in guide_pages()]
    assert pages[:2] == ["index.md", "boxes.md"]
    assert sorted(pages) == sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.md"))
    dialog = GuideDialog(hub, "index.md")
    qtbot.addWidget(dialog)
    dialog.show()
    found: list[tuple[str, str]] = []

    def search(words: str) -> None:
        dialog.search.setText(words)
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
        cursor = dialog.browser.textCursor()
        found.append((dialog.browser.source().fileName(), cursor.selectedText()))

    search("open  demo PROJECT")  # in italics behind a bold heading
    search("hub invite")
    search("motion curves of the selected point")
    assert found[0] == ("index.md", "Open demo project")
    assert found[2] == ("points.md", "motion curves of the selected point")
    place = dialog.browser.textCursor().position()
    search("motion curves of the selected point")
    assert dialog.browser.textCursor().position() == place, "found again from the top: the only one"
    assert not dialog.missing.text()
    search("no such words anywhere")
    assert dialog.missing.text() == "No page contains these words."
    assert dialog.browser.source().fileName() == "points.md"
    bar = dialog.browser.verticalScrollBar()
    bar.setValue(bar.minimum())
    before = dialog.browser.textCursor().position()
    # The end of a paragraph and the beginning of the next: not one place that can be selected.
    search("to disk immediately. Split and merge")
    assert dialog.missing.text()
    search("")
    assert not dialog.missing.text()
    assert dialog.browser.source().fileName() == "points.md"
    assert (dialog.browser.textCursor().position(), bar.value()) == (before, bar.minimum())


def test_crash_report_is_shown_and_can_be_copied(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "crash.txt"
    path.write_text("Traceback\nValueError: odd")
    reports = [CrashReport(path, datetime.now(UTC), "ValueError: odd")] * 2
    dialog = CrashDialog(reports)
    qtbot.addWidget(dialog)
    assert "ValueError: odd" in dialog.body.toPlainText()
    gone = CrashDialog([CrashReport(tmp_path / "gone.txt", datetime.now(UTC), "lost")])
    qtbot.addWidget(gone)
    assert "lost" in gone.body.toPlainText()


def test_preferences_fit_a_small_screen(
    qtbot: QtBot, window: MainWindow, settings: Settings
) -> None:
    dialog = PreferencesDialog(window.context.workspace)
    qtbot.addWidget(dialog)
    assert dialog.minimumSizeHint().height() <= 600
    assert dialog.sizeHint().height() <= 640
