"""Connects the timeline to the opened task: its sound, what is played, what was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Slot

from annotator.domain.errors import UserError
from annotator.ui.actions.table import ActionTable
from annotator.ui.state.desk import Desk
from annotator.ui.timeline.model.layout import Strips
from annotator.ui.timeline.painting.scene import SoundLook
from annotator.ui.timeline.sound_menu import SoundMenu
from annotator.ui.timeline.view import TimelineView

if TYPE_CHECKING:
    from annotator.services.playback.player import PlayerState
    from annotator.services.sound.soundscape import Scale


class SoundRows(QObject):
    """Keeps a timeline showing the sound of the stage as the settings want, and plays from it."""

    def __init__(self, desk: Desk, table: ActionTable, timeline: TimelineView) -> None:
        super().__init__(desk)
        self._desk = desk
        self._table = table
        self._timeline = timeline
        self.menu = SoundMenu(desk, timeline)
        self._stop_at_s: float | None = None
        for name in ("waveform", "spectrogram"):
            table.set_checked(f"view.{name}", desk.settings.flag(f"timeline.{name}"))
        table.on("view.waveform", lambda: self._toggle("waveform"))
        table.on("view.spectrogram", lambda: self._toggle("spectrogram"))
        table.action("play.mute").toggled.connect(timeline.strips.set_muted)
        desk.stageChanged.connect(self._on_stage_changed)
        desk.settings.changed.add(self._on_setting_changed)
        timeline.stripsResized.connect(self._on_strips_resized)
        timeline.timeSeekRequested.connect(self._on_time_seek_requested)
        timeline.playRequested.connect(self._on_play_requested)
        timeline.message.connect(desk.said)
        timeline.failed.connect(desk.failed)
        desk.bridge.playerMoved.connect(self._on_player_moved)
        self._apply()
        self._on_stage_changed()

    def _toggle(self, name: str) -> None:
        is_on = self._table.action(f"view.{name}").isChecked()
        self._desk.settings.set(f"timeline.{name}", is_on)

    def _apply(self) -> None:
        settings = self._desk.settings
        heights = [
            settings.whole(f"timeline.{name}_px") if settings.flag(f"timeline.{name}") else 0
            for name in ("waveform", "spectrogram")
        ]
        self._timeline.strips.set_strips(Strips(*heights))
        scale = cast("Scale", settings.text("spectrogram.scale"))
        self._timeline.strips.set_sound_look(
            SoundLook(
                scale,
                settings.number("spectrogram.gain_db"),
                settings.number("spectrogram.range_db"),
                settings.text("spectrogram.colours"),
            )
        )

    def _on_setting_changed(self, key: str) -> None:
        if key.split(".")[0] in ("timeline", "spectrogram"):
            self._apply()

    @Slot()
    def _on_stage_changed(self) -> None:
        stage = self._desk.stage
        self._timeline.strips.set_sound(stage.sound if stage else None)
        self._timeline.strips.set_thumbnails(stage.thumbnails if stage else None)

    @Slot(int, int)
    def _on_strips_resized(self, waveform: int, spectrogram: int) -> None:
        """Remember what was dragged; that it cannot be saved is no reason to stop."""
        try:
            for name, height in (("waveform", waveform), ("spectrogram", spectrogram)):
                if height:
                    self._desk.settings.set(f"timeline.{name}_px", height)
        except UserError as error:
            self._desk.failed.emit(error)

    @Slot(float, bool)
    def _on_time_seek_requested(self, seconds: float, exact: bool) -> None:
        """Go to a moment of the sound; while the mouse moves, what lies under it is heard."""
        if self._desk.stage is None:
            return
        if exact:
            self._desk.stage.player.seek_time(seconds)
        else:
            self._desk.stage.player.scrub(seconds)

    @Slot(float, float)
    def _on_play_requested(self, start_s: float, end_s: float) -> None:
        """Play from one moment to another, once."""
        if self._desk.stage is None:
            return
        player = self._desk.stage.player
        self._stop_at_s = None
        player.pause()
        player.seek_time(start_s)
        player.set_speed(abs(player.state.speed))
        player.play()
        self._stop_at_s = end_s

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if self._stop_at_s is None or self._desk.stage is None:
            return
        if not state.is_playing:
            self._stop_at_s = None
        elif state.time_s >= self._stop_at_s:
            self._stop_at_s = None
            self._desk.stage.player.pause()
