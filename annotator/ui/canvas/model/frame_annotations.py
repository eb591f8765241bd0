"""Annotations shown and edited on one frame; shared by tools and painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from annotator.domain import commands
from annotator.domain.annotation.attributes import Attribute, values_text
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.track import Source, Track
from annotator.domain.errors import EditError, UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId, track_id
from annotator.domain.recipes.recipe import Tool
from annotator.ui.canvas.input.box_geometry import Target, hit
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.point_marks import Dot, dots_at, find_dot, hit_dot
from annotator.ui.canvas.model.shapes import Shape, ShapeBook, ShapeStyle, find_shape
from annotator.ui.state.selection import Selection

if TYPE_CHECKING:
    from annotator.domain.commands import Command
    from annotator.services.session import Session


@dataclass(frozen=True, slots=True)
class Draft:
    """A shape in the making. ``track_id`` is the track it will belong to, None for a new one.

    ``others`` are the boxes that go along while several objects are moved. ``dot`` is given while
    a point is placed or moved instead.
    """

    box: Box | None = None
    track_id: TrackId | None = None
    points: tuple[Point, ...] = field(default=())
    hint: str = ""
    dot: Dot | None = None
    others: tuple[tuple[TrackId, Box], ...] = ()

    @property
    def track_ids(self) -> frozenset[TrackId]:
        """The tracks with shapes in the draft."""
        first = () if self.track_id is None else (self.track_id,)
        return frozenset((*first, *(track_id for track_id, _ in self.others)))


class CanvasBoard(QObject):
    """The frame on screen with its shapes, the draft over them, and the way to change them.

    Only ``run`` changes the document; everything else is view state.
    """

    changed = Signal()  # something to paint differently
    message = Signal(str)
    failed = Signal(object)  # UserError
    clicked = Signal(object, bool)  # Point whose box is asked for; True for a new track
    added = Signal(object, bool)  # TrackId that got a drawn box; True where it is a new track
    placed = Signal(object, bool)  # PointId that a click or drag placed; True where it is new

    def __init__(self, selection: Selection, initiator: QObject) -> None:
        super().__init__(initiator)
        self.selection = selection
        self.viewport = Viewport()
        self.session: Session | None = None
        self.index: int | None = None
        self.shapes: list[Shape] = []
        self.attributes: tuple[Attribute, ...] = ()
        """Attributes whose values are shown after the names of objects."""
        self._book = ShapeBook()
        self._only: frozenset[TrackId] | None = None
        self.dots: list[Dot] = []
        self.draft: Draft | None = None
        self.hovered: TrackId | None = None
        self.hovered_dot: PointId | None = None
        self.forces_new = False
        self.is_looping = False
        self.new_label = QCoreApplication.translate("canvas", "object")

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in image pixels."""
        return (self.viewport.image_width, self.viewport.image_height)

    @property
    def can_edit(self) -> bool:
        return self.session is not None and self.index is not None and self.viewport.has_image

    @property
    def has_handles(self) -> bool:
        """Whether selected boxes can be resized: not in a submitted task or a read-only project."""
        return self.session is not None and not self.session.is_read_only

    @property
    def next_color(self) -> int:
        """The place in the object palette that the next new track takes."""
        return self.session.document.next_number() - 1 if self.session else 0

    def show_only(self, track_ids: frozenset[TrackId] | None) -> None:
        """Show these objects and no others; None for all."""
        if track_ids != self._only:
            self._only = track_ids
            self.refresh()

    def refresh(self) -> None:
        """Compute the shapes and points for exactly the frame on screen."""
        if self.session is None or self.index is None:
            self.shapes = []
        else:
            self.shapes = self._book.at(self.session, self.index)
        if self._only is not None:
            self.shapes = [shape for shape in self.shapes if shape.track_id in self._only]
        if self.session is not None and not self.session.has_tool(Tool.BOXES):
            self.shapes = [shape._replace(locked=True, given=True) for shape in self.shapes]
        if self.session is not None and self.attributes:
            self.shapes = [self._with_note(shape, self.session) for shape in self.shapes]
        if self.hovered is not None and find_shape(self.shapes, self.hovered) is None:
            self.hovered = None
        self.refresh_dots()

    def _with_note(self, shape: Shape, session: Session) -> Shape:
        track = session.document.find_track(shape.track_id)
        if track is None or self.index is None:
            return shape
        values = values_text(self.attributes, track.label, track.info.attributes, self.index)
        return shape._replace(note=values) if values else shape

    def refresh_dots(self) -> None:
        """Compute the points anew; the shapes are as they were."""
        if self.session is None or self.index is None:
            self.dots = []
        else:
            self.dots = dots_at(self.session, self.index)
            if not self.session.has_tool(Tool.POINTS):
                self.dots = [replace(dot, locked=True) for dot in self.dots]
        if find_dot(self.dots, self.hovered_dot) is None:
            self.hovered_dot = None
        self.changed.emit()

    def set_draft(self, draft: Draft | None) -> None:
        self.draft = draft
        self.changed.emit()

    def set_viewport(self, viewport: Viewport) -> None:
        self.viewport = viewport
        self.changed.emit()

    def hover(self, track: TrackId | None, point: PointId | None = None) -> None:
        if (track, point) != (self.hovered, self.hovered_dot):
            self.hovered, self.hovered_dot = track, point
            self.changed.emit()

    def dot_at(self, x: float, y: float) -> Dot | None:
        """Return the point under the cursor."""
        return hit_dot(self.dots, self.viewport, x, y, selected=self.selection.points)

    def hit_at(self, x: float, y: float) -> Target | None:
        selected = self.selection.tracks if self.has_handles else ()
        return hit(self.shapes, self.viewport, x, y, selected=selected)

    def shape_of(self, track: TrackId | None) -> Shape | None:
        return find_shape(self.shapes, track)

    def run(self, command: Command) -> bool:
        """Run a command; a refusal becomes a message.

        What the project file refuses (a full disk) is ``failed``: it must not go by unseen.
        """
        if self.session is None:
            return False
        try:
            self.session.run(command, initiator=self.parent())
        except NothingToDoError:
            return False
        except EditError as error:
            self.message.emit(str(error))
            return False
        except UserError as error:
            self.failed.emit(error)
            return False
        return True

    def place(self, placed: Sequence[tuple[Shape, Box]], *, merge_key: str | None = None) -> bool:
        """Fix the boxes of tracks on this frame, in one step.

        From a ghost the object comes back into view.
        """
        session = self.session
        if session is None or self.index is None or not placed:
            return False
        parts = tuple(_placing(session, shape, box, self.index) for shape, box in placed)
        return self.run(commands.Together(parts, self.index, merge_key))

    def moved_with(self, shape: Shape) -> list[Shape]:
        """Return the shapes that move when this one is moved: the selected ones, itself first.

        Those that are locked or out of view stay where they are.
        """
        chosen = set(self.selection.tracks)
        if shape.track_id not in chosen:
            return [shape]
        others = (s for s in self.shapes if s.track_id in chosen and s.track_id != shape.track_id)
        return [shape, *(s for s in others if s.is_present and not s.locked)]

    def accept(self, shape: Shape) -> bool:
        """Take a proposal over as the keyframe of this frame, an outdated one, too."""
        if self.index is None or shape.look is not ShapeStyle.PROPOSED:
            return False
        owner, box, occluded = shape.track_id, shape.box, shape.occluded
        return self.run(commands.SetKeyframe(owner, self.index, box, occluded, Source.ACCEPTED))

    def owner_of(self, *, force_new: bool) -> TrackId | None:
        """Return the track that a box drawn now belongs to: the one selected; None: a new one."""
        if force_new or self.forces_new:
            return None
        selected = self._selected_track()
        return selected.id if selected is not None else None

    def add(self, box: Box, *, force_new: bool = False) -> bool:
        """Take a newly drawn box into the document and select its track."""
        session = self.session
        if session is None or self.index is None:
            return False
        owner = self.owner_of(force_new=force_new)
        if owner is not None:
            is_applied = self.run(session.box_command(owner, self.index, box))
            if is_applied:
                self.selection.set_tracks([owner])
                self.added.emit(owner, False)
            return is_applied
        new = track_id()
        is_applied = self.run(commands.CreateTrack(new, self.new_label, self.index, box))
        if is_applied:
            self.selection.set_tracks([new])
            self.added.emit(new, True)
        return is_applied

    def drawing_hint(self, *, force_new: bool) -> str:
        """Return a short text about the effect of drawing a box now."""
        owner = self.owner_of(force_new=force_new)
        if owner is None:
            return QCoreApplication.translate("canvas", "New object “{name}”").format(
                name=self.new_label
            )
        shape = self.shape_of(owner)
        name = self._name_of(owner)
        if shape is not None and shape.look is ShapeStyle.GHOST:
            text = QCoreApplication.translate(
                "canvas", "Bring “{name}” back into view (Alt: new object)"
            )
        elif shape is not None:
            text = QCoreApplication.translate("canvas", "Redraw “{name}” (Alt: new object)")
        else:
            text = QCoreApplication.translate("canvas", "Start “{name}” here (Alt: new object)")
        return text.format(name=name)

    def _selected_track(self) -> Track | None:
        if self.session is None or len(self.selection.tracks) != 1:
            return None
        return self.session.document.find_track(self.selection.tracks[0])

    def _name_of(self, track: TrackId) -> str:
        found = self.session.document.find_track(track) if self.session else None
        return f"{found.label} {found.info.number}" if found else ""


def _placing(session: Session, shape: Shape, box: Box, frame: int) -> Command:
    if shape.look is ShapeStyle.GHOST:
        return session.outside_command(shape.track_id, frame, False, box=box)
    return session.box_command(shape.track_id, frame, box)
