"""Releases: what goes into one, and where it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.release import Release, ReleaseWish, write_release
from annotator.services.dataset.splitting import KEY
from annotator.services.dataset.verification import Verified, verify_release
from annotator.services.project.metadata import metadata_of
from annotator.services.project.projects import OpenProject
from annotator.services.transfer import FORMATS
from annotator.services.transfer.formats import PERCEPTION_TEST
from annotator.ui.dialogs.files import ask_new_folder
from annotator.ui.dialogs.project.report import ReportDialog
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Latest

_WIDEST_PX: Final = 640


class ReleaseView(QWidget):
    """Writes a release into a new folder, and verifies one."""

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__()
        self._desk, self._project = desk, project
        self._latest = Latest(desk, self.tr("Release"), self)
        self.name = QLineEdit(project.title)
        self.name.setAccessibleName(self.tr("Title"))
        self.withheld: dict[str, QCheckBox] = {}
        self.formats = {
            name: QCheckBox(form.title) for name, form in FORMATS.items() if name != PERCEPTION_TEST
        }
        self.media = QCheckBox(self.tr("Copy the videos into the release"))
        self.go = QPushButton(self.tr("Write release…"))
        self.go.clicked.connect(self._on_go_clicked)
        self.verify = QPushButton(self.tr("Verify a release…"))
        self.verify.clicked.connect(self._on_verify_clicked)
        self.told = QLabel(
            self.tr(
                "A release contains the annotations by split, label sets, recipe and guidelines, "
                "statistics, a data card, a list of the videos, and a certificate with which "
                "anybody can verify files and decoded frames."
            )
        )
        self.told.setWordWrap(True)
        self._lay_out()

    def _lay_out(self) -> None:
        self._withheld_box = QGroupBox(self.tr("Withhold the answers of"))
        QVBoxLayout(self._withheld_box)
        formats = QGroupBox(self.tr("Also write"))
        grid = QGridLayout(formats)
        for i, box in enumerate(self.formats.values()):
            grid.addWidget(box, i // 2, i % 2)
        form = QFormLayout()
        form.addRow(self.tr("Title:"), self.name)
        inner = QWidget()
        inner.setFixedWidth(_WIDEST_PX)
        rows = QVBoxLayout(inner)
        rows.addWidget(self.told)
        rows.addLayout(form)
        rows.addWidget(self._withheld_box)
        rows.addWidget(formats)
        rows.addWidget(self.media)
        rows.addWidget(self.go)
        rows.addWidget(self.verify)
        rows.addStretch(1)
        layout = QVBoxLayout(self)
        layout.addWidget(inner, 1, Qt.AlignmentFlag.AlignLeft)

    def read(self) -> None:
        """Offer the splits that the videos have."""
        project = self._project
        self._latest.ask(
            lambda _: {metadata_of(i).get(KEY, ""): None for i, _ in project.footage.known()},
            self._show_splits,
        )

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()

    def _show_splits(self, told: dict[str, None]) -> None:
        for name in filter(None, told):
            if name not in self.withheld:
                self.withheld[name] = QCheckBox(name.replace("&", "&&"))
                layout = self._withheld_box.layout()
                assert layout is not None
                layout.addWidget(self.withheld[name])
        self._withheld_box.setVisible(bool(self.withheld))

    def wish(self) -> ReleaseWish:
        """Return what was entered."""
        return ReleaseWish(
            self.name.text().strip() or self._project.title,
            (),
            tuple(name for name, box in self.withheld.items() if box.isChecked()),
            tuple(name for name, box in self.formats.items() if box.isChecked()),
            self.media.isChecked(),
        )

    @Slot()
    def _on_go_clicked(self) -> None:
        proposal = self._project.path.with_name(f"{self._project.path.stem}-release")
        folder = ask_new_folder(self, self.tr("Name the folder of the release"), proposal)
        if folder is not None:
            self.write(folder)

    def write(self, folder: Path) -> None:
        """Write a release into a new folder, in the background."""
        wish, project = self.wish(), self._project

        def work(token: JobToken) -> Release:
            return write_release(project, folder, wish, token)

        self._desk.start_job(self.tr("Write release"), work, self._on_written)

    def _on_written(self, done: Release) -> None:
        text = self.tr("Released {videos} in {folder}.").format(
            videos=counted(done.n_videos, self.tr("1 video"), self.tr("{n} videos")),
            folder=done.folder,
        )
        findings = list(dict.fromkeys(done.findings))
        title = self.tr("Release")
        ReportDialog(self._desk.hub, title, text, findings, parent=self).open()

    @Slot()
    def _on_verify_clicked(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Select the folder of a release"))
        if not folder:
            return

        def work(token: JobToken) -> Verified:
            return verify_release(Path(folder), None, token)

        def done(found: Verified) -> None:
            if not found.problems:
                self._desk.said.emit(self.tr("The release matches its certificate."))
                return
            listed = "\n".join(f"{p.where}: {p.text}" for p in found.problems[:8])
            text = self.tr("The release differs from its certificate:")
            self._desk.failed.emit(UserError(f"{text}\n{listed}"))

        self._desk.start_job(self.tr("Verify release"), work, done)
