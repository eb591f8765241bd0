"""PACS, second part: tests to be passed, with a second attempt, by grades and by known answers."""

from __future__ import annotations

from annotator.domain.answer import FrameBox, Picked, Value
from annotator.domain.geometry import Box
from annotator.domain.questions.quality import QualificationStatus
from tests.e2e.recipes.clips import N_FRAMES, SQUARE
from tests.e2e.recipes.pacs_story import WRITERS
from tests.e2e.recipes.team import Asked, Script, Team


def qualify(team: Team) -> None:
    """Tests before the work: writing and reasons are graded, answers are known."""
    team.bring_in("tests.json", _tests())
    # Whoever has not passed gets no work that requires it.
    assert team.take("Ann", "write") is None
    for name in (*WRITERS, "Zoe"):
        assert team.does_one(name, "writing-test", _write_test)
        # The next round waits for the grades of this one.
        assert team.take(name, "writing-test") is None
    for name in WRITERS[:-1]:
        _grade(team, name, 4, 2)
    # Eve and Zoe fail with a mean of 2.5 and try again: 3 is enough, 2.5 is not.
    for name, second in (("Eve", (3, 3)), ("Zoe", (2, 3))):
        _grade(team, name, 2, 3)
        assert team.does_one(name, "writing-test", _write_test)
        _grade(team, name, *second)
    assert team.take("Zoe", "writing-test") is None
    last = {name: found[-1] for name, found in team.status_history("writing-test").items()}
    assert last == {
        **dict.fromkeys(WRITERS, QualificationStatus.PASSED),
        "Zoe": QualificationStatus.SPENT,
    }
    # Four right of five are the 80 % that are asked for, three are not.
    for name, wrong in (("Fay", 1), ("Gus", 0), ("Hal", 1), ("Ida", 0), ("Lou", 0), ("Pia", 0)):
        assert team.does_one(name, "answer-test", _known(wrong))
    assert team.does_one("Kim", "answer-test", _known(2))
    assert team.take("Kim", "reasons-test") is None
    for name in ("Fay", "Gus", "Hal", "Ida", "Lou", "Pia"):
        assert team.does_one(name, "reasons-test", _reason)
        _grade(team, name, 2 if name == "Pia" else 3)
    for name in ("Kim", "Pia", "Zoe"):
        assert team.take(name, "reassign") is None
    team.lead_sits_down()
    status_history = {p.name: p.passed for p in team.project.work.people.all() if p.passed}
    assert status_history == {
        **{name: {"writing-test"} for name in WRITERS},
        **{name: {"answer-test", "reasons-test"} for name in ("Fay", "Gus", "Hal", "Ida", "Lou")},
        "Pia": {"answer-test"},
    }


def _tests() -> list[dict[str, object]]:
    """Two rounds of writing about two pairs, five known answers, and answers with reasons."""
    written = [
        {"kind": "writing-test", "videos": pair, "key": f"{pair[0]} {n}"}
        for pair in (["fog", "mute"], ["parrot", "void"])
        for n in range(2)
    ]
    known = [
        {
            "kind": "answer-test",
            "videos": ["fog", "void"],
            "question": f"Which is heavier, {n}?",
            "right": {"answer": "Object 1"},
        }
        for n in range(5)
    ]
    reasons = {
        "kind": "reasons-test",
        "videos": ["mute", "void"],
        "question": "Which floats?",
        "boxes": [{"frame": N_FRAMES // 2, "box": SQUARE}, None],
    }
    return [*written, *known, reasons]


def _write_test(asked: Asked) -> dict[str, Value]:
    if asked.entry:
        return {}
    return {
        "question": f"Which object is harder, as {asked.who} asks?",
        "answer": Picked(("object-1",)),
        "properties": ("hardness",),
    }


def _known(wrong: int) -> Script:
    def answers(asked: Asked) -> dict[str, Value]:
        number = int(asked.item.text.removesuffix("?")[-1])
        return {"answer": Picked(("object-2" if number < wrong else "object-1",))}

    return answers


def _reason(asked: Asked) -> dict[str, Value]:
    # What is meant is boxed as the file has it, in the first of both.
    assert asked.item.boxes == (FrameBox(N_FRAMES // 2, Box(*map(float, SQUARE))), None)
    return {"answer": Picked(("object-2",)), "why": "Wood is lighter than water, steel is not."}


def _grade(team: Team, name: str, *grades: int) -> None:
    """Let the lead grade what somebody handed in for a test, item by item."""
    given = ",".join(map(str, grades))
    said = team.command("team grade", name, "--grades", given)
    assert f"mean grade {sum(grades) / len(grades):.3g}" in said.out
