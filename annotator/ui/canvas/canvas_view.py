"""The canvas widget: the picture, the boxes that belong to exactly this picture, and the tools."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.domain.annotation.attributes import Attribute
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.ids import PointId, TrackId
from annotator.media.values import Picture
from annotator.ui.canvas.input import keys
from annotator.ui.canvas.input.gestures import Pointer, PointerPhase, pan
from annotator.ui.canvas.input.point_tools import PointTools
from annotator.ui.canvas.input.tools import CanvasTools, GestureDriver
from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.layers import Layers
from annotator.ui.canvas.model.summary import summary
from annotator.ui.canvas.painting.canvas_scene import CanvasScene, paint_scene
from annotator.ui.canvas.painting.comment_painter import words_of
from annotator.ui.canvas.painting.name_labels import ChipPictures
from annotator.ui.canvas.painting.shown_picture import ShownPicture, Tone
from annotator.ui.canvas.zoom import Zooming
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection

if TYPE_CHECKING:
    from annotator.services.session import RunsChanged, Session


class CanvasView(QWidget):
    """Shows one picture with its boxes, for drawing and editing.

    The frame on screen is the one of the last picture given; boxes are drawn and edits made for
    that frame and no other. While a mouse button is down in a gesture the picture stands still.
    """

    pictureShown = Signal(int)  # frame index: it is painted next, with what lies over it
    picturePainted = Signal(int)  # frame index; sent after painting: listeners change other widgets
    _painted = Signal(int)
    detailWanted = Signal(int)  # frame index: the lens is over it, and its full size is not here
    trackCreated = Signal(object)  # TrackId: a good moment to ask for its name
    failed = Signal(object)  # UserError: the project file refused an edit
    contextMenuAt = Signal(QPoint, object)  # global position, TrackId or None
    commentClicked = Signal(object)  # CommentId
    pointPlaced = Signal(object, bool)  # PointId; True where it is a new point
    pointClicked = Signal(object)  # right-click on a point: PointId
    message = Signal(str)

    def __init__(
        self, theme: ThemeHub, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.board = CanvasBoard(selection, self)
        self.zooming = Zooming(self.board, self, lambda: self.tools.is_pressed)
        self.points = PointTools(self.board, self.zooming, self)
        self.tools = CanvasTools(self.board, self.points, self)
        self._panner = GestureDriver(self.board)
        self._hub = theme
        self._shown: ShownPicture | None = None
        self.tone = Tone()
        self._asked_detail: ShownPicture | None = None
        self._held: Picture | None = None
        self._is_painted = True
        self._cursor_at: QPointF | None = None
        self._added: tuple[TrackId, bool] | None = None
        self._placed: tuple[PointId, bool] | None = None
        self._chips = self._new_chips()
        self._description_timer = QTimer(self)
        self._description_timer.setSingleShot(True)
        self._description_timer.setInterval(250)
        self._description_timer.timeout.connect(self._describe)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Video canvas"))
        self._painted.connect(self.picturePainted, Qt.ConnectionType.QueuedConnection)
        self.layers = Layers(self.board)
        self.layers.changed.connect(self.update)
        self.board.changed.connect(self._on_board_changed)
        self.board.message.connect(self.message)
        self.board.failed.connect(self.failed)
        self.board.added.connect(self._on_board_added)
        self.board.placed.connect(self._on_board_placed)
        self.tools.changed.connect(self._on_tool_changed)
        self.tools.placed.connect(self._on_placed)
        self.tools.released.connect(self._take_held)
        selection.changed.connect(self._on_selection_changed)
        theme.changed.connect(self._on_theme_changed)

    @property
    def index(self) -> int | None:
        """The frame on screen."""
        return self.board.index

    # What is shown

    def set_session(self, session: Session | None) -> None:
        """Show another draft, or none; the picture of the old one goes."""
        old = self.board.session
        if old is not None:
            old.changed.remove(self._on_session_changed)
            old.box_runs.changed.remove(self._on_runs_changed)
            old.point_runs.changed.remove(self.points.on_runs_changed)
        self.tools.forget_gesture()
        self._shown = self._held = None
        self.board.session, self.board.index = session, None
        if session is not None:
            session.changed.add(self._on_session_changed)
            session.box_runs.changed.add(self._on_runs_changed)
            session.point_runs.changed.add(self.points.on_runs_changed)
            video = session.document.video
            self.board.viewport = (
                self.zooming.sized().with_image(video.width, video.height).fitted()
            )
        self.tools.leave_adjusting()
        self.board.refresh()
        self.zooming.ask_for_picture()

    def show_picture(self, picture: Picture) -> None:
        """Put a picture on screen, with the boxes of its frame."""
        if self.zooming.target_size() != (0, 0) and self._shown and self._shown.add_detail(picture):
            self.update()
            return
        if self.tools.is_busy and picture.index != self.index:
            if self.tools.is_pressed:
                self._held = picture
                return
            self.tools.forget_gesture()
        self._held = None
        is_other = picture.index != self.index
        self._shown = ShownPicture(picture, self.tone)
        self._is_painted = False
        self.board.viewport = self.board.viewport.with_image(*picture.source_size)
        self.board.index = picture.index
        if is_other:
            self.pictureShown.emit(picture.index)
            self.board.refresh()
            self.points.follow()
        self.update()

    def set_attributes(self, attributes: tuple[Attribute, ...]) -> None:
        """Show the values of these attributes after the names of objects."""
        if attributes != self.board.attributes:
            self.board.attributes = attributes
            self.board.refresh()
            self.update()

    def set_tone(self, tone: Tone) -> None:
        """Show this picture and those to come with another brightness, contrast and gamma."""
        self.tone = tone
        if self._shown is not None:
            self._shown = self._shown.with_tone(tone)
            self.update()

    @property
    def shown_picture(self) -> ShownPicture | None:
        """The picture on screen."""
        return self._shown

    @property
    def has_detail(self) -> bool:
        """True while the lens has every pixel of the picture on screen."""
        return self._shown is not None and self._shown.has_detail

    def summary(self, *, has_boxes: bool = True) -> str:
        """Return a description of the screen; without ``has_boxes`` boxes are not counted."""
        selection = self.board.selection
        chosen = (*selection.tracks, *selection.points)
        board = self.board
        return summary(self.index, board.shapes, chosen, board.dots, has_boxes=has_boxes)

    def undo_step(self) -> None:
        """Take back the last click of the gesture in progress."""
        at = self._cursor_at or self.zooming.middle()
        self.tools.send(self._pointer(PointerPhase.BACK, at, Qt.KeyboardModifier.NoModifier))
        if not self.tools.is_busy:
            self._take_held()

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(960, 540)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self.zooming.resized()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zooming.wheel(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        scene = CanvasScene(
            self.board,
            self._shown,
            self._hub.theme,
            self._chips,
            cursor=self._cursor_at,
            tool=self.tools.tool,
            is_naming=self.points.name_field.isVisible(),
            trails=self.points.trails(),
            is_adjusting=self.tools.is_adjusting,
            has_focus=self.hasFocus(),
            layers=self.layers,
        )
        painter = QPainter(self)
        paint_scene(painter, scene, QRectF(self.rect()))
        painter.end()
        if self._shown is not None and not self._is_painted:
            self._is_painted = True
            self._painted.emit(self._shown.index)
        self._ask_for_detail(scene)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        at = event.position()
        press = self._pointer(PointerPhase.PRESS, at, event.modifiers())
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panner.start(pan, press)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton and self.board.can_edit:
            sign = self.layers.sign_at(at.x(), at.y()) if self.tools.tool == "select" else None
            if sign is not None and not self.tools.is_busy:
                self.commentClicked.emit(sign.comment_id)
                return
            if self.layers.is_past(at.x()):
                self.message.emit(
                    self.tr(
                        "This side shows the earlier submission and is "
                        "read-only. Edit the other side."
                    )
                )
                return
            self.tools.press(press)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        self._cursor_at = at
        move = self._pointer(PointerPhase.MOVE, at, event.modifiers())
        if self._panner.is_active:
            self._panner.send(move)
        elif self.tools.is_busy:
            self.tools.send(move)
        else:
            dot = self.board.dot_at(at.x(), at.y())
            is_select = self.tools.tool == "select" and dot is None
            target = self.board.hit_at(at.x(), at.y()) if is_select else None
            self.board.hover(target.track_id if target else None, dot.point_id if dot else None)
            self._update_cursor()
        if self.tools.tool != "select":
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        release = self._pointer(PointerPhase.RELEASE, event.position(), event.modifiers())
        if event.button() == Qt.MouseButton.MiddleButton:
            self._panner.send(release)
        elif event.button() == Qt.MouseButton.LeftButton and self.tools.is_busy:
            self.tools.send(release)
            if not self.tools.is_busy:
                self.tools.end()
        self._update_cursor()

    def leaveEvent(self, _event: QEvent) -> None:
        self._cursor_at = None
        self.board.hover(None)
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.tools.is_busy:
            self.tools.cancel()
            return
        track = self.board.selection.primary
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            dot = self.board.dot_at(event.pos().x(), event.pos().y())
            if dot is not None:
                self.board.selection.set_points(dot.track_id, [dot.point_id])
                self.pointClicked.emit(dot.point_id)
                return
            target = self.board.hit_at(event.pos().x(), event.pos().y())
            track = target.track_id if target else None
            if track is not None and track not in self.board.selection.tracks:
                self.board.selection.set_tracks([track])
        self.contextMenuAt.emit(event.globalPos(), track)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not keys.press(self, event):
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.tools.leave_adjusting()
        self.update()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and keys.is_ours(self, event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and keys.press_tab(self, event):
                return True
        elif isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        elif isinstance(event, QNativeGestureEvent) and self.zooming.pinch(event):
            return True
        elif event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.FontChange):
            self._chips = self._new_chips()
            self.zooming.resized()
        return super().event(event)

    # What happens

    def _on_tool_changed(self) -> None:
        self._update_cursor()
        self.update()

    def _on_placed(self, asks_name: bool) -> None:
        """Go back to selecting once a box is drawn, and show what came meanwhile."""
        added, self._added = self._added, None
        placed, self._placed = self._placed, None
        if placed is not None:
            if placed[1] and asks_name:
                self.points.ask_point_name(placed[0])
            self.pointPlaced.emit(*placed)
        if added is not None:
            self.tools.set_tool("select")
            if added[1]:
                self.trackCreated.emit(added[0])
        self._take_held()

    def _ask_for_detail(self, scene: CanvasScene) -> None:
        """Ask once for the whole picture when the lens is over a smaller one."""
        shown = self._shown
        if shown is None or scene.aimed_at is None or shown.has_detail:
            return
        if self._asked_detail is not shown:
            self._asked_detail = shown
            self.detailWanted.emit(shown.index)

    def _take_held(self) -> None:
        if self._held is not None:
            self.show_picture(self._held)

    def _on_board_added(self, track: TrackId, is_new: bool) -> None:
        self._added = (track, is_new)

    def _on_board_placed(self, point: PointId, is_new: bool) -> None:
        self._placed = (point, is_new)

    def _on_board_changed(self) -> None:
        self.zooming.follow()
        self._description_timer.start()
        self.update()

    def _on_session_changed(self, changes: ChangeSet) -> None:
        if changes.initiator is not self:
            self.tools.drop_gesture()
        if "comment" in changes.topics:
            self.update()
        if changes.topics & {"track", "keyframe"}:
            self.board.refresh()
        elif changes.topics & {"point", "marks"}:
            self.board.refresh_dots()

    def _on_runs_changed(self, news: RunsChanged) -> None:
        if self.index is not None and news.start <= self.index < news.end:
            self.board.refresh()

    def _on_selection_changed(self) -> None:
        if not self.tools.is_busy:
            self.tools.leave_adjusting()
            self.points.follow()
        self._description_timer.start()
        self.update()

    def _on_theme_changed(self) -> None:
        self._chips = self._new_chips()
        self.update()

    def _describe(self) -> None:
        self.setAccessibleDescription(self.summary())

    def _pointer(self, step: PointerPhase, at: QPointF, held: Qt.KeyboardModifier) -> Pointer:
        return Pointer(
            step,
            at.x(),
            at.y(),
            self.board.viewport.to_image(at.x(), at.y()),
            shift=bool(held & Qt.KeyboardModifier.ShiftModifier),
            ctrl=bool(held & Qt.KeyboardModifier.ControlModifier),
            alt=bool(held & Qt.KeyboardModifier.AltModifier),
        )

    def _update_cursor(self) -> None:
        at = self._cursor_at
        if self._panner.is_active:
            shape = Qt.CursorShape.ClosedHandCursor
        elif self.tools.is_drawing:
            shape = Qt.CursorShape.CrossCursor
        elif at is not None and (dot := self.board.dot_at(at.x(), at.y())) is not None:
            shape = keys.over_dot(dot)
        else:
            target = self.board.hit_at(at.x(), at.y()) if at is not None else None
            shape = keys.over(target)
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    def _show_tip(self, event: QHelpEvent) -> None:
        dot = self.board.dot_at(event.pos().x(), event.pos().y())
        target = self.board.hit_at(event.pos().x(), event.pos().y())
        text = ""
        sign = self.layers.sign_at(event.pos().x(), event.pos().y())
        if not self.tools.is_busy:
            if sign is not None and self.board.session is not None:
                said = words_of(self.board.session.document, sign.comment_id)
                text = "\n".join(comment.text for comment in said)
            elif dot is not None:
                text = keys.dot_tip(dot)
            elif target is not None and self.tools.tool != "point":
                text = keys.tip(target.shape)
        # Names are shown as they are written, also when they look like markup.
        QToolTip.showText(event.globalPos(), escape(text).replace("\n", "<br>"), self)

    def _new_chips(self) -> ChipPictures:
        return ChipPictures(self._hub.theme, self.font(), self.devicePixelRatioF())
