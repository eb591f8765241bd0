"""How long a frame with many objects takes on the main thread: looked up, laid out and painted.

The bound is 8 ms for 95 of 100 frames, with 200 tracks of 1,800 keyframes. It is put on the time
that the main thread itself computes, so that other programs on the machine do not count; the time
by the clock is printed too. A bare widget that only draws the same picture gives the scale.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import (
    ACCEPTED_CODE,
    OCCLUDED_BIT,
    PointInfo,
    PointPath,
    PointRun,
    PointTrack,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, point_id, segment_id, track_id
from annotator.media.values import Picture
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.timeline_view import TimelineView
from tests.ui.drafts import Draft, picture

N_TRACKS, N_FRAMES, SIZE, SHOWN = 200, 1800, (1920, 1080), (1280, 720)
LIMIT_MS = 8.0


class BarePicture(QWidget):
    """Draws a picture and nothing else."""

    def __init__(self, shown: Picture) -> None:
        super().__init__()
        height, width = shown.bgra.shape[:2]
        self._pixels = shown.bgra
        self._image = QImage(shown.bgra.data, width, height, QImage.Format.Format_RGB32)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()


def box_at(number: int, frame: int) -> Box:
    """Return the place of a moving object: all over the picture, 30 to 190 pixels large."""
    angle = number * 2.4 + frame / 40
    x = 860 + 760 * math.sin(number * 1.7) + 60 * math.cos(angle)
    y = 460 + 400 * math.cos(number * 2.3) + 40 * math.sin(angle)
    side = 30 + number * 37 % 160
    return Box(x, y, x + side, y + side * 0.8)


def dense_tracks(step: int) -> list[Track]:
    """Return tracks with a keyframe on every ``step``-th frame."""
    tracks = []
    for number in range(1, N_TRACKS + 1):
        info = TrackInfo(track_id(), f"object {number % 7}", number, number - 1)
        keys = tuple(
            Keyframe(f, box_at(number, f), occluded=f // 90 % 4 == 3, source=Source.IMPORTED)
            for f in range(0, N_FRAMES, step)
        )
        tracks.append(Track(info, keys))
    return tracks


@pytest.fixture
def draft(qapp: QApplication, tmp_path: Path) -> Iterator[Draft]:
    made = Draft(tmp_path, size=SIZE, n_frames=N_FRAMES)
    yield made
    made.close()


def fill(draft: Draft, tracks: list[Track]) -> None:
    """Put tracks into the session at once: views read the document, never the file."""
    document = draft.session.document
    draft.session.document = Document(document.draft_id, document.video, tracks)


@dataclass(frozen=True)
class Times:
    """Medians and 95th percentiles in ms: computed by the main thread, and by the clock."""

    p50: float
    p95: float
    clock_p50: float
    clock_p95: float

    def __str__(self) -> str:
        return (
            f"p50 {self.p50:.2f}, p95 {self.p95:.2f} ms"
            f" (by the clock {self.clock_p50:.2f}, {self.clock_p95:.2f})"
        )


def measured(run: Callable[[int], None], frames: range) -> Times:
    """Measure a call for each frame, three times over; the least disturbed round counts."""
    return min((_one_round(run, frames) for _ in range(3)), key=lambda times: times.p95)


def _one_round(run: Callable[[int], None], frames: range) -> Times:
    computed, by_clock = [], []
    for frame in frames:
        begin, clock = time.thread_time(), time.perf_counter()
        run(frame)
        computed.append((time.thread_time() - begin) * 1000)
        by_clock.append((time.perf_counter() - clock) * 1000)
    values = [*np.percentile(computed, [50, 95]), *np.percentile(by_clock, [50, 95])]
    return Times(*(float(v) for v in values))


HOUR_FRAMES, HOUR_RATE = 108_000, 30.0


def hour_document(document: Document) -> Document:
    """Return an hour: 500 tracks, 2,000 segments and 60 points with a mark on every frame."""
    info = replace(document.video, n_frames=HOUR_FRAMES, duration_s=HOUR_FRAMES / HOUR_RATE)
    tracks = [
        Track(
            TrackInfo(track_id(), f"object {n % 7}", n, n - 1),
            tuple(Keyframe(f, box_at(n, f)) for f in range(n * 20, HOUR_FRAMES, 1500)),
        )
        for n in range(1, 501)
    ]
    segments = [
        Segment(
            segment_id(),
            Lane.ACTION if n % 2 else Lane.SOUND,
            "pouring something into something",
            n * 50,
            n * 50 + 40 + n % 70,
            slots=(tracks[n % 500].id,),
        )
        for n in range(2000)
    ]
    flags = np.full(HOUR_FRAMES, ACCEPTED_CODE, dtype=np.uint8)
    flags[::40] = 1
    flags[5000:9000] |= OCCLUDED_BIT
    run = PointRun(0, np.zeros((HOUR_FRAMES, 2)), flags)
    path = PointPath().with_run(run)
    points = [
        PointTrack(PointInfo(point_id(), tracks[n // 6].id, f"part {n % 6}", n, n), path)
        for n in range(60)
    ]
    return Document(document.draft_id, info, tracks, segments, points)


def hour_timeline(draft: Draft) -> TimelineView:
    draft.session.document = hour_document(draft.session.document)
    selection = Selection()
    view = TimelineView(ThemeHub("dark"), selection)
    selection.setParent(view)
    view.resize(1280, 500)
    view.set_session(draft.session)
    view.viewport.set_times(np.arange(HOUR_FRAMES) / HOUR_RATE, HOUR_FRAMES / HOUR_RATE)
    expose(view)
    return view


def send_move(view: QWidget, x: float, y: float) -> None:
    where, left = QPointF(x, y), Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    move = QMouseEvent(QEvent.Type.MouseMove, where, view.mapToGlobal(where), left, left, none)
    QApplication.sendEvent(view, move)


def test_an_hour_of_lanes_scrolls_and_zooms_in_time(draft: Draft) -> None:
    view = hour_timeline(draft)
    steps = view.viewport.layout.max_scroll // 60
    bar = view.findChild(QScrollBar)
    assert isinstance(bar, QScrollBar)

    def through_lanes(step: int) -> None:
        bar.setValue(step * steps)
        view.repaint()

    def through_time(step: int) -> None:
        view.viewport.scroll_time(200 if step < 30 else -200)
        view.repaint()

    def zoom(step: int) -> None:
        view.viewport.zoom_in() if step % 40 < 20 else view.viewport.zoom_out()
        view.repaint()

    for name, act in (("lanes", through_lanes), ("time", through_time), ("zoom", zoom)):
        for window in ((0.0, 3600.0), (600.0, 660.0)):
            view.viewport.set_view_range(*window)
            times = measured(act, range(60))
            sys.stdout.write(f"\nan hour on the timeline, {name} from {window}: {times}\n")
            assert times.p95 <= 16.0
    view.close()


def test_an_edge_in_an_hour_of_lanes_follows_the_mouse_in_time(draft: Draft) -> None:
    view = hour_timeline(draft)
    view.viewport.set_view_range(600.0, 660.0)
    layout, axis = view.viewport.layout, view.viewport.axis
    row = layout.rows[0]
    assert isinstance(row, SegmentLane)
    starts, ends = view.lanes.store.segment_times(row, axis)
    chosen = int(np.flatnonzero((starts > 615) & (ends < 640))[0])
    x = layout.axis_left + axis.x_of_time(float(ends[chosen])) - 1
    y = layout.top_of(0) + layout.height_of(0) / 2
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    send_move(view, x + 20, y)
    assert len(view.drafts) == 1

    def drag(step: int) -> None:
        send_move(view, x + 20 + step * 2, y)
        view.repaint()

    drag(0)
    times = measured(drag, range(120))
    sys.stdout.write(f"\nan edge dragged among 500 tracks and 2,000 segments: {times}\n")
    assert times.p95 <= 16.0
    view.close()


def canvas(draft: Draft, selected: tuple[TrackId, ...] = ()) -> CanvasView:
    selection = Selection()
    view = CanvasView(ThemeHub("dark"), selection)
    selection.setParent(view)
    view.resize(SHOWN[0] + 20, SHOWN[1] + 20)
    view.set_session(draft.session)
    expose(view)
    selection.set_tracks(selected)
    return view


def expose(widget: QWidget) -> None:
    """Show a widget and wait until it is painted: before that a repaint does nothing."""
    widget.show()
    assert QTest.qWaitForWindowExposed(widget)
    QApplication.processEvents()


def report(name: str, times: Times, bare: Times) -> None:
    ratio = times.p50 / bare.p50
    sys.stdout.write(f"\n{name}: {times}; the picture alone {bare}; ratio {ratio:.0f}\n")


def bare_times() -> Times:
    widget = BarePicture(picture(0, SIZE, shown=SHOWN))
    widget.resize(SHOWN[0] + 20, SHOWN[1] + 20)
    expose(widget)
    times = measured(lambda _frame: widget.repaint(), range(60))
    widget.close()
    return times


@pytest.mark.parametrize("step", [1, 30], ids=["every frame", "every 30th frame"])
def test_a_frame_of_200_tracks_is_painted_in_time(draft: Draft, step: int) -> None:
    tracks = dense_tracks(step)
    fill(draft, tracks)
    view = canvas(draft, (tracks[3].id,))
    shown = [picture(f, SIZE, shown=view.zooming.target_size()) for f in range(0, N_FRAMES, 12)]

    def one(frame: int) -> None:
        view.show_picture(shown[frame])
        view.repaint()

    one(0)
    times = measured(one, range(len(shown)))
    report(f"canvas, 200 tracks, keyframe on {step}", times, bare_times())
    assert times.p95 <= LIMIT_MS
    view.close()


def test_a_frame_of_200_proposals_is_painted_in_time(draft: Draft) -> None:
    tracks = dense_tracks(60)
    fill(draft, tracks)
    for track in tracks:
        boxes = [box_at(track.info.number, f) for f in range(1, 60)]
        draft.propose(track.id, 1, list(boxes), 0.3 + 0.6 * (track.info.number % 10) / 10)
    view = canvas(draft)
    shown = [picture(f, SIZE, shown=view.zooming.target_size()) for f in range(1, 60)]

    def one(frame: int) -> None:
        view.show_picture(shown[frame])
        view.repaint()

    one(0)
    times = measured(one, range(len(shown)))
    report("canvas, 200 proposals", times, bare_times())
    assert times.p95 <= LIMIT_MS
    view.close()


def test_the_timeline_of_500_tracks_moves_in_time(draft: Draft) -> None:
    tracks = dense_tracks(3) + dense_tracks(30) + dense_tracks(90)[:100]
    fill(draft, tracks)
    selection = Selection()
    view = TimelineView(ThemeHub("dark"), selection)
    view.resize(1280, 400)
    view.set_session(draft.session)
    view.viewport.set_times(np.arange(N_FRAMES) / 30.0, N_FRAMES / 30.0)
    expose(view)

    def play(frame: int) -> None:
        view.set_playhead(frame)
        view.repaint()

    def scroll(frame: int) -> None:
        view.viewport.zoom_in() if frame % 2 else view.viewport.zoom_out()
        view.repaint()

    playing = measured(play, range(1, 300))
    scrolling = measured(scroll, range(60))
    sys.stdout.write(f"\ntimeline, 500 tracks: playhead {playing}; zoom {scrolling}\n")
    assert playing.p95 <= LIMIT_MS
    assert scrolling.p95 <= 16.0
    view.close()
