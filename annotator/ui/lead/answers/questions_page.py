"""Page Questions: steps that create items from resolved ones, and the data set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.ui.dialogs.file_dialogs import ask_file, ask_folder, ask_output
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.questions.asking.model_answers import ImportedAnswers
    from annotator.services.questions.benchmark_plugin import DataSetResult
    from annotator.services.questions.question_generation import StepResult
    from annotator.services.questions.recipe_steps import SoFar

_GAP_PX: Final = 12
_WIDEST_PX: Final = 860
_BAR_PX: Final = 120
_TEXT_TOP_PX: Final = 7
"""Puts text beside a button at the height of its title."""
_TOP: Final = Qt.AlignmentFlag.AlignTop


class Offer(NamedTuple):
    """A step that a lead can start: its name and button, and what it does."""

    name: str
    title: str
    about: str
    start: Callable[[], object]


@dataclass(frozen=True, slots=True)
class QuestionSteps:
    """The steps of a recipe by name, title and explanation, the title of its import ("" for none),
    what each step has created, and whether a stage shows predicted answers.
    """

    acts: list[tuple[str, str, str]]
    import_title: str
    so_far: dict[str, SoFar]
    shows_predictions: bool = False


class QuestionsPage(Page):
    """A button for each step of the recipe in order, with the last result."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Questions"))
        self.buttons: dict[str, QPushButton] = {}
        self.results: dict[str, QLabel] = {}
        self.so_far: dict[str, QLabel] = {}
        self._bars: dict[str, QProgressBar] = {}
        self._told: dict[str, str] = {}
        self._inner = QWidget()
        self._inner.setMaximumWidth(_WIDEST_PX)
        self._grid = QGridLayout(self._inner)
        self._grid.setSpacing(_GAP_PX)
        self._grid.setColumnStretch(2, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setAlignment(Qt.AlignmentFlag.AlignTop)
        area.setWidget(self._inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)

    def _read(self) -> None:
        """Ask what the recipe has a use for; it may have been changed since."""
        project = self._project
        self._latest.ask(lambda _: _read_steps(project), self._show)

    def _show(self, found: QuestionSteps) -> None:
        offered = [
            Offer(name, title, about, partial(self._start, name))
            for name, title, about in found.acts
        ]
        if found.import_title:
            about = self.tr("Adds questions from a file, such as tests or questions of a model.")
            offered.insert(0, Offer("sets", found.import_title, about, self._bring_in))
        if found.shows_predictions:
            text = self.tr("Import predicted answers…")
            about = self.tr("Adds the answers of a model, which raters judge.")
            offered.append(Offer("predictions", text, about, self._import_predictions))
        if offered:
            text, about = self.tr("Build data set…"), self.tr("Writes the resolved questions.")
            offered.append(Offer("dataset", text, about, self._write))
        if not self._grid.count() or list(self.buttons) != [offer.name for offer in offered]:
            self._build(offered)
        self._show_so_far(found.so_far)

    def _build(self, offered: Sequence[Offer]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.buttons.clear()
        self.results.clear()
        self.so_far.clear()
        self._bars.clear()
        text = self.tr(
            "The steps are listed in work order. Each step creates only missing items. Repeat a "
            "step after more items are resolved."
        )
        nothing = self.tr("The recipe of this project defines no questions.")
        about = plain(QLabel(text if offered else nothing))
        about.setWordWrap(True)
        self._grid.addWidget(about, 0, 0, 1, 3)
        for row, (name, title, about_text, handler) in enumerate(offered, 1):
            button = QPushButton(title)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _=False, handler=handler: handler())
            number = plain(QLabel(f"{row}."))
            number.setContentsMargins(0, _TEXT_TOP_PX, 0, 0)
            about, result = plain(QLabel(about_text)), plain(QLabel(self._told.get(name, "")))
            for dim in (number, about):
                dim.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            for wide in (about, result):
                wide.setWordWrap(True)
            bar = QProgressBar()
            bar.setTextVisible(False)
            bar.setFixedWidth(_BAR_PX)
            bar.setAccessibleName(title)
            bar.hide()
            so_far = plain(QLabel())
            so_far.hide()
            state = QHBoxLayout()
            state.setSpacing(_GAP_PX)
            state.addWidget(bar)
            state.addWidget(so_far)
            state.addWidget(result, 1)
            beside = QWidget()
            texts = QVBoxLayout(beside)
            texts.setContentsMargins(0, _TEXT_TOP_PX, 0, 0)
            texts.addWidget(about)
            texts.addLayout(state)
            self._grid.addWidget(number, row, 0, _TOP)
            self._grid.addWidget(button, row, 1, _TOP)
            self._grid.addWidget(beside, row, 2)
            self.buttons[name], self.results[name], self.so_far[name] = button, result, so_far
            self._bars[name] = bar
        self._grid.setRowStretch(len(offered) + 1, 1)

    def _show_so_far(self, found: dict[str, SoFar]) -> None:
        for name, label in self.so_far.items():
            made = found.get(name)
            words = ""
            self._bars[name].setVisible(made is not None)
            if made is not None:
                self._bars[name].setRange(0, max(1, made.n_items))
                self._bars[name].setValue(made.n_decided + made.n_discarded)
                words = self.tr("{n} so far, {k} resolved").format(n=made.n_items, k=made.n_decided)
                if made.n_discarded:
                    words += self.tr(", {n} discarded").format(n=made.n_discarded)
            label.setText(words)
            label.setVisible(bool(words))

    def _start(self, name: str) -> None:
        from annotator.services.questions.recipe_steps import run_step

        project = self._project
        self._make(name, lambda _: run_step(project, name))

    def _bring_in(self) -> None:
        from annotator.services.questions.recipe_steps import bring_in

        title = self.buttons["sets"].text().rstrip("…")
        files = self.tr("Questions (*.json *.parquet)")
        project = self._project
        path = ask_file(self, title, files, project.path.parent)
        if path is not None:
            self._make("sets", lambda _: bring_in(project, path))

    def _import_predictions(self) -> None:
        from annotator.services.questions.asking.model_answers import import_answers

        files = self.tr("Answers (*.json *.jsonl *.csv)")
        title = self.buttons["predictions"].text().rstrip("…")
        project = self._project
        path = ask_file(self, title, files, project.path.parent)
        if path is None:
            return

        def done(imported: ImportedAnswers) -> None:
            text = self.tr("{n} imported, {k} imported before").format(
                n=imported.n_answers, k=imported.n_known
            )
            self._tell("predictions", text, imported.findings)

        self._workspace.start_job(title, lambda _: import_answers(project, path), done)

    def _make(self, name: str, work: Callable[[JobToken], StepResult]) -> None:
        def done(made: StepResult) -> None:
            text = self.tr("{n} new").format(n=len(made.item_ids))
            if not made.item_ids and not made.findings:
                text = self.tr("Nothing new: everything exists, or earlier steps are not resolved.")
            self._tell(name, text, made.findings)

        self._workspace.start_job(self.buttons[name].text(), work, done)

    def _write(self) -> None:
        from annotator.services.questions.benchmark_plugin import benchmark_of
        from annotator.services.questions.recipe_steps import write_data_set

        title = self.tr("Build data set")
        suffix = benchmark_of(self._project).suffix
        if not suffix:
            chosen = ask_folder(self, title, beside=self._project.path.parent)
        else:
            files = self.tr("Data sets (*.json *.parquet)")
            proposal = self._project.path.with_suffix(suffix)
            chosen = ask_output(self, title, proposal, files, self._project.path)
        if chosen is None:
            return
        project, path = self._project, chosen

        def done(result: DataSetResult) -> None:
            counts = ", ".join(f"{name} {n}" for name, n in result.counts.items())
            self._tell("dataset", f"{result.path.name}: {counts}", result.findings)

        self._workspace.start_job(title, lambda token: write_data_set(project, path, token), done)

    def _tell(self, name: str, text: str, findings: Sequence[Finding]) -> None:
        self._told[name] = text
        if name in self.results:
            self.results[name].setText(text)
        if findings:
            title = self.buttons[name].text().rstrip("…")
            dialog = ReportDialog(self._workspace.hub, title, text, list(findings), parent=self)
            dialog.open()


def _read_steps(project: OpenProject) -> QuestionSteps:
    """Look what there is to offer; what that needs is loaded here, on the thread of a job."""
    from annotator.services.questions.benchmark_plugin import benchmark_of
    from annotator.services.questions.recipe_steps import can_import, created_items, steps_of

    steps = [(s.name, _tr(s.title), _tr(s.about) if s.about else "") for s in steps_of(project)]
    title = _tr(benchmark_of(project).import_title) if can_import(project) else ""
    shows = any(s.shows_predictions for t in project.work.recipe.task_types for s in t.stages)
    return QuestionSteps(steps, title, created_items(project), shows)


def _tr(text: str) -> str:
    return QCoreApplication.translate("benchmarks", text)
