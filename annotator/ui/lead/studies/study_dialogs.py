"""Dialogs of a study: settings with a live preview of the assignment plan."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QWidget,
)

from annotator.domain.ids import PersonId
from annotator.domain.people import Person, Role
from annotator.domain.study.design import Condition
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.askable_items import Ground
from annotator.services.questions.studies.study_values import StudySize, StudyWish
from annotator.ui.lead.board.board_dialogs import AskDialog
from annotator.ui.lead.lead_texts import roles_text
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

_SOON_MS: Final = 250
_MOST: Final = 100_000
_NAME: Final = 100


class PeopleList(QListWidget):
    """People with check boxes; participants come first."""

    ticked = Signal()

    def __init__(self, people: Iterable[Person], chosen: Collection[PersonId]) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("People"))
        active = [person for person in people if person.is_active]
        active.sort(key=lambda p: (not p.has(Role.PARTICIPANT), p.name.casefold()))
        for person in active:
            item = QListWidgetItem(f"{person.name} ({roles_text(person)})", self)
            item.setData(Qt.ItemDataRole.UserRole, person.id)
            is_chosen = person.id in chosen
            item.setCheckState(Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        self._participants = {p.id for p in active if p.has(Role.PARTICIPANT)}
        self.itemChanged.connect(self.ticked)

    def buttons(self) -> QHBoxLayout:
        """Return buttons that select all people, the participants, or no one."""
        everyone = {self.item(i).data(Qt.ItemDataRole.UserRole) for i in range(self.count())}
        row = QHBoxLayout()
        for name, text, people in (
            ("select-all", self.tr("Select all"), everyone),
            ("select-participants", self.tr("Select participants"), self._participants),
            ("clear-selection", self.tr("Clear selection"), set[PersonId]()),
        ):
            button = QPushButton(text)
            button.setObjectName(name)
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._choose, people))
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _choose(self, people: Collection[PersonId]) -> None:
        with QSignalBlocker(self):
            for i in range(self.count()):
                is_chosen = self.item(i).data(Qt.ItemDataRole.UserRole) in people
                state = Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked
                self.item(i).setCheckState(state)
        self.viewport().update()
        self.ticked.emit()

    def chosen(self) -> tuple[PersonId, ...]:
        """Return the checked people."""
        items = [self.item(i) for i in range(self.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole)
            for item in items
            if item.checkState() is Qt.CheckState.Checked
        )


class Conditions(QWidget):
    """A box to tick for each condition."""

    ticked = Signal()

    def __init__(self, conditions: Iterable[Condition], chosen: Collection[Condition]) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.boxes: dict[Condition, QCheckBox] = {}
        for each in conditions:
            box = QCheckBox(each.title)
            box.setChecked(each in chosen)
            box.toggled.connect(self.ticked)
            layout.addWidget(box)
            self.boxes[each] = box
        layout.addStretch(1)

    def chosen(self) -> tuple[Condition, ...]:
        """Return the ticked conditions; the first if none is ticked."""
        found = tuple(each for each, box in self.boxes.items() if box.isChecked())
        return found or tuple(self.boxes)[:1]


class StudyDialog(AskDialog):
    """Asks for a new study; its size is computed while values change."""

    def __init__(
        self,
        workspace: Workspace,
        project: OpenProject,
        wish: StudyWish,
        ground: Ground,
        parent: QWidget | None,
    ) -> None:
        sentence = _tr(
            "Independent people answer the items, each item at most once per person. Their "
            "answers are excluded from votes and data sets."
        )
        from annotator.services.questions.studies import studies

        super().__init__(_tr("Create study"), sentence, parent)
        self._project, self._wish, self._ground = project, wish, ground
        choices = ground.choices
        self._latest = Latest(workspace, self.windowTitle(), self)
        self.name = QLineEdit(wish.name)
        self.name.setMaxLength(_NAME)
        can_be = len(wish.people) * wish.per_person // wish.design.per_item
        self.n_items = _spin(min(can_be, choices.n_items) or choices.n_items, choices.n_items)
        self.split = _choice(choices.splits)
        self.area = _choice(choices.areas)
        self.tag = _choice(choices.tags)
        possible = studies.conditions_of(project, wish.kind)
        self.conditions = Conditions(possible, wish.conditions or possible[:1])
        self.apart = QCheckBox(self.tr("Limit each person to one item per &group"))
        self.apart.setChecked(wish.is_apart)
        self.answers = _spin(wish.answers)
        self.per_person = _spin(wish.per_person)
        self.people = PeopleList(project.work.people.all(), wish.people)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._look)
        self._lay_out()
        self._connect()
        self._look()

    def _lay_out(self) -> None:
        form = self.form
        form.addRow(self.tr("&Name"), self.name)
        form.addRow(self.tr("&Items (random sample)"), self.n_items)
        for title, box in (
            (self.tr("&Split"), self.split),
            (self.tr("&Area"), self.area),
            (self.tr("&Tag"), self.tag),
        ):
            if box.count() > 1:
                form.addRow(title, box)
        if self.conditions.boxes:
            form.addRow(self.tr("Conditions"), self.conditions)
        if self._ground.choices.has_groups:
            form.addRow("", self.apart)
        form.addRow(self.tr("A&nswers per item"), self.answers)
        form.addRow(self.tr("Maximum items per &person"), self.per_person)
        form.addRow(self.tr("Pe&ople"), self.people)
        form.addRow("", self.people.buttons())
        form.addRow(self.word)
        self.word.setMinimumHeight(3 * self.word.fontMetrics().lineSpacing())
        self.word.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.resize(560, 620)

    def _connect(self) -> None:
        for spin in (self.n_items, self.answers, self.per_person):
            spin.valueChanged.connect(self._on_changed)
        for box in (self.split, self.area, self.tag):
            box.currentIndexChanged.connect(self._on_changed)
        self.name.textChanged.connect(self._on_changed)
        self.conditions.ticked.connect(self._on_changed)
        self.apart.toggled.connect(self._on_changed)
        self.people.ticked.connect(self._on_changed)

    def wish(self) -> StudyWish:
        """Return the entered settings."""
        choice = replace(
            self._wish.choice,
            splits=_chosen(self.split),
            areas=_chosen(self.area),
            tags=_chosen(self.tag),
        )
        return replace(
            self._wish,
            name=self.name.text().strip(),
            choice=choice,
            people=self.people.chosen(),
            answers=self.answers.value(),
            per_person=self.per_person.value(),
            conditions=self._conditions(),
            n_items=self.n_items.value(),
            is_apart=self.apart.isChecked(),
        )

    def _conditions(self) -> tuple[Condition, ...]:
        """Return the ticked conditions; none if only the recipe's default is ticked."""
        chosen = self.conditions.chosen()
        is_usual = not self._wish.conditions and chosen == tuple(self.conditions.boxes)[:1]
        return () if is_usual else chosen

    @Slot()
    def _on_changed(self) -> None:
        self.allow(False)
        self.word.setEnabled(False)  # its text is outdated
        self._soon.start()

    @Slot()
    def _look(self) -> None:
        from annotator.services.questions.studies import studies

        self.allow(False)
        project, wish, ground = self._project, self.wish(), self._ground

        def work(_: JobToken) -> StudySize | None:
            return studies.outlook(project, wish, ground) if wish.people else None

        self._latest.ask(work, self._show)

    def _show(self, found: StudySize | None) -> None:
        is_apart = self.apart.isChecked()
        self.word.setText(outlook_text(found, self.per_person.value(), is_apart=is_apart))
        self.word.setEnabled(True)
        self.allow(found is not None and not found.n_missing and bool(self.name.text().strip()))

    def done(self, result: int) -> None:
        self._soon.stop()
        self._latest.forget()
        super().done(result)


