"""Cards above the board: the tasks of each stage by state; a click filters the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QWidget

from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import TaskStatus
from annotator.ui.lead import lead_texts
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import FlowLayout, tip

Key = tuple[str, str, TaskStatus]
Stage = tuple[str | None, str | None]
"""Task type and stage, each None for all."""
_PADDING_PX: Final = 10
_BAR_PX: Final = 3
_RADIUS_PX: Final = 6
_LETTERS: Final = (16, 30)  # least and greatest width of the texts
_GAP_PX: Final = 8
_BETWEEN: Final = " · "
_ROWS: Final = 2  # of cards in sight; more are scrolled


class StageCards(QScrollArea):
    """A card for each stage with its counts; ``chosen`` carries a `Stage`."""

    chosen = Signal(object)

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self.stage: Stage = (None, None)
        self.cards: dict[Stage, StageCard] = {}
        self.setAccessibleName(self.tr("Tasks by stage"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        place = QWidget()
        self._flow = FlowLayout(place, gap=_GAP_PX)
        self.setWidget(place)

    def set_counts(self, recipe: Recipe, counts: Mapping[Key, int]) -> None:
        """Show the number of tasks by task type, stage and state."""
        used = {(kind, stage) for kind, stage, _ in counts}
        kinds = {kind for kind, _ in used}
        stages: list[Stage] = [(None, None)]
        stages += [(t.kind, s.key) for t in recipe.task_types if t.kind in kinds for s in t.stages]
        stages += sorted(used.difference(stages))
        if list(self.cards) != stages:
            self._make_cards(stages)
        for (kind, stage), card in self.cards.items():
            title = _tr("All tasks")
            if kind is not None and stage is not None:
                title = lead_texts.stage_title(recipe, kind, stage)
                if len(kinds) > 1:
                    title = f"{lead_texts.kind_title(recipe, kind)} · {title}"
            card.show_counts(title, counts_of((kind, stage), counts))
        # All as wide as the widest, so that they stand below each other.
        width = max(card.needed_px for card in self.cards.values())
        for card in self.cards.values():
            card.setFixedSize(width, card.sizeHint().height())
        self._set_height()

    def choose(self, stage: Stage) -> None:
        """Mark the card of a stage as chosen, without a signal."""
        self.stage = stage
        for key, card in self.cards.items():
            card.setChecked(key == stage and key != (None, None))

    def _make_cards(self, stages: list[Stage]) -> None:
        for card in self.cards.values():
            self._flow.removeWidget(card)
            card.deleteLater()
        self.cards = {stage: StageCard(self._hub) for stage in stages}
        for stage, card in self.cards.items():
            self._flow.addWidget(card)
            card.show()
            card.clicked.connect(lambda _=False, stage=stage: self._on_clicked(stage))
        self.choose(self.stage)

    def _on_clicked(self, stage: Stage) -> None:
        # Clicked again: all tasks.
        self.choose((None, None) if stage == self.stage else stage)
        self.chosen.emit(self.stage)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.Resize:
            self._set_height()
        return done

    def _set_height(self) -> None:
        if not self.cards:
            return
        row = next(iter(self.cards.values())).sizeHint().height() + _GAP_PX
        needed = self._flow.heightForWidth(self.width())
        # Half a row more shows that there is something to scroll to.
        most = _ROWS * row - _GAP_PX
        self.setFixedHeight(needed if needed <= most else most + row // 2)


class StageCard(QAbstractButton):
    """The title of a stage, its counts in words, and the share that is complete as a line."""

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._words: list[str] = []
        self._fraction = ""
        self._shares = (0.0, 0.0)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        hub.changed.connect(self.update)

    def show_counts(self, title: str, counts: Mapping[TaskStatus, int]) -> None:
        """Show the number of tasks by state."""
        n, n_complete = sum(counts.values()), counts[TaskStatus.COMPLETE]
        parts = {
            status: f"{count:,} {lead_texts.status_text(status)}"
            for status, count in counts.items()
            if count
        }
        text = f"{title}\n{', '.join(parts.values())}"
        parts.pop(TaskStatus.COMPLETE, None)
        is_done = n_complete == n > 0
        done = lead_texts.status_text(TaskStatus.COMPLETE) if is_done else ""
        self._words = [*parts.values()] or [done if n else _tr("no tasks")]
        self._fraction = f"{n_complete:,}/{n:,}" if n else ""
        complete, begun = n_complete / max(n, 1), counts[TaskStatus.IN_PROGRESS] / max(n, 1)
        self._shares = (complete, complete + begun)
        self.setText(title)
        self.setAccessibleName(text.replace("\n", ": "))
        self.setToolTip(tip(text))
        self.update()

    @property
    def needed_px(self) -> int:
        """The width that its texts need, within limits."""
        metrics = self.fontMetrics()
        letter = metrics.averageCharWidth()
        texts = (self.text(), f"{_BETWEEN.join(self._words)}  {self._fraction}")
        needed = max(map(metrics.horizontalAdvance, texts)) + 2
        return min(max(needed, _LETTERS[0] * letter), _LETTERS[1] * letter) + 2 * _PADDING_PX

    def sizeHint(self) -> QSize:
        return QSize(self.needed_px, 2 * self.fontMetrics().height() + 2 * _PADDING_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, metrics = self._hub.theme, self.fontMetrics()
        room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        plane = "surface"
        if self.isChecked():
            plane = "selection"
        elif self.isDown():
            plane = "pressed"
        elif self.underMouse():
            plane = "hover"
        edge = "accent" if self.isChecked() or self.hasFocus() else "border"
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color(edge), 2 if self.hasFocus() else 1))
            painter.setBrush(theme.color(plane))
            painter.drawRoundedRect(room, _RADIUS_PX, _RADIUS_PX)
            inner = self.rect().adjusted(_PADDING_PX, _PADDING_PX - 2, -_PADDING_PX, 0)
            top, right = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignRight
            painter.setPen(theme.color("text"))
            painter.drawText(inner, top, self._short(self.text(), inner.width()))
            inner.translate(0, metrics.height() + 1)
            painter.drawText(inner, top | right, self._fraction)
            painter.setPen(theme.color("text_dim"))
            width = inner.width() - metrics.horizontalAdvance(self._fraction) - _GAP_PX
            painter.drawText(inner, top, self._short(self._fitting(width), width))
            line = QRectF(inner.left(), self.height() - _BAR_PX - 4.0, inner.width(), _BAR_PX)
            painter.setPen(Qt.PenStyle.NoPen)
            complete, begun = self._shares
            for share, token in ((1.0, "raised"), (begun, "warning"), (complete, "accent")):
                painter.setBrush(theme.color(token))
                part = QRectF(line.left(), line.top(), line.width() * share, _BAR_PX)
                painter.drawRoundedRect(part, _BAR_PX / 2, _BAR_PX / 2)

    def _fitting(self, width: int) -> str:
        """Return as many of the counts as have room: all are in the tooltip."""
        words = self._words
        measure = self.fontMetrics().horizontalAdvance
        while len(words) > 1 and measure(_BETWEEN.join(words)) > width:
            words = words[:-1]
        return _BETWEEN.join(words)

    def _short(self, text: str, width: int) -> str:
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)


def counts_of(stage: Stage, counts: Mapping[Key, int]) -> dict[TaskStatus, int]:
    """Return the number of tasks of a stage by state; what is being resolved is in progress."""
    found = dict.fromkeys(
        (TaskStatus.WAITING, TaskStatus.IN_PROGRESS, TaskStatus.COMPLETE, TaskStatus.WITHDRAWN), 0
    )
    for (kind, key, status), n in counts.items():
        if stage in ((None, None), (kind, key)):
            is_resolving = status is TaskStatus.RESOLVING
            found[TaskStatus.IN_PROGRESS if is_resolving else status] += n
    return found


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
