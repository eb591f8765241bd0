"""What a video's tasks have come to: the document to export, and what is not finished in it."""

from __future__ import annotations

from annotator.domain.canonical_reading import read_document
from annotator.domain.checks import Finding
from annotator.domain.document import Document, VideoInfo
from annotator.domain.ids import DraftId
from annotator.domain.joining import joined, tools_first
from annotator.domain.recipe import TaskType, Tool
from annotator.domain.work.records import TaskRecord, TaskStatus
from annotator.services.projects import OpenProject
from annotator.store import submissions, tasks


def result_of(
    project: OpenProject, video: VideoInfo
) -> tuple[Document | None, tuple[Finding, ...]]:
    """Return what was handed in last for each kind of task on a video, joined, and what is open.

    None when nothing was handed in yet. For projects with stages: what is still being drawn there
    is somebody's draft, and no result.
    """
    found: list[tuple[tuple[Tool, ...], Document]] = []
    remarks: list[Finding] = []
    for task_type in project.work.recipe.task_types:
        with project.file.reading() as connection:
            task_id = tasks.find_by_kind(connection, video.id, task_type.kind)
        record = project.work.record(task_id) if task_id is not None else None
        if record is None or record.status is not TaskStatus.COMPLETE:
            remarks.append(_unfinished(video, task_type, record))
        if record is not None and record.base_id is not None:
            body = submissions.read_body(project.file, record.base_id)
            found.append((task_type.tools, read_document(body, DraftId(""), video)))
    if not found:
        return None, tuple(remarks)
    return joined(found[0][1], tools_first(found)), tuple(remarks)


def _unfinished(video: VideoInfo, task_type: TaskType, record: TaskRecord | None) -> Finding:
    stage = task_type.stage(record.stage) if record is not None else None
    place = f"is at the stage “{stage.title}”" if stage is not None else "has not begun"
    text = f"“{task_type.title}” {place}; what was handed in last is exported."
    return Finding("not-complete", video.name, text)
