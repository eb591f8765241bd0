"""Work packages: the tasks of one person in one file, and the project made from it.

The lead's `pack_tasks` gives tasks out and writes the file; the rater's `open_package` makes a
project of it that works offline. What comes back is read by `submissions`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId, TaskId, new_id
from annotator.domain.people import Person
from annotator.domain.recipes.recipe import TaskType
from annotator.domain.work.acts import Assign, Renew
from annotator.domain.work.records import TaskRecord
from annotator.domain.work.rules import may_begin
from annotator.services import entry_values as values
from annotator.services.entry_values import WORK, Header
from annotator.services.files import protect
from annotator.services.packages.package_opening import PackageOpened, unpacked
from annotator.services.packages.package_writing import Packing, shared_entries
from annotator.services.project.guideline_images import pictures_in
from annotator.services.workflow.sent_packages import PackageNote, note_package
from annotator.services.workflow.transactions import new_assignment
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow import tasks
from annotator.store.workflow.queue import Queue
from annotator.sync.archive import Archive, Content, write_archive

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

__all__ = ["PackageOpened", "PackedReport", "open_package", "pack_tasks"]


@dataclass(frozen=True, slots=True)
class PackedReport:
    """Contents of a written package; ``n_new`` tasks were newly assigned."""

    path: Path
    n_tasks: int
    n_new: int
    n_media: int
    without_media: tuple[str, ...]


def pack_tasks(
    project: OpenProject,
    path: Path,
    person_id: PersonId,
    *,
    n_tasks: int | None = None,
    stage: str | None = None,
    with_media: bool = False,
    on_progress: Callable[[float, str], object] | None = None,
) -> PackedReport:
    """Write a person's tasks into a package file, with further tasks if requested.

    Further tasks come from the queue by its rules and are assigned to the person: up to
    ``n_tasks``, of one stage only if it is named; all of that stage without a number; none with
    neither. WorkError for people who are no leads, when there are no tasks, or when the guidelines'
    pictures are too large; ArchiveError when the file cannot be written (assigned tasks stay
    assigned).
    """
    protect(path, project.own_files())
    lead = project.work.people.check_lead()
    person = project.work.people.person(person_id)
    pictures = pictures_in(project.work.pictures_folder())
    given_tasks = _assign_from_queues(project, lead, person, n_tasks, stage)
    records = [_lasting(project, person, task_id) for task_id in assigned_tasks(project, person.id)]
    if not records:
        raise WorkError(
            f"Cannot create a work package: {person.name} has no tasks.",
            code="nothing-to-do",
            hint="Specify how many tasks to assign, or assign tasks on the board.",
        )
    header = Header(project.file.meta("project_id") or "", new_id(), person.id, project.title)
    packing = Packing(project, person, with_media=with_media)

    def entries(copies: Path) -> Iterator[tuple[str, Content]]:
        yield from shared_entries(project, pictures)
        everything = [*bases_of(project, records), *records]
        yield from packing.entries(everything, copies, on_progress or _silent)
        # The file does not exist yet, so its assignments are kept here.
        note_package(project.file, header.package_id, PackageNote(person.id, packing.asked))

    with tempfile.TemporaryDirectory(prefix="annotator-package-") as copies:
        write_archive(path, WORK, values.header_of(header), entries(Path(copies)))
    missing = tuple(packing.without_media)
    return PackedReport(path, len(records), len(given_tasks), packing.n_media, missing)


def open_package(
    path: Path,
    target: Path,
    *,
    media_folders: Sequence[Path] = (),
    on_progress: Callable[[float, str], object] | None = None,
) -> PackageOpened:
    """Create a project from a work package; videos are searched in ``media_folders``.

    Media inside the package go into a folder beside the project. ArchiveError says why a package
    is refused, ProjectError why no project can be made; nothing is left behind then.
    """
    with Archive(path, WORK) as archive:
        return unpacked(archive, target, media_folders, on_progress or _silent)


def _silent(_fraction: float, _name: str) -> None:
    """Ignore progress."""


def assigned_tasks(project: OpenProject, person_id: PersonId) -> list[TaskId]:
    """Return the tasks that a person has now; a package for them contains all of these."""
    with project.file.reading() as connection:
        return work_queue.held_tasks(connection, person_id)


def _lasting(project: OpenProject, person: Person, task_id: TaskId) -> TaskRecord:
    """Let a person's hold last until they return it or a lead takes it back: they are away."""
    record = project.work.record(task_id)
    for held in record.holders:
        if held.person_id == person.id and held.lease_until is not None:
            renewal = Renew(person.id, held.id, never_expires=True)
            record = project.work.transactions.act(task_id, renewal)
    return record


def bases_of(project: OpenProject, records: Iterable[TaskRecord]) -> list[TaskRecord]:
    """Return the tasks whose results the given ones start from; they are packed read-only."""
    found: dict[TaskId, TaskRecord] = {}
    for record in records:
        task_type = project.work.recipe.task_type(record.kind)
        if task_type is None or not task_type.follows:
            continue
        with project.file.reading() as connection:
            base = tasks.find_by_kind(connection, record.video_id, task_type.follows)
        if base is not None:
            found[base] = project.work.record(base)
    return [base for base in found.values() if base.id not in {r.id for r in records}]


def _assign_from_queues(
    project: OpenProject, lead: Person, person: Person, n_tasks: int | None, stage: str | None
) -> list[TaskId]:
    """Give a person tasks from the queues open to them, in their order; one transaction."""
    if n_tasks is None and stage is None:
        return []
    named = [
        (task_type, index, Queue(task_type.kind, spec.key))
        for task_type in project.work.recipe.task_types
        for index, spec in enumerate(task_type.stages)
        if stage in (None, spec.key)
    ]
    if not named:
        raise WorkError(f"The recipe has no stage “{stage}”.", code="no-stage")
    queues = [(index, queue) for kind, index, queue in named if may_begin(person, kind)]
    return _give(project, lead, person, queues, n_tasks)


def give_tasks(
    project: OpenProject, lead: Person, person: Person, task_type: TaskType, *, up_to: int
) -> list[TaskId]:
    """Assign tasks of a kind to a person up to a number, by the rules of the queue."""
    if not may_begin(person, task_type):
        return []
    held = [project.work.record(task_id).kind for task_id in assigned_tasks(project, person.id)]
    queues = [(i, Queue(task_type.kind, spec.key)) for i, spec in enumerate(task_type.stages)]
    return _give(project, lead, person, queues, up_to - held.count(task_type.kind))


def _give(
    project: OpenProject,
    lead: Person,
    person: Person,
    queues: Sequence[tuple[int, Queue]],
    n_tasks: int | None,
) -> list[TaskId]:
    task_ids: list[TaskId] = []
    with project.work.transactions.together(), project.file.transaction() as connection:
        while n_tasks is None or len(task_ids) < n_tasks:
            offers = [
                (-offer.priority, not offer.is_returned, -index, offer.task_id)
                for index, queue in queues
                if (offer := work_queue.first_free(connection, person.id, person.roles, queue))
            ]
            if not offers:
                break
            *_, task_id = min(offers)
            for gold_id in project.work.gold.mixed_into([task_id], person.id):
                act = Assign(lead.id, new_assignment(), person.id, never_expires=True)
                project.work.transactions.act(gold_id, act)
                task_ids.append(gold_id)
    return task_ids
