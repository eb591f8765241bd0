"""The player with a clock of our own: what is due, seeks, shuttle, loop, drops, lost sound."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from annotator.media.audio.output import AudioUnavailable
from annotator.services.playback.player import Player

RATE = 25.0
N = 100
TIMES = np.arange(N) / RATE
END_S = N / RATE
SOUND = object()  # the player only hands it to its output


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class Loudspeaker:
    """Sounds `delay_s` after it may; its clock is the test's."""

    delay_s = 0.0

    def __init__(self, clock):
        self.trouble = None
        self.clock = clock
        self.calls = []
        self.course = None
        self.started_at = None

    def wake(self):
        self.calls.append(("wake",))

    def prepare(self, course, end_s):
        self.calls.append(("prepare", round(course.start_s, 6), course.speed, course.loop_s))
        self.course, self.started_at = course, None

    def go(self):
        self.calls.append(("go",))
        self.started_at = self.clock.now + self.delay_s

    def elapsed(self):
        return 0.0 if self.started_at is None else max(0.0, self.clock.now - self.started_at)

    def stop(self):
        self.calls.append(("stop",))
        self.course = self.started_at = None

    def snippet(self, start_s, end_s):
        self.calls.append(("snippet", round(start_s, 6), round(end_s, 6)))

    def set_volume(self, volume):
        self.calls.append(("volume", volume))

    def close(self):
        self.calls.append(("close",))

    def names(self):
        return [call[0] for call in self.calls]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def speakers(clock):
    return []


@pytest.fixture
def make(clock, speakers):
    def make(times=TIMES, end_s=END_S, audio=SOUND):
        def factory(_audio):
            speakers.append(Loudspeaker(clock))
            return speakers[-1]

        player = Player(times, end_s, audio, output_factory=factory, now=clock)
        player.shown(0)
        return player

    return make


def run(player, clock, seconds, *, step=1 / 60, paint=lambda frame: True):
    """Tick as a window would and paint each frame that comes due."""
    frames = []
    for _ in range(round(seconds / step)):
        clock.now += step
        frame = player.tick().frame
        if not frames or frames[-1] != frame:
            frames.append(frame)
        if paint(frame):
            player.shown(frame)
    return frames


@pytest.mark.parametrize("audio", [SOUND, None], ids=["sound", "silent"])
def test_every_frame_comes_when_it_is_due(make, clock, audio):
    player = make(audio=audio)
    player.play()
    frames = run(player, clock, 2.001, step=2.001 / 120)
    assert frames == list(range(51))
    assert player.state.time_s == pytest.approx(2.001, abs=1e-6)
    assert player.state.is_silent is (audio is None)
    assert player.state.notice is None
    assert player.state.dropped == 0


def test_frames_of_changing_length_follow_their_own_times(make, clock):
    times = np.array([0.0, 0.1, 0.15, 0.5, 0.52, 1.4])
    player = make(times=times, end_s=1.5)
    player.play()
    for now_s, frame in (
        (0.09, 0),
        (0.1, 1),
        (0.149, 1),
        (0.16, 2),
        (0.49, 2),
        (0.51, 3),
        (1.3, 4),
    ):
        clock.now = 1000.0 + now_s
        assert player.tick().frame == frame
        player.shown(frame)


def test_a_view_that_is_slow_asks_ahead(make, clock, speakers):
    player = make()
    player.play()
    assert player.tick(ahead_s=0.05).frame == 0  # nothing is heard yet
    clock.now += 0.035
    assert player.tick(ahead_s=0.01).frame == 1
    assert player.tick(ahead_s=0.0).time_s == pytest.approx(0.035)
    player.set_speed(2.0)
    clock.now += 0.1
    assert player.tick(ahead_s=0.01).time_s == pytest.approx(0.035 + 0.22)


def test_the_start_waits_until_the_sound_is_heard(make, clock, speakers):
    player = make()
    player.play()
    speakers[0].started_at = clock.now + 0.3
    run(player, clock, 0.29)
    assert player.state.frame == 0
    assert player.state.is_playing
    run(player, clock, 0.11)
    assert player.state.time_s == pytest.approx(0.1, abs=0.02)


