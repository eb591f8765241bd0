"""Adds the entries of a package, or of a task from a hub, to an open project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.labels import label_set_text, parse_label_set
from annotator.domain.annotation.segment import Lane
from annotator.domain.ids import AssignmentId, PersonId, TaskId
from annotator.domain.people import Person
from annotator.domain.work.codec import event_from
from annotator.domain.work.event_replay import apply, replay
from annotator.domain.work.events import (
    Assigned,
    Created,
    Ended,
    ExtraSubmitted,
    WorkEvent,
)
from annotator.domain.work.records import AssignmentState, Flag, TaskRecord
from annotator.services import entry_values as values
from annotator.services.project.restricted_video import remember_viewings
from annotator.services.workflow.submission_body import arrival_of
from annotator.store.annotation.predictions import (
    StoredPrediction,
    add_prediction,
    predictions_of,
)
from annotator.store.catalog import videos
from annotator.store.columns import instant_text
from annotator.store.questions.items import add_items, item_of, items_of, replace_items
from annotator.store.workflow import tasks, travel
from annotator.store.workflow.gold import GoldTask, add_gold_task, find_gold_task
from annotator.store.workflow.log import append_events
from annotator.sync.archive import Archive, ArchiveError

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_N_EVENTS: Final = "events_of:{}"
"""Project fact: number of events of a task that came from another copy."""


class Unpacking:
    """Brings the entries of one archive into a project; in the transaction of the caller."""

    def __init__(self, project: OpenProject, archive: Archive) -> None:
        self.videos: list[values.VideoRow] = []
        self._project = project
        self._archive = archive
        self._file = project.file
        self._transactions = project.work.transactions

    def shared(self) -> None:
        """Take over recipe, labels and guidelines."""
        guidelines = values.read_entry(self._archive, "guidelines.json", values.Guidelines)
        with self._file.transaction() as connection:
            for guideline in guidelines.guidelines:
                travel.write_guideline(connection, guideline.name, guideline.title, guideline.text)
        recipe = self._archive.read("recipe.toml").decode()
        if recipe != self._transactions.recipe.text():
            self._transactions.recipe.use(recipe)
        for lane in Lane:
            name = f"labels/{lane.value}.toml"
            text = self._archive.read(name).decode()
            if text != label_set_text(self._project.label_set(lane)):
                labels = parse_label_set(text, where=f"{self._archive.path}, {name}")
                self._project.set_label_set(labels)

    def tasks(self, person_id: PersonId, *, is_named: bool = True) -> list[TaskId]:
        """Import people, videos, tasks and predictions for a person; return the tasks.

        ``is_named``: they have to be among the people that came along.
        """
        rows = values.read_entry(self._archive, "people.json", values.PeopleEntry).people
        people = [Person(p.id, p.name, frozenset(p.roles), p.is_active) for p in rows]
        with self._file.transaction() as connection:
            travel.write_people(connection, people)
        self._project.work.people.read_again()
        if is_named and all(p.id != person_id for p in people):
            raise ArchiveError(
                "Cannot unpack the work package: its recipient is not in the list of people.",
                where=str(self._archive.path),
            )
        self.videos = values.read_entry(self._archive, "videos.json", values.Videos).videos
        for row in self.videos:
            self._add_video(row)
        added: list[TaskId] = []
        for name in self._archive.names:
            if name.startswith("tasks/"):
                row_of_task = values.read_entry(self._archive, name, values.TaskRow)
                self._add_task(row_of_task, person_id)
                added.append(row_of_task.id)
        for name in self._archive.names:
            if name.startswith("predictions/"):
                self._add_prediction(values.read_entry(self._archive, name, values.PredictionRow))
        return added

    def assign(self, task_id: TaskId, assignment_id: AssignmentId, person_id: PersonId) -> None:
        """Assign an imported task to a person, unless it is already theirs.

        An unsubmitted draft of an earlier assignment of this visit continues in the new one.
        """
        record = self._transactions.record(task_id)
        if record.assignment(assignment_id) is not None:
            return
        event = Assigned(task_id, self._transactions.now(), None, assignment_id, person_id)
        earlier = [
            assignment.id
            for assignment in record.current
            if assignment.person_id == person_id and not assignment.submissions
        ]
        self._append(record, [event])
        with self._file.transaction() as connection:
            for assignment in earlier[-1:]:
                if (draft_id := tasks.find_draft(connection, assignment)) is not None:
                    tasks.transfer_draft(connection, draft_id, assignment_id)

    def _add_video(self, row: values.VideoRow) -> None:
        info = VideoInfo(
            row.id,
            Path(row.name).name,
            row.width,
            row.height,
            row.n_frames,
            row.frame_rate,
            row.duration_s,
            row.grid_step,
            row.extra,
        )
        videos.check_bounds(info)
        stored = videos.find_video(self._file, row.id)
        with self._file.transaction() as connection:
            if stored is None:
                videos.add_video(self._file, info, None, tuple(row.findings))
            if row.content_hash is not None and (stored is None or stored.content_hash is None):
                travel.expect_content(connection, row.id, row.content_hash)
            if row.viewings:
                remember_viewings(self._file, row.id, row.viewings)

    def _add_prediction(self, row: values.PredictionRow) -> None:
        if any(row.id == known.id for known in predictions_of(self._file, row.video_id)):
            return
        kept = StoredPrediction(
            *(row.id, row.video_id, row.model, row.version, row.file, row.sha256),
            row.body.encode(),
        )
        with self._file.transaction() as connection:
            add_prediction(connection, kept)

    def _add_task(self, row: values.TaskRow, person_id: PersonId) -> None:
        events = [event_from(event) for event in row.events]
        if not events or not isinstance(events[0], Created):
            raise ArchiveError("A task has no creation event.", where=str(self._archive.path))
        replayed = replay(events)
        if (replayed.id, replayed.video_id) != (row.id, row.video_id):
            raise ArchiveError("A task does not match its ID.", where=str(self._archive.path))
        n_events = int(self._file.meta(_N_EVENTS.format(row.id)) or 0)
        record = self._task_record(row, events[0])
        if n_events == 0:
            record = self._append(record, events[1:])
        elif len(events) > n_events:
            record = self._append(record, [*events, *_only_here(record, replayed)])
        with self._file.transaction() as connection:
            travel.set_meta(connection, _N_EVENTS.format(row.id), str(max(n_events, len(events))))
            asked_items = [item_of(i.id, i.kind, i.purpose, i.state, "", i.body) for i in row.items]
            item_ids = {item.id for item in items_of(connection, row.id)}
            replace_items(connection, [item for item in asked_items if item.id in item_ids])
            new = [item for item in asked_items if item.id not in item_ids]
            add_items(connection, row.id, len(item_ids), new)
        self._add_submissions(row, replayed, instant_text(events[-1].at))
        if row.is_training:
            with self._file.transaction() as connection:
                if find_gold_task(self._file, row.id) is None:
                    body = self._archive.read(f"training/{row.id}.json")
                    training = GoldTask(row.id, None, person_id, is_training=True, known=body)
                    add_gold_task(connection, training)

    def _task_record(self, row: values.TaskRow, first: Created) -> TaskRecord:
        """Return where a task stands here; it is made if it is new."""
        found = tasks.find_task(self._file, row.id)
        if found is None:
            with self._file.transaction() as connection:
                tasks.add_task(connection, first, row.title)
            return replay([first])
        if found.video_id != row.video_id:
            raise ArchiveError("A task does not match its ID.", where=str(self._archive.path))
        return self._transactions.record(row.id)

    def _append(self, record: TaskRecord, events: Sequence[WorkEvent]) -> TaskRecord:
        first = record.seq + 1
        for event in events:
            record = apply(record, event)
        with self._file.transaction() as connection:
            append_events(connection, events, first=first)
        self._transactions.fold(record, events[-1].at if events else self._transactions.now())
        self._transactions.note_moved(record.id)
        return record

    def _add_submissions(self, row: values.TaskRow, told: TaskRecord, last: str) -> None:
        submitted_at = {h.submission_id: h.at for a in told.assignments for h in a.submissions}
        with self._file.transaction() as connection:
            for submission_id in row.submissions:
                if travel.has_submission(connection, submission_id):
                    continue
                body = self._archive.read(f"submissions/{submission_id}.json")
                at = (
                    instant_text(submitted_at[submission_id])
                    if submission_id in submitted_at
                    else last
                )
                arrival = arrival_of(body, at, where=str(self._archive.path))
                if submission_id in row.limited:
                    arrival = replace(arrival, id=submission_id)
                if arrival.id != submission_id or arrival.task_id != row.id:
                    raise ArchiveError(
                        "A submission does not match its ID.", where=str(self._archive.path)
                    )
                travel.take_in(connection, self._file.author()[1], arrival)


def _only_here(record: TaskRecord, arrived_record: TaskRecord) -> Iterator[WorkEvent]:
    """Yield events for what happened here and is not in the history from elsewhere."""
    for assignment in record.assignments:
        elsewhere = arrived_record.assignment(assignment.id)
        if elsewhere is None and not assignment.submissions:
            head = (record.id, assignment.since)
            yield Assigned(*head, None, assignment.id, assignment.person_id)
            is_held = assignment.state is AssignmentState.HELD
            yield Ended(
                *head, None, assignment.id, AssignmentState.EXPIRED if is_held else assignment.state
            )
        for submission in assignment.submissions:
            there = (
                {h.submission_id for h in elsewhere.submissions} if elsewhere is not None else set()
            )
            if submission.submission_id not in there:
                yield ExtraSubmitted(
                    *(
                        record.id,
                        submission.at,
                        assignment.person_id,
                        assignment.id,
                        assignment.person_id,
                        assignment.stage,
                    ),
                    *(submission.submission_id, submission.verdict, Flag.LATE),
                )
