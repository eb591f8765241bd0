"""The questions of the Perception Test from a bank to its files, with the recipe as shipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.answer import Picked, Value
from annotator.domain.people import Role
from annotator.domain.questions.items.item import ItemState
from annotator.domain.work.records import Flag, TaskStatus
from annotator.media import Video
from annotator.media.index.frame_table import FrameTable
from annotator.services.session import Session
from tests.e2e.recipes.checker import answer_faults, cut_faults, load, perception_faults
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.drawing import draw
from tests.e2e.recipes.recompute import multiple_choice_faults
from tests.e2e.recipes.team import (
    Asked,
    Hours,
    Script,
    Team,
    agreement_in,
    read_table,
    wilson_90,
)

VIDEOS = [f"video_{n}" for n in range(1, 7)]
CUPS = VIDEOS[:4]  # the others are of another script, to which less of the bank applies
CUT = {"video_1": 5, "video_4": 12}  # the second lies at the end and hides nothing
FRAMES = 12
DRAWN = ("video_1", "video_2")
FIVE = ("Ann", "Ben", "Cleo", "Dan", "Eve")
OTHERS = ("Ida", "Jon", "Kim", "Lea", "Max")
"""Whoever was asked up to the cut of a video gets no task that shows all of it; these do."""

GOALS = {
    "video_1": "hide the ball",
    "video_2": " Hide  the ball",
    "video_3": "win the game",
    "video_4": "mix the cups up",
    "video_5": "make tea",
    "video_6": "wash up",
}
N_CUPS = {"video_1": "2", "video_2": "3", "video_3": "3", "video_4": "4"}
"""How many cups there are, in truth."""

CUPS_QUESTION = "How many cups does the person use in the game?"
GOAL_QUESTION = "What is the person trying to achieve?"
VOTES: Mapping[tuple[str, str], Mapping[str, str]] = {
    # Two against two against one, then one for each of the two: three, three and one of seven.
    ("video_4", CUPS_QUESTION): {
        "Ann": "2",
        "Ben": "2",
        "Cleo": "3",
        "Dan": "3",
        "Eve": "4",
        "Fay": "2",
        "Gus": "3",
    },
    # The same, but those who are called in agree: four of seven.
    ("video_3", CUPS_QUESTION): {
        "Ann": "3",
        "Ben": "3",
        "Cleo": "4",
        "Dan": "4",
        "Eve": "5",
        "Fay": "3",
        "Gus": "3",
    },
    # Two who collude against the other three change nothing.
    ("video_2", CUPS_QUESTION): {"Ann": "3", "Ben": "3", "Cleo": "3", "Dan": "4", "Eve": "4"},
}


@pytest.fixture
def team(make_team: MakeTeam, tmp_path: Path) -> Team:
    facts = [
        {
            "video": name,
            "script": "cups-game" if name in CUPS else "kitchen",
            "camera": "moving" if name == "video_5" else "static",
            "split": "valid",
            "cut_frame": CUT.get(name, -1 if name == "video_2" else ""),
        }
        for name in VIDEOS
    ]
    clips = make_clips(tmp_path / "media", VIDEOS, n_frames=FRAMES)
    made = make_team("perception-test", clips, facts)
    made.hire(*FIVE, "Fay", "Gus", *OTHERS)
    made.hire("Hal", "Vera", roles=(Role.REVIEWER,))
    return made


def _openly(team: Team) -> Callable[[Asked], dict[str, Value]]:
    def say(asked: Asked) -> dict[str, Value]:
        (video,) = team.names(asked.item)
        is_goal = asked.item.text == GOAL_QUESTION
        return {"answer": GOALS[video] if is_goal else "it ends"}

    return say


def _choose(team: Team) -> Callable[[Asked], dict[str, Value]]:
    """As the table says; else the truth, but Dan takes whatever he sees first."""

    def say(asked: Asked) -> dict[str, Value]:
        (video,), text = team.names(asked.item), asked.item.text
        told = VOTES.get((video, text))
        if told is not None:
            return {"answer": asked.called(told[asked.who])}
        if asked.who == "Dan":
            return {"answer": asked.shown(0)}
        if text == CUPS_QUESTION:
            return {"answer": asked.called(N_CUPS[video])}
        if text == GOAL_QUESTION:
            return {"answer": asked.called("hide the ball")}
        return {"answer": Picked((asked.item.options[0].key,))}

    return say


def _ask_openly(team: Team) -> None:
    # Of cups games eight templates have options, one of them with two slots; two fit any script.
    # Two more are asked openly first.
    n_open = 4 * 9 + 2 * 2 + 6 * 2
    assert team.command("questions run", "create-questions").out.endswith(f": {n_open} new items\n")
    assert team.work("open-answers", ("Ann", "Ben"), _openly(team)) == {"Ann": 3, "Ben": 3}
    n_chosen, said = team.ask("create-questions")
    # "What happens next" has but one answer in all, and the goals of the other script are two:
    # nothing to choose from.
    assert n_chosen == 4
    assert Counter(line.partition(",")[0].partition(":")[0] for line in said) == {
        f"{name}.mp4": 1 if name in CUPS else 2 for name in VIDEOS
    }
    goals = [i for i in team.items("questions") if i.text == GOAL_QUESTION]
    # Answers of other scripts are not offered; those that differ in case and spaces only are one.
    assert [{o.text for o in i.options} for i in goals] == [
        {"hide the ball", "win the game", "mix the cups up"}
    ] * 4


def _answer_all(team: Team) -> None:
    say = _choose(team)
    # Dan takes a task and sleeps over it for longer than a day; somebody else does it then.
    slept = team.take("Dan", "questions")
    assert slept is not None
    session, question_set = team.begin(slept)
    assert team.names(question_set.items[0]) == ("video_1",)
    _sees_no_more_than_five_frames(session)
    team.fill("Dan", session, question_set, say)
    team.rest(25 * 3600)
    four = ("Ann", "Ben", "Cleo", "Eve")
    assert team.work("questions", four, say) == dict.fromkeys(four, 6)
    assert team.does_one("Fay", "questions", say)
    team.sit_down("Dan")
    team.hand_in(session)
    record = team.project.work.record(slept)
    assert record.status is TaskStatus.COMPLETE
    assert record.flags == {Flag.LATE}
    assert team.work("questions", ("Dan",), say) == {"Dan": 5}
    _break_ties(team, say)


def _sees_no_more_than_five_frames(session: Session) -> None:
    assert session.document.video.n_frames == CUT["video_1"]
    assert session.video_path is not None
    assert session.table_bytes is not None
    with Video(session.video_path, table=FrameTable.from_bytes(session.table_bytes)) as video:
        assert len(video) == CUT["video_1"]
        with pytest.raises(IndexError):
            video.image(CUT["video_1"])


def _break_ties(team: Team, say: Script) -> None:
    """Of two videos one question is open: two more answer it, and nothing else."""
    for name in ("Fay", "Gus"):
        for _ in range(2):
            task_id = team.take(name, "questions")
            assert task_id is not None
            session, question_set = team.begin(task_id)
            assert [item.text for item in question_set.items] == [CUPS_QUESTION]
            assert team.project.work.submissions(task_id) == []
            team.fill(name, session, question_set, say)
            team.hand_in(session)
        assert team.take(name, "questions") is None
    # One of them is decided by four of seven; for the other somebody who has seen all decides.
    task_id = team.take("Hal", "questions")
    assert task_id is not None
    record = team.project.work.record(task_id)
    assert record.is_adjudicating
    assert team.name_of(record.video_id) == "video_4"
    assert len(team.project.work.submissions(task_id)) == 7
    session, question_set = team.begin(task_id)
    assert question_set.progress == (9, 10)

    def decide(asked: Asked) -> dict[str, Value]:
        is_open = asked.question_set.value(asked.item.id, "answer") is None
        return {"answer": asked.called("4")} if is_open else {}

    team.fill("Hal", session, question_set, decide)
    team.hand_in(session)
    team.lead_sits_down()
    assert team.project.work.record(task_id).status is TaskStatus.COMPLETE


def _ground(team: Team) -> None:
    """Ask of the tracks of two videos what rules find, and settle it."""
    assert team.ask("create-grounded")[0] == 0
    draw(team, ("Ida", "Jon", "Vera"), DRAWN, ("object-tracks",))
    # What the rules ask about is not complete before the actions are.
    n_asked, said = team.ask("create-grounded")
    assert n_asked == 0
    assert {line.partition(": ")[0]: ": Not complete yet" in line for line in said} == {
        f"{name}.mp4": name in DRAWN for name in VIDEOS
    }
    draw(team, ("Ida", "Jon", "Vera"), DRAWN, ("point-tracks", "actions", "sounds"))
    # Put in: the ball. Into: the box. Touched first: the ball, last: the box. Untouched: the lamp.
    assert team.ask("create-grounded")[0] == 2 * 5
    drawn: set[tuple[str, ...]] = set()

    def judge(asked: Asked) -> dict[str, Value]:
        (video,), text = team.names(asked.item), asked.item.text
        drawn.add((text, *(asked.document.track(t).info.label for t in asked.item.track_ids)))
        if video == "video_1" and "touches first" in text:
            return {"answer": asked.who != "Max"}
        if video == "video_2" and "is put into" in text:
            return {"answer": asked.who == "Kim"}
        return {"answer": True}

    three = ("Kim", "Lea", "Max")
    assert team.work("grounded-questions", three, judge) == dict.fromkeys(three, 2)
    assert drawn == {
        ("Track the objects that the person puts into something.", "ball"),
        ("Track the object that something is put into.", "box"),
        ("Track the object that the person touches first.", "ball"),
        ("Track the object that the person touches last.", "box"),
        ("Track the objects that nobody touches.", "lamp"),
    }
    # One question lost with one against two, the other got through with two against one.
    said = team.command("questions run", "resolve-grounded")
    assert said.out.endswith(": 9 new items\n")
    (lost,) = [i for i in team.items("grounded-questions") if i.state is ItemState.DISCARDED]
    assert (team.names(lost), "put into" in lost.text) == (("video_2",), True)
    assert lost.why_discarded == "Raters rejected these tracks as the answer."


def _agree_on_tracks(team: Team, folder: Path) -> None:
    """Ten questions, three people: nine yes-no-counts by hand.

    Eight questions have three of three, two have two of three: of three pairs one agrees. 27 votes
    are yes, 3 no.
    """
    team.command("stats export", folder, "--resamples", 0, "--task-type", "grounded-questions")
    found = agreement_in(folder, "grounded-questions")
    values = {method: value for (_, method), value in found.items()}
    percent = (8 + 2 / 3) / 10
    by_chance = 0.9**2 + 0.1**2
    assert values["percent-agreement"] == pytest.approx(percent, abs=1e-12)
    kappa = (percent - by_chance) / (1 - by_chance)
    assert values["fleiss-kappa"] == pytest.approx(kappa, abs=1e-12)
    # Of pairable values 4 differ (2 for each torn question); by chance 2 x 27 x 3 of 29 would.
    assert values["alpha-nominal"] == pytest.approx(1 - 29 * 4 / (2 * 27 * 3), abs=1e-12)


def _draw_finals(team: Team) -> None:
    # Nine of the bank and the goal of each cups game, two of the others.
    assert team.ask("sample-options")[0] == 4 * 10 + 2 * 2
    for item in team.items("final-questions"):
        texts = {option.text for option in item.options}
        assert len(texts) == len(item.options) == 3
        if item.text == CUPS_QUESTION:
            # "5" is in the pool and never right in this script: never drawn beside these.
            assert texts == {"2", "3", "4"}
            assert item.source["right_over_script"] == {"2": 1, "3": 2, "4": 1}
        if item.text.startswith("Is the camera"):
            assert texts == {"moving", "static or shaking", "I don't know"}


def _replace_an_option(team: Team) -> None:
    """The lead finds a wrong answer ambiguous and writes another one in its place."""
    (final,) = [
        i
        for i in team.items("final-questions")
        if i.text == CUPS_QUESTION and team.names(i) == ("video_3",)
    ]
    assert team.project.questions.spare_options(final.id) == ("5",)
    (wrong,) = [o for o in final.options if o.text == "2"]
    team.project.questions.revise(
        final.id, text=final.text, options={wrong.key: "5"}, reason="A second cup lies outside."
    )


def _export(team: Team, folder: Path) -> None:
    path = folder / "all_valid.json"
    said = team.command("export", path)
    # What nobody drew yet is said, and nothing else is wrong.
    text = "The video has no submitted annotations; only its questions are exported."
    assert {line.partition(": ")[2] for line in said.err.splitlines()} == {
        f"{name}.mp4: {text}" for name in VIDEOS if name not in DRAWN
    }
    assert list(perception_faults(path)) == []
    found = load(path)
    assert set(found) == set(VIDEOS)
    about = {name: entry["metadata"] for name, entry in found.items()}
    assert {name for name in found if about[name]["is_cup_game"]} == set(CUPS)
    assert {name for name in found if about[name]["is_camera_moving"]} == {"video_5"}
    assert {about[name]["split"] for name in found} == {"valid"}
    counts = {
        name: {task: len(value) for task, value in entry.items() if task != "metadata"}
        for name, entry in found.items()
    }
    # Boxes of three objects, three points on each, an action and a sound.
    drawn = {"object_tracking": 3, "point_tracking": 9}
    drawn |= {"action_localisation": 1, "sound_localisation": 1}
    nothing = dict.fromkeys(drawn, 0)
    assert counts == {
        "video_1": {**drawn, "mc_question": 10, "grounded_question": 5},
        "video_2": {**drawn, "mc_question": 10, "grounded_question": 4},
        **{n: {**nothing, "mc_question": 10, "grounded_question": 0} for n in CUPS[2:]},
        **{n: {**nothing, "mc_question": 2, "grounded_question": 0} for n in VIDEOS[4:]},
    }
    assert {
        name: _answers(entry)[CUPS_QUESTION] for name, entry in found.items() if name in CUPS
    } == N_CUPS
    offered = {
        name: set(each["options"])
        for name in CUPS
        for each in found[name]["mc_question"]
        if each["question"] == CUPS_QUESTION
    }
    assert offered == {n: {"2", "3", "4"} for n in CUPS} | {"video_3": {"3", "4", "5"}}
    goals = {name: _answers(entry).get(GOAL_QUESTION) for name, entry in found.items()}
    assert goals == {name: "hide the ball" if name in CUPS else None for name in VIDEOS}
    labels = [track["label"] for track in found["video_2"]["object_tracking"]]
    grounded = {
        each["question"]: [labels[i] for i in each["answers"]]
        for each in found["video_2"]["grounded_question"]
    }
    assert grounded == {
        "Track the objects that the person puts into something.": ["ball"],
        "Track the object that the person touches first.": ["ball"],
        "Track the object that the person touches last.": ["box"],
        "Track the objects that nobody touches.": ["lamp"],
    }
    text = path.read_text(encoding="utf-8")
    assert not any(word in text for word in (*team.people, "seed", "votes", "agreement"))


def _answers(entry: dict[str, Any]) -> dict[str, str]:
    return {q["question"]: q["options"][q["answer_id"]] for q in entry["mc_question"]}


def _export_parts(team: Team, folder: Path) -> None:
    """Less than all of it: one task, and what test files tell."""
    one = folder / "grounded_question_valid.json"
    team.command("export", one, "--task", "grounded_question")
    assert list(perception_faults(one)) == []
    entry = load(one)["video_1"]
    assert len(entry["grounded_question"]) == 5
    assert len(entry["object_tracking"]) == 3
    assert entry["mc_question"] == entry["action_localisation"] == entry["point_tracking"] == []
    test = folder / "all_test.json"
    team.command("export", test, "--split", "test", "--variant", "test")
    assert list(perception_faults(test, is_test=True)) == []
    told = load(test)["video_1"]
    assert told["metadata"]["split"] == "test"
    assert set(told["mc_question"][0]) == {"id", "question", "options"}
    assert [track["frame_ids"] for track in told["object_tracking"]] == [[0]] * 3


def _submit(team: Team, folder: Path) -> None:
    """Answers to one task as its scorer reads them."""
    annotated = folder / "all_valid.json"
    for variant, is_wrapped in (("submission", False), ("submission-wrapped", True)):
        path = folder / f"{variant}.json"
        team.command("export", path, "--variant", variant, "--task", "mc_question")
        assert set(load(path)) == set(VIDEOS)
        assert list(answer_faults(path, annotated, is_wrapped=is_wrapped)) == []
    path = folder / "tracks.json"
    drawn = [word for name in DRAWN for word in ("--video", name)]
    one = ("export", path, *drawn, "--frames", "all", "--variant", "submission")
    assert "one task" in team.command(*one, status=1).err
    team.command(*one, "--task", "object_tracking")
    for tracks in load(path).values():
        assert [set(track) for track in tracks] == [{"id", "bounding_boxes", "frame_ids"}] * 3
        assert all(track["frame_ids"] == list(range(FRAMES)) for track in tracks)
    team.command(*one, "--task", "action_localisation")
    (action,) = load(path)["video_1"]["action_localisation"]
    assert action == {"label": "101", "score": "1.0", "timestamps": [0.066667, 0.266667]}
    team.command(*one, "--task", "grounded_question")
    asked = load(path)["video_1"]["grounded_question"]
    assert {key: len(tracks) for key, tracks in asked.items()} == {str(i): 1 for i in range(5)}


def _export_cuts(team: Team, folder: Path) -> None:
    path = folder / "cut_frame_mapping_valid.json"
    assert team.command("questions build-dataset", path) == (f"{path}: videos 6, cut 2\n", "")
    assert list(cut_faults(path, dict.fromkeys(VIDEOS, FRAMES))) == []
    assert load(path) == {name: CUT.get(name, -1) for name in VIDEOS}
    side = folder / "cut_frame_mapping_valid.provenance.json"
    told = {
        name: next(q for q in load(side)["videos"][name] if q["question"] == CUPS_QUESTION)
        for name in CUPS
    }
    assert {name: q["votes"] for name, q in told.items()} == {
        "video_1": {"2": 5},
        "video_2": {"3": 3, "4": 2},
        "video_3": {"3": 4, "4": 2, "5": 1},
        "video_4": {"2": 3, "3": 3, "4": 1},
    }
    (edit,) = told["video_3"]["edits"]
    assert (edit["reason"], list(edit["options"].values())) == ("A second cup lies outside.", ["2"])
    # From the files alone, without the program.
    votes = folder / "cut_frame_mapping_valid.votes.json"
    assert list(multiple_choice_faults(folder / "all_valid.json", votes)) == []
    forged = json.loads(votes.read_text(encoding="utf-8"))
    for each in forged["items"]:
        if (each["videos"], each["question"]) == (["video_3"], CUPS_QUESTION):
            (five,) = [key for key, text in each["options"].items() if text == "5"]
            for vote in each["votes"]:
                vote["answer"] = {"picked": [five]}
    votes.write_text(json.dumps(forged), encoding="utf-8")
    faults = list(multiple_choice_faults(folder / "all_valid.json", votes))
    assert {fault.partition(":")[0] for fault in faults} == {"video_3"}


def _ask_people(team: Team, folder: Path) -> None:
    """Ten people who had no part answer sixteen final questions, under the same cut frames.

    Half of them cannot count, nor tell what is alike; all know what was where.
    """
    guests = [f"Guest {n}" for n in range(10)]
    team.hire(*guests, roles=(Role.PARTICIPANT,))
    # Two questions of either area on each of four videos, ten answers to each as the recipe says.
    areas = ("--area", "abstraction", "--area", "memory")
    said = team.command("study create", "Spring", "--dry-run", *areas)
    assert said.out == "16 items × 10 answers = 160; 10 people × 16\n"
    raters = [word for name in (*guests[1:], "Ann") for word in ("--person", name)]
    missing = team.command("study create", "Spring", "--dry-run", *areas, *raters)
    assert missing.out.endswith("; 1 more person needed\n")
    team.command("study create", "Spring", *areas)
    seen: dict[str, set[int]] = {}

    def say(asked: Asked) -> dict[str, Value]:
        (video,), text = team.names(asked.item), asked.item.text
        seen.setdefault(video, set()).add(asked.document.video.n_frames)
        if text.startswith("Where is the hidden object"):
            return {"answer": asked.called("under the first cup from the left")}
        truth = N_CUPS[video] if text == CUPS_QUESTION else "yes"
        knows = int(asked.who[-1]) < 5
        other = next(o.text for o in asked.item.options if o.text != truth)
        return {"answer": asked.called(truth if knows else other)}

    assert team.work("people", ("Ann", *guests), say, pace_s=12) == {
        "Ann": 0,
        **dict.fromkeys(guests, 4),
    }
    assert seen == {name: {CUT.get(name, FRAMES)} for name in CUPS}
    _judge_the_study(team, folder)


def _judge_the_study(team: Team, folder: Path) -> None:
    """80 of 80 about memory are right, 40 of 80 about abstraction; by half against half nothing is
    decided, and so not right.
    """
    assert team.command("study results", "Spring").out.startswith("Spring: 160 of 160 answers\n")
    team.command("study export", "Spring", folder)
    found: dict[tuple[str, str], dict[str, tuple[float, ...]]] = {}
    for row in read_table(folder / "results.csv"):
        told = tuple(float(row[end] or "nan") for end in ("value", "low", "high"))
        # Wilson's interval comes first.
        found.setdefault((row["by"], row["name"]), {}).setdefault(row["method"], told)
    whole, memory = found["", ""], found["area", "memory"]
    assert whole["accuracy"] == pytest.approx((120 / 160, *wilson_90(120, 160)), abs=1e-9)
    assert whole["majority-accuracy"] == pytest.approx((8 / 16, *wilson_90(8, 16)), abs=1e-9)
    assert memory["accuracy"] == pytest.approx((1, *wilson_90(80, 80)), abs=1e-9)
    abstraction = found["area", "abstraction"]["accuracy"]
    assert abstraction == pytest.approx((0.5, *wilson_90(40, 80)), abs=1e-9)
    assert found["tag", "event recall"]["accuracy"] == memory["accuracy"]
    counted = [r for r in read_table(folder / "results.csv") if r["name"] == "object counting"]
    assert {row["votes"] for row in counted if row["method"] == "accuracy"} == {"40"}
    assert found["reasoning", "descriptive"]["accuracy"] == whole["accuracy"]
    assert whole["median-seconds"][0] == 12


def test_from_a_bank_to_the_files(team: Team, tmp_path: Path) -> None:
    _ask_openly(team)
    _answer_all(team)
    # Five people did six videos: ten questions on four of them, two on two, of 20 seconds each;
    # and half a minute of Dan's rest counts. Fay did ten and two, Gus two, Hal looked at ten. On
    # the ten questions of each of four videos there were 6, 5, 7 and 8 people, on the two of the
    # others 5: 280 of 44 on a question, which would be 38 on six.
    seconds = 5 * 44 * 20 + 30 + (10 + 2 + 2 + 10) * 20
    assert team.hours()["questions", "answer"] == Hours(6, round(280 / 44 * 6), seconds)
    assert team.hours()["open-answers", "answer"] == Hours(6, 6, 12 * 20)
    _ground(team)
    _agree_on_tracks(team, tmp_path / "figures")
    _draw_finals(team)
    _replace_an_option(team)
    _ask_people(team, tmp_path / "study")
    _export(team, tmp_path)
    _export_parts(team, tmp_path)
    _submit(team, tmp_path)
    _export_cuts(team, tmp_path)
