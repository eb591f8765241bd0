"""What every hub does, whatever keeps it: in memory, in a shared folder, in PostgreSQL."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import pytest

from annotator.domain.ids import new_id
from annotator.sync.hub import (
    LONGEST_GAP_MS,
    PROTOCOL,
    Ending,
    EventKind,
    Hub,
    HubError,
    HubPerson,
    NotMemberError,
    NotYoursError,
    ProtocolError,
    Seat,
    WriteRoleLostError,
)
from tests.sync.worlds import ANN, BEN, CAT, LEA, Make, PostgresWorld, World

HOUR = 3_600_000
BUNDLE = b"recipe and labels"


@dataclass
class Team:
    """A hub with a lead, two raters and a reviewer."""

    world: World
    lea: Hub
    ann: Hub
    ben: Hub
    cat: Hub

    def publish(self, *seats: Seat) -> int:
        return self.lea.publish(seats, BUNDLE)

    def heard(self) -> list[tuple[str, str]]:
        """Return what is new, as kind and seat, and take it over."""
        events = self.lea.events()
        self.lea.acknowledge({event.key: "" for event in events})
        return [(event.kind.value, event.seat_id) for event in events]


@pytest.fixture
def team(make_world: Make) -> Team:
    return made(make_world())


def made(world: World) -> Team:
    lea = world.hub(LEA)
    lea.take_write_role()
    annotate, review = frozenset(("", "annotator")), frozenset(("", "reviewer"))
    kinds = frozenset(("boxes", "points"))
    lea.set_people(
        [
            HubPerson(LEA, "Lea", frozenset(("", "lead")), kinds),
            HubPerson(ANN, "Ann", annotate, kinds),
            HubPerson(BEN, "Ben", annotate, kinds),
            HubPerson(CAT, "Cat", review, kinds),
        ]
    )
    return Team(world, lea, *(world.hub(each) for each in (ANN, BEN, CAT)))


def seat(name: str, **changes: Any) -> Seat:
    plain = Seat(name, name, "boxes", "draw", f"body of {name}".encode(), role="annotator")
    return replace(plain, **changes)


def test_a_seat_goes_to_one_person_with_what_it_says(team: Team) -> None:
    assert team.publish(seat("a")) == 1
    claim_id = new_id()
    lease = team.ann.claim(claim_id)
    assert lease is not None
    assert (lease.claim_id, lease.seat_id, lease.stage) == (claim_id, "a", "draw")
    assert (lease.version, lease.body) == (1, b"body of a")
    assert team.ann.bundle(lease.bundle) == BUNDLE
    assert team.ben.claim(new_id()) is None
    assert team.heard() == [("claimed", "a")]


def test_asking_twice_is_asking_once(team: Team) -> None:
    team.publish(seat("a"), seat("b"))
    claim_id = new_id()
    first = team.ann.claim(claim_id)
    assert first is not None
    assert team.ann.claim(claim_id) == first
    assert [lease.seat_id for lease in team.ann.mine()] == [first.seat_id]
    assert team.heard() == [("claimed", first.seat_id)]


def test_a_claim_that_is_over_is_not_begun_again(team: Team) -> None:
    team.publish(seat("a"))
    released, submitted = new_id(), new_id()
    team.ann.claim(released)
    team.ann.release(released)
    assert team.ann.claim(released) is None
    team.ann.claim(submitted)
    team.ann.submit(submitted, b"work")
    assert team.ann.claim(submitted) is None


def test_the_claim_of_somebody_else_tells_nothing(team: Team) -> None:
    team.publish(seat("a"), seat("b"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    assert team.ben.claim(claim_id) is None
    team.ben.release(claim_id)
    assert claim_id not in team.ben.tick([claim_id]).until
    assert [lease.claim_id for lease in team.ann.mine()] == [claim_id]
    with pytest.raises(NotYoursError):
        team.ben.submit(claim_id, b"forged")


def test_urgent_seats_go_first_then_in_order(team: Team) -> None:
    team.publish(seat("a", priority=2), seat("b", priority=7), seat("c", only_for=ANN))
    assert [team.ann.claim(new_id()).seat_id for _ in range(3)] == ["c", "b", "a"]


def test_who_may_not_have_a_seat_does_not_get_it(team: Team) -> None:
    team.publish(
        seat("role", role="reviewer"),
        seat("kind", kind="segments"),
        seat("person", excluded=frozenset((ANN,))),
        seat("other", only_for=BEN),
    )
    assert team.ann.claim(new_id()) is None
    assert {team.ben.claim(new_id()).seat_id for _ in range(2)} == {"other", "person"}
    assert team.cat.claim(new_id()).seat_id == "role"


def test_seats_for_everybody_are_not_for_those_who_are_there_for_their_own_alone(
    team: Team,
) -> None:
    kinds = frozenset(("boxes",))
    guest = HubPerson(CAT, "Cat", frozenset(("participant",)), kinds)
    team.lea.set_people([guest, HubPerson(ANN, "Ann", frozenset(("",)), kinds)])
    team.publish(seat("any", role=""), seat("own", only_for=CAT))
    assert [lease and lease.seat_id for lease in map(team.cat.claim, (new_id(), new_id()))] == [
        "own",
        None,
    ]
    assert team.ann.claim(new_id()).seat_id == "any"


def test_only_the_stages_asked_for(team: Team) -> None:
    team.publish(seat("a", stage="draw"), seat("b", stage="check"))
    assert team.ann.claim(new_id(), stages=["check"]).seat_id == "b"
    assert team.ann.claim(new_id(), stages=["check"]) is None


def test_nobody_gets_two_seats_of_a_group(team: Team) -> None:
    team.publish(seat("a1", group="a"), seat("a2", group="a"))
    first = new_id()
    team.ann.claim(first)
    assert team.ann.claim(new_id()) is None
    team.ann.submit(first, b"vote")
    assert team.ann.claim(new_id()) is None
    assert team.ben.claim(new_id()) is not None


def test_who_gave_a_seat_back_may_take_it_up_again(team: Team) -> None:
    team.publish(seat("a"))
    first, second = new_id(), new_id()
    team.ann.claim(first)
    team.ann.release(first)
    team.ann.release(first)
    assert team.ann.claim(second).seat_id == "a"
    assert team.heard() == [("claimed", "a"), ("released", "a"), ("claimed", "a")]


def test_a_seat_that_was_taken_from_somebody_does_not_return_to_them(team: Team) -> None:
    team.publish(seat("a1", group="a"), seat("a2", group="a"))
    first = new_id()
    assert team.ann.claim(first).seat_id in ("a1", "a2")
    assert team.lea.revoke([first]) == 1
    assert team.ann.claim(new_id()) is None
    team.publish(seat("b"))
    assert team.ann.claim(new_id()).seat_id == "b"
    team.publish(seat("a3", group="a", only_for=ANN))
    assert team.ann.claim(new_id()).seat_id == "a3"
    assert team.ben.claim(new_id()).seat_id in ("a1", "a2")


def test_a_claim_without_a_sign_of_life_ends(team: Team) -> None:
    team.publish(seat("a"))
    lost, taken = new_id(), new_id()
    team.ann.claim(lost)
    team.world.advance(HOUR - 60_000)
    assert team.ben.claim(new_id()) is None
    team.world.advance(120_000)
    assert team.ben.claim(taken).seat_id == "a"
    told = team.ann.tick([lost])
    assert (dict(told.until), dict(told.ended)) == ({}, {lost: Ending.EXPIRED})
    assert team.heard() == [("claimed", "a"), ("expired", "a"), ("claimed", "a")]


def test_a_sign_of_life_renews(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    for _ in range(3):
        team.world.advance(HOUR - 60_000)
        told = team.ann.tick([claim_id])
        assert told.until[claim_id] >= told.now + HOUR - 1000
    assert team.ben.claim(new_id()) is None
    assert team.lea.board().holders[0].claim_id == claim_id


def test_leases_stand_still_while_the_hub_is_away(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.world.be_away(LONGEST_GAP_MS + 24 * HOUR)
    assert team.ben.claim(new_id()) is None
    assert claim_id in team.ann.tick([claim_id]).until
    team.world.advance(HOUR + 60_000)
    assert team.ben.claim(new_id()) is not None


def test_what_is_submitted_arrives_once_with_a_receipt(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    receipt = team.ann.submit(claim_id, b"work")
    assert receipt.id == hashlib.sha256(b"work").hexdigest()
    assert (receipt.was_late, receipt.outcome) == (False, "")
    assert team.ann.submit(claim_id, b"work") == receipt
    claimed, submitted = team.lea.events()
    assert (claimed.kind, submitted.kind) == (EventKind.CLAIMED, EventKind.SUBMITTED)
    assert (submitted.delivery, submitted.delivery_id) == (b"work", receipt.id)
    assert (submitted.claim_id, submitted.person_id) == (claim_id, ANN)
    team.lea.acknowledge({claimed.key: "", submitted.key: "taken in"})
    assert team.lea.events() == []
    assert team.ann.tick(submitted=[claim_id]).receipts[claim_id].outcome == "taken in"
    assert team.ben.tick(submitted=[claim_id]).receipts == {}
    board = team.lea.board()
    assert (board.n_free, board.n_held, board.n_done, board.n_pending) == (0, 0, 1, 0)


def test_events_come_again_until_they_are_acknowledged(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.ann.submit(claim_id, b"work")
    first = team.lea.events()
    assert team.lea.events() == first
    assert team.lea.events(1) == first[:1]
    team.lea.acknowledge({first[0].key: ""})
    assert team.lea.events() == first[1:]
    team.lea.acknowledge({first[0].key: "", first[1].key: ""})
    assert team.lea.events() == []


def test_everything_is_told_again_to_a_restored_project(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.ann.submit(claim_id, b"work")
    events = team.lea.events()
    assert team.lea.board().mark == ""
    team.lea.acknowledge({event.key: "taken in" for event in events}, mark="first")
    assert team.lea.board().mark == "first"
    team.lea.resend_events()
    assert team.lea.events() == events


def test_other_work_for_the_same_claim_is_kept_beside_the_first(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.ann.submit(claim_id, b"work")
    assert not team.ann.submit(claim_id, b"better work").was_late
    assert team.heard() == [("claimed", "a"), ("submitted", "a"), ("again", "a")]


def test_late_work_is_kept_and_said_to_be_late(team: Team) -> None:
    team.publish(seat("a"))
    lost, taken = new_id(), new_id()
    team.ann.claim(lost)
    team.world.advance(HOUR + 60_000)
    team.ben.claim(taken)
    assert team.ann.submit(lost, b"late").was_late
    assert not team.ben.submit(taken, b"in time").was_late
    kinds = team.heard()
    assert kinds[:3] == [("claimed", "a"), ("expired", "a"), ("claimed", "a")]
    assert sorted(kinds[3:]) == [("late", "a"), ("submitted", "a")]


def test_a_revoked_claim_ends_and_its_work_is_kept(team: Team) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    assert team.lea.revoke([claim_id]) == 1
    assert team.lea.revoke([claim_id]) == 0
    assert team.ann.tick([claim_id]).ended == {claim_id: Ending.REVOKED}
    assert team.ann.submit(claim_id, b"work").was_late
    assert team.heard() == [("claimed", "a"), ("revoked", "a"), ("late", "a")]
    assert team.lea.board().n_free == 1


def test_somebody_removed_gets_nothing_and_what_they_submit_is_kept(team: Team) -> None:
    team.publish(seat("a"), seat("b"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    ann = team.ann.hello().person
    team.lea.set_people([replace(ann, is_active=False)])
    for attempt in (team.ann.hello, team.ann.mine, team.ann.tick, lambda: team.ann.claim(new_id())):
        with pytest.raises(NotMemberError, match="a lead removed you"):
            attempt()
    assert team.ann.submit(claim_id, b"work").was_late
    assert team.heard()[-1][0] in ("submitted", "late")


def test_published_twice_is_published_once(team: Team) -> None:
    assert team.publish(seat("a"), seat("b")) == 2
    team.ann.claim(new_id())
    assert team.publish(seat("a", body=b"other"), seat("b"), seat("c")) == 1
    assert team.lea.board().n_free == 2


def test_withdrawn_seats_are_not_offered_until_they_are_published_again(team: Team) -> None:
    team.publish(seat("a"), seat("b"))
    held = team.ann.claim(new_id())
    assert team.lea.withdraw(["a", "b"]) == 1
    assert team.ben.claim(new_id()) is None
    other = "b" if held.seat_id == "a" else "a"
    assert team.publish(seat(other, body=b"new")) == 1
    lease = team.ben.claim(new_id())
    assert (lease.seat_id, lease.body, lease.version) == (other, b"new", 2)


def test_only_what_nobody_holds_is_revised(team: Team) -> None:
    team.publish(seat("a"), seat("b", priority=1))
    claim_id = new_id()
    assert team.ann.claim(claim_id).seat_id == "b"
    assert team.lea.revise(["a", "b"], body=b"new", priority=5) == 1
    assert team.ann.mine()[0].body == b"body of b"
    team.ann.release(claim_id)
    assert team.lea.revise(["b"], excluded=[ANN]) == 1
    assert team.lea.revise(["a"], only_for=BEN) == 1
    assert team.ann.claim(new_id()) is None
    lease = team.ben.claim(new_id())
    assert (lease.seat_id, lease.body, lease.version) == ("a", b"new", 2)
    assert team.ben.claim(new_id()).seat_id == "b"


def test_messages_reach_whom_they_are_for(team: Team) -> None:
    team.lea.message("To all")
    team.lea.message("To Ann", ANN)
    told = team.ann.tick().messages
    assert [(m.text, m.is_to_all) for m in told] == [("To all", True), ("To Ann", False)]
    assert [m.text for m in team.ben.tick().messages] == ["To all"]
    assert [m.text for m in team.ann.tick(since=told[0].number).messages] == ["To Ann"]


def test_one_copy_of_the_project_writes(team: Team) -> None:
    team.publish(seat("a"))
    other = team.world.hub(LEA)
    number = other.take_write_role()
    assert other.hello().write_role == other.board().write_role == number
    for attempt in (
        lambda: team.publish(seat("b")),
        lambda: team.lea.revise(["a"], priority=3),
        lambda: team.lea.withdraw(["a"]),
        lambda: team.lea.set_people([]),
        team.lea.events,
        lambda: team.lea.acknowledge({}),
    ):
        with pytest.raises(WriteRoleLostError, match="Another copy of this project"):
            attempt()
    claim_id = new_id()
    team.ann.claim(claim_id)
    assert team.lea.board().n_held == 1
    team.lea.message("still heard")
    assert team.lea.revoke([claim_id]) == 1
    assert [event.kind.value for event in other.events()] == ["claimed", "revoked"]
    again = team.world.hub(LEA, number)
    assert again.publish([seat("b")], BUNDLE) == 1


@pytest.mark.parametrize(
    ("oldest", "newest", "words"),
    [(PROTOCOL + 1, PROTOCOL + 2, "program is too old"), (1, PROTOCOL - 1, "hub is too old")],
)
def test_other_versions_get_no_work_and_may_submit(
    team: Team, oldest: int, newest: int, words: str
) -> None:
    team.publish(seat("a"), seat("b"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.world.speak(oldest, newest)
    ann = team.world.hub(ANN)
    with pytest.raises(ProtocolError, match=words):
        ann.claim(new_id())
    assert (ann.hello().oldest, ann.hello().newest) == (oldest, newest)
    assert not ann.submit(claim_id, b"work").was_late


def test_somebody_the_hub_has_never_heard_of_is_refused(make_world: Make) -> None:
    world = make_world()
    if isinstance(world, PostgresWorld):
        world.execute("DELETE FROM hub.person WHERE id = %s::uuid", CAT)
    with pytest.raises(NotMemberError):
        world.hub(CAT).tick()


def test_what_is_too_large_is_refused_before_it_is_sent(team: Team, monkeypatch) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    monkeypatch.setattr("annotator.sync.hub.MAX_BODY_BYTES", 8)
    with pytest.raises(HubError, match="the limit is"):
        team.ann.submit(claim_id, b"too long for it")


def test_a_claim_id_that_is_known_cannot_be_used_for_another_seat(team: Team) -> None:
    team.publish(seat("a"), seat("b"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.ann.submit(claim_id, b"work")
    assert team.ann.claim(claim_id) is None
    assert team.lea.board().n_free == 1
