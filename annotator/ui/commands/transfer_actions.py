"""Import and export from the window: ask, work in the background, report with ways to the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, TimeoutError
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog, QWidget

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError, UserError
from annotator.services.background.jobs import JobToken
from annotator.services.transfer import (
    FORMATS,
    ExportReport,
    FileImport,
    ImportedVideo,
    OpenFile,
    snapshots,
    write_export,
)
from annotator.services.transfer.imports.file_import import model_of_file
from annotator.services.transfer.imports.import_sources import TableColumns, table_columns
from annotator.services.transfer.imports.import_submission import stages_after_import
from annotator.ui.actions.conditions import is_lead
from annotator.ui.dialogs import file_dialogs
from annotator.ui.dialogs.project.export_dialog import ExportDialog
from annotator.ui.dialogs.project.import_plan_dialog import ImportChoice, ImportPlanDialog
from annotator.ui.dialogs.project.import_questions import ColumnsDialog, EntriesDialog
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.look.texts import counted
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

T = TypeVar("T")

_ASK_FOR_STOP_EVERY_S: Final = 0.1


def start_export(workspace: Workspace, window: QWidget) -> None:
    """Ask for contents and file, export in the background, and report."""
    project = workspace.project
    if project is None:
        return
    dialog = ExportDialog(project, window)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    if not is_accepted:
        return
    form = FORMATS[dialog.format.currentData()]
    if form.is_folder:
        path = file_dialogs.ask_new_folder(
            window, _tr("Export annotations"), project.path.with_suffix("")
        )
    elif form.is_per_video and dialog.n_chosen > 1:
        title = _tr("Export annotations")
        path = file_dialogs.ask_folder(window, title, beside=project.path.parent)
    else:
        proposal = project.path.with_suffix(form.suffix)
        path = file_dialogs.ask_export(window, proposal, form.title)
        path = path.with_suffix(form.suffix) if path is not None and not path.suffix else path
    if path is None:
        return
    request = dialog.request(path)
    items = snapshots(project, request.videos)

    def work(token: JobToken) -> ExportReport:
        return write_export(items, request, token)

    workspace.start_job(_tr("Export"), work, lambda report: show_export(workspace, window, report))


def start_rendering(workspace: Workspace, window: QWidget) -> None:
    """Ask which images and clips to write and where to, write them, and report."""
    from annotator.services.transfer.media_sets.rendering import Rendered, render_items
    from annotator.ui.dialogs.project.render_dialog import RenderDialog

    project = workspace.project
    if project is None:
        return
    dialog = RenderDialog(project, window)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    wish = dialog.wish()
    dialog.deleteLater()
    title = _tr("Export images and clips")
    proposal = project.path.with_name(f"{project.path.stem} images")
    folder = file_dialogs.ask_new_folder(window, title, proposal) if is_accepted else None
    if folder is None:
        return
    items = snapshots(project, wish.videos)

    def done(rendered: Rendered) -> None:
        words = {
            "frames": (_tr("1 frame"), _tr("{n} frames")),
            "crops": (_tr("1 object"), _tr("{n} objects")),
            "clips": (_tr("1 clip"), _tr("{n} clips")),
            "overlay": (_tr("1 video"), _tr("{n} videos")),
        }
        counts_text = ", ".join(counted(n, *words[kind]) for kind, n in rendered.counts.items())
        text = _tr("Exported {path}: {what}.").format(path=folder, what=counts_text)
        _report(workspace, window, title, text, rendered.findings)

    workspace.start_job(title, lambda token: render_items(items, folder, wish, token), done)


def show_export(workspace: Workspace, window: QWidget, report: ExportReport) -> ReportDialog:
    """Show the result of an export with its issues."""
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
    return _report(workspace, window, _tr("Export"), text, report.findings)


class Import:
    """One import: read and checked in the background, shown as a plan, then brought in video by
    video on the main thread.

    ``done`` is called when the project has changed.
    """

    def __init__(
        self,
        workspace: Workspace,
        window: QWidget,
        done: Callable[[], None],
        *,
        is_of_model: bool = False,
    ) -> None:
        """``is_of_model``: the usual choice is to import proposals, whatever the file holds."""
        self._is_of_model = is_of_model
        self._workspace = workspace
        self._window = window
        self._done = done
        self._choice = ImportChoice()
        self._stages: list[tuple[str, str]] = []

    def start(
        self,
        path: Path,
        *,
        entries: Mapping[str, str] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        """Read the file and show its import plan.

        ``entries`` says which entry goes to which video, and ``columns`` which column of a table
        holds what; both are asked for where that is not clear.
        """
        project = self._workspace.project
        if project is None:
            return

        def work(_: JobToken) -> OpenFile | _Unclear:
            try:
                return OpenFile(path, columns=columns)
            except ExchangeError as error:
                table_names = table_columns(path)
                if table_names is None:
                    raise
                return _Unclear(table_names, str(error))

        self._workspace.start_job(
            _tr("Import"),
            work,
            lambda opened: self._on_opened(project, path, opened, entries),
            unwanted=_close,
        )

    def _on_opened(
        self,
        project: OpenProject,
        path: Path,
        opened: OpenFile | _Unclear,
        entries: Mapping[str, str] | None,
    ) -> None:
        if self._workspace.project is not project:
            _close(opened)
            return
        if isinstance(opened, _Unclear):
            self._ask_columns(path, opened.columns, opened.reason)
            return
        self._stages = stages_after_import(project) if is_lead(self._workspace) else []
        try:
            file = FileImport(project, opened, entries or ())
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        unclear = [] if entries else file.without_video()
        if unclear:
            file.close()
            chosen = self._ask_entries(project, file.names, unclear)
            if chosen:
                self.start(path, entries=chosen, columns=opened.columns)
            return
        if opened.source.has_scores or self._is_of_model:
            self._choice = ImportChoice(model=path.stem)
        elif self._stages:
            self._choice = ImportChoice(stage=self._stages[0][0])
        self._check(opened, file, is_shown=True)

    def _check(self, opened: OpenFile, file: FileImport, *, is_shown: bool) -> None:
        """Make the plan for the choice. It is shown, or else only where more is invalid now."""
        choice = self._choice
        before = sum(video_plan.n_invalid for video_plan in file.plan)
        file.model = (
            model_of_file(file.path, choice.model, choice.version)
            if choice.model is not None
            else None
        )
        file.adjust(is_thinned=choice.is_thinned, is_open=choice.is_open)

        def work(token: JobToken) -> FileImport:
            try:
                file.check(token, keep_going=True)
            except BaseException:
                file.close()
                raise
            return file

        def checked(file: FileImport) -> None:
            is_worse = sum(video_plan.n_invalid for video_plan in file.plan) > before
            if is_shown or is_worse:
                self._show(opened, file)
            else:
                self._bring_in(file)

        self._workspace.start_job(_tr("Import"), work, checked, unwanted=lambda file: file.close())

    def _show(self, opened: OpenFile, file: FileImport) -> None:
        """Show the plan and continue with the choice."""
        dialog = ImportPlanDialog(
            f"{file.path.name}: {opened.form.title}",
            file.plan,
            file.findings,
            self._stages,
            self._choice,
            model=file.path.stem,
            has_keyframes=opened.form.read is not None and "boxes" in opened.form.holds,
            has_columns=bool(opened.form.fields),
            parent=self._window,
        )
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen, before = dialog.choice(), self._choice
        wants_columns = dialog.wants_columns
        dialog.deleteLater()
        if not is_accepted:
            file.close()
            columns = table_columns(file.path) if wants_columns else None
            if columns is not None:
                self._ask_columns(file.path, columns, "")
            return
        self._choice = chosen
        # Another kind of import may skip other records; thinned tracks are read anew.
        is_other = (chosen.model is None) != (before.model is None)
        if is_other or (chosen.model, chosen.version) != (before.model, before.version):
            self._check(opened, file, is_shown=False)
        else:
            file.adjust(is_thinned=chosen.is_thinned, is_open=chosen.is_open)
            self._bring_in(file)

    def _ask_columns(self, path: Path, found: TableColumns, reason: str) -> None:
        dialog = ColumnsDialog(
            found.names, found.rows, found.fields, found.guessed, reason, self._window
        )
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.chosen()
        dialog.deleteLater()
        if is_accepted:
            self.start(path, columns=chosen)

    def _ask_entries(
        self, project: OpenProject, names: Sequence[str], unclear: Sequence[str]
    ) -> dict[str, str]:
        """Return the video of each selected entry; "" if it has the entry's name."""
        dialog = EntriesDialog(unclear, [v.name for v in project.videos()], self._window)
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.chosen() if is_accepted else {}
        dialog.deleteLater()
        if not is_accepted:
            return {}
        clear = dict.fromkeys((n for n in names if n not in unclear), "")
        if not chosen and not clear:
            self._workspace.message.emit(_tr("Nothing was imported because no entry has a video."))
        return {**clear, **chosen}

    def _bring_in(self, file: FileImport) -> None:
        project = self._workspace.project
        if project is None:
            file.close()
            return
        post = self._workspace.bridge.post
        videos: list[ImportedVideo] = []
        choice = self._choice

        def submitted(token: JobToken) -> list[ImportedVideo]:
            return project.background(lambda: file.submit(project, token, choice.stage))

        def work(token: JobToken) -> None:
            try:
                with file:
                    if choice.stage:
                        videos.extend(_on_main_thread(post, partial(submitted, token), token))
                        return
                    steps = (
                        file.prediction_steps(project, token)
                        if file.model is not None
                        else file.steps(project, token, lambda _: choice.again)
                    )
                    for step in steps:
                        videos.extend(_on_main_thread(post, step, token))
            finally:
                # Entries imported before a stop or an error are kept and reported.
                post(lambda: self._finish(project, file, videos))

        self._workspace.start_job(_tr("Import"), work, lambda _: None)

    def _finish(self, project: OpenProject, file: FileImport, videos: list[ImportedVideo]) -> None:
        if self._workspace.project is not project:
            return
        self._done()
        session = self._workspace.session
        if file.model is not None and session is not None:
            project.offer_predictions(session)
        is_drawn = file.model is None and not self._choice.stage
        if videos and self._workspace.stage is None and is_drawn:
            self._workspace.open_task(videos[0].task_id)
        n_segments = sum(v.n_segments for v in videos)
        parts = (
            counted(len(videos), _tr("1 video"), _tr("{n} videos")),
            counted(sum(v.n_tracks for v in videos), _tr("1 object"), _tr("{n} objects")),
            counted(sum(v.n_points for v in videos), _tr("1 point"), _tr("{n} points")),
            counted(n_segments, _tr("1 segment"), _tr("{n} segments")),
        )
        text = _tr("Imported {path}: {what}.").format(path=file.path, what=", ".join(parts))
        n_known = sum(v.n_known for v in videos)
        if n_known:
            known_text = _tr("{n} records were already imported.")
            text += "\n" + counted(n_known, _tr("1 record was already imported."), known_text)
        _report(self._workspace, self._window, _tr("Import"), text, file.findings)


