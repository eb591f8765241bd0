"""Page Studies: accuracy of independent participants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.ids import StudyId
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.questions.studies.askable_items import Ground
from annotator.services.questions.studies.study_values import Study, StudyProgress, StudyWish
from annotator.services.tables import Cell
from annotator.ui.dialogs.file_dialogs import ask_folder
from annotator.ui.lead import lead_texts
from annotator.ui.lead.answers.answer_statistics import ReportTable
from annotator.ui.lead.statistics.charts import interval_text
from annotator.ui.lead.statistics.table_with_export import TableWithExport
from annotator.ui.lead.studies.study_dialogs import ReassignStudyDialog, StudyDialog
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Shown:
    """All studies, and progress, results and answers of one of them."""

    studies: tuple[Study, ...]
    progress: tuple[StudyProgress, ...]
    study: Study | None
    results: ReportTable
    people: ReportTable
    n_unjudged: int


def read_studies(project: OpenProject, wanted: str | None, token: JobToken) -> Shown:
    """Read all studies, and the details of one: the given one, else the latest."""
    from annotator.services.questions.studies import studies

    found = tuple(studies.studies(project))
    progress = tuple(studies.progress(project, each.id) for each in found)
    nothing = ReportTable([], [])
    if not found:
        return Shown((), (), None, nothing, nothing, 0)
    at = next((i for i, each in enumerate(found) if each.id == wanted), len(found) - 1)
    results, n_unjudged = _results(project, found[at], token)
    people = _people(project, found[at], progress[at])
    return Shown(found, progress, found[at], results, people, n_unjudged)


def _results(project: OpenProject, study: Study, token: JobToken) -> tuple[ReportTable, int]:
    """Return the results of a study, by condition and part; intervals are Wilson's, at once."""
    from annotator.domain.agreement.resampling import Bootstrap
    from annotator.domain.study.results import LEVEL
    from annotator.services.questions.studies.study_results import overview, results_of

    results = results_of(project, study, token, Bootstrap(0, level=LEVEL))
    titles = {condition.key: condition.title for condition in study.wish.conditions}
    rows: list[tuple[Cell, ...]] = []
    shown_rows: list[tuple[str, ...]] = []
    for line in overview(results.found):
        if line.accuracy is None:
            continue
        head = (
            lead_texts.part_text(line.by, line.name),
            titles.get(line.condition, line.condition) or lead_texts.part_text("", ""),
        )
        numbers: list[float | None] = [*line.accuracy]
        numbers += line.majority if line.majority is not None else (None, None, None)
        rows.append(
            (
                *head,
                *("" if number is None else number for number in numbers),
                "" if line.seconds is None else line.seconds,
                line.n_items,
                line.n_answers,
            )
        )
        shown_rows.append(
            (
                *head,
                interval_text(line.accuracy),
                interval_text(line.majority),
                _NOTHING if line.seconds is None else f"{line.seconds:.1f} s",
                f"{line.n_items:,}",
                f"{line.n_answers:,}",
            )
        )
    return ReportTable(rows, shown_rows), results.n_unjudged


def _people(project: OpenProject, study: Study, progress: StudyProgress) -> ReportTable:
    people = project.work.people
    rows: list[tuple[Cell, ...]] = []
    for person_id, (given, assigned) in progress.by_person.items():
        rows.append((people.person(person_id).name, given, assigned))
    rows.sort(key=lambda row: str(row[0]).casefold())
    return ReportTable(rows, [tuple(str(cell) for cell in row) for row in rows])


_GAP_PX: Final = 18
_BAR_PX: Final = 240
_WIDEST_PX: Final = 620
_SEEN: Final = 1
_INTERVALS: Final = {2: 2, 3: 5}
"""Columns with an interval, and where it begins in a row of the file: value, low, high."""


