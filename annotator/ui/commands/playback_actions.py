"""Playback and navigation: the player's clock, the pictures it asks for, and the keys for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from annotator.domain.annotation.track import Source
from annotator.media.values import Picture, PictureRequest
from annotator.ui.actions.table import ActionTable
from annotator.ui.bars.transport import SPEEDS
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.playback.player import Player, PlayerState

_TICK_MS: Final = 8
_AHEAD_S: Final = 0.008
"""Half a tick, and what a picture takes from the decode thread to the screen."""


class Playback(QObject):
    """Drives the player of the stage; the canvas shows the requested frames.

    ``is_key_held`` tells whether K is down, which turns J and L into single steps.
    """

    def __init__(
        self,
        workspace: Workspace,
        canvas: CanvasView,
        table: ActionTable,
        is_key_held: Callable[[Qt.Key], bool],
    ) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._canvas = canvas
        self._table = table
        self._is_key_held = is_key_held
        self._asked: PictureRequest | None = None
        self._taken: Picture | None = None
        self._stop_before: int | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        queued = Qt.ConnectionType.QueuedConnection
        workspace.bridge.pictureReady.connect(self._on_picture_ready, queued)
        workspace.bridge.playerMoved.connect(self._on_player_moved)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.rangeChanged.connect(self._on_span_changed)
        workspace.selection.changed.connect(self._on_span_changed)
        canvas.zooming.requestPicture.connect(self._on_canvas_request)
        canvas.detailWanted.connect(self._on_detail_wanted, Qt.ConnectionType.QueuedConnection)
        canvas.picturePainted.connect(self._on_picture_painted)
        canvas.tools.editingStarted.connect(self._on_editing_started)
        self._connect_actions()

    # Moving

    def seek(self, frame: int, *, exact: bool = True) -> None:
        """Go to a frame; ``exact=False`` while the mouse is still moving.

        Of a sound without picture the milliseconds count as frames, here and in ranges.
        """
        if self._workspace.stage is not None:
            self._stop_before = None
            self._go_to(self._workspace.stage.player, frame, exact=exact)

    def _go_to(self, player: Player, frame: int, *, exact: bool = True) -> None:
        if self._workspace.has_picture:
            player.seek(frame, exact=exact)
        else:
            player.seek_time(frame / 1000, exact=exact)

    @Slot(int, bool)
    def on_seek_requested(self, frame: int, exact: bool) -> None:
        self.seek(frame, exact=exact)

    @Slot(float)
    def set_speed(self, speed: float) -> None:
        if self._workspace.stage is not None:
            self._workspace.stage.player.set_speed(speed)

    @Slot(float)
    def set_volume(self, volume: float) -> None:
        """Set the loudness and remember it."""
        self._table.set_checked("play.mute", volume == 0)
        self._apply_volume()
        if volume > 0:
            self._workspace.settings.set("playback.volume", volume)
            self._apply_volume()

    def pause(self) -> None:
        if self._workspace.stage is not None:
            self._workspace.stage.player.pause()

    def _connect_actions(self) -> None:
        on = self._table.on
        on("play.toggle", lambda: self._with_player(lambda p: p.toggle()))
        on("play.shuttle-back", lambda: self._shuttle(-1))
        on("play.stop", lambda: self._with_player(lambda p: p.shuttle(0)))
        on("play.shuttle-forward", lambda: self._shuttle(1))
        on("play.slow-back", lambda: self._with_player(lambda p: p.shuttle(-1, is_slow=True)))
        on("play.slow-forward", lambda: self._with_player(lambda p: p.shuttle(1, is_slow=True)))
        on("play.slower", lambda: self._change_speed(-1))
        on("play.faster", lambda: self._change_speed(1))
        on("play.loop", self._loop)
        on("play.range", self.play_span)
        on("play.mute", self._apply_volume)
        on("go.frame-back", lambda: self._with_player(lambda p: p.step(-1)))
        on("go.frame-forward", lambda: self._with_player(lambda p: p.step(1)))
        on("go.second-back", lambda: self._go_seconds(-1.0))
        on("go.second-forward", lambda: self._go_seconds(1.0))
        on("go.grid-back", lambda: self._go_grid(-1))
        on("go.grid-forward", lambda: self._go_grid(1))
        on("go.key-back", lambda: self._go_key(-1))
        on("go.track-first", lambda: self._go_end(0))
        on("go.track-last", lambda: self._go_end(-1))
        on("go.manual-back", lambda: self._go_manual(-1))
        on("go.manual-forward", lambda: self._go_manual(1))
        on("go.key-forward", lambda: self._go_key(1))
        on("go.gap-middle", self._go_gap_middle)
        on("go.first", lambda: self.seek(0))
        on("go.last", lambda: self.seek(self._workspace.n_frames - 1))
        on("range.in", self._mark_in)
        on("range.out", self._mark_out)
        on("range.clear", lambda: self._workspace.set_range(None))
        on("go.range-in", lambda: self._go_range(0))
        on("go.range-out", lambda: self._go_range(1))

    def _with_player(self, act: Callable[..., object]) -> None:
        if self._workspace.stage is not None:
            self._stop_before = None
            act(self._workspace.stage.player)

    def _shuttle(self, direction: int) -> None:
        if self._is_key_held(Qt.Key.Key_K):
            self._with_player(lambda p: p.step(direction))
        else:
            self._with_player(lambda p: p.shuttle(direction))

    def _change_speed(self, direction: int) -> None:
        stage = self._workspace.stage
        if stage is None:
            return
        now = abs(stage.player.state.speed)
        others = [s for s in SPEEDS if (s > now if direction > 0 else s < now)]
        if others:
            sign = -1 if stage.player.state.speed < 0 else 1
            stage.player.set_speed(sign * (others[0] if direction > 0 else others[-1]))

    def _go_seconds(self, seconds: float) -> None:
        def go(player: object) -> None:
            stage = self._workspace.stage
            if stage is not None:
                stage.player.seek_time(stage.player.state.time_s + seconds)

        self._with_player(go)

    def _go_grid(self, direction: int) -> None:
        session = self._workspace.session
        if session is None:
            return
        step = session.document.video.grid_step
        at = self.here
        wanted = (at // step + 1) * step if direction > 0 else (at - 1) // step * step
        if 0 <= wanted < self._workspace.n_frames:
            self.seek(wanted)

    def _go_end(self, which: int) -> None:
        """Go to the first or the last keyframe of the selected object."""
        track = self._workspace.track
        if track is not None and track.frames:
            self.seek(track.frames[which])

    def _go_manual(self, step: int) -> None:
        """Go to the next keyframe of the selected object that a person set, or to the previous."""
        track, here = self._workspace.track, self.here
        if track is None:
            return
        manual = [k.frame for k in track.keyframes if k.source is Source.HUMAN]
        ahead = [f for f in manual if (f - here) * step > 0]
        if ahead:
            self.seek(min(ahead, key=lambda f: abs(f - here)))

    def _go_key(self, direction: int) -> None:
        track = self._workspace.track
        if track is None:
            return
        at = self.here
        key = track.keyframe_after(at) if direction > 0 else track.keyframe_before(at)
        if key is not None:
            self.seek(key.frame)

    def _go_gap_middle(self) -> None:
        track = self._workspace.track
        if track is None:
            return
        state = track.state_at(self.here)
        lower = 0 if state.lower is None else state.lower
        upper = self._workspace.n_frames - 1 if state.upper is None else state.upper
        if upper - lower > 1:
            self.seek((lower + upper) // 2)

    @property
    def here(self) -> int:
        """The frame asked for last: quick presses count on from there, not from the picture."""
        stage = self._workspace.stage
        return self._frame_of(stage.player.state) if stage else 0

    def _frame_of(self, state: PlayerState) -> int:
        return state.frame if self._workspace.has_picture else round(state.time_s * 1000)

    @property
    def _end(self) -> int:
        """The frame after the last."""
        stage = self._workspace.stage
        if stage is None or self._workspace.has_picture:
            return self._workspace.n_frames
        return round(stage.end_s * 1000)

    # The range

    @property
    def _mark_frame(self) -> int:
        """The frame for a mark: the visible one during playback, else the requested one.

        Right after a jump the visible picture may still be the previous one, until decoding ends.
        """
        stage = self._workspace.stage
        is_playing = stage is not None and stage.player.state.is_playing
        return self._workspace.frame if is_playing and self._workspace.has_picture else self.here

    def _mark_in(self) -> None:
        start, old = self._mark_frame, self._workspace.range
        end = old[1] if old is not None and old[1] > start else self._end
        self._workspace.set_range((start, end))

    def _mark_out(self) -> None:
        end, old = self._mark_frame + int(self._workspace.has_picture), self._workspace.range
        start = old[0] if old is not None and old[0] < end else 0
        self._workspace.set_range((start, end))

    def _go_range(self, side: int) -> None:
        span = self._workspace.range
        if span is not None:
            self.seek(span[0] if side == 0 else span[1] - 1)

    def _loop(self) -> None:
        stage = self._workspace.stage
        if stage is None:
            return
        is_on = self._table.action("play.loop").isChecked()
        whole = (0, max(1, self._end))
        stage.player.loop((self._workspace.span or whole) if is_on else None)

    def play_span(self) -> None:
        """Play the marked range, or else the selected segment, once."""
        stage, span = self._workspace.stage, self._workspace.span
        if stage is None or span is None:
            return
        stage.player.pause()
        self._go_to(stage.player, span[0])
        stage.player.set_speed(abs(stage.player.state.speed))
        stage.player.play()
        self._stop_before = span[1]

    def _apply_volume(self) -> None:
        stage = self._workspace.stage
        if stage is not None:
            is_muted = self._table.action("play.mute").isChecked()
            stage.player.set_volume(
                0.0 if is_muted else self._workspace.settings.number("playback.volume")
            )

    @Slot()
    def _on_span_changed(self) -> None:
        stage = self._workspace.stage
        if stage is not None and stage.player.state.loop is not None:
            span = self._workspace.span or (0, max(1, self._end))
            if span != stage.player.state.loop:
                stage.player.loop(span)

    # Pictures

    @Slot()
    def _on_stage_changed(self) -> None:
        self._timer.stop()
        self._asked = self._taken = None
        self._stop_before = None
        stage = self._workspace.stage
        self._table.set_checked("play.loop", False)
        if stage is None:
            return
        self._apply_volume()
        stage.player.set_step_sound(self._workspace.settings.flag("playback.step_sound"))
        self._ask(stage.player.state)

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if state.is_playing != self._timer.isActive():
            (self._timer.start if state.is_playing else self._timer.stop)()
            if self._workspace.stage is not None and self._workspace.stage.thumbnails is not None:
                self._workspace.stage.thumbnails.hold(state.is_playing)
        if not state.is_playing:
            self._stop_before = None
        self._ask(state)

    @Slot()
    def _on_timer_timeout(self) -> None:
        stage = self._workspace.stage
        if stage is None:
            return
        state = stage.player.tick(_AHEAD_S)
        if self._stop_before is not None and self._frame_of(state) >= self._stop_before - 1:
            last, self._stop_before = self._stop_before - 1, None
            stage.player.pause()
            if self._frame_of(stage.player.state) > last:  # the computer was busy
                self._go_to(stage.player, last)

    def _ask(self, state: PlayerState) -> None:
        """Ask for the frame that is due, if it is another than the one asked for."""
        stage = self._workspace.stage
        if stage is None or stage.pictures is None:
            self._workspace.set_frame(state.frame)
            return
        before = self._asked.index if self._asked else state.frame
        change = state.frame - before
        direction = (change > 0) - (change < 0) if abs(change) <= 2 else 0
        if state.is_playing:
            direction = 1 if state.speed > 0 else -1
        width, height = self._canvas.zooming.target_size()
        request = PictureRequest(state.frame, width, height, direction, state.is_playing)
        old = self._asked
        if old is None or (request.index, request.width, request.is_playing) != (
            old.index,
            old.width,
            old.is_playing,
        ):
            self._asked = request
            stage.pictures.request(request)

    @Slot()
    def _on_canvas_request(self) -> None:
        if self._workspace.stage is not None:
            self._ask(self._workspace.stage.player.state)

    @Slot(int)
    def _on_detail_wanted(self, index: int) -> None:
        """Ask for the whole picture of a frame that is at rest on the screen."""
        stage, asked = self._workspace.stage, self._asked
        if stage is None or stage.pictures is None or stage.player.state.is_playing:
            return
        if asked is not None and asked.index == index == stage.player.state.frame:
            stage.pictures.request(PictureRequest(index, 0, 0))

    @Slot()
    def _on_picture_ready(self) -> None:
        stage = self._workspace.stage
        if stage is None or stage.pictures is None:
            return
        picture = stage.pictures.take()
        if picture is not None:
            self._taken = picture
            self._canvas.show_picture(picture)
        error = stage.pictures.error
        if error is not None:
            stage.player.pause()
            self._workspace.failed.emit(error)

    @Slot(int)
    def _on_picture_painted(self, index: int) -> None:
        if self._workspace.stage is not None:
            taken = self._taken
            is_it = taken is not None and taken.index == index
            self._workspace.stage.player.shown(index, taken.requested if taken and is_it else None)
            self._workspace.set_frame(index)

    @Slot(int)
    def _on_editing_started(self, frame: int) -> None:
        stage = self._workspace.stage
        if stage is not None and stage.player.state.is_playing:
            stage.player.pause()
            stage.player.seek(frame)
