"""Inter-rater agreement: computed in the background, shown, exported, verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.services.background.jobs import Job, JobStatus
from annotator.services.project.projects import OpenProject
from annotator.ui.dialogs.file_dialogs import ask_file
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead import lead_texts
from annotator.ui.lead.answers.answer_statistics import Agreed, AgreedRow, check_file, work_out
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.lead.statistics.table_with_export import export_table
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.lead.answers.answer_statistics import FileChecked

_STEPS: Final = 1000
_WIDTHS: Final = (20, 36, 32, 36, 11, 11, 10, 10)
_ITEM: Final = "item"


class AgreementBox(QWidget):
    """The estimates of one kind of task at a time; single items are shown on request."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace = workspace
        self._project = project
        self._job: Job[Agreed] | None = None
        self._found: Agreed | None = None
        self.kind = _combo(self.tr("Task type"))
        self.start = QPushButton(self.tr("Compute agreement"))
        self.start.setProperty("kind", "primary")
        self.start.clicked.connect(self._on_start_clicked)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _STEPS)
        self.progress.setAccessibleName(self.tr("Compute agreement"))
        self.stop = QPushButton(self.tr("Cancel"))
        self.stop.clicked.connect(self._on_stop_clicked)
        self.status_label = plain(QLabel())
        self.status_label.setWordWrap(True)
        self.part = _combo(self.tr("Subset"))
        self.part.currentIndexChanged.connect(self._filter)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.count = plain(QLabel())
        self.save = QPushButton(self.tr("Export CSV…"))
        self.save.setAccessibleName(self.tr("Export “Inter-rater agreement” as CSV"))
        self.save.clicked.connect(self._on_save_clicked)
        self.check = QPushButton(self.tr("Verify statistics file…"))
        self.check.setToolTip(
            self.tr("Recompute the values of a statistics file and report differences.")
        )
        self.check.clicked.connect(self._on_check_clicked)
        self.model: RowModel[AgreedRow] = RowModel(_columns())
        self.table = RowTable(
            self.model,
            self.tr("Inter-rater agreement"),
            _WIDTHS,
            self.tr("Select a task type, then click Compute agreement."),
        )
        self.table.setToolTip(
            self.tr(
                "Resolved tasks only. CI lower and CI upper: 95% bootstrap confidence "
                "interval over items."
            )
        )
        workspace.bridge.jobChanged.connect(self._on_job_changed)
        self._lay_out()
        self._set_busy(is_busy=False)
        self.set_kinds(())
        self._show(None)

    def set_kinds(self, kinds: Sequence[tuple[str, str]]) -> None:
        """Offer kinds of task with their titles: with nothing to compare there is nothing."""
        known = [self.kind.itemData(i) for i in range(self.kind.count())]
        if known != [kind for kind, _ in kinds]:
            self.kind.clear()
            for kind, title in kinds:
                self.kind.addItem(title, kind)
        for widget in (self.kind, self.start, self.check):
            widget.setEnabled(bool(kinds))

    def leave(self) -> None:
        """Work out nothing more: the project is about to be closed."""
        if self._job is not None:
            self._job.cancel()
        self._workspace.bridge.jobChanged.disconnect(self._on_job_changed)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        bars: list[tuple[QHBoxLayout, tuple[QWidget, ...]]] = [
            (first, (self.kind, self.start, self.progress, self.stop, self.status_label)),
            (second, (self.part, self.search, self.count, self.save, self.check)),
        ]
        wide: tuple[QWidget, ...] = (self.progress, self.status_label, self.search)
        for bar, widgets in bars:
            for widget in widgets:
                bar.addWidget(widget, int(widget in wide))
        layout = QVBoxLayout(self)
        layout.addLayout(first)
        layout.addLayout(second)
        layout.addWidget(self.table, 1)

    @Slot()
    def _on_start_clicked(self) -> None:
        project, kind, title = self._project, self.kind.currentData(), self.kind.currentText()

        def done(report: Agreed) -> None:
            self._set_busy(is_busy=False)
            self._show(report)
            self.status_label.setText(
                " · ".join((self._summary(title, report), *self._faults(report)))
            )

        self.status_label.setText("")
        self.progress.setValue(0)
        self._set_busy(is_busy=True)
        self._job = self._workspace.jobs.submit(
            self.start.text(),
            lambda token: work_out(project, kind, token),
            done,
            failed=self._on_failed,
        )

    def _summary(self, title: str, found: Agreed) -> str:
        if found.seconds is not None:
            text = self.tr("{task}: median answer time {seconds:.1f} s")
            return text.format(task=title, seconds=found.seconds)
        if any(row.estimate.value is not None for row in found.rows):
            return self.tr("{task}: agreement computed").format(task=title)
        return self.tr("{task}: no resolved items yet").format(task=title)

    def _faults(self, found: Agreed) -> tuple[str, ...]:
        text = self.tr("{n} invalid votes are ignored. Run “annotator check” to list them.")
        return (text.format(n=f"{found.n_faulty:,}"),) if found.n_faulty else ()

    def _show(self, found: Agreed | None) -> None:
        self._found = found
        rows = found.rows if found is not None else ()
        parts = Counter(row.estimate.by for row in rows)
        chosen = self.part.currentData()
        with QSignalBlocker(self.part):
            self.part.clear()
            self.part.addItem(self.tr("All except single items"), None)
            for by in parts:
                self.part.addItem(f"{lead_texts.part_text(by, '')} ({parts[by]:,})", by)
            self.part.setCurrentIndex(max(0, self.part.findData(chosen)))
        self.model.set_rows(rows)
        self._filter()
        for widget in (self.part, self.search, self.save):
            widget.setEnabled(bool(rows))

    @Slot()
    def _filter(self) -> None:
        by, wanted = self.part.currentData(), self.search.text().strip().casefold()
        self.model.show_only(partial(_fits, by=by, wanted=wanted))
        text = self.tr("{n} of {all}") if self.model.n_all else ""
        self.count.setText(text.format(n=f"{len(self.model.rows):,}", all=f"{self.model.n_all:,}"))

    @Slot()
    def _on_stop_clicked(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._set_busy(is_busy=False)

    @Slot()
    def _on_save_clicked(self) -> None:
        from annotator.services.questions.agreement.agreement import AGREEMENT_COLUMNS

        rows = [row.cells for row in self._found.rows] if self._found is not None else []
        name = f"{self._project.path.stem} agreement"
        export_table(self._workspace, self, name, AGREEMENT_COLUMNS, lambda: rows)

    @Slot()
    def _on_check_clicked(self) -> None:
        files = self.tr("Statistics (*.csv *.json)")
        path = ask_file(self, self.tr("Verify statistics file"), files, self._project.path.parent)
        if path is None:
            return
        project, title = self._project, self.check.text().rstrip("…")

        def done(found: FileChecked) -> None:
            dialog = ReportDialog(
                self._workspace.hub, title, found.text, found.findings, parent=self
            )
            dialog.open()

        self._workspace.start_job(title, lambda token: check_file(project, path, token), done)

    def _on_failed(self, error: UserError) -> None:
        self._set_busy(is_busy=False)
        self._workspace.failed.emit(error)

    @Slot(object)
    def _on_job_changed(self, status: JobStatus) -> None:
        if self._job is not None and status.id == self._job.status.id and status.fraction:
            self.progress.setValue(round(status.fraction * _STEPS))

    def _set_busy(self, *, is_busy: bool) -> None:
        self.progress.setVisible(is_busy)
        self.stop.setVisible(is_busy)
        self.start.setVisible(not is_busy)
        self.status_label.setVisible(not is_busy)


def _columns() -> RowColumns[AgreedRow]:
    heads = (
        _tr("Question"),
        _tr("Subset"),
        _tr("Method"),
        _tr("Value"),
        _tr("CI lower"),
        _tr("CI upper"),
        _tr("Items"),
        _tr("Raters"),
    )
    return RowColumns(
        heads,
        lambda row, column: row.text(column),
        lambda row, column: row.key(column),
        (3, 4, 5, 6, 7),
    )


def _fits(row: AgreedRow, *, by: str | None, wanted: str) -> bool:
    if row.estimate.by != by if by is not None else row.estimate.by == _ITEM:
        return False
    return wanted in row.sought


def _combo(name: str) -> QComboBox:
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return combo


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
