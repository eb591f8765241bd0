"""The numbers behind the curves of a point."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QApplication

from annotator.domain.commands import MarkPoints
from annotator.domain.geometry import Box, Point
from annotator.ui.timeline.curves import columns, curves
from tests.ui.drafts import Draft


def test_curves_know_speed_kinds_and_holes(qapp: QApplication, tmp_path: Path) -> None:
    draft = Draft(tmp_path)
    cup = draft.add("cup", (0, Box(10, 10, 60, 60)))
    point = draft.add_point(cup, "rim", *((f, Point(20 + 3 * f, 30 + 4 * f)) for f in range(8)))
    draft.session.run(MarkPoints(point, 5, 6, "occluded"))
    draft.session.run(MarkPoints(point, 6, 7, "outside"))
    seen = curves(draft.session, draft.session.document.point(point), 2, 8)
    assert seen.end == 8
    assert seen.speed[:3].tolist() == [5.0, 5.0, 5.0]
    assert np.isnan(seen.speed[3:]).all()
    assert seen.is_occluded.tolist() == [False, False, False, True, False, False]
    assert seen.is_outside.tolist() == [False, False, False, False, True, False]
    assert np.isnan(curves(draft.session, draft.session.document.point(point), 0, 2).speed[0])
    assert len(seen.jumps()) == 0
    draft.close()


def test_curves_end_where_a_mark_makes_proposals_occluded(
    qapp: QApplication, tmp_path: Path
) -> None:
    draft = Draft(tmp_path)
    cup = draft.add("cup", (0, Box(10, 10, 60, 60)))
    point = draft.add_point(cup, "rim", (0, Point(20, 30)), (9, Point(20, 30)))
    draft.propose_point(point, 1, [Point(20, 30)] * 8, confidence=0.6)
    draft.session.run(MarkPoints(point, 3, 4, "occluded"))
    seen = curves(draft.session, draft.session.document.point(point), 0, 10)
    assert np.isfinite(seen.xy[:, 0]).tolist() == [True, *[False] * 8, True]
    draft.close()


def test_a_jump_is_told_from_steady_speed(qapp: QApplication, tmp_path: Path) -> None:
    draft = Draft(tmp_path)
    cup = draft.add("cup", (0, Box(10, 10, 60, 60)))
    xs = [20.0 + 12 * f for f in range(10)] + [128.0 + f for f in range(10)]
    xs[15] += 20
    point = draft.add_point(cup, "rim", *((f, Point(x, 50)) for f, x in enumerate(xs)))
    seen = curves(draft.session, draft.session.document.point(point), 0, 20)
    assert seen.jumps().tolist() == [15, 16]
    draft.close()


def test_columns_lose_no_spike() -> None:
    x = np.arange(10_000) / 100
    values = np.sin(x)
    values[5_555] = 40
    values[100:300] = np.nan
    pixels, low, high = columns(x, values)
    assert len(pixels) == 98
    assert high.max() == 40
    assert pixels[high.argmax()] == 55
    assert (low <= high).all()
    assert len(columns(x, np.full(len(x), np.nan))[0]) == 0
