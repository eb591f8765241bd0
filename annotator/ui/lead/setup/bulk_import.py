"""Adds many videos from the window, in the background, and reports failures at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QVBoxLayout, QWidget

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.project.bulk_import import AddingReport, add_media, media_files
from annotator.services.project.metadata import MetadataReport, import_metadata
from annotator.services.project.projects import OpenProject
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.setup.metadata_box import FactsBox
from annotator.ui.lead.setup.video_sources import SourcesBox
from annotator.ui.look.texts import counted
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Added:
    """Result of adding videos and their table; ``refusal`` is the reason if the table failed."""

    videos: AddingReport
    facts: MetadataReport | None = None
    refusal: str = ""


class AddDialog(QDialog):
    """Asks for more videos, for a table of facts, or for both."""

    def __init__(self, workspace: Workspace, folder: Path, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add many videos"))
        self.sources = SourcesBox(folder)
        self.facts = FactsBox(workspace, self.sources.paths, folder)
        self.sources.changed.connect(self.facts.look)
        self.sources.changed.connect(self._check)
        self.facts.changed.connect(self._check)
        tabs = QTabWidget()
        tabs.addTab(_padded(self.sources), self.tr("Videos"))
        tabs.addTab(_padded(self.facts), self.tr("Metadata"))
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.button(standard.Ok).setText(self.tr("Add videos"))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(tabs, 1)
        layout.addWidget(self.buttons)
        self.resize(680, 460)
        self._check()

    @Slot()
    def _check(self) -> None:
        has_any = bool(self.sources.paths()) or self.facts.path is not None
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(has_any)


def start_adding(
    workspace: Workspace,
    parent: QWidget,
    sources: Sequence[Path],
    table: Path | None,
    on_done: Callable[[], object],
    *,
    grid_step: int | None = None,
) -> None:
    """Add the videos of ``sources``, then a table; ``done`` is called last.

    When canceled, videos that were added stay, and are reported.
    """
    project = workspace.project
    if project is None:
        return

    def work(token: JobToken) -> Added:
        return _add(project, sources, table, grid_step, token)

    def tell(added: Added) -> None:
        workspace.bridge.post(lambda: _tell(workspace, parent, project, added, on_done))

    workspace.start_job(_tr("Add videos"), work, tell, unwanted=tell)


def _add(
    project: OpenProject,
    sources: Sequence[Path],
    table: Path | None,
    grid_step: int | None,
    token: JobToken,
) -> Added:
    token.report(None, _tr("Looking for files"))
    paths = media_files(sources)
    report = add_media(
        project,
        paths,
        grid_step=grid_step,
        on_progress=token.report,
        is_canceled=lambda: token.is_canceled,
    )
    if table is None or token.is_canceled:
        return Added(report)
    try:
        return Added(report, import_metadata(project, table))
    except UserError as error:
        # The videos are added; an unusable table is reported with the rest.
        return Added(report, refusal=str(error))


def _tell(
    workspace: Workspace,
    parent: QWidget,
    project: OpenProject,
    added: Added,
    done: Callable[[], object],
) -> None:
    if workspace.project is not project:
        return
    done()
    text, findings = summary_of(added)
    if not findings:
        workspace.message.emit(text)
        return
    ReportDialog(workspace.hub, _tr("Add videos"), text, findings, parent=parent).open()


def summary_of(added: Added) -> tuple[str, list[Finding]]:
    """Return a summary of the result and its issues."""
    videos, facts = added.videos, added.facts
    parts = [counted(len(videos.added), _tr("1 video added."), _tr("{n:,} videos added."))]
    if videos.known:
        count_text = _tr("{n:,} were already in the project.")
        parts.append(counted(len(videos.known), _tr("1 was already in the project."), count_text))
    if videos.n_left:
        count_text = _tr("Canceled: {n:,} were not processed.")
        parts.append(counted(videos.n_left, _tr("Canceled: 1 was not processed."), count_text))
    findings = [
        Finding("not-added", str(path), why.removeprefix(f"{path}: "), Severity.ERROR)
        for path, why in videos.failed
    ]
    if videos.failed:
        parts.append(_tr("{n:,} could not be added.").format(n=len(videos.failed)))
    same = _tr("The file has the same content as {path}. It was added once.")
    findings += [
        Finding("same-content", str(path), same.format(path=first))
        for path, first in videos.duplicates
    ]
    if facts is not None:
        count_text = _tr("Metadata was added to {n:,} videos.")
        parts.append(counted(facts.n_videos, _tr("Metadata was added to 1 video."), count_text))
        missing = _tr("Line {line} of the table matches no video.")
        findings += [
            Finding("no-video", name, missing.format(line=line))
            for line, name in facts.rows_without_video
        ]
        without = _tr("The table has no row for this video.")
        findings += [Finding("no-row", name, without) for name in facts.videos_without_row]
        parts += facts.notes
    if added.refusal:
        parts.append(_tr("The table was not imported."))
        findings.insert(0, Finding("table", "", added.refusal, Severity.ERROR))
    return " ".join(parts), findings


def _padded(widget: QWidget) -> QWidget:
    outer = QWidget()
    layout = QVBoxLayout(outer)
    layout.addWidget(widget)
    return outer


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
