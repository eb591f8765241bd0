"""Result files: the records of one task as the scorers of the challenges read answers.

    object_tracking      {"video_1": [{"id", "bounding_boxes", "frame_ids"}]}
    point_tracking       {"video_1": {"point_tracking": [{"id", "points", "frame_ids"}]}}
    …_localisation       {"video_1": {"…": [{"label", "score", "timestamps"}]}}     in seconds
    mc_question          {"video_1": [{"id", "answer_id", "answer"}]}
    grounded_question    {"video_1": {"grounded_question": {"0": [{"id", "score", …}]}}}

Multiple-choice answers are published in two forms, with their key round them and without; both are
offered. What people say is certain: the score is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.json_type import Json
from annotator.exchange.perception_test.records import as_object

_CERTAIN: Final = 1.0
_MICROSECONDS: Final = 1e6

Note = Callable[[Finding], None]


def answers_of(
    name: str, entry: Mapping[str, Json], task: str, note: Note, *, is_wrapped: bool = False
) -> Json:
    """Return what a result file says of a video; ``entry`` is all that is told of it.

    A question without an answer is left out with an ERROR. ``is_wrapped`` concerns multiple choice.
    """
    records = [as_object(record) for record in _listed(entry.get(task))]
    if task == "object_tracking":
        return [_picked(record, "id", "bounding_boxes", "frame_ids") for record in records]
    if task == "point_tracking":
        return {task: [_picked(record, "id", "points", "frame_ids") for record in records]}
    if task == "mc_question":
        answers: list[Json] = [a for r in records if (a := _choice(name, r, note)) is not None]
        return {task: answers} if is_wrapped else answers
    if task == "grounded_question":
        tracks = [as_object(track) for track in _listed(entry.get("object_tracking"))]
        return {task: {str(record.get("id")): _tracks(record, tracks) for record in records}}
    return {task: [_segment(record) for record in records]}


def _choice(name: str, record: Mapping[str, Json], note: Note) -> Json:
    options, answer = _listed(record.get("options")), record.get("answer_id")
    if not isinstance(answer, int) or not 0 <= answer < len(options):
        text = "Not exported: the question has no answer."
        where = f"{name}, “{record.get('question')}”"
        note(Finding("unanswered", where, text, Severity.ERROR))
        return None
    return {"id": record.get("id"), "answer_id": answer, "answer": options[answer]}


def _tracks(record: Mapping[str, Json], tracks: list[dict[str, Json]]) -> list[Json]:
    """Return the tracks that answer a question, all of them equally sure."""
    wanted = _listed(record.get("answers"))
    return [
        {
            "id": track.get("id"),
            "score": _CERTAIN,
            "bounding_boxes": track.get("bounding_boxes"),
            "frame_ids": track.get("frame_ids"),
        }
        for track in tracks
        if track.get("id") in wanted
    ]


def _segment(record: Mapping[str, Json]) -> Json:
    """Return an action or a sound: number and score as texts, as the scorer wants them."""
    seconds: list[Json] = [
        at / _MICROSECONDS
        for at in _listed(record.get("timestamps"))
        if isinstance(at, int | float)
    ]
    return {
        "label": str(record.get("label_id")),
        "score": str(_CERTAIN),
        "timestamps": seconds,
    }


def _picked(record: Mapping[str, Json], *keys: str) -> Json:
    return {key: record.get(key) for key in keys}


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
