"""Writes the files of PACS. Keys stand in the order of the values given; labels of test are left
out, except in the material task, which has them."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain.track import Json
from annotator.exchange.pacs.records import SPLITS, PacsData, Points


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
        yield f"{split}_data.json", _points(points, has_labels=split != "test")
    yield "mat_questions.json", dict(data.material_questions)
    for split in SPLITS:
        yield f"{split}_mat.json", _points(data.material_points.get(split, {}), has_labels=True)
    yield (
        "youtube_info.json",
        {
            source: {key: [clip.start, clip.end, clip.middle] for key, clip in clips.items()}
            for source, clips in data.clips.items()
        },
    )


def _points(points: Points, *, has_labels: bool) -> dict[str, Json]:
    return {
        f"{first}_{second}": {
            key: {"label": each.label, "text": each.text} if has_labels else {"text": each.text}
            for key, each in questions.items()
        }
        for (first, second), questions in points.items()
    }
