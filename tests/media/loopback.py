"""A sound server of our own whose output can be recorded: real playback without a sound card."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

RATE = 48000
_RECORD = [
    "parec",
    "--device=vsink.monitor",
    "--format=float32le",
    f"--rate={RATE}",
    "--channels=1",
    "--latency-msec=5",
]


@pytest.fixture(scope="module")
def loopback():
    """A private PulseAudio with one silent sink; PortAudio in this process plays into it."""
    missing = [name for name in ("pulseaudio", "parec", "pactl") if shutil.which(name) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"the sound tests need {', '.join(missing)}")
    if missing:
        pytest.skip(f"NOT TESTED: real sound, for want of {', '.join(missing)}")
    with running() as server:
        yield server


@contextmanager
def running():
    """The server for as long as the block lasts."""
    folder = Path(tempfile.mkdtemp(prefix="snd"))
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_RUNTIME_DIR", str(folder))
    patch.setenv("PULSE_SERVER", f"unix:{folder}/native")
    server = Loopback(folder)
    server.start()
    _look_for_devices_again()
    try:
        yield server
    finally:
        server.close()
        patch.undo()
        _look_for_devices_again()
        shutil.rmtree(folder, ignore_errors=True)


class Loopback:
    """The server, and what was recorded from it."""

    def __init__(self, folder):
        self._folder = folder
        self._server = None
        self._listener = None
        self._recordings = []

    def start(self):
        """Start the server and wait until it answers."""
        socket = self._folder / "native"
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
        for module in (
            f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
            f"module-null-sink sink_name=vsink rate={RATE} channels=2",
        ):
            command += ["-L", module]
        self._server = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        give_up_at = time.monotonic() + 20
        answer = 1
        while answer and time.monotonic() < give_up_at:
            answer = subprocess.run(["pactl", "info"], capture_output=True, check=False).returncode
        assert answer == 0, "PulseAudio did not start"
        # While somebody listens closely the sink plays in small steps, as a sound card does;
        # otherwise it fetches two seconds at once.
        self._listener = subprocess.Popen(_RECORD, stdout=subprocess.DEVNULL)

    def stop(self):
        """End the server."""
        for process in (self._listener, self._server):
            process.kill()
            process.wait()

    def record(self):
        """Record what the sink plays from now on."""
        self._recordings.append(Recording())
        return self._recordings[-1]

    def close(self):
        """End the server and the recordings that a failed test left running."""
        for recording in self._recordings:
            recording.finish()
        self.stop()


class Recording:
    """Samples that the sink played, each with its moment by `time.perf_counter`."""

    def __init__(self):
        self._process = subprocess.Popen(_RECORD, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._parts = []
        self._arrivals = []
        self._is_running = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        assert self._is_running.wait(10), "the recorder gives no sound"

    def finish(self):
        """Stop recording and give the samples."""
        self._process.terminate()
        self._thread.join()
        self._process.wait()
        self._process.stdout.close()
        return self.so_far()

    def so_far(self):
        """The samples recorded up to now."""
        data = b"".join(self._parts)
        return np.frombuffer(data[: len(data) // 4 * 4], "f4")

    def moments(self, samples):
        """When these samples (their numbers) were played.

        A fragment can only arrive late, so the earliest of those around a sample tells best; a
        busy recorder loses samples now and then, so those far from it tell nothing.
        """
        ends = np.cumsum([len(part) / 4 for part in self._parts])
        starts = np.array(self._arrivals) - ends / RATE
        near = (np.abs(ends - sample) < RATE // 4 for sample in samples)
        return np.array([starts[n].min() + s / RATE for n, s in zip(near, samples, strict=True)])

    def _read(self):
        while data := os.read(self._process.stdout.fileno(), 1 << 16):
            self._arrivals.append(time.perf_counter())
            self._parts.append(data)
            self._is_running.set()


def _look_for_devices_again():
    """PortAudio lists devices once; make it look at the world as it is now."""
    if "sounddevice" in sys.modules:
        sounddevice = sys.modules["sounddevice"]
        sounddevice._terminate()
        sounddevice._initialize()
