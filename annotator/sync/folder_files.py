"""Names and contents of the files of a folder hub, and what is refused.

What happens to a seat is in the name of its token, so that one rename changes all of it:

    free       PRIORITY~SEAT~N            or  …~PERSON~CLAIM~SINCE~ENDING~AT of the last claim
    held       PRIORITY~SEAT~N~PERSON~CLAIM~SINCE~UNTIL
    done       PRIORITY~SEAT~N~PERSON~CLAIM~SINCE
    withdrawn  as in free

``N`` counts how often the seat was claimed. Priorities are counted down from 99, so that names sort
by urgency.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple, TypeVar

import msgspec

from annotator.domain.ids import PersonId, ProjectId
from annotator.sync.hub import MAX_PRIORITY, PROTOCOL, Ending, HubError, HubPerson, Seat

T = TypeVar("T", bound=msgspec.Struct)

_HUB: Final = "annotator-hub/2"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}\Z")
_SYNC_FOLDERS: Final = re.compile(
    r"(dropbox|onedrive|google ?drive|nextcloud)( .*)?|box|box sync|mobile documents", re.IGNORECASE
)
_SYNC_FILES: Final = (".dropbox", ".stfolder", ".owncloudsync.log", ".sync_", ".nextcloudsync.log")


class ClaimEnd(NamedTuple):
    """How a claim ended otherwise than by a submission; ``n`` is its place among the seat's."""

    seat_id: str
    n: int
    person_id: str
    claim_id: str
    since: int
    ending: Ending
    at: int

    def __str__(self) -> str:
        return "~".join(str(part) for part in self)


class Waiting(NamedTuple):
    """A token that nobody holds; ``last`` is the claim before, "" without one."""

    priority: int
    seat_id: str
    n: int
    last: str = ""

    def __str__(self) -> str:
        rest = f"~{self.last}" if self.last else ""
        return f"{MAX_PRIORITY - self.priority:02d}~{self.seat_id}~{self.n}{rest}"

    @property
    def ended(self) -> ClaimEnd | None:
        """How the claim before ended."""
        return ended_of(f"{self.seat_id}~{self.n - 1}~{self.last}") if self.last else None


class Held(NamedTuple):
    """A token that somebody holds or has held to the end; ``until`` is 0 when it is done."""

    priority: int
    seat_id: str
    n: int
    person_id: str
    claim_id: str
    since: int
    until: int = 0

    def __str__(self) -> str:
        head = f"{MAX_PRIORITY - self.priority:02d}~{self.seat_id}~{self.n}~{self.person_id}"
        rest = f"~{self.until}" if self.until else ""
        return f"{head}~{self.claim_id}~{self.since}{rest}"

    def freed(self, ending: Ending, at: int) -> Waiting:
        """Return the token after the claim ended."""
        last = f"{self.person_id}~{self.claim_id}~{self.since}~{ending.value}~{at}"
        return Waiting(self.priority, self.seat_id, self.n + 1, last)


class FolderDelivery(NamedTuple):
    """A delivery; ``digest`` is the SHA-256 of its bytes."""

    seat_id: str
    n: int
    person_id: str
    claim_id: str
    digest: str

    def __str__(self) -> str:
        return "~".join(str(part) for part in self)


def waiting_of(name: str) -> Waiting | None:
    """Return what the name of a free token says; None for a file that is no token."""
    parts = name.split("~", 3)
    if len(parts) < 3 or not (parts[0].isdigit() and parts[2].isdigit()):
        return None
    last = parts[3] if len(parts) == 4 else ""
    found = Waiting(MAX_PRIORITY - int(parts[0]), parts[1], int(parts[2]), last)
    return found if not last or found.ended is not None else None


def held_of(name: str) -> Held | None:
    """Return what the name of a held or done token says; None for a file that is no token."""
    parts = name.split("~")
    if len(parts) not in (6, 7):
        return None
    priority, seat_id, n, person_id, claim_id, *times = parts
    if not all(each.isdigit() for each in (priority, n, *times)):
        return None
    head = (MAX_PRIORITY - int(priority), seat_id, int(n), person_id, claim_id)
    return Held(*head, *(int(each) for each in times))


