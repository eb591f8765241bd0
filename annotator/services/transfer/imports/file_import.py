"""Import into a project; a file is checked completely before anything is added.

The check can run in the background; sessions are changed on the main thread, video by video.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.checks import Finding, Severity
from annotator.domain.commands import AddImported
from annotator.domain.errors import ExchangeError, ProjectError
from annotator.domain.ids import DraftId, TaskId, VideoId, new_id
from annotator.domain.people import Role
from annotator.domain.proposals.model_predictions import Model
from annotator.domain.recipes.tools import check_tools
from annotator.domain.workflow import Task, TaskState
from annotator.exchange.formats.base.format import Format
from annotator.services.background.jobs import JobToken
from annotator.services.project.predictions import keep
from annotator.services.project.projects import OpenProject
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.imports.import_plan import (
    NEW,
    SAME_NAME,
    SELECTED,
    Again,
    Existing,
    Imported,
    PlannedVideo,
)
from annotator.services.transfer.imports.import_sources import ByteRange, OpenFile, SourceEntry
from annotator.services.transfer.imports.import_submission import (
    ImportedVideo,
    Read,
    check_stage,
    may_arrive,
    submit_entries,
    take_in,
)
from annotator.services.transfer.imports.label_sync import Harvest, named
from annotator.services.transfer.imports.parallel_reading import (
    FEW,
    CheckedEntry,
    EntryReaders,
    look_at,
    newcomer,
    refusal_of,
)
from annotator.store.annotation import events
from annotator.store.catalog import videos

_SHARE_OF_CHECK: Final = 0.5
_SKIP_HINT: Final = (
    "No data was imported. Correct the file, or skip invalid records with --on-error skip."
)
_NOTHING_HINT: Final = "No data was imported: the file has no valid records for this project."


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Result of an import; ERROR findings are skipped records.

    ``model`` is given where the file was imported as its proposals.
    """

    path: Path
    videos: tuple[ImportedVideo, ...]
    findings: tuple[Finding, ...]
    model: Model | None = None
    plan: tuple[PlannedVideo, ...] = ()


class ImportRefusedError(ExchangeError):
    """A file has invalid records and skipping was not allowed; nothing was imported.

    ``has_valid_records``: skipping them leaves something to import.
    """

    def __init__(
        self, path: Path, findings: Sequence[Finding], *, has_valid_records: bool = True
    ) -> None:
        self.has_valid_records = has_valid_records
        self.findings = tuple(f for f in findings if f.severity is Severity.ERROR)
        first, more = self.findings[0], len(self.findings) - 1
        others = f" (and {more} more)" if more else ""
        place = first.where.removeprefix(path.name).removeprefix(", ")
        text = first.text.removeprefix("Skipped: ")
        super().__init__(
            text[:1].upper() + text[1:] + others,
            hint=_SKIP_HINT if has_valid_records else _NOTHING_HINT,
            where=f"{path}, {place}" if place else str(path),
        )


