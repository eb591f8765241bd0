"""Creates the demo project of a recipe: its story is run through the services.

    path = make_demo("pacs", folder, on_progress)

The story runs as real work: eligible people claim and submit tasks, and their answers are checked.
It takes seconds, so run it as a job.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from annotator import paths
from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.document import Document
from annotator.domain.answer import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.errors import ProjectError, UserError
from annotator.domain.forms.answer_checks import applies_to_item, options_of
from annotator.domain.forms.field import Field, FieldKind, Option
from annotator.domain.geometry import Box
from annotator.domain.ids import ItemId, PersonId, SubmissionId, VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.pair_questions import PairAnswer
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import TOOL_OF
from annotator.domain.work.records import Reason, TaskRecord, Verdict, VerdictKind
from annotator.domain.work.work_statistics import Workplace
from annotator.paths import PROJECT_SUFFIX
from annotator.services.demo.demo_story import (
    ActStep,
    AddGoldStep,
    AnswerRule,
    GradeStep,
    MessageStep,
    Ranked,
    SetsStep,
    Step,
    Story,
    StoryItem,
    StudyStep,
    WorkStep,
    read_story,
)
from annotator.services.demo.first_demo import copy_clip, demo_content
from annotator.services.project.metadata import KEY
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.questions.recipe_steps import bring_in, run_step
from annotator.services.questions.studies.studies import make_study, wish_for
from annotator.services.session import Session
from annotator.services.workflow.timer import local_day
from annotator.store.workflow import submission_statistics
from annotator.temporary import SUFFIX


class DemoAnswers:
    """Answers of the people of a demo; counts the written questions."""

    def __init__(self, ranked: Sequence[Ranked], names: Mapping[VideoId, str]) -> None:
        self._ranked = ranked
        self._names = names
        self._written: set[str] = set()

    def of(self, rules: Sequence[AnswerRule], who: str, item: Item) -> dict[int, dict[str, Json]]:
        """Return the answers about an item by entry and field, in the words of the story."""
        clips = [self._names[video_id] for video_id in item.video_ids]
        found: dict[int, dict[str, Json]] = {}
        for rule in rules:
            if not _fits(rule, who, clips, item):
                continue
            told = found.setdefault(rule.entry, {})
            if rule.writes:
                told.update(self._next_question(clips))
            if rule.ranks and (answer := self._by_rank(item.text, clips)):
                told["answer"] = answer
            told.update(rule.values)
        return found

    def _next_question(self, clips: Sequence[str]) -> dict[str, Json]:
        fitting = [each for each in self._ranked if not set(clips) & set(each.unfit)]
        chosen = next((each for each in fitting if each.text not in self._written), fitting[0])
        self._written.add(chosen.text)
        return {
            "question": chosen.text,
            "answer": _first(chosen, clips),
            "properties": list(chosen.properties),
            "statement": chosen.statement,
        }

    def _by_rank(self, text: str, clips: Sequence[str]) -> str:
        for each in self._ranked:
            if each.text == text:
                return (
                    PairAnswer.IRRELEVANT if set(clips) & set(each.unfit) else _first(each, clips)
                )
        return ""


def value_of(field: Field, item: Item, raw_value: Json, document: Document, middle: int) -> Value:
    """Return the answer that a story means, a box on the frame in the ``middle`` of the video.

    ValueError when it cannot be an answer to the field.
    """
    match field.kind:
        case FieldKind.CHOICE:
            return _picked(field, item, [msgspec.convert(raw_value, str)])
        case FieldKind.CHOICES:
            return _picked(field, item, msgspec.convert(raw_value, list[str]))
        case FieldKind.SPANS:
            return Spans(msgspec.convert(raw_value, tuple[tuple[int, int], ...]))
        case FieldKind.BOX:
            return FrameBox(
                middle, Box(*msgspec.convert(raw_value, tuple[float, float, float, float]))
            )
        case FieldKind.TRACKS:
            labels = msgspec.convert(raw_value, list[str])
            return tuple(track.id for track in document.tracks if track.label in labels)
        case FieldKind.FLAG:
            return Flagged(msgspec.convert(raw_value, str))
        case FieldKind.PROPERTIES:
            return msgspec.convert(raw_value, tuple[str, ...])
        case FieldKind.NUMBER:
            return msgspec.convert(raw_value, float)
        case FieldKind.TRUTH:
            return msgspec.convert(raw_value, bool)
        case FieldKind.CONFIDENCE:
            return msgspec.convert(raw_value, int)
        case FieldKind.TEXT:
            return msgspec.convert(raw_value, str)


def _fits(rule: AnswerRule, who: str, clips: Sequence[str], item: Item) -> bool:
    return (
        (not rule.who or who in rule.who)
        and (not rule.clips or bool(set(rule.clips) & set(clips)))
        and rule.text in item.text
    )


def _first(question: Ranked, clips: Sequence[str]) -> str:
    places = [question.order.index(clip) for clip in clips]
    return PairAnswer.FIRST if places[0] < places[1] else PairAnswer.SECOND


def _picked(field: Field, item: Item, wanted: Sequence[str]) -> Picked:
    """Return the options that are named by key or by text."""
    options = options_of(field, item)
    keys = {option.text: option.key for option in options} | {o.key: o.key for o in options}
    if unknown := [each for each in wanted if each not in keys]:
        raise ValueError(f"“{field.key}” has no option “{unknown[0]}”")
    return Picked(tuple(keys[each] for each in wanted))


Report = Callable[[float], object]
_HALF = 0.5


def make_demo(name: str, folder: Path, report: Report = lambda _: None) -> Path:
    """Return the demo project of a recipe in a folder; creates it if it is missing.

    UserError when there is no demo of that name, ProjectError when the folder cannot be written.
    ``report`` is called with the share done, 0..1; raising in it cancels.
    """
    story = read_story(name)
    folder = Path(folder).absolute()
    path = folder / f"{name}{PROJECT_SUFFIX}"
    if path.exists():
        return path
    clips = [copy_clip(video.file, folder) for video in story.videos]
    # Half a demo would be taken for a whole one the next time: it gets its name when it is done.
    try:
        with tempfile.TemporaryDirectory(
            SUFFIX, f".{name}.", folder, ignore_cleanup_errors=True
        ) as place:
            place_entry = Path(place, path.name)
            project = create_project(place_entry, title=story.title, recipe=name)
            try:
                _Stage(project, story, clips).act(report)
            finally:
                project.close()
            place_entry.replace(path)
        _find_clips(path)
    except OSError as error:
        raise ProjectError(
            f"Cannot create the demo: {error.strerror}.",
            hint="Select a folder with write permission.",
            where=str(folder),
        ) from error
    return path


def _find_clips(path: Path) -> None:
    """Let the project learn where its clips lie, seen from where it lies now."""
    project = open_project(path)
    try:
        project.videos()
    finally:
        project.close()


class _Stage:
    """The project and its people, while a story is acted."""

    def __init__(self, project: OpenProject, story: Story, clips: list[Path]) -> None:
        self._project = project
        self._work = project.work
        self._story = story
        self._clips = clips
        self._lead = project.work.people.signed_in()
        self._people: dict[str, PersonId] = {}
        self._videos: dict[str, VideoId] = {}
        self._middles: dict[VideoId, int] = {}
        self._handed: defaultdict[tuple[str, str], list[tuple[SubmissionId, list[ItemId]]]] = (
            defaultdict(list)
        )

    def act(self, report: Report) -> None:
        """Carry out the whole story."""
        steps = self._story.steps
        report(0.0)
        self._begin()
        names = {video_id: name for name, video_id in self._videos.items()}
        self._answers = DemoAnswers(self._story.ranked, names)
        for i, step in enumerate(steps):
            report((i + 1) / (len(steps) + 1))
            with self._project.file.transaction():
                self._carry_out(step)
            self._work.people.sign_in(self._lead.id)

    def _begin(self) -> None:
        """Add videos with their metadata, and people."""
        added = self._project.add_videos(self._clips)
        if added.failed:
            raise UserError(added.failed[0][1], where=str(added.failed[0][0]))
        extras: dict[VideoId, dict[str, Json]] = {}
        for video, video_id in zip(self._story.videos, added.added, strict=True):
            info = self._project.media.video(video_id).info
            self._videos[Path(video.file).stem] = video_id
            self._middles[video_id] = info.n_frames // 2
            extras[video_id] = {**info.extra, KEY: dict(video.facts)}
        self._project.set_extra(extras)
        for kind in self._story.lead_passed:
            self._pass(self._lead.id, kind)
        for person in self._story.people:
            name = person.name if person.name != self._lead.name else f"{person.name} 2"
            self._people[person.name] = self._work.people.add(name, person.roles).id
            for kind in person.passed:
                self._pass(self._people[person.name], kind)

    def _pass(self, person_id: PersonId, kind: str) -> None:
        self._project.qualification.set_status(person_id, kind, QualificationStatus.PASSED)

    def _carry_out(self, step: Step) -> None:
        match step:
            case ActStep():
                run_step(self._project, step.act)
            case SetsStep():
                bring_in(self._project, paths.resource("demo", step.file))
            case AddGoldStep():
                self._ask(step)
            case WorkStep():
                for name in step.who:
                    self._let_work(step, name)
            case GradeStep():
                for submission_id, item_ids in self._handed[step.kind, step.who]:
                    for item_id in item_ids:
                        self._project.qualification.grade(submission_id, item_id, step.grade)
            case StudyStep():
                self._make_study(step)
            case MessageStep():
                self._work.lead.tell(step.text, to=self._people[step.who] if step.who else None)

    def _ask(self, step: AddGoldStep) -> None:
        items = [self._item(step, each) for each in step.items]
        if step.purpose is Purpose.ATTENTION:
            self._project.qualification.add_checks(items)
        elif refused := self._project.questions.add(items).refused:
            raise ValueError(refused[0][1])

    def _make_study(self, step: StudyStep) -> None:
        people = [self._people[name] for name in step.who]
        wish = wish_for(self._project, step.kind, step.name, people)
        make_study(self._project, replace(wish, answers=step.answers, n_items=step.items))

    def _item(self, step: AddGoldStep, told: StoryItem) -> Item:
        return Item(
            item_id(),
            step.kind,
            tuple(self._videos[name] for name in told.videos),
            told.text,
            tuple(Option(f"o{i}", text) for i, text in enumerate(told.options)),
            {field: tuple(keys) for field, keys in told.right.items()},
            dict(told.texts),
            purpose=step.purpose,
        )

    def _let_work(self, step: WorkStep, name: str) -> None:
        """Let a person work on tasks until none is left, or they have done enough."""
        person_id = self._people[name]
        self._work.people.sign_in(person_id)
        held_tasks = [
            assignment.task_id
            for assignment in reversed(self._work.in_hand())
            if assignment.kind == step.kind
        ]
        n_done = 0
        while step.most is None or n_done < step.most:
            record = (
                self._work.record(held_tasks.pop(0))
                if held_tasks
                else self._work.claim_next(step.kind, step.stage or None)
            )
            if record is None:
                return
            n_done += 1
            spent = {Workplace(person_id, record.id, record.stage): round(step.minutes * 60_000)}
            submission_statistics.add_activity(
                self._project.file, spent, local_day(self._work.transactions.now())
            )
            is_last = n_done == step.most
            self._do(step, name, record, step.leaves if is_last else "done")

    def _do(self, step: WorkStep, name: str, record: TaskRecord, leaves: str) -> None:
        session = self._project.open_task(record.id)
        task_type = self._work.recipe.task_type(record.kind)
        assert task_type is not None
        if leaves == "taken":
            return
        item_ids: list[ItemId] = []
        if task_type.form is not None:
            item_ids = self._answer(step, name, session, is_half=leaves == "half")
        elif record.stage == task_type.first.key:
            self._draw(session, task_type.tools)
        if leaves == "half":
            return
        verdict = None
        if step.back:
            reasons = tuple(Reason(b.text, Pin(frame=b.frame), b.code) for b in step.back)
            verdict = Verdict(VerdictKind.SEND_BACK, reasons)
        submission = self._work.submit(session, verdict)
        self._handed[step.kind, name].append((submission.id, item_ids))

    def _answer(
        self, step: WorkStep, name: str, session: Session, *, is_half: bool
    ) -> list[ItemId]:
        """Fill in the form about each item, or about the first half of them."""
        question_set = self._project.questions.question_set(session)
        items = question_set.items
        for item in items[: max(1, round(len(items) * _HALF))] if is_half else items:
            middle = self._middles[session.document.video.id]
            for entry, step_answer in self._answers.of(step.answers, name, item).items():
                took_ms = round(step.minutes * 60_000 / len(items) / max(1, len(step_answer)))
                for key, plain in step_answer.items():
                    field = question_set.form.field(key)
                    if field is None:
                        raise ValueError(f"“{key}” is not asked in “{step.kind}”.")
                    if not applies_to_item(field, item):
                        continue
                    value = value_of(field, item, plain, session.document, middle)
                    if question_set.value(item.id, key, entry=entry) != value:
                        command = question_set.answer(
                            item.id, key, value, entry=entry, took_ms=took_ms
                        )
                        session.run(command)
        return [item.id for item in items]

    def _draw(self, session: Session, tools: tuple[Tool, ...]) -> None:
        """Draw what the story has of the video, as far as the tools of the task go."""
        clip = Path(session.document.video.name).stem
        for scene in self._story.scenes:
            if scene.clip == clip:
                tracks = scene.track if Tool.BOXES in tools else []
                segments = [each for each in scene.segment if TOOL_OF[each.lane] in tools]
                session.run(demo_content(session.document, tracks, segments))
