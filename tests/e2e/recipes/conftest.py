"""What the runs of the recipes share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from tests.e2e.recipes.floor import Floor, open_floor


class MakeFloor(Protocol):
    """Makes a project of a shipped recipe with clips, and what is known of them."""

    def __call__(
        self, recipe: str, clips: Sequence[Path], facts: Iterable[Mapping[str, object]]
    ) -> Floor: ...


@pytest.fixture
def make_floor(tmp_path: Path) -> Iterator[MakeFloor]:
    """Make projects of shipped recipes, which are closed in the end."""
    made: list[Floor] = []

    def make(recipe: str, clips: Sequence[Path], facts: Iterable[Mapping[str, object]]) -> Floor:
        made.append(open_floor(tmp_path, recipe, clips, facts))
        return made[-1]

    yield make
    for floor in made:
        floor.project.close()
