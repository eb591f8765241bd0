"""Display matrix to rotation and flip, and their application to pictures.

libav hands out stored pictures; phones store portrait videos sideways with a matrix that says
how to turn them. All coordinates of this program are in display orientation.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a stored picture becomes the displayed one: mirrored first (left to right), then turned.

    ``rotation`` is clockwise, one of 0, 90, 180, 270.
    """

    rotation: int = 0
    is_flipped: bool = False

    @property
    def swaps_sides(self) -> bool:
        """Whether width and height change places."""
        return self.rotation in (90, 270)

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Displayed (width, height) of a stored size, and the other way round."""
        return (height, width) if self.swaps_sides else (width, height)

    def apply(self, image: NDArray[_Scalar]) -> NDArray[_Scalar]:
        """Turn a stored picture (height, width, ...) into display orientation, C-contiguous."""
        if self.is_flipped:
            image = image[:, ::-1]
        if self.rotation:
            image = np.rot90(image, k=-(self.rotation // 90))
        return np.ascontiguousarray(image)


def from_matrix(raw: bytes) -> tuple[Orientation, float]:
    """Read a libav display matrix (nine int32, 16.16 and 2.30 fixed point).

    Returns the nearest quarter turn and by how many degrees the matrix differs from it.
    """
    if len(raw) < 36:
        return Orientation(), 0.0
    a, b, _, c, d = struct.unpack("<5i", raw[:20])
    is_flipped = a * d - b * c < 0
    if is_flipped:  # undo the mirroring of x, which comes first
        a, b = -a, -b
    if a == 0 and b == 0:
        return Orientation(0, is_flipped), 0.0
    angle = math.degrees(math.atan2(b, a)) % 360.0  # y grows downwards: positive is clockwise
    quarter = round(angle / 90.0) * 90
    return Orientation(int(quarter) % 360, is_flipped), abs(angle - quarter)
