"""People as predictors: independent submissions against each other, and first ones against final.

Tracks and points of two submissions are matched by overlap; segments and answers need no match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from annotator.domain.ids import SubmissionId, VideoId
from annotator.domain.metrics.overlap import iou_matrix
from annotator.domain.metrics.points import SIDE
from annotator.domain.work.records import TaskStatus
from annotator.domain.work.rules import hidden_from
from annotator.exchange.perception_test.from_domain import ExportSettings, entry_name
from annotator.exchange.perception_test.labels import numbered
from annotator.exchange.perception_test.read import read_video
from annotator.exchange.predictions import CHOICES, MANY, OBJECTS, Predictions, read_predictions
from annotator.services.matching import assigned
from annotator.services.questions.agreement.drawn import drawn_by_several
from annotator.services.questions.studies.answers import given_in
from annotator.services.questions.studies.scoring import is_right_in, judged_in
from annotator.services.questions.studies.studies import studies
from annotator.services.transfer.entry_writing import make
from annotator.services.transfer.results import Parts, parts_of
from annotator.services.transfer.snapshot import ContentPlace, Snapshots
from annotator.store.file.state import state_of
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.annotation.labels import LabelSet
    from annotator.domain.checks import Finding
    from annotator.exchange.perception_test.records import ObjectRecord, VideoRecord
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.evaluating.reference import ReferenceVideo
    from annotator.services.project.projects import OpenProject

_NEAR_PX = 16.0  # of 256: farther apart two points are of different places
_LEAST = 0.1  # below this overlap two tracks are of different objects


class _Submissions:
    """Compares two sets of submissions about each video: ``pairs`` are theirs and the others'."""

    def __init__(
        self, name: str, project: OpenProject, pairs: Mapping[str, tuple[Parts, Parts]]
    ) -> None:
        from annotator.domain.annotation.segment import Lane

        self.name = name
        self.findings: tuple[Finding, ...] = ()
        infos = {entry_name(info): info for info, _ in project.footage.known()}
        self._places = {
            video: tuple(
                ContentPlace(infos[video].id, infos[video].name, None, None, p) for p in both
            )
            for video, both in pairs.items()
            if video in infos
        }
        sets: tuple[LabelSet, ...] = tuple(project.label_set(lane) for lane in Lane)
        every = [place for both in self._places.values() for place in both]
        self._items = Snapshots(state_of(project.file), every, sets, project.own_files)
        labels = numbered(self._items.used_labels(), sets)
        self._settings = ExportSettings(label_ids=labels)

    def close(self) -> None:
        """Let go of the project."""
        self._items.close()

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the work of the second person, with that of the first as its reference."""
        places = self._places.get(video.name)
        if places is None:
            return Predictions(is_partial=True)
        both = make(self._items.state, places, self._settings)
        values: list[dict[str, Any]] = [
            msgspec.json.decode(b"{%b}" % made.body)[made.name] for made in both
        ]
        one, other = (read_video(video.name, value) for value in values)
        said = read_predictions(video.name, values[1])
        drawn = frozenset(
            task
            for task in said.tasks
            if task not in (CHOICES, "grounded_question") and (values[0][task] or values[1][task])
        )
        said = replace(said, tasks=drawn, reference_tracks=both[0].tracks)
        return _matched(one, other, said)


class FirstSubmissions(_Submissions):
    """First submission for each task, against the final result."""

    def __init__(self, name: str, project: OpenProject, token: JobToken) -> None:
        kinds = [t for t in project.work.recipe.task_types if t.form is None]
        pairs: dict[str, tuple[Parts, Parts]] = {}
        for info, _ in project.footage.known():
            token.check()
            final, _ = parts_of(project, info.id, info.name)
            first: list[Any] = []
            last: list[Any] = []
            for kind in kinds:
                with project.file.reading() as connection:
                    task_id = tasks.find_by_kind(connection, info.id, kind.kind)
                if task_id is None:
                    continue
                record = project.work.record(task_id)
                if record.status is not TaskStatus.COMPLETE or hidden_from(
                    record, project.work.people.check_lead()
                ):
                    continue
                begun = [a for a in record.assignments if a.submissions]
                ended = [part for part in final if part[0] == kind.tools]
                if begun and ended:
                    first.append((kind.tools, begun[0].submissions[0].submission_id))
                    last += ended
            if first:
                pairs[entry_name(info)] = tuple(last), tuple(first)
        super().__init__(name, project, pairs)


class Raters(_Submissions):
    """Independent submissions for one task, the first against the second; answers in studies."""

    def __init__(self, name: str, project: OpenProject, token: JobToken) -> None:
        found: dict[VideoId, dict[str, list[Any]]] = {}
        for kind in project.work.recipe.task_types:
            if kind.form is not None or not any(stage.raters > 1 for stage in kind.stages):
                continue
            for work in drawn_by_several(project, kind, token):
                by_kind = found.setdefault(work.document.video.id, {})
                by_kind.setdefault(kind.kind, []).append((kind.tools, SubmissionId(work.digest)))
        pairs: dict[str, tuple[Parts, Parts]] = {}
        for info, _ in project.footage.known():
            both = [works[:2] for works in found.get(info.id, {}).values() if len(works) > 1]
            if both:
                pairs[entry_name(info)] = (
                    tuple(works[0] for works in both),
                    tuple(works[1] for works in both),
                )
        super().__init__(name, project, pairs)
        self._rights = _rights(project)

    def predict(self, video: ReferenceVideo) -> Predictions | None:
        """Return the work of the second person, and which share of people answered rightly."""
        found = super().predict(video) or Predictions(is_partial=True)
        shares: dict[int, float] = {}
        for asked in video.record.kept.get(CHOICES, []):
            number, options = asked.get("id"), asked.get("options")
            if isinstance(number, int) and isinstance(options, list):
                key = video.name, str(asked.get("question")), tuple(map(str, options))
                if rights := self._rights.get(key):
                    shares[number] = sum(rights) / len(rights)
        if not shares:
            return found
        return replace(found, tasks=found.tasks | {CHOICES}, shares=shares)


def _rights(project: OpenProject) -> dict[tuple[str, str, tuple[str, ...]], list[bool]]:
    """Return which answers in studies are right, by video, question and options."""
    names = {info.id: entry_name(info) for info, _ in project.footage.known()}
    found: dict[tuple[str, str, tuple[str, ...]], list[bool]] = {}
    for study in studies(project):
        judged = judged_in(project, study)
        for answer in given_in(project, study):
            is_right = is_right_in(answer, judged)
            item = answer.item
            if is_right is not None and item.video_ids and item.video_ids[0] in names:
                texts = tuple(option.text for option in item.options)
                key = names[item.video_ids[0]], item.text, texts
                found.setdefault(key, []).append(is_right)
    return found


def _matched(one: VideoRecord, other: VideoRecord, said: Predictions) -> Predictions:
    """Return what the other person did, under the IDs of what the first did of the same."""
    pairs = _pairs(
        [[_overlap(a, b) for b in other.objects] for a in one.objects], len(other.objects)
    )
    tracks = {
        one.objects[i].id: said.tracks[other.objects[j].id]
        for i, j in pairs
        if other.objects[j].id in said.tracks
    }
    near = [
        [_nearness((a.frames, a.xs, a.ys), (b.frames, b.xs, b.ys)) for b in other.points]
        for a in one.points
    ]
    numbers = list(said.points)
    points = {
        i: said.points[numbers[j]] for i, j in _pairs(near, len(other.points)) if j < len(numbers)
    }
    free = tuple(said.tracks.values())
    tasks = said.tasks | ({MANY} if OBJECTS in said.tasks else set())
    return replace(
        said, tasks=tasks, tracks=tracks, points=points, free=free, reference=one, is_partial=True
    )


def _pairs(matrix: list[list[float]], n_columns: int) -> Iterable[tuple[int, int]]:
    if not matrix or not n_columns:
        return []
    table = np.array(matrix)
    return [(i, j) for i, j in assigned(table) if table[i, j] >= _LEAST]


def _overlap(one: ObjectRecord, other: ObjectRecord) -> float:
    """Return the mean IoU of two tracks over the frames on which either has a box."""
    first = dict(zip(one.frames, one.boxes, strict=True))
    second = dict(zip(other.frames, other.boxes, strict=True))
    common = sorted(first.keys() & second.keys())
    if not common:
        return 0.0
    a, b = (np.array([boxes[f] for f in common], np.float64) for boxes in (first, second))
    each: NDArray[np.float64] = np.diagonal(iou_matrix(a, b))
    return float(each.sum() / len(first.keys() | second.keys()))


_PlacesOf = tuple[Any, Any, Any]


def _nearness(one: _PlacesOf, other: _PlacesOf) -> float:
    """Return the share of frames, of those on which either is visible, on which two are near."""
    first, second = ({f: (x, y) for f, x, y in zip(*each, strict=True)} for each in (one, other))
    common = sorted(first.keys() & second.keys())
    if not common:
        return 0.0
    a, b = (np.array([path[f] for f in common]) * SIDE for path in (first, second))
    near = np.linalg.norm(a - b, axis=1) <= _NEAR_PX
    return float(near.sum() / len(first.keys() | second.keys()))
