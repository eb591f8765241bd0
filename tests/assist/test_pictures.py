"""Pictures of which trackers read parts."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakSet

import numpy as np
import pytest
from av.video.frame import VideoFrame

from annotator.assist.pictures import Image, LazyImage, Pictures
from annotator.media.decode.convert import CompactImage
from annotator.media.index.frame_table import Orientation

SIZES = ((640, 360), (1920, 1080), (642, 362), (641, 360), (640, 361))


class _Noise:
    """One frame of noise; counts the pixels that were converted."""

    def __init__(self, width: int, height: int, orientation: Orientation) -> None:
        self._picture = VideoFrame(width, height, "yuv420p")
        chance = np.random.default_rng(5)
        for plane in self._picture.planes:
            plane.update(chance.integers(0, 256, plane.buffer_size, np.uint8).tobytes())
        self._orientation = orientation
        self.n_converted = 0
        self.in_memory: WeakSet[_Watched] = WeakSet()

    def __len__(self) -> int:
        return 300

    def image(self, index: int, /) -> Image:
        return self.compact(index).rgb()

    def compact(self, index: int, /) -> _Watched:
        watched = _Watched(CompactImage(self._picture, self._orientation), self)
        self.in_memory.add(watched)
        return watched


class _Watched:
    """A picture that tells how many of its pixels are converted."""

    def __init__(self, compact: CompactImage, noise: _Noise) -> None:
        self._compact, self._noise = compact, noise
        self.size, self.nbytes = compact.size, compact.nbytes

    def part(self, area: tuple[int, int, int, int], /) -> _Watched:
        return _Watched(self._compact.part(area), self._noise)

    def halved(self) -> _Watched:
        return _Watched(self._compact.halved(), self._noise)

    def rgb(self) -> Image:
        self._noise.n_converted += self.size[0] * self.size[1]
        return self._compact.rgb()


def _parts(picture: LazyImage, side: int) -> Iterator[tuple[slice, slice]]:
    """Parts of a picture with even and odd corners, at its edges, and beyond them."""
    height, width, _ = picture.shape
    for x, y in (
        (0, 0),
        (31, 17),
        (62, 33),
        (width - side, height - side),
        (width - 9, height - 7),
    ):
        yield slice(y, y + side), slice(x, x + side - 3)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("level", [-1, 0, 1, 2])
@pytest.mark.parametrize("size", SIZES)
def test_parts_are_those_of_the_whole_picture(size: tuple[int, int], level: int, turn: int) -> None:
    noise = _Noise(*size, Orientation(turn, turn == 180))
    whole = Pictures(noise).color(0, level)
    parts = list(_parts(Pictures(noise).picture(0, level), 40))
    for part in parts:
        picture = Pictures(noise).picture(0, level)
        assert np.array_equal(picture[part], whole[part])
    picture = Pictures(noise).picture(0, level)
    assert all(np.array_equal(picture[part], whole[part]) for part in parts * 3)
    assert picture.shape == whole.shape
    assert picture[10:10, 5:90].shape == (0, 85, 3)
    assert picture[30:20, 5:9].shape == (0, 4, 3)


@pytest.mark.parametrize("level", [0, 1])
def test_only_what_is_looked_at_is_converted(level: int) -> None:
    noise = _Noise(1920, 1080, Orientation())
    picture = Pictures(noise).picture(0, level)
    picture[101:200, 301:400]
    assert noise.n_converted == 100 * 100
    picture.gray()
    assert noise.n_converted == 100 * 100 + (1920 * 1080 >> 2 * level)
    picture[:, :]
    picture.color()
    assert noise.n_converted == 100 * 100 + (1920 * 1080 >> 2 * level)


def test_a_picture_that_is_read_often_is_converted_once() -> None:
    noise = _Noise(1920, 1080, Orientation())
    picture = Pictures(noise).picture(0, 0)
    for i in range(500):
        picture[i : i + 200, i : i + 200]
    assert noise.n_converted < 2 * 1920 * 1080


def test_all_who_look_at_a_frame_share_its_picture() -> None:
    pictures = Pictures(_Noise(640, 360, Orientation()))
    assert pictures.picture(0, 1) is pictures.view(160.0).picture(0)
    assert pictures.color(0, 1) is pictures.color(0, 1)
    assert pictures.gray(0, 1) is pictures.gray(0, 1)


@pytest.mark.parametrize("level", [0, 1, 3])
def test_small_pictures_do_not_keep_the_large_ones_they_are_made_of(level: int) -> None:
    noise = _Noise(1920, 1080, Orientation())
    n_bytes = noise.compact(0).nbytes
    pictures = Pictures(noise, budget_bytes=20 * n_bytes)
    for frame in range(100):
        pictures.hold(frame, 0)
        pictures.picture(frame, level)[10:20, 10:20]
        pictures.gray(frame, 3)
        assert len(noise.in_memory) <= 20 + 12 + 1
    assert len(noise.in_memory) >= 20


def test_few_pictures_are_kept_of_small_videos() -> None:
    pictures = Pictures(_Noise(64, 48, Orientation()))
    for frame in range(300):
        pictures.gray(frame, 0)
    assert len(pictures._recent) == 64, "their memory is counted with each new one"
