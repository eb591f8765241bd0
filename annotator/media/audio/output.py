"""Sound output through PortAudio, and the clock of the audible sound."""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.domain.errors import MediaError
from annotator.media.audio.clock import Course, Now
from annotator.media.audio.reader import Audio
from annotator.media.audio.run import SoundRun

_log = logging.getLogger(__name__)

_LATENCY_S = 0.12
"""Asked of the device: enough to outlast a busy interpreter, little enough to stop promptly."""
_SWITCH_S = 0.0005
"""While the device runs, Python's threads give way to each other after this long.

With the usual 5 ms two busy threads starve the callback and the decoder of sound (measured: gaps
within seconds; none at 0.5 ms, with four busy threads).
"""
_FEED_EVERY_S = 0.05
_IDLE_AFTER_S = 60.0
"""A device that plays nothing for so long is stopped, so that it can sleep."""
_LOST_AFTER_S = 1.0
_NEVER_STARTED_AFTER_S = 5.0
_CLOSING_S = 2.0
"""A device that hangs must not keep the window from closing for longer."""
_HOST_SAMPLES = 64

Fill = Callable[[NDArray[np.float32], float], None]
"""Puts sound into a block, given when (by our clock) the device will play it."""


@dataclass(frozen=True, slots=True)
class AudioUnavailable:
    """Reason why there is no sound, and the remedy; both for people."""

    reason: str
    hint: str | None = None


