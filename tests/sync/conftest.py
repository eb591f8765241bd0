"""The hubs that the tests of this folder run against."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from annotator.domain.ids import PersonId, ProjectId
from tests.sync.postgres_server import Server, programs, running
from tests.sync.worlds import PEOPLE, PROJECT, FolderWorld, Make, MemoryWorld, PostgresWorld, World

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

    def make(
        lease_ms: int = 3_600_000,
        project_id: ProjectId = PROJECT,
        people: Sequence[PersonId] = PEOPLE,
    ) -> World:
        world: World
        if request.param == "memory":
            world = MemoryWorld(lease_ms, project_id)
        elif request.param == "folder":
            world = FolderWorld(tmp_path / f"hub-{next(_NUMBERS)}", lease_ms, project_id)
        else:
            server = request.getfixturevalue("postgres")
            name = f"hub_{next(_NUMBERS)}"
            world = PostgresWorld(server, name, lease_ms, project_id, people)
        made.append(world)
        return world

    yield make
    for world in made:
        world.close()
