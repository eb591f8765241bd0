"""State of a rater's work: checklist, active time, strips."""

from __future__ import annotations

from annotator.ui.actions.table import ActionTable
from annotator.ui.panels.live_findings import LiveFindings
from annotator.ui.state.desk import Desk
from annotator.ui.work.guidance.checklist_state import Checklist
from annotator.ui.work.strips.lock import LockStrip
from annotator.ui.work.strips.rejections import ReturnStrip
from annotator.ui.work.strips.signs_of_life import SignsOfLife
from annotator.ui.work.strips.training import TrainingStrip


class Parts:
    """Made together, since they are needed together: in a project with people."""

    def __init__(self, desk: Desk, table: ActionTable, findings: LiveFindings) -> None:
        self.checklist = Checklist(desk, findings)
        self.life = SignsOfLife(desk)
        self.strip = LockStrip(desk, table)
        self.returned = ReturnStrip(desk)
        self.training = TrainingStrip(desk)
