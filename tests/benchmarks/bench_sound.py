"""How soon the sound of one hour can be seen, against the time FFmpeg needs to decode it.

Both take turns; the median of the ratios of neighbors counts. FFmpeg decodes in one thread, the
program measures in two (so an idle machine needs two processors) while its window would be idle.
Run with ``python -m tests.benchmarks.bench_sound``; exit status 1 when a target is missed.
"""

from __future__ import annotations

import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

RATE = 48000
HOUR_S = 3600
PAIRS = 5
_COLUMNS = 1200
_MAX_RATIO = 1.2
_MAX_FIRST_S = 1.0
_MAX_MB = 200.0


def one_hour(path: Path) -> Path:
    """48 kHz stereo AAC: a minute of tones under noise, its packets repeated sixty times."""
    minute = path.with_name("minute.m4a")
    noise = np.random.default_rng(3).standard_normal((2, 60 * RATE)).astype(np.float32)
    t = np.arange(60 * RATE) / RATE
    samples = (0.05 * noise + 0.3 * np.sin(2 * np.pi * (100 + 80 * t) * t)).astype(np.float32)
    with av.open(str(minute), "w") as out:
        stream = out.add_stream("aac", rate=RATE, layout="stereo")
        for at in range(0, samples.shape[1] - 1023, 1024):
            block = np.ascontiguousarray(samples[:, at : at + 1024])
            frame = av.AudioFrame.from_ndarray(block, "fltp", "stereo")
            frame.sample_rate, frame.time_base, frame.pts = RATE, Fraction(1, RATE), at
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with av.open(str(minute)) as source, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(source.streams.audio[0])
        at = 0
        while at < HOUR_S * RATE:
            source.seek(0)
            for packet in source.demux(audio=0):
                if packet.size:
                    packet.pts = packet.dts = at
                    packet.stream = stream
                    out.mux(packet)
                    at += 1024
    return path


def decode_s(path: Path) -> float:
    """Seconds FFmpeg needs for the sound alone."""
    begin = time.perf_counter()
    command = ["ffmpeg", "-v", "error", "-threads", "1", "-i", str(path), "-f", "null", "-"]
    subprocess.run(command, check=True)
    return time.perf_counter() - begin


def measure(path: str) -> None:
    """In a process of its own: print seconds to the first screen, to the end, and megabytes."""
    import psutil

    from annotator.services.sound.soundscape import Soundscape, SpectrogramStyle

    me = psutil.Process()
    idle = most = me.memory_info().rss
    calls: queue.Queue = queue.Queue()
    begin = time.perf_counter()
    sound = Soundscape(path, post=calls.put)
    first_s = None
    while True:
        calls.get()()
        state = sound.state
        if not state.is_open:
            continue
        peaks = sound.peaks(state.start_s, state.end_s, _COLUMNS)
        length_s = state.end_s - state.start_s
        keys = sound.tile_keys(
            state.start_s, state.end_s, length_s / _COLUMNS, SpectrogramStyle(height=160)
        )
        tiles = [sound.tile(key) for key in keys]
        most = max(most, me.memory_info().rss)
        is_there = np.isfinite(peaks.low).all() and all(tiles)
        if is_there and first_s is None:
            first_s = time.perf_counter() - begin
        if peaks.is_final and all(tile is not None and tile.is_final for tile in tiles):
            break
    end_s = time.perf_counter() - begin
    sound.close()
    sys.stdout.write(f"{first_s} {end_s} {(most - idle) / 2**20}\n")


def measured(path: Path) -> tuple[float, float, float]:
    """What ``measure`` finds in a fresh process."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_sound", str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    first_s, end_s, megabytes = map(float, done.stdout.split())
    return first_s, end_s, megabytes


def main() -> int:
    """Measure and say what was found."""
    folder = Path(tempfile.mkdtemp(prefix="sound"))
    try:
        path = one_hour(folder / "hour.m4a")
        pairs = [(decode_s(path), *measured(path)) for _ in range(PAIRS)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    ratio = statistics.median(end / decode for decode, _, end, _ in pairs)
    first_s = statistics.median(first for _, first, _, _ in pairs)
    megabytes = max(most for _, _, _, most in pairs)
    for decode, first, end, most in pairs:
        sys.stdout.write(
            f"ffmpeg {decode:.2f} s   first screen {first:.2f} s   all {end:.2f} s"
            f"   {end / decode:.2f} x   +{most:.0f} MB\n"
        )
    rows = (
        ("all of one hour / ffmpeg -threads 1", ratio, _MAX_RATIO, "x"),
        ("first screen of one hour", first_s, _MAX_FIRST_S, "s"),
        ("memory over idle", megabytes, _MAX_MB, "MB"),
    )
    for what, value, limit, unit in rows:
        verdict = "met" if value <= limit else "MISSED"
        sys.stdout.write(f"{what:<40}{value:>8.2f} {unit:<3} <= {limit:g}  {verdict}\n")
    return int(any(value > limit for _, value, limit, _ in rows))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        sys.exit(main())
