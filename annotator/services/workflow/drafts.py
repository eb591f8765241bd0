"""Drafts of tasks: opening the right one, permission to change it, and why it is locked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.forms.restricted_view import limited_document
from annotator.domain.ids import DraftId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import Act
from annotator.domain.review.adjudication import Disputed
from annotator.domain.work.acts import Assign, Claim, Revoke, Submit
from annotator.domain.work.records import (
    Assignment,
    AssignmentState,
    TaskRecord,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.domain.work.rules import hidden_from, may_take
from annotator.domain.workflow import Submission
from annotator.services.background.jobs import BackgroundCall, inline
from annotator.services.workflow.consensus import adjudicated, adjudication_of, for_adjudicator
from annotator.services.workflow.gold_tasks import status_if_no_gold
from annotator.services.workflow.transactions import WorkTransactions, new_assignment
from annotator.store.file.project import read_only_error
from annotator.store.workflow import submissions, tasks
from annotator.store.workflow.gold import find_gold_task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.domain.json_type import Json
    from annotator.services.session import Session

_LARGE: Final = 1000
"""Number of keyframes, marks and segments that take about 16 ms to encode."""


@dataclass(frozen=True, slots=True)
class OpenedDraft:
    """The draft with which a task is opened; ``is_locked``: read-only.

    ``disputed`` is what an adjudicator may change, None: everything.
    """

    draft_id: DraftId
    is_locked: bool
    assignment: Assignment
    disputed: Disputed | None = None


@dataclass(frozen=True, slots=True)
class _Handing:
    """Contents of a submission besides the annotations; ``head`` is its header."""

    record: TaskRecord
    held: Assignment
    verdict: Verdict
    head: dict[str, Json]


class WorkDrafts:
    """The drafts of a project's assignments."""

    def __init__(
        self,
        transactions: WorkTransactions,
        pts_of: Callable[[VideoId], NDArray[np.int64] | None],
        background: BackgroundCall = inline,
    ) -> None:
        self._transactions = transactions
        self._pts_of = pts_of
        self._background = background

    def open(
        self,
        task_id: TaskId,
        video: VideoInfo,
        *,
        takes: bool = True,
        whose: PersonId | None = None,
    ) -> OpenedDraft:
        """Return the draft with which a task is opened.

        A person with an assignment gets its draft, created from the last submission. Others claim
        the task if ``takes`` and if they may choose; in a plain project also from its assignee.
        Otherwise the newest draft is opened read-only, with ``whose`` that of this person.
        WorkError if nothing is visible.
        """
        record = self._transactions.record(task_id)
        me = self._transactions.people.me
        if (
            me is None
            or self._transactions.file.is_read_only
            or self._transactions.people.needs_sign_in
        ):
            return self._to_look_at(record, me, video, whose)
        assignment = held_by(record, me.id) or (
            self._claim_by_opening(record, me) if takes else None
        )
        if assignment is None:
            return self._to_look_at(self._transactions.record(task_id), me, video, whose)
        with self._transactions.file.reading() as connection:
            draft_id = tasks.find_draft(connection, assignment.id)
        if draft_id is None and assignment.base_id is not None:
            draft_id = self._background(partial(self._new_draft, record, assignment, video))
        draft_id = draft_id or self._new_draft(record, assignment, video)
        disputed = (
            self._background(partial(self._disputed, record)) if record.is_adjudicating else None
        )
        return OpenedDraft(draft_id, False, assignment, disputed)

    def _disputed(self, record: TaskRecord) -> Disputed | None:
        """Return what an adjudicator may change: everything where the recipe lets them overrule."""
        task_type = self._transactions.task_type(record.kind)
        stage = task_type.stage(record.stage)
        if stage is None or stage.may_overrule:
            return None
        found = adjudicated(self._transactions.file, record, task_type)
        return Disputed.of(found.disputes) if found is not None else None

    def hand_in(self, session: Session, verdict: Verdict | None) -> Submission:
        """Submit a draft and move its task on, in one transaction; see `Work.submit`."""
        # Comparison with a reference takes longer than the size suggests.
        is_gold = find_gold_task(self._transactions.file, session.task_id) is not None
        if not is_gold and not _is_large(session.document):
            return self._submit_document(session.task_id, session.document, verdict)
        return self._background(
            partial(self._encoded_first, session.task_id, session.document, verdict)
        )

    def _encoded_first(
        self, task_id: TaskId, document: Document, verdict: Verdict | None
    ) -> Submission:
        """Encode before the transaction, so that readers do not wait."""
        head = self._handing(task_id, document, verdict).head
        body = submissions.body_of(head, document)
        return self._submit_document(task_id, document, verdict, (head, body))

    def _submit_document(
        self,
        task_id: TaskId,
        document: Document,
        verdict: Verdict | None,
        prepared: tuple[dict[str, Json], bytes] | None = None,
    ) -> Submission:
        transactions, file = self._transactions, self._transactions.file
        with file.transaction() as connection:
            now = self._handing(task_id, document, verdict)
            transactions.forms.check(now.record, now.held, document, now.verdict)
            if prepared is not None and prepared[0] == now.head:
                body = prepared[1]
            else:
                body = submissions.body_of(now.head, document)
            author = file.author()
            submission = submissions.keep(connection, author, document.draft_id, now.head, body)
            act = Submit(
                submission.person_id, now.held.id, submission.id, now.verdict, now.held.stage
            )
            transactions.write(now.record, (act,), transactions.people.crew())
            tasks.close_draft(connection, author, document.draft_id, "submit")
        return submission

    def _handing(self, task_id: TaskId, document: Document, verdict: Verdict | None) -> _Handing:
        """Return the parts of a submission besides the annotation."""
        me, record = self._transactions.people.signed_in(), self._transactions.record(task_id)
        held = self.assignment_of(record, document.draft_id)
        if held.state is AssignmentState.SUBMITTED:
            raise WorkError("The task is already submitted.", code="submitted")
        said = verdict or Verdict(self._usual_verdict(record.kind, held.stage))
        tag = self._transactions.recipe.tag
        with self._transactions.file.reading() as connection:
            head = submissions.head_of(connection, me.id, record, held, said, recipe=tag)
        task_type = self._transactions.recipe.recipe.task_type(record.kind)
        if task_type is not None and held.visit == record.visit:
            resolution = adjudication_of(self._transactions.file, record, task_type, document)
            if resolution is not None:
                head["resolution"] = resolution
        return _Handing(record, held, said, head)

    def _usual_verdict(self, kind: str, stage: str) -> VerdictKind:
        task_type = self._transactions.recipe.recipe.task_type(kind)
        spec = task_type.stage(stage) if task_type is not None else None
        is_judging = spec is not None and spec.act is not Act.ANNOTATE
        return VerdictKind.APPROVE if is_judging else VerdictKind.DONE

    def _new_draft(self, record: TaskRecord, assignment: Assignment, video: VideoInfo) -> DraftId:
        """Create the draft of an assignment from the last submission.

        That of an adjudicator has what the others agreed upon.
        """
        content, video_id = None, record.video_id
        if assignment.base_id is not None:
            content = self._submitted(assignment.base_id, video)
        if record.is_adjudicating:
            task_type = self._transactions.task_type(record.kind)
            adjudication = adjudicated(self._transactions.file, record, task_type)
            if adjudication is not None:
                content = for_adjudicator(
                    adjudication, assignment.person_id, self._transactions.now()
                )
                content = limited_document(content, video)
            else:
                agreed = self._transactions.forms.decided_so_far(record, task_type)
                content = content or Document(DraftId(""), video)
                content.apply(Change("answer", answer.key, None, answer) for answer in agreed)
        pts = self._pts_of(video_id)
        with self._transactions.file.transaction() as connection:
            author = self._transactions.file.author()
            return tasks.add_draft(
                connection, assignment.id, video_id, content=content, author=author, pts=pts
            )

    def _submitted(self, submission_id: SubmissionId, video: VideoInfo) -> Document:
        body = submissions.read_body(self._transactions.file, submission_id)
        return limited_document(read_document(body, DraftId(""), video), video)

    def assignment_of(self, record: TaskRecord, draft_id: DraftId) -> Assignment:
        """Return the assignment a draft belongs to."""
        with self._transactions.file.reading() as connection:
            assignment_id = tasks.assignment_of(connection, draft_id)
        found = record.assignment(assignment_id) if assignment_id is not None else None
        if found is not None:
            return found
        raise ProjectError("The draft has no assignment.", where=str(self._transactions.file.path))

    def _claim_by_opening(self, record: TaskRecord, me: Person) -> Assignment | None:
        """Take a task by opening it, where one may; None where one may not."""
        task_type = self._transactions.recipe.recipe.task_type(record.kind)
        stage = task_type.stage(record.stage) if task_type is not None else None
        if task_type is None or stage is None:
            return None
        if record.holders and self._transactions.recipe.is_plain and me.has(Role.LEAD):
            return self._taken_over(record, me)
        if not stage.may_choose and not me.has(Role.LEAD):
            return None
        if may_take(record, me, task_type) is not None:
            return None
        after = self._transactions.act(record.id, Claim(me.id, new_assignment(), is_chosen=True))
        return held_by(after, me.id)

    def _taken_over(self, record: TaskRecord, me: Person) -> Assignment | None:
        """Continue the draft of another person, on record."""
        (other,) = record.holders
        reason = f"{me.name} continued the task."
        with self._transactions.together(), self._transactions.file.transaction() as connection:
            after = self._transactions.act(
                record.id,
                Revoke(me.id, other.id, reason),
                Assign(me.id, new_assignment(), me.id, is_overruling=True, text=reason),
            )
            held = held_by(after, me.id)
            draft_id = tasks.find_draft(connection, other.id)
            is_new = held is not None and tasks.find_draft(connection, held.id) is None
            if held is not None and draft_id is not None and is_new:
                tasks.transfer_draft(connection, draft_id, held.id)
        return held

    def _to_look_at(
        self,
        record: TaskRecord,
        me: Person | None,
        video: VideoInfo,
        whose: PersonId | None = None,
    ) -> OpenedDraft:
        hidden = hidden_from(record, me) if me is not None else frozenset[SubmissionId]()
        is_blind = record.wanted > 1 and record.status is not TaskStatus.COMPLETE
        for assignment in reversed(record.assignments):
            is_mine = me is not None and assignment.person_id == me.id
            is_seen = is_mine or not is_blind or (me is not None and me.has(Role.LEAD))
            if not is_seen or any(s.submission_id in hidden for s in assignment.submissions):
                continue
            if whose not in (None, assignment.person_id):
                continue
            with self._transactions.file.reading() as connection:
                draft_id = tasks.find_draft(connection, assignment.id)
            draft_id = draft_id or self._brought(record, assignment, video)
            if draft_id is None:
                continue
            is_locked = (
                assignment.state is AssignmentState.SUBMITTED
                or not self._transactions.file.is_read_only
            )
            return OpenedDraft(draft_id, is_locked, assignment)
        if is_blind and record.assignments:
            raise WorkError(
                (
                    "Several raters are working on this task independently. You can open it after "
                    "it is resolved."
                ),
                code="hidden",
            )
        if self._transactions.file.is_read_only:
            raise read_only_error(self._transactions.file.path)
        raise WorkError(
            "Cannot open the task: no rater has started it.",
            code="not-begun",
            hint="Claim it, or ask a lead to assign it to you.",
        )

    def _brought(self, record: TaskRecord, each: Assignment, video: VideoInfo) -> DraftId | None:
        """Create a read-only draft of a submission from another copy; None without one.

        It came as a submission alone. Its draft is the one its author would continue.
        """
        if not each.submissions or self._transactions.file.is_read_only:
            return None
        content = self._submitted(each.submissions[-1].submission_id, video)
        pts = self._pts_of(record.video_id)
        with self._transactions.file.transaction() as connection:
            author = self._transactions.file.author()
            return tasks.add_draft(
                connection, each.id, record.video_id, content=content, author=author, pts=pts
            )


