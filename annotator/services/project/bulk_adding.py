"""Adding thousands of videos in one go, and what a table says of them.

Files are read by processes of their own (`services.background`); what they told is
written in small portions, so that edits made meanwhile do not wait, and a cancelled or broken run
keeps what is done. Run `add_media` as a job.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.errors import ExchangeError
from annotator.domain.ids import VideoId, new_id
from annotator.services.files import MEDIA_SUFFIXES
from annotator.services.project.video_reading import Outcome, read_files
from annotator.services.project.videos import ReadFile

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_PORTION = 8
_MAX_LIST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class AddingReport:
    """Result of adding many files.

    ``known`` were in the project already; ``duplicates`` have the very content of the file next to
    them, which was added in the same go; ``failed`` have the reason; ``n_left`` were not reached.
    """

    added: tuple[VideoId, ...] = ()
    known: tuple[Path, ...] = ()
    duplicates: tuple[tuple[Path, Path], ...] = ()
    failed: tuple[tuple[Path, str], ...] = ()
    n_left: int = 0


def media_files(sources: Iterable[Path]) -> list[Path]:
    """Return the files that folders, lists and single names mean, each once, in their order.

    A folder means all media files below it, by name, hidden ones left out; a text file (.txt) names
    one file or folder per line, relative to itself. ExchangeError when a list cannot be read.
    """
    found: dict[Path, None] = {}
    for source in sources:
        path = Path(source).absolute()
        if path.is_dir():
            found |= dict.fromkeys(_below(path))
        elif path.suffix.lower() == ".txt":
            found |= dict.fromkeys(media_files(_listed(path)))
        else:
            found[path] = None
    return list(found)


def add_media(
    project: OpenProject,
    paths: Iterable[Path],
    *,
    task_title: str | None = None,
    grid_step: int | None = None,
    processes: int | None = None,
    on_progress: Callable[[float, str], object] | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> AddingReport:
    """Add video files, each with a task; one that cannot be used is reported and left out.

    ``task_title`` is used in the place of the recipe's. ``on_progress`` gets the fraction done and
    the name of a file. ``work.changed`` is told on the thread this runs on, for each portion.
    ProjectError when the project cannot be written; what was added before stays.
    """
    wanted = list(dict.fromkeys(Path(p).absolute() for p in paths))
    run = _Run(project, task_title, grid_step)
    done = 0

    def tell(path: Path, share: float) -> None:
        if on_progress:
            on_progress((done + share) / len(wanted), path.name)

    reading = read_files(wanted, processes=processes, is_cancelled=is_cancelled, on_share=tell)
    with closing(reading) as outcomes:
        while portion := list(islice(outcomes, _PORTION)):
            run.write(portion)
            done += len(portion)
            if on_progress:
                on_progress(done / len(wanted), portion[-1][0].name)
    return run.report(len(wanted) - done)


class _Run:
    """Progress of one call."""

    def __init__(self, project: OpenProject, title: str | None, grid_step: int | None) -> None:
        self._project = project
        self._title = title
        self._grid_step = grid_step
        self._with_task = {task.video_id for task in project.tasks()}
        self._without_task: list[VideoId] = []
        self._added: dict[VideoId, Path] = {}
        self._known: list[Path] = []
        self._duplicates: list[tuple[Path, Path]] = []
        self._failed: list[tuple[Path, str]] = []

    def write(self, portion: list[tuple[Path, Outcome]]) -> None:
        """Bring a portion into the project, in one transaction."""
        with self._project.footage.together():
            for path, outcome in portion:
                if isinstance(outcome, ReadFile):
                    self._take(outcome)
                else:
                    self._failed.append((path, outcome))
            if self._without_task:
                self._project.work.add_tasks(self._without_task, title=self._title)
            self._with_task.update(self._without_task)
            self._without_task.clear()

    def report(self, n_left: int) -> AddingReport:
        known, failed = tuple(self._known), tuple(self._failed)
        return AddingReport(tuple(self._added), known, tuple(self._duplicates), failed, n_left)

    def _take(self, read: ReadFile) -> None:
        # Named here and not by the reader, so that the project lists them in the order asked for.
        read = replace(read, info=replace(read.info, id=VideoId(new_id())))
        video_id, is_new = self._project.footage.take(read, grid_step=self._grid_step)
        if is_new:
            self._added[video_id] = read.path
        elif video_id in self._added:
            self._duplicates.append((read.path, self._added[video_id]))
        else:
            self._known.append(read.path)
        if video_id not in self._with_task and video_id not in self._without_task:
            self._without_task.append(video_id)


def _below(folder: Path) -> Iterator[Path]:
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in MEDIA_SUFFIXES:
                yield Path(base, name)


def _listed(path: Path) -> list[Path]:
    """Return what a list of files names; a list within a list is not followed."""
    try:
        if path.stat().st_size > _MAX_LIST_BYTES:
            raise ExchangeError("Cannot read the file list: it is too long.", where=str(path))
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        text = f"Cannot read the file list: {error.strerror}."
        raise ExchangeError(text, hint="Check the path.", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise ExchangeError(
            "Cannot read the file list: it is not UTF-8 text.",
            hint="Save it as UTF-8.",
            where=str(path),
        ) from error
    named = [path.parent / line.strip() for line in lines if line.strip()]
    return [p for p in named if p.suffix.lower() != ".txt"]
