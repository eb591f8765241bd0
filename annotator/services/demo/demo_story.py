"""Stories of the demo projects, read from ``resources/demo/NAME.toml``.

A story starts with videos and people and continues in steps; `demo_project` runs them as those
people would. The name of a story is that of its recipe.
"""

from __future__ import annotations

import tomllib
from typing import Any, Literal, TypeAlias

import msgspec

from annotator import paths
from annotator.domain.errors import UserError
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Purpose
from annotator.services.demo.first_demo import DemoSegment, DemoTrack


def demos() -> dict[str, str]:
    """Return the names of the demo projects that have a story, with their titles."""
    return tomllib.loads(paths.resource("demo", "index.toml").read_text(encoding="utf-8"))


class _Table(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    pass


class StoryVideo(_Table, frozen=True):
    """A shipped clip and its metadata."""

    file: str
    facts: dict[str, str | int] = {}


class StoryPerson(_Table, frozen=True):
    """Person of a demo; ``passed`` are task types of passed tests."""

    name: str
    roles: list[Role]
    passed: list[str] = []


class StoryItem(_Table, frozen=True):
    """An item with a gold answer: a test, a training unit or a check.

    ``videos`` are names without ending; ``options`` are texts, with the keys o0, o1 …
    """

    text: str = ""
    videos: list[str] = []
    options: list[str] = []
    right: dict[str, list[str]] = {}
    texts: dict[str, str] = {}


class Ranked(_Table, frozen=True):
    """A question about two objects; the answer is the first of them in ``order``.

    It makes no sense for the objects in ``unfit``. ``statement`` is the question as a statement.
    """

    text: str
    statement: str
    properties: list[str]
    order: list[str]
    unfit: list[str] = []


class AnswerRule(_Table, frozen=True):
    """Answers and their conditions; an empty condition always holds. Later rules win.

    ``clips`` are names of videos, ``text`` is a part of the question. ``ranks`` answers by the
    ranked questions, ``writes`` writes the next of them.
    """

    who: list[str] = []
    clips: list[str] = []
    text: str = ""
    entry: int = 0
    values: dict[str, Any] = {}
    ranks: bool = False
    writes: bool = False


class DemoScene(_Table, frozen=True):
    """Annotations of a video in a demo, as far as the tools of a task allow."""

    clip: str
    track: list[DemoTrack] = []
    segment: list[DemoSegment] = []


class Back(_Table, frozen=True):
    """Why a task is sent back: the code of a reason, words, and the frame they are about."""

    code: str
    text: str
    frame: int


class ActStep(_Table, frozen=True, tag="act", tag_field="do"):
    """The lead creates the next items from resolved ones."""

    act: str


class SetsStep(_Table, frozen=True, tag="sets", tag_field="do"):
    """The lead brings in a shipped file of proposed sets."""

    file: str


class AddGoldStep(_Table, frozen=True, tag="ask", tag_field="do"):
    """The lead adds items with gold answers; ``checks`` are mixed into other tasks."""

    kind: str
    purpose: Purpose
    items: list[StoryItem]


class WorkStep(_Table, frozen=True, tag="work", tag_field="do"):
    """People claim tasks of a kind one after the other and submit them.

    ``most`` is the number per person, None: all. ``leaves`` is the state of the last one:
    submitted, claimed, or half done. ``minutes`` is the counted time of each.
    """

    kind: str
    who: list[str]
    stage: str = ""
    most: int | None = None
    leaves: Literal["done", "half", "taken"] = "done"
    minutes: float = 2.0
    answers: list[AnswerRule] = []
    back: list[Back] = []


class GradeStep(_Table, frozen=True, tag="grade", tag_field="do"):
    """The lead grades all open answers in tests of a kind."""

    kind: str
    who: str
    grade: int


class StudyStep(_Table, frozen=True, tag="study", tag_field="do"):
    """The lead starts a study on the resolved questions.

    ``items`` are sampled at random, with a number of answers under each condition.
    """

    kind: str
    name: str
    who: list[str]
    answers: int
    items: int


class MessageStep(_Table, frozen=True, tag="tell", tag_field="do"):
    """The lead sends a message to one person or to all."""

    text: str
    who: str = ""


Step: TypeAlias = ActStep | SetsStep | AddGoldStep | WorkStep | GradeStep | StudyStep | MessageStep


class Story(_Table, frozen=True):
    """A whole demo; ``lead_passed`` are tests that the signed-in lead has already passed."""

    title: str
    videos: list[StoryVideo]
    people: list[StoryPerson]
    steps: list[Step]
    lead_passed: list[str] = []
    ranked: list[Ranked] = []
    scenes: list[DemoScene] = []


def read_story(name: str) -> Story:
    """Return the shipped story of that name; UserError when there is none."""
    known = demos()
    if name not in known:
        raise UserError(
            f"Unknown demo “{name}”.",
            hint=(
                f"Available demos: {', '.join(known)}. To specify a folder for the default "
                f"demo, write ./{name}"
            ),
        )
    text = paths.resource("demo", f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Story)