class ReassignStudyDialog(AskDialog):
    """Asks for the participants of a new assignment plan."""

    def __init__(
        self, people: Iterable[Person], chosen: Collection[PersonId], parent: QWidget | None
    ) -> None:
        sentence = _tr(
            "Items in progress stay with the selected people. Unsubmitted items of deselected "
            "people are reassigned."
        )
        super().__init__(_tr("Reassign study"), sentence, parent)
        self.people = PeopleList(people, chosen)
        self.form.addRow(self.tr("Pe&ople"), self.people)
        self.form.addRow("", self.people.buttons())
        self.people.ticked.connect(self._check)
        self.resize(460, 420)
        self._check()

    @Slot()
    def _check(self) -> None:
        self.allow(bool(self.people.chosen()))


def outlook_text(size: StudySize | None, per_person: int, *, is_apart: bool = False) -> str:
    """Return the size of a requested study as text.

    ``is_apart``: no person answers two items of one group, which can require more people.
    """
    if size is None:
        return _tr("Select the people who answer.")
    items = counted(size.n_items, _tr("1 item"), _tr("{n:,} items"))
    answers = counted(size.per_item, _tr("1 answer"), _tr("{n:,} answers"))
    people = counted(size.n_people, _tr("1 person"), _tr("{n:,} people"))
    sentence = f"{items} × {answers} = {size.n_answers:,}"
    if not size.n_missing:
        answers_each = f"{size.least:,}"
        if size.most != size.least:
            answers_each = _tr("{least:,} or {most:,}").format(least=size.least, most=size.most)
        return f"{sentence} = {people} × {answers_each}"
    n_possible = size.n_people * per_person
    if n_possible < size.n_answers:
        but = _tr("but {people} × {each:,} = {sum:,}")
        sentence += ", " + but.format(people=people, each=per_person, sum=n_possible)
    one = _tr("One more independent person is needed.")
    missing_text = _tr("{n:,} more independent people are needed.")
    lines = [sentence, counted(size.n_missing, one, missing_text)]
    if is_apart:
        lines.append(_tr("Each person answers at most one item per group."))
    elif n_possible >= size.n_answers:
        lines.append(
            _tr("Each person answers an item at most once, and none about videos they worked on.")
        )
    return "\n".join(lines)


def _spin(value: int, most: int = _MOST) -> QSpinBox:
    box = QSpinBox()
    box.setRange(1, max(1, most))
    box.setValue(value)
    box.setGroupSeparatorShown(True)
    return box


def _choice(names: Iterable[str]) -> QComboBox:
    """Return a list from which one name is chosen, or all."""
    box = QComboBox()
    box.addItem(_tr("all"), "")
    for name in names:
        box.addItem(name, name)
    return box


def _chosen(box: QComboBox) -> tuple[str, ...]:
    name = box.currentData()
    return (name,) if name else ()


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
