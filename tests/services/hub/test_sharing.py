"""Work that goes out through a hub and comes back: the rules are those of packages."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from annotator.domain.commands import CreateTrack
from annotator.domain.errors import ProjectError, UserError, WorkError
from annotator.domain.ids import new_id, track_id
from annotator.domain.work.records import (
    AssignmentState,
    Flag,
    Reason,
    TaskStatus,
    Verdict,
    VerdictKind,
)
from annotator.services.background.jobs import JobToken
from annotator.services.hub.claims import ClaimState
from annotator.services.hub.hub_place import HubPlace, Invitation
from annotator.services.hub.lead_sync import Sharing
from annotator.services.hub.rater_sync import Rating, join
from annotator.services.packages.submissions import delivery_of
from annotator.services.project.projects import open_project
from annotator.services.transfer import import_file
from annotator.sync.archive import ArchiveError
from annotator.sync.hub import NotYoursError, Seat, WriteRoleLostError
from tests.media.encoding import encode
from tests.services.hub.team import BOX, Team, shared
from tests.sync.worlds import Make


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    for i in range(2):
        encode(folder / f"{i}.mp4", numbers=range(6 + i))
    return folder


@pytest.fixture
def team(tmp_path: Path, clips: Path, make_world: Make) -> Iterator[Team]:
    team = shared(tmp_path, clips, make_world)
    yield team
    team.close()


def _die(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_task_goes_out_and_comes_back_through_all_stages(team: Team) -> None:
    ann, ben, cat = (team.member(name) for name in ("Ann", "Ben", "Cat"))
    task = ann.rating.next_task()
    assert task is not None
    assert ann.rating.missing == []
    step = team.sharing.step()
    (held,) = team.project.work.record(task).holders
    assert (held.person_id, held.lease_until) == (ann.id, None)
    ann.annotated(task)
    assert len(ann.rating.claims.outbox()) == 1
    assert ann.rating.exchange().n_sent == 1
    assert ann.rating.claims.outbox() == []
    step = team.sharing.step()
    assert (step.n_taken_in, step.refused) == (1, [])
    record = team.project.work.record(task)
    assert record.stage != held.stage
    ann.rating.exchange()
    (submission,) = record.counted
    sent = ann.rating.claims.sent().get(submission)
    assert sent is not None
    assert (sent.outcome, sent.was_late) == ("taken in", False)
    for member in (ben, cat):
        stage = team.project.work.record(task).stage
        while member.rating.next_task(stages=[stage]) not in (task, None):
            pass
        assert member.project.work.record(task).holders[0].person_id == member.id
        member.judged(task)
        member.rating.exchange()
        team.sharing.step()
    assert team.project.work.record(task).status is TaskStatus.COMPLETE
    authors = [a.person_id for a in team.project.work.record(task).assignments]
    assert authors == [ann.id, ben.id, cat.id]


def test_what_is_sent_back_reaches_somebody_else_with_its_reason(team: Team) -> None:
    ann, ben, cat = (team.member(name) for name in ("Ann", "Ben", "Cat"))
    task = ann.rating.next_task(stages=["annotate"])
    assert task is not None
    ann.annotated(task)
    ann.rating.exchange()
    team.sharing.step()
    assert ben.rating.next_task(stages=["check"]) == task
    ben.judged(task)
    ben.rating.exchange()
    team.sharing.step()
    assert cat.rating.next_task(stages=["verify"]) == task
    cat.judged(task, Verdict(VerdictKind.SEND_BACK, (Reason("Draw the handle."),)))
    cat.rating.exchange()
    team.sharing.step()
    assert team.project.work.record(task).is_returned
    assert {m.rating.next_task(stages=["check"]) for m in (ann, ben, cat)} == {None}
    dan = team.project.work.people.add("Dan", ["rater"]).id
    assert dan not in team.sharing.members


def test_a_rater_sees_no_more_than_in_a_package(team: Team) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    assert task is not None
    names = {p.name for p in ann.project.work.people.all()}
    assert names <= {"Ann", team.project.work.people.check_lead().name}
    assert [t.id for t in ann.project.tasks()] == [task]


def test_a_task_that_was_given_back_goes_to_somebody_else(team: Team) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    task = ann.rating.next_task()
    assert task is not None
    ann.project.work.release(task)
    ann.rating.exchange()
    assert [claim.state for claim in ann.rating.claims.all()] == [ClaimState.RELEASED]
    team.sharing.step()
    assert team.project.work.record(task).holders == ()
    found = [ben.rating.next_task() for _ in range(2)]
    assert task in found
    team.sharing.step()
    assert team.project.work.record(task).holders[0].person_id == ben.id


def test_a_lost_claim_is_told_and_its_draft_goes_on_when_claimed_again(team: Team) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    assert task is not None
    session = ann.project.open_task(task)
    session.run(CreateTrack(track_id(), "begun", 0, BOX))
    team.world.advance(2 * 3_600_000)
    team.sharing.step()
    assert team.project.work.record(task).holders == ()
    (lost,) = ann.rating.exchange().lost
    assert (lost.task_id, lost.ending) == (task, "expired")
    assert ann.project.work.in_hand() == []
    again = [ann.rating.next_task() for _ in range(2)]
    assert task in again
    assert [track.label for track in ann.project.open_task(task).document.tracks] == ["begun"]
    ann.judged(task)
    ann.rating.exchange()
    assert team.sharing.step().n_taken_in == 1
    assert len(team.project.work.record(task).counted) == 1


def test_what_comes_late_is_kept_and_flagged(team: Team) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    task = ann.rating.next_task()
    assert task is not None
    ann.annotated(task)
    team.world.advance(2 * 3_600_000)
    taken = [ben.rating.next_task() for _ in range(2)]
    assert task in taken
    team.sharing.step()
    ben.annotated(task)
    ben.rating.exchange()
    team.sharing.step()
    ann.rating.exchange()
    team.sharing.step()
    ann.rating.exchange()
    (key,) = ann.project.work.submissions(task)
    sent = ann.rating.claims.sent().get(key.id)
    assert sent is not None
    assert sent.was_late
    assert sent.outcome.startswith("kept: ")
    record = team.project.work.record(task)
    assert Flag.LATE in record.flags or Flag.UNKNOWN in record.flags
    assert len(record.counted) == 1


def test_the_lead_takes_a_task_back(team: Team) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    assert task is not None
    team.sharing.step()
    team.project.work.lead.take_back([task], "It is urgent.")
    team.sharing.step()
    (lost,) = ann.rating.exchange().lost
    assert (lost.task_id, lost.ending) == (task, "revoked")
    team.sharing.step()
    (held,) = team.project.work.record(task).assignments
    assert held.state is AssignmentState.REVOKED


def test_work_on_a_task_that_was_taken_back_is_kept_as_late(team: Team) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    assert task is not None
    team.sharing.step()
    session = ann.project.open_task(task)
    session.run(CreateTrack(track_id(), "mug", 0, BOX))
    assert team.hub.revoke([claim.claim_id for claim in ann.rating.claims.all()]) == 1
    team.sharing.step()
    ann.rating.exchange()
    ann.project.work.submit(session)
    ann.rating.exchange()
    step = team.sharing.step()
    assert step.refused == []
    record = team.project.work.record(task)
    assert [s.flag for a in record.assignments for s in a.submissions] == [Flag.LATE]


def test_a_task_that_was_taken_back_does_not_return_to_the_same_person(team: Team) -> None:
    ann = team.member("Ann")
    tasks = ann.rating.fill_stock(2)
    team.sharing.step()
    claims = [claim.claim_id for claim in ann.rating.claims.all()]
    assert team.hub.revoke(claims[:1]) == 1
    # Before the lead's program looks again.
    ann.rating.exchange()
    assert ann.rating.fill_stock(2) == []
    team.sharing.step()
    ann.rating.exchange()
    assert ann.rating.fill_stock(2) == []
    ben = team.member("Ben")
    assert ben.rating.next_task() == tasks[0]


def test_a_task_assigned_on_the_board_is_offered_to_that_person_alone(team: Team) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    task = next(t.id for t in team.project.tasks() if t.kind == "object-tracks")
    assert not team.project.work.lead.assign([task], ben.id)
    team.sharing.publish()
    found = [ann.rating.next_task() for _ in range(9)]
    assert task not in found
    assert ben.rating.next_task() == task
    ben.annotated(task)
    ben.rating.exchange()
    assert team.sharing.step().refused == []
    (held,) = team.project.work.record(task).assignments
    assert (held.person_id, held.state) == (ben.id, AssignmentState.SUBMITTED)


def test_priorities_and_withdrawn_tasks_reach_the_hub(team: Team) -> None:
    ann = team.member("Ann")
    last = [t.id for t in team.project.tasks() if t.kind == "object-tracks"][-1]
    others = [t.id for t in team.project.tasks() if t.kind != "object-tracks"]
    team.project.work.lead.prioritize([last], 7)
    team.project.work.lead.withdraw(others, "Not now.")
    team.sharing.publish()
    assert ann.rating.next_task() == last


def test_a_death_of_the_leads_program_at_any_step_changes_nothing(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    assert task is not None
    ann.annotated(task)
    ann.rating.exchange()
    events = team.hub.events()
    monkeypatch.setattr(team.hub, "acknowledge", _die)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            team.sharing.step()
        team.lead_again()
    monkeypatch.undo()
    assert team.hub.events() == events
    assert team.sharing.step().refused == []
    record = team.project.work.record(task)
    assert (len(record.counted), record.flags) == (1, frozenset())
    assert len(team.project.work.submissions(task)) == 1
    ann.rating.exchange()
    assert ann.rating.claims.sent()[record.counted[0]].outcome == "taken in"


def test_a_death_of_the_raters_program_while_claiming_claims_nothing_twice(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = team.member("Ann")
    monkeypatch.setattr(ann.rating, "_take", _die)
    with pytest.raises(KeyboardInterrupt):
        ann.rating.next_task()
    monkeypatch.undo()
    assert ann.project.tasks() == []
    assert ann.rating.next_task() is not None
    assert team.hub.board().n_held == 1


def test_a_dead_laptop_gives_its_tasks_to_the_next_one(team: Team) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    again = team.member("Ann", "new laptop")
    assert again.rating.recover() == [task]
    assert again.rating.recover() == []
    again.annotated(task)
    again.rating.exchange()
    assert team.sharing.step().n_taken_in == 1


def test_the_stock_is_filled_and_counted(team: Team) -> None:
    ann = team.member("Ann")
    got = ann.rating.fill_stock(2)
    assert len(got) == 2
    assert ann.rating.fill_stock(2) == []
    ann.project.open_task(got[0])
    assert [claim.task_id for claim in ann.rating.claims.stock()] == [got[1]]


def test_messages_come_once_and_are_kept(team: Team) -> None:
    ann = team.member("Ann")
    team.hub.message("Mark occluded cups as out of view.")
    assert [m.text for m in ann.rating.exchange().messages] == [
        "Mark occluded cups as out of view."
    ]
    assert ann.rating.exchange().messages == ()
    assert len(ann.rating.claims.messages()) == 1


def test_forged_deliveries_are_refused_and_the_rest_goes_on(team: Team) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    mine, theirs = ann.rating.next_task(), ben.rating.next_task()
    assert mine is not None
    assert theirs is not None
    ann.annotated(mine)
    ben.annotated(theirs)
    (claim_a,), (claim_b,) = ann.rating.claims.all(), ben.rating.claims.all()
    (key,) = ann.rating.claims.outbox()
    header = ann.rating._origin
    forged = {
        "for another claim": (msgspec.structs.replace(header, package_id=claim_a.claim_id)),
        "as another person": msgspec.structs.replace(
            header, package_id=claim_b.claim_id, person_id=ben.id
        ),
        "for another project": msgspec.structs.replace(
            header, package_id=claim_b.claim_id, project_id="0198a000-0000-7000-8000-0000000000ff"
        ),
    }
    for head in forged.values():
        ben.hub.submit(claim_b.claim_id, delivery_of(ann.project, head, key))
    ben.hub.submit(claim_b.claim_id, b"no archive")
    ben.hub.submit(claim_b.claim_id, b"")
    ann.rating.exchange()
    step = team.sharing.step()
    assert (len(step.refused), step.n_taken_in) == (5, 1)
    assert team.project.work.submissions(theirs) == []
    ben.rating.exchange()
    assert team.sharing.step().n_taken_in == 1
    assert len(team.project.work.record(theirs).counted) == 1


def test_a_restored_backup_of_the_leads_project_hears_what_is_missing(
    team: Team, tmp_path: Path
) -> None:
    ann = team.member("Ann")
    task = ann.rating.next_task()
    assert task is not None
    team.sharing.step()
    team.project.close()
    backup = tmp_path / "backup.annot"
    shutil.copy(team.project.path, backup)
    team.project = open_project(team.project.path)
    team.sharing = Sharing(team.project, team.hub)
    ann.annotated(task)
    ann.rating.exchange()
    assert team.sharing.step().n_taken_in == 1
    path = team.project.path
    team.project.close()
    shutil.copy(backup, path)
    team.project = open_project(path)
    team.sharing = Sharing(team.project, team.hub)
    assert team.sharing.step().n_taken_in == 1
    assert team.sharing.step().n_events == 0
    assert len(team.project.work.record(task).counted) == 1


def test_a_restored_backup_hears_of_stages_that_it_never_offered(
    team: Team, tmp_path: Path
) -> None:
    ann, ben, cat = (team.member(name) for name in ("Ann", "Ben", "Cat"))
    task = ann.rating.next_task()
    assert task is not None
    path, backup = team.project.path, tmp_path / "backup.annot"
    team.project.close()
    shutil.copy(path, backup)
    team.lead_opens()
    for member, stage in ((ann, "annotate"), (ben, "check"), (cat, "verify")):
        if member is not ann:
            assert member.rating.next_task(stages=[stage]) == task
        if member is cat:
            break  # she has it in hand when the project is lost
        member.annotated(task) if member is ann else member.judged(task)
        member.rating.exchange()
        team.sharing.step()
    team.project.close()
    shutil.copy(backup, path)
    team.lead_opens()
    step = team.sharing.step()
    assert (step.n_taken_in, step.refused) == (2, [])
    record = team.project.work.record(task)
    assert (record.stage, [h.person_id for h in record.holders]) == ("verify", [cat.id])
    assert cat.rating.exchange().lost == ()
    cat.judged(task)
    cat.rating.exchange()
    assert team.sharing.step().n_taken_in == 1
    assert team.project.work.record(task).status is TaskStatus.COMPLETE
    assert team.sharing.step().n_events == 0


def test_a_new_recipe_reaches_raters_with_their_next_task(team: Team) -> None:
    ann = team.member("Ann")
    ann.rating.next_task()
    before = ann.project.work.recipe.version
    text = team.project.work.recipe_text()
    newer = text.replace(f"version = {before}", f"version = {before + 1}", 1)
    team.project.work.use_recipe(newer)
    team.sharing.publish()
    ann.rating.next_task()
    assert ann.project.work.recipe.version == before + 1


def test_only_the_hub_of_the_invitation_is_joined(team: Team, tmp_path: Path) -> None:
    hub = team.world.hub(team.people["Ann"])
    project_id = hub.hello().project_id
    wrong = Invitation(project_id, "Mugs", team.people["Ben"], "Ben", HubPlace())
    with pytest.raises(ProjectError, match="does not belong to this hub or this login"):
        join(tmp_path / "x.annot", wrong, hub)
    assert not (tmp_path / "x.annot").exists()
    with pytest.raises(WorkError, match="not created by joining"):
        Rating(team.project, team.hub)


def test_a_hub_that_was_made_anew_goes_on_with_what_people_hold(
    team: Team, make_world: Make
) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    first, second = ann.rating.next_task(), ann.rating.next_task()
    assert first is not None
    assert second is not None
    ann.annotated(first)
    ann.rating.exchange()
    team.sharing.step()
    people = [team.project.work.people.check_lead().id, *team.people.values()]
    project_id = team.hub.hello().project_id
    world = make_world(3_600_000, project_id, people)
    hub = world.hub(people[0])
    hub.take_write_role()
    team.sharing = Sharing(team.project, hub)
    team.sharing.step()
    ann.rating, ben.rating = (
        Rating(each.project, world.hub(each.id), [team.videos]) for each in (ann, ben)
    )
    ann.annotated(second)
    with pytest.raises(NotYoursError, match="does not know this claim"):
        ann.rating.exchange()
    assert ben.rating.next_task() == first
    assert ben.rating.next_task() is None
    assert ann.rating.next_task() == second
    assert ann.rating.exchange().n_sent == 1
    assert team.sharing.step().n_taken_in == 1
    assert len(team.project.work.record(second).counted) == 1
    assert team.sharing.step().n_events == 0


def test_a_task_that_cannot_be_read_is_told_once_and_others_follow(team: Team) -> None:
    ann = team.member("Ann")
    kind = next(t for t in team.project.tasks()).kind
    broken = Seat("broken-1-1", "broken-1", kind, "annotate", b"no archive", priority=99, role="")
    bundle = ann.hub.hello().bundle
    team.hub.publish([broken], ann.hub.bundle(bundle))
    with pytest.raises(ArchiveError):
        ann.rating.next_task()
    assert ann.rating.next_task() is not None
    assert ann.rating.recover() == []
    assert len(ann.project.tasks()) == 1


@pytest.mark.parametrize("seed", range(3))
def test_damaged_tasks_leave_the_project_as_it_was(team: Team, seed: int) -> None:
    ann = team.member("Ann")
    chance = random.Random(seed)
    lease = ann.hub.claim(new_id())
    assert lease is not None
    before = ann.project.work.people.all()
    for _ in range(40):
        body = bytearray(lease.body)
        for _ in range(chance.randint(1, 4)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        if bytes(body) == lease.body:
            continue
        with suppress(UserError):
            ann.rating._take(replace(lease, body=bytes(body)))
    assert ann.project.work.people.all() == before or len(ann.project.tasks()) == 1
    task = ann.rating._take(lease)
    ann.annotated(task)


def test_what_a_lead_changes_reaches_the_hub_with_the_next_round(team: Team) -> None:
    ann = team.member("Ann")
    tasks = [t.id for t in team.project.tasks() if t.kind == "object-tracks"]
    team.sharing.step()
    team.project.work.lead.prioritize(tasks[-1:], 7)
    team.project.work.lead.withdraw(tasks[:1], "Not now.")
    team.sharing.step()
    assert team.hub.board().n_free == len(tasks) - 1
    assert ann.rating.next_task() == tasks[-1]
    before = ann.hub.hello().bundle
    team.sharing.step()
    assert ann.hub.hello().bundle == before
    version = team.project.work.recipe.version
    text = team.project.work.recipe_text()
    team.project.work.use_recipe(
        text.replace(f"version = {version}", f"version = {version + 1}", 1)
    )
    team.project.work.people.rename(team.people["Ann"], "Anna")
    team.sharing.step()
    assert ann.hub.hello().bundle != before
    assert ann.hub.hello().person.name == "Anna"


def test_a_round_without_news_publishes_nothing(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.sharing.step()
    time.sleep(0.01)
    team.sharing.step()
    monkeypatch.setattr(team.hub, "publish", _die)
    monkeypatch.setattr(team.hub, "set_people", _die)
    assert team.sharing.step().n_events == 0


def test_predictions_made_after_publication_wait_in_the_tasks_of_raters(
    team: Team, tmp_path: Path
) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    first = ann.rating.next_task()
    assert first is not None
    team.sharing.step()
    for name in ("0", "1"):
        path = tmp_path / f"{name}.txt"
        path.write_text("1,-1,4,4,26,26,0.9,-1,-1,-1\n")
        token = JobToken(lambda *_: None)
        import_file(team.project, path, as_proposals=True, model="det", token=token)
    team.sharing.step()
    second = ben.rating.next_task()
    assert second not in (None, first)
    assert second is not None
    session = ben.project.open_task(second)
    assert [track.is_proposed for track in session.document.tracks] == [True]
    ben.annotated(second)
    ben.rating.exchange()
    step = team.sharing.step()
    assert (step.n_taken_in, step.refused) == (1, [])
    # What Ann had claimed before stays as it was sent.
    assert not ann.project.open_task(first).document.tracks
    ann.annotated(first)
    ann.rating.exchange()
    step = team.sharing.step()
    assert (step.n_taken_in, step.refused) == (1, [])
    assert team.sharing.step().n_published == 0


def test_another_lead_takes_over_with_a_copy_of_the_project(team: Team, tmp_path: Path) -> None:
    ann, ben = team.member("Ann"), team.member("Ben")
    first = ann.rating.next_task()
    assert first is not None
    team.sharing.step()
    ann.annotated(first)
    ann.rating.exchange()
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / "lead", copy)
    other = open_project(copy / "p.annot")
    lead = other.work.people.check_lead()
    theirs = team.world.hub(lead.id)
    theirs.take_write_role()
    second = Sharing(other, theirs)
    # The one before notices, loses nothing, and still sees the board and steers.
    with pytest.raises(WriteRoleLostError, match="Another copy of this project"):
        team.sharing.step()
    assert not team.project.work.record(first).counted
    assert team.hub.board().n_pending > 0
    team.hub.message("Please go on.")
    step = second.step()
    assert (step.n_taken_in, step.refused) == (1, [])
    assert other.work.record(first).stage == "check"
    assert ben.rating.next_task(stages=["check"]) == first
    second.step()
    assert other.work.record(first).holders[0].person_id == ben.id
    assert [m.text for m in ben.rating.exchange().messages] == ["Please go on."]
    ann.rating.exchange()
    assert {sent.outcome for sent in ann.rating.claims.sent().values()} == {"taken in"}
    # Back again: the first copy hears all that it missed, once.
    team.hub.take_write_role()
    back = team.sharing
    back.step()
    assert team.project.work.record(first).stage == "check"
    assert team.project.work.record(first).holders[0].person_id == ben.id
    ben.judged(first)
    ben.rating.exchange()
    assert back.step().n_taken_in == 1
    with pytest.raises(WriteRoleLostError):
        second.step()
    other.close()
