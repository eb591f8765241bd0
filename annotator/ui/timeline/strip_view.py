"""The part of the timeline widget that shows sound: its strips and how high they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from annotator.ui.timeline.axis_view import AxisView
from annotator.ui.timeline.model.axis import AXIS_MARGIN_PX, TimeAxis
from annotator.ui.timeline.model.layout import RULER_END_PX, Strips, Zone
from annotator.ui.timeline.model.rows import LANE_PX
from annotator.ui.timeline.painting.film import Film
from annotator.ui.timeline.painting.scene import SoundLook
from annotator.ui.timeline.painting.strips import KeptPicture

if TYPE_CHECKING:
    from annotator.services.playback.thumbnails import Thumbnails
    from annotator.services.sound.soundscape import SoundChange, Soundscape

MIN_STRIP_PX: Final = 24
MAX_STRIP_PX: Final = 400
# What stands in place of both strips where the sound of a video cannot be used.
_SILENT_PX: Final = 22
# Both lanes of segments and three objects stay in sight.
_LEAST_LANES_PX: Final = 5 * LANE_PX
_LEAST_SPECTROGRAM_PX: Final = 28
_NEWS_EVERY_MS: Final = 60
_PADDING_S: Final = 0.1


class StripView(AxisView):
    """Adds waveform and spectrogram to the axis; painting them never waits for the sound."""

    stripsResized = Signal(int, int)  # heights of waveform and spectrogram, after the drag
    timeSeekRequested = Signal(float, bool)  # media time; False while dragging

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sound: Soundscape | None = None
        self._sound_look = SoundLook()
        self._is_muted = False
        self._strips = Strips()
        self._kept = KeptPicture()
        self._film = Film()
        self._news_timer = QTimer(self)
        self._news_timer.setSingleShot(True)
        self._news_timer.setInterval(_NEWS_EVERY_MS)
        self._news_timer.timeout.connect(self._repaint_all)

    @property
    def sound(self) -> Soundscape | None:
        return self._sound

    @property
    def strips(self) -> Strips:
        """How high the strips are wanted; a low window or silence may make them lower."""
        return self._strips

    def set_sound(self, sound: Soundscape | None) -> None:
        """Show the sound of the video; without sound no room is taken. The caller closes it."""
        if self._sound is not None:
            self._sound.changed.remove(self._on_sound_changed)
        self._sound = sound
        self._kept = KeptPicture()
        if sound is not None:
            sound.changed.add(self._on_sound_changed)
        self._take_rate()
        self._arrange(self._layout.rows)
        self._attend()

    def set_thumbnails(self, thumbnails: Thumbnails | None) -> None:
        """Show small pictures of the whole video in the overview; the caller closes them."""
        before = self._film.thumbnails
        if before is not None:
            before.changed.remove(self._on_thumbnails_changed)
        self._film = Film(thumbnails)
        if thumbnails is not None:
            thumbnails.changed.add(self._on_thumbnails_changed)
        self._repaint_all()

    @property
    def film(self) -> Film:
        """The small pictures of the whole video."""
        return self._film

    def set_strips(self, strips: Strips) -> None:
        """Give the strips other heights; 0 hides one."""
        if strips != self._strips:
            self._strips = strips
            self._arrange(self._layout.rows)

    def set_sound_look(self, look: SoundLook) -> None:
        """Draw the spectrogram in another way."""
        if look != self._sound_look:
            self._sound_look = look
            self._kept = KeptPicture()
            self._repaint_all()

    def set_muted(self, is_muted: bool) -> None:
        """Show that nothing will be heard."""
        self._is_muted = is_muted
        self._repaint_all()

    def resize_strip(self, strip: Zone, y: float) -> None:
        """Drag the lower edge of a strip to a height of the widget."""
        top = RULER_END_PX
        waveform, spectrogram = self._strips.waveform, self._strips.spectrogram
        if strip is Zone.WAVEFORM:
            waveform = _bounded(y - top)
        else:
            spectrogram = _bounded(y - top - self._layout.strips.waveform)
        self.set_strips(Strips(waveform, spectrogram))

    def _wanted_strips(self) -> Strips:
        wanted = self._strips
        if not wanted.height:
            return wanted
        if self._sound is None:
            return Strips()
        if self._sound.state.problem is not None:
            return Strips(waveform=_SILENT_PX)
        room = self.height() - RULER_END_PX - _LEAST_LANES_PX
        if wanted.height <= room:
            return wanted
        share = max(0.0, room / wanted.height)
        spectrogram = int(wanted.spectrogram * share)
        if spectrogram >= _LEAST_SPECTROGRAM_PX or not wanted.waveform:
            return Strips(int(wanted.waveform * share), spectrogram)
        # Too low to be read: the waveform alone is worth more.
        return Strips(min(wanted.waveform, max(MIN_STRIP_PX, room)))

    def _look(self, axis: TimeAxis) -> None:
        is_other = axis is not self._axis
        super()._look(axis)
        if is_other:
            self._attend()

    def _attend(self) -> None:
        """Have computed first what is in sight."""
        if self._sound is not None:
            margin = AXIS_MARGIN_PX / self._axis.scale
            self._sound.look_at(self._axis.start_s - margin, self._axis.end_s + margin)

    def _take_rate(self) -> None:
        """Let the axis reach as far and as fine as the sound does."""
        rate, before_s, after_s = 0, 0.0, 0.0
        axis, state = self._axis, self._sound.state if self._sound is not None else None
        if state is not None and state.is_open:
            rate = state.rate
            # Without frames the video is the sound, whose length as declared may be off.
            if axis.n_frames:
                before_s = _worth(axis.first_s - state.start_s)
                after_s = _worth(state.end_s - axis.last_s)
        if (rate, before_s, after_s) != (axis.sample_rate, axis.before_s, axis.after_s):
            self._whole = self._whole.with_sound(rate, before_s, after_s)
            self._look(axis.with_sound(rate, before_s, after_s))

    def _on_sound_changed(self, change: SoundChange) -> None:
        if change.state:
            if self._sound is not None and self._sound.state.choice != self._kept.choice:
                self._kept = KeptPicture(choice=self._sound.state.choice)
            self._take_rate()
            if self._wanted_strips() != self._layout.strips:
                self._arrange(self._layout.rows)
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
