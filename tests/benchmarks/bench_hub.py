"""A shared folder under load: 30 people claim and submit 1,500 tasks, a third of them are killed.

Every person is a process; the killed ones die by SIGKILL at random moments in the midst of the
work, and their tasks come back when the lease is over. Ends with status 1 when a task was lost or
handed in twice. Run as ``python -m tests.benchmarks.bench_hub [FOLDER]``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.sync.hub_people import play

PEOPLE, TASKS, KILLED, LEASE_MS = 30, 1500, 10, 20_000


def main() -> int:
    """Play it without and with deaths; print what came of it."""
    is_missed = False
    parent = sys.argv[1] if len(sys.argv) > 1 else None
    for killed in (0, KILLED):
        with tempfile.TemporaryDirectory(dir=parent) as home:
            played = play(
                Path(home) / "hub", people=PEOPLE, tasks=TASKS, killed=killed, lease_ms=LEASE_MS
            )
        doubled = sum(count > 1 for count in played.times_in.values())
        lost = TASKS - len(played.times_in)
        is_missed |= doubled > 0 or lost > 0 or played.killed != killed
        sys.stdout.write(
            f"{PEOPLE} people, {TASKS} tasks, {played.killed} killed: {lost} lost, {doubled}"
            f" doubled, {played.done} done, {TASKS / played.seconds:.0f} tasks/s"
            f" ({played.seconds:.0f} s)\n"
        )
        sys.stdout.flush()
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
