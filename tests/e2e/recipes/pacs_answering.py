"""PACS, fourth part: questions are dealt to other pairs, answered, and confirmed by two more."""

from __future__ import annotations

from annotator.domain.answer import Flagged, Picked, Value
from annotator.domain.ids import ItemId
from annotator.domain.questions.items.item import Purpose
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.work.records import AssignmentState, TaskStatus
from tests.e2e.recipes.pacs_story import BAD, SPLITS, Log, named
from tests.e2e.recipes.team import Asked, Script, Team


def _answer_assigned(team: Team, log: Log) -> Script:
    """Cleo's questions fit nowhere else, Eve's are bad; Ben's need other words."""

    def answers(asked: Asked) -> dict[str, Value]:
        text = asked.item.text
        # Checks look like any other: with boxes, and their own words to be made better.
        assert any(asked.item.boxes)
        assert asked.item.texts == {"question": text}
        if text == BAD:
            return {"answer": Picked(("bad-question",))}
        if "Cleo" in text:
            return {"answer": Picked(("irrelevant",))}
        if "Eve" in text:
            return {"answer": Picked(("bad-question",))}
        wording = text.replace("rather", "sooner") if "Ben" in text else text
        log.note(named(team, asked), wording, asked.who, "object-2")
        return {"answer": Picked(("object-2",)), "wording": wording}

    return answers


def _careless(script: Script) -> Script:
    """Do not read the first check there is."""
    met: list[ItemId] = []

    def answers(asked: Asked) -> dict[str, Value]:
        if asked.item.text == BAD and not met:
            met.append(asked.item.id)
            return {"answer": Picked(("object-1",))}
        return script(asked)

    return answers


def assign_questions(team: Team, log: Log) -> None:
    assert team.ask("reuse-questions")[0] == 8 * 13
    of_pair: dict[str, list[str]] = {}
    for item in team.items("reassign"):
        if item.purpose is Purpose.WORK:
            of_pair.setdefault("_".join(team.names(item)), []).append(item.text)
    for pair, texts in of_pair.items():
        # Thirteen each, none twice, none of the pair's own; of those of val and test none at all.
        assert len(set(texts)) == 13
        assert not set(texts) & set(log.bank[pair])
        assert not any(name in text for text in texts for name in SPLITS)
    # Lou does not read checks: warned, and stopped at the second; what she holds goes to others.
    script = _answer_assigned(team, log)
    n_done = 0
    held = team.take("Lou", "reassign")
    while held is not None:
        session, question_set = team.begin(held)
        team.fill("Lou", session, question_set, _careless(script))
        following = team.project.work.claim_next("reassign")
        team.hand_in(session)
        n_done += 1
        left, held = following, team.take("Lou", "reassign")
    assert 2 <= n_done <= 3
    assert left is not None
    record = team.project.work.record(left.id)
    assert record.status is TaskStatus.WAITING
    assert [each.state for each in record.assignments] == [AssignmentState.LEFT]
    assert team.status_history("reassign") == {
        "Lou": [QualificationStatus.WARNED, QualificationStatus.SUSPENDED]
    }
    told = [message.text for message in team.project.work.my_work().feedback]
    assert any("read carefully" in text for text in told)
    assert team.work("reassign", ("Fay", "Lou"), script) == {"Fay": 8 - n_done, "Lou": 0}
    assert team.status_history("reassign").keys() == {"Lou"}


def _confirm(team: Team, log: Log) -> Script:
    """Hal sees the drum otherwise than Ann, Ida flags what is about bending; else as before."""

    def answers(asked: Asked) -> dict[str, Value]:
        if asked.item.text == BAD:
            return {"answer": Picked(("bad-question",))}
        pair, text = named(team, asked), asked.item.text
        assert asked.item.boxes[0] is not None
        first = log.said[pair, text][0][1]
        if asked.who == "Ida" and "bend" in text:
            log.flagged.add((pair, text))
            return {"flag": Flagged("not-physical")}
        answer = "irrelevant" if asked.who == "Hal" and "Ann" in text and "drum" in pair else first
        log.note(pair, text, asked.who, answer)
        return {"answer": Picked((answer,))}

    return answers


def settle(team: Team, log: Log) -> None:
    # The writers' own answers and those to dealt questions are confirmed, where an object answers.
    assert team.ask("create-confirmations")[0] == len(log.said)
    # Nobody looks at answers of their own: of Fay's pairs Fay gets none.
    own = {pair for (pair, _), said in log.said.items() if said[0][0] == "Fay"}
    team.sit_down("Fay")
    assert len(team.project.work.free_tasks("confirm", "answer")) == 8 - len(own)
    team.lead_sits_down()
    three = ("Gus", "Hal", "Ida")
    done = team.work("confirm", three, _confirm(team, log))
    assert sum(done.values()) == 2 * 8
