"""The demo: a shipped clip with tracks, segments and a task for a newcomer."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec

from annotator import paths
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import AddImported
from annotator.domain.errors import ProjectError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.paths import PROJECT_SUFFIX
from annotator.services.project.projects import create_project
from annotator.services.undo import FILL_DEMO
from annotator.temporary import new_file

DEMO_NAME = "demo" + PROJECT_SUFFIX


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


class DemoTrack(msgspec.Struct):
    """An object of a demo: its name and its keyframes."""

    label: str
    keyframes: list[_Key]


class DemoSegment(msgspec.Struct):
    """An action or a sound of a demo; its roles by the names of tracks, "" for not annotated."""

    lane: Lane
    label: str
    span: tuple[int, int]
    label_id: int | None = None
    slots: tuple[str, ...] = ()


class Demo(msgspec.Struct):
    """Contents of ``resources/demo/demo.toml``; ``task`` is the text for newcomers."""

    video: _Clip
    task: _Task
    track: list[DemoTrack]
    segment: list[DemoSegment]


@dataclass(frozen=True, slots=True)
class FillDemo(AddImported):
    """Puts the demo's annotation into a new draft: where it starts from, no step of undo."""

    op: ClassVar[str] = FILL_DEMO


def create_demo(folder: Path) -> Path:
    """Return the demo project in a folder, made with its clip when it is not there yet.

    ProjectError when the folder cannot be written.
    """
    folder = Path(folder).absolute()
    path = folder / DEMO_NAME
    if path.exists():
        return path
    demo = read_demo()
    clip = copy_clip(demo.video.file, folder)
    project = create_project(path, title="Demo")
    try:
        project.add_videos([clip], task_title=demo.task.title)
        session = project.open_task(project.tasks()[0].id)
        session.run(demo_content(session.document, demo.track, demo.segment))
    except BaseException:
        # Half a demo would be taken for a whole one the next time.
        project.close()
        path.unlink(missing_ok=True)
        raise
    project.close()
    return path


def read_demo() -> Demo:
    """Return the shipped description of the demo."""
    text = paths.resource("demo", "demo.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Demo)


def copy_clip(name: str, folder: Path) -> Path:
    """Put a shipped clip into a folder, unless it is there; ProjectError when that cannot be."""
    clip = folder / name
    if clip.exists():
        return clip
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with new_file(clip) as place:
            shutil.copyfile(paths.resource("demo", name), place)
    except OSError as error:
        raise ProjectError(
            f"Cannot create the demo: {error.strerror}.",
            hint="Select a folder with write permission.",
            where=str(folder),
        ) from error
    return clip


def demo_content(
    document: Document, tracks: Iterable[DemoTrack], segments: Iterable[DemoSegment]
) -> FillDemo:
    """Return the command that adds tracks and segments to a new draft.

    Roles are filled with the tracks added here and those that the draft has already.
    """
    added = []
    for number, track in enumerate(tracks, start=document.next_number()):
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
        added.append(Track(info, keys))
    ids = {track.label: track.id for track in (*document.tracks, *added)}
    return FillDemo(
        tuple(added),
        tuple(
            Segment(
                segment_id(), s.lane, s.label, *s.span, s.label_id, tuple(map(ids.get, s.slots))
            )
            for s in segments
        ),
    )
