"""Files of results, read without trusting the file: runs of proposals, and tracked objects."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import PointId, TrackId
from annotator.domain.proposals.boxes import Origin, ProposalRun
from annotator.domain.proposals.points import PointProposalRun
from annotator.services.batch.tracking import Followed
from annotator.temporary import new_file

if TYPE_CHECKING:
    from annotator.domain.json_type import Json

_MAX_BYTES: Final = 64 << 20
_MAX_LABEL: Final = 1000
_RUN: Final = {"boxes": "<f4", "confidence": "<f4", "occluded": "|u1"}
_POINTS: Final = {"xy": "<f4", "confidence": "<f4", "occluded": "|u1"}


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


def write_run(path: Path, run: ProposalRun) -> None:
    """Write the proposals of a gap of a box track."""
    told = {"start": run.start, "origin": _told(run.origin)}
    _write(path, told, {name: getattr(run, name) for name in _RUN}, _RUN)


def read_run(path: Path, track_id: TrackId, start: int, end: int) -> ProposalRun:
    """Return the proposals for the frames ``start <= f < end``; UserError when they are others."""
    with _readable(path):
        told, arrays = _read(path, _RUN)
        if told["start"] != start or arrays["boxes"].shape != (end - start, 4):
            raise ValueError("it is of other frames")
        return ProposalRun(
            track_id,
            start,
            arrays["boxes"],
            np.clip(arrays["confidence"], 0, 1),
            _origin(told["origin"]),
            arrays["occluded"],
        )


def write_points(path: Path, runs: Sequence[PointProposalRun]) -> None:
    """Write the proposals of gaps of points, one behind the other."""
    told = {
        "starts": [run.start for run in runs],
        "origins": [_told(run.origin) for run in runs],
    }
    joined = {name: np.concatenate([getattr(run, name) for run in runs]) for name in _POINTS}
    _write(path, told, joined, _POINTS)


def read_points(path: Path, gaps: Sequence[tuple[PointId, int, int]]) -> list[PointProposalRun]:
    """Return the proposals for gaps of points: ID, first frame, frame after the last.

    UserError when they are not of these.
    """
    with _readable(path):
        told, arrays = _read(path, _POINTS)
        n_all = sum(end - start for _, start, end in gaps)
        starts, origins = list(told["starts"]), list(told["origins"])
        if starts != [gap[1] for gap in gaps] or arrays["xy"].shape != (n_all, 2):
            raise ValueError("it is of other frames")
        runs, at = [], 0
        for (point_id, start, end), origin in zip(gaps, origins, strict=True):
            rows = slice(at, at + end - start)
            at = rows.stop
            values = arrays["xy"][rows], arrays["occluded"][rows]
            confidence = np.clip(arrays["confidence"][rows], 0, 1)
            runs.append(PointProposalRun(point_id, start, *values, confidence, _origin(origin)))
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
    """Return tracked objects in a video of so many frames; UserError when it is not that."""
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


def _told(origin: Origin) -> list[Json]:
    return [origin.name, origin.version, origin.parameters]


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
    """Return what a file tells and its arrays; no pickled object is read, nothing too large."""
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
