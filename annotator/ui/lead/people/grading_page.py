"""Page Tests: tests that wait for a grade, and qualification status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.answer import AnswerKey
from annotator.domain.errors import UserError
from annotator.domain.forms.field import Form
from annotator.domain.ids import ItemId, PersonId
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.quality import GRADES, QualificationStatus
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.qualification.submission_grading import (
    Shortage,
    StatusChange,
    SubmittedTest,
    WaitingTest,
)
from annotator.ui.forms.fields.answer_texts import value_text
from annotator.ui.lead.lead_texts import TaskLink, kind_title, qualification_text
from annotator.ui.look.texts import moment_text
from annotator.ui.look.theme import ThemeHub
from annotator.ui.look.widgets import EmptyHint, calm, plain, show_tabs_as_buttons
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.questions.voting.vote_voiding import VoidPlan

_SHEET_GAP_PX: Final = 6
_WORDS: Final = {1: "1 · poor", 2: "2 · fair", 3: "3 · good", 4: "4 · very good"}


class GradedItem(QFrame):
    """One question of a test with its answer and grade."""

    graded = Signal()
    keyed = Signal()  # graded by a key

    def __init__(self, hub: ThemeHub, number: int, item: Item, test: SubmittedTest) -> None:
        super().__init__()
        self.item_id = item.id
        self.setFrameShape(QFrame.Shape.StyledPanel)
        head = QLabel(self.tr("{n}. {text}").format(n=number, text=item.text or self.tr("Item")))
        head.setTextFormat(Qt.TextFormat.PlainText)
        head.setWordWrap(True)
        font = head.font()
        font.setBold(True)
        head.setFont(font)
        layout = QVBoxLayout(self)
        layout.setSpacing(_SHEET_GAP_PX)
        layout.addWidget(head)
        self.lines: list[QLabel] = []
        for title, words in _lines(test, item):
            mark = "" if title.endswith("?") else ":"
            line = QLabel(f"{title}{mark} {words}" if title else words)
            line.setTextFormat(Qt.TextFormat.PlainText)
            line.setWordWrap(True)
            line.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.lines.append(line)
            layout.addWidget(line)
        right = _right_text(test.form, item)
        if right:
            answer_label = QLabel(self.tr("Gold answer: {words}").format(words=right))
            answer_label.setTextFormat(Qt.TextFormat.PlainText)
            answer_label.setWordWrap(True)
            palette = answer_label.palette()
            palette.setColor(QPalette.ColorRole.WindowText, hub.theme.color("text_dim"))
            answer_label.setPalette(palette)
            layout.addWidget(answer_label)
        self.buttons: dict[int, QRadioButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout()
        for grade in GRADES:
            button = QRadioButton(_tr(_WORDS[grade]))
            button.setChecked(test.grades.get(item.id) == grade)
            button.setAccessibleName(self.tr("Question {n}: {grade}").format(n=number, grade=grade))
            button.clicked.connect(partial(self._on_clicked))
            group.addButton(button, grade)
            row.addWidget(button)
            self.buttons[grade] = button
        row.addStretch(1)
        layout.addLayout(row)

    @property
    def grade(self) -> int | None:
        """The grade chosen so far."""
        return next((g for g, button in self.buttons.items() if button.isChecked()), None)

    def grade_by_key(self, grade: int) -> None:
        """Choose a grade as by a click; the keys are then for the next question."""
        self.buttons[grade].click()
        self.keyed.emit()

    def take_focus(self) -> None:
        """Take the keys."""
        self.buttons[self.grade or GRADES[-1]].setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the digits grade, wherever the focus is in the question."""
        text = event.text()
        if text.isdigit() and int(text) in GRADES and not event.modifiers():
            self.grade_by_key(int(text))
            return
        super().keyPressEvent(event)

    def _on_clicked(self) -> None:
        self.graded.emit()


