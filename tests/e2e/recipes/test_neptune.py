"""Neptune from proposed sets to its lists and tables, with the recipe as it is shipped.

Three videos with nine sets each. Everybody is trained first. Cleo is careless, Dan fails the
checks, Eve and Fay say in turn what nobody else does, so that there are ties; Vera verifies, Wim
settles what five could not.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

import pytest

from annotator.domain.answer import Flagged, Picked, Spans, Value
from annotator.domain.errors import ProjectError, WorkError
from annotator.domain.people import Role
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.work.records import TaskStatus
from annotator.services.questions.asking.question_set import QuestionSet
from annotator.services.session import Session
from tests.e2e.recipes.checker import load, neptune_faults
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.team import Asked, Hours, Script, Team, agreement_in, read_table

VIDEOS: Final = ("cook", "craft", "sport")
N_FRAMES: Final = 30  # one second
N_SETS: Final = 9
ALL: Final = ("understood", "video", "true", "one-answer", "not-trivial")
TYPES: Final = ("Counting", "Comparison", "Predictive")
MODALITIES: Final = ("vision",) * 3 + ("audio",) * 3 + ("both", "either", "both")
LONG: Final = Spans(((0, 6), (12, 15)))  # 0.3 s, from 0 to 0.5 s
SHORT: Final = Spans(((3, 9),))  # 0.2 s
HASTY: Final = Spans(((0, 3),))  # 0.1 s
LAZY: Final = {"type": Picked(("Other",)), "modality": Picked(("either",))}
PACES: Final = {"Ann": 30.0, "Ben": 20.0, "Dan": 10.0, "Eve": 20.0, "Fay": 40.0, "Gus": 20.0}
RATERS: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hank")
JUDGES: Final = ("Vera", "Wim")

Key = tuple[str, str, int]
DIFFERS: Final[Mapping[Key, Mapping[str, Value]]] = {
    # Two of three discard it, each for another reason.
    ("Ann", "cook", 1): {"valuable": Picked(("understood", "true", "one-answer", "not-trivial"))},
    ("Ben", "cook", 1): {"valuable": Picked(("understood", "video", "one-answer", "not-trivial"))},
    # All find that neither the answer is true nor the others wrong.
    **{
        (name, "cook", 2): {"valuable": Picked(("understood", "video", "not-trivial"))}
        for name in ("Ann", "Ben", "Dan")
    },
    ("Ann", "cook", 3): {"question": "Question 3 of cook, in full?", "decoy-0": "Less wrong"},
    # One person's whims change nothing.
    ("Dan", "cook", 4): {"type": Picked(("Other",))},
    ("Ann", "craft", 2): {"valuable": Picked(ALL[1:])},
    ("Ann", "craft", 1): {"flag": Flagged("no-video")},
    ("Ben", "craft", 1): {"flag": Flagged("no-video")},
    # One vote each, then two each and one: nobody has more than half of five.
    ("Eve", "sport", 1): {"type": Picked(("Comparison",))},
    ("Fay", "sport", 1): {"type": Picked(("Other",))},
    ("Gus", "sport", 1): {"type": Picked(("Comparison",))},
    # One vote each, then three of five.
    ("Eve", "sport", 2): {"modality": Picked(("audio",))},
    ("Fay", "sport", 2): {"modality": Picked(("both",))},
    # Who verifies has the last word.
    ("Vera", "cook", 3): {"answer": "Nearly right"},
    ("Vera", "craft", 3): {"valuable": Picked(ALL[:4])},
    ("Vera", "craft", 4): {"certificate": Spans(((0, 15),))},
}


def _sets() -> list[dict[str, Any]]:
    """Return what a machine proposed; on two videos sets to be trained by, and two checks."""

    def one(video: str, n: int) -> dict[str, Any]:
        return {
            "key": f"{video}/{n}",
            "video_id": video,
            "question": f"Question {n} of {video}?",
            "answer": "Right",
            "decoys": [f"Wrong {i}" for i in range(4)],
            "question type": TYPES[(n - 1) % 3],
        }

    found = [one(video, n) for video in VIDEOS for n in range(1, N_SETS + 1)]
    known = {"valuable": list(ALL), "type": "Counting", "modality": "vision"}
    for video in ("cook", "craft"):
        for n in range(3):
            found.append({**one(video, 1), "key": f"train/{video}/{n}", "judgement": known})
    for n in range(2):
        check = one("check", 1) | {
            "key": f"check/{n}",
            "question": "Please pick “Other” and “Either”.",
        }
        del check["video_id"]
        found.append({**check, "judgement": {"type": "Other", "modality": "either"}})
    return found


@pytest.fixture
def team(make_team: MakeTeam, tmp_path: Path) -> Team:
    clips = make_clips(tmp_path / "media", VIDEOS, n_frames=N_FRAMES)
    made = make_team("neptune", clips, [{"video": name} for name in VIDEOS])
    made.hire(*RATERS)
    made.hire(*JUDGES, roles=(Role.REVIEWER,))
    sets = tmp_path / "sets.json"
    sets.write_text(json.dumps(_sets()), encoding="utf-8")
    assert made.command("questions import", sets).out.endswith(f": {27 + 6 + 2} new items\n")
    return made


def _train(team: Team) -> None:
    """Nobody judges before the training; the right answers are shown after one's own."""
    assert team.take("Ann", "judge") is None

    def learn(asked: Asked) -> dict[str, Value]:
        assert asked.question_set.right_of(asked.item.id) is None
        is_lazy = asked.who == "Hank" or (asked.who, *team.names(asked.item)) == ("Cleo", "cook")
        return {"valuable": Picked(ALL)} | (LAZY if is_lazy else _careful(1))

    for name in (*RATERS, *JUDGES):
        task_id = team.take(name, "training")
        assert task_id is not None
        session, question_set = team.begin(task_id)
        team.fill(name, session, question_set, learn, 10)
        assert question_set.right_of(question_set.items[0].id) == {
            "valuable": ALL,
            "type": ("Counting",),
            "modality": ("vision",),
        }
        team.hand_in(session)
    # None of three is right: once more, on another video.
    assert team.does_one("Cleo", "training", learn, 10)
    assert team.does_one("Hank", "training", learn, 10)
    found = team.status_history("training")
    passed, failed = QualificationStatus.PASSED, QualificationStatus.FAILED
    assert found.pop("Cleo") == [failed, passed]
    assert found.pop("Hank")[:2] == [failed, failed]
    assert found == {name: [passed] for name in (*RATERS, *JUDGES) if name in found}
    assert len(found) == 8
    assert team.take("Hank", "training") is None
    assert team.take("Hank", "judge") is None


