"""PACS, third part: objects are paired, and questions written about the pairs."""

from __future__ import annotations

import pytest

from annotator.domain.answer import Flagged, FrameBox, Picked, Value
from annotator.domain.errors import WorkError
from annotator.domain.geometry import Box
from annotator.domain.questions.items.item import Purpose
from tests.e2e.recipes.clips import N_FRAMES, SQUARE
from tests.e2e.recipes.pacs_story import BAD, BOTH, TEST, VAL, WRITERS, WRONG, Log, named
from tests.e2e.recipes.team import Asked, Script, Team


def _checks() -> list[dict[str, object]]:
    checks = [("write", BOTH, "object-2"), *(("reassign", BAD, "bad-question"),) * 2]
    checks.append(("confirm", BAD, "bad-question"))
    return [
        {
            "kind": kind,
            "purpose": "attention",
            "key": f"check {n}",
            "question": text,
            "right": {"answer": right},
        }
        for n, (kind, text, right) in enumerate(checks)
    ]


def _write(team: Team, log: Log) -> Script:
    """Everybody writes one question, Dan two; Eve finds the objects of the test pair too alike."""

    def answers(asked: Asked) -> dict[str, Value]:
        if asked.item.text == BOTH:
            done = {"question": "It says object 2.", "answer": Picked(("object-2",))}
            return {**done, "properties": ("none",)} if not asked.entry else {}
        # What is meant is boxed on the middle frame of both clips.
        assert asked.item.boxes == (FrameBox(N_FRAMES // 2, Box(*map(float, SQUARE))),) * 2
        pair, who = named(team, asked), asked.who
        if who == "Eve" and "cup" in pair:
            return {"flag": Flagged("too-alike")} if not asked.entry else {}
        if asked.entry and who != "Dan":
            return {}
        text = f"Which object would {who} rather {('throw', 'bend')[asked.entry]}, {pair}?"
        log.bank.setdefault(pair, []).append(text)
        log.note(pair, text, who, "object-1")
        return {
            "question": text,
            "answer": Picked(("object-1",)),
            "properties": ("weight",) if not asked.entry else ("stiffness", "strength"),
            "statement": f"{who} would rather do so with it.",
        }

    return answers


def write_questions(team: Team, log: Log) -> None:
    n_pairs, said = team.ask("create-pairs")
    # Four objects of train are in three pairs each; two of val and of test in one, two too few.
    assert n_pairs == 6 + 1 + 1
    few = "The object has 2 pairs too few: its split has too few objects."
    assert {
        "mute: The clip was excluded: the answer did not change with sound.",
        f"parrot: The clip was excluded: “{WRONG}”.",
        *(f"{name}: {few}" for name in (*VAL, *TEST)),
    } <= set(said)
    team.bring_in("checks.json", _checks())
    script = _write(team, log)
    # Ben first leaves open what he has to say, and cannot hand that in; then he says it.
    task_id = team.take("Ben", "write")
    assert task_id is not None
    session, question_set = team.begin(task_id)
    assert {problem.field for problem in question_set.problems(question_set.items[0])} == {
        "question", "answer", "properties",
    }  # fmt: skip
    with pytest.raises(WorkError) as refused:
        team.hand_in(session)
    assert refused.value.code == "unanswered"
    team.fill("Ben", session, question_set, script)
    assert question_set.problems() == ()
    team.hand_in(session)
    done = team.work("write", (*WRITERS, "Fay"), script)
    assert done == {**dict.fromkeys(WRITERS, 8), "Ben": 7, "Fay": 0}
    assert {pair: len(texts) for pair, texts in log.bank.items()} == {
        "_".join(team.names(item)): 5 if "cup" in team.names(item) else 6
        for item in team.items("write")
        if item.purpose is Purpose.WORK
    }
