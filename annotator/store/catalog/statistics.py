"""Queries over all videos of a project."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

import msgspec

from annotator.domain.annotation.segment import Lane
from annotator.domain.ids import DraftId, PersonId, VideoId
from annotator.store.columns import id_bytes, id_text

UsedLabel = tuple[Lane, str, int | None]
"""Lane, text and number of a segment's label; the number may be unknown."""


class _Used(msgspec.Struct):
    lane: Lane
    label: str
    label_id: int | None


class _Body(msgspec.Struct):
    segments: list[_Used]


_bodies = msgspec.json.Decoder(_Body)


def shown_drafts(
    connection: sqlite3.Connection, person_id: PersonId | None
) -> dict[VideoId, DraftId]:
    """Return the draft of each video that has one: of its first task, a person's own or the newest.

    For projects of one stage.
    """
    rows = connection.execute(
        "SELECT t.video_id, t.id, d.id FROM task t JOIN assignment a ON a.task_id = t.id"
        " JOIN draft d ON d.assignment_id = a.id"
        " ORDER BY t.id, a.state = 'held' AND a.person_id IS ?, d.id",
        (id_bytes(person_id) if person_id is not None else None,),
    )
    found: dict[VideoId, tuple[bytes, DraftId]] = {}
    for video, task, draft in rows:
        video_id = VideoId(id_text(video))
        if found.setdefault(video_id, (task, DraftId("")))[0] == task:
            found[video_id] = (task, DraftId(id_text(draft)))
    return {video_id: draft_id for video_id, (_, draft_id) in found.items()}


def labels_in_drafts(
    connection: sqlite3.Connection, draft_ids: Iterable[DraftId]
) -> Iterator[UsedLabel]:
    """Yield the label of each segment of drafts, in their order."""
    for draft_id in draft_ids:
        rows = connection.execute(
            "SELECT lane, label, label_id FROM segment WHERE draft_id = ?"
            " ORDER BY start_frame, end_frame, id",
            (id_bytes(draft_id),),
        )
        for lane, label, label_id in rows:
            yield Lane(lane), label, label_id


def labels_in_body(body: bytes) -> Iterator[UsedLabel]:
    """Yield the label of each segment in the bytes of a submission; nothing of damaged ones."""
    try:
        found = _bodies.decode(body)
    except msgspec.MsgspecError:
        return
    for used in found.segments:
        yield used.lane, used.label, used.label_id
