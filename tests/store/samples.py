"""Small projects for tests: a file, a draft in it, documents to put there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands import AddImported, CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import (
    AssignmentId,
    DraftId,
    PersonId,
    TaskId,
    TrackId,
    VideoId,
    new_id,
    track_id,
)
from annotator.domain.work.event_replay import replay
from annotator.domain.work.events import Claimed, Created
from annotator.store.annotation.drafts import DraftStore
from annotator.store.catalog import videos
from annotator.store.columns import id_text
from annotator.store.file.file_opening import create_file
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import tasks
from annotator.store.workflow.log import append_events, project

N_FRAMES = 90


def video_info(name: str = "mug.mp4", n_frames: int = N_FRAMES) -> VideoInfo:
    return VideoInfo(VideoId(new_id()), name, 640, 480, n_frames, 30.0, n_frames / 30)


def empty_file(folder: Path, name: str = "work.annot") -> ProjectFile:
    return create_file(folder / name, title="Work", person="Ada")


def add_draft(file: ProjectFile, info: VideoInfo | None = None) -> tuple[DraftStore, VideoInfo]:
    """Add a video nobody has the file of, and begin its task."""
    info = info or video_info()
    videos.add_video(file, info, None)
    return DraftStore(file, begun_draft(file, info.id)), info


def begun_draft(file: ProjectFile, video_id: VideoId) -> DraftId:
    """Add a task that the person at the keyboard has begun, and return its draft."""
    person, at = PersonId(id_text(file.author()[0])), 1_000
    task_id, held = TaskId(new_id()), AssignmentId(new_id())
    made = Created(task_id, at, None, video_id, "object-tracks", "annotate")
    claimed = Claimed(task_id, at, person, held, person)
    with file.transaction() as connection:
        tasks.add_task(connection, made, "Tracks")
        append_events(connection, [claimed], first=2)
        project(connection, replay([made, claimed]), (), None, at)
        return tasks.add_draft(connection, held, video_id)


def created(document: Document, frame: int = 3, label: str = "mug") -> tuple[TrackId, list[Change]]:
    track = track_id()
    return track, CreateTrack(track, label, frame, Box(10, 20, 110.5, 90.25)).plan(document)


def dense_track(n_keyframes: int, number: int = 1) -> Track:
    keys = tuple(
        Keyframe(f, Box(f / 7, 1.0, f / 7 + 50, 60.0), occluded=f % 5 == 0)
        for f in range(n_keyframes)
    )
    return Track(TrackInfo(track_id(), f"object {number}", number, number - 1), keys)


def bulk(n_tracks: int, n_keyframes: int) -> AddImported:
    return AddImported(tuple(dense_track(n_keyframes, i + 1) for i in range(n_tracks)))


def state(document: Document) -> tuple[object, ...]:
    return (
        document.tracks,
        document.segments,
        document.points,
        document.video.extra,
        document.comments,
        dict(document.answers),
    )


def commit(store: DraftStore, changes: list[Change]) -> None:
    store.commit(changes, op="create-track", kind="do", frame=3)


def draft_of(file: ProjectFile) -> DraftId:
    draft_id = tasks.list_tasks(file)[0].draft_id
    assert draft_id is not None
    return draft_id


@contextlib.contextmanager
def unprivileged() -> Iterator[Path]:
    """Give a folder that everybody can reach, and give up the rights of root meanwhile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o777)
        user = os.geteuid()
        if user == 0:
            os.chown(folder, 65534, -1)
        if user == 0:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if user == 0:
                os.seteuid(0)
            for path in (folder, *folder.rglob("*")):
                path.chmod(0o777)
