"""Offers the report of a crash: at the next start, or right after something failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

if TYPE_CHECKING:
    from annotator.log import CrashReport


from annotator.ui.look.widgets import plain


class CrashDialog(QDialog):
    """Shows the newest report; nothing is sent anywhere."""

    def __init__(self, reports: Sequence[CrashReport], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Error report"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._report = reports[0]
        at = self._report.at.astimezone().strftime("%d %b %Y, %H:%M")
        text = self.tr(
            "An unexpected error occurred on {at}. Your edits were saved. This report stays on "
            "your computer. You can send it to the maintainers."
        ).format(at=at)
        if len(reports) > 1:
            text += " " + self.tr("More reports in the folder: {n}.").format(n=len(reports) - 1)
        lead = plain(QLabel(text))
        lead.setWordWrap(True)
        self.body = QPlainTextEdit(_read(self._report))
        self.body.setReadOnly(True)
        self.body.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.body.setAccessibleName(self.tr("Report"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        show = buttons.addButton(self.tr("Show folder"), QDialogButtonBox.ButtonRole.ActionRole)
        show.clicked.connect(self._show_folder)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(lead)
        layout.addWidget(self.body, 1)
        layout.addWidget(buttons)
        self.resize(720, 460)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.body.toPlainText())

    @Slot()
    def _show_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._report.path.parent)))


def _read(report: CrashReport) -> str:
    try:
        return report.path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        return f"{report.title}\n({error.strerror})"
