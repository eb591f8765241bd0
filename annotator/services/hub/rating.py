"""The rater's side of a hub: tasks are claimed into a project of one's own and sent from it.

The project works without a line. What was submitted here and has no receipt is the outbox, so a
submission is in it from the very transaction that made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.ids import AssignmentId, DraftId, PersonId, SubmissionId, TaskId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.work.events import Ended
from annotator.domain.work.records import AssignmentState
from annotator.domain.work.step import apply
from annotator.services.entry_values import BUNDLE, SEAT, Header, read_seat_header
from annotator.services.hub.place import Invitation, keep_place
from annotator.services.packages.opening import bring_media, create_for
from annotator.services.packages.submissions import delivery_of
from annotator.services.packages.unpacking import Unpacking
from annotator.services.project.guideline_images import UNPACKED, unpack_pictures
from annotator.services.workflow.sent_packages import origin_of, remember_package
from annotator.store.file.failures import UNSOUND
from annotator.store.workflow import log as work_log
from annotator.store.workflow import tasks, travel
from annotator.sync.archive import Archive, ArchiveError
from annotator.sync.hub import Ending, Hub, HubInfo, Lease, Message, Receipt

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

STOCK: Final = 3
"""How many tasks are kept to begin without a line, unless the person says otherwise."""

_CLAIM: Final = "claim:{}"
_CLAIMS: Final = "claims"
_NEXT: Final = "next_claim"
_BUNDLE: Final = "hub_bundle"
_SENT: Final = "sent:{}"
_MESSAGES: Final = "hub_messages"
_HUB_PACKAGE: Final = "hub"
_MOST_MESSAGES: Final = 200
_LET_GO: Final = frozenset((AssignmentState.RELEASED, AssignmentState.SKIPPED))


class ClaimState(StrEnum):
    """How a claim stands, as this copy of the project knows."""

    OPEN = "open"
    SENT = "sent"
    RELEASED = "released"
    LOST = "lost"


class Claimed(msgspec.Struct, omit_defaults=True):
    """A task that this copy claimed; ``until`` is by the clock of the hub."""

    claim_id: str
    seat_id: str
    task_id: TaskId
    assignment_id: AssignmentId
    until: int
    state: ClaimState = ClaimState.OPEN
    ending: str = ""


class Sent(msgspec.Struct, omit_defaults=True):
    """A submission that the hub has; ``outcome`` is what the lead's project made of it."""

    claim_id: str
    delivery_id: str
    at: int
    was_late: bool = False
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """Result of one exchange with the hub: sent submissions, lost tasks, new messages."""

    n_sent: int = 0
    lost: tuple[Claimed, ...] = ()
    messages: tuple[Message, ...] = ()


def join(path: Path, invitation: Invitation, info: HubInfo) -> None:
    """Make a project for one's work in a shared project; ProjectError if that cannot be.

    ``info`` is what the hub says: it has to be the hub of the invitation, and to know the person.
    """
    if info.project_id != invitation.project_id or info.person.id != invitation.person_id:
        raise ProjectError(
            "The invitation does not belong to this hub or this login.",
            hint="Ask the project lead for a new invitation.",
        )
    from annotator.services.project.projects import open_project

    header = Header(info.project_id, _HUB_PACKAGE, info.person.id, info.title or invitation.title)
    roles = frozenset(Role(role) for role in info.person.roles if role in set(Role))
    create_for(path, header, person=Person(info.person.id, info.person.name, roles))
    project = open_project(path)
    try:
        keep_place(project, invitation.place)
    finally:
        project.close()


