"""How long placing a point takes from the mouse event to the painted picture and lanes.

The bound is 16 ms for 95 of 100 clicks, with 200 tracks and 60 dense point tracks on the picture,
trails on and the lens under the cursor; and again with the lanes of an hour beside the picture:
500 tracks, 60 points with a mark on every frame and 2,000 segments. Like the other measurements of
painting it is put on the time that the main thread itself computes; the time by the clock is
printed too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import PointInfo, PointPath, PointRun, PointTrack
from annotator.domain.annotation.track import Track
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id
from tests.benchmarks.bench_paint import (
    N_FRAMES,
    SIZE,
    canvas,
    dense_tracks,
    hour_timeline,
    measured,
)
from tests.ui.drafts import Draft, picture

N_POINTS = 60
LIMIT_MS = 16.0
LENS_LIMIT_MS = 4.0


@pytest.fixture
def draft(qapp: QApplication, tmp_path: Path) -> Iterator[Draft]:
    made = Draft(tmp_path, size=SIZE, n_frames=N_FRAMES)
    yield made
    made.close()


def dense_points(tracks: list[Track]) -> list[PointTrack]:
    """Return points with an accepted mark on every frame, ten to an object."""
    found = []
    frames = np.arange(N_FRAMES)
    for number in range(N_POINTS):
        owner = tracks[number // 10]
        x = 960 + 700 * np.sin(number + frames / 90)
        y = 540 + 400 * np.cos(number * 1.7 + frames / 70)
        run = PointRun(0, np.stack([x, y], axis=1), np.full(N_FRAMES, 2, np.uint8))
        info = PointInfo(point_id(), owner.id, f"part {number % 10}", number + 1, number)
        found.append(PointTrack(info, PointPath().with_run(run)))
    return found


def test_a_point_is_placed_and_painted_in_time(draft: Draft) -> None:
    tracks = dense_tracks(30)
    points = dense_points(tracks)
    cup = draft.add("cup", (0, tracks[0].keyframes[0].box))  # type: ignore[arg-type]
    document = draft.session.document
    real = document.track(cup)
    draft.session.document = Document(
        document.draft_id, document.video, [real, *tracks], points=points
    )
    view = canvas(draft)
    view.points.set_trail(15)
    view.tools.set_tool("point")
    view.points.set_looping(True)
    own = draft.add_point(cup, "rim", (0, tracks[0].keyframes[0].box.center))  # type: ignore[union-attr]
    view.board.selection.set_points(cup, [own])
    shown = [picture(f, SIZE, shown=view.zooming.target_size()) for f in range(60)]

    def one(frame: int) -> None:
        at = QPoint(40 + 15 * frame, 60 + 7 * frame)
        QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier, at)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        view.repaint()

    def go(frame: int) -> None:
        view.show_picture(shown[frame])
        view.repaint()

    def hover(frame: int) -> None:
        QTest.mouseMove(view, QPoint(300 + frame, 200 + frame))
        view.repaint()

    go(0)
    placing = measured(one, range(1, 40))
    showing = measured(go, range(60))
    with_lens = measured(hover, range(60))
    view.tools.set_tool("select")
    without = measured(hover, range(60, 120))
    lens = with_lens.p95 - without.p95
    sys.stdout.write(f"\nplacing a point: {placing}\nnext frame: {showing}\n")
    sys.stdout.write(f"mouse move with the lens: {with_lens}; lens {lens:.2f} ms\n")
    assert placing.p95 <= LIMIT_MS
    assert lens <= LENS_LIMIT_MS
    view.close()


def test_a_point_is_placed_among_the_lanes_of_an_hour_in_time(draft: Draft) -> None:
    cup = draft.add("cup", (0, Box(400, 300, 700, 600)))
    own = draft.add_point(cup, "rim", (0, Point(450, 350)))
    real, point = draft.session.document.track(cup), draft.session.document.point(own)
    lanes = hour_timeline(draft)
    hour = draft.session.document
    document = Document(
        hour.draft_id,
        hour.video,
        [real, *hour.tracks],
        segments=hour.segments,
        points=[point, *hour.points],
    )
    draft.session.document = document
    view = canvas(draft)
    lanes.set_session(draft.session)
    lanes.viewport.set_view_range(0.0, 60.0)
    view.points.set_trail(15)
    view.tools.set_tool("point")
    view.points.set_looping(True)
    shown = [picture(f, SIZE, shown=view.zooming.target_size()) for f in range(60)]
    view.board.selection.set_points(cup, [own])

    def one(frame: int) -> None:
        at = QPoint(40 + 15 * frame, 60 + 7 * frame)
        QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
        view.repaint()
        lanes.repaint()

    def on(frame: int) -> None:
        view.show_picture(shown[frame])
        lanes.set_playhead(frame)
        one(frame)

    view.show_picture(shown[0])
    placing = measured(one, range(1, 40))
    looping = measured(on, range(60))
    sys.stdout.write(f"\nplacing a point beside the lanes of an hour: {placing}\n")
    sys.stdout.write(f"the same with the next frame: {looping}\n")
    assert placing.p95 <= LIMIT_MS
    assert looping.p95 <= LIMIT_MS
    view.close()
    lanes.close()
