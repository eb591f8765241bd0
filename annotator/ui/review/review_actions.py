"""Handlers of actions of a review: next change, accept, reject, compare."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

from annotator.domain.annotation.document import Document
from annotator.domain.errors import EditError
from annotator.domain.review import Difference
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.canvas.compare import Divider
from annotator.ui.canvas.model.earlier_annotations import Before
from annotator.ui.review.change_texts import earlier_text
from annotator.ui.review.changes_panel import ChangesPanel
from annotator.ui.review.open_review import Reviewing, select
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.canvas.compare import SideView
    from annotator.ui.commands.playback_actions import Playback

_SHOWING: Final = ("review.before", "review.swipe", "review.side")


class ReviewActions(QObject):
    """Handlers of the menu Review, and the layers over the picture that belong to them."""

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        canvas: CanvasView,
        panes: QSplitter,
        playback: Playback,
    ) -> None:
        """``panes`` contains the canvas; the version before the change is shown beside it."""
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._canvas = canvas
        self._panes = panes
        self._playback = playback
        self._side: SideView | None = None
        self._before: Before | None = None
        self.reviewing = Reviewing(workspace)
        self.divider = Divider(workspace.hub, canvas)
        self.divider.moved.connect(self._show_layers)
        table.on("change.next", partial(self._step, 1))
        table.on("change.previous", partial(self._step, -1))
        table.on("change.accept", self._accept)
        table.on("change.return", self._return)
        table.on("change.undo", self._undo)
        for action_id in _SHOWING:
            table.on(action_id, partial(self._on_shown, action_id))
        self.reviewing.changed.connect(self._on_changed)
        workspace.projectChanged.connect(self._show_menu)
        self._show_menu()
        self._on_changed()

    def panel(self) -> ChangesPanel:
        """Build the panel Changes."""
        panel = ChangesPanel(self._workspace, self.reviewing, self._table)
        panel.wanted.connect(self._take_all)
        return panel

    @Slot(str, object)
    def show_prediction(self, model: str, document: Document) -> None:
        """Show the predictions of a model over the annotations of the open task."""
        self.reviewing.show_prediction(model, document)
        self._table.set_checked("review.before", True)
        self._show_layers()

    @Slot(object)
    def go_to(self, item: Difference) -> None:
        """Make a difference current, select its target and go to its frame."""
        self.reviewing.take(item)
        select(self._workspace, item)
        self._playback.pause()
        self._playback.seek(min(item.frame, max(0, self._workspace.n_frames - 1)))

    @Slot(object)
    def _take_all(self, items: tuple[Difference, ...]) -> None:
        """Select all changes of one object: the next verdict applies to all of them."""
        self.go_to(items[0])
        if len(items) > 1:
            self.reviewing.take(items[0], items)

    def _step(self, direction: int) -> None:
        item = self.reviewing.step(direction)
        if item is not None:
            self.go_to(item)

    def _accept(self) -> None:
        """Accept the selected changes and go to the next change without a verdict."""
        review, items = self.reviewing.review, self._in_hand()
        if review is None or not items:
            return
        if all(review.is_accepted(item) for item in items):
            review.reopen(*items)
            return
        review.accept(*items)
        if review.open_items:
            self._step(1)
        else:
            self._workspace.message.emit(self.tr("All changes are reviewed."))

    def _return(self) -> None:
        """Ask for the reason of returning the selected changes; a second call undoes it."""
        from annotator.ui.review.verdicts import PinnedReasonDialog

        review, items = self.reviewing.review, self._in_hand()
        if review is None or not items:
            return
        if all(review.reason_for(item) is not None for item in items):
            review.reopen(*items)
            return
        dialog = PinnedReasonDialog(self._workspace, self._window())
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        text, code, _ = dialog.result_value()
        dialog.deleteLater()
        if is_accepted:
            review.send_back(text, code, *items)
            self._workspace.message.emit(
                self.tr("Change rejected. The reason is included when you send the task back.")
            )

    def _undo(self) -> None:
        """Restore the selected changes to the earlier version: an edit like any other."""
        review, items = self.reviewing.review, self._in_hand()
        if review is None or not items:
            return
        after = self.reviewing.step(1)
        try:
            review.revert(*items)
        except EditError as error:
            self._workspace.message.emit(str(error))
            return
        if after is not None and after in self.reviewing.items:
            self.go_to(after)

    def _in_hand(self) -> tuple[Difference, ...]:
        if not self.reviewing.in_hand:
            self._step(1)
        return self.reviewing.in_hand

    @Slot()
    def _show_menu(self) -> None:
        """A plain project has nothing to review."""
        self._table.menu("Review").menuAction().setVisible(self._workspace.has_people)

    def _on_shown(self, action_id: str) -> None:
        """One way to look at a time."""
        for other in _SHOWING:
            if other != action_id:
                self._table.set_checked(other, False)
        self._show_layers()

    def _is_on(self, action_id: str) -> bool:
        is_possible = self.reviewing.review is not None
        return is_possible and self._table.action(action_id).isChecked()

    @Slot()
    def _on_changed(self) -> None:
        """Show another earlier state, if it is another."""
        reviewing = self.reviewing
        self._workspace.has_changes = bool(reviewing.items)
        self._workspace.has_before = reviewing.review is not None
        before, earlier = reviewing.before, reviewing.earlier
        is_adjudicating = bool(reviewing.choices) and reviewing.choices[0].is_merged
        self._table.set_text(
            "change.undo", self.tr("Use this version") if is_adjudicating else self.tr("Revert")
        )
        if before is None or earlier is None:
            self._before = None
        elif self._before is None or not self._before.is_of(before):
            self._before = Before(before, earlier_text(earlier))
        self._show_layers()

    @Slot()
    def _show_layers(self) -> None:
        is_swiped, layers = self._is_on("review.swipe"), self._canvas.layers
        share = self.divider.share if is_swiped else None
        is_shown = is_swiped or self._is_on("review.before")
        before = self._before if is_shown else None
        if (before, share) != (layers.before, layers.share):
            layers.show_before(before, share)
        self.divider.setVisible(is_swiped)
        self._show_side(is_shown=self._is_on("review.side"))

    def _show_side(self, *, is_shown: bool) -> None:
        if not is_shown:
            if self._side is not None:
                self._side.hide()
            return
        if self._side is None:
            from annotator.ui.canvas.compare import SideView

            self._side = SideView(self._workspace.hub, self._canvas)
            self._side.hide()
            self._panes.insertWidget(0, self._side)
        self._side.show_state(self._before)
        if self._side.isHidden():
            half = self._panes.width() // 2
            self._side.show()
            self._panes.setSizes([half, half])

    def _window(self) -> QWidget:
        return self._canvas.window()
