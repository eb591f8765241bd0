"""Points on the canvas: names, moving by key, trails, centering."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QStringListModel, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from annotator.domain import commands
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId
from annotator.ui.canvas.input.gestures import inside
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.point_board import (
    neighbor_point,
    point_to_place,
    selected_point,
    set_point,
)
from annotator.ui.canvas.model.point_marks import Dot, estimated, find_dot, places
from annotator.ui.canvas.painting.point_painter import Trail
from annotator.ui.canvas.zoom import Zooming

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.annotation.point_track import PointTrack
    from annotator.services.session import RunsChanged
    from annotator.ui.canvas.model.frame_annotations import CanvasBoard


class PointNameField(QLineEdit):
    """Takes a name with completion from the parts in use; Esc leaves the name as it was."""

    named = Signal(object, str)  # PointId, the name typed
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._point: PointId | None = None
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCompleter(completer)
        self.setAccessibleName(self.tr("Point name"))
        self.setPlaceholderText(self.tr("Name of the part"))
        self.setMaximumWidth(220)
        self.returnPressed.connect(self._finish)
        self.hide()

    def ask(self, point: PointId, name: str, names: Sequence[str], at: QPoint) -> None:
        """Show the field at a place of the parent, with the name selected."""
        self._finish()
        self._point = point
        self._names.setStringList(list(names))
        self.setText(name)
        self.selectAll()
        self.resize(190, self.sizeHint().height())
        room = self._over.rect().adjusted(4, 4, -4, -4)
        x = min(max(room.left(), at.x()), room.right() - self.width())
        y = min(max(room.top(), at.y()), room.bottom() - self.height())
        self.move(x, y)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._point = None
            self._finish()
            return
        super().keyPressEvent(event)
        # Left to the canvas, Enter would place another point.
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._finish()

    @Slot()
    def _finish(self) -> None:
        """Hand the name over, if there is one, and go."""
        point, self._point = self._point, None
        had_focus = self.hasFocus()
        if self.isVisible():
            self.hide()
            if point is not None and self.text().strip():
                self.named.emit(point, self.text().strip())
            if had_focus:
                self._over.setFocus(Qt.FocusReason.OtherFocusReason)
            self.closed.emit()


class PointTools(QObject):
    """Names and nudges points, and keeps one still while the video moves."""

    def __init__(self, board: CanvasBoard, zooming: Zooming, widget: QWidget) -> None:
        super().__init__(widget)
        self._board = board
        self._zooming = zooming
        self._widget = widget
        self._trail_frames = 0
        self._former: Viewport | None = None
        self._names_elsewhere: Callable[[str | None], Sequence[str]] = lambda _: ()
        self.name_field = PointNameField(widget)
        self.name_field.named.connect(self._on_point_named)

    # Trails

    def set_trail(self, frames: int) -> None:
        """Show the trail of the selected object's points over a number of frames."""
        self._trail_frames = frames
        self._widget.update()

    def trails(self) -> list[Trail]:
        """Return the trails of the points of the selected object."""
        board, n = self._board, self._trail_frames
        if board.session is None or board.index is None or not n:
            return []
        document, trails = board.session.document, []
        chosen = set(board.selection.tracks)
        for dot in board.dots:
            if dot.track_id not in chosen and dot.point_id not in board.selection.points:
                continue
            point = document.find_point(dot.point_id)
            if point is None:  # deleted a moment ago
                continue
            start = max(0, board.index - n)
            end = min(document.video.n_frames, board.index + n + 1)
            xy = places(board.session, point, start, end)
            trails.append(Trail(dot.color, xy, board.index - start))
        return trails

    # Keys

    def set_looping(self, is_on: bool) -> None:
        """Set whether every click places the selected point and steps to the next frame."""
        self._board.is_looping = is_on
        self._widget.update()

    def select_point(self, step: int) -> bool:
        """Select the point before (-1) or after (+1) of the object; False: it has none."""
        found = neighbor_point(self._board, step)
        if found is None or self._board.session is None:
            return False
        owner = self._board.session.document.point(found).info.track_id
        self._board.selection.set_points(owner, [found])
        return True

    def nudge_point(self, dx: float, dy: float) -> None:
        """Move the selected point by image pixels; quick repetitions are one undo step."""
        dot = self.selected_dot()
        if dot is None:
            self._board.message.emit(
                self.tr("The point is not placed on this frame. Click its position.")
            )
            return
        place = inside(self._board, Point(dot.xy.x + dx, dot.xy.y + dy))
        key = f"nudge-point:{dot.point_id}:{self._board.index}"
        set_point(self._board, replace(dot, xy=place), merge_key=key)

    def place_at_center(self) -> bool:
        """Place the current point at the center of the view, without a mouse."""
        view = self._board.viewport
        seen = Box.around(view.to_image(0, 0), view.to_image(view.width, view.height))
        center = seen.clipped(*self._board.size).center
        dot = point_to_place(self._board, center)
        if dot is None:
            self._board.message.emit(self.tr("Select the object that the point belongs to."))
            return False
        return set_point(self._board, replace(dot, xy=center))

    # Names

    def ask_point_name(self, point_id: PointId) -> None:
        """Let the person type a point's name beside it."""
        session = self._board.session
        point = session.document.find_point(point_id) if session else None
        if session is None or point is None:
            return
        names = self._names_for(session.document, point)
        dot = find_dot(self._board.dots, point_id)
        x, y = self._board.viewport.to_widget(dot.xy) if dot else (self._widget.width() / 2, 40)
        at = QPoint(round(x) + 14, round(y) + 14)
        self.name_field.ask(point_id, point.label, names, at)

    def set_point_names(self, names: Callable[[str | None], Sequence[str]]) -> None:
        """Set the source of suggested point names by the label of the object; None: no object."""
        self._names_elsewhere = names

    def _names_for(self, document: Document, point: PointTrack) -> list[str]:
        """Return the names to choose from: of such objects here, elsewhere, then all others."""
        owner = document.find_track(point.info.track_id) if point.info.track_id else None
        label = owner.label if owner is not None else None
        mates = {t.id for t in document.tracks if t.label == label} if owner else {None}
        others = [p for p in document.points if p.id != point.id]
        near = Counter(p.label for p in others if p.info.track_id in mates)
        rest = Counter(p.label for p in others)
        sources = near, self._names_elsewhere(label), rest
        every = (n for counts in sources for n in _by_use(counts))
        return [name for name in dict.fromkeys(every) if name != point.label]

    @Slot(object, str)
    def _on_point_named(self, point_id: PointId, name: str) -> None:
        session = self._board.session
        point = session.document.find_point(point_id) if session else None
        if point is not None and point.label != name:
            self._board.run(commands.SetPointInfo(point_id, label=name, frame=self._board.index))

    # The point-centered view

    @property
    def is_centered(self) -> bool:
        """True while the view follows the selected point."""
        return self._former is not None

    def set_centered(self, is_on: bool) -> None:
        """Keep the selected point in the middle from now on, or go back to the former view."""
        if is_on and self._former is None:
            self._former = self._board.viewport
            self._zooming.look(self._centered(self._board.viewport))
        elif not is_on and self._former is not None:
            former, self._former = self._former, None
            if former.is_fit:
                self._zooming.look(self._board.viewport.fitted())
            else:
                self._zooming.look(
                    self._board.viewport.looking_at(former.zoom, former.center_x, former.center_y)
                )

    def follow(self) -> None:
        """Bring the selected point to the middle again, if the view follows it."""
        if self.is_centered:
            self._zooming.look(self._centered(self._board.viewport))

    def _centered(self, viewport: Viewport) -> Viewport:
        """Return the view with the selected point in its middle, where it is known."""
        place = self._followed_place() if self.is_centered else None
        if place is None:
            return viewport
        return viewport.looking_at(viewport.zoom, place.x, place.y)

    def _followed_place(self) -> Point | None:
        board, point = self._board, selected_point(self._board)
        if board.session is None or board.index is None or point is None:
            return None
        dot = find_dot(board.dots, point.id)
        return dot.xy if dot is not None else estimated(point, board.index)

    # What changes

    def selected_dot(self) -> Dot | None:
        """Return the selected point as it is on screen."""
        return find_dot(self._board.dots, self._board.selection.primary_point)

    def on_runs_changed(self, news: RunsChanged) -> None:
        """Show proposals of points that changed on this frame, or in a trail."""
        index = self._board.index
        reach = self._trail_frames
        if index is not None and news.start - reach <= index < news.end + reach:
            self._board.refresh_dots()


def _by_use(names: Counter[str] | Sequence[str]) -> Sequence[str]:
    """Return counted names, most frequent first; a list that is in order stays so."""
    if isinstance(names, Counter):
        return sorted(names, key=lambda name: (-names[name], name))
    return names
