"""Issues of the open draft, kept up to date in the background."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.checks import CheckStep, Finding, check_steps
from annotator.domain.ids import SegmentId
from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.model.segment_times import SegmentTimes

if TYPE_CHECKING:
    from annotator.services.sound.soundscape import SoundChange, Soundscape

_WAIT_MS: Final = 350
# A slice of the check is short enough for the picture to stay smooth, and half the time is left
# to everything else. A thread would hold the interpreter against the window for far longer.
_SLICE_S: Final = 0.004
_PAUSE_MS: Final = 6
_COLUMNS: Final = 32


class LiveFindings(QObject):
    """Checks the draft in slices while the person is idle.

    ``found`` are the findings of the last check, ``of`` those of a segment. What has not changed
    since is not looked at again.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._found: tuple[Finding, ...] = ()
        self._by_segment: dict[SegmentId, list[Finding]] = {}
        self._steps: Iterator[CheckStep] | None = None
        self._known: dict[tuple[str, str], tuple[CheckStep, tuple[Finding, ...]]] = {}
        self._seen: dict[tuple[str, str], tuple[CheckStep, tuple[Finding, ...]]] = {}
        self._loud: dict[tuple[int, int], float] = {}
        self._sound: Soundscape | None = None
        self._times: SegmentTimes | None = None
        self._timer = self._new_timer(_WAIT_MS, self.check)
        self._slices = self._new_timer(_PAUSE_MS, self._go_on)
        workspace.edited.connect(self._start_soon)
        workspace.labels.setChanged.connect(self._start_soon)
        workspace.stageChanged.connect(self._on_stage_changed)
        if workspace.stage is not None:
            self._on_stage_changed()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self._found

    def of(self, segment_id: SegmentId) -> list[Finding]:
        """Return the findings of a segment."""
        return self._by_segment.get(segment_id, [])

    @Slot()
    def check(self) -> None:
        """Check the draft now; ``changed`` is sent at the end."""
        session, labels = self._workspace.session, self._workspace.labels
        if session is None:
            self._take(())
            return
        sets = {lane: s for lane in Lane if (s := labels.labels(lane)) is not None}
        self._seen = {}
        project = self._workspace.project
        self._steps = check_steps(
            session.document,
            labels=sets,
            loudness=self._loudness,
            tools=session.tools,
            attributes=project.work.recipe.attributes if project is not None else (),
        )
        self._go_on()

    def close(self) -> None:
        """Stop; no signal is sent after this."""
        self._drop()
        self._timer.stop()

    @Slot()
    def _go_on(self) -> None:
        """Check for a slice of time and schedule the next one."""
        end = time.perf_counter() + _SLICE_S
        for step in self._steps or ():
            known = self._known.get(step.key)
            if known is None or not _is_same(known[0], step):
                known = (step, tuple(step.find()))
            self._seen[step.key] = known
            if time.perf_counter() >= end:
                self._slices.start()
                return
        self._known, self._seen, self._steps = self._seen, {}, None
        self._take(tuple(f for _, found in self._known.values() for f in found))

    @Slot()
    def _start_soon(self) -> None:
        self._drop()
        self._timer.start()

    def _drop(self) -> None:
        """Cancel a check of an outdated document; its findings so far are kept."""
        self._slices.stop()
        self._steps = None
        self._known.update(self._seen)
        self._seen = {}

    def _take(self, found: tuple[Finding, ...]) -> None:
        self._found = found
        self._by_segment = {}
        for finding in found:
            if finding.segment_id is not None:
                self._by_segment.setdefault(finding.segment_id, []).append(finding)
        self.changed.emit()

    def _loudness(self, segment: Segment) -> float | None:
        """Return the loudest sample during a segment, None while that is not known."""
        sound, times = self._sound, self._times
        if sound is None or times is None or not sound.state.is_complete:
            return None
        span = times.edge_us(segment, "start"), times.edge_us(segment, "end")
        if span not in self._loud:
            peaks = sound.peaks(span[0] / 1e6, span[1] / 1e6, _COLUMNS)
            if peaks is None:
                return None
            self._loud[span] = max(float(abs(peaks.low).max()), float(abs(peaks.high).max()))
        return self._loud[span]

    @Slot()
    def _on_stage_changed(self) -> None:
        if self._sound is not None:
            self._sound.changed.remove(self._on_sound_changed)
        stage = self._workspace.stage
        self._sound = stage.sound if stage is not None else None
        self._times = SegmentTimes(stage) if stage is not None else None
        if self._sound is not None:
            self._sound.changed.add(self._on_sound_changed)
        self._start_soon()
        self._loud.clear()
        self._known.clear()
        self._take(())

    def _on_sound_changed(self, news: SoundChange) -> None:
        if news.state and self._sound is not None and self._sound.state.is_complete:
            self._start_soon()

    def _new_timer(self, interval_ms: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(slot)
        return timer


def _is_same(known: CheckStep, step: CheckStep) -> bool:
    """Return whether a step looks at the very things that it looked at before."""
    if len(known.subjects) != len(step.subjects):
        return False
    return all(a is b for a, b in zip(known.subjects, step.subjects, strict=True))