def _careful(n: int) -> dict[str, Value]:
    return {
        "valuable": Picked(ALL),
        "type": Picked((TYPES[(n - 1) % 3],)),
        "modality": Picked((MODALITIES[n - 1],)),
    }


def _judge(team: Team) -> Callable[[Asked], dict[str, Value]]:
    def say(asked: Asked) -> dict[str, Value]:
        who = asked.who
        if asked.item.text.startswith("Please"):
            return {"valuable": Picked(ALL)} | (LAZY if who != "Dan" else _careful(1))
        number, video = asked.item.text.removeprefix("Question ").split("?")[0].split(" of ")
        n = int(number)
        differs = dict(DIFFERS.get((who, video, n), {}))
        if "flag" in differs or who in JUDGES:
            return differs
        if "valuable" in differs:
            return differs
        spans = HASTY if who == "Dan" else LONG if n % 2 else SHORT
        return {**_careful(n), "certificate": spans, **differs}

    return say


def _work(team: Team) -> None:
    say = _judge(team)

    def do(name: str, *videos: str) -> None:
        for video in videos:
            task_id = team.take(name, "judge")
            assert task_id is not None
            assert team.name_of(team.project.work.record(task_id).video_id) == video
            session, question_set = team.begin(task_id)
            # Nine sets, and among them one check that looks like any of them.
            assert len(question_set.items) == N_SETS + 1
            assert not any(item.right or item.source for item in question_set.items)
            team.fill(name, session, question_set, say, PACES[name])
            team.hand_in(session)

    do("Ann", "cook")
    do("Dan", "cook")
    assert team.status_history("judge") == {"Dan": [QualificationStatus.WARNED]}
    do("Ben", "cook")
    _dan_is_kept_from_it(team, say)
    do("Ann", "craft", "sport")
    do("Ben", "craft")
    begun = _cleo_leaves_things_open(team)
    do("Eve", "sport")
    do("Fay", "sport")
    for _ in range(2):
        assert team.does_one("Vera", "judge", say, 10)
    _break_ties(team, say)
    assert team.work("judge", ("Vera",), say, pace_s=10) == {"Vera": 1}
    _cleo_is_late(team, *begun, say)


