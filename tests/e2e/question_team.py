"""A project that asks about a video, and the people who answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from annotator.domain.commands import CreateTrack
from annotator.domain.forms.field import Option
from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId, PersonId, VideoId, item_id, track_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item, Purpose
from annotator.services.project.projects import create_project

STAGE = """
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
raters = 2
resolution = "majority"
"""
HEAD = """
name = "asking"
version = 1
title = "QuestionSession"

[[task_types]]
kind = "questions"
title = "Multiple choice"
"""
# The boxes that the questions are about are drawn first.
AFTER_BOXES = """
name = "asking"
version = 1
title = "QuestionSession"

[[task_types]]
kind = "object-tracks"
title = "Object tracks"
tools = ["boxes"]
[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"

[[task_types]]
kind = "questions"
title = "Multiple choice"
follows = "object-tracks"
viewing = { has_tracks = true }
"""
CHOICE = """
[[task_types.form.fields]]
key = "answer"
title = "Which answer is right?"
kind = "choice"
from_item = true
is_shuffled = true
"""
SURE = """
[[task_types.form.fields]]
key = "sure"
title = "How sure are you?"
kind = "confidence"
is_required = false
"""
FLAG = """
[[task_types.form.fields]]
key = "flag"
title = "Something is wrong with this question"
kind = "flag"
is_required = false
options = [{ key = "none", text = "No answer is right" }]
"""
WHY = """
[[task_types.form.fields]]
key = "why"
title = "Why?"
kind = "text"
is_required = false
maximum = 200
"""
SPANS = """
[[task_types.form.fields]]
key = "when"
title = "When does it move?"
kind = "spans"
"""
BOX = """
[[task_types.form.fields]]
key = "where"
title = "Where is it?"
kind = "box"
"""
WHICH = """
[[task_types.form.fields]]
key = "which"
title = "Which objects move?"
kind = "tracks"
"""
SIMPLE = CHOICE + SURE + WHY + FLAG
TEXTS = (
    ("What does the square do?", ("It moves to the right", "It turns", "Nothing")),
    ("Is it seen at the end?", ("Yes", "No", "I don’t know")),
    ("How often does it stop?", ("Never", "Once", "Twice")),
)


@dataclass
class QuestionTeam:
    """The project file, who works on it, and what is asked."""

    path: Path
    people: dict[str, PersonId] = field(default_factory=dict)
    items: list[ItemId] = field(default_factory=list)


def recipe(fields: str, *, head: str = "") -> str:
    """Return a recipe with one kind of task, which asks the fields given."""
    return f"{HEAD}{head}{STAGE}[task_types.form]\n{fields}"


def make_asking(
    folder: Path,
    clips: Iterable[Path],
    *,
    fields: str = SIMPLE,
    head: str = "",
    n: int = 3,
    is_training: bool = False,
) -> QuestionTeam:
    """Make a project that asks ``n`` questions about all its clips together.

    ``is_training``: the first option is known to be right, and is shown after an answer.
    """
    project = create_project(folder / "asking", title="QuestionSession")
    team = QuestionTeam(project.path)
    ids: list[VideoId] = []
    for clip in clips:
        video = folder / clip.name
        video.write_bytes(clip.read_bytes())
        ids += project.add_videos([video]).added
    project.work.use_recipe(recipe(fields, head=head))
    for name in ("Ann", "Ben"):
        team.people[name] = project.work.people.add(name, (Role.RATER,)).id
    items = [_item(i, tuple(ids)) for i in range(n)]
    if is_training:
        known = {"purpose": Purpose.TRAINING, "right": {"answer": ("a",)}}
        items = [replace(item, **known) for item in items]
    added = project.questions.add(items)
    assert added.refused == ()
    team.items = [item.id for item in items]
    project.close()
    return team


def make_asking_about_boxes(
    folder: Path, clip: Path, *, fields: str = WHICH, names: str = ""
) -> QuestionTeam:
    """Make a project in which Ann has drawn a cup and a mug, and Ben is asked about them.

    ``names``: the label of the object that the question names.
    """
    team = QuestionTeam(folder / "asking.annot")
    project = create_project(team.path, title="QuestionSession")
    project.work.use_recipe(f"{AFTER_BOXES}{STAGE}[task_types.form]\n{fields}")
    video = folder / clip.name
    video.write_bytes(clip.read_bytes())
    (video_id,) = project.add_videos([video]).added
    lead = project.work.me
    assert lead is not None
    for name in ("Ann", "Ben"):
        team.people[name] = project.work.people.add(name, (Role.RATER,)).id
    project.work.people.sign_in(team.people["Ann"])
    record = project.work.claim_next("object-tracks")
    assert record is not None
    session = project.open_task(record.id)
    for label, box in (("cup", Box(20, 60, 80, 120)), ("mug", Box(200, 20, 260, 90))):
        session.run(CreateTrack(track_id(), label, 0, box))
    project.work.submit(session)
    project.work.people.sign_in(lead.id)
    named = tuple(t.id for t in session.document.tracks if t.label == names)
    item = replace(_item(0, (video_id,)), track_ids=named)
    assert project.questions.add([item]).refused == ()
    project.close()
    return team


def _item(i: int, videos: tuple[VideoId, ...]) -> Item:
    text, options = TEXTS[i % len(TEXTS)]
    shown = tuple(Option(key, word) for key, word in zip("abc", options, strict=True))
    return Item(item_id(), "questions", videos, text, options=shown)
