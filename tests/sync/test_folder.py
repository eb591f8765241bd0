"""The folder hub: one holder for each item, leases that end, and nothing lost on the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, ProjectId
from annotator.sync import Counts, FolderHub, Hub, HubError, HubItem, LeaseLostError
from tests.sync.hub_people import play

ANN, BEN, CAT = (PersonId(name) for name in ("ann", "ben", "cat"))
PROJECT = ProjectId("project")


class Clock:
    """A clock that stands still until it is told otherwise; seconds."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hub(tmp_path: Path, clock: Clock) -> FolderHub:
    FolderHub.create(tmp_path / "hub", PROJECT)
    return FolderHub(tmp_path / "hub", lease_ms=60_000, grace_ms=10_000, clock=clock)


def item(name: str, **changes: object) -> HubItem:
    return replace(HubItem(name, f"body of {name}".encode()), **changes)


def test_an_item_goes_to_one_person_with_what_it_says(hub) -> None:
    as_hub: Hub = hub
    given = item("a", stage="check", excluded=frozenset((CAT,)), priority=3)
    assert hub.publish([given]) == 1
    lease = as_hub.claim(ANN)
    assert lease is not None
    assert (lease.item, lease.person_id) == (given, ANN)
    assert as_hub.claim(BEN) is None
    assert hub.counts() == Counts(0, 1, 0)


def test_urgent_items_go_first_and_excluded_people_get_none(hub) -> None:
    hub.publish([item("a"), item("b", priority=5, excluded=frozenset((ANN,)))])
    assert hub.claim(ANN).item.id == "a"
    assert hub.claim(ANN) is None
    assert hub.claim(BEN).item.id == "b"


def test_only_the_stages_asked_for(hub) -> None:
    hub.publish([item("a", stage="annotate"), item("b", stage="check")])
    assert hub.claim(ANN, stages=["check"]).item.id == "b"
    assert hub.claim(ANN, stages=["check"]) is None
    assert hub.claim(ANN, stages=["annotate"]).item.id == "a"


def test_submitting_is_once_however_often(hub) -> None:
    hub.publish([item("a")])
    lease = hub.claim(ANN)
    first = hub.submit(lease, b"work")
    assert hub.submit(lease, b"work") == first
    (delivery,) = hub.fetch()
    assert (delivery.id, delivery.item_id, delivery.claim_id) == (first, "a", lease.claim_id)
    assert (delivery.person_id, delivery.body) == (ANN, b"work")
    assert list(hub.fetch({first})) == []
    assert hub.counts() == Counts(0, 0, 1)
    assert hub.publish([item("a")]) == 0
    assert hub.claim(BEN) is None


def test_a_released_item_is_free_again(hub) -> None:
    hub.publish([item("a", priority=7)])
    lease = hub.claim(ANN)
    hub.release(lease)
    hub.release(lease)
    assert hub.claim(BEN).item.priority == 7


def test_an_expired_claim_returns_and_what_comes_late_is_kept(hub, clock) -> None:
    hub.publish([item("a")])
    lost = hub.claim(ANN)
    clock.now += 69
    assert hub.claim(BEN) is None
    clock.now += 2
    taken = hub.claim(BEN)
    assert taken.item.id == "a"
    with pytest.raises(
        LeaseLostError, match=r"The lease for this task expired\. The task returned to the queue\."
    ):
        hub.renew(lost)
    hub.submit(lost, b"late")
    assert hub.counts() == Counts(0, 1, 0)
    hub.submit(taken, b"in time")
    assert {d.body: d.person_id for d in hub.fetch()} == {b"late": ANN, b"in time": BEN}


def test_renewing_holds_an_item(hub, clock) -> None:
    hub.publish([item("a")])
    lease = hub.claim(ANN)
    for _ in range(5):
        clock.now += 50
        lease = hub.renew(lease)
        assert hub.claim(BEN) is None
    hub.submit(lease, b"done")
    assert hub.counts().done == 1


def test_a_death_between_handing_in_and_moving_on_is_no_second_task(hub, clock, tmp_path) -> None:
    hub.publish([item("a")])
    lease = hub.claim(ANN)
    (token,) = (tmp_path / "hub" / "held").iterdir()
    hub.submit(lease, b"work")
    (done,) = (tmp_path / "hub" / "done").iterdir()
    done.rename(token)
    clock.now += 1000
    assert hub.claim(BEN) is None
    assert hub.counts() == Counts(0, 0, 1)


