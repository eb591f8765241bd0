"""The rules of the house: who imports whom, how long a module may be, and which wheels are in."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent
_MODULES = sorted((_ROOT / "annotator").rglob("*.py"))
_LONGEST_MODULE = 900
_MOST_MODULES = 16
_FRAGMENT = 110
_BINARIES = Path(sys.executable).parent


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=_ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )


def _assert_clean(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_imports_keep_the_layers() -> None:
    _assert_clean(_run(str(_BINARIES / "lint-imports"), "--no-cache"))


def _names() -> dict[str, Path]:
    """Return the file of every module."""
    names = {".".join(path.relative_to(_ROOT).with_suffix("").parts): path for path in _MODULES}
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def _imported(*, has_types: bool = False) -> dict[str, set[str]]:
    """Return for every module the modules that it imports, in functions, too.

    ``has_types``: also those that are imported for the types only.
    """
    names = _names()
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for_types = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            if not has_types
            for inner in ast.walk(node)
        }
        found[name] = {
            whole if whole in names else node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_types
            for whole in (f"{node.module}.{alias.name}" for alias in node.names)
        } & set(names) - {name}
    return found


_BENCHMARK = re.compile(r"pacs|neptune|video.?tt", re.IGNORECASE)


def test_no_code_outside_their_folders_names_a_benchmark() -> None:
    """Docstrings and comments may give them as examples. The format of the Perception Test is a
    format like others, with a folder in `exchange`."""
    found = []
    for path in _MODULES:
        if "benchmarks" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            if id(node) in told:
                continue
            words = [
                getattr(node, key, None) for key in ("id", "attr", "arg", "name", "value", "module")
            ]
            if any(isinstance(word, str) and _BENCHMARK.search(word) for word in words):
                found.append(f"{path.relative_to(_ROOT)}:{getattr(node, 'lineno', 0)}")
    assert found == []


def test_no_modules_import_each_other_at_run_time() -> None:
    left = _imported()
    while free := [name for name, needed in left.items() if not needed & left.keys()]:
        for name in free:
            del left[name]
    assert {name: needed & left.keys() for name, needed in left.items()} == {}


def test_no_part_of_the_window_takes_the_whole_window() -> None:
    users = {
        path.relative_to(_ROOT).as_posix()
        for path in _MODULES
        if re.search(r"import .*\bMainWindow\b", path.read_text("utf-8"))
    }
    assert users == {"annotator/app.py"}


def test_a_class_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in _MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(_ROOT)))
    assert len(homes) > 1000
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_a_module_name_occurs_once_in_a_package() -> None:
    # The same part of several plug-ins has the same name.
    parts = {"page", "tables", "__init__"}
    names = Counter(
        (path.relative_to(_ROOT).parts[1], path.stem) for path in _MODULES if path.stem not in parts
    )
    assert [name for name, n in names.items() if n > 1] == []


def test_folders_are_small_enough_to_be_overlooked() -> None:
    counts = Counter(path.parent for path in _MODULES if path.name != "__init__.py")
    assert {str(f.relative_to(_ROOT)): n for f, n in counts.items() if n > _MOST_MODULES} == {}


def test_fragments_are_part_of_the_one_that_needs_them() -> None:
    """A small module that one neighbor alone imports is part of that, unless it is a seam."""
    importers: dict[str, set[str]] = {}
    for name, needed in _imported(has_types=True).items():
        for other in needed:
            importers.setdefault(other, set()).add(name)
    files = {name: path for name, path in _names().items() if path.name != "__init__.py"}
    lines = {name: path.read_text("utf-8").count("\n") for name, path in files.items()}
    fragments = {
        name
        for name, found in importers.items()
        if len(found) == 1
        and lines.get(name, _FRAGMENT) < _FRAGMENT
        and {name.rpartition(".")[0]} == {each.rpartition(".")[0] for each in found}
    }
    # Groups of commands, and what would make its neighbor too long.
    kept = {
        *(f"annotator.cli.{each}" for each in ("formats", "models", "recipe")),
        "annotator.services.project.view_state",
        "annotator.ui.shell.view_actions",
    }
    assert fragments - kept == set()


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]])
def test_ruff_has_nothing_to_say(arguments: list[str]) -> None:
    _assert_clean(
        _run(str(_BINARIES / "ruff"), *arguments, "--no-cache", "annotator", "tests", "packaging")
    )


def test_mypy_has_nothing_to_say() -> None:
    _assert_clean(_run(str(_BINARIES / "mypy")))


def test_the_script_for_the_pictures_of_the_guide_uses_names_that_exist() -> None:
    loose = ("union-attr", "arg-type", "return-value", "override", "func-returns-value")
    options = [f"--disable-error-code={code}" for code in loose]
    _assert_clean(_run(str(_BINARIES / "mypy"), *options, "packaging/guide_pictures.py"))


def test_no_module_grows_beyond_reading() -> None:
    too_long = {
        str(path.relative_to(_ROOT)): length
        for path in _MODULES
        if (length := len(path.read_text(encoding="utf-8").splitlines())) > _LONGEST_MODULE
    }
    assert _MODULES
    assert too_long == {}


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    bad_names = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}
    assert [path for path in _MODULES if path.stem in bad_names] == []


def test_nothing_is_left_for_later() -> None:
    # Put together from halves so that this file does not find itself.
    marks = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "Not" + "ImplementedError", "X" * 3)))
    files = [*_MODULES, *sorted((_ROOT / "tests").rglob("*.py"))]
    left = [str(path) for path in files if marks.search(path.read_text(encoding="utf-8"))]
    assert left == []


def test_domain_alone_loads_nothing_heavy() -> None:
    heavy = ["PySide6", "cv2", "av", "sqlite_utils", "scipy", "sounddevice"]
    program = (
        "import pkgutil, importlib, sys, annotator.domain as domain\n"
        "for found in pkgutil.walk_packages(domain.__path__, 'annotator.domain.'):\n"
        "    importlib.import_module(found.name)\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = _run(sys.executable, "-c", program)
    _assert_clean(done)
    assert done.stdout.strip() == "[]"


def test_opencv_is_the_headless_wheel_and_the_only_one() -> None:
    import cv2

    distributions = [
        name
        for found in importlib.metadata.distributions()
        if (name := found.metadata["Name"].lower()).startswith("opencv")
    ]
    assert distributions == ["opencv-contrib-python-headless"]
    assert cv2.version.headless
    assert not (Path(cv2.__file__).parent / "qt").exists()


def test_qt_binding_keeps_references_to_none() -> None:
    # PySide6 6.12.0 under Python < 3.12 gives away one reference to None per call of a method
    # without a result; after some 100,000 repaints the interpreter aborts.
    program = (
        "import sys\n"
        "from PySide6.QtWidgets import QApplication, QWidget\n"
        "application = QApplication([])\n"
        "widget = QWidget()\n"
        "before = sys.getrefcount(None)\n"
        "for _ in range(1000):\n"
        "    widget.update()\n"
        "print(sys.getrefcount(None) - before)"
    )
    done = _run(sys.executable, "-c", program)
    _assert_clean(done)
    assert abs(int(done.stdout)) < 100
