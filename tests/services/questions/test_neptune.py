"""Neptune from proposed sets to the finished list, with the shipped recipe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.benchmarks.neptune.question_sets import (
    export_list,
    import_sets,
    read_sets,
    report_discards,
)
from annotator.domain.answer import Flagged, Picked, Spans, Value
from annotator.domain.errors import ExchangeError
from annotator.domain.people import Role
from annotator.domain.questions.items.answer_sets import DiscardRate
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions.agreement.agreement_files import (
    benchmark_tables,
    write_benchmark_tables,
)
from annotator.store.catalog import videos
from tests.exchange.test_neptune import faults
from tests.store.samples import video_info

ROOT = Path(__file__).resolve().parents[3]
ALL = ("understood", "video", "true", "one-answer", "not-trivial")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "neptune.annot", title="Neptune")
    for name in ("long1.mp4", "long2.mp4"):
        made.add_absent_video(video_info(name))
    recipe = (ROOT / "resources" / "recipes" / "neptune.toml").read_text(encoding="utf-8")
    made.work.use_recipe(recipe)
    for name in ("Ann", "Ben", "Cleo"):
        made.work.people.add(name, (Role.RATER,))
    made.work.people.add("Vera", (Role.REVIEWER,))
    for person in made.work.people.all():
        made.qualification.set_status(person.id, "training", QualificationStatus.PASSED)
    yield made
    made.close()


def _sets(path: Path) -> Path:
    sets = [
        {
            "key": f"{video}/{n}",
            "video_id": video,
            "question": f"Question {n}?",
            "answer": "Right",
            "decoys": ["Wrong 1", "Wrong 2", "Wrong 3", "Wrong 4"],
            "question type": "Counting" if n % 2 else "Comparison",
            "split": "cooking",
        }
        for video in ("long1", "long2", "long3")
        for n in range(1, 4)
    ]
    path.write_text(json.dumps(sets), encoding="utf-8")
    return path


def _values(name: str, item: Item) -> dict[str, Value]:
    type_ = Picked(("Counting",))
    if item.text == "Question 1?" and name != "Ben":  # Ben ticks whatever there is
        missing = ("video",) if name == "Vera" else ("video", "true")
        ticked = tuple(key for key in ALL if key not in missing)
        return {"valuable": Picked(ticked), "type": type_, "modality": Picked(("vision",))}
    values: dict[str, Value] = {"valuable": Picked(ALL), "type": type_}
    values["modality"] = Picked(("audio" if item.text == "Question 2?" else "both",))
    values["question"] = f"{item.text[:-1]}, precisely?" if name == "Vera" else "Draft?"
    values["certificate"] = Spans(((0, 15), (60, 90)))
    return values


def _work(project: OpenProject, name: str, *, flagged: str = "") -> None:
    """Let somebody judge all there is; sets with that question are flagged besides."""
    people = {person.name: person for person in project.work.people.all()}
    project.work.people.sign_in(people[name].id)
    while (record := project.work.claim_next("judge")) is not None:
        session = project.open_task(record.id)
        question_set = project.questions.question_set(session)
        for item in question_set.items:
            values = _values(name, item)
            if item.text == flagged:
                values["flag"] = Flagged("no-video")
            for field, value in values.items():
                if (
                    question_set.value(item.id, field) != value
                ):  # who verifies begins with what was said
                    took_ms = 1000 * len(name)
                    session.run(question_set.answer(item.id, field, value, took_ms=took_ms))
        project.work.submit(session)
    (lead,) = [p for p in people.values() if p.has(Role.LEAD)]
    project.work.people.sign_in(lead.id)


def test_from_sets_to_a_list(project: OpenProject, tmp_path: Path) -> None:
    path = _sets(tmp_path / "sets.json")
    made = import_sets(project, path)
    assert len(made.item_ids) == 6
    assert [(f.code, f.where) for f in made.findings] == [
        ("no-video", f"long3/{n}") for n in (1, 2, 3)
    ]
    again = import_sets(project, path)
    assert again.item_ids == ()
    assert [f.code for f in again.findings].count("known-set") == 6
    for name in ("Ann", "Ben", "Cleo"):
        _work(project, name)
    assert report_discards(project).sets == DiscardRate(0, 0)
    _work(project, "Vera")
    report = report_discards(project)
    assert report.sets == DiscardRate(6, 2)
    assert report.reasons == {"video": 2}
    assert report.by_type == {"Comparison": DiscardRate(2, 0), "Counting": DiscardRate(4, 2)}
    assert report.by_rater == {
        "Ann": DiscardRate(6, 2),
        "Ben": DiscardRate(6, 0),
        "Cleo": DiscardRate(6, 2),
    }
    written = export_list(project, tmp_path / "list.json")
    content = json.loads((tmp_path / "list.json").read_text(encoding="utf-8"))
    assert list(faults(content)) == []
    assert written.n_records == 4
    assert written.by_modality == {"audio": 2, "both": 2}
    assert [each["key"] for each in content] == ["long1/2", "long1/3", "long2/2", "long2/3"]
    assert content[0]["question"] == "Question 2, precisely?"
    assert content[0]["question type"] == "Counting"
    assert content[0]["split"] == "cooking"
    text = (tmp_path / "list.json").read_text(encoding="utf-8")
    assert "submission" not in text
    side = json.loads((tmp_path / "list.provenance.json").read_text(encoding="utf-8"))
    assert side["about"]["seed"] == 1
    # Frames 0 to 15 and 60 to 90 of 90, at 30 in a second.
    told = side["sets"]["long1/2"]["certificate"]
    assert told == {"spans": 2, "length_s": 1.5, "reach_s": 3.0, "share": 0.5, "effort_s": 3.0}
    parts = {
        modality: json.loads((tmp_path / f"list.{modality}.json").read_text(encoding="utf-8"))
        for modality in ("audio", "both")
    }
    assert sorted(each["key"] for each in parts["audio"]) == ["long1/2", "long2/2"]
    assert [r for r in content if r not in parts["audio"]] == parts["both"]
    assert not (tmp_path / "list.vision.json").exists()


def test_what_the_verifier_flags_is_out_whatever_is_ticked(
    project: OpenProject, tmp_path: Path
) -> None:
    import_sets(project, _sets(tmp_path / "sets.json"))
    for name in ("Ann", "Ben", "Cleo"):
        _work(project, name)
    _work(project, "Vera", flagged="Question 2?")
    report = report_discards(project)
    assert report.reasons == {"video": 2, "It does not play": 2}
    written = export_list(project, tmp_path / "list.json")
    assert (written.n_records, written.by_modality) == (2, {"both": 2})


def test_the_tables_of_the_benchmark(project: OpenProject, tmp_path: Path) -> None:
    assert [table.rows for table in benchmark_tables(project)] == [(), (), (), ()]
    made = import_sets(project, _sets(tmp_path / "sets.json"))
    for name in ("Ann", "Ben", "Cleo", "Vera"):
        _work(project, name)
    project.questions.discard(made.item_ids[-1:], "It repeats another.")
    discards, modalities, certificates, proofs = benchmark_tables(project)
    assert discards.rows == (
        ("all", "", 6, 3, 3 / 6),
        ("reason", "The video is necessary to answer it; it cannot be guessed", 6, 2, 2 / 6),
        ("reason", "It repeats another.", 6, 1, 1 / 6),
        ("type", "Comparison", 2, 0, 0.0),
        ("type", "Counting", 4, 3, 3 / 4),
        ("rater", "Ann", 6, 2, 2 / 6),
        ("rater", "Ben", 6, 0, 0.0),
        ("rater", "Cleo", 6, 2, 2 / 6),
    )
    assert modalities.rows == (("audio", 2, 2 / 3), ("both", 1, 1 / 3))
    assert certificates.rows == (
        ("spans", 3, 2.0, 2.0, 2, 2),
        ("length_s", 3, 1.5, 1.5, 1.5, 1.5),
        ("reach_s", 3, 3.0, 3.0, 3.0, 3.0),
        ("share", 3, 0.5, 0.5, 0.5, 0.5),
        ("effort_s", 3, 3.0, 3.0, 3.0, 3.0),
    )
    assert proofs.rows[0] == ("long1/2", "long1", 2, 1.5, 3.0, 0.5, 3.0)
    assert write_benchmark_tables(project, tmp_path)["discards.csv"] == 8


def test_a_name_that_two_videos_have_means_neither(project: OpenProject, tmp_path: Path) -> None:
    videos.add_video(project.file, video_info("long2.webm"), None)
    made = import_sets(project, _sets(tmp_path / "sets.json"))
    assert len(made.item_ids) == 3
    assert [f.text for f in made.findings if f.where.startswith("long2")] == [
        "2 videos have the name “long2”; the set was skipped."
    ] * 3


def test_a_bad_file_is_refused_whole(project: OpenProject, tmp_path: Path) -> None:
    path = _sets(tmp_path / "sets.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    content[5]["decoys"][0] = "right"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ExchangeError) as caught:
        import_sets(project, path)
    assert caught.value.where == "sets.json[5].decoys[0]"
    assert project.questions.list() == []


def test_a_recipe_in_which_nothing_is_judged_has_no_tables(tmp_path: Path) -> None:
    made = create_project(tmp_path / "own.annot", title="Own")
    text = (ROOT / "resources" / "recipes" / "neptune.toml").read_text(encoding="utf-8")
    made.work.use_recipe(text[: text.index("# 2.")])
    assert benchmark_tables(made) == ()
    assert write_benchmark_tables(made, tmp_path) == {"hours.csv": 1}
    made.close()


def test_sets_with_a_known_judgement_train_and_check(project: OpenProject, tmp_path: Path) -> None:
    path = _sets(tmp_path / "sets.json")
    content = json.loads(path.read_text(encoding="utf-8"))[:3]
    right = {"valuable": list(ALL), "type": "Counting"}
    content[0]["judgement"] = right
    content[1] |= {"judgement": {"type": "Other"}, "key": "check/1"}
    del content[1]["video_id"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert len(import_sets(project, path).item_ids) == 3
    found = {item.source["key"]: item for _, item in project.questions.list()}
    assert {key: (each.kind, each.purpose) for key, each in found.items()} == {
        "long1/1": ("training", Purpose.TRAINING),
        "check/1": ("judge", Purpose.ATTENTION),
        "long1/3": ("judge", Purpose.WORK),
    }
    assert found["long1/1"].right == {"valuable": ALL, "type": ("Counting",)}
    assert found["check/1"].video_ids == ()
    assert "judgement" not in found["long1/1"].extra
    assert import_sets(project, path).item_ids == ()
    content[0]["key"], content[0]["judgement"] = "long1/9", {"type": "Sung"}
    path.write_text(json.dumps(content), encoding="utf-8")
    (refused,) = [f for f in import_sets(project, path).findings if f.code == "refused"]
    assert "” is not among the options." in refused.text


def test_training_sets_without_a_key_are_not_taken_for_real_ones(tmp_path: Path) -> None:
    record = {"video_id": "v", "question": "Q?", "answer": "a", "decoys": ["b", "c", "d", "e"]}
    path = tmp_path / "sets.json"
    path.write_text(json.dumps([record]))
    (real,) = read_sets(path)
    path.write_text(json.dumps([{**record, "judgement": {"type": "Other"}}]))
    (training,) = read_sets(path)
    (again,) = read_sets(path)
    assert real.key == "v/1"
    assert training.key.startswith("training/")
    assert training.key == again.key