def test_pause_stops_on_the_frame_due_and_play_goes_on_from_it(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 1.0)
    player.toggle()
    state = player.state
    assert not state.is_playing
    assert state.time_s == TIMES[state.frame]
    assert speakers[0].calls[-1] == ("stop",)
    clock.now += 5
    assert player.tick() == state
    player.toggle()
    assert speakers[0].calls[-2:] == [("prepare", state.time_s, 1.0, None), ("go",)]


def test_the_end_pauses_on_the_last_frame_and_play_starts_again(make, clock):
    player = make()
    player.seek(N - 5)
    player.shown(N - 5)
    player.play()
    run(player, clock, 1.0)
    assert player.state.frame == N - 1
    assert not player.state.is_playing
    assert player.state.dropped == 0
    player.play()
    assert player.state.is_playing
    assert player.state.frame == 0


def test_the_last_frame_keeps_its_whole_duration(make, clock):
    player = make()
    player.seek(N - 2)
    player.shown(N - 2)
    player.play()
    clock.now += 0.079
    assert player.tick().is_playing
    clock.now += 0.002
    assert not player.tick().is_playing


def test_after_a_seek_the_picture_comes_before_the_sound(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 0.5)
    player.seek(60)
    assert player.state.frame == 60
    assert speakers[0].calls[-1] == ("stop",)
    run(player, clock, 0.5, paint=lambda frame: False)
    assert player.state.frame == 60
    assert speakers[0].calls[-1][:2] == ("prepare", 60 / RATE)
    player.shown(12)  # a late picture from before
    assert player.tick().frame == 60
    assert speakers[0].calls[-1][0] == "prepare"
    player.shown(60)
    player.tick()
    assert speakers[0].calls[-1] == ("go",)
    run(player, clock, 0.4)
    assert player.state.frame == 70


def test_seeks_between_two_ticks_become_one(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 0.2)
    before = speakers[0].names().count("prepare")
    for frame in range(20, 90, 5):
        player.seek(frame)
    player.tick()
    prepared = [call for call in speakers[0].calls if call[0] == "prepare"][before:]
    assert prepared == [("prepare", 85 / RATE, 1.0, None)]


def test_a_picture_that_never_comes_does_not_hold_the_sound_for_ever(make, clock, speakers):
    player = make()
    player.play()
    player.seek(40)
    run(player, clock, 1.9, paint=lambda frame: False)
    assert speakers[0].calls[-1][0] == "prepare"
    run(player, clock, 0.3, paint=lambda frame: False)
    assert speakers[0].calls[-1] == ("go",)


def test_while_scrubbing_any_picture_will_do(make, clock, speakers):
    player = make()
    player.play()
    player.seek(40, exact=False)
    assert not player.state.is_exact
    player.tick()
    assert speakers[0].calls[-1][0] == "prepare"
    player.shown(38)
    player.tick()
    assert speakers[0].calls[-1] == ("go",)
    assert player.tick().is_exact


def test_scrubbing_in_pause_is_heard_in_snippets(make, clock, speakers):
    player = make()
    for frame in range(10, 20):
        clock.now += 0.02
        player.seek(frame, exact=False)
    heard = [call for call in speakers[0].calls if call[0] == "snippet"]
    assert 2 <= len(heard) <= 3
    player.seek(50)
    assert [call for call in speakers[0].calls if call[0] == "snippet"] == heard


def test_scrubbing_by_time_is_heard_under_the_pointer_not_at_the_frame(make, clock, speakers):
    player = make()
    at_s = 1.5 / RATE * 20
    clock.now += 0.1
    player.scrub(at_s)
    assert player.state.frame == 30
    assert not player.state.is_exact
    name, start_s, end_s = speakers[0].calls[-1]
    assert (name, start_s) == ("snippet", round(at_s, 6))
    assert end_s - start_s == pytest.approx(0.08)
    count = len(speakers[0].calls)
    clock.now += 0.01
    player.scrub(at_s + 0.001)
    assert len(speakers[0].calls) == count
    player.scrub(-5.0)
    assert player.state.frame == 0


