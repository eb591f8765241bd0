"""Every recipe with careless, colluding and suspended raters; what is published follows from the
exported files alone.

Careless people pick by lot, colluders say the same wrong thing, and one person is suspended and
their votes are voided, so that others answer again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotator.domain.answer import Picked, Spans, Value
from annotator.domain.people import Role
from annotator.domain.questions.quality import QualificationStatus
from tests.e2e.recipes import test_neptune as neptune
from tests.e2e.recipes import test_perception_test as perception
from tests.e2e.recipes import test_video_tt as video_tt
from tests.e2e.recipes.clips import make_clips
from tests.e2e.recipes.conftest import MakeTeam
from tests.e2e.recipes.drawing import draw
from tests.e2e.recipes.pacs_answering import assign_questions
from tests.e2e.recipes.pacs_objects import find_objects
from tests.e2e.recipes.pacs_story import BAD, CLIPS, SPLITS, WRITERS, Log, named
from tests.e2e.recipes.pacs_tests import qualify
from tests.e2e.recipes.pacs_writing import write_questions
from tests.e2e.recipes.recompute import (
    grounded_faults,
    material_faults,
    multiple_choice_faults,
    neptune_faults,
    pacs_faults,
    video_tt_faults,
)
from tests.e2e.recipes.team import Asked, Script, Team


def _lot(asked: Asked, options: Sequence[str]) -> str:
    """Return what somebody careless picks."""
    return random.Random(f"{asked.who} {asked.item.id}").choice(options)


def _finish(team: Team, kind: str, names: Sequence[str], script: Script) -> None:
    """Let people work until nobody finds a task any more."""
    while sum(team.work(kind, names, script).values()):
        pass


def _suspend(team: Team, name: str, kind: str) -> None:
    """Suspend somebody and void their votes, as a lead does on the command line."""
    about = (name, "--task-type", kind)
    team.command("team qualification suspend", *about)
    said = team.command("team qualification void", *about, "--reason", "Does not look.", "--apply")
    assert "Votes voided in 0" not in said.out


def _votes(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["items"]
    return found


def _check_voided(team: Team, path: Path, name: str) -> None:
    """None of somebody's votes counts, and all of them are on record."""
    items = _votes(path)
    person = team.people[name]
    assert all(vote["person"] != person for item in items for vote in item["votes"])
    voided = [vote for item in items for vote in item["voided"]]
    assert voided
    assert {(vote["person"], vote["reason"]) for vote in voided} == {(person, "Does not look.")}


def _turned(path: Path, kind: str, field: str, answer: Value | dict[str, Any]) -> None:
    """Forge all votes on a field of the first item that has some."""
    whole = json.loads(path.read_text(encoding="utf-8"))
    for item in whole["items"]:
        found = [vote for vote in item["votes"] if vote["field"] == field]
        if item["kind"] == kind and found and not item["why"]:
            for vote in found:
                vote["answer"] = answer
            break
    path.write_text(json.dumps(whole), encoding="utf-8")


def test_perception_test(make_team: MakeTeam, tmp_path: Path) -> None:
    facts = [
        {"video": name, "script": "cups-game", "camera": "static", "split": "valid"}
        for name in perception.VIDEOS[:4]
    ]
    clips = make_clips(tmp_path / "media", perception.VIDEOS[:4], n_frames=perception.FRAMES)
    team = make_team("perception-test", clips, facts)
    everybody = (*perception.FIVE, "Fay", "Gus", *perception.OTHERS)
    team.hire(*everybody)
    team.hire("Hal", "Vera", roles=(Role.REVIEWER,))
    team.command("questions run", "create-questions")
    team.work("open-answers", ("Ann", "Ben"), perception._openly(team))
    team.ask("create-questions")

    def say(asked: Asked) -> dict[str, Value]:
        keys = sorted(option.key for option in asked.item.options)
        if asked.who in ("Dan", "Fay"):
            return {"answer": Picked((_lot(asked, keys),))}
        if asked.who in ("Cleo", "Eve"):
            return {"answer": Picked((keys[-1],))}
        return {"answer": Picked((keys[0],))}

    def settle(asked: Asked) -> dict[str, Value]:
        is_open = asked.question_set.value(asked.item.id, "answer") is None
        return say(asked) if is_open else {}

    def answer(names: Sequence[str]) -> None:
        _finish(team, "questions", names, say)
        while team.does_one("Hal", "questions", settle):
            pass
        team.lead_sits_down()

    answer(("Ann", "Cleo", "Dan", "Eve", "Fay", "Gus"))
    _suspend(team, "Dan", "questions")
    answer(("Ann", "Ben", "Cleo", "Eve", "Fay", "Gus", "Max"))

    def confirm(asked: Asked) -> dict[str, Value]:
        """Ida and Jon deny in secret whatever is about touching; Kim picks by lot."""
        if asked.who == "Kim":
            return {"answer": _lot(asked, ("yes", "no")) == "yes"}
        return {"answer": asked.who == "Lea" or "touch" not in asked.item.text}

    kinds = ("object-tracks", "point-tracks", "actions", "sounds")
    draw(team, ("Ann", "Ben", "Vera"), ("video_1", "video_2"), kinds)
    team.ask("create-grounded")
    _finish(team, "grounded-questions", ("Ida", "Jon", "Kim", "Lea"), confirm)
    team.command("questions run", "resolve-grounded")
    team.ask("sample-options")
    data_set, cuts = tmp_path / "all_valid.json", tmp_path / "cuts.json"
    team.command("export", data_set)
    team.command("questions build-dataset", cuts)
    votes = tmp_path / "cuts.votes.json"
    _check_voided(team, votes, "Dan")
    published = json.loads(data_set.read_text(encoding="utf-8"))
    assert sum(len(entry["mc_question"]) for entry in published.values()) > 20
    assert list(multiple_choice_faults(data_set, votes)) == []
    assert sum(len(entry["grounded_question"]) for entry in published.values()) > 1
    assert list(grounded_faults(data_set, votes)) == []
    _turned(votes, "grounded-questions", "answer", {"truth": False})
    assert len(list(grounded_faults(data_set, votes))) < 2
    _turned(votes, "questions", "answer", {"picked": ["nothing"]})
    assert len(list(multiple_choice_faults(data_set, votes))) == 1


