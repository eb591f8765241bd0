"""Changes of a draft since a submission, kept up to date.

review = review_of(project.work, session)      since the state before the last one
review.differences.items                       in the order of the video
review.accept(item), review.send_back(…, item) judged
review.revert(item)                            taken back, as an edit like any other
reason_of(item, text)                          for a verdict that sends the task back
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointTrack
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Track
from annotator.domain.ids import PointId, SegmentId, SubmissionId, TaskId, TrackId
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import ALL_TOOLS, TOOL_OF
from annotator.domain.review import (
    Difference,
    DifferenceKind,
    Differences,
    RevertDifferences,
    Subject,
    diff,
    updated,
)
from annotator.domain.review.adjudication import as_drawn_by
from annotator.domain.review.difference import EntityId
from annotator.domain.work.records import Reason, VerdictKind
from annotator.domain.workflow import Submission
from annotator.services.background.jobs import Listeners

if TYPE_CHECKING:
    from annotator.services.session import Session
    from annotator.services.workflow.work import Work

Key: TypeAlias = tuple[Subject, EntityId, int]


@dataclass(frozen=True, slots=True)
class EarlierState:
    """A state to compare with: a submission with stage and author, or an empty document.

    ``is_return``: the task was sent back with it. ``is_prediction``: what a model says, which is
    the author; without an author, the reference of a training task. ``is_merged``: what the raters
    of a disputed task have in the mean; what each of them drew is then compared at the disputed
    places alone.
    """

    id: SubmissionId | None
    stage: str = ""
    author: str = ""
    at: datetime | None = None
    is_return: bool = False
    is_prediction: bool = False
    is_merged: bool = False


class Review:
    """Differences between a fixed state and a session, with the accepted ones.

    ``changed`` is sent when differences or decisions change. A decided difference is open again
    after an edit.
    """

    def __init__(
        self, before: Document, session: Session, found: Differences | None = None
    ) -> None:
        """``found`` are the differences, where they have been worked out already."""
        self.changed: Listeners[Differences] = Listeners()
        self.before = before
        self.differences = diff(before, session.document) if found is None else found
        self._session = session
        self._accepted: dict[Key, Difference] = {}
        self._returned: dict[Key, tuple[Difference, Reason]] = {}
        session.changed.add(self._follow)

    @property
    def open_items(self) -> tuple[Difference, ...]:
        """Differences without a decision, in the order of the video."""
        return tuple(item for item in self.differences.items if self.is_open(item))

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why items are to be sent back, in the order of the video."""
        found = (self.reason_for(item) for item in self.differences.items)
        return tuple(reason for reason in found if reason is not None)

    def counts(self) -> Mapping[tuple[Subject, DifferenceKind], int]:
        """Return how many items are still open, by subject and kind."""
        return Counter((item.subject, item.kind) for item in self.open_items)

    def is_accepted(self, item: Difference) -> bool:
        """Return whether exactly this difference was accepted."""
        return self._accepted.get(item.key) == item

    def is_open(self, item: Difference) -> bool:
        """Return whether this difference has no decision yet."""
        return not self.is_accepted(item) and self.reason_for(item) is None

    def reason_for(self, item: Difference) -> Reason | None:
        """Return why just this item is to be sent back, None if it is not."""
        kept = self._returned.get(item.key)
        return kept[1] if kept is not None and kept[0] == item else None

    def accept(self, *items: Difference) -> None:
        """Take note that items are right as they are."""
        self._forget(items)
        self._accepted |= {item.key: item for item in items}
        self.changed.notify(self.differences)

    def send_back(self, text: str, code: str, *items: Difference) -> None:
        """Mark differences as rejected, with the reason."""
        self._forget(items)
        self._returned |= {item.key: (item, reason_of(item, text, code)) for item in items}
        self.changed.notify(self.differences)

    def reopen(self, *items: Difference) -> None:
        """Take a judgement back."""
        self._forget(items)
        self.changed.notify(self.differences)

    def revert(self, *items: Difference) -> ChangeSet:
        """Make items as they were before, in one step of undo; EditError when that cannot be."""
        return self._session.run(RevertDifferences(items), initiator=self)

    def _forget(self, items: Iterable[Difference]) -> None:
        for item in items:
            self._accepted.pop(item.key, None)
            self._returned.pop(item.key, None)

    def _follow(self, done: ChangeSet) -> None:
        document = self._session.document
        self.differences = updated(self.differences, self.before, document, done.changes)
        self.changed.notify(self.differences)


