"""Suspicious annotations of the whole data set: opened, confirmed, dismissed, sent to a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QCoreApplication,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.errors import UserError
from annotator.services.dataset.issue_queue import (
    CONFIRMED,
    DISMISSED,
    OPEN,
    DetectorResult,
    DetectorSetting,
    Suspect,
    change_detector,
    decide,
    find_issues_in_process,
    results,
    send_to_round,
)
from annotator.services.dataset.video_scans import ScanState, scan_videos
from annotator.services.project.projects import OpenProject
from annotator.ui.lead.dataset.statistics_view import Behind
from annotator.ui.lead.statistics.row_table import RowColumns, RowModel, RowTable
from annotator.ui.look.texts import counted
from annotator.ui.look.widgets import plain
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.evaluation_job import Scores

_FRAME_MS: Final = 16
_STATES: Final = {OPEN: "open", CONFIRMED: "confirmed", DISMISSED: "dismissed"}
_DETECTORS: Final = {
    "absent-object": "Object not in the image",
    "duplicate-track": "Duplicate track",
    "disagreement": "Low agreement",
    "rare-label": "Possible misspelling",
    "fast-task": "Implausibly fast task",
    "short-segment": "Short segment",
    "rare-pair": "Unusual action and sound",
    "single-keyframe": "Single keyframe",
    "unusual-size": "Unusual size",
    "answer-contradicts": "Answer contradicts tracks",
    "jump": "Jumping box",
    "apart-objects": "Roles far apart",
    "still-box": "Still box",
    "no-onset": "No onset",
    "people-differ": "People differ",
    "models-differ": "Models differ",
    "no-model-agrees": "No model agrees",
}


class IssuesView(QWidget):
    """One queue, the most severe first; ``placeWanted`` asks for a `Behind` in the other window."""

    placeWanted = Signal(object)  # Behind

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__()
        self._workspace, self._project = workspace, project
        self._latest = Latest(workspace, self.tr("Data set issues"), self)
        self._all: list[Suspect] = []
        self.detector = QComboBox()
        self.detector.setAccessibleName(self.tr("Detector"))
        self.detector.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.detector.activated.connect(self._filter)
        self.decided = QCheckBox(self.tr("Show decided"))
        self.decided.toggled.connect(self._filter)
        self.status_label = plain(QLabel())
        self.columns: RowColumns[Suspect] = RowColumns(
            [
                self.tr("Issue"),
                self.tr("Detector"),
                self.tr("Video"),
                self.tr("Frame"),
                self.tr("Severity"),
                self.tr("State"),
            ],
            _cell,
            _key,
            (3, 4),
        )
        self.model: RowModel[Suspect] = RowModel(self.columns)
        self.table = RowTable(
            self.model,
            self.tr("Issues"),
            (50, 24, 20, 9, 10, 24),
            self.tr("No issues. Scan the videos to check pictures and sound too."),
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.doubleClicked.connect(self._on_opened)
        self.rules: RowModel[DetectorResult] = RowModel(
            RowColumns(
                [
                    self.tr("Rule"),
                    self.tr("Detector"),
                    self.tr("Limit"),
                    self.tr("Open"),
                    self.tr("Confirmed"),
                    self.tr("Dismissed"),
                    self.tr("Precision"),
                ],
                _rule_cell,
                _rule_key,
                (3, 4, 5, 6),
            )
        )
        self.rule_table = RowTable(self.rules, self.tr("Detectors"), (50, 24, 18, 8, 11, 11, 10))
        self.rule_table.doubleClicked.connect(self._on_limit_clicked)
        self.rule_table.selectionModel().selectionChanged.connect(self._show_switch)
        self.scan = self._button(self.tr("Scan videos"), self._on_scan_clicked)
        self.scan.setToolTip(
            self.tr("Look for signs in pictures, sound and whole documents; kept in the project")
        )
        self.limit = self._button(self.tr("Change limit…"), self._on_limit_clicked)
        self.switch = self._button(self.tr("Switch off"), self._on_switch_clicked)
        self._scores: Scores | None = None
        self.confirm = self._button(self.tr("Confirm"), self._on_confirm_clicked)
        self.dismiss = self._button(self.tr("Dismiss…"), self._on_dismiss_clicked)
        self.send = self._button(self.tr("Send to cleaning round…"), self._on_send_clicked)
        self.table.selectionModel().selectionChanged.connect(self._show_decisions)
        self._lay_out()
        self._show_decisions()
        self._show_switch()

    def _button(self, text: str, handler: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(handler)
        return button

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.addWidget(self.detector)
        bar.addWidget(self.decided)
        bar.addWidget(self.status_label, 1)
        for button in (self.confirm, self.dismiss, self.send):
            bar.addWidget(button)
        lower = QWidget()
        below = QVBoxLayout(lower)
        below.setContentsMargins(0, 0, 0, 0)
        tools = QHBoxLayout()
        tools.addWidget(self.scan)
        tools.addStretch(1)
        tools.addWidget(self.limit)
        tools.addWidget(self.switch)
        below.addLayout(tools)
        below.addWidget(self.rule_table, 1)
        both = QSplitter(Qt.Orientation.Vertical)
        both.addWidget(self.table)
        both.addWidget(lower)
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(bar)
        layout.addWidget(both, 1)

    def leave(self) -> None:
        """Read no more."""
        self._latest.forget()

    @Slot()
    def read(self) -> None:
        """Look through the data set again, in the background."""
        project, scores = self._project, self._scores

        def work(token: JobToken) -> tuple[list[Suspect], list[DetectorResult]]:
            tracks = scores.tracks() if scores is not None else ()
            found = find_issues_in_process(project, token, tracks)
            return found, results(project, found)

        self._latest.ask(work, self._show)

    def set_scores(self, scores: Scores) -> None:
        """Take the scores of models and people into account from now on."""
        self._scores = scores

    @Slot()
    def _on_scan_clicked(self) -> None:
        project = self._project

        def done(state: ScanState) -> None:
            one, many = self.tr("1 video scanned"), self.tr("{n:,} videos scanned")
            text = counted(state.n_scanned, one, many)
            if state.n_without_media:
                text += self.tr(", {n} without video file").format(n=f"{state.n_without_media:,}")
            self._workspace.message.emit(text)
            self.read()

        self._workspace.start_job(self.tr("Scan videos"), partial(scan_videos, project), done)

    def _rule(self) -> DetectorResult | None:
        rows = self.rule_table.selectionModel().selectedRows()
        return self.rules.rows[rows[0].row()] if rows else None

    @Slot()
    def _show_switch(self) -> None:
        rule = self._rule()
        self.limit.setEnabled(rule is not None)
        self.switch.setEnabled(rule is not None)
        is_on = rule is None or rule.setting.is_on
        self.switch.setText(self.tr("Switch off") if is_on else self.tr("Switch on"))

    @Slot()
    def _on_limit_clicked(self) -> None:
        rule = self._rule()
        if rule is None:
            return
        label = self.tr("Limit in {unit}:").format(unit=rule.detector.unit)
        limit, is_ok = QInputDialog.getDouble(
            self, detector_title(rule), label, rule.limit, 0, 1e6, 2
        )
        if is_ok:
            self.change(rule, DetectorSetting(limit, rule.setting.is_on))

    @Slot()
    def _on_switch_clicked(self) -> None:
        rule = self._rule()
        if rule is not None:
            self.change(rule, DetectorSetting(rule.setting.limit, not rule.setting.is_on))

    def change(self, rule: DetectorResult, setting: DetectorSetting) -> None:
        """Keep other settings of a detector, and look again."""
        try:
            change_detector(self._project, rule.detector.key, setting)
        except UserError as error:
            self._workspace.failed.emit(error)
        self.read()

    def _show(self, found: tuple[list[Suspect], list[DetectorResult]]) -> None:
        """Show issues, and a frame later the detectors: both at once take longer than a frame."""
        self._all, rated = found
        self._filter()
        QTimer.singleShot(_FRAME_MS, self, partial(self._show_rules, rated))

    def _show_rules(self, rated: list[DetectorResult]) -> None:
        self.rules.set_rows(rated)
        self._show_switch()
        before = self.detector.currentData()
        self.detector.clear()
        self.detector.addItem(self.tr("All detectors"), None)
        for each in rated:
            self.detector.addItem(detector_title(each), each.detector.key)
        self.detector.setCurrentIndex(max(0, self.detector.findData(before)))

    @Slot()
    def _filter(self) -> None:
        wanted, with_decided = self.detector.currentData(), self.decided.isChecked()
        shown = [
            s
            for s in self._all
            if (wanted is None or s.suspicion.detector == wanted)
            and (with_decided or s.state == OPEN)
        ]
        kept = set(map(_key_of, self.chosen()))
        self.model.set_rows(shown)
        self._select(row for row, suspect in enumerate(self.model.rows) if _key_of(suspect) in kept)
        text = counted(len(shown), self.tr("1 issue"), self.tr("{n:,} issues"))
        self.status_label.setText(text if shown else self.tr("No issues found."))

    def _select(self, rows: Iterable[int]) -> None:
        """Select rows, and give the keys to the first of them."""
        flag = QItemSelectionModel.SelectionFlag
        selection = QItemSelection()
        for row in rows:
            index = self.model.index(row, 0)
            if selection.isEmpty():
                self.table.selectionModel().setCurrentIndex(index, flag.NoUpdate)
                self.table.scrollTo(index)
            selection.select(index, index)
        self.table.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)
        self._show_decisions()

    @Slot()
    def _show_decisions(self) -> None:
        for button in (self.confirm, self.dismiss, self.send):
            button.setEnabled(self.table.selectionModel().hasSelection())

    def chosen(self) -> list[Suspect]:
        """Return the selected issues."""
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return [self.model.rows[row] for row in sorted(rows)]

    @Slot(QModelIndex)
    def _on_opened(self, index: QModelIndex) -> None:
        suspect = self.model.rows[index.row()]
        s = suspect.suspicion
        place = Behind(suspect.video_id, suspect.video, s.text, s.frame, 0.0, s.tool, s.mark_id)
        self.placeWanted.emit(place)

    @Slot()
    def _on_confirm_clicked(self) -> None:
        self.settle(CONFIRMED)

    @Slot()
    def _on_dismiss_clicked(self) -> None:
        if not self.chosen():
            return
        title, label = self.tr("Dismiss"), self.tr("Reason")
        reason, is_ok = QInputDialog.getText(self, title, label)
        if is_ok:
            self.settle(DISMISSED, reason)

    def settle(self, state: str, reason: str = "") -> None:
        """Decide on the selected issues, and select the one after them."""
        chosen = self.chosen()
        try:
            decide(self._project, chosen, state, reason)
        except UserError as error:
            self._workspace.failed.emit(error)
            return
        decided = set(map(_key_of, chosen))
        rows = [row for row, s in enumerate(self.model.rows) if _key_of(s) in decided]
        # At once: looking for all issues again takes a moment.
        self._all = [
            replace(s, state=state, reason=reason) if _key_of(s) in decided else s
            for s in self._all
        ]
        self._filter()
        if rows and self.model.rows:
            following = rows[-1] + 1 if self.decided.isChecked() else rows[0]
            self._select([min(following, len(self.model.rows) - 1)])
        self.read()

    @Slot()
    def _on_send_clicked(self) -> None:
        if not self.chosen():
            return
        title = self.tr("Send to cleaning round")
        name, is_ok = QInputDialog.getText(self, title, self.tr("Title of the round"))
        if is_ok and name.strip():
            self.send_chosen(name.strip())

    def send_chosen(self, title: str) -> None:
        """Open a round for the tasks of the selected issues."""
        chosen, project = self.chosen(), self._project
        n, refused = project.background(lambda: send_to_round(project, chosen, title))
        text = counted(n, self.tr("1 task sent to a round"), self.tr("{n} tasks sent to a round"))
        if refused:
            text += self.tr(", {n} not possible").format(n=len(refused))
        self._workspace.message.emit(text)
        self.read()


def _key_of(suspect: Suspect) -> tuple[str, str]:
    return suspect.suspicion.key, suspect.suspicion.detector


def detector_title(found: DetectorResult) -> str:
    """Return the title of a detector, including those of plug-ins."""
    title = _DETECTORS.get(found.detector.key)
    return _tr(title) if title is not None else found.detector.title


def _cell(row: Suspect, column: int) -> str:
    s = row.suspicion
    state = _tr(_STATES[row.state])
    name = _DETECTORS.get(s.detector)
    texts = (
        s.text,
        _tr(name) if name is not None else s.detector,
        row.video,
        f"{s.frame:,}" if s.mark_id else "",
        f"{s.severity:.2f}",
        f"{state}: {row.reason}" if row.reason else state,
    )
    return texts[column]


def _key(row: Suspect, column: int) -> object:
    s = row.suspicion
    return (s.text, s.detector, row.video, s.frame, s.severity, row.state)[column]


def _rule_cell(row: DetectorResult, column: int) -> str:
    texts = (
        row.detector.rule,
        detector_title(row),
        row.limit_text,
        f"{row.n_open:,}" if row.setting.is_on else _tr("off"),
        f"{row.confirmed:,}",
        f"{row.dismissed:,}",
        f"{row.precision:.0%}" if row.precision is not None else "–",
    )
    return texts[column]


def _rule_key(row: DetectorResult, column: int) -> object:
    keys = (row.detector.rule, row.detector.key, row.limit, row.n_open)
    return (*keys, row.confirmed, row.dismissed, row.precision or 0.0)[column]


def _tr(text: str) -> str:
    return QCoreApplication.translate("lead", text)
