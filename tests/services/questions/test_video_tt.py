"""Video-TT from primary questions to rows and robustness, with the shipped recipe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.domain.forms.value import Picked, Value
from annotator.domain.people import Role
from annotator.domain.questions.item import Item
from annotator.exchange.video_tt.rows import read_rows, texts_of
from annotator.services.projects import OpenProject, create_project
from annotator.services.questions import video_tt, video_tt_baseline
from tests.exchange.test_video_tt import faults
from tests.store.samples import video_info

ROOT = Path(__file__).resolve().parents[3]
N_VIDEOS = 4
Script = Callable[[str, Item], dict[str, Value]]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "tt.annot", title="Video-TT")
    for i in range(N_VIDEOS):
        made.add_absent_video(video_info(f"clip{i}.mp4"))
    recipe = ROOT / "resources" / "recipes" / "video-tt.toml"
    made.work.use_recipe(recipe.read_text(encoding="utf-8"))
    for name in ("Ann", "Ben", "Cleo", "Dan"):
        made.work.people.add(name, (Role.RATER,))
    yield made
    made.close()


def _work(project: OpenProject, kind: str, script: Script, *names: str) -> None:
    people = {person.name: person for person in project.work.people.all()}
    for name in names:
        project.work.people.sign_in(people[name].id)
        while (record := project.work.claim_next(kind)) is not None:
            session = project.open_task(record.id)
            sheet = project.questions.sheet(session)
            for item in sheet.items:
                for field, value in script(name, item).items():
                    session.run(sheet.answer(item.id, field, value))
            project.work.submit(session)
    (lead,) = [p for p in people.values() if p.has(Role.LEAD)]
    project.work.people.sign_in(lead.id)


def _clip(project: OpenProject, item: Item) -> str:
    return project.footage.video(item.video_ids[0]).info.name.removesuffix(".mp4")


def _primary(_: str, item: Item) -> dict[str, Value]:
    return {
        "question": "Why does he fall down?",
        "answer": "He slips.",
        "rationale": "There is ice on the stairs at the beginning.",
        "capability": Picked(("Plot Attribute",)),
    }


def _variants(_: str, item: Item) -> dict[str, Value]:
    return {
        "paraphrased": "What makes him fall down?",
        "correctly-led": "It is icy. Why does he fall down?",
        "wrongly-led": "He was pushed. Why does he fall down?",
        "multiple-choice": "Why does he fall down?",
        "option-a": "He slips.",
        "option-b": "A push.",
        "option-c": "He faints.",
        "option-d": "He jumps.",
    }


def test_from_questions_to_rows_and_robustness(project: OpenProject, tmp_path: Path) -> None:
    assert len(video_tt.make_primaries(project).item_ids) == N_VIDEOS
    _work(project, "primary", _primary, "Ann")
    assert len(video_tt.make_alignments(project).item_ids) == N_VIDEOS
    assert video_tt.make_alignments(project).item_ids == ()

    def first(name: str, item: Item) -> dict[str, Value]:
        clip = _clip(project, item)
        if clip == "clip3":
            return {"dropped": True}
        if clip == "clip2":  # they differ, the first time
            return {"answer": f"He slips, says {name}.", "dropped": False}
        return {"question": "Why does he fall?", "dropped": False}

    _work(project, "alignment", first, "Ben", "Cleo")
    settled = video_tt.settle_alignments(project)
    assert [(f.code, f.where) for f in settled.findings] == [("apart", "clip2")]
    states = {_clip(project, i): i.state for _, i in video_tt.items_of_kind(
        project, "alignment", with_discarded=True
    ) if _clip(project, i) == "clip3"}  # fmt: skip
    assert states == {"clip3": "discarded"}
    _work(
        project, "alignment", lambda _n, _i: {"answer": "He slips.", "dropped": False}, "Ann", "Dan"
    )
    assert len(video_tt.settle_alignments(project).item_ids) == 1
    assert video_tt.settle_alignments(project).item_ids == ()
    _work(project, "variants", _variants, "Dan")
    assert len(video_tt.make_alignments(project).item_ids) == 3
    _work(project, "variants-alignment", lambda _n, _i: {"dropped": False}, "Ann", "Ben")
    finished = video_tt.settle_alignments(project)
    assert len(finished.item_ids) == 15
    path = tmp_path / "rows.parquet"
    report = video_tt.export_rows(project, path)
    assert (report.n_groups, report.n_rows, report.findings) == (3, 15, ())
    rows = read_rows(path)
    assert list(faults([texts_of(row) for row in rows])) == []
    assert {row.capability for row in rows} == {"Plot Attribute"}
    assert {row.duration for row in rows} == {"3.0"}
    assert "He was pushed. Why does he fall down?" in {row.question for row in rows}
    assert {row.question for row in rows if row.part == "primary"} == {
        "Why does he fall?",
        "Why does he fall down?",
    }
    side = json.loads((tmp_path / "rows.provenance.json").read_text(encoding="utf-8"))
    assert side["questions"]["0001-1"]["rationale"].startswith("There is ice")
    assert len(video_tt_baseline.make_baseline(project).item_ids) == 15
    assert video_tt_baseline.make_baseline(project).item_ids == ()
    _work(project, "baseline", lambda _n, i: {"answer": f"Ice, {_clip(project, i)}."}, "Ben")

    def picked(_: str, item: Item) -> dict[str, Value]:
        return {"answer": Picked(("o1" if _clip(project, item) == "clip1" else "o0",))}

    _work(project, "baseline-choice", picked, "Cleo")
    assert len(video_tt_baseline.make_scoring(project).item_ids) == 12
    assert video_tt_baseline.make_scoring(project).item_ids == ()

    def score(_: str, item: Item) -> dict[str, Value]:
        assert "Reference: He slips.\nAnswer: Ice, clip" in item.text
        is_misled = item.part == "primary" and "clip2" in item.text
        return {"score": Picked(("2" if is_misled else "3",))}

    _work(project, "scoring", score, "Ann")
    # clip0 has all five right, clip1 fails at the choice, clip2 at the primary question.
    rights = video_tt_baseline.right_answers(project)
    assert sorted(sum(parts.values()) for parts in rights.values()) == [4, 4, 5]
    assert video_tt_baseline.robustness_of(project).value == 0.5
