"""The panel Guidelines: the instructions for the open task, at its stage, script and round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from annotator.ui.look.plain import plain
from annotator.ui.state.desk import Desk
from annotator.ui.work.guidance.guideline_view import GuidelineView

if TYPE_CHECKING:
    from pathlib import Path

    from annotator.services.project.projects import OpenProject


class GuidelinesPanel(QWidget):
    """Title and text; pictures lie in the recipe's folder for them, else in the project's."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._shown: tuple[str, str] = ("", "")
        self.title = plain(QLabel())
        self.title.setWordWrap(True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.view = GuidelineView()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.title)
        layout.addWidget(self.view, 1)
        desk.stageChanged.connect(self.refresh)
        desk.bridge.workChanged.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what is to be followed now; it stays where it was scrolled to if it is the same."""
        project, task_id = self._desk.project, self._desk.task_id
        title, text = self.tr("No task is open."), ""
        if project is not None and task_id is not None and self._desk.has_people:
            found = project.work.guideline_of(task_id)
            title = found.title if found is not None else self.tr("This task has no guidelines.")
            text = found.text if found is not None else ""
            if found is not None and found.round is not None:
                title = self.tr("{title} (round {n})").format(title=title, n=found.round)
        if (title, text) != self._shown:
            self._shown = (title, text)
            self.title.setText(title)
            self.view.show_text(text, _folder(project) if project is not None else None)


def _folder(project: OpenProject) -> Path:
    return project.work.pictures_folder() or project.path.parent
