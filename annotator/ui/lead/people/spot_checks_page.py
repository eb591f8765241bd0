"""Page Spot checks: a sample of submissions for the lead, and feedback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from annotator.domain.errors import UserError
from annotator.domain.ids import PersonId, SubmissionId, TaskId
from annotator.domain.people import Person
from annotator.domain.recipes.recipe import SampleBy
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject
from annotator.services.workflow.work import BoardRow, SpotCheck
from annotator.ui.lead.lead_texts import TaskLink, kind_title, stage_title, utc_text
from annotator.ui.look.texts import counted, moment_text
from annotator.ui.look.widgets import EmptyHint, calm, plain
from annotator.ui.state.background_reads import Page
from annotator.ui.state.workspace import Workspace

_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class _PageData:
    checks: list[SpotCheck]
    rows: Mapping[TaskId, BoardRow]
    people: list[Person]
    is_due: bool


class SpotPage(Page):
    """Sampled submissions with notes; ``lookWanted`` asks the window to open one."""

    lookWanted = Signal(object)  # Look

    def __init__(self, workspace: Workspace, project: OpenProject) -> None:
        super().__init__(workspace, project, self.tr("Spot checks"))
        self._checks: list[SpotCheck] = []
        self._submission: SubmissionId | None = None
        spot_check_rule = project.work.recipe.spot_checks
        self.share = QDoubleSpinBox()
        self.share.setRange(0.1, 100.0)
        self.share.setSuffix("%")
        self.share.setValue(
            100 * (spot_check_rule.share if spot_check_rule is not None else _SHARE)
        )
        self.share.setAccessibleName(self.tr("Share of new submissions"))
        self.by = QComboBox()
        self.by.setAccessibleName(self.tr("Sampling method"))
        self.by.addItem(self.tr("at random"), SampleBy.RANDOM)
        self.by.addItem(self.tr("by risk (most often sent back first)"), SampleBy.RISK)
        if spot_check_rule is not None:
            self.by.setCurrentIndex(self.by.findData(spot_check_rule.by))
        self.draw = QPushButton(self.tr("Sample submissions"))
        self.draw.setProperty("kind", "primary")
        self.draw.clicked.connect(self._on_draw_clicked)
        self.due = plain(QLabel())
        self.table = self._new_table()
        self.look = QPushButton(self.tr("Open (read-only)"))
        self.look.clicked.connect(self._on_look_clicked)
        self.note = QLineEdit()
        self.note.setPlaceholderText(self.tr("Note (optional)"))
        self.note.setAccessibleName(self.tr("Note"))
        self.seen = QPushButton(self.tr("Reviewed"))
        self.seen.clicked.connect(self._on_seen_clicked)
        self.note.returnPressed.connect(self._on_seen_clicked)
        self.to = QComboBox()
        self.to.setAccessibleName(self.tr("Recipient"))
        self.to.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.message = QPlainTextEdit()
        self.message.setAccessibleName(self.tr("Feedback"))
        self.message.setPlaceholderText(
            self.tr(
                "Feedback. It stays at the top of the recipient's start page until they "
                "mark it as read."
            )
        )
        self.message.setTabChangesFocus(True)
        self.message.setFixedHeight(self.message.fontMetrics().height() * 5)
        self.message.textChanged.connect(self._on_selection_changed)
        self.about = QComboBox()
        self.about.setAccessibleName(self.tr("Subject"))
        self.about.addItem(self.tr("general"), False)
        self.about.addItem(self.tr("about the selected task"), True)
        self.send = QPushButton(self.tr("Send feedback"))
        self.send.clicked.connect(self._on_send_clicked)
        self._lay_out()
        self._on_selection_changed()

    def _new_table(self) -> QTableWidget:
        table = QTableWidget(0, 7)
        table.setAccessibleName(self.tr("Spot checks"))
        table.setHorizontalHeaderLabels(
            [
                self.tr("Video"),
                self.tr("Task type"),
                self.tr("Stage"),
                self.tr("Submitted by"),
                self.tr("Sampled"),
                self.tr("Reviewed"),
                self.tr("Note"),
            ]
        )
        calm(table)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        columns = table.horizontalHeader()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        columns.setSectionResizeMode(6, QHeaderView.ResizeMode.Stretch)
        EmptyHint(table, self.tr("Set a share and click Sample submissions to get spot checks."))
        table.itemSelectionChanged.connect(self._on_chosen)
        table.doubleClicked.connect(self._on_look_clicked)
        return table

    def _lay_out(self) -> None:
        drawing = QHBoxLayout()
        drawing.addWidget(QLabel(self.tr("Share of new submissions")))
        drawing.addWidget(self.share)
        drawing.addWidget(self.by)
        drawing.addWidget(self.draw)
        drawing.addWidget(self.due, 1)
        looking = QHBoxLayout()
        looking.addWidget(self.look)
        looking.addWidget(self.note, 1)
        looking.addWidget(self.seen)
        telling = QHBoxLayout()
        telling.addWidget(QLabel(self.tr("To")))
        telling.addWidget(self.to)
        telling.addWidget(self.about)
        telling.addStretch(1)
        telling.addWidget(self.send)
        layout = QVBoxLayout(self)
        layout.addLayout(drawing)
        layout.addWidget(self.table, 1)
        layout.addLayout(looking)
        layout.addWidget(self.message)
        layout.addLayout(telling)

    def _read(self) -> None:
        project = self._project

        def work(_: JobToken) -> _PageData:
            checks = project.work.lead.spot_checks()
            wanted = {check.task_id for check in checks}
            rows = {r.task_id: r for r in project.work.board() if r.task_id in wanted}
            people = [p for p in project.work.people.all() if p.is_active]
            return _PageData(checks, rows, people, project.work.lead.is_spot_check_due())

        self._latest.ask(work, self._show)

    def _show(self, spot_checks: _PageData) -> None:
        at = self._chosen()
        # What was reviewed stays in its row: the next one is below it.
        places = {check.submission_id: y for y, check in enumerate(self._checks)}
        self._checks = sorted(
            spot_checks.checks,
            key=lambda c: (places.get(c.submission_id, -1), c.seen_at is not None, -c.drawn_at),
        )
        recipe, theme = self._project.work.recipe, self._workspace.hub.theme
        self.table.setRowCount(len(self._checks))
        for y, check in enumerate(self._checks):
            row = spot_checks.rows.get(check.task_id)
            texts = (
                row.video if row is not None else "?",
                kind_title(recipe, row.kind) if row is not None else "",
                stage_title(recipe, row.kind, check.stage) if row is not None else check.stage,
                self._workspace.name_of(check.person_id),
                moment_text(check.drawn_at),
                moment_text(check.seen_at) if check.seen_at is not None else "",
                check.note,
            )
            for x, text in enumerate(texts):
                item = QTableWidgetItem(text)
                if x == 4:
                    item.setToolTip(utc_text(check.drawn_at))
                if check.seen_at is not None:
                    item.setForeground(theme.color("text_dim"))
                self.table.setItem(y, x, item)
            if at is not None and check.submission_id == at.submission_id:
                self.table.selectRow(y)
        self.due.setText(self.tr("New spot checks are due.") if spot_checks.is_due else "")
        self._offer(spot_checks.people)
        self._on_selection_changed()

    def _offer(self, people: list[Person]) -> None:
        chosen = self.to.currentData()
        self.to.clear()
        self.to.addItem(self.tr("all people"), None)
        for person in sorted(people, key=lambda p: p.name.casefold()):
            self.to.addItem(person.name, person.id)
        self.to.setCurrentIndex(max(0, self.to.findData(chosen)))

    def _chosen(self) -> SpotCheck | None:
        rows = {item.row() for item in self.table.selectedItems()}
        return self._checks[rows.pop()] if rows and max(rows) < len(self._checks) else None

    @Slot()
    def _on_chosen(self) -> None:
        check = self._chosen()
        submission = check.submission_id if check is not None else None
        if submission != self._submission:
            # Else the rows were read again, and what is typed stays.
            self._submission = submission
            self.note.setText(check.note if check is not None else "")
            if check is not None:
                self.to.setCurrentIndex(max(0, self.to.findData(check.person_id)))
                self.about.setCurrentIndex(1)
        self._on_selection_changed()

    @Slot()
    def _on_selection_changed(self) -> None:
        has_one = self._chosen() is not None
        for widget in (self.look, self.note, self.seen):
            widget.setEnabled(has_one)
        self.about.setEnabled(has_one)
        self.send.setEnabled(bool(self.message.toPlainText().strip()))

    @Slot()
    def _on_draw_clicked(self) -> None:
        project, share = self._project, self.share.value() / 100
        by = SampleBy(self.by.currentData())

        def done(waiting: list[SpotCheck]) -> None:
            one = self.tr("1 submission is waiting for a spot check.")
            many = self.tr("{n} submissions are waiting for a spot check.")
            self._workspace.message.emit(counted(len(waiting), one, many))

        self._workspace.start_job(
            self.tr("Sample submissions for spot checks"),
            lambda _: project.work.lead.draw_spot_checks(share, by=by),
            done,
        )

    @Slot()
    def _on_look_clicked(self) -> None:
        check = self._chosen()
        if check is not None:
            self.lookWanted.emit(TaskLink(check.task_id, check.person_id))

    @Slot()
    def _on_seen_clicked(self) -> None:
        check = self._chosen()
        if check is not None:
            self._do(
                lambda: self._project.work.lead.note_spot_check(
                    check.submission_id, self.note.text()
                )
            )

    @Slot()
    def _on_send_clicked(self) -> None:
        to, check = self.to.currentData(), self._chosen()
        task_id = check.task_id if check is not None and self.about.currentData() else None
        text = self.message.toPlainText()
        person = PersonId(to) if to is not None else None
        if self._do(lambda: self._project.work.lead.tell(text, to=person, task_id=task_id)):
            self.message.clear()
            self._workspace.message.emit(
                self.tr("Sent to {name}.").format(name=self.to.currentText())
            )

    def _do(self, act: object) -> bool:
        assert callable(act)
        try:
            self._workspace.background(act)
        except UserError as error:
            self._workspace.failed.emit(error)
            return False
        return True
