"""One writer: the lock says who holds it, and dies with its holder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.store.file.lock import LockedError, ProjectLock, lock_path, read_holder

_HOLD = (
    "import sys, pathlib\n"
    "from annotator.store.file.lock import ProjectLock\n"
    "lock = ProjectLock(pathlib.Path(sys.argv[1]))\n"
    "print('held', flush=True)\n"
    "sys.stdin.read()\n"
)


def test_second_one_learns_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "work.annot"
    first = ProjectLock(path)
    with pytest.raises(LockedError) as caught:
        ProjectLock(path)
    holder = caught.value.holder
    assert holder is not None
    assert holder.pid == os.getpid()
    assert holder.host in str(holder)
    assert holder.user in str(holder)
    first.release()
    first.release()
    assert list(tmp_path.iterdir()) == []
    ProjectLock(path).release()


def test_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "work.annot"
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        with pytest.raises(LockedError) as caught:
            ProjectLock(path)
        assert caught.value.holder is not None
        assert caught.value.holder.pid == child.pid
        child.send_signal(signal.SIGKILL)
    assert lock_path(path).exists()
    lock = ProjectLock(path)
    assert getattr(read_holder(path), "pid", None) == os.getpid()
    lock.release()


@pytest.mark.parametrize("text", [b"", b"{", b'{"user": 3}', b"\xff\xfe"])
def test_nonsense_in_the_lock_file_is_no_obstacle(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "work.annot"
    lock_path(path).write_bytes(text)
    assert read_holder(path) is None
    lock = ProjectLock(path)
    assert getattr(read_holder(path), "pid", None) == os.getpid()
    lock.release()


def test_lock_file_that_was_removed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "work.annot"
    first = ProjectLock(path)
    lock_path(path).unlink()
    second = ProjectLock(path)
    assert lock_path(path).exists()
    second.release()
    first.release()
