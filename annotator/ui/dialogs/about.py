"""Says which program this is, and under which licences its parts come."""

from __future__ import annotations

import importlib.metadata
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator.ui.look.theme import ThemeHub

PARTS: Final = (
    ("PySide6-Essentials", "LGPL-3.0: window and widgets"),
    ("av", "BSD-3-Clause, with FFmpeg (GPL): reading video"),
    ("opencv-contrib-python-headless", "Apache-2.0: tracking"),
    ("sounddevice", "MIT: sound output"),
    ("numpy", "BSD-3-Clause: numbers"),
    ("scipy", "BSD-3-Clause: numbers"),
    ("sqlite-utils", "Apache-2.0: the project file"),
    ("msgspec", "BSD-3-Clause: reading and writing JSON"),
    ("click", "BSD-3-Clause: the command line"),
    ("platformdirs", "MIT: places for settings"),
)


class AboutDialog(QDialog):
    """Version, licence, and the parts it stands on."""

    def __init__(self, hub: ThemeHub, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About annotator"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sign = QLabel()
        sign.setPixmap(hub.theme.icon("annotator", size=64).pixmap(64, 64))
        head = QLabel(f"annotator {version('annotator')}")
        font = head.font()
        font.setPointSizeF(font.pointSizeF() * 1.5)
        head.setFont(font)
        text = QLabel(
            self.tr(
                "Annotate video and audio with box tracks, point tracks, and segments. MIT "
                "license. No data leaves your computer."
            )
        )
        text.setWordWrap(True)
        parts = QTreeWidget()
        parts.setAccessibleName(self.tr("Components and licenses"))
        parts.setHeaderLabels(
            [self.tr("Component"), self.tr("Version"), self.tr("License and use")]
        )
        parts.setRootIsDecorated(False)
        for name, licence in PARTS:
            parts.addTopLevelItem(QTreeWidgetItem([name, version(name), licence]))
        for column in range(3):
            parts.resizeColumnToContents(column)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(sign)
        layout.addWidget(head)
        layout.addWidget(text)
        layout.addWidget(parts, 1)
        layout.addWidget(buttons)
        self.resize(640, 480)


def version(name: str) -> str:
    """Return the version of an installed distribution; a dash when it is not one."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "–"
