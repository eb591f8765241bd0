"""Protocol of a hub, version 2, and the values it exchanges.

A hub stores *seats* (places in tasks, each for one person) until they are claimed, and deliveries
until the lead's project has collected them. It never interprets their content. No object has two
writers: a seat has one assignee at a time, and a delivery never changes.

All times are milliseconds since 1970 by the clock of the hub. Every call can be repeated: the
caller creates the IDs of claims, and deliveries are named by their content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, ProjectId

PROTOCOL: Final = 2
"""The version of the protocol that this program uses."""
MAX_PRIORITY: Final = 99
MAX_BODY_BYTES: Final = 64 << 20
LEASE_MS: Final = 72 * 3_600_000
"""How long a claim lasts without a sign of life, unless the hub says otherwise."""
LONGEST_GAP_MS: Final = 10 * 60_000
"""After a longer time without any call the hub was away: leases stand still meanwhile."""


class HubError(UserError):
    """The hub cannot be reached, read or written; a later attempt may succeed."""


class NotMemberError(HubError):
    """The person is not, or no longer, one of the people of the hub."""


class ProtocolError(HubError):
    """Program and hub use different versions of the protocol."""


class NotYoursError(HubError):
    """The hub does not know this claim, or another person holds it."""


class WriteRoleLostError(HubError):
    """Another copy of the project took over the write role."""


class Ending(StrEnum):
    """How a claim ended."""

    SUBMITTED = "submitted"
    RELEASED = "released"
    EXPIRED = "expired"
    REVOKED = "revoked"


class EventKind(StrEnum):
    """Kinds of events at a hub."""

    CLAIMED = "claimed"
    RELEASED = "released"
    EXPIRED = "expired"
    REVOKED = "revoked"
    SUBMITTED = "submitted"
    LATE = "late"  # submitted after the claim had ended
    AGAIN = "again"  # submitted once more, with other content


@dataclass(frozen=True, slots=True)
class HubPerson:
    """A person and the seats they may claim: of a role in ``roles`` and a kind in ``kinds``."""

    id: PersonId
    name: str = ""
    roles: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    is_active: bool = True


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a task for one person.

    ``id`` is 1 to 120 letters, digits, dots, underscores and hyphens, and never used for other
    work. No person gets two seats of one ``group``. ``role`` "" is for all with "" among their
    roles. ``only_for`` is the one person who may have it; ``excluded`` never get it. Higher
    ``priority`` (0 to 99) goes first. After a lead took a seat from a person, that person gets no
    open seat of the same group.
    """

    id: str
    group: str
    kind: str
    stage: str
    body: bytes = field(repr=False)
    role: str = ""
    priority: int = 0
    only_for: PersonId | None = None
    excluded: frozenset[PersonId] = frozenset()


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim on a seat until a time; ``bundle`` names the shared content of its bodies."""

    claim_id: str
    seat_id: str
    stage: str
    version: int
    until: int
    bundle: str
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof that a delivery arrived. ``outcome`` is what the lead's project made of it, "" so far.

    ``id`` is the SHA-256 of the body. ``was_late``: the claim had ended otherwise before.
    """

    id: str
    was_late: bool
    at: int
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """Words from a lead, to everybody or to one person."""

    number: int
    at: int
    text: str
    is_to_all: bool


@dataclass(frozen=True, slots=True)
class HubInfo:
    """Description of a hub and of the signed-in person.

    It answers programs of the protocols ``oldest`` to ``newest``; older ones may still submit.
    ``bundle`` names what all bodies share, "" before anything was published.
    """

    project_id: ProjectId
    title: str
    hub_id: str
    oldest: int
    newest: int
    now: int
    lease_ms: int
    write_role: int
    person: HubPerson
    bundle: str = ""


@dataclass(frozen=True, slots=True)
class HeartbeatReply:
    """Answer to a sign of life: leases renewed, claims that ended, messages and receipts.

    ``receipts`` are those of the claims asked for, by claim, the latest of each.
    """

    now: int
    until: Mapping[str, int]
    ended: Mapping[str, Ending]
    messages: Sequence[Message]
    receipts: Mapping[str, Receipt]


@dataclass(frozen=True, slots=True)
class HubEvent:
    """An event for the lead's project; ``delivery`` is the submission, if any."""

    key: str
    kind: EventKind
    at: int
    seat_id: str
    claim_id: str
    person_id: PersonId
    delivery_id: str = ""
    delivery: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A claimed seat as the lead's board shows it."""

    seat_id: str
    claim_id: str
    person_id: PersonId
    since: int
    seen: int
    until: int


@dataclass(frozen=True, slots=True)
class HubStatus:
    """State of the work: seats by state, claims, and deliveries that are not collected yet.

    ``mark`` is the one that came with the last acknowledgement, "" before the first.
    """

    now: int
    n_free: int
    n_held: int
    n_done: int
    n_pending: int
    holders: Sequence[SeatHolder]
    write_role: int
    mark: str = ""


