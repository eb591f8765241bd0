"""What is handed out: the wheel holds the resources, runs elsewhere, and licenses are known."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

_ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=_ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def _licenses() -> ModuleType:
    path = _ROOT / "packaging" / "gather_licenses.py"
    spec = importlib.util.spec_from_file_location("gather_licenses", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_wheel_holds_every_resource_and_module(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder, inside in (("resources", "annotator/_resources"), ("annotator", "annotator")):
        files = [
            path.relative_to(_ROOT / folder).as_posix()
            for path in (_ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        ]
        assert files
        assert {f"{inside}/{file}" for file in files} <= names


def test_an_installed_wheel_finds_its_resources_and_looks_over_the_machine(
    wheel: Path, tmp_path: Path
) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-m", "annotator", "doctor"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert str(tmp_path / "site" / "annotator" / "_resources") in done.stdout


def test_every_bundled_package_states_a_license(tmp_path: Path) -> None:
    licenses = _licenses()
    licenses.main(tmp_path / "licenses")
    found = {row.metadata["Name"]: licenses.license_of(row) for row in licenses.bundled()}
    assert {"PySide6_Essentials", "av", "numpy", "shiboken6"} <= set(found)
    assert "pytest" not in found
    assert all(found.values())
    text = (tmp_path / "licenses" / "README.md").read_text("utf-8")
    assert all(f"| {name} |" in text for name in found)
    assert (tmp_path / "licenses" / "LGPL-3.0.txt").is_file()


def test_pinned_versions_are_the_ones_under_test() -> None:
    from importlib.metadata import version

    lines = (_ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    assert pins
    assert {name: version(name) for name in pins} == pins
