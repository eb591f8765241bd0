"""Placing of points: selects point and object, and creates the command."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from annotator.domain import commands
from annotator.domain.annotation.point_track import PointMark, PointTrack
from annotator.domain.annotation.track import Source, Track
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, TrackId, point_id
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.point_marks import Dot, DotLook, dot_at

# Placeholder for the point that a click would create.
NEW_POINT = PointId("")


def selected_point(board: CanvasBoard) -> PointTrack | None:
    """Return the point that keys act on."""
    chosen = board.selection.primary_point
    if board.session is None or chosen is None:
        return None
    return board.session.document.find_point(chosen)


def point_to_place(board: CanvasBoard, at: Point, *, force_new: bool = False) -> Dot | None:
    """Return the target of a click: the selected point, or a new one (``NEW_POINT``).

    The selected point is meant while a person has not placed it on this frame yet, and always in
    a loop. A new one belongs to the selected object, else to the smallest one under the click;
    None where there is no such object. In a video without objects it belongs to none.
    """
    if board.session is None or board.index is None:
        return None
    point = selected_point(board)
    if point is not None and not force_new and not board.forces_new:
        mark = point.mark(board.index)
        is_done = mark is not None and mark.is_visible and mark.source is Source.HUMAN
        if board.is_looping or not is_done:
            return _dot_of(board, point, at)
    document, owner = board.session.document, _owner(board, at)
    if owner is None and document.tracks:
        return None
    owner_id = None if owner is None else owner.id
    ordinal = sum(p.info.track_id == owner_id for p in document.points)
    label = QCoreApplication.translate("canvas", "point {n}").format(n=ordinal + 1)
    number = document.next_point_number()
    dot = Dot(NEW_POINT, owner_id, label, number, number - 1, ordinal, at, DotLook.HUMAN)
    if owner is None:
        return dot
    if owner.info.is_locked:
        return replace(dot, label=owner.label, color=owner.info.color, locked=True)
    return replace(dot, color=owner.info.color)


def set_point(board: CanvasBoard, dot: Dot, *, merge_key: str | None = None) -> bool:
    """Set a point on this frame at the dot; accepted frames around it are reopened."""
    if board.session is None or board.index is None:
        return False
    if dot.point_id == NEW_POINT:
        return _create(board, dot)
    point = board.session.document.find_point(dot.point_id)
    mark = point.mark(board.index) if point is not None else None
    command = board.session.point_command(dot.point_id, board.index, dot.xy, merge_key)
    is_there = mark == PointMark(dot.xy)
    is_applied = is_there or board.run(command)
    if is_applied and merge_key is None:
        board.placed.emit(dot.point_id, False)
    return is_applied


def take_over(board: CanvasBoard, dot: Dot) -> bool:
    """Accept the proposal for a point on this frame."""
    if board.session is None or board.index is None:
        return False
    proposed = board.session.pending_point_at(dot.point_id, board.index)
    if proposed is None:
        return False
    return board.run(
        commands.AcceptPoints(dot.point_id, accepted_run([proposed]), frame=board.index)
    )


def placing_hint(board: CanvasBoard, at: Point) -> str:
    """Return a short text about the effect of a click."""
    tr = QCoreApplication.translate
    dot = point_to_place(board, at)
    if dot is None:
        return tr("canvas", "Select an object first")
    if dot.point_id != NEW_POINT:
        return tr("canvas", "Place “{name}” (Alt: new point)").format(name=dot.label)
    owner = _track(board, dot.track_id)
    if owner is None:
        return tr("canvas", "New point")
    return tr("canvas", "New point on “{name}”").format(name=owner.label)


def neighbor_point(board: CanvasBoard, step: int) -> PointId | None:
    """Return the point before (-1) or after (+1) the selected one, going round its object."""
    if board.session is None:
        return None
    point = selected_point(board)
    owner = point.info.track_id if point is not None else board.selection.primary
    ids = [p.id for p in board.session.document.points if p.info.track_id == owner]
    if not ids:
        return None
    if point is None:
        return ids[0] if step > 0 else ids[-1]
    return ids[(ids.index(point.id) + step) % len(ids)]


def _create(board: CanvasBoard, dot: Dot) -> bool:
    if board.index is None:
        return False
    new = point_id()
    if not board.run(commands.CreatePoint(new, dot.track_id, dot.label, board.index, dot.xy)):
        return False
    board.forces_new = False
    board.selection.set_points(dot.track_id, [new])
    board.placed.emit(new, True)
    return True


def _dot_of(board: CanvasBoard, point: PointTrack, at: Point) -> Dot:
    """Return a point as it would be drawn at another place."""
    assert board.session is not None
    assert board.index is not None
    document = board.session.document
    owner = _track(board, point.info.track_id)
    siblings = [p.id for p in document.points if p.info.track_id == point.info.track_id]
    ordinal = siblings.index(point.id)
    dot = dot_at(board.session, point, owner, ordinal, board.index)
    if dot is not None:
        return replace(dot, xy=at, look=DotLook.HUMAN, occluded=False, confidence=None)
    info = point.info
    color = owner.info.color if owner is not None else info.color
    is_locked = info.is_locked or (owner is not None and owner.info.is_locked)
    return Dot(
        info.id,
        info.track_id,
        info.label,
        info.number,
        color,
        ordinal,
        at,
        DotLook.HUMAN,
        locked=is_locked,
    )


def _owner(board: CanvasBoard, at: Point) -> Track | None:
    chosen = _track(board, board.selection.primary)
    if chosen is not None:
        return chosen
    present = [s for s in board.shapes if s.is_present]
    under = [s for s in present if s.box.x1 <= at.x <= s.box.x2 and s.box.y1 <= at.y <= s.box.y2]
    if under:
        return _track(board, min(under, key=lambda s: s.box.area).track_id)
    return _track(board, present[0].track_id) if len(present) == 1 else None


def _track(board: CanvasBoard, track_id: TrackId | None) -> Track | None:
    if board.session is None or track_id is None:
        return None
    return board.session.document.find_track(track_id)
