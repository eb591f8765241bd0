"""Writing of work packages, entry by entry."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from annotator.domain.annotation.labels import label_set_text
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ProjectError
from annotator.domain.forms.restricted_view import Viewing
from annotator.domain.ids import AssignmentId, ItemId, SubmissionId, VideoId
from annotator.domain.people import Person, Role
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.visibility import as_sent
from annotator.domain.toml import toml_text
from annotator.domain.work.codec import event_value
from annotator.domain.work.events import PersonExcluded, Prioritized
from annotator.domain.work.records import TaskRecord
from annotator.domain.work.rules import hidden_from
from annotator.services import entry_values as values
from annotator.services.packages.package_media import (
    drawn_on,
    is_part_of,
    packed_media,
    seen_frames,
)
from annotator.services.project.guideline_images import picture_entries
from annotator.services.project.metadata import CUT_FRAME, KEY, facts_of
from annotator.services.project.videos import SOUND_KEY
from annotator.services.questions.asking.attention_checks import (
    demanded_of,
    disguised,
    items_with_checks,
)
from annotator.services.questions.asking.model_answers import for_items
from annotator.services.workflow.drafts import held_by
from annotator.store.annotation.predictions import predictions_of
from annotator.store.catalog import recipes, videos
from annotator.store.questions.items import item_body, items_of, videos_of
from annotator.sync.archive import MEDIA, Content

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


# What questions are drawn from, with what seed, and how the lead looks after the work.
_OF_THE_LEAD: Final = ("bank", "rules", "pairing", "seed", "spot_checks")
# What an item is there for, and who was let in by which test.
_OF_THE_TASK: Final = ("attention", "gold", "passing", "purpose", "requires", "study")


def traveling_recipe(text: str) -> str:
    """Return a recipe without question bank, rules, seeds, tests and checks.

    Name and version stay, so that what comes back says by which recipe it was made.
    """
    table: dict[str, Any] = tomllib.loads(text)
    told = {key: value for key, value in table.items() if key not in _OF_THE_LEAD}
    told["task_types"] = [
        {key: value for key, value in each.items() if key not in _OF_THE_TASK}
        for each in table.get("task_types", ())
    ]
    return toml_text(told)


_TOLD: Final = (KEY, SOUND_KEY)
"""Facts about a video for people who answer questions about it: metadata and sound."""
_NEEDED_FACTS: Final = (CUT_FRAME, "script")
"""Where the video is cut, and which guidelines fit it."""


def shared_entries(
    project: OpenProject, pictures: Mapping[str, Path]
) -> Iterator[tuple[str, bytes]]:
    """Yield the entries that are the same in all packages: recipe, labels, guidelines, pictures."""
    yield "recipe.toml", traveling_recipe(project.work.recipe_text()).encode()
    for lane in Lane:
        yield f"labels/{lane.value}.toml", label_set_text(project.label_set(lane)).encode()
    rows = [
        values.GuidelineRow(g.name, g.title, g.text) for g in recipes.read_guidelines(project.file)
    ]
    yield "guidelines.json", values.entry(values.Guidelines(rows))
    yield from picture_entries(pictures)


class Packing:
    """Collects the entries of the tasks in one package."""

    def __init__(
        self,
        project: OpenProject,
        person: Person,
        *,
        with_media: bool = False,
    ) -> None:
        self.n_media = 0
        self.without_media: list[str] = []
        self.asked: dict[AssignmentId, list[ItemId]] = {}
        self._project = project
        self._person = person
        self._with_media = with_media

    def entries(
        self,
        records: Sequence[TaskRecord],
        copies: Path | None = None,
        on_progress: Callable[[float, str], object] = lambda _fraction, _name: None,
    ) -> Iterator[tuple[str, Content]]:
        """Yield the entries of tasks, small ones first; ``copies`` is a folder for copies of
        videos, needed with media. Afterwards ``asked`` has the items to answer, by assignment.

        Records may hold an assignment of the person that is not stored yet.
        """
        project = self._project
        yield "people.json", values.entry(self._people(records))
        for i, record in enumerate(records):
            on_progress(i / (2 * len(records)), record.id)
            viewings = self._viewings(records, record.video_id)
            yield from self._task(record, viewings, self._priority(record, records))
        yield from self._predictions(records)
        rows_of_videos: list[values.VideoRow] = []
        video_ids = dict.fromkeys(v for r in records for v in self._videos_of(r))
        asked_about = {v for r in records if self._asks(r) for v in self._videos_of(r)}
        for i, video_id in enumerate(video_ids):
            stored = project.media.video(video_id)
            path = project.media.path(video_id)
            row = _video_row(stored, path, is_asked_about=video_id in asked_about)
            row.viewings = viewings = self._viewings(records, video_id)
            if self._with_media and copies is not None:
                on_bytes = partial(_tell, on_progress, i, len(video_ids), stored.info.name)
                on_bytes(0.0)
                yield from self._media(row, path, viewings, copies, on_bytes)
            rows_of_videos.append(row)
        yield "videos.json", values.entry(values.Videos(rows_of_videos))

    def _media(
        self,
        row: values.VideoRow,
        path: Path | None,
        viewings: Sequence[Viewing],
        copies: Path,
        progress: Callable[[float], object],
    ) -> Iterator[tuple[str, Content]]:
        """Yield the file of a video, or a copy of what the person may see and hear of it."""
        packed = None
        if path is not None:
            packed = packed_media(self._project, row.id, path, viewings, copies, progress)
        if packed is None:
            self.without_media.append(row.name)
            return
        row.media = f"{MEDIA}{row.id}{packed.path.suffix.lower()}"
        if packed.is_copy:
            row.content_hash, row.size = packed.content_hash, packed.path.stat().st_size
            row.extra.pop(SOUND_KEY, None)
        self.n_media += 1
        yield row.media, packed.path
        if packed.is_copy:
            packed.path.unlink()

    def _viewings(self, records: Iterable[TaskRecord], video_id: VideoId) -> list[Viewing]:
        """Return how much of a video the person's assigned tasks show.

        The start content of these tasks can be read, as far as they show it.
        """
        return [
            self._project.work.viewing_of(record.id)
            for record in records
            if held_by(record, self._person.id) is not None and video_id in self._videos_of(record)
        ]

    def _task(
        self, record: TaskRecord, viewings: Sequence[Viewing], priority: int
    ) -> Iterator[tuple[str, Content]]:
        """Yield a task and its submissions, as far as the viewings show its video.

        Plans of a lead are left out, except the ``priority``: gold tasks are created later, without
        a plan.
        """
        work = self._project.work
        hidden = hidden_from(record, self._person)
        title = self._project.task(record.id).title
        history = work.history(record.id)
        events = [
            event_value(e) for e in history if not isinstance(e, Prioritized | PersonExcluded)
        ]
        submission_ids: list[SubmissionId] = []
        frames = seen_frames(self._project, record.video_id, viewings)
        own = seen_frames(self._project, record.video_id, [work.viewing_of(record.id)])
        is_limited = not is_part_of(own, frames)
        for submission in work.submissions(record.id):
            if submission.id in hidden:
                continue
            body = submission.body
            if is_limited:
                body = drawn_on(self._project, record.video_id, body, frames)
            submission_ids.append(submission.id)
            yield f"submissions/{submission.id}.json", body
        plain: list[dict[str, Any]] = [_renamed(event, hidden) for event in events]
        plain[0].pop("priority", None)
        if priority:
            plain[0]["priority"] = priority
        training = work.gold.training_result(record.id)
        if training is not None:
            yield f"training/{record.id}.json", training
        elif work.gold.is_gold(record.id):
            del plain[0]["reserved_for"]
        asked_items = [
            values.ItemRow(i.id, i.kind, i.state.value, item_body(i), i.purpose)
            for i in self._items(record)
        ]
        limited = submission_ids if is_limited else []
        row = values.TaskRow(
            record.id, record.video_id, title, plain, submission_ids, asked_items, limited
        )
        row.is_training = training is not None
        yield f"tasks/{record.id}.json", values.entry(row)

    def _priority(self, record: TaskRecord, records: Iterable[TaskRecord]) -> int:
        """Return the priority of a task; that of a gold task is the one of any other."""
        gold = self._project.work.gold
        if not gold.is_gold(record.id):
            return record.priority
        others = [each.priority for each in records if not gold.is_gold(each.id)]
        return secrets.choice(others) if others else record.priority

    def _predictions(self, records: Sequence[TaskRecord]) -> Iterator[tuple[str, Content]]:
        """Yield predictions for the videos that a person starts to annotate."""
        for video_id in dict.fromkeys(r.video_id for r in records if self._begins(r)):
            for row in predictions_of(self._project.file, video_id):
                told = values.PredictionRow(*row[:-1], row.body.decode())
                yield f"predictions/{row.id}.json", values.entry(told)
        for record in records:
            yield from self._predicted_answers(record)

    def _predicted_answers(self, record: TaskRecord) -> Iterator[tuple[str, Content]]:
        """Yield what models answer to the items of a task, where its stage shows it."""
        task_type = self._project.work.recipe.task_type(record.kind)
        stage = task_type.stage(record.stage) if task_type is not None else None
        if stage is None or not stage.shows_predictions:
            return
        items = {item.id for item in self._items(record)}
        info = self._project.media.video(record.video_id).info
        for row in predictions_of(self._project.file, record.video_id):
            own = for_items(row, info, items)
            if own is not None:
                told = values.PredictionRow(*own[:-1], own.body.decode())
                yield f"predictions/{own.id}.json", values.entry(told)

    def _begins(self, record: TaskRecord) -> bool:
        """Return whether the person begins a task that draws on a video, and may see all of it."""
        held, project = held_by(record, self._person.id), self._project
        if held is None or held.base_id is not None or self._asks(record):
            return False
        n_frames = project.media.video(record.video_id).info.n_frames
        seen = seen_frames(project, record.video_id, [project.work.viewing_of(record.id)])
        return is_part_of([(0, n_frames)], seen)

    def _items(self, record: TaskRecord) -> list[Item]:
        """Return what a task asks, without what gives it away: right answers stay here, but for
        those of training units. Attention checks are among them, under other names.
        """
        project, task_type = self._project, self._project.work.recipe.task_type(record.kind)
        assignment = held_by(record, self._person.id)
        mine = assignment.id if assignment is not None else None
        if mine is not None:
            self.asked[mine] = []
        if task_type is None:
            return []
        asked_items = items_with_checks(project.file, record, task_type, self._person.id, mine)
        if mine is not None:
            with project.file.reading() as connection:
                own = {item.id for item in items_of(connection, record.id)}
            asked_items = disguised(project.file, mine, asked_items, own)
            demanded = demanded_of(asked_items, frozenset(), record, task_type)
            self.asked[mine] = [item.id for item in demanded]
        return as_sent(asked_items, task_type.form)

    def _asks(self, record: TaskRecord) -> bool:
        """Return whether there is a form to be filled in a task."""
        task_type = self._project.work.recipe.task_type(record.kind)
        return task_type is not None and task_type.form is not None

    def _videos_of(self, record: TaskRecord) -> tuple[VideoId, ...]:
        """Return the videos that a task is about."""
        with self._project.file.reading() as connection:
            return (record.video_id, *videos_of(connection, record.id))

    def _people(self, records: Iterable[TaskRecord]) -> values.PeopleEntry:
        """Return the person, the leads, and all assignees of the tasks."""
        needed = {self._person.id}
        for record in records:
            needed |= {a.person_id for a in record.assignments}
            needed |= {e.by for e in self._project.work.history(record.id) if e.by is not None}
        return values.PeopleEntry(
            [
                values.PersonRow(p.id, p.name, sorted(p.roles), p.is_active)
                for p in self._project.work.people.all()
                if p.id in needed or p.has(Role.LEAD)
            ]
        )


def _renamed(event: Mapping[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """Return an event without the ID of a hidden submission: the ID is the hash of its content,
    which would allow trying answers until one fits."""
    alias = {each: secrets.token_hex(len(each) // 2) for each in hidden}
    return {
        key: alias.get(value, value) if isinstance(value, str) else value
        for key, value in event.items()
    }


def _tell(
    on_progress: Callable[[float, str], object], i: int, n: int, name: str, share: float
) -> None:
    """Report progress within the videos, which are the second half of the work."""
    on_progress(0.5 + (i + share) / (2 * n), name)


def _video_row(
    stored: videos.StoredVideo, path: Path | None, *, is_asked_about: bool
) -> values.VideoRow:
    """Return the video facts of a package, without imported extras that can reveal answers."""
    info = stored.info
    extra = {n: value for n, value in info.extra.items() if not is_asked_about or n in _TOLD}
    if is_asked_about and KEY in extra:
        # Place and author of a video can be the answer to a question.
        facts = facts_of(info)
        extra[KEY] = {name: facts[name] for name in _NEEDED_FACTS if name in facts}
    if stored.content_hash is None:
        raise ProjectError(
            (
                f"Cannot include “{info.name}”: its content hash is unknown because the file was "
                "never opened."
            ),
            hint="Locate the video first.",
        )
    return values.VideoRow(
        info.id,
        info.name,
        info.width,
        info.height,
        info.n_frames,
        info.frame_rate,
        info.duration_s,
        info.grid_step,
        msgspec.to_builtins(extra),
        list(stored.findings),
        stored.content_hash,
        path.stat().st_size if path is not None else None,
    )
