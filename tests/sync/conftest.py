"""The hubs that the tests of this folder run against."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sync.postgres_server import Server, programs, running
from tests.sync.worlds import FolderWorld, Make, MemoryWorld, PostgresWorld, World

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL cluster of our own; skipped where the server's programs are not installed."""
    if programs() is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed")
    with running() as server:
        yield server


@pytest.fixture(params=["memory", "folder", "postgres"])
def make_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Make hubs of one kind."""
    made: list[World] = []

    def make(lease_ms: int = 3_600_000) -> World:
        world: World
        if request.param == "memory":
            world = MemoryWorld(lease_ms)
        elif request.param == "folder":
            world = FolderWorld(tmp_path / f"hub-{next(_NUMBERS)}", lease_ms)
        else:
            server = request.getfixturevalue("postgres")
            world = PostgresWorld(server, f"hub_{next(_NUMBERS)}", lease_ms)
        made.append(world)
        return world

    yield make
    for world in made:
        world.close()
