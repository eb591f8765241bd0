"""Kills commands that write 500 times; exit status 1 when something is lost or half there.

Run as ``python -m tests.benchmarks.bench_kill_commands [KILLS]``.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.e2e.killing_commands import SCENARIOS, kill_once, make_seed

KILLS = 500


def main(kills: int) -> int:
    """Kill and look; print what was found."""
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    failed: Counter[str] = Counter()
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_DATA_HOME"] = f"{name}/data"
        source = Path(name, "seed")
        source.mkdir()
        make_seed(source)
        for i in range(kills):
            scenario = SCENARIOS[i % len(SCENARIOS)]
            try:
                kill_once(source, Path(name, "there"), scenario, chance)
            except AssertionError as error:
                failed[scenario.name] += 1
                sys.stdout.write(f"kill {i}, {scenario.name}: {error}\n")
                sys.stdout.flush()
    seconds = time.perf_counter() - begin
    told = ", ".join(scenario.name for scenario in SCENARIOS)
    sys.stdout.write(f"kills {kills} ({told})  seed {seed}  failed {failed.total()}  ")
    sys.stdout.write(f"{seconds:.0f} s\n")
    return int(failed.total() > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else KILLS))
