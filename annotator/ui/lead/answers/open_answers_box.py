"""Groups of open answers that a lead can merge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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

from annotator.domain.ids import TaskId
from annotator.domain.questions.answer_groups import AnswerGroup, Merged
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.board.board_dialogs import AskDialog
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.look.texts import moment_text
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

_WIDTHS: Final = (40, 30, 9, 9, 50, 34)
_MOST_SPELLINGS: Final = 8


@dataclass(frozen=True, slots=True)
class Open:
    """Displayed state of a field: its groups, names of people, and the last merge."""

    groups: Sequence[AnswerGroup]
    last: Merged | None


class OpenAnswersBox(QWidget):
    """The groups of answers to one field; those chosen are merged, merged ones parted again."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace = workspace
        self._project = project
        self._latest = Latest(workspace, self.tr("Open answers"), self)
        self._last: Merged | None = None
        self._news: dict[object, str] = {}  # result of the last action, by field
        self.field = QComboBox()
        self.field.setAccessibleName(self.tr("Question"))
        self.field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.field.currentIndexChanged.connect(self.read)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.merge = self._button(
            self.tr("Merge answers…"),
            self.tr("Count the selected answers as one answer."),
            self._on_merge,
        )
        self.part = self._button(
            self.tr("Split answer"),
            self.tr("Undo the merges of the selected answer."),
            self._on_part,
        )
        self.undo = self._button(
            self.tr("Undo last merge"), self.tr("Undo the most recent merge."), self._on_undo
        )
        self.model: RowModel[AnswerGroup] = RowModel(_columns(workspace))
        self.table = RowTable(
            self.model,
            self.tr("Open answers"),
            _WIDTHS,
            self.tr("Open answers appear here after their tasks are resolved."),
        )
        self.table.selectionModel().selectionChanged.connect(self._on_chosen)
        self.model.modelReset.connect(self._on_chosen)
        self.status_label = plain(QLabel())
        self.status_label.setWordWrap(True)
        self._lay_out()
        self._on_chosen()

    def read(self) -> None:
        """Read fields and answers again, in a job."""
        from annotator.services.questions.voting.open_answer_groups import open_fields

        fields = open_fields(self._project)
        keys_shown = [self.field.itemData(i) for i in range(self.field.count())]
        keys = [(field.kind, field.key) for field in fields]
        if keys_shown != keys:
            with QSignalBlocker(self.field):
                self.field.clear()
                for field in fields:
                    self.field.addItem(field.title, (field.kind, field.key))
        for widget in (self.field, self.search):
            widget.setEnabled(bool(fields))
        if not fields:
            self.table.hint.setText(self.tr("The recipe defines no questions with open answers."))
            return
        project, (kind, key) = self._project, self.field.currentData()
        self._latest.ask(lambda token: _read(project, kind, key, token), self._show)

    def leave(self) -> None:
        """Read no more: the project is about to be closed."""
        self._latest.forget()

    def chosen(self) -> list[AnswerGroup]:
        """Return the groups that are selected, in the order shown."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.rows[row] for row in rows]

    def _button(self, text: str, tip: str, handler: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.clicked.connect(handler)
        return button

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        for widget in (self.field, self.search, self.merge, self.part, self.undo):
            bar.addWidget(widget, int(widget is self.search))
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.status_label)

    def _show(self, found: Open) -> None:
        self._last = found.last
        self.model.set_rows(found.groups)
        nothing = "" if found.groups else self.tr("No resolved or conflicting answers yet.")
        self.status_label.setText(self._news.get(self.field.currentData(), nothing))

    @Slot()
    def _filter(self) -> None:
        wanted = self.search.text().strip().casefold()
        self.model.show_only(partial(_fits, wanted=wanted))

    @Slot()
    def _on_chosen(self) -> None:
        chosen = self.chosen()
        is_one_question = len({group.question for group in chosen}) == 1
        self.merge.setEnabled(len(chosen) > 1 and is_one_question)
        self.part.setEnabled(any(group.merged for group in chosen))
        self.undo.setEnabled(self._last is not None)

    @Slot()
    def _on_merge(self) -> None:
        from annotator.services.questions.voting import open_answer_groups

        groups = self.chosen()
        dialog = MergeDialog(groups, self)
        if not dialog.ask():
            return
        project, title = self._project, dialog.title.currentText()
        kind = self.field.currentData()[0]
        self._act(
            self.tr("Merge answers"),
            lambda _: open_answer_groups.merge(project, kind, groups, title),
        )

    @Slot()
    def _on_part(self) -> None:
        merged = {each.id: each for group in self.chosen() for each in group.merged}
        self._take_back(self.tr("Split answer"), list(merged.values()))

    @Slot()
    def _on_undo(self) -> None:
        if self._last is not None:
            self._take_back(self.tr("Undo last merge"), [self._last])

    def _take_back(self, title: str, merged: Sequence[Merged]) -> None:
        from annotator.services.questions.voting import open_answer_groups

        project, kind = self._project, self.field.currentData()[0]
        self._act(title, lambda _: open_answer_groups.part(project, kind, merged))

    def _act(self, title: str, work: Callable[[JobToken], tuple[TaskId, ...]]) -> None:
        field = self.field.currentData()

        def done(decided: tuple[TaskId, ...]) -> None:
            text = self.tr("Tasks resolved by this change: {n}") if decided else self.tr("Done.")
            self._news = {field: text.format(n=f"{len(decided):,}")}
            self.read()

        self._workspace.start_job(title, work, done)


class MergeDialog(AskDialog):
    """Asks for the common text of merged answers."""

    def __init__(self, groups: Sequence[AnswerGroup], parent: QWidget | None) -> None:
        text = _tr(
            "These answers count as one answer wherever the same question is asked: {answers}"
        )
        answers = ", ".join(f"“{group.title}”" for group in groups)
        super().__init__(_tr("Merge answers"), text.format(answers=answers), parent)
        self.title = QComboBox()
        self.title.setEditable(True)
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for group in sorted(groups, key=lambda group: -group.votes):
            self.title.addItem(group.title)
        self.form.addRow(self.tr("&Answer"), self.title)
        self.title.editTextChanged.connect(self._check)

    @Slot()
    def _check(self) -> None:
        self.allow(bool(self.title.currentText().strip()))


def _read(project: OpenProject, kind: str, key: str, token: JobToken) -> Open:
    from annotator.services.questions.voting import open_answer_groups

    groups = open_answer_groups.groups_of(project, kind, key, token)
    return Open(groups, open_answer_groups.last_merge(project, kind))


def _columns(workspace: Workspace) -> RowColumns[AnswerGroup]:
    def text(group: AnswerGroup, column: int) -> str:
        match column:
            case 0:
                return group.question
            case 1:
                return group.title
            case 2:
                return f"{group.votes:,}"
            case 3:
                return f"{group.items:,}"
            case 4:
                return _spellings(group)
            case _:
                return _merged(workspace, group)

    def key(group: AnswerGroup, column: int) -> tuple[int, str]:
        if column in (2, 3):
            return (group.votes if column == 2 else group.items), ""
        return 0, text(group, column).casefold()

    heads = (
        _tr("Question"),
        _tr("Answer"),
        _tr("Count"),
        _tr("Items"),
        _tr("Spellings"),
        _tr("Merged"),
    )
    return RowColumns(heads, text, key, (2, 3))


def _spellings(group: AnswerGroup) -> str:
    shown = [f"{text} ×{n}" for text, n in group.spellings[:_MOST_SPELLINGS]]
    return ", ".join([*shown, *(["…"] if len(group.spellings) > _MOST_SPELLINGS else [])])


def _merged(workspace: Workspace, group: AnswerGroup) -> str:
    if not group.merged:
        return ""
    last = group.merged[-1]
    text = _tr("by {name}, {when}")
    return text.format(name=workspace.name_of(last.by), when=moment_text(last.at))


def _fits(group: AnswerGroup, *, wanted: str) -> bool:
    said = (group.question, group.title, *(text for text, _ in group.spellings))
    return not wanted or any(wanted in text.casefold() for text in said)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
