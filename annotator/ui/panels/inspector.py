"""The inspector: the selected object and its state on the current frame."""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.annotation.attributes import Attribute, with_value
from annotator.domain.annotation.track import Source, Track, TrackState
from annotator.domain.commands import SetPointInfo, SetTrack
from annotator.domain.commands.bulk import Together
from annotator.domain.errors import EditError
from annotator.domain.ids import TrackId
from annotator.domain.proposals.model_predictions import model_of, score_of
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.competing_objects import rivals_of
from annotator.ui.look.texts import moment_text, op_text, phase_text
from annotator.ui.look.widgets import ChoiceBox, plain
from annotator.ui.panels.attribute_fields import AttributeFields, defined_in
from annotator.ui.panels.objects_panel import name_completer
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.annotation.point_track import PointMark, PointTrack
    from annotator.domain.json_type import Json
    from annotator.domain.proposals.point_proposals import ProposedPoint
    from annotator.services.background.jobs import Job
    from annotator.services.session import HistoryEntry, RunsChanged
    from annotator.ui.panels.segment_card import SegmentCard

_BACK_AND_FORTH = {"undo": "Undo", "redo": "Redo"}


class Inspector(QWidget):
    """Shows and changes the primary track. Occluded and out of view go through the actions."""

    occludedToggled = Signal()
    outsideToggled = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._card: SegmentCard | None = None
        self._card_page: QWidget | None = None
        self._named: tuple[TrackId, str] | None = None
        self._owners: tuple[tuple[Track, ...], bool] | None = None
        self._read: Track | None = None
        self._reading: Job[list[HistoryEntry]] | None = None
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Object name"))
        self.name.editingFinished.connect(self._on_name_finished)
        self.attributes = AttributeFields()
        self.attributes.changed.connect(self._on_attribute_changed)
        self.point_attributes = AttributeFields()
        self.point_attributes.changed.connect(self._on_point_attribute_changed)
        self.occluded = QCheckBox(self.tr("Occluded"))
        self.occluded.clicked.connect(self.occludedToggled)
        self.outside = QCheckBox(self.tr("Out of view"))
        self.outside.clicked.connect(self.outsideToggled)
        self._number = QLabel()
        self.model = QLabel()
        self.model.setWordWrap(True)
        self.model.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.model.linkActivated.connect(self._on_model_link_activated)
        self._family = QLabel()
        self._family.setAccessibleName(self.tr("Relations"))
        self._family.setWordWrap(True)
        self._family.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self._family.linkActivated.connect(self._on_family_link_activated)
        self._state = QLabel()
        self._box = QLabel()
        self._box.setWordWrap(True)
        self._point = plain(QLabel())
        self.point_owner = ChoiceBox()
        self.point_owner.setAccessibleName(self.tr("Object of the point"))
        self.point_owner.activated.connect(self._on_point_owner_chosen)
        self._point_place = QLabel()
        self._point_place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._point_state = QLabel()
        self._sources = QLabel()
        self._sources.setWordWrap(True)
        self._history = QLabel()
        self._history.setWordWrap(True)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._placeholder())
        self._pages.addWidget(self._form())
        self._point_page = self._point_form()
        self._pages.addWidget(self._point_page)
        # After the picture and the lanes: Qt paints before it looks at timers. Several changes at
        # once, such as an object chosen for a role, are shown as one.
        self._refresher = QTimer(self)
        self._refresher.setSingleShot(True)
        self._refresher.setInterval(0)
        self._refresher.timeout.connect(self.refresh)
        for signal in (
            workspace.selection.changed,
            workspace.frameChanged,
            workspace.stageChanged,
            workspace.edited,
        ):
            signal.connect(self._refresh_soon)
        workspace.bridge.runsChanged.connect(self._on_runs_changed)
        workspace.bridge.pointRunsChanged.connect(self._refresh_soon)
        self.refresh()

    def add_segment_card(self, card: SegmentCard) -> None:
        """Add the page for segments, shown while a segment is the latest selection."""
        self._card = card
        self._card_page = _scrolled(card)
        self._pages.addWidget(self._card_page)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the track or segment that is selected as it is now."""
        self._show_history()
        is_on_segment = (
            self._workspace.selection.is_on_segment and self._workspace.segment is not None
        )
        for fields in (self.attributes, self.point_attributes):
            fields.release_keys()  # those that are shown get theirs again
        if self._card is not None:
            self._card.attributes.release_keys()
        if is_on_segment and self._card is not None and self._card_page is not None:
            self._card.refresh()
            self._pages.setCurrentWidget(self._card_page)
            return
        if self._workspace.point is not None:
            self._pages.setCurrentWidget(self._point_page)
            self._show_point(self._workspace.point)
            return
        track = self._workspace.track
        self._pages.setCurrentIndex(0 if track is None else 1)
        if track is None:
            self._named = None
            return
        self._show_track(track)
        self._show_state(track, track.state_at(self._workspace.frame))

    def _placeholder(self) -> QWidget:
        label = QLabel(self.tr("Select an object, a point or a segment to see its properties."))
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setMargin(16)
        return label

    def _form(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(10, 8, 10, 8)
        form = self._track_form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setVerticalSpacing(7)
        form.addRow(self.tr("Object"), self._number)
        form.addRow(self.tr("&Name"), self.name)
        form.addRow(self.tr("Model"), self.model)
        form.addRow(self.attributes)
        form.addRow(self.tr("Relations"), self._family)
        form.addRow(_heading(self.tr("On this frame")))
        form.addRow(self.tr("State"), self._state)
        form.addRow(self.tr("Box"), self._box)
        form.addRow("", self.occluded)
        form.addRow("", self.outside)
        form.addRow(_heading(self.tr("Keyframes")))
        form.addRow(self._sources)
        form.addRow(_heading(self.tr("History")))
        form.addRow(self._history)
        layout.addLayout(form)
        layout.addStretch(1)
        return _scrolled(body)

    def _point_form(self) -> QWidget:
        body = QWidget()
        form = self._point_rows = QFormLayout(body)
        form.setContentsMargins(10, 8, 10, 8)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setVerticalSpacing(7)
        form.addRow(self.tr("Point"), self._point)
        form.addRow(self.tr("Object"), self.point_owner)
        form.addRow(self.point_attributes)
        form.addRow(_heading(self.tr("On this frame")))
        form.addRow(self.tr("State"), self._point_state)
        form.addRow(self.tr("Position"), self._point_place)
        return body

    def _show_point(self, point: PointTrack) -> None:
        """Show the selected point on this frame: its label, position and confidence."""
        session, frame = self._workspace.session, self._workspace.frame
        if session is None:
            return
        may_edit = self._workspace.may_change(Tool.POINTS) and not point.info.is_locked
        self.point_attributes.show_values(
            defined_in(self._workspace), point, frame, may_edit=may_edit
        )
        self._show_owners(point, may_edit=may_edit)
        more = len(self._workspace.selection.points) - 1
        self._point.setText(
            self._numbered(point)
            + (self.tr(" (and {n} more selected)").format(n=more) if more > 0 else "")
        )
        mark, proposed = point.mark(frame), session.pending_point_at(point.id, frame)
        point_mark = mark if mark is not None else proposed
        place = point_mark.xy if point_mark is not None else None
        at = (
            self.tr("x {x}, y {y} px").format(x=f"{place.x:.1f}", y=f"{place.y:.1f}")
            if place
            else "–"
        )
        self._point_place.setText(at)
        self._point_state.setText(self._point_words(mark, proposed))

    def _show_owners(self, point: PointTrack, *, may_edit: bool) -> None:
        """List the objects that the point can belong to; "None" only if it belongs to none."""
        session, choice = self._workspace.session, self.point_owner
        tracks = session.document.tracks if session is not None else ()
        owner = point.info.track_id
        listed = tracks, owner is None
        if listed != self._owners:  # thousands of objects take a moment, so not on every frame
            self._owners = listed
            choice.clear()
            if owner is None:
                choice.addItem(self.tr("None"), None)
            for track in tracks:
                choice.addItem(self._numbered(track), track.id)
        choice.setCurrentIndex(0 if owner is None else choice.findData(owner))
        choice.setEnabled(may_edit)
        self._point_rows.setRowVisible(choice, bool(tracks))

    def _numbered(self, track: Track | PointTrack) -> str:
        number = self.tr("No. {n}").format(n=track.info.number)
        return f"{number} · {track.label}"

    def _point_words(self, mark: PointMark | None, proposed: ProposedPoint | None) -> str:
        point_mark = mark if mark is not None else proposed
        if point_mark is None:
            return self.tr("Not annotated on this frame")
        if point_mark.occluded:
            state = self.tr("occluded")
        else:
            state = self.tr("visible") if point_mark.xy is not None else self.tr("out of view")
        if mark is None and proposed is not None:
            text = self.tr("Proposed: {state}, confidence {n}%")
            return text.format(state=state, n=round(100 * proposed.confidence))
        origins = {
            Source.HUMAN: self.tr("Manual: {state}"),
            Source.ACCEPTED: self.tr("Accepted: {state}"),
            Source.IMPORTED: self.tr("Imported: {state}"),
        }
        return origins[mark.source].format(state=state) if mark is not None else state

    @Slot()
    def _refresh_soon(self) -> None:
        self._refresher.start()

    def _show_track(self, track: Track) -> None:
        info = track.info
        may_edit = self._workspace.may_change(Tool.BOXES) and not info.is_locked
        more = len(self._workspace.selection.tracks) - 1
        self._number.setText(
            self.tr("No. {n}").format(n=info.number)
            + (self.tr(" (and {n} more selected)").format(n=more) if more else "")
        )
        if self._named != (track.id, track.label):
            # A name being typed is not overwritten by news about something else.
            self._named = (track.id, track.label)
            self.name.setText(track.label)
            self.name.setCompleter(name_completer(self._workspace, self.name))
        self.name.setEnabled(may_edit)
        self.attributes.show_values(
            defined_in(self._workspace), track, self._workspace.frame, may_edit=may_edit
        )
        self._family.setText(self._family_text(track))
        self._show_model(track)
        self._show_sources(track)

    def _show_model(self, track: Track) -> None:
        """Show which model proposed the object, and how far other models agree."""
        name, session = model_of(track.info.extra), self._workspace.session
        self._track_form.setRowVisible(self.model, bool(name))
        if not name or session is None:
            return
        score = score_of(track.info.extra)
        lines = [escape(name) if score is None else f"{escape(name)} · {100 * score:.0f}%"]
        text = self.tr("{link}: mean IoU {iou}, lowest {low} on {frame}")
        for rival in rivals_of(session, track) if track.is_proposed else ():
            iou, _, frame, low = rival.overlap
            lines.append(
                text.format(
                    link=_linked(rival.track.id, model_of(rival.track.info.extra)),
                    iou=f"{iou:.2f}",
                    low=f"{low:.2f}",
                    frame=_linked(str(frame), self.tr("frame {n}").format(n=frame)),
                )
            )
        self.model.setText("<br>".join(lines))

    @Slot(str)
    def _on_model_link_activated(self, link: str) -> None:
        stage = self._workspace.stage
        if stage is not None and link.isdecimal():
            stage.player.seek(int(link))
        else:
            self._workspace.selection.set_tracks([TrackId(link)])

    def _family_text(self, track: Track) -> str:
        session = self._workspace.session
        if session is None:
            return ""
        parent = session.document.find_track(track.info.parent_id) if track.info.parent_id else None
        lines = []
        if parent is not None:
            lines.append(self.tr("parent: {link}").format(link=_link(parent)))
        children = session.document.children_of(track.id)
        if children:
            links = ", ".join(_link(child) for child in children)
            lines.append(self.tr("children: {links}").format(links=links))
        return "<br>".join(lines) or "–"

    def _show_state(self, track: Track, state: TrackState) -> None:
        session = self._workspace.session
        suggestion = session.suggestion_at(track.id, state.frame) if session else None
        if suggestion is None:
            self._state.setText(phase_text(state))
            box, occluded = state.box, state.occluded
        else:
            proposed, is_outdated = suggestion
            text = self.tr("Proposed, confidence {n}%").format(n=round(100 * proposed.confidence))
            self._state.setText(self.tr("Outdated proposal") if is_outdated else text)
            box, occluded = proposed.box, proposed.occluded
        if box is None:
            self._box.setText("–")
        else:
            self._box.setText(
                f"{box.x1:.1f}, {box.y1:.1f} … {box.x2:.1f}, {box.y2:.1f}\n"
                f"{box.width:.1f} × {box.height:.1f} px"
            )
        may_edit = self._workspace.may_change(Tool.BOXES) and not track.info.is_locked
        may_edit = may_edit and state.lower is not None
        for check, is_on in ((self.occluded, occluded), (self.outside, box is None)):
            with QSignalBlocker(check):
                check.setChecked(is_on and state.lower is not None)
        self.occluded.setEnabled(may_edit and box is not None)
        self.outside.setEnabled(may_edit)

    def _show_sources(self, track: Track) -> None:
        counts = Counter(key.source for key in track.keyframes)
        words = {
            Source.HUMAN: self.tr("{n} manual"),
            Source.ACCEPTED: self.tr("{n} accepted from proposals"),
            Source.IMPORTED: self.tr("{n} imported"),
        }
        parts = [text.format(n=counts[source]) for source, text in words.items() if counts[source]]
        self._sources.setText("\n".join(parts))

    def _show_history(self) -> None:
        """Read the log again: when another object is looked at, or this one was changed."""
        track, session = self._workspace.track, self._workspace.session
        if track is self._read:
            return
        self._read = track
        if self._reading is not None:
            self._reading.cancel()
        if track is None or session is None:
            self._reading = None
            return
        self._reading = self._workspace.jobs.submit(
            "History", lambda _: session.history(track.id), self._tell_history, is_quiet=True
        )

    def _tell_history(self, entries: list[HistoryEntry]) -> None:
        lines = []
        for entry in entries:
            name = op_text(entry.op)
            if entry.kind in _BACK_AND_FORTH:
                name = f"{self.tr(_BACK_AND_FORTH[entry.kind])} {name}"
            where = "" if entry.frame is None else self.tr(" ({n})").format(n=entry.frame)
            lines.append(f"{moment_text(entry.at)}  {name}{where}")
        self._history.setText("\n".join(lines))

    @Slot(object)
    def _on_runs_changed(self, news: RunsChanged) -> None:
        if news.owner_id == self._workspace.selection.primary:
            self._refresh_soon()

    @Slot()
    def _on_name_finished(self) -> None:
        named, text = self._named, self.name.text()
        if named is None or text == named[1]:
            return
        if not self._workspace.rename(named[0], text):
            self.name.setText(named[1])

    @Slot(object, object)
    def _on_attribute_changed(self, attribute: Attribute, value: Json) -> None:
        """Set an attribute of all selected objects that have it, from this frame on."""
        session = self._workspace.session
        if session is None:
            return
        commands: list[SetTrack] = []
        for track_id in self._workspace.selection.tracks:
            track = session.document.find_track(track_id)
            if track is None or not attribute.fits(track.label):
                continue
            try:
                now = with_value(track.info.attributes, attribute, self._workspace.frame, value)
            except EditError as error:
                self._workspace.failed.emit(error)
                self._refresh_soon()
                return
            commands.append(SetTrack(track_id, attributes=now))
        if commands:
            self._workspace.run(Together(tuple(commands)))

    @Slot(object, object)
    def _on_point_attribute_changed(self, attribute: Attribute, value: Json) -> None:
        """Set an attribute of the selected point, from this frame on."""
        point = self._workspace.point
        if point is None:
            return
        try:
            now = with_value(point.attributes, attribute, self._workspace.frame, value)
        except EditError as error:
            self._workspace.failed.emit(error)
            self._refresh_soon()
            return
        self._workspace.run(SetPointInfo(point.id, attributes=now))

    @Slot(int)
    def _on_point_owner_chosen(self, row: int) -> None:
        """Assign all selected points to an object, and keep them selected."""
        points, owner = self._workspace.selection.points, self.point_owner.itemData(row)
        commands = tuple(SetPointInfo(p, track_id=owner) for p in points if owner is not None)
        if commands and self._workspace.run(Together(commands, self._workspace.frame)):
            self._workspace.selection.set_points(owner, points)
        self._refresh_soon()

    @Slot(str)
    def _on_family_link_activated(self, link: str) -> None:
        self._workspace.selection.set_tracks([TrackId(link)])


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    label.setContentsMargins(0, 8, 0, 0)
    return label


def _link(track: Track) -> str:
    return _linked(track.id, f"{track.label} ({track.info.number})")


def _linked(target: str, text: str) -> str:
    return f'<a href="{escape(target)}">{escape(text)}</a>'


def _scrolled(body: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(body)
    return area
