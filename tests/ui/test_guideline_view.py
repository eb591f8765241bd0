"""Guidelines are shown with their pictures, and reach nothing outside their folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from pytestqt.qtbot import QtBot

from annotator.ui.work.guideline_panels import GuidelineView, picture_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "guidelines"
    made.mkdir()
    for path in (made / "cup one.png", tmp_path / "secret.png"):
        image = QImage(600, 100, QImage.Format.Format_RGB32)
        image.fill(QColor("red"))
        assert image.save(str(path))
    (made / "text.png").write_text("no picture")
    (made / "way-out.png").symlink_to(tmp_path / "secret.png")
    return made


def test_a_picture_of_the_folder_is_shown_in_the_width_there_is(qtbot: QtBot, folder: Path) -> None:
    view = GuidelineView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show_text("# Cups\n\nLike this:\n\n![a cup](cup%20one.png)\n", folder)
    image = view.loadResource(QTextDocument.ResourceType.ImageResource.value, QUrl("cup%20one.png"))
    assert isinstance(image, QImage)
    assert image.width() <= view.viewport().width()
    assert image.pixelColor(5, 5) == QColor("red")
    assert "Like this:" in view.toPlainText()


def test_a_picture_follows_the_width_of_the_panel(qtbot: QtBot, folder: Path) -> None:
    view = GuidelineView()
    qtbot.addWidget(view)
    view.resize(700, 300)
    view.show()
    view.show_text("![a cup](cup%20one.png)", folder)
    wide = view.document().idealWidth()
    view.resize(300, 300)
    qtbot.waitUntil(lambda: view.document().idealWidth() < wide)
    assert view.document().idealWidth() <= view.viewport().width()


@pytest.mark.parametrize(
    "address",
    [
        "../secret.png",
        "way-out.png",
        "text.png",
        "no-such.png",
        "",
        "/etc/hostname",
        "file:///etc/hostname",
        "https://example.org/a.png",
        "//example.org/a.png",
        "%2e%2e/secret.png",
    ],
)
def test_nothing_else_is_read(folder: Path, address: str) -> None:
    assert picture_path(folder, QUrl(address)) is None
    assert picture_path(None, QUrl(address)) is None


def test_html_is_shown_as_text(qtbot: QtBot, folder: Path) -> None:
    view = GuidelineView()
    qtbot.addWidget(view)
    view.show_text('Before <img src="../secret.png"> after', folder)
    assert "<img" in view.toPlainText()
