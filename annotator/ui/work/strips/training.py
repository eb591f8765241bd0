"""The strip above a training task: its purpose, and afterwards the errors."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import QWidget

from annotator.domain.agreement.errors import Errors
from annotator.domain.annotation.document import Document
from annotator.domain.ids import TaskId
from annotator.services.background.jobs import JobToken
from annotator.ui.state.desk import Desk
from annotator.ui.work.strips.strip import Strip


class TrainingStrip(Strip):
    """Shown while a training task is open; ``referenceWanted`` asks to compare with the known
    result once the task is submitted.
    """

    referenceWanted = Signal(str, object)  # "", Document

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self._asked: TaskId | None = None
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Say that the open task is for training, or what came of it."""
        project, session, task_id = self._desk.project, self._desk.session, self._desk.task_id
        if project is None or session is None or task_id is None:
            self._asked = None
            self.hide()
            return
        if self._asked not in (None, task_id):
            self._asked = None
        gold = project.work.gold
        if not gold.is_training(task_id):
            self.hide()
            return
        score = gold.training_score(task_id)
        if score is None:
            self.label.setText(
                self.tr(
                    "Training task. After you submit it, the reference is shown with your work."
                )
            )
            self._look("raised", "info", "accent")
        else:
            text = self.tr("Training result: {errors}. “Changes” lists each difference.")
            self.label.setText(text.format(errors=errors_text(score.errors)))
            self._look("raised", "accept", "accent")
            self._show_reference(task_id)
        self.show()

    def _show_reference(self, task_id: TaskId) -> None:
        """Read the known result in the background and have it shown, once for an open task."""
        project, session = self._desk.project, self._desk.session
        if self._asked == task_id or project is None or session is None:
            return
        self._asked = task_id
        made = session.document.copy()
        work = project.work

        def read(_: JobToken) -> Document | None:
            return work.gold.reference_for(task_id, made)

        def done(found: Document | None) -> None:
            if found is not None and self._desk.task_id == task_id:
                self.referenceWanted.emit("", found)

        title, failed = self.tr("Compare with reference"), self._desk.failed.emit
        self._desk.jobs.submit(title, read, done, failed=failed, is_quiet=True)


def errors_text(errors: Errors) -> str:
    """Say how far work is from the reference."""
    parts: list[str] = []
    if errors.iou is not None:
        parts.append(_tr("boxes overlap {n:.0%}").format(n=errors.iou))
    if errors.px is not None:
        parts.append(_tr("points {n:.1f} px off").format(n=errors.px))
    if errors.visible is not None:
        parts.append(_tr("visibility {n:.0%} correct").format(n=errors.visible))
    if errors.ms is not None:
        parts.append(_tr("edges {n:.0f} ms off").format(n=errors.ms))
    parts.append(_tr("{n} of {m} found").format(n=errors.n_found, m=errors.n_known))
    if errors.n_extra:
        parts.append(_tr("{n} additional").format(n=errors.n_extra))
    return " · ".join(parts)


def _tr(text: str) -> str:
    return QCoreApplication.translate("TrainingStrip", text)
