"""The picture of the timeline: what is painted again is as if all had been painted anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import (
    CreateSegment,
    DeleteSegment,
    DeleteTracks,
    SetKeyframe,
    SetSlot,
    SetTrack,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import segment_id
from annotator.ui.timeline.model.lane_contents import SegmentLane
from annotator.ui.timeline.painting import timeline_picture as painting
from annotator.ui.timeline.painting.timeline_scene import TimelineScene
from tests.ui.drafts import Draft
from tests.ui.test_timeline_segments import BOX, Editor


@pytest.fixture
def editor(qapp: QApplication, tmp_path: Path) -> Iterator[Editor]:
    draft = Draft(tmp_path)
    made = Editor(draft)
    yield made
    made.view.close()
    draft.close()


def _seen(editor: Editor) -> QImage:
    return editor.view.grab().toImage()


def _anew(editor: Editor) -> QImage:
    editor.view.viewport.repaint_all()
    return _seen(editor)


def test_a_part_painted_again_is_as_all_painted_anew(editor: Editor) -> None:
    session, selection, draft = editor.session, editor.selection, editor.draft
    tracks = [draft.add(f"object {i}", (0, BOX), (40 + i, BOX)) for i in range(12)]
    points = [draft.add_point(tracks[3], f"part {i}", (i, Point(120, 110))) for i in range(3)]
    first = editor.add(Lane.ACTION, 10, 60)
    second = editor.add(Lane.ACTION, 50, 90, "Stirring")
    new = Segment(segment_id(), Lane.ACTION, "Putting", 100, 140, slots=(tracks[5],))
    steps: list[Callable[[], object]] = [
        lambda: selection.set_segment(first, "end"),
        lambda: editor.view.set_range((20, 70)),
        lambda: selection.set_tracks([tracks[5]]),
        lambda: session.run(SetKeyframe(tracks[5], 90, Box(1, 1, 50, 50))),
        lambda: session.run(CreateSegment(new)),
        lambda: selection.set_segment(new.id),
        lambda: session.run(SetSlot(first, 0, tracks[11], frame=0)),
        lambda: selection.set_tracks([tracks[0], tracks[11]]),
        lambda: selection.set_points(tracks[3], points[1:]),
        lambda: editor.view.lanes.set_folded([tracks[3]]),
        lambda: editor.view.set_loaded_spans([(0, 40)]),
        lambda: session.run(SetTrack(tracks[5], label="spoon")),
        lambda: session.run(DeleteSegment(second)),
        lambda: session.run(DeleteTracks(tuple(tracks[:9]))),
        lambda: session.undo(),
        lambda: selection.clear(),
    ]
    pictures = [_seen(editor)]
    for number, step in enumerate(steps):
        step()
        pictures.append(_seen(editor))
        assert pictures[-1] == _anew(editor), number
    assert all(a != b for a, b in pairwise(pictures))


def test_scrolled_lanes_are_as_painted_anew(editor: Editor) -> None:
    for i in range(20):
        editor.draft.add(f"object {i}", (i, BOX))
    editor.selection.set_segment(editor.add(Lane.ACTION, 10, 60))
    bar = editor.view.viewport._bar
    for place in (7, 150, 149, bar.maximum(), bar.maximum() - 40, 0):
        before = _seen(editor)
        bar.setValue(place)
        after = _seen(editor)
        assert after != before
        assert after == _anew(editor), place


def test_lanes_of_segments_stay_while_objects_are_scrolled(editor: Editor) -> None:
    tracks = [editor.draft.add(f"object {i}", (i, BOX)) for i in range(20)]
    segment = editor.add(Lane.ACTION, 10, 60)
    editor.selection.set_tracks([tracks[-1]])
    layout = editor.view.viewport.layout
    assert layout.scroll > 0
    assert layout.n_fixed == layout.n_segment_rows > 0
    lane = layout.rows[0]
    assert isinstance(lane, SegmentLane)
    assert [s.id for s in lane.segments] == [segment]
    assert layout.top_of(0) == layout.header
    assert layout.row_at(layout.header + 1) == 0
    shown = [layout.rows[row] for row in layout.visible_rows()]
    assert lane in shown
    last = layout.visible_rows()[-1]
    assert layout.row_at(layout.top_of(last) + 1) == last
    assert layout.rows[last] == editor.session.document.find_track(tracks[-1])
    assert layout.row_at(layout.border + 1) == layout.visible_rows()[layout.n_fixed]


def test_too_many_lanes_of_segments_are_scrolled_with_the_others(editor: Editor) -> None:
    for _ in range(12):
        editor.add(Lane.ACTION, 10, 60)
    tracks = [editor.draft.add(f"object {i}", (i, BOX)) for i in range(3)]
    editor.selection.set_tracks([tracks[-1]])
    layout = editor.view.viewport.layout
    assert layout.n_fixed == 0
    assert layout.n_segment_rows >= 12
    assert layout.top_of(0) < layout.header
    assert len(layout.rows) - 1 in layout.visible_rows()


def test_only_the_row_that_changed_is_painted(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i in range(5):
        editor.draft.add(f"object {i}", (i, BOX))
    segment = editor.add(Lane.ACTION, 10, 60)
    _seen(editor)
    rows: list[int] = []
    real = painting._draw_row

    def drawn(painter: QPainter, scene: TimelineScene, row: int) -> None:
        rows.append(row)
        real(painter, scene, row)

    monkeypatch.setattr(painting, "_draw_row", drawn)
    editor.selection.set_segment(segment)
    _seen(editor)
    assert rows == [0]
    rows.clear()
    editor.view.set_playhead(30)
    _seen(editor)
    assert rows == []


def test_selected_objects_fold_their_points_by_the_action(editor: Editor) -> None:
    cup, spoon, bare = (editor.draft.add(name, (0, BOX)) for name in ("cup", "spoon", "bare"))
    for owner in (cup, spoon):
        editor.draft.add_point(owner, "rim", (0, Point(120.0, 110.0)))
    editor.view.lanes.set_folded([cup])
    editor.selection.set_tracks([cup, spoon, bare])
    editor.view.lanes.fold_selected()
    assert editor.view.lanes.folded == {cup, spoon}
    editor.view.lanes.fold_selected()
    assert editor.view.lanes.folded == frozenset()
