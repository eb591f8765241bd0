"""Pictures made ready for the screen before they are asked for: the next ones while playing."""

from __future__ import annotations

from annotator.media.values.frames import Picture, PictureRequest

_DEPTH = 2  # a full-size 4K picture takes 33 MB
_LONGEST_STRIDE = 8


class Prepared:
    """Keeps the pictures after the one that was asked for last, at its size, in its stride.

    The stride is what the last two requests were apart, so play at four times the speed has every
    fourth frame made ready and no other. Not thread-safe.
    """

    def __init__(self) -> None:
        self._pictures: dict[int, Picture] = {}
        self._size = (0, 0)
        self._at = 0
        self._stride = 1

    def take(self, request: PictureRequest) -> Picture | None:
        """Note what is asked for and return its picture if that was prepared."""
        step = request.index - self._at
        size = (request.width, request.height)
        if not request.is_playing or size != self._size or not 0 < abs(step) <= _LONGEST_STRIDE:
            self._pictures.clear()
            self._stride = request.direction
        elif step != self._stride:
            self._stride = step
        self._at, self._size = request.index, size
        picture = self._pictures.get(request.index)
        wanted = self._wanted()
        self._pictures = {i: kept for i, kept in self._pictures.items() if i in wanted}
        return picture

    def missing(self, request: PictureRequest) -> list[int]:
        """Frames to prepare, the next first; none when another request came meanwhile."""
        is_newest = request.index == self._at and (request.width, request.height) == self._size
        if not request.is_playing or not is_newest:
            return []
        return [index for index in self._wanted() if index not in self._pictures]

    def put(self, request: PictureRequest, picture: Picture) -> None:
        """Keep a picture that was made ready after a request."""
        if picture.index in self.missing(request):
            self._pictures[picture.index] = picture

    def clear(self) -> None:
        self._pictures.clear()

    def _wanted(self) -> list[int]:
        if self._stride == 0:
            return []
        return [self._at + self._stride * number for number in range(1, _DEPTH + 1)]
