"""Questions on the command line: acts listed and carried out, data sets written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.services.project.projects import open_project
from tests.cli.conftest import Call
from tests.exchange.files import NAME, canonical, example, write_file


@pytest.fixture
def project(call: Call, clip: Path, tmp_path: Path) -> Path:
    path = tmp_path / "p.annot"
    assert call("new", path, clip, "--recipe", "perception-test").status == 0
    return path


def test_acts_are_listed_and_carried_out_once(call: Call, project: Path) -> None:
    listed = call("questions", "steps", project)
    assert listed.status == 0
    lines = listed.out.splitlines()
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert any("that raters confirmed" in line for line in lines)
    imported = ["add-imported", "assign-imported", "resolve-imported"]
    assert names == [
        "create-questions",
        "sample-options",
        *imported,
        "create-grounded",
        "resolve-grounded",
    ]
    asked = call("questions", "run", project, "create-questions")
    # Two questions with options and two open ones fit every script.
    assert (asked.status, asked.out) == (0, f"{project}: 4 new items\n")
    assert call("questions", "run", project, "create-questions").out == f"{project}: 0 new items\n"
    unknown = call("questions", "run", project, "banks")
    assert unknown.status == 1
    assert "Unknown question step “" in unknown.err
    unknown = call("questions", "list", project, "--kind", "open")
    assert unknown.status == 1
    assert "Unknown task type “open”. Task types: " in unknown.err


def test_cut_frames_are_a_file_of_their_own(call: Call, project: Path, tmp_path: Path) -> None:
    written = call("questions", "build-dataset", project, tmp_path / "cut.json")
    assert (written.status, written.out) == (0, f"{tmp_path / 'cut.json'}: videos 0, cut 0\n")
    assert json.loads((tmp_path / "cut.json").read_text()) == {}
    votes = json.loads((tmp_path / "cut.votes.json").read_text(encoding="utf-8"))
    assert (votes["format"], votes["figures"], votes["items"]) == ("annotator-votes/1", [], [])


def test_neptune_sets_come_in(call: Call, clip: Path, tmp_path: Path) -> None:
    path = tmp_path / "n.annot"
    assert call("new", path, clip, "--recipe", "neptune").status == 0
    known = {
        "video_id": clip.stem,
        "question": "Why?",
        "answer": "a",
        "decoys": ["b", "c", "d", "e"],
        "question type": "Other",
    }
    sets = tmp_path / "sets.json"
    sets.write_text(json.dumps([known, {**known, "video_id": "elsewhere"}]), encoding="utf-8")
    made = call("questions", "import", path, sets)
    assert made.status == 1
    assert made.out == f"{path}: 1 new item\n"
    assert "no video “elsewhere”" in made.err
    written = call("questions", "build-dataset", path, tmp_path / "list.json")
    assert (written.status, written.out) == (0, f"{tmp_path / 'list.json'}: sets 0\n")


def test_rows_of_video_tt_come_in_and_go_out(call: Call, clip: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.annot"
    assert call("new", path, clip, "--recipe", "video-tt").status == 0
    types = ("Primary", "Paraphrased", "Correctly-led", "Wrongly-led")
    row = {
        "video_id": clip.stem,
        "question_type": "Multiple-choice Question with a Single Correct Answer",
        "capability": "Element Counting",
        "question": "How many?\nA. One\nB. Two\nC. Three\nD. Four",
        "duration": "9",
        "question_prompt": "Say it.",
        "answer": "B",
        "youtube_url": "",
    }
    texts = {"question": "How many?", "answer": "Two"}
    rows = [{**row, "question_type": f"{each} Open-ended Question", **texts} for each in types]
    rows = [{"qid": f"q{n}", **each} for n, each in enumerate([*rows, row])]
    (tmp_path / "in.json").write_text(json.dumps(rows), encoding="utf-8")
    assert call("questions", "import", path, tmp_path / "in.json").out == f"{path}: 5 new items\n"
    out = tmp_path / "out.json"
    assert call("questions", "build-dataset", path, out).out == f"{out}: groups 1, rows 5\n"
    assert json.loads(out.read_text(encoding="utf-8")) == rows


@pytest.mark.parametrize("recipe", ["pacs", "video-tt"])
def test_each_recipe_starts_and_writes(call: Call, clip: Path, tmp_path: Path, recipe: str) -> None:
    path = tmp_path / "x.annot"
    assert call("new", path, clip, "--recipe", recipe).status == 0
    first = call("questions", "steps", path).out.split()[0]
    assert call("questions", "run", path, first).out == f"{path}: 1 new item\n"
    assert call("questions", "build-dataset", path, tmp_path / "out").status == 0


def test_a_plain_project_has_no_data_set(call: Call, clip: Path, tmp_path: Path) -> None:
    path = tmp_path / "plain.annot"
    assert call("new", path, clip).status == 0
    assert call("questions", "steps", path).out == ""
    refused = call("questions", "build-dataset", path, tmp_path / "x.json")
    assert refused.status == 1
    assert "Cannot build a data set: the recipe of this project does not define one." in refused.err


def test_a_test_file_is_written_with_one_task(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "v.annot"
    assert call("new", path).status == 0
    assert call("import", path, write_file(tmp_path, canonical((NAME, example())))).status == 0
    out = tmp_path / "test.json"
    options = ("--variant", "test", "--task", "mc_question", "--split", "test")
    assert call("export", path, out, *options).status == 0
    entry = json.loads(out.read_text(encoding="utf-8"))[NAME]
    assert entry["metadata"]["split"] == "test"
    assert entry["mc_question"]
    assert all(set(q) == {"id", "question", "options"} for q in entry["mc_question"])
    assert entry["object_tracking"] == entry["grounded_question"] == []


def test_figures_are_tables(call: Call, project: Path, tmp_path: Path) -> None:
    assert call("questions", "run", project, "create-questions").status == 0
    out = tmp_path / "figures"
    written = call("stats", "export", project, out, "--resamples", 10)
    assert written.status == 0
    assert written.out.splitlines()[1:] == [
        f"{out / 'gold-answers.csv'}: 0 rows",
        f"{out / 'items.csv'}: 4 rows",
        f"{out / 'hours.csv'}: 1 row",
    ]
    agreement = (out / "agreement.csv").read_text(encoding="utf-8-sig").splitlines()
    assert agreement[0].startswith("kind,field,by,name,method,value,low,high,reason")
    assert all("no-votes" in line for line in agreement[1:])
    refused = call("stats", "export", project, out, "--task-type", "nothing")
    assert refused.status == 1
    assert "Available task types:" in refused.err


def test_single_tables_are_printed_as_they_are_exported(
    call: Call, project: Path, tmp_path: Path
) -> None:
    assert call("questions", "run", project, "create-questions").status == 0
    out = tmp_path / "tables"
    assert call("stats", "export", project, out, "--resamples", 0).status == 0
    for name, file in (
        ("agreement", "agreement.csv"),
        ("accuracy", "gold-answers.csv"),
        ("items", "items.csv"),
        ("hours", "hours.csv"),
    ):
        printed = call("stats", name, project, "--resamples", 0)
        assert printed.status == 0
        exported = (out / file).read_text(encoding="utf-8-sig")
        assert printed.out.splitlines() == exported.splitlines()
    assert call("stats", "benchmark", project).out == ""


def test_figures_of_a_file_are_worked_out_again(call: Call, project: Path, tmp_path: Path) -> None:
    assert call("questions", "run", project, "create-questions").status == 0
    out = tmp_path / "figures"
    assert (
        call("stats", "export", project, out, "--resamples", 10, "--task-type", "questions").status
        == 0
    )
    table = out / "agreement.csv"
    again = call("stats", "verify", project, table)
    n = len(table.read_text(encoding="utf-8-sig").splitlines()) - 1
    assert (again.status, again.out) == (0, f"{table}: {n} values verified\n")
    text = table.read_text(encoding="utf-8-sig").replace("percent-agreement", "percent")
    table.write_text(text, encoding="utf-8")
    again = call("stats", "verify", project, table)
    assert again.status == 1
    assert "percent: None → None (not in the project)" in again.out
    for wrong in ((), (out, "--check", table)):
        assert call("stats", "export", project, *wrong).status == 2


def test_neptune_has_tables_of_its_own(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "n.annot"
    assert call("new", path, "--recipe", "neptune").status == 0
    out = tmp_path / "figures"
    assert call("stats", "export", path, out, "--resamples", 0).status == 0
    heads = {
        name: (out / f"{name}.csv").read_text(encoding="utf-8-sig").splitlines()[0]
        for name in ("discards", "modalities", "certificates", "proofs", "hours")
    }
    assert heads == {
        "discards": "by,name,sets,discarded,share",
        "modalities": "modality,sets,share",
        "certificates": "measure,sets,mean,median,least,most",
        "proofs": "key,video,spans,length_s,reach_s,share,effort_s",
        "hours": "kind,stage,tasks,items,hours_per_item,people_per_item,hours",
    }
    of_one = tmp_path / "judge"
    assert (
        call("stats", "export", path, of_one, "--resamples", 0, "--task-type", "judge").status == 0
    )
    assert not (of_one / "discards.csv").exists()


def test_a_recipe_of_ones_own_is_a_file(call: Call, clip: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'name = "own"\nversion = 1\ntitle = "Own"\n[[task_types]]\nkind = "draw"\n'
        'title = "Draw"\ntools = ["boxes"]\n[[task_types.stages]]\nkey = "draw"\n'
        'title = "Draw"\nact = "annotate"\n'
    )
    assert call("new", tmp_path / "own", clip, "--recipe", own).status == 0
    project = open_project(tmp_path / "own.annot", read_only=True)
    assert project.work.recipe.name == "own"
    assert [task.kind for task in project.tasks()] == ["draw"]
    project.close()
    refused = call("new", tmp_path / "none", clip, "--recipe", "nothing")
    assert refused.status != 0
    assert "”. Use the path of a recipe file or one of:" in refused.err
    own.write_text("[[task_types]]")
    assert call("new", tmp_path / "none", clip, "--recipe", own).status != 0
    assert not (tmp_path / "none.annot").exists()
