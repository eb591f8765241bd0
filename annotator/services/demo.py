"""The demo project: a shipped clip with tracks, segments and a task, made in a folder."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import msgspec

from annotator import paths
from annotator.domain.commands import AddImported
from annotator.domain.document import Document
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.domain.segment import Lane, Segment
from annotator.domain.track import Keyframe, Source, Track, TrackInfo
from annotator.services.projects import create_project
from annotator.store.project import SUFFIX

FILE_NAME = "demo" + SUFFIX


class _Clip(msgspec.Struct):
    file: str
    frames: int


class _Task(msgspec.Struct):
    title: str
    text: str
    label: str
    frame: int
    box: tuple[float, float, float, float]


class _Key(msgspec.Struct):
    frame: int
    box: tuple[float, float, float, float] | None = None
    occluded: bool = False


class _Track(msgspec.Struct):
    label: str
    keyframes: list[_Key]


class _Segment(msgspec.Struct):
    lane: Lane
    label: str
    span: tuple[int, int]


class Demo(msgspec.Struct):
    """What ``resources/demo/demo.toml`` says; ``task`` is what a newcomer is asked to do."""

    video: _Clip
    task: _Task
    track: list[_Track]
    segment: list[_Segment]


def read_demo() -> Demo:
    """Return the shipped description of the demo."""
    text = paths.resource("demo", "demo.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Demo)


def create_demo(folder: Path) -> Path:
    """Return the demo project in a folder, made with its clip when it is not there yet.

    ProjectError when the folder cannot be written.
    """
    folder = Path(folder).absolute()
    path = folder / FILE_NAME
    if path.exists():
        return path
    demo = read_demo()
    clip = folder / demo.video.file
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not clip.exists():
            shutil.copyfile(paths.resource("demo", demo.video.file), clip)
    except OSError as error:
        raise ProjectError(
            f"The demo cannot be made here ({error.strerror}).",
            hint="Choose a folder you may write to.",
            where=str(folder),
        ) from error
    project = create_project(path, title="Demo")
    try:
        project.add_videos([clip], task_title=demo.task.title)
        session = project.open_task(project.tasks()[0].id)
        session.run(_content(demo, session.document))
    except BaseException:
        # Half a demo would be taken for a whole one the next time.
        project.close()
        path.unlink(missing_ok=True)
        raise
    project.close()
    return path


def _content(demo: Demo, document: Document) -> AddImported:
    tracks = []
    for number, track in enumerate(demo.track, start=document.next_number()):
        info = TrackInfo(track_id(), track.label, number, number - 1, is_begin_settled=True)
        keys = tuple(
            Keyframe(
                key.frame,
                Box(*key.box) if key.box else None,
                key.occluded,
                Source.IMPORTED,
                settled=key.box is not None,
            )
            for key in track.keyframes
        )
        tracks.append(Track(info, keys))
    segments = tuple(Segment(segment_id(), s.lane, s.label, *s.span) for s in demo.segment)
    return AddImported(tuple(tracks), segments)