def test_another_sound_stream_is_heard_without_stopping(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 1.0)
    at_s = player.state.time_s
    player.use_audio(player._audio)
    assert player.state.is_playing
    assert player.state.time_s == pytest.approx(at_s)
    assert speakers[0].calls[-1] == ("close",)
    assert speakers[1].calls[-1][0] in ("prepare", "go")
    player.use_audio(None)
    run(player, clock, 0.5)
    assert player.state.is_silent
    assert player.state.time_s > at_s + 0.3


def test_steps_pause_move_and_are_heard(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 1.0)
    at = player.state.frame
    player.step(1)
    assert not player.state.is_playing
    assert player.state.frame == at + 1
    assert speakers[0].calls[-1] == ("snippet", (at + 1) / RATE, (at + 2) / RATE)
    player.step(-3)
    assert player.state.frame == at - 2
    player.set_step_sound(False)
    player.step(1)
    assert speakers[0].calls[-1][1] == round((at - 2) / RATE, 6)
    player.step(-1000)
    assert player.state.frame == 0
    player.step(1000)
    assert player.state.frame == N - 1


def test_shuttle_climbs_turns_and_stops(make, clock):
    player = make()
    speeds = []
    for direction in (1, 1, 1, 1, -1, -1, 1):
        player.shuttle(direction)
        speeds.append(player.state.speed)
    assert speeds == [1, 2, 4, 4, -1, -2, 1]
    player.shuttle(0)
    assert not player.state.is_playing
    assert player.state.speed == 1


def test_slow_shuttle_and_the_second_k(make, clock):
    player = make()
    speeds = []
    for _ in range(4):
        player.shuttle(1, is_slow=True)
        speeds.append(player.state.speed)
    assert speeds == [0.5, 0.25, 0.1, 0.1]
    player.shuttle(-1, is_slow=True)
    assert player.state.speed == -0.5
    player.shuttle(0)
    player.set_speed(0.3)
    assert player.state.speed == 0.3
    player.shuttle(1)
    assert player.state.speed == 1
    player.shuttle(0)
    assert player.state.speed == 0.3
    player.shuttle(0)
    assert player.state.speed == 1


@pytest.mark.parametrize(("asked", "got"), [(9, 4), (0.01, 0.1), (-7, -4), (1.5, 1.5)])
def test_speeds_keep_to_their_limits(make, asked, got):
    player = make()
    player.set_speed(asked)
    assert player.state.speed == got


def test_a_change_of_speed_goes_on_from_the_same_place(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 1.0)
    player.set_speed(2.0)
    assert player.state.time_s == pytest.approx(1.0, abs=1e-6)
    run(player, clock, 1.0)
    assert player.state.time_s == pytest.approx(3.0, abs=1e-6)
    assert speakers[0].calls[-2][2] == 2.0


def test_backwards_is_silent_and_ends_at_the_first_frame(make, clock, speakers):
    player = make()
    player.seek(20)
    player.shown(20)
    player.shuttle(-1)
    frames = run(player, clock, 0.5)
    assert frames == sorted(frames, reverse=True)
    assert player.state.is_silent
    assert "go" not in speakers[0].names()
    run(player, clock, 1.0)
    assert player.state.frame == 0
    assert not player.state.is_playing
    player.shuttle(-1)
    clock.now += 0.01
    assert player.tick().frame == N - 1


@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_loop_never_leaves_its_frames(make, clock, speed):
    player = make()
    player.loop((10, 20))
    player.set_speed(speed)
    player.seek(10)
    player.shown(10)
    player.play()
    frames = run(player, clock, 2.01, step=1 / 100)
    assert set(frames) == set(range(10, 20))
    turns = [b - a for a, b in pairwise(frames) if abs(b - a) != 1]
    assert len(turns) == 5
    assert set(turns) == {-9 if speed > 0 else 9}
    assert player.state.dropped == 0


