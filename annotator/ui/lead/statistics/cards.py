"""Cards of the page Statistics: key figures, and charts with the tables behind them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from annotator.domain.work.records import TaskStatus
from annotator.services.workflow.work import WorkStatistics
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import plain

_RADIUS_PX: Final = 8
_LARGE: Final = 1.7
_WEEK: Final = timedelta(days=7)


class KeyNumber(NamedTuple):
    """A number of the project: its title, itself as text, and what it is compared with."""

    title: str
    value: str
    note: str


def key_numbers(numbers: WorkStatistics, remaining_hours: float | None) -> list[KeyNumber]:
    """Return complete tasks, submissions, time and the share that was sent back."""
    n_tasks = sum(n for (*_, st), n in numbers.counts.items() if st is not TaskStatus.WITHDRAWN)
    complete = sum(n for (*_, st), n in numbers.counts.items() if st is TaskStatus.COMPLETE)
    by_day = {day: sum(counts.values()) for day, counts in numbers.throughput.items()}
    since = (date.today() - _WEEK).isoformat()
    recent = sum(n for day, n in by_day.items() if day > since)
    hours = sum(row.total_hours for row in numbers.hours)
    judged = sum(rate.judged for rate in numbers.return_rates.values())
    returned = sum(rate.returned for rate in numbers.return_rates.values())
    left = _tr("{hours:,.1f} h remain, estimated")
    return [
        KeyNumber(
            _tr("Complete tasks"),
            f"{complete:,} / {n_tasks:,}",
            f"{complete / n_tasks:.0%}" if n_tasks else "",
        ),
        KeyNumber(
            _tr("Submissions"),
            f"{sum(by_day.values()):,}",
            _tr("{n:,} in the last 7 days").format(n=recent),
        ),
        KeyNumber(
            _tr("Annotation time"),
            f"{hours:,.1f} h",
            "" if remaining_hours is None else left.format(hours=remaining_hours),
        ),
        KeyNumber(
            _tr("Sent back"),
            f"{returned / judged:.0%}" if judged else "–",
            _tr("{n:,} of {all:,} reviewed submissions").format(n=returned, all=judged),
        ),
    ]


class KeyNumbers(QWidget):
    """Cards beside each other."""

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self.cards: list[_NumberCard] = []

    def show_numbers(self, key_numbers: Sequence[KeyNumber]) -> None:
        """Show other numbers, as many as before."""
        while len(self.cards) < len(key_numbers):
            self.cards.append(_NumberCard(self._hub))
            self._row.addWidget(self.cards[-1], 1)
        for card, number in zip(self.cards, key_numbers, strict=True):
            card.show_number(number)


class Card(QWidget):
    """A plane with rounded corners."""

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        hub.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._hub.theme.color("border"), 1))
            painter.setBrush(self._hub.theme.color("surface"))
            room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(room, _RADIUS_PX, _RADIUS_PX)


class _NumberCard(Card):
    def __init__(self, hub: ThemeHub) -> None:
        super().__init__(hub)
        self.title, self.value, self.note = (plain(QLabel()) for _ in range(3))
        font = self.value.font()
        font.setPointSizeF(font.pointSizeF() * _LARGE)
        self.value.setFont(font)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(4)
        for label in (self.title, self.value, self.note):
            column.addWidget(label)
        for label in (self.title, self.note):
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def show_number(self, number: KeyNumber) -> None:
        self.title.setText(number.title)
        self.value.setText(number.value)
        self.note.setText(number.note)
        self.setAccessibleName(f"{number.title}: {number.value} {number.note}".strip())


class ChartCard(Card):
    """A chart, or the table behind it in its place."""

    def __init__(self, hub: ThemeHub, chart: QWidget, table: TableWithExport) -> None:
        super().__init__(hub)
        title = table.heading.text()
        self.switch = QPushButton(self.tr("Table"))
        self.switch.setAccessibleName(self.tr("Show “{title}” as a table").format(title=title))
        self.switch.setCheckable(True)
        self._chart, self._table = chart, table
        self.switch.toggled.connect(self._on_switched)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(table.heading, 1)
        head.addWidget(self.switch)
        head.addWidget(table.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(chart)
        column.addWidget(table)
        column.addStretch(1)
        table.hide()

    def _on_switched(self, is_table: bool) -> None:
        self._chart.setVisible(not is_table)
        self._table.setVisible(is_table)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
