"""Videos in different splits that may show the same, side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.services.dataset.duplicates import DuplicatePair, Pairs, glimpses, near_duplicates
from annotator.services.dataset.scanning import GLIMPSES, ScanState, scan_videos
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.dataset.statistics_view import Behind
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, new_table
from annotator.ui.look.plain import plain
from annotator.ui.look.words import counted
from annotator.ui.state.desk import Desk
from annotator.ui.state.reading import Latest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from annotator.services.background.jobs import JobToken

    Rows = tuple[list[NDArray[np.uint8]], list[NDArray[np.uint8]]]

_HEIGHT_PX: Final = 96
_REASONS: Final = {
    "same file": "same file",
    "similar pictures": "similar pictures",
    "same columns": "same participant and script",
}


class DuplicatesView(QWidget):
    """The suspicious pairs; five pictures of each video of the selected one.

    ``placeWanted`` asks for a `Behind`.
    """

    placeWanted = Signal(object)  # Behind

    def __init__(self, desk: Desk, project: OpenProject) -> None:
        super().__init__()
        self._desk, self._project = desk, project
        self._latest = Latest(desk, self.tr("Near-duplicates"), self)
        self._looking = Latest(desk, self.tr("Pictures"), self)
        self.everywhere = QCheckBox(self.tr("Also within a split"))
        self.everywhere.toggled.connect(self.read)
        self.scan = QPushButton(self.tr("Scan videos"))
        self.scan.setToolTip(self.tr("Compute picture hashes of videos that have none yet"))
        self.scan.clicked.connect(self._on_scan_clicked)
        self.told = plain(QLabel())
        self.told.setWordWrap(True)
        self.columns: RowColumns[DuplicatePair] = RowColumns(
            [
                self.tr("Video"),
                self.tr("Split"),
                self.tr("Other video"),
                self.tr("Split"),
                self.tr("Reason"),
                self.tr("Different bits"),
            ],
            _cell,
            _key,
            (5,),
        )
        self.model: RowModel[DuplicatePair] = RowModel(self.columns)
        self.table = new_table(self.model, self.tr("Near-duplicates"), (26, 10, 30, 10, 34, 16))
        self.table.selectionModel().selectionChanged.connect(self._show_pair)
        self.table.doubleClicked.connect(self._on_opened)
        self.names = plain(QLabel()), plain(QLabel())
        self.pictures = tuple([plain(QLabel()) for _ in GLIMPSES] for _ in range(2))
        self._lay_out()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.told, 1)
        bar.addWidget(self.everywhere)
        bar.addWidget(self.scan)
        lower = QWidget()
        grid = QGridLayout(lower)
        for i in range(2):
            self.names[i].setTextFormat(Qt.TextFormat.PlainText)
            grid.addWidget(self.names[i], 2 * i, 0, 1, len(GLIMPSES))
            for k, label in enumerate(self.pictures[i]):
                grid.addWidget(label, 2 * i + 1, k)
        grid.setColumnStretch(len(GLIMPSES), 1)
        grid.setRowStretch(4, 1)
        both = QSplitter(Qt.Orientation.Vertical)
        both.addWidget(self.table)
        both.addWidget(lower)
        both.setStretchFactor(0, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(both, 1)

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()
        self._looking.forget()

    @Slot()
    def read(self) -> None:
        """Compare the videos again, in the background."""
        everywhere = self.everywhere.isChecked()
        self._latest.ask(
            lambda token: near_duplicates(self._project, token, everywhere=everywhere), self._show
        )

    def _show(self, found: Pairs) -> None:
        self.model.set_rows(found.found)
        n = len(found.found)
        text = counted(n, self.tr("1 suspicious pair"), self.tr("{n:,} suspicious pairs"))
        if found.is_cut:
            text += self.tr(" (there are more)")
        if found.n_unscanned:
            more = self.tr("{n} videos are not scanned; their pictures are not compared.")
            text += ". " + more.format(n=f"{found.n_unscanned:,}")
        self.told.setText(text)
        self._show_pair()

    @Slot()
    def _show_pair(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        for labels in self.pictures:
            for label in labels:
                label.clear()
        for name in self.names:
            name.clear()
        if not rows:
            self.names[0].setText(self.tr("Select a pair to see its pictures side by side."))
            return
        pair = self.model.rows[rows[0].row()]
        for name, twin in zip(self.names, (pair.first, pair.second), strict=True):
            name.setText(f"{twin.name}  ·  {twin.split or self.tr('no split')}")
        height = round(_HEIGHT_PX * self.devicePixelRatioF())
        self._looking.ask(partial(_both, self._project, pair, height), self._show_pictures)

    def _show_pictures(self, found: Rows) -> None:
        for labels, pictures in zip(self.pictures, found, strict=True):
            for label, picture in zip(labels, pictures, strict=False):
                label.setPixmap(_pixmap(picture, self.devicePixelRatioF()))
            if not pictures:
                labels[0].setText(self.tr("The video file is missing."))

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        pair = self.model.rows[index.row()]
        twin = pair.second if index.column() in (2, 3) else pair.first
        self.placeWanted.emit(Behind(twin.id, twin.name, "", 0, 0.0, None))

    @Slot()
    def _on_scan_clicked(self) -> None:
        def done(_: ScanState) -> None:
            self.read()

        self._desk.start_job(self.tr("Scan videos"), partial(scan_videos, self._project), done)


def _both(project: OpenProject, pair: DuplicatePair, height: int, token: JobToken) -> Rows:
    found = []
    for twin in (pair.first, pair.second):
        token.check()
        path = project.footage.path(twin.id)
        try:
            found.append(glimpses(path, height) if path is not None else [])
        except UserError:
            found.append([])
    return found[0], found[1]


def _pixmap(picture: NDArray[np.uint8], ratio: float) -> QPixmap:
    height, width = picture.shape[:2]
    image = QImage(picture.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    pixmap = QPixmap.fromImage(image.copy())
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _cell(row: DuplicatePair, column: int) -> str:
    texts = (
        row.first.name,
        row.first.split or "–",
        row.second.name,
        row.second.split or "–",
        ", ".join(_tr(_REASONS[reason]) for reason in row.reasons),
        f"{row.bits:.1f}" if row.bits is not None else "–",
    )
    return texts[column]


def _key(row: DuplicatePair, column: int) -> object:
    return (*(_cell(row, i) for i in range(5)), row.bits if row.bits is not None else 64.0)[column]


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
