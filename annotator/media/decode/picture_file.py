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


def jpeg_bytes(rgb: NDArray[np.uint8]) -> bytes:
    """Return a picture (uint8 RGB, height x width x 3) as JPEG of quality 95."""
    import cv2

    settings = [cv2.IMWRITE_JPEG_QUALITY, 95]
    is_encoded, data = cv2.imencode(".jpg", np.ascontiguousarray(rgb[:, :, ::-1]), settings)
    assert is_encoded
    return data.tobytes()


def read_image(body: bytes) -> NDArray[np.uint8]:
    """Return the picture (uint8 RGB, height x width x 3) in a PNG or JPEG of this module."""
    import cv2

    image = cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.ascontiguousarray(image[:, :, ::-1]).astype(np.uint8)
