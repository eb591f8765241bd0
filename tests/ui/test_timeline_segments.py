"""Segments on the timeline: dragged, snapped, chosen and played with a real mouse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

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
from annotator.domain.annotation.track import Track
from annotator.domain.commands import CreateSegment
from annotator.domain.geometry import Box
from annotator.domain.ids import SegmentId, TrackId, point_id, segment_id
from annotator.domain.proposals.point_proposals import PointProposalRun, pending_points
from annotator.domain.proposals.runs import Origin
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from annotator.ui.timeline.model.lane_contents import (
    OUTDATED,
    PointState,
    SegmentLane,
    point_lane,
)
from annotator.ui.timeline.model.layout import OVERVIEW_PX
from annotator.ui.timeline.model.rows import LANE_PX, POINT_LANE_PX
from annotator.ui.timeline.timeline_view import TimelineView
from tests.ui.drafts import N_FRAMES, Draft

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
BOX = Box(100, 100, 200, 180)


class Editor:
    """A timeline at 30 frames per second with one frame on three pixels, and its mouse."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.session = draft, draft.session
        self.selection = Selection()
        hub = ThemeHub("light")
        self.theme = hub.theme
        self.view = TimelineView(hub, self.selection)
        self.view.resize(176 + 16 + 3 * N_FRAMES, 300)
        self.view.set_session(self.session)
        self.view.viewport.set_times(np.arange(N_FRAMES) / 30, N_FRAMES / 30)
        self.view.show()
        QTest.qWait(0)
        self.seeks: list[tuple[int, bool]] = []
        self.said: list[str] = []
        self.played: list[tuple[float, float]] = []
        self.drawn: list[tuple[Lane, float, float]] = []
        self.view.seekRequested.connect(lambda frame, exact: self.seeks.append((frame, exact)))
        self.view.message.connect(self.said.append)
        self.view.playRequested.connect(lambda start, end: self.played.append((start, end)))
        self.view.rangeDrawn.connect(lambda *drawn: self.drawn.append(drawn))

    def add(self, lane: Lane, start: int, end: int, label: str = "Pouring") -> SegmentId:
        new = segment_id()
        self.session.run(CreateSegment(Segment(new, lane, label, start, end)))
        return new

    def span(self, segment: SegmentId) -> tuple[int, int]:
        found = self.session.document.segment(segment)
        return found.start, found.end

    def x(self, edge: float) -> int:
        """Return the pixel where a frame begins."""
        return round(
            self.view.viewport.layout.axis_left + self.view.viewport.axis.x_of_time(edge / 30)
        )

    def y(self, lane: Lane, row: int = 0) -> int:
        layout = self.view.viewport.layout
        for i, item in enumerate(layout.rows):
            if isinstance(item, SegmentLane) and (item.lane, item.row) == (lane, row):
                return layout.top_of(i) + LANE_PX // 2
        raise AssertionError("no such lane")

    def drag(
        self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = NONE, *, drops: bool = True
    ) -> None:
        QTest.mousePress(self.view, LEFT, NONE, start)
        for share in (0.3, 0.7, 1.0):
            at = start + (end - start) * share
            self._move(at, keys)
        if drops:
            QTest.mouseRelease(self.view, LEFT, keys, end)

    def _move(self, at: QPoint, keys: Qt.KeyboardModifier) -> None:
        where = QPointF(at)
        event = QMouseEvent(
            QEvent.Type.MouseMove, where, self.view.mapToGlobal(where), LEFT, LEFT, keys
        )
        QApplication.sendEvent(self.view, event)


@pytest.fixture
def editor(qapp: QApplication, tmp_path: Path) -> Iterator[Editor]:
    draft = Draft(tmp_path)
    made = Editor(draft)
    yield made
    made.view.close()
    draft.close()


