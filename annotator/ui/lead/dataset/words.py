"""Titles of charts, tables and metrics of the data set."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

_CHARTS: Final = {
    "video_duration": "Video duration",
    "boxes_labels": "Tracks by label",
    "points_labels": "Point tracks by name",
    "actions_labels": "Actions by label",
    "sounds_labels": "Sounds by label",
    "objects_per_video": "Objects per video",
    "track_length": "Track length",
    "track_occlusion": "Occluded share of tracks",
    "box_size": "Box size (side, share of the image)",
    "point_occlusion": "Occluded share of point tracks",
    "points_per_object": "Points per object",
    "action_duration": "Action duration",
    "sound_duration": "Sound duration",
    "action_roles": "Annotated objects by role of actions",
    "question_words": "Words per question",
    "action_sound": "Actions and sounds with a common object",
    "positions": "Box positions",
}
_KINDS: Final = {
    "boxes": "Object tracks",
    "points": "Point tracks",
    "actions": "Actions",
    "sounds": "Sounds",
}
_UNITS: Final = {
    "boxes": "Tracks",
    "points": "Point tracks",
    "actions": "Actions",
    "sounds": "Sounds",
    "videos": "Videos",
    "questions": "Questions",
}


def chart_title(key: str) -> str:
    """Return the title of a chart or matrix."""
    if key in _CHARTS:
        return _tr(_CHARTS[key])
    for start, title in (
        ("videos_by_", _tr("Videos by {column}")),
        ("questions_by_", _tr("Questions by {column}")),
    ):
        if key.startswith(start):
            return title.format(column=key.removeprefix(start).replace("_", " "))
    return key.replace("_", " ")


def kind_title(kind: str) -> str:
    """Return the name of a type of annotation; questions have the name of their task type."""
    return _tr(_KINDS[kind]) if kind in _KINDS else kind


def unit_title(of: str) -> str:
    """Return what the bars of a chart count."""
    return _tr(_UNITS.get(of, of))


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
