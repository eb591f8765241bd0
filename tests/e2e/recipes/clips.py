"""Tiny clips with sound for the runs of the recipes: no two have the same content."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from tests.media.encoding import add_sound, encode

SIZE = (160, 90)
N_FRAMES = 9
SQUARE = (40, 20, 80, 60)
"""Where the light square is on the middle frame, in pixels [x1, y1, x2, y2]."""


def make_clips(folder: Path, names: Iterable[str], *, n_frames: int = N_FRAMES) -> list[Path]:
    """Write a clip of each name, with a beep; on its frames a square moves to the right."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for number, name in enumerate(names):
        mute, path = folder / f"_{name}.mp4", folder / f"{name}.mp4"
        encode(
            mute, numbers=range(n_frames), size=SIZE, gop=n_frames, paint=_painter(number, n_frames)
        )
        add_sound(mute, path, seconds=n_frames / 30)
        mute.unlink()
        made.append(path)
    return made


def _painter(number: int, n_frames: int) -> Callable[[int], np.ndarray]:
    def paint(frame: int) -> np.ndarray:
        image = np.full((SIZE[1], SIZE[0], 3), 30 + 6 * (number % 20), np.uint8)
        x1, y1, x2, y2 = SQUARE
        moved = 2 * (frame - n_frames // 2)
        image[y1:y2, x1 + moved : x2 + moved] = (220, 200, 60 + number % 20 * 8)
        image[-8:, : 8 * (number // 20 + 1)] = 255
        return image

    return paint
