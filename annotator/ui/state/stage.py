"""The open task on the canvas: images, audio, proposals and the person's role."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from annotator.domain.errors import UserError
from annotator.domain.people import Person, Role
from annotator.domain.recipes.recipe import Act, StageSpec, TaskType
from annotator.domain.work.records import Assignment, AssignmentState, TaskRecord
from annotator.domain.work.rules import may_take
from annotator.media.values import Picture, PictureRequest
from annotator.services.background.jobs import Listeners

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.domain.ids import TaskId, VideoId
    from annotator.services.assist.proposal_updates import Proposing
    from annotator.services.playback.player import Player
    from annotator.services.playback.thumbnails import Thumbnails
    from annotator.services.project.projects import OpenProject
    from annotator.services.session import Session
    from annotator.services.sound.soundscape import Soundscape
    from annotator.services.sound.streams import SoundTracks
    from annotator.services.workflow.work import Work
    from annotator.ui.state.workspace import Workspace


class PictureSource(Protocol):
    """Decodes on a thread of its own; the newest request wins (``decode.server``)."""

    def request(self, request: PictureRequest) -> None: ...

    def take(self) -> Picture | None: ...

    def loaded_spans(self) -> list[tuple[int, int]]: ...

    def close(self) -> None: ...

    @property
    def error(self) -> UserError | None:
        """Why no more pictures come, if something broke."""
        ...


@dataclass(slots=True, eq=False)
class OtherVideo:
    """The second video of a pair; ``ready`` is sent on the main thread for each new picture.

    ``size`` is that of its pictures in pixels, width and height.
    """

    name: str
    size: tuple[int, int]
    player: Player
    times: NDArray[np.float64]
    end_s: float
    pictures: PictureSource | None = None
    ready: Listeners[None] = field(default_factory=Listeners)

    @property
    def start_s(self) -> float:
        """The media time of the first frame."""
        return float(self.times[0]) if len(self.times) else 0.0

    def close(self) -> None:
        """Stop the threads and give the file back."""
        self.player.close()
        if self.pictures is not None:
            self.pictures.close()


@dataclass(slots=True)
class Stage:
    """Everything that belongs to one opened task; closed and replaced as a whole.

    ``times`` is float64 [n], the media time in seconds of every frame, and ``end_s`` the time at
    which the last frame ends. ``pictures`` is None while the video's file is missing or has no
    picture, ``proposing`` where no proposals can be made. ``badges`` are words about the video
    (variable rate, turned) and ``notices`` sentences for banners. ``sound`` shows the sound,
    ``tracks`` says which of several it is, ``thumbnails`` shows the whole video at a glance.
    ``other`` is the second video
    of a pair. ``later`` builds what the picture does not need.
    """

    task_id: TaskId
    session: Session
    player: Player
    times: NDArray[np.float64]
    end_s: float
    pictures: PictureSource | None = None
    proposing: Proposing | None = None
    badges: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    has_sound: bool = False
    sound: Soundscape | None = None
    tracks: SoundTracks | None = None
    thumbnails: Thumbnails | None = None
    is_missing: bool = False
    other: OtherVideo | None = None
    later: dict[str, Callable[[], None]] = field(default_factory=dict)

    def build(self, name: str) -> None:
        """Build what the first picture did not wait for: "sound", "thumbnails", "proposing"."""
        if name in self.later:
            self.later.pop(name)()

    def finish(self) -> None:
        """Build all that was put off."""
        while self.later:
            self.build(next(iter(self.later)))

    def close(self) -> None:
        """Stop the threads and give the files back."""
        if self.proposing is not None:
            self.proposing.close()
        if self.other is not None:
            self.other.close()
        self.player.close()
        if self.pictures is not None:
            self.pictures.close()
        if self.sound is not None:
            self.sound.close()
        if self.thumbnails is not None:
            self.thumbnails.close()
        if self.tracks is not None:
            self.tracks.close()


class OtherBuilder(Protocol):
    """Opens the second video of a pair, or raises a UserError."""

    def __call__(
        self, project: OpenProject, video_id: VideoId, workspace: Workspace
    ) -> OtherVideo: ...


class StageBuilder(Protocol):
    """Opens a task completely, or raises a UserError and has changed nothing."""

    def __call__(self, project: OpenProject, task_id: TaskId, workspace: Workspace) -> Stage: ...


@dataclass(frozen=True, slots=True)
class TaskRole:
    """The task, and the person's part in it.

    ``held`` is their hold, ``last`` the latest part they had. ``stage`` is the stage they hold it
    at, else the one the task is at; None where the recipe has it no more.
    """

    record: TaskRecord
    task_type: TaskType | None
    stage: StageSpec | None
    held: Assignment | None = None
    last: Assignment | None = None
    may_claim: bool = False
    may_reopen: bool = False

    @property
    def is_judging(self) -> bool:
        """Whether the person is to approve or to send back."""
        return self.held is not None and self.stage is not None and is_judging(self.stage)

    @property
    def may_send_back(self) -> bool:
        """Whether the stage has a way back, and the person is to judge."""
        return self.is_judging and self.stage is not None and self.stage.sends_back_to is not None


def is_judging(stage: StageSpec) -> bool:
    """Return whether a stage looks at what others made."""
    return stage.act is not Act.ANNOTATE


def task_role(work: Work, task_id: TaskId, person: Person | None) -> TaskRole:
    """Return the role of a person in a task; None: nobody has signed in."""
    record = work.record(task_id)
    task_type = work.recipe.task_type(record.kind)
    if person is None:
        return TaskRole(record, task_type, task_type.stage(record.stage) if task_type else None)
    mine = [a for a in record.assignments if a.person_id == person.id]
    assignment = next((a for a in mine if a.state is AssignmentState.HELD), None)
    key = assignment.stage if assignment is not None else record.stage
    return TaskRole(
        record,
        task_type,
        task_type.stage(key) if task_type is not None else None,
        assignment,
        mine[-1] if mine else None,
        _may_claim(record, person, task_type),
        _may_reopen(record, person, task_type),
    )


def _may_claim(record: TaskRecord, person: Person, task_type: TaskType | None) -> bool:
    """Return whether a person may take this very task: chosen, or taken up again."""
    if task_type is None or may_take(record, person, task_type) is not None:
        return False
    stage = task_type.stage(record.stage)
    had_it = any(a.person_id == person.id for a in record.current)
    return had_it or person.has(Role.LEAD) or (stage is not None and stage.may_choose)


def _may_reopen(record: TaskRecord, person: Person, task_type: TaskType | None) -> bool:
    """Return whether a person may unlock the last submission."""
    last = record.last_word
    if task_type is None or last is None or record.holders:
        return False
    stage = task_type.stage(last.stage)
    is_own = last.person_id == person.id and stage is not None and stage.may_reopen
    return is_own or person.has(Role.LEAD)
