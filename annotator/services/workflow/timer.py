"""Time of active work, counted as it passes and written down now and then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId, TaskId
from annotator.domain.work.acts import Renew
from annotator.domain.work.records import Instant
from annotator.domain.work.work_statistics import ActivityMeter, Workplace
from annotator.services.workflow.transactions import WorkTransactions
from annotator.store.workflow import submission_statistics

FLUSH_MS: Final = 15_000
RENEW_MS: Final = 60_000


class WorkTimer:
    """Counts for the task that is open, and keeps its lease alive meanwhile."""

    def __init__(self, transactions: WorkTransactions) -> None:
        self._transactions = transactions
        self._meter = ActivityMeter()
        self._place: Workplace | None = None
        self._flushed_at = self._renewed_at = transactions.now()

    def enter(self, task_id: TaskId | None) -> None:
        """Count for a task from now on; only for one that the person at the keyboard holds."""
        self._meter.enter(None, self._transactions.now())
        self.flush()
        self._place = self._place_of(task_id) if task_id is not None else None
        if self._place is not None:
            self._meter.enter(self._place, self._transactions.now())

    def poke(self, *, is_background: bool = False) -> None:
        """Take a sign of life."""
        if self._place is None:
            return
        now = self._transactions.now()
        self._meter.poke(now, is_background=is_background)
        if abs(now - self._flushed_at) >= FLUSH_MS:
            self.flush()
        if not is_background and abs(now - self._renewed_at) >= RENEW_MS:
            self._renew(now)

    def flush(self) -> None:
        """Write the counted time."""
        now = self._transactions.now()
        counted = self._meter.take()
        self._flushed_at = now
        if counted and not self._transactions.file.is_read_only:
            submission_statistics.add_activity(self._transactions.file, counted, local_day(now))

    def of_days_s(self, person_id: PersonId) -> tuple[float, float]:
        """Return a person's active time today, and since Monday, in seconds."""
        now, place = self._transactions.now(), self._place
        is_here = place is not None and place.person_id == person_id
        untaken = self._meter.pending_ms(place, now) if place is not None and is_here else 0
        today, monday = local_day(now), local_day(now, back_to_monday=True)
        day_ms, week_ms = (
            submission_statistics.active_ms_of_days(
                self._transactions.file, person_id, first, today
            )
            + untaken
            for first in (today, monday)
        )
        return day_ms / 1000, week_ms / 1000

    def task_s(self, task_id: TaskId) -> float:
        """Return how long the person at the keyboard has worked on a task at its stage."""
        place = self._place
        if place is None or place.task_id != task_id:
            place = self._place_of(task_id)
        if place is None:
            return 0.0
        kept = submission_statistics.active_ms_of_place(self._transactions.file, place)
        return (kept + self._meter.pending_ms(place, self._transactions.now())) / 1000

    def _place_of(self, task_id: TaskId) -> Workplace | None:
        me = self._transactions.people.me
        if me is None:
            return None
        for held in self._transactions.record(task_id).holders:
            if held.person_id == me.id:
                return Workplace(me.id, task_id, held.stage)
        return None

    def _renew(self, now: Instant) -> None:
        """Renew the lease; a lost one is reported at the submission."""
        self._renewed_at = now
        if self._place is None or self._transactions.file.is_read_only:
            return
        record = self._transactions.record(self._place.task_id)
        for held in record.holders:
            if held.person_id == self._place.person_id and held.lease_until is not None:
                try:
                    self._transactions.act(record.id, Renew(held.person_id, held.id))
                except WorkError:
                    return


def local_day(at: Instant, *, back_to_monday: bool = False) -> str:
    """Return the day of an instant where this machine is, as in "2026-11-21".

    With ``back_to_monday`` the first day of its week.
    """
    day = datetime.fromtimestamp(at / 1000).astimezone().date()
    return (day - timedelta(days=day.weekday() if back_to_monday else 0)).isoformat()
