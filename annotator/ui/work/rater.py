"""Parts of the window for raters: guidelines, checklist, active time, lock strip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QWidget

from annotator.ui.work.words import moment_text

if TYPE_CHECKING:
    from annotator.domain.annotation.comment import Pin
    from annotator.domain.annotation.document import Document
    from annotator.ui.shell.main_window import MainWindow
    from annotator.ui.work.parts import Parts

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
GUIDELINES, CHECKLIST = "guidelines", "checklist"


class Rater(QObject):
    """Brings the wishes of the panels to those who can fulfil them.

    What is shown is built when a project with people is opened; until then ``parts`` is None.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._warning = ""
        self.parts: Parts | None = None
        docks, titles = window.people_docks, (self.tr("Guidelines"), self.tr("Checklist"))
        docks.add(GUIDELINES, titles[0], self._guidelines, area=_LEFT, is_for_all=True)
        docks.add(CHECKLIST, titles[1], self._checklist, area=_LEFT, beside=GUIDELINES)
        window.task_actions.findingWanted.connect(window.panels.jump)
        window.task_actions.checklistWanted.connect(self._show_checklist)
        window.table.before("help.guidelines", self._show_guidelines)
        window.desk.projectChanged.connect(self._build)
        window.desk.personChanged.connect(self._build)
        self._build()

    @Slot()
    def _build(self) -> None:
        window = self._window
        if self.parts is not None or not window.desk.has_people:
            return
        from annotator.ui.work.parts import Parts

        self.parts = parts = Parts(window.desk, window.table, window.panels.live)
        parts.returned.pinWanted.connect(self._go_to)
        parts.training.referenceWanted.connect(self._show_reference)
        for strip in (parts.strip, parts.returned, parts.training):
            window.add_above(strip)
        window.task_actions.take_findings(window.panels.live, parts.checklist)
        parts.life.secondsCounted.connect(window.header.set_seconds)
        parts.life.leaseEnding.connect(self._warn)
        parts.life.follow()

    @Slot(str, object)
    def _show_reference(self, title: str, document: Document) -> None:
        """Compare the open task with its reference; what shows that is built later than this."""
        self._window.review_actions.show_prediction(title, document)

    def _guidelines(self) -> QWidget:
        from annotator.ui.work.guidance.guidelines import GuidelinesPanel

        # Text wants more room than a list of few tasks.
        QTimer.singleShot(0, self, self._share_the_side)
        return GuidelinesPanel(self._window.desk)

    def _checklist(self) -> QWidget:
        from annotator.ui.work.guidance.checklist import ChecklistPanel

        self._build()
        assert self.parts is not None
        panel = ChecklistPanel(self._window.desk, self.parts.checklist)
        panel.findingWanted.connect(self._window.panels.jump)
        panel.doubtWanted.connect(self._go_to_proposals)
        return panel

    @Slot()
    def _share_the_side(self) -> None:
        docks = [self._window.findChild(QDockWidget, name) for name in ("tasks", GUIDELINES)]
        found = [dock for dock in docks if dock is not None]
        self._window.resizeDocks(found, [220, 480], Qt.Orientation.Vertical)

    def _show_guidelines(self) -> bool:
        """Show the instructions for this task, or put them away; False where there are none."""
        docks = self._window.people_docks
        if self._window.desk.person is None:
            return False
        if docks.is_shown(GUIDELINES):
            docks.hide(GUIDELINES)
            return True
        return docks.show(GUIDELINES) is not None

    @Slot(object)
    def _go_to(self, pin: Pin) -> None:
        """Show the place that a reason is about."""
        session, selection = self._window.desk.session, self._window.desk.selection
        document = session.document if session is not None else None
        if document is None:
            return
        if pin.segment_id is not None and document.find_segment(pin.segment_id) is not None:
            selection.set_segment(pin.segment_id)
        elif pin.track_id is not None and document.find_track(pin.track_id) is not None:
            selection.set_tracks([pin.track_id])
        if pin.first_frame is not None:
            last = max(0, self._window.desk.n_frames - 1)
            self._window.playback.seek(min(pin.first_frame, last))

    @Slot()
    def _show_checklist(self) -> None:
        panel = self._window.people_docks.show(CHECKLIST)
        if panel is not None:
            panel.setFocus()

    @Slot()
    def _go_to_proposals(self) -> None:
        """Select the first object with proposals and go to the most doubtful of them."""
        session, desk = self._window.desk.session, self._window.desk
        if session is None:
            return
        for track in session.document.tracks:
            if session.runs(track.id) and session.pending(track.id):
                desk.selection.set_tracks([track.id])
                break
        else:
            for point in session.document.points:
                if session.point_runs(point.id) and session.pending_points(point.id):
                    desk.selection.set_points(point.info.track_id, [point.id])
                    break
        self._window.refresh()
        self._window.table.run("proposal.doubtful")

    @Slot(object)
    def _warn(self, until: int) -> None:
        """Say before a task leaves one's hands; take it back when that is no longer near."""
        banners = self._window.banners
        if self._warning:
            banners.remove(self._warning)
            self._warning = ""
        if until:
            text = self.tr(
                "Your claim on this task expires at {time}. Continue working to keep it."
            )
            self._warning = text.format(time=moment_text(until))
            banners.add("warning", self._warning)
