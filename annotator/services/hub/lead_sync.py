"""The lead's side of a hub: offers tasks as seats and collects the results.

The project file stays the record; the hub transports work. An open task offers one seat for each
missing person. A claim becomes an assignment as soon as this program reads it, by the same rules as
on the board. Tasks that depend on their person (attention checks, gold tasks, tests, studies) are
assigned first and offered to that person alone.

Every step can be repeated after a crash: events are acknowledged after they are in the project
file, and repeated ones change nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.annotation.labels import label_set_text
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import UserError, WorkError
from annotator.domain.ids import AssignmentId, ItemId, PersonId, TaskId, new_id
from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.acts import Assign, Release, Revoke
from annotator.domain.work.event_replay import apply
from annotator.domain.work.events import Assigned
from annotator.domain.work.records import Assignment, AssignmentState, TaskRecord, TaskStatus
from annotator.domain.work.rules import excluded_people, may_begin, role_of
from annotator.services.entry_values import BUNDLE, SEAT, SeatHeader, header_of
from annotator.services.hub.claims import KEPT, TAKEN_IN
from annotator.services.packages.package_writing import Packing, shared_entries
from annotator.services.packages.packages import bases_of, give_tasks
from annotator.services.packages.submissions import collect_delivery
from annotator.services.project.guideline_images import pictures_in
from annotator.services.workflow.sent_packages import PackageNote, note_package, was_noted
from annotator.store.annotation.predictions import predicted_since
from annotator.store.workflow import travel
from annotator.store.workflow.queue import changed_between
from annotator.store.workflow.tasks import find_task
from annotator.sync.archive import archive_bytes
from annotator.sync.hub import MAX_PRIORITY, EventKind, Hub, HubEvent, HubPerson, Seat

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

TRAY: Final = 5
"""How many tasks of a kind are assigned ahead to each person, where seats cannot be open."""

_SEAT: Final = "seat:{}"
_SEATS: Final = "seats_of:{}"
_MEMBERS: Final = "hub_members"
_MARKS: Final = "hub_marks"
_PUBLISHED_AT: Final = "hub_published"
_MOST_MARKS: Final = 20
_AWAY: Final = (EventKind.RELEASED, EventKind.EXPIRED, EventKind.REVOKED)
_TAKEN: Final = frozenset((AssignmentState.HELD, AssignmentState.SUBMITTED))
_PUBLISHED: Final = 500
_ID_LENGTH: Final = 36
"""Names of seats begin with the ID of their task."""


class SeatNote(msgspec.Struct, omit_defaults=True):
    """A seat as it was offered; ``assignment_id`` is "" where the claim makes the assignment."""

    task_id: TaskId
    asked: list[ItemId]
    assignment_id: str = ""
    priority: int = 0
    excluded: list[PersonId] = []
    is_offered: bool = True


@dataclass(slots=True)
class RoundResult:
    """Result of one round at the hub; ``refused`` are deliveries with the reason."""

    n_events: int = 0
    n_taken_in: int = 0
    n_published: int = 0
    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    """A seat that a task should have; ``held`` is the assignment it is for, if there is one."""

    id: str
    only_for: Person | None = None
    held: Assignment | None = None


class Sharing:
    """A project of a lead, and its hub with the write role."""

    def __init__(self, project: OpenProject, hub: Hub) -> None:
        """WorkError unless a lead is signed in."""
        self._project = project
        self._file = project.file
        self._transactions = project.work.transactions
        self._hub = hub
        self._lead = project.work.people.check_lead()

    @property
    def members(self) -> frozenset[PersonId]:
        """The people who work through the hub."""
        text = self._file.meta(_MEMBERS)
        return frozenset(msgspec.json.decode(text, type=list[PersonId]) if text else ())

    def add_member(self, person_id: PersonId) -> None:
        """Add a person to the hub with the next publication."""
        self._project.work.people.person(person_id)
        kept = sorted({*self.members, person_id})
        with self._file.transaction() as connection:
            travel.set_meta(connection, _MEMBERS, msgspec.json.encode(kept).decode())
        self._hub.set_people(self._people())

    def publish(
        self,
        task_ids: Iterable[TaskId] | None = None,
        *,
        is_anew: bool = False,
        on_progress: Callable[[float, str], object] = lambda _fraction, _name: None,
    ) -> int:
        """Offer available tasks; returns the number of new seats.

        What waits no more is withdrawn. ``is_anew`` offers everything again, for a hub that was
        made anew or restored: seats it knows stay as they are.
        """
        self._hub.set_people(self._people())
        bundle = self._bundle()
        if task_ids is None:
            self._assign()
        to_publish = list(task_ids) if task_ids is not None else self._all_tasks()
        count, batch, predicted = 0, list[Seat](), self._newly_predicted()
        for i, task_id in enumerate(to_publish):
            on_progress(i / len(to_publish), task_id)
            batch += self._seats(task_id, is_anew=is_anew, is_packed_anew=task_id in predicted)
            if len(batch) >= _PUBLISHED:
                count += self._offer(batch, bundle)
                batch = []
        return count + self._offer(batch, bundle)

    def step(self, limit: int = 200) -> RoundResult:
        """Collect events of the hub and publish the tasks that follow."""
        round_result = RoundResult()
        mark, known_marks = self._hub.board().mark, self._marks()
        if mark and mark not in known_marks and (not known_marks or mark > known_marks[0]):
            # Acknowledged by a later state of this project file, which was restored since.
            self._hub.resend_events()
        elif known_marks and mark < known_marks[0]:
            # The hub is new or was restored: claimed tasks are offered to their people again.
            self.publish(is_anew=True)
        while events := self._hub.events(limit):
            round_result.n_events += len(events)
            lost: list[str] = []
            outcomes = {event.key: self._apply_event(event, round_result, lost) for event in events}
            if lost:
                self._hub.revoke(lost)
            new = self._add_mark()
            self._hub.acknowledge(outcomes, mark=new)
            self._keep_marks([new])
        if over := self._over():
            self._hub.revoke(over)
        round_result.n_published = self._publish_news()
        return round_result

    def _publish_news(self) -> int:
        """Publish changes of this project since the last time: tasks by the instant
        noted with them, recipe, labels and people by their content.
        """
        published = self._file.meta(_PUBLISHED_AT) or "0 -"
        since, known_digest = published.split()
        now = self._transactions.now()
        changed = changed_between(self._file, int(since), now)
        changed += self._newly_predicted() - set(changed)
        people = [_hub_fields(person) for person in self._people()]
        shared = hashlib.sha256(repr((self._shared_texts(), people)).encode()).hexdigest()
        if not changed and shared == known_digest:
            return 0
        self._assign()
        count = self.publish(changed)
        with self._file.transaction() as connection:
            # What still changes within this millisecond is looked at once more.
            travel.set_meta(connection, _PUBLISHED_AT, f"{now - 1} {shared}")
        return count

    def _newly_predicted(self) -> set[TaskId]:
        """Return the tasks about videos that got predictions since the last publication."""
        since = int((self._file.meta(_PUBLISHED_AT) or "0 -").split()[0])
        video_ids = predicted_since(self._file, since)
        tasks = self._project.tasks(with_gold=True) if video_ids else []
        return {task.id for task in tasks if task.video_id in video_ids}

    def _shared_texts(self) -> list[str]:
        labels = [label_set_text(self._project.label_set(lane)) for lane in Lane]
        return [self._project.work.recipe_text(), *labels]

    def _offer(self, seats: Sequence[Seat], bundle: bytes) -> int:
        """Publish seats, and note that they are offered once the hub has them."""
        count = self._hub.publish(seats, bundle)
        with self._file.transaction():
            for seat in seats:
                note = self.note(seat.id)
                assert note is not None
                self._note(seat.id, replace_note(note, is_offered=True))
        return count

    def _marks(self) -> list[str]:
        """Return the marks of acknowledgements: the last that arrived, and those that may have.

        Marks are made in the order of time.
        """
        return (self._file.meta(_MARKS) or "").split()

    def _add_mark(self) -> str:
        mark, known = new_id(), self._marks()
        self._keep_marks([*known[:1], *known[1:][-_MOST_MARKS:], mark])
        return mark

    def _keep_marks(self, marks: list[str]) -> None:
        with self._file.transaction() as connection:
            travel.set_meta(connection, _MARKS, " ".join(marks))

    def _over(self) -> list[str]:
        """Return the claims at the hub whose tasks a lead took back or gave to others here."""
        found: list[str] = []
        for holder in self._hub.board().holders:
            note = self.note(holder.seat_id)
            if note is None or not was_noted(self._file, holder.claim_id):
                continue  # not heard of yet
            held = self._transactions.record(note.task_id).assignment(
                AssignmentId(note.assignment_id or holder.claim_id)
            )
            if held is None or held.state is not AssignmentState.HELD:
                found.append(holder.claim_id)
        return found

    def _people(self) -> list[HubPerson]:
        types = self._project.work.recipe.task_types
        members = self.members
        return [
            HubPerson(
                person.id,
                person.name,
                frozenset((*person.roles, *([""] if person.has(None) else []))),
                frozenset(t.kind for t in types if may_begin(person, t)),
                is_active=person.is_active,
            )
            for person in self._project.work.people.all()
            if person.id in members or person.has(Role.LEAD)
        ]

    def _bundle(self) -> bytes:
        pictures = pictures_in(self._project.work.pictures_folder())
        header = {"project_id": self._file.meta("project_id"), "title": self._project.title}
        return archive_bytes(BUNDLE, header, shared_entries(self._project, pictures))

    def _all_tasks(self) -> list[TaskId]:
        return [task.id for task in self._project.tasks(with_gold=True)]

    def _assign(self) -> None:
        """Assign tasks ahead to people, of kinds in which seats cannot be open."""
        kinds = [t for t in self._project.work.recipe.task_types if _needs_assignment(t)]
        for person_id in self.members if kinds else ():
            person = self._project.work.people.person(person_id)
            if not person.is_active:
                continue
            for task_type in kinds:
                give_tasks(self._project, self._lead, person, task_type, up_to=TRAY)

    def _seats(self, task_id: TaskId, *, is_anew: bool, is_packed_anew: bool) -> list[Seat]:
        """Return the seats of a task that are to be offered now; withdraws those that are not.

        With ``is_packed_anew`` seats not claimed yet are packed again.
        """
        record = self._transactions.record(task_id)
        task_type = self._project.work.recipe.task_type(record.kind)
        notes = self._notes(task_id)
        places: list[_Place] = []
        if task_type is not None:
            places = list(self._places(record, task_type, notes, is_anew=is_anew))
        over = [noted_seat for noted_seat in notes if notes[noted_seat].is_offered]
        over = [
            noted_seat for noted_seat in over if all(place.id != noted_seat for place in places)
        ]
        if over:
            self._hub.withdraw(over)
            for seat_id in over:
                self._note(seat_id, replace_note(notes[seat_id], is_offered=False))
        seats: list[Seat] = []
        for place in places:
            assert task_type is not None
            note = notes.get(place.id)
            if note is None or not note.is_offered or is_anew:
                seats.append(self._seat(record, task_type, place))
                continue
            if is_packed_anew:
                self._pack_anew(record, task_type, place, note)
            if (now := self._facts(record, task_type, place)) != (note.priority, note.excluded):
                self._hub.revise([place.id], priority=now[0], excluded=now[1])
                self._note(place.id, replace_note(note, priority=now[0], excluded=now[1]))
        return seats

    def _pack_anew(
        self, record: TaskRecord, task_type: TaskType, place: _Place, note: SeatNote
    ) -> None:
        seat = self._seat(record, task_type, place)
        if self._hub.revise([place.id], body=seat.body):
            note = self.note(place.id) or note
        # Who has claimed it already was sent what the note of before says.
        self._note(place.id, replace_note(note, is_offered=True))

    def _places(
        self,
        record: TaskRecord,
        task_type: TaskType,
        notes: Mapping[str, SeatNote],
        *,
        is_anew: bool,
    ) -> Iterator[_Place]:
        """Yield the required seats of a task at this visit.

        With ``is_anew`` a claim at an earlier hub becomes a seat for its person alone.
        """
        stage = task_type.stage(record.stage)
        if stage is None or record.status not in (TaskStatus.WAITING, TaskStatus.IN_PROGRESS):
            return
        n_places, members = 0, self.members
        for assignment in record.current:
            own = f"{record.id}-{record.visit}-{assignment.id}"
            is_claim = was_noted(self._file, assignment.id) and not is_anew and own not in notes
            if assignment.state not in _TAKEN or is_claim:
                continue  # a claim at the hub is in one of the seats below
            n_places += 1
            if assignment.state is AssignmentState.HELD and assignment.person_id in members:
                yield _Place(
                    own, self._project.work.people.person(assignment.person_id), assignment
                )
        if _needs_assignment(task_type) or record.needs_lead is not None:
            return
        owner = None
        if record.reserved_for is not None:
            owner = self._project.work.people.find(record.reserved_for)
        for i in range(record.wanted - n_places):
            yield _Place(f"{record.id}-{record.visit}-{i + 1}", owner)

    def _facts(
        self, record: TaskRecord, task_type: TaskType, place: _Place
    ) -> tuple[int, list[PersonId]]:
        """Return the priority of a seat, and who may not have it; one's own is never refused."""
        stage = task_type.stage(record.stage)
        assert stage is not None
        excluded = sorted(excluded_people(record, stage)) if place.held is None else []
        return min(MAX_PRIORITY, max(0, record.priority)), excluded

    def _seat(self, record: TaskRecord, task_type: TaskType, place: _Place) -> Seat:
        """Pack a seat, and note it before it is offered."""
        stage = task_type.stage(record.stage)
        assert stage is not None
        role = role_of(record, stage)
        assignment, packed = place.held, record
        person = place.only_for or Person(
            PersonId(new_id()), "", frozenset((role,) if role is not None else ())
        )
        if assignment is None:
            # As if it were assigned: the claim will create the assignment.
            event = Assigned(record.id, 0, None, AssignmentId(new_id()), person.id)
            packed = apply(record, event)
            assignment = packed.assignment(event.assignment_id)
            assert assignment is not None
        packing = Packing(self._project, person)
        header = SeatHeader(
            self._file.meta("project_id") or "",
            place.id,
            record.id,
            place.held.id if place.held is not None else "",
        )
        everything = [*bases_of(self._project, [packed]), packed]
        body = archive_bytes(
            SEAT,
            header_of(header),
            ((name, _in_memory(entry)) for name, entry in packing.entries(everything)),
        )
        priority, excluded = self._facts(record, task_type, place)
        asked_items = packing.asked[assignment.id]
        note = SeatNote(
            record.id, asked_items, header.assignment_id, priority, excluded, is_offered=False
        )
        self._note(place.id, note)
        return Seat(
            place.id,
            f"{record.id}-{record.visit}",
            record.kind,
            record.stage,
            body,
            role=role.value if role is not None else "",
            priority=priority,
            only_for=place.only_for.id if place.only_for is not None else None,
            excluded=frozenset(excluded),
        )

    def _apply_event(self, event: HubEvent, round_result: RoundResult, lost: list[str]) -> str:
        """Take over an event, and return the words for its sender; a claim may be ``lost``."""
        note = self._note_of(event)
        if note is None:
            if event.kind is EventKind.CLAIMED:
                lost.append(event.claim_id)
            return "refused: this project never offered the task"
        if event.kind is EventKind.CLAIMED:
            try:
                self._claimed(event, note)
            except WorkError:
                lost.append(event.claim_id)
            return ""
        if event.kind in _AWAY:
            self._ended(event, note)
            return ""
        try:
            report = collect_delivery(
                self._project,
                event.delivery,
                person_id=event.person_id,
                package_id=event.claim_id,
                assignment_id=AssignmentId(note.assignment_id or event.claim_id),
            )
        except UserError as error:
            round_result.refused.append(f"{event.seat_id}: {error}")
            return f"refused: {error.text}"
        round_result.n_taken_in += len(report.new)
        return f"{KEPT}{report.flagged[0][1]}" if report.flagged else TAKEN_IN

    def _note_of(self, event: HubEvent) -> SeatNote | None:
        """Return what is known of the seat of an event.

        A restored project, or an older copy of it, has not offered the tasks that followed from the
        events it collects now: it offers them in turn, and the hub has them already.
        """
        note = self.note(event.seat_id)
        task_id = TaskId(event.seat_id[:_ID_LENGTH])
        if note is not None or find_task(self._file, task_id) is None:
            return note
        if event.person_id not in self.members and self._project.work.people.find(event.person_id):
            self.add_member(event.person_id)
        own = event.seat_id[_ID_LENGTH + 1 :].partition("-")[2]
        if len(own) == _ID_LENGTH:
            # A task that was assigned first: it gets the assignment of then.
            act = Assign(
                self._lead.id, AssignmentId(own), event.person_id, never_expires=True, is_fresh=True
            )
            with suppress(WorkError):
                self._transactions.act(task_id, act)
        self.publish([task_id])
        return self.note(event.seat_id)

    def _claimed(self, event: HubEvent, note: SeatNote) -> None:
        """Assign a claimed task; WorkError when the rules do not let this person have it."""
        if note.assignment_id:
            asked_by_assignment = {AssignmentId(note.assignment_id): note.asked}
        else:
            assignment_id = AssignmentId(event.claim_id)
            assignment = self._transactions.record(note.task_id).assignment(assignment_id)
            if assignment is not None and assignment.person_id != event.person_id:
                raise WorkError("The claim has the ID of another one.", code="not-yours")
            if assignment is None:
                act = Assign(
                    self._lead.id,
                    assignment_id,
                    event.person_id,
                    never_expires=True,
                    is_fresh=True,
                )
                self._transactions.act(note.task_id, act)
            asked_by_assignment = {assignment_id: note.asked}
        note_package(self._file, event.claim_id, PackageNote(event.person_id, asked_by_assignment))

    def _ended(self, event: HubEvent, note: SeatNote) -> None:
        """Release a task whose claim ended; an earlier assignment stays."""
        if note.assignment_id:
            return
        record = self._transactions.record(note.task_id)
        held = record.assignment(AssignmentId(event.claim_id))
        if held is None or held.state is not AssignmentState.HELD:
            return
        if event.kind is EventKind.REVOKED:
            self._transactions.act(
                note.task_id, Revoke(self._lead.id, held.id, "Taken back at the hub.")
            )
        else:
            self._transactions.act(note.task_id, Release(held.person_id, held.id))

    def _notes(self, task_id: TaskId) -> dict[str, SeatNote]:
        """Return the seats of a task that were ever offered."""
        text = self._file.meta(_SEATS.format(task_id))
        names = msgspec.json.decode(text, type=list[str]) if text is not None else []
        found = {name: self.note(name) for name in names}
        return {name: note for name, note in found.items() if note is not None}

    def note(self, seat_id: str) -> SeatNote | None:
        """Return the stored facts of a seat, None if this project never offered it."""
        text = self._file.meta(_SEAT.format(seat_id))
        return msgspec.json.decode(text, type=SeatNote) if text is not None else None

    def _note(self, seat_id: str, note: SeatNote) -> None:
        names = [*self._notes(note.task_id)]
        with self._file.transaction() as connection:
            travel.set_meta(connection, _SEAT.format(seat_id), msgspec.json.encode(note).decode())
            if seat_id not in names:
                kept = msgspec.json.encode([*names, seat_id]).decode()
                travel.set_meta(connection, _SEATS.format(note.task_id), kept)


def _hub_fields(person: HubPerson) -> tuple[object, ...]:
    """Return the fields of a person that the hub gets, in a fixed order."""
    return person.id, person.name, sorted(person.roles), sorted(person.kinds), person.is_active


def replace_note(note: SeatNote, **changes: object) -> SeatNote:
    """Return a note with some of it changed."""
    return msgspec.structs.replace(note, **changes)


def _needs_assignment(task_type: TaskType) -> bool:
    """Return whether what a task asks depends on who does it, so that it is assigned first."""
    return (
        task_type.attention is not None
        or task_type.gold is not None
        or task_type.study is not None
        or task_type.passing is not None
    )


def _in_memory(content: bytes | Path) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()
