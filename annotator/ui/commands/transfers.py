"""Import and export from the window: ask, work in the background, report with ways to the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, TimeoutError
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox, QWidget

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.transfer import (
    FORMATS,
    Again,
    ExportReport,
    FileImport,
    ImportedVideo,
    ImportRefusedError,
    OpenFile,
    snapshots,
    write_export,
)
from annotator.services.transfer.importing import model_of_file
from annotator.services.transfer.submitting import stages_after_import
from annotator.ui.actions.conditions import is_lead
from annotator.ui.dialogs import files
from annotator.ui.dialogs.project.entries import EntriesDialog
from annotator.ui.dialogs.project.export import ExportDialog
from annotator.ui.dialogs.project.import_as import ImportAsDialog
from annotator.ui.dialogs.project.report import ReportDialog
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.domain.proposals.predicted import Model
    from annotator.services.project.projects import OpenProject

T = TypeVar("T")

_ASK_FOR_STOP_EVERY_S: Final = 0.1


def start_export(desk: Desk, window: QWidget) -> None:
    """Ask what to export and where to, write it in the background, and report."""
    project = desk.project
    if project is None:
        return
    dialog = ExportDialog(project, window)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    if not is_accepted:
        return
    form = FORMATS[dialog.format.currentData()]
    if form.is_folder:
        path = files.ask_new_folder(window, _tr("Export annotations"), project.path.with_suffix(""))
    elif form.is_per_video and dialog.n_chosen > 1:
        folder = QFileDialog.getExistingDirectory(window, _tr("Export annotations"))
        path = Path(folder) if folder else None
    else:
        path = files.ask_export(window, project.path.with_suffix(form.suffix))
        path = path.with_suffix(form.suffix) if path is not None and not path.suffix else path
    if path is None:
        return
    request = dialog.request(path)
    items = snapshots(project, request.videos)

    def work(token: JobToken) -> ExportReport:
        return write_export(items, request, token)

    desk.start_job(_tr("Export"), work, lambda report: show_export(desk, window, report))


def show_export(desk: Desk, window: QWidget, report: ExportReport) -> ReportDialog:
    """Say what was written and what is worth a look."""
    boxes = sum(v.n_boxes for v in report.videos)
    tracks = sum(v.n_tracks for v in report.videos)
    segments = sum(v.n_segments for v in report.videos)
    questions = sum(v.n_questions for v in report.videos)
    proved = sum(1 for v in report.videos if v.proof is not None and v.proof.is_proved)
    points = sum(v.n_points for v in report.videos)
    parts = (
        counted(len(report.videos), _tr("1 video"), _tr("{n} videos")),
        counted(tracks, _tr("1 object"), _tr("{n} objects")),
        counted(boxes, _tr("1 box"), _tr("{n} boxes")),
        counted(points, _tr("1 point"), _tr("{n} points")),
        counted(segments, _tr("1 segment"), _tr("{n} segments")),
        counted(questions, _tr("1 question"), _tr("{n} questions")),
    )
    text = _tr("Exported {path}: {what}.").format(path=report.path, what=", ".join(parts))
    text += "\n" + _tr("Frame numbers verified with OpenCV for {n} of {all} videos.").format(
        n=proved, all=len(report.videos)
    )
    if not report.is_sound:
        text += "\n" + _tr("Some records violate the format; see the list.")
    return _report(desk, window, _tr("Export"), text, report.findings)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file whose check has ended: ready to be brought in, or refused for its bad records."""

    file: FileImport
    refusal: ImportRefusedError | None


@dataclass(frozen=True, slots=True)
class _Choice:
    """Choice for an import: submissions whose tasks go on at ``stage``, proposals of ``model``,
    else drafts.
    """

    stage: str = ""
    model: Model | None = None


