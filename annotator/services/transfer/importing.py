"""Import into a project: a file is checked as a whole before anything of it is brought in.

The check can run in the background; sessions are changed on the main thread, video by video.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from annotator.domain.checks import Finding, Severity
from annotator.domain.document import Document, VideoInfo
from annotator.domain.errors import ExchangeError, ProjectError
from annotator.domain.ids import DraftId, TaskId, VideoId, new_id
from annotator.domain.workflow import TaskState
from annotator.services.jobs import JobToken
from annotator.services.projects import OpenProject

if TYPE_CHECKING:
    from annotator.exchange.perception_test.records import VideoRecord

_SHARE_OF_CHECK: Final = 0.5


@dataclass(frozen=True, slots=True)
class ImportedVideo:
    """What one entry brought; ``is_new``: the project did not have the video before."""

    name: str
    task_id: TaskId
    n_tracks: int
    n_points: int
    n_segments: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. ERROR findings name what was skipped."""

    path: Path
    videos: tuple[ImportedVideo, ...]
    findings: tuple[Finding, ...]


class ImportRefusedError(ExchangeError):
    """Records of a file are bad and nobody said to skip them: nothing was imported."""

    def __init__(self, path: Path, findings: Sequence[Finding]) -> None:
        self.findings = tuple(f for f in findings if f.severity is Severity.ERROR)
        first, more = self.findings[0], len(self.findings) - 1
        others = f" (and {more} more)" if more else ""
        super().__init__(
            first.text + others,
            hint="Nothing was imported. Correct the file, or keep going without the bad records.",
            where=f"{path}, {first.where}",
        )


class FileImport:
    """A file opened to be imported: first checked as a whole, then brought in video by video.

    ``names`` chooses entries (all where empty). ExchangeError when the file cannot be read, has no
    such entry, or is not an object of entries.
    """

    def __init__(self, project: OpenProject, path: Path, names: Sequence[str] = ()) -> None:
        from annotator.exchange.strict_json import JsonObjectFile

        self.path = path
        self._targets = _targets(project)
        self._file = JsonObjectFile(path)
        found = self._file.keys()
        unknown = [n for n in names if n not in found]
        if unknown or not found:
            self._file.__exit__(None, None, None)
            text = f"has no entry “{unknown[0]}”." if unknown else "has no entries."
            raise ExchangeError(text, hint="The keys of the file are video names.", where=str(path))
        self.names = [n for n in found if not names or n in names]
        self.findings: tuple[Finding, ...] = ()
        self._good: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.__exit__(kind, error, trace)

    def check(self, token: JobToken, *, keep_going: bool = False) -> None:
        """Read everything once and keep nothing but findings; may run on any thread.

        ImportRefusedError when something is bad, unless ``keep_going``: then it will be skipped.
        """
        from annotator.exchange.perception_test.to_domain import import_command

        findings: list[Finding] = []
        for i, name in enumerate(self.names):
            token.check()
            token.report(_SHARE_OF_CHECK * i / len(self.names), name)
            try:
                record = self._read(name)
                document = Document(DraftId(new_id()), self._video(name, record))
                found = (*record.findings, *import_command(record, document)[1])
            except ExchangeError as error:
                where = error.where or str(self.path)
                findings.append(Finding("bad-entry", where, error.text, Severity.ERROR))
                continue
            findings += found
            self._good.append(name)
        self.findings = tuple(findings)
        if not keep_going and any(f.severity is Severity.ERROR for f in findings):
            raise ImportRefusedError(self.path, findings)

    def apply(self, project: OpenProject, token: JobToken) -> Iterator[ImportedVideo]:
        """Bring the checked entries in, each as one undoable step; on the main thread."""
        from annotator.exchange.perception_test.to_domain import import_command

        for i, name in enumerate(self._good):
            token.check()
            token.report(_SHARE_OF_CHECK * (1 + i / len(self._good)), name)
            record = self._read(name)
            target = self._targets.get(name)
            if target is None:
                task_id = project.add_absent_video(absent_video(record))
            else:
                task_id = target.task_id or project.add_task(target.video.id)
            session = project.open_task(task_id)
            command, _ = import_command(record, session.document)
            session.run(command)
            counts = (len(command.tracks), len(command.points), len(command.segments))
            yield ImportedVideo(name, task_id, *counts, target is None)

    def _video(self, name: str, record: VideoRecord) -> VideoInfo:
        """Return the video an entry is about; ExchangeError when it cannot take an import."""
        target = self._targets.get(name)
        if target is None:
            return absent_video(record)
        if target.is_submitted:
            raise ExchangeError(
                f"The task on “{target.video.name}” has been submitted. Reopen it first.",
                where=record.path,
            )
        if target.is_ambiguous:
            raise ExchangeError("Several videos of the project have this name.", where=record.path)
        return target.video

    def _read(self, name: str) -> VideoRecord:
        from annotator.exchange.perception_test.read import read_video

        return read_video(name, self._file.member(name))


def import_file(
    project: OpenProject,
    path: Path,
    *,
    names: Sequence[str] = (),
    keep_going: bool = False,
    token: JobToken,
) -> ImportReport:
    """Import a file in one go. ExchangeError when nothing was imported; ProjectError likewise."""
    if project.is_read_only:
        raise ProjectError(
            "The project is open for reading only: nothing was imported.",
            hint="Close it where it is being edited.",
            where=str(project.path),
        )
    with FileImport(project, path, names) as file:
        file.check(token, keep_going=keep_going)
        videos = tuple(file.apply(project, token))
        return ImportReport(path, videos, file.findings)


def absent_video(record: VideoRecord) -> VideoInfo:
    """Return what a file tells of a video that is not at hand; ExchangeError if it is not enough.

    Size and number of frames place the boxes; without them nothing can be imported.
    """
    if record.size is None or record.n_frames is None:
        missing = "resolution" if record.size is None else "num_frames"
        raise ExchangeError(
            f"The video is not in the project and the file does not tell its {missing}.",
            where=f"{record.path}.metadata",
        )
    rate = record.frame_rate or 30.0
    return VideoInfo(
        VideoId(new_id()),
        f"{record.name}.mp4",
        *record.size,
        record.n_frames,
        rate,
        record.n_frames / rate,
        max(1, round(rate)),
    )


@dataclass(frozen=True, slots=True)
class _Target:
    """A video of the project and the task that takes an import; None: one has to be made."""

    video: VideoInfo
    task_id: TaskId | None
    is_submitted: bool = False
    is_ambiguous: bool = False


def _targets(project: OpenProject) -> dict[str, _Target]:
    """Return the project's videos by the name that files give them."""
    tasks = project.tasks()
    found: dict[str, _Target] = {}
    for v in project.videos():
        info = VideoInfo(v.id, v.name, v.width, v.height, v.n_frames, v.frame_rate, v.duration_s)
        own = [t for t in tasks if t.video_id == v.id]
        open_tasks = [t.id for t in own if t.state is not TaskState.SUBMITTED]
        task_id = open_tasks[0] if open_tasks else None
        stem = Path(v.name).stem
        is_submitted = bool(own) and task_id is None
        found[stem] = _Target(info, task_id, is_submitted, is_ambiguous=stem in found)
    return found
