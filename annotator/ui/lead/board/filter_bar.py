"""Filter fields above the board: the usual ones in one row, the others on demand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import Flag, TaskStatus
from annotator.services.workflow.work import BoardFilter
from annotator.ui.lead import lead_texts
from annotator.ui.look.texts import finding_titles

_TYPING_MS: Final = 150
_RETURNED, _LEAD, _HELD, _EVER = "returned", "lead", "has", "had"


class FilterBar(QWidget):
    """Search, state and person; the other filters are shown by a button. ``changed`` after any."""

    changed = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = _field(self.tr("Search videos"))
        self.label = _field(self.tr("Label"))
        self.label.setToolTip(self.tr("Show tasks of videos that contain this exact label."))
        self.state = _box(self.tr("State"))
        self.kind = _box(self.tr("Task type"))
        self.script = _box(self.tr("Script"))
        self.person = _box(self.tr("Person"))
        self.part = _box(self.tr("Involvement of the person"))
        self.part.addItem(self.tr("current assignee"), _HELD)
        self.part.addItem(self.tr("ever involved"), _EVER)
        self.part.setEnabled(False)
        self.special = _box(self.tr("Flags"))
        self.special.addItem(self.tr("All flags"), None)
        self.special.addItem(self.tr("Lead decision needed"), _LEAD)
        self.special.addItem(self.tr("Sent back"), _RETURNED)
        for flag in Flag:
            self.special.addItem(lead_texts.flag_text(flag).capitalize(), flag)
        self.finding = _box(self.tr("Issues"))
        self.finding.setToolTip(self.tr("Filter by issues in the latest submission."))
        self.finding.addItem(self.tr("All issues"), None)
        for code, title in finding_titles().items():
            self.finding.addItem(title, code)
        self.agreement = QDoubleSpinBox()
        self.agreement.setAccessibleName(self.tr("Agreement below"))
        self.agreement.setToolTip(
            self.tr("Filter by agreement between the last two submissions of a task.")
        )
        self.agreement.setRange(0, 100)
        self.agreement.setDecimals(0)
        self.agreement.setSingleStep(5)
        self.agreement.setPrefix(self.tr("Agreement < "))
        self.agreement.setSuffix("%")
        self.agreement.setSpecialValueText(self.tr("Any agreement"))
        self.fact = _box(self.tr("Metadata column"))
        self.value = _field(self.tr("Value contains"))
        self.value.setToolTip(self.tr("Empty: any value in this column."))
        self.value.setEnabled(False)
        self.more = QPushButton()
        self.more.setCheckable(True)
        self.clear = QPushButton(self.tr("Clear filters"))
        self.clear.clicked.connect(self._on_clear_clicked)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self._lay_out()
        for field in (self.text, self.label, self.value):
            field.textChanged.connect(self._on_text_changed)
        for box in self._boxes:
            box.currentIndexChanged.connect(self._on_choice_changed)
        self.agreement.valueChanged.connect(self._on_text_changed)
        self._say_more()

    def _lay_out(self) -> None:
        row = self._row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.text, 2)
        row.addWidget(self.state, 1)
        row.addWidget(self.person, 1)
        row.addWidget(self.more)
        row.addWidget(self.clear)
        row.addStretch(1)
        self._others = QWidget()
        grid = QGridLayout(self._others)
        grid.setContentsMargins(0, 0, 0, 0)
        rows = (
            (self.kind, self.script, self.special, self.finding),
            (self.part, self.label, self.agreement, self.fact, self.value),
        )
        for y, fields in enumerate(rows):
            for x, field in enumerate(fields):
                grid.addWidget(field, y, x)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self._others)
        self._others.hide()
        self.more.toggled.connect(self._others.setVisible)

    def append(self, widget: QWidget) -> None:
        """Put a widget at the right end of the first row."""
        self._row.addWidget(widget)

    @property
    def status(self) -> TaskStatus | None:
        """The state that tasks are to have; None for all."""
        found = self.state.currentData()
        return None if found is None else TaskStatus(found)

    @property
    def _boxes(self) -> tuple[QComboBox, ...]:
        which = (self.state, self.kind, self.script, self.person, self.part)
        return (*which, self.special, self.finding, self.fact)

    def offer_states(self, counts: Mapping[TaskStatus, int]) -> None:
        """Set the states with the number of tasks in each; withdrawn ones if there are some."""
        choices = [
            (f"{lead_texts.status_text(status)} ({n:,})", status.value)
            for status, n in counts.items()
            if n or status is not TaskStatus.WITHDRAWN or self.status is status
        ]
        _fill(self.state, self.tr("All states"), choices)

    def offer(
        self,
        recipe: Recipe,
        people: Iterable[Person],
        scripts: Iterable[str],
        facts: Iterable[str] = (),
    ) -> None:
        """Set the choices; the present selection stays."""
        kinds = [(t.title, t.kind) for t in recipe.task_types]
        _fill(self.kind, self.tr("All task types"), kinds)
        _fill(self.script, self.tr("All scripts"), [(s, s) for s in sorted(scripts)])
        known = sorted(((p.name, p.id) for p in people), key=lambda each: each[0].casefold())
        _fill(self.person, self.tr("All people"), known)
        _fill(self.fact, self.tr("All metadata"), [(name, name) for name in facts])

    def condition(self) -> BoardFilter:
        """Return the filter; the state is `status`, stages are chosen by cards."""
        kind, special = self.kind.currentData(), self.special.currentData()
        person, fact = self.person.currentData(), self.fact.currentData()
        is_now = self.part.currentData() == _HELD
        return BoardFilter(
            kinds=frozenset((kind,)) if kind else frozenset(),
            text=self.text.text().strip(),
            script=self.script.currentData() or "",
            label=self.label.text().strip(),
            holder_id=PersonId(person) if person and is_now else None,
            person_id=PersonId(person) if person and not is_now else None,
            fact=(fact, self.value.text().strip()) if fact else None,
            finding=self.finding.currentData() or "",
            agreement_below=self.agreement.value() / 100 or None,
            flag=Flag(special) if special in set(Flag) else None,
            is_returned=True if special == _RETURNED else None,
            needs_lead=True if special == _LEAD else None,
        )

    def show_finding(self, code: str) -> None:
        """Show the tasks in which the checks found something of a kind."""
        self.more.setChecked(True)
        self.finding.setCurrentIndex(self.finding.findData(code))

    def reset(self) -> None:
        """Clear all fields without a signal."""
        for field in (self.text, self.label, self.value):
            with QSignalBlocker(field):
                field.clear()
        with QSignalBlocker(self.agreement):
            self.agreement.setValue(0)
        for box in self._boxes:
            with QSignalBlocker(box):
                box.setCurrentIndex(0)
        self.part.setEnabled(False)
        self.value.setEnabled(False)
        self._say_more()

    def _say_more(self) -> None:
        """Say on the button how many of the filters below it are in use."""
        boxes = (self.kind, self.script, self.special, self.finding, self.fact)
        n = sum(box.currentIndex() > 0 for box in boxes)
        n += bool(self.label.text().strip()) + (self.agreement.value() > 0)
        text = self.tr("More filters")
        self.more.setText(f"{text} ({n})" if n else text)

    @Slot()
    def _on_text_changed(self) -> None:
        self._say_more()
        self._typing.start()

    @Slot()
    def _on_choice_changed(self) -> None:
        self.part.setEnabled(self.person.currentIndex() > 0)
        self.value.setEnabled(self.fact.currentIndex() > 0)
        self._say_more()
        self.changed.emit()

    @Slot()
    def _on_clear_clicked(self) -> None:
        self.reset()
        self.cleared.emit()


def _field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(name)
    field.setAccessibleName(name)
    field.setClearButtonEnabled(True)
    field.setMinimumWidth(field.fontMetrics().averageCharWidth() * 12)
    return field


def _box(name: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(9)
    return box


def _fill(box: QComboBox, everything: str, choices: Sequence[tuple[str, str]]) -> None:
    kept = [(box.itemText(i), box.itemData(i)) for i in range(box.count())]
    if kept == [(everything, None), *choices]:
        return
    chosen = box.currentData()
    with QSignalBlocker(box):
        box.clear()
        box.addItem(everything, None)
        for text, data in choices:
            box.addItem(text, data)
        box.setCurrentIndex(max(0, box.findData(chosen)))
