"""Recipe and people of a new project with stages."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from annotator.domain.checks import Finding
from annotator.services.project.people import NewPerson, add_people
from annotator.services.project.projects import OpenProject
from annotator.services.project.recipes import parse_recipe
from annotator.services.questions.benchmark import check_words
from annotator.ui.dialogs.project.report import ReportDialog
from annotator.ui.lead.setup.new_project import NewProject
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk


def begin_with_people(
    desk: Desk, parent: QWidget, project: OpenProject, wanted: NewProject
) -> None:
    """Give a new project its own recipe, if it has one, and add its people.

    PINs take long on purpose, so that it is done aside. Who could not be added is told.
    """

    def work() -> list[tuple[NewPerson, str]]:
        if wanted.recipe_text is not None:
            check_words(parse_recipe(wanted.recipe_text))
            project.work.use_recipe(wanted.recipe_text)
        return add_people(project.work.people, wanted.people)

    refused = desk.aside(work)
    if refused:
        many = _tr("{n} people could not be added:")
        text = counted(len(refused), _tr("1 person could not be added:"), many)
        findings = [Finding("not-added", person.name, why) for person, why in refused]
        ReportDialog(desk.hub, _tr("New project"), text, findings, parent=parent).open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
