"""What the run of PACS is about: clips, what people take them for, and what they said."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.e2e.recipes.team import Asked, Team

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

WRONG = "The box is around an object that makes no sound"
WRITERS = ("Ann", "Ben", "Cleo", "Dan", "Eve")

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


def named(team: Team, asked: Asked) -> str:
    return "_".join(team.names(asked.item))


def expected(log: Log) -> tuple[dict[str, dict[str, int]], Counter[str]]:
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
