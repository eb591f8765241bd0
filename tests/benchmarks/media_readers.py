"""The readers that the media benchmark compares, behind one small interface.

torchcodec and decord are for comparison only (``pip install .[bench]``); one that is missing is
left out and named.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from annotator.media import FrameTable, Video

THREADS = 2


class Reader(Protocol):
    """Decodes frames of one video; ``close`` releases it."""

    def read(self, index: int) -> object: ...

    def close(self) -> None: ...


class Ours:
    """This program's Python API: an RGB array for each frame."""

    def __init__(self, path: Path, table: FrameTable | None) -> None:
        self._video = Video(path, table=table, threads=THREADS)

    def read(self, index: int) -> object:
        return self._video.image(index)

    def close(self) -> None:
        self._video.close()


class OursDecodeOnly(Ours):
    """The same without conversion to RGB, as ``ffmpeg -f null`` does none."""

    def read(self, index: int) -> object:
        return self._video.picture(index)


class Torchcodec:
    """torchcodec in its exact mode: an RGB tensor for each frame."""

    def __init__(self, path: Path, table: FrameTable | None) -> None:
        from torchcodec.decoders import VideoDecoder

        self._decoder = VideoDecoder(str(path), num_ffmpeg_threads=THREADS, seek_mode="exact")

    def read(self, index: int) -> object:
        return self._decoder.get_frame_at(index)

    def close(self) -> None:
        del self._decoder


class Decord:
    """decord: an RGB array for each frame."""

    def __init__(self, path: Path, table: FrameTable | None) -> None:
        import decord

        self._reader = decord.VideoReader(str(path), num_threads=THREADS)

    def read(self, index: int) -> object:
        return self._reader[index].asnumpy()

    def close(self) -> None:
        del self._reader


Opener = Callable[[Path, "FrameTable | None"], Reader]


@dataclass(frozen=True)
class References:
    """The readers that are installed here, and in words which are not."""

    readers: dict[str, Opener]
    missing: list[str]


def references() -> References:
    """Find out which readers for comparison work here."""
    readers: dict[str, Opener] = {}
    missing: list[str] = []
    try:
        import torchcodec.decoders  # noqa: F401

        readers["torchcodec"] = Torchcodec
    except (ImportError, OSError, RuntimeError) as error:
        missing.append(f"torchcodec is not usable here ({_short(error)}): its rows are left out")
    try:
        import decord  # noqa: F401

        readers["decord"] = Decord
    except (ImportError, OSError) as error:
        missing.append(f"decord is not usable here ({_short(error)}): its rows are left out")
    return References(readers, missing)


def _short(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1][:80] if lines else type(error).__name__


def ffmpeg_sequential(path: Path) -> None:
    """Decode a file with the ffmpeg program on two threads, output thrown away."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-threads", str(THREADS), "-i", str(path)]
    subprocess.run([*command, "-f", "null", "-"], check=True)
