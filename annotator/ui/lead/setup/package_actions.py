"""Work that leaves by file and comes back by file, from the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QMessageBox,
    QSpinBox,
    QWidget,
)

from annotator.domain.checks import Finding, Severity
from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.domain.recipes.recipe import Recipe
from annotator.services.background.jobs import JobToken
from annotator.services.packages.signatures import Signed
from annotator.services.project.projects import OpenProject
from annotator.ui.actions.table import ActionTable
from annotator.ui.dialogs.file_dialogs import ask_files, ask_new_project, ask_output
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.board.board_dialogs import AskDialog
from annotator.ui.look.texts import counted
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.packages.packages import PackedReport
    from annotator.services.packages.submissions import CollectReport, ReturnReport

WORK_SUFFIX: Final = ".work"
RETURN_SUFFIX: Final = ".done"


class PackageDialog(AskDialog):
    """Asks for assignee, number of tasks, and whether videos are included.

    ``n_assigned`` tells how many tasks a person has already.
    """

    def __init__(
        self,
        people: Sequence[Person],
        recipe: Recipe,
        n_assigned: Callable[[PersonId], int],
        parent: QWidget | None,
    ) -> None:
        super().__init__(
            _tr("Export work package"),
            _tr(
                "The tasks stay assigned to the person until you collect the submissions or "
                "unassign them on the board."
            ),
            parent,
        )
        self._n_assigned = cache(n_assigned)
        self.person = QComboBox()
        for person in sorted(people, key=lambda p: p.name.casefold()):
            if person.is_active:
                self.person.addItem(person.name, person.id)
        self.further = QSpinBox()
        self.further.setRange(0, 100_000)
        self.further.setValue(20)
        self.stage = QComboBox()
        self.stage.addItem(self.tr("any eligible stage"), None)
        stages = {s.key: s.title for t in recipe.task_types for s in t.stages}
        for key, title in stages.items():
            self.stage.addItem(title, key)
        self.media = QCheckBox(self.tr("Include the video files"))
        self.form.addRow(self.tr("&Person"), self.person)
        self.form.addRow(self.tr("&Additional tasks"), self.further)
        self.form.addRow(self.tr("&Stage"), self.stage)
        self.form.addRow("", self.media)
        self.allow(self.person.count() > 0)
        self.person.currentIndexChanged.connect(self._say)
        self.further.valueChanged.connect(self._say)
        self.media.toggled.connect(self._say)
        self._say()

    @Slot()
    def _say(self) -> None:
        """Say what the package will contain."""
        if self.person.currentData() is None:
            return
        n = self._n_assigned(PersonId(self.person.currentData()))
        tasks = counted(n, self.tr("1 assigned task"), self.tr("{n} assigned tasks"))
        text = self.tr("{name} gets {tasks} and up to {k} from the queue.")
        if not self.further.value():
            text = self.tr("{name} gets {tasks}.")
        parts = [text.format(name=self.person.currentText(), tasks=tasks, k=self.further.value())]
        if not self.media.isChecked():
            parts.append(self.tr("The same video files are needed on their computer."))
        self.show_outlook(" ".join(parts))


class PackageActions(QObject):
    """Handlers for work packages: the lead's two, and the rater's way back."""

    def __init__(self, workspace: Workspace, table: ActionTable, window: QWidget) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._window = window
        table.on("lead.package", self._export)
        table.on("lead.collect", self._collect)
        table.on("package.return", self._return)
        workspace.projectChanged.connect(self._offer)
        self._offer()

    @Slot()
    def _offer(self) -> None:
        """Offer the way back in projects that came out of a package."""
        from annotator.services.workflow.sent_packages import origin_of

        project = self._workspace.project
        came = project is not None and origin_of(project) is not None
        self._table.action("package.return").setVisible(came)

    def _export(self) -> None:
        from annotator.services.packages.packages import assigned_tasks, pack_tasks

        project = self._workspace.project
        if project is None:
            return
        work = project.work
        dialog = PackageDialog(
            work.people.all(),
            work.recipe,
            lambda person_id: len(assigned_tasks(project, person_id)),
            self._window,
        )
        if not dialog.ask():
            return
        name = f"{project.path.stem} {dialog.person.currentText()}"
        path = _ask_save(
            self._window, project.path.with_name(name + WORK_SUFFIX), _tr("Work packages")
        )
        if path is None:
            return
        person_id = PersonId(dialog.person.currentData())
        further, stage = dialog.further.value(), dialog.stage.currentData()
        with_media = dialog.media.isChecked()

        def pack(token: JobToken) -> PackedReport:
            return pack_tasks(
                project,
                path,
                person_id,
                n_tasks=further or None,
                stage=stage if further else None,
                with_media=with_media,
                on_progress=token.report,
            )

        self._workspace.start_job(_tr("Export work package"), pack, self._on_packed)

    def _on_packed(self, report: PackedReport) -> None:
        tasks = counted(report.n_tasks, _tr("1 task"), _tr("{n} tasks"))
        videos = counted(report.n_media, _tr("1 video"), _tr("{n} videos"))
        text = _tr("Exported {path}: {tasks} ({new} newly assigned), {videos} included.")
        text = text.format(path=report.path, tasks=tasks, new=report.n_new, videos=videos)
        missing = [
            Finding("missing-video", name, _tr("File not found.")) for name in report.without_media
        ]
        self._report(_tr("Export work package"), text, missing)

    def _collect(self) -> None:
        project = self._workspace.project
        if project is None:
            return
        filters = _tr("Submission files ({pattern});;All files (*)")
        filters = filters.format(pattern=f"*{RETURN_SUFFIX}")
        title = _tr("Collect submissions")
        files = ask_files(self._window, title, filters, project.path.parent)

        def work(token: JobToken) -> list[CollectReport | Finding]:
            reports: list[CollectReport | Finding] = []
            for number, path in enumerate(files):
                token.check()
                token.report(number / len(files), path.name)
                reports.append(_collected(project, path))
            return reports

        if files:
            self._workspace.start_job(_tr("Collect submissions"), work, self._on_collected)

    def _on_collected(self, reports: Sequence[CollectReport | Finding]) -> None:
        lines: list[str] = []
        findings: list[Finding] = []
        for report in reports:
            if isinstance(report, Finding):
                findings.append(report)
            else:
                new = counted(len(report.new), _tr("1 new submission"), _tr("{n} new submissions"))
                text = _tr("{file} from {person}: {new}, {known} already collected, {seal}.")
                name, person = report.path.name, report.person
                seal = _seal_text(report.seal.state)
                values = {"new": new, "known": report.n_known, "seal": seal}
                lines.append(text.format(file=name, person=person, **values))
                findings += [Finding("kept", task_id, why) for task_id, why in report.flagged]
                if report.seal.state is Signed.CHANGED:
                    text = _tr(
                        "The file is not signed with the accepted key of {person}. Ask {person} "
                        "whether they use another computer, and accept the new key then."
                    )
                    findings.append(Finding("key-changed", name, text.format(person=person)))
        self._report(_tr("Collect submissions"), "\n".join(lines), findings)
        new_keys = {
            report.person_id: report
            for report in reports
            if not isinstance(report, Finding) and report.seal.fingerprint
            if report.seal.state in (Signed.NEW_KEY, Signed.CHANGED)
        }
        for report in new_keys.values():
            self._ask_about(report)

    def _ask_about(self, report: CollectReport) -> None:
        """Ask whether the key of a person is accepted."""
        from annotator.services.packages.signatures import accept_key

        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(_tr("Accept key"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(
            _tr(
                "Accept this key of {person}? Later files with another key are marked then.\n\n"
                "{key}\n\n"
                "{person} sees the same text with “annotator team fingerprint”."
            ).format(person=report.person, key=report.seal.fingerprint)
        )
        accept = box.addButton(_tr("Accept"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(_tr("Not now"), QMessageBox.ButtonRole.RejectRole)

        def accepted() -> None:
            project = self._workspace.project
            if box.clickedButton() is accept and project is not None:
                accept_key(project, report.person_id, report.seal.fingerprint)

        box.finished.connect(accepted)
        box.open()

    def _return(self) -> None:
        from annotator.services.packages.submissions import pack_submissions

        project = self._workspace.project
        if project is None:
            return
        proposal = project.path.with_suffix(RETURN_SUFFIX)
        path = _ask_save(self._window, proposal, _tr("Submission files"))
        if path is None:
            return

        def done(report: ReturnReport) -> None:
            n = counted(report.n_submissions, _tr("1 submission"), _tr("{n} submissions"))
            text = _tr("Exported {path}: {n}. Send this file to the lead.")
            text = text.format(path=report.path, n=n)
            if report.n_open:
                one, many_tasks = (
                    _tr("1 task is not submitted yet."),
                    _tr("{n} tasks are not submitted yet."),
                )
                text += "\n" + counted(report.n_open, one, many_tasks)
            self._report(_tr("Export my submissions"), text, [])

        self._workspace.start_job(
            _tr("Export my submissions"), lambda _: pack_submissions(project, path), done
        )

    def _report(self, title: str, text: str, findings: Sequence[Finding]) -> None:
        ReportDialog(self._workspace.hub, title, text, findings, parent=self._window).open()


def start_opening(
    workspace: Workspace, window: QWidget, package: Path, opened: Callable[[Path], object]
) -> None:
    """Ask where the project of a work package goes, make it in the background and open it."""
    from annotator.services.packages.packages import PackageOpened, open_package

    title = _tr("Create project from work package")
    target = ask_new_project(window, title, package.with_suffix(".annot"))
    if target is None:
        return

    def work(token: JobToken) -> PackageOpened:
        return open_package(package, target, on_progress=token.report)

    def done(opened_package: PackageOpened) -> None:
        opened(opened_package.path)
        if opened_package.missing:
            many_missing = _tr(
                "{n} videos were not found next to the package. Locate the file of each video."
            )
            one = _tr("1 video was not found next to the package. Locate its file.")
            text = counted(len(opened_package.missing), one, many_missing)
            findings = [Finding("missing-video", "", path) for path in opened_package.missing]
            ReportDialog(
                workspace.hub, _tr("Open work package"), text, findings, parent=window
            ).open()

    workspace.start_job(_tr("Open work package"), work, done)


def _seal_text(state: Signed) -> str:
    """Return in words how a file is signed."""
    return {
        Signed.UNSIGNED: _tr("unsigned"),
        Signed.UNCHECKED: _tr("signature not checked"),
        Signed.NEW_KEY: _tr("signed with a new key"),
        Signed.ACCEPTED: _tr("signed"),
        Signed.CHANGED: _tr("key changed"),
    }[state]


def _collected(project: OpenProject, path: Path) -> CollectReport | Finding:
    """Collect one file; one that is refused does not keep the others from being collected."""
    from annotator.domain.errors import UserError
    from annotator.services.packages.submissions import collect

    try:
        return collect(project, path)
    except UserError as error:
        return Finding("refused", path.name, str(error), Severity.ERROR)


def _ask_save(parent: QWidget, proposal: Path, kind: str) -> Path | None:
    return ask_output(parent, kind, proposal, f"{kind} (*{proposal.suffix})")


def _tr(text: str) -> str:
    return QCoreApplication.translate("packages", text)
