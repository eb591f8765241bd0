"""Gallery: the proposals of an object or a point on many frames, checked and corrected at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, sqrt
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.commands import Command, Together
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.recipes.recipe import Tool
from annotator.services.playback.thumbnails import Stills, Thumb
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.table import ActionTable
from annotator.ui.dialogs.frame_tile import FrameTile, TileKind
from annotator.ui.dialogs.gallery_content import GalleryContent, ObjectGallery, PointGallery
from annotator.ui.look.texts import counted, time_text
from annotator.ui.look.widgets import plain, size_to_screen
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.session import RunsChanged

_MOST_COLUMNS: Final = 4
_PER_PAGE: Final = 12
_OPEN: Final = (TileKind.PROPOSAL, TileKind.UNSEEN)  # can be accepted
_DONE: Final = (TileKind.KEYFRAME, TileKind.CHECKED)
_SIZE: Final = QSize(1240, 780)


class ProposalGallery(QDialog):
    """Shows frames of the selected point, or else of the selected object, that need a look.

    Follows the selection of the window. ``opened`` asks the window for a frame.
    """

    opened = Signal(int)
    seen = Signal(object, int)  # TrackId, frame: it was looked at as it is now

    def __init__(
        self, workspace: Workspace, table: ActionTable, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Proposal gallery"))
        self._workspace = workspace
        self._table = table
        self._content: GalleryContent | None = None
        self._seen: set[int] = set()
        self._finished: set[int] = set()
        self.tiles: dict[int, FrameTile] = {}
        self._is_last_page = False
        self._is_tracked = False  # as it was when the tiles were written
        self._columns = 1
        self._stills: Stills | None = None
        self._build()
        self._connect()
        size_to_screen(self, _SIZE)
        self._follow_stage()

    def _build(self) -> None:
        self.head = plain(QLabel())
        font = self.head.font()
        font.setBold(True)
        self.head.setFont(font)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        self.empty = plain(QLabel())
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.next_object = QPushButton(self.tr("Next object"))
        self.skip = QPushButton(self.tr("Skip these frames"))
        self.accept_all = QPushButton(self.tr("Accept all other proposals"))
        self.close_gallery = QPushButton(self.tr("Close"))
        self.accept_page = QPushButton()
        for button in (self.next_object, self.skip, self.accept_all, self.close_gallery):
            button.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.next_object)
        buttons.addStretch(1)
        for button in (self.skip, self.accept_all, self.accept_page, self.close_gallery):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addWidget(self.head)
        layout.addWidget(self.word)
        layout.addLayout(self._grid, 1)
        layout.addWidget(self.empty, 1)
        layout.addLayout(buttons)

    def _connect(self) -> None:
        self.accept_page.clicked.connect(self._accept_shown)
        self.skip.clicked.connect(self._turn)
        self.accept_all.clicked.connect(self._accept_rest)
        self.next_object.clicked.connect(self._show_next)
        self.close_gallery.clicked.connect(self.close)
        workspace = self._workspace
        workspace.stageChanged.connect(self._follow_stage)
        workspace.stageLeaving.connect(self._leave)
        workspace.selection.changed.connect(self._follow_selection)
        workspace.edited.connect(self._on_edited)
        workspace.bridge.runsChanged.connect(self._on_runs_changed)
        workspace.message.connect(self.word.setText)  # the status bar is behind the gallery
        keys = self._table.keymap.keys
        acts: dict[str, Callable[[], None]] = {
            "track.outside": self._toggle_outside,
            "track.occluded": self._toggle_occluded,
            "edit.undo": partial(self._table.run, "edit.undo"),
            "edit.redo": partial(self._table.run, "edit.redo"),
        }
        for action_id, act in acts.items():
            for key in keys(action_id):
                QShortcut(QKeySequence(key), self, act)

    # What is shown

    @property
    def _current(self) -> GalleryContent | None:
        """The object or the point, unless it was deleted."""
        content = self._content
        return content if content is not None and content.is_there else None

    @Slot()
    def _follow_stage(self) -> None:
        self._content = None
        self._take_tiles_off()
        session = self._workspace.session
        if session is None or session.video_path is None or session.table_bytes is None:
            self.close()
            return
        self._stills = Stills(
            session.video_path,
            session.table_bytes,
            jobs=self._workspace.jobs,
            post=self._workspace.bridge.post,
        )
        self._stills.arrived.add(self._on_still)
        self._stills.failed.add(self._on_failed)
        self._follow_selection()

    @Slot()
    def _leave(self) -> None:
        if self._stills is not None:
            self._stills.close()
            self._stills = None

    @Slot()
    def _follow_selection(self) -> None:
        new, old = self._selected(), self._content
        if new is None or old is None or new.owner_id != old.owner_id:
            self._note_seen()
            self._seen.clear()
            self._finished.clear()
        elif self.tiles:
            return
        self._content = new
        self._turn()

    def _selected(self) -> GalleryContent | None:
        workspace = self._workspace
        session, point, track = workspace.session, workspace.point, workspace.track
        if session is None:
            return None
        if point is not None:
            return PointGallery(session, point.id) if workspace.may_change(Tool.POINTS) else None
        if track is not None and workspace.may_change(Tool.BOXES):
            return ObjectGallery(session, track.id, workspace.tolerance)
        return None

    def _siblings(self) -> list[GalleryContent]:
        """Return the other objects of the video, or points: first those after the present one."""
        content, session = self._current, self._workspace.session
        if content is None or session is None:
            return []
        document, tolerance = session.document, self._workspace.tolerance
        all_of_kind: list[GalleryContent] = (
            [PointGallery(session, point.id) for point in document.points]
            if content.takes_points
            else [ObjectGallery(session, track.id, tolerance) for track in document.tracks]
        )
        at = [one.owner_id for one in all_of_kind].index(content.owner_id)
        return all_of_kind[at + 1 :] + all_of_kind[:at]

    def _next_unfinished(self) -> GalleryContent | None:
        """Return the next object or point that needs a look, on whatever frame it is."""
        for one in self._siblings():
            if not one.is_locked and (one.n_left(()) or one.has_proposals):
                return one
        return None

    @Slot()
    def _show_next(self) -> None:
        following = self._next_unfinished() or next(iter(self._siblings()), None)
        if following is not None:
            following.select(self._workspace.selection)

    def _note_seen(self) -> None:
        """Tell that the frames of the gallery were looked at, and take them off."""
        content = self._content
        for frame, tile in self.tiles.items():
            if isinstance(content, ObjectGallery) and tile.still is not None:
                self.seen.emit(content.owner_id, frame)
            if tile.content.kind in _DONE:
                self._finished.add(frame)
        self._take_tiles_off()

    def _take_tiles_off(self) -> None:
        for tile in self.tiles.values():
            self._grid.removeWidget(tile)
            tile.deleteLater()
        self.tiles = {}

    @Slot()
    def _turn(self) -> None:
        """Show the next frames."""
        self._note_seen()
        content = self._current
        if content is not None and not content.is_locked:
            frames = content.next_frames(self._seen, _PER_PAGE)
            self._seen.update(frames)
            self._is_last_page = len(frames) < _PER_PAGE and not content.n_left(self._seen)
            self._place(content, frames)
        self._refresh()

    def _place(self, content: GalleryContent, frames: Sequence[int]) -> None:
        """Put up a tile for each frame, and request their pictures."""
        session = self._workspace.session
        if session is None:
            return
        size = session.document.video.width, session.document.video.height
        self._columns = min(_MOST_COLUMNS, max(1, ceil(sqrt(len(frames)))))
        for i, frame in enumerate(frames):
            tile = FrameTile(
                self._workspace.hub,
                frame,
                size,
                content.color,
                takes_points=content.takes_points,
            )
            tile.drawn.connect(self._on_drawn)
            tile.opened.connect(self._on_opened)
            tile.stepped.connect(self._step)
            self._grid.addWidget(tile, *divmod(i, self._columns))
            self.tiles[frame] = tile
        for place in range(_MOST_COLUMNS):
            is_used = place < self._columns, place * self._columns < len(frames)
            self._grid.setColumnStretch(place, int(is_used[0]))
            self._grid.setRowStretch(place, int(is_used[1]))
        if self._stills is not None:
            self._stills.request(frames)
        if frames:
            self.tiles[frames[0]].setFocus()

    def follow_tracking(self) -> None:
        """Tell which frames wait for a tracker: called when one begins, proceeds or ends."""
        if self._is_being_tracked() != self._is_tracked:
            self._refresh()

    def _refresh(self, span: tuple[int, int] | None = None) -> None:
        """Show what stands now on the frames of a half-open span, or on all."""
        content = self._current
        if self._is_being_tracked() != self._is_tracked:
            self._is_tracked, span = not self._is_tracked, None
        if content is None:
            self._note_seen()
        else:
            for frame, tile in self.tiles.items():
                if span is None or span[0] <= frame < span[1]:
                    shown_now = content.tile(frame)
                    is_waiting = self._is_tracked and shown_now.kind is TileKind.INTERPOLATED
                    text = self.tr("Not tracked yet") if is_waiting else shown_now.caption
                    caption = f"{self._place_in_video(frame)} · {text}"
                    tile.set_content(replace(shown_now, caption=caption))
        self._show_words()

    def _place_in_video(self, frame: int) -> str:
        times = self._workspace.stage.times if self._workspace.stage is not None else ()
        where = self.tr("Frame {n}").format(n=frame)
        return f"{where} · {time_text(float(times[frame]))}" if frame < len(times) else where

    def _show_words(self) -> None:
        content, has_tiles = self._current, bool(self.tiles)
        # Proposals are counted only where no frame is left: of long videos that takes a moment.
        has_rest = content is not None and not has_tiles and content.has_proposals
        n_ready, is_done = len(self._ready()), self._is_done()
        self.accept_page.setText(self._accept_text(n_ready, is_done))
        self.accept_page.setEnabled(is_done or n_ready > 0)
        for part in (self.accept_page, self.skip, self.word):
            part.setVisible(has_tiles)
        self.skip.setVisible(has_tiles and not is_done)
        self.accept_all.setVisible(has_rest)
        # Enter leads on: to the next frames, to the next object, and out of the gallery.
        is_last = not has_tiles and self._next_unfinished() is None
        self.close_gallery.setVisible(is_last)
        self.next_object.setVisible(bool(self._siblings()))
        default = self.close_gallery if is_last else self.next_object
        if has_tiles or has_rest:
            default = self.accept_page if has_tiles else self.accept_all
        default.setDefault(True)
        self.empty.setVisible(not has_tiles)
        is_point = content is not None and content.takes_points
        self.next_object.setText(self.tr("Next point") if is_point else self.tr("Next object"))
        if content is None:
            self.head.setText(self.tr("No object selected"))
            self.empty.setText(self.tr("Select an object with proposals in the window."))
            return
        self.head.setText(content.title)
        progress = content.progress(self._seen, self.tiles.keys())
        self.word.setText(f"{self._with_keys(content.instructions)} {progress}".strip())
        if not has_tiles:
            self.empty.setText(content.nothing_to_do)

    def _accept_text(self, n_ready: int, is_done: bool) -> str:
        if self._ends_here():
            return self.tr("Accept all proposals")
        if is_done:
            return self.tr("Next frames")
        return counted(n_ready, self.tr("Accept {n} frame"), self.tr("Accept {n} frames"))

    def _with_keys(self, text: str) -> str:
        keys = self._table.keymap.keys
        first = {name: next(iter(keys(name)), "") for name in ("track.outside", "track.occluded")}
        return text.format(
            outside=shown(first["track.outside"]), occluded=shown(first["track.occluded"])
        )

    # Pictures

    def _on_still(self, still: Thumb) -> None:
        if still.frame in self.tiles:
            self.tiles[still.frame].set_still(still)
            self._show_words()

    def _on_failed(self, error: UserError) -> None:
        self._workspace.failed.emit(error)

    # Acts

    def _ready(self) -> list[int]:
        """Return the frames of the gallery with a proposal that is up to date and can be seen."""
        return [
            frame
            for frame, tile in self.tiles.items()
            if tile.content.kind in _OPEN and tile.still is not None
        ]

    def _is_done(self) -> bool:
        """Return whether no frame of the gallery needs to be accepted."""
        return self._n_done() == len(self.tiles)

    def _n_done(self) -> int:
        return sum(tile.content.kind in _DONE for tile in self.tiles.values())

    def _ends_here(self) -> bool:
        """Return whether all frames that needed a look can be seen now or were seen before.

        Accepting all proposals then acts on this object or point alone.
        """
        selection = self._workspace.selection
        if not self._is_last_page or self._is_being_tracked():
            return False
        is_alone = len(selection.points or selection.tracks) == 1
        kinds = {tile.content.kind for tile in self.tiles.values()}
        is_ready = len(self._ready()) + self._n_done() == len(self.tiles) > 0
        return is_alone and is_ready and TileKind.UNSEEN not in kinds

    def _is_being_tracked(self) -> bool:
        """Return whether a tracker is at work on the selected object or its points."""
        stage, track = self._workspace.stage, self._workspace.track
        if stage is None or stage.proposing is None:
            return False
        status = stage.proposing.status
        is_another = track is not None and status.track_id not in (None, track.id)
        return status.is_busy and not is_another

    @Slot()
    def _accept_shown(self) -> None:
        """Accept the proposals of the gallery, and show the next frames when none is left.

        Frames whose picture or proposal is still to come stay. Where no other frame needs a look,
        all proposals are accepted.
        """
        content = self._current
        if content is None:
            return
        if self._ends_here() and not content.next_frames(self._seen, _PER_PAGE):
            self._finished.update(self.tiles)
            self._note_seen()
            self._accept_rest()
            return
        frames = self._ready()
        commands = content.accept(frames) if frames else []
        if commands:
            self._workspace.run(Together(tuple(commands), self._workspace.frame))
        if self._is_done():
            self._turn()

    @Slot()
    def _accept_rest(self) -> None:
        self._table.run("proposal.accept-all")
        self._refresh()

    @Slot(int, object)
    def _on_drawn(self, frame: int, shape: Box | Point) -> None:
        self._act(frame, lambda content: content.draw(frame, shape))

    @Slot(int)
    def _on_opened(self, frame: int) -> None:
        self.opened.emit(frame)
        self.close()

    @Slot()
    def _toggle_outside(self) -> None:
        frame = self._focused_frame()
        self._act(frame, lambda content: content.toggle_outside(frame))

    @Slot()
    def _toggle_occluded(self) -> None:
        frame = self._focused_frame()
        self._act(frame, lambda content: content.toggle_occluded(frame))

    def _focused_frame(self) -> int:
        """Return the frame of the tile with the focus; -1 for none."""
        tile = self.focusWidget()
        return tile.frame if isinstance(tile, FrameTile) else -1

    def _act(self, frame: int, command: Callable[[GalleryContent], Command]) -> None:
        content = self._current
        if content is not None and frame >= 0:
            self._workspace.run(command(content))

    @Slot(int, int, int)
    def _step(self, frame: int, columns: int, rows: int) -> None:
        frames = list(self.tiles)
        to = frames.index(frame) + columns + rows * self._columns
        if 0 <= to < len(frames):
            self.tiles[frames[to]].setFocus()

    # News

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        content = self._content
        if content is None or not content.is_changed_by(changes):
            return
        if changes.is_undone and content.is_there:
            # What was accepted or drawn before, and is no longer, is to be shown again.
            turned = self._finished - self.tiles.keys()
            self._seen -= {frame for frame in turned if content.tile(frame).kind not in _DONE}
        if self.tiles:
            self._refresh()
        else:
            self._turn()

    @Slot(object)
    def _on_runs_changed(self, changed: RunsChanged) -> None:
        if self._content is None or changed.owner_id != self._content.owner_id:
            return
        if self.tiles:
            self._refresh((changed.start, changed.end))
        else:
            self._turn()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)
