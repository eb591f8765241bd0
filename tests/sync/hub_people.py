"""People at a hub, each a process of its own: started by the tests, some of them killed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, new_id
from annotator.sync.folder import FolderHub
from annotator.sync.hub import Hub
from annotator.sync.postgres import PostgresHub

_ROOT = Path(__file__).resolve().parents[2]
_EACH_S = 120.0
_PATIENCE_S = 60.0


@dataclass(frozen=True)
class Outcome:
    """What the hub has in the end; ``times_in`` counts submissions in time by seat."""

    killed: int
    done: int
    times_in: Counter[str]


def work(hub: Hub, person: str) -> None:
    """Claim and submit until all is done, as one person; the body of a process."""
    pause = threading.Event()
    ends = time.monotonic() + _EACH_S
    idle = 0
    while time.monotonic() < ends and idle < 40:
        lease = hub.claim(new_id())
        if lease is None:
            idle += 1
            pause.wait(0.1)
            continue
        idle = 0
        hub.submit(lease.claim_id, json.dumps({"seat": lease.seat_id, "by": person}).encode())


def play(hub: Hub, people: Sequence[Mapping[str, Any]], *, seats: int, killed: int) -> Outcome:
    """Let people work, kill some of them at random, and count what came in; ``hub`` is the lead's.

    Of each of the people it says how their program opens the hub.
    """
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.sync.hub_people", json.dumps(each)],
            cwd=_ROOT,
            env={**os.environ},
        )
        for each in people
    ]
    chance = random.Random(7)
    pause = threading.Event()
    victims = chance.sample(processes, killed)
    for i, victim in enumerate(victims):
        # Each when another part of the work is done, so that all are in the midst of it.
        while hub.board().n_done < seats * (i + 1) // (2 * killed + 2):
            assert any(process.poll() is None for process in processes), "all people have left"
            pause.wait(0.02)
        pause.wait(chance.random() * 0.02)
        victim.kill()
    for process in processes:
        status = process.wait(timeout=_EACH_S)
        assert status == 0 or process in victims
    came: Counter[str] = Counter()
    while events := hub.events(1000):
        came.update(e.seat_id for e in events if e.kind.value == "submitted")
        hub.acknowledge({event.key: "" for event in events})
    died = sum(process.returncode != 0 for process in victims)
    return Outcome(died, hub.board().n_done, came)


def opened(told: Mapping[str, Any]) -> Hub:
    """Return the hub of one of the people."""
    if "folder" in told:
        return FolderHub(Path(told["folder"]), PersonId(told["person"]))
    # As long as the lead of the test: a busy machine takes a while to bring a crashed server back.
    return PostgresHub(told["address"], patience_s=_PATIENCE_S)


if __name__ == "__main__":
    try:
        value = json.loads(sys.argv[1])
        work(opened(value), value["person"])
    except UserError as error:
        sys.exit(str(error))
