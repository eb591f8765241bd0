"""The folder hub: what is in its files, what may be wrong with them, and people who die."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, ProjectId, new_id
from annotator.sync import folder as folder_module
from annotator.sync.folder import FolderHub
from annotator.sync.hub import HubError, HubPerson, Seat
from tests.sync.hub_people import play
from tests.sync.test_hubs import BUNDLE, HOUR, Team, made, seat
from tests.sync.worlds import ANN, LEA, PROJECT, FolderWorld


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return made(FolderWorld(tmp_path / "hub", HOUR))


def test_a_death_between_submitting_and_moving_on_is_no_second_task(team, tmp_path) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    (token,) = (tmp_path / "hub" / "held").iterdir()
    team.ann.submit(claim_id, b"work")
    (done,) = (tmp_path / "hub" / "done").iterdir()
    done.rename(token)
    team.world.advance(10 * HOUR)
    assert team.ben.claim(new_id()) is None
    assert team.heard() == [("claimed", "a"), ("submitted", "a")]


def test_publishing_that_broke_off_is_completed(team, tmp_path) -> None:
    team.publish(seat("a"), seat("b"))
    (token,) = (tmp_path / "hub" / "free").glob("*~a~1")
    token.unlink()
    assert team.publish(seat("a"), seat("b")) == 1
    assert {team.ann.claim(new_id()).seat_id for _ in range(2)} == {"a", "b"}


def test_a_revision_that_broke_off_is_completed(team, tmp_path) -> None:
    team.publish(seat("a"))
    (token,) = (tmp_path / "hub" / "free").iterdir()
    token.rename(tmp_path / "hub" / "withdrawn" / token.name)
    assert team.publish(seat("a")) == 1
    assert team.ann.claim(new_id()).seat_id == "a"


def test_how_earlier_claims_ended_is_kept(team) -> None:
    team.publish(seat("a"))
    for hub in (team.ann, team.ben, team.ann):
        claim_id = new_id()
        hub.claim(claim_id)
        hub.release(claim_id)
    assert team.heard() == [("claimed", "a"), ("released", "a")] * 3


def test_folders_that_are_no_hub_or_another_projects_are_refused(tmp_path) -> None:
    with pytest.raises(HubError, match="not a hub folder, or it is not connected"):
        FolderHub(tmp_path / "none", ANN)
    FolderHub.create(tmp_path / "hub", PROJECT)
    with pytest.raises(ProjectError, match="another project"):
        FolderHub.create(tmp_path / "hub", ProjectId("other"))
    for body in (b"{}", b"[", b'{"format": "annotator-hub/1", "project_id": "p"}'):
        (tmp_path / "hub" / "hub.json").write_bytes(body)
        with pytest.raises(HubError, match=r"The folder is not a hub folder\."):
            FolderHub(tmp_path / "hub", ANN)


@pytest.mark.parametrize(
    "name", ["Dropbox", "OneDrive - Lab", "Google Drive", "Nextcloud", "Box", "Mobile Documents"]
)
def test_folders_of_sync_clients_are_refused(tmp_path, name) -> None:
    with pytest.raises(HubError, match=r"Cannot use a folder of a sync client"):
        FolderHub.create(tmp_path / name / "hub", PROJECT)


def test_a_folder_that_a_sync_client_marked_is_refused(tmp_path) -> None:
    (tmp_path / ".stfolder").touch()
    with pytest.raises(HubError, match=r"sync client \(“\.stfolder”\)"):
        FolderHub.create(tmp_path / "hub", PROJECT)


def test_folders_that_only_sound_like_it_are_used(tmp_path) -> None:
    FolderHub.create(tmp_path / "boxes" / "dropboxes", PROJECT)


def test_more_open_seats_than_a_folder_bears_are_refused(team, monkeypatch) -> None:
    monkeypatch.setattr(folder_module, "MAX_OPEN_SEATS", 3)
    with pytest.raises(HubError, match="at most") as told:
        team.publish(*(seat(f"s{i}") for i in range(5)))
    assert "PostgreSQL" in str(told.value)
    assert team.lea.board().n_free == 3
    team.ann.claim(new_id())
    assert team.publish(*(seat(f"s{i}") for i in range(4))) == 1


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"group": 3}\n', b""])
def test_damaged_seats_are_told_and_not_taken(team, tmp_path, body) -> None:
    team.publish(seat("a"))
    (tmp_path / "hub" / "seats" / "a").write_bytes(body)
    with pytest.raises(HubError, match="damaged"):
        team.ann.claim(new_id())
    assert team.lea.board().n_free == 1


def test_a_tampered_submission_is_told(team, tmp_path) -> None:
    team.publish(seat("a"))
    claim_id = new_id()
    team.ann.claim(claim_id)
    team.ann.submit(claim_id, b"work")
    (path,) = (tmp_path / "hub" / "in").iterdir()
    path.write_bytes(b"other work")
    with pytest.raises(HubError, match="damaged"):
        team.lea.events()


def test_files_that_are_no_tokens_are_left_alone(team, tmp_path) -> None:
    team.publish(seat("a"))
    for place in ("free", "held", "done", "ended", "in", "called", "pauses", "messages", "role"):
        for name in (".DS_Store", "Thumbs.db", "a~b", "x~y~z~1~2~3~4", "1~2~3~4~5~6~nan"):
            (tmp_path / "hub" / place / name).touch()
    claim_id = new_id()
    assert team.ann.claim(claim_id).seat_id == "a"
    team.ann.submit(claim_id, b"work")
    team.ann.tick([claim_id], submitted=[claim_id])
    assert team.heard() == [("claimed", "a"), ("submitted", "a")]


@pytest.mark.parametrize("name", ["", "a~b", "..", "../a", "a/b", "x" * 121, "ä"])
def test_names_that_could_be_paths_are_refused(team, tmp_path, name) -> None:
    refused = r"” is not a valid ID in a shared folder\."
    with pytest.raises(HubError, match=refused):
        team.publish(seat(name))
    with pytest.raises(HubError, match=refused):
        team.ann.claim(name)
    with pytest.raises(HubError, match=refused):
        team.lea.set_people([HubPerson(PersonId(name))])
    with pytest.raises(HubError, match=refused):
        FolderHub(tmp_path / "hub", PersonId(name))
    with pytest.raises(HubError, match=refused):
        team.ann.bundle(name)


def test_many_people_some_of_whom_die_lose_and_double_nothing(tmp_path) -> None:
    folder = tmp_path / "hub"
    FolderHub.create(folder, PROJECT, lease_ms=4000)
    lead = FolderHub(folder, LEA)
    lead.take_write_role()
    people = [PersonId(f"person-{i}") for i in range(9)]
    lead.set_people(
        HubPerson(each, each, frozenset(("annotator",)), frozenset(("boxes",))) for each in people
    )
    lead.publish(
        (Seat(f"s-{i:05d}", f"s-{i}", "boxes", "draw", b"{}", "annotator") for i in range(150)),
        BUNDLE,
    )
    told = [{"folder": str(folder), "person": each} for each in people]
    played = play(lead, told, seats=150, killed=3)
    assert played.killed == 3
    assert played.done == 150
    assert played.times_in == {f"s-{i:05d}": 1 for i in range(150)}
