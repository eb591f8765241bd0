"""From a work package to a project of its own: all of it, or nothing is left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.annotation.label_file import parse_label_set
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import MediaError, ProjectError, UserError
from annotator.domain.people import Person
from annotator.domain.work.codec import event_from
from annotator.domain.work.events import Created
from annotator.domain.work.step import replay
from annotator.services import entry_values as values
from annotator.services.project.guideline_images import UNPACKED, remove_pictures, unpack_pictures
from annotator.services.project.labels import LabelSets
from annotator.services.project.package_viewing import remember_viewings
from annotator.services.project.people import People
from annotator.services.project.recipes import ProjectRecipe
from annotator.services.workflow.submission_body import arrival_of
from annotator.services.workflow.transactions import WorkRoom, wall_clock
from annotator.store.annotation.predictions import StoredPrediction, add_prediction
from annotator.store.catalog import videos
from annotator.store.columns import id_bytes, instant_text
from annotator.store.file.failures import UNSOUND
from annotator.store.file.opening import create_file
from annotator.store.file.project import ProjectFile
from annotator.store.questions.items import add_items, item_of
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow import tasks, travel
from annotator.store.workflow.gold import GoldTask, add_gold_task
from annotator.store.workflow.log import append_events
from annotator.sync.archive import Archive, ArchiveError

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_MAX_FILES: Final = 50_000


@dataclass(frozen=True, slots=True)
class PackageOpened:
    """The project made of a package, how many tasks are in it, and the videos not found."""

    path: Path
    person: str
    n_tasks: int
    missing: tuple[str, ...]


def unpacked(
    archive: Archive,
    target: Path,
    media_folders: Sequence[Path],
    on_progress: Callable[[float, str], object],
) -> PackageOpened:
    """Make a project of an opened package; see `open_package`."""
    from annotator.services.project.projects import open_project, with_suffix

    header = values.read_header(archive)
    path = with_suffix(target).absolute()
    file = create_file(path, title=header.title or path.stem)
    pictures: Path | None = None
    try:
        try:
            pictures = unpack_pictures(archive, path)
            found = _Unpacking(archive, file, header)
            with file.transaction() as connection:
                n_tasks = found.write()
                if pictures is not None:
                    travel.set_meta(connection, UNPACKED, pictures.name)
        finally:
            file.close()
        project = open_project(path)
        try:
            missing = _bring_media(archive, project, found.videos, media_folders, on_progress)
        finally:
            project.close()
    except UserError:
        _discard(path, pictures)
        raise
    except UNSOUND as error:
        _discard(path, pictures)
        raise ArchiveError(
            f"Cannot unpack the work package: its content is invalid ({error}).",
            hint="No project was created. Request the file again.",
            where=str(archive.path),
        ) from error
    return PackageOpened(path, found.person.name, n_tasks, missing)


class _Unpacking:
    """Brings the entries of one package into a new project."""

    def __init__(self, archive: Archive, file: ProjectFile, header: values.Header) -> None:
        self._archive = archive
        self._file = file
        self._header = header
        rows = values.read_entry(archive, "people.json", values.People).people
        self._people = [Person(p.id, p.name, frozenset(p.roles), p.is_active) for p in rows]
        person = next((p for p in self._people if p.id == header.person_id), None)
        if person is None:
            raise ArchiveError(
                "Cannot unpack the work package: its recipient is not in the list of people.",
                where=str(archive.path),
            )
        self.person = person
        self.videos = values.read_entry(archive, "videos.json", values.Videos).videos

    def write(self) -> int:
        """Write everything but media, in one transaction; return how many tasks are in hand."""
        file = self._file
        with file.transaction() as connection:
            travel.replace_people(connection, self._people)
            file.person_id = id_bytes(self.person.id)
            origin = msgspec.json.encode(self._header).decode()
            travel.set_meta(connection, travel.ORIGIN, origin)
            guidelines = values.read_entry(self._archive, "guidelines.json", values.Guidelines)
            for guideline in guidelines.guidelines:
                travel.write_guideline(connection, guideline.name, guideline.title, guideline.text)
        recipe = ProjectRecipe(file)
        recipe.use(self._archive.read("recipe.toml").decode())
        labels = LabelSets(file)
        for lane in Lane:
            name = f"labels/{lane.value}.toml"
            text = self._archive.read(name).decode()
            labels.replace(parse_label_set(text, where=f"{self._archive.path}, {name}"))
        self._room = WorkRoom(file, recipe, People(file), wall_clock)
        for row in self.videos:
            self._add_video(row)
        names = [n for n in self._archive.names if n.startswith("tasks/")]
        for name in names:
            self._add_task(values.read_entry(self._archive, name, values.TaskRow))
        for name in self._archive.names:
            if name.startswith("predictions/"):
                self._add_prediction(values.read_entry(self._archive, name, values.PredictionRow))
        with file.reading() as connection:
            return len(work_queue.held_tasks(connection, self.person.id))

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
        with self._file.transaction() as connection:
            videos.add_video(self._file, info, None, tuple(row.findings))
            if row.content_hash is not None:
                travel.expect_content(connection, row.id, row.content_hash)
            if row.viewings:
                remember_viewings(self._file, row.id, row.viewings)

    def _add_prediction(self, row: values.PredictionRow) -> None:
        kept = StoredPrediction(
            *(row.id, row.video_id, row.model, row.version, row.file, row.sha256),
            row.body.encode(),
        )
        with self._file.transaction() as connection:
            add_prediction(connection, kept)

    def _add_task(self, row: values.TaskRow) -> None:
        events = [event_from(event) for event in row.events]
        if not events or not isinstance(events[0], Created):
            raise ArchiveError("A task has no creation event.", where=str(self._archive.path))
        record = replay(events)
        if (record.id, record.video_id) != (row.id, row.video_id):
            raise ArchiveError("A task does not match its ID.", where=str(self._archive.path))
        file = self._file
        with file.transaction() as connection:
            tasks.add_task(connection, events[0], row.title)
            append_events(connection, events[1:], first=2)
            asked = [item_of(i.id, i.kind, i.purpose, i.state, "", i.body) for i in row.items]
            add_items(connection, row.id, 0, asked)
            handed = {h.submission_id: h.at for a in record.assignments for h in a.submissions}
            for submission_id in row.submissions:
                body = self._archive.read(f"submissions/{submission_id}.json")
                at = instant_text(handed.get(submission_id, events[-1].at))
                arrival = arrival_of(body, at, where=str(self._archive.path))
                if submission_id in row.limited:
                    arrival = replace(arrival, id=submission_id)
                if arrival.id != submission_id or arrival.task_id != row.id:
                    raise ArchiveError(
                        "A submission does not match its ID.", where=str(self._archive.path)
                    )
                travel.take_in(connection, file.author()[1], arrival)
            if row.is_training:
                known = self._archive.read(f"training/{row.id}.json")
                training = GoldTask(row.id, None, self.person.id, is_training=True, known=known)
                add_gold_task(connection, training)
        self._room.fold(record, events[-1].at)


def _bring_media(
    archive: Archive,
    project: OpenProject,
    rows: Sequence[values.VideoRow],
    folders: Sequence[Path],
    on_progress: Callable[[float, str], object],
) -> tuple[str, ...]:
    """Unpack media, look for other videos by their content; return the names not found."""
    missing: list[str] = []
    around = list(_files([project.path.parent, *folders]))
    for i, row in enumerate(rows):
        on_progress(i / len(rows), row.name)
        places = [_own_media(archive, project.path, row.media)] if row.media else _same(row, around)
        if not any(_is_located(project, row, place) for place in places):
            missing.append(row.name)
    return tuple(missing)


def _own_media(archive: Archive, path: Path, name: str) -> Path:
    """Copy a video out of the archive, beside the project."""
    folder = path.with_name(f"{path.stem}-media")
    folder.mkdir(exist_ok=True)
    target = folder / Path(name).name
    if not target.exists():
        archive.copy(name, target)
    return target


def _is_located(project: OpenProject, row: values.VideoRow, place: Path) -> bool:
    try:
        project.locate(row.id, place)
    except (MediaError, ProjectError):
        return False
    return True


def _files(folders: Sequence[Path]) -> Iterator[tuple[Path, int]]:
    """Yield the files below some folders with their sizes, up to a limit; hidden ones left out."""
    count = 0
    for folder in dict.fromkeys(Path(f).absolute() for f in folders):
        for base, below, names in os.walk(folder):
            below[:] = sorted(name for name in below if not name.startswith("."))
            for name in sorted(names):
                count += 1
                if count > _MAX_FILES:
                    return
                with suppress(OSError):
                    path = Path(base, name)
                    yield path, path.stat().st_size


def _same(row: values.VideoRow, around: Sequence[tuple[Path, int]]) -> list[Path]:
    """Return the files that may hold a video: of its size, and if that is unknown of its name."""
    from annotator.media.index.fingerprint import content_hash

    if row.size is not None:
        fitting = [path for path, size in around if size == row.size]
    else:
        fitting = [path for path, _ in around if path.name == row.name]
    return [path for path in fitting if content_hash(path) == row.content_hash][:1]


def _discard(path: Path, pictures: Path | None) -> None:
    if pictures is not None:
        remove_pictures(pictures)
    for left in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        with suppress(OSError):
            left.unlink(missing_ok=True)
    folder = path.with_name(f"{path.stem}-media")
    if folder.is_dir():
        for file in folder.iterdir():
            with suppress(OSError):
                file.unlink()
        with suppress(OSError):
            folder.rmdir()
