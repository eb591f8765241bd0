"""The panel Comments: what people wrote to each other about places in the task."""

from __future__ import annotations

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
from PySide6.QtGui import QResizeEvent
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

from annotator.domain.annotation.comment import Comment
from annotator.domain.ids import CommentId
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.plain import plain
from annotator.ui.panels.list_panel import ListPanel, ListView
from annotator.ui.review.changes_panel import say_count
from annotator.ui.review.comment_rows import CommentRows
from annotator.ui.state.desk import Desk

_LEAST_PX: Final = 60
_ICON_PX: Final = 22
_MARGIN_PX: Final = 12
_HIGH: Final = 10_000
_STEPS: Final = ("comment.new", "comment.previous", "comment.next")


class CommentsPanel(ListPanel):
    """The list; the remark chosen in it is gone to."""

    wanted = Signal(object)  # Comment: go there
    replyWanted = Signal(object)  # Comment
    editWanted = Signal(object)  # Comment
    resolveWanted = Signal(object)  # Comment
    deleteWanted = Signal(object)  # Comment

    def __init__(self, desk: Desk, table: ActionTable) -> None:
        self._desk = desk
        self.rows = CommentRows(desk)
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
        desk.stageChanged.connect(self._show_buttons)
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
        session = self._desk.session
        roots = [c for c in session.document.comments if c.parent_id is None] if session else []
        n_open = sum(not c.is_resolved for c in roots)
        self.counts.setText(self.tr("{n} of {m} open").format(n=n_open, m=len(roots)))
        self.counts.setVisible(bool(roots))
        say_count(self, self.tr("Comments"), n_open)
        self._show_buttons()

    @Slot()
    def _show_buttons(self) -> None:
        comment, person = self.current, self._desk.person
        can_edit = comment is not None and self._desk.can_edit
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
        if self._desk.session is None:
            return self.tr("Open a task to see its comments.")
        if not self.resolved.isChecked() and self._desk.session.document.comments:
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
