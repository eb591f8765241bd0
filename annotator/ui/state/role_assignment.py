"""Assignment of objects to the roles of an action: a role waits for the next object clicked."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import ClearSlot, SetSlot
from annotator.domain.ids import SegmentId, TrackId
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.look.texts import role_word
from annotator.ui.state.workspace import Workspace


class SlotFilling(QObject):
    """Holds the role that waits. The next object selected, in picture or list, takes it."""

    armedChanged = Signal()

    _chosen = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._armed: tuple[SegmentId, int] | None = None
        # A click is still being dealt with when it selects: the edit comes after it, and before
        # the window is painted.
        self._chosen.connect(self._take_selected, Qt.ConnectionType.QueuedConnection)
        workspace.selection.changed.connect(self._on_selection_changed)
        workspace.stageChanged.connect(self.disarm)

    @property
    def armed(self) -> int | None:
        """The role that waits for an object, counted from 0."""
        return self._armed[1] if self._armed is not None else None

    def arm(self, slot: int) -> None:
        """Let a role of the selected segment wait for the object that is clicked next."""
        segment = self._workspace.segment
        if segment is None or not self._workspace.may_change(TOOL_OF[segment.lane]):
            return
        n_slots = self.count(segment)
        if not 0 <= slot < n_slots:
            text = self.tr("This action has no role {n}.").format(n=slot + 1)
            self._workspace.message.emit(text)
            return
        # So that the object selected now can be chosen as well.
        self._workspace.selection.set_tracks(())
        self._workspace.selection.set_segment(segment.id)
        self._armed = (segment.id, slot)
        word = role_word(self._workspace.labels.of(segment), slot)
        text = self.tr("Click the object for role {n} ({word}) in the video or in the list")
        text = text.format(n=slot + 1, word=word)
        self._workspace.set_hint(text + self.tr(" · 0: not annotated · Esc: cancel"))
        self.armedChanged.emit()

    @Slot()
    def disarm(self) -> bool:
        """Wait no more; False when no role was waiting."""
        was_armed = self._armed is not None
        self._armed = None
        if was_armed:
            self._workspace.set_hint("")
            self.armedChanged.emit()
        return was_armed

    def set_not_annotated(self) -> None:
        """Say that the object of the waiting role, or of the first open one, has no track."""
        segment = self._workspace.segment
        if segment is None:
            return
        slot = segment.first_open if self.armed is None else self.armed
        self.disarm()
        if slot >= self.count(segment):
            self._workspace.message.emit(
                self.tr("All roles are filled. Select a role by its digit first.")
            )
            return
        self._fill(segment.id, slot, None)

    def choose(self, slot: int, track: TrackId | None) -> None:
        """Fill a role of the selected segment; None says that its object has no track."""
        segment = self._workspace.segment
        self.disarm()
        if segment is not None:
            self._fill(segment.id, slot, track)

    def clear(self, slot: int) -> None:
        """Leave a role of the selected segment open again."""
        segment = self._workspace.segment
        self.disarm()
        if segment is not None:
            self._workspace.run(ClearSlot(segment.id, slot, frame=self._workspace.frame))

    def count(self, segment: Segment) -> int:
        """Return how many roles a segment can have; a sound always has room for one more."""
        label = self._workspace.labels.of(segment)
        known = len(label.slots) if label is not None else 0
        room = len(segment.slots) + (segment.lane is Lane.SOUND)
        return min(9, max(known, room))

    def _fill(self, segment: SegmentId, slot: int, track: TrackId | None) -> None:
        self._workspace.run(SetSlot(segment, slot, track, frame=self._workspace.frame))
        self._workspace.selection.set_segment(segment)

    @Slot()
    def _on_selection_changed(self) -> None:
        if self._armed is None:
            return
        selection = self._workspace.selection
        if selection.segment != self._armed[0]:
            # A click beside everything clears the segment too: the role waits on.
            if selection.segment is None and self._workspace.session is not None:
                known = self._workspace.session.document.find_segment(self._armed[0])
                if known is not None and not selection.tracks:
                    selection.set_segment(known.id)
                    return
            if selection.primary is None:
                self.disarm()
                return
        if selection.primary is not None:
            self._chosen.emit()

    @Slot()
    def _take_selected(self) -> None:
        armed, track = self._armed, self._workspace.selection.primary
        if armed is None or track is None:
            return
        self.disarm()
        self._fill(*armed, track)
