"""Several objects selected: each key acts on all of them, and one undo takes it back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from annotator.domain.annotation.track import Phase, Track
from annotator.services.session import Session
from tests.e2e.conftest import Desktop


class Rater:
    """A window with two boxes drawn on frame 0 and both selected."""

    def __init__(self, desktop: Desktop, project: Path) -> None:
        self.desktop = desktop
        desktop.open(project)
        desktop.draw((20, 60), (80, 120))
        desktop.draw((150, 30), (220, 90))
        desktop.press("Ctrl+A")
        self.go(30)

    @property
    def session(self) -> Session:
        session = self.desktop.window.context.workspace.session
        assert session is not None
        return session

    @property
    def tracks(self) -> tuple[Track, ...]:
        assert len(self.session.document.tracks) == 2
        return self.session.document.tracks

    def go(self, frame: int) -> None:
        self.desktop.window.context.playback.seek(frame)
        self.desktop.settle()


@pytest.fixture
def rater(desktop: Desktop, project: Path) -> Rater:
    return Rater(desktop, project)


def test_keys_of_this_frame_act_on_all_selected(rater: Rater) -> None:
    press = rater.desktop.press
    press("Q")
    assert [t.state_at(40).occluded for t in rater.tracks] == [True, True]
    press("Ctrl+Z")
    assert [t.frames for t in rater.tracks] == [(0,), (0,)]
    press("Ctrl+A", "W")
    assert [t.state_at(40).phase for t in rater.tracks] == [Phase.OUTSIDE, Phase.OUTSIDE]
    press("Ctrl+Z", "Ctrl+A", "S")
    assert [30 in t.frames for t in rater.tracks] == [True, True]
    press("X")
    assert [t.frames for t in rater.tracks] == [(0,), (0,)]


def test_the_marked_range_acts_on_all_selected(rater: Rater) -> None:
    rater.desktop.window.context.workspace.set_range((10, 20))
    rater.desktop.press("Shift+W")
    for track in rater.tracks:
        assert [track.state_at(f).is_present for f in (9, 10, 19, 20)] == [True, False, False, True]
    rater.desktop.press("Ctrl+Z")
    assert [t.frames for t in rater.tracks] == [(0,), (0,)]


def test_one_name_one_lock_one_eye_and_one_end_for_all(rater: Rater) -> None:
    press = rater.desktop.press
    press("Ctrl+R")
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "spoon")
    QTest.keyClick(field, Qt.Key.Key_Return)
    waits = rater.desktop.qtbot
    waits.waitUntil(lambda: [t.label for t in rater.tracks] == ["spoon", "spoon"])
    waits.waitUntil(rater.desktop.window.context.canvas.hasFocus)
    press("Ctrl+Z")
    assert "spoon" not in [t.label for t in rater.tracks]
    press("Ctrl+A", "H")
    assert [t.info.is_hidden for t in rater.tracks] == [True, True]
    press("H", "Ctrl+L")
    assert [t.info.is_locked for t in rater.tracks] == [True, True]
    press("Ctrl+L", "Del")
    assert rater.session.document.tracks == ()
    press("Ctrl+Z")
    assert len(rater.tracks) == 2


def test_a_drag_in_the_window_moves_both(rater: Rater) -> None:
    rater.desktop.drag((50, 90), (70, 100))
    boxes = [t.state_at(30).box for t in rater.tracks]
    assert [round(b.x1) for b in boxes if b is not None] == pytest.approx([40, 170], abs=1)
    rater.desktop.press("Ctrl+Z")
    assert [t.frames for t in rater.tracks] == [(0,), (0,)]
