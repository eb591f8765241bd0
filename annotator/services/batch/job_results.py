"""Result files: validated, then imported into the project."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Track, TrackInfo
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, track_id
from annotator.domain.proposals.runs import Origin, RunT, by_owner, replaced
from annotator.exchange.formats.base.document_conversion import keyframes_of
from annotator.services.assist.box_plan import BoxJob
from annotator.services.batch.batch_tracking import Followed
from annotator.services.batch.job_plan import Keys, TrackerNames
from annotator.services.batch.trackable_gaps import (
    DraftGaps,
    drafts_with_gaps,
    models_in,
    untracked_detections,
)
from annotator.services.project.predictions import keep
from annotator.store.annotation.proposals import BOXES, POINTS, RunTable
from annotator.store.columns import id_bytes
from annotator.temporary import new_file

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.domain.json_type import Json
    from annotator.services.project.projects import OpenProject

_MAX_BYTES: Final = 64 << 20
_MAX_LABEL: Final = 1000
_RUN: Final = {"values": "<f4", "confidence": "<f4", "occluded": "|u1"}


class TrackedBox(msgspec.Struct, array_like=True):
    """An object on one frame: x1, y1, x2, y2 in image pixels, ``score`` 0..1."""

    frame: int
    box: tuple[float, float, float, float]
    is_occluded: bool
    score: float


class TrackedObject(msgspec.Struct):
    """An object that was tracked from detections, on the frames where it is seen, ascending."""

    label: str
    boxes: list[TrackedBox]


def result_path(folder: Path, key: str) -> Path:
    """Return where a result is, or will be."""
    return folder / key[:2] / f"{key}.npz"


def write_runs(path: Path, runs: Sequence[RunT]) -> None:
    """Write the proposals of gaps of boxes or points, one behind the other."""
    told = {
        "starts": [run.start for run in runs],
        "origins": [[*astuple(run.origin)] for run in runs],
    }
    joined = {name: np.concatenate([getattr(run, name) for run in runs]) for name in _RUN}
    _write(path, told, joined, _RUN)


def read_runs(path: Path, gaps: Sequence[RunT]) -> list[RunT]:
    """Return the proposals for gaps, which are given as runs with nothing in them.

    UserError when they are not of these.
    """
    with _readable(path):
        header, arrays = _read(path, _RUN)
        n_all, width = sum(len(gap.confidence) for gap in gaps), gaps[0].WIDTH
        starts, origins = list(header["starts"]), list(header["origins"])
        if starts != [gap.start for gap in gaps] or arrays["values"].shape != (n_all, width):
            raise ValueError("it is of other frames")
        runs, at = [], 0
        for gap, origin in zip(gaps, origins, strict=True):
            rows = slice(at, at + len(gap.confidence))
            at = rows.stop
            values, confidence, occluded = (arrays[name][rows] for name in _RUN)
            confidence = np.clip(confidence, 0, 1)
            values_read = values, confidence, _origin(origin), occluded
            runs.append(type(gap)(gap.owner_id, gap.start, *values_read))
        return runs


def write_objects(path: Path, objects: Sequence[Followed]) -> None:
    """Write objects that were tracked from detections."""
    told = []
    for each in objects:
        states = {p.frame: (p.box, p.occluded, p.confidence) for p in each.found.values()}
        states |= {d.frame: (Box(*d.box), False, d.score) for d in each.anchors}
        rows = [
            TrackedBox(frame, box.as_tuple(), is_occluded, round(min(1.0, max(0.0, score)), 4))
            for frame, (box, is_occluded, score) in sorted(states.items())
            if box is not None
        ]
        told.append(TrackedObject(each.label, rows))
    body = np.frombuffer(msgspec.json.encode(told), np.uint8)
    _write(path, {"n": len(told)}, {"objects": body}, {"objects": "|u1"})


def read_objects(path: Path, n_frames: int) -> list[TrackedObject]:
    """Return tracked objects of a video with a number of frames; UserError if invalid."""
    with _readable(path):
        _, arrays = _read(path, {"objects": "|u1"})
        found = msgspec.json.decode(arrays["objects"].tobytes(), type=list[TrackedObject])
        for each in found:
            frames = [row.frame for row in each.boxes]
            if frames != sorted(set(frames)) or not all(0 <= f < n_frames for f in frames):
                raise ValueError("it is of other frames")
            if len(each.label) > _MAX_LABEL or not all(0 <= r.score <= 1 for r in each.boxes):
                raise ValueError("it has impossible values")
        return found


def _origin(told: Sequence[Any]) -> Origin:
    name, version, parameters = told
    made: dict[str, Json] = dict(parameters)
    return Origin(str(name), str(version), made)


def _write(
    path: Path, told: object, arrays: Mapping[str, np.ndarray], types: Mapping[str, str]
) -> None:
    """Write beside the place and move there, so that a file with the name is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as place, place.open("wb") as out:
        np.savez_compressed(
            out,
            told=np.frombuffer(json.dumps(told).encode(), np.uint8),
            **{name: array.astype(types[name]) for name, array in arrays.items()},  # type: ignore[arg-type]
        )


