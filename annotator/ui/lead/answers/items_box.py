"""Single items with outcome and reason; a lead can discard items."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import PersonId
from annotator.domain.questions.items.item import Item, ItemState, Purpose
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.item_list import ListedItem, item_kinds, item_rows
from annotator.services.questions.voting.outcomes import BY_VOTES
from annotator.ui.forms.fields.answer_texts import value_text
from annotator.ui.lead.board.board_dialogs import AskDialog, StageReasonDialog
from annotator.ui.lead.lead_texts import purpose_text, state_text
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace


class EditItemDialog(AskDialog):
    """Fields for the question and each option; ``spare`` are alternative options."""

    def __init__(self, item: Item, spare: Sequence[str], parent: QWidget | None) -> None:
        super().__init__(
            QCoreApplication.translate("EditItemDialog", "Edit item"),
            QCoreApplication.translate(
                "EditItemDialog",
                "The earlier text, your name and the reason are kept with the item.",
            ),
            parent,
        )
        self._item = item
        self._question = QLineEdit(item.text)
        self._question.textChanged.connect(self._check)
        self.form.addRow(self.tr("&Question"), self._question)
        right = {key for keys in item.right.values() for key in keys}
        self.fields: dict[str, QComboBox] = {}
        for number, option in enumerate(item.options, 1):
            field = QComboBox()
            field.setEditable(True)
            field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            is_right = option.key in right
            field.addItems([option.text, *(() if is_right else spare)])
            field.editTextChanged.connect(self._check)
            name = self.tr("Correct answer") if is_right else self.tr("Option {n}").format(n=number)
            self.form.addRow(name, field)
            self.fields[option.key] = field
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(self.tr("The reason is recorded."))
        self.reason.textChanged.connect(self._check)
        self.form.addRow(self.tr("&Reason"), self.reason)
        self.resize(620, self.height())
        self._check()

    @property
    def text(self) -> str:
        """The question as it is to be."""
        return self._question.text().strip()

    @property
    def options(self) -> dict[str, str]:
        """The texts of the options as they are to be, by key."""
        return {key: field.currentText().strip() for key, field in self.fields.items()}

    @Slot()
    def _check(self) -> None:
        before = {option.key: option.text for option in self._item.options}
        is_changed = self.text != self._item.text or self.options != before
        is_full = all(self.options.values()) and bool(self.text or not self._item.text)
        self.allow(is_changed and is_full and bool(self.reason.text().strip()))


_WIDTHS: Final = (40, 20, 18, 12, 24, 28, 28, 28, 24)
_RULES: Final = {
    "single": "one rater",
    "majority": "majority",
    "k-of-n": "k of n",
    "unanimity": "unanimity",
    "adjudication": "adjudication",
    "overruled": "vote overruled",
    "review": "review",
}


class ItemsBox(QWidget):
    """The items of one kind of task, to be searched and sorted."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace = workspace
        self._project = project
        self._latest = Latest(workspace, self.tr("Items"), self)
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("Task type"))
        self.kind.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kind.currentIndexChanged.connect(self.read)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.discard = QPushButton(self.tr("Discard items…"))
        self.discard.setToolTip(self.tr("Discard the selected items. The reason is recorded."))
        self.discard.clicked.connect(self._on_discard)
        self.edit = QPushButton(self.tr("Edit item…"))
        self.edit.setToolTip(
            self.tr("Change the question or the options of the selected item before it is asked.")
        )
        self.edit.clicked.connect(self._on_edit)
        self._shown_kind: str | None = None
        self._columns = _columns()
        self.model: RowModel[ListedItem] = RowModel(self._columns)
        self.table = RowTable(
            self.model, self.tr("Items"), _WIDTHS, self.tr("No items of this task type yet.")
        )
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.model.modelReset.connect(self._on_chosen)
        self.status_label = plain(QLabel())
        bar = QHBoxLayout()
        for widget in (self.kind, self.search, self.edit, self.discard):
            bar.addWidget(widget, int(widget is self.search))
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.status_label)
        self._on_chosen()

    def read(self) -> None:
        """Read the items again, in a job."""
        kinds = item_kinds(self._project)
        if [self.kind.itemData(i) for i in range(self.kind.count())] != [k for k, _ in kinds]:
            with QSignalBlocker(self.kind):
                self.kind.clear()
                for kind, title in kinds:
                    self.kind.addItem(title, kind)
        for widget in (self.kind, self.search):
            widget.setEnabled(bool(kinds))
        if not kinds:
            self.status_label.setText(self.tr("The recipe defines no questions."))
            return
        project, kind = self._project, self.kind.currentData()
        text, n_columns = self._columns.text, len(self._columns.heads)

        def work(token: JobToken) -> tuple[list[ListedItem], list[bool]]:
            rows = item_rows(project, kind, token)
            return rows, [any(text(row, column) for row in rows) for column in range(n_columns)]

        self._latest.ask(work, self._show)

    def leave(self) -> None:
        """Read no more: the project is about to be closed."""
        self._latest.forget()

    def chosen(self) -> list[ListedItem]:
        """Return the items that are selected, in the order shown."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.rows[row] for row in rows]

    def _show(self, listed: tuple[list[ListedItem], list[bool]]) -> None:
        rows, are_filled = listed
        for column, is_filled in enumerate(are_filled):
            # Many kinds of task have no question, no purpose or no votes.
            self.table.setColumnHidden(column, bool(rows) and not is_filled)
        if self.kind.currentData() != self._shown_kind:
            self._shown_kind = self.kind.currentData()
            self.table.columns.reset()
        self.model.set_rows(rows)
        self._tell()

    def _tell(self) -> None:
        shown, known = len(self.model.rows), self.model.n_all
        text = self.tr("{n} of {all}").format(n=f"{shown:,}", all=f"{known:,}")
        self.status_label.setText(
            text
            if known
            else self.tr("No items yet. Create or import questions on the Questions page.")
        )

    @Slot()
    def _filter(self) -> None:
        wanted = self.search.text().strip().casefold()
        self.model.show_only(partial(_fits, wanted=wanted))
        self._tell()

    @Slot()
    def _on_chosen(self) -> None:
        chosen = self.chosen()
        is_in = all(row.state is not ItemState.DISCARDED for row in chosen)
        self.discard.setEnabled(bool(chosen) and is_in)
        self.edit.setEnabled(len(chosen) == 1 and is_in)

    @Slot()
    def _on_edit(self) -> None:
        item, questions = self.chosen()[0].item, self._project.questions
        if item is None:
            return
        dialog = EditItemDialog(item, questions.spare_options(item.id), self)
        if dialog.ask():
            text, options, reason = dialog.text, dialog.options, dialog.reason.text()
            self._workspace.start_job(
                self.tr("Edit item"),
                lambda _: questions.revise(item.id, text=text, options=options, reason=reason),
                lambda _: self.read(),
            )

    @Slot()
    def _on_discard(self) -> None:
        chosen = [row.item_id for row in self.chosen()]
        many = self.tr(
            "{n} items are removed from all tasks and results. Existing answers are kept."
        )
        one = self.tr("The item is removed from all tasks and results. Existing answers are kept.")
        dialog = StageReasonDialog(self.tr("Discard items"), counted(len(chosen), one, many), self)
        if dialog.ask():
            project, reason = self._project, dialog.reason.text()
            self._workspace.start_job(
                self.tr("Discard items"),
                lambda _: project.questions.discard(chosen, reason),
                lambda _: self.read(),
            )


def _columns() -> RowColumns[ListedItem]:
    def text(row: ListedItem, column: int) -> str:
        match column:
            case 0:
                return row.question
            case 1:
                return row.videos
            case 2:
                return "" if row.purpose is Purpose.WORK else purpose_text(row.purpose)
            case 3:
                return state_text(row.state)
            case 4:
                return row.why
            case 5:
                return votes_text(row)
            case 6:
                return resolved_text(row)
            case 7:
                return decision_text(row)
            case _:
                return "; ".join(f"{reason} ×{n}" for reason, n in row.flags)

    def key(row: ListedItem, column: int) -> str:
        return text(row, column).casefold()

    heads = (
        _tr("Question"),
        _tr("Videos"),
        _tr("Purpose"),
        _tr("State"),
        _tr("Reason"),
        _tr("Votes"),
        _tr("Resolved answer"),
        _tr("Resolved by"),
        _tr("Flags"),
    )
    return RowColumns(heads, text, key)


def votes_text(row: ListedItem) -> str:
    """Return how often each answer was given, as in "cup ×3, mug ×1".

    Answers to several fields stand behind the title of their field.
    """
    if row.item is None:
        return ""
    item = row.item
    parts = [
        (f"{field.title} " if len(row.votes) > 1 else "")
        + ", ".join(f"{value_text(field, item, v)} ×{n}" for v, n in counts)
        for field, counts in row.votes
    ]
    if row.n_voided:
        parts.append(_tr("{n} voided").format(n=row.n_voided))
    return "; ".join(parts)


def resolved_text(row: ListedItem) -> str:
    """Return the resolved answers; several stand behind the titles of their fields."""
    if row.item is None:
        return ""
    answers = [(field, value_text(field, row.item, each.value)) for field, each in row.resolved]
    if len(answers) == 1:
        return answers[0][1]
    return "; ".join(f"{field.title} {text}" for field, text in answers)


def decision_text(row: ListedItem) -> str:
    """Return the rules that resolved the answers, and the deciding people."""
    found: dict[str, None] = {}
    for _, each in row.resolved:
        rule = _tr(_RULES[each.rule]) if each.rule in _RULES else each.rule
        if each.decided_by != BY_VOTES:
            name = row.decided_by.get(PersonId(each.decided_by), "?")
            rule = _tr("{rule}: {name}").format(rule=rule, name=name)
        found[f"{rule} – {each.reason}" if each.reason else rule] = None
    return "; ".join(found)


def _fits(row: ListedItem, *, wanted: str) -> bool:
    said = (row.question, row.videos, state_text(row.state), row.why, *(f for f, _ in row.flags))
    return not wanted or any(wanted in text.casefold() for text in said)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
