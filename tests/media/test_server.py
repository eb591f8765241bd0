"""The frame server: latest request wins, exact pictures, stand-ins, reading ahead and back."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.errors import MediaError
from annotator.media import Picture, PictureRequest, Video
from annotator.media.decode.server import FrameServer
from tests.media.encoding import encode
from tests.media.pattern import read_number

WAIT_S = 20


class Viewer:
    """Takes pictures as a window would, on the decode thread, and lets a test wait for one."""

    def __init__(self, path: Path, **options):
        with Video(path) as video:
            self.table = video.table
        self.pictures: list[Picture] = []
        self.threads: set[str] = set()
        self.changed = threading.Condition()
        self.server: FrameServer | None = None
        self.server = FrameServer(path, self.table, on_ready=self._on_ready, **options)

    def _on_ready(self):
        with self.changed:
            picture = self.server.take() if self.server else None
            if picture is not None:
                self.pictures.append(picture)
                self.threads.add(threading.current_thread().name)
            self.changed.notify_all()

    def show(self, index, **options) -> Picture:
        """Ask for a frame and return its exact picture."""
        options = {"width": 0, "height": 0, **options}
        with self.changed:
            self.pictures.clear()
        self.server.request(PictureRequest(index, **options))
        self.wait(lambda: any(p.is_exact and p.index == index for p in self.pictures))
        return next(p for p in self.pictures if p.is_exact and p.index == index)

    def wait(self, is_done):
        with self.changed:
            assert self.changed.wait_for(is_done, WAIT_S), "the server did not answer"

    def wait_loaded(self, first, last):
        """Wait until frames first .. last are at hand; reading ahead announces nothing."""
        pause = threading.Event()
        for _ in range(WAIT_S * 100):
            if any(a <= first and last < b for a, b in self.server.loaded_spans()):
                return
            pause.wait(0.01)
        raise AssertionError(f"not read ahead: {self.server.loaded_spans()}")


@pytest.fixture(scope="module")
def long_gop(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("server") / "long.mp4"
    encode(path, numbers=range(240), gop=120, b_frames=2)
    return path


@pytest.fixture
def viewer(long_gop):
    viewer = Viewer(long_gop)
    yield viewer
    viewer.server.close()


def test_picture_is_the_frame_asked_for(viewer):
    for index in (0, 117, 118, 119, 120, 239, 3, 200):
        picture = viewer.show(index)
        assert read_number(picture.bgra[..., 2::-1]) == index
        assert picture.requested == index
        assert picture.pts == viewer.table.pts[index]
        assert picture.bgra.flags.c_contiguous


def test_picture_has_the_size_asked_for(viewer):
    picture = viewer.show(50, width=48, height=32)
    assert picture.bgra.shape == (32, 48, 4)
    assert picture.source_size == (96, 64)
    assert np.all(picture.bgra[..., 3] == 255)


def test_stand_ins_show_the_number_they_claim(viewer):
    viewer.show(10)
    viewer.show(235)
    assert [read_number(p.bgra[..., 2::-1]) for p in viewer.pictures] == [
        p.index for p in viewer.pictures
    ]
    assert all(p.is_exact == (p.index == p.requested) for p in viewer.pictures)


def test_scrubbing_shows_something_before_the_exact_picture(viewer):
    viewer.show(0)
    viewer.show(238)
    assert viewer.pictures[-1].index == 238
    assert len(viewer.pictures) > 1
    assert not viewer.pictures[0].is_exact


def test_playing_shows_no_stand_ins(viewer):
    viewer.show(0, direction=1, is_playing=True)
    shown = []
    for index in range(1, 60):
        viewer.show(index, direction=1, is_playing=True)
        shown += [p.index for p in viewer.pictures if not p.is_exact]
    assert shown == []


def test_latest_request_wins(viewer):
    for index in range(0, 240, 3):
        viewer.server.request(PictureRequest(index, 0, 0))
    viewer.server.request(PictureRequest(77, 0, 0))
    viewer.wait(lambda: bool(viewer.pictures) and viewer.pictures[-1].index == 77)
    exact = [p.index for p in viewer.pictures if p.is_exact]
    assert exact[-1] == 77
    assert len(exact) < 60


def test_reads_ahead_while_moving_forwards(viewer):
    viewer.show(100, direction=1)
    viewer.wait_loaded(100, 140)


def test_reads_back_before_it_is_asked(viewer):
    viewer.show(200, direction=-1)
    viewer.wait_loaded(150, 200)


def test_steps_back_through_a_small_cache(long_gop):
    budget = 30 * 96 * 64 * 2
    viewer = Viewer(long_gop, budget_bytes=budget)
    for index in range(239, -1, -1):
        assert read_number(viewer.show(index, direction=-1).bgra[..., 2::-1]) == index
    loaded = sum(end - start for start, end in viewer.server.loaded_spans())
    viewer.server.close()
    assert 0 < loaded <= 30


def test_request_outside_the_video_is_refused(viewer):
    with pytest.raises(IndexError):
        viewer.server.request(PictureRequest(240, 0, 0))


def test_file_that_changes_while_open_is_reported(long_gop, tmp_path):
    path = tmp_path / "changes.mp4"
    path.write_bytes(long_gop.read_bytes())
    viewer = Viewer(path)
    viewer.show(5)
    os.truncate(path, path.stat().st_size - 1000)  # at once: it is never seen empty
    viewer.server.request(PictureRequest(230, 0, 0))
    viewer.wait(lambda: viewer.server.error is not None)
    viewer.server.close()
    assert "changed" in viewer.server.error.text
    assert str(path) in str(viewer.server.error)


def test_table_of_another_file_is_refused(viewer, clip):
    with pytest.raises(MediaError, match="changed"):
        FrameServer(clip("h264_baseline_mp4"), viewer.table, on_ready=lambda: None)


def test_turned_video_is_served_upright(clip):
    viewer = Viewer(clip("turned_90_mp4"))
    picture = viewer.show(7, width=64, height=96)
    viewer.server.close()
    assert picture.bgra.shape == (96, 64, 4)
    assert picture.source_size == (64, 96)
    assert read_number(picture.bgra[..., 2::-1]) == 7


@pytest.mark.parametrize("stride", [1, 2, -1])
def test_while_playing_the_next_picture_is_handed_out_within_the_request(viewer, stride):
    here = threading.current_thread().name
    direction = 1 if stride > 0 else -1
    start = 20 if stride > 0 else 200
    viewer.show(start, direction=direction, is_playing=True)
    viewer.wait_loaded(*sorted((start, start + 30 * direction)))
    for number in range(1, 40):
        index = start + number * stride
        picture = viewer.show(index, width=64, height=36, direction=direction, is_playing=True)
        assert read_number(picture.bgra[..., 2::-1]) == index
        assert picture.requested == index
        if here in viewer.threads:
            return
        threading.Event().wait(0.01)
    raise AssertionError("every picture waited for the decode thread")


def test_prepared_pictures_have_the_size_asked_for(viewer):
    for index, width in ((30, 64), (31, 64), (32, 64), (33, 128), (34, 128), (35, 64)):
        picture = viewer.show(index, width=width, height=36, direction=1, is_playing=True)
        assert picture.bgra.shape == (36, width, 4)
        assert read_number(viewer.show(index).bgra[..., 2::-1]) == index


def test_a_jump_while_playing_shows_no_picture_of_before(viewer):
    for index in (40, 41, 42, 150, 151, 44, 45, 149, 43):
        picture = viewer.show(index, direction=1, is_playing=True)
        assert read_number(picture.bgra[..., 2::-1]) == index
    threading.Event().wait(0.05)
    assert [picture.index for picture in viewer.pictures] == [43]
