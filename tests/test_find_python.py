"""Which Python `make` takes, and what it says where none will do."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

_SCRIPT = Path(__file__).resolve().parent.parent / "packaging" / "find-python"


def _put(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the script on a machine that has nothing but what lies in the folder."""
    return subprocess.run(
        ["/bin/sh", str(_SCRIPT)],
        env={"PATH": str(folder), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def _old(folder: Path) -> None:
    _put(folder, "python3", '[ "$1" = --version ] && echo Python 3.9.2 && exit 0\nexit 1')


def test_the_usual_python_is_taken_when_it_will_do(tmp_path: Path) -> None:
    _put(tmp_path, "python3", f'exec {sys.executable} "$@"')
    done = _run(tmp_path)
    assert done.stdout.strip() == str(tmp_path / "python3")


def test_a_newer_one_beside_an_old_one_is_found(tmp_path: Path) -> None:
    _old(tmp_path)
    _put(tmp_path, "python3.12", f'exec {sys.executable} "$@"')
    assert _run(tmp_path).stdout.strip() == str(tmp_path / "python3.12")


def test_an_old_one_alone_gets_the_line_of_the_distribution(tmp_path: Path) -> None:
    _old(tmp_path)
    _put(tmp_path, "dnf", "exit 0")
    done = _run(tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Python 3.9.2" in done.stderr
    assert "  sudo dnf install -y python3.12" in done.stderr


def test_nothing_at_all_is_said_plainly(tmp_path: Path) -> None:
    done = _run(tmp_path)
    assert done.returncode == 1
    assert "no python3" in done.stderr


def test_an_ordinary_user_of_debian_gets_the_apt_line(tmp_path: Path) -> None:
    _old(tmp_path)
    _put(tmp_path, "apt-get", "exit 1")
    _put(tmp_path, "apt-cache", "case $2 in *3.11*) exit 0;; esac; exit 1")
    _put(tmp_path, "id", "echo 1000")
    done = _run(tmp_path)
    assert done.returncode == 1
    assert "  sudo apt-get install -y python3.11 python3.11-venv" in done.stderr


def test_root_on_debian_gets_what_is_missing_installed(tmp_path: Path) -> None:
    # Like a bare machine: the lists are empty until `update`, and python3 comes with the package.
    log = tmp_path / "log"
    for tool in ("cat", "touch"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    _put(
        tmp_path,
        "apt-get",
        f'echo "$@" >>{log}\n'
        f"[ $1 = update ] && touch {tmp_path}/fresh && exit 0\n"
        f"[ -e {tmp_path}/fresh ] || exit 1\n"
        f"cat {tmp_path}/new >{tmp_path}/python3; /bin/chmod +x {tmp_path}/python3",
    )
    _put(tmp_path, "new", f'exec {sys.executable} "$@"')
    _put(tmp_path, "apt-cache", "exit 1")
    _put(tmp_path, "id", "echo 0")
    done = _run(tmp_path)
    assert done.stdout.strip() == str(tmp_path / "python3"), done.stderr
    install = "install -y --no-install-recommends python3 python3-venv"
    assert log.read_text().splitlines() == [install, "update", install]
