"""Connects the timeline to the sound of the opened task, and the menus of sound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt, Slot
from PySide6.QtGui import QActionGroup, QContextMenuEvent
from PySide6.QtWidgets import QMenu

from annotator.domain.errors import UserError
from annotator.ui.actions.table import ActionTable
from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.model.layout import Strips, Zone
from annotator.ui.timeline.painting.timeline_scene import SoundLook
from annotator.ui.timeline.timeline_view import TimelineView

if TYPE_CHECKING:
    from annotator.services.playback.player import PlayerState
    from annotator.services.sound.soundscape import Scale
    from annotator.services.sound.streams import AudioStreamInfo, SoundTracks

# What FFmpeg calls a channel that the file gives no place.
_NO_NAME = "NONE"
T = TypeVar("T")
V = TypeVar("V", str, float)
_GAINS_DB = (-20.0, -10.0, 0.0, 10.0, 20.0, 30.0, 40.0)
_RANGES_DB = (40.0, 60.0, 80.0, 100.0, 120.0)


class SoundMenu(QObject):
    """Fills "Sound track" in the menu bar and opens the menu of the strips of sound."""

    def __init__(self, workspace: Workspace, timeline: TimelineView) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._timeline = timeline
        timeline.installEventFilter(self)

    def add_to(self, menu: QMenu) -> None:
        """Add the choice of a stream, to be seen where there is one."""
        tracks = QMenu(self.tr("Audio track"), menu)
        tracks.setObjectName("sound-tracks")
        entry = menu.addMenu(tracks)
        entry.setVisible(False)
        menu.aboutToShow.connect(lambda: entry.setVisible(self._fill_streams(tracks)))

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QContextMenuEvent):
            return False
        at = QPointF(event.pos())
        zone = self._timeline.viewport.layout.zone_at(at.x(), at.y())
        is_strip = zone in (Zone.WAVEFORM, Zone.SPECTROGRAM)
        if not is_strip or event.reason() != QContextMenuEvent.Reason.Mouse:
            return False
        menu = self.menu_of(zone)
        if menu.isEmpty():
            return False
        menu.popup(event.globalPos())
        return True

    def menu_of(self, zone: Zone) -> QMenu:
        """Return the menu of a strip; empty where there is no sound."""
        menu = QMenu(self._timeline)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        tracks = self._tracks()
        if tracks is None:
            return menu
        if len(tracks.streams) > 1:
            self._fill_streams(menu.addMenu(self.tr("Audio track")))
        if len(tracks.channel_names) > 1:
            self._fill_channels(menu.addMenu(self.tr("Channel")), tracks)
        if zone is Zone.SPECTROGRAM:
            self._add_looks(menu)
        return menu

    def _tracks(self) -> SoundTracks | None:
        return self._workspace.stage.tracks if self._workspace.stage is not None else None

    def _fill_streams(self, menu: QMenu) -> bool:
        """Offer the streams of the file; False when there is nothing to choose."""
        menu.clear()
        tracks = self._tracks()
        if tracks is None or len(tracks.streams) < 2:
            return False
        choices = [(_name(stream), stream.stream) for stream in tracks.streams]
        _offer(menu, choices, tracks.choice.stream, lambda stream: self._choose(stream, None))
        return True

    def _fill_channels(self, menu: QMenu, tracks: SoundTracks) -> None:
        choices: list[tuple[str, int | None]] = [(self.tr("All channels (mix)"), None)]
        for number, name in enumerate(tracks.channel_names):
            place = str(number + 1)
            choices.append((place if name == _NO_NAME else f"{place} · {name}", number))
        now = tracks.choice
        _offer(menu, choices, now.channel, lambda channel: self._choose(now.stream, channel))

    def _choose(self, stream: int, channel: int | None) -> None:
        from annotator.services.sound.streams import SoundChoice

        tracks = self._tracks()
        if tracks is None:
            return
        try:
            tracks.choose(SoundChoice(stream, channel))
        except UserError as error:
            self._workspace.failed.emit(error)

    def _add_looks(self, menu: QMenu) -> None:
        """Offer what the preferences say of the spectrogram, at hand where it is seen."""
        from annotator.services.sound.soundscape import COLOR_MAPS

        settings = self._workspace.settings
        scales = [(self.tr("Linear"), "linear"), ("Mel", "mel"), (self.tr("Logarithmic"), "log")]
        colors = [(name.capitalize(), name) for name in COLOR_MAPS]
        self._add_setting(menu, self.tr("Frequency scale"), "scale", scales, settings.text)
        decibels = [(f"{value:+g} dB" if value else "0 dB", value) for value in _GAINS_DB]
        self._add_setting(menu, self.tr("Gain"), "gain_db", decibels, settings.number)
        ranges = [(f"{value:g} dB", value) for value in _RANGES_DB]
        self._add_setting(menu, self.tr("Dynamic range"), "range_db", ranges, settings.number)
        self._add_setting(menu, self.tr("Color map"), "colors", colors, settings.text)

    def _add_setting(
        self,
        menu: QMenu,
        title: str,
        name: str,
        choices: Sequence[tuple[str, V]],
        read: Callable[[str], V],
    ) -> None:
        key = f"spectrogram.{name}"
        _offer(menu.addMenu(title), choices, read(key), lambda value: self._set(key, value))

    def _set(self, key: str, value: str | float) -> None:
        try:
            self._workspace.settings.set(key, value)
        except UserError as error:
            self._workspace.failed.emit(error)


def _offer(
    menu: QMenu, choices: Sequence[tuple[str, T]], now: T, chosen: Callable[[T], object]
) -> None:
    """Add one checkable entry for each choice."""
    group = QActionGroup(menu)
    for text, value in choices:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(value == now)
        action.triggered.connect(lambda _is_on, value=value: chosen(value))
        group.addAction(action)


def _name(stream: AudioStreamInfo) -> str:
    """Return what a person knows a stream by: number, language, title, channels."""
    tr = QCoreApplication.translate
    known = {1: tr("SoundMenu", "mono"), 2: tr("SoundMenu", "stereo")}
    other = tr("SoundMenu", "{count} channels").format(count=stream.channels)
    channels = known.get(stream.channels, other)
    words = [str(stream.stream + 1), stream.language, stream.title, channels]
    return " · ".join(word.replace("&", "&&") for word in words if word)


class SoundRows(QObject):
    """Shows the sound of the stage in a timeline by the settings, and plays from it."""

    def __init__(self, workspace: Workspace, table: ActionTable, timeline: TimelineView) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._table = table
        self._timeline = timeline
        self.menu = SoundMenu(workspace, timeline)
        self._stop_at_s: float | None = None
        for name in ("waveform", "spectrogram"):
            table.set_checked(f"view.{name}", workspace.settings.flag(f"timeline.{name}"))
        table.on("view.waveform", lambda: self._toggle("waveform"))
        table.on("view.spectrogram", lambda: self._toggle("spectrogram"))
        table.action("play.mute").toggled.connect(timeline.strips.set_muted)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.settings.changed.add(self._on_setting_changed)
        timeline.stripsResized.connect(self._on_strips_resized)
        timeline.timeSeekRequested.connect(self._on_time_seek_requested)
        timeline.playRequested.connect(self._on_play_requested)
        timeline.message.connect(workspace.message)
        timeline.failed.connect(workspace.failed)
        workspace.bridge.playerMoved.connect(self._on_player_moved)
        self._apply()
        self._on_stage_changed()

    def _toggle(self, name: str) -> None:
        is_on = self._table.action(f"view.{name}").isChecked()
        self._workspace.settings.set(f"timeline.{name}", is_on)

    def _apply(self) -> None:
        settings = self._workspace.settings
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
                settings.text("spectrogram.colors"),
            )
        )

    def _on_setting_changed(self, key: str) -> None:
        if key.split(".")[0] in ("timeline", "spectrogram"):
            self._apply()

    @Slot()
    def _on_stage_changed(self) -> None:
        stage = self._workspace.stage
        self._timeline.strips.set_sound(stage.sound if stage else None)
        self._timeline.strips.set_thumbnails(stage.thumbnails if stage else None)

    @Slot(int, int)
    def _on_strips_resized(self, waveform: int, spectrogram: int) -> None:
        """Save the dragged heights; failing to save them is no reason to stop."""
        try:
            for name, height in (("waveform", waveform), ("spectrogram", spectrogram)):
                if height:
                    self._workspace.settings.set(f"timeline.{name}_px", height)
        except UserError as error:
            self._workspace.failed.emit(error)

    @Slot(float, bool)
    def _on_time_seek_requested(self, seconds: float, exact: bool) -> None:
        """Go to a moment of the sound; while the mouse moves, what lies under it is heard."""
        if self._workspace.stage is None:
            return
        if exact:
            self._workspace.stage.player.seek_time(seconds)
        else:
            self._workspace.stage.player.scrub(seconds)

    @Slot(float, float)
    def _on_play_requested(self, start_s: float, end_s: float) -> None:
        """Play from one moment to another, once."""
        if self._workspace.stage is None:
            return
        player = self._workspace.stage.player
        self._stop_at_s = None
        player.pause()
        player.seek_time(start_s)
        player.set_speed(abs(player.state.speed))
        player.play()
        self._stop_at_s = end_s

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if self._stop_at_s is None or self._workspace.stage is None:
            return
        if not state.is_playing:
            self._stop_at_s = None
        elif state.time_s >= self._stop_at_s:
            self._stop_at_s = None
            self._workspace.stage.player.pause()
