"""The transport bar under the picture: play, step, speed, where we are, loop and loudness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import speed_text, time_text
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.playback.player import PlayerState

SPEEDS: Final = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0)
_LEFT: Final = (
    "go.first",
    "go.grid-back",
    "go.key-back",
    "go.frame-back",
    "play.toggle",
    "go.frame-forward",
    "go.key-forward",
    "go.grid-forward",
    "go.last",
)

_SPARE: Final = ("go.first", "go.last", "go.key-back", "go.key-forward")
_MIN_WIDTH_PX: Final = 360


class FrameField(QSpinBox):
    """Takes the number of a frame; a click elsewhere before Enter drops what was typed.

    If it went to that frame, a drag on the canvas would edit the frame it leaves.
    """

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(self.tr("Frame"))
        self.setToolTip(self.tr("Frame number, starting at 0. Press Enter to go to it."))
        self.setKeyboardTracking(False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self.setValue(self._workspace.frame)
        super().focusOutEvent(event)


class TransportBar(QFrame):
    """Buttons of playback actions; the fields show and set the state of the player."""

    frameWanted = Signal(int)
    speedWanted = Signal(float)
    volumeWanted = Signal(float)

    def __init__(
        self, workspace: Workspace, table: ActionTable, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._workspace = workspace
        self._is_playing = False
        self._table = table
        self.play = QToolButton()
        self.frame = FrameField(workspace)
        self.frame.editingFinished.connect(self._on_frame_entered)
        self._total = plain(QLabel())
        self._time = plain(QLabel())
        self._time.setToolTip(self.tr("Time from the first frame to this frame"))
        self._drops = plain(QLabel())
        self._drops.setToolTip(self.tr("Frames dropped because the computer was too slow"))
        self.speed = QComboBox()
        self.speed.setAccessibleName(self.tr("Speed"))
        self.speed.setToolTip(self.tr("Playback speed"))
        for value in SPEEDS:
            self.speed.addItem(speed_text(value), value)
        self.speed.activated.connect(self._on_speed_activated)
        self.volume = QSlider(Qt.Orientation.Horizontal)
        self.volume.setRange(0, 100)
        self.volume.setFixedWidth(80)
        self.volume.setValue(round(100 * workspace.settings.number("playback.volume")))
        self.volume.setAccessibleName(self.tr("Volume"))
        self.volume.setToolTip(self.tr("Volume"))
        self.volume.valueChanged.connect(self._on_volume_changed)
        self._lay_out()
        workspace.bridge.playerMoved.connect(self._on_player_moved)
        workspace.frameChanged.connect(self._on_frame_changed)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.hub.changed.connect(self._show_play)
        table.action("play.mute").toggled.connect(self._show_play)
        self._on_stage_changed()

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 3, 8, 3)
        layout.setSpacing(2)
        self._spare: list[tuple[int, QWidget]] = [(640, self.volume), (540, self._time)]
        for action_id in _LEFT:
            button = self.play if action_id == "play.toggle" else QToolButton()
            layout.addWidget(self._button(action_id, button))
            if action_id in _SPARE:
                self._spare.append((480, button))
        layout.addSpacing(10)
        layout.addWidget(self.frame)
        layout.addWidget(self._total)
        layout.addSpacing(10)
        layout.addWidget(self._time)
        layout.addSpacing(10)
        layout.addWidget(self._drops)
        layout.addStretch(1)
        layout.addWidget(self.speed)
        layout.addWidget(self._button("play.loop", QToolButton()))
        layout.addSpacing(6)
        layout.addWidget(self._button("play.mute", QToolButton()))
        layout.addWidget(self.volume)

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_WIDTH_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide controls that have a key or a second place if there is little room."""
        for width, widget in self._spare:
            widget.setVisible(event.size().width() >= width)
        super().resizeEvent(event)

    def _button(self, action_id: str, button: QToolButton) -> QToolButton:
        button.setDefaultAction(self._table.action(action_id))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAutoRepeat(self._table.spec(action_id).repeats)
        return button

    @Slot()
    def _on_stage_changed(self) -> None:
        stage = self._workspace.stage
        self.setEnabled(stage is not None)
        n = self._workspace.n_frames
        for field in (self.frame, self._total):
            field.setVisible(n > 0 or self._workspace.stage is None)
        with QSignalBlocker(self.frame):
            self.frame.setRange(0, max(0, n - 1))
        self._total.setText(f"/ {max(0, n - 1)}")
        self.volume.setEnabled(stage is not None and stage.has_sound)
        if stage is not None:
            self._on_player_moved(stage.player.state)
        else:
            self._time.setText(time_text(0))
            self._drops.setText("")
        self._on_frame_changed(self._workspace.frame)
        self._show_play()

    @Slot(object)
    def _on_player_moved(self, state: PlayerState) -> None:
        if state.is_playing != self._is_playing:
            self._show_play()
        if self._workspace.n_frames == 0:
            self._time.setText(time_text(state.time_s))
        text = self.tr("{n} dropped").format(n=state.dropped) if state.dropped else ""
        if text != self._drops.text():
            self._drops.setText(text)
        self._show_speed(state.speed)

    @Slot(int)
    def _on_frame_changed(self, frame: int) -> None:
        stage = self._workspace.stage
        if stage is not None and frame < len(stage.times):
            self._time.setText(time_text(float(stage.times[frame])))
        if not self.frame.hasFocus():
            with QSignalBlocker(self.frame):
                self.frame.setValue(frame)

    @Slot()
    def _show_play(self) -> None:
        stage = self._workspace.stage
        is_playing = stage is not None and stage.player.state.is_playing
        self._is_playing = is_playing
        theme = self._workspace.hub.theme
        self._table.action("play.toggle").setIcon(theme.icon("pause" if is_playing else "play"))
        is_muted = self._table.action("play.mute").isChecked()
        self._table.action("play.mute").setIcon(theme.icon("mute" if is_muted else "sound"))

    def _show_speed(self, speed: float) -> None:
        index = self.speed.findData(speed)
        if index < 0:
            # A speed that the list does not offer (backwards) is shown as a last, passing entry.
            if self.speed.count() == len(SPEEDS):
                self.speed.addItem("")
            index = len(SPEEDS)
            self.speed.setItemText(index, speed_text(speed))
            self.speed.setItemData(index, speed)
        elif index < len(SPEEDS) < self.speed.count():
            self.speed.removeItem(len(SPEEDS))
        self.speed.setCurrentIndex(index)

    @Slot()
    def _on_frame_entered(self) -> None:
        if self.frame.value() != self._workspace.frame:
            self.frameWanted.emit(self.frame.value())

    @Slot(int)
    def _on_speed_activated(self, index: int) -> None:
        self.speedWanted.emit(float(self.speed.itemData(index)))

    @Slot(int)
    def _on_volume_changed(self, value: int) -> None:
        self.volumeWanted.emit(value / 100)