class StudiesPage(Page):
    """Progress, results and answers of one study, and new studies."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Studies"))
        self._shown: Shown | None = None
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(self.tr("Study type"))
        self.new = QPushButton(self.tr("New study…"))
        self.new.setProperty("kind", "primary")
        self.new.clicked.connect(self._on_new_clicked)
        self.studies = QComboBox()
        self.studies.setAccessibleName(self.tr("Study"))
        self.studies.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.studies.activated.connect(self.read_soon)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)  # the words beside it say more
        self.bar.setFormat("%p %")
        self.bar.setFixedWidth(_BAR_PX)
        self.bar.setAccessibleName(self.tr("Answers given"))
        self.status_label = plain(QLabel())
        self.status_label.setWordWrap(True)
        self.reassign = QPushButton(self.tr("Reassign study…"))
        self.reassign.setToolTip(self.tr("Update the assignment plan after people join or leave."))
        self.reassign.clicked.connect(self._on_reassign_clicked)
        self.write = QPushButton(self.tr("Export results…"))
        self.write.setToolTip(
            self.tr(
                "Export statistics, answers, and the assignment plan. Names of people are "
                "not included."
            )
        )
        self.write.clicked.connect(self._on_write_clicked)
        self.results = self._results_table()
        self.people = TableWithExport(
            workspace,
            self.tr("People"),
            f"{project.path.stem} study people",
            [self.tr("Person"), self.tr("Answers given"), self.tr("Answers assigned")],
        )
        self.empty = plain(QLabel())
        self.empty.setWordWrap(True)
        self.empty.setMaximumWidth(_WIDEST_PX)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self._hide_study()
        self.empty.hide()
        self.new.setEnabled(False)

    def _results_table(self) -> TableWithExport:
        table = TableWithExport(
            self._workspace,
            self.tr("Results"),
            f"{self._project.path.stem} study",
            [
                self.tr("Subset"),
                self.tr("Condition"),
                self.tr("Accuracy"),
                self.tr("Majority accuracy"),
                self.tr("Median time"),
                self.tr("Items"),
                self.tr("Answers"),
            ],
            file_header=[
                self.tr("Subset"),
                self.tr("Condition"),
                self.tr("Accuracy"),
                self.tr("CI lower"),
                self.tr("CI upper"),
                self.tr("Majority accuracy"),
                self.tr("CI lower"),
                self.tr("CI upper"),
                self.tr("Median time"),
                self.tr("Items"),
                self.tr("Answers"),
            ],
            intervals=_INTERVALS,
        )
        table.setToolTip(
            self.tr(
                "90% Wilson confidence intervals. Majority accuracy: fully answered items with "
                "more than half correct."
            )
        )
        return table

    def _lay_out(self) -> None:
        self.inner = QWidget()
        rows = QVBoxLayout(self.inner)
        rows.setSpacing(_GAP_PX)
        bar = QHBoxLayout()
        bar.addWidget(self.studies)
        bar.addWidget(self.bar)
        bar.addWidget(self.status_label, 1)
        bar.addWidget(self.reassign)
        bar.addWidget(self.write)
        self.of_one = QWidget()
        self.of_one.setLayout(bar)
        bar.setContentsMargins(0, 0, 0, 0)
        make_row = QHBoxLayout()
        make_row.addWidget(self.kinds)
        make_row.addWidget(self.new)
        make_row.addStretch(1)
        rows.addWidget(self.empty)
        rows.addLayout(make_row)
        rows.addWidget(self.of_one)
        for table in (self.results, self.people):
            table.set_rows([], [])
            rows.addWidget(table)
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def _read(self) -> None:
        from annotator.services.questions.studies.studies import study_types

        types = study_types(self._project)
        if [self.kinds.itemData(i) for i in range(self.kinds.count())] != [t.kind for t in types]:
            self.kinds.clear()
            for each in types:
                self.kinds.addItem(each.title, each.kind)
        self.kinds.setVisible(len(types) > 1)
        self.new.setEnabled(bool(types))
        project, wanted = self._project, self.studies.currentData()
        self._latest.ask(lambda token: read_studies(project, wanted, token), self._show)

    def _show(self, page_data: Shown) -> None:
        self._shown = page_data
        if page_data.study is None:
            self._show_nothing()
            return
        self.empty.hide()
        study_names = [(study.name, study.id) for study in page_data.studies]
        if study_names != [
            (self.studies.itemText(i), self.studies.itemData(i))
            for i in range(self.studies.count())
        ]:
            self.studies.clear()
            for name, study_id in study_names:
                self.studies.addItem(name, study_id)
        at = page_data.studies.index(page_data.study)
        self.studies.setCurrentIndex(at)
        self._show_progress(page_data.progress[at], page_data.n_unjudged)
        # With one condition there is no comparison.
        self.results.table.setColumnHidden(_SEEN, len(page_data.study.wish.conditions) < 2)
        for widget, table in ((self.results, page_data.results), (self.people, page_data.people)):
            widget.set_rows(table.rows, table.shown)
            widget.show()
        self.of_one.show()

    def _show_progress(self, done: StudyProgress, n_unjudged: int) -> None:
        self.bar.setRange(0, max(1, done.n_assigned))
        self.bar.setValue(done.n_given)
        text = self.tr("{given:,} of {assigned:,} answers to {items:,} items")
        text = text.format(given=done.n_given, assigned=done.n_assigned, items=done.n_items)
        if n_unjudged:
            text += "; " + self.tr("{n:,} not scored yet").format(n=n_unjudged)
        self.status_label.setText(text)

    def _show_nothing(self) -> None:
        """Explain studies while there are none."""
        has_kind = self.kinds.count() > 0
        self.empty.setText(
            self.tr(
                "No studies yet. In a human-baseline study, independent people answer resolved "
                "items, so that you can measure human accuracy. Add participants on the People "
                "page, then create a study."
            )
            if has_kind
            else self.tr(
                "The recipe of this project defines no study. Add a task type with the purpose "
                "“study” to the recipe."
            )
        )
        self.empty.show()
        self._hide_study()

    def _hide_study(self) -> None:
        for widget in (self.of_one, self.results, self.people):
            widget.hide()

    @Slot()
    def _on_new_clicked(self) -> None:
        from annotator.services.questions.studies import studies

        project, kind = self._project, self.kinds.currentData()
        name = self.tr("Study {n}").format(n=self.studies.count() + 1)

        def work(_: JobToken) -> tuple[StudyWish, Ground]:
            people = [person.id for person in studies.participants(project)]
            wish = studies.wish_for(project, kind, name, people)
            return wish, studies.ground_of(project, kind)

        self._workspace.start_job(self.new.text().rstrip("…"), work, self._ask)

    def _ask(self, found: tuple[StudyWish, Ground]) -> None:
        wish, ground = found
        if not ground.choices.n_items:
            self._workspace.message.emit(
                self.tr("Cannot create the study: no resolved items are available yet.")
            )
            return
        dialog = StudyDialog(self._workspace, self._project, wish, ground, self)
        if dialog.ask():
            self._make(dialog.wish())

    def _make(self, wish: StudyWish) -> None:
        from annotator.services.questions.studies import studies

        project = self._project

        def done(study: Study) -> None:
            self.studies.addItem(study.name, study.id)
            self.studies.setCurrentIndex(self.studies.count() - 1)
            self.read_now()
            said = self.tr("“{name}” was created. Participants find their items in My work.")
            self._workspace.message.emit(said.format(name=study.name))

        title = self.tr("Create study")
        self._workspace.start_job(title, lambda _: studies.make_study(project, wish), done)

    @Slot()
    def _on_reassign_clicked(self) -> None:
        from annotator.services.questions.studies import studies

        study = self._shown.study if self._shown is not None else None
        if study is None:
            return
        people = self._project.work.people.all()
        dialog = ReassignStudyDialog(people, study.wish.people, self)
        if dialog.ask():
            project, study_id, chosen = self._project, study.id, dialog.people.chosen()

            def done(_: Study) -> None:
                self.read_now()
                self._workspace.message.emit(
                    self.tr("The study is assigned to {n} people.").format(n=len(chosen))
                )

            self._workspace.start_job(
                self.tr("Reassign study"),
                lambda _: studies.reassign_study(project, StudyId(study_id), chosen),
                done,
            )

    @Slot()
    def _on_write_clicked(self) -> None:
        from annotator.services.questions.studies.study_results import WrittenResults, write_results

        study = self._shown.study if self._shown is not None else None
        if study is None:
            return
        title = self.write.text().rstrip("…")
        project = self._project
        folder = ask_folder(self, title, beside=project.path.parent)
        if folder is None:
            return

        def done(written: WrittenResults) -> None:
            names = ", ".join(written.counts)
            self._workspace.message.emit(self.tr("Exported {names}").format(names=names))

        self._workspace.start_job(
            title, lambda token: write_results(project, study, folder, token), done
        )
