"""The panel Comments: threads about places in the task."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
)

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.comment import Comment, threads
from annotator.domain.ids import CommentId
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.widgets import plain
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.panels.list_panel import ListPanel, ListView
from annotator.ui.panels.two_levels import NOWHERE, AnyIndex, TwoLevels
from annotator.ui.review.change_texts import pin_text
from annotator.ui.review.changes_panel import set_dock_count
from annotator.ui.state.workspace import Workspace


class CommentRows(TwoLevels):
    """Comments at the top level; resolved comments only if shown."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._threads: list[tuple[Comment, ...]] = []
        self._shows_resolved = False
        workspace.stageChanged.connect(self.reload)
        workspace.edited.connect(self._on_edited)
        workspace.hub.changed.connect(self.reload)
        self.reload()

    @property
    def threads(self) -> list[tuple[Comment, ...]]:
        """Listed comments with their replies."""
        return self._threads

    def show_resolved(self, is_wanted: bool) -> None:
        """Show or hide resolved comments."""
        self._shows_resolved = is_wanted
        self.reload()

    def comment(self, index: AnyIndex) -> Comment | None:
        """Return the comment of a row."""
        if not index.isValid():
            return None
        if index.internalId() == 0:
            return self._threads[index.row()][0]
        return self._threads[index.internalId() - 1][index.row() + 1]

    def index_of(self, comment_id: CommentId | None) -> QModelIndex:
        """Return the row of a comment; nowhere where it is not listed."""
        for row, thread in enumerate(self._threads):
            for place, comment in enumerate(thread):
                if comment.id == comment_id:
                    root = self.index(row, 0)
                    return root if place == 0 else self.index(place - 1, 0, root)
        return QModelIndex()

    @Slot()
    def reload(self) -> None:
        """Read all comments again."""
        session = self._workspace.session
        found = threads(session.document.comments) if session is not None else []
        self.beginResetModel()
        self._threads = [t for t in found if self._shows_resolved or not t[0].is_resolved]
        self.set_sizes(len(thread) - 1 for thread in self._threads)
        self.endResetModel()

    def columnCount(self, _parent: AnyIndex = NOWHERE) -> int:
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        comment, session = self.comment(index), self._workspace.session
        if comment is None or session is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            head = self._workspace.name_of(comment.author_id)
            if comment.parent_id is None:
                head += f" · {pin_text(comment.pin, session.document)}"
            return f"{head}\n{comment.text}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tip(comment))
        if role == Qt.ItemDataRole.DecorationRole and comment.parent_id is None:
            return self._icon(comment)
        if role == Qt.ItemDataRole.ForegroundRole and comment.is_resolved:
            return self._workspace.hub.theme.color("text_dim")
        return None

    def _tip(self, comment: Comment) -> str:
        at = datetime.fromtimestamp(comment.at / 1000).astimezone()
        text = f"{self._workspace.name_of(comment.author_id)}, {at:%d %b %Y %H:%M}\n{comment.text}"
        return f"{text}\n{self.tr('Edited')}" if comment.edited_at is not None else text

    def _icon(self, comment: Comment) -> QIcon:
        theme = self._workspace.hub.theme
        if comment.is_resolved:
            return theme.icon("accept", token="success")
        return theme.icon("comment", token="warning")

    @Slot(object)
    def _on_edited(self, done: ChangeSet) -> None:
        if "comment" in done.topics:
            self.reload()


_LEAST_PX: Final = 60
_ICON_PX: Final = 22
_MARGIN_PX: Final = 12
_HIGH: Final = 10_000
_STEPS: Final = ("comment.new", "comment.previous", "comment.next")


