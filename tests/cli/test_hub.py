"""``annotator hub``: a team works through a shared folder, and through PostgreSQL."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.hub.hub_place import HubPlace, place_from, read_invitation
from annotator.services.project.projects import create_project, open_project
from tests.cli.conftest import Call
from tests.sync.conftest import postgres
from tests.sync.postgres_server import Server

__all__ = ["postgres"]


@pytest.fixture
def home(tmp_path: Path, clip: Path) -> Path:
    """A folder with a lead's project of two videos, and Ann and Ben as raters."""
    (tmp_path / "lead").mkdir()
    shutil.copy(clip, tmp_path / "lead" / "clip.mp4")
    project = create_project(tmp_path / "lead" / "p.annot", title="Mugs", recipe="perception-test")
    # The same pictures, but another file: an empty box at its end.
    (tmp_path / "lead" / "two.mp4").write_bytes(clip.read_bytes() + b"\0\0\0\x08free")
    project.add_videos([tmp_path / "lead" / "clip.mp4", tmp_path / "lead" / "two.mp4"])
    for name in ("Ann", "Ben Bär"):
        project.work.people.add(name, ["rater"])
    project.close()
    return tmp_path


def told(call: Call, *arguments: object) -> dict[str, object]:
    outcome = call("hub", *arguments, "--json")
    assert outcome.status == 0, outcome.err
    return json.loads(outcome.out)


def annotated(path: Path) -> None:
    project = open_project(path)
    (held,) = project.work.in_hand()
    session = project.open_task(held.task_id)
    session.run(CreateTrack(track_id(), "mug", 0, Box(4, 4, 30, 30)))
    project.work.submit(session)
    project.close()


def worked_through(call: Call, home: Path) -> None:
    """Let Ann do a task of a hub that was set up and to which she was invited."""
    lead, mine = home / "lead" / "p.annot", home / "ann" / "mine.annot"
    mine.parent.mkdir()
    told(call, "publish", lead)
    assert told(call, "publish", lead)["n_new"] == 0
    assert told(call, "join", home / "Ann.annot-invite", mine)["person"] == "Ann"
    assert call("hub", "check", mine).out.count("connected as Ann")
    first = told(call, "next", mine, "--videos", home / "lead")
    assert (len(first["tasks"]), first["missing"]) == (1, [])
    status = told(call, "status", lead)
    assert status["n_claimed"] == 1
    assert status["claims"][0]["person"] == "Ann"
    annotated(mine)
    assert told(call, "status", mine)["n_waiting"] == 1
    assert told(call, "send", mine)["n_received"] == 1
    assert told(call, "keep", lead, "--once")["n_taken_in"] == 1
    assert told(call, "send", mine)["n_taken_in"] == 1
    told(call, "message", lead, "Mark cups.", "--to", "Ann")
    assert told(call, "tick", mine)["messages"] == ["Mark cups."]
    told(call, "revise", lead, "clip.mp4", "--priority", "4")
    assert told(call, "next", mine, "--videos", home / "lead")["tasks"]
    assert told(call, "revoke", lead, "Ann")["n_revoked"] == 1
    assert len(told(call, "tick", mine)["lost"]) == 1
    assert told(call, "people", lead)["people"] == ["Ann"]


def test_a_team_works_through_a_shared_folder(call: Call, home: Path) -> None:
    lead = home / "lead" / "p.annot"
    assert told(call, "init", lead, home / "hub")["is_new"] is True
    assert told(call, "init", lead, home / "hub")["is_new"] is False
    told(call, "people", lead, "--invite", "Ann", "-o", home)
    worked_through(call, home)


