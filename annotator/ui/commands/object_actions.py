"""Handlers of actions on objects: keyframes, flags, split and merge, tools, undo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.track import Track
from annotator.domain.commands import (
    Command,
    DeleteKeyframe,
    DeleteKeyframes,
    DeleteTracks,
    JoinTracks,
    SetKeyframe,
    SetTracks,
    SplitIntoChildren,
    SplitTrack,
    SwapTracks,
    ThinKeyframes,
    Together,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId, track_id
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.panels.attribute_fields import object_attributes
from annotator.ui.panels.objects_panel import ObjectsPanel
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.commands.playback_actions import Playback

_TOOLS: Final = {
    "tool.select": "select",
    "tool.box": "box",
    "tool.box-corners": "box-corners",
    "tool.box-extremes": "box-extremes",
    "tool.box-click": "box-click",
    "tool.point": "point",
}
_NUDGES: Final = {
    "box.move-left": (-1.0, 0.0, False),
    "box.move-right": (1.0, 0.0, False),
    "box.move-up": (0.0, -1.0, False),
    "box.move-down": (0.0, 1.0, False),
    "box.narrower": (-1.0, 0.0, True),
    "box.wider": (1.0, 0.0, True),
    "box.lower": (0.0, -1.0, True),
    "box.higher": (0.0, 1.0, True),
}


class ObjectActions(QObject):
    """Handlers of the menus Edit and Object. An edit acts on the frame on the screen."""

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        canvas: CanvasView,
        objects: ObjectsPanel,
        playback: Playback,
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._canvas = canvas
        self._objects = objects
        self._playback = playback
        self._connect_actions()
        canvas.tools.toolChanged.connect(self._on_tool_changed)
        canvas.trackCreated.connect(self._on_track_created)
        canvas.board.clicked.connect(self._on_clicked)
        self._on_tool_changed(canvas.tools.tool)
        table.set_checked("view.attributes", workspace.settings.flag("canvas.attributes"))
        table.on("view.attributes", self._toggle_attributes)
        workspace.settings.changed.add(self._on_setting_changed)
        workspace.stageChanged.connect(self._show_attributes)
        workspace.projectChanged.connect(self._show_attributes)
        self._show_attributes()

    def _connect_actions(self) -> None:
        on = self._table.on
        for action_id, tool in _TOOLS.items():
            on(action_id, partial(self._take_tool, tool))
        on("tool.again", self._canvas.tools.repeat_draw_tool)
        on("key.set", self._set_keyframe)
        on("key.delete", lambda: self._on_tracks(lambda t: DeleteKeyframe(t.id, self._here)))
        on("key.thin", self._thin)
        on("track.occluded", self.toggle_occluded)
        on("track.outside", self.toggle_outside)
        on("range.outside", self._outside_range)
        on("range.delete-keys", self._delete_range)
        on("track.rename", self._rename)
        on("track.split", self._split)
        on("track.join", self._join)
        on("track.swap", self._swap)
        on("track.children", self._split_into_children)
        on("track.hide", self._toggle_hidden)
        on("track.lock", self._toggle_locked)
        on("track.delete", self._delete)
        on("object.next", self._canvas.tools.next_object)
        on("object.previous", self._canvas.tools.previous_object)
        for action_id, (dx, dy, resize) in _NUDGES.items():
            on(action_id, partial(self._canvas.tools.nudge, dx, dy, resize=resize))
        on("edit.undo", self._undo)
        on("edit.redo", self._redo)
        on("edit.select-all", self._select_all)

    @Slot(object, bool)
    def _on_clicked(self, place: Point, is_new: bool) -> None:
        """Draw the box that a model finds around the clicked object."""
        from annotator.services.assist.box_fitting import box_at

        session, frame = self._workspace.session, self._here
        if session is None or session.video_path is None:
            return
        chosen = self._workspace.selection.tracks

        def done(box: Box | None) -> None:
            current = (self._workspace.session, self._here, self._workspace.selection.tracks)
            if current != (session, frame, chosen):
                return  # the person is somewhere else by now
            if box is None:
                self._workspace.message.emit(
                    self.tr("The model found no object here. Click its center.")
                )
            else:
                self._canvas.board.add(box, force_new=is_new)

        work = partial(box_at, session.video_path, session.table_bytes, frame, place)
        self._workspace.start_job(self.tr("Find box"), work, done)

    # Flags

    @Slot()
    def toggle_occluded(self) -> None:
        """Mark the selected objects occluded from this frame on, or not; the primary decides."""
        session, frame = self._workspace.session, self._here
        if session is not None and self._workspace.track is not None:
            value = not self._is_occluded()
            self._on_tracks(lambda each: session.occluded_command(each.id, frame, value))
        self._table.action("track.occluded").setChecked(self._is_occluded())

    @Slot()
    def toggle_outside(self) -> None:
        """Mark the selected objects out of view from this frame on, or back in the picture."""
        session, track, frame = self._workspace.session, self._workspace.track, self._here
        if session is None or track is None:
            return
        has_box = session.has_box(track.id, frame)
        self._on_tracks(lambda each: session.outside_command(each.id, frame, has_box))

    def _is_occluded(self) -> bool:
        session, track = self._workspace.session, self._workspace.track
        return (
            session is not None and track is not None and session.is_occluded(track.id, self._here)
        )

    def _proposed_box(self, track: Track, frame: int | None = None) -> Box | None:
        """Return the box that the canvas shows as a proposal on a frame, else on this one."""
        session, at = self._workspace.session, self._here if frame is None else frame
        proposed = session.shown_at(track.id, at) if session else None
        return proposed.box if proposed else None

    # Keyframes

    def _set_keyframe(self) -> None:
        """Fix the selected objects where they are shown; where the primary is, take that back."""
        session, track, frame = self._workspace.session, self._workspace.track, self._here
        if session is None or track is None:
            return
        deletes = self._proposed_box(track) is None and track.keyframe_at(frame) is not None

        def command(each: Track) -> Command:
            if deletes:
                return DeleteKeyframe(each.id, frame)
            return session.accept_command(each.id, frame) or SetKeyframe(each.id, frame)

        self._on_tracks(command)

    def _thin(self) -> None:
        from annotator.ui.dialogs.keyframe_reduction import ask_thinning

        tracks = self._workspace.tracks
        tolerance = ask_thinning(self._workspace, tracks, self._window()) if tracks else None
        if tolerance is not None:
            self._workspace.run(ThinKeyframes(self._ids(), tolerance, self._here))

    def _outside_range(self) -> None:
        session, span = self._workspace.session, self._workspace.range
        if session is None or span is None:
            return
        start, end = span
        self._on_tracks(lambda each: session.outside_command(each.id, start, True, end=end), start)

    def _delete_range(self) -> None:
        span = self._workspace.range
        if span is not None:
            self._on_tracks(lambda t: DeleteKeyframes(t.id, *span), span[0])

    # Tracks

    @property
    def _here(self) -> int:
        return self._workspace.frame

    def _toggle_attributes(self) -> None:
        is_on = self._table.action("view.attributes").isChecked()
        self._workspace.settings.set("canvas.attributes", is_on)

    def _on_setting_changed(self, key: str) -> None:
        if key == "canvas.attributes":
            self._table.set_checked("view.attributes", self._workspace.settings.flag(key))
            self._show_attributes()

    @Slot()
    def _show_attributes(self) -> None:
        """Show or hide attributes after the names of objects, by the settings."""
        is_on = self._workspace.settings.flag("canvas.attributes")
        found = object_attributes(self._workspace) if is_on else ()
        self._canvas.set_attributes(found)

    def _on_tracks(self, command: Callable[[Track], Command], frame: int | None = None) -> None:
        """Do the same to all selected objects, in one step; ``frame`` is where undo goes."""
        at = self._here if frame is None else frame
        tracks = self._workspace.tracks
        if tracks:
            self._workspace.run(Together(tuple(command(t) for t in tracks), at))

    def _rename(self) -> None:
        track = self._workspace.track
        if track is not None:
            self._objects.rename(track.id)

    def _pair(self) -> tuple[Track, Track] | None:
        """Return the two selected tracks, the one that began first in front."""
        tracks = self._workspace.tracks
        if len(tracks) != 2:
            return None
        first, second = sorted(tracks, key=lambda t: (t.first_frame or 0, t.info.number))
        return first, second

    def _join(self) -> None:
        pair = self._pair()
        if pair is not None:
            done = self._workspace.run(
                JoinTracks(pair[0].id, pair[1].id, frame=self._workspace.frame)
            )
            if done:
                self._workspace.selection.set_tracks([pair[0].id])

    def _swap(self) -> None:
        pair = self._pair()
        if pair is not None:
            self._workspace.run(SwapTracks(pair[0].id, pair[1].id, self._workspace.frame))

    def _split(self) -> None:
        track, frame = self._workspace.track, self._here
        if track is None:
            self._workspace.message.emit(self.tr("Select the object to split."))
            return
        box, before = self._proposed_box(track), self._proposed_box(track, frame - 1)
        self._workspace.run(SplitTrack(track.id, frame, track_id(), box, before))

    def _split_into_children(self) -> None:
        from annotator.ui.panels.children_dialog import ask_children

        track = self._workspace.track
        if track is None:
            return
        names = ask_children(self._workspace, track, self._window())
        if not names:
            return
        children = tuple((track_id(), name) for name in names)
        frame, box = self._workspace.frame, self._proposed_box(track)
        before = self._proposed_box(track, frame - 1)
        if self._workspace.run(SplitIntoChildren(track.id, frame, children, box, before)):
            self._workspace.selection.set_tracks(child for child, _ in children)

    def _toggle_hidden(self) -> None:
        is_hidden = not all(t.info.is_hidden for t in self._workspace.tracks)
        self._workspace.run(SetTracks(self._ids(), is_hidden=is_hidden))

    def _toggle_locked(self) -> None:
        is_locked = not all(t.info.is_locked for t in self._workspace.tracks)
        self._workspace.run(SetTracks(self._ids(), is_locked=is_locked))

    def _delete(self) -> None:
        ids = self._ids()
        if ids:
            self._workspace.run(DeleteTracks(ids, frame=self._workspace.frame))

    def _ids(self) -> tuple[TrackId, ...]:
        return tuple(t.id for t in self._workspace.tracks)

    def _select_all(self) -> None:
        session = self._workspace.session
        if session is not None:
            self._workspace.selection.set_tracks(t.id for t in session.document.tracks)

    # Undo

    def _undo(self) -> None:
        if self._canvas.tools.is_busy:
            # The shape in the making goes first; nothing that is saved is touched.
            self._canvas.undo_step()
            return
        session = self._workspace.session
        if session is not None:
            self._show(session.undo())

    def _redo(self) -> None:
        session = self._workspace.session
        if session is not None and not self._canvas.tools.is_busy:
            self._show(session.redo())

    def _show(self, changes: ChangeSet | None) -> None:
        """Go to the place of an edit and select its targets."""
        session = self._workspace.session
        if changes is None or session is None:
            return
        if changes.frame is not None and changes.frame < self._workspace.n_frames:
            self._playback.seek(changes.frame)
        alive = [t for t in changes.track_ids if session.document.find_track(t) is not None]
        if alive:
            self._workspace.selection.set_tracks(sorted(alive))
        points = [p for i in changes.point_ids if (p := session.document.find_point(i))]
        if points:
            owner = points[-1].info.track_id
            ids = sorted(p.id for p in points if p.info.track_id == owner)
            self._workspace.selection.set_points(owner, ids)

    # Tools

    def _take_tool(self, tool: str) -> None:
        self._canvas.tools.set_tool(tool)
        self._canvas.setFocus()
        self._on_tool_changed(self._canvas.tools.tool)

    @Slot(str)
    def _on_tool_changed(self, tool: str) -> None:
        for action_id, name in _TOOLS.items():
            self._table.set_checked(action_id, name == tool)

    @Slot(object)
    def _on_track_created(self, new: TrackId) -> None:
        if self._workspace.settings.flag("objects.ask_name") and self._objects.rename(new):
            return
        keys = self._table.keymap.keys("track.rename")
        if keys:
            self._workspace.message.emit(
                self.tr("Object created. Press {key} to name it.").format(key=keys[0])
            )

    def _window(self) -> QWidget:
        return self._canvas.window()