def _is_large(document: Document) -> bool:
    """Return whether encoding a document would hold a window up."""
    n_marks = sum(len(t.keyframes) for t in document.tracks)
    n_marks += sum(256 * len(p.path.blocks) for p in document.points)
    return n_marks + len(document.segments) > _LARGE


def held_by(record: TaskRecord, person_id: PersonId) -> Assignment | None:
    """Return a person's assignment of a task, None without one."""
    return next((a for a in record.holders if a.person_id == person_id), None)


def why_locked(transactions: WorkTransactions, task_id: TaskId) -> ProjectError:
    """Return the error for an edit in a read-only draft."""
    text, hint = _reason(transactions, transactions.record(task_id), transactions.people.me)
    return ProjectError(f"Cannot edit: {text}.", hint=hint)


def _reason(
    transactions: WorkTransactions, record: TaskRecord, me: Person | None
) -> tuple[str, str]:
    if find_gold_task(transactions.file, record.id) and record.status is TaskStatus.WITHDRAWN:
        record = replace(record, status=status_if_no_gold(record))
    if record.status is TaskStatus.WITHDRAWN:
        return "the task is withdrawn", "A lead can reopen it."
    if record.status is TaskStatus.COMPLETE:
        if transactions.recipe.is_plain:
            return "the task is submitted", "Reopen the task to continue."
        return "the task is complete", "A lead can reopen it or start a new round."
    if me is None or transactions.people.needs_sign_in:
        return "you are not signed in", "Sign in first."
    if record.status is TaskStatus.RESOLVING:
        return (
            "all raters have submitted, and the submissions are being resolved"
        ), "Wait for the result."
    if any(assignment.person_id == me.id for assignment in record.holders):
        return "the draft belongs to another assignment", "Open the task again."
    if record.holders:
        holder_names = (
            transactions.people.find(assignment.person_id) for assignment in record.holders
        )
        names = ", ".join(person.name for person in holder_names if person is not None)
        return f"the task is assigned to {names or 'another person'}", "You can open it read-only."
    return _waiting(transactions, record, me)


def _waiting(transactions: WorkTransactions, record: TaskRecord, me: Person) -> tuple[str, str]:
    task_type = transactions.recipe.recipe.task_type(record.kind)
    stage = task_type.stage(record.stage) if task_type is not None else None
    title = stage.title if stage is not None else record.stage
    mine = [a for a in record.assignments if a.person_id == me.id]
    if mine and mine[-1].state is AssignmentState.SUBMITTED:
        return (
            f"you have submitted the task, and it is waiting for the stage “{title}”"
        ), "Claim another task."
    return (
        f"the task is waiting for the stage “{title}” and is not assigned"
    ), "Claim it to edit it."
