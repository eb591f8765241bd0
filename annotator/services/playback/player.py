"""Playback: which frame is due now, by the clock of the sound or, in silence, the wall clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from annotator.media.audio.clock import Course, Now, WallClock
from annotator.services.background.jobs import Listeners

if TYPE_CHECKING:
    from annotator.media.audio.clock import Course
    from annotator.media.audio.output import AudioUnavailable
    from annotator.media.audio.reader import Audio


@dataclass(frozen=True, slots=True)
class PlayerState:
    """State of playback for views. `frame` is the one that is due; `time_s` is media time.

    `is_exact` is False while scrubbing: the nearest picture will do. `dropped` counts frames that
    were due but never painted at speeds up to 1. Without picture `frame` stays 0.
    """

    frame: int
    time_s: float
    is_playing: bool
    speed: float
    loop: tuple[int, int] | None
    loop_s: tuple[float, float] | None
    dropped: int
    is_silent: bool
    is_exact: bool
    notice: str | None


class SoundOutput(Protocol):
    """Protocol of the audio output; `AudioOutput` is the real one. No call blocks."""

    trouble: AudioUnavailable | None

    def wake(self) -> None: ...
    def prepare(self, course: Course, end_s: float) -> None: ...
    def go(self) -> None: ...
    def elapsed(self) -> float: ...
    def stop(self) -> None: ...
    def snippet(self, start_s: float, end_s: float) -> None: ...
    def set_volume(self, volume: float) -> None: ...
    def close(self) -> None: ...


MIN_SPEED = 0.1
MAX_SPEED = 4.0
_FASTER = (1.0, 2.0, 4.0)
_SLOWER = (0.5, 0.25, 0.1)


def next_shuttle(speed: float | None, is_slow: bool) -> float:
    """The next faster step after `speed`, or the next slower one; from rest (None) the first."""
    if is_slow:
        return next((step for step in _SLOWER if speed is None or step < speed), _SLOWER[-1])
    return next((step for step in _FASTER if speed is None or step > speed), _FASTER[-1])


_LATE_S: Final = 0.09
"""So late a picture may come after its sound: the bound of what viewers accept by ITU-R BT.1359."""


class Cadence:
    """Compares the frames due by the clock with the frames that the view has painted.

    A window that was blocked for a moment shows the frames of that moment late: one with each tick
    until it is on time again. A window that is later than that cannot keep up: then the due frame
    comes next, and the frames between count as dropped. A frame painted late is not dropped; one
    that a later frame overtook is. Frame numbers continue through the laps of a loop.
    """

    def __init__(self) -> None:
        self.n_dropped = 0
        self._is_counting = False
        self._first = 0
        self._length: int | None = None
        self._slack = 0
        self._is_beyond = False
        self._due = 0
        self._seen = 0

    def begin(
        self, frame: int, loop: tuple[int, int] | None, *, rate: float, is_counting: bool
    ) -> None:
        """Start from a frame that is on screen; ``rate`` is in frames for a second of play."""
        self._is_counting = is_counting
        self._first = loop[0] if loop else 0
        self._length = loop[1] - loop[0] if loop else None
        self._slack = max(1, int(_LATE_S * rate))
        self._is_beyond = False
        self._due = self._seen = frame - self._first

    def due(self, frame: int, laps: int, *, may_wait: bool = True) -> int:
        """Give the frame to show now that ``frame`` is due, in the given lap of the loop.

        Without ``may_wait`` it is the one that is due, whatever was not shown yet.
        """
        number = frame - self._first + laps * (self._length or 0)
        n_between = number - self._seen - 1
        self._is_beyond = n_between > 0 and (self._is_beyond or n_between > self._slack)
        is_next = self._is_beyond or n_between <= 0 or not may_wait
        if is_next or not self._is_counting:
            self._due = number
            return frame
        self._due = self._seen + 1
        return self._first + (self._due % self._length if self._length else self._due)

    def painted(self, frame: int) -> None:
        """Report that this frame was painted."""
        number = self._number(frame)
        if self._is_counting and self._seen < number <= self._due:
            self.n_dropped += number - self._seen - 1
            self._seen = number

    def missed(self, frame: int) -> None:
        """Report that this frame cannot be shown; it is skipped."""
        number = self._number(frame)
        if self._is_counting and self._seen < number <= self._due:
            self.n_dropped += number - self._seen
            self._seen = number

    def end(self) -> None:
        """Playback halts on the frame that is due: it will still be painted, those before not."""
        if self._is_counting:
            self.n_dropped += max(0, self._due - self._seen - 1)
        self._seen = self._due

    def _number(self, frame: int) -> int:
        """Count of a frame painted lately, through the laps."""
        number = frame - self._first
        if self._length:
            number += self._due // self._length * self._length
            if number > self._due:
                number -= self._length
        return number


__all__ = ["Player", "PlayerState", "SoundOutput"]

_STEP_WITHOUT_PICTURE_S = 0.04
_SNIPPET_S = 0.04
"""The least that is heard of a frame stepped to."""
_SCRUB_EVERY_S = 0.08
_PATIENCE_S = 2.0
"""So long the sound waits for the picture of a seek: a damaged frame must not hold it for ever."""
_LAST_FRAMES_S = 0.25
"""So long the view is given at the end to show frames that it has not shown yet."""
_EPSILON_S = 1e-6
"""Forgives the rounding of a time that was made from a frame."""


class Player:
    """The state machine of playback; free of Qt, used from the main thread only.

    `times` is the media time of each frame (ascending, empty for sound alone), `end_s` when the
    last frame ends, `first` the first frame that may be shown. The view calls `tick` before each
    paint and `shown` after it. After a seek the picture comes first; the sound starts when it is
    ready and the picture was reported.
    """

    def __init__(
        self,
        times: NDArray[np.float64],
        end_s: float,
        audio: Audio | None = None,
        *,
        output_factory: Callable[[Audio], SoundOutput] | None = None,
        now: Now = time.perf_counter,
        first: int = 0,
    ) -> None:
        self.listeners: Listeners[PlayerState] = Listeners()
        self._times = times
        self._end_s = end_s
        self._first = first
        self._start_s = float(times[first]) if len(times) else 0.0
        self._audio = audio
        self._make_output = output_factory or _loudspeaker
        self._now = now
        self._output: SoundOutput | None = None
        self._volume = 1.0
        self._has_step_sound = True
        self._scrubbed_at = now() - _SCRUB_EVERY_S
        self._frame = first
        self._time_s = self._start_s
        self._is_exact = True
        self._is_playing = False
        self._set_speed = 1.0
        self._speed = 1.0
        self._loop: tuple[int, int] | None = None
        self._loop_s: tuple[float, float] | None = None
        self._notice: str | None = None
        self._course = Course(self._start_s)
        self._clock: WallClock | SoundOutput = WallClock(now)
        self._has_seek = False
        self._waits_since: float | None = None
        self._painted: int | None = None
        self._has_stand_in = False
        """Whether any picture was painted since the last seek: enough while scrubbing."""
        self._cadence = Cadence()
        self._over_since: float | None = None
        self._state = self._snapshot()
        if len(times) == 0:
            self._wake_output()

    @property
    def state(self) -> PlayerState:
        """Last state that listeners were notified of."""
        return self._state

    def play(self) -> None:
        """Play at the set speed; at the end start again from the other end."""
        self._start(self._set_speed)

    def pause(self) -> None:
        """Stop on the frame that is due."""
        if self._is_playing:
            self._halt()
        self._tell()

    def toggle(self) -> None:
        """Play or pause."""
        if self._is_playing:
            self.pause()
        else:
            self.play()

    def seek(self, frame: int, *, exact: bool = True) -> None:
        """Go to a frame, playing on if playing; `exact=False` while scrubbing.

        Seeks between two ticks become one: only the last is carried out.
        """
        self._frame = max(self._first, min(frame, len(self._times) - 1))
        self._seek_to(self._time_of(self._frame), exact)

    def seek_time(self, time_s: float, *, exact: bool = True) -> None:
        """Go to the frame shown at a media time; without picture to the time itself."""
        if len(self._times):
            self.seek(self._frame_at(time_s), exact=exact)
        else:
            self._seek_to(max(self._start_s, min(time_s, self._end_s)), exact)

    def scrub(self, time_s: float) -> None:
        """Go to a media time while the pointer moves: the nearest picture will do.

        The sound right under the pointer is heard, also within a frame; windows never pile up.
        """
        heard_s = max(self._start_s, min(time_s, self._end_s))
        if len(self._times):
            self._frame = self._frame_at(time_s)
            time_s = self._time_of(self._frame)
        self._seek_to(time_s if len(self._times) else heard_s, False, heard_s)

    def step(self, count: int) -> None:
        """Pause and step by `count` frames, with the sound of the frame if requested."""
        if self._is_playing:
            self._halt()
        if len(self._times):
            self.seek(self._frame + count)
        else:
            self.seek_time(self._time_s + count * _STEP_WITHOUT_PICTURE_S)
        self._play_snippet()

    def set_speed(self, speed: float) -> None:
        """Media seconds per second, 0.1 to 4, negative for backwards (silent); 0 pauses."""
        if speed == 0:
            self.pause()
            return
        amount = max(MIN_SPEED, min(abs(speed), MAX_SPEED))
        self._set_speed = amount if speed > 0 else -amount
        self._change_speed(self._set_speed)

    def shuttle(self, direction: int, *, is_slow: bool = False) -> None:
        """J (-1), K (0) and L (1): again for faster (1, 2, 4), slow again for slower; K pauses.

        K while paused sets the speed back to 1.
        """
        if direction == 0:
            if not self._is_playing:
                self._set_speed = self._speed = 1.0
            self.pause()
            return
        sign = 1.0 if direction > 0 else -1.0
        goes_on = self._is_playing and self._speed * sign > 0
        self._start(sign * next_shuttle(abs(self._speed) if goes_on else None, is_slow))

    def loop(self, span: tuple[int, int] | None) -> None:
        """Repeat the frames [first, last) without a seam; None ends it.

        Of a sound without picture the milliseconds count as frames.
        """
        if span is None:
            self._set_loop(None, None)
            return
        if not len(self._times):
            start_s, stop_s = (max(self._start_s, min(ms / 1000, self._end_s)) for ms in span)
            self._set_loop(span, (start_s, stop_s))
            return
        first = max(self._first, min(span[0], len(self._times) - 1))
        last = max(first + 1, min(span[1], len(self._times)))
        end_s = self._time_of(last) if last < len(self._times) else self._end_s
        self._set_loop((first, last), (self._time_of(first), end_s))

    def set_volume(self, volume: float) -> None:
        """Loudness 0 to 1."""
        self._volume = max(0.0, min(volume, 1.0))
        if self._output is not None:
            self._output.set_volume(self._volume)

    def use_audio(self, audio: Audio | None) -> None:
        """Switch to another audio stream, or none; playback continues."""
        if self._output is not None:
            self._output.close()
            self._output = None
        self._audio = audio
        (self._ready_output if self._painted is None else self._wake_output)()
        if self._is_playing:
            self._begin(self._time_s)
        self._tell()

    def set_step_sound(self, is_on: bool) -> None:
        """Whether stepping and scrubbing are heard."""
        self._has_step_sound = is_on

    def tick(self, ahead_s: float = 0.0) -> PlayerState:
        """Find the frame due in `ahead_s`; called before each paint, never blocks.

        `ahead_s` is how long a picture asked for now takes to the screen, and half a tick more so
        that frames come as often early as late.
        """
        if self._output is not None and self._output.trouble is not None:
            self._fall_silent(self._output.trouble)
        if self._is_playing:
            if self._has_seek:
                self._begin(self._time_s)
            if self._waits_since is not None:
                self._end_wait()
            else:
                self._advance(ahead_s)
        return self._tell()

    def shown(self, frame: int, asked: int | None = None) -> None:
        """Report the painted frame; while scrubbing it can differ from the request.

        `asked` is the frame that it stands in for where that one cannot be decoded.
        """
        if self._painted is None:
            # Not before: finding the devices takes longer than the first picture does.
            self._wake_output()
        self._painted = frame
        self._has_stand_in = True
        if self._is_playing and self._waits_since is None:
            self._cadence.painted(frame)
            if asked is not None and asked != frame:
                self._cadence.missed(asked)

    def close(self) -> None:
        """Let the device and the file go."""
        self._is_playing = False
        if self._output is not None:
            self._output.close()
            self._output = None

    def _start(self, speed: float) -> None:
        """Play at `speed` from here, or change the speed."""
        if self._is_playing:
            self._change_speed(speed)
            return
        self._speed = speed
        self._is_playing = True
        self._ready_output()
        at_s = self._time_s
        if self._loop_s is None:
            is_last = self._frame >= len(self._times) - 1 and len(self._times) > 0
            if speed > 0 and (is_last or at_s >= self._end_s - _EPSILON_S):
                at_s = self._start_s
            elif speed < 0 and at_s <= self._start_s + _EPSILON_S:
                at_s = self._end_s
        self._begin(at_s)
        self._tell()

    def _begin(self, at_s: float) -> None:
        """Lay a new course from `at_s`; it starts when picture and sound are ready."""
        self._has_seek = False
        self._over_since = None
        if self._loop_s is not None and not self._loop_s[0] <= at_s < self._loop_s[1]:
            at_s = self._loop_s[0]
        self._course = Course(at_s, self._speed, self._loop_s)
        self._place(at_s)
        if self._output is not None:
            if self._speed > 0:
                self._output.prepare(self._course, self._end_s)
            else:
                self._output.stop()
        self._begin_cadence()
        self._waits_since = self._now()
        self._end_wait()

    def _end_wait(self) -> None:
        """Start the clock if the picture is there, or has taken too long."""
        assert self._waits_since is not None
        if self._needs_picture() and self._now() - self._waits_since < _PATIENCE_S:
            return
        self._waits_since = None
        self._is_exact = True
        if self._output is not None and self._speed > 0:
            self._output.go()
            self._clock = self._output
        else:
            self._clock = WallClock(self._now)

    def _needs_picture(self) -> bool:
        if len(self._times) == 0 or self._painted == self._frame:
            return False
        return self._is_exact or not self._has_stand_in

    def _begin_cadence(self) -> None:
        is_counting = 0 < self._speed <= 1 and len(self._times) > 0
        length_s = max(self._end_s - self._start_s, _EPSILON_S)
        rate = (len(self._times) - self._first) / length_s * abs(self._speed)
        loop = self._loop if len(self._times) else None
        self._cadence.begin(self._frame, loop, rate=rate, is_counting=is_counting)

    def _advance(self, ahead_s: float) -> None:
        """Move to where the clock stands, or will when the picture is on screen."""
        elapsed_s = self._clock.elapsed()
        if elapsed_s > 0:
            elapsed_s += ahead_s
            if self._clock is self._output:
                self._notice = None
        at_s, laps = self._course.at(elapsed_s)
        self._place(at_s)
        due = self._frame
        self._frame = self._cadence.due(due, laps)
        is_past = at_s >= self._end_s - _EPSILON_S if self._speed > 0 else at_s < self._start_s
        if is_past and self._loop_s is None and (self._frame == due or self._is_over(due)):
            self._halt()

    def _is_over(self, due: int) -> bool:
        """Whether the view has had its time to show the last frames one after the other."""
        if self._over_since is None:
            self._over_since = self._now()
        if self._now() - self._over_since < _LAST_FRAMES_S:
            return False
        self._frame = self._cadence.due(due, 0, may_wait=False)
        return True

    def _place(self, at_s: float) -> None:
        self._time_s = max(self._start_s, min(at_s, self._end_s))
        if len(self._times):
            last = self._loop[1] - 1 if self._loop else len(self._times) - 1
            self._frame = min(self._frame_at(self._time_s), last)

    def _halt(self) -> None:
        """Stop where playback stands, on a whole frame, at the set speed."""
        self._is_playing = False
        self._has_seek = False
        self._waits_since = None
        self._cadence.end()
        self._speed = self._set_speed
        if len(self._times):
            self._time_s = self._time_of(self._frame)
        if self._output is not None:
            self._output.stop()

    def _change_speed(self, speed: float) -> None:
        if self._is_playing and speed != self._speed:
            self._speed = speed
            self._cadence.end()
            self._begin(self._time_s)
        self._speed = speed
        self._tell()

    def _set_loop(self, span: tuple[int, int] | None, loop_s: tuple[float, float] | None) -> None:
        if loop_s is not None and loop_s[1] - loop_s[0] <= 0:
            span = loop_s = None
        self._loop = span
        self._loop_s = loop_s
        if self._is_playing:
            self._cadence.end()
            self._begin(self._time_s)
        self._tell()

    def _seek_to(self, time_s: float, exact: bool, heard_s: float | None = None) -> None:
        self._time_s = time_s
        self._is_exact = exact
        self._has_stand_in = False
        if self._is_playing:
            if not self._has_seek:
                self._cadence.end()
            self._has_seek = True
            if self._output is not None:
                self._output.stop()
        elif not exact and self._now() - self._scrubbed_at >= _SCRUB_EVERY_S:
            self._scrubbed_at = self._now()
            self._play_snippet(heard_s)
        self._tell()

    def _play_snippet(self, heard_s: float | None = None) -> None:
        """Play the sound of the frame, or a little from `heard_s` on."""
        self._ready_output()
        if not self._has_step_sound or self._output is None or self._volume == 0:
            return
        if heard_s is not None:
            self._output.snippet(heard_s, min(heard_s + _SCRUB_EVERY_S, self._end_s))
            return
        end_s = self._end_s
        if self._frame + 1 < len(self._times):
            end_s = self._time_of(self._frame + 1)
        elif len(self._times) == 0:
            end_s = self._time_s + _SNIPPET_S
        self._output.snippet(self._time_s, max(end_s, self._time_s + _SNIPPET_S))

    def _ready_output(self) -> None:
        """Create the audio output, also after a loss; it does its work on its own thread."""
        if self._output is None and self._audio is not None:
            self._output = self._make_output(self._audio)
            self._output.set_volume(self._volume)

    def _wake_output(self) -> None:
        self._ready_output()
        if self._output is not None:
            self._output.wake()

    def _fall_silent(self, trouble: AudioUnavailable) -> None:
        """Continue by the wall clock after the sound output was lost."""
        self._notice = f"{trouble.reason} {trouble.hint}" if trouble.hint else trouble.reason
        if self._clock is self._output:
            self._course = Course(self._time_s, self._speed, self._loop_s)
            self._clock = WallClock(self._now)
            self._begin_cadence()
        self._output = None

    def _time_of(self, frame: int) -> float:
        return float(self._times[frame]) if len(self._times) else self._start_s

    def _frame_at(self, time_s: float) -> int:
        after = int(self._times.searchsorted(time_s + _EPSILON_S, side="right"))
        return max(self._first, after - 1)

    def _snapshot(self) -> PlayerState:
        is_muted = self._is_playing and self._speed < 0
        return PlayerState(
            frame=self._frame,
            time_s=self._time_s,
            is_playing=self._is_playing,
            speed=self._speed,
            loop=self._loop,
            loop_s=self._loop_s,
            dropped=self._cadence.n_dropped,
            is_silent=self._audio is None or self._notice is not None or is_muted,
            is_exact=self._is_exact,
            notice=self._notice,
        )

    def _tell(self) -> PlayerState:
        state = self._snapshot()
        if state != self._state:
            self._state = state
            self.listeners.notify(state)
        return state


def _loudspeaker(audio: Audio) -> SoundOutput:
    # The picture is not to wait for what only sound needs.
    from annotator.media.audio.output import AudioOutput

    return AudioOutput(audio)
