"""Every text reaches the translators: a made-up language shows wherever there are words."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QObject, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDockWidget,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

import annotator
from annotator import app
from annotator.domain.checks import check_steps
from annotator.domain.geometry import Box
from annotator.services.settings import Settings
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.specs import action_specs
from annotator.ui.dialogs.help_windows import KeyHelp
from annotator.ui.look import texts
from annotator.ui.look.translation import TextTranslator, install, read_texts
from annotator.ui.shell.main_window import MainWindow
from tests.ui.drafts import Draft

MARK = "‹"
# Names, numbers, units, signs, and what a person has typed: the same in every language.
_SAME = re.compile(r"(annotator|\d[\d.,:/×\s]*s?|[^\W\d_]|[\W\d_]*|[\d.]+×)\Z")


@pytest.fixture(scope="module")
def collector() -> ModuleType:
    path = Path(annotator.__file__).parent.parent / "packaging" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pseudo(text: str) -> str:
    """Return a text in the made-up language; what stands in braces stays."""
    return f"{MARK}{text}›"


@pytest.fixture
def language(qapp: QApplication, collector: ModuleType) -> Iterator[None]:
    texts = {(t.context, t.source): pseudo(t.source) for t in collector.texts()}
    translator = TextTranslator(texts)
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def window(qtbot: QtBot, language: None, tmp_path: Path) -> Iterator[MainWindow]:
    made = app.make_window(Settings(tmp_path / "settings.toml"), remembers_place=False)
    yield made
    made.close()
    made.deleteLater()


def untranslated(root: QObject) -> set[str]:
    """Return the texts under a widget that the made-up language has not reached."""
    found: set[str] = set()
    for part in [root, *root.findChildren(QObject)]:
        if _is_of_qt(part):
            continue
        found |= {t for t in _texts(part) if t and MARK not in t and not _SAME.match(t.strip())}
    return found


def _is_of_qt(part: QObject) -> bool:
    """Tell whether Qt itself made a part and has its own translation for it."""
    parent = QObject.parent(part)  # a tree model has a `parent` of its own
    around = parent.metaObject().className() if parent is not None else ""
    is_inner = part.objectName().startswith("qt_")
    is_button = part.metaObject().className() == "QDockWidgetTitleButton"
    return is_inner or is_button or around in ("QScrollBar", "QTabBar", "QMainWindowTabBar")


def _texts(part: QObject) -> list[str]:
    if isinstance(part, QAction):
        return [] if part.isSeparator() else [part.text(), part.toolTip(), part.statusTip()]
    if isinstance(part, QMenu):
        return [part.title()]
    if isinstance(part, QHeaderView) or not isinstance(part, QWidget):
        return []
    texts = [part.toolTip(), part.accessibleName(), part.accessibleDescription()]
    if isinstance(part, QLabel | QAbstractButton):
        texts.append(part.text())
    elif isinstance(part, QLineEdit):
        texts.append(part.placeholderText())
    elif isinstance(part, QGroupBox):
        texts.append(part.title())
    elif isinstance(part, QDockWidget):
        texts.append(part.windowTitle())
    return texts


def test_every_text_of_the_window_is_translated(window: MainWindow) -> None:
    assert untranslated(window) == set()


def test_menus_tooltips_and_key_help_speak_the_language(window: MainWindow, qtbot: QtBot) -> None:
    for spec in action_specs():
        action = window.context.table.action(spec.id)
        assert MARK in action.text(), spec.id
        assert pseudo(spec.tip) in window.context.table.tooltip(spec.id)
    titles = [a.text().replace("&", "") for a in window.menuBar().actions()]
    assert titles == list(dict.fromkeys(pseudo(s.menu) for s in action_specs()))
    help_page = KeyHelp(window.context.table, window)
    qtbot.addWidget(help_page)
    assert untranslated(help_page) == set()


def test_undo_and_findings_speak_the_language(
    language: None, tmp_path: Path, window: MainWindow
) -> None:
    for op in texts._OPS:
        assert texts.op_text(op) == pseudo(texts._OPS[op])
    draft = Draft(tmp_path)
    draft.add("mug", (0, Box(10, 10, 11.5, 11.5)))
    codes = {f.code for step in check_steps(draft.session.document) for f in step.find()}
    draft.close()
    assert "tiny-box" in codes
    assert all(MARK in texts.finding_title(code) for code in codes)


def test_every_command_and_every_check_has_a_name_for_people() -> None:
    root = Path(annotator.__file__).parent / "domain"
    sources = {p: p.read_text(encoding="utf-8") for p in root.rglob("*.py")}
    ops = {
        op
        for path, text in sources.items()
        if path.parent.name == "commands"
        for op in re.findall(r"op: ClassVar\[str\] = \"([a-z-]+)\"", text)
    }
    assert ops
    assert ops - texts._OPS.keys() == set()
    codes = {
        code
        for path, text in sources.items()
        if path.parent.name == "checks"
        for code in re.findall(r"(?:Finding|_finding)\(\s*\"([a-z-]+)\"", text)
    }
    assert codes
    assert codes - texts._FINDINGS.keys() == set()


def test_a_text_in_a_table_that_nobody_collects_is_reported(
    collector: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "annotator" / "ui" / "new.py"
    module.parent.mkdir(parents=True)
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "actions.toml").write_text("")
    monkeypatch.setattr(collector, "ROOT", tmp_path)
    module.write_text("class A:\n    def f(self):\n        return self.tr('Hello')\n")
    assert [(t.context, t.source) for t in collector.texts() if t.context != "benchmarks"] == [
        ("A", "Hello")
    ]
    module.write_text("T = {1: 'a'}\nclass A:\n    def f(self):\n        return self.tr(T[1])\n")
    with pytest.raises(collector.UnknownTextError, match=r"new\.py:4"):
        collector.texts()


def test_a_filled_in_file_is_read_and_used(
    qapp: QApplication, collector: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfinished = '<translation type="unfinished"></translation>'
    text = collector.template()
    at = text.index(unfinished, text.index("<source>Split here</source>"))
    filled = text[:at] + "<translation>Hier teilen</translation>" + text[at + len(unfinished) :]
    path = tmp_path / "i18n" / "annotator_de.ts"
    path.parent.mkdir()
    path.write_text(filled, encoding="utf-8")
    assert read_texts(path) == {("actions", "Split here"): "Hier teilen"}
    monkeypatch.setattr("annotator.paths.resource", lambda *parts: tmp_path.joinpath(*parts))
    assert not install(qapp, ["en-GB", "de"])
    assert not install(qapp, ["fr"])
    assert install(qapp, ["de-AT"])
    assert qapp.findChild(TextTranslator) is not None
    assert qapp.translate("actions", "Split here") == "Hier teilen"
    assert qapp.translate("actions", "Merge") == "Merge"
    for translator in qapp.findChildren(QTranslator):  # Qt's own texts came along
        qapp.removeTranslator(translator)
        translator.setParent(None)
    assert shown("Ctrl+D") == "Ctrl+D"