def earlier_states(work: Work, task_id: TaskId) -> tuple[EarlierState, ...]:
    """Return the states to compare a task with: empty, then each submission, oldest first.

    None only while there is no submission that the signed-in person may see.
    """
    record = work.record(task_id)
    task_type = work.recipe.task_type(record.kind)
    states = [EarlierState(None, is_merged=work.adjudicated(task_id) is not None)]
    for submission in work.submissions(task_id):
        assignment = record.assignment(submission.assignment_id)
        stage = assignment.stage if assignment is not None else ""
        spec = task_type.stage(stage) if task_type is not None else None
        person = work.people.find(submission.person_id)
        submissions = assignment.submissions if assignment is not None else ()
        verdicts = {by_author.submission_id: by_author.verdict.kind for by_author in submissions}
        states.append(
            EarlierState(
                submission.id,
                spec.title if spec is not None else stage,
                person.name if person is not None else "",
                datetime.fromisoformat(submission.submitted_at).astimezone(),
                is_return=verdicts.get(submission.id) is VerdictKind.SEND_BACK,
            )
        )
    return tuple(states)


def prediction_of(model: str) -> EarlierState:
    """Return the predictions of a model as a state to compare with."""
    return EarlierState(None, author=model, is_prediction=True)


def usual_state(states: Sequence[EarlierState]) -> int:
    """Return the default state to compare a task with.

    That before the last one: what the person before made is then new, together with one's own
    corrections. A returned task shows the reasons of its return.
    """
    last = len(states) - 1
    if states[0].is_merged:
        return last
    while last > 1 and states[last].is_return:
        last -= 1
    return max(0, last - 1)


def review_of(
    work: Work, session: Session, submission_id: SubmissionId | None = None
) -> Review | None:
    """Return the changes of a session since a submission, by default the usual state.

    None while there is no submission, or none that the signed-in person may see.
    """
    states = earlier_states(work, session.task_id)
    if submission_id is None and len(states) < 2:
        return None
    wanted = submission_id or states[usual_state(states)].id
    return Review(state_of(work, session, wanted), session)


def state_of(work: Work, session: Session, submission_id: SubmissionId | None) -> Document:
    """Return the document of a submission; an empty one for none.

    For an adjudicator it is the merged work, with the disputed places as that rater drew them.
    What the task only shows, such as the objects that sounds name, is as in the session: nobody
    judges it here.
    """
    before, now, tools = _earlier(work, session, submission_id), session.document, session.tools
    if len(tools) == len(ALL_TOOLS):
        return before
    own_segments = [part for part in before.segments if TOOL_OF[part.lane] in tools]
    shown_segments = [part for part in now.segments if TOOL_OF[part.lane] not in tools]
    return Document(
        before.draft_id,
        before.video,
        (before if Tool.BOXES in tools else now).tracks,
        (*own_segments, *shown_segments),
        (before if Tool.POINTS in tools else now).points,
        before.comments,
        before.answers.values(),
    )


def _earlier(work: Work, session: Session, submission_id: SubmissionId | None) -> Document:
    """Return the document of a submission as it is, an empty one for none."""
    adjudication = work.adjudicated(session.task_id)
    if adjudication is not None:
        counted = [
            a.counted.submission_id
            for a in work.record(session.task_id).current
            if a.counted is not None
        ]
        if submission_id in counted:
            return as_drawn_by(adjudication, counted.index(submission_id))
        return adjudication.document
    if submission_id is None:
        document = session.document
        return Document(document.draft_id, document.video)
    return work.document_of(submission_id, session)


def compared(work: Work, session: Session, first: Submission, second: Submission) -> Differences:
    """Return the differences between two submissions of a session's task."""
    before, after = (work.document_of(each.id, session) for each in (first, second))
    return diff(before, after)


def pin_of(item: Difference) -> Pin:
    """Return the place an item is about, for reasons and comments."""
    side = item.after if item.after is not None else item.before
    frame = item.frame
    if item.subject in (Subject.TRACK, Subject.KEYFRAMES) or isinstance(side, Track):
        return Pin(frame=frame, track_id=TrackId(item.id))
    if isinstance(side, Segment):
        return Pin(span=(side.start, side.end), segment_id=SegmentId(item.id))
    track_id = side.info.track_id if isinstance(side, PointTrack) else None
    return Pin(frame=frame, track_id=track_id, point_id=PointId(item.id))


def reason_of(item: Difference, text: str, code: str = "") -> Reason:
    """Return a reason to send the task back, pinned to an item."""
    return Reason(text, pin_of(item), code)