def ended_of(name: str) -> ClaimEnd | None:
    """Return what a record of an ended claim says; None for another file."""
    parts = name.split("~")
    if len(parts) != 7 or not (parts[1].isdigit() and parts[4].isdigit() and parts[6].isdigit()):
        return None
    seat_id, n, person_id, claim_id, since, ending, at = parts
    if ending not in (each.value for each in Ending):
        return None
    return ClaimEnd(seat_id, int(n), person_id, claim_id, int(since), Ending(ending), int(at))


def handed_of(name: str) -> FolderDelivery | None:
    """Return what the name of a delivery says; None for another file."""
    parts = name.split("~")
    if len(parts) != 5 or not parts[1].isdigit():
        return None
    seat_id, n, person_id, claim_id, digest = parts
    return FolderDelivery(seat_id, int(n), person_id, claim_id, digest)


class HubFile(msgspec.Struct):
    """Contents of ``hub.json``: whose folder it is, and which protocols it answers."""

    project_id: ProjectId
    hub_id: str
    title: str
    lease_ms: int
    format: str = _HUB
    oldest: int = PROTOCOL
    newest: int = PROTOCOL


class PersonFile(msgspec.Struct):
    """Contents of the file of a person: what they may claim."""

    name: str
    roles: list[str]
    kinds: list[str]
    is_active: bool


class SeatHead(msgspec.Struct):
    """The first line of the file of a seat; its body follows."""

    group: str
    kind: str
    stage: str
    role: str
    excluded: list[PersonId]
    only_for: PersonId | None = None
    version: int = 1


def seat_bytes(seat: Seat, version: int) -> bytes:
    """Return the file of a seat."""
    head = SeatHead(
        *(seat.group, seat.kind, seat.stage, seat.role, sorted(seat.excluded)),
        *(seat.only_for, version),
    )
    return msgspec.json.encode(head) + b"\n" + seat.body


def seat_parts(body: bytes, where: str) -> tuple[SeatHead, bytes]:
    """Return head and body of the file of a seat; HubError when it is damaged."""
    head, _, rest = body.partition(b"\n")
    return decoded(head, SeatHead, where), rest


def decoded(body: bytes, kind: type[T], where: str) -> T:
    """Return the contents of a file; HubError when it is damaged."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        hint = "Ask the project lead to publish the tasks again."
        raise HubError("A file in the shared folder is damaged.", hint=hint, where=where) from error


def hub_file(body: bytes, where: str) -> HubFile:
    """Return what the folder says of itself; HubError when it is no hub of this kind."""
    try:
        found = msgspec.json.decode(body, type=HubFile)
    except (msgspec.DecodeError, ValueError, RecursionError):
        found = None
    if found is None or found.format != _HUB:
        hint = "Select the folder that the project lead shares."
        raise HubError("The folder is not a hub folder.", hint=hint, where=where)
    return found


def check_id(text: str) -> None:
    """Raise HubError for an ID that cannot be part of a file name."""
    if not _NAME.match(text):
        raise HubError(f"“{text[:80]}” is not a valid ID in a shared folder.")


def sync_client_of(parts: tuple[str, ...], names: set[str]) -> str:
    """Return the folder of a path that a sync client keeps, by its parts and the names in it; ""
    for none. Such clients copy files behind each other's back: two people would get the same seat.
    """
    for part in parts:
        if _SYNC_FOLDERS.fullmatch(part):
            return part
    return next((name for name in sorted(names) if name.startswith(_SYNC_FILES)), "")


def may_claim(person: HubPerson, head: SeatHead, stages: Collection[str] | None) -> bool:
    """Tell whether somebody may have a seat of one of some stages, None for any stage."""
    if head.kind not in person.kinds or person.id in head.excluded:
        return False
    if stages is not None and head.stage not in stages:
        return False
    if head.only_for is not None:
        return head.only_for == person.id
    return head.role in person.roles
