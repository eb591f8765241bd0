"""Untrusted content of a submission, read with checks."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from annotator.domain.annotation.canonical import canonical_bytes, content_id, plain_value
from annotator.domain.errors import ProjectError
from annotator.domain.ids import AssignmentId, PersonId, SubmissionId, TaskId, VideoId
from annotator.domain.work.codec import verdict_from
from annotator.domain.work.records import Verdict
from annotator.services.entry_values import is_id
from annotator.store.workflow.submissions import FORMAT
from annotator.store.workflow.travel import Arrival

_MOST_REVISIONS: Final = 1_000_000
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_NONE: Final = "0" * 64


class _Head(msgspec.Struct):
    format: str
    task_id: TaskId
    video_id: VideoId
    assignment_id: AssignmentId
    stage: str
    person_id: PersonId
    revision: int
    recipe: str
    verdict: dict[str, Any]
    media_hash: str | None = None
    parent_id: SubmissionId | None = None


def arrival_of(body: bytes, submitted_at: str, *, where: str) -> Arrival:
    """Return a submission ready to be kept; ProjectError when its bytes are not in order.

    Its name is worked out from the bytes, which must be canonical: two forms of the same words
    would be two submissions.
    """
    head, value = _head(body, where)
    if canonical_bytes(value) != body:
        raise _damaged(where, "it is not in canonical form")
    ids = (head.task_id, head.video_id, head.assignment_id, head.person_id)
    is_named = all(is_id(text) for text in ids) and _HASH.fullmatch(head.parent_id or _NONE)
    if not is_named or not 1 <= head.revision <= _MOST_REVISIONS:
        raise _damaged(where, "it refers to an invalid object")
    return Arrival(
        SubmissionId(content_id(body)),
        head.task_id,
        head.assignment_id,
        head.person_id,
        head.revision,
        body,
        head.format,
        head.media_hash,
        head.recipe,
        submitted_at,
        head.parent_id,
    )


def verdict_of(body: bytes, *, where: str) -> tuple[Verdict, str, VideoId]:
    """Return the verdict of a submission, the stage it is of, and its video."""
    head, _ = _head(body, where)
    return verdict_from(head.verdict), head.stage, head.video_id


def _head(body: bytes, where: str) -> tuple[_Head, Any]:
    try:
        value = plain_value(body)
        name, _, version = str(value["format"]).rpartition("/")
        known, _, newest = FORMAT.rpartition("/")
        if name == known and version.isdigit() and int(version) > int(newest):
            raise ProjectError(
                "Cannot read the submission: it was created by a newer version of annotator.",
                hint="Install the newer version, and then collect the file again.",
                where=where,
            )
        if name != known:
            raise _damaged(where, "it is not a submission")
        return msgspec.convert(value, _Head), value
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise _damaged(where, str(error)) from error


def _damaged(where: str, why: str) -> ProjectError:
    return ProjectError(
        f"Cannot read a submission: {why}.",
        hint="No data was imported. Request the file again.",
        where=where,
    )
