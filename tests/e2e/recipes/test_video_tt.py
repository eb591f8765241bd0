"""Video-TT from a trial to rows, hours and robustness, with the recipe as it is shipped.

Ann writes, Ben and Cleo agree, Vic and Xan check a sample, Dan is careless with the variants; five
people who had no part in it answer, nobody two questions about one video. Of seven videos four get
through. All that a lead does goes through the command line.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

import pyarrow.parquet
import pytest

from annotator.domain.answer import Picked, Value
from annotator.domain.errors import WorkError
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item, ItemState
from annotator.services.questions.agreement.agreement_files import counts_of
from tests.e2e.recipes.checker import load, video_tt_faults
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.team import Asked, Hours, Team

CLIPS: Final = [f"clip{n}" for n in range(7)]
THROUGH: Final = ("clip0", "clip1", "clip2", "clip4")
GUESTS: Final = ("Pam", "Quin", "Ron", "Sue", "Tom")
WRONG: Final = {("clip1", "wrongly-led"), ("clip2", "primary"), ("clip4", "multiple-choice")}
"""What the participants get wrong."""

PRIMARY: Final = "Primary Open-ended Question"
CHOICE: Final = "Multiple-choice Question with a Single Correct Answer"


@pytest.fixture
def team(make_team: MakeTeam, tmp_path: Path) -> Team:
    facts = [
        {"video": name, "youtube_url": f"https://www.youtube.com/shorts/{name}abcdef"}
        for name in CLIPS
    ]
    made = make_team("video-tt", make_clips(tmp_path / "media", CLIPS), facts)
    made.hire("Ann", "Ben", "Cleo", "Dan", "Vic", "Xan")
    made.hire(*GUESTS, roles=(Role.PARTICIPANT,))
    return made


NOT_SOUND: Final = "The sampling check was not unanimous; returned to alignment."
APART: Final = "clip4: Two raters disagree on answer; returned to alignment."


def _of(team: Team, kind: str, clip: str) -> list[Item]:
    return [item for item in team.items(kind) if team.names(item) == (clip,)]


def _written(asked: Asked) -> dict[str, Value]:
    return {
        "question": "Why does he fall down?",
        "answer": "He slips.",
        "rationale": "There is ice on the stairs at the beginning.",
        "capability": Picked(("Plot Attribute",)),
    }


def _agreed(_: Asked) -> dict[str, Value]:
    return {"dropped": False}


def _try_and_choose(team: Team) -> None:
    # A tenth of seven videos is one; the trial goes no further than its alignment.
    assert team.ask("create-trial") == (1, [])
    assert team.work("trial", ("Ann",), _written) == {"Ann": 1}
    assert team.ask("create-screening") == (7, [])
    assert team.work("collection", ("Ann",), lambda _: {"suits": True}) == {"Ann": 7}
    assert team.ask("create-primary") == (0, [])
    assert team.ask("create-alignment") == (1 + 7, [])
    two = {"Ben": 1, "Cleo": 1}
    assert team.work("trial-alignment", ("Ben", "Cleo"), _agreed) == two

    def suits(asked: Asked) -> dict[str, Value]:
        return {"suits": asked.who == "Ben" or team.names(asked.item) != ("clip6",)}

    team.work("collection-alignment", ("Ben", "Cleo"), suits, pace_s=10)
    (out,) = _of(team, "collection-alignment", "clip6")
    assert (out.state, out.why_discarded) == (
        ItemState.DISCARDED,
        "The votes are not unanimous.",
    )
    assert team.ask("resolve-alignment") == (0, [])


def _write_and_agree(team: Team) -> None:
    assert team.ask("create-primary") == (6, [])
    assert team.work("primary", ("Ann",), _written, pace_s=30) == {"Ann": 6}
    assert team.ask("create-alignment") == (6, [])

    def agree(asked: Asked) -> dict[str, Value]:
        (clip,) = team.names(asked.item)
        if clip == "clip5":
            return {"dropped": True}
        if clip == "clip4" and len(_of(team, "alignment", clip)) < 3:
            return {"answer": f"He slips, says {asked.who}.", "dropped": False}
        return {"question": "Why does he fall?", "answer": "He slips.", "dropped": False}

    both = ("Ben", "Cleo")
    assert team.work("alignment", both, agree) == {"Ben": 6, "Cleo": 6}
    # Three go on to variants, one is drawn to be checked first, one comes back, one is dropped.
    assert team.ask("resolve-alignment") == (5, [APART])
    again = _of(team, "alignment", "clip4")[-1]
    assert again.text.splitlines() == [
        "Why does he fall down?",
        "Answer:",
        "1. He slips, says Ben.",
        "2. He slips, says Cleo.",
    ]
    assert team.take("Dan", "alignment") is None
    assert team.work("alignment", both, agree) == {"Ben": 1, "Cleo": 1}
    assert team.ask("resolve-alignment") == (1, [APART])
    assert team.work("alignment", both, agree) == {"Ben": 1, "Cleo": 1}
    # The fifth that is agreed on: one in five has been drawn already.
    assert team.ask("resolve-alignment") == (1, [])
    (dropped,) = _of(team, "alignment", "clip5")
    assert dropped.why_discarded == "Two raters agreed to discard it."


def _check_a_sample(team: Team) -> None:
    (drawn,) = team.items("sampling-check")
    (clip,) = team.names(drawn)
    # Who wrote it or agreed on it may not check it.
    assert [team.take(name, "sampling-check") for name in ("Ann", "Ben", "Cleo")] == [None] * 3
    assert drawn.text.splitlines() == [
        "Why does he fall?",
        "Answer: He slips.",
        "Rationale: There is ice on the stairs at the beginning.",
    ]

    def wanting(asked: Asked) -> dict[str, Value]:
        return {"sound": True} if asked.who == "Vic" else {"sound": False, "remark": "Which ice?"}

    assert team.work("sampling-check", ("Vic", "Xan"), wanting) == {"Vic": 1, "Xan": 1}
    assert team.ask("resolve-alignment") == (
        1,
        [f"{clip}: {NOT_SOUND}"],
    )
    back = _of(team, "alignment", clip)[-1]
    assert back.text == "Why does he fall?\nSampling check: Which ice?"

    def mend(_: Asked) -> dict[str, Value]:
        return {"rationale": "Ice glitters on the stairs at the beginning.", "dropped": False}

    assert team.work("alignment", ("Ben", "Cleo"), mend) == {"Ben": 1, "Cleo": 1}
    assert team.ask("resolve-alignment") == (1, [])
    assert team.work("sampling-check", ("Vic", "Xan"), lambda _: {"sound": True}) == {
        "Vic": 1,
        "Xan": 1,
    }
    assert team.ask("resolve-alignment") == (1, [])
    assert len(team.items("variants")) == 5


def _write_variants(team: Team) -> None:
    whole: Mapping[str, Value] = {
        "paraphrased": "What makes him fall?",
        "correctly-led": "It is icy. Why does he fall?",
        "wrongly-led": "He was pushed. Why does he fall?",
        "multiple-choice": "Why does he fall?",
        "option-a": "He slips.",
        "option-b": "A push.",
        "option-c": "He faints.",
        "option-d": "He jumps.",
    }
    # Dan leaves an option open, which is not taken.
    task_id = team.take("Dan", "variants")
    assert task_id is not None
    session, question_set = team.begin(task_id)
    team.fill("Dan", session, question_set, lambda _: dict(list(whole.items())[:-1]))
    with pytest.raises(WorkError, match="“Third wrong option” has no answer"):
        team.hand_in(session)
    session.run(question_set.answer(question_set.items[0].id, "option-d", whole["option-d"]))
    team.hand_in(session)
    assert team.work("variants", ("Dan",), lambda _: whole) == {"Dan": 4}
    assert team.ask("create-alignment") == (5, [])

    def agree(asked: Asked) -> dict[str, Value]:
        return {"dropped": team.names(asked.item) == ("clip3",)}

    assert team.work("variants-alignment", ("Ann", "Ben"), agree) == {"Ann": 5, "Ben": 5}
    assert team.ask("resolve-alignment") == (4 * 5, [])
    assert {team.names(item)[0] for item in team.items("finished")} == set(THROUGH)


def _answer(team: Team) -> None:
    # Three answers to each question would take fifteen people: nobody is asked two about a video.
    refused = team.command("study create", "Spring", status=1)
    assert "10 more people are needed" in refused.err
    assert "at most one item per group" in refused.err
    together = team.command("study create", "Spring", "--no-exclusive-groups", "--dry-run")
    assert together.out == "20 items × 3 answers = 60; 5 people × 12\n"
    made = team.command("study create", "Spring", "--answers-per-item", 1)
    assert made.out.splitlines() == [
        "20 items × 1 answer = 20; 5 people × 4",
        "Spring: 0 of 20 answers",
    ]
    # Who had a part is asked nothing, and who answers is asked nothing else.
    assert team.take("Ann", "people") is None
    # Quin sleeps over a task for two days, and goes on with it.
    slept = team.take("Quin", "people")
    assert slept is not None
    team.begin(slept)
    team.rest(49 * 3600)
    team.project.work.enter(None)
    seen: set[tuple[str, str]] = set()

    def say(asked: Asked) -> dict[str, Value]:
        (clip,) = team.names(asked.item)
        assert (asked.who, clip) not in seen
        seen.add((asked.who, clip))
        if not asked.item.options:
            return {"words": "Ice, I say."}
        is_wrong = (clip, "multiple-choice") in WRONG
        return {"answer": asked.called("A push." if is_wrong else "He slips.")}

    assert team.work("people", GUESTS, say) == dict.fromkeys(GUESTS, 4)
    assert len(seen) == 20
    assert "16 answers not scored yet" in team.command("study results", "Spring").out
    assert team.ask("create-scoring") == (4 * 4, [])
    leads = {"It is": "correctly-led", "He was": "wrongly-led", "What": "paraphrased"}

    def score(asked: Asked) -> dict[str, Value]:
        question, reference, answer = asked.item.text.splitlines()
        assert (reference, answer) == ("Reference: He slips.", "Answer: Ice, I say.")
        part = next((p for begin, p in leads.items() if question.startswith(begin)), "primary")
        is_wrong = (*team.names(asked.item), part) in WRONG
        return {"score": Picked(("2" if is_wrong else "3",))}

    assert team.work("scoring", ("Ann",), score, pace_s=5) == {"Ann": 4}


def _judge_the_study(team: Team, folder: Path) -> None:
    told = team.command("study results", "Spring").out.splitlines()
    assert told[0] == "Spring: 20 of 20 answers"
    low, high = _wilson(17, 20)
    right = f"accuracy 85.0% ({low:.1%} to {high:.1%}) majority accuracy 85.0%"
    assert told[1].startswith(f"all, all items: {right}")
    assert told[1].endswith(" median 20.0 s")
    low, high = _wilson(3, 4)
    line = (
        f"all, part wrongly-led: accuracy 75.0% ({low:.1%} to {high:.1%}) majority accuracy 75.0%"
    )
    assert any(each.startswith(line) for each in told)
    team.command("study export", "Spring", folder)
    answers = _table(folder, "answers")
    assert len(answers) == 20
    assert sum(row[4] == "no" for row in answers) == 3
    assert {row[2] for row in answers} == {f"P{n}" for n in range(1, 6)}


def _judge_the_tables(team: Team, folder: Path) -> None:
    team.command("stats export", folder, "--resamples", 0)
    # The primary question is right on clip0, clip1 and clip4, and all five on clip0 only.
    head, *parts = _table(folder, "robustness")
    assert head[:4] == ["robustness", 3, 1, 1 / 3]
    assert [row[:4] for row in parts] == [
        ["primary", 4, 3, 3 / 4],
        ["paraphrased", 4, 4, 1],
        ["correctly-led", 4, 4, 1],
        ["wrongly-led", 4, 3, 3 / 4],
        ["multiple-choice", 4, 3, 3 / 4],
    ]
    for row in parts:
        assert row[4:6] == pytest.approx(_wilson(row[2], row[1]), abs=1e-9)
        assert "interval=wilson level=0.9" in row[7]
    decided = counts_of(team.project, "variants").states
    assert decided == {ItemState.OPEN: 0, ItemState.DECIDED: 5, ItemState.DISCARDED: 0}
    right = ["right"] * 5
    assert sorted(_table(folder, "groups")) == [
        ["clip0", *right],
        ["clip1", *right[:3], "wrong", "right"],
        ["clip2", "wrong", *right[1:]],
        ["clip4", *right[:4], "wrong"],
    ]
    assert team.hours() == {
        ("trial", "write"): Hours(1, 1, 20),
        ("trial-alignment", "align"): Hours(1, 2, 40),
        ("collection", "judge"): Hours(7, 7, 140),
        ("collection-alignment", "align"): Hours(7, 14, 140),
        ("primary", "write"): Hours(6, 6, 180),
        # Six at first, clip4 twice more, the sampled one once more; two people each.
        ("alignment", "align"): Hours(9, 18, 360),
        ("sampling-check", "check"): Hours(2, 4, 80),
        ("variants", "write"): Hours(5, 5, 100),
        ("variants-alignment", "align"): Hours(5, 10, 200),
        # Each question once, and of two days of Quin's half a minute.
        ("people", "answer"): Hours(20, 20, 20 * 20 + 30),
        ("scoring", "score"): Hours(4, 4, 4 * 4 * 5),
    }
    rows = _table(folder, "hours")
    assert [row[0] for row in rows[:4]] == [
        *("trial", "trial-alignment", "collection", "collection-alignment")
    ]
    hours = {row[0]: row[2:] for row in rows}
    # 360 s of 9 tasks with a question each.
    assert hours["alignment"] == pytest.approx([9, 9, 40 / 3600, 2, 0.1])
    total = 20 + 40 + 140 + 140 + 180 + 360 + 80 + 100 + 200 + 430 + 80
    assert hours["all"][-1] == pytest.approx(total / 3600)


def _wilson(right: float, n: float) -> tuple[float, float]:
    """The interval of 90 % for a share: where the share would be 1.645 deviations away."""
    z = NormalDist().inv_cdf(0.95)
    middle, spread = right + z * z / 2, z * (right * (n - right) / n + z * z / 4) ** 0.5
    return (middle - spread) / (n + z * z), (middle + spread) / (n + z * z)


def _judge_the_rows(team: Team, folder: Path) -> None:
    path = folder / "test-00000-of-00001.parquet"
    said = team.command("questions build-dataset", path)
    assert (said.out, said.err) == (f"{path}: groups 4, rows 20\n", "")
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert list(video_tt_faults(rows)) == []
    as_json = folder / "test.json"
    team.command("questions build-dataset", as_json)
    assert load(as_json) == rows
    assert {row["video_id"] for row in rows} == set(THROUGH)
    for row in rows:
        assert row["youtube_url"] == f"https://www.youtube.com/shorts/{row['video_id']}abcdef"
        assert row["capability"] == "Plot Attribute"
        assert row["duration"] == "0.3"
        if row["question_type"] == CHOICE:
            question, *options = row["question"].splitlines()
            assert question == "Why does he fall?"
            assert [option[:3] for option in options] == ["A. ", "B. ", "C. ", "D. "]
            assert f"{row['answer']}. He slips." in options
        else:
            assert row["answer"] == "He slips."
    assert {r["question"] for r in rows if r["question_type"] == PRIMARY} == {"Why does he fall?"}
    text = as_json.read_text(encoding="utf-8")
    names = (*team.people, "rationale", "ice on the stairs", "submission", "seed")
    assert not any(word in text for word in names)
    side: dict[str, Any] = load(folder / "test.provenance.json")["questions"]
    (clip,) = team.names(team.items("sampling-check")[0])
    of_clip = {row["qid"]: row["video_id"] for row in rows}
    for qid, each in side.items():
        mended = of_clip[qid] == clip
        assert each["rationale"].startswith("Ice glitters" if mended else "There is ice")


def _table(folder: Path, name: str) -> list[list[Any]]:
    with (folder / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    return [[_cell(cell) for cell in row] for row in rows[1:]]


def _cell(text: str) -> object:
    return float(text) if text.replace(".", "").isdigit() else text


def test_from_a_trial_to_rows_hours_and_robustness(team: Team, tmp_path: Path) -> None:
    _try_and_choose(team)
    _write_and_agree(team)
    _check_a_sample(team)
    _write_variants(team)
    _answer(team)
    _judge_the_study(team, tmp_path / "study")
    _judge_the_tables(team, tmp_path)
    _judge_the_rows(team, tmp_path)
