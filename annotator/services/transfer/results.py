"""The document to export of a video: its submissions, joined, and open tasks."""

from __future__ import annotations

from typing import TypeAlias

from annotator.domain.annotation.canonical import read_document
from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.checks import Finding
from annotator.domain.ids import DraftId, SubmissionId, VideoId
from annotator.domain.recipes.joining import joined, tools_first
from annotator.domain.recipes.recipe import TaskType, Tool
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.project.projects import OpenProject
from annotator.store.file.readable import Readable
from annotator.store.workflow import submissions, tasks

Parts: TypeAlias = tuple[tuple[tuple[Tool, ...], SubmissionId], ...]
"""What was handed in last for each kind of task, with the tools the kind draws with."""


def parts_of(
    project: OpenProject, video_id: VideoId, name: str
) -> tuple[Parts, tuple[Finding, ...]]:
    """Return what was handed in last for each kind of task on a video, and what is open.

    For projects with stages: what is still being drawn there is somebody's draft, and no result.
    """
    found: list[tuple[tuple[Tool, ...], SubmissionId]] = []
    remarks: list[Finding] = []
    for task_type in project.work.recipe.task_types:
        if task_type.form is not None:  # what was answered became items
            continue
        with project.file.reading() as connection:
            task_id = tasks.find_by_kind(connection, video_id, task_type.kind)
        record = project.work.record(task_id) if task_id is not None else None
        if record is None or record.status is not TaskStatus.COMPLETE:
            remarks.append(_unfinished(name, task_type, record))
        if record is not None and record.base_id is not None:
            found.append((task_type.tools, record.base_id))
    return tuple(found), tuple(remarks)


def result_of(file: Readable, parts: Parts, video: VideoInfo) -> Document:
    """Return what was handed in on a video, joined."""
    found = [
        (tools, read_document(submissions.read_body(file, name), DraftId(""), video))
        for tools, name in parts
    ]
    return joined(found[0][1], tools_first(found))


def _unfinished(name: str, task_type: TaskType, record: TaskRecord | None) -> Finding:
    stage = task_type.stage(record.stage) if record is not None else None
    place = f"is at the stage “{stage.title}”" if stage is not None else "has not started"
    text = f"“{task_type.title}” {place}; the latest submission is exported."
    return Finding("not-complete", name, text)
