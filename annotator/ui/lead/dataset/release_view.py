"""Releases: contents, target folder, verification and comparison."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.evaluation.reference import videos_by_name
from annotator.services.dataset.releases.release import ReleaseResult, ReleaseWish, write_release
from annotator.services.dataset.releases.verification import (
    ReleaseDifferences,
    Verified,
    compare_releases,
    verify_release,
)
from annotator.services.dataset.split_optimization import KEY, in_usual_order
from annotator.services.project.metadata import metadata_of
from annotator.services.project.projects import OpenProject
from annotator.services.transfer import FORMATS
from annotator.services.transfer.formats import PERCEPTION_TEST
from annotator.ui.dialogs.file_dialogs import ask_file, ask_folder, ask_new_folder
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from annotator.ui.lead.dataset.chart_titles import metric_title
from annotator.ui.lead.dataset.statistics_view import Behind
from annotator.ui.look.texts import counted
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

_WIDEST_PX: Final = 640
_MOST_VIDEOS: Final = 50
_SPLITS_PER_ROW: Final = 4


class ReleaseView(QWidget):
    """Writes a release into a new folder, verifies one, and compares two.

    ``placeWanted`` asks for a `Behind`.
    """

    placeWanted = Signal(object)  # Behind

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace, self._project = workspace, project
        self._latest = Latest(workspace, self.tr("Release"), self)
        self.name = QLineEdit(project.title)
        self.name.setAccessibleName(self.tr("Title"))
        self.withheld: dict[str, QCheckBox] = {}
        self.formats = {
            name: QCheckBox(form.title)
            for name, form in FORMATS.items()
            if form.writes and name != PERCEPTION_TEST
        }
        self.media = QCheckBox(self.tr("Copy the videos into the release"))
        self.go = QPushButton(self.tr("Write release…"))
        self.go.setProperty("kind", "primary")
        self.go.clicked.connect(self._on_go_clicked)
        self.verify = QPushButton(self.tr("Verify a release…"))
        self.verify.clicked.connect(self._on_verify_clicked)
        self.compare = QPushButton(self.tr("Compare two releases…"))
        self.compare.clicked.connect(self._on_compare_clicked)
        self.key = QLineEdit()
        self.key.setPlaceholderText(self.tr("optional: Ed25519 private key (PEM)"))
        self.key.setAccessibleName(self.tr("Key"))
        self.choose_key = QPushButton(self.tr("Select…"))
        self.choose_key.clicked.connect(self._on_key_clicked)
        self.status_label = QLabel(
            self.tr(
                "A release contains the annotations by split, label sets, recipe and guidelines, "
                "statistics, a data card, a list of the videos, and a certificate with which "
                "anybody can verify files and decoded frames."
            )
        )
        self.status_label.setWordWrap(True)
        self._lay_out()

    def _lay_out(self) -> None:
        self._withheld_box = QGroupBox(self.tr("Withhold the answers of"))
        QGridLayout(self._withheld_box)
        formats = QGroupBox(self.tr("Also write"))
        grid = QGridLayout(formats)
        for i, box in enumerate(self.formats.values()):
            grid.addWidget(box, i // 2, i % 2)
        form = QFormLayout()
        form.addRow(self.tr("Title"), self.name)
        key = QHBoxLayout()
        key.addWidget(self.key, 1)
        key.addWidget(self.choose_key)
        form.addRow(self.tr("Sign with"), key)
        inner = QWidget()
        inner.setMaximumWidth(_WIDEST_PX)
        rows = QVBoxLayout(inner)
        rows.addWidget(self.status_label)
        rows.addLayout(form)
        rows.addWidget(self._withheld_box)
        rows.addWidget(formats)
        rows.addWidget(self.media)
        rows.addStretch(1)
        # Below the settings, not among them: always in view.
        acting = QHBoxLayout()
        acting.setContentsMargins(8, 0, 8, 8)
        for button in (self.go, self.verify, self.compare):
            acting.addWidget(button)
        acting.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area, 1)
        layout.addLayout(acting)

    def read(self) -> None:
        """Offer the splits that the videos have."""
        project = self._project
        self._latest.ask(
            lambda _: in_usual_order(metadata_of(i).get(KEY, "") for i, _ in project.media.all()),
            self._show_splits,
        )

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()

    def _show_splits(self, splits: list[str]) -> None:
        grid = self._withheld_box.layout()
        assert isinstance(grid, QGridLayout)
        before, self.withheld = self.withheld, {}
        for place, name in enumerate(filter(None, splits)):
            box = before.pop(name, None) or QCheckBox(name.replace("&", "&&"))
            self.withheld[name] = box
            grid.addWidget(box, *divmod(place, _SPLITS_PER_ROW))
        for box in before.values():
            # No video is in that split anymore.
            box.deleteLater()
        self._withheld_box.setVisible(bool(self.withheld))

    def wish(self) -> ReleaseWish:
        """Return the entered settings."""
        return ReleaseWish(
            self.name.text().strip() or self._project.title,
            (),
            tuple(name for name, box in self.withheld.items() if box.isChecked()),
            tuple(name for name, box in self.formats.items() if box.isChecked()),
            self.media.isChecked(),
            Path(self.key.text().strip()) if self.key.text().strip() else None,
        )

    @Slot()
    def _on_key_clicked(self) -> None:
        title, filters = self.tr("Select a private key"), self.tr("Keys (*)")
        path = ask_file(self, title, filters, self._project.path.parent)
        if path is not None:
            self.key.setText(str(path))

    @Slot()
    def _on_compare_clicked(self) -> None:
        titles = self.tr("Select the earlier release"), self.tr("Select the later release")
        folders = []
        for title in titles:
            folder = ask_folder(self, title, beside=self._project.path.parent)
            if folder is None:
                return
            folders.append(folder)
        self.compare_releases(*folders)

    def compare_releases(self, first: Path, second: Path) -> None:
        """Show the differences between two releases, with examples that can be opened."""

        def done(differences: ReleaseDifferences) -> None:
            text = self.tr("No differences.")
            if not differences.are_none:
                text = self.tr(
                    "Differences of “{second}” from “{first}”. "
                    "Double-click an example to open its video."
                ).format(first=first.name, second=second.name)
            listed = list(_examples(differences))
            title = self.tr("Compare releases")
            ReportDialog(
                self._workspace.hub, title, text, listed, jump=self._open, parent=self
            ).open()

        self._workspace.start_job(
            self.tr("Compare releases"), partial(compare_releases, first, second), done
        )

    def _open(self, finding: Finding) -> None:
        """Open the video of an example, if the project has it."""
        info = videos_by_name(self._project).get(finding.where)
        if info is None:
            text = self.tr("The project has no video “{name}”.").format(name=finding.where)
            self._workspace.message.emit(text)
            return
        self.placeWanted.emit(Behind(info.id, info.name, "", 0, 0.0, None))

    @Slot()
    def _on_go_clicked(self) -> None:
        proposal = self._project.path.with_name(f"{self._project.path.stem}-release")
        folder = ask_new_folder(self, self.tr("Name the folder of the release"), proposal)
        if folder is not None:
            self.write(folder)

    def write(self, folder: Path) -> None:
        """Write a release into a new folder, in the background."""
        wish, project = self.wish(), self._project

        def work(token: JobToken) -> ReleaseResult:
            return write_release(project, folder, wish, token)

        self._workspace.start_job(self.tr("Write release"), work, self._on_written)

    def _on_written(self, done: ReleaseResult) -> None:
        text = self.tr("Released {videos} in {folder}.").format(
            videos=counted(done.n_videos, self.tr("1 video"), self.tr("{n:,} videos")),
            folder=done.folder,
        )
        findings = list(dict.fromkeys(done.findings))
        title = self.tr("Release")
        ReportDialog(self._workspace.hub, title, text, findings, parent=self).open()

    @Slot()
    def _on_verify_clicked(self) -> None:
        title = self.tr("Select the folder of a release")
        folder = ask_folder(self, title, beside=self._project.path.parent)
        if folder is None:
            return

        def work(token: JobToken) -> Verified:
            return verify_release(folder, None, token)

        def done(verification: Verified) -> None:
            if not verification.problems:
                text = self.tr("The release matches its certificate.")
                if verification.signed_by:
                    text += " " + self.tr("Signed with {key}.").format(key=verification.signed_by)
                self._workspace.message.emit(text)
                return
            listed = "\n".join(f"{p.where}: {p.text}" for p in verification.problems[:8])
            text = self.tr("The release differs from its certificate:")
            self._workspace.failed.emit(UserError(f"{text}\n{listed}"))

        self._workspace.start_job(self.tr("Verify release"), work, done)


def _examples(differences: ReleaseDifferences) -> Iterator[Finding]:
    """Yield the differences: counts, then examples by video."""
    for code, names in (
        ("added", differences.videos_added),
        ("removed", differences.videos_removed),
    ):
        for name in names[:_MOST_VIDEOS]:
            yield Finding(
                code, name, _tr("Video added.") if code == "added" else _tr("Video removed.")
            )
    for name, old, new in differences.moved[:_MOST_VIDEOS]:
        text = _tr("Moved from split “{old}” to “{new}”.").format(old=old, new=new)
        yield Finding("moved", name, text)
    for task in differences.tasks:
        text = _tr("{a} added, {r} removed, {c} changed").format(
            a=f"{task.added:,}", r=f"{task.removed:,}", c=f"{task.changed:,}"
        )
        yield Finding("counts", metric_title(task.task, ""), text, Severity.NOTE)
        for video, difference in task.examples:
            yield Finding("changed", video, difference)


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
