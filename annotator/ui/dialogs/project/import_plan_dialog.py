"""Import plan: additions to each video; nothing changes before it is accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QRadioButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding, Severity
from annotator.services.transfer import Again
from annotator.services.transfer.imports.import_plan import PlannedVideo, totals
from annotator.services.transfer.imports.import_submission import COMPLETE
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import calm, plain

_MOST_LETTERS: Final = 200
_MOST_FINDINGS: Final = 2000
_FIRST_NUMBER: Final = 2
"""Column of the first number; the entry and its video are before it."""
_Index: TypeAlias = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ImportChoice:
    """Kind of an import: submissions that continue at ``stage``, proposals of ``model``, or drafts.

    ``model`` is None unless they are proposals.
    """

    stage: str = ""
    model: str | None = None
    version: str = ""
    again: Again = Again.SKIP
    is_thinned: bool = False
    is_open: bool = False
    """Whether the gaps between keyframes are tracked."""


class ImportPlanDialog(QDialog):
    """Shows the plan of a file and asks for the kind of import.

    Annotation becomes drafts or, in a project with ``stages`` (key and title, `COMPLETE` last),
    submissions. ``choice`` is what the plan was made for. With ``has_keyframes`` thinning is
    offered, with ``has_columns`` another choice of columns: `wants_columns` is set then, and the
    dialog is rejected.
    """

    def __init__(
        self,
        title: str,
        plan: Sequence[PlannedVideo],
        findings: Sequence[Finding],
        stages: Sequence[tuple[str, str]],
        choice: ImportChoice,
        *,
        model: str = "",
        has_keyframes: bool = False,
        has_columns: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import"))
        self.wants_columns = False
        self._plan, self._findings = list(plan), list(findings)
        head = plain(QLabel(title))
        head.setTextFormat(Qt.TextFormat.PlainText)
        head.setWordWrap(True)
        self.model_of_plan = _PlanModel(self._plan, self)
        self.table = self._new_table()
        self.summary = plain(QLabel(self._summary()))
        self.summary.setWordWrap(True)
        self.details = QListView()
        self.details.setAccessibleName(self.tr("Messages about the selected video"))
        self.details.setWordWrap(True)
        self.details.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.details.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._messages = QStringListModel(self)
        self.details.setModel(self._messages)
        self._make_choices(stages, choice, model)
        self.thinned = QCheckBox(self.tr("Leave out keyframes that interpolation gives (2 px)"))
        self.thinned.setChecked(choice.is_thinned)
        self.thinned.setVisible(has_keyframes)
        self.gaps = QCheckBox(self.tr("Track the gaps between keyframes"))
        self.gaps.setChecked(choice.is_open)
        self.gaps.setVisible(has_keyframes)
        self.again = QComboBox()
        self.again.setAccessibleName(self.tr("Records imported before"))
        for text, kind in (
            (self.tr("keep existing"), Again.SKIP),
            (self.tr("replace"), Again.REPLACE),
            (self.tr("import again"), Again.BOTH),
        ):
            self.again.addItem(text, kind.value)
        self.again.setCurrentIndex(self.again.findData(choice.again.value))
        self._again_label = QLabel(self.tr("Records imported before"))
        n_known = sum(video_plan.n_known for video_plan in self._plan)
        for widget in (self.again, self._again_label):
            widget.setVisible(bool(n_known))
        self._lay_out(head, stages, has_columns=has_columns)
        self.resize(760, 620 if stages else 560)
        self._show_details()

    # Choices

    def _make_choices(
        self, stages: Sequence[tuple[str, str]], choice: ImportChoice, model: str
    ) -> None:
        self.submission = QRadioButton(self.tr("As submissions: other people continue"))
        self.draft = QRadioButton(
            self.tr("As drafts: the tasks are assigned to you")
            if stages
            else self.tr("As annotations")
        )
        self.proposals = QRadioButton(
            self.tr("As proposals of a model: raters accept or dismiss them")
        )
        self.stages = QComboBox()
        self.stages.setAccessibleName(self.tr("Continue at"))
        for key, title in stages:
            self.stages.addItem(self.tr("Complete") if key == COMPLETE else title, key)
        if choice.stage:
            self.stages.setCurrentIndex(self.stages.findData(choice.stage))
        self.model = QLineEdit(choice.model or model)
        self.model.setMaxLength(_MOST_LETTERS)
        self.version = QLineEdit(choice.version)
        self.version.setMaxLength(_MOST_LETTERS)
        self.version.setPlaceholderText(self.tr("Optional"))
        usual = self.submission if choice.stage else self.draft
        usual = self.proposals if choice.model is not None else usual
        usual.setChecked(True)
        for button in (self.submission, self.draft, self.proposals):
            button.toggled.connect(self._on_toggled)
        self._on_toggled()

    def choice(self) -> ImportChoice:
        """Return the selected import settings."""
        again = Again(self.again.currentData())
        shape = self.thinned.isChecked(), self.gaps.isChecked()
        if self.proposals.isChecked():
            name, version = self.model.text().strip(), self.version.text().strip()
            return ImportChoice("", name, version, again, *shape)
        stage = str(self.stages.currentData()) if self.submission.isChecked() else ""
        return ImportChoice(stage, None, "", again, *shape)

    @Slot()
    def _on_toggled(self) -> None:
        self.stages.setEnabled(self.submission.isChecked())
        for field in (self.model, self.version):
            field.setEnabled(self.proposals.isChecked())

    # Parts

    def _lay_out(
        self, head: QLabel, stages: Sequence[tuple[str, str]], *, has_columns: bool
    ) -> None:
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        n_invalid = sum(video_plan.n_invalid for video_plan in self._plan)
        text = self.tr("Import valid records") if n_invalid else self.tr("Import")
        self.go = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setEnabled(any(not video_plan.is_skipped for video_plan in self._plan))
        self.columns = self.buttons.addButton(
            self.tr("Columns…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.columns.setVisible(has_columns)
        self.columns.clicked.connect(self._ask_columns)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(head)
        layout.addWidget(self.table, 3)
        layout.addWidget(self.summary)
        layout.addWidget(self.details, 1)
        repeat_row = QHBoxLayout()
        repeat_row.addWidget(self._again_label)
        repeat_row.addWidget(self.again, 1)
        layout.addLayout(repeat_row)
        layout.addWidget(self.thinned)
        layout.addWidget(self.gaps)
        if stages:
            layout.addWidget(self.submission)
            layout.addLayout(_indented((self.tr("Continue at"), self.stages)))
        layout.addWidget(self.draft)
        layout.addWidget(self.proposals)
        layout.addLayout(
            _indented((self.tr("Model"), self.model), (self.tr("Version"), self.version))
        )
        note = plain(QLabel(self._note(has_stages=bool(stages))))
        note.setWordWrap(True)
        layout.addWidget(note)
        layout.addWidget(self.buttons)

    def _new_table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(self.tr("Import plan"))
        table.setModel(self.model_of_plan)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        calm(table)
        for column in range(_FIRST_NUMBER, self.model_of_plan.columnCount()):
            numbers = (_numbers(each)[column - _FIRST_NUMBER] for each in self._plan)
            table.setColumnHidden(column, not any(numbers))
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(200)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        table.selectionModel().currentRowChanged.connect(self._show_details)
        return table

    def _note(self, *, has_stages: bool) -> str:
        told = self.tr(
            "Proposals appear when a rater begins the task. They are not annotations, and are not "
            "exported, until they are accepted."
        )
        if not has_stages:
            return told
        return f"{told}\n\n" + self.tr(
            "A submission counts as the first stage of each task. Started tasks are not changed."
        )

    def _summary(self) -> str:
        sums = totals(self._plan)
        n_videos = sum(not video_plan.is_skipped for video_plan in self._plan)
        parts = (
            counted(n_videos, self.tr("1 video"), self.tr("{n} videos")),
            counted(sums["tracks"], self.tr("1 object"), self.tr("{n} objects")),
            counted(sums["points"], self.tr("1 point"), self.tr("{n} points")),
            counted(sums["actions"], self.tr("1 action"), self.tr("{n} actions")),
            counted(sums["sounds"], self.tr("1 sound"), self.tr("{n} sounds")),
        )
        text = self.tr("To be imported: {what}.").format(what=", ".join(parts))
        n_invalid = sum(video_plan.n_invalid for video_plan in self._plan)
        if n_invalid:
            invalid_text = self.tr("{n} invalid records are skipped.")
            text += " " + counted(n_invalid, self.tr("1 invalid record is skipped."), invalid_text)
        if not n_videos:
            text = self.tr("The file has no valid records. Nothing can be imported.")
        return text

    @Slot()
    def _show_details(self) -> None:
        """Show the messages of the selected video, of all while none is selected."""
        at = self.table.currentIndex().row()
        found = list(self._plan[at].findings) if at >= 0 else self._findings
        worst = sorted(found, key=lambda finding: finding.severity is not Severity.ERROR)
        lines = [str(finding) for finding in worst[:_MOST_FINDINGS]]
        self._messages.setStringList(lines or [self.tr("No messages.")])

    @Slot()
    def _ask_columns(self) -> None:
        self.wants_columns = True
        self.reject()


class _PlanModel(QAbstractTableModel):
    """The entries of a file with their videos and additions."""

    def __init__(self, plan: Sequence[PlannedVideo], parent: ImportPlanDialog) -> None:
        super().__init__(parent)
        self._plan = plan
        self._heads = [
            parent.tr("Entry"),
            parent.tr("Video"),
            parent.tr("Objects"),
            parent.tr("Points"),
            parent.tr("Actions"),
            parent.tr("Sounds"),
            parent.tr("Imported before"),
            parent.tr("Similar"),
            parent.tr("Invalid"),
        ]
        self._tips = {
            6: parent.tr("Records that an earlier import of the same content has added"),
            7: parent.tr("Objects and segments that overlap existing ones of the same label"),
            8: parent.tr("Records that are skipped"),
        }
        self._how = {
            "same name": parent.tr("same name"),
            "selected": parent.tr("selected"),
            "new video": parent.tr("new video"),
            "same size and frame count": parent.tr("same size and frame count"),
            "the only video": parent.tr("the only video"),
        }
        self._skipped = parent.tr("(skipped)")

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._plan)

    def columnCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._heads)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return self._tips.get(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self._plan[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole and column >= _FIRST_NUMBER:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if column == 0:
            return row.name
        if column == 1:
            how = self._how.get(row.how, row.how)
            if row.is_skipped:
                return self._skipped
            return f"{row.video} ({how})" if row.video else how
        return str(_numbers(row)[column - _FIRST_NUMBER] or "–")


def _numbers(row: PlannedVideo) -> tuple[int, ...]:
    """Return the numbers of a video, in the order of their columns."""
    return (*row.counts, row.n_known, row.n_similar, row.n_invalid)


def _indented(*rows: tuple[str, QWidget]) -> QFormLayout:
    form = QFormLayout()
    for text, field in rows:
        form.addRow(text, field)
    form.setContentsMargins(24, 0, 0, 8)
    return form
