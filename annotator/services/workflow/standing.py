"""Qualification status per person and task type, with its consequences for tasks."""

from __future__ import annotations

from annotator.domain.ids import PersonId, TaskId
from annotator.domain.people import Role
from annotator.domain.questions.quality import QualificationStatus
from annotator.domain.work.acts import Leave
from annotator.services.workflow.transactions import WorkRoom
from annotator.store.questions import quality
from annotator.store.questions.quality import Stood
from annotator.store.workflow import feedback
from annotator.store.workflow import log as work_log
from annotator.store.workflow import queue as work_queue


class Standings:
    """The book of who passed, failed, was warned or kept from something."""

    def __init__(self, room: WorkRoom) -> None:
        self._room = room

    def note(self, stood: Stood) -> None:
        """Note how somebody stands from now on; work that waited for them is offered again."""
        with self._room.file.transaction() as connection:
            quality.add_standing(connection, stood)
        self._room.people.read_again()
        if stood.state in (QualificationStatus.PASSED, QualificationStatus.CLEARED):
            self._room.look_for_people()

    def of(self, person_id: PersonId, kind: str) -> list[Stood]:
        """Return what came of somebody's work on a kind of task since they last began anew.

        The first is the lead's word that they may, if there is one.
        """
        found = [s for s in quality.standings(self._room.file, person_id) if s.kind == kind]
        starts = [i for i, each in enumerate(found) if each.state is QualificationStatus.CLEARED]
        return found[starts[-1] :] if starts else found

    def end_work(self, person_id: PersonId, kind: str) -> None:
        """Let what somebody holds of a kind wait for others; their drafts are kept."""
        room = self._room
        with room.file.reading() as connection:
            held = [
                task_id
                for task_id in work_queue.held_tasks(connection, person_id)
                if work_log.read_record(connection, task_id).kind == kind
            ]
        room.act_on_all(held, lambda _: (Leave(None, person_id),))
        room.look_for_people()

    def tell(self, person_id: PersonId, task_id: TaskId | None, text: str) -> None:
        """Put a message before somebody, from a lead."""
        lead = next((p for p in self._room.people.all() if p.has(Role.LEAD)), None)
        if lead is not None:
            message = feedback.new_message(self._room.now(), lead.id, person_id, task_id, text)
            feedback.add_feedback(self._room.file, message)
