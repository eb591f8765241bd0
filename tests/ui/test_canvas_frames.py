"""Picture and boxes on screen belong to one frame: real decoding, read back from the window."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from annotator.domain.commands import SetOutside
from annotator.domain.geometry import Box
from annotator.media.decode.server import FrameServer
from annotator.media.decode.video import Video
from annotator.media.values import PictureRequest
from annotator.ui.canvas.canvas_view import CanvasView
from annotator.ui.canvas.model.frame_annotations import CanvasBoard
from annotator.ui.canvas.model.picture_viewport import Viewport
from annotator.ui.canvas.painting.canvas_scene import CanvasScene, paint_scene
from annotator.ui.canvas.painting.name_labels import ChipPictures
from annotator.ui.canvas.painting.shown_picture import ShownPicture
from annotator.ui.look.theme import ThemeHub
from annotator.ui.state.selection import Selection
from tests.media.encoding import encode
from tests.media.pattern import read_number
from tests.ui.drafts import Draft, picture

SIZE, N = (96, 64), 48


@pytest.fixture
def draft(qapp: QApplication, tmp_path: Path) -> Iterator[Draft]:
    made = Draft(tmp_path, size=SIZE, n_frames=N)
    yield made
    made.close()


def grabbed(view: CanvasView) -> np.ndarray:
    """Return what the widget shows, RGB."""
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())[:, : image.width() * 3]
    return rows.reshape(image.height(), image.width(), 3)


def test_number_and_box_on_screen_are_of_one_frame_while_frames_race(
    draft: Draft, tmp_path: Path
) -> None:
    path = tmp_path / "race.mp4"
    encode(path, numbers=range(N), size=SIZE, gop=24, b_frames=2)
    keys = [(0, Box(0, 2, 20, 12)), (N - 1, Box(N - 1, 2, N + 19, 12))]
    draft.add("cup", *keys)
    hub = ThemeHub("dark")
    view = CanvasView(hub, Selection())
    # Tall, so that the label stands beside the picture and not on its blocks.
    view.resize(500, 460)
    view.set_session(draft.session)
    view.show()
    arrived = threading.Event()
    with Video(path) as video:
        server = FrameServer(path, video.table, on_ready=arrived.set)
    color = np.array(hub.theme.object_color(0).getRgb()[:3])
    rng = random.Random(4)
    seen = set()
    try:
        for _ in range(40):
            for frame in rng.sample(range(N), rng.choice((1, 1, 3))):
                server.request(PictureRequest(frame, *view.zooming.target_size()))
            assert arrived.wait(5)
            arrived.clear()
            shown = server.take()
            if shown is None:
                continue
            view.show_picture(shown)
            screen = grabbed(view)
            left, top = (round(v) for v in view.board.viewport.origin)
            width, height = view.board.viewport.device_size
            assert read_number(screen[top : top + height, left : left + width]) == view.index
            scale = view.board.viewport.scale
            edge = round(left + view.index * scale)
            row = screen[top + round(7 * scale), edge - 2 : edge + 3].astype(int)
            assert np.abs(row - color).sum(axis=1).min() < 30
            seen.add(view.index)
    finally:
        server.close()
        view.close()
    assert len(seen) > 10


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_at_every_scale_one_to_one_copies_pixel_for_pixel(qapp: QApplication, ratio: float) -> None:
    rng = np.random.default_rng(1)
    shown = picture(0, (200, 120))
    shown.bgra[..., :3] = rng.integers(0, 255, (120, 200, 3), dtype=np.uint8)
    viewport = Viewport().with_widget(300, 200, ratio).with_image(200, 120)
    viewport = viewport.zoomed(1.0, 150, 100)
    target = QImage(round(300 * ratio), round(200 * ratio), QImage.Format.Format_RGB32)
    target.setDevicePixelRatio(ratio)
    selection = Selection()
    board = CanvasBoard(selection, selection)
    board.set_viewport(viewport)
    theme = ThemeHub("dark").theme
    chips = ChipPictures(theme, QApplication.font(), ratio)
    painter = QPainter(target)
    scene = CanvasScene(board, ShownPicture(shown), theme, chips)
    paint_scene(painter, scene, QRectF(0, 0, 300, 200))
    painter.end()
    left, top = (round(v * ratio) for v in viewport.origin)
    pixels = np.frombuffer(target.constBits(), dtype=np.uint8)
    pixels = pixels.reshape(target.height(), target.bytesPerLine() // 4, 4)
    assert (pixels[top : top + 120, left : left + 200, :3] == shown.bgra[..., :3]).all()


def test_a_stand_in_says_so_and_the_exact_picture_takes_its_place(draft: Draft) -> None:
    draft.add("cup", (0, Box(0, 0, 20, 20)), (40, Box(40, 0, 60, 20)))
    view = CanvasView(ThemeHub("dark"), Selection())
    view.resize(400, 300)
    view.set_session(draft.session)
    view.show()
    exact = picture(20, SIZE)
    view.show_picture(exact)
    plain = view.grab().toImage()
    view.show_picture(picture(20, SIZE, is_exact=False))
    assert view.grab().toImage() != plain
    view.show_picture(exact)
    assert view.grab().toImage() == plain
    view.close()


def test_an_object_long_gone_leaves_no_ghost_unless_it_is_selected(
    qapp: QApplication, tmp_path: Path
) -> None:
    draft = Draft(tmp_path, size=SIZE, n_frames=300)
    cup = draft.add("cup", (0, Box(20, 20, 50, 50)))
    draft.session.run(SetOutside(cup, 2, value=True))
    selection = Selection()
    view = CanvasView(ThemeHub("dark"), selection)
    view.resize(400, 300)
    view.set_session(draft.session)
    view.show()

    def marks(frame: int) -> int:
        view.show_picture(picture(frame, SIZE))
        screen = grabbed(view)
        left, top = (round(v) for v in view.board.viewport.origin)
        width, height = view.board.viewport.device_size
        inside = screen[top : top + height, left : left + width].astype(int)
        return int((np.abs(inside - (frame % 200 + 20)).sum(axis=2) > 9).sum())

    assert marks(30) > 50
    assert marks(190) == 0
    selection.set_tracks([cup])
    assert marks(190) > 50
    view.close()
    draft.close()
