"""Two models video by video: a scatter plot of one metric, and who is better how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QShowEvent,
)
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QToolTip, QVBoxLayout, QWidget

from annotator.services.dataset.evaluation.baselines import PEOPLE
from annotator.services.dataset.evaluation.evaluation import ITEM_METRICS
from annotator.ui.lead.dataset.chart_titles import baseline_title, metric_title
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain
from annotator.ui.look.widgets import tip as plain_tip

if TYPE_CHECKING:
    pass

_DOT_PX: Final = 6.0
_NEAR_PX: Final = 9.0
_TICKS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_SAME: Final = 1e-9


class ComparedVideo(NamedTuple):
    """A video with the values of two models, 0..1."""

    name: str
    x: float
    y: float


class ScatterChart(QWidget):
    """Dots over a unit square; ``clicked`` sends the name of a dot."""

    clicked = Signal(str)

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self.dots: tuple[ComparedVideo, ...] = ()
        self._values = np.empty((0, 2))
        self._titles = ("", "")
        self._people: float | None = None
        self._kept: tuple[object, QPixmap] | None = None
        self.setMouseTracking(True)
        hub.changed.connect(self.update)

    def show_dots(
        self,
        dots: Sequence[ComparedVideo],
        x_title: str,
        y_title: str,
        about: str,
        people: float | None = None,
    ) -> None:
        """Show other dots; ``about`` describes them.

        ``people`` is how far people agree with each other, as a line of reference.
        """
        self.dots = tuple(dots)
        self._people = people
        self._values = np.array([(d.x, d.y) for d in dots]).reshape(-1, 2)
        self._titles = x_title, y_title
        self._kept = None
        self.setAccessibleName(f"{x_title} × {y_title}")
        self.setAccessibleDescription(about)
        self.update()

    def place_of(self, dot: ComparedVideo) -> QPointF:
        """Return where a dot is, in pixels of the widget."""
        area = self._area()
        return QPointF(area.left() + dot.x * area.width(), area.bottom() - dot.y * area.height())

    def sizeHint(self) -> QSize:
        return QSize(420, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 200)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            dot = self._dot_at(QPointF(event.pos()))
            if dot is None:
                QToolTip.hideText()
            else:
                text = f"{dot.name}\n{self._titles[0]}: {dot.x:.3f}\n{self._titles[1]}: {dot.y:.3f}"
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_near = self._dot_at(event.position()) is not None
        shape = Qt.CursorShape.PointingHandCursor if is_near else Qt.CursorShape.ArrowCursor
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        dot = self._dot_at(event.position())
        if dot is not None:
            self.clicked.emit(dot.name)

    def paintEvent(self, _event: QPaintEvent) -> None:
        # Ten thousand dots are painted once, then copied.
        ratio = self.devicePixelRatioF()
        key = self.size(), ratio, self._hub.theme.name
        if self._kept is None or self._kept[0] != key:
            picture = QPixmap(self.size() * ratio)
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint(painter)
            painter.end()
            self._kept = key, picture
        QPainter(self).drawPixmap(0, 0, self._kept[1])

    def _paint(self, painter: QPainter) -> None:
        theme, area, metrics = self._hub.theme, self._area(), self.fontMetrics()
        painter.setFont(self.font())
        painter.fillRect(area, theme.color("surface"))
        line = metrics.height()
        for tick in _TICKS:
            x, y = area.left() + tick * area.width(), area.bottom() - tick * area.height()
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme.color("text_dim"))
            text = f"{tick:g}"
            painter.drawText(QRectF(x - 30, area.bottom() + 2, 60, line), _CENTER, text)
            left = QRectF(area.left() - 46, y - line / 2, 40, line)
            painter.drawText(left, _RIGHT, text)
        painter.setPen(QPen(theme.color("border_strong"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(area.bottomLeft(), area.topRight())
        if self._people is not None:
            x = area.left() + self._people * area.width()
            y = area.bottom() - self._people * area.height()
            painter.setPen(QPen(theme.color("text"), 1.5, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme.color("text"))
            people_text = self.tr("people {value}").format(value=f"{self._people:.3f}")
            painter.drawText(QPointF(area.left() + 4, y - 3), people_text)
        painter.setPen(theme.color("text"))
        below = QRectF(area.left(), area.bottom() + line + 4, area.width(), line)
        painter.drawText(below, _CENTER, self._elided(self._titles[0], area.width()))
        painter.save()
        painter.translate(area.left() - 50 - line, area.bottom())
        painter.rotate(-90)
        beside = QRectF(0, 0, area.height(), line)
        painter.drawText(beside, _CENTER, self._elided(self._titles[1], area.height()))
        painter.restore()
        color = QColor(theme.color("accent"))  # the theme keeps its own
        color.setAlphaF(0.55)
        pen = QPen(color, _DOT_PX)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        places = self._values * (area.width(), -area.height()) + (area.left(), area.bottom())
        painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in places.tolist()]))

    def _elided(self, text: str, room: float) -> str:
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, round(room))

    def _area(self) -> QRectF:
        """Return the square in which the dots are."""
        line = self.fontMetrics().height()
        left, below = 56 + line, 2 * line + 10
        side = max(40.0, min(self.width() - left - 12, self.height() - below - 8))
        return QRectF(left, 6, side, side)

    def _dot_at(self, place: QPointF) -> ComparedVideo | None:
        if not self.dots:
            return None
        area = self._area()
        x = (place.x() - area.left()) / area.width()
        y = (area.bottom() - place.y()) / area.height()
        distances = np.hypot(self._values[:, 0] - x, self._values[:, 1] - y)
        nearest = int(distances.argmin())
        return self.dots[nearest] if distances[nearest] * area.width() <= _NEAR_PX else None


_CENTER: Final = Qt.AlignmentFlag.AlignCenter
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ComparisonView(QWidget):
    """Choice of models and metric, and the plot; ``videoChosen`` has model, task and video."""

    videoChosen = Signal(str, str, str)

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._is_old = False
        self._means_of: Mapping[str, Mapping[str, Mapping[str, float]]] = {}
        self.task = self._combo(self.tr("Metric"))
        self.first = self._combo(self.tr("Horizontal axis"))
        self.second = self._combo(self.tr("Vertical axis"))
        self.chart = ScatterChart(hub)
        self.chart.clicked.connect(self._on_clicked)
        self.status_label = plain(QLabel())
        self.status_label.setWordWrap(True)
        head = QHBoxLayout()
        for text, combo in (
            (self.tr("Metric"), self.task),
            (self.tr("Horizontal"), self.first),
            (self.tr("Vertical"), self.second),
        ):
            head.addWidget(plain(QLabel(text)))
            head.addWidget(combo)
        head.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(self.status_label)
        layout.addWidget(self.chart, 1)

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        combo.activated.connect(self._show)
        return combo

    def set_scores(self, means: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
        """Compare other models: means by model, task and video."""
        self._means_of = means
        tasks = list(dict.fromkeys(task for found in means.values() for task in found))
        self.task.clear()
        for task in tasks:
            self.task.addItem(metric_title(task, ITEM_METRICS[task]), task)
        for combo in (self.first, self.second):
            combo.clear()
            for model in means:
                combo.addItem(baseline_title(model), model)
        self.second.setCurrentIndex(self.second.count() - 1)
        self._is_old = True
        if self.isVisible():
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Build the plot when it becomes visible: thousands of dots take longer than a frame."""
        if self._is_old:
            self._show()
        super().showEvent(event)

    @Slot()
    def _show(self) -> None:
        self._is_old = False
        task, models = (
            self.task.currentData(),
            (self.first.currentData(), self.second.currentData()),
        )
        if task is None:
            self.status_label.setText(
                self.tr(
                    "Evaluate two models: each video becomes a dot, with one model on each axis."
                )
            )
            self.chart.show_dots((), "", "", "")
            return
        means = [self._means(model, task) for model in models]
        first, second = means
        dots = [ComparedVideo(name, x, second[name]) for name, x in first.items() if name in second]
        gaps = np.array([dot.y - dot.x for dot in dots])
        more, less = int((gaps > _SAME).sum()), int((gaps < -_SAME).sum())
        text = self.tr(
            "{n} videos: {second} is better in {more}, {first} in {less}, equal in {same}. "
            "Click a dot to open the video."
        ).format(
            n=f"{len(dots):,}",
            first=baseline_title(models[0]),
            second=baseline_title(models[1]),
            more=f"{more:,}",
            less=f"{less:,}",
            same=f"{len(dots) - more - less:,}",
        )
        self.status_label.setText(text)
        titles = baseline_title(models[0]), baseline_title(models[1])
        self.chart.show_dots(dots, *titles, text, self._of_people(task))

    def _of_people(self, task: str) -> float | None:
        """Return the mean over videos of the human baseline, independent people preferred."""
        for model in PEOPLE:
            means = self._means(model, task)
            if means:
                return sum(means.values()) / len(means)
        return None

    def _means(self, model: str, task: str) -> Mapping[str, float]:
        """Return the mean of a model by video."""
        return self._means_of.get(model, {}).get(task, {})

    @Slot(str)
    def _on_clicked(self, video: str) -> None:
        self.videoChosen.emit(self.second.currentData(), self.task.currentData(), video)
