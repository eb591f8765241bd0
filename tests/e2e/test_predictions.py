"""Predictions of models in the window: imported, told apart, accepted and dismissed by keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QWidget

from annotator.domain.annotation.track import Track
from annotator.services.background.jobs import JobToken
from annotator.services.batch.prepared_proposals import Preparation
from annotator.services.transfer import import_file
from annotator.ui.dialogs import file_dialogs
from annotator.ui.dialogs.project.import_plan_dialog import ImportPlanDialog
from annotator.ui.lead.setup.prepare_dialog import PrepareDialog, Preparing
from tests.e2e.conftest import N_FRAMES, Desktop


def _mot(folder: Path, name: str, shift: float) -> Path:
    """Write a file of one object that follows the square, least certain on frame 50."""
    rows = [
        f"{f + 1},1,{20 + 2 * f + shift},60,60,60,{0.2 if f == 50 else 0.9},-1,-1,-1"
        for f in range(N_FRAMES)
    ]
    path = folder / name / "square.txt"
    path.parent.mkdir()
    path.write_text("\n".join(rows))
    return path


@pytest.fixture
def opened(desktop: Desktop, project: Path, tmp_path: Path, monkeypatch) -> Desktop:
    """A window on a task with the objects of two models and two actions of a third."""
    desktop.open(project)
    name = ""

    def ask(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        assert dialog.proposals.isChecked()
        dialog.model.setText(name)
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ImportPlanDialog, "exec", ask)
    session = desktop.window.context.workspace.session
    assert session is not None
    for n, (name, shift) in enumerate((("first", 0.0), ("second", 4.0)), 1):
        desktop.window.context.projects.import_file(_mot(tmp_path, name, shift))
        desktop.qtbot.waitUntil(lambda n=n: len(session.document.tracks) == n, timeout=10_000)
    actions = [
        {"label": "push", "segment": [0.2, 1.0], "score": 0.9},
        {"label": "pull", "segment": [1.2, 2.0], "score": 0.3},
    ]
    path = tmp_path / "actions.json"
    path.write_text(json.dumps({"results": {"square": actions}}))
    name = "third"
    desktop.window.context.projects.import_file(path)
    desktop.qtbot.waitUntil(lambda: len(session.document.segments) == 2, timeout=10_000)
    for box in desktop.window.findChildren(QDialog):
        box.close()
    desktop.settle()
    return desktop


def _tracks(desktop: Desktop) -> tuple[Track, ...]:
    session = desktop.window.context.workspace.session
    assert session is not None
    return session.document.tracks


def test_two_models_are_told_apart_and_one_is_chosen(opened: Desktop) -> None:
    first, second = _tracks(opened)
    labels = [shape.label for shape in opened.window.context.canvas.board.shapes]
    assert labels == ["object · first", "object · second"]
    opened.window.context.workspace.selection.set_tracks([first.id])
    opened.settle()
    told = opened.window.context.panels.inspector.model.text()
    assert "first · 89%" in told
    assert "mean IoU 0.88" in told
    # The least certain frame of the model is gone to; then all of the object is accepted.
    opened.press("U")
    assert opened.window.context.workspace.frame == 50
    opened.press("Ctrl+Alt+A")
    (track,) = _tracks(opened)
    assert track.id == first.id
    assert 2 <= len(track.keyframes) <= 4
    # With that the other model's proposal for it is dismissed, in the same step.
    opened.press("Ctrl+Z")
    assert [t.id for t in _tracks(opened)] == [first.id, second.id]
    assert all(t.is_proposed for t in _tracks(opened))


def test_a_frame_is_accepted_and_the_rest_waits_while_a_box_corrects_it(opened: Desktop) -> None:
    _, second = _tracks(opened)
    workspace = opened.window.context.workspace
    workspace.selection.set_tracks([second.id])
    opened.press("A")
    assert workspace.track is not None
    assert workspace.track.frames == (0,)
    assert workspace.session is not None
    assert len(workspace.session.pending(second.id)) == N_FRAMES - 1
    # Nothing is tracked in its place while the model's proposals are there.
    stage = workspace.stage
    assert stage is not None
    if stage.proposing is not None:
        assert stage.proposing.status.n_waiting == 0
    opened.press("Shift+A")
    assert not workspace.session.pending(second.id)


def test_a_proposed_object_is_dismissed_as_a_whole(opened: Desktop) -> None:
    first, second = _tracks(opened)
    opened.window.context.workspace.selection.set_tracks([second.id])
    opened.press("Shift+A")
    assert [t.id for t in _tracks(opened)] == [first.id]
    opened.press("Ctrl+Z")
    assert len(_tracks(opened)) == 2


def test_tracking_an_object_without_keyframes_leaves_running_work_alone(opened: Desktop) -> None:
    workspace = opened.window.context.workspace
    opened.draw((20, 60), (80, 120))
    assert workspace.stage is not None
    proposing = workspace.stage.proposing
    assert proposing is not None
    opened.press("Ctrl+B")
    opened.qtbot.waitUntil(lambda: proposing._running is not None, timeout=20_000)
    running = proposing._running
    assert running is not None
    workspace.selection.set_tracks([t.id for t in _tracks(opened) if t.is_proposed][:1])
    opened.press("Ctrl+B")
    assert running.is_wanted
    opened.press("Esc")


def test_escape_leaves_the_selection_before_it_stops_tracking(opened: Desktop) -> None:
    workspace = opened.window.context.workspace
    opened.draw((20, 60), (80, 120))
    assert workspace.stage is not None
    proposing = workspace.stage.proposing
    assert proposing is not None
    opened.press("Ctrl+B")
    opened.qtbot.waitUntil(lambda: proposing._running is not None, timeout=20_000)
    running = proposing._running
    assert running is not None
    opened.press("Esc")
    assert not workspace.selection.tracks
    assert running.is_wanted
    opened.press("Esc")
    assert not running.is_wanted


def test_segments_are_accepted_one_after_the_other_and_dismissed(opened: Desktop) -> None:
    workspace = opened.window.context.workspace
    session = workspace.session
    assert session is not None
    push, pull = session.document.segments
    workspace.selection.set_segment(push.id)
    opened.press("A")
    assert not session.document.segment(push.id).is_proposed
    # The next one is in hand, and its place is on the screen.
    assert workspace.segment is not None
    assert workspace.segment.id == pull.id
    assert workspace.frame == pull.start
    opened.press("Shift+A")
    assert [s.id for s in session.document.segments] == [push.id]
    assert "push" in {
        label.text for label in opened.window.context.workspace.project.label_set(push.lane).labels
    }


def test_a_file_without_scores_is_imported_as_predictions_by_its_own_action(
    desktop: Desktop, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop.open(project)
    path = tmp_path / "square.txt"
    path.write_text("1,1,20,60,60,60,1,-1,-1,-1\n")
    asked: list[str] = []

    def ask(dialog: ImportPlanDialog) -> QDialog.DialogCode:
        # In a project without stages it is annotation or proposals.
        asked.append(dialog.model.text())
        assert dialog.proposals.isChecked()
        assert not dialog.stages.count()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(ImportPlanDialog, "exec", ask)
    monkeypatch.setattr(file_dialogs, "ask_import", lambda *_: path)
    desktop.run("file.import-predictions")
    desktop.qtbot.waitUntil(lambda: len(_tracks(desktop)) == 1, timeout=10_000)
    assert asked == ["square"]
    assert _tracks(desktop)[0].is_proposed


def _prepare(preparing: Preparing, window: QWidget) -> None:
    """Begin with what the dialog offers: the detections of the one model."""
    preparing.ask()
    (dialog,) = window.findChildren(PrepareDialog)
    assert dialog.detections.isChecked()
    assert dialog.model.currentText() == "det"
    dialog.accept()


def test_detections_are_tracked_in_advance_from_the_window(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    desktop.open(project)
    window = desktop.window
    opened = window.context.workspace.project
    assert opened is not None
    path = tmp_path / "square.txt"
    path.write_text("1,-1,20,60,60,60,0.8,-1,-1,-1\n")
    import_file(opened, path, as_proposals=True, model="det", token=JobToken(lambda *_: None))
    said: list[str] = []
    window.context.workspace.message.connect(said.append)
    preparing = Preparing(window.context.workspace, window)
    _prepare(preparing, window)
    desktop.qtbot.waitUntil(lambda: "Tracked 1 object in 1 video." in said, timeout=60_000)
    assert not Preparation(opened.path).is_begun
    models = {shape.label for shape in window.context.canvas.board.shapes}
    assert "object · det + fused" in models


def test_tracking_in_advance_outlives_the_project_in_the_window(
    desktop: Desktop, project: Path, tmp_path: Path
) -> None:
    desktop.open(project)
    window = desktop.window
    opened = window.context.workspace.project
    assert opened is not None
    path = tmp_path / "square.txt"
    path.write_text("1,-1,20,60,60,60,0.8,-1,-1,-1\n")
    import_file(opened, path, as_proposals=True, model="det", token=JobToken(lambda *_: None))
    preparing = Preparing(window.context.workspace, window)
    _prepare(preparing, window)
    preparation = Preparation(opened.path)
    desktop.qtbot.waitUntil(lambda: preparation.is_running, timeout=60_000)
    desktop.qtbot.waitUntil(lambda: not window.context.workspace.is_at_work, timeout=60_000)
    window.context.workspace.take_project(None)
    desktop.qtbot.waitUntil(lambda: not preparation.is_running, timeout=60_000)
    assert preparation.is_begun, "what was made waits for the project"
    said: list[str] = []
    window.context.workspace.message.connect(said.append)
    assert window.context.projects.open_path(project)
    preparing.look()
    desktop.qtbot.waitUntil(lambda: "Tracked 1 object in 1 video." in said, timeout=60_000)
    assert not preparation.is_begun


def test_proposals_are_accepted_and_dismissed_in_a_marked_range(opened: Desktop) -> None:
    first, _ = _tracks(opened)
    workspace = opened.window.context.workspace
    workspace.selection.set_tracks([first.id])
    workspace.set_range((20, 40))
    opened.settle()
    opened.press("Ctrl+Alt+Shift+A")
    session = workspace.session
    assert session is not None

    def waiting() -> set[int]:
        return {p.frame for p in session.pending(first.id)}

    assert waiting() == set(range(N_FRAMES)) - set(range(20, 40))
    opened.press("Ctrl+Z")
    assert waiting() == set(range(N_FRAMES))
    opened.press("Alt+Shift+A")
    (track, *_) = _tracks(opened)
    assert {k.frame for k in track.keyframes} <= set(range(20, 40))
    assert track.keyframes[0].frame == 20
    assert waiting() == set(range(N_FRAMES)) - set(range(20, 40))
