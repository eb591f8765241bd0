"""Import plan: what a file would add to each video, and what matches annotations that are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.checks import Finding, Severity
from annotator.services.transfer.imports.again import Imported
from annotator.services.transfer.imports.sources import AnnotationCounts
from annotator.services.workflow.drafts import held_by
from annotator.store.annotation.drafts import read_draft
from annotator.store.file.state import FileState, state_of
from annotator.store.workflow import log as work_log
from annotator.store.workflow import tasks

if TYPE_CHECKING:
    from annotator.domain.annotation.segment import Segment
    from annotator.domain.annotation.track import Track
    from annotator.domain.commands import AddImported
    from annotator.domain.ids import PersonId, TaskId
    from annotator.store.file.project import ProjectFile

SIMILAR: Final = 0.5
"""An object or segment matches one that is there from this mean IoU on."""

_MOST_FRAMES: Final = 50

SAME_NAME: Final = "same name"
SELECTED: Final = "selected"
NEW: Final = "new video"


@dataclass(frozen=True, slots=True)
class PlannedVideo:
    """Plan for one entry of a file.

    ``video`` is the name of the video that it goes to, "" where there is none, and ``how`` says how
    that was found. ``n_known`` records were imported before; ``n_similar`` objects and segments
    look like others of the same label. ERROR findings name what is skipped; ``is_skipped``: all of
    it is.
    """

    name: str
    video: str
    how: str
    counts: AnnotationCounts
    n_known: int = 0
    n_similar: int = 0
    findings: tuple[Finding, ...] = ()
    is_skipped: bool = False

    @property
    def n_invalid(self) -> int:
        """Number of records that are left out."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)


class Existing:
    """The drafts of a person as they are now, to be read on any thread; None: of nobody.

    Close it soon: while it is open the project file grows with every edit.
    """

    def __init__(self, file: ProjectFile, person_id: PersonId | None) -> None:
        self._person_id = person_id
        self._state: FileState | None = state_of(file) if person_id is not None else None

    def close(self) -> None:
        """Let go of the project; twice is no error."""
        if self._state is not None:
            self._state.close()
            self._state = None

    def matches(
        self, task_id: TaskId | None, video: VideoInfo, command: AddImported
    ) -> tuple[int, int]:
        """Return how many records were imported before, and how many are like others there."""
        document = self._document(task_id, video)
        if document is None:
            return 0, 0
        known = Imported(command, document)
        rest = known.without_known()
        n_similar = sum(_has_twin(track, document.tracks) for track in rest.tracks)
        n_similar += sum(_is_repeated(s, document.segments) for s in rest.segments)
        return known.n_known, n_similar

    def _document(self, task_id: TaskId | None, video: VideoInfo) -> Document | None:
        """Return the draft of a task, None where it has none or nothing is in it."""
        if self._state is None or self._person_id is None or task_id is None:
            return None
        with self._state.reading() as connection:
            held = held_by(work_log.read_record(connection, task_id), self._person_id)
            draft_id = tasks.find_draft(connection, held.id) if held is not None else None
        if draft_id is None:
            return None
        document = read_draft(self._state, draft_id, video)
        is_empty = not (document.tracks or document.segments or document.points)
        return None if is_empty else document


def _has_twin(track: Track, others: Sequence[Track]) -> bool:
    """Tell whether another track of the label is nearly where this one is, on its keyframes."""
    keys = [key for key in track.keyframes if key.box is not None]
    keys = keys[:: -(-len(keys) // _MOST_FRAMES)] if keys else []
    for other in others:
        if other.label != track.label or other.is_proposed:
            continue
        total = 0.0
        for key in keys:
            box = other.state_at(key.frame).box
            total += key.box.iou(box) if key.box is not None and box is not None else 0.0
        if keys and total / len(keys) >= SIMILAR:
            return True
    return False


def _is_repeated(segment: Segment, others: Sequence[Segment]) -> bool:
    """Tell whether another segment of the lane and label covers nearly the same frames."""
    for other in others:
        if (other.lane, other.label) != (segment.lane, segment.label) or other.is_proposed:
            continue
        common = min(segment.end, other.end) - max(segment.start, other.start)
        union = max(segment.end, other.end) - min(segment.start, other.start)
        if common / union >= SIMILAR:
            return True
    return False


def totals(plan: Sequence[PlannedVideo]) -> Mapping[str, int]:
    """Return the counts of all videos that take part, by type."""
    taken = [each.counts for each in plan if not each.is_skipped]
    return {name: sum(getattr(c, name) for c in taken) for name in AnnotationCounts._fields}
