"""Errors of each person on gold tasks: means, trends over weeks, and the table of all scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import mean
from typing import TYPE_CHECKING, Final

from annotator.domain.ids import PersonId
from annotator.domain.work.drift import Week, trend, weekly
from annotator.services.workflow.gold import Score

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject
    from annotator.services.tables import Cell

MEASURES: Final = ("iou", "px", "ms", "found", "visible")
"""Overlap of boxes, distance of points, offset of edges, F1 of what was drawn, and visibility."""

COLUMNS: Final = (
    *("time", "person", "task_type", "video", "training", "iou", "px", "visible", "ms"),
    *("known", "found", "extra", "f1", "out_of_limits"),
)
_PLACES: Final = {"iou": 3, "px": 1, "ms": 0, "found": 3, "visible": 3}


@dataclass(frozen=True, slots=True)
class PersonErrors:
    """Gold tasks of one person and task type, the oldest first; training is left out."""

    person_id: PersonId
    kind: str
    scores: tuple[Score, ...]

    @property
    def n(self) -> int:
        """Number of gold tasks."""
        return len(self.scores)

    @property
    def n_beyond(self) -> int:
        """Number of gold tasks with errors out of limits."""
        return sum(1 for score in self.scores if score.beyond)

    def values(self, measure: str) -> list[tuple[int, float]]:
        """Return time (milliseconds since 1970-01-01 UTC) and value of the scores that have one."""
        found = ((score.at, getattr(score.errors, measure)) for score in self.scores)
        return [(at, value) for at, value in found if value is not None]

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure, None without values."""
        found = [value for _, value in self.values(measure)]
        return mean(found) if found else None

    def trend(self, measure: str) -> float | None:
        """Return the change of a measure per week; see `domain.work.drift.trend`."""
        return trend(self.values(measure))

    def weekly(self, measure: str) -> tuple[Week, ...]:
        """Return the means of a measure by week."""
        return weekly(self.values(measure))


def by_person(scores: Iterable[Score]) -> list[PersonErrors]:
    """Return the gold tasks of each person and task type, in the order of their first ones."""
    found: dict[tuple[PersonId, str], list[Score]] = {}
    for score in scores:
        if not score.is_training:
            found.setdefault((score.person_id, score.kind), []).append(score)
    return [PersonErrors(*key, tuple(each)) for key, each in found.items()]


def measure_text(errors: PersonErrors, measure: str) -> str:
    """Return a mean with its change per week, as in "4.2 (+0.3)"; "–" without values."""
    found, change = errors.mean(measure), errors.trend(measure)
    if found is None:
        return "–"
    places = _PLACES[measure]
    return f"{found:.{places}f}" + (f" ({change:+.{places}f})" if change is not None else "")


def score_rows(project: OpenProject, scores: Iterable[Score]) -> list[Sequence[Cell]]:
    """Return a row for each score, under `COLUMNS`; leads only."""
    project.work.people.check_lead()
    names = {person.id: person.name for person in project.work.people.all()}
    videos = {video.id: video.name for video in project.videos()}
    return [
        (
            datetime.fromtimestamp(score.at / 1000, UTC).isoformat(timespec="seconds"),
            names.get(score.person_id, "?"),
            score.kind,
            videos.get(project.work.record(score.task_id).video_id, "?"),
            int(score.is_training),
            *(_cell(getattr(score.errors, name)) for name in ("iou", "px", "visible", "ms")),
            score.errors.n_known,
            score.errors.n_found,
            score.errors.n_extra,
            _cell(score.errors.found),
            " ".join(score.beyond),
        )
        for score in scores
    ]


def _cell(value: float | None) -> Cell:
    return round(value, 4) if value is not None else ""