def test_pacs(make_team: MakeTeam, tmp_path: Path) -> None:
    facts = [
        {"video": name, "split": SPLITS.get(name, "train"), "source": f"tube-{name}",
         "source_start": 100, "source_end": 109}
        for name in CLIPS
    ]  # fmt: skip
    team = make_team("pacs", make_clips(tmp_path / "media", CLIPS), facts)
    team.hire(*WRITERS, "Fay", "Gus", "Hal", "Ida", "Kim", "Lou", "Pia", "Zoe")
    log = Log()
    find_objects(team)
    qualify(team)
    write_questions(team, log)
    assign_questions(team, log)
    team.ask("create-confirmations")

    def confirm(asked: Asked) -> dict[str, Value]:
        """Gus and Hal say in secret that it is always the second; Ida picks by lot."""
        if asked.item.text == BAD:
            return {"answer": Picked(("bad-question",))}
        first = log.said[named(team, asked), asked.item.text][0][1]
        if asked.who in ("Gus", "Hal"):
            return {"answer": Picked(("object-2",))}
        if asked.who == "Ida":
            return {"answer": Picked((_lot(asked, ("object-1", "object-2", first, first)),))}
        return {"answer": Picked((first,))}

    everybody = ("Gus", "Ida", "Hal")
    _finish(team, "confirm", everybody, confirm)
    _suspend(team, "Gus", "confirm")
    _finish(team, "confirm", ("Hal", "Ida", "Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"), confirm)
    folder = tmp_path / "pacs"
    team.command("questions build-dataset", folder)
    votes = folder / "votes.json"
    _check_voided(team, votes, "Gus")
    assert list(pacs_faults(folder)) == []
    assert list(material_faults(folder)) == []
    asked = json.loads((folder / "train_data.json").read_text(encoding="utf-8"))
    texts = {each["text"] for questions in asked.values() for each in questions.values()}
    whole = json.loads(votes.read_text(encoding="utf-8"))
    for item in whole["items"]:
        if item["kind"] == "confirm" and item["question"] in texts:
            item["votes"] = item["votes"][:1]
    votes.write_text(json.dumps(whole), encoding="utf-8")
    published = sum(len(questions) for questions in asked.values())
    assert len(list(pacs_faults(folder))) >= published > 0


