"""The verdict on a task: approving it, and why it or a change goes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.comment import WHOLE_TASK, Pin
from annotator.domain.work.records import Reason, Verdict, VerdictKind
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.widgets import EmptyHint, plain
from annotator.ui.review.change_texts import pin_text
from annotator.ui.review.comment_actions import go_to_pin
from annotator.ui.review.comment_dialog import pin_box, pins_here
from annotator.ui.review.open_review import Reviewing
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.workflow.review import Review
    from annotator.ui.commands.playback_actions import Playback


class PinnedReasonDialog(QDialog):
    """One reason; with ``pins`` also its target."""

    def __init__(
        self, workspace: Workspace, parent: QWidget, pins: list[Pin] | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Reason for sending back"))
        self.kind = QComboBox()
        project = workspace.project
        for reason in project.work.recipe.return_reasons if project is not None else ():
            self.kind.addItem(reason.text, reason.code)
        self.kind.addItem(self.tr("Other reason"), "")
        if self.kind.count() > 1:
            # The statistics count reasons: none is given only because it is the first one.
            self.kind.setPlaceholderText(self.tr("Select a reason"))
            self.kind.setCurrentIndex(-1)
        self.text = QLineEdit()
        self.text.setMinimumWidth(40 * self.fontMetrics().averageCharWidth())
        self.place = pin_box(workspace, pins or [])
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._buttons.button(standard.Ok).setText(self.tr("Add reason"))
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(self.tr("Reason"), self.kind)
        form.addRow(self.tr("Details"), self.text)
        if pins:
            form.addRow(self.tr("Refers to"), self.place)
        form.addRow(self._buttons)
        self.kind.currentIndexChanged.connect(self._check)
        self.text.textChanged.connect(self._check)
        (self.kind if self.kind.count() > 1 else self.text).setFocus()
        self._check()

    def result_value(self) -> tuple[str, str, Pin]:
        """Return the words, the code of the recipe ("" for none), and the place."""
        text = self.text.text().strip() or self.kind.currentText()
        pin = self.place.currentData()
        return text, str(self.kind.currentData()), pin if isinstance(pin, Pin) else WHOLE_TASK

    @Slot()
    def _check(self) -> None:
        """Details may be left out where the recipe has a reason."""
        is_chosen, has_code = self.kind.currentIndex() >= 0, bool(self.kind.currentData())
        self.text.setPlaceholderText(
            self.tr("Additional details (optional)")
            if has_code or not is_chosen
            else self.tr("Describe the problem")
        )
        ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(has_code or (is_chosen and bool(self.text.text().strip())))


_REASON: Final = Qt.ItemDataRole.UserRole


class SendBackDialog(QDialog):
    """A list of reasons to tick; at least one is needed. Choosing one shows its place behind."""

    def __init__(
        self, workspace: Workspace, playback: Playback, review: Review | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._playback = playback
        self.setWindowTitle(self.tr("Send task back"))
        question_label = QLabel(
            self.tr(
                "Another person, who has not worked on this task, corrects it and sees the "
                "selected reasons."
            )
        )
        question_label.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Reasons"))
        self.list.setWordWrap(True)
        self.list.itemChanged.connect(self._check)
        self.list.itemClicked.connect(self._go)
        self._hint = EmptyHint(
            self.list,
            self.tr(
                "No reasons yet. Changes that you reject and comments that you write during the "
                "review appear here."
            ),
        )
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
        layout.addWidget(question_label)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.add)
        layout.addWidget(self._word)
        layout.addWidget(self.buttons)
        self.resize(520, 380)
        for reason in review.reasons if review is not None else ():
            self.offer(reason, is_ticked=True)
        self._offer_comments()
        self._check()
        (self.list if self.list.count() else self.add).setFocus()

    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons that are ticked."""
        rows = (self.list.item(i) for i in range(self.list.count()))
        return tuple(row.data(_REASON) for row in rows if row.checkState() == Qt.CheckState.Checked)

    def offer(self, reason: Reason, *, is_ticked: bool) -> None:
        """Put a reason on the list."""
        project, session = self._workspace.project, self._workspace.session
        if project is None or session is None:
            return
        text = project.work.recipe.reason_text(reason.code, reason.text)
        item = QListWidgetItem(f"{text}\n{pin_text(reason.pin, session.document)}")
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        item.setData(_REASON, reason)
        self.list.addItem(item)

    def _offer_comments(self) -> None:
        """Offer remarks that are not resolved; one's own are ticked."""
        session, me = self._workspace.session, self._workspace.person
        for comment in session.document.comments if session is not None else ():
            if comment.parent_id is None and not comment.is_resolved:
                is_mine = me is not None and comment.author_id == me.id
                self.offer(Reason(comment.text, comment.pin), is_ticked=is_mine)

    @Slot()
    def _add(self) -> None:
        dialog = PinnedReasonDialog(self._workspace, self, pins_here(self._workspace))
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        text, code, pin = dialog.result_value()
        dialog.deleteLater()
        if is_accepted:
            self.offer(Reason(text, pin, code), is_ticked=True)
            self._check()
            self.buttons.button(QDialogButtonBox.StandardButton.Ok).setFocus()

    @Slot(QListWidgetItem)
    def _go(self, item: QListWidgetItem) -> None:
        reason = item.data(_REASON)
        if isinstance(reason, Reason):
            go_to_pin(self._workspace, self._playback, reason.pin)

    @Slot()
    def _check(self) -> None:
        n = len(self.reasons())
        self.add.setAutoDefault(not self.list.count())
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(n > 0)
        self._word.setText(
            self.tr("Add at least one reason to send the task back.")
            if not self.list.count()
            else self.tr("Select at least one reason to send the task back.")
            if not n
            else self.tr("1 reason is included.")
            if n == 1
            else self.tr("{n} reasons are included.").format(n=n)
        )