def test_a_loop_set_while_playing_elsewhere_jumps_into_it(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 0.2)
    player.loop((50, 60))
    assert player.state.frame == 50
    assert player.state.loop == (50, 60)
    player.loop(None)
    assert player.state.loop is None
    player.loop((95, 400))
    assert player.state.loop == (95, N)
    assert player.state.loop_s == (95 / RATE, END_S)
    assert speakers[0].calls[-1][3] == (95 / RATE, END_S)


def test_frames_that_cannot_be_shown_are_counted_once_and_not_waited_for(make, clock):
    player = make()
    player.play()
    due = []
    for _ in range(114):
        clock.now += 1 / 60
        frame = player.tick().frame
        due.append(frame == int((clock.now - 1000.0) * RATE + 1e-6))
        is_damaged = frame % 10 == 3
        player.shown(frame - is_damaged, frame)
    assert player.state.dropped == 5  # 3, 13, 23, 33, 43
    assert all(due)


@pytest.mark.parametrize("speed", [0.5, 1.0])
def test_a_window_held_up_for_a_moment_shows_every_frame_and_is_on_time_again(make, clock, speed):
    player = make()
    player.set_speed(speed)
    player.play()
    before = run(player, clock, 0.5)
    clock.now += 0.11  # nothing is painted meanwhile
    after = run(player, clock, 0.8)
    seen = [*before, *(frame for frame in after if frame != before[-1])]
    assert seen == list(range(seen[-1] + 1))
    assert player.state.dropped == 0
    assert player.state.frame == int(player.state.time_s * RATE + 1e-6)


def test_a_window_held_up_shows_every_frame_of_the_end_too(make, clock):
    player = make()
    player.seek(N - 10)
    player.shown(N - 10)
    player.play()
    before = run(player, clock, 0.3)
    clock.now += 0.11
    after = run(player, clock, 0.4)
    assert not player.state.is_playing
    assert before[-1] < N - 2
    assert [*before, *after][-4:] == [N - 4, N - 3, N - 2, N - 1]
    assert player.state.dropped == 0


def test_a_window_that_paints_nothing_ends_all_the_same(make, clock):
    player = make()
    player.seek(N - 10)
    player.shown(N - 10)
    player.play()
    run(player, clock, 1.0, paint=lambda frame: False)
    assert not player.state.is_playing
    assert player.state.frame == N - 1


def test_a_window_held_up_at_the_seam_of_a_loop_shows_every_frame(make, clock):
    player = make()
    player.loop((10, 20))
    player.seek(10)
    player.shown(10)
    player.play()
    before = run(player, clock, 0.38)
    assert before[-1] == 19
    clock.now += 0.11  # 20 is 10 again, 11 and 12 are due meanwhile
    after = run(player, clock, 0.3)
    assert after[:4] == [10, 11, 12, 13]
    assert player.state.dropped == 0


def test_a_view_that_cannot_keep_up_shows_what_is_due(make, clock):
    player = make()
    player.play()
    frames, late_s = [], []
    for _ in range(20):
        clock.now += 0.15
        frames.append(player.tick().frame)
        late_s.append(clock.now - 1000.0 - frames[-1] / RATE)
        player.shown(frames[-1])
    assert max(late_s[2:]) <= 1 / RATE + 1e-6  # at first it may have been held up for once
    player.pause()
    assert player.state.dropped == frames[-1] - len(frames)


def test_a_window_that_stalls_drops_what_was_due_meanwhile(make, clock):
    player = make()
    player.play()
    run(player, clock, 0.5)
    seen = player.state.frame
    clock.now += 0.4
    now_due = player.tick().frame
    player.shown(now_due)
    assert player.tick().dropped == now_due - seen - 1


def test_a_frame_painted_late_is_not_dropped(make, clock):
    player = make()
    player.play()
    last = 0
    for _ in range(100):
        clock.now += 0.02
        frame = player.tick().frame
        player.shown(last)  # one tick late, always
        last = frame
    assert player.state.dropped == 0


def test_fast_play_drops_without_counting(make, clock):
    player = make()
    player.set_speed(4)
    player.play()
    run(player, clock, 0.8, step=1 / 20)
    assert player.state.frame > 60
    assert player.state.dropped == 0


