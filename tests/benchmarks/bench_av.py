"""How well picture and sound keep together while playing: flashes shown against beeps recorded.

The real player with real sound into a PulseAudio of our own whose output is recorded, and the real
decode thread; a frame counts as shown when its picture has been taken for painting. Run with
``python -m tests.benchmarks.bench_av`` (a minute, drift extrapolated from its slope) or with
``--full`` (ten minutes). Exit status 1 when a target is missed.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
import time
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from annotator.media import FrameServer, PictureRequest
from annotator.media.audio.reader import Audio
from annotator.media.index.indexing import build_table
from annotator.services.playback.player import Player
from tests.media.loopback import running

RATE = 48000
FPS = Fraction(30000, 1001)
SIZE = 640, 360
FLASH_EVERY = 12  # frames
TICK_S = 0.008  # as the window does
AHEAD_S = 0.008
"""Half a tick, and what a picture at hand takes from being asked for to being painted."""
_PAIR_MS = 90.0
"""Flashes farther from a beep are those of other beeps: its own was dropped."""
_LEARNING_S = 1.5
_MEDIAN_MS, _MOST_MS, _DRIFT_MS, _SETTLED_S = 15.0, 25.0, 10.0, 0.2


def flash_and_beep(path: Path, seconds: int) -> Path:
    """A white frame and a 20 ms beep that starts with it, twelve frames apart, to the sample."""
    frames = round(seconds * FPS)
    sound = np.zeros(seconds * RATE, np.float32)
    burst = (0.8 * np.sin(2 * np.pi * 1000 * np.arange(960) / RATE)).astype(np.float32)
    for frame in range(FLASH_EVERY, frames - 3, FLASH_EVERY):
        first = round(frame / FPS * RATE)
        sound[first : first + 960] = burst
    with av.open(str(path), "w") as out:
        picture = out.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "g": "60"})
        picture.width, picture.height = SIZE
        picture.pix_fmt = "yuv420p"
        tone = out.add_stream("aac", rate=RATE, layout="mono")
        at = 0
        for number in range(frames):
            is_flash = number % FLASH_EVERY == 0 and number > 0
            image = np.full((SIZE[1], SIZE[0], 3), 255 if is_flash else 20, np.uint8)
            image[:, number % SIZE[0]] = 128
            frame = av.VideoFrame.from_ndarray(image, "rgb24")
            frame.pts, frame.time_base = number, 1 / FPS
            out.mux(picture.encode(frame))
            while at < min((number + 1) / FPS * RATE, len(sound) - 1024):
                block = av.AudioFrame.from_ndarray(sound[None, at : at + 1024], "fltp", "mono")
                block.sample_rate, block.time_base, block.pts = RATE, Fraction(1, RATE), at
                out.mux(tone.encode(block))
                at += 1024
        out.mux(picture.encode(None))
        out.mux(tone.encode(None))
    return path


class Screen:
    """Ticks the player as the window does and notes when which frame is painted."""

    def __init__(self, player: Player, server: FrameServer, ready: threading.Event) -> None:
        self.player, self.server = player, server
        self.painted: list[tuple[float, int]] = []
        self.commands: list[float] = []
        self._ready = ready
        self._asked: int | None = None

    def command(self, act) -> None:
        """Give the player an order and note when."""
        self.commands.append(time.perf_counter())
        act()

    def run(self, seconds: float) -> None:
        """Let it play."""
        stop_at = time.perf_counter() + seconds
        tick_at = time.perf_counter()
        while tick_at < stop_at:
            state = self.player.tick(AHEAD_S)
            if state.frame != self._asked:
                self._asked = state.frame
                self.server.request(PictureRequest(state.frame, *SIZE, 1, state.is_playing))
            tick_at = max(tick_at + TICK_S, time.perf_counter())
            while (left := tick_at - time.perf_counter()) > 0:
                if self._ready.wait(left):
                    self._paint()

    def _paint(self) -> None:
        self._ready.clear()
        picture = self.server.take()
        if picture is not None:
            self.painted.append((time.perf_counter(), picture.index))
            self.player.shown(picture.index, picture.requested)


def play(path: Path, steady_s: float) -> dict[str, np.ndarray]:
    """Offsets in ms (flash minus beep) and their moments, in steady play and after orders."""
    table = build_table(path)
    ready = threading.Event()
    server = FrameServer(path, table, on_ready=ready.set)
    audio = Audio(path, origin_s=float(int(table.pts[0]) * table.time_base))
    player = Player(table.times, table.duration_s, audio)
    screen = Screen(player, server, ready)
    with running() as loopback:
        screen.run(0.5)
        recording = loopback.record()
        screen.command(player.play)
        begin = time.perf_counter()
        screen.run(steady_s)
        end = time.perf_counter()
        for order in (
            lambda: player.seek(5 * FLASH_EVERY - 4),
            lambda: player.seek(40 * FLASH_EVERY - 4),
            player.pause,
            player.play,
            lambda: player.set_speed(0.5),
            lambda: player.set_speed(2.0),
            lambda: player.set_speed(1.0),
            lambda: player.seek(20 * FLASH_EVERY + 3),
        ):
            screen.command(order)
            screen.run(2.0)
        player.pause()
        screen.run(0.3)
        samples = recording.finish()
        loud = np.flatnonzero(np.abs(samples) > 0.3)
        heard = recording.moments(loud[np.diff(loud, prepend=-RATE) > RATE // 20])
        player.close()
    server.close()
    audio.close()
    flashes = np.array([at for at, f in screen.painted if f % FLASH_EVERY == 0 and f > 0])
    nearest = flashes[np.abs(heard[:, None] - flashes[None, :]).argmin(axis=1)]
    offsets = (nearest - heard) * 1000
    since = np.array([min(b - c for c in screen.commands if c <= b) for b in heard])
    steady = (heard > begin + _LEARNING_S) & (heard < end)
    paired = np.abs(offsets) < _PAIR_MS
    steady &= paired
    after = (heard > end) & (since > _SETTLED_S)
    lone = int((after & ~paired).sum())
    after &= paired
    return {
        "at_s": heard[steady] - begin,
        "steady": offsets[steady],
        "after": offsets[after],
        "lone": np.array([lone]),
        "dropped": np.array([player.state.dropped]),
    }


def drift_ms(at_s: np.ndarray, offsets: np.ndarray, span_s: float) -> tuple[float, float]:
    """How far the offset moves in ``span_s`` by its slope, and the uncertainty of that."""
    spread = at_s - at_s.mean()
    inner = np.abs(offsets - np.median(offsets)) < 30
    spread, offsets = spread[inner], offsets[inner]
    slope = (spread @ (offsets - offsets.mean())) / (spread @ spread)
    rest = offsets - offsets.mean() - slope * spread
    error = np.sqrt((rest @ rest) / max(1, len(rest) - 2) / (spread @ spread))
    return float(slope * span_s), float(2 * error * span_s)


def main() -> int:
    """Measure and say what was found."""
    seconds = 600 if "--full" in sys.argv else 60
    folder = Path(tempfile.mkdtemp(prefix="av"))
    try:
        found = play(flash_and_beep(folder / "flash.mp4", seconds + 5), seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    steady, after = found["steady"], found["after"]
    drift, doubt = drift_ms(found["at_s"], steady, 600.0)
    middle = float(np.median(steady))
    rows = (
        ("median offset", abs(middle), _MEDIAN_MS),
        ("95 % of offsets within", float(np.percentile(np.abs(steady), 95)), _MOST_MS),
        ("drift in 10 min beyond doubt", max(0.0, abs(drift) - doubt), _DRIFT_MS),
        (
            "after seek, pause, speed: 95 % within",
            float(np.percentile(np.abs(after), 95)),
            _MOST_MS,
        ),
    )
    sys.stdout.write(
        f"{len(steady)} pairs in {seconds} s: median {middle:+.1f} ms, drift {drift:+.1f} ms in"
        f" 10 min (doubt {doubt:.1f}), {found['dropped'][0]} frames dropped\n"
        f"{len(after)} pairs after orders: {np.round(np.sort(after), 1).tolist()};"
        f" {found['lone'][0]} beeps whose flash was dropped\n"
    )
    for what, value, limit in rows:
        verdict = "met" if value <= limit else "MISSED"
        sys.stdout.write(f"{what:<40}{value:>8.2f} ms  <= {limit:g}  {verdict}\n")
    return int(any(value > limit for _, value, limit in rows))


if __name__ == "__main__":
    sys.exit(main())
