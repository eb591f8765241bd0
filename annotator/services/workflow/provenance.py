"""Origin of each keyframe, run of marks and edge in tasks that several raters drew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.annotation.canonical import plain_value
from annotator.domain.work.records import TaskStatus
from annotator.store.workflow import submissions, tasks

if TYPE_CHECKING:
    from annotator.domain.ids import SubmissionId
    from annotator.domain.work.records import TaskRecord
    from annotator.services.project.projects import OpenProject
    from annotator.services.tables import Cell

COLUMNS: Final = (
    *("video", "task_type", "id", "label", "part", "first_frame", "last_frame"),
    *("raters", "decided_by", "is_result"),
)
_MEAN, _MEDIAN, _ADJUDICATOR = "mean", "median", "adjudicator"


def provenance_rows(project: OpenProject) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each keyframe, run of marks and edge of complete tasks, under `COLUMNS`.

    ``raters`` are those whose places were averaged, ``decided_by`` is mean, median, rater (one
    alone drew it) or the name of the adjudicator. ``is_result`` is 0 where a later stage has
    corrected the work since. Leads only.
    """
    project.work.people.check_lead()
    names = {person.id: person.name for person in project.work.people.all()}
    videos = {video.id: video.name for video in project.videos()}
    for task_type in project.work.recipe.task_types:
        if task_type.form is not None or all(stage.raters == 1 for stage in task_type.stages):
            continue
        with project.file.reading() as connection:
            done = tasks.tasks_of_kind(connection, task_type.kind, TaskStatus.COMPLETE)
        for task_id in done:
            record = project.work.record(task_id)
            for row in _of_task(project, record, names):
                yield (videos[record.video_id], task_type.kind, *row)


def _of_task(
    project: OpenProject, record: TaskRecord, names: dict[Any, str]
) -> Iterator[tuple[Cell, ...]]:
    candidates = dict.fromkeys([record.base_id, *reversed(record.counted)])
    for name in candidates:
        body = _body(project, name) if name is not None else {}
        resolution = body.get("resolution")
        if isinstance(resolution, dict) and "sources" in resolution:
            is_result = int(name == record.base_id)
            for row in _Told(project, body, resolution, names).rows():
                yield (*row, is_result)
            return


class _Told:
    """Words for the sources of one submission."""

    def __init__(
        self,
        project: OpenProject,
        body: dict[str, Any],
        resolution: dict[str, Any],
        names: dict[Any, str],
    ) -> None:
        self._body, self._sources = body, resolution["sources"]
        self._raters = [
            names.get(_body(project, key).get("person_id"), "?") for key in resolution["counted"]
        ]
        is_adjudicated = resolution["method"] == "adjudication"
        self._adjudicator = names.get(body["person_id"], "?") if is_adjudicated else _ADJUDICATOR

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yield identifier, label, part, first and last frame, raters and who decided."""
        labels = {
            each["id"]: each.get("label", "")
            for kind in ("tracks", "points", "segments")
            for each in self._body.get(kind, ())
        }
        for name, told in self._sources["tracks"].items():
            for frame, raters in told["keyframes"]:
                yield (name, labels.get(name, ""), "keyframe", frame, frame, *self._by(raters))
        for name, told in self._sources["points"].items():
            for start, end, raters in told["marks"]:
                yield (name, labels.get(name, ""), "marks", start, end - 1, *self._by(raters))
        for name, told in self._sources["segments"].items():
            drew = ", ".join(self._raters[rater] for rater in told["raters"])
            for edge in ("start", "end"):
                by = told[edge]["by"]
                decided = self._adjudicator if by == _ADJUDICATOR else by
                frames = told[edge]["frames"].values()
                low, high = min(frames, default=0), max(frames, default=0)
                yield (name, labels.get(name, ""), edge, low, high, drew, decided)
        for name in self._sources["removed"]:
            yield (name, "", "removed", "", "", "", self._adjudicator)

    def _by(self, raters: list[int]) -> tuple[str, str]:
        told = ", ".join(self._raters[rater] for rater in raters)
        if not raters:
            return told, self._adjudicator
        return told, _MEAN if len(raters) > 1 else "rater"


def _body(project: OpenProject, name: SubmissionId) -> dict[str, Any]:
    found: dict[str, Any] = plain_value(submissions.read_body(project.file, name))
    return found