def test_pausing_counts_what_was_missed_but_not_the_frame_it_stops_on(make, clock):
    player = make()
    player.play()
    run(player, clock, 0.4)
    seen = player.state.frame
    clock.now += 0.2
    due = player.tick().frame
    player.pause()
    assert player.state.frame == due
    assert player.state.dropped == due - seen - 1


def test_without_a_device_it_plays_by_the_wall_clock_with_a_notice(make, clock, speakers):
    player = make()
    player.play()
    speakers[0].trouble = AudioUnavailable("No device was found.", "Plug one in.")
    speakers[0].started_at = None
    run(player, clock, 1.0)
    assert player.state.time_s == pytest.approx(1.0, abs=0.02)
    assert player.state.is_silent
    assert player.state.notice == "No device was found. Plug one in."
    player.pause()
    player.play()  # another try, with success
    assert len(speakers) == 2
    run(player, clock, 0.2)
    assert player.state.notice is None
    assert not player.state.is_silent


def test_a_device_lost_in_the_middle_leaves_no_jump(make, clock, speakers):
    player = make()
    player.play()
    run(player, clock, 1.0)
    speakers[0].trouble = AudioUnavailable("It went away.")
    frames = run(player, clock, 1.0)
    assert frames == list(range(frames[0], frames[-1] + 1))
    assert player.state.time_s == pytest.approx(2.0, abs=0.03)
    assert player.state.notice == "It went away."
    assert player.state.dropped == 0


def test_sound_without_picture_runs_on_media_time(make, clock, speakers):
    player = make(times=np.zeros(0), end_s=3.0)
    player.play()
    run(player, clock, 1.0)
    assert player.state.frame == 0
    assert player.state.time_s == pytest.approx(1.0, abs=1e-6)
    player.seek_time(2.5)
    run(player, clock, 0.2)
    assert player.state.time_s == pytest.approx(2.7, abs=0.03)
    run(player, clock, 0.5)
    assert not player.state.is_playing
    assert player.state.time_s == pytest.approx(3.0)
    player.loop((500, 1000))
    assert player.state.loop == (500, 1000)
    player.play()
    assert player.state.time_s == 0.5
    run(player, clock, 0.75)
    assert player.state.time_s == pytest.approx(0.75, abs=0.02)
    player.step(1)
    assert not player.state.is_playing
    assert player.state.time_s == pytest.approx(0.79, abs=0.02)
    assert speakers[0].calls[-1][0] == "snippet"


def test_a_seek_by_time_finds_the_frame_shown_then(make):
    player = make()
    for time_s, frame in ((-1.0, 0), (0.0399, 0), (0.04, 1), (2.0, 50), (99.0, N - 1)):
        player.seek_time(time_s)
        assert player.state.frame == frame
        assert player.state.time_s == TIMES[frame]


def test_volume_reaches_every_output(make, clock, speakers):
    player = make()
    player.set_volume(3.0)
    player.play()
    assert speakers[0].calls[2] == ("volume", 1.0)
    player.set_volume(0.25)
    assert speakers[0].calls[-1] == ("volume", 0.25)
    player.close()
    assert speakers[0].calls[-1] == ("close",)


def test_the_device_is_woken_before_it_is_needed(make, speakers):
    player = make()
    assert speakers[0].calls == [("volume", 1.0), ("wake",)]
    speakers[0].trouble = AudioUnavailable("No device was found.")
    assert player.tick().notice == "No device was found."
    assert player.state.is_silent
    assert not player.state.is_playing


def test_listeners_hear_each_change_once(make, clock):
    player = make()
    told = []
    player.listeners.add(told.append)
    player.seek(5)
    player.seek(5)
    player.set_speed(1.0)
    assert [state.frame for state in told] == [5]
    player.shown(5)
    player.play()
    run(player, clock, 0.1)
    assert told[-1] == player.state
    assert all(a != b for a, b in pairwise(told))


def test_one_frame_plays_and_stops(make, clock):
    player = make(times=np.array([0.0]), end_s=0.04)
    player.play()
    run(player, clock, 0.1)
    assert not player.state.is_playing
    assert player.state.frame == 0
    player.step(1)
    assert player.state.frame == 0
