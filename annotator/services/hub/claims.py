"""Records of a rater's project about its claims at a hub: open, waiting and sent."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.ids import AssignmentId, DraftId, SubmissionId, TaskId
from annotator.domain.work.records import AssignmentState
from annotator.store.workflow import tasks, travel
from annotator.sync.hub import Message, Receipt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotator.services.project.projects import OpenProject

__all__ = ["KEPT", "TAKEN_IN", "ClaimState", "Claims", "HubClaim", "Message", "Sent"]

TAKEN_IN: Final = "taken in"
"""Outcome of a submission that counts in the lead's project."""
KEPT: Final = "kept: "
"""Beginning of the outcome of one that was late, and is kept."""

_CLAIM: Final = "claim:"
_SENT: Final = "sent:"
_MESSAGES: Final = "hub_messages"
_READ: Final = "hub_read"
_MOST_MESSAGES: Final = 200


class ClaimState(StrEnum):
    """State of a claim, as far as this copy of the project knows."""

    OPEN = "open"
    SENT = "sent"
    RELEASED = "released"
    LOST = "lost"


class HubClaim(msgspec.Struct, omit_defaults=True):
    """A task that this copy claimed; ``until`` is by the clock of the hub."""

    claim_id: str
    seat_id: str
    task_id: TaskId
    assignment_id: AssignmentId
    until: int
    state: ClaimState = ClaimState.OPEN
    ending: str = ""


class Sent(msgspec.Struct, omit_defaults=True):
    """A submission at the hub; ``outcome`` is the reply of the lead's project."""

    claim_id: str
    delivery_id: str
    at: int
    was_late: bool = False
    outcome: str = ""


class Claims:
    """The claims of a rater's project. Nothing here needs a connection."""

    def __init__(self, project: OpenProject) -> None:
        self._project = project
        self._file = project.file

    def all(self) -> list[HubClaim]:
        """Return the tasks that were claimed here, oldest first."""
        found = sorted(travel.meta_with(self._file, _CLAIM).items())
        return [msgspec.json.decode(text, type=HubClaim) for _, text in found]

    def open(self) -> dict[str, HubClaim]:
        """Return the open claims, by ID."""
        return {each.claim_id: each for each in self.all() if each.state is ClaimState.OPEN}

    def stock(self) -> list[HubClaim]:
        """Return the assigned tasks that are not started."""
        return [
            each
            for each in self.open().values()
            if self._draft_of(each) is None and self.state_of(each) is AssignmentState.HELD
        ]

    def outbox(self) -> list[SubmissionId]:
        """Return submissions that have not reached the hub, oldest first."""
        sent = self.sent()
        return [
            key for key, _ in travel.submissions_with_assignments(self._file) if key not in sent
        ]

    def waiting(self) -> dict[str, SubmissionId]:
        """Return submissions at the hub without a reply of the lead, by claim."""
        return {each.claim_id: key for key, each in self.sent().items() if not each.outcome}

    def sent(self) -> dict[SubmissionId, Sent]:
        """Return all submissions that reached the hub."""
        found = travel.meta_with(self._file, _SENT)
        return {
            SubmissionId(key): msgspec.json.decode(text, type=Sent) for key, text in found.items()
        }

    def messages(self) -> list[Message]:
        """Return the received messages of leads, oldest first."""
        text = self._file.meta(_MESSAGES)
        return msgspec.json.decode(text, type=list[Message]) if text is not None else []

    def unread(self) -> list[Message]:
        """Return the messages that were not marked as read, oldest first."""
        last = int(self._file.meta(_READ) or 0)
        return [message for message in self.messages() if message.number > last]

    def mark_read(self, message: Message) -> None:
        """Mark a message, and those before it, as read."""
        self.keep(_READ, str(message.number))

    def add_messages(self, new: Iterable[Message]) -> None:
        """Keep further messages."""
        kept = [*self.messages(), *new][-_MOST_MESSAGES:]
        self.keep(_MESSAGES, msgspec.json.encode(kept).decode())

    def state_of(self, claim: HubClaim) -> AssignmentState | None:
        """Return the state of the assignment of a claim."""
        held = self._project.work.record(claim.task_id).assignment(claim.assignment_id)
        return held.state if held is not None else None

    def note_receipt(self, key: SubmissionId, claim_id: str, receipt: Receipt) -> None:
        """Keep the receipt of a submission."""
        known = Sent(claim_id, receipt.id, receipt.at, receipt.was_late, receipt.outcome)
        self.keep(_SENT + key, msgspec.json.encode(known).decode())

    def write(self, claim: HubClaim) -> None:
        """Keep a claim, new or changed."""
        self.keep(_CLAIM + claim.claim_id, msgspec.json.encode(claim).decode())

    def keep(self, key: str, value: str) -> None:
        """Keep a fact about the project."""
        with self._file.transaction() as connection:
            travel.set_meta(connection, key, value)

    def _draft_of(self, claim: HubClaim) -> DraftId | None:
        with self._file.reading() as connection:
            return tasks.find_draft(connection, claim.assignment_id)
