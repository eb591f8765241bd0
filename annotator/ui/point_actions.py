"""What the keys and menus do to points. While one is selected, the keys of boxes act on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from annotator.domain.commands import (
    AcceptPoints,
    ClearPoints,
    DeletePoints,
    MarkPoints,
    SetPoint,
    SetPointInfo,
)
from annotator.domain.ids import PointId
from annotator.domain.point_proposal import accepted_run, most_doubtful
from annotator.domain.point_track import PointTrack
from annotator.ui.action_table import ActionTable
from annotator.ui.canvas.dots import estimated, find_dot
from annotator.ui.canvas.view import CanvasView
from annotator.ui.desk import Desk
from annotator.ui.playback import Playback

if TYPE_CHECKING:
    from annotator.domain.commands import Command

# What actions are called while they act on a point.
_WORDS: Final = {
    "key.set": "Place the point here",
    "key.delete": "Clear the point's mark",
    "range.occluded": "Point occluded in the range",
    "range.outside": "Point out of view in the range",
    "range.delete-keys": "Clear the point's marks in the range",
    "track.rename": "Rename the point…",
    "track.hide": "Hide the point",
    "track.lock": "Lock the point",
    "track.delete": "Clear the point's mark here",
    "proposal.run": "Follow the points",
    "proposal.accept-to-key": "Accept up to the next placed frame",
    "object.next": "Next point",
    "object.previous": "Point before",
    "go.key-back": "Placed frame before",
    "go.key-forward": "Next placed frame",
    "box.move-left": "Move the point left",
    "box.move-right": "Move the point right",
    "box.move-up": "Move the point up",
    "box.move-down": "Move the point down",
    "box.narrower": "Move the point left by a tenth",
    "box.wider": "Move the point right by a tenth",
    "box.lower": "Move the point up by a tenth",
    "box.higher": "Move the point down by a tenth",
}


class PointActions(QObject):
    """Handlers of the menu Points, and those that take a key over while a point is selected."""

    def __init__(
        self, desk: Desk, table: ActionTable, canvas: CanvasView, playback: Playback
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._table = table
        self._canvas = canvas
        self._playback = playback
        self._looked_at: dict[PointId, set[int]] = {}
        table.on("point.loop", self._loop)
        table.on("point.centre", self._centre)
        table.on("point.delete", self._delete)
        for action_id, act in self._taken_over().items():
            table.before(action_id, act)
        canvas.pointPlaced.connect(self._on_point_placed)
        canvas.pointClicked.connect(self._on_point_clicked)
        desk.stageChanged.connect(self._on_stage_changed)
        desk.settings.changed.add(self._on_setting_changed)
        self._on_setting_changed("points.trail")

    def _taken_over(self) -> dict[str, Callable[[], bool]]:
        act = self._on_point
        return {
            "track.occluded": act(self._toggle_occluded),
            "track.outside": act(self._toggle_outside),
            "key.set": act(self._place_here),
            "key.delete": act(self._clear_here),
            "track.delete": act(self._clear_here),
            "range.occluded": act(self._occlude_range),
            "range.outside": act(self._outside_range),
            "range.delete-keys": act(self._clear_range),
            "track.rename": act(lambda p: self._canvas.ask_point_name(p.id)),
            "track.hide": act(self._toggle_hidden),
            "track.lock": act(self._toggle_locked),
            "proposal.accept": act(lambda p: self._accept(p, self._here, self._here + 1)),
            "proposal.accept-to-here": act(self._accept_to_here),
            "proposal.accept-to-key": act(self._accept_to_key),
            "proposal.accept-all": act(lambda p: self._accept(p, 0, self._desk.n_frames)),
            "proposal.dismiss": act(self._dismiss),
            "proposal.run": act(self._follow),
            "proposal.doubtful": act(self._go_doubtful),
            "go.key-back": act(lambda p: self._go_mark(p, 0)),
            "go.key-forward": act(lambda p: self._go_mark(p, 1)),
            "go.gap-middle": act(self._go_gap_middle),
            "app.stop": self._stop,
        }

    def refresh(self) -> None:
        """Say in menus and tooltips what the keys act on now."""
        point = self._desk.point
        for action_id, words in _WORDS.items():
            spec = self._table.spec(action_id)
            self._table.set_text(action_id, self.tr(words) if point is not None else spec.text)
        if point is None:
            return
        mark = point.mark(self._here)
        self._table.set_checked("track.occluded", mark is not None and mark.occluded)
        self._table.set_checked("track.outside", mark is not None and mark.outside)
        self._table.set_checked("track.hide", point.info.is_hidden)
        self._table.set_checked("track.lock", point.info.is_locked)

    @property
    def _here(self) -> int:
        return self._desk.frame

    def _on_point(self, act: Callable[[PointTrack], object]) -> Callable[[], bool]:
        """Return a handler that acts on the selected point; False: there is none."""

        def handler() -> bool:
            point = self._desk.point
            if point is None:
                return False
            act(point)
            self.refresh()
            return True

        return handler

    def _run(self, command: Command) -> None:
        self._desk.run(command)

    # Marks

    @Slot(object)
    def _on_point_clicked(self, point_id: PointId) -> None:
        point = self._desk.point
        if point is not None and point.id == point_id and self._desk.can_edit:
            self._toggle_occluded(point)

    def _span(self) -> tuple[int, int]:
        """Return this frame, or the marked range round it."""
        span = self._desk.range
        if span is not None and span[0] <= self._here < span[1]:
            return span
        return (self._here, self._here + 1)

    def _toggle_occluded(self, point: PointTrack) -> None:
        mark = point.mark(self._here)
        state = "visible" if mark is not None and mark.occluded else "occluded"
        self._run(MarkPoints(point.id, *self._span(), state))

    def _toggle_outside(self, point: PointTrack) -> None:
        mark = point.mark(self._here)
        if mark is not None and mark.outside:
            self._run(ClearPoints(point.id, *self._span()))
        else:
            self._run(MarkPoints(point.id, *self._span(), "outside"))

    def _place_here(self, point: PointTrack) -> None:
        """Fix the point by hand where it is shown, or between its neighbours."""
        dot = find_dot(self._canvas.board.dots, point.id)
        place = dot.xy if dot is not None else estimated(point, self._here)
        if place is None:
            self._desk.said.emit(self.tr("Press P and click where the point is."))
            return
        self._run(SetPoint(point.id, self._here, place))

    def _clear_here(self, point: PointTrack) -> None:
        if point.mark(self._here) is None:
            self._desk.said.emit(self.tr("The point has no mark on this frame."))
            return
        self._run(ClearPoints(point.id, self._here, self._here + 1))

    def _occlude_range(self, point: PointTrack) -> None:
        span = self._desk.range
        if span is not None:
            mark = point.mark(span[0])
            state = "visible" if mark is not None and mark.occluded else "occluded"
            self._run(MarkPoints(point.id, *span, state))

    def _outside_range(self, point: PointTrack) -> None:
        span = self._desk.range
        if span is not None:
            self._run(MarkPoints(point.id, *span, "outside"))

    def _clear_range(self, point: PointTrack) -> None:
        span = self._desk.range
        if span is not None:
            self._run(ClearPoints(point.id, *span))

    # The point itself

    def _toggle_hidden(self, point: PointTrack) -> None:
        self._run(SetPointInfo(point.id, is_hidden=not point.info.is_hidden))

    def _toggle_locked(self, point: PointTrack) -> None:
        self._run(SetPointInfo(point.id, is_locked=not point.info.is_locked))

    def _delete(self) -> None:
        points = self._desk.selection.points
        if points:
            self._run(DeletePoints(points, frame=self._here))

    # Proposals

    def _accept(self, point: PointTrack, start: int, end: int) -> None:
        session = self._desk.session
        pending = session.pending_points(point.id) if session else []
        wanted = [p for p in pending if start <= p.frame < end]
        if not wanted:
            self._desk.said.emit(self.tr("There are no proposals to accept there."))
            return
        self._run(AcceptPoints(point.id, accepted_run(wanted), frame=self._here))

    def _accept_to_here(self, point: PointTrack) -> None:
        before, _ = point.path.human_around(self._here)
        self._accept(point, 0 if before is None else before + 1, self._here + 1)

    def _accept_to_key(self, point: PointTrack) -> None:
        _, after = point.path.human_around(self._here)
        self._accept(point, self._here, self._desk.n_frames if after is None else after)

    def _dismiss(self, _point: PointTrack) -> None:
        self._desk.said.emit(self.tr("Drag the point to where it is, or mark it occluded."))

    def _follow(self, _point: PointTrack) -> None:
        """Make the proposals of the selected points again."""
        proposing = self._desk.stage.proposing if self._desk.stage else None
        if proposing is None:
            self._desk.said.emit(self.tr("Proposals need the video's file."))
            return
        proposing.rerun_points(self._desk.selection.points)
        if proposing.status.is_paused:
            proposing.resume()

    def _go_doubtful(self, point: PointTrack) -> None:
        session = self._desk.session
        pending = session.pending_points(point.id) if session else []
        seen = self._looked_at.setdefault(point.id, set())
        worst = most_doubtful(pending, skip=seen)
        if worst is None:
            seen.clear()
            worst = most_doubtful(pending)
            if worst is None:
                self._desk.said.emit(self.tr("This point has no proposals."))
                return
            self._desk.said.emit(self.tr("All doubtful frames seen: from the worst again."))
        seen.update(range(worst.frame - 3, worst.frame + 4))
        self._playback.pause()
        self._playback.seek(worst.frame)

    # Moving about

    def _go_mark(self, point: PointTrack, side: int) -> None:
        found = point.path.human_around(self._playback.here)[side]
        if found is not None:
            self._playback.seek(found)

    def _go_gap_middle(self, point: PointTrack) -> None:
        lower, upper = point.path.human_around(self._playback.here)
        if lower is not None and upper is not None and upper - lower > 1:
            self._playback.seek((lower + upper) // 2)

    def _stop(self) -> bool:
        if self._canvas.cancel():
            return True
        if not self._desk.selection.points:
            return False
        self._desk.selection.drop_points()
        return True

    # Ways to work

    def _loop(self) -> None:
        is_on = self._table.action("point.loop").isChecked()
        self._canvas.set_looping(is_on)
        if is_on:
            self._table.run("tool.point")

    def _centre(self) -> None:
        self._canvas.set_centred(self._table.action("point.centre").isChecked())

    @Slot(object, bool)
    def _on_point_placed(self, _point: PointId, _is_new: bool) -> None:
        """In a loop, go on to the next frame."""
        stage = self._desk.stage
        if stage is not None and self._table.action("point.loop").isChecked():
            stage.player.step(1)

    @Slot()
    def _on_stage_changed(self) -> None:
        self._looked_at.clear()
        self._table.set_checked("point.centre", False)
        self._canvas.set_centred(False)

    def _on_setting_changed(self, key: str) -> None:
        if key == "points.trail":
            self._canvas.set_trail(self._desk.settings.whole("points.trail"))
