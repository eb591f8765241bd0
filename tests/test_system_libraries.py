"""The table of system libraries, and what is said and done about missing ones."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from annotator import system_libraries
from annotator.system_libraries import Library

_ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def no_portaudio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend to be a Linux machine without root that lacks PortAudio alone."""
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    monkeypatch.setattr(system_libraries, "_loads", lambda name: "portaudio" not in name)
    monkeypatch.setattr(system_libraries, "is_font_missing", lambda: False)
    monkeypatch.setattr(system_libraries, "_may_install", lambda: False)


def _pretend(monkeypatch: pytest.MonkeyPatch, release: dict[str, str]) -> None:
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)


@pytest.mark.parametrize(
    ("release", "line"),
    [
        ({"ID": "debian"}, "sudo apt-get install -y libportaudio2"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "sudo apt-get install -y libportaudio2"),
        ({"ID": "fedora"}, "sudo dnf install -y portaudio"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "sudo dnf install -y portaudio"),
        ({"ID": "manjaro", "ID_LIKE": "arch"}, "sudo pacman -S --needed portaudio"),
        ({"ID": "opensuse-tumbleweed"}, "sudo zypper install -y libportaudio2"),
    ],
)
@pytest.mark.usefixtures("no_portaudio")
def test_each_distribution_gets_its_own_line(
    release: dict[str, str], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pretend(monkeypatch, release)
    assert system_libraries.advice(system_libraries.missing_libraries()) == [line]


@pytest.mark.usefixtures("no_portaudio")
def test_an_unknown_distribution_gets_all_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    _pretend(monkeypatch, {"ID": "plan9"})
    lines = system_libraries.advice(system_libraries.missing_libraries())
    assert len(lines) == len(system_libraries.families())
    assert lines[0].startswith("Debian or Ubuntu: sudo apt-get")


@pytest.mark.usefixtures("no_portaudio")
def test_missing_sound_is_said_but_does_not_stop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _pretend(monkeypatch, {"ID": "debian"})
    assert system_libraries.main() == 0
    said = capsys.readouterr().err
    assert "libportaudio.so.2" in said
    assert "  sudo apt-get install -y libportaudio2" in said


def test_missing_libraries_of_qt_stop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _pretend(monkeypatch, {"ID": "fedora"})
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    monkeypatch.setattr(system_libraries, "_loads", lambda name: "EGL" not in name)
    monkeypatch.setattr(system_libraries, "_may_install", lambda: False)
    assert system_libraries.main() == 1
    assert "sudo dnf install -y libglvnd-egl" in capsys.readouterr().err


def test_libraries_of_the_window_matter_only_with_a_display(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cursor = Library("libxcb-cursor.so.0", "window", {})
    monkeypatch.setenv("DISPLAY", ":0")
    assert system_libraries.is_blocking([cursor])
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not system_libraries.is_blocking([cursor])


def test_root_with_apt_get_installs_and_refreshes_the_lists_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An apt-get that fails to install until its lists are fresh, as on a bare machine.
    log, fresh = tmp_path / "log", tmp_path / "fresh"
    script = tmp_path / "apt-get"
    script.write_text(
        f'#!/bin/sh\necho "$@" >>{log}\n'
        f"[ $1 = update ] && touch {fresh} && exit 0\n[ -e {fresh} ]\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(system_libraries.sys, "platform", "linux")
    monkeypatch.setattr(
        system_libraries, "_loads", lambda name: "portaudio" not in name or fresh.exists()
    )
    monkeypatch.setattr(system_libraries, "is_font_missing", lambda: False)
    monkeypatch.setattr(system_libraries.os, "geteuid", lambda: 0)
    assert system_libraries.main() == 0
    install = "install -y --no-install-recommends libportaudio2"
    assert log.read_text().splitlines() == [install, "update", install]


def test_other_systems_need_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_libraries.sys, "platform", "darwin")
    assert system_libraries.missing_libraries() == []
    assert not system_libraries.is_font_missing()


def test_the_table_covers_what_the_qt_wheel_loads() -> None:
    if not sys.platform.startswith("linux"):
        assert system_libraries.missing_libraries() == []
        return
    import PySide6

    folder = Path(PySide6.__path__[0]) / "Qt"
    plugin = (folder / "plugins" / "platforms" / "libqxcb.so").read_bytes()
    gui = (folder / "lib" / "libQt6Gui.so.6").read_bytes()
    sonames = [library.soname for library in system_libraries._table()[0]]
    assert len(sonames) == len(set(sonames))
    named = [s for s in sonames if s.encode() in plugin + gui]
    assert {"libEGL.so.1", "libxcb-cursor.so.0", "libfontconfig.so.1"} <= set(named)


def test_the_check_runs_without_the_virtual_environment() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(_ROOT / "packaging" / "system-check")],
        capture_output=True,
        text=True,
        check=False,
        cwd=_ROOT.parent,
    )
    assert done.returncode == 0, done.stderr
