"""A transition in progress: the record so far, its events, and the open decisions."""

from __future__ import annotations

from typing import Final

from annotator.domain.errors import WorkError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId
from annotator.domain.people import Crew, Person, Role
from annotator.domain.recipes.recipe import Act, StageSpec, TaskType
from annotator.domain.work.event_replay import apply
from annotator.domain.work.events import Completed, Decided, Ended, Entered, WorkEvent
from annotator.domain.work.records import (
    Assignment,
    AssignmentState,
    Instant,
    Reason,
    TaskRecord,
    Verdict,
    VerdictKind,
)
from annotator.domain.work.rules import is_over

MAX_TEXT: Final = 10_000
_NOT_LET_GO: Final = frozenset(
    (AssignmentState.HELD, AssignmentState.SUBMITTED, AssignmentState.EXTRA)
)


class PlanDraft:
    """A transition in progress; every added event is applied to ``record`` at once."""

    def __init__(
        self,
        record: TaskRecord,
        task_type: TaskType,
        crew: Crew,
        now: Instant,
        by: PersonId | None,
    ) -> None:
        if record.kind != task_type.kind:
            raise ValueError(f"a task of the kind “{record.kind}” needs its own task type")
        self.record = record
        self.task_type = task_type
        self.crew = crew
        self.now = now
        self.by = by
        self.task_id = record.id
        self.events: list[WorkEvent] = []

    def add(self, event: WorkEvent) -> None:
        """Add an event and apply it to the record."""
        self.record = apply(self.record, event)
        self.events.append(event)

    def stage(self) -> StageSpec:
        """Return the stage the task is at; WorkError if the recipe has it no more."""
        found = self.task_type.stage(self.record.stage)
        if found is None:
            raise WorkError(
                f"The recipe no longer has the stage “{self.record.stage}”.",
                code="no-stage",
                hint="Ask a lead to reopen the task at an existing stage.",
            )
        return found

    def person(self, person_id: PersonId) -> Person:
        """Return a person of the project, or raise WorkError."""
        found = self.crew.person(person_id)
        if found is None:
            raise WorkError(
                "The person is not in the project.",
                code="unknown-person",
                hint="Ask a lead to add the person.",
            )
        return found

    def is_lead(self, person_id: PersonId | None) -> bool:
        """Return whether a person is an active lead."""
        found = self.crew.person(person_id) if person_id is not None else None
        return found is not None and found.has(Role.LEAD)

    def lease(self, stage: StageSpec) -> Instant | None:
        """Return when a lease that begins now ends."""
        return None if stage.lease_ms is None else self.now + stage.lease_ms

    def is_over(self, held: Assignment) -> bool:
        """Return whether the lease of a claim has expired."""
        stage = self.task_type.stage(held.stage)
        return is_over(held, stage.lease_ms if stage is not None else None, self.now)

    def expire_holds(self) -> None:
        """End every claim with an expired lease."""
        for held in self.record.holders:
            if self.is_over(held):
                state = AssignmentState.EXPIRED
                self.add(Ended(self.task_id, self.now, None, held.id, state))

    def released_assignment(self, person_id: PersonId) -> AssignmentId | None:
        """Return the assignment that a person released at this visit, with its draft."""
        for each in self.record.current:
            if each.person_id == person_id and each.state not in _NOT_LET_GO:
                return each.id
        return None

    def fresh(self, assignment_id: AssignmentId) -> AssignmentId:
        """Return an identifier that is not in use; WorkError if it is."""
        if self.record.assignment(assignment_id) is not None:
            raise WorkError("The assignment already exists.", code="made-already")
        return assignment_id

    def reason(self, text: str) -> str:
        """Return a reason in words; WorkError when none is given."""
        if not text.strip():
            raise WorkError("Enter a reason.", code="no-reason")
        return _fitting(text.strip())

    def end(self, held: Assignment, state: AssignmentState, text: str = "") -> None:
        """End a hold; its draft is kept."""
        self.add(Ended(self.task_id, self.now, self.by, held.id, state, text))

    def decide(
        self,
        kind: VerdictKind,
        base_id: SubmissionId | None,
        method: str,
        reasons: tuple[Reason, ...],
    ) -> None:
        """Add the resolution of several submissions, and move the task on."""
        self.add(Decided(self.task_id, self.now, self.by, kind, base_id, method))
        self.move(kind, base_id, reasons)

    def move(
        self, kind: VerdictKind, base_id: SubmissionId | None, reasons: tuple[Reason, ...]
    ) -> None:
        """Let the task enter the stage that follows from a verdict, or complete it."""
        stage, back = self.stage(), kind is VerdictKind.SEND_BACK
        if back and stage.sends_back_to is not None:
            target = self.task_type.stage(stage.sends_back_to)
        else:
            target = self.task_type.after(stage.key)
        if target is None:
            self.add(Completed(self.task_id, self.now, None, base_id))
            return
        self.add(
            Entered(
                self.task_id,
                self.now,
                None,
                target.key,
                target.raters,
                base_id,
                back,
                reasons if back else (),
            )
        )


def check_verdict(verdict: Verdict, stage: StageSpec | None) -> None:
    """Raise WorkError when a verdict is not possible, at a stage if one is given.

    Sending back takes reasons, each in words, about a place or the whole task.
    """
    for reason in verdict.reasons:
        if not reason.text.strip():
            raise WorkError("The reason is empty. Enter some text.", code="no-reason")
        _fitting(reason.text)
    if verdict.kind is VerdictKind.SEND_BACK and not verdict.reasons:
        raise WorkError(
            "Cannot reject the task: at least one reason is required.", code="no-reason"
        )
    if stage is None:
        return
    if verdict.kind is VerdictKind.SEND_BACK and stage.sends_back_to is None:
        raise WorkError("Tasks cannot be rejected at this stage.", code="no-way-back")
    if (verdict.kind is VerdictKind.DONE) != (stage.act is Act.ANNOTATE) and (
        verdict.kind is not VerdictKind.SEND_BACK
    ):
        raise WorkError("This decision is not allowed at this stage.", code="other-verdict")


def _fitting(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise WorkError(
            f"The text is too long. The limit is {MAX_TEXT} characters.", code="too-long"
        )
    return text
