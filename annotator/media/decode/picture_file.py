"""Pictures as files."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def png_bytes(rgb: NDArray[np.uint8]) -> bytes:
    """Return a picture (uint8 RGB, height x width x 3) as PNG, every pixel kept."""
    import cv2

    is_encoded, data = cv2.imencode(".png", np.ascontiguousarray(rgb[:, :, ::-1]))
    assert is_encoded
    return data.tobytes()


def read_png(body: bytes) -> NDArray[np.uint8]:
    """Return the picture (uint8 RGB, height x width x 3) in a PNG of `png_bytes`."""
    import cv2

    image = cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.ascontiguousarray(image[:, :, ::-1]).astype(np.uint8)
