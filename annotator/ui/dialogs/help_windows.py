"""The dialogs of the menu Help: the guide, the list of keys, and about the program."""

from __future__ import annotations

import importlib.metadata
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QByteArray,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QUrl,
    Slot,
)
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QKeySequence,
    QPainter,
    QPalette,
    QShortcut,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextBrowser,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from annotator import paths
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.specs import menu_title, shown_specs
from annotator.ui.actions.table import ActionTable
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
    """Version, license, and libraries of the program."""

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
        for name, license in PARTS:
            parts.addTopLevelItem(QTreeWidgetItem([name, version(name), license]))
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


_SEARCH_WIDTH: Final = 240


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

    def find_after(self, words: str) -> bool:
        """Select the next place of some words, on this page or a later one; False for none.

        The first page follows the last one. Without a match nothing is moved.
        """
        if self._find_below(words):
            return True
        pages, here = guide_pages(), Path(self.source().toLocalFile()).resolve()
        start = pages.index(here) + 1 if here in pages else 0
        for path in (*pages[start:], *pages[:start]):
            if words.casefold() not in _plain_words(path):
                continue
            page = QTextDocument()
            page.setMarkdown(path.read_text(encoding="utf-8"))
            if page.find(words).isNull():
                continue  # the words are of two paragraphs
            if path != here:
                self._open(path)
            self.moveCursor(QTextCursor.MoveOperation.Start)
            return self._find_below(words)
        return False

    def _find_below(self, words: str) -> bool:
        """Select the next place of some words on this page, and scroll to it; False for none."""
        if not self.find(words):
            return False
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect().top() - self.viewport().height() // 3)
        return True

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


def guide_pages() -> list[Path]:
    """Return the pages of the guide, in the order of its contents."""
    folder = paths.resource("guide").resolve()
    contents = folder / "index.md"
    names = re.findall(r"\]\(([\w/-]+\.md)\)", contents.read_text(encoding="utf-8"))
    pages = [folder / name for name in dict.fromkeys(names)]
    return [contents, *(page for page in pages if page.is_file())]


@lru_cache
def _plain_words(path: Path) -> str:
    """Return the words of a page in small letters, without its marks and line breaks."""
    text = re.sub(r"\]\([^)]*\)|[`*\[\]|]", "", path.read_text(encoding="utf-8"))
    return " ".join(text.split()).casefold()


