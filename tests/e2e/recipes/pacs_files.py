"""PACS, last part: files and pictures, what was done, and how well people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotator.domain.answer import Picked, Value
from annotator.domain.people import Role
from annotator.domain.questions.answer_resolution import NOT_UNANIMOUS
from annotator.domain.questions.items.item import ItemState, Purpose
from tests.e2e.recipes.checker import load, pacs_faults
from tests.e2e.recipes.clips import SIZE, SQUARE
from tests.e2e.recipes.pacs_story import KEPT, SPLITS, Log, expected, named
from tests.e2e.recipes.team import (
    PACE_S,
    Asked,
    Hours,
    Team,
    agreement_in,
    read_table,
    wilson_90,
)


def export(team: Team, log: Log, folder: Path) -> None:
    said = team.command("questions build-dataset", folder)
    counts = dict(part.split(" ") for part in said.out.strip().partition(": ")[2].split(", "))
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
    kept, dropped = expected(log)
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
    for name in counts:
        text = (folder / name).read_text(encoding="utf-8")
        assert not any(person_id in text for person_id in team.people.values())
        assert "object-2" not in text
    asked = {text: (statement, properties) for text, statement, properties in _bank(log)}
    for each in questions.values():
        assert (each["statement"], each["properties"]) == asked[each["question"]]
    assert counts["objects.json"] == str(len(KEPT))
    assert [line.split(": ")[1] for line in said.err.splitlines()] == ["mute", "parrot"]


def _bank(log: Log) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each question that was written, its statement and its properties."""
    for text in (text for texts in log.bank.values() for text in texts):
        who = text.removeprefix("Which object would ").split()[0]
        is_first = "throw" in text
        properties = ["weight"] if is_first else ["stiffness", "strength"]
        yield text, f"{who} would rather do so with it.", properties


def look_at_pictures(folder: Path, objects: Collection[str]) -> None:
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


def count_what_was_done(team: Team, log: Log, folder: Path) -> None:
    """Hours of what has no checks in it, what became of the questions, and how far two agree."""
    hours = team.hours()
    assert hours["look", "look"] == Hours(12, 12, 12 * PACE_S)
    assert hours["listen", "listen"] == Hours(10, 10, 10 * PACE_S)
    # Eight rounds of two units each, seven of five, six of one.
    assert hours["writing-test", "write"] == Hours(2, 8, 16 * PACE_S)
    assert hours["answer-test", "answer"] == Hours(1, 7, 35 * PACE_S)
    assert hours["reasons-test", "answer"] == Hours(1, 6, 6 * PACE_S)
    assert hours["confirm", "answer"].people == 2 * 8
    states = Counter(
        (item.state, item.why_discarded)
        for item in team.items("confirm")
        if item.purpose is Purpose.WORK
    )
    _, dropped = expected(log)
    assert states[ItemState.DISCARDED, "It needs no physical common sense"] == dropped["flagged"]
    assert states[ItemState.DISCARDED, NOT_UNANIMOUS] == dropped["not-unanimous"]
    pairs = [[a for _, a in said[1:]] for key, said in log.said.items() if key not in log.flagged]
    same = sum(len(set(answers)) == 1 for answers in pairs)
    team.command("stats export", folder, "--resamples", 0)
    percent = agreement_in(folder, "confirm")["answer", "percent-agreement"]
    assert percent == pytest.approx(same / len(pairs), abs=1e-12)


def ask_people(team: Team, log: Log, folder: Path) -> None:
    """Ten people who had no part answer eight questions: each half of them with sound, half muted.

    With sound all are right; without everybody always takes the first object.
    """
    guests = [f"Guest {n}" for n in range(10)]
    team.hire(*guests, roles=(Role.PARTICIPANT,))
    kept, _ = expected(log)
    # Everything that all three agreed on could be asked.
    n_items = sum(len(texts) for texts in kept.values())
    could = team.command("study create", "Spring", "--dry-run").out
    assert could.startswith(f"{n_items} items × 10 answers = {10 * n_items}; 10 people × ")
    team.command("study create", "Spring", "--sample", 8)
    met: list[tuple[str, str, bool]] = []
    labels: dict[tuple[str, str], int] = {}

    def say(asked: Asked) -> dict[str, Value]:
        pair, text, is_muted = named(team, asked), asked.item.text, asked.viewing.is_silent
        met.append((asked.who, pair, is_muted))
        labels[pair, text] = kept[pair][text]
        return {"answer": Picked((("object-1", "object-2")[0 if is_muted else kept[pair][text]],))}

    team.work("people", guests, say, pace_s=15)
    assert (len(met), len(labels)) == (80, 8)
    # Nobody sees a pair in both ways.
    assert len({(who, pair) for who, pair, _ in met}) == len(set(met))
    assert Counter(is_muted for _, _, is_muted in met) == {True: 40, False: 40}
    team.command("study export", "Spring", folder)
    found = {
        (row["condition"], row["method"]): [float(row[end]) for end in ("value", "low", "high")]
        for row in reversed(read_table(folder / "results.csv"))  # Wilson's interval comes first
        if not row["by"]
    }
    first = sum(label == 0 for label in labels.values())
    assert found["sound", "accuracy"] == pytest.approx((1, *wilson_90(40, 40)), abs=1e-9)
    assert found["sound", "majority-accuracy"] == pytest.approx((1, *wilson_90(8, 8)), abs=1e-9)
    muted = (first / 8, *wilson_90(5 * first, 40))
    assert found["muted", "accuracy"] == pytest.approx(muted, abs=1e-9)
    both = (first / 8, *wilson_90(first, 8))
    assert found["muted", "majority-accuracy"] == pytest.approx(both, abs=1e-9)
    assert found["muted", "median-seconds"][0] == found["sound", "median-seconds"][0] == 15