class Verdicts(QObject):
    """Sends tasks back, and keeps the open issues of a review."""

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        reviewing: Reviewing,
        playback: Playback,
        show_next: Callable[[str], object],
        window: QWidget,
    ) -> None:
        """``show_next`` is called with a message after a task was submitted or returned."""
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._reviewing = reviewing
        self._playback = playback
        self._show_next = show_next
        self._window = window
        table.on("task.send-back", self.send_back)

    def send_back(self) -> None:
        """Ask why, and hand the open task back."""
        project, session = self._workspace.project, self._workspace.session
        if project is None or session is None:
            return
        self._playback.pause()
        dialog = SendBackDialog(
            self._workspace, self._playback, self._reviewing.review, self._window
        )
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        reasons = dialog.reasons()
        dialog.deleteLater()
        if is_accepted:
            task_id = session.task_id
            project.work.submit(session, Verdict(VerdictKind.SEND_BACK, reasons))
            if project.work.record(task_id).needs_lead is None:
                text = self.tr("Sent back. Another person will correct the task.")
            else:
                text = self.tr(
                    "Sent back. No eligible person is left to correct the task; a lead decides."
                )
            self._show_next(text)

    @property
    def may_send_back(self) -> bool:
        """Whether the open task can be sent back."""
        return self._workspace.task_role is not None and self._workspace.task_role.may_send_back

    def open_points(self) -> list[str]:
        """Return the open issues that an approval would ignore, as texts."""
        review, session = self._reviewing.review, self._workspace.session
        points = []
        if review is not None and review.reasons:
            n = len(review.reasons)
            open_text = self.tr("{n} changes are rejected.").format(n=n)
            points.append(self.tr("1 change is rejected.") if n == 1 else open_text)
        if review is not None and 0 < len(review.open_items) < len(review.differences):
            text = self.tr("{n} of {m} changes are not reviewed.")
            points.append(text.format(n=len(review.open_items), m=len(review.differences)))
        comments = session.document.comments if session is not None else ()
        n_open = sum(c.parent_id is None and not c.is_resolved for c in comments)
        if n_open:
            open_text = self.tr("{n} comments are not resolved.").format(n=n_open)
            points.append(self.tr("1 comment is not resolved.") if n_open == 1 else open_text)
        return points
