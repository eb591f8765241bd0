"""Making a project: a name, a folder, videos, a recipe chosen from cards, and people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.domain.recipes.recipe import Recipe
from annotator.services.project.people import NewPerson, add_people
from annotator.services.project.projects import OpenProject, with_suffix
from annotator.services.project.recipes import PLAIN, parse_recipe, shipped_recipes
from annotator.services.questions.benchmark_plugin import check_words
from annotator.ui.dialogs.file_dialogs import ask_file, ask_folder
from annotator.ui.lead.people.people_dialogs import PeopleBox, tell_refused
from annotator.ui.lead.setup.metadata_box import FactsBox
from annotator.ui.lead.setup.video_sources import SourcesBox
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace


class RecipeCards(QWidget):
    """One recipe is chosen at a time, the first at first; ``changed`` after another choice.

    The first is the plain one, ``with_plain``.
    """

    changed = Signal()

    def __init__(self, folder: Path, *, with_plain: bool = True) -> None:
        super().__init__()
        self._folder = folder
        self._texts: dict[int, str] = {}
        self._recipes: list[Recipe] = []
        self.group = QButtonGroup(self)
        self.group.idToggled.connect(self._on_toggled)
        self._cards = QVBoxLayout()
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.addLayout(self._cards)
        other = QPushButton(self.tr("Use custom recipe…"))
        other.setAutoDefault(False)
        other.setToolTip(
            self.tr("Load a TOML file that defines stages, roles, checklists, and guidelines.")
        )
        other.clicked.connect(self._on_other_clicked)
        self.word = plain(QLabel())
        self.word.setWordWrap(True)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        for recipe in shipped_recipes():
            if with_plain or recipe.name != PLAIN:
                self._add(recipe)
        rows.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area, 1)
        layout.addWidget(other)
        layout.addWidget(self.word)

    @property
    def recipe(self) -> Recipe:
        """The chosen recipe."""
        return self._recipes[self.group.checkedId()]

    @property
    def text(self) -> str | None:
        """The chosen recipe as TOML when it is one's own; None for one that comes along."""
        return self._texts.get(self.group.checkedId())

    def choose(self, name: str) -> None:
        """Choose the recipe of a name."""
        for number, recipe in enumerate(self._recipes):
            if recipe.name == name:
                self.group.button(number).setChecked(True)

    def take_file(self, path: Path) -> None:
        """Add and select a recipe from a file; shows its faults."""
        try:
            text = path.read_text(encoding="utf-8")
            recipe = parse_recipe(text)
        except (OSError, UnicodeDecodeError) as error:
            self.word.setText(self.tr("Cannot read the recipe file: {why}").format(why=error))
            return
        except UserError as error:
            self.word.setText(str(error))
            return
        self.word.setText("")
        number = self._add(recipe)
        self._texts[number] = text
        self.group.button(number).setChecked(True)

    def _add(self, recipe: Recipe) -> int:
        number = len(self._recipes)
        self._recipes.append(recipe)
        button = QRadioButton(recipe.title)
        font = button.font()
        font.setBold(True)
        button.setFont(font)
        hint = plain(QLabel(recipe_text(recipe)))
        hint.setWordWrap(True)
        hint.setIndent(24)
        hint.setBuddy(button)
        button.setAccessibleDescription(hint.text())
        self._cards.addWidget(button)
        self._cards.addWidget(hint)
        self._cards.addSpacing(4)
        self.group.addButton(button, number)
        if not number:
            button.setChecked(True)
        return number

    @Slot(int, bool)
    def _on_toggled(self, _number: int, is_on: bool) -> None:
        if is_on:
            self.changed.emit()

    @Slot()
    def _on_other_clicked(self) -> None:
        title, filters = self.tr("Select recipe"), self.tr("Recipes (*.toml)")
        path = ask_file(self, title, filters, self._folder)
        if path is not None:
            self.take_file(path)


