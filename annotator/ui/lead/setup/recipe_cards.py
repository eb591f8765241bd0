"""The ways a project can be organised, to choose one from: a card for each recipe."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.domain.recipes.recipe import Recipe
from annotator.services.project.recipes import PLAIN, parse_recipe, shipped_recipes
from annotator.ui.look.plain import plain


class RecipeCards(QWidget):
    """One recipe is chosen at a time, the plain one at first; ``changed`` after another choice."""

    changed = Signal()

    def __init__(self, folder: Path) -> None:
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
        """Offer a recipe from a file and choose it; what is wrong with one is said."""
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
        told = plain(QLabel(recipe_text(recipe)))
        told.setWordWrap(True)
        told.setIndent(24)
        told.setBuddy(button)
        button.setAccessibleDescription(told.text())
        self._cards.addWidget(button)
        self._cards.addWidget(told)
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
        name, _ = QFileDialog.getOpenFileName(
            self, self.tr("Select recipe"), str(self._folder), self.tr("Recipes (*.toml)")
        )
        if name:
            self.take_file(Path(name))


def recipe_text(recipe: Recipe) -> str:
    """Say how work goes by a recipe: a line for the kinds of task that go the same way."""
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