class AudioOutput:
    """Plays one `Audio` along a course; all waiting happens on a thread of its own.

    `prepare` and `snippet` replace whatever sounds, `go` lets the prepared run sound as soon as
    it is filled. No call blocks or raises; when there is no library, no device or the device goes
    away, `trouble` says so and this output stays silent: make another one to try again.
    """

    def __init__(self, audio: Audio, *, now: Now = time.perf_counter) -> None:
        self._source = audio
        self._now = now
        self._volume = 1.0
        self._run: SoundRun | None = None
        self._heard: SoundRun | None = None
        """The run of the callback's last block: what must fade out when it is replaced."""
        self.trouble: AudioUnavailable | None = None
        self._device = _Device(self._fill, now)
        self._wake = threading.Condition()
        self._is_closing = False
        self._has_order = False
        self._thread = threading.Thread(target=self._work, name="sound", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Open the device before it is needed: some take a second or two."""
        self.snippet(0.0, 0.0)

    def prepare(self, course: Course, end_s: float) -> None:
        """Fall silent and fill the buffer for `course`; sound after media time `end_s` is zeros."""
        self._order(SoundRun(course, end_s, self._now))

    def go(self) -> None:
        """Start the prepared sound, now or when the buffer is full."""
        if self._run is not None:
            self._run.may_sound = True

    def elapsed(self) -> float:
        """Seconds of the prepared run that were heard; 0 before its first sample sounds."""
        return 0.0 if self._run is None else self._run.elapsed()

    def stop(self) -> None:
        """Stop the sound; the device plays its latency to the end."""
        self._run = None

    def snippet(self, start_s: float, end_s: float) -> None:
        """Play [start_s, end_s) once, by itself; a newer snippet replaces an older one."""
        run = SoundRun(Course(start_s), end_s, self._now, is_snippet=True)
        run.may_sound = True
        self._order(run)

    def set_volume(self, volume: float) -> None:
        """Loudness 0 to 1."""
        self._volume = volume

    def close(self) -> None:
        """Fall silent and let the device and the file go; waits a little for that."""
        self._run = None
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        self._thread.join(_CLOSING_S)

    def _order(self, run: SoundRun) -> None:
        self._run = run
        with self._wake:
            self._has_order = True
            self._wake.notify()

    def _work(self) -> None:
        audio: Audio | None = None
        busy_at = self._now()
        try:
            while self._wait():
                run = self._run
                if run is None:
                    if self._now() - busy_at > _IDLE_AFTER_S:
                        self._device.pause()
                    continue
                busy_at = self._now()
                if audio is None:
                    audio = self._source.reopen()
                self.trouble = self._ready_device(audio.rate)
                if self.trouble is not None:
                    break
                run.feed(audio, self._device.rate, self._device.outputs, self._is_current)
                if run.is_played_out and self._run is run:
                    self._run = None
        except MediaError as error:
            self.trouble = AudioUnavailable(str(error))
        finally:
            if self.trouble is None and not self._is_closing:
                self.trouble = AudioUnavailable(
                    "Audio output stopped because of an internal error."
                )
            self._run = None
            self._device.close()
            if audio is not None:
                audio.close()

    def _wait(self) -> bool:
        """Sleep until there is something to do; False when it is time to end."""
        with self._wake:
            if not self._has_order and not self._is_closing:
                self._wake.wait(None if self._is_asleep() else _FEED_EVERY_S)
            self._has_order = False
            return not self._is_closing

    def _is_asleep(self) -> bool:
        return self._run is None and not self._device.is_running

    def _is_current(self, run: SoundRun) -> bool:
        return self._run is run and not self._is_closing

    def _ready_device(self, rate: int) -> AudioUnavailable | None:
        """Open or wake the device where needed and see that it is alive."""
        trouble = self._device.start(rate)
        if trouble is None and self._device.is_lost():
            trouble = AudioUnavailable(
                "The audio device does not respond; playback continues without audio.",
                "Check the loudspeakers or headphones, and then start playback again.",
            )
        if trouble is not None:
            _log.info("no sound: %s", trouble.reason)
        return trouble

    def _fill(self, out: NDArray[np.float32], sounds_at: float) -> None:
        """One block for the device. Called by PortAudio: no locks, no logging, no waiting."""
        run, before = self._run, self._heard
        if run is not None and run.is_sounding:
            run.take(out, sounds_at)
        else:
            out.fill(0)
            run = None
        if before is not None and before is not run:
            before.fade_out(out)
        self._heard = run
        out *= self._volume


class _Device:
    """A PortAudio stream that stays open between runs, with its clock tied to ours."""

    def __init__(self, fill: Fill, now: Now) -> None:
        self.rate = 0
        self.outputs = 0
        self.is_running = False
        self._fill = fill
        self._now = now
        self._stream: Any = None
        self._offsets = np.full(_HOST_SAMPLES, math.inf)
        self._calls = 0
        self._handed = 0
        self._last_call = 0.0
        self._is_settled = False
        self._usual_switch_s = sys.getswitchinterval()

    def start(self, rate: int) -> AudioUnavailable | None:
        """Open or restart the stream; gives the reason when that cannot be done."""
        if self.is_running:
            return None
        try:
            import sounddevice
        except (OSError, ImportError):
            return AudioUnavailable(
                "No audio output: the PortAudio library is missing.",
                "Run `annotator doctor` to see the installation command.",
            )
        try:
            if self._stream is None:
                self._open(sounddevice, rate)
            self._offsets.fill(math.inf)
            self._calls = self._handed = 0
            self._is_settled = False
            self._last_call = self._now()
            self._stream.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            _log.info("PortAudio: %s", error)
            return AudioUnavailable(
                "No audio output: no audio device was found.",
                "Connect loudspeakers or headphones, and then start playback again.",
            )
        self.is_running = True
        self._usual_switch_s = sys.getswitchinterval()
        sys.setswitchinterval(min(_SWITCH_S, self._usual_switch_s))
        return None

    def is_lost(self) -> bool:
        """Whether the device has stopped asking for sound."""
        patience_s = _LOST_AFTER_S if self._is_settled else _NEVER_STARTED_AFTER_S
        return not self._stream.active or self._now() - self._last_call > patience_s

    def pause(self) -> None:
        """Stop the stream; `start` wakes it again."""
        if self.is_running:
            self.is_running = False
            sys.setswitchinterval(self._usual_switch_s)
            self._stream.abort(ignore_errors=True)

    def close(self) -> None:
        """Give the device back."""
        self.pause()
        if self._stream is not None:
            self._stream.close(ignore_errors=True)
            self._stream = None

    def _open(self, sounddevice: ModuleType, rate: int) -> None:
        device = sounddevice.query_devices(kind="output")
        self.outputs = min(2, device["max_output_channels"])
        try:
            sounddevice.check_output_settings(channels=self.outputs, samplerate=rate)
            self.rate = rate
        except sounddevice.PortAudioError:
            self.rate = int(device["default_samplerate"])
        self._stream = sounddevice.OutputStream(
            samplerate=self.rate,
            channels=self.outputs,
            dtype="float32",
            latency=_LATENCY_S,
            callback=self._on_block,
        )

    def _on_block(
        self,
        out: NDArray[np.float32],
        frames: int,
        host: Any,  # noqa: ANN401 - a C structure of PortAudio
        _status: object,
    ) -> None:
        """Called by PortAudio for each block: no locks, no logging, no waiting."""
        self._offsets[self._calls % _HOST_SAMPLES] = self._now() - host.currentTime
        self._calls += 1
        # The callback may have waited for the interpreter: the least offset is the true one.
        called_at = host.currentTime + self._offsets.min()
        self._last_call = called_at
        if self._is_settled:
            wait_s = host.outputBufferDacTime - host.currentTime
            self._fill(out, called_at + (wait_s if wait_s > 0 else self._stream.latency))
        else:
            # A device just started asks for its whole buffer at once and may then wait before it
            # plays: the DAC times of those blocks are guesses.
            out.fill(0)
            self._handed += frames
            self._is_settled = self._handed > self._stream.latency * self.rate + 3 * frames
