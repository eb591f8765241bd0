"""PACS from clips to its files, with the recipe as shipped: tests, checks and all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import WorkError
from annotator.domain.forms.value import Flagged, FrameBox, Picked, Value
from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId, item_id
from annotator.domain.people import Role
from annotator.domain.questions.item import Item, ItemState, Purpose
from annotator.domain.questions.screening import Standing
from annotator.domain.questions.settling import NOT_UNANIMOUS
from annotator.domain.work.records import AssignmentState, TaskStatus
from annotator.services.jobs import JobToken
from annotator.services.questions.acts import run_act, write_data_set
from annotator.services.questions.figures import agreement_of
from annotator.services.questions.studies import make_study, outlook, wish_for
from annotator.services.questions.study_results import overview, results_of
from annotator.services.viewing import open_sound
from tests.e2e.recipes.checker import load, pacs_faults
from tests.e2e.recipes.clips import N_FRAMES, SIZE, SQUARE, make_clips
from tests.e2e.recipes.floor import PACE_S, Asked, Floor, Hours, Script, wilson_90

TRAIN = ("bottle", "drum", "jar", "pan")
VAL = ("bell", "vase")
TEST = ("cup", "spoon")
KEPT = (*TRAIN, *VAL, *TEST)
OUT = ("fog", "mute", "parrot", "void")
CLIPS = (*KEPT, *OUT)
SPLITS = {**dict.fromkeys(VAL, "val"), **dict.fromkeys(TEST, "test")}
SIGHT = {"bottle": "plastic", "drum": "wood", "jar": "plastic", "pan": "steel"}
SOUND = {"bottle": "glass", "drum": "wood", "jar": "glass", "pan": "steel"}
"""What things are taken for by sight, and with sound; others are of wood."""
SURER = {"bottle": 2, "drum": 4, "jar": 3, "pan": 4}
"""How sure people are with sound, after 3 by sight; of others 4."""

WRONG = "The box is round another object than the one that is heard"
WRITERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")
QUIET = JobToken(lambda _f, _t: None)


@pytest.fixture
def floor(make_floor: Callable[[str], Floor], tmp_path: Path) -> Floor:
    made = make_floor("pacs")
    made.bring_in(
        make_clips(tmp_path / "media", CLIPS),
        tmp_path / "facts.csv",
        [
            {"video": name, "split": SPLITS.get(name, "train"), "source": f"tube-{name}",
             "source_start": 100, "source_end": 109}
            for name in CLIPS
        ],
    )  # fmt: skip
    made.hire(*WRITERS, "Fay", "Gus", "Hal", "Ida", "Kim", "Lou", "Pia", "Zoe")
    return made


# --- Objects of focus ---------------------------------------------------------------------------


def _look(floor: Floor) -> Script:
    def answers(asked: Asked) -> dict[str, Value]:
        (name,) = floor.names(asked.item)
        # One picture, the middle one, and no sound.
        assert asked.document.video.n_frames == N_FRAMES // 2 + 1
        if name == "fog":
            return {"flag": Flagged("no-object")}
        if name == "void":
            return {"flag": Flagged("blurred")}
        x1, y1, x2, y2 = SQUARE
        return {
            "focus": FrameBox(N_FRAMES // 2, Box(x1, y1, x2, y2)),
            "materials": Picked((SIGHT.get(name, "wood"),)),
            "confidence": 3,
        }

    return answers


def _listen(floor: Floor) -> Script:
    def answers(asked: Asked) -> dict[str, Value]:
        (name,) = floor.names(asked.item)
        if name == "parrot":
            return {"flag": Flagged("wrong-object")}
        is_mute = name == "mute"
        return {
            "materials": Picked((SOUND.get(name, "wood"),)),
            "confidence": 3 if is_mute else SURER.get(name, 4),
        }

    return answers


def _hears(floor: Floor, kind: str) -> bool:
    """Tell whether whoever is at the keyboard hears anything in a task of a kind."""
    task_type = floor.project.work.recipe.task_type(kind)
    assert task_type is not None
    return open_sound(floor.project.seen(floor.video("drum"), task_type.viewing)) is not None


def _find_objects(floor: Floor) -> None:
    assert len(run_act(floor.project, "looks").item_ids) == len(CLIPS)
    assert (_hears(floor, "look"), _hears(floor, "listen")) == (False, True)
    # What is asked is asked of everybody; only a flag does without.
    task_id = floor.take("Ann", "look")
    assert task_id is not None
    _, sheet = floor.begin(task_id)
    assert {problem.field for problem in sheet.problems()} == {"focus", "materials", "confidence"}
    assert floor.work("look", ("Ann", "Ben"), _look(floor)) == {"Ann": 6, "Ben": 6}
    heard = run_act(floor.project, "listens")
    assert len(heard.item_ids) == len(CLIPS) - 2
    assert {(f.where, f.text) for f in heard.findings} == {
        ("fog", "It left the set: “No object to focus on”."),
        ("void", "It left the set: “Too blurred to tell”."),
    }
    # Whoever judged by sight judges by sound; others find nothing to do, whatever is left lying.
    assert floor.take("Ann", "listen") is not None
    floor.rest(25 * 3600)
    assert floor.take("Cleo", "listen") is None
    done = floor.work("listen", ("Ann", "Ben"), _listen(floor))
    assert sum(done.values()) == len(CLIPS) - 2


# --- Tests to be passed -------------------------------------------------------------------------


def _pair(floor: Floor, *names: str) -> tuple[object, ...]:
    return tuple(floor.video(name) for name in names)


def _add_tests(floor: Floor) -> None:
    """Two rounds of writing about two pairs, five known answers, and answers with reasons."""
    made: list[Item] = []

    def add(kind: str, pair: Sequence[str], text: str = "", **right: str) -> None:
        videos = tuple(floor.video(name) for name in pair)
        known = {key: (value,) for key, value in right.items()}
        purpose = Purpose.QUALIFICATION
        made.append(Item(item_id(), kind, videos, text, right=known, purpose=purpose))

    for pair in (("fog", "mute"), ("parrot", "void")):
        add("writing-test", pair)
        add("writing-test", pair)
    for number in range(5):
        add("answer-test", ("fog", "void"), f"Which is heavier, {number}?", answer="object-1")
    add("reasons-test", ("mute", "void"), "Which floats?")
    assert floor.project.questions.add(made).refused == ()


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
    return {"answer": Picked(("object-2",)), "why": "Wood is lighter than water, steel is not."}


def _grade(floor: Floor, name: str, *grades: int) -> None:
    """Let the lead grade what somebody handed in for a test, item by item."""
    with floor.leading() as project:
        (waits,) = [w for w in project.screening.to_grade() if w.person_id == floor.people[name]]
        handed = project.screening.handed_test(waits.submission_id)
        for item, grade in zip(handed.items, grades, strict=True):
            project.screening.grade(waits.submission_id, item.id, grade)


def _qualify(floor: Floor) -> None:
    _add_tests(floor)
    # Whoever has not passed gets no work that requires it.
    assert floor.take("Ann", "write") is None
    for name in (*WRITERS, "Zoe"):
        assert floor.does_one(name, "writing-test", _write_test)
        # The next round waits for the grades of this one.
        assert floor.take(name, "writing-test") is None
    for name in WRITERS[:-1]:
        _grade(floor, name, 4, 2)
    # Eve and Zoe fail with a mean of 2.5 and try again: 3 is enough, 2.5 is not.
    for name, second in (("Eve", (3, 3)), ("Zoe", (2, 3))):
        _grade(floor, name, 2, 3)
        assert floor.does_one(name, "writing-test", _write_test)
        _grade(floor, name, *second)
    assert floor.take("Zoe", "writing-test") is None
    last = {name: found[-1] for name, found in floor.standings("writing-test").items()}
    assert last == {**dict.fromkeys(WRITERS, Standing.PASSED), "Zoe": Standing.SPENT}
    # Four right of five are the 80 % that are asked for, three are not.
    for name, wrong in (("Fay", 1), ("Gus", 0), ("Hal", 1), ("Ida", 0), ("Lou", 0), ("Pia", 0)):
        assert floor.does_one(name, "answer-test", _known(wrong))
    assert floor.does_one("Kim", "answer-test", _known(2))
    assert floor.take("Kim", "reasons-test") is None
    for name in ("Fay", "Gus", "Hal", "Ida", "Lou", "Pia"):
        assert floor.does_one(name, "reasons-test", _reason)
        _grade(floor, name, 2 if name == "Pia" else 3)
    for name in ("Kim", "Pia", "Zoe"):
        assert floor.take(name, "reassign") is None
    floor.lead_sits_down()
    standings = {p.name: p.passed for p in floor.project.work.people.all() if p.passed}
    assert standings == {
        **{name: {"writing-test"} for name in WRITERS},
        **{name: {"answer-test", "reasons-test"} for name in ("Fay", "Gus", "Hal", "Ida", "Lou")},
        "Pia": {"answer-test"},
    }


# --- Questions ----------------------------------------------------------------------------------

BOTH = "Please choose “Object 2” here, whatever you see: this shows that you read."
BAD = "Please choose “A bad question” here: this shows that you read."


@dataclass
class Log:
    """What was said of each question about a pair, noted by those who said it."""

    bank: dict[str, list[str]] = field(default_factory=dict)
    """The words of the questions that were written about each pair, "drum_jar" and so on."""
    said: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    """By pair and words of the question: (who, what), the writer's or answerer's first."""
    flagged: set[tuple[str, str]] = field(default_factory=set)

    def note(self, pair: str, text: str, who: str, answer: str) -> None:
        self.said.setdefault((pair, text), []).append((who, answer))


def _add_checks(floor: Floor) -> None:
    checks = [("write", BOTH, "object-2"), *(("reassign", BAD, "bad-question"),) * 2]
    checks.append(("confirm", BAD, "bad-question"))
    floor.project.screening.add_checks(
        Item(item_id(), kind, (), text, right={"answer": (right,)}, purpose=Purpose.ATTENTION)
        for kind, text, right in checks
    )


def _named(floor: Floor, asked: Asked) -> str:
    return "_".join(floor.names(asked.item))


def _write(floor: Floor, log: Log) -> Script:
    """Everybody writes one question, Dan two; Eve finds the objects of the test pair too alike."""

    def answers(asked: Asked) -> dict[str, Value]:
        if asked.item.text == BOTH:
            done = {"question": "It says object 2.", "answer": Picked(("object-2",))}
            return {**done, "properties": ("none",)} if not asked.entry else {}
        # What is meant is boxed on the middle frame of both clips.
        assert asked.item.boxes == (FrameBox(N_FRAMES // 2, Box(*map(float, SQUARE))),) * 2
        pair, who = _named(floor, asked), asked.who
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


def _write_questions(floor: Floor, log: Log) -> None:
    pairs = run_act(floor.project, "pairs")
    out = {(f.where, f.text) for f in pairs.findings if f.code == "clip-out"}
    assert out == {
        ("mute", "It left the set: sound made no difference."),
        ("parrot", f"It left the set: “{WRONG}”."),
    }
    # Four objects of train are in three pairs each; two of val and of test in one, two too few.
    assert len(pairs.item_ids) == 6 + 1 + 1
    lacking = {(f.where, f.text) for f in pairs.findings if f.code == "few-pairs"}
    assert lacking == {
        (name, "It is in 2 pairs too few: its split has too few objects.") for name in (*VAL, *TEST)
    }
    _add_checks(floor)
    script = _write(floor, log)
    # Ben first leaves open what he has to say, and cannot hand that in; then he says it.
    task_id = floor.take("Ben", "write")
    assert task_id is not None
    session, sheet = floor.begin(task_id)
    assert {problem.field for problem in sheet.problems(sheet.items[0])} == {
        "question", "answer", "properties",
    }  # fmt: skip
    with pytest.raises(WorkError) as refused:
        floor.hand_in(session)
    assert refused.value.code == "unanswered"
    floor.fill("Ben", session, sheet, script)
    assert sheet.problems() == ()
    floor.hand_in(session)
    done = floor.work("write", (*WRITERS, "Fay"), script)
    assert done == {**dict.fromkeys(WRITERS, 8), "Ben": 7, "Fay": 0}
    assert {pair: len(texts) for pair, texts in log.bank.items()} == {
        "_".join(floor.names(item)): 5 if "cup" in floor.names(item) else 6
        for item in floor.items("write")
        if item.purpose is Purpose.WORK
    }


def _answer_dealt(floor: Floor, log: Log) -> Script:
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
        log.note(_named(floor, asked), wording, asked.who, "object-2")
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


def _deal(floor: Floor, log: Log) -> None:
    dealt = run_act(floor.project, "deal")
    assert len(dealt.item_ids) == 8 * 13
    of_pair: dict[str, list[str]] = {}
    for item in floor.items("reassign"):
        if item.purpose is Purpose.WORK:
            of_pair.setdefault("_".join(floor.names(item)), []).append(item.text)
    for pair, texts in of_pair.items():
        # Thirteen each, none twice, none of the pair's own; of those of val and test none at all.
        assert len(set(texts)) == 13
        assert not set(texts) & set(log.bank[pair])
        assert not any(name in text for text in texts for name in SPLITS)
    # Lou does not read checks: warned, and stopped at the second; what she holds goes to others.
    script = _answer_dealt(floor, log)
    n_done = 0
    held = floor.take("Lou", "reassign")
    while held is not None:
        session, sheet = floor.begin(held)
        floor.fill("Lou", session, sheet, _careless(script))
        following = floor.project.work.claim_next("reassign")
        floor.hand_in(session)
        n_done += 1
        left, held = following, floor.take("Lou", "reassign")
    assert 2 <= n_done <= 3
    assert left is not None
    record = floor.project.work.record(left.id)
    assert record.status is TaskStatus.WAITING
    assert [each.state for each in record.assignments] == [AssignmentState.LEFT]
    assert floor.standings("reassign") == {"Lou": [Standing.WARNED, Standing.KEPT_FROM]}
    told = [message.text for message in floor.project.work.my_work().feedback]
    assert any("take your time" in text for text in told)
    assert floor.work("reassign", ("Fay", "Lou"), script) == {"Fay": 8 - n_done, "Lou": 0}
    assert floor.standings("reassign").keys() == {"Lou"}


def _confirm(floor: Floor, log: Log) -> Script:
    """Hal sees the drum otherwise than Ann, Ida flags what is about bending; else as before."""

    def answers(asked: Asked) -> dict[str, Value]:
        if asked.item.text == BAD:
            return {"answer": Picked(("bad-question",))}
        pair, text = _named(floor, asked), asked.item.text
        assert asked.item.boxes[0] is not None
        first = log.said[pair, text][0][1]
        if asked.who == "Ida" and "bend" in text:
            log.flagged.add((pair, text))
            return {"flag": Flagged("not-physical")}
        answer = "irrelevant" if asked.who == "Hal" and "Ann" in text and "drum" in pair else first
        log.note(pair, text, asked.who, answer)
        return {"answer": Picked((answer,))}

    return answers


def _settle(floor: Floor, log: Log) -> None:
    # The writers' own answers and those to dealt questions are confirmed, where an object answers.
    assert len(run_act(floor.project, "confirm").item_ids) == len(log.said)
    assert run_act(floor.project, "confirm").item_ids == ()
    # Nobody looks at answers of their own: of Fay's pairs Fay gets none.
    own = {pair for (pair, _), said in log.said.items() if said[0][0] == "Fay"}
    floor.sit_down("Fay")
    assert len(floor.project.work.free_tasks("confirm", "answer")) == 8 - len(own)
    floor.lead_sits_down()
    three = ("Gus", "Hal", "Ida")
    done = floor.work("confirm", three, _confirm(floor, log))
    assert sum(done.values()) == 2 * 8


def _expected(log: Log) -> tuple[dict[str, dict[str, int]], Counter[str]]:
    """Return by pair and words of the question the labels, and why the others were dropped."""
    kept: dict[str, dict[str, int]] = {}
    dropped: Counter[str] = Counter()
    for (pair, text), said in log.said.items():
        answers = {answer for _, answer in said}
        if (pair, text) in log.flagged:
            dropped["flagged"] += 1
        elif len(answers) > 1:
            dropped["not-unanimous"] += 1
        else:
            assert len({who for who, _ in said}) == 3
            kept.setdefault(pair, {})[text] = ("object-1", "object-2").index(answers.pop())
    return kept, dropped


# --- Files --------------------------------------------------------------------------------------


def _export(floor: Floor, log: Log, folder: Path) -> None:
    written = write_data_set(floor.project, folder, QUIET)
    assert list(pacs_faults(folder)) == []
    objects, questions = load(folder / "objects.json"), load(folder / "questions.json")
    clips = load(folder / "youtube_info.json")
    assert set(clips) == {f"tube-{name}" for name in KEPT}
    names = {key: source.removeprefix("tube-") for source, found in clips.items() for key in found}
    assert all(found == [100, 109, 104] for each in clips.values() for found in each.values())
    materials = {names[key]: each["materials"] for key, each in objects.items()}
    assert materials == {
        "bottle": ["glass"], "drum": ["wood"], "jar": ["glass"], "pan": ["steel or iron"],
        **{name: ["wood"] for name in SPLITS},
    }  # fmt: skip
    # A picture of 160 by 90 is an eighth of the one that boxes are told in.
    assert {tuple(each["bounding_box"]) for each in objects.values()} == {
        tuple(8 * side for side in SQUARE)
    }
    kept, dropped = _expected(log)
    found: dict[str, dict[str, int]] = {}
    for split in ("train", "val"):
        for pair, points in load(folder / f"{split}_data.json").items():
            name = "_".join(names[key] for key in pair.split("_"))
            assert {SPLITS.get(names[key], "train") for key in pair.split("_")} == {split}
            found[name] = {point["text"]: point["label"] for point in points.values()}
    (test_pair,) = [pair for pair in kept if "cup" in pair]
    assert found == {pair: texts for pair, texts in kept.items() if pair != test_pair}
    (told,) = load(folder / "test_data.json").values()
    assert {point["text"] for point in told.values()} == set(kept[test_pair])
    side = load(folder / "provenance.json")
    assert Counter(point["dropped"] for point in side["points"] if point["dropped"]) == dropped
    assert side["objects"] == {key: {"clip": name} for key, name in names.items()}
    assert {"_".join(point["clips"]) for point in side["points"]} >= set(kept)
    # Who answered, and how, is told in files beside the data set alone.
    for name in written.counts:
        text = (folder / name).read_text(encoding="utf-8")
        assert not any(person_id in text for person_id in floor.people.values())
        assert "object-2" not in text
    asked = {text: (statement, properties) for text, statement, properties in _bank(log)}
    for each in questions.values():
        assert (each["statement"], each["properties"]) == asked[each["question"]]
    assert written.counts["objects.json"] == len(KEPT)
    assert {(f.code, f.where) for f in written.findings} == {
        ("clip-out", "mute"), ("clip-out", "parrot"),
    }  # fmt: skip


def _bank(log: Log) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each question that was written, its statement and its properties."""
    for text in (text for texts in log.bank.values() for text in texts):
        who = text.removeprefix("Which object would ").split()[0]
        is_first = "throw" in text
        properties = ["weight"] if is_first else ["stiffness", "strength"]
        yield text, f"{who} would rather do so with it.", properties


