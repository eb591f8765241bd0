"""Kills a scripted rater 200 times; exit status 1 when a project does not open or loses work.

Run as ``python -m tests.benchmarks.bench_kill [KILLS]``.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.e2e.killing import kill_one, new_project

KILLS = 200


def main(kills: int) -> int:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    lost = acknowledged = untold = 0
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # its backups belong to nobody
        path = new_project(Path(folder))
        for i in range(kills):
            try:
                remains = kill_one(path, chance)
            except AssertionError as error:
                lost += 1
                sys.stdout.write(f"kill {i}: {error}\n")
                continue
            acknowledged += remains.acknowledged
            untold += remains.after - remains.before - remains.acknowledged
    seconds = time.perf_counter() - begin
    sys.stdout.write(
        f"kills {kills}  seed {seed}  lost {lost}  gestures acknowledged {acknowledged}"
        f"  committed but not told {untold}  {seconds:.0f} s\n"
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else KILLS))
