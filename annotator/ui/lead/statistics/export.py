"""Writing a table of the lead's pages into a CSV file that the person chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from annotator.services.background.jobs import JobToken
from annotator.services.tables import Cell, write_table
from annotator.ui.dialogs.files import ask_table
from annotator.ui.state.desk import Desk


def export_table(
    desk: Desk,
    parent: QWidget,
    name: str,
    header: Sequence[str],
    rows: Callable[[], Sequence[Sequence[Cell]]],
) -> None:
    """Ask where to, and write there in the background; ``rows`` is called on the job's thread."""
    path = ask_table(parent, (desk.project.path.parent if desk.project else Path.home()) / name)
    if path is None:
        return

    def work(_: JobToken) -> Path:
        write_table(path, header, rows())
        return path

    def done(written: Path) -> None:
        desk.said.emit(_tr("Exported {name}").format(name=written.name))

    desk.start_job(_tr("Export table"), work, done)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
