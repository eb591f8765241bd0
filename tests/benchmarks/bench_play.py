"""Whether 1080p30 plays in the real window with overlays and sound and loses no frame.

The window runs in its own process on a screen of its own, sound goes through PortAudio into a
PulseAudio whose sink is silent. The target holds where one core can decode the video in time, so
the same video is decoded on one thread next to it and the load of the machine is told: with other
programs on all cores a loss says little. Every one of three runs counts.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import av

from tests.benchmarks.media_clips import RATE, long_groups
from tests.benchmarks.played_window import N_TRACKS, play, project_with_tracks, surroundings
from tests.media.encoding import add_sound

N_FRAMES, RUNS = 500, 3


def decoded_per_second(video: Path) -> float:
    """Decode everything on one thread; return frames per second."""
    begin = time.monotonic()
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        count = sum(1 for _ in container.decode(stream))
    return count / (time.monotonic() - begin)


def main() -> int:
    """Play, and say how many frames were lost; status 1 when any were."""
    with tempfile.TemporaryDirectory() as name, surroundings() as environment:
        folder = Path(name)
        silent = long_groups(folder / "silent.mp4", N_FRAMES)
        video = folder / "clip.mp4"
        add_sound(silent, video, seconds=N_FRAMES / RATE)
        project = project_with_tracks(folder, video, (1920, 1080))
        speed = decoded_per_second(video)
        reports = []
        for _ in range(RUNS):
            load = os.getloadavg()[0]
            report = play(project, environment, seconds=N_FRAMES / RATE + 2)
            last = report["lines"][-1]
            sys.stdout.write(
                f"1080p30, {N_TRACKS} tracks, sound{' (SILENT)' if last['silent'] else ''}:"
                f" {last['dropped']} of {N_FRAMES} frames dropped, {report['painted']} painted,"
                f" {report['cpu_s'] / report['took_s']:.0%} of a core,"
                f" load {load:.1f} on {os.cpu_count()} cores\n"
            )
            reports.append((last["dropped"], bool(last["silent"])))
        sys.stdout.write(f"one thread decodes {speed / RATE:.1f} times as fast as it plays\n")
    is_clean = all(dropped == 0 and not is_silent for dropped, is_silent in reports)
    if speed < RATE:
        sys.stdout.write("one core cannot decode this here: no target\n")
        return 0
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
