"""Files of a folder hub: names, contents, and the tokens that are renamed to claim a task.

What happens to a seat is in the name of its token, so that one rename changes all of it:

    free       PRIORITY~SEAT~N            or  …~PERSON~CLAIM~SINCE~ENDING~AT of the last claim
    held       PRIORITY~SEAT~N~PERSON~CLAIM~SINCE~UNTIL
    done       PRIORITY~SEAT~N~PERSON~CLAIM~SINCE
    withdrawn  as in free

``N`` counts how often the seat was claimed. Priorities are counted down from 99, so that names sort
by urgency.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from annotator.domain.ids import PersonId, ProjectId, new_id
from annotator.sync.hub import (
    LONGEST_GAP_MS,
    MAX_PRIORITY,
    PROTOCOL,
    Ending,
    HubError,
    HubPerson,
    Seat,
)

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
    """A free token; ``last`` is the previous claim, "" without one."""

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


class ClaimedToken(NamedTuple):
    """A claimed or finished token; ``until`` is 0 when it is finished."""

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
    """Return the parts of the name of a free token; None for other files."""
    parts = name.split("~", 3)
    if len(parts) < 3 or not (parts[0].isdigit() and parts[2].isdigit()):
        return None
    last = parts[3] if len(parts) == 4 else ""
    found = Waiting(MAX_PRIORITY - int(parts[0]), parts[1], int(parts[2]), last)
    return found if not last or found.ended is not None else None


def held_of(name: str) -> ClaimedToken | None:
    """Return the parts of the name of a claimed or finished token; None for other files."""
    parts = name.split("~")
    if len(parts) not in (6, 7):
        return None
    priority, seat_id, n, person_id, claim_id, *times = parts
    if not all(each.isdigit() for each in (priority, n, *times)):
        return None
    head = (MAX_PRIORITY - int(priority), seat_id, int(n), person_id, claim_id)
    return ClaimedToken(*head, *(int(each) for each in times))


def ended_of(name: str) -> ClaimEnd | None:
    """Return the record of an ended claim; None for another file."""
    parts = name.split("~")
    if len(parts) != 7 or not (parts[1].isdigit() and parts[4].isdigit() and parts[6].isdigit()):
        return None
    seat_id, n, person_id, claim_id, since, ending, at = parts
    if ending not in (each.value for each in Ending):
        return None
    return ClaimEnd(seat_id, int(n), person_id, claim_id, int(since), Ending(ending), int(at))


def parsed_delivery(name: str) -> FolderDelivery | None:
    """Return the parts of the name of a delivery; None for another file."""
    parts = name.split("~")
    if len(parts) != 5 or not parts[1].isdigit():
        return None
    seat_id, n, person_id, claim_id, digest = parts
    return FolderDelivery(seat_id, int(n), person_id, claim_id, digest)


class HubFile(msgspec.Struct):
    """Contents of ``hub.json``: the project and the supported protocols."""

    project_id: ProjectId
    hub_id: str
    title: str
    lease_ms: int
    format: str = _HUB
    oldest: int = PROTOCOL
    newest: int = PROTOCOL


class PersonFile(msgspec.Struct):
    """Contents of the file of a person: their permissions to claim."""

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
    """Return the description of a hub folder; HubError if it is none of this kind."""
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
    """Return whether a person may claim a seat of some stages, None for any stage."""
    if head.kind not in person.kinds or person.id in head.excluded:
        return False
    if stages is not None and head.stage not in stages:
        return False
    if head.only_for is not None:
        return head.only_for == person.id
    return head.role in person.roles


_CALLED_MS: Final = 60_000
_CLOCK_S: Final = 60.0


class Tokens:
    """The files of a hub folder, with leases of ``lease_ms``."""

    def __init__(
        self, folder: Path, lease_ms: int, clock: Callable[[], float] | None = None
    ) -> None:
        """``clock`` gives seconds since 1970; None: that of the machine that has the folder."""
        self.folder = folder
        self.lease_ms = lease_ms
        self._clock = clock
        self._offset_ms, self._clock_read = 0, -_CLOCK_S

    def expire(self) -> None:
        """Return expired tokens to the queue; submitted ones are finished instead."""
        now = self.now()
        if not (expired := [held for held in self.held_tokens() if self.until(held) < now]):
            return
        self.finish()
        for held in expired:
            self.moved("held", held, "free", held.freed(Ending.EXPIRED, now))

    def finish(self) -> None:
        """Mark submitted claims as finished."""
        submitted_claims = {name.split("~")[3] for name in self.names("in") if name.count("~") == 4}
        for held in self.held_tokens():
            if held.claim_id in submitted_claims:
                self.moved("held", held, "done", held._replace(until=0))

    def write_ended(self, token: Waiting) -> None:
        """Keep how the last claim of a free token ended: its name is about to change."""
        if (ended := token.ended) is not None:
            self.path("ended", ended).touch()

    def ended(self) -> list[ClaimEnd]:
        """Return how claims ended, including claims known from a token only."""
        found = [each for name in self.names("ended") if (each := ended_of(name))]
        waiting = [*self.waiting("free"), *self.waiting("withdrawn")]
        last = [each for token in waiting if (each := token.ended) is not None]
        return list(dict.fromkeys((*found, *last)))

    def deliveries(self) -> list[tuple[int, FolderDelivery]]:
        """Return all deliveries with their time, oldest first."""
        found = [
            (round((self.folder / "in" / name).stat().st_mtime * 1000), delivery)
            for name in self.names("in")
            if (delivery := parsed_delivery(name)) is not None
        ]
        return sorted(found, key=lambda each: (each[0], each[1].digest))

    def held_tokens(self) -> list[ClaimedToken]:
        """Return the tokens of claimed seats."""
        return self.claimed("held")

    def claimed(self, folder: str) -> list[ClaimedToken]:
        """Return the tokens in one of the folders held and done."""
        return [held for name in self.names(folder) if (held := held_of(name))]

    def waiting(self, folder: str) -> list[Waiting]:
        """Return the tokens in one of the folders free and withdrawn."""
        return [token for name in self.names(folder) if (token := waiting_of(name))]

    def moved(self, source: str, old: object, target: str, new: object) -> bool:
        """Rename a token; False if another process was first."""
        try:
            self.path(source, old).rename(self.path(target, new))
        except FileNotFoundError:
            # A repeated request over a network finds its own work done.
            return target == "held" and self.path(target, new).exists()
        return True

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder of the hub."""
        return [path.name for path in (self.folder / folder).iterdir()]

    def path(self, folder: str, name: object) -> Path:
        """Return the path of a file in a folder of the hub."""
        return self.folder / folder / str(name)

    def note_call(self) -> None:
        """Note the call, and after a long time without any that leases stood still meanwhile."""
        now = self.now()
        times = sorted(int(name) for name in self.names("called") if name.isdigit())
        last = times[-1] if times else 0
        if times and now - last < _CALLED_MS:
            return
        with suppress(FileNotFoundError, FileExistsError):
            if times and now - last > LONGEST_GAP_MS:
                self.path("called", last).rename(self.path("pauses", f"{last}~{now}"))
            elif times:
                self.path("called", last).rename(self.path("called", now))
        if not self.names("called"):
            self.path("called", now).touch()

    def until(self, held: ClaimedToken) -> int:
        """Return until when a lease lasts: the hub's pauses since it was written do not count."""
        until, written = held.until, held.until - self.lease_ms
        for name in sorted(self.names("pauses")):
            start, _, end = name.partition("~")
            if start.isdigit() and end.isdigit() and int(start) < until and written < int(end):
                until += int(end) - int(start)
        return until

    def now(self) -> int:
        """Return the time of the machine that has the folder, in ms since 1970."""
        if self._clock is not None:
            return round(self._clock() * 1000)
        if time.monotonic() - self._clock_read > _CLOCK_S:
            probe = self.path("new", new_id())
            probe.touch()
            there = probe.stat().st_mtime
            probe.unlink()
            self._offset_ms = round((there - time.time()) * 1000)
            self._clock_read = time.monotonic()
        return round(time.time() * 1000) + self._offset_ms

    def has_ended(self, claim_id: str) -> bool:
        """Return whether a claim is over, however it ended."""
        claims: list[ClaimedToken | ClaimEnd] = [*self.claimed("done"), *self.ended()]
        return any(each.claim_id == claim_id for each in claims)

    def endings(self, person_id: str, claims: Collection[str]) -> dict[str, Ending]:
        """Return the ended claims of a person."""
        found = {
            each.claim_id: Ending.SUBMITTED
            for each in self.claimed("done")
            if each.claim_id in claims and each.person_id == person_id
        }
        for each in self.ended():
            if each.claim_id in claims and each.person_id == person_id:
                found[each.claim_id] = each.ending
        return found

    def place_of(self, claim_id: str, person_id: str) -> tuple[str, int] | None:
        """Return seat and number of a person's claim, None for others."""
        claims: list[ClaimedToken | ClaimEnd] = [
            *self.held_tokens(),
            *self.claimed("done"),
            *self.ended(),
        ]
        for each in claims:
            if (each.claim_id, each.person_id) == (claim_id, person_id):
                return each.seat_id, each.n
        return None

    def write(self, target: Path, body: bytes) -> None:
        """Write a file so that it appears under its name whole, and on the disk, or not at all."""
        write_file(self.folder, target, body)


def write_file(folder: Path, target: Path, body: bytes) -> None:
    """Write a file of a hub's folder so that it appears whole, and on the disk, or not at all."""
    temporary = folder / "new" / new_id()
    try:
        with temporary.open("wb") as stream:
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink()
