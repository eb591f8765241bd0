"""The action table is whole: words, icons, keys, presets, and a handler for every action."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from annotator import app, paths
from annotator.services.settings import Settings
from annotator.ui.actions.conditions import conditions
from annotator.ui.actions.keymap import Keymap, key_at, normal, preset, preset_names
from annotator.ui.actions.specs import CONDITIONS, ActionSpec, action_specs
from tests.ui.key_page import PATH, key_page


@pytest.mark.parametrize("spec", action_specs(), ids=lambda spec: spec.id)
def test_every_action_is_described(spec: ActionSpec) -> None:
    assert spec.text[0].isupper()
    assert spec.tip
    assert not spec.tip.endswith(".")
    assert spec.when in CONDITIONS
    assert not spec.icon or paths.resource("icons", f"{spec.icon}.svg").is_file()
    assert all(QKeySequence(key).count() == 1 for key in spec.keys)


def test_no_two_actions_have_the_same_name() -> None:
    names = [spec.text for spec in action_specs()]
    assert len(set(names)) == len(names)


def test_ids_are_unique_and_every_condition_is_used() -> None:
    ids = [spec.id for spec in action_specs()]
    assert len(ids) == len(set(ids)) > 80
    assert {spec.when for spec in action_specs()} == set(CONDITIONS)


@pytest.mark.parametrize("name", preset_names())
def test_no_preset_gives_one_key_to_two_actions(name: str) -> None:
    assert Keymap(name).conflicts() == {}
    known = {spec.id for spec in action_specs()}
    assert set(preset(name).keys) <= known


def test_presets_mean_what_their_tools_mean() -> None:
    cvat = Keymap("cvat")
    assert cvat.users("K") == ["key.set"]
    assert cvat.users("O") == ["track.outside"]
    assert cvat.users("L") == ["track.lock"]
    assert Keymap("elan").users("Ctrl+Left") == ["go.frame-back"]


def test_own_keys_win_and_conflicts_are_seen() -> None:
    mine = Keymap().with_keys("key.set", ("D",))
    assert mine.keys("key.set") == ("D",)
    assert mine.is_changed("key.set")
    assert {key: set(ids) for key, ids in mine.conflicts().items()} == {
        "D": {"key.set", "go.frame-back"}
    }
    assert mine.without("key.set").conflicts() == {}


@pytest.mark.parametrize(
    ("code", "key"), [(24, "Q"), (38, "A"), (52, "Z"), (34, "["), (9, None), (200, None)]
)
def test_keys_are_known_by_their_place(
    code: int, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.ui.actions.keymap._SCAN_OFFSET", 8)
    assert key_at(code) == key


def test_unknown_preset_is_the_default() -> None:
    assert preset("from-the-future").name == "default"
    assert normal("ctrl+shift+a") == "Ctrl+Shift+A"


def test_window_handles_every_action(qtbot: QtBot, tmp_path: Path) -> None:
    window = app.make_window(Settings(tmp_path / "settings.toml"))
    qtbot.addWidget(window)
    table = window.context.table
    assert table.unhandled() == []
    assert not window.windowIcon().isNull()
    told: list[str] = []
    table.refused.connect(told.append)
    table.refuse("project.new")
    assert told == [], "it can be run"
    table.refuse("key.set")
    assert told == [
        "“Set keyframe” is available when an object or a point is selected and can be changed."
    ]
    assert set(conditions(window.context.workspace)) == set(CONDITIONS)
    for spec in action_specs():
        action = table.action(spec.id)
        tooltip = action.toolTip()
        assert spec.tip in tooltip
        if spec.keys:
            assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in tooltip
        if spec.peers:
            assert spec.peers in tooltip
        assert action.isEnabled() == (spec.when == "always")
    listed = {
        action.objectName()
        for menu in window.menuBar().actions()
        for action in menu.menu().actions()  # type: ignore[attr-defined]
    }
    assert {spec.id for spec in action_specs()} <= listed
    window.close()


@pytest.mark.parametrize("name", preset_names())
def test_no_menu_takes_a_key_of_the_table(name: str, qtbot: QtBot, tmp_path: Path) -> None:
    window = app.make_window(Settings(tmp_path / "settings.toml"), remembers_place=False)
    qtbot.addWidget(window)
    titles = [action.text() for action in window.menuBar().actions()]
    letters = [title[title.index("&") + 1].upper() for title in titles if "&" in title]
    keys = {key for spec in action_specs() for key in Keymap(name).keys(spec.id)}
    assert len(letters) == len(set(letters)) == len(titles)
    assert [letter for letter in letters if f"Alt+{letter}" in keys] == []


def test_guide_lists_the_keys_as_they_are() -> None:
    assert PATH.read_text(encoding="utf-8") == key_page()
