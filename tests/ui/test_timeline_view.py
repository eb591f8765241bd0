"""The timeline as a person uses it: real mouse, wheel and key events on a draft of a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import AddImported, CreateSegment, DeleteTracks, SetOutside
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, segment_id, track_id
from annotator.domain.proposals.runs import Origin
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from annotator.ui.timeline.model.layout import OVERVIEW_PX, RULER_END_PX, RULER_PX
from annotator.ui.timeline.model.rows import LANE_PX
from annotator.ui.timeline.painting.header_painter import frame_ticks
from annotator.ui.timeline.timeline_view import TimelineView
from tests.ui.drafts import N_FRAMES, Draft

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
BOX = Box(100, 100, 200, 180)
RULER_Y = OVERVIEW_PX + 20

# Variable rate: the second half plays at a third of the speed of the first.
DURATIONS = np.where(np.arange(N_FRAMES) < N_FRAMES // 2, 1 / 30, 1 / 10)
TIMES = np.concatenate([[0.0], np.cumsum(DURATIONS)[:-1]])
END_S = float(DURATIONS.sum())


class Person:
    """A view on a draft, with what it asks for written down."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.session = draft.session
        self.selection = Selection()
        self.view = TimelineView(ThemeHub("light"), self.selection)
        self.view.resize(1000, 260)
        self.view.set_session(self.session)
        self.view.viewport.set_times(TIMES, END_S)
        self.view.show()
        QTest.qWait(0)
        self.seeks: list[tuple[int, bool]] = []
        self.ranges: list[tuple[int, int] | None] = []
        self.view.seekRequested.connect(lambda frame, exact: self.seeks.append((frame, exact)))
        self.view.rangeSelected.connect(self.ranges.append)

    def x(self, frame: int) -> int:
        return round(self.view.viewport.layout.axis_left + self.view.viewport.axis.middle_of(frame))

    def y(self, row: int) -> int:
        return self.view.viewport.layout.top_of(row) + LANE_PX // 2

    def drag(self, start: QPoint, end: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.view, LEFT, keys, start)
        QTest.mouseMove(self.view, (start + end) / 2)
        QTest.mouseMove(self.view, end)
        QTest.mouseRelease(self.view, LEFT, keys, end)

    def click(self, x: int, y: int, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseClick(self.view, LEFT, keys, QPoint(x, y))

    def wheel(self, x: int, y: int, notches: int, keys: Qt.KeyboardModifier = NONE) -> None:
        event = QWheelEvent(
            QPointF(x, y),
            QPointF(x, y),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            keys,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.view, event)

    def row_of(self, track: TrackId) -> int:
        rows = self.view.viewport.layout.rows
        return next(i for i, r in enumerate(rows) if isinstance(r, Track) and r.id == track)


@pytest.fixture
def person(qapp: QApplication, tmp_path: Path) -> Iterator[Person]:
    draft = Draft(tmp_path)
    made = Person(draft)
    yield made
    made.view.close()
    draft.close()


# Seeking


@pytest.mark.parametrize("notches", [0, 5, 14, 40])
def test_a_click_seeks_the_frame_under_it_at_any_zoom(person: Person, notches: int) -> None:
    person.wheel(person.x(150), RULER_Y, notches, CTRL)
    start, end = person.view.viewport.axis.visible_frames()
    for frame in (start + 1, (start + end) // 2, end - 2):
        person.click(person.x(frame), RULER_Y)
        asked, exact = person.seeks[-1]
        cell = person.view.viewport.axis.left_of(frame + 1) - person.view.viewport.axis.left_of(
            frame
        )
        assert abs(asked - frame) <= (0 if cell >= 2 else 1)
        assert exact


def test_no_label_looks_out_from_under_the_flag_of_the_playhead(person: Person) -> None:
    view = person.view
    labels = frame_ticks(view.viewport.axis, 64.0, view._scene().grid_step)
    frame = next(int(tick.text) for tick in labels if int(tick.text) >= 100)
    room = QRect(person.x(frame) + 4, OVERVIEW_PX + RULER_PX // 2 + 4, 34, RULER_PX // 2 - 8)
    assert _n_colors(view.grab(room).toImage()) > 1
    view.set_playhead(frame)
    flag = QFontMetricsF(view.font()).horizontalAdvance(str(frame)) / 2 + 8
    beside = room.adjusted(round(flag), 0, 0, 0)
    assert _n_colors(view.grab(beside).toImage()) == 1
    view.set_playhead(0)
    assert _n_colors(view.grab(room).toImage()) > 1


def _n_colors(image: QImage) -> int:
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return len({image.pixel(x, y) for x, y in places})


def test_dragging_seeks_roughly_and_the_release_exactly(person: Person) -> None:
    person.drag(QPoint(person.x(20), RULER_Y), QPoint(person.x(200), RULER_Y))
    assert [exact for _, exact in person.seeks] == [False, False, False, True]
    assert person.seeks[-1][0] == pytest.approx(200, abs=1)
    assert person.seeks[0][0] == pytest.approx(20, abs=1)


def test_the_overview_seeks_over_the_whole_video_however_far_zoomed_in(person: Person) -> None:
    person.view.viewport.set_view_range(1.0, 2.0)
    left = person.view.viewport.layout.axis_left
    person.click(left + person.view.viewport.layout.axis_width - 2, 10)
    assert person.seeks[-1] == (N_FRAMES - 1, True)
    person.click(left + 1, 10)
    assert person.seeks[-1] == (0, True)


def test_time_not_frames_is_even_on_the_axis(person: Person) -> None:
    axis = person.view.viewport.axis
    assert axis.time_at(axis.middle_of(0)) < 1 / 30
    half = N_FRAMES // 2
    assert axis.left_of(half) / axis.width == pytest.approx(TIMES[half] / END_S)
    fast = axis.left_of(11) - axis.left_of(10)
    slow = axis.left_of(half + 11) - axis.left_of(half + 10)
    assert slow == pytest.approx(3 * fast)


def test_a_click_on_a_keyframe_takes_its_track_and_its_frame(person: Person) -> None:
    person.draft.add("cup", (0, BOX))
    spoon = person.draft.add("spoon", (20, BOX), (200, BOX))
    person.click(person.x(200) + 3, person.y(person.row_of(spoon)))
    assert person.selection.tracks == (spoon,)
    assert person.seeks[-1] == (200, True)


def test_a_click_beside_keyframes_seeks_and_keeps_the_selection(person: Person) -> None:
    cup = person.draft.add("cup", (0, BOX))
    spoon = person.draft.add("spoon", (20, BOX), (200, BOX))
    person.selection.set_tracks([cup])
    person.click(person.x(120), person.y(person.row_of(spoon)))
    assert person.seeks[-1] == (120, True)
    assert person.selection.tracks == (cup,)


# Selecting


def test_names_select_their_tracks(person: Person) -> None:
    cup = person.draft.add("cup", (0, BOX))
    spoon = person.draft.add("spoon", (20, BOX))
    person.click(40, person.y(person.row_of(spoon)))
    assert person.selection.tracks == (spoon,)
    person.click(40, person.y(person.row_of(cup)), CTRL)
    assert person.selection.tracks == (spoon, cup)
    assert person.seeks == []


def test_arrow_keys_go_through_the_lanes(person: Person) -> None:
    tracks = [person.draft.add(name, (0, BOX)) for name in ("a", "b", "c")]
    for _ in range(4):
        QTest.keyClick(person.view, Qt.Key.Key_Down)
    assert person.selection.primary == tracks[2]
    QTest.keyClick(person.view, Qt.Key.Key_Up)
    assert person.selection.primary == tracks[1]


def test_a_selected_track_out_of_sight_is_scrolled_to(person: Person) -> None:
    tracks = [person.draft.add(f"bean {i}", (0, BOX)) for i in range(20)]
    person.selection.set_tracks([tracks[-1]])
    layout = person.view.viewport.layout
    assert layout.row_at(layout.height - 3) == person.row_of(tracks[-1])
    person.selection.set_tracks([tracks[0]])
    assert person.row_of(tracks[0]) in person.view.viewport.layout.visible_rows()


def test_segments_stand_above_the_tracks_and_overlaps_in_rows(person: Person) -> None:
    person.draft.add("cup", (0, BOX))
    for start, end in ((10, 100), (50, 120), (100, 140)):
        segment = Segment(segment_id(), Lane.ACTION, "Pouring", start, end)
        person.session.run(CreateSegment(segment))
    rows = person.view.viewport.layout.rows
    assert [len(r.segments) for r in rows if not isinstance(r, Track)] == [2, 1]
    person.click(person.x(70), person.y(1))
    chosen = person.selection.segment
    assert chosen is not None
    assert person.session.document.segment(chosen).start == 50


# Ranges


def test_shift_drag_marks_a_range(person: Person) -> None:
    person.drag(QPoint(person.x(200), RULER_Y), QPoint(person.x(100), RULER_Y), SHIFT)
    assert person.seeks == []
    assert len(person.ranges) == 1
    span = person.ranges[0]
    assert span is not None
    assert span == person.view.range
    assert span[0] == pytest.approx(100, abs=1)
    assert span[1] == pytest.approx(201, abs=1)


def test_the_edge_of_a_range_can_be_dragged(person: Person) -> None:
    person.view.set_range((100, 200))
    edge = round(person.view.viewport.layout.axis_left + person.view.viewport.axis.left_of(200))
    person.drag(QPoint(edge + 1, RULER_Y), QPoint(person.x(250), RULER_Y))
    assert person.view.range is not None
    assert person.view.range[0] == 100
    assert person.view.range[1] == pytest.approx(251, abs=1)


def test_escape_forgets_the_range(person: Person) -> None:
    person.view.select_range((100, 200))
    QTest.keyClick(person.view, Qt.Key.Key_Escape)
    assert person.view.range is None
    assert person.ranges == [(100, 200), None]


# Zoom and scroll


@pytest.mark.parametrize(("below", "keys"), [(0, NONE), (0, CTRL), (60, CTRL)])
def test_the_wheel_zooms_at_the_cursor(
    person: Person, below: int, keys: Qt.KeyboardModifier
) -> None:
    for i in range(20):
        person.draft.add(f"bean {i}", (0, BOX))
    x = person.x(70)
    before = person.view.viewport.axis.time_at(x - person.view.viewport.layout.axis_left)
    person.wheel(x, RULER_Y + below, 6, keys)
    after = person.view.viewport.axis.time_at(x - person.view.viewport.layout.axis_left)
    assert after == pytest.approx(before, abs=0.02)
    assert person.view.viewport.axis.end_s - person.view.viewport.axis.start_s < END_S / 3


def test_shift_wheel_scrolls_time_and_never_beyond_the_video(person: Person) -> None:
    person.view.viewport.set_view_range(2.0, 4.0)
    person.wheel(500, RULER_Y, -1, SHIFT)
    start, end = person.view.viewport.view_range()
    assert start > 2.0
    assert end - start == pytest.approx(2.0)
    for _ in range(200):
        person.wheel(500, RULER_Y, -3, SHIFT)
    assert person.view.viewport.view_range()[1] == pytest.approx(END_S)


def test_the_flag_of_the_playhead_is_shown_where_its_frame_is(person: Person) -> None:
    person.view.set_playhead(10)

    def header() -> QImage:
        gutter = person.view.viewport.layout.gutter
        return person.view.grab(QRect(gutter, OVERVIEW_PX, 700, RULER_PX)).toImage()

    person.view.viewport.set_view_range(0.0, 2.0)
    within = header()
    person.view.viewport.set_view_range(4.0, 6.0)
    without = header()
    ink = ThemeHub("light").theme.color("playhead").rgb()

    def has_flag(image: QImage) -> bool:
        return any(
            image.pixel(x, y) == ink for x in range(image.width()) for y in range(image.height())
        )

    assert has_flag(within)
    assert not has_flag(without)


def test_the_wheel_scrolls_lanes_where_they_do_not_fit(person: Person) -> None:
    for i in range(20):
        person.draft.add(f"bean {i}", (0, BOX))
    span = person.view.viewport.view_range()
    person.wheel(500, RULER_END_PX + 30, -2)
    assert person.view.viewport.layout.scroll == 4 * LANE_PX
    assert person.view.viewport.view_range() == span


def test_zoom_to_selection_shows_the_range_or_the_track(person: Person) -> None:
    cup = person.draft.add("cup", (60, BOX), (90, BOX))
    person.selection.set_tracks([cup])
    person.view.zoom_to_selection()
    start, end = person.view.viewport.axis.visible_frames()
    assert 50 <= start < 60
    assert 90 < end <= 100
    person.view.set_range((200, 220))
    person.view.zoom_to_selection()
    start, end = person.view.viewport.axis.visible_frames()
    assert 190 <= start <= 200
    assert 220 <= end <= 230
    person.view.viewport.zoom_fit()
    assert person.view.viewport.axis.is_whole


def test_zoom_keys_act_on_the_timeline_that_has_the_focus(person: Person) -> None:
    whole = person.view.viewport.view_range()
    QTest.keyClick(person.view, Qt.Key.Key_Plus, SHIFT)
    QTest.keyClick(person.view, Qt.Key.Key_Equal, CTRL)
    start, end = person.view.viewport.view_range()
    assert end - start == pytest.approx((whole[1] - whole[0]) / 1.25**2)
    QTest.keyClick(person.view, Qt.Key.Key_0)
    assert person.view.viewport.view_range() == (start, end)
    QTest.keyClick(person.view, Qt.Key.Key_0, CTRL)
    assert person.view.viewport.view_range() == pytest.approx(whole)


def test_double_clicks_zoom_to_the_range_and_back_to_everything(person: Person) -> None:
    person.view.set_range((100, 120))
    QTest.mouseDClick(person.view, LEFT, NONE, QPoint(person.x(110), RULER_Y))
    start, end = person.view.viewport.axis.visible_frames()
    assert 90 < start <= 100
    assert 120 <= end < 130
    QTest.mouseDClick(person.view, LEFT, NONE, QPoint(person.x(110), 10))
    assert person.view.viewport.axis.is_whole


def test_the_axis_follows_the_playhead(person: Person) -> None:
    person.view.viewport.set_view_range(0.0, 1.0)
    for frame in range(1, 60):
        person.view.set_playhead(frame)
        first, last = person.view.viewport.axis.visible_frames()
        assert first <= frame < last
    shown = person.view.viewport.view_range()
    person.view.set_playhead(58)
    assert person.view.viewport.view_range() == shown


# What is drawn


def colors_in(person: Person, x1: int, x2: int, row: int) -> set[str]:
    image = person.view.grab().toImage()
    top = person.view.viewport.layout.top_of(row)
    return {
        image.pixelColor(x, y).name() for x in range(x1, x2) for y in range(top, top + LANE_PX - 1)
    }


def test_spans_keys_gaps_and_proposals_look_different(person: Person) -> None:
    theme = ThemeHub("light").theme
    cup = person.draft.add("cup", (60, BOX), (90, BOX))
    person.session.run(SetOutside(cup, 120, value=True))
    person.draft.propose(cup, 91, [BOX] * 20, confidence=0.9)
    row = person.row_of(cup)
    person.view.set_playhead(299)

    def seen(first: int, last: int) -> set[str]:
        return colors_in(person, person.x(first), person.x(last), row)

    bar, key = theme.color("interpolated").name(), theme.color("keyframe").name()
    proposed = theme.color("proposed").name()
    assert bar in seen(70, 80)
    assert key not in seen(70, 80)
    assert key in seen(88, 92)
    assert proposed in seen(95, 105)
    assert proposed not in seen(112, 118)
    assert bar not in seen(5, 50)
    assert bar not in seen(150, 250)
    assert key in seen(118, 123)


def test_doubt_changes_color_and_shape(person: Person) -> None:
    theme = ThemeHub("light").theme
    cup = person.draft.add("cup", (0, BOX))
    person.draft.propose(cup, 1, [BOX] * 60, confidence=0.95)
    person.draft.propose(cup, 61, [BOX] * 60, confidence=0.1)
    row = person.row_of(cup)
    image = person.view.grab().toImage()
    top = person.view.viewport.layout.top_of(row)

    def heights(first: int, last: int, token: str) -> list[int]:
        ink = theme.color(token).name()
        return [
            sum(image.pixelColor(x, y).name() == ink for y in range(top, top + LANE_PX))
            for x in range(person.x(first), person.x(last))
        ]

    sure, unsure = heights(10, 50, "proposed"), heights(70, 110, "doubtful")
    assert min(sure) >= 2
    assert max(unsure) > max(sure)
    assert len(set(unsure)) > 1
    assert heights(10, 50, "doubtful") == [0] * len(sure)
    assert max(heights(10, 50, "gap")) == 0
    elsewhere = Origin("test", "1", {"anchors": [[7, 0.0, 0.0, 1.0, 1.0]]})
    runs = [replace(run, origin=elsewhere) for run in person.session.box_runs.of(cup)]
    person.session.box_runs.replace(cup, (1, 121), runs)
    image = person.view.grab().toImage()
    assert min(heights(10, 50, "gap")) >= 2
    assert max(heights(10, 110, "proposed")) == max(heights(10, 110, "doubtful")) == 0


def test_an_edit_is_seen_at_once(person: Person) -> None:
    cup = person.draft.add("cup", (60, BOX))
    before = person.view.grab().toImage()
    person.session.run(SetOutside(cup, 120, value=True))
    assert person.view.grab().toImage() != before
    person.session.undo()
    assert person.view.grab().toImage() == before
    person.session.run(DeleteTracks((cup,)))
    assert [r for r in person.view.viewport.layout.rows if isinstance(r, Track)] == []


def test_frames_that_are_decoded_are_tinted(person: Person, qtbot: QtBot) -> None:
    ink = ThemeHub("light").theme.color("loaded").name()

    def tinted() -> bool:
        image = person.view.grab().toImage()
        return any(image.pixelColor(person.x(100), y).name() == ink for y in range(OVERVIEW_PX))

    assert not tinted()
    person.view.set_loaded_spans([(50, 150)])
    qtbot.waitUntil(tinted)


def test_the_playhead_moves_without_painting_everything_again(person: Person) -> None:
    person.draft.add("cup", (0, BOX), (299, BOX))
    person.view.set_playhead(40)
    ink = ThemeHub("light").theme.color("playhead").name()

    def columns() -> set[int]:
        image = person.view.grab().toImage()
        y = person.view.height() - 6
        return {x for x in range(image.width()) if image.pixelColor(x, y).name() == ink}

    assert columns()
    assert max(abs(x - person.x(40)) for x in columns()) <= 1
    person.view.set_playhead(41)
    assert max(abs(x - person.x(41)) for x in columns()) <= 1


def test_500_tracks_are_scrolled_and_chosen_like_five(person: Person) -> None:
    tracks = tuple(
        Track(
            TrackInfo(track_id(), f"object {i}", i, i),
            tuple(Keyframe(f, BOX, source=Source.IMPORTED) for f in range(0, N_FRAMES, 2)),
        )
        for i in range(1, 501)
    )
    document = person.session.document
    person.session.document = Document(document.draft_id, document.video, tracks[1:])
    person.session.run(AddImported((tracks[0],)))
    layout = person.view.viewport.layout
    assert len([r for r in layout.rows if isinstance(r, Track)]) == 500
    assert len(layout.visible_rows()) <= 10
    person.selection.set_tracks([tracks[400].id])
    y = person.y(person.row_of(tracks[400].id))
    assert RULER_END_PX <= y <= person.view.height()
    person.click(40, y - LANE_PX)
    assert person.selection.primary == tracks[399].id


# Words


def test_the_summary_tells_where_we_are(person: Person) -> None:
    cup = person.draft.add("cup", (60, BOX), (90, BOX))
    person.selection.set_tracks([cup])
    person.view.set_playhead(30)
    assert person.view.summary() == (
        "Frame 30 · 00:01.000 of 00:20.000. Tracks: 1, segments: 0. cup 1: frames 60 to 90, "
        "keyframes: 2, unchecked grid frames: 6"
    )


def test_without_a_draft_nothing_answers(person: Person) -> None:
    person.draft.add("cup", (0, BOX))
    person.view.set_session(None)
    person.click(400, RULER_Y)
    person.view.repaint()
    assert person.seeks == []
    assert person.view.summary() == "No video is open"
