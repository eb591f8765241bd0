"""Creates a project from a work package, completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from annotator.domain.errors import MediaError, ProjectError, UserError
from annotator.domain.people import Person
from annotator.services import entry_values as values
from annotator.services.entry_values import Header
from annotator.services.packages.package_contents import Unpacking
from annotator.services.project.guideline_images import UNPACKED, remove_pictures, unpack_pictures
from annotator.services.workflow.drafts import held_by
from annotator.services.workflow.sent_packages import origin_of, remember_package
from annotator.store.columns import id_bytes
from annotator.store.file.failures import UNSOUND
from annotator.store.file.file_opening import create_file
from annotator.store.workflow import queue as work_queue
from annotator.store.workflow import travel
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
    if path.exists():
        return _added(archive, path, header, media_folders, on_progress)
    try:
        create_for(path, header)
        project = open_project(path)
        try:
            return _import_all(archive, project, header, media_folders, on_progress)
        finally:
            project.close()
    except UNSOUND as error:
        discard(path)
        raise _unsound(archive, error) from error
    except BaseException:
        discard(path)
        raise


def create_for(path: Path, header: Header, *, person: Person | None = None) -> None:
    """Create an empty project for one person's work in another project.

    ``person`` is how they are called, if no package says so.
    """
    file = create_file(path, title=header.title or path.stem)
    try:
        with file.transaction() as connection:
            known = person or Person(header.person_id, "?", frozenset())
            travel.replace_people(connection, [known])
            file.person_id = id_bytes(header.person_id)
            origin = msgspec.json.encode(header).decode()
            travel.set_meta(connection, travel.ORIGIN, origin)
    finally:
        file.close()


def _added(
    archive: Archive,
    path: Path,
    header: Header,
    media_folders: Sequence[Path],
    on_progress: Callable[[float, str], object],
) -> PackageOpened:
    """Take the work of a package into the project that an earlier one was opened in."""
    from annotator.services.project.projects import open_project

    project = open_project(path)
    try:
        check_origin(project, header, str(archive.path))
        return _import_all(archive, project, header, media_folders, on_progress)
    finally:
        project.close()


def check_origin(project: OpenProject, header: Header, where: str) -> None:
    """Raise ProjectError unless a project is for the work of that person in that project."""
    known = origin_of(project)
    if known is None or known.project_id != header.project_id:
        raise ProjectError(
            f"Cannot add the tasks: the selected project is not one for tasks of “{header.title}”.",
            hint="Select another file name. A new project is created then.",
            where=where,
        )
    if known.person_id != header.person_id:
        raise ProjectError(
            "Cannot add the tasks: the selected project belongs to another person.",
            hint="Select another file name. A new project is created then.",
            where=where,
        )


def _import_all(
    archive: Archive,
    project: OpenProject,
    header: Header,
    media_folders: Sequence[Path],
    on_progress: Callable[[float, str], object],
) -> PackageOpened:
    """Take the work of a package into a project, all of it or none."""
    pictures: Path | None = None
    try:
        pictures = unpack_pictures(archive, project.path)
        unpacking = Unpacking(project, archive)
        transactions = project.work.transactions
        with (
            transactions.recipe.restored_on_failure(),
            transactions.together(),
            project.file.transaction() as connection,
        ):
            unpacking.shared()
            for task_id in unpacking.tasks(header.person_id):
                assignment = held_by(project.work.record(task_id), header.person_id)
                if assignment is not None:
                    remember_package(project.file, assignment.id, header.package_id)
            if pictures is not None:
                travel.set_meta(connection, UNPACKED, pictures.name)
            n_tasks = len(work_queue.held_tasks(connection, header.person_id))
    except UserError:
        if pictures is not None:
            remove_pictures(pictures)
        raise
    except UNSOUND as error:
        if pictures is not None:
            remove_pictures(pictures)
        raise _unsound(archive, error) from error
    person = project.work.people.person(header.person_id)
    missing = unpack_media(archive, project, unpacking.videos, media_folders, on_progress)
    return PackageOpened(project.path, person.name, n_tasks, missing)


def _unsound(archive: Archive, error: Exception) -> ArchiveError:
    return ArchiveError(
        f"Cannot unpack the work package: its content is invalid ({error}).",
        hint="No data was imported. Request the file again.",
        where=str(archive.path),
    )


def unpack_media(
    archive: Archive,
    project: OpenProject,
    rows: Sequence[values.VideoRow],
    folders: Sequence[Path],
    on_progress: Callable[[float, str], object],
) -> tuple[str, ...]:
    """Unpack media and locate other videos by content; return the names not found."""
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


def discard(path: Path) -> None:
    """Take away a project that was made for a package, and the videos beside it."""
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
