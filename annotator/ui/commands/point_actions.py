"""Handlers of actions on points; while a point is selected, keys of boxes apply to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot

from annotator.domain.annotation.point_track import PointTrack, open_point_gaps
from annotator.domain.annotation.segment import DISMISSED
from annotator.domain.commands import (
    AcceptPoints,
    ClearPoints,
    DeletePoints,
    DismissRange,
    MarkPoints,
    SetPoint,
    SetPointInfo,
    Together,
)
from annotator.domain.ids import PointId
from annotator.domain.proposals.gallery import POINT_REACH
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.domain.recipes.recipe import Tool
from annotator.services.assist.point_plan import dismissal
from annotator.ui.actions.keymap import shown
from annotator.ui.actions.table import ActionTable
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.canvas.model.point_marks import estimated, find_dot
from annotator.ui.commands.edit_actions import WorkActions
from annotator.ui.commands.playback_actions import Playback
from annotator.ui.state.workspace import Workspace

if TYPE_CHECKING:
    from annotator.domain.commands import Command

# What actions are called while they act on a point.
_WORDS: Final = {
    "key.set": "Place point here",
    "key.delete": "Clear point on this frame",
    "range.occluded": "Mark point occluded in range",
    "range.outside": "Mark point out of view in range",
    "range.delete-keys": "Clear point in range",
    "track.rename": "Rename point…",
    "track.hide": "Hide point",
    "track.lock": "Lock point",
    "track.delete": "Clear point here",
    "proposal.run": "Track points",
    "proposal.accept-to-key": "Accept up to the next manual frame",
    "proposal.dismiss": "Dismiss between manual frames",
    "object.next": "Next point",
    "object.previous": "Previous point",
    "go.key-back": "Previous manual frame",
    "go.key-forward": "Next manual frame",
    "box.move-left": "Move point left",
    "box.move-right": "Move point right",
    "box.move-up": "Move point up",
    "box.move-down": "Move point down",
    "box.narrower": "Move point left by 0.1 pixel",
    "box.wider": "Move point right by 0.1 pixel",
    "box.lower": "Move point up by 0.1 pixel",
    "box.higher": "Move point down by 0.1 pixel",
}


class PointActions(WorkActions):
    """Handlers of the menu Points, and of keys with another meaning for a selected point.

    Toggles follow the primary point; all selected ones get its new state.
    """

    def __init__(
        self, workspace: Workspace, table: ActionTable, canvas: CanvasView, playback: Playback
    ) -> None:
        super().__init__(workspace, table, canvas, playback)
        table.on("point.loop", self._loop)
        table.on("point.center", self._center)
        table.on("point.delete", self._delete)
        for action_id, act in self._taken_over().items():
            table.before(action_id, act)
        canvas.points.set_point_names(self._names_in_project)
        canvas.pointPlaced.connect(self._on_point_placed)
        canvas.pointClicked.connect(self._on_point_clicked)
        workspace.stageChanged.connect(self._on_stage_changed)
        workspace.settings.changed.add(self._on_setting_changed)
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
            "track.rename": act(lambda p: self._canvas.points.ask_point_name(p.id)),
            "track.hide": act(self._toggle_hidden),
            "track.lock": act(self._toggle_locked),
            "proposal.accept": act(lambda _: self._accept(self._one_frame)),
            "proposal.accept-to-here": act(self._accept_to_here),
            "proposal.accept-to-key": act(self._accept_to_key),
            "proposal.accept-all": act(lambda _: self._accept(self._all_frames)),
            "proposal.dismiss": act(self._dismiss),
            "proposal.accept-range": act(lambda _: self._accept(self._marked)),
            "proposal.dismiss-range": act(self._dismiss_range),
            "proposal.run": act(self._follow),
            "proposal.doubtful": act(self._go_doubtful),
            "go.key-back": act(lambda p: self._go_stop(p, -1)),
            "go.key-forward": act(lambda p: self._go_stop(p, 1)),
            "go.gap-middle": act(self._go_gap_middle),
            "app.stop": self._stop,
        }

    def refresh(self) -> None:
        """Update menu and tooltip texts for the present target of the keys."""
        point = self._workspace.point
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

    def _on_point(self, act: Callable[[PointTrack], object]) -> Callable[[], bool]:
        """Return a handler that acts on the selected point; False: there is none."""

        def handler() -> bool:
            point = self._workspace.point
            if point is None:
                return False
            act(point)
            self.refresh()
            return True

        return handler

    def _points(self) -> list[PointTrack]:
        """Return all selected points."""
        session, ids = self._workspace.session, self._workspace.selection.points
        found = [session.document.find_point(p) for p in ids] if session else []
        return [p for p in found if p is not None]

    def _run(self, command: Callable[[PointTrack], Command], frame: int | None = None) -> None:
        """Do the same to all selected points, in one step; ``frame`` is where undo goes."""
        commands = tuple(command(p) for p in self._points())
        if commands:
            self._workspace.run(Together(commands, self._here if frame is None else frame))

    # Marks

    @Slot(object)
    def _on_point_clicked(self, point_id: PointId) -> None:
        point = self._workspace.point
        if point is not None and point.id == point_id and self._workspace.may_change(Tool.POINTS):
            self._toggle_occluded(point)

    def _span(self) -> tuple[int, int]:
        """Return this frame, or the marked range round it."""
        span = self._workspace.range
        if span is not None and span[0] <= self._here < span[1]:
            return span
        return (self._here, self._here + 1)

    def _toggle_occluded(self, point: PointTrack) -> None:
        """Mark all selected points occluded; visible again where all of them are occluded."""
        self._mark(self._span(), self._occluded_or_back(point, self._here))

    def _occluded_or_back(self, point: PointTrack, frame: int) -> str:
        marks = [p.mark(frame) for p in self._points()] or [point.mark(frame)]
        is_all = all(mark is not None and mark.occluded for mark in marks)
        return "visible" if is_all else "occluded"

    def _toggle_outside(self, point: PointTrack) -> None:
        """Mark all selected points out of view; clear them where all of them are."""
        marks = [p.mark(self._here) for p in self._points()] or [point.mark(self._here)]
        span = self._span()
        if all(mark is not None and mark.outside for mark in marks):
            self._run(lambda p: ClearPoints(p.id, *span), span[0])
        else:
            self._mark(span, "outside")

    def _mark(self, span: tuple[int, int], state: str) -> None:
        self._run(lambda p: MarkPoints(p.id, *span, state), span[0])

    def _place_here(self, _point: PointTrack) -> None:
        """Fix the points by hand where they are shown, or between their neighbors."""
        dots = self._canvas.board.dots
        commands: list[Command] = []
        for point in self._points():
            dot = find_dot(dots, point.id)
            place = dot.xy if dot is not None else estimated(point, self._here)
            if place is not None:
                commands.append(SetPoint(point.id, self._here, place))
        if not commands:
            self._workspace.message.emit(self.tr("Press P and click the position of the point."))
            return
        self._workspace.run(Together(tuple(commands), self._here))

    def _clear_here(self, _point: PointTrack) -> None:
        if all(p.mark(self._here) is None for p in self._points()):
            self._workspace.message.emit(self.tr("The point is not annotated on this frame."))
            return
        self._run(lambda p: ClearPoints(p.id, self._here, self._here + 1))

    def _occlude_range(self, point: PointTrack) -> None:
        span = self._workspace.range
        if span is not None:
            self._mark(span, self._occluded_or_back(point, span[0]))

    def _outside_range(self, _point: PointTrack) -> None:
        if self._workspace.range is not None:
            self._mark(self._workspace.range, "outside")

    def _clear_range(self, _point: PointTrack) -> None:
        span = self._workspace.range
        if span is not None:
            self._run(lambda p: ClearPoints(p.id, *span), span[0])

    # The point itself

    def _toggle_hidden(self, _point: PointTrack) -> None:
        is_hidden = not all(p.info.is_hidden for p in self._points())
        self._run(lambda p: SetPointInfo(p.id, is_hidden=is_hidden))

    def _toggle_locked(self, _point: PointTrack) -> None:
        is_locked = not all(p.info.is_locked for p in self._points())
        self._run(lambda p: SetPointInfo(p.id, is_locked=is_locked))

    def _names_in_project(self, object_label: str | None) -> list[str]:
        project = self._workspace.project
        return project.point_names(object_label) if project is not None else []

    def _delete(self) -> None:
        points = self._workspace.selection.points
        if points:
            self._workspace.run(DeletePoints(points, frame=self._here))

    # Proposals

    def _one_frame(self, _point: PointTrack) -> tuple[int, int]:
        return (self._here, self._here + 1)

    def _all_frames(self, _point: PointTrack) -> tuple[int, int]:
        return (0, self._workspace.n_frames)

    def _accept(self, span_of: Callable[[PointTrack], tuple[int, int]]) -> None:
        """Accept the proposals of the selected points, of each on the span given for it."""
        session = self._workspace.session
        commands: list[Command] = []
        for point in self._points():
            start, end = span_of(point)
            pending = session.pending_points(point.id) if session else []
            wanted = [p for p in pending if start <= p.frame < end]
            if wanted:
                commands.append(AcceptPoints(point.id, accepted_run(wanted), frame=self._here))
        self._accept_together(commands)

    def _accept_to_here(self, _point: PointTrack) -> None:
        def span(point: PointTrack) -> tuple[int, int]:
            before, _ = point.path.human_around(self._here)
            return (0 if before is None else before + 1, self._here + 1)

        self._accept(span)

    def _accept_to_key(self, _point: PointTrack) -> None:
        def span(point: PointTrack) -> tuple[int, int]:
            _, after = point.path.human_around(self._here)
            return (self._here, self._workspace.n_frames if after is None else after)

        self._accept(span)

    def _dismiss(self, _point: PointTrack) -> None:
        """Make do without proposals between the places round this frame."""
        session, stage = self._workspace.session, self._workspace.stage
        if session is None or stage is None or not self._workspace.may_change(Tool.POINTS):
            return
        if self._dismiss_of_models():
            return
        n_frames = self._workspace.n_frames
        gaps = [
            gap
            for point in self._points()
            for gap in open_point_gaps(point, n_frames)
            if gap.start <= self._here < gap.end
        ]
        if not gaps:
            self._workspace.message.emit(self.tr("No proposals to dismiss here."))
            return
        for gap in gaps:
            session.point_runs.replace(gap.point_id, (gap.start, gap.end), [dismissal(gap)])
        if stage.proposing is not None:
            stage.proposing.replan_points([gap.point_id for gap in gaps])
        self._workspace.message.emit(
            self.tr(
                "Proposals between the manual frames around this frame are dismissed. Press "
                "{key} to track again."
            ).format(key=self._key_of("proposal.run"))
        )

    def _marked(self, _point: PointTrack) -> tuple[int, int]:
        return self._workspace.range or (0, 0)

    def _dismiss_range(self, _point: PointTrack) -> None:
        span, points = self._workspace.range, tuple(p.id for p in self._points())
        if span is not None and points:
            self._workspace.run(DismissRange((), span, points, span[0]))

    def _dismiss_of_models(self) -> bool:
        """Dismiss the remaining proposals of models; False without any."""
        session = self._workspace.session
        if session is None:
            return False
        proposed_ids = tuple(p.id for p in self._points() if p.is_proposed)
        pending_runs = [
            run
            for p in self._points()
            if not p.is_proposed
            for run in session.point_runs.of(p.id)
            if run.origin.is_file and session.n_pending_points(p.id)
        ]
        if proposed_ids:
            self._workspace.run(DeletePoints(proposed_ids, frame=self._here))
        for run in pending_runs:
            session.point_runs.replace(run.point_id, (run.start, run.end), [])
        return bool(proposed_ids or pending_runs)

    def _follow(self, _point: PointTrack) -> None:
        """Make the proposals of the selected points again."""
        dismissed = tuple(p.id for p in self._points() if DISMISSED in p.info.extra)
        chosen = self._workspace.selection.points
        self._track_again(
            DismissRange((), None, dismissed), lambda proposing: proposing.rerun_points(chosen)
        )

    def _go_doubtful(self, point: PointTrack) -> None:
        session = self._workspace.session
        if session is None:
            return
        nothing = self.tr("This point has no proposals.")
        pending = session.pending_points
        self._go_to_doubt(point.id, pending, reach=POINT_REACH, nothing=nothing)

    # Moving about

    def _go_stop(self, point: PointTrack, step: int) -> None:
        """Go to a frame that was placed, or where the point was said to be hidden from."""
        found = point.path.stop_beside(self._playback.here, step)
        if found is not None:
            self._playback.seek(found)

    def _go_gap_middle(self, point: PointTrack) -> None:
        lower, upper = point.path.human_around(self._playback.here)
        if lower is not None and upper is not None and upper - lower > 1:
            self._playback.seek((lower + upper) // 2)

    def _stop(self) -> bool:
        if self._canvas.tools.cancel():
            return True
        if not self._workspace.selection.points:
            return False
        self._workspace.selection.drop_points()
        return True

    # Ways to work

    def _loop(self) -> None:
        is_on = self._table.action("point.loop").isChecked()
        self._canvas.points.set_looping(is_on)
        if is_on:
            self._table.run("tool.point")

    def _center(self) -> None:
        self._canvas.points.set_centered(self._table.action("point.center").isChecked())

    @Slot(object, bool)
    def _on_point_placed(self, _point: PointId, _is_new: bool) -> None:
        """Step to the next frame if placing repeats."""
        stage = self._workspace.stage
        if stage is not None and self._table.action("point.loop").isChecked():
            stage.player.step(1)

    @Slot()
    def _on_stage_changed(self) -> None:
        self._table.set_checked("point.center", False)
        self._canvas.points.set_centered(False)

    def _key_of(self, action_id: str) -> str:
        return " / ".join(shown(key) for key in self._table.keymap.keys(action_id)) or action_id

    def _on_setting_changed(self, key: str) -> None:
        if key == "points.trail":
            self._canvas.points.set_trail(self._workspace.settings.whole("points.trail"))
