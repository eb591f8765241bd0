"""The menus of sound: which stream is heard, what of it is drawn, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QActionGroup, QContextMenuEvent
from PySide6.QtWidgets import QMenu

from annotator.domain.errors import UserError
from annotator.ui.state.desk import Desk
from annotator.ui.timeline.model.layout import Zone
from annotator.ui.timeline.view import TimelineView

if TYPE_CHECKING:
    from annotator.services.sound.streams import AudioStreamInfo, SoundTracks

# What FFmpeg calls a channel that the file gives no place.
_NO_NAME = "NONE"

T = TypeVar("T")
V = TypeVar("V", str, float)

_GAINS_DB = (-20.0, -10.0, 0.0, 10.0, 20.0, 30.0, 40.0)
_RANGES_DB = (40.0, 60.0, 80.0, 100.0, 120.0)


class SoundMenu(QObject):
    """Fills "Sound track" in the menu bar and opens the menu of the strips of sound."""

    def __init__(self, desk: Desk, timeline: TimelineView) -> None:
        super().__init__(desk)
        self._desk = desk
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
        return self._desk.stage.tracks if self._desk.stage is not None else None

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
            self._desk.failed.emit(error)

    def _add_looks(self, menu: QMenu) -> None:
        """Offer what the preferences say of the spectrogram, at hand where it is seen."""
        from annotator.services.sound.soundscape import COLOUR_MAPS

        settings = self._desk.settings
        scales = [(self.tr("Linear"), "linear"), ("Mel", "mel"), (self.tr("Logarithmic"), "log")]
        colours = [(name.capitalize(), name) for name in COLOUR_MAPS]
        self._add_setting(menu, self.tr("Frequency scale"), "scale", scales, settings.text)
        decibels = [(f"{value:+g} dB" if value else "0 dB", value) for value in _GAINS_DB]
        self._add_setting(menu, self.tr("Gain"), "gain_db", decibels, settings.number)
        ranges = [(f"{value:g} dB", value) for value in _RANGES_DB]
        self._add_setting(menu, self.tr("Dynamic range"), "range_db", ranges, settings.number)
        self._add_setting(menu, self.tr("Color map"), "colours", colours, settings.text)

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
            self._desk.settings.set(key, value)
        except UserError as error:
            self._desk.failed.emit(error)


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