def _look_at_pictures(folder: Path, objects: Collection[str]) -> None:
    """A square of 1.25 times the longer side round the middle of the box, and the box in red."""
    x1, y1, x2, y2 = SQUARE
    assert {path.name for path in folder.iterdir()} == {
        f"{name}_{what}.png" for name in objects for what in ("crop", "box")
    }
    for name in objects:
        crop = cv2.imread(str(folder / f"{name}_crop.png"))
        whole = cv2.imread(str(folder / f"{name}_box.png"))
        assert crop.shape == (50, 50, 3)
        assert whole.shape == (SIZE[1], SIZE[0], 3)
        # The light square fills all but a margin of five pixels.
        light, dark = crop[7:43, 7:43], np.concatenate([crop[:3].ravel(), crop[-3:].ravel()])
        assert light[..., 1].min() > 150 > dark.max()
        red = np.all(whole == (0, 0, 255), axis=2)
        assert red.sum() == 2 * 2 * 40 + 2 * 2 * 36
        assert red[y1 : y1 + 2, x1:x2].all()
        assert red[y1:y2, x2 - 2 : x2].all()
        assert not red[y1 + 2 : y2 - 2, x1 + 2 : x2 - 2].any()


def _count_what_was_done(floor: Floor, log: Log) -> None:
    """Hours of what has no checks in it, what became of the questions, and how far two agree."""
    hours = floor.hours()
    assert hours["look", "look"] == Hours(12, 12, 12 * PACE_S)
    assert hours["listen", "listen"] == Hours(10, 10, 10 * PACE_S)
    # Eight rounds of two units each, seven of five, six of one.
    assert hours["writing-test", "write"] == Hours(2, 8, 16 * PACE_S)
    assert hours["answer-test", "answer"] == Hours(1, 7, 35 * PACE_S)
    assert hours["reasons-test", "answer"] == Hours(1, 6, 6 * PACE_S)
    assert hours["confirm", "answer"].people == 2 * 8
    states = Counter(
        (item.state, item.why_discarded)
        for item in floor.items("confirm")
        if item.purpose is Purpose.WORK
    )
    _, dropped = _expected(log)
    assert states[ItemState.DISCARDED, "It needs no physical sense"] == dropped["flagged"]
    assert states[ItemState.DISCARDED, NOT_UNANIMOUS] == dropped["not-unanimous"]
    pairs = [[a for _, a in said[1:]] for key, said in log.said.items() if key not in log.flagged]
    same = sum(len(set(answers)) == 1 for answers in pairs)
    found = agreement_of(floor.project, "confirm", QUIET, Bootstrap(draws=0))
    (percent,) = [f for f in found if not f.by and f.method == "percent-agreement"]
    assert percent.value == pytest.approx(same / len(pairs), abs=1e-12)