def test_publishing_that_broke_off_is_completed(hub, tmp_path) -> None:
    hub.publish([item("a"), item("b")])
    (token,) = (tmp_path / "hub" / "free").glob("*~a")
    token.unlink()
    assert hub.publish([item("a"), item("b")]) == 1
    assert {hub.claim(ANN).item.id, hub.claim(ANN).item.id} == {"a", "b"}


def test_withdrawn_items_are_not_offered(hub) -> None:
    hub.publish([item("a"), item("b")])
    assert hub.withdraw("a")
    assert hub.claim(ANN).item.id == "b"
    assert not hub.withdraw("b")


def test_folders_that_are_no_hub_or_another_projects_are_refused(hub, tmp_path) -> None:
    with pytest.raises(HubError, match="Cannot use the shared folder:"):
        FolderHub(tmp_path / "none")
    with pytest.raises(ProjectError, match="another project"):
        FolderHub.create(tmp_path / "hub", ProjectId("other"))
    (tmp_path / "hub" / "hub.json").write_bytes(b"{}")
    with pytest.raises(HubError, match=r"The folder is not a hub folder\."):
        FolderHub(tmp_path / "hub")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "damaged"),
        (b"[]", "damaged"),
        (b"{}", "damaged"),
        (b'{"format": "annotator-hub-item/9"}', "newer version"),
        (b'{"format": "annotator-hub-item/1", "excluded": 3, "priority": 0, "body": ""}', "dam"),
        (b'{"format": "annotator-hub-item/1", "excluded": [], "priority": 0, "body": "*"}', "dam"),
    ],
)
def test_damaged_items_are_told_and_not_taken(hub, tmp_path, body, words) -> None:
    hub.publish([item("a")])
    (tmp_path / "hub" / "items" / "a").write_bytes(body)
    with pytest.raises(HubError, match=words):
        hub.claim(ANN)
    assert hub.counts() == Counts(1, 0, 0)


def test_a_tampered_submission_is_told(hub, tmp_path) -> None:
    hub.publish([item("a")])
    hub.submit(hub.claim(ANN), b"work")
    (path,) = (tmp_path / "hub" / "in").iterdir()
    path.write_bytes(b"other work")
    with pytest.raises(HubError, match="damaged"):
        list(hub.fetch())


@pytest.mark.parametrize("name", ["", "a~b", "..", "../a", "a/b", "x" * 65])
def test_names_that_could_be_paths_are_refused(hub, name) -> None:
    with pytest.raises(HubError, match=r"” is not a valid ID in a shared folder\."):
        hub.publish([item(name)])
    with pytest.raises(HubError, match=r"” is not a valid ID in a shared folder\."):
        hub.claim(PersonId(name))


class HubMachine(RuleBasedStateMachine):
    """Any order of claims, renewals, releases, submissions and expiry keeps one token per item."""

    leases = st.integers(0, 5)

    @initialize(tmp=st.none())
    def begin(self, tmp: None) -> None:
        import tempfile

        self.home = tempfile.TemporaryDirectory()
        folder = Path(self.home.name) / "hub"
        self.clock = Clock()
        FolderHub.create(folder, PROJECT)
        self.hub = FolderHub(folder, lease_ms=60_000, grace_ms=0, clock=self.clock)
        self.hub.publish(item(f"t{i}") for i in range(4))
        self.held: list = []

    @rule(person=st.sampled_from([ANN, BEN, CAT]))
    def claim(self, person: PersonId) -> None:
        lease = self.hub.claim(person)
        if lease is not None:
            mine = [h for h in self.held if h.item.id == lease.item.id]
            assert all(h.until < self.clock.now * 1000 for h in mine)
            self.held = [h for h in self.held if h not in mine] + [lease]

    @rule(index=leases)
    def submit(self, index: int) -> None:
        if index < len(self.held):
            self.hub.submit(self.held.pop(index), b"x")

    @rule(index=leases)
    def release(self, index: int) -> None:
        if index < len(self.held):
            self.hub.release(self.held.pop(index))

    @rule(seconds=st.integers(1, 90))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @invariant()
    def one_token_each(self) -> None:
        counts = self.hub.counts()
        assert counts.free + counts.held + counts.done == 4

    def teardown(self) -> None:
        self.home.cleanup()


TestHubMachine = HubMachine.TestCase
TestHubMachine.settings = settings(
    max_examples=25, stateful_step_count=25, suppress_health_check=list(HealthCheck)
)


def test_many_people_some_of_whom_die_lose_and_double_nothing(tmp_path) -> None:
    played = play(tmp_path / "hub", people=9, tasks=180, killed=3, lease_ms=4000)
    assert played.killed == 3
    assert played.done == 180
    assert played.times_in == {f"task-{i:05d}": 1 for i in range(180)}
