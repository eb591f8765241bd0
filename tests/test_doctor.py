"""What `annotator doctor` reports on a sound machine and on broken ones."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from annotator import doctor, paths, system_libraries


def _check(name: str) -> doctor.Check:
    return next(check for check in doctor.report() if check.name == name)


def test_this_machine_is_healthy() -> None:
    checks = doctor.report()
    assert [check for check in checks if check.state == "missing"] == []
    assert doctor.is_healthy(checks)
    names = {check.name for check in checks}
    assert {"annotator", "Python", "OpenCV wheel", "decoders", "window", "sound", "disk"} <= names


@pytest.mark.parametrize(("display", "state"), [("", "warning"), (":0", "missing")])
def test_everything_lacking_comes_with_a_line_that_helps(
    monkeypatch: pytest.MonkeyPatch, display: str, state: str
) -> None:
    monkeypatch.setattr(system_libraries, "_loads", lambda soname: False)
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    found = [check for check in doctor.report() if check.name == "system libraries"]
    assert [check.state for check in found] == ["missing", state, "warning"]
    assert "libEGL.so.1" in found[0].text
    assert all(check.advice for check in found)


def test_a_second_opencv_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = tmp_path / "opencv_python-4.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: opencv-python\nVersion: 4.0\n", "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    check = _check("OpenCV wheel")
    assert check.state == "warning"
    assert "opencv-python'" in check.text
    assert any("uninstall" in line for line in check.advice)


def test_missing_wheels_are_reported_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("av", "cv2", "sounddevice"):
        monkeypatch.setitem(sys.modules, name, None)
    checks = {check.name: check for check in doctor.report()}
    assert checks["decoders"].state == "missing"
    assert checks["OpenCV wheel"].state == "missing"
    assert checks["sound"].state == "warning"


def test_pyside_that_loses_references_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    version = importlib.metadata.version

    def pretended(name: str) -> str:
        return "6.12.0" if name == "PySide6-Essentials" else version(name)

    monkeypatch.setattr(importlib.metadata, "version", pretended)
    monkeypatch.setattr(doctor.sys, "version_info", (3, 11, 7))
    assert _check("PySide6 and Python").state == "warning"
    monkeypatch.setattr(doctor.sys, "version_info", (3, 12, 1))
    assert _check("PySide6 and Python").state == "ok"


def test_an_unknown_platform_plug_in_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "papyrus")
    check = _check("window")
    assert check.state == "missing"
    assert "papyrus" in check.text
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert _check("window").state == "ok"


def test_no_display_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    assert _check("window").state == "warning"


def test_lost_resources_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "resource", lambda *parts: tmp_path.joinpath(*parts))
    names = [check.name for check in doctor._program() if check.state == "missing"]
    assert names == ["resources"]
