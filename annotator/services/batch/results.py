"""Files of results: a run of proposals for one gap, read without trusting the file."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Final

import numpy as np

from annotator.domain.errors import UserError
from annotator.domain.ids import TrackId
from annotator.domain.json_type import Json
from annotator.domain.proposals.boxes import Origin, ProposalRun
from annotator.temporary import new_file

_MAX_BYTES: Final = 64 << 20
_ARRAYS: Final = {"boxes": "<f4", "confidence": "<f4", "occluded": "|u1"}


def result_path(folder: Path, key: str) -> Path:
    """Return where the result of a gap is, or will be."""
    return folder / key[:2] / f"{key}.npz"


def write_result(path: Path, run: ProposalRun) -> None:
    """Write a run beside its place and move it there: whoever sees the name sees all of it."""
    origin = [run.origin.name, run.origin.version, run.origin.parameters]
    told = json.dumps({"start": run.start, "origin": origin}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as place, place.open("wb") as out:
        np.savez_compressed(
            out,
            boxes=run.boxes.astype("<f4"),
            confidence=run.confidence.astype("<f4"),
            occluded=run.occluded.astype("|u1"),
            told=np.frombuffer(told, np.uint8),
        )


def read_result(path: Path, track_id: TrackId, start: int, end: int) -> ProposalRun:
    """Return the run in a file for the frames ``start <= f < end``; UserError when it is not one.

    No pickled object is read, and nothing that is larger than it can be.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > _MAX_BYTES:
                raise ValueError("it is too large")
            arrays = {name: _array(archive, name) for name in (*_ARRAYS, "told")}
        told = json.loads(arrays["told"].tobytes())
        name, version, parameters = told["origin"]
        n = end - start
        if told["start"] != start or arrays["boxes"].shape != (n, 4):
            raise ValueError("it is of other frames")
        for each, kind in _ARRAYS.items():
            if arrays[each].dtype != np.dtype(kind):
                raise ValueError("it has another type of numbers")
        made: dict[str, Json] = dict(parameters)
        return ProposalRun(
            track_id,
            start,
            arrays["boxes"],
            np.clip(arrays["confidence"], 0, 1),
            Origin(str(name), str(version), made),
            arrays["occluded"],
        )
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise UserError(
            f"Cannot read a result: {error}.",
            hint="Delete the file, and run the batch again.",
            where=str(path),
        ) from error


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    body = io.BytesIO(archive.read(f"{name}.npy"))
    found: np.ndarray = np.lib.format.read_array(body, allow_pickle=False)
    return found
