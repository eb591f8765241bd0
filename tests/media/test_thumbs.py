"""The strip of small pictures: where they come from, what they show, how they are given up."""

from __future__ import annotations

import queue
import threading

import numpy as np
import pytest

from annotator.media import Video
from annotator.media.decode.thumbnails import stills, thumb_frames, thumbs
from annotator.services.background.jobs import JobRunner, JobState
from annotator.services.playback.thumbnails import Stills, Thumbnails
from tests.media import clips
from tests.media.encoding import encode


@pytest.fixture(scope="module", params=["h264_open_gop_mp4", "turned_90_mp4"])
def video(request, tmp_path_factory):
    with Video(clips.make(request.param, tmp_path_factory.mktemp("t"))) as video:
        yield video


def test_pictures_spread_over_the_clip_and_prefer_cheap_frames(video):
    frames = thumb_frames(video.table, 5)
    assert frames == sorted(set(frames))
    assert 1 <= len(frames) <= 5
    many = thumb_frames(video.table, len(video))
    assert len(many) > len(video) // 2
    starts = set(np.flatnonzero(video.table.sync))
    assert starts & set(frames) or len(starts) < 2


def test_each_picture_is_that_of_its_frame(video):
    found = list(thumbs(video.path, video.table, 6, 24, lambda: False))
    assert sorted(thumb.frame for thumb in found) == thumb_frames(video.table, 6)
    for thumb in found:
        height, width, _ = thumb.bgra.shape
        assert height == 24
        assert width == round(24 * video.size[0] / video.size[1])
        assert thumb.time_s == video.time(thumb.frame)
        whole = video.image(thumb.frame).mean(axis=(0, 1))
        assert np.abs(thumb.bgra[:, :, 2::-1].mean(axis=(0, 1)) - whole).max() < 25


def test_what_must_be_decoded_up_to_comes_in_one_pass(tmp_path):
    path = tmp_path / "long.mp4"
    encode(path, numbers=range(120), gop=40, b_frames=0)
    with Video(path) as video:
        found = [thumb.frame for thumb in thumbs(path, video.table, 12, 16, lambda: False)]
        starts = np.flatnonzero(video.table.sync).tolist()
    n_cheap = len(set(found) & set(starts))
    assert n_cheap >= 2
    assert set(found[:n_cheap]) <= set(starts)
    assert found[n_cheap:] == sorted(found[n_cheap:])
    assert sorted(found) == thumb_frames(video.table, 12)


def test_a_held_strip_waits_until_it_may_go_on(video):
    calls = queue.Queue()
    jobs = JobRunner(calls.put)
    is_free = threading.Event()
    for _ in range(8):  # more than there are threads: the strip comes after them
        jobs.submit("busy", lambda _token: is_free.wait(20))
    strip = Thumbnails(video.path, video.table, jobs=jobs, post=calls.put, count=4, height=16)
    strip.hold(True)
    is_free.set()
    while len(jobs.active) > 1 or jobs.active[0].state is JobState.WAITING:
        calls.get(timeout=20)()
    with pytest.raises(queue.Empty):
        calls.get(timeout=0.5)
    assert strip.pictures == ()
    strip.hold(False)
    while jobs.active:
        calls.get(timeout=20)()
    jobs.close()
    assert len(strip.pictures) == len(thumb_frames(video.table, 4))


def test_a_held_strip_can_be_given_up(video):
    calls = queue.Queue()
    jobs = JobRunner(calls.put)
    strip = Thumbnails(video.path, video.table, jobs=jobs, post=calls.put, count=4, height=16)
    strip.hold(True)
    strip.close()
    jobs.close()
    assert jobs.active == ()


def test_a_strip_that_is_given_up_stops(video):
    asked = iter([False, False, True])
    found = list(thumbs(video.path, video.table, 50, 16, lambda: next(asked, True)))
    assert len(found) <= 2


def test_the_strip_arrives_one_by_one_on_the_main_thread(video):
    calls = queue.Queue()
    jobs = JobRunner(calls.put)
    strip = Thumbnails(video.path, video.table, jobs=jobs, post=calls.put, count=4, height=16)
    seen = []
    strip.changed.add(lambda _: seen.append(len(strip.pictures)))
    while jobs.active:
        calls.get(timeout=20)()
    jobs.close()
    assert seen == list(range(1, len(thumb_frames(video.table, 4)) + 1))
    times = [thumb.time_s for thumb in strip.pictures]
    assert times == sorted(times)
    assert strip.problem is None


def test_stills_are_the_frames_that_were_asked_for(video):
    frames = [len(video) - 1, 0, 3]
    found = list(stills(video.path, video.table, frames, 10_000, lambda: False))
    assert [still.frame for still in found] == sorted(frames)
    for still in found:
        assert still.bgra.shape[1::-1] == video.size
        assert np.abs(still.bgra[:, :, 2::-1].astype(int) - video.image(still.frame)).mean() < 3
    (small,) = stills(video.path, video.table, [3], max(video.size) // 2, lambda: False)
    assert max(small.bgra.shape[:2]) == max(video.size) // 2
    assert list(stills(video.path, video.table, frames, 100, lambda: True)) == []


def test_the_newest_request_for_stills_wins(video):
    posted: queue.Queue = queue.Queue()
    runner = JobRunner(posted.put)
    reader = Stills(video.path, video.table.to_bytes(), jobs=runner, post=posted.put)
    arrived: list[int] = []
    reader.arrived.add(lambda still: arrived.append(still.frame))
    reader.request([0, 1, 2])
    reader.request([4, 5])
    while arrived != [4, 5]:
        posted.get(timeout=20)()
    reader.close()
    runner.close()


def test_stills_of_a_file_that_is_gone_are_a_message(video, tmp_path):
    posted: queue.Queue = queue.Queue()
    runner = JobRunner(posted.put)
    gone = tmp_path / "gone.mp4"
    reader = Stills(gone, video.table.to_bytes(), jobs=runner, post=posted.put)
    errors: list[str] = []
    reader.failed.add(lambda error: errors.append(str(error)))
    reader.request([0])
    while not errors:
        posted.get(timeout=20)()
    assert "gone.mp4" in errors[0]
    runner.close()