def _dan_is_kept_from_it(team: Team, say: Script) -> None:
    """Dan has two tasks when the second check is answered wrongly: the open one goes back."""
    team.sit_down("Dan")
    work = team.project.work
    first, second = work.claim_next("judge"), work.claim_next("judge")
    assert first is not None
    assert second is not None
    session, question_set = team.begin(first.id)
    team.fill("Dan", session, question_set, say, PACES["Dan"])
    team.hand_in(session)
    assert team.status_history("judge") == {
        "Dan": [QualificationStatus.WARNED, QualificationStatus.SUSPENDED]
    }
    assert team.take("Dan", "judge") is None
    assert work.record(second.id).status is TaskStatus.WAITING
    assert team.name_of(second.video_id) == "sport"


def _cleo_leaves_things_open(team: Team) -> tuple[Session, QuestionSet]:
    """What is incomplete is not taken; two days later somebody else has done it."""
    task_id = team.take("Cleo", "judge")
    assert task_id is not None
    session, question_set = team.begin(task_id)
    some = {"valuable": Picked(ALL)}
    team.fill("Cleo", session, question_set, lambda _: some, 10)
    with pytest.raises(WorkError, match=r"” has no answer\."):
        team.hand_in(session)
    team.rest(49 * 3600)
    team.project.work.enter(None)
    return session, question_set


def _cleo_is_late(team: Team, session: Session, question_set: QuestionSet, say: Script) -> None:
    """What others have finished meanwhile can be answered no more."""
    team.sit_down("Cleo")
    with pytest.raises(ProjectError, match="the task is complete"):
        team.fill("Cleo", session, question_set, say, 10)
    team.lead_sits_down()


def _break_ties(team: Team, say: Script) -> None:
    """Two more are asked about two sets only; Wim settles what five could not."""
    for name in ("Gus", "Ben"):
        task_id = team.take(name, "judge")
        assert task_id is not None
        session, question_set = team.begin(task_id)
        asked = [item.text for item in question_set.items if item.text.startswith("Question")]
        assert asked == ["Question 1 of sport?", "Question 2 of sport?"]
        team.fill(name, session, question_set, say, PACES[name])
        team.hand_in(session)
        assert team.take(name, "judge") is None
    task_id = team.take("Wim", "judge")
    assert task_id is not None
    record = team.project.work.record(task_id)
    assert record.is_adjudicating
    assert len(team.project.work.submissions(task_id)) == 5
    session, question_set = team.begin(task_id)
    (left,) = [item for item in question_set.items if not question_set.is_done(item)]
    assert left.text == "Question 1 of sport?"

    def settle(asked: Asked) -> dict[str, Value]:
        return {**_careful(1), "certificate": LONG} if asked.item.id == left.id else {}

    team.fill("Wim", session, question_set, settle, 10)
    team.hand_in(session)


