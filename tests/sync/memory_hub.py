"""A hub in memory: the protocol in as few words as possible, for the others to be compared with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from annotator.domain.ids import PersonId, ProjectId
from annotator.sync.hub import (
    LEASE_MS,
    LONGEST_GAP_MS,
    PROTOCOL,
    Ending,
    EventKind,
    HeartbeatReply,
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


@dataclass
class Place:
    """A seat as it stands: ``claim`` is the one that holds it, or did when it was done."""

    seat: Seat
    state: str = "free"
    version: int = 1
    claim: str = ""
    until: int = 0


@dataclass
class Claim:
    seat_id: str
    person_id: PersonId
    since: int
    seen: int
    ending: Ending | None = None


@dataclass
class Server:
    """What all the people of a memory hub share."""

    project_id: ProjectId
    title: str = "Cups"
    lease_ms: int = LEASE_MS
    oldest: int = PROTOCOL
    newest: int = PROTOCOL
    now: int = 1_000_000_000
    called: int = 1_000_000_000
    write_role: int = 0
    people: dict[PersonId, HubPerson] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    receipts: dict[tuple[str, str], Receipt] = field(default_factory=dict)
    bundles: dict[str, bytes] = field(default_factory=dict)
    bundle: str = ""
    messages: list[tuple[PersonId | None, Message]] = field(default_factory=list)
    events: list[HubEvent] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    mark: str = ""


class MemoryHub:
    """One person's access; ``lost`` is called after each change, and may lose the reply."""

    def __init__(
        self,
        server: Server,
        person_id: PersonId,
        *,
        write_role: int = 0,
        lost: Callable[[], None] = lambda: None,
    ) -> None:
        self._server = server
        self._person_id = person_id
        self._write_role = write_role
        self._lost = lost

    def close(self) -> None:
        pass

    def hello(self) -> HubInfo:
        server, person = self._server, self._me()
        return HubInfo(
            *(server.project_id, server.title, "memory", server.oldest, server.newest),
            *(server.now, server.lease_ms, server.write_role, person, server.bundle),
        )

    def claim(self, claim_id: str, *, stages: Collection[str] | None = None) -> Lease | None:
        server, person = self._called(), self._me()
        check_protocol(server.oldest, server.newest)
        known = server.claims.get(claim_id)
        if known is not None:
            is_mine = known.person_id == person.id and known.ending is None
            return self._lease(server.places[known.seat_id]) if is_mine else None
        self._expire()
        taken = {
            server.places[c.seat_id].seat.group
            for c in server.claims.values()
            if c.person_id == person.id and c.ending in (None, Ending.SUBMITTED)
        }
        lost = {
            server.places[c.seat_id].seat.group
            for c in server.claims.values()
            if c.person_id == person.id and c.ending is Ending.REVOKED
        }
        places = [
            place
            for place in server.places.values()
            if place.state == "free"
            and place.seat.kind in person.kinds
            and (stages is None or place.seat.stage in stages)
            and place.seat.group not in taken
            and (place.seat.only_for is not None or place.seat.group not in lost)
            and person.id not in place.seat.excluded
            and (
                place.seat.only_for == person.id
                if place.seat.only_for is not None
                else place.seat.role in person.roles
            )
        ]
        if not places:
            return None
        place = min(places, key=lambda p: (p.seat.only_for is None, -p.seat.priority))
        place.state, place.claim, place.until = "held", claim_id, server.now + server.lease_ms
        server.claims[claim_id] = Claim(place.seat.id, person.id, server.now, server.now)
        self._tell(EventKind.CLAIMED, claim_id)
        self._lost()
        return self._lease(place)

    def mine(self) -> list[Lease]:
        person = self._me()
        return [
            self._lease(self._server.places[claim.seat_id])
            for claim in self._server.claims.values()
            if claim.person_id == person.id and claim.ending is None
        ]

    def tick(
        self, claims: Collection[str] = (), *, submitted: Collection[str] = (), since: int = 0
    ) -> HeartbeatReply:
        server, person = self._called(), self._me()
        until: dict[str, int] = {}
        ended: dict[str, Ending] = {}
        for claim_id in claims:
            claim = server.claims.get(claim_id)
            if claim is None or claim.person_id != person.id:
                continue
            if claim.ending is not None:
                ended[claim_id] = claim.ending
                continue
            claim.seen = server.now
            place = server.places[claim.seat_id]
            place.until = until[claim_id] = server.now + server.lease_ms
        self._lost()
        messages = [
            message
            for to, message in server.messages
            if to in (None, person.id) and message.number > since
        ]
        receipts = {
            claim_id: receipt
            for (claim_id, _), receipt in server.receipts.items()
            if claim_id in submitted and server.claims[claim_id].person_id == person.id
        }
        return HeartbeatReply(server.now, until, ended, messages, receipts)

    def release(self, claim_id: str) -> None:
        claim = self._called().claims.get(claim_id)
        if claim is not None and claim.person_id == self._person_id:
            self._end(claim_id, Ending.RELEASED)
        self._lost()

    def submit(self, claim_id: str, body: bytes) -> Receipt:
        server, digest = self._called(), content_id(body)
        claim = server.claims.get(claim_id)
        if self._person_id not in server.people:
            raise not_a_member()
        if claim is None or claim.person_id != self._person_id:
            raise not_yours()
        key = claim_id, digest
        if key not in server.receipts:
            is_known = server.people[self._person_id].is_active
            was_late = not is_known or claim.ending not in (None, Ending.SUBMITTED)
            server.receipts[key] = Receipt(digest, was_late, server.now)
            kind = EventKind.SUBMITTED
            if claim.ending is not None:
                kind = EventKind.LATE if was_late else EventKind.AGAIN
            self._tell(kind, claim_id, digest, body)
            self._end(claim_id, Ending.SUBMITTED)
        self._lost()
        return server.receipts[key]

    def bundle(self, digest: str) -> bytes:
        return self._server.bundles[digest]

    def set_people(self, people: Iterable[HubPerson]) -> None:
        self._may_write()
        self._server.people |= {person.id: person for person in people}

    def publish(self, seats: Iterable[Seat], bundle: bytes) -> int:
        server = self._may_write()
        server.bundle = content_id(bundle)
        server.bundles[server.bundle] = bundle
        count = 0
        for seat in seats:
            old = server.places.get(seat.id)
            if old is None or old.state == "withdrawn":
                version = old.version + 1 if old is not None else 1
                server.places[seat.id] = Place(seat, version=version)
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
        server, count = self._may_write(), 0
        for seat_id in seat_ids:
            place = server.places.get(seat_id)
            if place is None or place.state != "free":
                continue
            count += 1
            if priority is not None:
                place.seat = replace(place.seat, priority=priority)
            if excluded is not None:
                place.seat = replace(place.seat, excluded=frozenset(excluded))
            if only_for is not None:
                place.seat = replace(place.seat, only_for=only_for)
            if body is not None:
                place.seat = replace(place.seat, body=body)
                place.version += 1
        return count

    def withdraw(self, seat_ids: Collection[str]) -> int:
        places = [p for p in self._may_write().places.values() if p.seat.id in seat_ids]
        free = [place for place in places if place.state == "free"]
        for place in free:
            place.state = "withdrawn"
        return len(free)

    def revoke(self, claim_ids: Collection[str]) -> int:
        return sum(self._end(claim_id, Ending.REVOKED) for claim_id in claim_ids)

    def message(self, text: str, person_id: PersonId | None = None) -> None:
        server = self._server
        told = Message(len(server.messages) + 1, server.now, text, person_id is None)
        server.messages.append((person_id, told))

    def events(self, limit: int = 200) -> list[HubEvent]:
        self._called()
        server = self._may_write()
        self._expire()
        return [e for e in server.events if e.key not in server.acknowledged][:limit]

    def resend_events(self) -> None:
        self._may_write().acknowledged.clear()

    def acknowledge(self, outcomes: Mapping[str, str], *, mark: str = "") -> None:
        server = self._may_write()
        server.mark = mark or server.mark
        server.acknowledged |= outcomes.keys()
        for event in server.events:
            if event.delivery_id and event.key in outcomes:
                key = event.claim_id, event.delivery_id
                server.receipts[key] = replace(server.receipts[key], outcome=outcomes[event.key])

    def board(self) -> HubStatus:
        server = self._called()
        self._expire()
        states = [place.state for place in server.places.values()]
        holders = [
            SeatHolder(p.seat.id, p.claim, c.person_id, c.since, c.seen, p.until)
            for p in server.places.values()
            if p.state == "held" and (c := server.claims[p.claim])
        ]
        pending = [e for e in server.events if e.delivery_id and e.key not in server.acknowledged]
        counts = (states.count("free"), states.count("held"), states.count("done"))
        return HubStatus(server.now, *counts, len(pending), holders, server.write_role, server.mark)

    def take_write_role(self) -> int:
        self._server.write_role += 1
        self._write_role = self._server.write_role
        return self._write_role

    def _me(self) -> HubPerson:
        person = self._server.people.get(self._person_id)
        if person is None or not person.is_active:
            raise not_a_member()
        return person

    def _may_write(self) -> Server:
        if self._write_role != self._server.write_role:
            raise write_role_lost()
        return self._server

    def _called(self) -> Server:
        """Note the call; leases stood still while there was none for long."""
        server = self._server
        gap, server.called = server.now - server.called, server.now
        if gap > LONGEST_GAP_MS:
            for place in server.places.values():
                place.until += gap
        return server

    def _lease(self, place: Place) -> Lease:
        seat = place.seat
        return Lease(
            *(place.claim, seat.id, seat.stage, place.version, place.until),
            *(self._server.bundle, seat.body),
        )

    def _expire(self) -> None:
        for place in self._server.places.values():
            if place.state == "held" and place.until < self._server.now:
                self._end(place.claim, Ending.EXPIRED)

    def _end(self, claim_id: str, ending: Ending) -> bool:
        claim = self._server.claims.get(claim_id)
        if claim is None or claim.ending is not None:
            return False
        claim.ending = ending
        place = self._server.places[claim.seat_id]
        place.state = "done" if ending is Ending.SUBMITTED else "free"
        if ending is not Ending.SUBMITTED:
            self._tell(EventKind(ending.value), claim_id)
        return True

    def _tell(
        self, kind: EventKind, claim_id: str, delivery_id: str = "", body: bytes = b""
    ) -> None:
        server, claim = self._server, self._server.claims[claim_id]
        event = HubEvent(
            *(str(len(server.events) + 1), kind, server.now, claim.seat_id, claim_id),
            *(claim.person_id, delivery_id, body),
        )
        server.events.append(event)
