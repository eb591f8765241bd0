"""Collecting and publishing in the background while a shared project is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from annotator.domain.checks import Finding
from annotator.domain.errors import UserError
from annotator.domain.people import Role
from annotator.ui.actions.table import ActionTable
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.look.texts import counted
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.ids import PersonId
    from annotator.services.background.jobs import JobToken
    from annotator.services.hub.lead_window import LeadHubStatus, SharedNow
    from annotator.services.project.projects import OpenProject
    from annotator.ui.lead.sharing.sharing_dialog import ShareDialog

T = TypeVar("T")

_SEEN_MS: Final = 2_000
_UNSEEN_MS: Final = 60_000


class Collecting(QObject):
    """Collects from the hub every minute, every two seconds while the live board is visible.

    ``status`` is None in a project that is not shared, and before the first answer. ``problem``
    says why the last round failed, "" if it did not.
    """

    changed = Signal()
    begun = Signal()  # the project is shared now

    def __init__(self, workspace: Workspace, table: ActionTable, window: QWidget) -> None:
        super().__init__(workspace)
        self.status: LeadHubStatus | None = None
        self.problem = ""
        self._workspace = workspace
        self._window = window
        self._project: OpenProject | None = None
        self._is_busy = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.exchange_in_background)
        table.on("lead.share", self.share)
        workspace.projectChanged.connect(self._begin)
        workspace.personChanged.connect(self._begin)
        self._begin()

    @property
    def is_shared(self) -> bool:
        """Whether the open project is shared by the lead at the keyboard."""
        return self._project is not None

    def share(self) -> None:
        """Ask where and with whom, and share the project; one that is shared shows its board."""
        project = self._workspace.project
        if project is None:
            return
        if self.is_shared:
            self.begun.emit()
            return
        from annotator.ui.lead.sharing.sharing_dialog import ShareDialog

        me = project.work.me
        people = [
            p for p in project.work.people.all() if p.is_active and (me is None or p.id != me.id)
        ]
        n_open = project.work.n_open()
        dialog = ShareDialog(people, n_open, project.path.parent, self._window)
        dialog.rejected.connect(dialog.deleteLater)
        dialog.accepted.connect(partial(self._on_wanted, project, dialog))
        dialog.open()

    def _on_wanted(self, project: OpenProject, dialog: ShareDialog) -> None:
        from annotator.services.hub.lead_window import share_now

        try:
            wishes = dialog.request()
        except UserError as error:
            dialog.ask_again(error)
            return

        def work(token: JobToken) -> SharedNow:
            return share_now(project, wishes, partial(tell, token))

        def done(shared: SharedNow) -> None:
            dialog.deleteLater()
            self._on_shared(shared)

        # Asked again with all that was entered: a password may have been mistyped.
        title = self.tr("Share the work")
        self._workspace.start_job(title, work, done, failed=dialog.ask_again)

    def watch(self, is_seen: bool) -> None:
        """Update often while the board is visible."""
        self._timer.setInterval(_SEEN_MS if is_seen else _UNSEEN_MS)
        if is_seen:
            self.exchange_in_background()

    @Slot()
    def exchange_in_background(self) -> None:
        """Collect and publish in the background, unless that is going on."""
        project = self._project
        if project is None or self._is_busy or self._workspace.jobs.is_closed:
            return
        from annotator.services.hub.lead_window import round_at

        self._is_busy = True
        self._workspace.jobs.submit(
            self.tr("Collect from the hub"),
            lambda _: round_at(project),
            partial(self._on_round, project),
            failed=partial(self._on_failed, project),
            is_quiet=True,
        )

    def act(
        self,
        title: str,
        work: Callable[[OpenProject, JobToken], T],
        said: Callable[[T], str],
    ) -> None:
        """Run an action at the hub in the background, report it, and update."""
        project = self._project
        if project is None:
            return

        def done(result: T) -> None:
            self._workspace.message.emit(said(result))
            self.exchange_in_background()

        self._workspace.start_job(title, lambda token: work(project, token), done)

    def invite(self, person_id: PersonId, admin: str, password: str) -> None:
        """Invite one more person; the invitation goes beside the project."""
        from annotator.services.hub.hub_place import place_of
        from annotator.services.hub.lead_window import SharingRequest, share_now

        project = self._project
        place = place_of(project) if project is not None else None
        if project is None or place is None:
            return
        wanted = SharingRequest(place, [person_id], project.path.parent, admin, password)
        self._workspace.start_job(
            self.tr("Invite"), lambda _: share_now(project, wanted), self._on_shared
        )

    @Slot()
    def _begin(self) -> None:
        project, me = self._workspace.project, self._workspace.person
        if project is None or project.is_read_only or me is None or not me.has(Role.LEAD):
            project = None
        if project is not None:
            from annotator.services.hub.lead_window import is_shared_by_lead

            project = project if is_shared_by_lead(project) else None
        if project is self._project:
            return
        self._project, self.status, self.problem, self._is_busy = project, None, "", False
        if project is None:
            self._timer.stop()
        else:
            self._timer.start(_UNSEEN_MS)
            self.exchange_in_background()
        self.changed.emit()

    def _on_shared(self, shared: SharedNow) -> None:
        lines = [
            counted(
                shared.n_published, self.tr("1 task published."), self.tr("{n} tasks published.")
            )
        ]
        for name, path, password in shared.invitations:
            text = self.tr("{name}: {path}")
            if password:
                text = self.tr("{name}: {path}, password {password}")
            lines.append(text.format(name=name, path=path, password=password))
        if any(password for *_, password in shared.invitations):
            lines.append(
                self.tr("Passwords are not shown again. Tell them to the people another way.")
            )
        findings: list[Finding] = []
        title = self.tr("Share the work")
        ReportDialog(
            self._workspace.hub, title, "\n".join(lines), findings, parent=self._window
        ).open()
        self._begin()
        self.begun.emit()

    def _on_round(self, project: OpenProject, status: LeadHubStatus) -> None:
        if project is not self._project:
            return
        self._is_busy = False
        self.status, self.problem = status, ""
        if status.n_taken_in:
            one, many = self.tr("1 submission collected."), self.tr("{n} submissions collected.")
            self._workspace.message.emit(counted(status.n_taken_in, one, many))
        self.changed.emit()

    def _on_failed(self, project: OpenProject, error: UserError) -> None:
        if project is self._project:
            self._is_busy = False
            self.problem = str(error)
            self.changed.emit()


def tell(token: JobToken, fraction: float, name: str) -> None:
    """Report the progress of a job, and end it if it is canceled."""
    token.check()
    token.report(fraction, name)
