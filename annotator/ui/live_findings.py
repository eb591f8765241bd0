"""What the checks say of the open draft, kept up to date beside the work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from annotator.domain.checks import Finding, check_document
from annotator.domain.document import Document
from annotator.domain.ids import SegmentId
from annotator.domain.segment import Lane, Segment
from annotator.services.jobs import Job, JobRunner, JobToken
from annotator.ui.desk import Desk
from annotator.ui.timeline.segment_times import SegmentTimes

if TYPE_CHECKING:
    from annotator.services.session import Session
    from annotator.services.soundscape import SoundChange, Soundscape

_WAIT_MS: Final = 350
_SOUNDS_AT_ONCE: Final = 40
_COLUMNS: Final = 32


class LiveFindings(QObject):
    """Checks a copy of the draft in a thread when work rests for a moment.

    ``found`` are the findings of the last check, ``of`` those of a segment.
    """

    changed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._jobs = JobRunner(desk.bridge.post)
        self._job: Job[tuple[Finding, ...]] | None = None
        self._found: tuple[Finding, ...] = ()
        self._by_segment: dict[SegmentId, list[Finding]] = {}
        self._loud: dict[tuple[int, int], float] = {}
        self._sound: Soundscape | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self.check)
        desk.edited.connect(self._timer.start)
        desk.labels.setChanged.connect(self._timer.start)
        desk.stageChanged.connect(self._on_stage_changed)

    @property
    def found(self) -> tuple[Finding, ...]:
        return self._found

    def of(self, segment_id: SegmentId) -> list[Finding]:
        """Return the findings of a segment."""
        return self._by_segment.get(segment_id, [])

    @Slot()
    def check(self) -> None:
        """Check the draft as it is now; ``changed`` tells when it is done."""
        session, labels = self._desk.session, self._desk.labels
        if self._job is not None:
            self._job.cancel()
        if session is None:
            self._take(None, ())
            return
        now = session.document
        copy = Document(now.draft_id, now.video, now.tracks, now.segments, now.points)
        sets = {lane: s for lane in Lane if (s := labels.labels(lane)) is not None}
        self._listen(session)
        loud = dict(self._loud_segments(session))

        def work(token: JobToken) -> tuple[Finding, ...]:
            found = []
            for finding in check_document(copy, labels=sets, loudness=lambda s: loud.get(s.id)):
                token.check()
                found.append(finding)
            return tuple(found)

        self._job = self._jobs.submit("Check", work, lambda found: self._take(session, found))

    def close(self) -> None:
        """Stop; nothing is told after this."""
        self._timer.stop()
        self._jobs.close()

    def _take(self, session: Session | None, found: tuple[Finding, ...]) -> None:
        if session is not self._desk.session:
            return
        self._found = found
        self._by_segment = {}
        for finding in found:
            if finding.segment_id is not None:
                self._by_segment.setdefault(finding.segment_id, []).append(finding)
        self.changed.emit()

    def _listen(self, session: Session) -> None:
        """Measure sounds that were not measured yet, some at a time."""
        stage = self._desk.stage
        if stage is None or stage.sound is None or not stage.sound.state.is_complete:
            return
        times = SegmentTimes(stage)
        wanted = [s for s in session.document.segments if s.lane is Lane.SOUND]
        spans = dict.fromkeys(_span(times, s) for s in wanted)
        new = [span for span in spans if span not in self._loud]
        for start_us, end_us in new[:_SOUNDS_AT_ONCE]:
            peaks = stage.sound.peaks(start_us / 1e6, end_us / 1e6, _COLUMNS)
            if peaks is not None:
                highest = max(float(abs(peaks.low).max()), float(abs(peaks.high).max()))
                self._loud[start_us, end_us] = highest
        if len(new) > _SOUNDS_AT_ONCE:
            self._timer.start()

    def _loud_segments(self, session: Session) -> list[tuple[SegmentId, float]]:
        stage = self._desk.stage
        if stage is None or not self._loud:
            return []
        times = SegmentTimes(stage)
        return [
            (s.id, self._loud[span])
            for s in session.document.segments
            if s.lane is Lane.SOUND and (span := _span(times, s)) in self._loud
        ]

    @Slot()
    def _on_stage_changed(self) -> None:
        if self._sound is not None:
            self._sound.changed.remove(self._on_sound_changed)
        stage = self._desk.stage
        self._sound = stage.sound if stage is not None else None
        if self._sound is not None:
            self._sound.changed.add(self._on_sound_changed)
        self._loud.clear()
        self._take(self._desk.session, ())
        self._timer.start()

    def _on_sound_changed(self, news: SoundChange) -> None:
        if news.state and self._sound is not None and self._sound.state.is_complete:
            self._timer.start()


def _span(times: SegmentTimes, segment: Segment) -> tuple[int, int]:
    return times.edge_us(segment, "start"), times.edge_us(segment, "end")
