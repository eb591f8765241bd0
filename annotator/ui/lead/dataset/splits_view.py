"""Splits with their constraints, and near-duplicate videos in different splits."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFormLayout,
    QGridLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.dataset.split_groups import Achieved, SplitWish
from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.dataset.duplicates import DuplicatePair, Pairs, glimpses, near_duplicates
from annotator.services.dataset.split_optimization import (
    KEY,
    Split,
    in_usual_order,
    save_split,
    split_videos,
)
from annotator.services.dataset.statistics import collect
from annotator.services.dataset.video_scans import GLIMPSES, ScanState, scan_videos
from annotator.services.project.metadata import metadata_of
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.dataset.chart_titles import kind_title
from annotator.ui.lead.dataset.statistics_view import Behind
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

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

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace, self._project = workspace, project
        self._latest = Latest(workspace, self.tr("Near-duplicates"), self)
        self._looking = Latest(workspace, self.tr("Pictures"), self)
        self.everywhere = QCheckBox(self.tr("Also within a split"))
        self.everywhere.toggled.connect(self.read)
        self.scan = QPushButton(self.tr("Scan videos"))
        self.scan.setProperty("kind", "primary")
        self.scan.setToolTip(self.tr("Compute picture hashes of videos that have none yet"))
        self.scan.clicked.connect(self._on_scan_clicked)
        self.status_label = plain(QLabel())
        self.status_label.setWordWrap(True)
        self.columns: RowColumns[DuplicatePair] = RowColumns(
            [
                self.tr("Video"),
                self.tr("Split"),
                self.tr("Other video"),
                self.tr("Split"),
                self.tr("Reason"),
                self.tr("Different bits"),
            ],
            _duplicate_cell,
            _duplicate_key,
            (5,),
        )
        self.model: RowModel[DuplicatePair] = RowModel(self.columns)
        self.table = RowTable(
            self.model,
            self.tr("Near-duplicates"),
            (26, 10, 30, 10, 34, 16),
            self.tr("Pairs of similar videos appear here after their pictures are scanned."),
        )
        self.table.selectionModel().selectionChanged.connect(self._show_pair)
        self.table.doubleClicked.connect(self._on_opened)
        self.names = plain(QLabel()), plain(QLabel())
        self.pictures = tuple([plain(QLabel()) for _ in GLIMPSES] for _ in range(2))
        self._lay_out()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.status_label, 1)
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
            one = self.tr("1 video is not scanned; its pictures are not compared.")
            many = self.tr("{n:,} videos are not scanned; their pictures are not compared.")
            text += ". " + counted(found.n_unscanned, one, many)
        self.status_label.setText(text)
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

        self._workspace.start_job(self.tr("Scan videos"), partial(scan_videos, self._project), done)


def _both(project: OpenProject, pair: DuplicatePair, height: int, token: JobToken) -> Rows:
    found = []
    for twin in (pair.first, pair.second):
        token.check()
        path = project.media.path(twin.id)
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


def _duplicate_cell(row: DuplicatePair, column: int) -> str:
    texts = (
        row.first.name,
        row.first.split or "–",
        row.second.name,
        row.second.split or "–",
        ", ".join(_tr(_REASONS[reason]) for reason in row.reasons),
        f"{row.bits:.1f}" if row.bits is not None else "–",
    )
    return texts[column]


def _duplicate_key(row: DuplicatePair, column: int) -> object:
    return (
        *(_duplicate_cell(row, i) for i in range(5)),
        row.bits if row.bits is not None else 64.0,
    )[column]


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)


_FORM_PX: Final = 340
_MOST_COLUMNS: Final = 12


class SplitsView(QWidget):
    """Makes a split, shows how even it is, worst first, and stores it as metadata."""

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace, self._project = workspace, project
        self._found: tuple[Split, SplitWish] | None = None
        self._latest = Latest(workspace, self.tr("Splits"), self)
        self.shares = QLineEdit("train=0.7, valid=0.15, test=0.15")
        self.shares.setAccessibleName(self.tr("Fractions"))
        self.pinned = QLineEdit()
        self.pinned.setAccessibleName(self.tr("Fixed videos"))
        self.pinned.setPlaceholderText("video_12=test, video_40=train")
        self.tolerance = QDoubleSpinBox()
        self.tolerance.setRange(0.01, 1.0)
        self.tolerance.setSingleStep(0.05)
        self.tolerance.setValue(0.25)
        self.limit = QSpinBox()
        self.limit.setRange(1, 3600)
        self.limit.setValue(60)
        self.limit.setSuffix(self.tr(" s"))
        self.seed = QSpinBox()
        self.seed.setRange(0, 1_000_000)
        self.seed.setValue(1)
        self.together: dict[str, QCheckBox] = {}
        self.apart: dict[str, QCheckBox] = {}
        self.even: dict[str, QCheckBox] = {}
        self.go = QPushButton(self.tr("Split"))
        self.go.setProperty("kind", "primary")
        self.go.clicked.connect(self._on_go_clicked)
        self.save = QPushButton(self.tr("Save split"))
        self.save.setToolTip(self.tr("Store the split as metadata of the videos"))
        self.save.setEnabled(False)
        self.save.clicked.connect(self._on_save_clicked)
        self.status_label = QLabel()
        self.status_label.setWordWrap(True)
        self.columns: RowColumns[Achieved] = RowColumns(
            [
                self.tr("Attribute"),
                self.tr("Split"),
                self.tr("Count"),
                self.tr("Total"),
                self.tr("Share"),
                self.tr("Target"),
                self.tr("Deviation"),
            ],
            _split_cell,
            _split_key,
            (2, 3, 4, 5, 6),
        )
        self.model: RowModel[Achieved] = RowModel(self.columns)
        self.table = RowTable(
            self.model,
            self.tr("Attributes"),
            (40, 10, 10, 10, 10, 10, 12),
            self.tr("Set the fractions and click Split: the attributes of each split appear here."),
        )
        self._lay_out()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("Fractions"), self.shares)
        form.addRow(self.tr("Fixed videos"), self.pinned)
        form.addRow(self.tr("Tolerance"), self.tolerance)
        form.addRow(self.tr("Time limit"), self.limit)
        form.addRow(self.tr("Seed"), self.seed)
        self._together_box = QGroupBox(self.tr("Keep together"))
        self._together_box.setToolTip(
            self.tr("Videos with equal values in all selected columns are in the same split")
        )
        self._apart_box = QGroupBox(self.tr("Never in two splits"))
        self._apart_box.setToolTip(
            self.tr("Videos that have a value of one of these columns in common stay together")
        )
        QVBoxLayout(self._apart_box)
        self._even_box = QGroupBox(self.tr("Split evenly, besides labels and questions"))
        QVBoxLayout(self._together_box)
        QVBoxLayout(self._even_box)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.addLayout(form)
        column.addWidget(self._together_box)
        column.addWidget(self._apart_box)
        column.addWidget(self._even_box)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedWidth(_FORM_PX)
        # Below the settings, not among them: always in view, however many columns there are.
        left = QVBoxLayout()
        left.addWidget(area, 1)
        left.addWidget(self.go)
        left.addWidget(self.save)
        right = QVBoxLayout()
        right.addWidget(self.status_label)
        right.addWidget(self.table, 1)
        layout = QHBoxLayout(self)
        layout.addLayout(left)
        layout.addLayout(right, 1)

    def read(self) -> None:
        """Offer the metadata columns, and say how the videos are split now."""
        project = self._project
        self._latest.ask(lambda _: _columns_and_splits(project), self._show_metadata)

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()

    def _show_metadata(self, found: tuple[list[str], Counter[str]]) -> None:
        columns, splits = found
        for box, kept in (
            (self._together_box, self.together),
            (self._apart_box, self.apart),
            (self._even_box, self.even),
        ):
            for name in columns[:_MOST_COLUMNS]:
                if name not in kept:
                    kept[name] = QCheckBox(name.replace("&", "&&"))
                    layout = box.layout()
                    assert layout is not None
                    layout.addWidget(kept[name])
            box.setVisible(bool(kept))
        if self._found is None:
            self.status_label.setText(self._present(splits))

    def _present(self, counts: Counter[str]) -> str:
        if not any(counts):
            return self.tr("The videos are not split yet.")
        listed = [f"{name} {counts[name]:,}" for name in in_usual_order(counts) if name]
        if counts[""]:
            listed.append(self.tr("without a split {n:,}").format(n=counts[""]))
        return self.tr("Current split: {splits}.").format(splits=", ".join(listed))

    def wish(self) -> SplitWish:
        """Return the entered settings. UserError if they are invalid."""
        shares = {name: _number(value) for name, value in _pairs(self.shares.text())}
        return SplitWish(
            shares,
            tuple(name for name, box in self.together.items() if box.isChecked()),
            tuple(name for name, box in self.apart.items() if box.isChecked()),
            dict(_pairs(self.pinned.text())),
            tuple(name for name, box in self.even.items() if box.isChecked()),
            self.tolerance.value(),
            self.seed.value(),
            self.limit.value(),
        )

    @Slot()
    def _on_go_clicked(self) -> None:
        try:
            wish = self.wish()
            wish.check()
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        project = self._project

        def work(token: JobToken) -> Split:
            return split_videos(collect(project, token, complete_only=False), wish, token)

        self._workspace.start_job(self.tr("Split"), work, lambda found: self._on_found(found, wish))

    def _on_found(self, split: Split, wish: SplitWish) -> None:
        self._found = split, wish
        self.save.setEnabled(True)
        self.model.set_rows(split.achieved)
        splits = list(split.by_video.values())
        counts = ", ".join(f"{name} {splits.count(name):,}" for name in wish.shares)
        gaps = ", ".join(f"{s.split} {s.value:.4f} ({s.gap:.4f})" for s in split.steps)
        text = self.tr(
            "{counts} ({groups}, {seconds:.1f} s). Objective (gap to the bound): {gaps}."
        )
        groups = counted(split.n_groups, self.tr("1 group"), self.tr("{n:,} groups"))
        lines = [text.format(groups=groups, seconds=split.seconds, counts=counts, gaps=gaps)]
        beyond = split.beyond(wish.tolerance)
        if beyond:
            names = ", ".join(dict.fromkeys(deviation.attribute for deviation in beyond[:5]))
            outside_text = self.tr("Outside the tolerance: {names}.")
            lines.append(outside_text.format(names=names))
        self.status_label.setText("\n".join(lines))
        self.status_label.setTextFormat(Qt.TextFormat.PlainText)

    @Slot()
    def _on_save_clicked(self) -> None:
        if self._found is None:
            return
        found, wish = self._found
        n = self._project.background(lambda: save_split(self._project, found, wish))
        many = self.tr("The split of {n} videos was changed.")
        self._workspace.message.emit(counted(n, self.tr("The split of 1 video was changed."), many))


def _columns_and_splits(project: OpenProject) -> tuple[list[str], Counter[str]]:
    """Return the metadata columns of the videos, and how many are in each split."""
    facts = [metadata_of(info) for info, _ in project.media.all()]
    columns = dict.fromkeys(column for each in facts for column in each if column != KEY)
    return list(columns), Counter(each.get(KEY) or "" for each in facts)


def _pairs(text: str) -> list[tuple[str, str]]:
    found = []
    for part in text.replace(";", ",").split(","):
        name, equals, value = part.strip().rpartition("=")
        if part.strip() and not (equals and name):
            raise UserError(f"“{part.strip()}” is not of the form NAME=VALUE.")
        if equals:
            found.append((name.strip(), value.strip()))
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UserError(f"“{text}” is not a number.") from None


def _split_cell(row: Achieved, column: int) -> str:
    texts = (
        kind_title(row.attribute),
        row.split,
        f"{row.count:,}",
        f"{row.total:,}",
        f"{row.share:.3f}",
        f"{row.target:.3f}",
        f"{row.ratio - 1:+.1%}",
    )
    return texts[column]


def _split_key(row: Achieved, column: int) -> object:
    keys = (row.attribute, row.split, row.count, row.total, row.share, row.target)
    return (*keys, abs(row.ratio - 1))[column]
