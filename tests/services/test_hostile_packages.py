"""Packages and submissions of strangers end in a result or in one sentence, and leave nothing."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.annotation.canonical import content_id
from annotator.domain.errors import ProjectError, UserError
from annotator.domain.work.acts import ExcludePeople
from annotator.services.entry_values import RETURNS, WORK
from annotator.services.packages.packages import open_package
from annotator.services.packages.submissions import collect
from annotator.services.project import projects
from annotator.services.project.projects import open_project
from annotator.sync.archive import Archive, ArchiveError, write_archive
from tests.services.questions.question_team import item
from tests.services.questions.remote_team import RemoteTeam

ODD = (
    *(None, True, -1, 0, 1e308, float("nan"), 10**30, -(10**30), "", "x" * 300, "\ud800"),
    *([], {}, "1e999", "0" * 64, "00000000-0000-0000-0000-000000000000", "../../etc/passwd"),
)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[RemoteTeam]:
    (tmp_path / "team").mkdir()
    made = RemoteTeam(tmp_path / "team")
    made.add(*(item(made.clips[0].id, f"Question {i}") for i in range(3)))
    yield made
    made.project.close()


def test_a_package_opens_where_somebody_is_excluded_from_its_tasks(team: RemoteTeam) -> None:
    (task,) = [t for t in team.project.tasks() if t.kind == "questions"]
    lead = team.people["lead"].id
    # Ben and Cleo are in no event of the task, so they do not travel; their exclusion does.
    excluded = (team.people["Ben"].id, team.people["Cleo"].id)
    team.work.transactions.act(task.id, ExcludePeople(lead, excluded, "They wrote the questions."))
    mine = team.unpack(team.package("Ann"), "Ann")
    assert [p.name for p in mine.work.people.all() if p.name in ("Ben", "Cleo")] == []
    (there,) = [t for t in mine.tasks() if t.kind == "questions"]
    session = mine.open_task(there.id)
    assert len(mine.questions.question_set(session).items) == 3
    mine.close()


def changed(value: Any, chance: random.Random) -> Any:
    """Put something odd into a random place of a JSON value."""
    places: list[tuple[Any, Any]] = []

    def walk(parent: Any, key: Any, node: Any) -> None:
        places.append((parent, key))
        if isinstance(node, dict | list):
            inner = node.items() if isinstance(node, dict) else enumerate(node)
            for k, each in list(inner):
                walk(node, k, each)

    box = [value]
    walk(box, 0, value)
    parent, key = chance.choice(places)
    other, at = chance.choice(places)
    match chance.randrange(3):
        case 0:
            parent[key] = chance.choice(ODD)
        case 1 if isinstance(parent, dict):
            del parent[key]
        case _:
            parent[key] = json.loads(json.dumps(other[at]))
    return box[0]


def forged(source: Path, target: Path, kind: str, chance: random.Random) -> None:
    """Write an archive again with other content, so that its manifest vouches for that."""
    with Archive(source, kind) as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header: Any = archive.header
    name = chance.choice(["", *entries])
    if not name:
        header = changed(header, chance)
        header = header if isinstance(header, dict) else {}
    elif name.endswith(".json"):
        value = changed(json.loads(entries.pop(name)), chance)
        body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if name.startswith("submissions/"):
            name = f"submissions/{content_id(body)}.json"
        entries[name] = body
    else:
        body = entries[name]
        at = chance.randrange(len(body) + 1)
        entries[name] = body[:at] + chance.choice((b"\xff", b'"', b"\0", b"1e999")) + body[at:]
    write_archive(target, kind, json.loads(json.dumps(header)), list(entries.items()))


def test_forged_packages_end_in_a_project_or_leave_nothing(
    team: RemoteTeam, tmp_path: Path
) -> None:
    package, chance = team.package("Ann"), random.Random(20261122)
    n_refused = 0
    for i in range(40):
        path, folder = tmp_path / "forged.work", tmp_path / f"there{i}"
        try:
            forged(package, path, WORK, chance)
        except (ValueError, UnicodeError):
            continue
        folder.mkdir()
        try:
            open_package(path, folder / "mine.annot", media_folders=[team.folder / "videos"])
        except UserError:
            n_refused += 1
            assert list(folder.iterdir()) == []
        else:
            open_project(folder / "mine.annot").close()
    assert n_refused > 13


def test_forged_submissions_change_nothing_unless_they_are_accepted(
    team: RemoteTeam, tmp_path: Path
) -> None:
    back, chance = team.answered(team.package("Ann"), "Ann"), random.Random(20261123)
    team.lead_again()
    (task,) = [t for t in team.project.tasks() if t.kind == "questions"]
    n_refused = 0
    for _ in range(60):
        path = tmp_path / "forged.back"
        try:
            forged(back, path, RETURNS, chance)
        except (ValueError, UnicodeError):
            continue
        before = team.work.record(task.id)
        try:
            collect(team.project, path)
        except UserError:
            n_refused += 1
            assert team.work.record(task.id) == before
    assert n_refused > 15


def test_an_archive_with_another_compression_is_refused(tmp_path: Path) -> None:
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        path = tmp_path / "a.work"
        with zipfile.ZipFile(path, "w", method) as made:
            made.writestr("manifest.json", "{}")
        with pytest.raises(ArchiveError, match="compression"):
            Archive(path, WORK)


def test_a_project_that_cannot_be_opened_is_not_locked(
    team: RemoteTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    team.project.close()
    path = team.project.path

    class Broken(projects.OpenProject):
        def __init__(self, *_: object) -> None:
            raise ProjectError("This one cannot be opened.")

    with monkeypatch.context() as patch:
        patch.setattr(projects, "OpenProject", Broken)
        with pytest.raises(ProjectError):
            open_project(path)
    again = open_project(path)
    assert not again.is_read_only
    again.close()
