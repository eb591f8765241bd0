"""Contact gallery: the proposals of one object on many frames, to check and to correct at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

from annotator.domain.annotation.changes import ChangeSet, KeyframeKey
from annotator.domain.annotation.track import Track, unchecked_grid_frames
from annotator.domain.commands import Command, SetKeyframe, SetOccluded
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId
from annotator.domain.proposals.gallery import next_frames
from annotator.services.playback.thumbnails import Stills, Thumb
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.table import ActionTable
from annotator.ui.dialogs.frame_tile import FrameTile, TileContent, TileKind
from annotator.ui.look.texts import counted, time_text
from annotator.ui.look.widgets import plain, size_to_screen
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.session import RunsChanged, Session

_MOST_COLUMNS: Final = 4
_PER_PAGE: Final = 12
_OPEN: Final = (TileKind.PROPOSAL, TileKind.UNSEEN)  # can be accepted
_DONE: Final = (TileKind.KEYFRAME, TileKind.CHECKED)
_SIZE: Final = QSize(1240, 780)


class ProposalGallery(QDialog):
    """Shows the unchecked grid frames of the selected object, then those of low confidence.

    Follows the selection of the window. ``accept`` takes over the proposals of frames as they are;
    ``opened`` asks the window for a frame.
    """

    opened = Signal(int)
    seen = Signal(object, int)  # TrackId, frame: it was looked at as it is now

    def __init__(
        self,
        workspace: Workspace,
        table: ActionTable,
        accept: Callable[[Track, Sequence[int]], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Proposal gallery"))
        self._workspace = workspace
        self._table = table
        self._accept = accept
        self._track_id: TrackId | None = None
        self._seen: set[int] = set()
        self.tiles: dict[int, FrameTile] = {}
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
        self.accept_page = QPushButton()
        self.accept_page.setDefault(True)
        for button in (self.next_object, self.skip, self.accept_all):
            button.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.next_object)
        buttons.addStretch(1)
        for button in (self.skip, self.accept_all, self.accept_page):
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
        self.next_object.clicked.connect(partial(self._table.run, "object.next"))
        workspace = self._workspace
        workspace.stageChanged.connect(self._follow_stage)
        workspace.stageLeaving.connect(self._leave)
        workspace.selection.changed.connect(self._follow_selection)
        workspace.edited.connect(self._on_edited)
        workspace.bridge.runsChanged.connect(self._on_runs_changed)
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
    def _session(self) -> Session | None:
        return self._workspace.session

    @property
    def _track(self) -> Track | None:
        session = self._session
        if session is None or self._track_id is None:
            return None
        return session.document.find_track(self._track_id)

    @Slot()
    def _follow_stage(self) -> None:
        session = self._session
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
        self._track_id = None
        self._follow_selection()

    @Slot()
    def _leave(self) -> None:
        if self._stills is not None:
            self._stills.close()
            self._stills = None

    @Slot()
    def _follow_selection(self) -> None:
        track = self._workspace.track
        track_id = track.id if track is not None else None
        if track_id != self._track_id:
            self._note_seen()
            self._seen.clear()
        elif self.tiles:
            return
        self._track_id = track_id
        self._turn()

    def _note_seen(self) -> None:
        """Tell that the frames of the gallery were looked at, and take them off."""
        for frame, tile in self.tiles.items():
            if self._track_id is not None and tile.still is not None:
                self.seen.emit(self._track_id, frame)
            self._grid.removeWidget(tile)
            tile.deleteLater()
        self.tiles = {}

    @Slot()
    def _turn(self) -> None:
        """Show the next frames."""
        self._note_seen()
        session, track = self._session, self._track
        frames: list[int] = []
        if session is not None and track is not None and not track.info.is_locked:
            video = session.document.video
            frames = next_frames(
                track,
                session.pending(track.id),
                grid_step=video.grid_step,
                n_frames=video.n_frames,
                seen=self._seen,
                limit=_PER_PAGE,
            )
        self._seen.update(frames)
        self._place(frames)
        self._refresh()

    def _place(self, frames: Sequence[int]) -> None:
        """Put up a tile for each frame, and request their pictures."""
        session, track = self._session, self._track
        if session is None or track is None:
            return
        size = session.document.video.width, session.document.video.height
        self._columns = min(_MOST_COLUMNS, max(1, ceil(sqrt(len(frames)))))
        for i, frame in enumerate(frames):
            tile = FrameTile(self._workspace.hub, frame, size, track.info.color)
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

    def _refresh(self, span: tuple[int, int] | None = None) -> None:
        """Show the object as it is now, on the frames of a half-open span or on all."""
        session, track = self._session, self._track
        if session is None or track is None:
            self._note_seen()
            self._show_words(None)
            return
        for frame, tile in self.tiles.items():
            if span is None or span[0] <= frame < span[1]:
                tile.set_content(self._content(session, track, frame))
        self._show_words(track)

    def _content(self, session: Session, track: Track, frame: int) -> TileContent:
        state = track.state_at(frame)
        suggestion = session.suggestion_at(track.id, frame)
        times = self._workspace.stage.times if self._workspace.stage is not None else ()
        where = self.tr("Frame {n}").format(n=frame)
        if frame < len(times):
            where = f"{where} · {time_text(float(times[frame]))}"
        if suggestion is not None:
            proposed, is_outdated = suggestion
            sure = self.tr("{percent:.0f}% confidence").format(percent=proposed.confidence * 100)
            kind = TileKind.OUTDATED if is_outdated else TileKind.PROPOSAL
            last = session.suggestion_at(track.id, frame - 1)
            near = proposed.box or (last[0].box if last is not None else None) or state.ghost
            notice = self._notice(proposed.box, proposed.occluded)
            caption = self.tr("Outdated") if is_outdated else sure
            return TileContent(
                proposed.box, near, kind, proposed.occluded, f"{where} · {caption}", notice
            )
        kind, caption = self._state_of(track, frame)
        notice = self._notice(state.box, state.occluded)
        near = state.box or state.ghost
        return TileContent(state.box, near, kind, state.occluded, f"{where} · {caption}", notice)

    def _state_of(self, track: Track, frame: int) -> tuple[TileKind, str]:
        """Return what stands on a frame without proposal, and the words for it."""
        lower = track.keyframe_at(frame) or track.keyframe_before(frame)
        if lower is not None and lower.frame == frame:
            return TileKind.KEYFRAME, self.tr("Keyframe")
        if frame in track.unseen:
            return TileKind.UNSEEN, self.tr("Accepted, not seen yet")
        if lower is not None and lower.settled:
            return TileKind.CHECKED, self.tr("Checked")
        return TileKind.INTERPOLATED, self.tr("No proposal")

    def _notice(self, box: Box | None, is_occluded: bool) -> str:
        if box is None:
            return self.tr("Out of view")
        return self.tr("Occluded") if is_occluded else ""

    def _show_words(self, track: Track | None) -> None:
        session, has_tiles = self._session, bool(self.tiles)
        has_rest = session is not None and track is not None and bool(session.pending(track.id))
        n_ready, is_done = len(self._ready()), self._is_done()
        text = counted(n_ready, self.tr("Accept {n} frame"), self.tr("Accept {n} frames"))
        self.accept_page.setText(self.tr("Next frames") if is_done else text)
        self.accept_page.setEnabled(is_done or n_ready > 0)
        for part in (self.accept_page, self.skip, self.word):
            part.setVisible(has_tiles)
        self.skip.setVisible(has_tiles and not is_done)
        self.accept_all.setVisible(has_rest and not has_tiles)
        (self.accept_page if has_tiles else self.accept_all).setDefault(True)
        self.empty.setVisible(not has_tiles)
        if session is None or track is None:
            self.head.setText(self.tr("No object selected"))
            self.empty.setText(self.tr("Select an object with proposals in the window."))
            return
        self.head.setText(f"{track.label} {track.info.number}")
        self.word.setText(f"{self._what_to_do()} {self._left_text(session, track)}".strip())
        if track.info.is_locked:
            self.empty.setText(self.tr("The object is locked."))
        elif has_rest:
            self.empty.setText(
                self.tr(
                    "You have seen all frames that need a look. Accept the other proposals, or "
                    "continue with the next object."
                )
            )
        else:
            self.empty.setText(self.tr("This object has no proposals."))

    def _what_to_do(self) -> str:
        keys = self._table.keymap.keys
        text = self.tr(
            "Drag on a frame to draw the box again. “{outside}” marks the object as out of view, "
            "“{occluded}” as occluded. A double-click opens the frame in the window."
        )
        first = {name: next(iter(keys(name)), "") for name in ("track.outside", "track.occluded")}
        return text.format(
            outside=shown(first["track.outside"]), occluded=shown(first["track.occluded"])
        )

    def _left_text(self, session: Session, track: Track) -> str:
        video = session.document.video
        grid = unchecked_grid_frames(track, step=video.grid_step, n_frames=video.n_frames)
        n_left = len([frame for frame in grid if frame not in self._seen])
        if n_left:
            one = self.tr("{n} more grid frame follows.")
            return counted(n_left, one, self.tr("{n} more grid frames follow."))
        is_off_grid = not any(frame % max(1, video.grid_step) == 0 for frame in self.tiles)
        return self.tr("These are the frames with the lowest confidence.") if is_off_grid else ""

    # Pictures

    def _on_still(self, still: Thumb) -> None:
        if still.frame in self.tiles:
            self.tiles[still.frame].set_still(still)
            self._show_words(self._track)

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
        return all(tile.content.kind in _DONE for tile in self.tiles.values())

    @Slot()
    def _accept_shown(self) -> None:
        """Accept the proposals of the gallery, and show the next frames when none is left.

        Frames whose picture or proposal is still to come stay.
        """
        track, frames = self._track, self._ready()
        if track is not None and frames:
            self._accept(track, frames)
        if self._is_done():
            self._turn()

    @Slot()
    def _accept_rest(self) -> None:
        self._table.run("proposal.accept-all")
        self._refresh()

    @Slot(int, object)
    def _on_drawn(self, frame: int, box: Box) -> None:
        track = self._track
        if track is not None:
            self._workspace.run(SetKeyframe(track.id, frame, box))

    @Slot(int)
    def _on_opened(self, frame: int) -> None:
        self.opened.emit(frame)
        self.close()

    @Slot()
    def _toggle_outside(self) -> None:
        self._on_focused(
            lambda session, track, frame: session.outside_command(
                track.id, frame, session.has_box(track.id, frame)
            )
        )

    @Slot()
    def _toggle_occluded(self) -> None:
        def command(session: Session, track: Track, frame: int) -> Command:
            proposed = session.pending_at(track.id, frame)
            is_now = proposed.occluded if proposed else track.state_at(frame).occluded
            return SetOccluded(track.id, frame, not is_now, box=proposed.box if proposed else None)

        self._on_focused(command)

    def _on_focused(self, command: Callable[[Session, Track, int], Command]) -> None:
        """Act on the frame of the tile with the focus."""
        session, track, tile = self._session, self._track, self.focusWidget()
        if session is not None and track is not None and isinstance(tile, FrameTile):
            self._workspace.run(command(session, track, tile.frame))

    @Slot(int, int, int)
    def _step(self, frame: int, columns: int, rows: int) -> None:
        frames = list(self.tiles)
        to = frames.index(frame) + columns + rows * self._columns
        if 0 <= to < len(frames):
            self.tiles[frames[to]].setFocus()

    # News

    @Slot(object)
    def _on_edited(self, changes: ChangeSet) -> None:
        if self._track_id not in changes.track_ids:
            return
        if changes.is_undone:
            keys = (c.id for c in changes.changes if isinstance(c.id, KeyframeKey))
            self._seen.difference_update({key.frame for key in keys} - set(self.tiles))
        if self.tiles:
            self._refresh()
        else:
            self._turn()

    @Slot(object)
    def _on_runs_changed(self, changed: RunsChanged) -> None:
        if changed.owner_id != self._track_id:
            return
        if self.tiles:
            self._refresh((changed.start, changed.end))
        else:
            self._turn()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._leave()
        super().closeEvent(event)
