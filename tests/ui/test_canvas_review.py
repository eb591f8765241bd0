"""What a review puts over the picture: what was before, where it differs; signs of comments."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from pytestqt.qtbot import QtBot

from annotator.domain.annotation.comment import WHOLE_TASK, Comment, Pin
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, DraftId, PersonId, TrackId
from annotator.ui.canvas.model.earlier_annotations import Before
from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.layers import Layers
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.model.shapes import Shape, shape_of
from annotator.ui.canvas.painting.comment_painter import sign_at, signs_on
from annotator.ui.state.selection import Selection
from tests.store.samples import video_info

VIDEO = video_info("a.mp4")
BOX = Box(20, 30, 60, 80)


@pytest.fixture
def owner(qtbot: QtBot) -> Selection:
    """Keeps the board alive that belongs to it."""
    assert qtbot is not None
    return Selection()


def track(name: str, *keys: Keyframe, number: int = 1) -> Track:
    return Track(TrackInfo(TrackId(name), name, number, number), keys)


def document(*tracks: Track, comments: tuple[Comment, ...] = ()) -> Document:
    return Document(DraftId("d"), VIDEO, tracks, comments=comments)


def shapes(of: Document, frame: int) -> list[Shape]:
    found = (shape_of(t, state, None) for t, state in of.states_at(frame))
    return [shape for shape in found if shape is not None]


def comment(
    name: str, pin: Pin, *, parent: str | None = None, is_resolved: bool = False
) -> Comment:
    above = CommentId(parent) if parent is not None else None
    return Comment(CommentId(name), PersonId("p"), 1, name, pin, above, is_resolved)


def board(of: Document, frame: int, owner: Selection) -> CanvasBoard:
    """A board that shows a frame at two logical pixels for each of the picture."""
    made = CanvasBoard(owner, owner)
    made.viewport = Viewport(width=640, height=480).with_image(320, 240).looking_at(2.0, 160, 120)
    made.index = frame
    made.shapes = shapes(of, frame)
    return made


def test_only_what_looks_different_now_is_shown_from_before() -> None:
    old = document(
        track("moved", Keyframe(0, BOX)),
        track("same", Keyframe(0, BOX), number=2),
        track("gone", Keyframe(0, BOX), number=3),
        track("hidden", Keyframe(0, BOX), number=4),
        track("later", Keyframe(9, BOX), number=5),
    )
    new = document(
        track("moved", Keyframe(0, Box(25, 30, 65, 80))),
        track("same", Keyframe(0, BOX), number=2),
        track("hidden", Keyframe(0, BOX, occluded=True), number=4),
    )
    before = Before(old, "then")
    assert [s.track_id for s in before.at(0).shapes] == ["moved", "same", "gone", "hidden"]
    left = before.at(0).beside(shapes(new, 0), ())
    assert [s.track_id for s in left.shapes] == ["moved", "gone", "hidden"]
    assert left.shapes[0].box == BOX
    assert "later" in [s.track_id for s in before.at(9).shapes]
    assert before.is_of(old)
    assert not before.is_of(new)


def test_signs_stand_at_what_they_are_about(owner: Selection) -> None:
    said = (
        comment("box", Pin(frame=3, track_id=TrackId("cup"))),
        comment("answer", Pin(frame=3, track_id=TrackId("cup")), parent="box"),
        comment("frame", Pin(frame=3)),
        comment("span", Pin(span=(2, 5))),
        comment("always", Pin(track_id=TrackId("cup"))),
        comment("elsewhere", Pin(frame=4)),
        comment("done", Pin(frame=3), is_resolved=True),
        comment("task", WHOLE_TASK),
    )
    shown = document(track("cup", Keyframe(0, BOX)), comments=said)
    at = board(shown, 3, owner)
    signs = {s.comment_id: s for s in signs_on(shown, at)}
    assert set(signs) == {"box", "frame", "span", "always"}
    assert signs[CommentId("box")].count == 2
    corner = at.viewport.box_to_widget(BOX)
    assert abs(signs[CommentId("box")].rect.right() - corner.x2) < 30
    rects = [s.rect for s in signs.values()]
    assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])
    first = signs[CommentId("frame")]
    assert sign_at(signs.values(), first.x + 4, first.y + 4) == first
    assert sign_at(signs.values(), 630, 470) is None


def test_divider_splits_the_picture(owner: Selection) -> None:
    shown = document(track("cup", Keyframe(0, BOX)))
    layers = Layers(board(shown, 0, owner))
    assert layers.part_of_now() is None
    assert not layers.is_past(1)
    layers.show_before(Before(shown, "then"), 0.25)
    assert layers.part_of_now() == QRectF(160, 0, 480, 480)
    assert layers.is_past(159)
    assert not layers.is_past(161)
    layers.show_before(Before(shown, "then"))
    assert layers.part_of_now() is None
