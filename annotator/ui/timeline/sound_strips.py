"""Strips of sound on the timeline: which sound, how it is drawn, and how high they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from annotator.ui.timeline.model.axis import AXIS_MARGIN_PX
from annotator.ui.timeline.model.layout import RULER_END_PX, Strips, Zone
from annotator.ui.timeline.model.rows import LANE_PX
from annotator.ui.timeline.painting.film_painter import Film
from annotator.ui.timeline.painting.strip_painter import CachedPicture
from annotator.ui.timeline.painting.timeline_scene import SoundLook
from annotator.ui.timeline.timeline_viewport import TimelineViewport

if TYPE_CHECKING:
    from annotator.services.playback.thumbnails import Thumbnails
    from annotator.services.sound.soundscape import SoundChange, Soundscape

MIN_STRIP_PX: Final = 24
MAX_STRIP_PX: Final = 400
# What stands in place of both strips where the sound of a video cannot be used or is silent.
_SILENT_PX: Final = 22
# Both lanes of segments and three objects stay in sight.
_LEAST_LANES_PX: Final = 5 * LANE_PX
_LEAST_SPECTROGRAM_PX: Final = 28
_NEWS_EVERY_MS: Final = 60
_PADDING_S: Final = 0.1


class SoundStrips(QObject):
    """Waveform, spectrogram and small pictures; painting them never waits for the sound."""

    def __init__(self, viewport: TimelineViewport, widget: QWidget) -> None:
        super().__init__(widget)
        self._viewport = viewport
        self._widget = widget
        self._sound: Soundscape | None = None
        self.look = SoundLook()
        self.is_muted = False
        self.heights = Strips()
        """The chosen heights of the strips; a low window or silence may make them lower."""
        self.kept = CachedPicture()
        self.film = Film()
        """The small pictures of the whole video."""
        viewport.axisChanged.connect(self.attend)
        self._news_timer = QTimer(self)
        self._news_timer.setSingleShot(True)
        self._news_timer.setInterval(_NEWS_EVERY_MS)
        self._news_timer.timeout.connect(viewport.repaint_all)

    @property
    def sound(self) -> Soundscape | None:
        return self._sound

    def set_sound(self, sound: Soundscape | None) -> None:
        """Show the sound of the video; without sound no room is taken. The caller closes it."""
        if self._sound is not None:
            self._sound.changed.remove(self._on_sound_changed)
        self._sound = sound
        self.kept = CachedPicture()
        if sound is not None:
            sound.changed.add(self._on_sound_changed)
        self._take_rate()
        self._viewport.arrange()
        self.attend()

    def set_thumbnails(self, thumbnails: Thumbnails | None) -> None:
        """Show small pictures of the whole video in the overview; the caller closes them."""
        before = self.film.thumbnails
        if before is not None:
            before.changed.remove(self._on_thumbnails_changed)
        self.film = Film(thumbnails)
        if thumbnails is not None:
            thumbnails.changed.add(self._on_thumbnails_changed)
        self._viewport.repaint_all()

    def set_strips(self, strips: Strips) -> None:
        """Give the strips other heights; 0 hides one."""
        if strips != self.heights:
            self.heights = strips
            self._viewport.arrange()

    def set_sound_look(self, look: SoundLook) -> None:
        """Draw the spectrogram in another way."""
        if look != self.look:
            self.look = look
            self.kept = CachedPicture()
            self._viewport.repaint_all()

    def set_muted(self, is_muted: bool) -> None:
        """Show that nothing will be heard."""
        self.is_muted = is_muted
        self._viewport.repaint_all()

    def resize_strip(self, strip: Zone, y: float) -> None:
        """Drag the lower edge of a strip to a height of the widget."""
        top = RULER_END_PX
        waveform, spectrogram = self.heights.waveform, self.heights.spectrogram
        if strip is Zone.WAVEFORM:
            waveform = _bounded(y - top)
        else:
            spectrogram = _bounded(y - top - self._viewport.layout.strips.waveform)
        self.set_strips(Strips(waveform, spectrogram))

    def fitting(self, rows_px: int) -> Strips:
        """Return how high the strips are to be beside lanes of ``rows_px`` in all.

        Where lanes have to be scrolled, the strips take what is left of whole lanes: none is cut.
        Silence takes nothing. A sound without picture takes half of what the lanes leave.
        """
        strips = self._in_room()
        room = self._widget.height() - RULER_END_PX - strips.height
        if strips.height in (0, _SILENT_PX):
            return strips
        if rows_px <= room:
            free = 0 if self._viewport.axis.n_frames else (room - rows_px) // 2
            return Strips(strips.waveform + (free if strips.waveform else 0), strips.spectrogram)
        rest = max(0, room) % LANE_PX
        if strips.waveform:
            return Strips(strips.waveform + rest, strips.spectrogram)
        return Strips(0, strips.spectrogram + rest)

    def _in_room(self) -> Strips:
        """Return the heights that leave the lanes enough room."""
        heights = self.heights
        if not heights.height:
            return heights
        if self._sound is None:
            return Strips()
        if self._sound.state.problem is not None or self._sound.is_silent:
            return Strips(waveform=_SILENT_PX)
        room = self._widget.height() - RULER_END_PX - _LEAST_LANES_PX
        if heights.height <= room:
            return heights
        share = max(0.0, room / heights.height)
        spectrogram = int(heights.spectrogram * share)
        if spectrogram >= _LEAST_SPECTROGRAM_PX or not heights.waveform:
            return Strips(int(heights.waveform * share), spectrogram)
        # Too low to be read: the waveform alone is worth more.
        return Strips(min(heights.waveform, max(MIN_STRIP_PX, room)))

    def attend(self) -> None:
        """Compute the visible part first."""
        if self._sound is not None:
            margin = AXIS_MARGIN_PX / self._viewport.axis.scale
            self._sound.look_at(
                self._viewport.axis.start_s - margin, self._viewport.axis.end_s + margin
            )

    def _take_rate(self) -> None:
        """Let the axis reach as far and as fine as the sound does."""
        rate, before_s, after_s = 0, 0.0, 0.0
        axis, state = self._viewport.axis, self._sound.state if self._sound is not None else None
        if state is not None and state.is_open:
            rate = state.rate
            # Without frames the video is the sound, whose length as declared may be off.
            if axis.n_frames:
                before_s = _worth(axis.first_s - state.start_s)
                after_s = _worth(state.end_s - axis.last_s)
        if (rate, before_s, after_s) != (axis.sample_rate, axis.before_s, axis.after_s):
            self._viewport.take_sound(rate, before_s, after_s)

    def _on_sound_changed(self, change: SoundChange) -> None:
        if change.state:
            if self._sound is not None and self._sound.state.choice != self.kept.choice:
                self.kept = CachedPicture(choice=self._sound.state.choice)
            self._take_rate()
            layout = self._viewport.layout
            if self.fitting(layout.offsets[-1]) != layout.strips:
                self._viewport.arrange()
        self._repaint_soon()

    def _on_thumbnails_changed(self, _news: None) -> None:
        self._repaint_soon()

    def _repaint_soon(self) -> None:
        """Paint once for many pieces of news."""
        if not self._news_timer.isActive():
            self._news_timer.start()


def _bounded(height: float) -> int:
    return round(min(max(height, MIN_STRIP_PX), MAX_STRIP_PX))


def _worth(seconds: float) -> float:
    """How much of a surplus of sound is shown: none of what encoders pad with."""
    return seconds if seconds > _PADDING_S else 0.0
