"""Shows the pages of the guide that is shipped with the program."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from annotator import paths
from annotator.ui.look.theme import ThemeHub


class GuideBrowser(QTextBrowser):
    """Reads pages and pictures from the guide's folder; pictures are made to fit the width."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("User guide"))
        self.anchorClicked.connect(self._on_anchor_clicked)
        self.document().setDocumentMargin(24)

    def open_page(self, name: str) -> None:
        """Show a page by its name in the guide's folder, as in "recipes/pacs.md"."""
        self._open(paths.resource("guide", *name.split("/")))

    def _open(self, path: Path) -> None:
        folder = paths.resource("guide").resolve()
        if path.is_file() and path.resolve().is_relative_to(folder):
            self.setSource(
                QUrl.fromLocalFile(str(path)), QTextDocument.ResourceType.MarkdownResource
            )

    def loadResource(self, kind: int, url: QUrl | str) -> QByteArray | QImage | str | None:
        if kind == QTextDocument.ResourceType.ImageResource.value:
            image = QImage(self.source().resolved(QUrl(url)).toLocalFile())
            if image.isNull():
                return None
            width = min(image.width(), max(320, self.viewport().width() - 72))
            return image.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        return super().loadResource(kind, url)  # type: ignore[no-any-return]

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
            return
        if url.path().endswith(".md"):
            self._open(Path(self.source().resolved(url).toLocalFile()))
        if url.hasFragment():
            self._show_heading(url.fragment())

    def _show_heading(self, name: str) -> None:
        """Scroll to a heading by its name in links, as in "human-baseline-studies"."""
        block = self.document().begin()
        while block.isValid():
            words = re.sub(r"[^a-z0-9 -]", "", block.text().lower()).replace(" ", "-")
            if block.blockFormat().headingLevel() and words == name:
                # Scrolled back to from the end it stands at the top.
                self.setTextCursor(QTextCursor(self.document().lastBlock()))
                self.setTextCursor(QTextCursor(block))
                return
            block = block.next()


class GuideDialog(QDialog):
    """A window of its own beside the work."""

    def __init__(self, hub: ThemeHub, page: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("User guide"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.browser = GuideBrowser()
        bar = QHBoxLayout()
        for icon, text, act in (
            ("chevron-left", self.tr("Back"), self.browser.backward),
            ("chevron-right", self.tr("Forward"), self.browser.forward),
            ("menu", self.tr("Contents"), self._show_contents),
        ):
            button = QToolButton()
            button.setIcon(hub.theme.icon(icon))
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.setAutoRaise(True)
            button.clicked.connect(act)
            bar.addWidget(button)
        bar.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(self.browser, 1)
        self.resize(820, 760)
        self.browser.open_page(page)

    @Slot()
    def _show_contents(self) -> None:
        self.browser.open_page("index.md")
