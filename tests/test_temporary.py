"""Files that get their names when they are complete, and what killed processes leave."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from annotator import temporary
from annotator.domain.errors import UserError
from annotator.services.files import swapped
from annotator.temporary import new_file, new_folder, remove_leftovers, remove_system_leftovers


def _fail_within(new: AbstractContextManager[Path], write: Callable[[Path], object]) -> None:
    with new as place:
        write(place)
        raise RuntimeError


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    with new_file(target) as place:
        place.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~temporary.umask()
    with pytest.raises(RuntimeError):
        _fail_within(new_file(target), lambda place: place.write_text("half"))
    assert target.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "set"
    with pytest.raises(RuntimeError):
        _fail_within(new_folder(target), lambda place: (place / "a").touch())
    assert list(tmp_path.iterdir()) == []
    with new_folder(target) as place:
        (place / "a").touch()
        assert not target.exists()
    assert [p.name for p in target.iterdir()] == ["a"]


def test_a_link_in_the_way_is_replaced_and_never_written_through(tmp_path: Path) -> None:
    victim, target = tmp_path / "victim", tmp_path / "a.txt"
    victim.write_text("mine")
    target.symlink_to(victim)
    with new_file(target) as place:
        assert not place.is_symlink()
        place.write_text("new")
    assert victim.read_text() == "mine"
    assert target.read_text() == "new"


def test_only_old_leftovers_are_removed_and_links_are_not_followed(tmp_path: Path) -> None:
    old, young = tmp_path / ".a.x1.annotator-new", tmp_path / ".b.x2.annotator-new"
    folder, other = tmp_path / ".c.x3.annotator-new", tmp_path / ".other.new"
    journal = tmp_path / ".a.annot.x1.annotator-new-journal"
    kept = tmp_path / "kept"
    folder.mkdir()
    kept.mkdir()
    (folder / "inside").touch()
    (kept / "mine").touch()
    link = tmp_path / ".d.x4.annotator-new"
    link.symlink_to(kept, target_is_directory=True)
    for path in (old, young, other, journal):
        path.touch()
    past = time.time() - temporary.LEFT_AFTER_S - 60
    for path in (old, folder, other, journal):
        os.utime(path, (past, past))
    os.utime(link, (past, past), follow_symlinks=False)
    assert remove_leftovers(tmp_path) == 3
    assert {p.name for p in tmp_path.iterdir()} == {young.name, other.name, "kept", link.name}
    assert (kept / "mine").exists()


def test_old_folders_in_the_systems_temporary_folder_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    place = Path(tempfile.mkdtemp(prefix="annotator-"))
    (tmp_path / "others-folder").mkdir()
    assert remove_system_leftovers() == 0
    past = time.time() - temporary.LEFT_AFTER_S - 60
    for path in tmp_path.iterdir():
        os.utime(path, (past, past))
    assert remove_system_leftovers() == 1
    assert not place.exists()
    assert (tmp_path / "others-folder").exists()


def test_files_beside_each_other_are_swapped_in_together(tmp_path: Path) -> None:
    target, side = tmp_path / "set.json", tmp_path / "set.votes.json"
    side.write_text("old")
    with pytest.raises(RuntimeError):
        _fail_within(swapped(target), lambda place: place.write_text("half"))
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"set.votes.json": "old"}
    with swapped(target) as place:
        place.write_text("new")
        place.with_name("set.votes.json").write_text("new votes")
        assert side.read_text() == "old"
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "set.json": "new",
        "set.votes.json": "new votes",
    }


def test_a_folder_is_swapped_in_as_a_whole_and_others_files_are_safe(tmp_path: Path) -> None:
    target = tmp_path / "set"

    def fill(place: Path, *names: str) -> None:
        place.mkdir()
        for name in names:
            (place / name).write_text("new")

    for names in (("a", "b"), ("a", "b", "c")):
        with swapped(target) as place:
            fill(place, *names)
        assert {p.name for p in target.iterdir()} == set(names)
    (target / "mine").write_text("mine")
    with pytest.raises(UserError, match="other files, for example “mine”"):
        _swap(target, fill)
    assert (target / "mine").read_text() == "mine"
    assert (target / "c").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["set"]


def _swap(target: Path, fill: Callable[..., None]) -> None:
    with swapped(target) as place:
        fill(place, "a", "b", "c")
