"""The demo: a shipped clip with tracks, segments and a task for a newcomer."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec

from annotator import paths
from annotator.domain.commands import AddImported
from annotator.domain.document import Document
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.domain.segment import Lane, Segment
from annotator.domain.track import Keyframe, Source, Track, TrackInfo
from annotator.services.undo import FILL_DEMO


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
    label_id: int | None = None
    slots: tuple[str, ...] = ()


class Demo(msgspec.Struct):
    """What ``resources/demo/demo.toml`` says; ``task`` is what a newcomer is asked to do."""

    video: _Clip
    task: _Task
    track: list[_Track]
    segment: list[_Segment]


@dataclass(frozen=True, slots=True)
class FillDemo(AddImported):
    """Puts the demo's annotation into a new draft: where it starts from, no step of undo."""

    op: ClassVar[str] = FILL_DEMO


def read_demo() -> Demo:
    """Return the shipped description of the demo."""
    text = paths.resource("demo", "demo.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Demo)


def copy_clip(demo: Demo, folder: Path) -> Path:
    """Put the clip into a folder, unless it is there; OSError when that cannot be."""
    clip = folder / demo.video.file
    if not clip.exists():
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f".{clip.name}.new"
        shutil.copyfile(paths.resource("demo", demo.video.file), temporary)
        temporary.replace(clip)
    return clip


def demo_content(demo: Demo, document: Document) -> FillDemo:
    """Return the command that adds the demo's tracks and segments to a new draft."""
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
    ids = {track.label: track.id for track in tracks}
    segments = tuple(
        Segment(segment_id(), s.lane, s.label, *s.span, s.label_id, tuple(map(ids.get, s.slots)))
        for s in demo.segment
    )
    return FillDemo(tuple(tracks), segments)
