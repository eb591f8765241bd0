"""``annotator recipe``: list, check, save."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Call


def test_recipes_are_listed(call: Call) -> None:
    done = call("recipe", "list")
    assert done.status == 0
    names = [line.split()[0] for line in done.out.splitlines()]
    assert names[0] == "single"
    assert {"annotate-review", "pacs", "perception-test"} <= set(names)


def test_a_saved_recipe_checks_and_tells_its_stages(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    done = call("recipe", "save", "annotate-review", path)
    assert (done.status, done.out.strip()) == (0, str(path))
    assert call("recipe", "save", "annotate-review", path).status == 1  # it is there
    assert call("recipe", "save", "annotate-review", path, "--force").status == 0
    done = call("recipe", "check", path)
    assert done.status == 0
    assert done.out.splitlines()[0] == "annotate-review version 1: Annotate, then review"
    assert "    annotate: annotate, rater" in done.out


def test_the_recipe_of_a_project_is_saved(call: Call, lead: Path, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    assert call("recipe", "save", lead, path).status == 0
    assert 'name = "perception-test"' in path.read_text(encoding="utf-8")


def test_a_fault_is_named_with_its_place(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    call("recipe", "save", "annotate-review", path)
    path.write_text(path.read_text().replace('act = "annotate"', 'act = "anotate"', 1))
    done = call("recipe", "check", path)
    assert done.err.startswith(f"annotator: error: {path}")
    assert done.status == 1
    assert "task_types[0].stages[0].act" in done.err
    path.write_text("name = \n")
    done = call("recipe", "check", path)
    assert (done.status, "line 1" in done.err) == (1, True)
    done = call("recipe", "save", "no-such", tmp_path / "x.toml")
    assert (done.status, "Unknown recipe" in done.err) == (1, True)
    assert not (tmp_path / "x.toml").exists()


def test_an_unknown_area_is_refused_with_a_suggestion(call, tmp_path) -> None:
    path = tmp_path / "own.toml"
    assert call("recipe", "save", "perception-test", path).status == 0
    text = path.read_text(encoding="utf-8")
    assert 'area = "memory"' in text
    path.write_text(text.replace('area = "memory"', 'area = "memories"', 1), encoding="utf-8")
    done = call("recipe", "check", path)
    assert done.status == 1
    assert "Unknown area “memories”. Did you mean “memory”?" in done.err
    made = call("new", tmp_path / "p.annot", "--recipe", path)
    assert made.status == 1
    assert not (tmp_path / "p.annot").exists()
