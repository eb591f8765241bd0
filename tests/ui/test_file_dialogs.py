"""Dialogs that name an output refuse projects, videos and other types of files, and ask again."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

import annotator
from annotator.ui.dialogs import file_dialogs


def _ask_export(parent: QWidget, proposal: Path) -> Path | None:
    return file_dialogs.ask_export(parent, proposal, "CVAT for video 1.1 (XML)")


ASKING = {
    _ask_export: ".json",
    file_dialogs.ask_table: ".csv",
    file_dialogs.ask_label_export: ".toml",
    file_dialogs.ask_recipe_target: ".toml",
}


class Answers:
    """Stands in for the person at the system's own file dialog, and counts the warnings."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *names: Path) -> None:
        self.names = list(names)
        self.warnings: list[str] = []
        monkeypatch.setattr(QFileDialog, "getSaveFileName", self._name)
        monkeypatch.setattr(file_dialogs, "warn", self._warning)

    def _name(self, *_: object) -> tuple[str, str]:
        return (str(self.names.pop(0)) if self.names else "", "")

    def _warning(self, _parent: object, _title: str, text: str) -> None:
        self.warnings.append(text)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize(("ask", "suffix"), ASKING.items())
def test_outputs_are_checked_and_asked_for_again(
    ask: Callable[[QWidget, Path], Path | None],
    suffix: str,
    parent: QWidget,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project, video = tmp_path / f"project{suffix}", tmp_path / f"video{suffix}"
    package = tmp_path / f"package{suffix}"
    project.write_bytes(b"SQLite format 3\0" + b"x" * 100)
    video.write_bytes(b"\0\0\0\x20ftypisom" + b"x" * 100)
    package.write_bytes(b"PK\x03\x04" + b"x" * 100)
    same = tmp_path / f"same{suffix}"
    same.write_text("old")
    answers = Answers(monkeypatch, project, video, package, tmp_path / "new.mp4", same)
    assert ask(parent, tmp_path / f"proposal{suffix}") == same
    assert len(answers.warnings) == 4
    assert all("Use another file name." in text for text in answers.warnings)
    Answers(monkeypatch)
    assert ask(parent, tmp_path / "proposal") is None


def test_a_new_project_is_never_an_old_one(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old.annot").write_bytes(b"mine")
    answers = Answers(monkeypatch, tmp_path / "old", tmp_path / "new")
    assert file_dialogs.ask_copy(parent, tmp_path / "p.annot") == tmp_path / "new.annot"
    assert ["old.annot" in text for text in answers.warnings] == [True]


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Where the dialogs opened, one after the other; the person chooses in the folder "b"."""
    QSettings().clear()
    places: list[str] = []
    (tmp_path / "b").mkdir()

    def answer(value: object) -> Callable[..., object]:
        def ask(_parent: object, _title: str, start: str, *_: str) -> object:
            places.append(start)
            return value

        return ask

    chosen = str(tmp_path / "b" / "x.csv")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer((chosen, "")))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", answer(([chosen], "")))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", answer(str(tmp_path / "b")))
    return places


def test_files_are_looked_for_where_one_of_their_kind_was_chosen_last(
    parent: QWidget, tmp_path: Path, starts: list[str]
) -> None:
    place = tmp_path / "b" / "x.csv"
    assert file_dialogs.ask_file(parent, "People", "Tables (*.csv)", tmp_path) == place
    assert file_dialogs.ask_files(parent, "Metadata", "Tables (*.csv *.tsv)", tmp_path) == [place]
    assert file_dialogs.ask_file(parent, "Certificate", "Certificates (*.pem)") == place
    assert starts == [str(tmp_path), str(tmp_path / "b"), ""]


def test_folders_are_looked_for_where_one_was_chosen_last_for_the_same_purpose(
    parent: QWidget, tmp_path: Path, starts: list[str]
) -> None:
    for title in ("Export tables", "Export tables", "Export results"):
        assert file_dialogs.ask_folder(parent, title, beside=tmp_path) == tmp_path / "b"
    file_dialogs.ask_folder(parent, "Export tables", instead_of=tmp_path / "c", beside=tmp_path)
    assert starts == [str(tmp_path), str(tmp_path / "b"), str(tmp_path), str(tmp_path / "c")]


def test_every_file_dialog_is_in_one_module() -> None:
    root = Path(annotator.__file__).parent
    asking = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name) and node.id == "QFileDialog"
    }
    assert asking == {"ui/dialogs/file_dialogs.py"}
