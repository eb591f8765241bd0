"""The parts of the window for raters: guidelines, checklist, active time, strips."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from annotator.ui.look.texts import moment_text
from annotator.ui.shell.context import Context

if TYPE_CHECKING:
    from annotator.domain.annotation.comment import Pin
    from annotator.ui.work.activity_signals import SignsOfLife
    from annotator.ui.work.guideline_panels import Checklist
    from annotator.ui.work.task_strips import LockStrip, ReturnStrip, TrainingStrip

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
GUIDELINES, CHECKLIST = "guidelines", "checklist"


class Rater(QObject):
    """Connects the requests of the panels with their handlers.

    The panels are built when a project with people is opened; until then ``checklist``, ``life``
    and the strips are None.
    """

    referenceWanted = Signal(str, object)  # title, Document: compare the open task with it
    secondsCounted = Signal(float)  # active time of the open task

    def __init__(self, context: Context) -> None:
        super().__init__(context.frame)
        self._context = context
        self._warning = ""
        self.checklist: Checklist | None = None
        self.life: SignsOfLife | None = None
        self.lock: LockStrip | None = None
        self.returned: ReturnStrip | None = None
        self.training: TrainingStrip | None = None
        docks, titles = context.docks, (self.tr("Guidelines"), self.tr("Checklist"))
        docks.add(GUIDELINES, titles[0], self._guidelines, area=_LEFT, is_for_all=True)
        docks.add(CHECKLIST, titles[1], self._checklist, area=_LEFT, beside=GUIDELINES)
        context.tasks.findingWanted.connect(context.panels.jump)
        context.tasks.checklistWanted.connect(self._show_checklist)
        context.table.before("help.guidelines", self._show_guidelines)
        context.workspace.projectChanged.connect(self._build)
        context.workspace.personChanged.connect(self._build)
        self._build()

    @Slot()
    def _build(self) -> None:
        context = self._context
        workspace, findings = context.workspace, context.panels.live
        if self.checklist is not None or not workspace.has_people:
            return
        from annotator.ui.work.activity_signals import SignsOfLife
        from annotator.ui.work.guideline_panels import Checklist
        from annotator.ui.work.task_strips import LockStrip, ReturnStrip, TrainingStrip

        self.checklist = Checklist(workspace, findings)
        self.life = SignsOfLife(workspace)
        self.lock = LockStrip(workspace, context.table)
        self.returned = ReturnStrip(workspace)
        self.training = TrainingStrip(workspace)
        self.returned.pinWanted.connect(self._go_to)
        self.training.referenceWanted.connect(self.referenceWanted)
        for strip in (self.lock, self.returned, self.training):
            context.middle.add_above(strip)
        context.tasks.take_findings(findings, self.checklist)
        self.life.secondsCounted.connect(self.secondsCounted)
        self.life.leaseEnding.connect(self._warn)
        self.life.follow()

    def _guidelines(self) -> QWidget:
        from annotator.ui.work.guideline_panels import GuidelinesPanel

        return GuidelinesPanel(self._context.workspace)

    def _checklist(self) -> QWidget:
        from annotator.ui.work.guideline_panels import ChecklistPanel

        self._build()
        assert self.checklist is not None
        panel = ChecklistPanel(self._context.workspace, self.checklist)
        panel.findingWanted.connect(self._context.panels.jump)
        panel.doubtWanted.connect(self._go_to_proposals)
        return panel

    def _show_guidelines(self) -> bool:
        """Show the instructions for this task, or put them away; False where there are none."""
        docks = self._context.docks
        if self._context.workspace.person is None:
            return False
        if docks.is_shown(GUIDELINES):
            docks.hide(GUIDELINES)
            return True
        return docks.show(GUIDELINES) is not None

    @Slot(object)
    def _go_to(self, pin: Pin) -> None:
        """Show the place that a reason is about."""
        session, selection = self._context.workspace.session, self._context.workspace.selection
        document = session.document if session is not None else None
        if document is None:
            return
        if pin.segment_id is not None and document.find_segment(pin.segment_id) is not None:
            selection.set_segment(pin.segment_id)
        elif pin.track_id is not None and document.find_track(pin.track_id) is not None:
            selection.set_tracks([pin.track_id])
        if pin.first_frame is not None:
            last = max(0, self._context.workspace.n_frames - 1)
            self._context.playback.seek(min(pin.first_frame, last))

    @Slot()
    def _show_checklist(self) -> None:
        panel = self._context.docks.show(CHECKLIST)
        if panel is not None:
            panel.setFocus()

    @Slot()
    def _go_to_proposals(self) -> None:
        """Select the first object with proposals and go to the most doubtful of them."""
        session, workspace = self._context.workspace.session, self._context.workspace
        if session is None:
            return
        for track in session.document.tracks:
            if session.box_runs.of(track.id) and session.pending(track.id):
                workspace.selection.set_tracks([track.id])
                break
        else:
            for point in session.document.points:
                if session.n_pending_points(point.id):
                    workspace.selection.set_points(point.info.track_id, [point.id])
                    break
        self._context.updates.refresh()
        self._context.table.run("proposal.doubtful")

    @Slot(object)
    def _warn(self, until: int) -> None:
        """Say before a task leaves one's hands; take it back when that is no longer near."""
        banners = self._context.banners
        if self._warning:
            banners.remove(self._warning)
            self._warning = ""
        if until:
            text = self.tr(
                "Your claim on this task expires at {time}. Continue working to keep it."
            )
            self._warning = text.format(time=moment_text(until))
            banners.add("warning", self._warning)
