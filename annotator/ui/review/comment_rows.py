"""The rows of the panel Comments: remarks by place, their answers below them."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtGui import QIcon

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.comment import Comment, threads
from annotator.domain.ids import CommentId
from annotator.ui.look.plain import tip as plain_tip
from annotator.ui.review.two_levels import NOWHERE, AnyIndex, TwoLevels
from annotator.ui.review.words import pin_text
from annotator.ui.state.desk import Desk


class CommentRows(TwoLevels):
    """Remarks at the top level; resolved ones only where they are wanted."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._threads: list[tuple[Comment, ...]] = []
        self._shows_resolved = False
        desk.stageChanged.connect(self.reload)
        desk.edited.connect(self._on_desk_edited)
        desk.hub.changed.connect(self.reload)
        self.reload()

    @property
    def threads(self) -> list[tuple[Comment, ...]]:
        """Listed comments with their replies."""
        return self._threads

    def show_resolved(self, is_wanted: bool) -> None:
        """List what is resolved too, or not."""
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
        session = self._desk.session
        found = threads(session.document.comments) if session is not None else []
        self.beginResetModel()
        self._threads = [t for t in found if self._shows_resolved or not t[0].is_resolved]
        self.set_sizes(len(thread) - 1 for thread in self._threads)
        self.endResetModel()

    def columnCount(self, _parent: AnyIndex = NOWHERE) -> int:
        return 1

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        comment, session = self.comment(index), self._desk.session
        if comment is None or session is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            head = self._desk.name_of(comment.author_id)
            if comment.parent_id is None:
                head += f" · {pin_text(comment.pin, session.document)}"
            return f"{head}\n{comment.text}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tip(comment))
        if role == Qt.ItemDataRole.DecorationRole and comment.parent_id is None:
            return self._icon(comment)
        if role == Qt.ItemDataRole.ForegroundRole and comment.is_resolved:
            return self._desk.hub.theme.color("text_dim")
        return None

    def _tip(self, comment: Comment) -> str:
        at = datetime.fromtimestamp(comment.at / 1000).astimezone()
        text = f"{self._desk.name_of(comment.author_id)}, {at:%d %b %Y %H:%M}\n{comment.text}"
        return f"{text}\n{self.tr('Edited')}" if comment.edited_at is not None else text

    def _icon(self, comment: Comment) -> QIcon:
        theme = self._desk.hub.theme
        if comment.is_resolved:
            return theme.icon("accept", token="success")
        return theme.icon("comment", token="warning")

    @Slot(object)
    def _on_desk_edited(self, done: ChangeSet) -> None:
        if "comment" in done.topics:
            self.reload()
