"""Work at a glance: the tasks of one person, and the figures of a project."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.domain.ids import PersonId
from annotator.domain.work.numbers import ReturnRate, StageHours
from annotator.domain.work.records import TaskStatus
from annotator.store.workflow.feedback import Feedback
from annotator.store.workflow.queue import Holding


@dataclass(frozen=True, slots=True)
class QueueCount:
    """How many tasks of a kind wait at a stage for the person who asks.

    ``count`` goes up to `MOST_COUNTED`, which stands for all that are more.
    """

    kind: str
    title: str
    stage: str
    stage_title: str
    count: int
    may_choose: bool


@dataclass(frozen=True, slots=True)
class MyWork:
    """Tasks of a person: sent back, in progress, and queues.

    ``feedback`` is what they were told and have not put away; the seconds are their active time of
    today and since Monday. ``handed_in`` is what they submitted last. ``n_for_lead`` tasks wait for
    a decision, if the person is a lead.
    """

    returned: tuple[Holding, ...] = ()
    in_progress: tuple[Holding, ...] = ()
    queues: tuple[QueueCount, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    active_seconds_today: float = 0.0
    active_seconds_week: float = 0.0
    handed_in: tuple[Holding, ...] = ()
    n_for_lead: int = 0


@dataclass(frozen=True, slots=True)
class WorkNumbers:
    """Figures as of now: see `annotator.domain.work.numbers`.

    ``counts`` are tasks by kind, stage and status; ``throughput`` by day (local), kind and stage.
    ``findings`` are counted by code in the last submission of each task; ``agreement`` is the
    mean of its last two submissions, 0..1 by method.
    """

    counts: dict[tuple[str, str, TaskStatus], int]
    throughput: dict[str, dict[tuple[str, str], int]]
    return_rates: dict[PersonId, ReturnRate]
    reasons: dict[str, int]
    hours: tuple[StageHours, ...]
    findings: dict[str, int]
    agreement: dict[str, float]