def recipe_text(recipe: Recipe) -> str:
    """Return a description of a recipe: one line per workflow."""
    if recipe.name == PLAIN:
        return _tr(
            "Each video has one task that anyone can open. There are no roles and no sign-in."
        )
    ways: dict[tuple[str, ...], list[str]] = {}
    for task_type in recipe.task_types:
        ways.setdefault(tuple(s.title for s in task_type.stages), []).append(task_type.title)
    lines = [f"{', '.join(kinds)}: {' → '.join(way)}." for way, kinds in ways.items()]
    if any(len(way) > 1 for way in ways):
        lines.append(_tr("A different person works on each stage."))
    return "\n".join(lines)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


_STEPS_PX: Final = 150
_FORBIDDEN = set('/\\:*?"<>|')


@dataclass(frozen=True, slots=True)
class NewProject:
    """Settings of the new project; ``recipe_text`` is an own recipe, ``table`` metadata."""

    path: Path
    title: str
    videos: tuple[Path, ...]
    grid_step: int | None = None  # frames; None: one second, by each video's rate
    recipe: str | None = None
    recipe_text: str | None = None
    table: Path | None = None
    people: tuple[NewPerson, ...] = ()

    @property
    def is_simple(self) -> bool:
        """Whether it is nothing but a few files that one person works on."""
        files_only = all(p.suffix.lower() != ".txt" and not p.is_dir() for p in self.videos)
        return self.recipe is None and self.table is None and files_only


