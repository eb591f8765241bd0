"""Confirmation dialog of a submission, with its open issues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.track import unchecked_grid_frames
from annotator.domain.checks import Finding, Severity
from annotator.ui.look.texts import counted, finding_title
from annotator.ui.look.widgets import heading_row, plain, rows_height

if TYPE_CHECKING:
    from annotator.services.session import Session
    from annotator.ui.panels.live_findings import LiveFindings
    from annotator.ui.state.workspace import Workspace
    from annotator.ui.work.guideline_panels import Checklist, ChecklistPoint

_WHAT: Final = Qt.ItemDataRole.UserRole
_MOST: Final = 200
_WIDTH_PX: Final = 480
_OTHERS_PX: Final = 220


def ask_submit(session: Session, parent: QWidget) -> bool:
    """Ask for confirmation of a submission; True if confirmed."""
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(_tr("Submit"))
    box.setText(_tr("Submit this task as it is now?"))
    box.setInformativeText("\n".join(open_points(session)) or _tr("No open items."))
    go = box.addButton(_tr("Submit"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    is_yes = box.clickedButton() is go
    box.deleteLater()
    return is_yes


def open_points(session: Session) -> list[str]:
    """Return texts about work that may be missing."""
    document = session.document
    video = document.video
    points = []
    if not document.tracks:
        points.append(_tr("No object has been drawn."))
    unchecked = sum(
        len(unchecked_grid_frames(t, step=video.grid_step, n_frames=video.n_frames))
        for t in document.tracks
    )
    if unchecked:
        count_text = _tr("{n} grid frames have not been checked.")
        points.append(counted(unchecked, _tr("1 grid frame has not been checked."), count_text))
    n_pending = sum(len(session.pending(t.id)) for t in document.tracks)
    if n_pending:
        one = _tr("1 proposal is not accepted and is not submitted.")
        count_text = _tr("{n} proposals are not accepted and are not submitted.")
        points.append(counted(n_pending, one, count_text))
    return points


class SubmitDialog(QDialog):
    """Lists the open points of the checklist and the findings.

    Points can be ticked here. ``noted`` are points of a review that approving would pass over.
    ``wanted`` is the finding to go to; ``wants_checklist`` and ``wants_to_send_back`` are other
    choices than submitting.
    """

    def __init__(
        self,
        workspace: Workspace,
        checklist: Checklist,
        findings: LiveFindings,
        *,
        is_judging: bool = False,
        noted: Sequence[str] = (),
        may_send_back: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._checklist = checklist
        # What the checks have found stands in the list of findings already.
        open_items = [i for i in checklist.items if not i.is_done and not i.is_among_findings]
        self._texts = [item.text for item in open_items]
        self._findings = findings
        self.wanted: Finding | None = None
        self.wants_checklist = False
        self.wants_to_send_back = False
        self._noted = noted
        self._verb = self.tr("Approve") if is_judging else self.tr("Submit")
        self.setWindowTitle(self._verb)
        self._lead = plain(QLabel())
        self._lead.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Open items"))
        self.list.setWordWrap(True)
        self.list.itemActivated.connect(self.go_to)
        self.list.itemChanged.connect(self._on_item_changed)
        self._go_to = QPushButton(self.tr("Go to item"))
        self._go_to.clicked.connect(self.go_to)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.addButton(self._go_to, QDialogButtonBox.ButtonRole.ActionRole)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        if is_judging and may_send_back and noted:
            self.send_back = QPushButton(self.tr("Send back…"))
            self.send_back.setAutoDefault(False)
            self.send_back.clicked.connect(self._on_send_back)
            self.buttons.addButton(self.send_back, QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self._lead)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.buttons)
        findings.changed.connect(self.refresh)
        self.refresh()
        if self.list.count():
            self.setMinimumWidth(_WIDTH_PX)
            self.list.setCurrentRow(1)  # below the first heading
            self.list.setFocus()

    @Slot()
    def refresh(self) -> None:
        """Show the open points of the last check."""
        place, theme = self.list.currentRow(), self._workspace.hub.theme
        with QSignalBlocker(self.list):
            self.list.clear()
            if self._noted:
                self._add_heading(self.tr("Review"))
            for text in self._noted:
                self.list.addItem(QListWidgetItem(theme.icon("warning", token="warning"), text))
            items = self._checklist.items
            if self._texts:
                n_done = sum(1 for item in items if item.is_done)
                head = self.tr("Checklist: {done} of {n} done")
                self._add_heading(head.format(done=n_done, n=len(items)))
            for item in items:
                if item.text in self._texts:
                    self._add_point(item)
            session = self._workspace.session
            prefix = f"{session.document.video.name}, " if session is not None else ""
            findings = sorted(self._findings.findings, key=lambda f: _GRAVITY.index(f.severity))
            if findings:
                self._add_heading(self.tr("Issues: {n}").format(n=len(findings)))
            for finding in findings[:_MOST]:
                icon, token = _SIGNS[finding.severity]
                title, where = finding_title(finding.code), finding.where.removeprefix(prefix)
                head = " · ".join(part for part in (title, where) if part)
                text = f"{head}\n{finding.text}"
                row = QListWidgetItem(theme.icon(icon, token=token), text)
                row.setData(_WHAT, finding)
                self.list.addItem(row)
            self.list.setCurrentRow(place)
        self._say()
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the list the height of its rows, as far as the screen has room."""
        layout = self.layout()
        assert layout is not None
        layout.activate()
        most = self.screen().availableSize().height() - _OTHERS_PX
        self.list.setFixedHeight(min(rows_height(self.list), most))
        self.adjustSize()

    def _add_heading(self, text: str) -> None:
        heading_row(self.list, text, self._workspace.hub.theme.color("text_dim"))

    @Slot()
    def go_to(self) -> None:
        """Close, to go to the finding chosen in the list."""
        item = self.list.currentItem()
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEnabled:  # no heading
            what = item.data(_WHAT)
            self.wanted = what if isinstance(what, Finding) else None
            self.wants_checklist = isinstance(what, str)
            self.reject()

    @Slot()
    def _on_send_back(self) -> None:
        self.wants_to_send_back = True
        self.reject()

    def _add_point(self, item: ChecklistPoint) -> None:
        row = QListWidgetItem(item.words)
        row.setData(_WHAT, item.text)
        if item.count is None:
            row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            state = Qt.CheckState
            row.setCheckState(state.Checked if item.is_ticked else state.Unchecked)
        else:
            sign = ("to-do", "text_dim") if item.is_empty else ("warning", "warning")
            row.setIcon(self._workspace.hub.theme.icon(sign[0], token=sign[1]))
        self.list.addItem(row)

    def _say(self) -> None:
        """Show how much is open, and choose the default button."""
        items = [i for i in self._checklist.items if i.text in self._texts and not i.is_done]
        n = len(self._noted) + len(items) + len(self._findings.findings)
        if not n:
            lead, ok_text = self.tr("No open items."), self._verb
        elif n == 1:
            lead = self.tr("1 item is open. Go to the item, or continue anyway.")
            ok_text = self.tr("{verb} with 1 open item")
        else:
            lead = self.tr("{n} items are open. Go to an item, or continue anyway.")
            ok_text = self.tr("{verb} with {n} open items")
        self._lead.setText(lead.format(n=n))
        self.list.setVisible(self.list.count() > 0)
        self._go_to.setVisible(self.list.count() > 0)
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText(ok_text.format(verb=self._verb, n=n))
        # Enter opens the open issues; submitting anyway needs another key.
        self._go_to.setDefault(bool(n))
        ok.setDefault(not n)

    @Slot(QListWidgetItem)
    def _on_item_changed(self, row: QListWidgetItem) -> None:
        text = row.data(_WHAT)
        if isinstance(text, str):
            self._checklist.tick(text, is_ticked=row.checkState() == Qt.CheckState.Checked)
            self._say()


def _tr(text: str) -> str:
    return QCoreApplication.translate("submit", text)


_GRAVITY: Final = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
_SIGNS: Final = {
    Severity.ERROR: ("error", "error"),
    Severity.WARNING: ("warning", "warning"),
    Severity.NOTE: ("info", "text_dim"),
}
