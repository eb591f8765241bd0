"""Who passes tests and attention checks, judged as soon as answers are handed in."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.domain.errors import WorkError
from annotator.domain.forms.value import Answer, Value
from annotator.domain.ids import ItemId, PersonId, SubmissionId, TaskId
from annotator.domain.people import Role
from annotator.domain.questions.item import Item, Purpose
from annotator.domain.questions.item_checking import why_wrong_check
from annotator.domain.questions.quality import is_right, verdict_on
from annotator.domain.questions.screening import GRADES, Standing
from annotator.domain.recipe import TaskType
from annotator.domain.work.acts import Leave
from annotator.domain.work.records import TaskRecord
from annotator.services.questions.counting import answers_in
from annotator.services.work_room import HandedIn, WorkRoom
from annotator.store import feedback, items, quality, submissions, travel, work_log, work_queue
from annotator.store.quality import Judgement, Stood

_WARNING = (
    "An answer to a check was wrong: one of the questions was there only to see whether it is read."
    " Please take your time. Another wrong one ends your work on these tasks."
)
_END = "Checks were answered wrongly again. Your work on these tasks has ended; talk to the lead."


class Screening:
    """Tests, checks and known answers; `OpenProject.screening`.

    What is handed in is judged by itself, in the lead's copy of the project; a lead can set aside
    what came of it.
    """

    def __init__(self, room: WorkRoom) -> None:
        self._room = room
        self._file = room.file
        room.handed_in.add(self._on_handed_in)

    def add_checks(self, checks: Iterable[Item]) -> None:
        """Add attention checks to the tasks of their kind; leads only. WorkError for a bad one."""
        self._room.people.check_lead()
        added = list(checks)
        for item in added:
            why = why_wrong_check(item, self._room.recipe.recipe.task_type(item.kind))
            if why:
                raise WorkError(f"“{item.text}” cannot be a check. {why}", code="bad-item")
        with self._file.transaction() as connection:
            items.add_items(connection, None, 0, added)

    def judgements(self, kind: str, purpose: Purpose | None = None) -> list[Judgement]:
        """Return what was judged of a kind of task, the oldest first; leads only."""
        self._room.people.check_lead()
        return quality.judgements(self._file, kind, purpose)

    def standings(self, person_id: PersonId | None = None) -> list[Stood]:
        """Return all that came of tests and checks, the oldest first; of others for leads only."""
        me = self._room.people.me
        if me is None or me.id != person_id:
            self._room.people.check_lead()
        return quality.standings(self._file, person_id)

    def grade(self, submission_id: SubmissionId, item_id: ItemId, grade: int) -> None:
        """Grade what was written about an item of a test, 1 to 4; leads only.

        With the last item graded the test is passed or failed.
        """
        lead = self._room.people.check_lead()
        if grade not in GRADES:
            raise WorkError(f"Grades go from {GRADES[0]} to {GRADES[-1]}.", code="bad-grade")
        with self._room.together(), self._file.transaction() as connection:
            record = self._room.record(submissions.task_of(self._file, submission_id))
            asked = items.items_of(connection, record.id)
            if item_id not in {item.id for item in asked}:
                raise WorkError("This is not asked in that task.", code="no-item")
            quality.write_grade(
                connection, submission_id, item_id, grade, lead.id, self._room.now()
            )
            given = quality.grades(self._file, submission_id)
            if all(item.id in given for item in asked):
                who = _author_of(record, submission_id)
                self._stand_by_grades(record, who, submission_id, list(given.values()), lead.id)

    def set_standing(
        self, person_id: PersonId, kind: str, standing: Standing, note: str = ""
    ) -> None:
        """Say how somebody stands with a kind of task, whatever was counted; leads only."""
        lead = self._room.people.check_lead()
        with self._room.together():
            self._stand(
                Stood(person_id, kind, standing, None, None, lead.id, note, self._room.now())
            )
            if standing is Standing.KEPT_FROM:
                self._end_work(person_id, kind)

    def _on_handed_in(self, handed: HandedIn) -> None:
        """Judge what was handed in, within its transaction."""
        record, task_type = handed.record, handed.task_type
        person_id, submission_id = handed.person_id, handed.submission_id
        if task_type.form is None or self._file.meta(travel.ORIGIN) is not None:
            return
        given = answers_in(submissions.read_body(self._file, submission_id))
        with self._file.transaction() as connection:
            asked = items.items_of(connection, record.id)
            known = [*asked, *items.checks_of(connection, record.kind)]
            judged = [
                Judgement(
                    person_id,
                    item.id,
                    submission_id,
                    record.kind,
                    item.purpose,
                    is_right(item, values),
                    self._room.now(),
                )
                for item in known
                if item.right
                and item.purpose is not Purpose.WORK
                and (values := _first_entry(given, item.id))
            ]
            quality.add_judgements(connection, judged)
        self._look_at_checks(record, task_type, person_id, judged)
        if task_type.passing is not None and task_type.passing.grade is None:
            right = [each.is_right for each in judged if each.purpose is not Purpose.ATTENTION]
            standing = verdict_on(task_type.passing, right, ())
            if standing is not None:
                score = sum(right) / len(right)
                now = self._room.now()
                self._stand(
                    Stood(person_id, record.kind, standing, score, submission_id, None, "", now)
                )

    def _look_at_checks(
        self,
        record: TaskRecord,
        task_type: TaskType,
        person_id: PersonId,
        judged: list[Judgement],
    ) -> None:
        rule = task_type.attention
        if rule is None or all(e.is_right for e in judged if e.purpose is Purpose.ATTENTION):
            return
        found = quality.judgements(self._file, record.kind, Purpose.ATTENTION, person_id=person_id)
        failed = sum(not each.is_right for each in found)
        is_over = failed >= rule.failures
        standing = Standing.KEPT_FROM if is_over else Standing.WARNED
        now = self._room.now()
        self._stand(Stood(person_id, record.kind, standing, failed, None, None, "", now))
        self._tell(person_id, record.id, _END if is_over else _WARNING)
        if is_over:
            self._end_work(person_id, record.kind)

    def _stand_by_grades(
        self,
        record: TaskRecord,
        person_id: PersonId,
        submission_id: SubmissionId,
        grades: list[int],
        by_id: PersonId,
    ) -> None:
        task_type = self._room.task_type(record.kind)
        if task_type.passing is None:
            return
        standing = verdict_on(task_type.passing, (), grades)
        if standing is not None:
            mean, now = sum(grades) / len(grades), self._room.now()
            self._stand(
                Stood(person_id, record.kind, standing, mean, submission_id, by_id, "", now)
            )

    def _stand(self, stood: Stood) -> None:
        with self._file.transaction() as connection:
            quality.add_standing(connection, stood)
        self._room.people.read_again()

    def _end_work(self, person_id: PersonId, kind: str) -> None:
        """Let what somebody holds of a kind wait for others; their drafts are kept."""
        room = self._room
        with self._file.reading() as connection:
            held = [
                task_id
                for task_id in work_queue.held_tasks(connection, person_id)
                if work_log.read_record(connection, task_id).kind == kind
            ]
        room.act_on_all(held, lambda _: (Leave(None, person_id),))
        room.look_for_people()

    def _tell(self, person_id: PersonId, task_id: TaskId, text: str) -> None:
        lead = next((p for p in self._room.people.all() if p.has(Role.LEAD)), None)
        if lead is not None:
            message = feedback.new_message(self._room.now(), lead.id, person_id, task_id, text)
            feedback.add_feedback(self._file, message)


def _author_of(record: TaskRecord, submission_id: SubmissionId) -> PersonId:
    for each in record.assignments:
        if any(handed.submission_id == submission_id for handed in each.submissions):
            return each.person_id
    raise WorkError("This submission is not of that task.", code="no-submission")


def _first_entry(given: Iterable[Answer], item_id: ItemId) -> dict[str, Value]:
    return {
        answer.key.field: answer.value
        for answer in given
        if answer.key.item_id == item_id and answer.key.entry == 0
    }
