"""Every hard clip, sequentially and at random, against FFmpeg's own sequential decode."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from av.video.frame import VideoFrame

from annotator.media import FrameTable, Video
from annotator.media.decode import decoder
from annotator.media.decode.cache import picture_bytes
from annotator.media.index.trial_decoding import decode_tagged
from tests.media.clips import CLIPS
from tests.media.encoding import encode
from tests.media.pattern import read_number
from tests.media.reference import sequential

DEMO = Path(__file__).parents[2] / "resources" / "demo"
DEMO_VIDEOS = sorted(
    p.name for p in DEMO.glob("*") if p.suffix in {".mp4", ".mov", ".mkv", ".webm"}
)


def test_there_are_enough_hard_clips():
    assert len(CLIPS) >= 50


@pytest.mark.parametrize("name", CLIPS)
def test_every_frame_is_what_ffmpeg_presents(name, clip, truth):
    with Video(clip(name)) as video:
        turn = video.table.orientation.apply
        expected = [turn(picture) for picture in truth(name)]
        assert len(video) == len(expected)
        shown = [video.image(i) for i in range(len(video))]
        wrong = [i for i, image in enumerate(shown) if not np.array_equal(image, expected[i])]
        assert wrong == []
        assert all(image.shape == (video.size[1], video.size[0], 3) for image in shown)
        numbers = CLIPS[name].numbers
        if numbers is not None:
            assert [read_number(image) for image in shown] == list(numbers)


@pytest.mark.parametrize("name", CLIPS)
def test_frames_are_exact_in_any_order(name, clip, truth):
    with Video(clip(name)) as first:
        table = FrameTable.from_bytes(first.table.to_bytes())
    # A budget of one picture: whatever is asked for has to be decoded.
    with Video(clip(name), table=table, budget_bytes=1) as video:
        turn = video.table.orientation.apply
        wrong = [i for i in _walk(len(video)) if not _same(video.image(i), turn(truth(name)[i]))]
    assert wrong == []


@pytest.mark.parametrize("name", CLIPS)
def test_compact_pictures_show_the_same_in_less_memory(
    name: str, clip: Callable[[str], Path]
) -> None:
    with Video(clip(name)) as video:
        for index in (0, len(video) - 1):
            image, compact = video.image(index), video.compact(index)
            height, width = image.shape[:2]
            assert compact.nbytes <= image.nbytes
            assert _difference(compact.rgb(), image) < 6
            if video.picture(index).format.name == "yuv420p":
                assert np.array_equal(compact.rgb(), image)
            size = (max(1, width // 2), max(1, height // 2))
            halved = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
            assert _difference(compact.halved().rgb(), halved) < 6
            if width % 2 == height % 2 == 0:
                part = compact.part((2, 4, width - 4, height - 2)).rgb()
                assert np.array_equal(part, compact.rgb()[4 : height - 2, 2 : width - 4])


@pytest.mark.parametrize("name", DEMO_VIDEOS)
def test_demo_videos_are_exact(name):
    expected = sequential(DEMO / name)
    with Video(DEMO / name) as video:
        turn = video.table.orientation.apply
        assert len(video) == len(expected)
        wrong = [i for i in _walk(len(video)) if not _same(video.image(i), turn(expected[i]))]
    assert wrong == []


@pytest.mark.parametrize(("n_held", "most"), [(24, 6), (120, 4)])
def test_reading_from_both_ends_does_not_decode_all_between_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_held: int, most: int
) -> None:
    """Once forward, and backward in pieces of what the budget holds; 50 times frame by frame."""
    n_frames = 120
    path = tmp_path / "long.mp4"
    encode(path, numbers=range(n_frames), gop=n_frames, b_frames=2)
    with Video(path) as video:
        table, expected = video.table, [video.image(i) for i in range(n_frames)]
        budget_bytes = n_held * picture_bytes(video.picture(0))
    n_decoded = 0

    def counted(*given: object) -> list[VideoFrame]:
        nonlocal n_decoded
        pictures = decode_tagged(*given)
        n_decoded += len(pictures)
        return pictures

    monkeypatch.setattr(decoder, "decode_tagged", counted)
    with Video(path, table=table, budget_bytes=budget_bytes) as video:
        for i in range(n_frames):
            for index in (i, n_frames - 1 - i):
                assert np.array_equal(video.image(index), expected[index])
    assert n_decoded <= most * n_frames


def _walk(count: int) -> list[int]:
    """Jumps, steps back, steps forward and both ends of a clip, the same ones every time."""
    order = random.Random(5).sample(range(count), min(count, 48))
    middle = count // 2
    back = list(range(min(middle + 4, count - 1), max(middle - 4, -1), -1))
    return [*order, *back, *range(middle, min(middle + 4, count)), count - 1, 0, count - 1]


def _difference(a: np.ndarray, b: np.ndarray) -> float:
    """Return the mean difference of two uint8 pictures of the same shape."""
    assert a.shape == b.shape
    return float(np.abs(a.astype(int) - b).mean())


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b)
