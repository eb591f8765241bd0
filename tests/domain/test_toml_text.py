"""Recipes handed on in part are read again as they were."""

from __future__ import annotations

import tomllib

import pytest

from annotator.domain.recipes.file import recipe_from
from annotator.domain.toml import toml_text
from annotator.services.project.recipes import shipped_recipe


@pytest.mark.parametrize("name", ["single", "perception-test", "pacs", "neptune", "video-tt"])
def test_shipped_recipes_are_read_again_as_they_were(name: str) -> None:
    value = tomllib.loads(shipped_recipe(name))
    again = tomllib.loads(toml_text(value))
    assert again == value
    assert recipe_from(again) == recipe_from(value)


def test_every_character_and_number_comes_back() -> None:
    value = {
        "text": "".join(map(chr, range(1, 0x180))) + "\U0001f600“”",
        "strange key": {"a.b": [1, -2.5, 1e300, True, False, ""], "": {}},
        "lists": [[1, 2], [], ["x"]],
        "tables": [{"a": 1}, {}, {"b": {"c": [{"d": "e"}]}}],
    }
    assert tomllib.loads(toml_text(value)) == value


def test_what_is_no_part_of_a_recipe_is_refused() -> None:
    with pytest.raises(ValueError, match="NoneType"):
        toml_text({"a": [None]})
