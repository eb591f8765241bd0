"""Another recipe for a project: what it changes, and the step from one person to a team."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from annotator.domain.recipes.recipe import Recipe
from annotator.services.background.jobs import JobToken
from annotator.services.project.people import NewPerson, add_people
from annotator.services.project.projects import OpenProject
from annotator.services.project.recipes import parse_recipe, shipped_recipe
from annotator.services.questions.benchmark_plugin import check_words
from annotator.ui.lead.people.people_dialogs import PeopleBox, tell_refused
from annotator.ui.lead.setup.new_project import RecipeCards
from annotator.ui.look.widgets import plain
from annotator.ui.state.workspace import Workspace

_SIZE = (1080, 560)


def effects_text(project: OpenProject, recipe: Recipe) -> str:
    """Return what another recipe would change in a project."""
    text = _tr("Submissions stay as they are. Open tasks follow the new recipe.")
    lost = project.work.tasks_without_type(recipe)
    if not lost:
        return text
    names = ", ".join(f"{title} ({n_tasks})" for title, n_tasks in lost.items())
    warning = _tr(
        "The new recipe lacks the task type of these open tasks: {names}. They stay on the board, "
        "where you can withdraw them, but cannot be claimed."
    )
    return f"{text}\n\n{warning.format(names=names)}"


def changed_text(recipe: Recipe) -> str:
    """Return the message after another recipe was set."""
    return _tr("The project now uses the recipe “{title}”.").format(title=recipe.title)


def use_recipe(project: OpenProject, text: str, token: JobToken) -> Recipe:
    """Give a project another recipe; runs in the background."""
    check_words(parse_recipe(text))
    return project.work.use_recipe(
        text, on_progress=token.report, is_canceled=lambda: token.is_canceled
    )


class TeamSetupDialog(QDialog):
    """Asks for the recipe of a team, and for its people."""

    def __init__(self, project: OpenProject, parent: QWidget) -> None:
        super().__init__(parent)
        self._project = project
        self.setWindowTitle(self.tr("Set up team work"))
        folder = project.path.parent
        self.recipes = RecipeCards(folder, with_plain=False)
        self.people = PeopleBox(folder)
        self._effects, self._problem = plain(QLabel()), plain(QLabel())
        columns = QHBoxLayout()
        columns.setSpacing(16)
        for title, box, share in (
            (self.tr("Workflow"), self.recipes, 2),
            (self.tr("People"), self.people, 3),
        ):
            column = QVBoxLayout()
            heading = plain(QLabel(title))
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            column.addWidget(heading)
            column.addWidget(box, 1)
            columns.addLayout(column, share)
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self._go = buttons.button(standard.Ok)
        self._go.setText(self.tr("Set up"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addLayout(columns, 1)
        for label in (self._effects, self._problem):
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addWidget(buttons)
        self.resize(*_SIZE)
        self.recipes.changed.connect(self._show_effects)
        self.people.changed.connect(self._check)
        self._show_effects()
        self._check()

    def recipe_text(self) -> str:
        """Return the chosen recipe as TOML."""
        return self.recipes.text or shipped_recipe(self.recipes.recipe.name)

    @Slot()
    def _show_effects(self) -> None:
        self._effects.setText(effects_text(self._project, self.recipes.recipe))

    @Slot()
    def _check(self) -> None:
        problem = self.people.problem()
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._go.setEnabled(not problem)


def set_up_team(workspace: Workspace, parent: QWidget, reopen: Callable[[Path], bool]) -> None:
    """Ask for recipe and people, and open the project anew with them, signed in as its lead."""
    project = workspace.project
    if project is None:
        return
    dialog = TeamSetupDialog(project, parent)
    is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    if not is_accepted:
        return
    text, people = dialog.recipe_text(), dialog.people.people()

    def work(token: JobToken) -> tuple[Recipe, list[tuple[NewPerson, str]]]:
        recipe = use_recipe(project, text, token)
        return recipe, add_people(project.work.people, people)

    def done(found: tuple[Recipe, list[tuple[NewPerson, str]]]) -> None:
        recipe, refused = found
        if workspace.project is not project:
            return
        path, me = project.path, project.work.me
        workspace.take_project(None)
        if reopen(path) and me is not None:
            workspace.sign_in(me.id)
        workspace.message.emit(changed_text(recipe))
        tell_refused(workspace, parent, refused)

    workspace.start_job(_tr("Set up team work"), work, done)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