class CommentsPanel(ListPanel):
    """The list of comments; choosing a comment jumps to it."""

    wanted = Signal(object)  # Comment: go there
    replyWanted = Signal(object)  # Comment
    editWanted = Signal(object)  # Comment
    resolveWanted = Signal(object)  # Comment
    deleteWanted = Signal(object)  # Comment

    def __init__(self, workspace: Workspace, table: ActionTable) -> None:
        self._workspace = workspace
        self.rows = CommentRows(workspace)
        name = QCoreApplication.translate("CommentsPanel", "Comments")
        super().__init__(ListView(self.rows, name))
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(False)
        self.view.setWordWrap(True)
        self.view.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.view.setIndentation(18)
        self.view.setItemDelegate(_WholeText(self.view))
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.resolved = QCheckBox(self.tr("Show resolved"))
        self.resolved.toggled.connect(self.rows.show_resolved)
        self.counts = plain(QLabel())
        head = QHBoxLayout()
        for action_id in _STEPS:
            button = QToolButton()
            button.setDefaultAction(table.action(action_id))
            button.setAutoRaise(True)
            head.addWidget(button)
        head.addWidget(self.counts, 1)
        head.addWidget(self.resolved)
        self.reply = self._button(self.tr("Reply…"), self.replyWanted)
        self.resolve = self._button(self.tr("Resolve"), self.resolveWanted)
        self.edit = self._button(self.tr("Edit…"), self.editWanted)
        self.delete = self._button(self.tr("Delete"), self.deleteWanted)
        foot = QHBoxLayout()
        for part in (self.reply, self.resolve, self.edit, self.delete):
            foot.addWidget(part)
        foot.addStretch(1)
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertLayout(0, head)
        layout.addLayout(foot)
        self.view.clicked.connect(self._on_row_clicked)
        self.view.activated.connect(self._on_row_clicked)
        self.view.selectionModel().currentRowChanged.connect(self._show_buttons)
        self.rows.modelReset.connect(self._on_rows_changed)
        workspace.stageChanged.connect(self._show_buttons)
        self._chosen: CommentId | None = None
        self._on_rows_changed()

    @property
    def current(self) -> Comment | None:
        """The comment chosen in the list."""
        return self.rows.comment(self.view.currentIndex())

    def choose(self, comment_id: CommentId) -> None:
        """Show a comment as the chosen one."""
        self._chosen = comment_id
        index = self.rows.index_of(comment_id)
        if index.isValid():
            self.view.show_selected([index])
        self._show_buttons()

    @Slot(QModelIndex)
    def _on_row_clicked(self, index: QModelIndex) -> None:
        comment = self.rows.comment(index)
        if comment is not None:
            self._chosen = comment.id
            self.wanted.emit(comment)

    @Slot()
    def _on_rows_changed(self) -> None:
        self.view.expandAll()
        super()._on_rows_changed()
        index = self.rows.index_of(self._chosen)
        if index.isValid():
            self.view.show_selected([index])
        session = self._workspace.session
        roots = [c for c in session.document.comments if c.parent_id is None] if session else []
        n_open = sum(not c.is_resolved for c in roots)
        self.counts.setText(self.tr("{n} of {m} open").format(n=n_open, m=len(roots)))
        self.counts.setVisible(bool(roots))
        set_dock_count(self, self.tr("Comments"), n_open)
        self._show_buttons()

    @Slot()
    def _show_buttons(self) -> None:
        comment, person = self.current, self._workspace.person
        can_edit = comment is not None and self._workspace.can_edit
        is_mine = comment is not None and person is not None and comment.author_id == person.id
        for button in (self.reply, self.resolve):
            button.setEnabled(can_edit)
        for button in (self.edit, self.delete):
            button.setEnabled(can_edit and is_mine)
        is_resolved = comment is not None and comment.is_resolved
        self.resolve.setText(self.tr("Reopen") if is_resolved else self.tr("Resolve"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.view.scheduleDelayedItemsLayout()

    def _button(self, text: str, signal: object) -> QPushButton:
        button = QPushButton(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

        def clicked() -> None:
            comment = self.current
            if comment is not None:
                signal.emit(comment)  # type: ignore[attr-defined]

        button.clicked.connect(clicked)
        return button

    def _empty_text(self) -> str:
        if self._workspace.session is None:
            return self.tr("Open a task to see its comments.")
        if not self.resolved.isChecked() and self._workspace.session.document.comments:
            return self.tr("All comments are resolved.")
        return self.tr(
            "No comments yet.\nPress Shift+C to comment on the selection or on this frame."
        )


class _WholeText(QStyledItemDelegate):
    """Gives each row the height that all of its words need."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        depth = 2 if index.parent().isValid() else 1
        icon = self._view.iconSize().width() if depth == 1 else 0
        room = self._view.viewport().width() - depth * self._view.indentation()
        room = max(_LEAST_PX, room - max(icon, _ICON_PX * (2 - depth)) - _MARGIN_PX)
        text = str(index.data())
        flags = int(Qt.TextFlag.TextWordWrap.value)
        height = self._view.fontMetrics().boundingRect(0, 0, room, _HIGH, flags, text).height()
        return QSize(room, height + _MARGIN_PX // 2)
