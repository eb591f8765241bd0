"""Small parts of widgets: plain text, tables with room, badges, color marks, dropped files."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QLayout,
    QLayoutItem,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QStyleOption,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)


def tip(text: str) -> str:
    """Return a text for a tooltip, with nothing in it read as markup."""
    return f"<span>{escape(text)}</span>".replace("\n", "<br>") if "<" in text else text


def warn(parent: QWidget | None, title: str, text: str) -> None:
    """Show a warning dialog and wait for it."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.exec()


def plain(label: QLabel) -> QLabel:
    """Set a label to plain text, and return it."""
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


class ChoiceBox(QComboBox):
    """A combo box that the wheel does not change: it stands in a pane that scrolls."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


_CORNER_PX: Final = 14
_FRAME: Final = QSize(16, 48)
"""What the frame and the title of a window take, at most, in logical pixels."""


class Badge(QLabel):
    """Words on a rounded plane; plain text."""

    def __init__(self) -> None:
        super().__init__()
        plain(self)
        self.setContentsMargins(8, 3, 8, 3)
        # Else those of the tool bar, and no color shows.
        self.setForegroundRole(QPalette.ColorRole.WindowText)
        self._plane = QColor()

    def set_colors(self, plane: QColor, ink: QColor) -> None:
        self._plane = plane
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, ink)
        self.setPalette(palette)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._plane)
            radius = self.height() / 2
            painter.drawRoundedRect(self.rect(), radius, radius)
        super().paintEvent(event)


def draw_focus_corners(painter: QPainter, rect: QRect | QRectF, color: QColor) -> None:
    """Mark a large focused pane by its corners."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(color, 2))
    inner, reach = QRectF(rect).adjusted(1, 1, -1, -1), _CORNER_PX
    for x, to_x in ((inner.left(), reach), (inner.right(), -reach)):
        for y, to_y in ((inner.top(), reach), (inner.bottom(), -reach)):
            painter.drawLine(QPointF(x, y), QPointF(x + to_x, y))
            painter.drawLine(QPointF(x, y), QPointF(x, y + to_y))
    painter.restore()


def color_swatch(color: QColor) -> QIcon:
    """Return a round patch of a color."""
    pixmap = QPixmap(32, 32)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(color)
    painter.setPen(color.darker(130))
    painter.drawEllipse(3, 3, 26, 26)
    painter.end()
    icon = QIcon(pixmap)
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


CELL_PX: Final = 10  # between the edge of a cell and its text
_ROW_PX: Final = 28
_ITEM_ROOM_PX: Final = 8
_WIDEST_PX: Final = 340
_FIRST_PX: Final = 140  # of the column with the names
_HINT_PX: Final = 16
_TO_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def calm(table: QTableView) -> None:
    """Give a table rows of one height that are chosen as a whole, and no lines but its head's."""
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setShowGrid(False)
    rows = table.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(max(_ROW_PX, table.fontMetrics().height() + 12))
    columns = table.horizontalHeader()
    columns.setHighlightSections(False)
    columns.setDefaultAlignment(_TO_LEFT)


def heading_row(view: QListWidget, text: str, color: QColor) -> QListWidgetItem:
    """Add a heading to a list, which cannot be selected."""
    row = QListWidgetItem(text)
    font = view.font()
    font.setBold(True)
    row.setFont(font)
    row.setFlags(Qt.ItemFlag.NoItemFlags)
    row.setForeground(color)
    view.addItem(row)
    return row


def show_tabs_as_buttons(tabs: QTabWidget) -> None:
    """Let the tabs of a page be buttons in a row, below the tabs of the window."""
    tabs.setDocumentMode(True)
    tabs.tabBar().setProperty("rank", "second")
    tabs.tabBar().setDrawBase(False)


def size_to_screen(window: QWidget, size: QSize) -> None:
    """Give a window its first size, in logical pixels; maximize it on a screen without the room."""
    room = window.screen().availableSize() - _FRAME
    window.resize(size.boundedTo(room))
    if window.size() != size:
        window.setWindowState(Qt.WindowState.WindowMaximized)


def rows_height(view: QListWidget) -> int:
    """Return the height that all rows of a list need at its present width, in logical pixels."""
    if not view.count():
        return 2 * view.frameWidth()
    view.doItemsLayout()
    first, last = (view.visualItemRect(view.item(row)) for row in (0, view.count() - 1))
    return last.bottom() - first.top() + 1 + 2 * view.frameWidth()


def fit_columns(table: QTableView) -> None:
    """Fit columns to their contents, within bounds; the rest stays free."""
    table.resizeColumnsToContents()
    columns = table.horizontalHeader()
    for column in range(columns.count()):
        least = 0 if column else _FIRST_PX
        columns.resizeSection(column, min(_WIDEST_PX, max(least, columns.sectionSize(column))))


class EmptyHint(QLabel):
    """Explains what will appear in a list or table, shown while it has no rows."""

    def __init__(self, view: QAbstractItemView, text: str) -> None:
        super().__init__(text, view.viewport())
        plain(self)
        self._model = view.model()
        self.setWordWrap(True)
        self.setMargin(_HINT_PX)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        QVBoxLayout(view.viewport()).addWidget(self)
        for changed in (
            self._model.modelReset,
            self._model.rowsInserted,
            self._model.rowsRemoved,
        ):
            changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setVisible(self._model.rowCount() == 0)


def column_alignment(widget: QWidget | None, section: int) -> Qt.AlignmentFlag | None:
    """Return how the first cell under a head is aligned; None where there is no cell."""
    if not isinstance(widget, QHeaderView) or widget.model() is None:
        return None
    if widget.orientation() != Qt.Orientation.Horizontal:
        return None
    index = widget.model().index(0, section, widget.rootIndex())
    found = index.data(Qt.ItemDataRole.TextAlignmentRole) if index.isValid() else None
    return None if found is None else Qt.AlignmentFlag(int(found))


def item_height(height: int, option: QStyleOption) -> int:
    """Return the height of an item: several lines get the room that a single one has."""
    line = option.fontMetrics.height()
    return height + _ITEM_ROOM_PX if height >= 2 * line else max(height, line + _ITEM_ROOM_PX)


class FlowLayout(QLayout):
    """Lays widgets out like words."""

    def __init__(self, parent: QWidget | None = None, gap: int = 4) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, moves: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            if x > rect.x() and x + hint.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self._gap, 0
            if moves:
                width = min(hint.width(), rect.width())
                item.setGeometry(QRect(QPoint(x, y), QSize(width, hint.height())))
            x, line = x + hint.width() + self._gap, max(line, hint.height())
        return y + line - rect.y()


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the files and folders of this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
