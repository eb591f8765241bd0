"""Video-TT from primary questions to rows and robustness, with the shipped recipe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.benchmarks.video_tt import tables as video_tt_tables
from annotator.benchmarks.video_tt import videos as video_tt
from annotator.benchmarks.video_tt.alignment import (
    make_alignments,
    resolve_alignments,
)
from annotator.benchmarks.video_tt.data_set import (
    TYPES,
    QuestionRow,
    export_rows,
    import_rows,
    read_rows,
    texts_of,
)
from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.answer import Picked, Value
from annotator.domain.errors import ExchangeError, UserError
from annotator.domain.ids import TaskId
from annotator.domain.people import Role
from annotator.domain.questions.items.groups import GroupRole
from annotator.domain.questions.items.item import Item
from annotator.domain.study.results import wilson
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.evaluation.evaluation import Evaluation
from annotator.services.dataset.evaluation.question_scores import evaluate_answers, questions_of
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions.agreement.agreement_files import benchmark_tables
from annotator.services.questions.recipe_steps import run_step, steps_of
from annotator.services.questions.studies.reference_scores import make_scoring
from annotator.services.questions.studies.studies import make_study, outlook, progress, wish_for
from annotator.services.questions.studies.study_results import overview, results_of
from annotator.services.questions.studies.study_values import Study
from annotator.services.questions.voting.outcomes import items_of_kind
from tests.exchange.test_video_tt import faults
from tests.store.samples import video_info

ROOT = Path(__file__).resolve().parents[3]
N_VIDEOS = 4
QUIET = JobToken(lambda _fraction, _text: None)
GUESTS = ("Eve", "Fay", "Gus", "Hana", "Ines")
Script = Callable[[str, Item], dict[str, Value]]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    made = create_project(tmp_path / "tt.annot", title="Video-TT")
    for i in range(N_VIDEOS):
        made.add_absent_video(video_info(f"clip{i}.mp4"))
    recipe = ROOT / "resources" / "recipes" / "video-tt.toml"
    made.work.use_recipe(recipe.read_text(encoding="utf-8"))
    for name in ("Ann", "Ben", "Dan", "Vic", "Xan"):
        made.work.people.add(name, (Role.RATER,))
    made.work.people.add("Cleo", (Role.RATER, Role.PARTICIPANT))
    for name in GUESTS:
        made.work.people.add(name, (Role.PARTICIPANT,))
    yield made
    made.close()


def _work(project: OpenProject, kind: str, script: Script, *names: str, most: int = 1000) -> None:
    people = {person.name: person for person in project.work.people.all()}
    for name in names:
        project.work.people.sign_in(people[name].id)
        held = [each.task_id for each in project.work.in_hand() if each.kind == kind]
        n_done = 0
        while n_done < most and (held or (record := project.work.claim_next(kind)) is not None):
            n_done += 1
            session = project.open_task(held.pop() if held else record.id)
            question_set = project.questions.question_set(session)
            for item in question_set.items:
                for field, value in script(name, item).items():
                    session.run(question_set.answer(item.id, field, value))
            project.work.submit(session)
    (lead,) = [p for p in people.values() if p.has(Role.LEAD)]
    project.work.people.sign_in(lead.id)


def _clip(project: OpenProject, item: Item) -> str:
    return project.media.video(item.video_ids[0]).info.name.removesuffix(".mp4")


def _baseline(project: OpenProject) -> Study:
    """Deal all finished questions to the participants, one answer to each."""
    people = [p.id for p in project.work.people.all() if p.name in (*GUESTS, "Cleo")]
    wish = wish_for(project, "people", "Baseline", people)
    return make_study(project, replace(wish, answers=1))


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


def _items(project: OpenProject, kind: str, clip: str = "") -> list[Item]:
    found = items_of_kind(project, kind, with_discarded=True)
    return [item for _, item in found if clip in ("", _clip(project, item))]


def _held(project: OpenProject, *names: str) -> set[TaskId]:
    """Return what all of these people hold."""
    wanted = {person.id for person in project.work.people.all() if person.name in names}
    tasks = {task_id for task_id, _ in project.questions.list() if task_id is not None}
    return {
        task_id
        for task_id in tasks
        if wanted <= {held.person_id for held in project.work.record(task_id).holders}
    }


def _checked(project: OpenProject, drawn: Item) -> None:
    """Let a sampled question be found wanting, agreed on anew, checked again and go on."""
    clip = _clip(project, drawn)

    def wanting(name: str, _: Item) -> dict[str, Value]:
        return {"sound": True} if name == "Vic" else {"sound": False, "remark": "Which stairs?"}

    _work(project, "sampling-check", wanting, "Vic", "Xan")
    settled = resolve_alignments(project)
    assert [(f.code, f.where) for f in settled.findings] == [("not-sound", clip)]
    back = _items(project, "alignment", clip)[-1]
    assert back.text == "Why does he fall?\nSampling check: Which stairs?"
    _work(project, "alignment", lambda _n, _i: {"dropped": False}, "Ben", "Cleo")
    assert len(resolve_alignments(project).item_ids) == 1
    assert len(_items(project, "sampling-check", clip)) == 2
    _work(project, "sampling-check", lambda _n, _i: {"sound": True}, "Vic", "Xan")
    assert len(resolve_alignments(project).item_ids) == 1
    assert resolve_alignments(project).item_ids == ()


def test_from_questions_to_rows_and_robustness(project: OpenProject, tmp_path: Path) -> None:
    assert len(video_tt.make_primaries(project).item_ids) == N_VIDEOS
    _work(project, "primary", _primary, "Ann")
    assert len(make_alignments(project).item_ids) == N_VIDEOS
    assert make_alignments(project).item_ids == ()

    def first(name: str, item: Item) -> dict[str, Value]:
        clip = _clip(project, item)
        if clip == "clip3":
            return {"dropped": True}
        if clip == "clip2":  # they differ, the first time
            return {"answer": f"He slips, says {name}.", "dropped": False}
        return {"question": "Why does he fall?", "dropped": False}

    _work(project, "alignment", first, "Ben", "Cleo")
    settled = resolve_alignments(project)
    assert [(f.code, f.where) for f in settled.findings] == [("apart", "clip2")]
    dropped = _items(project, "alignment", "clip3")
    assert [item.state for item in dropped] == ["discarded"]
    _, apart = _items(project, "alignment", "clip2")
    assert apart.text == (
        "Why does he fall down?\nAnswer:\n1. He slips, says Ben.\n2. He slips, says Cleo."
    )
    assert apart.texts["answer"] == "He slips, says Ben."
    # One of the two that are agreed on is drawn: a fifth of them, but at least one.
    (drawn,) = _items(project, "sampling-check")
    assert len(_items(project, "variants")) == 1
    assert drawn.text.splitlines()[1:] == [
        "Answer: He slips.",
        "Rationale: There is ice on the stairs at the beginning.",
    ]
    assert {project.work.record(t).kind for t in _held(project, "Ben", "Cleo")} == {"alignment"}

    def again(_: str, item: Item) -> dict[str, Value]:
        return {"answer": "He slips.", "dropped": False}

    _work(project, "alignment", again, "Ben", "Cleo")
    assert len(resolve_alignments(project).item_ids) == 1
    assert resolve_alignments(project).item_ids == ()
    _checked(project, drawn)
    _work(project, "variants", _variants, "Dan")
    assert len(make_alignments(project).item_ids) == 3
    _work(project, "variants-alignment", lambda _n, _i: {"dropped": False}, "Ann", "Ben")
    finished = resolve_alignments(project)
    assert len(finished.item_ids) == 15
    path = tmp_path / "rows.parquet"
    report = export_rows(project, path)
    assert (report.n_groups, report.n_rows, report.findings) == (3, 15, ())
    # Brought in where it was written, the file has nothing new.
    again = import_rows(project, path)
    assert (again.item_ids, [f.code for f in again.findings]) == ((), ["known-rows"] * 3)
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
    study = _baseline(project)

    def say(_: str, item: Item) -> dict[str, Value]:
        if item.options:
            return {"answer": Picked(("o1" if _clip(project, item) == "clip1" else "o0",))}
        return {"words": f"Ice, {_clip(project, item)}."}

    _work(project, "people", say, *GUESTS)
    unjudged = results_of(project, study, QUIET, Bootstrap(0, level=0.9))
    assert (unjudged.n_answers, unjudged.n_unjudged) == (15, 12)
    assert len(make_scoring(project).item_ids) == 12
    assert make_scoring(project).item_ids == ()

    def score(_: str, item: Item) -> dict[str, Value]:
        assert "Reference: He slips.\nAnswer: Ice, clip" in item.text
        is_misled = item.text.startswith("Why does he fall down?") and "clip2" in item.text
        return {"score": Picked(("2" if is_misled else "3",))}

    _work(project, "scoring", score, "Ann")
    found = results_of(project, study, QUIET, Bootstrap(0, level=0.9))
    lines = {(line.by, line.name): line for line in overview(found.found)}
    assert found.n_unjudged == 0
    assert lines["part", "primary"].accuracy == pytest.approx((2 / 3, *wilson(2, 3, 0.9)))
    assert lines["tag", "Plot Attribute"].n_answers == 15
    # clip0 has all five right, clip1 fails at the choice, clip2 at the primary question.
    answers = video_tt_tables.baseline_answers(project)
    rights = video_tt_tables.right_answers(answers)
    assert sorted(sum(parts.values()) for parts in rights.values()) == [4, 4, 5]
    assert video_tt_tables.robustness_of(project).value == 0.5
    asked = questions_of(project)
    assert [q.id for q in asked] == [row.qid for row in rows]
    people = _metrics(evaluate_answers(project, asked, [("raters", None)], QUIET))
    assert people["accuracy", ""] == pytest.approx(13 / 15)
    assert people["robustness", ""] == 0.5
    # A model with the same verdicts in a file has the same figures; a letter needs no verdict.
    table: list[dict[str, object]]
    table = [{"qid": row.qid, "answer": f"({row.answer}) that"} for row in rows if row.options]
    table += [{"qid": row.qid, "answer": "x", "score": 3} for row in rows if not row.options]
    clips = {row.qid: row.video_id for row in rows}
    is_wrong = [
        (r, _is_part(rows, r["qid"], GroupRole.MULTIPLE_CHOICE) and clips[r["qid"]] == "clip1")
        for r in table
    ]
    for record, wrong in is_wrong:
        right = next(row.answer for row in rows if row.qid == record["qid"])
        if wrong:
            record["answer"] = next(letter for letter in "ABCD" if letter != right)
        if clips[record["qid"]] == "clip2" and _is_part(rows, record["qid"], GroupRole.PRIMARY):
            record["score"] = 2
    answers_file = tmp_path / "model.jsonl"
    answers_file.write_text("\n".join(json.dumps(record) for record in table[:-1] + table[-1:]))
    done = evaluate_answers(project, asked, [("model", answers_file)], QUIET)
    model = _metrics(done)
    assert done.findings == ()
    assert model["accuracy", ""] == pytest.approx(13 / 15)
    assert model["accuracy", "multiple-choice"] == pytest.approx(2 / 3)
    assert model["score", ""] == pytest.approx((11 * 3 + 2) / 12)
    assert model["robustness", ""] == 0.5
    bad = [*table[:3], {"qid": "no such"}, {"qid": table[0]["qid"], "answer": "A"}, {"x": 1}]
    bad += [{"qid": "9999-1", "answer": "A"}, {"qid": table[3]["qid"], "score": 9}]
    bad += [{"qid": table[4]["qid"], "answer": "somehow"}]
    answers_file.write_text(json.dumps(bad))
    codes = [
        f.code for f in evaluate_answers(project, asked, [("m", answers_file)], QUIET).findings
    ]
    wanted = ["bad-record"] * 4 + ["missing-items", "not-judged", "unknown-id"]
    assert codes == wanted
    with pytest.raises(UserError, match="does not answer questions"):
        evaluate_answers(project, asked, [("static", None)], QUIET)
    steady, groups = benchmark_tables(project)
    assert [row[:4] for row in steady.rows] == [
        ("robustness", 2, 1, 0.5),
        ("primary", 3, 2, 2 / 3),
        ("paraphrased", 3, 3, 1.0),
        ("correctly-led", 3, 3, 1.0),
        ("wrongly-led", 3, 3, 1.0),
        ("multiple-choice", 3, 2, 2 / 3),
    ]
    assert steady.rows[0][6] == "robustness"
    assert "interval=wilson level=0.9" in str(steady.rows[1][7])
    assert sorted(groups.rows) == [
        ("clip0", "right", "right", "right", "right", "right"),
        ("clip1", "right", "right", "right", "right", "wrong"),
        ("clip2", "wrong", "right", "right", "right", "right"),
    ]


def test_variants_with_two_equal_options_are_aligned_again(
    project: OpenProject,
) -> None:
    video_tt.make_primaries(project)
    _work(project, "primary", _primary, "Ann")
    make_alignments(project)
    _work(project, "alignment", lambda _n, _i: {"dropped": False}, "Ben", "Cleo")
    resolve_alignments(project)
    _work(project, "sampling-check", lambda _n, _i: {"sound": True}, "Vic", "Xan")
    resolve_alignments(project)
    same = {**_variants("", _items(project, "variants")[0]), "option-c": "he  slips."}
    _work(project, "variants", lambda _n, _i: same, "Dan")
    make_alignments(project)
    _work(project, "variants-alignment", lambda _n, _i: {"dropped": False}, "Ann", "Ben")
    # Two options say the same, which nobody can choose between.
    settled = resolve_alignments(project)
    assert {f.text for f in settled.findings} == {
        ("Two options have the same text; returned to alignment.")
    }
    assert items_of_kind(project, "finished") == []
    again = _items(project, "variants-alignment")[-1]
    assert again.text == "Why does he fall down?\nTwo options have the same text."
    mend: dict[str, Value] = {"option-c": "He faints.", "dropped": False}
    _work(project, "variants-alignment", lambda _n, _i: mend, "Ann", "Ben")
    assert len(resolve_alignments(project).item_ids) == 5 * N_VIDEOS


def test_scored_answers_of_studies_count_and_nobody_is_asked_twice(tmp_path: Path) -> None:
    project = create_project(tmp_path / "imported.annot", title="Imported")
    for i in range(2):
        project.add_absent_video(video_info(f"clip{i}.mp4"))
    shipped = (ROOT / "resources" / "recipes" / "video-tt.toml").read_text(encoding="utf-8")
    project.work.use_recipe(shipped)
    everybody = (*GUESTS, "Gil", "Hal")
    ids = [project.work.people.add(name, (Role.PARTICIPANT,)).id for name in everybody]
    project.work.people.add("Ann", (Role.RATER,))
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(_rows("clip0", "clip1")), encoding="utf-8")
    import_rows(project, path)
    assert [act.name for act in steps_of(project)][-2:] == ["resolve-alignment", "create-scoring"]
    wish = replace(wish_for(project, "people", "Baseline", ids), answers=1)
    # Each person answers at most one of the five questions of a video.
    assert outlook(project, replace(wish, people=tuple(ids[:4]))).n_missing == 1
    study = make_study(project, wish)

    def third(_: str, item: Item) -> dict[str, Value]:
        return {"answer": Picked(("o2",))} if item.options else {"words": "Three."}

    _work(project, "people", third, *everybody)
    assert progress(project, study.id).n_given == 10
    # In a further study they are asked no other question of a group either, unless a lead wants it.
    again = replace(study.wish, name="Again")
    assert outlook(project, again).n_missing == 3
    assert outlook(project, replace(again, is_apart=False)).n_missing == 0
    assert len(run_step(project, "create-scoring").item_ids) == 2 * 4
    assert run_step(project, "create-scoring").item_ids == ()
    _work(project, "scoring", lambda _n, _i: {"score": Picked(("4",))}, "Ann")
    assert len(video_tt_tables.baseline_answers(project)) == 10
    assert video_tt_tables.robustness_of(project).value == 1.0
    project.close()


def test_trials_are_a_share_and_only_videos_that_suit_are_asked_about(
    project: OpenProject,
) -> None:
    # A tenth of four videos, but at least one; the same whenever it is drawn.
    assert len(video_tt.make_trials(project).item_ids) == 1
    assert video_tt.make_trials(project).item_ids == ()
    _work(project, "trial", _primary, "Ann")
    assert len(video_tt.make_collection(project).item_ids) == N_VIDEOS
    _work(project, "collection", lambda _n, _i: {"suits": True}, "Ann")
    assert video_tt.make_primaries(project).item_ids == ()
    assert len(make_alignments(project).item_ids) == N_VIDEOS + 1
    _work(project, "trial-alignment", lambda _n, _i: {"dropped": False}, "Ben", "Cleo")

    def suits(name: str, item: Item) -> dict[str, Value]:
        clip = _clip(project, item)
        return {"suits": clip in ("clip0", "clip1") or (clip == "clip2" and name == "Ben")}

    _work(project, "collection-alignment", suits, "Ben", "Cleo")
    # What is agreed on in a trial goes no further.
    assert resolve_alignments(project).item_ids == ()
    assert len(video_tt.make_primaries(project).item_ids) == 2
    assert {_clip(project, item) for item in _items(project, "primary")} == {"clip0", "clip1"}


def _rows(*clips: str) -> list[dict[str, str]]:
    """Return the rows of groups that somebody else made, options in an order of theirs."""
    found: list[dict[str, str]] = []
    for number, clip in enumerate(clips):
        for place, part in enumerate(GroupRole):
            row = {
                "qid": f"0002-{place}" if number == 0 else f"{clip}-{number}-{place}",
                "video_id": clip,
                "question_type": TYPES[part],
                "capability": "Element Counting",
                "question": f"How many, {part}?",
                "duration": "41",
                "question_prompt": "Say it briefly.",
                "answer": "Three",
                "youtube_url": "",
            }
            if part is GroupRole.MULTIPLE_CHOICE:
                row |= {"question": "How many?\nA. Two\nB. One\nC. Three\nD. Four", "answer": "C"}
            found.append(row)
    return found


def test_groups_from_elsewhere_come_in_are_answered_and_go_out_as_they_were(
    project: OpenProject, tmp_path: Path
) -> None:
    path, out = tmp_path / "in.json", tmp_path / "out.json"
    rows = _rows("clip0", "clip1", "clip1")
    path.write_text(json.dumps([*rows, *_rows("clip7"), *_rows("clip2")[:3]]), encoding="utf-8")
    with pytest.raises(ExchangeError, match="Duplicate qid “"):
        import_rows(project, path)
    assert items_of_kind(project, "finished") == []
    bad = [{**row, "qid": f"x{i}"} for i, row in enumerate([*_rows("clip7"), *_rows("clip2")[:3]])]
    for i, row in enumerate(_rows("clip3")):
        question = row["question"].replace("D. Four", "D. one")
        bad.append({**row, "qid": f"y{i}", "question": question})
    path.write_text(json.dumps([*rows, *bad]), encoding="utf-8")
    made = import_rows(project, path)
    assert len(made.item_ids) == 15
    assert [(f.code, f.where) for f in made.findings] == [
        ("no-video", "clip7, x0"),
        ("no-part", "clip2, x5"),
        ("no-part", "clip2, x5"),
        ("same-options", "clip3, y0"),
    ]
    assert {f.code for f in import_rows(project, path).findings} >= {"known-rows"}
    assert len(items_of_kind(project, "finished")) == 15
    _baseline(project)

    def third(_: str, item: Item) -> dict[str, Value]:
        return {"answer": Picked(("o2",))} if item.options else {"words": "Three."}

    _work(project, "people", third, *GUESTS)
    found = video_tt_tables.baseline_answers(project)
    assert [(each.part, each.is_right) for each in found] == [(GroupRole.MULTIPLE_CHOICE, True)] * 3
    assert export_rows(project, out).findings == ()
    assert json.loads(out.read_text(encoding="utf-8")) == rows


def _metrics(done: Evaluation) -> dict[tuple[str, str], float]:
    return {(r.metric, r.group): r.value for r in done.results}


def _is_part(rows: list[QuestionRow], qid: object, part: GroupRole) -> bool:
    return any(row.qid == qid and row.part is part for row in rows)
