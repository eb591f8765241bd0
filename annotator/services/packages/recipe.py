"""The recipe as it travels in a work package: what a rater needs of it, and no more."""

from __future__ import annotations

import tomllib
from typing import Any, Final

from annotator.domain.toml_text import toml_text

# What questions are drawn from, with what seed, and how the lead looks after the work.
_OF_THE_LEAD: Final = ("bank", "rules", "pairing", "seed", "spot_checks")
# What an item is there for, and who was let in by which test.
_OF_THE_TASK: Final = ("attention", "gold", "passing", "purpose", "requires", "study")


def travelling_recipe(text: str) -> str:
    """Return a recipe without its question bank, rules, seeds, tests and checks.

    Name and version stay, so that what comes back says by which recipe it was made.
    """
    table: dict[str, Any] = tomllib.loads(text)
    told = {key: value for key, value in table.items() if key not in _OF_THE_LEAD}
    told["task_types"] = [
        {key: value for key, value in each.items() if key not in _OF_THE_TASK}
        for each in table.get("task_types", ())
    ]
    return toml_text(told)
