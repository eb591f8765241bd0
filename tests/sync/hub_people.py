"""People at a folder hub, each a process of its own: started by the tests, some of them killed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, ProjectId
from annotator.sync import FolderHub, HubItem

_ROOT = Path(__file__).resolve().parents[2]
_EACH_S = 120.0


@dataclass(frozen=True)
class Outcome:
    """What stood in the folder in the end; ``times_in`` counts submissions per item."""

    killed: int
    done: int
    times_in: Counter[str]
    seconds: float


def work(folder: Path, person: str, lease_ms: int) -> None:
    """Claim and submit until all is done, as one person; the body of a process."""
    hub = FolderHub(folder, lease_ms=lease_ms, grace_ms=0)
    pause = threading.Event()
    ends = time.monotonic() + _EACH_S
    while time.monotonic() < ends:
        lease = hub.claim(PersonId(person))
        if lease is None:
            counts = hub.counts()
            if not counts.free and not counts.held:
                return
            pause.wait(0.05)
            continue
        hub.submit(lease, json.dumps({"item": lease.item.id, "by": person}).encode())


def play(
    folder: Path, *, people: int, tasks: int, killed: int, lease_ms: int, seed: int = 7
) -> Outcome:
    """Let people work on a folder, kill some of them at random, and count what came in."""
    began = time.monotonic()
    FolderHub.create(folder, ProjectId("p"))
    hub = FolderHub(folder)
    assert hub.publish(HubItem(f"task-{i:05d}", b"{}") for i in range(tasks)) == tasks
    processes = [_start(folder, i, lease_ms) for i in range(people)]
    chance = random.Random(seed)
    pause = threading.Event()
    victims = chance.sample(processes, killed)
    for i, victim in enumerate(victims):
        # Each when another part of the work is done, so that all are in the midst of it.
        while hub.counts().done < tasks * (i + 1) // (2 * killed + 2):
            pause.wait(0.01)
        pause.wait(chance.random() * 0.02)
        victim.kill()
    for process in processes:
        status = process.wait(timeout=_EACH_S)
        assert status == 0 or process in victims
    came = Counter(delivery.item_id for delivery in hub.fetch())
    died = sum(p.returncode != 0 for p in victims)
    return Outcome(died, hub.counts().done, came, time.monotonic() - began)


def _start(folder: Path, number: int, lease_ms: int) -> subprocess.Popen[bytes]:
    arguments = ["tests.sync.hub_people", str(folder), f"person-{number}", str(lease_ms)]
    return subprocess.Popen([sys.executable, "-m", *arguments], cwd=_ROOT, env={**os.environ})


if __name__ == "__main__":
    try:
        work(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    except UserError as error:
        sys.exit(str(error))
