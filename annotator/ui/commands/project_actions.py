"""The menu File: opening and making projects, their videos and tasks, import and export."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from annotator import paths
from annotator.domain.errors import ProjectError, UserError
from annotator.domain.ids import VideoId
from annotator.services.background.jobs import JobToken
from annotator.services.project.backup import DamagedError, backups, restore
from annotator.services.project.projects import AddReport, create_project, open_project
from annotator.ui.actions.table import ActionTable
from annotator.ui.dialogs import file_dialogs
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import tip as plain_tip
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.checks import Finding
    from annotator.ui.work.tasks_panel import TasksPanel


class ProjectActions(QObject):
    """Handlers of the menu File; ``opened`` is sent for a newly opened project."""

    opened = Signal()

    _addingStopped = Signal(object)  # AddReport

    def __init__(self, workspace: Workspace, table: ActionTable, window: QWidget) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._window = window
        self._tasks: TasksPanel | None = None
        workspace.projectChanged.connect(self._on_project_changed)
        self._addingStopped.connect(self._on_adding_stopped)
        on = table.on
        on("project.new", self._new)
        on("project.open", self._open)
        on("project.demo", self._open_demo)
        on("project.copy", self._save_copy)
        on("project.team", self._set_up_team)
        on("project.save", self._tell_saved)
        on("video.add", self.add_videos)
        on("video.locate", self._locate)
        on("file.import", self._import)
        on("file.import-predictions", partial(self._import, is_of_model=True))
        on("file.export", self._export)
        on("file.render", self._render)

    def take_tasks(self, tasks: TasksPanel) -> None:
        """Keep the list of tasks, which is built late, up to date with the videos."""
        self._tasks = tasks
        tasks.addWanted.connect(self.add_videos)

    # Projects

    def open_path(self, path: Path) -> bool:
        """Open a project file in this window; the one that is open stays when that fails."""
        current = self._workspace.project
        if current is not None and current.path == path.resolve():
            return True
        if self._is_busy():
            return False
        try:
            project = open_project(
                path, jobs=self._workspace.jobs, background=self._workspace.background
            )
        except DamagedError as error:
            return self._offer_backups(path, error)
        except UserError as error:
            self._workspace.settings.forget_recent(path)
            self._workspace.failed.emit(error)
            return False
        self._workspace.take_project(project)
        self._workspace.settings.add_recent(project.path)
        self.opened.emit()
        return True

    def add_recent_menu(self, menu: QMenu) -> None:
        """Put the list of recent projects into the menu, and that of demos."""
        recent = QMenu(self.tr("Open recent"), menu)
        recent.aboutToShow.connect(partial(self._fill_recent, recent))
        before = menu.actions()[2]
        menu.insertMenu(before, recent)
        demos = QMenu(self.tr("Open benchmark demo"), menu)
        demos.aboutToShow.connect(partial(self._fill_demos, demos))
        menu.insertMenu(menu.actions()[4], demos)

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in self._workspace.settings.recent:
            action = menu.addAction(path.stem)
            action.setToolTip(plain_tip(str(path)))
            action.triggered.connect(partial(self.open_path, path))
        menu.setToolTipsVisible(True)
        menu.setEnabled(True)
        if menu.isEmpty():
            menu.addAction(self.tr("No recent projects")).setEnabled(False)

    def _fill_demos(self, menu: QMenu) -> None:
        from annotator.services.demo.demo_story import demos

        menu.clear()
        for name, title in demos().items():
            menu.addAction(title).triggered.connect(partial(self._open_demo, name))

    def open_file(self, path: Path) -> None:
        """Open a project, a work package or an invitation that was chosen by the person."""
        if path.suffix == ".annot-invite":
            from annotator.ui.work.shared.hub_exchange import start_joining

            try:
                start_joining(self._workspace, self._window, path, self.open_path)
            except UserError as error:
                self._workspace.failed.emit(error)
        elif path.suffix == ".work":
            from annotator.ui.lead.setup.package_actions import start_opening

            start_opening(self._workspace, self._window, path, self.open_path)
        else:
            self.open_path(path)

    def add_dropped(self, dropped: list[Path]) -> None:
        """Add videos and folders to the project; without one a new project is made of them."""
        project = self._workspace.project
        if project is None:
            self._new(dropped)
        elif project.is_read_only:
            self._workspace.message.emit(self.tr("Cannot add videos: the project is read-only."))
        elif any(path.is_dir() for path in dropped):
            self.add_sources(dropped, None)
        else:
            self.add_files(dropped)

    def import_file(self, path: Path, *, is_of_model: bool = False) -> None:
        """Import a file of annotations into the project; ``is_of_model``: as proposals."""
        from annotator.ui.commands.transfer_actions import Import

        project = self._workspace.project
        if project is None or project.is_read_only:
            self._workspace.message.emit(self.tr("Open a project to import annotations into it."))
        else:
            work = Import(
                self._workspace, self._window, self._reload_tasks, is_of_model=is_of_model
            )
            work.start(path)

    def _new(self, videos: Sequence[Path] = ()) -> None:
        from annotator.ui.lead.setup.new_project import NewProjectDialog

        if self._is_busy():
            return
        dialog = NewProjectDialog(self._workspace, self._folder(), self._window)
        if videos:
            dialog.add_videos(list(videos))
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        if not is_accepted:
            return
        new_project = dialog.result_value()
        project = create_project(
            new_project.path,
            title=new_project.title,
            recipe=new_project.recipe if new_project.recipe_text is None else None,
            jobs=self._workspace.jobs,
            background=self._workspace.background,
        )
        if new_project.recipe is not None:
            from annotator.ui.lead.setup.new_project import add_people_of_recipe

            add_people_of_recipe(self._workspace, self._window, project, new_project)
        self._workspace.take_project(project)
        if new_project.recipe is not None and project.work.me is not None:
            self._workspace.sign_in(project.work.me.id)
        self._workspace.settings.add_recent(project.path)
        self.opened.emit()
        if new_project.is_simple and new_project.videos:
            self.add_files(list(new_project.videos), grid_step=new_project.grid_step)
        elif new_project.videos or new_project.table is not None:
            self.add_sources(new_project.videos, new_project.table, grid_step=new_project.grid_step)

    def _open(self) -> None:
        path = file_dialogs.ask_project(self._window, self._folder())
        if path is not None:
            self.open_file(path)

    @Slot()
    def _open_demo(self, name: str = "") -> None:
        """Open a demo: that of the first day, or of a benchmark by the name of its recipe."""
        folder = paths.data_dir() / (f"demo-{name}" if name else "demo")

        def work(token: JobToken) -> Path:
            if not name:
                from annotator.services.demo.first_demo import create_demo

                return create_demo(folder)
            from annotator.services.demo.demo_project import make_demo

            return make_demo(name, folder, token.follow(""))

        self._workspace.start_job(self.tr("Create demo project"), work, self.open_path)

    def _tell_saved(self) -> None:
        """Answer the habit of saving: there is never anything to save."""
        session = self._workspace.session
        at = session.last_saved_at if session is not None else None
        text = self.tr("All edits are saved.")
        if at is not None:
            text = self.tr("All edits are saved; the last one at {time}.").format(
                time=at.astimezone().strftime("%H:%M:%S")
            )
        self._workspace.message.emit(text)

    def _save_copy(self) -> None:
        project = self._workspace.project
        if project is None:
            return
        proposal = project.path.with_name(f"{project.path.stem} copy{project.path.suffix}")
        path = file_dialogs.ask_copy(self._window, proposal)
        if path is None:
            return

        def done(copy: Path) -> None:
            self._workspace.message.emit(self.tr("Saved as {name}").format(name=copy.name))

        self._workspace.start_job(self.tr("Save a copy"), lambda _: project.save_copy(path), done)

    def _set_up_team(self) -> None:
        """Go from a project of one person to one with stages and people."""
        from annotator.ui.lead.setup.team_setup import set_up_team

        if not self._is_busy():
            set_up_team(self._workspace, self._window, self.open_path)

    def _offer_backups(self, path: Path, error: ProjectError) -> bool:
        from annotator.ui.dialogs.project.backup_dialog import BackupsDialog

        # At the start it is not shown yet; a dialog that is the only window ends the program.
        window = self._window
        window.show()
        dialog = BackupsDialog(path, error.text, backups(path), window)
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        chosen = dialog.chosen() if is_accepted else None
        dialog.deleteLater()
        if chosen is None:
            return False
        try:
            restore(path, chosen)
        except UserError as refusal:
            self._workspace.failed.emit(refusal)
            return False
        return self.open_path(path)

    # Videos

    @Slot()
    def add_videos(self) -> None:
        """Ask for videos and add them in the background."""
        paths_chosen = file_dialogs.ask_videos(self._window, self._folder())
        if paths_chosen:
            self.add_files(paths_chosen)

    def add_files(self, chosen: list[Path], *, grid_step: int | None = None) -> None:
        """Add video files in the background; ``grid_step`` as for `OpenProject.add_videos`."""
        project = self._workspace.project
        if project is None:
            return

        def work(token: JobToken) -> AddReport:
            return project.add_videos(
                chosen,
                grid_step=grid_step,
                on_progress=token.report,
                is_canceled=lambda: token.is_canceled,
            )

        # Stopped half-way, too, what was added before is there to be seen. As a signal, since that
        # may be told on the thread of the work when the window closes.
        stopped = self._addingStopped.emit
        self._workspace.start_job(
            self.tr("Add videos"), work, self._on_videos_added, unwanted=stopped
        )

    def add_sources(
        self, sources: Sequence[Path], table: Path | None, *, grid_step: int | None = None
    ) -> None:
        """Add the videos of folders and lists, with a metadata table."""
        from annotator.ui.lead.setup.bulk_import import start_adding

        window, done = self._window, self._after_adding
        start_adding(self._workspace, window, sources, table, done, grid_step=grid_step)

    def add_many(self) -> None:
        """Ask for folders, lists and a table, and add them in the background."""
        from annotator.ui.lead.setup.bulk_import import AddDialog

        dialog = AddDialog(self._workspace, self._folder(), self._window)
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.facts.forget()
        dialog.deleteLater()
        if is_accepted:
            self.add_sources(dialog.sources.paths(), dialog.facts.path)

    @Slot(object)
    def _on_adding_stopped(self, report: AddReport) -> None:
        if report.added and self._workspace.project is not None:
            self._on_videos_added(report)

    def _after_adding(self) -> None:
        """Show the new videos; where nothing was open, the first of them."""
        self._reload_tasks()
        project = self._workspace.project
        if project is not None:
            project.listen_later()
        if project is not None and self._workspace.stage is None and not self._workspace.has_people:
            tasks = project.tasks()
            if tasks:
                self._workspace.open_task(tasks[0].id)
            else:
                self._workspace.projectChanged.emit()

    def _on_videos_added(self, report: AddReport) -> None:
        self._after_adding()
        many = self.tr("{n} videos added.")
        parts = [counted(len(report.added), self.tr("1 video added."), many)]
        if report.known:
            many = self.tr("{n} were already in the project.")
            one = self.tr("1 was already in the project.")
            parts.append(counted(len(report.known), one, many))
        if not report.failed:
            self._workspace.message.emit(" ".join(parts))
            return
        from annotator.domain.checks import Finding

        parts.append(self.tr("{n} could not be added:").format(n=len(report.failed)))
        findings = [Finding("not-added", "", text) for _, text in report.failed]
        self._show_report(self.tr("Add videos"), " ".join(parts), findings)

    def _locate(self) -> None:
        project, session = self._workspace.project, self._workspace.session
        if project is None or session is None:
            return
        video, task_id = self._workspace.lacking or session.document.video, self._workspace.task_id
        title = self.tr("Locate “{name}”").format(name=video.name)
        path = file_dialogs.ask_video(self._window, title, self._folder())
        if path is None or task_id is None:
            return

        def done(_: object) -> None:
            self._reload_tasks()
            self._workspace.open_task(task_id)

        work = self.tr("Verify video")
        self._workspace.start_job(
            work, lambda token: project.locate(video.id, path, token.follow(video.name)), done
        )

    @Slot()
    def _on_project_changed(self) -> None:
        if self._workspace.project is not None:
            self._workspace.project.videos_found.add(self._on_videos_found)
            self._workspace.project.video_heard.add(self._on_video_heard)

    def _on_video_heard(self, _: VideoId) -> None:
        self._reload_tasks()

    def _on_videos_found(self, found: tuple[VideoId, ...]) -> None:
        """Open the waiting task again after its missing video was found."""
        self._reload_tasks()
        stage, task_id = self._workspace.stage, self._workspace.task_id
        if stage is None or task_id is None:
            return
        missing = [self._workspace.lacking] if self._workspace.lacking is not None else []
        if stage.is_missing:
            missing.append(stage.session.document.video)
        if any(video.id in found for video in missing):
            self._workspace.open_task(task_id)

    # Import and export

    def _import(self, *, is_of_model: bool = False) -> None:
        path = file_dialogs.ask_import(self._window, self._folder())
        if path is not None:
            self.import_file(path, is_of_model=is_of_model)

    def _export(self) -> None:
        from annotator.ui.commands.transfer_actions import start_export

        start_export(self._workspace, self._window)

    def _render(self) -> None:
        from annotator.ui.commands.transfer_actions import start_rendering

        start_rendering(self._workspace, self._window)

    # The rest

    def _is_busy(self) -> bool:
        """Return whether work in the open project has to end before it can be closed."""
        if self._workspace.is_at_work:
            self._workspace.message.emit(
                self.tr(
                    "Cannot close the project: a background job is running. Let it "
                    "finish, or stop it in the status bar."
                )
            )
        return self._workspace.is_at_work

    def _show_report(self, title: str, text: str, findings: list[Finding]) -> None:
        from annotator.ui.dialogs.project.report_dialog import ReportDialog

        ReportDialog(self._workspace.hub, title, text, findings, parent=self._window).open()

    def _folder(self) -> Path:
        """Return the first folder of file dialogs: that of the project, or the last one.

        The folder of the demo is hidden among program data and not suitable.
        """
        project, hidden = self._workspace.project, paths.data_dir()
        known = [project.path] if project is not None else []
        for path in (*known, *self._workspace.settings.recent):
            if hidden not in path.parents:
                return path.parent
        return Path.home()

    def _reload_tasks(self) -> None:
        if self._tasks is not None:
            self._tasks.reload()