def _read(path: Path, types: Mapping[str, str]) -> tuple[Any, dict[str, np.ndarray]]:
    """Return the header and arrays of a file; reads no pickled object, nothing too large."""
    with zipfile.ZipFile(path) as archive:
        if sum(info.file_size for info in archive.infolist()) > _MAX_BYTES:
            raise ValueError("it is too large")
        told = json.loads(_array(archive, "told").tobytes())
        arrays = {name: _array(archive, name) for name in types}
    for name, kind in types.items():
        if arrays[name].dtype != np.dtype(kind):
            raise ValueError("it has another type of numbers")
    return told, arrays


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    body = io.BytesIO(archive.read(f"{name}.npy"))
    found: np.ndarray = np.lib.format.read_array(body, allow_pickle=False)
    return found


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (
        *(OSError, ValueError, KeyError, TypeError, EOFError, RecursionError),
        *(zipfile.BadZipFile, msgspec.DecodeError),
    ) as error:
        raise UserError(
            f"Cannot read a result: {error}.",
            hint="Delete the file, and run the batch again.",
            where=str(path),
        ) from error


@dataclass(slots=True)
class Collected:
    """Result of collecting: gaps and videos that got proposals, and damaged results.

    ``n_objects`` is the number of objects that were tracked from detections.
    """

    n_gaps: int = 0
    n_objects: int = 0
    n_waiting: int = 0
    videos: set[str] = field(default_factory=set)
    damaged: list[str] = field(default_factory=list)


def collect(project: OpenProject, folder: Path, trackers: TrackerNames) -> Collected:
    """Import results into their drafts, and store the tracks of detections.

    Results from changed keyframes are skipped. A damaged file is reported, and the rest is
    imported.
    """
    collected, keys = Collected(), Keys(trackers)
    for draft in drafts_with_gaps(project):
        _collect_draft(project, folder, draft, keys, collected)
    for model in models_in(project):
        for untracked in untracked_detections(project, model, trackers.boxes):
            entry = project.media.video(untracked.video_id)
            path = result_path(
                folder, keys.detections(entry.content_hash or "", untracked.detections)
            )
            if not path.exists():
                collected.n_waiting += 1
                continue
            try:
                objects = read_objects(path, entry.info.n_frames)
            except UserError as error:
                collected.damaged.append(str(error))
                continue
            keep(project.file, untracked.made, *_content(entry.info, objects))
            collected.n_objects += len(objects)
            collected.videos.add(entry.info.name)
    return collected


def _collect_draft(
    project: OpenProject, folder: Path, draft: DraftGaps, keys: Keys, collected: Collected
) -> None:
    entry, key = project.media.video(draft.video_id), id_bytes(draft.draft_id)
    content = entry.content_hash or ""
    for job in draft.jobs:
        path = result_path(folder, keys.job(content, job))
        gaps: list[Any] = job.empty_runs(Origin("", ""))
        if not path.exists():
            collected.n_waiting += len(gaps)
            continue
        try:
            runs_read = read_runs(path, gaps)
        except UserError as error:
            collected.damaged.append(str(error))
            continue
        table: RunTable[Any] = BOXES if isinstance(job, BoxJob) else POINTS
        kept_runs = by_owner(table.read(project.file, key))
        for run in runs_read:
            span, before = (run.start, run.end), kept_runs.get(run.owner_id, ())
            removed_runs, added_runs, _ = replaced(before, span, [run])
            table.replace(project.file, key, run.owner_id, removed_runs, added_runs)
        collected.n_gaps += len(runs_read)
        collected.videos.add(entry.info.name)


def _content(
    info: VideoInfo, objects: Sequence[TrackedObject]
) -> tuple[Document, dict[str, dict[int, float]]]:
    """Return objects as the content of a prediction, with their scores."""
    tracks: list[Track] = []
    scores: dict[str, dict[int, float]] = {}
    for number, each in enumerate(objects, 1):
        made = TrackInfo(track_id(), each.label, number, number - 1)
        rows = [(row.frame, Box(*row.box), row.is_occluded) for row in each.boxes]
        tracks.append(Track(made, tuple(keyframes_of(rows, info.n_frames))))
        scores[made.id] = {row.frame: row.score for row in each.boxes}
    return Document(DraftId(""), info, tracks), scores
