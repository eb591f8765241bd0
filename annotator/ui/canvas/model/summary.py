"""The canvas in words, for screen readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QCoreApplication

from annotator.ui.canvas.model.point_marks import Dot, DotLook
from annotator.ui.canvas.model.shapes import Shape, ShapeStyle

_MOST_NAMED = 12


def summary(
    index: int | None,
    shapes: Sequence[Shape],
    selected: Collection[str] = (),
    dots: Sequence[Dot] = (),
    *,
    has_boxes: bool = True,
) -> str:
    """Return a sentence such as "Frame 120, 3 boxes: cup 1, hand 2 (occluded). 1 point: …".

    ``has_boxes`` is false in a task without boxes: none are counted then.
    """
    tr = QCoreApplication.translate
    if index is None:
        return tr("canvas", "No video")
    present = [s for s in shapes if s.is_present]
    absent_shapes = [s for s in shapes if not s.is_present]
    count = (tr("canvas", "1 box") if len(present) == 1 else tr("canvas", "{n} boxes")).format(
        n=len(present)
    )
    text = tr("canvas", "Frame {index}, {count}").format(index=index, count=count)
    if not has_boxes and not shapes:
        text = tr("canvas", "Frame {index}").format(index=index)
    if present:
        named = [_described(s, s.track_id in selected) for s in present[:_MOST_NAMED]]
        text += ": " + _listed(named, len(present))
    text += "."
    if dots:
        points = tr("canvas", "1 point") if len(dots) == 1 else tr("canvas", "{n} points")
        named = [_dot_described(d, d.point_id in selected) for d in dots[:_MOST_NAMED]]
        text += f" {points.format(n=len(dots))}: {_listed(named, len(dots))}."
    if absent_shapes:
        names = _listed([_name(s) for s in absent_shapes[:_MOST_NAMED]], len(absent_shapes))
        text += " " + tr("canvas", "Out of view: {names}.").format(names=names)
    return text


def _described(shape: Shape, is_selected: bool) -> str:
    tr = QCoreApplication.translate
    marks = []
    if is_selected:
        marks.append(tr("canvas", "selected"))
    if shape.look is ShapeStyle.PROPOSED and shape.confidence is not None:
        percent = round(100 * shape.confidence)
        marks.append(tr("canvas", "proposed, {percent}%").format(percent=percent))
    elif shape.is_outdated:
        marks.append(tr("canvas", "outdated proposal"))
    if shape.occluded:
        marks.append(tr("canvas", "occluded"))
    if shape.locked and not shape.given:
        marks.append(tr("canvas", "locked"))
    return _name(shape) + (f" ({', '.join(marks)})" if marks else "")


def _dot_described(dot: Dot, is_selected: bool) -> str:
    tr = QCoreApplication.translate
    marks = [tr("canvas", "selected")] if is_selected else []
    if dot.look is DotLook.PROPOSED:
        percent = round(100 * (dot.confidence or 0.0))
        marks.append(tr("canvas", "proposed, {percent}%").format(percent=percent))
    elif dot.look is DotLook.OUTDATED:
        marks.append(tr("canvas", "outdated proposal"))
    if dot.occluded:
        marks.append(tr("canvas", "occluded"))
    if dot.locked:
        marks.append(tr("canvas", "locked"))
    return dot.full_name + (f" ({', '.join(marks)})" if marks else "")


def _name(shape: Shape) -> str:
    return f"{shape.label} {shape.number}"


def _listed(names: list[str], n: int) -> str:
    """Return the first names of ``n`` in a row, and how many more there are."""
    if len(names) == n:
        return ", ".join(names)
    more = QCoreApplication.translate("canvas", "and {n} more")
    return ", ".join(names) + " " + more.format(n=n - len(names))
