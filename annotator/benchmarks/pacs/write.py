"""Writes the files of PACS. Keys stand in the order of the values given; labels of test are left
out, except in the material task, which has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from annotator.benchmarks.pacs.records import SPLITS, PacsData, PointRecord, Points
from annotator.domain.json_type import Json

_LABEL: Final = "label"
_DATA_KEYS: Final = (_LABEL, "text")
_MATERIAL_KEYS: Final = ("text", _LABEL)


def files_of(data: PacsData) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each file's name and content."""
    yield (
        "objects.json",
        {
            key: {
                "duration": each.duration,
                "bounding_box": list(each.box),
                "materials": list(each.materials),
                "fps": each.fps,
            }
            for key, each in data.objects.items()
        },
    )
    yield (
        "questions.json",
        {
            key: {
                "properties": list(each.properties),
                "question": each.text,
                "statement": each.statement,
            }
            for key, each in data.questions.items()
        },
    )
    for split in SPLITS:
        points = data.points.get(split, {})
        told = [key for key in _DATA_KEYS if key != _LABEL or split != "test"]
        yield f"{split}_data.json", _points(points, told)
    yield "mat_questions.json", dict(data.material_questions)
    for split in SPLITS:
        yield f"{split}_mat.json", _points(data.material_points.get(split, {}), _MATERIAL_KEYS)
    yield (
        "youtube_info.json",
        {
            source: {key: [clip.start, clip.end, clip.middle] for key, clip in clips.items()}
            for source, clips in data.clips.items()
        },
    )


def _points(points: Points, keys: Sequence[str]) -> dict[str, Json]:
    return {
        f"{first}_{second}": {key: _point(each, keys) for key, each in questions.items()}
        for (first, second), questions in points.items()
    }


def _point(each: PointRecord, keys: Sequence[str]) -> dict[str, Json]:
    told: dict[str, Json] = {_LABEL: each.label, "text": each.text}
    return {key: told[key] for key in keys}
