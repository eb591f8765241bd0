"""Pictures of guidelines: beside the project, along in packages, and never anywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from annotator.domain.errors import RecipeError, WorkError
from annotator.domain.inner_path import is_inner_path
from annotator.domain.people import Person, Role
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.project import guideline_images as pictures
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.sync.archive import Archive, ArchiveError, write_archive
from tests.media.encoding import encode

_PICTURE = b"\x89PNG not really"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    home = tmp_path / "lead"
    home.mkdir()
    project = create_project(home / "p", title="P", recipe="perception-test")
    encode(home / "a.mp4", numbers=range(5))
    project.add_videos([home / "a.mp4"])
    text = project.work.recipe_text().replace(
        "version = 1\n", 'version = 2\npictures = "how to"\n', 1
    )
    project.work.use_recipe(text)
    yield project
    project.close()


def _filled(project: OpenProject) -> Path:
    folder = project.path.parent / "how to"
    (folder / "cups").mkdir(parents=True)
    (folder / "cups" / "red one.png").write_bytes(_PICTURE)
    (folder / "notes.txt").write_text("not a picture", encoding="utf-8")
    (folder / ".hidden.png").write_bytes(_PICTURE)
    return folder


def _ann(project: OpenProject) -> Person:
    return project.work.people.add("Ann", (Role.RATER,))


def test_pictures_lie_beside_the_project_and_go_along(project: OpenProject, tmp_path: Path) -> None:
    assert project.work.pictures_folder() is None
    folder = _filled(project)
    assert project.work.pictures_folder() == folder.resolve()
    (folder / "away.png").symlink_to(project.path)
    packed, ann = tmp_path / "ann.work", _ann(project)
    pack_tasks(project, packed, ann.id, n_tasks=1)
    (tmp_path / "far" / "mine-pictures").mkdir(parents=True)
    done = open_package(packed, tmp_path / "far" / "mine")
    far = open_project(done.path)
    own = far.work.pictures_folder()
    assert own is not None
    assert own == (tmp_path / "far" / "mine-pictures-2").resolve()
    files = [p.relative_to(own).as_posix() for p in own.rglob("*") if p.is_file()]
    assert files == ["cups/red one.png"]
    assert (own / files[0]).read_bytes() == _PICTURE
    far.close()


def test_a_folder_that_leads_elsewhere_is_none(project: OpenProject, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (project.path.parent / "how to").symlink_to(tmp_path / "secret")
    assert project.work.pictures_folder() is None


def test_too_many_pictures_give_nothing_out(
    project: OpenProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _filled(project)
    monkeypatch.setattr(pictures, "MAX_BYTES", 3)
    ann = _ann(project)
    with pytest.raises(WorkError) as refused:
        pack_tasks(project, tmp_path / "ann.work", ann.id, n_tasks=1)
    assert refused.value.code == "large-pictures"
    assert not any(project.work.record(t.id).holders for t in project.tasks())


@pytest.mark.parametrize("inner", ["../out.png", "/out.png", "a/../../out.png", "C:\\out.png"])
def test_a_package_cannot_write_elsewhere(project: OpenProject, tmp_path: Path, inner: str) -> None:
    _filled(project)
    packed = tmp_path / "ann.work"
    pack_tasks(project, packed, _ann(project).id, n_tasks=1)
    with Archive(packed, "package") as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header = archive.header
    entries["pictures.json"] = msgspec.json.encode({"entries": {inner: "pictures/0"}})
    write_archive(tmp_path / "bad.work", "package", header, entries.items())
    target = tmp_path / "far"
    target.mkdir()
    with pytest.raises(ArchiveError, match="outside"):
        open_package(tmp_path / "bad.work", target / "mine")
    assert list(target.iterdir()) == []
    assert not (tmp_path / "out.png").exists()


def test_a_package_refused_later_leaves_no_pictures(project: OpenProject, tmp_path: Path) -> None:
    _filled(project)
    packed = tmp_path / "ann.work"
    pack_tasks(project, packed, _ann(project).id, n_tasks=1)
    with Archive(packed, "package") as archive:
        entries = {name: archive.read(name) for name in archive.names}
        header = archive.header
    entries["recipe.toml"] = b"name = 3"
    write_archive(tmp_path / "bad.work", "package", header, entries.items())
    (tmp_path / "far").mkdir()
    with pytest.raises(RecipeError):
        open_package(tmp_path / "bad.work", tmp_path / "far" / "mine")
    assert list((tmp_path / "far").iterdir()) == []


@pytest.mark.parametrize(
    ("text", "is_inner"),
    [
        ("pictures", True),
        ("how to/cups", True),
        ("", False),
        (".", False),
        ("..", False),
        ("a/../b", False),
        ("/a", False),
        ("a/", False),
        ("a\\b", False),
        ("C:a", False),
        (".git", False),
        ("a\nb", False),
        ("a" * 201, False),
    ],
)
def test_inner_paths(text: str, is_inner: bool) -> None:
    assert is_inner_path(text) == is_inner
