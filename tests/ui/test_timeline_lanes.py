"""Lanes of the timeline: comments, folded points, colors of labels, tooltips, cheap repaints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.comment import Pin
from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane
from annotator.domain.commands import SetSegment
from annotator.domain.commands.comments import AddComment, ResolveComments
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import CommentId, PersonId, SegmentId, new_id
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import LabelChoice
from annotator.ui.timeline.input.mouse_input import tip_at
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.model.rows import COMMENT_LANE_PX, CommentLane
from tests.ui.drafts import Draft
from tests.ui.test_timeline_segments import LEFT, NONE, Editor

BOX = Box(100, 100, 200, 180)
ANNA = PersonId(new_id())


@pytest.fixture
def editor(qapp: QApplication, tmp_path: Path) -> Iterator[Editor]:
    draft = Draft(tmp_path)
    made = Editor(draft)
    yield made
    made.view.close()
    draft.close()


def _top(editor: Editor, kind: type) -> int:
    layout = editor.view.viewport.layout
    return next(layout.top_of(i) for i, row in enumerate(layout.rows) if isinstance(row, kind))


def _remark(editor: Editor, text: str, pin: Pin) -> CommentId:
    made = CommentId(new_id())
    editor.session.run(AddComment(made, ANNA, 1_000, text, pin))
    return made


def test_a_comment_is_seen_said_and_gone_to(editor: Editor) -> None:
    cup = editor.draft.add("cup", (0, BOX))
    chosen: list[object] = []
    editor.view.lanes.commentChosen.connect(chosen.append)
    editor.view.lanes.set_words(LabelChoice(editor.view), {ANNA: "Anna"}.__getitem__)
    assert not any(isinstance(r, CommentLane) for r in editor.view.viewport.layout.rows)
    remark = _remark(editor, "Is this the cup?", Pin(40, (40, 60), track_id=cup))
    done = _remark(editor, "Too late.", Pin(80))
    _remark(editor, "About all of it", Pin())
    editor.session.run(ResolveComments((done,), is_resolved=True))
    (lane,) = [r for r in editor.view.viewport.layout.rows if isinstance(r, CommentLane)]
    assert [t[0].text for t in lane.threads] == ["Is this the cup?", "Too late."]
    y = _top(editor, CommentLane) + COMMENT_LANE_PX // 2
    at = QPoint(editor.x(50), y)
    assert tip_at(editor.view, QPointF(at)) == "Anna: Is this the cup?"
    assert tip_at(editor.view, QPointF(editor.x(80.5), y)) == "Anna: Too late. (resolved)"
    image = editor.view.grab().toImage()
    open_ink = editor.theme.color("warning").rgb()
    row = [image.pixel(x, y + 2) for x in range(editor.x(38), editor.x(43))]
    assert open_ink in row
    assert open_ink not in [image.pixel(x, y + 2) for x in range(editor.x(78), editor.x(83))]
    QTest.mouseClick(editor.view, LEFT, NONE, at)
    assert chosen == [remark]
    assert editor.seeks[-1] == (40, True)
    assert editor.selection.tracks == (cup,)


def test_lanes_of_points_fold_away_below_their_object(editor: Editor) -> None:
    cup = editor.draft.add("cup", (0, BOX))
    point = editor.draft.add_point(cup, "rim", (0, Point(120.0, 110.0)))
    layout = editor.view.viewport.layout
    assert [getattr(r, "id", None) for r in layout.rows][-2:] == [cup, point]
    told: list[None] = []
    editor.view.lanes.foldedChanged.connect(lambda: told.append(None))
    sign = QPoint(5, layout.top_of(len(layout.rows) - 2) + 12)
    QTest.mouseClick(editor.view, LEFT, NONE, sign)
    assert editor.view.lanes.folded == {cup}
    assert getattr(editor.view.viewport.layout.rows[-1], "id", None) == cup
    assert editor.selection.tracks == ()
    QTest.mouseClick(editor.view, LEFT, NONE, sign)
    assert editor.view.lanes.folded == frozenset()
    assert len(told) == 2
    tip = tip_at(editor.view, QPointF(60, layout.top_of(len(layout.rows) - 1) + 9))
    assert tip == "rim · cup 1: frames 0 to 0, annotated: 1, manual: 1"
    at = QPointF(editor.x(0.5), layout.top_of(len(layout.rows) - 1) + 9)
    assert tip_at(editor.view, at).splitlines()[-1] == "Placed manually"


def test_a_segment_says_sentence_times_frames_and_objects(editor: Editor) -> None:
    cup = editor.draft.add("cup", (0, BOX))
    made = editor.add(Lane.ACTION, 30, 60)
    segment = editor.session.document.segment(made)
    editor.session.run(SetSegment(replace(segment, slots=(cup,))))
    at = QPointF(editor.x(45), editor.y(Lane.ACTION))
    assert tip_at(editor.view, at).splitlines() == [
        "Pouring: cup",
        "00:01.000 – 00:02.000 (1.000 s)",
        "Frames 30 to 59",
        "Objects: cup 1",
    ]


def test_an_edit_of_a_segment_leaves_the_same_picture_as_painting_all(editor: Editor) -> None:
    editor.draft.add("cup", (0, BOX), (60, BOX))
    first, second = (editor.add(lane, 20, 50) for lane in (Lane.ACTION, Lane.SOUND))
    editor.selection.set_segment(first)
    editor.view.set_range((10, 30))
    editor.view.grab()
    rows = editor.view.viewport.layout.rows
    moved = replace(editor.session.document.segment(first), end=70)
    editor.session.run(SetSegment(moved))
    after = editor.view.viewport.layout.rows
    assert after[1:] == rows[1:]
    assert all(a is b for a, b in zip(after[1:], rows[1:], strict=True))
    cheap = editor.view.grab().toImage()
    editor.view.set_range((10, 31))
    editor.view.set_range((10, 30))
    assert cheap == editor.view.grab().toImage()
    assert second in {s.id for s in after[1].segments}  # type: ignore[union-attr]


def test_a_segment_stays_in_its_row_while_it_fits(editor: Editor) -> None:
    first, above = editor.add(Lane.ACTION, 20, 60), editor.add(Lane.ACTION, 100, 140)
    low = editor.add(Lane.ACTION, 40, 70)

    def rows() -> list[set[str]]:
        lanes = editor.view.viewport.layout.rows
        return [{s.id for s in r.segments} for r in lanes if isinstance(r, SegmentLane)][:-1]

    def give(segment: str, start: int, end: int) -> None:
        old = editor.session.document.segment(SegmentId(segment))
        editor.session.run(SetSegment(replace(old, start=start, end=end)))

    editor.add(Lane.SOUND, 0, 5)
    assert rows() == [{first, above}, {low}]
    give(low, 59, 70)
    assert rows() == [{first, above}, {low}]
    give(first, 20, 65)
    assert rows() == [{first, above}, {low}]
    give(above, 50, 140)
    assert rows() == [{first}, {above}, {low}]
    editor.session.undo()
    assert rows() == [{first, above}, {low}]
    give(low, 65, 70)
    assert rows() == [{first, above, low}]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stays_readable_on_the_tint_of_every_label(qapp: QApplication, theme: str) -> None:
    shown = ThemeHub(theme).theme
    text, lane = shown.color("text"), shown.color("lane")

    def luminance(channels: list[float]) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for number in range(len(shown.object_colors)):
        ink = shown.label_color(Label(number, "x"))
        share = 46 / 255
        plane = [
            i * share + g * (1 - share)
            for i, g in zip(ink.getRgbF()[:3], lane.getRgbF()[:3], strict=True)
        ]
        a, b = sorted((luminance(plane), luminance(list(text.getRgbF()[:3]))))
        assert (b + 0.05) / (a + 0.05) >= 4.5, number
    assert shown.label_color(Label(3, "x", color=5)) == shown.object_color(5)