def test_a_team_works_through_postgresql(
    call: Call, home: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = home / "lead" / "p.annot"
    admin = postgres.admin
    monkeypatch.setenv("ANNOTATOR_HUB_ADMIN_PASSWORD", admin["password"])
    monkeypatch.setenv("PGPASSFILE", str(home / "pgpass"))
    address = f"postgresql://{admin['host']}:{admin['port']}/mugs_{home.name.replace('-', '_')}"
    certificate = ("--certificate", admin["sslrootcert"])
    refused = call("hub", "init", lead, address, *certificate)
    assert (refused.status, "--as LOGIN" in refused.err) == (1, True)
    assert told(call, "init", lead, address, "--as", "admin", *certificate)["is_new"] is True
    assert told(call, "init", lead, address, "--as", "admin", *certificate)["is_new"] is False
    invited = call("hub", "people", lead, "--invite", "Ann", "-o", home, "--as", "admin")
    password = invited.out.split("password ")[1].split()[0]
    text = (home / "Ann.annot-invite").read_text()
    assert password not in text
    assert admin["password"] not in text
    monkeypatch.setenv("ANNOTATOR_HUB_PASSWORD", password)
    told_by_person = read_invitation(home / "Ann.annot-invite")
    assert told_by_person.place.login.startswith("a_")
    monkeypatch.delenv("ANNOTATOR_HUB_PASSWORD")
    with pytest.MonkeyPatch.context() as inner:
        inner.setattr("click.prompt", lambda *_, **__: password)
        worked_through(call, home)
    assert stat.S_IMODE((home / "pgpass").stat().st_mode) == 0o600
    for path in (lead, home / "ann" / "mine.annot"):
        assert password.encode() not in path.read_bytes()


def test_what_cannot_be_is_said(call: Call, home: Path) -> None:
    lead = home / "lead" / "p.annot"
    for arguments, words in (
        (("publish", lead), "This project is not shared."),
        (("init", lead, "mysql://host/db"), "Unknown kind of hub"),
        (("init", lead, "postgresql://a:secret@host/db"), "contains a password"),
        (("init", lead, "postgresql://host"), "no host or no database"),
        (("init", lead, home / "Dropbox" / "hub"), "sync client"),
        (("join", lead, home / "x.annot"), "not an invitation"),
        (("join", home / "none.annot-invite", home / "x.annot"), "not an invitation"),
    ):
        outcome = call("hub", *arguments)
        assert (outcome.status, words in outcome.err) == (1, True), outcome.err
        assert "Traceback" not in outcome.err
    assert not (home / "x.annot").exists()
    told(call, "init", lead, home / "hub")
    told(call, "people", lead, "--invite", "Ann", "-o", home)
    shutil.rmtree(home / "hub")
    outcome = call("hub", "join", home / "Ann.annot-invite", home / "x.annot")
    assert "not connected" in outcome.err
    outcome = call("hub", "keep", lead, "--once")
    assert (outcome.status, "not connected" in outcome.err) == (1, True)


def test_a_second_copy_of_the_project_has_to_take_over(call: Call, home: Path) -> None:
    lead, copy = home / "lead" / "p.annot", home / "copy.annot"
    told(call, "init", lead, home / "hub")
    shutil.copy(lead, copy)
    told(call, "publish", lead)
    assert told(call, "status", copy)["n_open"] > 0
    told(call, "init", copy, home / "hub", "--take-over")
    outcome = call("hub", "publish", lead)
    assert (outcome.status, "Another copy of this project" in outcome.err) == (1, True)
    told(call, "publish", copy)
    told(call, "message", lead, "I am still here.")


def test_one_command_shares_invites_and_publishes(call: Call, home: Path) -> None:
    lead, out = home / "lead" / "p.annot", home / "invitations"
    out.mkdir()
    names = ("--invite", "Ann", "--invite", "Ben Bär", "-o", out)
    outcome = call("hub", "init", lead, home / "hub", *names)
    assert outcome.status == 0, outcome.err
    assert outcome.out.splitlines() == [
        f"{home / 'hub'}: shared",
        f"Ann: {out / 'Ann.annot-invite'}",
        f"Ben Bär: {out / 'Ben-Bär.annot-invite'}",
        "2 new tasks published.",
    ]
    (home / "ann").mkdir()
    mine = home / "ann" / "mine.annot"
    told(call, "join", out / "Ann.annot-invite", mine)
    assert len(told(call, "next", mine, "--videos", home / "lead")["tasks"]) == 1
    again = told(call, "init", lead, home / "hub", *names)
    assert (again["is_new"], again["n_new"]) == (False, 0)


def test_addresses(tmp_path: Path) -> None:
    assert place_from(str(tmp_path)).folder == str(tmp_path)
    found = place_from("postgresql://lea@hub.lab:5433/cups")
    assert found == HubPlace(host="hub.lab", port=5433, database="cups", login="lea")
    assert found.name == "hub.lab/cups"
