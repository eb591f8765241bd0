"""Writing comments, answering them, and going from one to the next."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QWidget

from annotator.domain.annotation.comment import Comment, Pin, threads
from annotator.domain.commands.comments import (
    AddComment,
    DeleteComment,
    EditComment,
    ReplyToComment,
    ResolveComments,
)
from annotator.domain.ids import CommentId, PersonId, new_id
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.review.comment_dialog import CommentDialog, pins_here
from annotator.ui.review.comments_panel import CommentsPanel
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.commands.playback_actions import Playback


class CommentActions(QObject):
    """Handlers of the comments: all of them are edits that undo takes back."""

    def __init__(
        self, workspace: Workspace, table: ActionTable, canvas: CanvasView, playback: Playback
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._canvas = canvas
        self._playback = playback
        self._panel: CommentsPanel | None = None
        self._at: CommentId | None = None
        table.on("comment.new", self._new)
        table.on("comment.next", partial(self._step, 1))
        table.on("comment.previous", partial(self._step, -1))
        canvas.commentClicked.connect(self._show)

    def panel(self) -> CommentsPanel:
        """Build the panel Comments."""
        panel = self._panel = CommentsPanel(self._workspace, self._table)
        panel.wanted.connect(self.go_to)
        panel.replyWanted.connect(self._reply)
        panel.editWanted.connect(self._edit)
        panel.resolveWanted.connect(self._resolve)
        panel.deleteWanted.connect(self._delete)
        return panel

    @Slot(object)
    def go_to(self, comment: Comment) -> None:
        """Select the target of a comment and go to its frame."""
        self._at = comment.parent_id or comment.id
        go_to_pin(self._workspace, self._playback, comment.pin)
        if self._panel is not None:
            self._panel.choose(comment.id)

    def _step(self, direction: int) -> None:
        """Go to the next remark that is not resolved; to any where all are."""
        session = self._workspace.session
        if session is None:
            return
        remarks = [t[0] for t in threads(session.document.comments)]
        remarks = [c for c in remarks if not c.is_resolved] or remarks
        if not remarks:
            return
        ids = [c.id for c in remarks]
        if self._at in ids:
            at = (ids.index(self._at) + direction) % len(ids)
        else:
            frames = [c.pin.first_frame for c in remarks]
            later = [
                i for i, f in enumerate(frames) if f is not None and f >= self._workspace.frame
            ]
            at = (later or [0])[0] if direction > 0 else ((later or [0])[0] - 1) % len(ids)
        self.go_to(remarks[at])

    def _new(self) -> None:
        me = self._me()
        if me is None:
            return
        self._playback.pause()
        said = self._ask_comment(self.tr("New comment"), pins_here(self._workspace))
        if said is not None:
            key = CommentId(new_id())
            if self._workspace.run(AddComment(key, me, _now(), *said)):
                self._show(key)

    @Slot(object)
    def _reply(self, comment: Comment) -> None:
        me, said = self._me(), self._ask_comment(self.tr("Reply"), [])
        if me is not None and said is not None:
            key = CommentId(new_id())
            if self._workspace.run(ReplyToComment(key, comment.id, me, _now(), said[0])):
                self._show(key)

    @Slot(object)
    def _edit(self, comment: Comment) -> None:
        me, said = self._me(), self._ask_comment(self.tr("Edit comment"), [], comment.text)
        if me is not None and said is not None:
            self._workspace.run(EditComment(comment.id, me, _now(), said[0]))

    @Slot(object)
    def _resolve(self, comment: Comment) -> None:
        self._workspace.run(ResolveComments((comment.id,), not comment.is_resolved))

    @Slot(object)
    def _delete(self, comment: Comment) -> None:
        me = self._me()
        if me is not None:
            self._workspace.run(DeleteComment(comment.id, me))

    @Slot(object)
    def _show(self, comment_id: CommentId) -> None:
        self._at = comment_id
        if self._panel is not None:
            self._panel.choose(comment_id)

    def _ask_comment(self, title: str, pins: list[Pin], text: str = "") -> tuple[str, Pin] | None:
        dialog = CommentDialog(self._workspace, title, pins, text=text, parent=self._window())
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        said = dialog.result_value()
        dialog.deleteLater()
        return said if is_accepted else None

    def _me(self) -> PersonId | None:
        return self._workspace.person.id if self._workspace.person is not None else None

    def _window(self) -> QWidget:
        return self._canvas.window()


def go_to_pin(workspace: Workspace, playback: Playback, pin: Pin) -> None:
    """Select the target of a pin, if it still exists, and go to its frame."""
    session = workspace.session
    if session is None:
        return
    document = session.document
    if pin.segment_id is not None and document.find_segment(pin.segment_id) is not None:
        workspace.selection.set_segment(pin.segment_id)
    elif pin.point_id is not None and document.find_point(pin.point_id) is not None:
        workspace.selection.set_points(document.point(pin.point_id).info.track_id, [pin.point_id])
    elif pin.track_id is not None and document.find_track(pin.track_id) is not None:
        workspace.selection.set_tracks([pin.track_id])
    frame = pin.first_frame
    if frame is None and pin.track_id is not None:
        track = document.find_track(pin.track_id)
        frame = track.first_frame if track is not None else None
    if frame is not None:
        playback.pause()
        playback.seek(min(frame, max(0, workspace.n_frames - 1)))


def _now() -> int:
    return time.time_ns() // 1_000_000
