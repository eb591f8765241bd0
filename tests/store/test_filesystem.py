"""Network file systems are told apart by the mount that holds the path."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.store.file import filesystem
from annotator.store.file.filesystem import network_file_system

_MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / {0}/share rw - nfs4 server:/export rw
31 22 0:41 / {0}/share/local rw - ext4 /dev/sdb1 rw
32 22 0:42 / {0}/my\\040pictures rw master:2 - cifs //server/pictures rw
33 22 0:43 / {0}/ssh rw - fuse.sshfs host:/ rw
34 22 0:44 / {0}/windows rw - 9p drvfs rw
35 22 0:45 / {0}/twice rw - nfs server:/a rw
36 22 0:46 / {0}/twice rw - tmpfs tmpfs rw
broken line
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    table = tmp_path / "mountinfo"
    table.write_text(_MOUNTS.format(tmp_path), encoding="utf-8")
    monkeypatch.setattr(filesystem, "MOUNT_TABLE", table)
    return tmp_path


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("share", "nfs4"),
        ("share/deep/er", "nfs4"),
        ("share/local", None),
        ("shared", None),
        ("my pictures", "cifs"),
        ("ssh", "fuse.sshfs"),
        ("windows", "9p"),
        ("twice", None),
        ("elsewhere", None),
    ],
)
def test_the_innermost_and_last_mount_counts(root: Path, folder: str, kind: str | None) -> None:
    assert network_file_system(root / folder / "work.annot") == kind


def test_links_are_followed(root: Path) -> None:
    (root / "share").mkdir()
    (root / "link").symlink_to(root / "share")
    assert network_file_system(root / "link" / "work.annot") == "nfs4"


def test_what_cannot_be_told_is_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filesystem, "MOUNT_TABLE", tmp_path / "missing")
    assert network_file_system(tmp_path) is None


def test_this_machines_own_table_can_be_read(tmp_path: Path) -> None:
    assert network_file_system(tmp_path) in (None, *filesystem._NETWORK)