def _ask_people(floor: Floor, log: Log) -> None:
    """Ten people who had no part answer eight questions: each half of them with sound, half muted.

    With sound all are right; without everybody always takes the first object.
    """
    guests = [f"Guest {n}" for n in range(10)]
    floor.hire(*guests, roles=(Role.PARTICIPANT,))
    wish = wish_for(floor.project, "people", "Spring", [floor.people[name] for name in guests])
    assert [condition.key for condition in wish.conditions] == ["sound", "muted"]
    kept, _ = _expected(log)
    # Everything that all three agreed on could be asked.
    assert outlook(floor.project, wish).n_items == sum(len(texts) for texts in kept.values())
    study = make_study(floor.project, replace(wish, n_items=8))
    met: list[tuple[str, str, bool]] = []
    labels: dict[tuple[str, str], int] = {}

    def say(asked: Asked) -> dict[str, Value]:
        pair, text, is_muted = _named(floor, asked), asked.item.text, asked.viewing.is_silent
        met.append((asked.who, pair, is_muted))
        labels[pair, text] = kept[pair][text]
        return {"answer": Picked((("object-1", "object-2")[0 if is_muted else kept[pair][text]],))}

    floor.work("people", guests, say, pace_s=15)
    assert (len(met), len(labels)) == (80, 8)
    # Nobody sees a pair in both ways.
    assert len({(who, pair) for who, pair, _ in met}) == len(set(met))
    assert Counter(is_muted for _, _, is_muted in met) == {True: 40, False: 40}
    found = results_of(floor.project, study, QUIET, Bootstrap(draws=20, level=0.9))
    lines = {line.condition: line for line in overview(found.found) if not line.by}
    first = sum(label == 0 for label in labels.values())
    assert lines["sound"].accuracy == pytest.approx((1, *wilson_90(40, 40)), abs=1e-9)
    assert lines["sound"].majority == pytest.approx((1, *wilson_90(8, 8)), abs=1e-9)
    muted = (first / 8, *wilson_90(5 * first, 40))
    assert lines["muted"].accuracy == pytest.approx(muted, abs=1e-9)
    assert lines["muted"].majority == pytest.approx((first / 8, *wilson_90(first, 8)), abs=1e-9)
    assert lines["muted"].seconds == lines["sound"].seconds == 15


def test_from_clips_to_the_files(floor: Floor, tmp_path: Path) -> None:
    log, folder = Log(), tmp_path / "pacs"
    _find_objects(floor)
    _qualify(floor)
    _write_questions(floor, log)
    _deal(floor, log)
    _settle(floor, log)
    _export(floor, log, folder)
    _look_at_pictures(folder / "pictures", load(folder / "objects.json"))
    _count_what_was_done(floor, log)
    _ask_people(floor, log)
