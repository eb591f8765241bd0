"""What the runs of the recipes share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.recipes.floor import Floor, open_floor


@pytest.fixture
def make_floor(tmp_path: Path) -> Iterator[Callable[[str], Floor]]:
    """Make projects of shipped recipes, which are closed in the end."""
    made: list[Floor] = []

    def make(recipe: str) -> Floor:
        made.append(open_floor(tmp_path, recipe))
        return made[-1]

    yield make
    for floor in made:
        floor.project.close()
