"""What the runs of the recipes share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from tests.e2e.recipes.team import Team, open_team


class MakeTeam(Protocol):
    """Makes a project of a shipped recipe with clips, and what is known of them."""

    def __call__(
        self, recipe: str, clips: Sequence[Path], facts: Iterable[Mapping[str, object]]
    ) -> Team: ...


@pytest.fixture
def make_team(tmp_path: Path) -> Iterator[MakeTeam]:
    """Make projects of shipped recipes, which are closed in the end."""
    made: list[Team] = []

    def make(recipe: str, clips: Sequence[Path], facts: Iterable[Mapping[str, object]]) -> Team:
        made.append(open_team(tmp_path, recipe, clips, facts))
        return made[-1]

    yield make
    for team in made:
        team.project.close()
