"""Titles of charts, tables and metrics of the data set."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from annotator.domain.dataset.statistics import VALUES

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
    "action_roles": "Objects by role of actions",
    "question_words": "Words per question",
    "action_sound": "Actions × sounds by common object",
    "positions": "Box positions",
    "sizes": "Box widths × heights",
    "label_pairs": "Labels in the same video",
    "videos_by_week": "Videos by week of submission",
    "boxes_by_week": "Tracks by week of submission",
    "points_by_week": "Point tracks by week of submission",
    "actions_by_week": "Actions by week of submission",
    "sounds_by_week": "Sounds by week of submission",
}
_KINDS: Final = {
    "boxes": "Object tracks",
    "points": "Point tracks",
    "actions": "Actions",
    "sounds": "Sounds",
    "mc_question": "Multiple choice (imported)",
    "grounded_question": "Grounded questions (imported)",
}
_UNITS: Final = {
    "boxes": "Tracks",
    "points": "Point tracks",
    "actions": "Actions",
    "sounds": "Sounds",
    "videos": "Videos",
    "questions": "Questions",
}


_TASKS: Final = {
    "multi_object_tracking": "All objects",
    "object_tracking": "Object tracks",
    "point_tracking": "Point tracks",
    "action_localisation": "Actions",
    "sound_localisation": "Sounds",
    "mc_question": "Multiple choice",
    "grounded_question": "Grounded questions",
    "questions": "Questions",
}
_METRICS: Final = {
    "mean_iou": "mean IoU",
    "map": "mAP",
    "map_activitynet": "mAP (ActivityNet)",
    "best_tiou": "best temporal IoU",
    "top1": "accuracy",
    "accuracy": "accuracy",
    "score": "mean score (0 to 5)",
    "robustness": "robustness",
    "hota": "HOTA",
    "det_a": "DetA",
    "ass_a": "AssA",
    "loc_a": "LocA",
    "mota": "MOTA",
    "motp": "MOTP",
    "idf1": "IDF1",
    "average_jaccard_first": "average Jaccard (first)",
    "average_jaccard_strided": "average Jaccard (strided)",
    "average_jaccard_whole": "average Jaccard (whole video)",
    "average_jaccard_challenge": "average Jaccard (challenge)",
    "position_accuracy_first": "position accuracy (first)",
    "position_accuracy_strided": "position accuracy (strided)",
    "position_accuracy_whole": "position accuracy (whole video)",
    "occlusion_accuracy_first": "occlusion accuracy (first)",
    "occlusion_accuracy_strided": "occlusion accuracy (strided)",
    "occlusion_accuracy_whole": "occlusion accuracy (whole video)",
}
_BASELINES: Final = {
    "static": "Baseline: no motion",
    "linear": "Baseline: even motion",
    "tracker": "Baseline: built-in trackers",
    "majority": "Baseline: most frequent answer",
    "random": "Baseline: random answer",
    "raters": "People: independent submissions",
    "first": "People: before and after checks",
}


def metric_title(task: str, metric: str) -> str:
    """Return the names of a task and of a metric, or of one of them."""
    names = [_TASKS.get(task, task), _METRICS.get(metric, metric)]
    return ": ".join(_tr(name) for name in names if name)


def baseline_title(name: str) -> str:
    """Return the title of a baseline; models have the name of their file."""
    return _tr(_BASELINES[name]) if name in _BASELINES else name


def chart_title(key: str) -> str:
    """Return the title of a chart or matrix."""
    if key in _CHARTS:
        return _tr(_CHARTS[key])
    for start, title in (
        ("videos_by_", _tr("Videos by {column}")),
        ("questions_by_", _tr("Questions by {column}")),
        ("tracks_by_", _tr("Use of tracks by {column}")),
        ("attribute ", _tr("Attribute: {column}")),
    ):
        if key.startswith(start):
            return title.format(column=key.removeprefix(start).replace("_", " "))
    return key.replace("_", " ")


def kind_title(kind: str) -> str:
    """Return the name of a type of annotation; questions have the name of their task type."""
    if kind.startswith(VALUES):
        return _tr("Different values: {column}").format(column=kind.removeprefix(VALUES))
    return _tr(_KINDS[kind]) if kind in _KINDS else kind


def unit_title(of: str) -> str:
    """Return the unit of the bars of a chart."""
    return _tr(_UNITS.get(of, of))


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