def _lines(test: SubmittedTest, item: Item) -> Sequence[tuple[str, str]]:
    """Return title and words of each answer to an item, entry by entry."""
    n_entries = 1 + max((key.entry for key in test.answers if key.item_id == item.id), default=0)
    found: list[tuple[str, str]] = []
    for entry in range(n_entries):
        if n_entries > 1:
            found.append(("", _tr("Answer {n}").format(n=entry + 1)))
        for field in test.form.fields:
            value = test.answers.get(AnswerKey(ItemId(item.id), field.key, entry))
            if value is not None:
                found.append((field.title, value_text(field, item, value)))
    return found


def _right_text(form: Form, item: Item) -> str:
    """Return the known answer for the person who grades."""
    texts = {option.key: option.text for option in item.options}
    for field in form.fields:
        texts |= {option.key: option.text for option in field.options}
    return "; ".join(", ".join(texts.get(k, k) for k in keys) for keys in item.right.values())


def _tr(text: str) -> str:
    return QCoreApplication.translate("GradedItem", text)


_MAY_BEGIN_ANEW: Final = (
    QualificationStatus.WARNED,
    QualificationStatus.SUSPENDED,
    QualificationStatus.FAILED,
    QualificationStatus.SPENT,
)


@dataclass(frozen=True, slots=True)
class _PageData:
    waiting: list[WaitingTest]
    status_history: list[StatusChange]
    shortages: list[Shortage]