class FileImport:
    """An opened file: first checked completely, then imported video by video.

    ``names`` chooses entries (all where empty); ``ENTRY=VIDEO`` brings an entry into a video of
    another name, and so does a mapping of entries to videos. ExchangeError when the file has no
    such entry; it is closed then.
    """

    def __init__(
        self,
        project: OpenProject,
        opened: OpenFile,
        names: Sequence[str] | Mapping[str, str] = (),
        *,
        model: Model | None = None,
    ) -> None:
        """With a ``model`` its predictions are kept as proposals, and no task is changed."""
        self.path = path = opened.path
        self.has_scores = opened.source.has_scores
        self.model = model
        self._targets = _targets(project)
        self._file = opened.source
        self._readers = EntryReaders(path)
        names_in_file = opened.names
        pairs = (
            names.items()
            if isinstance(names, Mapping)
            else (_chosen(n, names_in_file) for n in names)
        )
        chosen = dict(pairs)
        unknown = [n for n in chosen if n not in names_in_file]
        if unknown or not names_in_file:
            self.close()
            text = (
                f"The file has no entry “{unknown[0]}”." if unknown else "The file has no entries."
            )
            hint = "Entries are named after videos; in a list they are numbered 0, 1, 2, and so on."
            raise ExchangeError(text, hint=hint, where=str(path))
        self.names = [n for n in names_in_file if not names or n in chosen]
        self._chosen = chosen
        self._needs_videos = opened.form.needs_videos
        self._new_harvest = partial(Harvest, project)
        me = project.work.me
        has_drafts = me is not None and any(t.task_id for t in self._targets.values())
        self._existing = partial(
            Existing, project.file, me.id if me is not None and has_drafts else None
        )
        self._harvest = Harvest(project)
        self._how: dict[str, str] = {}
        self._matches = tuple(self._matched())
        self.findings: tuple[Finding, ...] = ()
        self.plan: tuple[PlannedVideo, ...] = ()
        self._good: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file; it is not needed after `apply`."""
        self._readers.close()
        self._file.close()

    def adjust(self, *, is_thinned: bool = False, is_open: bool = False) -> None:
        """Leave out keyframes that interpolation gives within the usual tolerance, or not; leave
        the gaps between keyframes to be tracked, or not.
        """
        self._file.adjust(is_thinned=is_thinned, is_open=is_open)

    def without_video(self) -> list[str]:
        """Return the entries that need a video of the project, and have no name of one."""
        if not self._needs_videos:
            return []
        return [n for n in self.names if n not in self._chosen and n not in self._targets]

    def _matched(self) -> Iterator[Finding]:
        """Choose the videos of entries that have the name of none: the one video of that size and
        frame count, or the only one of the project. Yields how each was found.
        """
        for name in self.without_video():
            dimensions = self._file.dimensions(name)
            if dimensions is None:
                continue
            videos = [target.video for target in self._targets.values()]
            same = [
                video
                for video in videos
                if dimensions.size == (video.width, video.height)
                and dimensions.n_frames == video.n_frames
            ]
            is_alone = len(videos) == len(self.names) == 1
            if len(same) == 1 or is_alone:
                video = same[0] if len(same) == 1 else videos[0]
                self._chosen[name] = video.name
                how = "same size and frame count" if len(same) == 1 else "the only video"
                self._how[name] = how
                text = f"The entry was matched with “{video.name}”: {how}."
                yield Finding("matched-video", name, text, Severity.NOTE)

    def check(self, token: JobToken, *, keep_going: bool = False) -> None:
        """Read everything once and keep nothing but the plan; may run on any thread.

        It may be called again, after the model or the thinning was changed. ImportRefusedError when
        something is bad, unless ``keep_going``: then it will be skipped.
        """
        findings: list[Finding] = []
        planned: list[PlannedVideo] = []
        self._good, self._harvest = [], self._new_harvest()
        if self.model is not None:
            with self.path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            self.model = replace(self.model, sha256=digest)
        with closing(self._existing()) as existing:
            for i, looked in enumerate(self._look(token)):
                token.check()
                token.report(_SHARE_OF_CHECK * i / len(self.names), looked.name)
                planned.append(self._planned(looked, existing))
                findings += planned[-1].findings
                if planned[-1].is_skipped:
                    continue
                self._harvest.add(looked.path, looked.labels)
                self._good.append(looked.name)
        self.plan = tuple(planned)
        self.findings = (*self._matches, *findings, *self._harvest.findings())
        if not keep_going and any(f.severity is Severity.ERROR for f in findings):
            raise ImportRefusedError(self.path, findings, has_valid_records=bool(self._good))

    def _planned(self, looked: CheckedEntry, existing: Existing) -> PlannedVideo:
        """Return the plan for an entry, with what matches the draft that it goes to."""
        name = looked.name
        refusal = refusal_of(looked)
        if refusal is not None:
            return PlannedVideo(name, "", "", looked.counts, 0, 0, (refusal,), True)
        target = self._target(name)
        if target is None:
            return PlannedVideo(name, "", NEW, looked.counts, findings=looked.findings)
        video = target.video
        how = self._how.get(name) or (SELECTED if self._chosen.get(name) else SAME_NAME)
        matched = (0, 0)
        if self.model is None and target.task_id is not None:
            times = FrameTimes(None, video).listed()
            command, _ = self._file.read(name).command(Document(DraftId(""), video), times)
            matched = existing.matches(target.task_id, video, command)
        return PlannedVideo(name, video.name, how, looked.counts, *matched, looked.findings)

    def apply(
        self, project: OpenProject, token: JobToken, again: Again = Again.SKIP
    ) -> Iterator[ImportedVideo]:
        """Bring the checked entries in, each as one undoable step; on the main thread."""
        for step in self.steps(project, token, lambda _: again):
            yield from step()

    def steps(
        self, project: OpenProject, token: JobToken, ask: Callable[[int], Again]
    ) -> Iterator[Callable[[], list[ImportedVideo]]]:
        """Read the checked entries in any thread; the yielded steps run on the main thread.

        A step imports one video, or a batch of those that are new to the project: all of them or
        none. ``ask`` receives the number of records of a video that were imported before, if any
        were, and returns the decision. Missing labels are added first; ``findings`` are the
        contradictions.
        """
        yield partial(self._labels_brought_in, project)
        places = self._new_places(self._good) if may_arrive(project) else {}
        if len(places) <= FEW:
            places = {}
        n_done = 0
        for is_new, names in groupby(self._good, lambda name: name in places):
            if is_new:
                newcomers = [newcomer(places[name]) for name in names]
                for batch in self._readers.batches(newcomers, token):
                    token.check()
                    yield partial(take_in, project, batch)
                    n_done += len(batch.arrived)
                    token.report(_SHARE_OF_CHECK * (1 + n_done / len(self._good)), "")
                continue
            for name in names:
                token.check()
                token.report(_SHARE_OF_CHECK * (1 + n_done / len(self._good)), name)
                entry = self._file.read(name)
                yield partial(self._brought_in, project, name, entry, ask)
                n_done += 1

    def prediction_steps(
        self, project: OpenProject, token: JobToken
    ) -> Iterator[Callable[[], list[ImportedVideo]]]:
        """Read the checked entries as predictions of the model, in any thread.

        The yielded steps run on the main thread: each stores those for one video.
        """
        assert self.model is not None
        yield partial(self._labels_brought_in, project)
        every = (self._predicted(project, name)[1].scores.values() for name in self._good)
        largest = max(
            (s for scores_of in every for scores in scores_of for s in scores.values()), default=1
        )
        for i, name in enumerate(self._good):
            token.check()
            token.report(_SHARE_OF_CHECK * (1 + i / len(self._good)), name)
            target, added = self._predicted(project, name)
            scores = {
                key: {
                    f: min(1.0, max(0.0, s / max(1.0, largest))) for f, s in scores_in_file.items()
                }
                for key, scores_in_file in added.scores.items()
            }
            content = Document(
                DraftId(""), target.video, added.tracks, added.segments, added.points
            )
            imported = ImportedVideo(
                name,
                target.task_id or TaskId(""),
                len(added.tracks),
                len(added.points),
                len(added.segments),
                is_new=False,
            )
            yield partial(self._store_content, project, content, scores, imported)

    def _labels_brought_in(self, project: OpenProject) -> list[ImportedVideo]:
        self.findings += tuple(self._harvest.bring_in(project))
        return []

    def _predicted(self, project: OpenProject, name: str) -> tuple[_Target, AddImported]:
        target = self._target(name)
        assert target is not None
        video = target.video
        times = FrameTimes(videos.frame_table(project.file, video.id), video).listed()
        command, _ = self._file.read(name).command(Document(DraftId(""), video), times)
        return target, named(project, command)

    def _store_content(
        self,
        project: OpenProject,
        content: Document,
        scores: Mapping[str, Mapping[int, float]],
        done: ImportedVideo,
    ) -> list[ImportedVideo]:
        assert self.model is not None
        if keep(project.file, self.model, content, scores):
            return [done]
        known = done.n_tracks + done.n_points + done.n_segments
        return [replace(done, n_tracks=0, n_points=0, n_segments=0, n_known=known)]

    def submit(self, project: OpenProject, token: JobToken, stage: str) -> list[ImportedVideo]:
        """Import the checked entries as submissions; their tasks continue at a stage.

        All or nothing, in one transaction; on the main thread. ``stage`` is the key of one, or
        "complete". WorkError if the current person is not a lead.
        """
        self.findings += tuple(self._harvest.bring_in(project))
        done, findings = submit_entries(
            project, self.path, self._read_all(), stage, token, len(self._good)
        )
        self.findings += tuple(findings)
        return done

    def _read_all(self) -> Iterator[Read]:
        for name in self._good:
            entry, target = self._file.read(name), self._target(name)
            if target is None:
                yield Read(name, entry, replace(entry.absent_video(), id=VideoId(new_id())), True)
            else:
                yield Read(name, entry, target.video, False)

    def _brought_in(
        self, project: OpenProject, name: str, entry: SourceEntry, ask: Callable[[int], Again]
    ) -> list[ImportedVideo]:
        return [self.bring_in(project, name, entry, ask)]

    def _look(self, token: JobToken) -> Iterator[CheckedEntry]:
        """Look at every entry; at those of new videos in several processes, if they are many."""
        places = self._new_places(self.names)
        if len(places) <= FEW:
            yield from map(self._look_at, self.names)
            return
        looked = self._readers.look_at_all(list(places.values()), token)
        for name in self.names:
            yield next(looked) if name in places else self._look_at(name)

    def _look_at(self, name: str) -> CheckedEntry:
        """Return what the check of an entry finds, in the video that it is about."""
        return look_at(
            self.path, name, lambda: self._file.read(name), lambda entry: self._video(name, entry)
        )

    def _new_places(self, names: Iterable[str]) -> dict[str, ByteRange]:
        """Return where the entries stand whose videos the project has not got."""
        places = {n: self._file.place(n) for n in names if self._is_new(n)}
        return {name: place for name, place in places.items() if place is not None}

    def _is_new(self, name: str) -> bool:
        is_known = self._chosen.get(name) or name in self._targets
        return not is_known and self.model is None

    def bring_in(
        self, project: OpenProject, name: str, entry: SourceEntry, ask: Callable[[int], Again]
    ) -> ImportedVideo:
        """Import one entry as one undo step; on the main thread.

        ``ask`` gets the number of records imported before, if any, and returns the choice.
        """
        target = self._target(name)
        if target is None:
            task_id = project.add_absent_video(entry.absent_video())
        else:
            task_id = target.task_id or project.add_task(target.video.id)
        session = project.open_task(task_id)

        def compared() -> Imported:
            document = session.document
            times = FrameTimes(session.table_bytes, document.video).listed()
            return Imported(named(project, entry.command(document, times)[0]), document)

        comparison = project.background(compared)
        repeat_choice = ask(comparison.n_known) if comparison.n_known else Again.BOTH
        command, added = comparison.settled(repeat_choice)
        with contextlib.suppress(NothingToDoError):
            if not _may_bring_all(project):
                planned = tuple(command.plan(session.document))
                check_tools(ChangeSet(command.op, planned), session.tools)
            session.run(command)
        counts = (len(added.tracks), len(added.points), len(added.segments))
        return ImportedVideo(name, task_id, *counts, target is None, comparison.n_known)

    def _target(self, name: str) -> _Target | None:
        """Return the video that takes an entry; ExchangeError when it was chosen and is not."""
        video = self._chosen.get(name, "")
        target = self._targets.get(Path(video).stem if video else name)
        if video and (target is None or video not in (target.video.name, Path(video).stem)):
            raise ExchangeError(f"The project has no video “{video}”.", where=name)
        return target

    def _video(self, name: str, entry: SourceEntry) -> VideoInfo:
        """Return the video an entry is about; ExchangeError when it cannot take an import."""
        target = self._target(name)
        if target is None and self.model is not None:
            raise ExchangeError(
                f"The project has no video “{name}”. Add the video, or select another one.",
                where=entry.path,
            )
        if target is None:
            return entry.absent_video()
        if target.is_submitted and self.model is None:
            raise ExchangeError(
                (
                    f"Cannot import into “{target.video.name}”: the task is submitted. Reopen it "
                    "first."
                ),
                where=entry.path,
            )
        if target.is_ambiguous:
            raise ExchangeError(
                "Several videos of the project have this name. Rename one of them.",
                where=entry.path,
            )
        return target.video


def import_file(
    project: OpenProject,
    path: Path,
    *,
    names: Sequence[str] = (),
    form: Format | None = None,
    keep_going: bool = False,
    again: Again = Again.SKIP,
    stage: str = "",
    as_proposals: bool | None = False,
    model: str = "",
    model_version: str = "",
    columns: Mapping[str, str] | None = None,
    is_thinned: bool = False,
    is_open: bool = False,
    is_plan_only: bool = False,
    token: JobToken,
) -> ImportReport:
    """Import a file as drafts, as submissions that continue at ``stage``, or as proposals.

    A model is named like its file by default. ``as_proposals`` None: if the file has scores.
    ``columns`` are those of a table by field; ``is_thinned``: without keyframes that interpolation
    gives; ``is_open``: gaps between keyframes are tracked; ``is_plan_only``: the report has the
    plan, and nothing is changed.

    ExchangeError when nothing was imported; ProjectError and WorkError likewise.
    """
    if stage:
        check_stage(project, stage)
    if project.is_read_only and not is_plan_only:
        raise ProjectError(
            "Cannot import: the project is open read-only.",
            hint="Close it in the other program, or save a copy to a writable folder.",
            where=str(project.path),
        )
    opened = OpenFile(path, form, columns)
    model_found: Model | None = None
    if as_proposals or (as_proposals is None and opened.source.has_scores):
        model_found = model_of_file(path, model, model_version)
    with FileImport(project, opened, names, model=model_found) as file:
        file.adjust(is_thinned=is_thinned, is_open=is_open)
        file.check(token, keep_going=keep_going or is_plan_only)
        if is_plan_only:
            return ImportReport(path, (), file.findings, file.model, file.plan)
        if model_found is not None:
            steps = file.prediction_steps(project, token)
            videos = tuple(video for step in steps for video in step())
        elif stage:
            videos = tuple(file.submit(project, token, stage))
        else:
            videos = tuple(file.apply(project, token, again))
        return ImportReport(path, videos, file.findings, file.model, file.plan)


def n_imported(project: OpenProject) -> int:
    """Return how many drafts of a project something was imported into."""
    return events.n_imported(project.file)


def model_of_file(path: Path, name: str = "", version: str = "") -> Model:
    """Return the model of a prediction file; its default name is that of the file.

    Its hash is worked out when the file is checked.
    """
    return Model(name.strip() or path.stem, version.strip(), path.name, "")


@dataclass(frozen=True, slots=True)
class _Target:
    """A video of the project and the task that takes an import; None: one has to be made."""

    video: VideoInfo
    task_id: TaskId | None
    is_submitted: bool = False
    is_ambiguous: bool = False


def _may_bring_all(project: OpenProject) -> bool:
    """Return whether imports need not keep to a task's tools: leads begin from other work."""
    me = project.work.me
    return me is not None and me.has(Role.LEAD)


def _chosen(name: str, found: Sequence[str]) -> tuple[str, str]:
    """Return an entry and the video it was given to, "" for the one of its own name."""
    entry, equals, video = name.rpartition("=")
    return (entry, video) if equals and name not in found else (name, "")


def _targets(project: OpenProject) -> dict[str, _Target]:
    """Return the project's videos by the name that files give them."""
    found: dict[str, _Target] = {}
    tasks_of: dict[VideoId, list[Task]] = {}
    for task in project.tasks():
        tasks_of.setdefault(task.video_id, []).append(task)
    for v in project.videos():
        info = VideoInfo(v.id, v.name, v.width, v.height, v.n_frames, v.frame_rate, v.duration_s)
        own = tasks_of.get(v.id, [])
        open_tasks = [t.id for t in own if t.state is not TaskState.SUBMITTED]
        task_id = open_tasks[0] if open_tasks else None
        stem = Path(v.name).stem
        is_submitted = bool(own) and task_id is None
        found[stem] = _Target(info, task_id, is_submitted, is_ambiguous=stem in found)
    return found
