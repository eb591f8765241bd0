"""The menu on the head of the board that says which columns are shown, those of metadata too."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QPoint, QSettings, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QTableView

from annotator.ui.lead.board.rows import BoardModel, Column

_STORE: Final = "board/columns"
_ALWAYS: Final = Column.VIDEO


class ColumnMenu(QObject):
    """Shows and hides the columns of a board, and keeps the choice for the next time.

    Columns of metadata are hidden until somebody asks for them, all others shown.
    """

    def __init__(self, table: QTableView, model: BoardModel) -> None:
        super().__init__(table)
        self._table, self._model = table, model
        self._choice = _stored()
        head = table.horizontalHeader()
        head.setToolTip(self.tr("Right-click to choose the columns."))
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._on_asked)
        model.modelReset.connect(self.apply)

    @Slot()
    def apply(self) -> None:
        """Show what was chosen; called when the columns are others."""
        for column in range(self._model.columnCount()):
            self._table.setColumnHidden(column, not self._is_shown(column))

    def menu(self) -> QMenu:
        """Return the menu, a line for each column."""
        menu = QMenu(self._table)
        for column in range(self._model.columnCount()):
            title = self._model.text.title(column)
            action = QAction(title.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(self._is_shown(column))
            action.setEnabled(column != _ALWAYS)
            action.setData(column)
            menu.addAction(action)
        menu.triggered.connect(self._on_chosen)
        return menu

    def _is_shown(self, column: int) -> bool:
        return self._choice.get(self._key(column), column < len(Column))

    def _key(self, column: int) -> str:
        """Return the name a column is kept under."""
        return Column(column).name if column < len(Column) else f"={self._model.text.title(column)}"

    @Slot(QPoint)
    def _on_asked(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._table.horizontalHeader().mapToGlobal(at))

    @Slot(QAction)
    def _on_chosen(self, action: QAction) -> None:
        self._choice[self._key(action.data())] = action.isChecked()
        lines = [f"{int(is_on)}{key}" for key, is_on in self._choice.items()]
        QSettings().setValue(_STORE, "\n".join(lines))
        self.apply()


def _stored() -> dict[str, bool]:
    lines = str(QSettings().value(_STORE, "")).split("\n")
    return {line[1:]: line[0] == "1" for line in lines if line[1:]}
