"""The selected action or sound: its sentence, roles, times and findings."""

from __future__ import annotations

from html import escape
from typing import Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.attributes import AppliesTo, Attribute, with_value
from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import SetSegment, SetSegmentAttributes
from annotator.domain.commands.bulk import Together
from annotator.domain.errors import EditError
from annotator.domain.ids import SegmentId
from annotator.domain.json_type import Json
from annotator.domain.proposals.model_predictions import model_of, score_of
from annotator.domain.recipes.recipe import Tool
from annotator.domain.recipes.tools import TOOL_OF
from annotator.ui.actions.table import ActionTable
from annotator.ui.look.texts import counted, sentence_text, time_text
from annotator.ui.panels.attribute_fields import AttributeFields, defined_in
from annotator.ui.panels.live_findings import LiveFindings
from annotator.ui.panels.role_rows import RoleRows
from annotator.ui.state.role_assignment import SlotFilling
from annotator.ui.state.workspace import Workspace
from annotator.ui.timeline.model.segment_times import SegmentTimes

_MOST_NOTE: Final = 500


class SegmentCard(QWidget):
    """Shows one segment; ``table`` has the actions that set its ends to this frame."""

    visibleToggled = Signal()

    def __init__(
        self, workspace: Workspace, slots: SlotFilling, findings: LiveFindings, table: ActionTable
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._slots = slots
        self._findings = findings
        self._times: SegmentTimes | None = None
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setAccessibleName(self.tr("Segment description"))
        font = self.sentence.font()
        font.setPointSizeF(font.pointSizeF() * 1.2)
        self.sentence.setFont(font)
        self.roles = RoleRows(workspace, slots)
        self._help = QLabel()
        self._help.setWordWrap(True)
        self._lane = QLabel()
        self._model = QLabel()
        self._model.setTextFormat(Qt.TextFormat.PlainText)
        self._model.setWordWrap(True)
        self._start = QLabel()
        self._end = QLabel()
        self._length = QLabel()
        self.out_of_view = QCheckBox(self.tr("Out of view"))
        self.out_of_view.clicked.connect(self.visibleToggled)
        self.note = QLineEdit()
        self.note.setPlaceholderText(self.tr("Free text about this segment"))
        self.note.setMaxLength(_MOST_NOTE)
        self.note.editingFinished.connect(self._on_note_finished)
        self._noted: tuple[SegmentId, str] | None = None
        self._found = QLabel()
        self._found.setWordWrap(True)
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setVerticalSpacing(7)
        self._form = form
        form.addRow(self.tr("Model"), self._model)
        self.attributes = AttributeFields()
        self.attributes.changed.connect(self._on_attribute_changed)
        form.addRow(self.attributes)
        form.addRow(self.tr("Lane"), self._lane)
        form.addRow(self.tr("Start"), _with_button(self._start, table, "segment.start-here"))
        form.addRow(self.tr("End"), _with_button(self._end, table, "segment.end-here"))
        form.addRow(self.tr("Duration"), self._length)
        form.addRow("", self.out_of_view)
        form.addRow(self.tr("&Note"), self.note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(10)
        layout.addWidget(self.sentence)
        layout.addWidget(self._help)
        layout.addWidget(self.roles)
        layout.addLayout(form)
        layout.addWidget(self._found)
        layout.addStretch(1)
        slots.armedChanged.connect(self.refresh)
        findings.changed.connect(self.refresh)
        workspace.hub.changed.connect(self.refresh)
        workspace.labels.setChanged.connect(self.refresh)
        workspace.stageChanged.connect(self._on_stage_changed)
        self._on_stage_changed()

    @Slot()
    def refresh(self) -> None:
        """Show the selected segment as it is."""
        segment, session, times = self._workspace.segment, self._workspace.session, self._times
        if segment is None or session is None or times is None:
            return
        label = self._workspace.labels.of(segment)
        self.sentence.setText(sentence_text(segment, label, session.document))
        self.roles.show_roles(segment, label)
        self._show_help(label)
        self._show_model(segment)
        is_sound = segment.lane is Lane.SOUND
        self._lane.setText(self.tr("Sound") if is_sound else self.tr("Action"))
        start_us, end_us = times.edge_us(segment, "start"), times.edge_us(segment, "end")
        edge = self._workspace.selection.edge
        for field, at_us, frame, name in (
            (self._start, start_us, segment.start, "start"),
            (self._end, end_us, segment.end - 1, "end"),
        ):
            text = time_text(at_us / 1e6)
            if self._workspace.has_picture:
                text = f"{text}  ·  {self.tr('frame')} {frame}"
            is_active = name == edge
            field.setText(f"{text}  ◂" if is_active else text)
            field.setToolTip(self.tr("Active edge: keys move it") if is_active else "")
        n_frames = segment.end - segment.start
        length = f"{(end_us - start_us) / 1e6:.3f} s"
        if self._workspace.has_picture:
            length += "  ·  " + counted(n_frames, self.tr("1 frame"), self.tr("{n} frames"))
        self._length.setText(length)
        self.out_of_view.setVisible(is_sound)
        self.out_of_view.setEnabled(self._workspace.may_change(Tool.SOUNDS))
        with QSignalBlocker(self.out_of_view):
            self.out_of_view.setChecked(not segment.is_visible)
        may_edit = self._workspace.may_change(TOOL_OF[segment.lane])
        self.attributes.show_values(
            defined_in(self._workspace), segment, segment.start, may_edit=may_edit
        )
        self._show_note(segment)
        self._show_found(segment)

    @Slot(object, object)
    def _on_attribute_changed(self, attribute: Attribute, value: Json) -> None:
        """Set an attribute of all selected segments that have it."""
        session = self._workspace.session
        if session is None:
            return
        commands = []
        for segment_id in self._workspace.selection.segments:
            segment = session.document.find_segment(segment_id)
            if segment is None or not attribute.fits(segment.label, AppliesTo(segment.lane.value)):
                continue
            try:
                now = with_value(segment.attributes, attribute, segment.start, value)
            except EditError as error:
                self._workspace.failed.emit(error)
                self.refresh()
                return
            commands.append(SetSegmentAttributes(segment_id, now))
        if commands:
            self._workspace.run(Together(tuple(commands)))

    def _show_model(self, segment: Segment) -> None:
        score, model = score_of(segment.extra), model_of(segment.extra)
        self._form.setRowVisible(self._model, bool(model))
        text = model if score is None else f"{model} · {100 * score:.0f}%"
        if segment.is_proposed:
            text = self.tr("{model}, not accepted yet").format(model=text)
        self._model.setText(text)

    def _show_note(self, segment: Segment) -> None:
        self.note.setEnabled(self._workspace.may_change(TOOL_OF[segment.lane]))
        if self._noted != (segment.id, segment.note):
            # A note being typed is not overwritten by news about something else.
            self._noted = (segment.id, segment.note)
            self.note.setText(segment.note)

    @Slot()
    def _on_note_finished(self) -> None:
        noted, session, text = self._noted, self._workspace.session, self.note.text().strip()
        if noted is None or session is None or text == noted[1]:
            return
        found = session.document.find_segment(noted[0])
        if found is not None and self._workspace.run(SetSegment(found.with_note(text))):
            self._noted = (found.id, text)

    @Slot()
    def _on_stage_changed(self) -> None:
        stage = self._workspace.stage
        self._times = SegmentTimes(stage) if stage is not None else None

    def _show_help(self, label: Label | None) -> None:
        text = label.help if label is not None else self.tr("This label is not in the label set.")
        self._help.setText(text)
        self._help.setVisible(bool(text))
        self._help.setEnabled(False)

    def _show_found(self, segment: Segment) -> None:
        ink = self._workspace.hub.theme.color("warning").name()
        found = [
            f"<p style='color:{ink}'>⚠ {escape(f.text)}</p>" for f in self._findings.of(segment.id)
        ]
        self._found.setText("".join(found))
        self._found.setVisible(bool(found))


def _with_button(field: QLabel, table: ActionTable, action_id: str) -> QHBoxLayout:
    """Return a row of a time and a button that sets it to this frame."""
    button = QToolButton()
    button.setObjectName("set-here")
    action = table.action(action_id)
    action.setIconText(QCoreApplication.translate("SegmentCard", "Set here"))
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    row = QHBoxLayout()
    row.addWidget(field, 1)
    row.addWidget(button)
    return row
