"""The board: all tasks by stage and state, filtered, sorted, and acted on many at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QSettings,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QTableView,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import TaskId
from annotator.domain.people import Person
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.workflow.work import BoardFilter, BoardRow, BoardRows
from annotator.ui.lead.board.board_rows import BoardColumn, BoardModel, BoardText
from annotator.ui.lead.board.filter_bar import FilterBar
from annotator.ui.lead.board.history import HistoryLine, HistoryList, HistoryText
from annotator.ui.lead.board.stage_cards import Key, Stage, StageCards, counts_of
from annotator.ui.lead.board.task_actions_bar import Acts
from annotator.ui.lead.lead_texts import kind_title
from annotator.ui.lead.statistics.row_table import FittedColumns, pick_apart
from annotator.ui.lead.statistics.table_with_export import export_table
from annotator.ui.look.widgets import EmptyHint, calm, plain
from annotator.ui.state.background_reads import Latest, Page
from annotator.ui.state.workspace import Workspace

_STORE: Final = "board/columns"
_ALWAYS: Final = BoardColumn.VIDEO


class ColumnMenu(QObject):
    """Shows and hides the columns of a board and stores the choice.

    Columns of metadata and those without contents are hidden by default, all others shown.
    """

    def __init__(self, table: QTableView, model: BoardModel) -> None:
        super().__init__(table)
        self._table, self._model = table, model
        self._choice = _stored()
        self.empty: frozenset[int] = frozenset()
        """Columns without contents, hidden unless they were chosen."""
        head = table.horizontalHeader()
        head.setToolTip(self.tr("Right-click to choose the columns."))
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._on_asked)
        model.modelReset.connect(self.apply)

    @Slot()
    def apply(self) -> None:
        """Show the selected columns."""
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
        is_usual = column < len(BoardColumn) and column not in self.empty
        return self._choice.get(self._key(column), is_usual)

    def _key(self, column: int) -> str:
        """Return the name a column is kept under."""
        return (
            BoardColumn(column).name
            if column < len(BoardColumn)
            else f"={self._model.text.title(column)}"
        )

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


_WIDEST: Final = {
    BoardColumn.VIDEO: 40,
    BoardColumn.TASK: 28,
    BoardColumn.STAGE: 20,
    BoardColumn.STATE: 20,
    BoardColumn.HOLDER: 24,
    BoardColumn.PRIORITY: 8,
    BoardColumn.ROUND: 16,
    BoardColumn.SCRIPT: 20,
    BoardColumn.NOTES: 30,
    BoardColumn.CHANGED: 18,
}
_FEW: Final = 3000
_HISTORY_PX: Final = 248
_AVATAR_PX: Final = 20
_ICON_PX: Final = 16


@dataclass(frozen=True, slots=True)
class FilteredRows:
    """Displayed rows in order, and counts of everything that the filter lets through."""

    rows: BoardRows
    counts: Counter[Key]
    text: BoardText
    scripts: list[str]
    people: list[Person]
    n_tasks: int
    """Of the whole project."""


class BoardPage(Page):
    """The tasks that the fields let through; ``lookWanted`` asks the window to show one."""

    lookWanted = Signal(object)  # TaskId

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Board"))
        self._order = (int(BoardColumn.VIDEO), Qt.SortOrder.AscendingOrder)
        self._past = Latest(workspace, self.tr("History"), self)
        self.filters = FilterBar()
        self.stages = StageCards(workspace.hub)
        self.model = BoardModel(BoardText(project.work.recipe, {}), workspace.hub)
        self.table = self._new_table()
        self.columns = ColumnMenu(self.table, self.model)
        hint = self.tr("Select a task to see the history of its video.")
        self.history = HistoryList(workspace.hub, hint)
        self.acts = Acts(workspace, project, self)
        self._count = plain(QLabel())
        self._lay_out()
        self.filters.changed.connect(self.read_now)
        self.filters.cleared.connect(self._on_cleared)
        self.stages.chosen.connect(self.read_now)

    def chosen(self) -> BoardRows:
        """Return the selected tasks, in the order shown."""
        return self.model.rows.parts(self._ranges())

    def show_finding(self, code: str) -> None:
        """Show the tasks in which the checks found something of a kind, and no others."""
        self._on_cleared()
        self.filters.show_finding(code)

    def leave(self) -> None:
        self._past.forget()
        super().leave()

    def _ranges(self) -> list[tuple[int, int]]:
        """Return first and last row of each stretch of selected rows, from top to bottom."""
        found = self.table.selectionModel().selection()
        ranges = [found.at(i) for i in range(found.count())]
        return sorted((r.top(), r.bottom()) for r in ranges)

    def _n_chosen(self) -> int:
        return sum(last + 1 - first for first, last in self._ranges())

    # Building

    def _new_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Tasks"))
        calm(table)
        table.setIconSize(QSize(_AVATAR_PX, _AVATAR_PX))
        columns = table.horizontalHeader()
        pick_apart(table)
        columns.setSectionsMovable(True)
        columns.setSortIndicatorShown(True)
        columns.setSortIndicator(*self._order)
        columns.setSectionsClickable(True)
        columns.sortIndicatorChanged.connect(self._on_order_changed)
        self._fitted = FittedColumns(table, tuple(_WIDEST.values()), (BoardColumn.HOLDER,))
        columns.setStretchLastSection(True)
        table.doubleClicked.connect(self._on_row_opened)
        table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._hint = EmptyHint(table, self.tr("No task matches the filters."))
        return table

    def _lay_out(self) -> None:
        look = QAction(self.tr("Open (read-only)"), self)
        look.setToolTip(self.tr("Open the task in the main window without claiming it."))
        look.triggered.connect(self._on_look_clicked)
        save = QPushButton(self.tr("Export CSV…"))
        save.clicked.connect(self._on_export_clicked)
        self.filters.append(save)
        self._look = look
        self.acts.dress(look, "eye")
        # Where there is little room a bar puts the rest into a menu at its end.
        bar = QToolBar()
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setIconSize(QSize(_ICON_PX, _ICON_PX))
        for action in (look, *self.acts.actions):
            bar.addAction(action)
            self.table.addAction(action)
        below = QHBoxLayout()
        below.addWidget(self._count)
        below.addWidget(bar, 1)
        past = QWidget()
        rows = QVBoxLayout(past)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(QLabel(self.tr("Video history")))
        rows.addWidget(self.history, 1)
        both = QSplitter()
        both.addWidget(self.table)
        both.addWidget(past)
        both.setStretchFactor(0, 1)
        both.setSizes([1000, _HISTORY_PX])
        both.setCollapsible(0, False)
        layout = QVBoxLayout(self)
        layout.addWidget(self.stages)
        layout.addWidget(self.filters)
        layout.addWidget(both, 1)
        layout.addLayout(below)
        self._on_selection_changed()

    # Reading

    def _read(self) -> None:
        wanted, project = self.filters.condition(), self._project
        stage, status, order = self.stages.stage, self.filters.status, self._order

        def work(token: JobToken) -> FilteredRows:
            return find_rows(project, wanted, stage, status, order, token.check)

        self._latest.ask(work, self._show)

    def _show(self, found: FilteredRows) -> None:
        is_kept = 0 < self._n_chosen() <= _FEW
        selected_ids = frozenset(self.chosen().task_ids()) if is_kept else frozenset[TaskId]()
        current = self.table.currentIndex()
        at = self.model.task_id(current.row()) if current.isValid() else None
        scroll = self.table.verticalScrollBar().value()
        self.filters.offer(self._project.work.recipe, found.people, found.scripts, found.text.facts)
        self.stages.set_counts(self._project.work.recipe, found.counts)
        self.filters.offer_states(counts_of(self.stages.stage, found.counts))
        if found.n_tasks:
            self._hint.setText(self.tr("No task matches the filters."))
        elif self._project.work.recipe.asks:
            self._hint.setText(
                self.tr("No tasks yet. The steps on the page Questions create them.")
            )
        else:
            self._hint.setText(self.tr("No tasks yet. They come with the videos of the project."))
        old = self.model.rows
        self.columns.empty = frozenset() if found.scripts else frozenset({BoardColumn.SCRIPT})
        self.model.set_rows(found.rows, found.text)
        self._fitted.fit()
        self._workspace.background.release_large([old])
        if selected_ids:
            self._select(selected_ids, at)
        self.table.verticalScrollBar().setValue(scroll)
        self._on_selection_changed()

    def _select(self, kept: frozenset[TaskId], at: TaskId | None) -> None:
        wanted, current = QItemSelection(), QModelIndex()
        last = self.model.columnCount() - 1
        for i, task_id in enumerate(self.model.rows.task_ids()):
            if task_id in kept:
                left, right = self.model.index(i, 0), self.model.index(i, last)
                wanted.select(left, right)
                current = left if task_id == at or not current.isValid() else current
        flags = QItemSelectionModel.SelectionFlag
        if current.isValid():
            self.table.selectionModel().setCurrentIndex(current, flags.NoUpdate)
        self.table.selectionModel().select(wanted, flags.ClearAndSelect)

    def _read_history(self, row: BoardRow) -> None:
        project, name_of = self._project, self._workspace.name_of
        recipe = project.work.recipe

        def work(_: JobToken) -> list[tuple[str, list[HistoryLine]]]:
            text = HistoryText(recipe, name_of)
            same = project.work.board(BoardFilter(text=row.video))
            own = [r for r in same if r.video_id == row.video_id]
            own.sort(key=lambda r: r.task_id != row.task_id)
            work = project.work
            return [
                (kind_title(recipe, r.kind), text.lines(r.kind, work.history(r.task_id)))
                for r in own
            ]

        self._past.ask(work, self.history.show_tasks)

    # What the person does

    @Slot()
    def _on_cleared(self) -> None:
        self.filters.reset()
        self.stages.choose((None, None))
        self.read_now()

    @Slot(int, Qt.SortOrder)
    def _on_order_changed(self, column: int, order: Qt.SortOrder) -> None:
        self._order = (column, order)
        self.read_now()

    @Slot()
    def _on_selection_changed(self) -> None:
        n = self._n_chosen()
        told = self.tr("{n:,} of {all:,} selected").format(n=n, all=len(self.model.rows))
        self._count.setText(told)
        self._look.setEnabled(n == 1)
        self.acts.set_chosen(n)
        current = self.table.currentIndex()
        if n and current.isValid():
            self._read_history(self.model.rows[current.row()])
        else:
            self._past.forget()
            self.history.show_tasks(())

    @Slot(QModelIndex)
    def _on_row_opened(self, index: QModelIndex) -> None:
        self.lookWanted.emit(self.model.task_id(index.row()))

    @Slot()
    def _on_look_clicked(self) -> None:
        chosen = self.chosen()
        if chosen:
            self.lookWanted.emit(chosen[0].task_id)

    @Slot()
    def _on_export_clicked(self) -> None:
        rows, text = self.model.rows, self.model.text
        header = [text.title(column) for column in range(text.n_columns)]
        name = f"{self._project.path.stem} board"
        export_table(self._workspace, self, name, header, partial(_lines, rows, text))


def _lines(rows: Sequence[BoardRow], text: BoardText) -> list[list[str]]:
    return [text.line(row) for row in rows]


def find_rows(
    project: OpenProject,
    condition: BoardFilter,
    stage: Stage,
    status: TaskStatus | None,
    order: tuple[int, Qt.SortOrder],
    check: Callable[[], object] = lambda: None,
) -> FilteredRows:
    """Read and sort, on the thread of a job. ``check`` raises if the request was replaced by
    another one."""
    people = list(project.work.people.all())
    names = {p.id: p.name for p in people}
    gold = project.work.gold
    text = BoardText(
        project.work.recipe,
        names,
        project.work.metadata_columns(),
        gold=gold.task_ids(),
        known={gold_task.task_id for gold_task in gold.results() if gold_task.is_active},
    )
    rows = project.work.board(condition)
    check()
    counts = rows.counts()
    if stage != (None, None) or status is not None:
        statuses = {status} if status is not None else set[TaskStatus]()
        if status is TaskStatus.IN_PROGRESS:
            statuses.add(TaskStatus.RESOLVING)
        rows = rows.only(*stage, statuses)
    column, direction = order
    check()
    rows = text.ordered(rows, column, is_down=direction == Qt.SortOrder.DescendingOrder)
    return FilteredRows(rows, counts, text, list(project.work.scripts()), people, project.n_tasks)