class Hub(Protocol):
    """Interface of a hub: raters claim and submit, leads publish and collect.

    All methods raise HubError when the hub cannot be reached. What changes the offer or takes
    events over needs the write role: WriteRoleLostError when another copy of the project has it.
    """

    def close(self) -> None:
        """Close the connection; a later call opens another one."""
        ...

    def hello(self) -> HubInfo:
        """Return the description of the hub; NotMemberError for an unknown person."""
        ...

    def claim(self, claim_id: str, *, stages: Collection[str] | None = None) -> Lease | None:
        """Take the next seat, of some stages only; None when there is none for this person.

        The same ``claim_id`` again returns the same seat, None once that claim has ended.
        """
        ...

    def mine(self) -> list[Lease]:
        """Return this person's unfinished claims, from any computer."""
        ...

    def tick(
        self, claims: Collection[str] = (), *, submitted: Collection[str] = (), since: int = 0
    ) -> HeartbeatReply:
        """Renew claims, and return new messages after number ``since``, and receipts."""
        ...

    def release(self, claim_id: str) -> None:
        """Release a claim; one that has ended is no error."""
        ...

    def submit(self, claim_id: str, body: bytes) -> Receipt:
        """Submit work; the same body twice is the same delivery.

        Work is kept whenever it comes, also after the claim has ended or the person has left.
        NotYoursError when there never was such a claim of theirs.
        """
        ...

    def bundle(self, digest: str) -> bytes:
        """Return the shared content of all seats, by the SHA-256 of its bytes."""
        ...

    def set_people(self, people: Iterable[HubPerson]) -> None:
        """Set the permissions of members; others keep theirs."""
        ...

    def publish(self, seats: Iterable[Seat], bundle: bytes) -> int:
        """Offer seats, and return how many are new. Those on offer, held or done stay as they are;
        withdrawn ones are offered again. The bundle applies to all seats from now on.
        """
        ...

    def revise(
        self,
        seat_ids: Collection[str],
        *,
        priority: int | None = None,
        excluded: Collection[PersonId] | None = None,
        only_for: PersonId | None = None,
        body: bytes | None = None,
    ) -> int:
        """Change unclaimed seats, and return their number. A new body increments the version."""
        ...

    def withdraw(self, seat_ids: Collection[str]) -> int:
        """Withdraw unclaimed seats; return their number."""
        ...

    def revoke(self, claim_ids: Collection[str]) -> int:
        """Take seats back from their holders; return how many were held. Any lead may."""
        ...

    def message(self, text: str, person_id: PersonId | None = None) -> None:
        """Leave words for one person, or for everybody. Any lead may."""
        ...

    def events(self, limit: int = 200) -> list[HubEvent]:
        """Return unacknowledged events, oldest first for each seat."""
        ...

    def acknowledge(self, outcomes: Mapping[str, str], *, mark: str = "") -> None:
        """Mark events as collected, by key; the texts are for the receipts of deliveries.

        ``mark`` identifies the project that collected them.
        """
        ...

    def resend_events(self) -> None:
        """Send all events again, to a project restored from a backup."""
        ...

    def board(self) -> HubStatus:
        """Return the state of the work."""
        ...

    def take_write_role(self) -> int:
        """Make this copy of the project the one that publishes and collects; return its number."""
        ...


def content_id(body: bytes) -> str:
    """Return the name of a delivery or a bundle: the SHA-256 of its bytes; HubError if too long."""
    if len(body) > MAX_BODY_BYTES:
        raise HubError(
            f"Cannot send {len(body) >> 20} MB: the limit is {MAX_BODY_BYTES >> 20} MB.",
            hint="Use a work package and a submission file for this task.",
        )
    return hashlib.sha256(body).hexdigest()


def check_protocol(oldest: int, newest: int) -> None:
    """Raise ProtocolError unless this program's protocol is one that a hub answers."""
    if newest < PROTOCOL:
        raise ProtocolError(
            f"The hub is too old for this program: it uses protocol {newest}, and {PROTOCOL} is "
            "needed.",
            hint="Ask the project lead to upgrade the hub. You can still submit your work.",
        )
    if oldest > PROTOCOL:
        raise ProtocolError(
            f"This program is too old for the hub: it uses protocol {PROTOCOL}, and {oldest} is "
            "needed.",
            hint="Install the current version. You can still submit your work.",
        )


def not_a_member() -> NotMemberError:
    """Return the error for a person who is not a member of the hub."""
    return NotMemberError(
        "You are not a member of this shared project, or a lead removed you.",
        hint="Ask the project lead. You can still submit work that you have claimed.",
    )


def not_yours() -> NotYoursError:
    """Return the error for a claim that this person does not hold."""
    return NotYoursError(
        "The hub does not know this claim.",
        hint="Your work is stored in this project. Send it to the lead as a submission file.",
    )


def write_role_lost() -> WriteRoleLostError:
    """Return the error for a copy of the project that lost the write role."""
    return WriteRoleLostError(
        "Another copy of this project publishes and collects the work now.",
        hint="Use that copy, or take over the write role. This copy can still show the board.",
    )
