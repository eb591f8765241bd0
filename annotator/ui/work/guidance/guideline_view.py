"""Shows guidelines: Markdown whose pictures come from one folder and from nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote

from PySide6.QtCore import QByteArray, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage, QImageReader, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QTextBrowser

_IMAGE: Final = QTextDocument.ResourceType.ImageResource.value
_MARGIN_PX: Final = 12
_INDENT_PX: Final = 18
_NARROWEST_PX: Final = 120
_LARGEST_BYTES: Final = 32 << 20
_MARKDOWN: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class GuidelineView(QTextBrowser):
    """Reads a text that somebody else wrote, so it trusts nothing in it.

    HTML is shown as text, nothing is fetched, and a picture outside the folder stays empty. Links
    to pages open in the system's browser when they are clicked.
    """

    def __init__(self) -> None:
        super().__init__()
        self._folder: Path | None = None
        self._text = ""
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("Guidelines"))
        self.document().setDocumentMargin(_MARGIN_PX)
        self.document().setIndentWidth(_INDENT_PX)
        self.anchorClicked.connect(self._on_anchor_clicked)

    def show_text(self, text: str, folder: Path | None) -> None:
        """Show Markdown; its pictures are looked for in ``folder`` (None: there are none)."""
        self._text, self._folder = text, folder
        self._fill()

    def loadResource(self, kind: int, url: QUrl | str) -> QByteArray | QImage | None:
        if kind != _IMAGE:
            return QByteArray()
        path = picture_path(self._folder, QUrl(url))
        image = QImage(str(path)) if path is not None else QImage()
        if image.isNull():
            return None
        widest = max(_NARROWEST_PX, self.viewport().width() - 2 * _MARGIN_PX - 4)
        return image.scaledToWidth(widest) if image.width() > widest else image

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and "![" in self._text:
            self._fill()

    def _fill(self) -> None:
        """Set the text anew: the document keeps pictures in the size they were asked for first."""
        place = self.verticalScrollBar().value()
        document = self.document()
        document.clear()
        document.setMarkdown(self._text, _MARKDOWN)
        self.verticalScrollBar().setValue(place)

    @Slot(QUrl)
    def _on_anchor_clicked(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        elif url.hasFragment() and not url.path():
            self.scrollToAnchor(url.fragment())


def picture_path(folder: Path | None, url: QUrl) -> Path | None:
    """Return the file a picture's address means, None unless it lies in the folder.

    Addresses of other machines, absolute paths and ways out of the folder, by ``..`` or by links,
    are None; so are files that are no pictures or larger than 32 MB.
    """
    if folder is None or url.scheme() or url.host() or not url.path():
        return None
    name = unquote(url.path())
    root = folder.resolve()
    path = (root / name).resolve()
    if name.startswith(("/", "\\")) or not path.is_relative_to(root) or not path.is_file():
        return None
    if path.stat().st_size > _LARGEST_BYTES or not QImageReader(str(path)).canRead():
        return None
    return path
