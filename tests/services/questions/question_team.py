"""A project that asks questions: a recipe, people, videos nobody has the file of."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.answer import Picked
from annotator.domain.forms.field import Option
from annotator.domain.ids import TaskId, VideoId, item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.workflow import Submission
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.questions.asking.question_set import QuestionSet
from annotator.services.questions.items import Questions
from annotator.services.session import Session
from annotator.services.workflow.work import Work
from tests.store.samples import video_info

RECIPE = """
name = "asking"
version = {version}
title = "QuestionSession"

[[task_types]]
kind = "object-tracks"
title = "Boxes"
tools = ["boxes"]
[[task_types.stages]]
key = "annotate"
title = "Annotate"
act = "annotate"
may_choose = true

[[task_types]]
kind = "questions"
title = "Questions"
{viewing}
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
role = "rater"
raters = 2
max_raters = 3
resolution = "majority"
may_choose = true
may_reopen = true
[task_types.form]
[[task_types.form.fields]]
key = "which"
title = "Which?"
kind = "choice"
from_item = true
is_shuffled = true
[[task_types.form.fields]]
key = "seen"
title = "Seen?"
kind = "truth"
[[task_types.form.fields]]
key = "why"
title = "Why not?"
kind = "text"
prefill = "begin"
{bound}
shown_if = {{ field = "seen", any_of = ["no"] }}

[[task_types]]
kind = "pairs"
title = "Pairs"
is_pair = true
[[task_types.stages]]
key = "answer"
title = "Answer"
act = "annotate"
may_choose = true
may_reopen = true
may_repeat = true
[task_types.form]
[[task_types.form.fields]]
key = "same"
title = "The same?"
kind = "truth"
"""


def recipe(version: int = 1, bound: str = "maximum = 100", viewing: str = "") -> str:
    return RECIPE.format(version=version, bound=bound, viewing=viewing)


def options(n: int = 3) -> tuple[Option, ...]:
    return tuple(Option(f"o{i}", f"Option {i}") for i in range(n))


def item(video_id: VideoId, text: str = "What is it?", **facts: object) -> Item:
    return Item(item_id(), "questions", (video_id,), text, **{"options": options(), **facts})  # type: ignore[arg-type]


def gold(video_id: VideoId) -> Item:
    return item(
        video_id,
        "What is held?",
        purpose=Purpose.ATTENTION,
        right={"which": ("o1",)},
        texts={"begin": "Because", "answer": "the secret cup"},
        source={"drawn": "secret seed"},
        extra={"note": "secret note"},
    )


class QuestionTeam:
    """The lead signs in first; `as_` lets somebody else sit down."""

    def __init__(self, folder: Path, n_videos: int = 2, *, text: str | None = None) -> None:
        self.folder = folder
        self.project: OpenProject = create_project(folder / "asking.annot", title="QuestionSession")
        lead = self.work.me
        assert lead is not None
        self.people = {"lead": lead}
        self.videos: list[VideoInfo] = [video_info(f"v{i}.mp4") for i in range(n_videos)]
        for info in self.videos:
            self.project.add_absent_video(info)
        self.work.use_recipe(text or recipe())
        for name in ("Ann", "Ben", "Cleo"):
            self.people[name] = self.work.people.add(name, (Role.RATER,))

    @property
    def work(self) -> Work:
        return self.project.work

    @property
    def questions(self) -> Questions:
        return self.project.questions

    def add(self, *items: Item) -> TaskId:
        added = self.questions.add(items)
        assert added.refused == ()
        return added.task_ids[0]

    def as_(self, name: str, task_id: TaskId) -> tuple[Session, QuestionSet]:
        """Let somebody take a task and open it."""
        self.work.people.sign_in(self.people[name].id)
        session = self.project.open_task(task_id)
        return session, self.questions.question_set(session)

    def answer_all(self, session: Session, question_set: QuestionSet, pick: str = "o1") -> None:
        for each in question_set.items:
            session.run(question_set.answer(each.id, "which", Picked((pick,)), took_ms=700))
            session.run(question_set.answer(each.id, "seen", True, took_ms=900))

    def hand_in(self, name: str, task_id: TaskId, pick: str = "o1") -> Submission:
        session, question_set = self.as_(name, task_id)
        self.answer_all(session, question_set, pick)
        return self.work.submit(session)

    def lead_again(self) -> None:
        self.work.people.sign_in(self.people["lead"].id)