class GuideDialog(QDialog):
    """The guide, in a window beside the main window, with a search through all pages."""

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
        self.missing = QLabel()
        bar.addWidget(self.missing)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the guide"))
        self.search.setAccessibleName(self.tr("Search the guide"))
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(_SEARCH_WIDTH)
        self.search.returnPressed.connect(self._find_next)
        bar.addWidget(self.search)
        for keys, act in (
            (QKeySequence.StandardKey.Find, self.search.setFocus),
            (QKeySequence.StandardKey.FindNext, self._find_next),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(self.browser, 1)
        self.resize(820, 660)
        self.browser.open_page(page)

    @Slot()
    def _find_next(self) -> None:
        words = " ".join(self.search.text().split())
        is_there = not words or self.browser.find_after(words)
        self.missing.setText("" if is_there else self.tr("No page contains these words."))

    @Slot()
    def _show_contents(self) -> None:
        self.browser.open_page("index.md")


MOUSE: Final = (
    ("Click", "Select the object; the smallest one under the cursor goes first"),
    ("Ctrl+Click", "Add to the selection, or take away"),
    ("Drag inside a box", "Move it"),
    ("Drag a handle", "Resize"),
    ("Click on a proposal", "Accept it on this frame"),
    ("Drag on a proposal", "Correct it: it becomes a keyframe"),
    ("Drag a point", "Move it; with Shift eight times finer"),
    ("Right click on a point", "Occluded on this frame, or not"),
    ("Wheel", "Zoom at the cursor; scroll lanes that do not fit"),
    ("Middle drag, or drag on nothing", "Move the picture about"),
    ("Ctrl+Wheel", "Zoom the timeline, over its lanes too"),
    ("Shift+Wheel", "Scroll the timeline"),
    ("Right click", "Menu of the object"),
)


_BETWEEN_KEYS: Final = "   "
_KEY_WIDTHS: Final = {1: 250, 2: 150}


class _KeyDelegate(QStyledItemDelegate):
    """Draws each key of a cell on a cap."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        x, metrics = option.rect.left() + 4.0, option.fontMetrics
        height = metrics.height() + 2.0
        top = option.rect.center().y() - height / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(option.rect)
        painter.setFont(option.font)
        for key in filter(None, str(index.data() or "").split(_BETWEEN_KEYS)):
            cap = QRectF(
                round(x) + 0.5, round(top) + 0.5, metrics.horizontalAdvance(key) + 12, height
            )
            painter.setPen(option.palette.color(QPalette.ColorRole.Mid))
            painter.setBrush(option.palette.brush(QPalette.ColorRole.Button))
            painter.drawRoundedRect(cap, 4, 4)
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
            x = cap.right() + 6
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(size.height(), option.fontMetrics.height() + 10))


class KeyHelp(QDialog):
    """The keys by menu, and the mouse gestures; actions without a key are shown on demand."""

    def __init__(self, table: ActionTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search by action or shortcut"))
        self.search.setAccessibleName(self.tr("Search shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_rows)
        self.everything = QCheckBox(self.tr("Actions without a shortcut"))
        self.everything.toggled.connect(self._show_rows)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.tr("Keyboard shortcuts"))
        self.tree.setHeaderLabels([self.tr("Action"), self.tr("Shortcut"), self.tr("Same as in")])
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.NoSelection)
        self.tree.setItemDelegateForColumn(1, _KeyDelegate(self.tree))
        self._fill(table)
        self._show_rows()
        header = self.tree.header()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setStretchLastSection(False)
        for column, width in _KEY_WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            header.resizeSection(column, width)
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.search, 1)
        head.addWidget(self.everything)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(self.tree, 1)
        self.resize(760, 640)

    def visible_texts(self) -> list[str]:
        """Return the actions that the search leaves."""
        return [
            row.text(0)
            for group in self._groups()
            for row in _children(group)
            if not row.isHidden()
        ]

    def _fill(self, table: ActionTable) -> None:
        groups: dict[str, QTreeWidgetItem] = {}
        for spec in shown_specs():
            group = groups.get(spec.menu)
            if group is None:
                group = groups[spec.menu] = self._group(menu_title(spec.menu))
            keys = _BETWEEN_KEYS.join(shown(key) for key in table.keymap.keys(spec.id))
            row = QTreeWidgetItem(group, [spec.text.rstrip("…"), keys, spec.peers])
            row.setToolTip(0, spec.tip)
        mouse = self._group(self.tr("Mouse"))
        for what, does in MOUSE:
            QTreeWidgetItem(mouse, [does, what, ""])

    def _group(self, title: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.tree, [title])
        font = group.font(0)
        font.setBold(True)
        group.setFont(0, font)
        group.setExpanded(True)
        return group

    def _groups(self) -> list[QTreeWidgetItem]:
        items = (self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount()))
        return [item for item in items if item is not None]

    @Slot()
    def _show_rows(self) -> None:
        """Show what is searched for; without a search the actions that have a shortcut."""
        wanted = self.search.text().casefold()
        shows_all = bool(wanted) or self.everything.isChecked()
        for group in self._groups():
            is_empty = True
            for row in _children(group):
                words = f"{row.text(0)} {row.text(1)} {row.text(2)} {row.toolTip(0)}".casefold()
                row.setHidden(wanted not in words or not (shows_all or row.text(1)))
                is_empty = is_empty and row.isHidden()
            group.setHidden(is_empty)


def _children(group: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    rows = (group.child(i) for i in range(group.childCount()))
    return [row for row in rows if row is not None]
