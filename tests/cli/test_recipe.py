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


def test_another_recipe_is_applied_to_a_project(call: Call, lead: Path, tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    call("recipe", "save", lead, path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Perception Test", "Ours", 1), encoding="utf-8")
    same = call("recipe", "apply", lead, path)
    assert (same.status, "version" in same.err) == (1, True), "the title differs, not the version"
    path.write_text(text.replace("version = 1", "version = 2", 1), encoding="utf-8")
    done = call("recipe", "apply", lead, path)
    assert (done.status, done.out) == (0, "perception-test version 2: Perception Test\n")
    assert "version 2" in call("project", "info", lead).out


def test_a_recipe_without_the_type_of_open_tasks_is_refused_by_default(
    call: Call, lead: Path
) -> None:
    before = call("project", "info", lead).out
    done = call("recipe", "apply", lead, "video-tt")
    assert done.status == 1
    assert "lacks the task type of these open tasks: " in done.err
    assert call("project", "info", lead).out == before
    assert call("recipe", "apply", lead, "video-tt", "--allow-missing-types").status == 0
    assert "(video-tt, version " in call("project", "info", lead).out
    unknown = call("recipe", "apply", lead, "no-such")
    assert (unknown.status, "Unknown recipe “no-such”" in unknown.err) == (2, True)


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