def _judge_the_tables(team: Team, folder: Path) -> None:
    team.command("stats export", folder, "--resamples", 0)
    statements = {
        "video": "The video is necessary to answer it; it cannot be guessed",
        "true": "The answer is correct, or can be corrected",
        "one-answer": "No decoy is also correct",
        "not-trivial": "It needs more than a single moment of the video",
    }
    # cook/1 by two of three for two reasons, cook/2 by all for two as well, craft/1 by two flags,
    # craft/3 by who verified, sport/9 by the lead.
    often = statements.pop("true")
    reasons = ("It does not play", "It repeats another.", *reversed(statements.values()))
    assert _table(folder, "discards") == [
        ("all", "", 27, 5, 5 / 27),
        ("reason", often, 27, 2, 2 / 27),
        *(("reason", reason, 27, 1, 1 / 27) for reason in reasons),
        # Of each type three sets on each video: cook/2; cook/1 and craft/1; craft/3 and sport/9.
        ("type", "Comparison", 9, 1, 1 / 9),
        ("type", "Counting", 9, 2, 2 / 9),
        ("type", "Predictive", 9, 2, 2 / 9),
        # What they would have discarded: Ann craft/2 as well; Ben saw two sets of sport besides.
        ("rater", "Ann", 27, 4, 4 / 27),
        ("rater", "Ben", 20, 3, 3 / 20),
        ("rater", "Dan", 18, 1, 1 / 18),
        ("rater", "Eve", 9, 0, 0),
        ("rater", "Fay", 9, 0, 0),
        ("rater", "Gus", 2, 0, 0),
    ]
    # Of cook 3 to 9, of craft 2 and 4 to 9, of sport 1 to 8.
    assert _table(folder, "modalities") == [
        ("audio", 9, 9 / 22),
        ("both", 5, 5 / 22),
        ("either", 3, 3 / 22),
        ("vision", 5, 5 / 22),
    ]
    _judge_certificates(folder)
    # Ann: 3 tasks of 9 sets and a check, 30 s each; Dan and Ben 2 tasks, at 10 and 20 s; Eve and
    # Fay one, at 20 and 40 s; Cleo 10 units of 10 s and half a minute of two days; Gus and Ben 2
    # sets and a check at 20 s; Wim 9 sets of 10 s. Vera sees all but the one set that was flagged.
    judging = 900 + 200 + 400 + 200 + 400 + (100 + 30) + 60 + 60 + 90
    assert team.hours() == {
        ("training", "judge"): Hours(2, 12, 12 * 3 * 10.0),
        ("judge", "judge"): Hours(3, 13, judging),
        ("judge", "verify"): Hours(3, 3, 26 * 10.0),
    }
    total = (360 + judging + 260) / 3600
    assert _table(folder, "hours")[-1] == ("all", "", "", "", "", "", pytest.approx(total))


def _judge_certificates(folder: Path) -> None:
    """A tenth of a second has three frames: the long ones are 9 in 15, the short ones 6."""
    # Who agreed with all and came first: Ann on cook and sport, Dan on craft; Vera mended one.
    cook, sport = [0.3, 0.2, 0.3, 0.2, 0.3, 0.2, 0.3], [0.3, 0.2] * 4
    lengths = [*cook, 0.1, 0.5, *[0.1] * 5, *sport]
    reaches = [0.5 if length == 0.3 else length for length in lengths]
    spans = [2 if length == 0.3 else 1 for length in lengths]
    # Ann, Dan and Ben take 30, 10 and 20 s; Ann, Eve and Fay 30, 20 and 40 s, and two sets of sport
    # have 20 s of Gus and of Ben besides. Ann would not keep craft/2 and marked nothing there.
    efforts = [20] * 7 + [15] + [20] * 8 + [30] * 6
    rows = {"spans": spans, "length_s": lengths, "reach_s": reaches, "share": lengths}
    assert _table(folder, "certificates") == [
        (name, 22, *map(pytest.approx, (fmean(v), median(v), min(v), max(v))))
        for name, v in (rows | {"effort_s": efforts}).items()
    ]
    proofs = _table(folder, "proofs")
    assert [row[3] for row in proofs] == pytest.approx(lengths)
    assert [row[6] for row in proofs] == efforts


