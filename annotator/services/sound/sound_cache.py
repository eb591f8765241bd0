"""Cache of sound measurements in the user's cache folder, of bounded size."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.domain.errors import UserError
from annotator.media.audio.scan import SoundChoice
from annotator.media.audio.spectrogram import Overview
from annotator.media.audio.waveform import Floats, Grid, PeakPyramid, Transients
from annotator.services.files import write_atomically

BUDGET_BYTES = 512 << 20
_MAGIC = b"annotator sound 2\n"
_SUFFIX = ".sound"
_HEADER = struct.Struct("<I")
_MAX_HEADER = 1 << 16
_DIGEST_BYTES = 32


class Measured:
    """All that is kept of one outline of a sound: its peaks, beginnings and spectrogram."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.pyramid = PeakPyramid(grid)
        self.transients = Transients(grid)
        self.overview = Overview(grid)

    def write(self, stretch: int, samples: Floats) -> None:
        """Measure a stretch, float32[grid.stretch]."""
        self.pyramid.write(stretch, samples)
        self.transients.write(stretch, samples)
        self.overview.write(stretch, samples)

    @property
    def arrays(self) -> list[NDArray[np.generic]]:
        """The numbers, always in the same order."""
        return [*self.pyramid.levels, self.transients.energy, self.overview.columns]

    def mark_known(self) -> None:
        """Note that every stretch is filled in."""
        for part in (self.pyramid, self.transients, self.overview):
            part.is_known[:] = True


class SoundCache:
    """Files in one folder, named by the content hash and the envelope format.

    A file that is damaged, of another version or of another sound counts as missing. Trouble with
    the disk is no error: what cannot be kept is measured again next time.
    """

    def __init__(self, folder: Path, *, budget_bytes: int = BUDGET_BYTES) -> None:
        self._folder = folder
        self._budget_bytes = budget_bytes

    def load(self, content_hash: str, choice: SoundChoice, grid: Grid) -> Measured | None:
        """Cached measurements of audio divided like this; None if there is nothing usable."""
        path = self._path(content_hash, choice, grid)
        try:
            with path.open("rb") as file:
                found = _read(file.read(), grid)
            if found is not None:
                os.utime(path)
        except OSError:
            return None
        return found

    def store(self, content_hash: str, choice: SoundChoice, measured: Measured) -> None:
        """Keep a sound; the ones not used for longest go when there is no room."""
        with contextlib.suppress(OSError, UserError):
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._path(content_hash, choice, measured.grid)
            write_atomically(path, _parts(measured))
            self._make_room(path)

    def _path(self, content_hash: str, choice: SoundChoice, grid: Grid) -> Path:
        text = f"{content_hash} {choice} {sorted(asdict(grid).items())}"
        return self._folder / (hashlib.sha256(text.encode()).hexdigest()[:32] + _SUFFIX)

    def _make_room(self, newest: Path) -> None:
        files = [(path.stat(), path) for path in self._folder.glob("*" + _SUFFIX)]
        used = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda item: item[0].st_mtime_ns):
            if used <= self._budget_bytes:
                break
            if path != newest:
                path.unlink(missing_ok=True)
                used -= status.st_size


def _parts(measured: Measured) -> Iterator[bytes]:
    header = json.dumps(asdict(measured.grid), sort_keys=True).encode()
    state = hashlib.sha256()
    for part in (_MAGIC, _HEADER.pack(len(header)), header):
        state.update(part)
        yield part
    for array in measured.arrays:
        data = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        state.update(data)
        yield data
    yield state.digest()


def _read(data: bytes, grid: Grid) -> Measured | None:
    """The content of a file, None when anything about it is not as it was written."""
    start = len(_MAGIC) + _HEADER.size
    if not data.startswith(_MAGIC) or len(data) < start + _DIGEST_BYTES:
        return None
    (length,) = _HEADER.unpack_from(data, len(_MAGIC))
    body = memoryview(data)[:-_DIGEST_BYTES]
    if length > _MAX_HEADER or hashlib.sha256(body).digest() != data[-_DIGEST_BYTES:]:
        return None
    if json.loads(bytes(body[start : start + length])) != asdict(grid):
        return None
    measured = Measured(grid)
    at = start + length
    if len(body) - at != sum(array.nbytes for array in measured.arrays):
        return None
    for array in measured.arrays:
        little = array.dtype.newbyteorder("<")
        array[...] = np.frombuffer(body, little, array.size, at).reshape(array.shape)
        at += array.nbytes
    measured.mark_known()
    return measured