class NewProjectDialog(QDialog):
    """Asks for name, folder and videos; errors appear while typing.

    The steps at the left lead to recipe, facts about the videos and people; the project can be
    created at each of them.
    """

    def __init__(self, workspace: Workspace, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("New project"))
        self.name = QLineEdit()
        self._proposed_name = ""
        self.folder = QLineEdit(str(folder))
        self.videos = SourcesBox(folder)
        self.grid_step = QSpinBox()
        self.grid_step.setRange(0, 10_000)
        self.grid_step.setSpecialValueText(self.tr("one second"))
        self.grid_step.setSuffix(self.tr(" frames"))
        self.grid_step.setToolTip(
            self.tr(
                "Raters check every object on each grid frame. The step cannot be changed later."
            )
        )
        self.recipes = RecipeCards(folder)
        self.facts = FactsBox(workspace, self.videos.paths, folder)
        self.people = PeopleBox(folder)
        self.pages = QStackedWidget()
        self.steps = QListWidget()
        self.steps.setFrameShape(QFrame.Shape.NoFrame)
        self.steps.setAccessibleName(self.tr("Steps"))
        self.steps.setFixedWidth(_STEPS_PX)
        for title, page in (
            (self.tr("Videos"), self._first_page()),
            (self.tr("Workflow"), self.recipes),
            (self.tr("Video metadata"), self.facts),
            (self.tr("People"), self.people),
        ):
            self.steps.addItem(f"{self.pages.count() + 1}  {title}")
            self.pages.addWidget(page)
        self.steps.currentRowChanged.connect(self._go)
        self._word = plain(QLabel())
        self._word.setWordWrap(True)
        self._build_buttons()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(self.steps)
        middle.addWidget(self.pages, 1)
        layout.addLayout(middle, 1)
        layout.addWidget(self._word)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addWidget(self.next)
        row.addWidget(self._buttons, 1)
        layout.addLayout(row)
        self.resize(800, 480)
        for signal in (self.name.textChanged, self.folder.textChanged):
            signal.connect(self._check)
        for box in (self.videos, self.recipes, self.facts, self.people):
            box.changed.connect(self._check)
        self.videos.changed.connect(self.facts.look)
        self.videos.changed.connect(self._propose_name)
        self.finished.connect(self.facts.forget)
        self._go(0)
        self.name.setFocus()

    def add_videos(self, paths: list[Path]) -> None:
        """List videos, folders or lists to begin with, each once."""
        self.videos.add(paths)

    def result_value(self) -> NewProject:
        """Return the entered project; valid while ``problem`` is empty."""
        title = self.name.text().strip()
        recipe = self.recipes.recipe
        is_plain = recipe.name == PLAIN
        return NewProject(
            with_suffix(Path(self.folder.text().strip()) / title),
            title,
            tuple(self.videos.paths()),
            self.grid_step.value() or None,
            None if is_plain else recipe.name,
            self.recipes.text,
            self.facts.path,
            () if is_plain else tuple(self.people.people()),
        )

    def problem(self) -> str:
        """Return the fault in the entries; empty if there is none."""
        title = self.name.text().strip()
        if not title:
            return self.tr("Enter a project name.")
        if _FORBIDDEN & set(title):
            return self.tr('The name must not contain / \\ : * ? " < > |')
        if not Path(self.folder.text().strip()).is_dir():
            return self.tr("This folder does not exist.")
        if self.result_value().path.exists():
            return self.tr("The folder already contains a project with this name.")
        return self.people.problem()

    def go_next(self) -> None:
        """Show the next page."""
        self._go(self.pages.currentIndex() + 1)

    def go_back(self) -> None:
        """Show the page before."""
        self._go(self.pages.currentIndex() - 1)

    # Building

    def _first_page(self) -> QWidget:
        browse = QPushButton(self.tr("Browse…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._on_browse_clicked)
        place = QHBoxLayout()
        place.addWidget(self.folder, 1)
        place.addWidget(browse)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("&Name"), self.name)
        folder_label = QLabel(self.tr("&Folder"))
        folder_label.setBuddy(self.folder)
        form.addRow(folder_label, place)
        form.addRow(self.tr("Videos"), self.videos)
        form.addRow(self.tr("&Grid step"), self.grid_step)
        page = QWidget()
        page.setLayout(form)
        return page

    def _build_buttons(self) -> None:
        standard = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._create = self._buttons.button(standard.Ok)
        self._create.setText(self.tr("Create"))
        self.back = QPushButton(self.tr("‹ Back"))
        self.next = QPushButton(self.tr("Next ›"))
        self.back.clicked.connect(self.go_back)
        self.next.clicked.connect(self.go_next)
        for button in (self.back, self.next):
            button.setAutoDefault(False)
        self._create.setDefault(True)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)

    @Slot(int)
    def _go(self, page: int) -> None:
        self.pages.setCurrentIndex(page)
        self.steps.setCurrentRow(page)
        self._check()

    # What the person does

    @Slot()
    def _check(self) -> None:
        problem = self.problem()
        page = self.pages.currentIndex()
        is_plain = self.recipes.recipe.name == PLAIN
        last = self.pages.count() - (2 if is_plain else 1)
        self.back.setEnabled(page > 0)
        self.next.setEnabled(page < last)
        # Without roles there are no people to add.
        self.steps.item(self.pages.count() - 1).setHidden(is_plain)
        self._word.setText(problem or self._summary())
        self._create.setEnabled(not problem)

    def _summary(self) -> str:
        """Return a sentence about the project to create."""
        wanted = self.result_value()
        text = self.tr("Creates {path}").format(path=wanted.path)
        if wanted.recipe is not None:
            others = self.tr("you and {n} others")
            people = counted(len(wanted.people), self.tr("you and 1 other"), others)
            if not wanted.people:
                people = self.tr("only you")
            text = f"{text} – {self.recipes.recipe.title}, {people}"
        return text

    @Slot()
    def _propose_name(self) -> None:
        """Call the project like its video or their folder, until the person names it."""
        paths = self.videos.paths()
        if paths and self.name.text() == self._proposed_name:
            named = paths[0] if len(paths) == 1 else paths[0].parent
            name = named.name if named.is_dir() else named.stem
            self._proposed_name = "".join(sign for sign in name if sign not in _FORBIDDEN)
            self.name.setText(self._proposed_name)

    @Slot()
    def _on_browse_clicked(self) -> None:
        folder = ask_folder(self, self.tr("Select folder"), instead_of=Path(self.folder.text()))
        if folder is not None:
            self.folder.setText(str(folder))
            self.videos.folder = folder


def add_people_of_recipe(
    workspace: Workspace, parent: QWidget, project: OpenProject, new_project: NewProject
) -> None:
    """Give a new project its own recipe, if it has one, and add its people.

    Hashing PINs takes long, so they are added in the background. People who could not be added
    are reported.
    """

    def work() -> list[tuple[NewPerson, str]]:
        if new_project.recipe_text is not None:
            check_words(parse_recipe(new_project.recipe_text))
            project.work.use_recipe(new_project.recipe_text)
        return add_people(project.work.people, new_project.people)

    tell_refused(workspace, parent, workspace.background(work))
