"""kill -9 in the middle of the work: nothing acknowledged is lost, and undo goes on."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from tests.e2e.killing import kill_one, new_project

_KILLS = 10


def test_killed_at_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    path = new_project(tmp_path)
    chance = random.Random(7)
    remains = [kill_one(path, chance) for _ in range(_KILLS)]
    assert sum(r.acknowledged for r in remains) > _KILLS
    assert all(a.after <= b.before for a, b in itertools.pairwise(remains))
