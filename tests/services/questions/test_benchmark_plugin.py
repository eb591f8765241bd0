"""A fifth benchmark is added by one folder and one entry point, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

from annotator.services.questions.benchmark_plugin import (
    NO_BENCHMARK,
    benchmark_named,
    benchmark_names,
)
from tests.media.encoding import encode

ENTRY = """
[annotator.benchmarks]
toy = toy_benchmark:BENCHMARK
broken = toy_benchmark:NOTHING
"""
RECIPE = """
name = "toy"
version = 1
title = "Toy: one word for each video"
export = "toy"
[[task_types]]
kind = "word"
title = "Word"
[task_types.form]
[[task_types.form.fields]]
key = "word"
title = "One word"
kind = "text"
[[task_types.stages]]
key = "write"
title = "Write"
act = "annotate"
role = "rater"
"""
FOLDER = """
import json

from annotator.domain.ids import item_id
from annotator.domain.questions.items.item import Item
from annotator.services.files import write_atomically
from annotator.services.questions.benchmark_plugin import (
    Benchmark, BenchmarkTable, Column, DataSetResult, QuestionStep, TableKind,
)
from annotator.services.questions.question_generation import added
from annotator.services.questions.voting.outcomes import outcomes, video_names

WORDS = TableKind("words", "Words", (Column("video", "Video"), Column("word", "Word")))


def ask(project):
    return added(project, [Item(item_id(), "word", (video,)) for video in video_names(project)])


def words(project):
    names = video_names(project)
    for outcome in outcomes(project, "word"):
        yield names[outcome.item.video_ids[0]], str(outcome.value("word"))


def build(project, path, token):
    found = dict(words(project))
    write_atomically(path, [json.dumps(found).encode()])
    return DataSetResult(path, {"words": len(found)}, ())


BENCHMARK = Benchmark(
    "Toy",
    (QuestionStep("ask-words", "Ask for a word", ask, ("word",)),),
    build=build,
    table_kinds=(WORDS,),
    tables=lambda project: [BenchmarkTable(WORDS, tuple(words(project)))],
)
"""
ANSWER = """
import sys

from annotator.services.project.projects import open_project

project = open_project(sys.argv[1])
session = project.open_task(project.work.claim_next("word").id)
question_set = project.questions.question_set(session)
(item,) = question_set.items
session.run(question_set.answer(item.id, "word", "kettle"))
project.work.submit(session)
project.close()
"""


def test_a_fifth_benchmark_is_a_folder_and_an_entry_point(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "toy_benchmark").mkdir(parents=True)
    (site / "toy_benchmark" / "__init__.py").write_text(FOLDER)
    info = site / "toy_benchmark-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-benchmark\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY)
    encode(tmp_path / "one.mp4", numbers=range(10))
    (tmp_path / "toy.toml").write_text(textwrap.dedent(RECIPE))
    environment = {**os.environ, "PYTHONPATH": str(site), "HOME": str(tmp_path / "home")}

    def run(*arguments: object) -> str:
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    recipe = ("--recipe", "toy.toml")
    run("-m", "annotator", "project", "create", "toy.annot", "one.mp4", *recipe)
    assert "ask-words              Ask for a word" in run(
        "-m", "annotator", "questions", "steps", "toy.annot"
    )
    assert "1 new item" in run("-m", "annotator", "questions", "run", "toy.annot", "ask-words")
    run("-c", ANSWER, "toy.annot")
    run("-m", "annotator", "questions", "build-dataset", "toy.annot", "words.json")
    assert json.loads((tmp_path / "words.json").read_text()) == {"one": "kettle"}
    run("-m", "annotator", "stats", "export", "toy.annot", "tables")
    table = (tmp_path / "tables" / "words.csv").read_text(encoding="utf-8-sig")
    assert table.splitlines() == ["video,word", "one,kettle"]


def test_what_is_no_benchmark_adds_nothing() -> None:
    assert benchmark_named("") is NO_BENCHMARK
    assert benchmark_named("no-such-benchmark") is NO_BENCHMARK
    titles = [benchmark_named(name).title for name in benchmark_names()]
    assert titles == ["Neptune", "PACS", "Perception Test", "Video-TT"]