@dataclass(frozen=True, slots=True)
class _Unclear:
    """A table that needs a mapping of its columns, with the reason."""

    columns: TableColumns
    reason: str


def _close(opened: OpenFile | _Unclear) -> None:
    if not isinstance(opened, _Unclear):
        opened.source.close()


def _on_main_thread(
    post: Callable[[Callable[[], object]], object], step: Callable[[], T], token: JobToken
) -> T:
    """Have a job's step done on the main thread and wait for it; leaves when it is to stop."""
    outcome: Future[T] = Future()

    def run() -> None:
        if not outcome.set_running_or_notify_cancel():
            return
        try:
            outcome.set_result(step())
        except UserError as error:
            outcome.set_exception(error)
        finally:
            if not outcome.done():
                outcome.set_exception(RuntimeError("a step of the job broke"))

    post(run)
    while True:
        try:
            return outcome.result(_ASK_FOR_STOP_EVERY_S)
        except TimeoutError:
            if token.is_canceled and outcome.cancel():
                token.check()


def _report(
    workspace: Workspace, window: QWidget, title: str, text: str, findings: Sequence[Finding]
) -> ReportDialog:
    worst_first = sorted(findings, key=lambda f: f.severity is not Severity.ERROR)

    def jump(finding: Finding) -> None:
        session, stage = workspace.session, workspace.stage
        if session is None or stage is None:
            return
        if not workspace.selection.set_subject(finding, session.document):
            if finding.track_id is not None or finding.point_id is not None:
                workspace.message.emit(_tr("This object was deleted or is in another video."))
            return
        if finding.frame is not None:
            stage.player.seek(finding.frame)

    dialog = ReportDialog(workspace.hub, title, text, worst_first, jump=jump, parent=window)
    dialog.open()
    return dialog


def _tr(text: str) -> str:
    return QCoreApplication.translate("transfers", text)
