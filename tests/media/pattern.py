"""Test pictures that carry their own number in blocks large enough to survive any codec."""

from __future__ import annotations

import numpy as np

COLUMNS, ROWS = 4, 4
_DARK, _LIGHT = 40, 210


def picture(number: int, width: int = 96, height: int = 64) -> np.ndarray:
    """RGB picture of a number below 4096: 12 bits and a 4-bit checksum in 4 x 4 blocks.

    A gradient that moves with the number gives codecs motion to predict from.
    """
    rows = np.arange(height)[:, None] * ROWS // height
    columns = np.arange(width)[None, :] * COLUMNS // width
    word = (number << 4) | _checksum(number)
    is_light = (word >> (rows * COLUMNS + columns)) & 1
    wave = (np.arange(width)[None, :] * 2 + np.arange(height)[:, None] + number * 5) % 40
    gray = np.where(is_light, _LIGHT, _DARK) + wave - 20
    image = np.empty((height, width, 3), dtype=np.uint8)
    image[..., 0] = gray
    image[..., 1] = np.clip(gray - 6, 0, 255)
    image[..., 2] = np.clip(gray + 6, 0, 255)
    return image


def read_number(image: np.ndarray) -> int | None:
    """Number of a picture in display orientation; None when its checksum does not fit."""
    height, width = image.shape[:2]
    word = 0
    for place in range(COLUMNS * ROWS):
        row, column = divmod(place, COLUMNS)
        top, left = (4 * row + 1) * height // (4 * ROWS), (4 * column + 1) * width // (4 * COLUMNS)
        block = image[top : top + height // (2 * ROWS), left : left + width // (2 * COLUMNS), :3]
        word |= int(block.mean() > (_DARK + _LIGHT) / 2) << place
    number = word >> 4
    return number if word & 15 == _checksum(number) else None


def _checksum(number: int) -> int:
    return (number ^ (number >> 4) ^ (number >> 8) ^ 0b1001) & 15
