"""What the guide and the other texts say is still so: keys, links, code and commands."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from annotator import paths
from annotator.domain.questions.items.item import ItemState
from annotator.services.project.projects import open_project
from annotator.store.questions.items import ItemFilter

_ROOT = Path(__file__).resolve().parent.parent
_GUIDE = sorted(paths.resource("guide").rglob("*.md"))
_TEXTS = [*_GUIDE, *sorted(_ROOT.glob("*.md")), paths.resource("demo", "LICENSES.md")]
_KEY = re.compile(r"`((?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z0-9]|Space|Tab|Del|Home|End|F\d+))`")

_MENU = re.compile(r"\*([A-Z][a-z]+) > ([^*]+?)\*")
_PICTURE = re.compile(r"\]\((?:[a-z./]*)images/([a-z-]+)\.png\)")
_STEP = re.compile(r"^\| \*([^*]+)\* \|", re.MULTILINE)


def _blocks(name: str, language: str) -> list[str]:
    text = paths.resource("guide", name).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_guide_names_keys_that_exist() -> None:
    text = paths.resource("actions.toml").read_text(encoding="utf-8")
    actions = [action for menu in tomllib.loads(text).values() for action in menu.values()]
    bound = {key for action in actions for key in action.get("keys", [])}
    named = {key for path in _GUIDE for key in _KEY.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 15
    assert named <= bound


def test_the_guide_names_menus_and_acts_that_exist() -> None:
    from annotator.services.questions.benchmark_plugin import benchmark_named, benchmark_names
    from annotator.services.questions.recipe_steps import OF_ALL_RECIPES

    text = paths.resource("actions.toml").read_text(encoding="utf-8")
    menus = {
        (menu, action["text"])
        for menu, rows in tomllib.loads(text).items()
        for action in rows.values()
    }
    named = {
        (menu, " ".join(words.split()))
        for path in _GUIDE
        for menu, words in _MENU.findall(path.read_text(encoding="utf-8"))
    }
    found = {(menu, words) for menu, words in named if menu in {menu for menu, _ in menus}}
    assert len(found) > 10
    assert found <= menus | {("File", "Open recent"), ("File", "Open benchmark demo")}
    of_benchmarks = [step for name in benchmark_names() for step in benchmark_named(name).steps]
    known = [*OF_ALL_RECIPES, *of_benchmarks]
    assert len(known) > 15
    titles = {step.title for step in known} | {"Build data set…"}
    steps = {
        step
        for path in paths.resource("guide", "recipes").glob("*.md")
        for step in _STEP.findall(path.read_text(encoding="utf-8"))
    }
    assert steps == titles


@pytest.mark.parametrize("path", _TEXTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("#")
    }
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        name, _, heading = target.partition("#")
        if (name and not (path.parent / name).exists()) or (not name and heading not in headings):
            lost.append(target)
    assert text.strip()
    assert lost == []


def test_every_picture_is_shown_and_can_be_drawn_anew() -> None:
    shown = {name for path in _TEXTS for name in _PICTURE.findall(path.read_text("utf-8"))}
    script = (_ROOT / "packaging" / "guide_pictures.py").read_text("utf-8")
    drawn = re.findall(r"@picture\(.*\)\ndef (\w+)\(", script)
    files = {path.stem for path in paths.resource("guide", "images").iterdir()}
    assert len(files) > 20
    assert shown == files == {name.replace("_", "-") for name in drawn}


def test_the_code_of_the_guide_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copyfile(paths.resource("demo", "coffee.mp4"), tmp_path / "coffee.mp4")
    monkeypatch.chdir(tmp_path)
    blocks = _blocks("python.md", "python")
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, "python.md", "exec"), {"__name__": "guide"})
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "287 (1280, 720) 0 False"
    assert said[3] == "48000 (24000, 2)"
    assert len(said) == 4 + 19
    project = open_project(tmp_path / "try.annot")
    asked = [item for _, item in project.questions.list(ItemFilter(kind="questions"))]
    assert {item.state for item in asked} <= {ItemState.DECIDED, ItemState.OPEN}
    assert ItemState.DECIDED in {item.state for item in asked}
    project.close()


def test_the_tracker_of_the_guide_is_a_tracker() -> None:
    from annotator.assist.protocol import Tracker
    from annotator.domain.geometry import Box
    from annotator.domain.proposals.box_proposals import Anchor

    (block,) = _blocks("trackers.md", "python")
    names: dict[str, object] = {}
    exec(compile(block, "trackers.md", "exec"), names)
    tracker = names["StillTracker"]()  # type: ignore[operator]
    assert isinstance(tracker, Tracker)
    anchor = Anchor(5, Box(0, 0, 4, 4))
    found = list(tracker.propose([], [anchor], (0, 9), cancel=lambda: False))
    assert [p.frame for p in found] == [0, 1, 2, 3, 4, 6, 7, 8]
    assert all(p.box == anchor.box and 0 <= p.confidence <= 1 for p in found)


def test_the_readme_has_two_commands_and_they_exist() -> None:
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^(make \w+) ", readme, re.MULTILINE)
    assert commands == ["make run", "make test"]
    makefile = (_ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):", makefile, re.MULTILINE))
    assert targets == {"install", "run", "test", "check", "bench", "fuzz", "package"}
