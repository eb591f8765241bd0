"""A hub in a shared folder: every seat is one token file, renamed to change its state.

    hub.json                  whose folder this is
    people/ seats/ bundles/   what the lead's program writes; `bundle` names the current one
    free/ held/ done/ withdrawn/   the tokens; see `folder_files` for their names
    ended/                    how claims ended, written before the next one begins
    in/                       what was submitted
    acknowledged/             what the lead's project took over, with what it made of it
    messages/ role/ called/ pauses/ new/

A token is one file and is only ever renamed, never copied: it cannot be in two places, and all that
is known of a claim is in its name, so that a process that dies leaves nothing half-done. Renaming
within one file system is atomic on local disks and on NFS (the server does it). Over NFS a reply
can get lost and the repeated request say "no such file" although the first was heard; since every
target name is unique, looking for the target tells. Hard links and locks are not needed.

Whoever can write to the folder could also forge: a folder is for people who trust each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, ProjectId, new_id
from annotator.sync.folder_files import (
    ClaimedToken,
    ClaimEnd,
    FolderDelivery,
    HubFile,
    PersonFile,
    SeatHead,
    Tokens,
    Waiting,
    check_id,
    decoded,
    hub_file,
    may_claim,
    seat_bytes,
    seat_parts,
    sync_client_of,
    waiting_of,
    write_file,
)
from annotator.sync.hub import (
    LEASE_MS,
    MAX_PRIORITY,
    Ending,
    EventKind,
    HeartbeatReply,
    HubError,
    HubEvent,
    HubInfo,
    HubPerson,
    HubStatus,
    Lease,
    Message,
    Receipt,
    Seat,
    SeatHolder,
    check_protocol,
    content_id,
    not_a_member,
    not_yours,
    write_role_lost,
)

MAX_OPEN_SEATS: Final = 10_000
"""Every claim lists the folder, which takes too long with more."""

_FOLDERS: Final = (
    *("people", "seats", "bundles", "free", "held", "done", "withdrawn", "ended", "in"),
    *("acknowledged", "messages", "role", "called", "pauses", "new"),
)
_CHOICE: Final = 32  # one of the first waiting seats is tried at random, because others try as well


class FolderHub:
    """One person's access to a folder that all can reach. Made by `create` or by opening one."""

    def __init__(
        self,
        folder: Path,
        person_id: PersonId,
        *,
        write_role: int = 0,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Open a hub; HubError when the folder is none. ``clock`` gives seconds since 1970; without
        one it is the clock of the machine that has the folder.
        """
        check_id(person_id)
        self._folder = Path(folder)
        self._person_id = person_id
        self._write_role = write_role
        self._heads: dict[str, SeatHead] = {}
        self._random = random.Random()
        with self._explained():
            path = self._folder / "hub.json"
            if not path.is_file():
                raise HubError(
                    "The folder is not a hub folder, or it is not connected.",
                    hint="Connect the shared folder, or select the one that the lead shares.",
                    where=str(self._folder),
                )
            self._info = hub_file(path.read_bytes(), str(path))
        self._files = Tokens(self._folder, self._info.lease_ms, clock)

    @classmethod
    def create(
        cls, folder: Path, project_id: ProjectId, *, title: str = "", lease_ms: int = LEASE_MS
    ) -> None:
        """Make a folder a hub for a project; one that is its hub already stays as it is.

        ProjectError when it is another project's; HubError when it cannot be written, or belongs
        to a sync client.
        """
        folder = Path(folder).absolute()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            around = {entry.name for entry in (*folder.iterdir(), *folder.parent.iterdir())}
            if client := sync_client_of(folder.parts, around):
                raise HubError(
                    f"Cannot use a folder of a sync client (“{client}”): it copies files later and "
                    "in any order, so two people would get the same task.",
                    hint="Select a folder on a network share or on this computer.",
                    where=str(folder),
                )
            for name in _FOLDERS:
                (folder / name).mkdir(exist_ok=True)
            path = folder / "hub.json"
            if not path.exists():
                new_hub = HubFile(project_id, new_id(), title, lease_ms)
                write_file(folder, path, msgspec.json.encode(new_hub))
            if not any((folder / "role").iterdir()):
                (folder / "role" / "0").touch()
            existing = hub_file(path.read_bytes(), str(path))
        except OSError as error:
            raise HubError(
                f"Cannot use the folder: {error.strerror}.", where=str(folder)
            ) from error
        if existing.project_id != project_id:
            raise ProjectError(
                "The folder belongs to another project.",
                hint="Select a separate folder for each project.",
                where=str(folder),
            )

    def close(self) -> None:
        """A folder has no connection."""

    def hello(self) -> HubInfo:
        with self._explained():
            info = self._info
            path = self._folder / "bundle"
            bundle = path.read_text() if path.exists() else ""
            return HubInfo(
                *(info.project_id, info.title, info.hub_id, info.oldest, info.newest),
                *(self._files.now(), info.lease_ms, self._role(), self._me(), bundle),
            )

    def claim(self, claim_id: str, *, stages: Collection[str] | None = None) -> Lease | None:
        check_id(claim_id)
        with self._explained():
            person = self._me()
            check_protocol(self._info.oldest, self._info.newest)
            self._files.note_call()
            self._files.expire()
            held_claims = self._files.held_tokens()
            own_claim = next(
                (other_claim for other_claim in held_claims if other_claim.claim_id == claim_id),
                None,
            )
            if own_claim is not None:
                return self._lease(own_claim) if own_claim.person_id == person.id else None
            if self._files.has_ended(claim_id):
                return None
            taken_seats = {
                self._head(other_claim.seat_id).group
                for other_claim in (*held_claims, *self._files.claimed("done"))
                if other_claim.person_id == person.id
            }
            lost = {
                self._head(other_claim.seat_id).group
                for other_claim in self._files.ended()
                if other_claim.person_id == person.id and other_claim.ending is Ending.REVOKED
            }
            for token in self._waiting():
                head = self._head(token.seat_id)
                if not may_claim(person, head, stages) or head.group in taken_seats:
                    continue
                if head.only_for is None and head.group in lost:
                    continue
                if (lease := self._claimed(token, person, claim_id)) is not None:
                    return lease
        return None

    def mine(self) -> list[Lease]:
        with self._explained():
            person = self._me()
            return [
                self._lease(held)
                for held in self._files.held_tokens()
                if held.person_id == person.id
            ]

    def tick(
        self, claims: Collection[str] = (), *, submitted: Collection[str] = (), since: int = 0
    ) -> HeartbeatReply:
        until: dict[str, int] = {}
        ended: dict[str, Ending] = {}
        with self._explained():
            person = self._me()
            self._files.note_call()
            now = self._files.now()
            mine = {
                claim.claim_id: claim
                for claim in self._files.held_tokens()
                if claim.person_id == person.id
            }
            for claim_id in claims:
                old = mine.get(claim_id)
                new = old._replace(until=now + self._info.lease_ms) if old is not None else None
                if (
                    old is not None
                    and new is not None
                    and self._files.moved("held", old, "held", new)
                ):
                    until[claim_id] = new.until
            rest = [claim for claim in claims if claim not in until]
            if rest:
                ended = self._files.endings(person.id, rest)
            receipts = {}
            for claim_id in submitted:
                if new_receipts := self._receipts(person, claim_id):
                    receipts[claim_id] = new_receipts[-1]
            messages = self._messages(person.id, since)
        return HeartbeatReply(now, until, ended, messages, receipts)

    def release(self, claim_id: str) -> None:
        with self._explained():
            for held in self._files.held_tokens():
                if (held.claim_id, held.person_id) == (claim_id, self._person_id):
                    self._files.moved(
                        "held", held, "free", held.freed(Ending.RELEASED, self._files.now())
                    )

    def submit(self, claim_id: str, body: bytes) -> Receipt:
        digest = content_id(body)
        with self._explained():
            if not self._files.path("people", self._person_id).exists():
                raise not_a_member()
            place = self._files.place_of(claim_id, self._person_id)
            if place is None:
                raise not_yours()
            target = self._files.path(
                "in", FolderDelivery(*place, self._person_id, claim_id, digest)
            )
            if not target.exists():
                self._files.write(target, body)
            # From here on it is submitted, whatever happens to this process.
            self._files.finish()
            person = self._person(self._person_id)
            return next(r for r in self._receipts(person, claim_id) if r.id == digest)

    def bundle(self, digest: str) -> bytes:
        check_id(digest)
        with self._explained():
            path = self._files.path("bundles", digest)
            body: bytes = path.read_bytes()
        if content_id(body) != digest:
            raise HubError("A file in the shared folder is damaged.", where=str(path))
        return body

    def set_people(self, people: Iterable[HubPerson]) -> None:
        with self._explained():
            self._check_role()
            for person in people:
                check_id(person.id)
                told = PersonFile(
                    *(person.name, sorted(person.roles), sorted(person.kinds), person.is_active)
                )
                body = msgspec.json.encode(told)
                self._files.write(self._files.path("people", person.id), body)

    def publish(self, seats: Iterable[Seat], bundle: bytes) -> int:
        """Offer seats; see `Hub.publish`. HubError above `MAX_OPEN_SEATS` open ones."""
        with self._explained():
            self._check_role()
            digest = content_id(bundle)
            if not (path := self._files.path("bundles", digest)).exists():
                self._files.write(path, bundle)
            self._files.write(self._folder / "bundle", digest.encode())
            tokens = {free_seat.seat_id for free_seat in self._files.waiting("free")}
            n_open = len(tokens)
            tokens |= {
                claim.seat_id
                for claim in (*self._files.held_tokens(), *self._files.claimed("done"))
            }
            withdrawn = {token.seat_id: token for token in self._files.waiting("withdrawn")}
            count = 0
            for seat in seats:
                check_id(seat.id)
                if seat.id in tokens:
                    continue
                if n_open + count >= MAX_OPEN_SEATS:
                    raise HubError(
                        f"A shared folder can offer {MAX_OPEN_SEATS:,} open tasks at most.",
                        hint="Publish the rest later, use one folder per task type, or use a "
                        "PostgreSQL hub.",
                        where=str(self._folder),
                    )
                self._offer(seat, withdrawn.get(seat.id))
                count += 1
            return count

    def revise(
        self,
        seat_ids: Collection[str],
        *,
        priority: int | None = None,
        excluded: Collection[PersonId] | None = None,
        only_for: PersonId | None = None,
        body: bytes | None = None,
    ) -> int:
        count = 0
        with self._explained():
            self._check_role()
            for old in self._files.waiting("free"):
                # It cannot be claimed while it is set aside.
                if old.seat_id not in seat_ids or not self._files.moved(
                    "free", old, "withdrawn", old
                ):
                    continue
                path = self._files.path("seats", old.seat_id)
                head, old_head = seat_parts(path.read_bytes(), str(path))
                people = head.excluded if excluded is None else list(excluded)
                seat = Seat(
                    *(old.seat_id, head.group, head.kind, head.stage),
                    old_head if body is None else body,
                    role=head.role,
                    excluded=frozenset(people),
                    only_for=only_for or head.only_for,
                )
                version = head.version + (body is not None)
                self._files.write(path, seat_bytes(seat, version))
                new = old if priority is None else old._replace(priority=_bounded(priority))
                self._files.moved("withdrawn", old, "free", new)
                count += 1
        return count

    def withdraw(self, seat_ids: Collection[str]) -> int:
        with self._explained():
            self._check_role()
            return sum(
                self._files.moved("free", token, "withdrawn", token)
                for token in self._files.waiting("free")
                if token.seat_id in seat_ids
            )

    def revoke(self, claim_ids: Collection[str]) -> int:
        with self._explained():
            now = self._files.now()
            return sum(
                self._files.moved("held", held, "free", held.freed(Ending.REVOKED, now))
                for held in self._files.held_tokens()
                if held.claim_id in claim_ids
            )

    def message(self, text: str, person_id: PersonId | None = None) -> None:
        with self._explained():
            to = person_id or "all"
            check_id(to)
            while True:
                numbers = [int(name.partition("~")[0]) for name in self._files.names("messages")]
                target = self._files.path("messages", f"{max(numbers, default=0) + 1:010d}")
                with suppress(FileExistsError):
                    target.mkdir()  # a number is used once: the creator of its folder owns it
                    self._files.write(target / to, text.encode())
                    return

    def events(self, limit: int = 200) -> list[HubEvent]:
        with self._explained():
            self._check_role()
            self._files.note_call()
            self._files.expire()
            self._files.finish()
            acknowledged = set(self._files.names("acknowledged"))
            done_claims = self._files.claimed("done")
            hub_events: list[tuple[tuple[object, ...], HubEvent]] = []
            for claim in (*self._files.held_tokens(), *done_claims):
                place = (claim.seat_id, False, claim.n, 0)
                hub_events.append((place, self._event(EventKind.CLAIMED, claim, claim.since)))
            for ended in self._files.ended():
                place = (ended.seat_id, False, ended.n, 0)
                hub_events.append((place, self._event(EventKind.CLAIMED, ended, ended.since)))
                place = (ended.seat_id, False, ended.n, 1)
                kind = EventKind(ended.ending.value)
                hub_events.append((place, self._event(kind, ended, ended.at)))
            finished = {entry.claim_id for entry in done_claims}
            seen: set[str] = set()
            for at, delivery in self._files.deliveries():
                is_late = delivery.claim_id not in finished
                kind = EventKind.AGAIN if delivery.claim_id in seen else EventKind.SUBMITTED
                seen.add(delivery.claim_id)
                kind = EventKind.LATE if is_late else kind
                place = (delivery.seat_id, is_late, delivery.n, 2 + at)
                hub_events.append((place, self._event(kind, delivery, at)))
            fresh = [entry for entry in hub_events if entry[1].key not in acknowledged]
            fresh.sort(key=lambda entry: entry[0])
            return [self._with_body(event) for _, event in fresh[:limit]]

    def resend_events(self) -> None:
        with self._explained():
            self._check_role()
            for name in self._files.names("acknowledged"):
                self._files.path("acknowledged", name).unlink()

    def acknowledge(self, outcomes: Mapping[str, str], *, mark: str = "") -> None:
        with self._explained():
            self._check_role()
            if mark:
                self._files.write(self._folder / "mark", mark.encode())
            for key, outcome in outcomes.items():
                self._files.write(self._files.path("acknowledged", key), outcome.encode())

    def board(self) -> HubStatus:
        with self._explained():
            self._files.note_call()
            self._files.expire()
            self._files.finish()
            lease = self._info.lease_ms
            holders = [
                SeatHolder(
                    *(
                        held_claim.seat_id,
                        held_claim.claim_id,
                        PersonId(held_claim.person_id),
                        held_claim.since,
                    ),
                    *(held_claim.until - lease, self._files.until(held_claim)),
                )
                for held_claim in self._files.held_tokens()
            ]
            acknowledged = set(self._files.names("acknowledged"))
            delivered = [
                f"in~{delivery.claim_id}~{delivery.digest}"
                for _, delivery in self._files.deliveries()
            ]
            pending = sum(key not in acknowledged for key in delivered)
            counts = (len(self._files.names("free")), len(holders), len(self._files.names("done")))
            path = self._folder / "mark"
            mark = path.read_text() if path.exists() else ""
            return HubStatus(self._files.now(), *counts, pending, holders, self._role(), mark)

    def take_write_role(self) -> int:
        with self._explained():
            while True:
                old = self._role()
                with suppress(FileNotFoundError):
                    self._files.path("role", old).rename(self._files.path("role", old + 1))
                    self._write_role = old + 1
                    return self._write_role

    def _claimed(self, token: Waiting, person: HubPerson, claim_id: str) -> Lease | None:
        """Claim a token; None if another process was first, or it was revised."""
        self._files.write_ended(token)
        now = self._files.now()
        head = (token.priority, token.seat_id, token.n, person.id, claim_id, now)
        new_claim = ClaimedToken(*head, now + self._info.lease_ms)
        if not self._files.moved("free", token, "held", new_claim):
            return None
        seat, _ = self._seat(token.seat_id)
        other_claims = [
            claim.claim_id
            for claim in self._files.held_tokens()
            if claim.person_id == person.id
            and claim.claim_id < claim_id
            and self._head(claim.seat_id).group == seat.group
        ]
        if other_claims or not may_claim(person, seat, None):
            self._files.moved("held", new_claim, "free", token)
            return None
        return self._lease(new_claim)

    def _lease(self, held: ClaimedToken) -> Lease:
        head, body = self._seat(held.seat_id)
        bundle = (self._folder / "bundle").read_text()
        place = (held.claim_id, held.seat_id, head.stage, head.version)
        return Lease(*place, self._files.until(held), bundle, body)

    def _offer(self, seat: Seat, withdrawn: Waiting | None) -> None:
        path = self._files.path("seats", seat.id)
        version = 1
        if withdrawn is not None:
            version = seat_parts(path.read_bytes(), str(path))[0].version + 1
        self._files.write(path, seat_bytes(seat, version))
        self._heads.pop(seat.id, None)
        priority = _bounded(seat.priority)
        if withdrawn is not None:
            self._files.moved("withdrawn", withdrawn, "free", withdrawn._replace(priority=priority))
            return
        with suppress(FileExistsError):
            self._files.path("free", Waiting(priority, seat.id, 1)).touch(exist_ok=False)

    def _waiting(self) -> list[Waiting]:
        """Return the tokens to try: one's own first, then the most urgent, among which the order is
        random, so that not everybody tries the same.
        """
        names = sorted(self._files.names("free"))
        first = [n for n in names[:_CHOICE] if n[:2] == names[0][:2]] if names else []
        self._random.shuffle(first)
        tokens = [t for name in first + names[len(first) :] if (t := waiting_of(name))]
        return sorted(tokens, key=lambda t: self._head(t.seat_id).only_for != self._person_id)

    def _receipts(self, person: HubPerson, claim_id: str) -> list[Receipt]:
        """Return the receipts of a claim, oldest first."""
        finished = any(each.claim_id == claim_id for each in self._files.claimed("done"))
        found: list[Receipt] = []
        for at, delivery in self._files.deliveries():
            if (delivery.claim_id, delivery.person_id) != (claim_id, person.id):
                continue
            path = self._files.path("acknowledged", f"in~{claim_id}~{delivery.digest}")
            outcome = path.read_text() if path.exists() else ""
            found.append(
                Receipt(delivery.digest, not finished or not person.is_active, at, outcome)
            )
        return found

    def _messages(self, person_id: str, since: int) -> list[Message]:
        found: list[Message] = []
        for name in sorted(self._files.names("messages")):
            number = int(name) if name.isdigit() else 0
            for to in ("all", person_id) if number > since else ():
                path = self._folder / "messages" / name / to
                if path.exists():
                    at = round(path.stat().st_mtime * 1000)
                    found.append(Message(number, at, path.read_text(), to == "all"))
        return found

    def _event(
        self, kind: EventKind, of: ClaimedToken | ClaimEnd | FolderDelivery, at: int
    ) -> HubEvent:
        digest = of.digest if isinstance(of, FolderDelivery) else ""
        stem = "claimed" if kind is EventKind.CLAIMED else "ended"
        key = f"in~{of.claim_id}~{digest}" if digest else f"{stem}~{of.claim_id}"
        name = str(of).encode() if digest else b""  # only delivered events need their content
        person_id = PersonId(of.person_id)
        return HubEvent(key, kind, at, of.seat_id, of.claim_id, person_id, digest, name)

    def _with_body(self, event: HubEvent) -> HubEvent:
        """Return an event with its delivery instead of the file name."""
        if not event.delivery_id:
            return event
        path = self._folder / "in" / event.delivery.decode()
        body = path.read_bytes()
        if content_id(body) != event.delivery_id:
            raise HubError(
                "A submission in the shared folder is damaged: its content does not match its "
                "name.",
                hint="Restore or move the file. Then the other submissions can be fetched.",
                where=str(path),
            )
        return HubEvent(
            *(event.key, event.kind, event.at, event.seat_id, event.claim_id, event.person_id),
            *(event.delivery_id, body),
        )

    def _me(self) -> HubPerson:
        person = self._person(self._person_id)
        if not person.is_active:
            raise not_a_member()
        return person

    def _person(self, person_id: PersonId) -> HubPerson:
        path = self._files.path("people", person_id)
        if not path.exists():
            raise not_a_member()
        told = decoded(path.read_bytes(), PersonFile, str(path))
        roles, kinds = frozenset(told.roles), frozenset(told.kinds)
        return HubPerson(person_id, told.name, roles, kinds, told.is_active)

    def _head(self, seat_id: str) -> SeatHead:
        """Return what a seat was offered as, read once: what matters is read again when claimed."""
        if seat_id not in self._heads:
            self._heads[seat_id] = self._seat(seat_id)[0]
        return self._heads[seat_id]

    def _seat(self, seat_id: str) -> tuple[SeatHead, bytes]:
        path = self._files.path("seats", seat_id)
        head, body = seat_parts(path.read_bytes(), str(path))
        self._heads[seat_id] = head
        return head, body

    def _role(self) -> int:
        return max((int(name) for name in self._files.names("role") if name.isdigit()), default=0)

    def _check_role(self) -> None:
        if self._write_role != self._role():
            raise write_role_lost()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise HubError(
                f"Cannot use the shared folder: {error.strerror}.",
                hint="Check that the folder is connected and writable.",
                where=str(self._folder),
            ) from error


def _bounded(priority: int) -> int:
    return max(0, min(MAX_PRIORITY, priority))
