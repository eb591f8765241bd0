"""Submission files are signed by the copy they come from, and the lead accepts its key once."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from annotator import paths
from annotator.domain.errors import WorkError
from annotator.services.packages import signatures
from annotator.services.packages.signatures import (
    Signed,
    accept_key,
    accepted_keys,
    own_fingerprint,
)
from annotator.services.packages.submissions import collect
from annotator.services.project.projects import open_project
from annotator.sync.archive import ArchiveError
from tests.services.questions.question_team import item
from tests.services.questions.remote_team import RemoteTeam


@pytest.fixture
def team(tmp_path: Path) -> Iterator[RemoteTeam]:
    made = RemoteTeam(tmp_path)
    made.add(item(made.clips[0].id))
    yield made
    made.project.close()


@pytest.fixture
def back(team: RemoteTeam) -> Path:
    found = team.answered(team.package("Ann"), "Ann")
    team.lead_again()
    return found


def test_a_key_is_accepted_once_and_another_one_is_noticed(
    team: RemoteTeam, back: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = collect(team.project, back)
    assert first.seal.state is Signed.NEW_KEY
    mine = open_project(team.folder / "Ann" / "mine.annot")
    assert own_fingerprint(mine) == first.seal.fingerprint
    accept_key(team.project, first.person_id, first.seal.fingerprint)
    assert accepted_keys(team.project) == {first.person_id: first.seal.fingerprint}
    assert collect(team.project, back).seal == (Signed.ACCEPTED, first.seal.fingerprint)
    # Another computer has another key.
    monkeypatch.setattr(paths, "data_dir", lambda: tmp_path)
    from annotator.services.packages.submissions import pack_submissions

    pack_submissions(mine, back)
    mine.close()
    other = collect(team.project, back)
    assert other.seal.state is Signed.CHANGED
    assert other.seal.fingerprint != first.seal.fingerprint
    accept_key(team.project, first.person_id, "")
    assert accepted_keys(team.project) == {}


def test_what_was_changed_after_it_was_signed_is_refused(team: RemoteTeam, back: Path) -> None:
    with zipfile.ZipFile(back) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(entries["manifest.json"])
    manifest["header"]["title"] = "Other"
    body = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()
    with zipfile.ZipFile(back, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**entries, "manifest.json": body}.items():
            archive.writestr(name, content)
        archive.comment = sha256(body).hexdigest().encode()
    with pytest.raises(ArchiveError, match="changed after it was signed"):
        collect(team.project, back)
    # Without the signature it is what it is: unsigned.
    del manifest["signature"]
    body = json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()
    with zipfile.ZipFile(back, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**entries, "manifest.json": body}.items():
            archive.writestr(name, content)
        archive.comment = sha256(body).hexdigest().encode()
    assert collect(team.project, back).seal.state is Signed.UNSIGNED


def test_a_file_that_lost_its_signature_is_marked(team: RemoteTeam, back: Path) -> None:
    report = collect(team.project, back)
    accept_key(team.project, report.person_id, report.seal.fingerprint)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signatures, "is_available", lambda: False)
        unsigned = team.answered(team.package("Ben"), "Ben")
        team.lead_again()
        assert collect(team.project, back).seal.state is Signed.UNCHECKED
    assert collect(team.project, unsigned).seal.state is Signed.UNSIGNED
    accept_key(team.project, team.people["Ben"].id, report.seal.fingerprint)
    assert collect(team.project, unsigned).seal.state is Signed.CHANGED


def test_the_private_key_is_for_its_owner_alone_and_not_in_the_project(
    team: RemoteTeam, back: Path
) -> None:
    (*_, key) = sorted((paths.data_dir() / "keys").iterdir(), key=lambda p: p.stat().st_mtime)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    assert key.read_bytes() not in back.read_bytes()
    assert key.read_bytes() not in (team.folder / "Ann" / "mine.annot").read_bytes()


def test_only_leads_accept_keys_and_only_keys(team: RemoteTeam) -> None:
    ann = team.people["Ann"].id
    with pytest.raises(WorkError, match="not the fingerprint"):
        accept_key(team.project, ann, "SHA256:short")
    team.work.people.sign_in(ann)
    with pytest.raises(WorkError):
        accept_key(team.project, ann, "")
