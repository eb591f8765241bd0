"""The canvas' pure parts: viewport, shapes, hit-testing, box arithmetic, label places, outlines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor, QImage, QPainter, qRgb
from PySide6.QtWidgets import QApplication

from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands import SetOutside, SetTrack
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import track_id
from annotator.domain.proposals.box_proposals import Proposed
from annotator.ui.canvas.input import box_geometry
from annotator.ui.canvas.input.box_geometry import Handle, handle_places, hit
from annotator.ui.canvas.model.picture_viewport import MAX_ZOOM, Viewport
from annotator.ui.canvas.model.shapes import (
    Shape,
    ShapeBook,
    ShapeStyle,
    neighbor,
    shape_of,
)
from annotator.ui.canvas.model.summary import summary
from annotator.ui.canvas.painting.name_labels import LabelRequest, place_chips
from annotator.ui.canvas.painting.strokes import DASHED, Strokes, outline_of
from annotator.ui.look.theme import ThemeHub, luminance
from tests.ui.drafts import Draft

SIZE = (640, 360)


def viewport(ratio: float = 1.0) -> Viewport:
    return Viewport().with_widget(800, 600, ratio).with_image(*SIZE)


def shape(
    box: Box, *, look: ShapeStyle = ShapeStyle.FIXED, number: int = 1, locked: bool = False
) -> Shape:
    return Shape(track_id(), "cup", number, 0, box, look, locked=locked)


def track(*keys: Keyframe, locked: bool = False) -> Track:
    return Track(TrackInfo(track_id(), "cup", 1, 0, is_locked=locked), keys)


# Viewport


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_a_fitted_picture_is_whole_and_centered_at_every_scale(ratio: float) -> None:
    view = viewport(ratio)
    left, top = view.to_widget(Point(0, 0))
    right, bottom = view.to_widget(Point(*SIZE))
    assert left == pytest.approx(10, abs=1)
    assert left + right == pytest.approx(800, abs=2)
    assert top + bottom == pytest.approx(600, abs=2)
    assert top > 0


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_one_to_one_means_device_pixels(ratio: float) -> None:
    view = viewport(ratio).zoomed(1.0, 400, 300).panned(0.3, 0.4)
    assert view.device_size == SIZE
    left, _ = view.to_widget(Point(0, 0))
    right, _ = view.to_widget(Point(1, 0))
    assert (right - left) * ratio == pytest.approx(1.0)
    assert left * ratio == pytest.approx(round(left * ratio), abs=1e-6)


@given(
    st.floats(0.05, 30),
    st.floats(0, 800),
    st.floats(0, 600),
    st.floats(-400, 400),
    st.floats(-400, 400),
)
def test_widget_and_image_points_are_each_others_inverse(
    zoom: float, x: float, y: float, dx: float, dy: float
) -> None:
    view = viewport(2.0).zoomed(zoom, x, y).panned(dx, dy)
    point = view.to_image(x, y)
    assert view.to_widget(point) == pytest.approx((x, y), abs=1e-6)


@given(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5), st.floats(0.01, 100))
def test_the_picture_cannot_be_lost_out_of_sight(dx: float, dy: float, zoom: float) -> None:
    view = viewport().zoomed(zoom, 400, 300).panned(dx, dy)
    left, top = view.to_widget(Point(0, 0))
    right, bottom = view.to_widget(Point(*SIZE))
    assert left < 800 - 40
    assert top < 600 - 40
    assert right > 40
    assert bottom > 40
    assert view.zoom <= MAX_ZOOM


# Shapes


def test_a_waiting_proposal_covers_interpolation() -> None:
    made = track(Keyframe(0, Box(0, 0, 10, 10)), Keyframe(20, Box(20, 0, 30, 10)))
    proposed = Proposed(5, Box(6, 1, 16, 11), 0.7)
    found = shape_of(made, made.state_at(5), proposed)
    assert found is not None
    assert (found.look, found.box, found.confidence) == (ShapeStyle.PROPOSED, proposed.box, 0.7)
    between = shape_of(made, made.state_at(5), None)
    assert between is not None
    assert (between.look, between.box) == (ShapeStyle.BETWEEN, Box(5, 0, 15, 10))


def test_out_of_view_leaves_a_ghost_at_the_last_place() -> None:
    made = track(Keyframe(0, Box(0, 0, 10, 10)), Keyframe(20, None))
    found = shape_of(made, made.state_at(33), None)
    assert found is not None
    assert (found.look, found.box) == (ShapeStyle.GHOST, Box(0, 0, 10, 10))
    not_begun = track(Keyframe(9, Box(0, 0, 10, 10)))
    assert shape_of(not_begun, not_begun.state_at(3), None) is None


def test_shapes_of_one_frame_after_the_other_are_those_looked_up_alone(tmp_path: Path) -> None:
    draft, book = Draft(tmp_path), ShapeBook()
    cup = draft.add("cup", (10, Box(0, 0, 10, 10)), (40, Box(30, 0, 43, 17)))
    lid = draft.add("lid", (0, Box(50, 50, 60, 60)))

    def check() -> None:
        for frame in (0, 9, 10, 11, 25, 39, 40, 41, 200, 12, 30, 5):
            tracks = draft.session.document.tracks
            runs = {t.id: draft.session.pending_at(t.id, frame) for t in tracks}
            alone = [shape_of(t, t.state_at(frame), runs[t.id], fresh_frames=60) for t in tracks]
            shown = [s for s, t in zip(alone, tracks, strict=True) if s and not t.info.is_hidden]
            assert book.at(draft.session, frame) == shown

    check()
    draft.session.run(SetOutside(lid, 20, True))
    check()
    draft.propose(cup, 11, [Box(1, 1, 12, 12)] * 29, 0.6)
    check()
    assert book.at(draft.session, 25)[0].look is ShapeStyle.PROPOSED
    draft.session.box_runs.replace(cup, (11, 40), [])
    check()
    draft.session.run(SetTrack(cup, is_locked=True))
    check()
    draft.session.run(SetTrack(cup, is_hidden=True))
    check()
    draft.close()


def test_cycling_passes_over_ghosts_while_there_is_something_else() -> None:
    one, two = shape(Box(0, 0, 9, 9)), shape(Box(0, 0, 9, 9))
    ghost = shape(Box(0, 0, 9, 9), look=ShapeStyle.GHOST)
    assert neighbor([one, ghost, two], one.track_id, 1) is two
    assert neighbor([one, ghost, two], two.track_id, 1) is one
    assert neighbor([ghost], None, 1) is ghost
    assert neighbor([], None, 1) is None


# Hit-testing


def test_small_boxes_wear_their_handles_outside() -> None:
    places = handle_places(Box(100, 100, 106, 106))
    assert places[Handle.TOP_LEFT] == (85, 85)
    assert places[Handle.BOTTOM_RIGHT] == (121, 121)
    large = handle_places(Box(100, 100, 300, 300))
    assert large[Handle.RIGHT] == (300, 200)


def test_the_body_of_a_small_selected_box_can_still_be_grasped() -> None:
    view = viewport().zoomed(1.0, 400, 300)
    small = shape(Box(100, 100, 108, 108))
    x, y = view.to_widget(small.box.center)
    target = hit([small], view, x, y, selected=[small.track_id])
    assert target is not None
    assert target.handle is None


def test_ghosts_come_last_and_by_their_outline() -> None:
    view = viewport().zoomed(1.0, 400, 300)
    ghost = shape(Box(100, 100, 300, 300), look=ShapeStyle.GHOST)
    table = shape(Box(50, 50, 350, 350))
    middle, edge = view.to_widget(Point(200, 200)), view.to_widget(Point(100, 200))
    assert hit([ghost], view, *middle) is None
    on_edge = hit([ghost], view, *edge)
    assert on_edge is not None
    assert on_edge.shape is ghost
    chosen = hit([ghost], view, *middle, selected=[ghost.track_id])
    assert chosen is not None
    covered = hit([ghost, table], view, *middle, selected=[ghost.track_id])
    assert covered is not None
    assert covered.shape is table


def test_locked_boxes_have_no_handles() -> None:
    view = viewport().zoomed(1.0, 400, 300)
    locked = shape(Box(100, 100, 300, 300), locked=True)
    corner = view.to_widget(Point(300, 300))
    target = hit([locked], view, *corner, selected=[locked.track_id])
    assert target is not None
    assert target.handle is None


# Boxes

numbers = st.floats(-300, 300)


@given(st.sampled_from(list(Handle)), numbers, numbers, st.booleans(), st.booleans())
def test_resizing_always_leaves_a_box_inside_the_picture(
    handle: Handle, dx: float, dy: float, keep: bool, center: bool
) -> None:
    box = box_geometry.resized(
        Box(200, 120, 280, 160), handle, dx, dy, SIZE, keep_aspect=keep, from_center=center
    )
    assert box.is_valid
    assert box == box.clipped(*SIZE)
    assert box.width >= 0.99
    assert box.height >= 0.49


@given(st.sampled_from(list(Handle)), st.floats(-30, 30), st.floats(-30, 30))
def test_keeping_the_aspect_keeps_it(handle: Handle, dx: float, dy: float) -> None:
    box = box_geometry.resized(Box(200, 120, 280, 160), handle, dx, dy, SIZE, keep_aspect=True)
    assert box.width / box.height == pytest.approx(2.0)


def test_a_handle_does_not_move_the_opposite_corner() -> None:
    box = box_geometry.resized(Box(200, 120, 280, 160), Handle.TOP_LEFT, -20, -10, SIZE)
    assert box == Box(180, 110, 280, 160)


def test_moving_far_out_keeps_the_size() -> None:
    assert box_geometry.moved(Box(10, 10, 60, 40), -500, 900, SIZE) == Box(0, 330, 50, 360)


def test_a_square_is_dragged_in_every_direction() -> None:
    box = box_geometry.dragged_box(Point(100, 100), Point(60, 90), SIZE, square=True)
    assert box == Box(60, 60, 100, 100)
    around = box_geometry.dragged_box(Point(100, 100), Point(120, 130), SIZE, from_center=True)
    assert around == Box(80, 70, 120, 130)


# Labels and outlines


def test_labels_do_not_cover_each_other() -> None:
    slots = [LabelRequest(100 + i * 15, 100, 110 + i * 15, 110, 60, 16, 18) for i in range(12)]
    places = place_chips(slots, 640, 360)
    taken = [
        (p.x, p.y, p.x + (18 if p.is_short else 60), p.y + 16) for p in places if p is not None
    ]
    assert len(taken) >= 6
    for i, (x1, y1, x2, y2) in enumerate(taken):
        for a1, b1, a2, b2 in taken[:i]:
            assert x2 <= a1 or a2 <= x1 or y2 <= b1 or b2 <= y1


def test_labels_stay_on_the_canvas() -> None:
    slots = [
        LabelRequest(-50, -50, 20, 20, 60, 16, 18),
        LabelRequest(630, 350, 700, 400, 60, 16, 18),
    ]
    first, second = place_chips(slots, 640, 360)
    assert first is not None
    assert (first.x, first.y) == (0, 0)
    assert second is not None
    assert second.x + 60 <= 640
    assert second.y + 16 <= 360


@pytest.mark.parametrize("unit", [1.0, 2.0])
def test_an_outline_lies_on_the_edge_and_leaves_the_inside(qapp: QApplication, unit: float) -> None:
    image = QImage(100, 80, QImage.Format.Format_RGB32)
    image.fill(0)
    strokes = Strokes(unit)
    strokes.frame((20, 10, 60, 50), 0xFFFF0000, 2)
    painter = QPainter(image)
    strokes.fill(painter)
    painter.end()
    red = qRgb(255, 0, 0)
    assert image.pixel(20, 30) == red
    assert image.pixel(79 + int(unit), 30) == red
    assert image.pixel(50, 10) == red
    assert image.pixel(50, 35) != red
    assert image.pixel(15, 30) != red


def test_dashes_run_along_both_directions(qapp: QApplication) -> None:
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    image.fill(0xFF808080)
    strokes = Strokes(1.0)
    strokes.frame((20, 20, 150, 150), 0xFFFF0000, 2, DASHED)
    painter = QPainter(image)
    strokes.fill(painter)
    painter.end()
    red = qRgb(255, 0, 0)
    across = np.array([image.pixel(x, 20) == red for x in range(20, 170)])
    down = np.array([image.pixel(20, y) == red for y in range(20, 170)])
    for line in (across, down):
        assert 0.4 < line.mean() < 0.8
        assert np.count_nonzero(np.diff(line.astype(int))) >= 16


def test_every_object_color_has_an_outline_in_contrast(qapp: QApplication) -> None:
    for color in ThemeHub("dark").theme.object_colors:
        edge = QColor.fromRgba(outline_of(color.rgba()))
        light, dark = sorted((luminance(color), luminance(edge)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 2.9, color.name()


def test_the_summary_names_at_most_a_dozen() -> None:
    shapes = [shape(Box(0, 0, 9, 9), number=i) for i in range(1, 16)]
    text = summary(3, shapes, [shapes[0].track_id])
    assert text.startswith("Frame 3, 15 boxes: cup 1 (selected), cup 2, ")
    assert text.endswith("cup 12 and 3 more.")
