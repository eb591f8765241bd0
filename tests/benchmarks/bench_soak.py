"""Memory of the real window while it plays: within the cache's budget and 300 MB.

An hour of play is shortened: the window plays 720p with sound in a loop at four times the speed,
ANNOTATOR_SOAK_S seconds long (150 unless said, which is ten minutes of video; 900 is the hour).
What the second half grows by is carried on to the full hour and counted in.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.benchmarks.media_clips import RATE, phone_like
from tests.benchmarks.played_window import play, project_with_tracks, surroundings
from tests.media.encoding import add_sound

N_FRAMES, SPEED = 900, 4.0
HOUR_S = 3600 / SPEED
BEYOND_MB = 300.0


def main() -> int:
    """Play and say how much memory it took; status 1 when that is too much."""
    seconds = float(os.environ.get("ANNOTATOR_SOAK_S", "150"))
    with tempfile.TemporaryDirectory() as name, surroundings() as environment:
        folder = Path(name)
        silent = phone_like(folder / "silent.mp4", N_FRAMES)
        video = folder / "clip.mp4"
        add_sound(silent, video, seconds=N_FRAMES / RATE)
        project = project_with_tracks(folder, video, (1280, 720))
        report = play(project, environment, seconds=seconds, speed=SPEED, is_looping=True)
    used = np.array([line["rss_mb"] for line in report["lines"]])
    half = len(used) // 2
    per_s = float(np.polyfit(np.arange(len(used) - half), used[half:], 1)[0])
    peak = float(used.max())
    after_hour = peak + max(0.0, per_s) * max(0.0, HOUR_S - seconds)
    limit = report["budget_mb"] + BEYOND_MB
    is_met = bool(report["is_playing"]) and after_hour <= limit
    sys.stdout.write(
        f"{seconds * SPEED / 60:.0f} minutes of video at {SPEED:g} times the speed: peak"
        f" {peak:.0f} MB, grows {per_s * 60:.1f} MB a minute, so {after_hour:.0f} MB after an hour;"
        f" budget {report['budget_mb']} + {BEYOND_MB:.0f} MB {'met' if is_met else 'MISSED'}\n"
    )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
