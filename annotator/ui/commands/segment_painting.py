"""Painting a segment while the video plays: as long as a key is held."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Slot

from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane
from annotator.domain.ids import SegmentId
from annotator.ui.state.desk import Desk

if TYPE_CHECKING:
    from annotator.ui.actions.key_router import KeyRouter


# Within this time a key that is pressed again was not let go: that is how X11 repeats keys.
_REPEAT_MS: Final = 60


@dataclass(frozen=True, slots=True)
class _Stroke:
    """A segment in the making: since when, and the key that holds it."""

    label: Label
    lane: Lane
    start_s: float
    key: int
    started_playing: bool


class SegmentPainting(QObject):
    """Begins with a key and ends when it is let go.

    People press late: both ends are taken back by the reaction time of the settings, which is
    time of the person and so covers more of a video that plays faster.
    """

    def __init__(
        self,
        desk: Desk,
        router: KeyRouter,
        create: Callable[..., SegmentId | None],
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._router = router
        self._create = create
        self._stroke: _Stroke | None = None
        self._end_s = 0.0
        self._ending = QTimer(self)
        self._ending.setSingleShot(True)
        self._ending.setInterval(_REPEAT_MS)
        self._ending.timeout.connect(self._finish)
        router.on_press.append(self._on_key_pressed)
        router.on_release.append(self._on_key_released)
        desk.stageChanged.connect(self._forget)

    @property
    def is_active(self) -> bool:
        return self._stroke is not None

    def toggle(self) -> None:
        """Paint with the chosen label while the key is held; a still video plays meanwhile."""
        label, stage = self._desk.labels.label, self._desk.stage
        if stage is None:
            return
        if label is None:
            self._desk.said.emit(
                self.tr("Select a label first: press its digit or click it in Labels.")
            )
            return
        started = not stage.player.state.is_playing
        if started:
            stage.player.play()
        self.begin(label, started_playing=started)

    def begin(self, label: Label, *, started_playing: bool = False) -> None:
        """Start to paint at the moment that plays."""
        stage = self._desk.stage
        if stage is None or self._stroke is not None:
            return
        start_s = stage.player.state.time_s
        if not started_playing:
            start_s -= self._reaction_s()
        lane = self._desk.labels.lane
        self._stroke = _Stroke(label, lane, start_s, self._router.last_key, started_playing)
        text = self.tr("Painting “{label}” while the key is held").format(label=label.text.strip())
        self._desk.set_hint(text)

    def cancel(self) -> bool:
        """Forget what is being painted; False when nothing is."""
        was_active = self._stroke is not None
        self._forget()
        return was_active

    def _reaction_s(self) -> float:
        stage = self._desk.stage
        speed = stage.player.state.speed if stage is not None else 1.0
        return self._desk.settings.whole("segments.reaction_ms") / 1000 * speed

    def _on_key_pressed(self, key: int) -> None:
        """Continue the stroke: the key was not let go, the keyboard repeats it."""
        if self._stroke is not None and key == self._stroke.key:
            self._ending.stop()

    def _on_key_released(self, key: int) -> None:
        stroke, stage = self._stroke, self._desk.stage
        if stroke is None or stage is None or key != stroke.key:
            return
        is_playing = stage.player.state.is_playing
        self._end_s = stage.player.state.time_s - (self._reaction_s() if is_playing else 0.0)
        self._ending.start()

    @Slot()
    def _finish(self) -> None:
        stroke, stage = self._stroke, self._desk.stage
        if stroke is None or stage is None:
            return
        self._forget()
        start_s, end_s = sorted((stroke.start_s, self._end_s))
        if stroke.started_playing:
            stage.player.pause()
        if end_s > start_s:
            start_us, end_us = round(start_s * 1e6), round(end_s * 1e6)
            self._create(
                stroke.label, stroke.lane, start_us, end_us, selects=stroke.lane is Lane.ACTION
            )

    @Slot()
    def _forget(self) -> None:
        self._ending.stop()
        if self._stroke is not None:
            self._stroke = None
            self._desk.set_hint("")
