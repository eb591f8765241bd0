"""What tables tell of a video stands in its metadata, before what was imported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.json_type import Json
from annotator.exchange.perception_test.from_domain import facts_from_tables
from tests.store.samples import video_info


@pytest.mark.parametrize(
    ("facts", "imported", "told"),
    [
        ({}, {}, {}),
        ({"split": "valid", "camera": "moving"}, {}, {"split": "valid", "is_camera_moving": 1}),
        ({"split": "dev", "camera": "static"}, {"split": "train"}, {"is_camera_moving": 0}),
        ({"script": "cups-game"}, {}, {"is_cup_game": 1}),
        ({"script": "Cup game"}, {}, {"is_cup_game": 1}),
        ({"script": "kitchen"}, {}, {"is_cup_game": 0}),
        # Only what says so itself takes the place of what was imported.
        ({"script": "kitchen"}, {"is_cup_game": 1}, {}),
        ({"script": "kitchen", "is_cup_game": "yes"}, {"is_cup_game": 0}, {"is_cup_game": 1}),
        ({"is_cup_game": True}, {}, {"is_cup_game": 1}),
        ({"is_cup_game": "perhaps"}, {}, {}),
    ],
)
def test_what_tables_tell(
    facts: dict[str, Json], imported: dict[str, Json], told: dict[str, Json]
) -> None:
    video = replace(video_info(), extra={"metadata": facts} if facts else {})
    assert facts_from_tables(video, imported) == told


def test_an_extra_of_another_kind_tells_nothing() -> None:
    assert facts_from_tables(replace(video_info(), extra={"metadata": 3}), {}) == {}
