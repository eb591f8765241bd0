"""Commands that write are killed: nothing is lost, and nothing is half there."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.e2e.killing_commands import SCENARIOS, Scenario, kill_once, make_seed


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed") / "seed"
    folder.mkdir()
    make_seed(folder)
    return folder


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
def test_a_killed_command_leaves_nothing_half_done(
    seed: Path, tmp_path: Path, scenario: Scenario
) -> None:
    # What is lost or half there raises AssertionError.
    assert kill_once(seed, tmp_path / "there", scenario, random.Random(scenario.name)) > 0
