"""The recipe's checklist for the open task: what is ticked, what the checks say of each point."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from annotator.domain.checks import Finding
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.domain.ids import DraftId
    from annotator.services.session import Session
    from annotator.ui.panels.live_findings import LiveFindings

PENDING = "pending-proposals"


@dataclass(frozen=True, slots=True)
class ChecklistPoint:
    """A point of the checklist. ``count`` is how often its check found something, None for a point
    that is ticked by hand.
    """

    text: str
    is_ticked: bool
    finding: str | None = None
    count: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing is to be done about it any more, as far as one knows."""
        return self.count == 0 if self.count is not None else self.is_ticked

    @property
    def is_among_findings(self) -> bool:
        """Whether what is open about it is told by the findings one by one."""
        return bool(self.count) and self.finding != PENDING

    @property
    def words(self) -> str:
        """Say the point, with how often its check found something."""
        if not self.count:
            return self.text
        text = QCoreApplication.translate("checklist", "{text} ({n} open)")
        return text.format(text=self.text, n=self.count)


class Checklist(QObject):
    """``items`` of the open task, kept up to date; ticks are remembered with the draft."""

    changed = Signal()

    def __init__(self, desk: Desk, findings: LiveFindings) -> None:
        super().__init__(desk)
        self._desk = desk
        self._findings = findings
        self._ticked: frozenset[str] = frozenset()
        self.items: tuple[ChecklistPoint, ...] = ()
        findings.changed.connect(self.refresh)
        desk.stageChanged.connect(self._on_stage_changed)
        desk.bridge.runsChanged.connect(self.refresh)
        self._on_stage_changed()

    def tick(self, text: str, *, is_ticked: bool) -> None:
        """Tick a point by hand, or take the tick away."""
        project, draft_id = self._desk.project, self._draft_id
        if project is None or draft_id is None:
            return
        self._ticked = self._ticked | {text} if is_ticked else self._ticked - {text}
        project.save_ticked(draft_id, self._ticked)
        self.refresh()

    def findings_of(self, item: ChecklistPoint) -> list[Finding]:
        """Return what the check behind a point has found."""
        return [f for f in self._findings.found if f.code == item.finding]

    @Slot()
    def refresh(self) -> None:
        """Count again what was found."""
        project, session = self._desk.project, self._desk.session
        points: tuple[ChecklistPoint, ...] = ()
        if self._desk.has_people and project is not None and session is not None:
            counts = Counter(f.code for f in self._findings.found)
            listed = project.work.checklist_of(session.task_id)
            if any(point.finding == PENDING for point in listed):
                counts[PENDING] = _pending(session)
            points = tuple(
                ChecklistPoint(
                    point.text,
                    point.text in self._ticked,
                    point.finding,
                    counts[point.finding] if point.finding is not None else None,
                )
                for point in listed
            )
        if points != self.items:
            self.items = points
            self.changed.emit()

    @property
    def _draft_id(self) -> DraftId | None:
        session = self._desk.session
        return session.document.draft_id if session is not None else None

    @Slot()
    def _on_stage_changed(self) -> None:
        project, draft_id = self._desk.project, self._draft_id
        ticked: frozenset[str] = frozenset()
        if project is not None and draft_id is not None and self._desk.has_people:
            ticked = project.ticked(draft_id)
        self._ticked = ticked
        self.refresh()


def _pending(session: Session) -> int:
    """Return how many objects and points have proposals that nobody has judged."""
    document = session.document
    tracks = sum(1 for t in document.tracks if session.box_runs.of(t.id) and session.pending(t.id))
    return tracks + sum(
        1 for p in document.points if session.point_runs.of(p.id) and session.pending_points(p.id)
    )
