"""Painting of the strips of sound: the waveform and the spectrogram of the stretch in sight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QImage, QPainter, QPen

from annotator.ui.timeline.model.axis import AXIS_MARGIN_PX
from annotator.ui.timeline.model.layout import RULER_END_PX
from annotator.ui.timeline.painting.timeline_scene import TimelineScene

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.services.sound.soundscape import Peaks, SoundChoice, Soundscape, SpectrogramStyle

# Tiles are asked for in steps of this height, so that dragging an edge does not redraw them all.
_TILE_STEP_PX: Final = 32
_TICKS_HZ: Final = (100, 250, 500, 1000, 2000, 4000, 8000, 16000)
_TICK_PX: Final = 13
# From this width on every sample gets a dot.
_SAMPLE_DOT_PX: Final = 5.0
_LEAST_PEAK: Final = 0.02

Floats: TypeAlias = "NDArray[np.float32] | NDArray[np.float64]"


@dataclass(slots=True)
class CachedPicture:
    """The spectrogram painted last and the seconds it shows: stands in until tiles are drawn.

    ``choice`` is the stream and channel it is of.
    """

    image: QImage | None = None
    start_s: float = 0.0
    end_s: float = 0.0
    theme: str = ""
    choice: SoundChoice | None = None


class StripPainter:
    """Draws the strips of sound with a painter in logical pixels of the widget."""

    def __init__(self, painter: QPainter, scene: TimelineScene, kept: CachedPicture) -> None:
        self._painter = painter
        self._scene = scene
        self._kept = kept
        self._theme = scene.theme
        self._edge = scene.layout.gutter
        self._width = scene.layout.lanes_width
        self._start_s = scene.axis.time_at(-AXIS_MARGIN_PX)
        self._end_s = scene.axis.time_at(self._width - AXIS_MARGIN_PX)

    def draw(self) -> None:
        """Draw the strips that are not hidden, with their names in the gutter."""
        layout, painter = self._scene.layout, self._painter
        strips = layout.strips
        top = RULER_END_PX
        for name, height in (("waveform", strips.waveform), ("spectrogram", strips.spectrogram)):
            if not height:
                continue
            room = QRect(self._edge, top, self._width, height - 1)
            painter.save()
            painter.fillRect(QRect(0, top, self._edge, height), self._theme.color("window"))
            painter.fillRect(room.adjusted(0, 0, 0, 1), self._theme.color("timeline"))
            painter.setClipRect(QRect(0, top, self._edge + self._width, height))
            sound = self._scene.sound
            if sound is None or not sound.state.is_open or sound.is_silent:
                self._say(self._excuse(sound), room)
            elif name == "waveform":
                self._draw_waveform(sound, room)
            else:
                self._draw_spectrogram(sound, room)
            self._draw_name(name, room)
            painter.setClipRect(QRect(0, top, self._edge + self._width, height))
            painter.setPen(QPen(self._theme.color("border"), 1))
            painter.drawLine(QLineF(0, top + height - 0.5, layout.width, top + height - 0.5))
            painter.restore()
            top += height

    # Waveform

    def _draw_waveform(self, sound: Soundscape, room: QRect) -> None:
        ratio, painter = self._scene.ratio, self._painter
        n_columns = max(1, round(room.width() * ratio))
        peaks = sound.peaks(self._start_s, self._end_s, n_columns)
        if peaks is None:
            return
        self._hatch_unknown(peaks, room)
        height = max(1, round(room.height() * ratio))
        gain = 1.0 / full_scale(sound)
        token = "text_disabled" if self._scene.is_muted else "waveform"
        inks = [QColor(self._theme.color(token)) for _ in range(2)]
        inks[0].setAlpha(130)
        image = waveform_image(peaks, height, gain, inks)
        image.setDevicePixelRatio(ratio)
        middle = self._scene.crisp(room.top() + room.height() / 2)
        painter.setPen(QPen(self._theme.color("border"), 1))
        painter.drawLine(QLineF(room.left(), middle, room.right() + 1, middle))
        painter.drawImage(QPointF(room.topLeft()), image)
        self._draw_samples(sound, peaks, room, gain)

    def _draw_samples(self, sound: Soundscape, peaks: Peaks, room: QRect, gain: float) -> None:
        """Put a dot on every sample once they stand far enough apart."""
        rate = sound.state.rate
        if not rate or self._scene.axis.scale / rate < _SAMPLE_DOT_PX or not peaks.is_final:
            return
        first, last = int(np.ceil(self._start_s * rate)), int(self._end_s * rate)
        painter, n = self._painter, len(peaks.low)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("waveform"))
        for sample in range(first, last + 1):
            x = (sample / rate - self._start_s) * self._scene.axis.scale
            column = min(n - 1, int(x * self._scene.ratio))
            value = float(peaks.low[column] + peaks.high[column]) / 2
            if value == value:
                y = room.top() + room.height() / 2 * (1 - value * gain)
                painter.drawEllipse(QPointF(room.left() + x, y), 2.4, 2.4)

    def _hatch_unknown(self, peaks: Peaks, room: QRect) -> None:
        """Hatch the parts not measured yet; nothing is drawn beyond the ends of the sound."""
        if peaks.is_final or self._scene.sound is None:
            return
        state = self._scene.sound.state
        if state.is_complete:
            return
        unknown = np.isnan(peaks.low)
        times = np.linspace(self._start_s, self._end_s, len(unknown))
        unknown &= (times >= state.start_s) & (times <= state.end_s)
        edges = np.flatnonzero(np.diff(unknown.astype(np.int8), prepend=0, append=0))
        color = QColor(self._theme.color("grid_line"))
        color.setAlpha(60)
        brush = QBrush(color, Qt.BrushStyle.BDiagPattern)
        scale = 1 / self._scene.ratio
        for first, last in edges.reshape(-1, 2).tolist():
            left = room.left() + first * scale
            self._painter.fillRect(
                QRectF(left, room.top(), (last - first) * scale, room.height()), brush
            )

    # Spectrogram

    def _draw_spectrogram(self, sound: Soundscape, room: QRect) -> None:
        ratio = self._scene.ratio
        look = self._look(room)
        cached = self._kept
        size = QSize(max(1, round(room.width() * ratio)), max(1, round(room.height() * ratio)))
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(self._theme.color("timeline"))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        scale = self._scene.axis.scale * ratio
        if cached.image is not None and cached.theme == self._theme.name:
            x1, x2 = ((t - self._start_s) * scale for t in (cached.start_s, cached.end_s))
            painter.drawImage(QRectF(x1, 0, x2 - x1, size.height()), cached.image)
        is_whole = True
        for key in sound.tile_keys(self._start_s, self._end_s, 1 / scale, look):
            tile = sound.tile(key)
            if tile is None:
                is_whole = False
                continue
            height, width = tile.bgra.shape[:2]
            tile_image = QImage(
                tile.bgra.data, width, height, width * 4, QImage.Format.Format_RGB32
            )
            x1, x2 = ((t - self._start_s) * scale for t in (tile.start_s, tile.end_s))
            painter.drawImage(QRectF(x1, 0, x2 - x1, size.height()), tile_image)
        painter.end()
        if is_whole:
            cached.image, cached.theme = image, self._theme.name
            cached.start_s, cached.end_s = self._start_s, self._end_s
        shown_image = QImage(image)
        shown_image.setDevicePixelRatio(ratio)
        self._painter.drawImage(QPointF(room.topLeft()), shown_image)
        self._veil_beyond(sound, room)
        self._draw_pitches(sound, room)

    def _look(self, room: QRect) -> SpectrogramStyle:
        from annotator.services.sound.soundscape import SpectrogramStyle

        height = round(room.height() * self._scene.ratio)
        wanted = self._scene.look
        return SpectrogramStyle(
            -(-height // _TILE_STEP_PX) * _TILE_STEP_PX,
            wanted.scale,
            wanted.gain_db,
            wanted.range_db,
            wanted.colors,
            self._theme.is_dark,
        )

    def _veil_beyond(self, sound: Soundscape, room: QRect) -> None:
        """Show where the sound does not reach as empty, not as silence."""
        state, scale = sound.state, self._scene.axis.scale
        x1, x2 = ((t - self._start_s) * scale for t in (state.start_s, state.end_s))
        plane = self._theme.color("timeline")
        if x1 > 0:
            self._painter.fillRect(QRectF(room.left(), room.top(), x1, room.height()), plane)
        if x2 < room.width():
            beyond = QRectF(room.left() + x2, room.top(), room.width() - x2, room.height())
            self._painter.fillRect(beyond, plane)

    def _draw_pitches(self, sound: Soundscape, room: QRect) -> None:
        """Write frequencies beside the strip, as many as have room."""
        from annotator.services.sound.soundscape import place_of

        painter, top_hz = self._painter, sound.state.rate / 2
        painter.setFont(self._small())
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        used_bottom = room.bottom() + 2.0
        for hz in _TICKS_HZ:
            if hz >= top_hz:
                break
            y = room.bottom() - place_of(hz, self._scene.look.scale, top_hz) * room.height()
            if y > used_bottom - _TICK_PX or y < room.top() + _TICK_PX / 2:
                continue
            used_bottom = y
            painter.setPen(QPen(self._theme.color("grid_line"), 1))
            painter.drawLine(QLineF(self._edge - 5, y, self._edge - 1, y))
            painter.setPen(self._theme.color("text_dim"))
            text = f"{hz // 1000} kHz" if hz >= 1000 else f"{hz} Hz"
            painter.drawText(QRectF(self._edge - 74, y - 8, 66, 16), flags, text)

    # Names and words

    def _draw_name(self, name: str, room: QRect) -> None:
        painter, theme = self._painter, self._theme
        tr = QCoreApplication.translate
        is_waveform = name == "waveform"
        title = tr("timeline", "Waveform") if is_waveform else tr("timeline", "Spectrogram")
        painter.setClipRect(QRect(0, room.top(), self._edge - 1, room.height()))
        painter.setFont(self._small())
        line = painter.fontMetrics().height() + 1.0
        is_low = room.height() < 2 * line + 4
        top = room.top() + (room.height() - line) / 2 if is_low else room.top() + 4.0
        icon = "mute" if is_waveform and self._scene.is_muted else name
        pixmap = theme.icon(icon, token="text_dim").pixmap(QSize(14, 14), self._scene.ratio)
        painter.drawPixmap(QPointF(8, top + line / 2 - 7), pixmap)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(theme.color("text"))
        # Beside the name of the spectrogram stand its pitches.
        width = self._edge - (36 if is_waveform else 104)
        short = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRectF(28, top, width, line), flags, short)
        word = self._word(is_waveform)
        if word and not is_low:
            painter.setPen(theme.color("text_dim"))
            painter.drawText(QRectF(28, top + line, self._edge - 34, line), flags, word)

    def _word(self, is_waveform: bool) -> str:
        """Return the text of a strip: progress first, then muted, then its scale."""
        sound, tr = self._scene.sound, QCoreApplication.translate
        if sound is None or not sound.state.is_open:
            return ""
        state = sound.state
        if not state.is_complete:
            done = f"{round(100 * state.fraction)}%"
            return tr("timeline", "computing, {done}").format(done=done)
        if sound.is_silent:
            return ""
        if not is_waveform:
            return self._scene.look.scale
        if self._scene.is_muted:
            return tr("timeline", "muted")
        return f"{state.rate / 1000:g} kHz · {20 * np.log10(full_scale(sound)):+.0f} dB"

    def _excuse(self, sound: Soundscape | None) -> str:
        tr = QCoreApplication.translate
        if sound is None:
            return tr("timeline", "No audio")
        if sound.is_silent:
            return tr("timeline", "The audio is silent")
        return sound.state.problem or tr("timeline", "Computing …")

    def _say(self, text: str, room: QRect) -> None:
        self._painter.setPen(self._theme.color("text_dim"))
        self._painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _small(self) -> QFont:
        font = QFont(self._painter.font())
        font.setPointSizeF(self._scene.small_pt)
        return font


def full_scale(sound: Soundscape) -> float:
    """Return the loudest sample of a sound: what fills the height of the waveform."""
    loudest = sound.loudest
    return 1.0 if loudest is None else max(_LEAST_PEAK, min(1.0, loudest))


def waveform_image(peaks: Peaks, height: int, gain: float, inks: list[QColor]) -> QImage:
    """Return the outline in the first ink with the effective value in the second over it.

    One column of the picture for each of the peaks, ``height`` device pixels high.
    """
    half = np.float32(height / 2)
    tops = half * (1 - peaks.high * np.float32(gain))
    ends = half * (1 - peaks.low * np.float32(gain))
    thin = np.maximum(0, 1.5 - (ends - tops)) / 2
    rows = np.arange(height, dtype=np.float32)[:, None] + np.float32(0.5)
    body = _between(rows, tops - thin, ends + thin)
    reach = np.minimum(peaks.rms * np.float32(gain) * half, (ends - tops) / 2)
    core = _between(rows, half - reach, half + reach) & body
    indices: NDArray[np.uint8] = body.astype(np.uint8) + core
    width = len(peaks.low)
    stride = -(-width // 4) * 4
    padded = np.zeros((height, stride), np.uint8)
    padded[:, :width] = indices
    image = QImage(padded.data, width, height, stride, QImage.Format.Format_Indexed8)
    image.setColorTable([0, *(ink.rgba() for ink in inks)])
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _between(rows: Floats, low: Floats, high: Floats) -> NDArray[np.bool_]:
    """Return which rows lie inside, column by column; nowhere where a bound is not known."""
    inside: NDArray[np.bool_] = (rows >= low[None, :]) & (rows <= high[None, :])
    return inside
