"""The second video of a pair: beside the first, with shared or own playback."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.forms.restricted_view import PairLayout
from annotator.media.values import Picture, PictureRequest
from annotator.ui.bars.canvas_messages import FrameBadge
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.painting.shown_picture import ShownPicture
from annotator.ui.look.texts import time_text
from annotator.ui.look.widgets import plain

if TYPE_CHECKING:
    from annotator.services.playback.player import PlayerState
    from annotator.ui.state.stage import OtherVideo
    from annotator.ui.state.workspace import Workspace

_TICK_MS: Final = 8
_AHEAD_S: Final = 0.008
_APART_S: Final = 0.1


class OtherPicture(QWidget):
    """Shows one picture as large as fits."""

    clicked = Signal()
    resized = Signal()

    def __init__(self, workspace: Workspace, size: tuple[int, int]) -> None:
        super().__init__()
        self._hub = workspace.hub
        self._size = size
        self._shown: ShownPicture | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(self.tr("Image of the second video"))
        workspace.hub.changed.connect(self.update)

    @property
    def index(self) -> int | None:
        """The frame on screen."""
        return self._shown.index if self._shown is not None else None

    def show_picture(self, picture: Picture | None) -> None:
        self._shown = ShownPicture(picture) if picture is not None else None
        self.update()

    def target_size(self) -> tuple[int, int]:
        """Return how large pictures are to be, in device pixels."""
        view = Viewport().with_widget(self.width(), self.height(), self.devicePixelRatioF())
        return view.with_image(*self._size).fitted().device_size

    def sizeHint(self) -> QSize:
        return QSize(480, 540)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._hub.theme.color("canvas"))
        if self._shown is not None:
            view = Viewport().with_widget(self.width(), self.height(), self.devicePixelRatioF())
            view = view.with_image(*self._shown.picture.source_size).fitted()
            painter.scale(1 / view.ratio, 1 / view.ratio)
            self._shown.paint(painter, view)
        painter.end()


class SecondVideo(QWidget):
    """Drives the player of the other video. ``PairLayout.TOGETHER``: it follows the first video's;
    ``PairLayout.APART``: it has buttons, and whichever begins to play lets the other pause.
    """

    def __init__(self, workspace: Workspace, other: OtherVideo, layout: PairLayout) -> None:
        super().__init__()
        self._workspace = workspace
        self.other = other
        self.is_together = layout is PairLayout.TOGETHER
        self._asked: PictureRequest | None = None
        self.picture = OtherPicture(workspace, other.size)
        # As over the first one, so that both pictures are at one height.
        self.name = FrameBadge(workspace.hub, self.picture)
        self.name.say(f"2 · {other.name}")
        self.play = QToolButton()
        self.play.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.setRange(0, max(0, len(other.times) - 1))
        self.slider.setAccessibleName(self.tr("Position in the second video"))
        self.time = plain(QLabel())
        self.bar = QWidget()
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(6, 2, 6, 2)
        for widget in (self.play, self.slider, self.time):
            row.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.picture, 1)
        column.addWidget(self.bar)
        self.bar.setVisible(not self.is_together)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._connect()
        self._on_moved(other.player.state)

    def toggle(self) -> None:
        """Play or pause this video alone."""
        if not self.is_together:
            self.other.player.toggle()

    def replay(self) -> None:
        """Play from the start."""
        player = self.other.player
        player.pause()
        player.seek(0)
        if not self.is_together:
            player.play()

    def close_video(self) -> None:
        """Stop the timer and release the player; the opener of the video closes it."""
        self._timer.stop()
        self.other.player.listeners.remove(self._on_moved)
        self.other.ready.remove(self._on_ready)

    def _connect(self) -> None:
        self.other.player.listeners.add(self._on_moved)
        self.other.ready.add(self._on_ready)
        self.play.clicked.connect(self.toggle)
        self.picture.clicked.connect(self.toggle)
        self.picture.resized.connect(self._ask_again)
        self.slider.sliderMoved.connect(self._on_slider_moved)
        self._workspace.bridge.playerMoved.connect(self._follow)

    @Slot(object)
    def _follow(self, state: PlayerState) -> None:
        """Do as the first video does, or pause where that begins to play."""
        player, stage = self.other.player, self._workspace.stage
        if stage is None or stage.other is not self.other:
            return
        if not self.is_together:
            if state.is_playing and player.state.is_playing:
                player.pause()
            return
        start = float(stage.times[0]) if len(stage.times) else 0.0
        other_time = state.time_s - start + self.other.start_s
        if state.is_playing:
            if state.speed != player.state.speed:
                player.set_speed(state.speed)
            is_over = other_time >= self.other.end_s
            if abs(player.state.time_s - other_time) > _APART_S and not is_over:
                player.seek_time(other_time)
            if not player.state.is_playing and not is_over:
                player.play()
        else:
            player.pause()
            player.seek_time(other_time)

    def _on_moved(self, state: PlayerState) -> None:
        if state.is_playing != self._timer.isActive():
            (self._timer.start if state.is_playing else self._timer.stop)()
        stage = self._workspace.stage
        if state.is_playing and not self.is_together and stage is not None:
            stage.player.pause()
        self.slider.setValue(state.frame)
        self.time.setText(time_text(state.time_s))
        icon = "pause" if state.is_playing else "play"
        words = self.tr("Pause the second video") if state.is_playing else ""
        words = words or self.tr("Play the second video")
        self.play.setIcon(self._workspace.hub.theme.icon(icon))
        self.play.setAccessibleName(words)
        self.play.setToolTip(words)
        self._ask(state)

    def _tick(self) -> None:
        self.other.player.tick(_AHEAD_S)

    @Slot(int)
    def _on_slider_moved(self, frame: int) -> None:
        self.other.player.seek(frame, exact=not self.slider.isSliderDown())

    @Slot()
    def _ask_again(self) -> None:
        self._asked = None
        self._ask(self.other.player.state)

    def _ask(self, state: PlayerState) -> None:
        width, height = self.picture.target_size()
        direction = (1 if state.speed > 0 else -1) if state.is_playing else 0
        request = PictureRequest(state.frame, width, height, direction, state.is_playing)
        if self.other.pictures is not None and request != self._asked:
            self._asked = request
            self.other.pictures.request(request)

    def _on_ready(self, _: None) -> None:
        if self.other.pictures is None:
            return
        picture = self.other.pictures.take()
        if picture is not None:
            self.picture.show_picture(picture)
            self.other.player.shown(picture.index, picture.requested)