def test_an_edge_is_dragged_in_one_step_that_undo_takes_back(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    y = editor.y(Lane.ACTION)
    editor.drag(QPoint(editor.x(120) - 1, y), QPoint(editor.x(160) - 1, y))
    assert editor.span(pouring) == (60, 160)
    editor.session.undo()
    assert editor.span(pouring) == (60, 120)


def test_nothing_changes_before_the_release_and_escape_forgets_the_drag(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    y = editor.y(Lane.ACTION)
    before = editor.view.grab().toImage()
    editor.drag(QPoint(editor.x(60) + 1, y), QPoint(editor.x(20) + 1, y), drops=False)
    assert editor.span(pouring) == (60, 120)
    assert editor.view.grab().toImage() != before
    QTest.keyClick(editor.view, Qt.Key.Key_Escape)
    QTest.mouseRelease(editor.view, LEFT, NONE, QPoint(editor.x(20), y))
    assert editor.span(pouring) == (60, 120)


def test_the_picture_follows_a_dragged_edge_and_comes_back(editor: Editor) -> None:
    editor.add(Lane.ACTION, 60, 120)
    editor.view.set_playhead(33)
    y = editor.y(Lane.ACTION)
    editor.drag(QPoint(editor.x(120) - 1, y), QPoint(editor.x(180) - 1, y))
    assert (179, False) in editor.seeks
    assert editor.seeks[-1] == (33, True)


def test_a_body_keeps_its_length_and_stays_in_the_video(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    y = editor.y(Lane.ACTION)
    editor.drag(QPoint(editor.x(90), y), QPoint(editor.x(130), y))
    assert editor.span(pouring) == (100, 160)
    editor.drag(QPoint(editor.x(130), y), QPoint(editor.x(300) + 60, y))
    assert editor.span(pouring) == (N_FRAMES - 60, N_FRAMES)


def test_an_edge_never_crosses_the_other_one(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    y = editor.y(Lane.ACTION)
    editor.drag(QPoint(editor.x(120) - 1, y), QPoint(editor.x(10), y))
    assert editor.span(pouring) == (60, 61)


@pytest.mark.parametrize("magnet", ["segment", "playhead", "keyframe", "range"])
def test_edges_snap_to_what_is_near_unless_alt_is_held(editor: Editor, magnet: str) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    if magnet == "segment":
        editor.add(Lane.SOUND, 200, 230, "tap")
    elif magnet == "playhead":
        editor.view.set_playhead(200)
    elif magnet == "keyframe":
        editor.selection.set_tracks([editor.draft.add("cup", (200, BOX))])
    else:
        editor.view.set_range((200, 220))
    y = editor.y(Lane.ACTION)
    near = QPoint(editor.x(202) - 1, y)
    editor.drag(QPoint(editor.x(120) - 1, y), near)
    assert editor.span(pouring) == (60, 200)
    editor.session.undo()
    editor.drag(QPoint(editor.x(120) - 1, y), near, ALT)
    assert editor.span(pouring) == (60, 202)


def test_sounds_keep_times_of_their_own(editor: Editor) -> None:
    tap = editor.add(Lane.SOUND, 60, 120, "tap")
    editor.view.viewport.set_view_range(1.9, 2.3)
    y = editor.y(Lane.SOUND)
    editor.drag(QPoint(editor.x(60) + 1, y), QPoint(editor.x(62.4) + 1, y), ALT)
    found = editor.session.document.segment(tap)
    assert found.start_us is not None
    assert found.start_us == pytest.approx(62.4 / 30 * 1e6, abs=2000)
    assert found.start_us % 1000 == 0
    assert found.end_us == 4_000_000
    assert (found.start, found.end) == (62, 120)


def test_segments_chosen_together_move_together(editor: Editor) -> None:
    first, second = editor.add(Lane.ACTION, 30, 60), editor.add(Lane.ACTION, 90, 120)
    y = editor.y(Lane.ACTION)
    QTest.mouseClick(editor.view, LEFT, NONE, QPoint(editor.x(45), y))
    QTest.mouseClick(editor.view, LEFT, CTRL, QPoint(editor.x(105), y))
    assert editor.selection.segments == (first, second)
    editor.drag(QPoint(editor.x(45), y), QPoint(editor.x(65), y))
    assert (editor.span(first), editor.span(second)) == ((50, 80), (110, 140))
    editor.session.undo()
    assert (editor.span(first), editor.span(second)) == ((30, 60), (90, 120))


def test_a_double_click_plays_the_segment(editor: Editor) -> None:
    editor.add(Lane.ACTION, 60, 120)
    QTest.mouseDClick(editor.view, LEFT, NONE, QPoint(editor.x(90), editor.y(Lane.ACTION)))
    assert editor.played == [(2.0, 4.0)]


def test_a_free_place_of_a_lane_is_drawn_on(editor: Editor) -> None:
    y = editor.y(Lane.ACTION)
    editor.drag(QPoint(editor.x(30) + 1, y), QPoint(editor.x(90) + 1, y))
    assert editor.view.range == (30, 91)
    assert [lane for lane, _, _ in editor.drawn] == [Lane.ACTION]
    QTest.mouseClick(editor.view, LEFT, NONE, QPoint(editor.x(200) + 1, y))
    assert editor.seeks == [(200, True)]


def test_dragging_at_the_border_scrolls_on(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 70)
    editor.view.viewport.set_view_range(2.0, 3.0)
    y = editor.y(Lane.ACTION)
    border = editor.view.viewport.layout.width - 3
    editor.drag(QPoint(editor.x(70) - 1, y), QPoint(border, y), drops=False)
    while editor.view.viewport.view_range()[1] < 4.0:
        QTest.qWait(10)
    QTest.mouseRelease(editor.view, LEFT, NONE, QPoint(border, y))
    assert editor.span(pouring)[1] > 110


def test_a_read_only_draft_is_chosen_from_but_not_changed(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    editor.session.follow_workflow(is_submitted=True)
    y = editor.y(Lane.ACTION)
    editor.drag(QPoint(editor.x(120) - 1, y), QPoint(editor.x(160), y))
    assert editor.span(pouring) == (60, 120)
    assert editor.selection.segment == pouring


# The overview


def test_the_window_in_the_overview_is_moved_and_stretched(editor: Editor) -> None:
    editor.view.viewport.set_view_range(2.0, 4.0)
    y = OVERVIEW_PX // 2
    editor.drag(QPoint(_overview_x(editor, 3.0), y), QPoint(_overview_x(editor, 6.0), y))
    assert editor.view.viewport.view_range() == pytest.approx((5.0, 7.0), abs=0.02)
    editor.drag(QPoint(_overview_x(editor, 7.0), y), QPoint(_overview_x(editor, 9.0), y))
    assert editor.view.viewport.view_range() == pytest.approx((5.0, 9.0), abs=0.05)
    assert editor.seeks == []
    QTest.mouseClick(editor.view, LEFT, NONE, QPoint(_overview_x(editor, 6.0), y))
    assert editor.seeks[-1][0] == pytest.approx(180, abs=1)


def _overview_x(editor: Editor, seconds: float) -> int:
    layout = editor.view.viewport.layout
    return round(layout.axis_left + editor.view.viewport.whole.x_of_time(seconds))


# Keys, glow and points


def test_tab_chooses_the_edge_that_keys_move(editor: Editor) -> None:
    pouring = editor.add(Lane.ACTION, 60, 120)
    y = editor.y(Lane.ACTION)
    QTest.mouseClick(editor.view, LEFT, NONE, QPoint(editor.x(120) - 1, y))
    assert (editor.selection.segment, editor.selection.edge) == (pouring, "end")
    QTest.keyClick(editor.view, Qt.Key.Key_Tab)
    assert editor.selection.edge == "start"


def test_objects_and_segments_that_belong_together_glow(editor: Editor) -> None:
    cup, spoon = (editor.draft.add(name, (0, BOX)) for name in ("cup", "spoon"))
    stirring = Segment(segment_id(), Lane.ACTION, "Stirring", 60, 120, slots=(spoon,))
    editor.session.run(CreateSegment(stirring))
    plain = _lane_colors(editor, cup), _lane_colors(editor, spoon)
    assert plain[0] == plain[1]
    editor.selection.set_segment(stirring.id)
    assert _lane_colors(editor, cup) == plain[0]
    assert _lane_colors(editor, spoon) != plain[1]
    before = editor.view.grab().toImage()
    top = editor.y(Lane.ACTION) - LANE_PX // 2
    editor.selection.set_tracks([spoon])
    after = editor.view.grab().toImage()
    # A bar below the segment, and no frame around it, which would read as an error.
    bar, above = QPoint(editor.x(90), top + LANE_PX - 5), QPoint(editor.x(90), top + 1)
    track = editor.session.document.find_track(spoon)
    assert track is not None
    color = ThemeHub("light").theme.object_color(track.info.color)
    assert after.pixelColor(bar) == color != before.pixelColor(bar)
    assert after.pixelColor(above) == before.pixelColor(above)


def test_points_lie_below_their_object_and_tell_their_states(editor: Editor) -> None:
    cup = editor.draft.add("cup", (0, BOX))
    editor.draft.add("spoon", (0, BOX))
    handle = PointInfo(point_id(), cup, "handle", 1, 1)
    document = editor.session.document
    flags = np.zeros(N_FRAMES, dtype=np.uint8)
    flags[30:200] = ACCEPTED_CODE
    flags[100:150] |= OCCLUDED_BIT
    flags[30] = flags[199] = 1
    path = PointPath().with_run(PointRun(0, np.zeros((N_FRAMES, 2)), flags))
    editor.session.document = Document(
        document.draft_id, document.video, document.tracks, (), [PointTrack(handle, path)]
    )
    editor.view.set_session(editor.session)
    rows = editor.view.viewport.layout.rows
    names = [r.label for r in rows if not isinstance(r, SegmentLane)]
    assert names == ["cup", "handle", "spoon"]
    lane = point_lane(PointTrack(handle, path), (), N_FRAMES)
    told = zip(lane.starts.tolist(), lane.ends.tolist(), lane.states.tolist(), strict=True)
    assert [(a, b, PointState(s)) for a, b, s in told] == [
        (30, 100, PointState.VISIBLE),
        (100, 150, PointState.OCCLUDED),
        (150, 200, PointState.VISIBLE),
    ]
    assert lane.human.tolist() == [30, 199]
    top = editor.view.viewport.layout.top_of(2)
    image = editor.view.grab().toImage()
    bar = editor.theme.color("interpolated").name()

    def share(first: int, last: int) -> float:
        columns = range(editor.x(first), editor.x(last))
        drawn = [image.pixelColor(x, top + POINT_LANE_PX // 2).name() == bar for x in columns]
        return sum(drawn) / len(drawn)

    assert share(50, 90) == 1
    assert 0.3 < share(105, 145) < 0.8
    assert share(210, 290) == 0
    chip = image.pixelColor(30, top + POINT_LANE_PX // 2).name()
    color = document.tracks[0].info.color
    assert color != handle.color
    assert chip == editor.theme.object_color(color).name(), "as its object in the picture"


def test_only_proposals_between_a_persons_marks_are_in_a_points_strip() -> None:
    flags = np.zeros(N_FRAMES, dtype=np.uint8)
    flags[[20, 60]] = 1
    flags[40] = ACCEPTED_CODE
    point = PointTrack(
        PointInfo(point_id(), None, "tip", 1, 1),
        PointPath().with_run(PointRun(0, np.zeros((N_FRAMES, 2)), flags)),
    )
    n = 70
    run = PointProposalRun(
        point.id,
        10,
        np.zeros((n, 2), np.float32),
        np.full(n, 0.75, np.float32),
        Origin("test", "1"),
    )
    lane = point_lane(point, (run,), N_FRAMES)
    waiting = [lane.doubt_start + i for i, d in enumerate(lane.doubt.tolist()) if d == d]
    assert waiting == [p.frame for p in pending_points(point, [run], N_FRAMES)]
    assert waiting == [*range(21, 40), *range(41, 60)]
    outdated = replace(run, origin=Origin("test", "1", {"anchors": [[20, 5.0, 5.0]]}))
    gray = point_lane(point, (outdated,), N_FRAMES).doubt
    assert [10 + i for i, doubt in enumerate(gray.tolist()) if doubt == OUTDATED] == waiting


def _lane_colors(editor: Editor, track: TrackId) -> set[str]:
    layout = editor.view.viewport.layout
    row = next(i for i, r in enumerate(layout.rows) if isinstance(r, Track) and r.id == track)
    image = editor.view.grab().toImage()
    return {image.pixelColor(150, layout.top_of(row) + y).name() for y in range(2, LANE_PX - 2)}


def test_shift_click_and_rubber_band_select_several(editor: Editor) -> None:
    ids = [editor.add(Lane.ACTION, 10 + 20 * i, 22 + 20 * i) for i in range(4)]
    y = editor.y(Lane.ACTION)
    QTest.mouseClick(editor.view, LEFT, NONE, QPoint(editor.x(16), y))
    QTest.mouseClick(editor.view, LEFT, SHIFT, QPoint(editor.x(56), y))
    assert set(editor.selection.segments) == set(ids[:3])
    assert editor.selection.segment == ids[2]
    editor.selection.set_segment(None)
    start, end = QPoint(editor.x(26), y), QPoint(editor.x(75), y)
    QTest.mousePress(editor.view, LEFT, CTRL, start)
    editor._move(end, CTRL)
    plain = editor.view.grab().toImage()
    assert editor.selection.segments == (ids[1], ids[2], ids[3])
    QTest.mouseRelease(editor.view, LEFT, CTRL, end)
    assert editor.view.grab().toImage() != plain
    assert editor.selection.segments == (ids[1], ids[2], ids[3])
    assert editor.drawn == []
    QTest.mousePress(editor.view, LEFT, CTRL, QPoint(editor.x(100), y))
    editor._move(QPoint(editor.x(11), y), CTRL)
    assert len(editor.selection.segments) == 4
    QTest.keyClick(editor.view, Qt.Key.Key_Escape)
    assert editor.selection.segments == (ids[1], ids[2], ids[3])


def test_shift_held_in_a_drag_suspends_snapping_as_alt_does(editor: Editor) -> None:
    moved, _ = editor.add(Lane.ACTION, 10, 30), editor.add(Lane.ACTION, 50, 60)
    y = editor.y(Lane.ACTION)
    for keys, end in ((NONE, 50), (SHIFT, 49), (ALT, 49)):
        before = editor.span(moved)
        editor.drag(QPoint(editor.x(before[1]), y), QPoint(editor.x(49), y), keys)
        assert editor.span(moved) == (10, end)
        editor.session.undo()
