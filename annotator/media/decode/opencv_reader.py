"""A video as OpenCV's sequential reader sees it, the reference of many benchmarks.

Never used to show a frame: OpenCV and the program may disagree, and that is what callers look for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from annotator.domain.errors import MediaError


class OpenCvReader:
    """Reads forward, once. ``reported`` is the count that ``CAP_PROP_FRAME_COUNT`` claims."""

    def __init__(self, path: Path) -> None:
        import cv2

        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise MediaError(
                "OpenCV cannot open the video.",
                hint="Data loaders that use OpenCV will also fail.",
                where=str(path),
            )
        claimed = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self.reported = int(claimed) if np.isfinite(claimed) and abs(claimed) < 1e12 else -1
        self.n_read = 0
        """How many frames have been read so far; after the last one, how many there are."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._capture.release()

    def frames(
        self, wanted: Collection[int], *, is_to_end: bool
    ) -> Iterator[tuple[int, NDArray[np.uint8] | None]]:
        """Yield every position, with its picture (RGB, height x width x 3) where requested.

        Stops after the last requested one, or at the end of the file with ``is_to_end``.
        """
        last = max(wanted, default=-1)
        while (is_to_end or self.n_read <= last) and self._capture.grab():
            position = self.n_read
            self.n_read += 1
            yield position, self._picture() if position in wanted else None

    def _picture(self) -> NDArray[np.uint8] | None:
        is_read, bgr = self._capture.retrieve()
        if not is_read:
            return None
        return np.ascontiguousarray(bgr[:, :, ::-1], dtype=np.uint8)
