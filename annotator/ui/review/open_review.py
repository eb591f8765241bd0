"""The open review: submissions compared, current change, display."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track
from annotator.domain.errors import UserError
from annotator.domain.ids import PointId, SegmentId, SubmissionId, TrackId
from annotator.domain.review import Difference, Differences, diff, updated
from annotator.services.background.jobs import Job, JobToken
from annotator.services.workflow.review import (
    EarlierState,
    Review,
    earlier_states,
    prediction_of,
    state_of,
    usual_state,
)
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.session import Session
    from annotator.services.workflow.work import Work


MANY: Final = 500
_SOON_MS: Final = 120
_Found: TypeAlias = tuple[tuple[EarlierState, ...], int, Document, Differences]


class Reviewing(QObject):
    """The review of the open task; plain projects and tasks without submission have none.

    Reading and comparing is done in the background; edits are followed item by item.
    ``changed``: other differences or judgements, or another review. ``currentChanged``: another
    current item.
    """

    changed = Signal()
    currentChanged = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self.review: Review | None = None
        self.choices: tuple[EarlierState, ...] = ()
        self.choice = 0
        self.current: Difference | None = None
        self._group: tuple[Difference, ...] = ()
        self._job: Job[_Found] | None = None
        self._since: list[ChangeSet] = []
        self._predicted: Document | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.changed)
        workspace.edited.connect(self._on_edited)
        workspace.stageChanged.connect(self._on_stage_changed)
        self._on_stage_changed()

    @property
    def items(self) -> tuple[Difference, ...]:
        """All differences in the order of the video."""
        return self.review.differences.items if self.review is not None else ()

    @property
    def before(self) -> Document | None:
        """The state that is compared with."""
        return self.review.before if self.review is not None else None

    @property
    def earlier(self) -> EarlierState | None:
        """Submission that the task is compared with."""
        return self.choices[self.choice] if self.review is not None else None

    def show_prediction(self, model: str, document: Document) -> None:
        """Add the predictions of a model to the states to compare with."""
        session = self._workspace.session
        if session is None or session.document.video.id != document.video.id:
            return
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._predicted = document
        self.choices = (*(c for c in self.choices if not c.is_prediction), prediction_of(model))
        self.choice = len(self.choices) - 1
        self._begin(document, session, diff(document, session.document))

    def choose(self, choice: int) -> None:
        """Compare with another of the ``choices``."""
        session = self._workspace.session
        if session is None or choice == self.choice:
            return
        if self.choices[choice].is_prediction and self._predicted is not None:
            self.choice = choice
            self._begin(self._predicted, session, diff(self._predicted, session.document))
        else:
            self._compare(session, self.choices[choice].id, is_chosen=True)

    @property
    def in_hand(self) -> tuple[Difference, ...]:
        """Subject of a verdict: the current item, or everything of its object."""
        if self._group:
            return self._group
        return (self.current,) if self.current is not None else ()

    def take(self, item: Difference | None, group: tuple[Difference, ...] = ()) -> None:
        """Make a difference current, or with ``group`` all of its object."""
        if (item, group) != (self.current, self._group):
            self.current, self._group = item, group
            self.currentChanged.emit()

    def step(self, direction: int) -> Difference | None:
        """Return the next or previous difference, cyclic; open ones first."""
        review, items = self.review, self.items
        if review is None or not items:
            return None
        changes = review.open_items or items
        if self.current in items:
            at = items.index(self.current)
            turn = (
                (*items[at + 1 :], *items[:at])
                if direction > 0
                else (*items[:at][::-1], *items[at + 1 :][::-1])
            )
            return next((item for item in turn if item in changes), self.current)
        frame = self._workspace.frame
        if direction > 0:
            return next((item for item in changes if item.frame >= frame), changes[0])
        return next((item for item in changes[::-1] if item.frame <= frame), changes[-1])

    @Slot()
    def _on_stage_changed(self) -> None:
        self._drop()
        project, session = self._workspace.project, self._workspace.session
        if project is not None and session is not None and not project.work.is_plain:
            self._compare(session, None)
        self.changed.emit()
        self.currentChanged.emit()

    def _drop(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = self.review = self.current = None
        self._group = ()
        self.choices, self.choice, self._predicted = (), 0, None

    def _compare(
        self, session: Session, submission_id: SubmissionId | None, *, is_chosen: bool = False
    ) -> None:
        """Read a submission and compare the draft with it, in the background."""
        project = self._workspace.project
        if project is None:
            return
        if self._job is not None:
            self._job.cancel()
        self._since = []
        now = session.document.copy()
        work = partial(_read_comparison, project.work, session, now, submission_id, is_chosen)
        self._job = self._workspace.jobs.submit(
            self.tr("Compare with earlier submission"),
            work,
            partial(self._on_compared, session, now),
            failed=self._on_failed,
            is_quiet=True,
        )

    def _on_compared(self, session: Session, now: Document, found: _Found) -> None:
        self._job = None
        predicted = tuple(c for c in self.choices if c.is_prediction)
        self.choices, self.choice, before, differences = found
        if not self.choices or session is not self._workspace.session:
            return
        self.choices += predicted
        for done in self._since:
            # Edits made during the comparison.
            differences = updated(differences, before, session.document, done.changes)
        self._since = []
        self._begin(before, session, differences)

    def _begin(self, before: Document, session: Session, differences: Differences) -> None:
        self.review = Review(before, session, differences)
        self.review.changed.add(self._on_review_changed)
        self.current, self._group = None, ()
        self.changed.emit()
        self.currentChanged.emit()

    def _on_failed(self, error: UserError) -> None:
        self._job = None
        if self._workspace.project is not None:
            self._workspace.failed.emit(error)

    def _on_review_changed(self, differences: Differences) -> None:
        group = tuple(item for item in self._group if item in differences.items)
        if self.current is not None and self.current not in differences.items:
            key = self.current.key
            same = (item for item in differences.items if item.key == key)
            self.take(next(same, None))
        elif group != self._group:
            self.take(self.current, group)
        if len(differences) > MANY:
            # Long lists follow a moment later, once for many edits.
            self._soon.start()
        else:
            self.changed.emit()

    @Slot(object)
    def _on_edited(self, done: ChangeSet) -> None:
        if self._job is not None:
            self._since.append(done)


def select(workspace: Workspace, item: Difference) -> None:
    """Select the target of a difference, if it still exists."""
    session = workspace.session
    if session is None:
        return
    document = session.document
    if document.find_segment(SegmentId(item.id)) is not None:
        workspace.selection.set_segment(SegmentId(item.id))
    elif document.find_track(TrackId(item.id)) is not None:
        workspace.selection.set_tracks([TrackId(item.id)])
    elif (point := document.find_point(PointId(item.id))) is not None:
        workspace.selection.set_points(point.info.track_id, [point.id])
    else:
        workspace.selection.clear()


def owner_of(item: Difference, before: Document, after: Document) -> Track | None:
    """Return the object an item belongs to, as it is now or else as it was; None for segments."""
    key: TrackId | None = TrackId(item.id)
    point = after.find_point(PointId(item.id)) or before.find_point(PointId(item.id))
    if point is not None:
        key = point.info.track_id
    return after.find_track(key) or before.find_track(key) if key is not None else None


def _read_comparison(
    work: Work,
    session: Session,
    now: Document,
    submission_id: SubmissionId | None,
    is_chosen: bool,
    token: JobToken,
) -> _Found:
    """Return what there is to compare with, which of it is taken, and the differences."""
    choices = earlier_states(work, session.task_id)
    if len(choices) < 2:
        nothing = Document(now.draft_id, now.video)
        return (), 0, nothing, diff(nothing, nothing)
    at = usual_state(choices)
    if is_chosen:
        at = next(i for i, choice in enumerate(choices) if choice.id == submission_id)
    token.check()
    before = state_of(work, session, choices[at].id)
    token.check()
    return choices, at, before, diff(before, now)