def test_neptune(make_team: MakeTeam, tmp_path: Path) -> None:
    clips = make_clips(tmp_path / "media", neptune.VIDEOS, n_frames=neptune.N_FRAMES)
    team = make_team("neptune", clips, [{"video": name} for name in neptune.VIDEOS])
    team.hire(*neptune.RATERS)
    team.hire(*neptune.JUDGES, roles=(Role.REVIEWER,))
    sets = tmp_path / "sets.json"
    sets.write_text(json.dumps(neptune._sets()), encoding="utf-8")
    team.command("questions import", sets)
    neptune._train(team)

    def say(asked: Asked) -> dict[str, Value]:
        if asked.item.text.startswith("Please"):
            right = {"type": Picked(("Other",)), "modality": Picked(("either",))}
            return {"valuable": Picked(neptune.ALL)} | (
                right if asked.who != "Dan" else neptune._careful(1)
            )
        number = int(asked.item.text.removeprefix("Question ").split("?")[0].split(" of ")[0])
        careful = {**neptune._careful(number), "certificate": Spans(((0, 6),))}
        if asked.who in ("Eve", "Fay") and number % 3 == 0:
            return {"valuable": Picked(neptune.ALL[1:])}
        if asked.who in ("Eve", "Fay"):
            return careful | {"type": Picked(("Other",))}
        if asked.who == "Cleo" and _lot(asked, ("drop", "keep")) == "drop":
            return {"valuable": Picked(neptune.ALL[:3])}
        if asked.who == "Cleo":
            return careful | {"type": Picked((_lot(asked, neptune.TYPES),))}
        return careful

    def settle(asked: Asked) -> dict[str, Value]:
        return {} if asked.question_set.is_done(asked.item) else say(asked)

    def judge(names: Sequence[str]) -> None:
        before = -1
        while before != (before := len(team.project.work.board())):
            _finish(team, "judge", names, say)
            for name in neptune.JUDGES:
                while team.does_one(name, "judge", settle):
                    before = -1
            team.lead_sits_down()

    judge(("Dan", "Eve", "Cleo"))
    assert team.status_history("judge")["Dan"][-1] is QualificationStatus.SUSPENDED
    _suspend(team, "Dan", "judge")
    judge(("Eve", "Fay", "Cleo", "Ann", "Ben", "Gus"))
    path = tmp_path / "neptune_full.json"
    team.command("questions build-dataset", path)
    votes = tmp_path / "neptune_full.votes.json"
    _check_voided(team, votes, "Dan")
    assert json.loads(path.read_text(encoding="utf-8"))
    assert list(neptune_faults(path, votes, neptune.ALL)) == []
    kept = json.loads(path.read_text(encoding="utf-8"))[0]["key"]
    whole = json.loads(votes.read_text(encoding="utf-8"))
    (item,) = [each for each in whole["items"] if each["source"].get("key") == kept]
    for vote in item["votes"]:
        if vote["field"] == "valuable":
            vote["answer"] = {"picked": []}
    votes.write_text(json.dumps(whole), encoding="utf-8")
    assert len(list(neptune_faults(path, votes, neptune.ALL))) == 1


def test_video_tt(make_team: MakeTeam, tmp_path: Path) -> None:
    facts = [
        {"video": name, "youtube_url": f"https://www.youtube.com/shorts/{name}abcdef"}
        for name in video_tt.CLIPS
    ]
    team = make_team("video-tt", make_clips(tmp_path / "media", video_tt.CLIPS), facts)
    everybody = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Vic", "Xan")
    team.hire(*everybody)
    video_tt._try_and_choose(team)
    team.ask("create-primary")
    team.work("primary", ("Ann",), video_tt._written)
    team.ask("create-alignment")

    def agree(asked: Asked) -> dict[str, Value]:
        """Cleo and Dan say the same that is wrong and drop a good one; Eve picks by lot."""
        (clip,) = team.names(asked.item)
        if asked.who in ("Cleo", "Dan"):
            return {"answer": "He jumps.", "dropped": clip == "clip3"}
        if asked.who == "Eve":
            return {"dropped": _lot(asked, ("yes", "no", "no")) == "yes"}
        return {"question": "Why does he fall?", "answer": "He slips.", "dropped": False}

    def align(kind: str, names: Sequence[str], script: Script) -> None:
        for _ in range(6):
            _finish(team, kind, names, script)
            team.command("questions run", "resolve-alignment")
            if team.items("sampling-check"):
                _finish(team, "sampling-check", ("Vic", "Xan"), lambda _: {"sound": True})

    _finish(team, "alignment", ("Cleo", "Eve"), agree)
    _suspend(team, "Eve", "alignment")
    _finish(team, "alignment", ("Dan",), agree)
    align("alignment", ("Ben", "Cleo"), agree)
    align("alignment", ("Ben", "Vic"), agree)
    variants: dict[str, Value] = {
        "paraphrased": "What makes him fall?",
        "correctly-led": "It is icy. Why does he fall?",
        "wrongly-led": "He was pushed. Why does he fall?",
        "multiple-choice": "Why does he fall?",
        "option-a": "He slips.",
        "option-b": "A push.",
        "option-c": "He faints.",
        "option-d": "He flies.",
    }
    team.work("variants", ("Dan",), lambda _: variants)
    team.ask("create-alignment")

    def check(asked: Asked) -> dict[str, Value]:
        (clip,) = team.names(asked.item)
        texts: dict[str, Value] = {"wrongly-led": "He flew. Why does he fall?"}
        return {"dropped": clip == "clip2"} if clip == "clip2" else {**texts, "dropped": False}

    align("variants-alignment", ("Ann", "Ben"), check)
    path = tmp_path / "test.json"
    team.command("questions build-dataset", path)
    votes = tmp_path / "test.votes.json"
    _check_voided(team, votes, "Eve")
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert len(rows) >= 5
    assert list(video_tt_faults(path, tmp_path / "test.provenance.json", votes)) == []
    _turned(votes, "alignment", "answer", {"text": "Somebody else."})
    assert len(list(video_tt_faults(path, tmp_path / "test.provenance.json", votes))) <= 4