class Rating:
    """A rater's project and the hub it was joined through."""

    def __init__(self, project: OpenProject, hub: Hub, media_folders: Sequence[Path] = ()) -> None:
        """WorkError for a project that is not one for tasks of a shared project."""
        origin = origin_of(project)
        if origin is None:
            raise WorkError(
                "This project was not created by joining a shared project.", code="not-shared"
            )
        self.missing: list[str] = []
        self._origin = origin
        self._project = project
        self._file = project.file
        self._room = project.work.room
        self._hub = hub
        self._media_folders = media_folders

    @property
    def person_id(self) -> PersonId:
        """Whose project it is."""
        return self._origin.person_id

    def claims(self) -> list[Claimed]:
        """Return the tasks that were claimed here, oldest first."""
        names = self._names()
        texts = (self._file.meta(_CLAIM.format(name)) for name in names)
        return [msgspec.json.decode(text, type=Claimed) for text in texts if text is not None]

    def stock(self) -> list[Claimed]:
        """Return the tasks in hand that were not begun."""
        return [
            claim
            for claim in self.claims()
            if claim.state is ClaimState.OPEN and self._draft_of(claim) is None
        ]

    def outbox(self) -> list[SubmissionId]:
        """Return what was submitted here and has not reached the hub, oldest first."""
        return [key for key, _ in travel.made_for(self._file) if self.sent(key) is None]

    def sent(self, submission_id: SubmissionId) -> Sent | None:
        """Return what is known of a submission that reached the hub."""
        text = self._file.meta(_SENT.format(submission_id))
        return msgspec.json.decode(text, type=Sent) if text is not None else None

    def all_sent(self) -> list[Sent]:
        """Return what is known of all submissions that reached the hub, oldest first."""
        found = (self.sent(key) for key, _ in travel.made_for(self._file))
        return [each for each in found if each is not None]

    def messages(self) -> list[Message]:
        """Return the messages of leads that came, oldest first."""
        text = self._file.meta(_MESSAGES)
        return msgspec.json.decode(text, type=list[Message]) if text is not None else []

    def next_task(self, *, stages: Sequence[str] | None = None) -> TaskId | None:
        """Claim one more task; None when the hub has none for this person.

        The ID of the claim is kept before it is asked for: after a death it is asked for again.
        """
        claim_id = self._file.meta(_NEXT) or ""
        if not claim_id:
            claim_id = new_id()
            self._keep(_NEXT, claim_id)
        lease = self._hub.claim(claim_id, stages=stages)
        if lease is None:
            self._keep(_NEXT, "")
            return None
        return self._take(lease)

    def fill_stock(self, n_tasks: int = STOCK) -> list[TaskId]:
        """Claim tasks until so many wait to be begun; return the new ones."""
        found: list[TaskId] = []
        while len(self.stock()) < n_tasks:
            task_id = self.next_task()
            if task_id is None:
                break
            found.append(task_id)
        return found

    def recover(self) -> list[TaskId]:
        """Take over what this person has claimed elsewhere, after the loss of a computer."""
        known = {claim.claim_id for claim in self.claims()}
        return [self._take(lease) for lease in self._hub.mine() if lease.claim_id not in known]

    def exchange(self) -> Round:
        """Send what waits, renew what is in hand, and take what the hub has to say."""
        n_sent = self._send()
        claims = self.claims()
        open_ones = {claim.claim_id: claim for claim in claims if claim.state is ClaimState.OPEN}
        waiting = {
            sent.claim_id: key
            for key, _ in travel.made_for(self._file)
            if (sent := self.sent(key)) is not None and not sent.outcome
        }
        messages = self.messages()
        last = messages[-1].number if messages else 0
        told = self._hub.tick(list(open_ones), submitted=list(waiting), since=last)
        lost: list[Claimed] = []
        with self._room.together():
            for claim_id, until in told.until.items():
                self._write(msgspec.structs.replace(open_ones[claim_id], until=until))
            for claim_id, ending in told.ended.items():
                lost.append(self._lose(open_ones[claim_id], ending))
            for claim_id, receipt in told.receipts.items():
                self._note_receipt(waiting[claim_id], claim_id, receipt)
            if told.messages:
                kept = [*messages, *told.messages][-_MOST_MESSAGES:]
                self._keep(_MESSAGES, msgspec.json.encode(kept).decode())
        return Round(n_sent, tuple(lost), tuple(told.messages))

    def _send(self) -> int:
        """Hand in what was submitted here, and give back what was released here."""
        by_assignment = {claim.assignment_id: claim for claim in self.claims()}
        count = 0
        for submission_id, assignment_id in travel.made_for(self._file):
            claim = by_assignment.get(assignment_id)
            if claim is None or self.sent(submission_id) is not None:
                continue
            header = msgspec.structs.replace(self._origin, package_id=claim.claim_id)
            body = delivery_of(self._project, header, submission_id)
            receipt = self._hub.submit(claim.claim_id, body)
            with self._room.together():
                self._note_receipt(submission_id, claim.claim_id, receipt)
                self._write(msgspec.structs.replace(claim, state=ClaimState.SENT))
            count += 1
        for claim in self.claims():
            if claim.state is ClaimState.OPEN and self._state_of(claim) in _LET_GO:
                self._hub.release(claim.claim_id)
                self._write(msgspec.structs.replace(claim, state=ClaimState.RELEASED))
        return count

    def _take(self, lease: Lease) -> TaskId:
        """Bring a claimed task into the project, all of it or nothing; then look for its video."""
        place = Path(f"task-{lease.seat_id}")
        with Archive(place, SEAT, body=lease.body) as seat:
            header = read_seat_header(seat)
            if (header.project_id, header.seat_id) != (self._origin.project_id, lease.seat_id):
                raise ArchiveError("The task belongs to another project.", where=str(place))
            bundle = self._new_bundle(lease.bundle)
            assignment_id = AssignmentId(header.assignment_id or lease.claim_id)
            unpacking = Unpacking(self._project, seat)
            try:
                with self._room.recipe.kept_unless_done(), self._room.together():
                    if bundle is not None:
                        self._use_bundle(bundle, lease.bundle)
                    unpacking.tasks(self.person_id, is_named=bool(header.assignment_id))
                    unpacking.assign(header.task_id, assignment_id, self.person_id)
                    remember_package(self._file, assignment_id, lease.claim_id)
                    claim = (lease.claim_id, lease.seat_id, header.task_id, assignment_id)
                    self._write(Claimed(*claim, lease.until))
                    self._keep(_NEXT, "")
            except UNSOUND as error:
                raise ArchiveError(
                    f"Cannot take the task: its content is invalid ({error}).",
                    hint="Ask the project lead to publish it again.",
                    where=str(place),
                ) from error
            self.missing += bring_media(
                seat, self._project, unpacking.videos, self._media_folders, lambda *_: None
            )
        return header.task_id

    def _new_bundle(self, digest: str) -> bytes | None:
        """Return recipe and labels from the hub, None when they are those used already."""
        return self._hub.bundle(digest) if self._file.meta(_BUNDLE) != digest else None

    def _use_bundle(self, body: bytes, digest: str) -> None:
        with Archive(Path("recipe of the hub"), BUNDLE, body=body) as archive:
            Unpacking(self._project, archive).shared()
            pictures = unpack_pictures(archive, self._project.path)
        if pictures is not None:
            self._keep(UNPACKED, pictures.name)
        self._keep(_BUNDLE, digest)

    def _lose(self, claim: Claimed, ending: Ending) -> Claimed:
        """Note that a claim is over. The draft stays, and can still be submitted."""
        if ending is Ending.SUBMITTED:
            over = msgspec.structs.replace(claim, state=ClaimState.SENT)
            self._write(over)
            return over
        over = msgspec.structs.replace(claim, state=ClaimState.LOST, ending=ending.value)
        self._write(over)
        record = self._room.record(claim.task_id)
        held = record.assignment(claim.assignment_id)
        if held is not None and held.state is AssignmentState.HELD:
            event = Ended(record.id, self._room.now(), None, held.id, AssignmentState.EXPIRED)
            with self._file.transaction() as connection:
                work_log.append_events(connection, [event], first=record.seq + 1)
            self._room.fold(apply(record, event), event.at)
            self._room.note_moved(record.id)
        return over

    def _note_receipt(self, key: SubmissionId, claim_id: str, receipt: Receipt) -> None:
        known = Sent(claim_id, receipt.id, receipt.at, receipt.was_late, receipt.outcome)
        self._keep(_SENT.format(key), msgspec.json.encode(known).decode())

    def _state_of(self, claim: Claimed) -> AssignmentState | None:
        held = self._room.record(claim.task_id).assignment(claim.assignment_id)
        return held.state if held is not None else None

    def _draft_of(self, claim: Claimed) -> DraftId | None:
        with self._file.reading() as connection:
            return tasks.find_draft(connection, claim.assignment_id)

    def _write(self, claim: Claimed) -> None:
        names = self._names()
        with self._file.transaction() as connection:
            text = msgspec.json.encode(claim).decode()
            travel.set_meta(connection, _CLAIM.format(claim.claim_id), text)
            if claim.claim_id not in names:
                kept = msgspec.json.encode([*names, claim.claim_id]).decode()
                travel.set_meta(connection, _CLAIMS, kept)

    def _keep(self, key: str, value: str) -> None:
        with self._file.transaction() as connection:
            travel.set_meta(connection, key, value)

    def _names(self) -> list[str]:
        text = self._file.meta(_CLAIMS)
        return msgspec.json.decode(text, type=list[str]) if text is not None else []
