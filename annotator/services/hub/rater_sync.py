"""The rater's side of a hub: claims tasks into an own project and submits from it.

The project works offline. Submissions without a receipt form the outbox, which is part of the same
transaction as the submission itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.errors import ProjectError, UserError, WorkError
from annotator.domain.ids import AssignmentId, PersonId, TaskId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.work.event_replay import apply
from annotator.domain.work.events import Ended
from annotator.domain.work.records import AssignmentState
from annotator.services.entry_values import BUNDLE, SEAT, Header, read_seat_header
from annotator.services.fetching.fetch import keep_template
from annotator.services.hub.claims import Claims, ClaimState, HubClaim
from annotator.services.hub.hub_place import Invitation, keep_place
from annotator.services.packages.package_contents import Unpacking
from annotator.services.packages.package_opening import create_for, discard, unpack_media
from annotator.services.packages.submissions import delivery_of
from annotator.services.project.guideline_images import UNPACKED, unpack_pictures
from annotator.services.workflow.sent_packages import origin_of, remember_package
from annotator.store.file.failures import UNSOUND
from annotator.store.workflow import log as work_log
from annotator.store.workflow import travel
from annotator.sync.archive import Archive, ArchiveError
from annotator.sync.hub import Ending, Hub, Lease, Message, NotYoursError

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

STOCK: Final = 3
"""How many tasks are kept to begin without a line, unless the person says otherwise."""

_NEXT: Final = "next_claim"
_SKIPPED: Final = "unreadable_claims"
_BUNDLE: Final = "hub_bundle"
_HUB_PACKAGE: Final = "hub"
_LET_GO: Final = frozenset((AssignmentState.RELEASED, AssignmentState.SKIPPED))


@dataclass(frozen=True, slots=True)
class Round:
    """Result of one exchange with the hub: sent submissions, lost tasks, new messages."""

    n_sent: int = 0
    lost: tuple[HubClaim, ...] = ()
    messages: tuple[Message, ...] = ()


def join(path: Path, invitation: Invitation, hub: Hub) -> None:
    """Create a person's project for a shared project; ProjectError if that fails.

    It has to be the hub of the invitation, and to know the person. WorkError before the lead has
    published anything.
    """
    info = hub.hello()
    if info.project_id != invitation.project_id or info.person.id != invitation.person_id:
        raise ProjectError(
            "The invitation does not belong to this hub or this login.",
            hint="Ask the project lead for a new invitation.",
        )
    if not info.bundle:
        raise WorkError(
            "The lead has not published any tasks yet.", code="not-published", hint="Try later."
        )
    from annotator.services.project.projects import open_project

    header = Header(info.project_id, _HUB_PACKAGE, info.person.id, info.title or invitation.title)
    roles = frozenset(Role(role) for role in info.person.roles if role in set(Role))
    create_for(path, header, person=Person(info.person.id, info.person.name, roles))
    try:
        project = open_project(path)
        try:
            keep_place(project, invitation.place)
            if invitation.videos:
                keep_template(project, invitation.videos)
            Rating(project, hub).use_bundle(info.bundle)
        finally:
            project.close()
    except BaseException:
        discard(path)
        raise


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
        self._transactions = project.work.transactions
        self._hub = hub
        self._media_folders = media_folders
        self.claims = Claims(project)

    @property
    def person_id(self) -> PersonId:
        """The owner of the project."""
        return self._origin.person_id

    def next_task(self, *, stages: Sequence[str] | None = None) -> TaskId | None:
        """Claim one more task; None when the hub has none for this person.

        The ID of the claim is kept before it is asked for: after a death it is asked for again.
        """
        claim_id = self._file.meta(_NEXT) or ""
        if not claim_id:
            claim_id = new_id()
            self.claims.keep(_NEXT, claim_id)
        lease = self._hub.claim(claim_id, stages=stages)
        if lease is None:
            self.claims.keep(_NEXT, "")
            return None
        try:
            return self._take(lease)
        except UserError:
            self._skip_claim(lease)
            raise

    def fill_stock(self, n_tasks: int = STOCK) -> list[TaskId]:
        """Claim tasks up to a number of unstarted ones; return the new ones."""
        found: list[TaskId] = []
        while len(self.claims.stock()) < n_tasks:
            task_id = self.next_task()
            if task_id is None:
                break
            found.append(task_id)
        return found

    def recover(self) -> list[TaskId]:
        """Restore this person's claims from another computer, after its loss."""
        known = {claim.claim_id for claim in self.claims.all()} | self._skipped_claims()
        return [self._take(lease) for lease in self._hub.mine() if lease.claim_id not in known]

    def exchange(self) -> Round:
        """Send submissions, renew claims, and fetch messages and receipts.

        NotYoursError, after all of that, when the hub does not know a claim: its submission stays
        here.
        """
        foreign: list[NotYoursError] = []
        n_sent = self._send(foreign)
        open_ones, waiting_claims = self.claims.open(), self.claims.waiting()
        messages = self.claims.messages()
        last = messages[-1].number if messages else 0
        tick = self._hub.tick(list(open_ones), submitted=list(waiting_claims), since=last)
        lost: list[HubClaim] = []
        with self._transactions.together():
            for claim_id, until in tick.until.items():
                self.claims.write(msgspec.structs.replace(open_ones[claim_id], until=until))
            for claim_id, ending in tick.ended.items():
                lost.append(self._lose(open_ones[claim_id], ending))
            for claim_id, receipt in tick.receipts.items():
                self.claims.note_receipt(waiting_claims[claim_id], claim_id, receipt)
            if tick.messages:
                self.claims.add_messages(tick.messages)
        if foreign:
            raise foreign[0]
        return Round(n_sent, tuple(lost), tuple(tick.messages))

    def _send(self, foreign: list[NotYoursError]) -> int:
        """Send submissions and releases of this copy."""
        by_assignment = {claim.assignment_id: claim for claim in self.claims.all()}
        sent = self.claims.sent()
        count = 0
        for submission_id, assignment_id in travel.submissions_with_assignments(self._file):
            claim = by_assignment.get(assignment_id)
            if claim is None or submission_id in sent:
                continue
            header = msgspec.structs.replace(self._origin, package_id=claim.claim_id)
            body = delivery_of(self._project, header, submission_id)
            try:
                receipt = self._hub.submit(claim.claim_id, body)
            except NotYoursError as error:
                foreign.append(error)
                continue
            with self._transactions.together():
                self.claims.note_receipt(submission_id, claim.claim_id, receipt)
                self.claims.write(msgspec.structs.replace(claim, state=ClaimState.SENT))
            count += 1
        for claim in self.claims.all():
            if claim.state is ClaimState.OPEN and self.claims.state_of(claim) in _LET_GO:
                self._hub.release(claim.claim_id)
                self.claims.write(msgspec.structs.replace(claim, state=ClaimState.RELEASED))
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
                with self._transactions.recipe.restored_on_failure(), self._transactions.together():
                    if bundle is not None:
                        self._use_bundle(bundle, lease.bundle)
                    unpacking.tasks(self.person_id, is_named=bool(header.assignment_id))
                    unpacking.assign(header.task_id, assignment_id, self.person_id)
                    remember_package(self._file, assignment_id, lease.claim_id)
                    for earlier in self.claims.open().values():
                        if earlier.assignment_id == assignment_id:
                            self.claims.write(
                                msgspec.structs.replace(earlier, state=ClaimState.LOST)
                            )
                    claim = (lease.claim_id, lease.seat_id, header.task_id, assignment_id)
                    self.claims.write(HubClaim(*claim, lease.until))
                    self.claims.keep(_NEXT, "")
            except UNSOUND as error:
                raise ArchiveError(
                    f"Cannot take the task: its content is invalid ({error}).",
                    hint="Ask the project lead to publish it again.",
                    where=str(place),
                ) from error
            self.missing += unpack_media(
                seat, self._project, unpacking.videos, self._media_folders, lambda *_: None
            )
        return header.task_id

    def use_bundle(self, digest: str) -> None:
        """Take over recipe and labels from the hub."""
        bundle = self._new_bundle(digest)
        if bundle is not None:
            with self._transactions.recipe.restored_on_failure(), self._transactions.together():
                self._use_bundle(bundle, digest)

    def _skip_claim(self, lease: Lease) -> None:
        """Ask for this task no more: it cannot be read. The claim ends by itself."""
        kept = sorted({*self._skipped_claims(), lease.claim_id})
        self.claims.keep(_SKIPPED, " ".join(kept))
        self.claims.keep(_NEXT, "")

    def _skipped_claims(self) -> set[str]:
        return set((self._project.file.meta(_SKIPPED) or "").split())

    def _new_bundle(self, digest: str) -> bytes | None:
        """Return recipe and labels from the hub, None when they are those used already."""
        return self._hub.bundle(digest) if self._file.meta(_BUNDLE) != digest else None

    def _use_bundle(self, body: bytes, digest: str) -> None:
        with Archive(Path("recipe of the hub"), BUNDLE, body=body) as archive:
            Unpacking(self._project, archive).shared()
            pictures = unpack_pictures(archive, self._project.path)
        if pictures is not None:
            self.claims.keep(UNPACKED, pictures.name)
        self.claims.keep(_BUNDLE, digest)

    def _lose(self, claim: HubClaim, ending: Ending) -> HubClaim:
        """Note that a claim is over. The draft stays, and can still be submitted."""
        if ending is Ending.SUBMITTED:
            over = msgspec.structs.replace(claim, state=ClaimState.SENT)
            self.claims.write(over)
            return over
        over = msgspec.structs.replace(claim, state=ClaimState.LOST, ending=ending.value)
        self.claims.write(over)
        record = self._transactions.record(claim.task_id)
        assignment = record.assignment(claim.assignment_id)
        if assignment is not None and assignment.state is AssignmentState.HELD:
            event = Ended(
                record.id, self._transactions.now(), None, assignment.id, AssignmentState.EXPIRED
            )
            with self._file.transaction() as connection:
                work_log.append_events(connection, [event], first=record.seq + 1)
            self._transactions.fold(apply(record, event), event.at)
            self._transactions.note_moved(record.id)
        return over
