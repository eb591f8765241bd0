"""Dialog for proposals in advance, and the progress of the process that makes them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding
from annotator.services.background.jobs import CanceledError, Job, JobToken
from annotator.services.batch.job_plan import Planned, trackers_with
from annotator.services.batch.job_results import Collected
from annotator.services.batch.prepared_proposals import Preparation
from annotator.services.batch.trackable_gaps import models_in
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.look.texts import counted
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


class PrepareDialog(QDialog):
    """Asks for the start of tracking: drafts, or detections of a model."""

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Prepare proposals"))
        self.drafts = QRadioButton(self.tr("From the keyframes of tasks in progress"))
        self.detections = QRadioButton(self.tr("From the detections of a model, in all videos"))
        self.model = QComboBox()
        self.model.setAccessibleName(self.tr("Model"))
        for model in models_in(project):
            self.model.addItem(" ".join(model).strip(), model)
        note = QLabel(
            self.tr(
                "Proposals wait in the tasks until a rater accepts or dismisses them. Tracking "
                "continues when you close the window. You can stop it at any time and resume later."
            )
        )
        note.setWordWrap(True)
        if not self.model.count():
            self.detections.setEnabled(False)
            self.model.setPlaceholderText(self.tr("No detections are imported"))
            self.detections.setToolTip(
                self.tr("Import detections with File > Import predictions first.")
            )
        form = QFormLayout()
        form.setContentsMargins(24, 0, 0, 8)
        form.addRow(self.tr("Model"), self.model)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.tr("Track"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.detections)
        layout.addLayout(form)
        layout.addWidget(self.drafts)
        layout.addWidget(note)
        layout.addWidget(buttons)
        self.detections.toggled.connect(self._on_toggled)
        (self.detections if self.model.count() else self.drafts).setChecked(True)
        self._on_toggled()

    @Slot()
    def _on_toggled(self) -> None:
        self.model.setEnabled(self.detections.isChecked())


class Preparing(QObject):
    """Runs proposals in a separate process and imports them at its end.

    A process that was started in an earlier window is followed when its project is opened again.
    """

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._window = window
        self._job: Job[Preparation] | None = None
        self._findings: tuple[Finding, ...] = ()
        self._leaving: set[Job[Preparation]] = set()
        workspace.projectLeaving.connect(self._on_leaving)

    @Slot()
    def ask(self) -> None:
        """Ask for the start of tracking, and begin."""
        project = self._workspace.project
        if project is None:
            return
        dialog = PrepareDialog(project, self._window)
        dialog.accepted.connect(partial(self._begin, project, dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def look(self) -> None:
        """Watch the preparation for the open project."""
        project = self._workspace.project
        if project is None or project.is_read_only or self._job is not None:
            return
        preparation = Preparation(project.path)
        if preparation.is_begun:
            self._follow(project, preparation)

    def _begin(self, project: OpenProject, dialog: PrepareDialog) -> None:
        model = None if dialog.drafts.isChecked() else tuple(dialog.model.currentData())
        trackers = trackers_with(self._workspace.settings.text("proposals.tracker"))
        preparation = Preparation(project.path)

        def work(token: JobToken) -> Planned:
            planned = preparation.plan(project, trackers, model, token.report)
            if planned.n_passes:
                preparation.launch()
            return planned

        def done(planned: Planned) -> None:
            self._findings = planned.findings
            self._follow(project, preparation)

        self._workspace.start_job(self.tr("Prepare proposals"), work, done)

    def _follow(self, project: OpenProject, preparation: Preparation) -> None:
        def work(token: JobToken) -> Preparation:
            try:
                preparation.follow(token)
            except CanceledError:
                if job in self._leaving or self._workspace.jobs.is_closed:
                    raise  # the process continues
                preparation.stop()
            return preparation

        collect = partial(self._collect, project)
        failed = self._workspace.failed.emit
        title = self.tr("Prepare proposals")
        job = self._workspace.jobs.submit(title, work, collect, failed=failed, unwanted=collect)
        self._job = job

    def _collect(self, project: OpenProject, preparation: Preparation) -> None:
        self._job = None
        if project is not self._workspace.project or self._workspace.jobs.is_closed:
            return
        self._workspace.start_job(
            self.tr("Collect proposals"),
            lambda _: preparation.collect(project),
            lambda done: self._show(project, *done),
        )

    def _show(self, project: OpenProject, collected: Collected, failed: dict[str, str]) -> None:
        session = self._workspace.session
        if self._workspace.project is project and session is not None:
            project.offer_predictions(session)
        text = self.tr("Nothing to track: all proposals are up to date.")
        if collected.videos:
            text = self.tr("Tracked {what} in {videos}.").format(
                what=counted(collected.n_objects, self.tr("1 object"), self.tr("{n} objects"))
                if collected.n_objects
                else counted(collected.n_gaps, self.tr("1 gap"), self.tr("{n} gaps")),
                videos=counted(len(collected.videos), self.tr("1 video"), self.tr("{n} videos")),
            )
        findings, self._findings = list(self._findings), ()
        findings += [Finding("bad-media", name, reason) for name, reason in failed.items()]
        findings += [Finding("damaged", "", reason) for reason in collected.damaged]
        if not findings:
            self._workspace.message.emit(text)
            return
        title = self.tr("Prepare proposals")
        ReportDialog(self._workspace.hub, title, text, findings, parent=self._window).open()

    @Slot()
    def _on_leaving(self) -> None:
        """Leave the process alone; it is followed again when the project is opened."""
        if self._job is not None:
            self._leaving.add(self._job)
            self._job.cancel()
            self._job = None
