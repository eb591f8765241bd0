"""Fields that are answered in the video: time spans, objects, and the parts they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.answer import Spans, Value
from annotator.domain.forms.field import Field
from annotator.domain.ids import TrackId
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.forms.fields.editor import FieldEditor, OneStop, digit_of
from annotator.ui.forms.fields.option_button import ManyOption
from annotator.ui.forms.fields.spell_check import Spelling
from annotator.ui.look.texts import time_text
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

Span = tuple[int, int]
_CLICK_MS: Final = 30


class Seeking(Protocol):
    """Goes to a frame, and plays the marked range."""

    def seek(self, frame: int, /) -> None: ...

    def play_span(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Context of fields that are answered in the video and on the timeline.

    ``show_spans`` marks stretches of time on the timeline. ``spelling`` watches over words.
    """

    workspace: Workspace
    table: ActionTable
    canvas: CanvasView
    playback: Seeking
    show_spans: Callable[[tuple[Span, ...]], object]
    spelling: Spelling | None = None


class VideoEditor(FieldEditor):
    """A field that listens to the video while it is its turn (``set_current``)."""

    def __init__(self, around: Surroundings, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(around.workspace.hub, field, parent)
        self.around = around
        self.is_current = False
        # The keys that continue, step and mark apply to the whole field.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(4)
        self.hint = plain(QLabel())
        self.hint.setWordWrap(True)
        self.hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def set_current(self, *, is_current: bool) -> None:
        """Listen to the video from now on, or no longer."""
        self.is_current = is_current

    def take_focus(self) -> None:
        self.setFocus(Qt.FocusReason.TabFocusReason)


class SpansEditor(VideoEditor):
    """Stretches of time: the keys that mark a range mark them; one that is chosen is changed."""

    def __init__(self, around: Surroundings, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(around, field, parent)
        self._spans: tuple[Span, ...] = ()
        self._chosen: int | None = None
        self.rows: list[QWidget] = []
        self._place = QVBoxLayout()
        self._place.setSpacing(2)
        self.column.addLayout(self._place)
        self.column.addWidget(self.hint)
        for action_id, handler in (("range.in", self._on_in), ("range.out", self._on_out)):
            around.table.action(action_id).triggered.connect(handler)
        self._say()

    @property
    def spans(self) -> tuple[Span, ...]:
        """Ranges answered so far."""
        return self._spans

    def show_value(self, value: Value | None) -> None:
        self._spans = value.spans if isinstance(value, Spans) else ()
        if self._chosen is not None and self._chosen >= len(self._spans):
            self._chosen = None
        for row in self.rows:
            self._place.removeWidget(row)
            row.deleteLater()
        self.rows = [self._row(i, span) for i, span in enumerate(self._spans)]
        for row in self.rows:
            self._place.addWidget(row)
        self._say()

    def press_digit(self, digit: int) -> bool:
        if not 1 <= digit <= len(self._spans):
            return False
        self._choose(digit - 1)
        return True

    def set_current(self, *, is_current: bool) -> None:
        super().set_current(is_current=is_current)
        if not is_current and self._chosen is not None:
            self._chosen = None
            self.around.workspace.set_range(None)
            self._say()

    def _row(self, index: int, span: Span) -> QWidget:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        words = self._words(span)
        button = ManyOption(self.hub, words, "", digit_of(index))
        button.setChecked(index == self._chosen)
        button.clicked.connect(partial(self._choose, index))
        play = tool(self, "play", self.tr("Play {span}").format(span=words))
        play.clicked.connect(partial(self._play, index))
        delete_button = tool(self, "delete", self.tr("Delete {span}").format(span=words))
        delete_button.clicked.connect(partial(self._remove, index))
        layout.addWidget(button, 1)
        layout.addWidget(play)
        layout.addWidget(delete_button)
        return row

    def _words(self, span: Span) -> str:
        stage = self.around.workspace.stage
        if stage is None or not len(stage.times):
            return f"{span[0]} – {span[1]}"
        start = float(stage.times[min(span[0], len(stage.times) - 1)])
        end = float(stage.times[span[1]]) if span[1] < len(stage.times) else stage.end_s
        return f"{time_text(start)} – {time_text(end)}"

    def _choose(self, index: int) -> None:
        """Choose a span to change, show it on the timeline and go there; once more lets it go."""
        self._chosen = None if index == self._chosen else index
        span = self._spans[index] if self._chosen is not None else None
        self.around.workspace.set_range(span)
        if span is not None:
            self.around.playback.seek(span[0])
        self.show_value(Spans(self._spans))

    def _play(self, index: int) -> None:
        self.around.workspace.set_range(self._spans[index])
        self.around.playback.play_span()

    def _remove(self, index: int) -> None:
        self._chosen = None
        self.around.workspace.set_range(None)
        self._tell([*self._spans[:index], *self._spans[index + 1 :]])

    @Slot()
    def _on_in(self) -> None:
        if not self.is_current:
            self.wanted.emit()
        elif self._chosen is not None:
            self._change()

    @Slot()
    def _on_out(self) -> None:
        span = self.around.workspace.range
        # An answer names frames, which a sound alone does not have.
        if not self.is_current or span is None or not self.around.workspace.has_picture:
            return
        if self._chosen is not None:
            self._change()
            return
        self._tell([*self._spans, span])
        self.around.workspace.set_range(None)

    def _change(self) -> None:
        span, at = self.around.workspace.range, self._chosen
        if span is not None and at is not None:
            self._tell([*self._spans[:at], span, *self._spans[at + 1 :]])

    def _tell(self, spans: Sequence[Span]) -> None:
        joined = _merged(spans)
        if self._chosen is not None and len(joined) < len(spans):
            self._chosen = None
        self.answered.emit(Spans(joined) if joined else None)

    def _say(self) -> None:
        keymap = self.around.table.keymap
        first, last = (keymap.keys(name)[:1] for name in ("range.in", "range.out"))
        if self._chosen is not None:
            text = self.tr(
                "Press {start} or {end} to move the start or the end to the current frame."
            )
        else:
            text = self.tr("Press {start} to set the start and {end} to set the end.")
        words = {"start": shown("".join(first)), "end": shown("".join(last))}
        self.hint.setText(text.format(**words))


class TracksEditor(VideoEditor):
    """Objects of the video: ticked in the list, or clicked in the picture."""

    def __init__(self, around: Surroundings, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(around, field, parent)
        self._value: tuple[str, ...] = ()
        self.buttons: dict[TrackId, ManyOption] = {}
        session = around.workspace.session
        tracks = session.document.tracks if session is not None else ()
        for i, track in enumerate(tracks):
            words = f"{track.info.number} · {track.label}"
            button = ManyOption(self.hub, words, "", digit_of(i), self)
            button.clicked.connect(partial(self._toggle, track.id))
            self.buttons[track.id] = button
            self.column.addWidget(button)
        self.stop = OneStop(self, list(self.buttons.values()))
        if self.buttons:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        text = self.tr("Click the objects in the video, or select them here.")
        none = self.tr("This video has no annotated objects.")
        self.hint.setText(text if self.buttons else none)
        self.column.addWidget(self.hint)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._take_click)
        around.workspace.selection.changed.connect(self._on_selection_changed)

    def show_value(self, value: Value | None) -> None:
        self._value = value if isinstance(value, tuple) else ()
        for track_id, button in self.buttons.items():
            with QSignalBlocker(button):
                button.setChecked(track_id in self._value)
        self.stop.settle()

    def press_digit(self, digit: int) -> bool:
        ids = list(self.buttons)
        if not 1 <= digit <= len(ids):
            return False
        self._toggle(ids[digit - 1])
        return True

    def take_focus(self) -> None:
        (self.stop.best or self).setFocus(Qt.FocusReason.TabFocusReason)

    def _toggle(self, track_id: TrackId) -> None:
        picked = {*self._value} ^ {track_id}
        kept = tuple(t for t in self.buttons if t in picked)
        self.answered.emit(kept or None)

    @Slot()
    def _on_selection_changed(self) -> None:
        if self.is_current and self.isEnabled() and self.around.workspace.selection.primary:
            self._timer.start()

    @Slot()
    def _take_click(self) -> None:
        """Take a click on an object as a tick once the mouse is up; leave nothing selected."""
        selection = self.around.workspace.selection
        if self.around.canvas.tools.is_busy:
            self._timer.start(_CLICK_MS)
            return
        primary = selection.primary
        selection.clear()
        if self.is_current and primary in self.buttons:
            self._toggle(primary)


def tool(owner: FieldEditor, icon: str, tip: str) -> QToolButton:
    """Return a small button of a field with an icon."""
    button = QToolButton()
    button.setIcon(owner.hub.theme.icon(icon))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return spans in order, those that overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)
