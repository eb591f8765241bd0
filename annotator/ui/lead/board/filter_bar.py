"""Filter fields and task counts above the board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from annotator.domain.ids import PersonId
from annotator.domain.people import Person
from annotator.domain.recipes.recipe import Recipe
from annotator.domain.work.records import Flag, TaskStatus
from annotator.services.workflow.work import BoardFilter
from annotator.ui.lead import lead_texts
from annotator.ui.look.texts import finding_titles
from annotator.ui.look.theme import ThemeHub

Key = tuple[str, str, TaskStatus]
_STATUSES: Final = (
    TaskStatus.WAITING,
    TaskStatus.IN_PROGRESS,
    TaskStatus.COMPLETE,
    TaskStatus.WITHDRAWN,
)
_WITHDRAWN: Final = TaskStatus.WITHDRAWN
_KEY: Final = Qt.ItemDataRole.UserRole
_SCROLL_BAR_PX: Final = 14
WIDEST_PX: Final = 624
"""Minimum width of the counts: the board fits a screen of 1280 pixels."""


class StageCounts(QTableWidget):
    """Task counts by stage and state; a selected cell filters the board.

    ``chosen`` carries (kind, stage, status), each None for all.
    """

    chosen = Signal(object)

    def __init__(self, hub: ThemeHub) -> None:
        super().__init__()
        self._hub = hub
        self._choice: tuple[str | None, str | None, TaskStatus | None] = (None, None, None)
        self.setAccessibleName(self.tr("Tasks by stage and state"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setColumnCount(len(_STATUSES) + 1)
        self.setHorizontalHeaderLabels(
            [*map(lead_texts.status_text, _STATUSES), self.tr("all")],
        )
        self.setShowGrid(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)
        lines = self.verticalHeader()
        lines.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        lines.setDefaultSectionSize(self.fontMetrics().height() + 12)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.cellClicked.connect(self._on_cell_chosen)
        self.cellActivated.connect(self._on_cell_chosen)

    def set_counts(self, recipe: Recipe, counts: Mapping[Key, int]) -> None:
        """Show how many there are."""
        places = {(kind, stage): None for kind, stage, _ in counts}
        rows: list[tuple[str | None, str | None]] = [
            (t.kind, s.key)
            for t in recipe.task_types
            if any(kind == t.kind for kind, _ in places)
            for s in t.stages
        ]
        rows += [p for p in places if p not in rows]
        rows.append((None, None))
        is_one_kind = len({kind for kind, _ in places}) < 2
        with QSignalBlocker(self):
            self.setRowCount(len(rows))
            for y, (kind, stage) in enumerate(rows):
                title = self._title(recipe, kind, stage, is_one_kind=is_one_kind)
                self.setVerticalHeaderItem(y, QTableWidgetItem(title))
                for x, status in enumerate([*_STATUSES, None]):
                    n = sum(
                        count
                        for (k, s, st), count in counts.items()
                        if kind in (None, k)
                        and stage in (None, s)
                        and (status is None or _shown_as(st) is status)
                    )
                    self._set(y, x, n, (kind, stage, status))
        # Few projects have withdrawn tasks, and the table of tasks needs the room.
        has_withdrawn = any(n for (*_, status), n in counts.items() if status is _WITHDRAWN)
        is_chosen = self._choice[2] is _WITHDRAWN
        self.setColumnHidden(_STATUSES.index(_WITHDRAWN), not (has_withdrawn or is_chosen))
        self._mark()
        self.horizontalHeader().resizeSections()
        head = self.verticalHeader().sizeHint().width()
        full_width = head + self.horizontalHeader().length() + 2 * self.frameWidth()
        self.setMinimumWidth(min(full_width + _SCROLL_BAR_PX, WIDEST_PX))

    def clear_choice(self) -> None:
        """Clear the selection without a signal."""
        self._choice = (None, None, None)
        self._mark()

    def _title(
        self, recipe: Recipe, kind: str | None, stage: str | None, *, is_one_kind: bool
    ) -> str:
        if kind is None or stage is None:
            return self.tr("All")
        title = lead_texts.stage_title(recipe, kind, stage)
        return title if is_one_kind else f"{lead_texts.kind_title(recipe, kind)} · {title}"

    def _set(self, y: int, x: int, n: int, key: object) -> None:
        item = self.item(y, x)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(y, x, item)
        item.setText(f"{n:,}" if n else "–")
        item.setData(_KEY, key)
        item.setForeground(self._hub.theme.color("text" if n else "text_dim"))

    def _mark(self) -> None:
        """Show the chosen cell as the selected one."""
        with QSignalBlocker(self):
            self.clearSelection()
            if self._choice == (None, None, None):
                self.setCurrentIndex(QModelIndex())
                return
            for y in range(self.rowCount()):
                for x in range(self.columnCount()):
                    item = self.item(y, x)
                    if item is not None and tuple(item.data(_KEY)) == self._choice:
                        self.setCurrentCell(y, x)
                        return

    @Slot(int, int)
    def _on_cell_chosen(self, y: int, x: int) -> None:
        item = self.item(y, x)
        wanted = item.data(_KEY) if item is not None else (None, None, None)
        # Selected again: clear the filter.
        self._choice = (None, None, None) if tuple(wanted) == self._choice else tuple(wanted)
        self._mark()
        self.chosen.emit(self._choice)


def _shown_as(status: TaskStatus) -> TaskStatus:
    """Return the state under which another is counted: a task being resolved is in progress."""
    return TaskStatus.IN_PROGRESS if status is TaskStatus.RESOLVING else status


_TYPING_MS: Final = 150
_RETURNED, _LEAD, _HELD, _EVER = "returned", "lead", "has", "had"


class FilterBar(QWidget):
    """Search, kind, script, person, label, findings, agreement, metadata; ``changed`` after any."""

    changed = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = _field(self.tr("Search videos"))
        self.label = _field(self.tr("Label"))
        self.label.setToolTip(self.tr("Show tasks of videos that contain this exact label."))
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
        self.agreement.setSuffix(" %")
        self.agreement.setSpecialValueText(self.tr("Any agreement"))
        self.fact = _box(self.tr("Metadata column"))
        self.value = _field(self.tr("Value contains"))
        self.value.setToolTip(self.tr("Empty: any value in this column."))
        self.value.setEnabled(False)
        self.clear = QPushButton(self.tr("Clear filters"))
        self.clear.clicked.connect(self._on_clear_clicked)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.changed)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        fields = (self.text, self.kind, self.script, self.special)
        for column, field in enumerate(fields):
            layout.addWidget(field, 0, column)
        for column, field in enumerate((self.label, self.person, self.part, self.finding)):
            layout.addWidget(field, 1, column)
        layout.addWidget(self.agreement, 2, 0)
        layout.addWidget(self.fact, 2, 1)
        layout.addWidget(self.value, 2, 2)
        layout.addWidget(self.clear, 2, 3)
        for field in (self.text, self.label, self.value):
            field.textChanged.connect(self._on_text_changed)
        for box in self._boxes:
            box.currentIndexChanged.connect(self._on_choice_changed)
        self.agreement.valueChanged.connect(self._on_text_changed)

    @property
    def _boxes(self) -> tuple[QComboBox, ...]:
        which = (self.kind, self.script, self.person, self.part)
        return (*which, self.special, self.finding, self.fact)

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

    def wanted(self) -> BoardFilter:
        """Return the filter; stages and states are chosen elsewhere."""
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

    @Slot()
    def _on_text_changed(self) -> None:
        self._typing.start()

    @Slot()
    def _on_choice_changed(self) -> None:
        self.part.setEnabled(self.person.currentIndex() > 0)
        self.value.setEnabled(self.fact.currentIndex() > 0)
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
