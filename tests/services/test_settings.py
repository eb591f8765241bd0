"""Settings survive the file: written whole, checked when read, copied when damaged."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from annotator.domain.errors import UserError
from annotator.domain.recipes.recipe import HiddenObjects
from annotator.services.settings import MAX_RECENT, SETTINGS, Setting, Settings
from annotator.services.settings_table import BY_KEY
from tests.store.samples import unprivileged


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def test_defaults_hold_until_changed(path: Path) -> None:
    settings = Settings(path)
    assert {s.key: settings.get(s.key) for s in SETTINGS} == {s.key: s.default for s in SETTINGS}
    assert not path.exists()
    assert settings.notices == []


def test_changes_are_saved_and_told(path: Path) -> None:
    settings = Settings(path)
    told: list[str] = []
    settings.changed.add(told.append)
    settings.set("appearance.theme", "dark")
    settings.set("playback.volume", 0)
    settings.set("playback.step_sound", False)
    settings.set("appearance.theme", "dark")
    settings.set_bindings({"track.split": ["S", 'Ctrl+"'], "edit.undo": []})
    settings.add_recent(path.parent / "a ö\n.annot")
    assert told == [
        "appearance.theme",
        "playback.volume",
        "playback.step_sound",
        "keys.bindings",
        "projects.recent",
    ]
    again = Settings(path)
    assert again.notices == []
    assert again.text("appearance.theme") == "dark"
    assert again.number("playback.volume") == 0.0
    assert not again.flag("playback.step_sound")
    assert again.bindings == {"track.split": ("S", 'Ctrl+"'), "edit.undo": ()}
    assert again.recent == (path.parent / "a ö\n.annot",)
    again.reset("appearance.theme")
    assert Settings(path).text("appearance.theme") == "system"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("appearance.theme", "pink"),
        ("appearance.scale", 79),
        ("appearance.scale", True),
        ("appearance.scale", 100.5),
        ("playback.volume", "loud"),
        ("playback.volume", float("nan")),
        ("playback.step_sound", 1),
        ("person.name", "two\nlines"),
    ],
)
def test_values_not_allowed_change_nothing(path: Path, key: str, value: object) -> None:
    settings = Settings(path)
    before = settings.get(key)
    with pytest.raises(UserError, match="must be"):
        settings.set(key, value)
    assert settings.get(key) == before
    assert not path.exists()


def test_recent_projects_are_few_unique_and_newest_first(tmp_path: Path, path: Path) -> None:
    settings = Settings(path)
    projects = [tmp_path / f"{i}.annot" for i in range(MAX_RECENT + 3)]
    for project in [*projects, projects[5]]:
        settings.add_recent(project)
    assert settings.recent[:2] == (projects[5], projects[-1])
    assert len(set(settings.recent)) == len(settings.recent) == MAX_RECENT
    settings.forget_recent(projects[5])
    assert projects[5] not in Settings(path).recent


def test_names_that_are_no_text_are_not_written(tmp_path: Path, path: Path) -> None:
    settings = Settings(path)
    settings.add_recent(tmp_path / "odd\udcff.annot")
    settings.add_recent(tmp_path / "even.annot")
    assert len(settings.recent) == 2
    assert Settings(path).recent == (tmp_path / "even.annot",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("volume = = 3", "damaged"),
        ("appearance = 3", "appearance must be a table"),
        ("[playback]\nvolume = 7", "playback.volume must be 0 to 1"),
        ('[keys.bindings]\n"a" = "x"', "keys.bindings.a must be a list"),
        ("[projects]\nrecent = [1]", "projects.recent must be a list"),
    ],
)
def test_damaged_file_is_told_and_kept(path: Path, text: str, told: str) -> None:
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    settings = Settings(path)
    (notice,) = settings.notices
    assert told in notice.text
    (kept,) = path.parent.glob("settings.unusable-*.toml")
    assert kept.read_text(encoding="utf-8") == text
    assert str(kept) in str(notice.hint)
    settings.set("playback.volume", 0.5)
    assert Settings(path).notices == []
    assert kept.exists()


def test_bytes_that_are_no_text_are_damage(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe\x00")
    assert "damaged" in Settings(path).notices[0].text


def test_what_a_newer_version_knows_is_kept(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('[future]\n"mode x" = "fast"\nlevel = 2.5\n', encoding="utf-8")
    settings = Settings(path)
    assert settings.notices == []
    settings.set("playback.volume", 0.5)
    text = path.read_text(encoding="utf-8")
    assert '"mode x" = "fast"' in text
    assert "level = 2.5" in text


def test_folder_that_cannot_be_written_is_told_and_the_value_holds() -> None:
    with unprivileged() as folder:
        folder.chmod(0o555)
        settings = Settings(folder / "none" / "settings.toml")
        with pytest.raises(UserError):
            settings.set("playback.volume", 0.5)
        assert settings.number("playback.volume") == 0.5


def test_file_that_cannot_be_read_is_told() -> None:
    with unprivileged() as folder:
        path = folder / "settings.toml"
        path.mkdir()
        assert ". Default settings are used." in Settings(path).notices[0].text


@hypothesis_settings(max_examples=15)
@given(st.dictionaries(st.text(min_size=1), st.lists(st.text()).map(tuple), max_size=3))
def test_any_text_survives_as_binding(bindings: dict[str, tuple[str, ...]]) -> None:

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "settings.toml")
        Settings(path).set_bindings(bindings)
        again = Settings(path)
        assert again.notices == []
        assert again.bindings == bindings


def test_table_is_sound() -> None:
    assert len({s.key for s in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert isinstance(setting, Setting)
        assert setting.checked(setting.default) == setting.default
        assert setting.label
        assert setting.group
        assert setting.help.endswith(".")
        assert setting.key.count(".") == 1
        assert (setting.kind == "choice") == bool(setting.choices)


def test_hidden_objects_have_the_choices_of_recipes() -> None:
    # The table is read before the first picture, and does not import recipes.
    assert BY_KEY["proposals.hidden"].choices == tuple(HiddenObjects)