class Import:
    """One import: checked and read in the background, brought in video by video on the main thread.

    ``done`` is called when the project has changed.
    """

    def __init__(
        self,
        desk: Desk,
        window: QWidget,
        done: Callable[[], None],
        *,
        is_of_model: bool = False,
    ) -> None:
        """``is_of_model``: the usual choice is to import proposals, whatever the file holds."""
        self._is_of_model = is_of_model
        self._desk = desk
        self._window = window
        self._done = done
        self._again: Again | None = None
        self._choice = _Choice()
        self._is_submitted = False

    def start(
        self,
        path: Path,
        *,
        entries: Mapping[str, str] | None = None,
        keep_going: bool = False,
        chosen: _Choice | None = None,
    ) -> None:
        """Check the file; bad records are shown, and left out only if the person says so.

        ``entries`` says which entry goes to which video; it is asked for where that is not clear.
        """
        project = self._desk.project
        if project is None:
            return
        self._desk.start_job(
            _tr("Import"),
            lambda _: OpenFile(path),
            lambda opened: self._on_opened(project, opened, entries, keep_going, chosen),
            unwanted=lambda opened: opened.source.close(),
        )

    def _on_opened(
        self,
        project: OpenProject,
        opened: OpenFile,
        entries: Mapping[str, str] | None,
        keep_going: bool,
        choice: _Choice | None,
    ) -> None:
        if self._desk.project is not project:
            opened.source.close()
            return
        choice = choice or self._ask_how(project, opened)
        if choice is None:
            opened.source.close()
            return
        self._choice = choice
        try:
            file = FileImport(project, opened, entries or (), model=choice.model)
        except UserError as error:
            self._desk.failed.emit(error)
            return
        unclear = [] if entries else file.without_video()
        if unclear:
            file.close()
            chosen = self._ask_entries(project, file.names, unclear)
            if chosen:
                self.start(opened.path, entries=chosen, keep_going=keep_going, chosen=choice)
            return
        self._check(file, entries, keep_going)

    def _check(self, file: FileImport, entries: Mapping[str, str] | None, keep_going: bool) -> None:
        def work(token: JobToken) -> _Checked:
            try:
                file.check(token, keep_going=keep_going)
            except ImportRefusedError as refusal:
                return _Checked(file, refusal)
            except BaseException:
                file.close()
                raise
            return _Checked(file, None)

        self._desk.start_job(
            _tr("Import"),
            work,
            lambda checked: self._on_checked(checked, entries),
            unwanted=lambda checked: checked.file.close(),
        )

    def _ask_entries(
        self, project: OpenProject, names: Sequence[str], unclear: Sequence[str]
    ) -> dict[str, str]:
        """Return the video of each entry that is wanted; "" where it has the entry's name."""
        dialog = EntriesDialog(unclear, [v.name for v in project.videos()], self._window)
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.chosen() if is_accepted else {}
        dialog.deleteLater()
        if not is_accepted:
            return {}
        clear = dict.fromkeys((n for n in names if n not in unclear), "")
        if not chosen and not clear:
            self._desk.said.emit(_tr("Nothing was imported because no entry has a video."))
        return {**clear, **chosen}

    def _on_checked(self, checked: _Checked, entries: Mapping[str, str] | None) -> None:
        refusal = checked.refusal
        if refusal is None:
            self._bring_in(checked.file)
            return
        checked.file.close()
        if self._ask_keep_going(refusal):
            self.start(checked.file.path, entries=entries, keep_going=True, chosen=self._choice)

    def _bring_in(self, file: FileImport) -> None:
        project = self._desk.project
        if project is None:
            file.close()
            return
        post = self._desk.bridge.post
        videos: list[ImportedVideo] = []
        stage = self._choice.stage
        self._is_submitted = bool(stage)

        def submitted(token: JobToken) -> list[ImportedVideo]:
            return project.aside(lambda: file.submit(project, token, stage))

        def work(token: JobToken) -> None:
            try:
                with file:
                    if stage:
                        videos.extend(_on_main_thread(post, partial(submitted, token), token))
                        return
                    steps = (
                        file.prediction_steps(project, token)
                        if file.model is not None
                        else file.steps(project, token, self._ask_again)
                    )
                    for step in steps:
                        videos.extend(_on_main_thread(post, step, token))
            finally:
                # What came in before a stop or an error is in the project, and is told.
                post(lambda: self._finish(project, file, videos))

        self._desk.start_job(_tr("Import"), work, lambda _: None)

    def _ask_how(self, project: OpenProject, opened: OpenFile) -> _Choice | None:
        """Return what the import becomes; None where nothing is to be imported.

        Annotation without scores in a project without stages needs no question.
        """
        stages = stages_after_import(project) if is_lead(self._desk) else []
        has_scores = opened.source.has_scores or self._is_of_model
        if not stages and not has_scores:
            return _Choice()
        dialog = ImportAsDialog(
            stages, opened.path.stem, has_scores=has_scores, parent=self._window
        )
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        choice = _Choice(dialog.stage())
        if dialog.proposals.isChecked():
            model = model_of_file(opened.path, dialog.model.text(), dialog.version.text())
            choice = _Choice(model=model)
        dialog.deleteLater()
        return choice if is_accepted else None

    def _finish(self, project: OpenProject, file: FileImport, videos: list[ImportedVideo]) -> None:
        if self._desk.project is not project:
            return
        self._done()
        session = self._desk.session
        if file.model is not None and session is not None:
            project.offer_predictions(session)
        is_drawn = file.model is None and not self._is_submitted
        if videos and self._desk.stage is None and is_drawn:
            self._desk.open_task(videos[0].task_id)
        n_segments = sum(v.n_segments for v in videos)
        parts = (
            counted(len(videos), _tr("1 video"), _tr("{n} videos")),
            counted(sum(v.n_tracks for v in videos), _tr("1 object"), _tr("{n} objects")),
            counted(sum(v.n_points for v in videos), _tr("1 point"), _tr("{n} points")),
            counted(n_segments, _tr("1 segment"), _tr("{n} segments")),
        )
        text = _tr("Imported {path}: {what}.").format(path=file.path, what=", ".join(parts))
        known = sum(v.n_known for v in videos)
        if known:
            many = _tr("{n} records were already imported.")
            text += "\n" + counted(known, _tr("1 record was already imported."), many)
        _report(self._desk, self._window, _tr("Import"), text, file.findings)

    def _ask_again(self, n_known: int) -> Again:
        """Ask once for a file what becomes of what was imported before; to leave it is safe."""
        if self._again is not None:
            return self._again
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(_tr("Import"))
        many = _tr("{n} records of this file were already imported.")
        box.setText(counted(n_known, _tr("1 record of this file was already imported."), many))
        box.setInformativeText(
            _tr(
                "Keep the existing records with all edits, or replace them with the records "
                "of the file?"
            )
        )
        leave = box.addButton(_tr("Keep existing"), QMessageBox.ButtonRole.AcceptRole)
        replaced = box.addButton(_tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        both = box.addButton(_tr("Keep both"), QMessageBox.ButtonRole.ActionRole)
        box.setDefaultButton(leave)
        box.setEscapeButton(leave)
        box.exec()
        clicked = box.clickedButton()
        again = Again.REPLACE if clicked is replaced else Again.SKIP
        self._again = again = Again.BOTH if clicked is both else again
        box.deleteLater()
        return again

    def _ask_keep_going(self, refusal: ImportRefusedError) -> bool:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(_tr("Import"))
        many = _tr("Cannot import {n} records of this file because they are invalid.")
        one = _tr("Cannot import 1 record of this file because it is invalid.")
        box.setText(counted(len(refusal.findings), one, many))
        box.setDetailedText("\n".join(str(f) for f in refusal.findings))
        go = None
        if refusal.has_valid_records:
            box.setInformativeText(
                _tr("Nothing has been imported yet. Import only the valid records?")
            )
            go = box.addButton(_tr("Import valid records"), QMessageBox.ButtonRole.AcceptRole)
            box.addButton(QMessageBox.StandardButton.Cancel)
        else:
            box.setInformativeText(_tr("The file has no valid records. Nothing was imported."))
            box.addButton(QMessageBox.StandardButton.Close)
        box.exec()
        is_yes = go is not None and box.clickedButton() is go
        box.deleteLater()
        return is_yes


def _on_main_thread(
    post: Callable[[Callable[[], object]], object], step: Callable[[], T], token: JobToken
) -> T:
    """Have a job's step done on the main thread and wait for it; leaves when it is to stop."""
    done: Future[T] = Future()

    def run() -> None:
        if not done.set_running_or_notify_cancel():
            return
        try:
            done.set_result(step())
        except UserError as error:
            done.set_exception(error)
        finally:
            if not done.done():
                done.set_exception(RuntimeError("a step of the job broke"))

    post(run)
    while True:
        try:
            return done.result(_ASK_FOR_STOP_EVERY_S)
        except TimeoutError:
            if token.is_cancelled and done.cancel():
                token.check()


def _report(
    desk: Desk, window: QWidget, title: str, text: str, findings: Sequence[Finding]
) -> ReportDialog:
    worst_first = sorted(findings, key=lambda f: f.severity is not Severity.ERROR)

    def jump(finding: Finding) -> None:
        session, stage = desk.session, desk.stage
        if session is None or stage is None or finding.track_id is None:
            return
        if session.document.find_track(finding.track_id) is None:
            desk.said.emit(_tr("This object is in another video."))
            return
        desk.selection.set_tracks([finding.track_id])
        if finding.frame is not None:
            stage.player.seek(finding.frame)

    dialog = ReportDialog(desk.hub, title, text, worst_first, jump=jump, parent=window)
    dialog.open()
    return dialog


def _tr(text: str) -> str:
    return QCoreApplication.translate("transfers", text)