def _judge_agreement(folder: Path) -> None:
    """Of 26 sets (one has but Dan's answer) the share of pairs that agree; by hand."""
    found = agreement_in(folder, "judge")
    percent = {name: value for (name, method), value in found.items() if "percent" in method}
    # craft/2: one pair of three; cook/1: none.
    assert percent["valuable"] == pytest.approx((24 + 1 / 3) / 26, abs=1e-12)
    # Nothing more is asked of who discards: one answer about cook/1, none about cook/2. cook/4:
    # one pair of three; sport/1: two pairs of ten.
    assert percent["type"] == pytest.approx((22 + 1 / 3 + 2 / 10) / 24, abs=1e-12)
    # sport/2: three pairs of ten.
    assert percent["modality"] == pytest.approx((23 + 3 / 10) / 24, abs=1e-12)
    known = {
        row["person"]: (int(row["right"]), int(row["answers"]))
        for row in read_table(folder / "gold-answers.csv")
        if row["kind"] == "judge"
    }
    assert known == {
        **dict.fromkeys(("Ann", "Ben"), (2, 2)),
        "Dan": (0, 2),
        **dict.fromkeys(("Eve", "Fay", "Gus"), (1, 1)),
    }


def _judge_the_lists(team: Team, folder: Path) -> None:
    path = folder / "neptune_full.json"
    said = team.command("questions build-dataset", path)
    assert said == (f"{path}: sets 22, audio 9, both 5, either 3, vision 5\n", "")
    assert list(neptune_faults(path)) == []
    found = {each["key"]: each for each in load(path)}
    assert list(found) == [
        *(f"cook/{n}" for n in range(3, 10)),
        *(f"craft/{n}" for n in (2, *range(4, 10))),
        *(f"sport/{n}" for n in range(1, 9)),
    ]
    assert {each["question type"] for each in found.values()} == set(TYPES)
    mended = found["cook/3"]
    assert mended["question"] == "Question 3 of cook, in full?"
    assert mended["answer"] == "Nearly right"
    assert {mended[f"answer_choice_{i}"] for i in range(5)} == {
        *("Nearly right", "Less wrong", "Wrong 1", "Wrong 2", "Wrong 3")
    }
    assert found["sport/1"]["question type"] == "Counting"
    by_modality: dict[str, str] = {}
    for modality, n in (("audio", 9), ("both", 5), ("either", 3), ("vision", 5)):
        of_one = folder / f"neptune_full.{modality}.json"
        assert list(neptune_faults(of_one)) == []
        part = load(of_one)
        assert len(part) == n
        assert all(found[each["key"]] == each for each in part)
        by_modality |= {each["key"]: modality for each in part}
    assert by_modality == {key: MODALITIES[int(key[-1]) - 1] for key in found}
    text = path.read_text(encoding="utf-8")
    assert not any(word in text for word in (*team.people, "seed", "submission", "certificate"))
    side = load(folder / "neptune_full.provenance.json")
    assert set(side["sets"]) == set(found)


def _table(folder: Path, name: str) -> list[tuple[object, ...]]:
    with (folder / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    return [tuple(map(_cell, row)) for row in rows[1:]]


def _cell(text: str) -> object:
    return float(text) if text.replace(".", "").isdigit() else text


def test_from_proposed_sets_to_lists_and_tables(team: Team, tmp_path: Path) -> None:
    _train(team)
    _work(team)
    team.lead_sits_down()
    repeated = next(i for i in team.items("judge") if i.source["key"] == "sport/9")
    team.project.questions.discard([repeated.id], "It repeats another.")
    _judge_the_tables(team, tmp_path)
    _judge_agreement(tmp_path)
    _judge_the_lists(team, tmp_path)
