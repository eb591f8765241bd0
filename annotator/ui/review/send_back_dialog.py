"""Asks why a task goes back: reasons noted at changes, open comments, and what is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.work.records import Reason
from annotator.ui.look.plain import plain
from annotator.ui.review.comment_actions import go_to_pin
from annotator.ui.review.comment_dialog import pins_here
from annotator.ui.review.reason_dialog import PinnedReasonDialog
from annotator.ui.review.words import pin_text
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.services.workflow.review import Review
    from annotator.ui.commands.playback import Playback

_REASON: Final = Qt.ItemDataRole.UserRole


class SendBackDialog(QDialog):
    """A list of reasons to tick; at least one is needed. Choosing one shows its place behind."""

    def __init__(
        self, desk: Desk, playback: Playback, review: Review | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._playback = playback
        self.setWindowTitle(self.tr("Send task back"))
        asked = QLabel(
            self.tr(
                "Another person, who has not worked on this task, corrects it. Select all "
                "reasons that this person needs to know."
            )
        )
        asked.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Reasons"))
        self.list.setWordWrap(True)
        self.list.itemChanged.connect(self._check)
        self.list.itemClicked.connect(self._go)
        self.add = QPushButton(self.tr("Add reason…"))
        self.add.clicked.connect(self._add)
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(self.tr("Send back"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(asked)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.add)
        layout.addWidget(self._word)
        layout.addWidget(self.buttons)
        self.resize(520, 380)
        for reason in review.reasons if review is not None else ():
            self.offer(reason, is_ticked=True)
        self._offer_comments()
        self._check()

    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons that are ticked."""
        rows = (self.list.item(i) for i in range(self.list.count()))
        return tuple(row.data(_REASON) for row in rows if row.checkState() == Qt.CheckState.Checked)

    def offer(self, reason: Reason, *, is_ticked: bool) -> None:
        """Put a reason on the list."""
        session = self._desk.session
        if session is None:
            return
        item = QListWidgetItem(f"{reason.text}\n{pin_text(reason.pin, session.document)}")
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        item.setData(_REASON, reason)
        self.list.addItem(item)

    def _offer_comments(self) -> None:
        """Offer remarks that are not resolved; one's own are ticked."""
        session, me = self._desk.session, self._desk.person
        for comment in session.document.comments if session is not None else ():
            if comment.parent_id is None and not comment.is_resolved:
                is_mine = me is not None and comment.author_id == me.id
                self.offer(Reason(comment.text, comment.pin), is_ticked=is_mine)

    @Slot()
    def _add(self) -> None:
        dialog = PinnedReasonDialog(self._desk, self, pins_here(self._desk))
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        text, code, pin = dialog.result_value()
        dialog.deleteLater()
        if is_accepted:
            self.offer(Reason(text, pin, code), is_ticked=True)
            self._check()

    @Slot(QListWidgetItem)
    def _go(self, item: QListWidgetItem) -> None:
        reason = item.data(_REASON)
        if isinstance(reason, Reason):
            go_to_pin(self._desk, self._playback, reason.pin)

    @Slot()
    def _check(self) -> None:
        n = len(self.reasons())
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(n > 0)
        self._word.setText(
            self.tr("Select at least one reason to send the task back.")
            if not n
            else self.tr("1 reason is included.")
            if n == 1
            else self.tr("{n} reasons are included.").format(n=n)
        )