class GradingPage(Page):
    """Grades tests as a whole; ``lookWanted`` opens a submission in the main window."""

    lookWanted = Signal(object)  # Look

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Qualification"))
        self._waiting: list[WaitingTest] = []
        self._statuses: list[StatusChange] = []
        self._shown: WaitingTest | None = None
        self.items: list[GradedItem] = []
        self.tests = _table(
            self.tr("Tests to grade"),
            [self.tr("Person"), self.tr("Test"), self.tr("Attempt"), self.tr("Submitted")],
            "",
        )
        self.tests.itemSelectionChanged.connect(self._on_test_chosen)
        for grade in GRADES:
            # A digit in the list would search for a person of that name.
            shortcut = QShortcut(QKeySequence(str(grade)), self.tests)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(partial(self._grade_next, grade))
        self.none = QLabel(self.tr("No tests are waiting for grading."))
        self.look = QPushButton(self.tr("Open (read-only)"))
        self.look.clicked.connect(self._on_look_clicked)
        self.note = QLineEdit()
        self.note.setPlaceholderText(self.tr("Note to the person (optional)"))
        self.note.setAccessibleName(self.tr("Note on the grades"))
        self.give = QPushButton(self.tr("Submit grades"))
        self.give.setProperty("kind", "primary")
        self.give.clicked.connect(self._on_give_clicked)
        self.mean = plain(QLabel())
        self._place = QVBoxLayout()
        self.people = _table(
            self.tr("Qualification status"),
            [
                self.tr("Person"),
                self.tr("Task type"),
                self.tr("Status"),
                self.tr("Score"),
                self.tr("Since"),
                self.tr("Set by"),
                self.tr("Note"),
            ],
            self.tr("Results of tests and attention checks appear here."),
        )
        self.people.itemSelectionChanged.connect(self._on_person_chosen)
        self.few = plain(QLabel())
        self.few.setWordWrap(True)
        self.few.setTextFormat(Qt.TextFormat.PlainText)
        self.few.hide()
        self.why = QLineEdit()
        self.why.setPlaceholderText(self.tr("Reason (optional)"))
        self.why.setAccessibleName(self.tr("Reason for the reset or suspension"))
        self.anew = QPushButton(self.tr("Reset qualification"))
        self.anew.setToolTip(self.tr("Previous failures no longer count."))
        self.anew.clicked.connect(self._on_anew_clicked)
        self.keep = QPushButton(self.tr("Suspend person"))
        self.keep.setToolTip(self.tr("Their assigned tasks of this type return to the queue."))
        self.keep.clicked.connect(self._on_keep_clicked)
        self.void = QPushButton(self.tr("Void votes…"))
        self.void.setToolTip(
            self.tr("Answers of this person no longer count and are asked again of others.")
        )
        self.void.clicked.connect(self._on_void_clicked)
        self._lay_out()
        self._offer()

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setLayout(self._place)
        self._place.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(inner)
        self.area.setAccessibleName(self.tr("Submitted answers"))
        giving = QHBoxLayout()
        for widget, share in ((self.look, 0), (self.note, 1), (self.mean, 0), (self.give, 0)):
            giving.addWidget(widget, share)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.area, 1)
        column.addLayout(giving)
        left_side = QWidget()
        lists = QVBoxLayout(left_side)
        lists.setContentsMargins(0, 0, 0, 0)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop)
        lists.addWidget(self.none, 1)
        lists.addWidget(self.tests, 1)
        grading = QSplitter(Qt.Orientation.Horizontal)
        grading.addWidget(left_side)
        grading.addWidget(right)
        grading.setStretchFactor(0, 2)
        grading.setStretchFactor(1, 3)
        status = QWidget()
        column = QVBoxLayout(status)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.few)
        column.addWidget(self.people, 1)
        acting = QHBoxLayout()
        acting.addWidget(self.why, 1)
        for button in (self.anew, self.keep, self.void):
            acting.addWidget(button)
        column.addLayout(acting)
        self.views = QTabWidget()
        show_tabs_as_buttons(self.views)
        self.views.addTab(grading, self.tr("Tests to grade"))
        self.views.addTab(status, self.tr("Qualification status"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 8)
        layout.addWidget(self.views)

    def _read(self) -> None:
        project = self._project

        def work(_: JobToken) -> _PageData:
            qualification = project.qualification
            return _PageData(
                qualification.to_grade(), qualification.status_history(), qualification.shortages()
            )

        self._latest.ask(work, self._show)

    def _show(self, grading: _PageData) -> None:
        recipe, name = self._project.work.recipe, self._workspace.name_of
        chosen, person = self._shown, self._chosen_person()
        self._waiting = grading.waiting
        last = {(s.person_id, s.kind): s for s in grading.status_history}
        self._statuses = sorted(last.values(), key=lambda s: -s.at)
        _fill(
            self.tests,
            [
                (name(t.person_id), kind_title(recipe, t.kind), f"{t.attempt}", moment_text(t.at))
                for t in self._waiting
            ],
        )
        self.few.setText("\n".join(self._few_text(entry) for entry in grading.shortages))
        self.few.setVisible(bool(grading.shortages))
        self.none.setVisible(not self._waiting)
        n_text = self.tr("Tests to grade ({n})").format(n=len(self._waiting))
        self.views.setTabText(0, n_text if self._waiting else self.tr("Tests to grade"))
        self.tests.setVisible(bool(self._waiting))
        _fill(self.people, [self._row(entry) for entry in self._statuses])
        ids = [t.submission_id for t in self._waiting]
        if chosen is not None and chosen.submission_id in ids:
            self.tests.selectRow(ids.index(chosen.submission_id))
        elif ids:
            self.tests.selectRow(0)
        else:
            self._show_test(None)
        keys = [(s.person_id, s.kind) for s in self._statuses]
        if person is not None and (person.person_id, person.kind) in keys:
            self.people.selectRow(keys.index((person.person_id, person.kind)))
        self._offer()

    def _row(self, change: StatusChange) -> tuple[str, ...]:
        return (
            self._workspace.name_of(change.person_id),
            kind_title(self._project.work.recipe, change.kind),
            qualification_text(change.state),
            self._reached(change),
            moment_text(change.at),
            self._workspace.name_of(change.by_id)
            if change.by_id is not None
            else self.tr("automatic"),
            change.note,
        )

    def _reached(self, change: StatusChange) -> str:
        """Return the share, mean grade or number of failures behind a status."""
        if change.score is None or change.state is QualificationStatus.CLEARED:
            return ""
        if change.state in (QualificationStatus.WARNED, QualificationStatus.SUSPENDED):
            return self.tr("{n} failed").format(n=f"{change.score:g}")
        task_type = self._project.work.recipe.task_type(change.kind)
        passing = task_type.passing if task_type is not None else None
        is_graded = passing is not None and passing.grade is not None
        return f"{change.score:.3g}" if is_graded else f"{change.score:.0%}"

    @Slot()
    def _on_test_chosen(self) -> None:
        row = _selected(self.tests)
        found = self._waiting[row] if row is not None and row < len(self._waiting) else None
        if found != self._shown:
            self._show_test(found)
        self._offer()

    def _show_test(self, waiting_test: WaitingTest | None) -> None:
        self._shown = waiting_test
        for old in self.items:
            self._place.removeWidget(old)
            old.deleteLater()
        self.items = []
        self.note.clear()
        if waiting_test is None:
            return
        try:
            test = self._project.qualification.submitted_test(waiting_test.submission_id)
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        for number, item in enumerate(test.items, 1):
            graded_item = GradedItem(self._workspace.hub, number, item, test)
            graded_item.graded.connect(self._offer)
            graded_item.keyed.connect(self._focus_next)
            self._place.insertWidget(number - 1, graded_item)
            self.items.append(graded_item)

    def _first_ungraded(self) -> GradedItem | None:
        return next((item for item in self.items if item.grade is None), None)

    def _grade_next(self, grade: int) -> None:
        """Grade the first question that has no grade, from the list of tests."""
        ungraded = self._first_ungraded()
        if ungraded is not None:
            ungraded.grade_by_key(grade)

    @Slot()
    def _focus_next(self) -> None:
        """Give the keys to the first question that has no grade, else to *Submit grades*."""
        ungraded = self._first_ungraded()
        if ungraded is None:
            self.give.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            ungraded.take_focus()
            self.area.ensureWidgetVisible(ungraded)

    @Slot()
    def _offer(self) -> None:
        """Enable the actions that apply to the selected answers."""
        is_one = self._shown is not None
        for widget in (self.look, self.note):
            widget.setEnabled(is_one)
        grades = [graded_item.grade for graded_item in self.items]
        given_grades = [grade for grade in grades if grade is not None]
        self.give.setEnabled(is_one and bool(grades) and len(given_grades) == len(grades))
        mean = f"{sum(given_grades) / len(given_grades):.3g}" if given_grades else "–"
        self.mean.setText(self.tr("Mean {mean}").format(mean=mean) if is_one else "")
        person = self._chosen_person()
        self.anew.setEnabled(person is not None and person.state in _MAY_BEGIN_ANEW)
        self.keep.setEnabled(
            person is not None and person.state is not QualificationStatus.SUSPENDED
        )
        self.void.setEnabled(person is not None)
        self.why.setEnabled(person is not None)

    def _chosen_person(self) -> StatusChange | None:
        row = _selected(self.people)
        return self._statuses[row] if row is not None and row < len(self._statuses) else None

    @Slot()
    def _on_person_chosen(self) -> None:
        self._offer()

    @Slot()
    def _on_look_clicked(self) -> None:
        if self._shown is not None:
            self.lookWanted.emit(TaskLink(self._shown.task_id, self._shown.person_id))

    @Slot()
    def _on_give_clicked(self) -> None:
        shown = self._shown
        if shown is None:
            return
        given = [(each.item_id, each.grade) for each in self.items if each.grade is not None]
        note, qualification = self.note.text(), self._project.qualification

        def act() -> None:
            for item_id, grade in given:
                qualification.grade(shown.submission_id, item_id, grade, note)

        if self._do(act):
            said = self.tr("The grades are sent to {name}.")
            self._workspace.message.emit(said.format(name=self._workspace.name_of(shown.person_id)))

    @Slot()
    def _on_anew_clicked(self) -> None:
        self._set(QualificationStatus.CLEARED)

    @Slot()
    def _on_keep_clicked(self) -> None:
        self._set(QualificationStatus.SUSPENDED)

    @Slot()
    def _on_void_clicked(self) -> None:
        """Preview what voiding changes, and void the votes if the lead confirms."""
        from annotator.services.questions.voting.vote_voiding import plan_voiding, void_votes

        change, why, project = self._chosen_person(), self.why.text().strip(), self._project
        if change is None:
            return
        person_id, kind = PersonId(change.person_id), change.kind
        name = self._workspace.name_of(person_id)
        if not why:
            self._workspace.message.emit(
                self.tr("Enter a reason: it is kept in the history of each task.")
            )
            self.why.setFocus()
            return

        def planned(plan: VoidPlan) -> None:
            if not plan.n_tasks:
                self._workspace.message.emit(
                    self.tr("{name} has no votes that count in these tasks.").format(name=name)
                )
                return
            if self._ask_voiding(name, plan):
                self._workspace.start_job(
                    self.tr("Void votes"),
                    lambda token: void_votes(
                        project, person_id, kind, why, lambda done: token.report(done, name)
                    ),
                    lambda n: self._on_voided(name, n),
                )

        self._workspace.start_job(
            self.tr("Void votes"),
            lambda _: plan_voiding(project, person_id, kind),
            planned,
        )

    def _ask_voiding(self, name: str, plan: VoidPlan) -> bool:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("Void votes"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        one = self.tr("Void the answers of {name} in 1 task?")
        many = self.tr("Void the answers of {name} in {n} tasks?")
        text = one if plan.n_tasks == 1 else many
        box.setText(text.format(name=name, n=plan.n_tasks))
        question = self.tr(
            "Without them, {same} of {all} items keep their answer, {other} get another answer "
            "and {open} have none. The tasks return to the queue for another person. The "
            "submissions are kept."
        )
        box.setInformativeText(
            question.format(
                same=plan.n_same, all=plan.n_items, other=plan.n_other, open=plan.n_open
            )
        )
        go = box.addButton(self.tr("Void votes"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.exec()
        is_yes = box.clickedButton() is go
        box.deleteLater()
        return is_yes

    def _on_voided(self, name: str, n_tasks: int) -> None:
        self.why.clear()
        many = self.tr("The answers of {name} were voided in {n} tasks.")
        self._workspace.message.emit(many.format(name=name, n=n_tasks))
        self.read_now()

    def _few_text(self, short: Shortage) -> str:
        text = self.tr(
            "Too few attention checks for “{title}”: {n}, and each person meets about {needed}. "
            "The same ones come again."
        )
        return text.format(title=short.title, n=short.n_checks, needed=short.n_needed)

    def _set(self, status: QualificationStatus) -> None:
        change, why = self._chosen_person(), self.why.text().strip()
        if change is None:
            return
        person_id, kind = PersonId(change.person_id), change.kind
        qualification = self._project.qualification
        if self._do(lambda: qualification.set_status(person_id, kind, status, why)):
            self.why.clear()

    def _do(self, act: object) -> bool:
        assert callable(act)
        try:
            self._workspace.background(act)
        except UserError as error:
            self._workspace.failed.emit(error)
            return False
        self.read_now()
        return True


def _table(title: str, header: list[str], empty: str) -> QTableWidget:
    table = QTableWidget(0, len(header))
    table.setAccessibleName(title)
    table.setHorizontalHeaderLabels(header)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    calm(table)
    columns = table.horizontalHeader()
    columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    columns.setSectionResizeMode(len(header) - 1, QHeaderView.ResizeMode.Stretch)
    EmptyHint(table, empty)
    return table


def _fill(table: QTableWidget, rows: list[tuple[str, ...]]) -> None:
    table.setRowCount(len(rows))
    for y, texts in enumerate(rows):
        for x, text in enumerate(texts):
            table.setItem(y, x, QTableWidgetItem(text))


def _selected(table: QTableWidget) -> int | None:
    rows = {item.row() for item in table.selectedItems()}
    return min(rows) if rows else None
