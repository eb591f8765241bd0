"""Gold tasks in a real window: training with its reference, and the lead's page."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus
from annotator.services.project.projects import create_project
from annotator.ui.review.changes_panel import ChangesPanel
from annotator.ui.work.submit import SubmitDialog
from tests.e2e.conftest import Desktop, make_clip
from tests.services.gold_team import CUP, RECIPE, as_lead, draws, gold_results


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("gold")
    return [make_clip(folder / f"clip {i}.mp4", shade=40 + 10 * i) for i in range(8)]


@pytest.fixture
def team(tmp_path: Path, clips: list[Path]) -> Path:
    """Three results are known; one training task, then every second task is a gold task."""
    made = create_project(tmp_path / "team", title="Team", recipe="perception-test")
    made.work.use_recipe(RECIPE.format(gold="every = 2, training = 1, last = 3"))
    folder = tmp_path / "videos"
    folder.mkdir()
    made.add_videos([Path(shutil.copy(clip, folder)) for clip in clips])
    for name in ("Ann", "Ben"):
        made.work.people.add(name, (Role.RATER,))
    made.work.people.add("Rae", (Role.REVIEWER,))
    gold_results(made, 2)
    as_lead(made)
    made.close()
    return made.path


def _as(desktop: Desktop, path: Path, name: str) -> None:
    window = desktop.window
    if window.context.workspace.project is None:
        assert window.context.projects.open_path(path)
    project = window.context.workspace.project
    assert project is not None
    window.context.workspace.sign_in(
        next(p.id for p in project.work.people.all() if p.name == name)
    )


def test_a_training_task_is_followed_by_its_reference(
    desktop: Desktop, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _as(desktop, team, "Ann")
    window = desktop.window
    project = window.context.workspace.project
    assert project is not None
    record = project.work.claim_next()
    assert record is not None
    window.context.workspace.open_task(record.id)
    assert window.assembly.rater.training is not None
    strip = window.assembly.rater.training
    assert not strip.isHidden()
    assert strip.label.text().startswith("Training task.")
    assert window.context.workspace.session is not None
    window.context.workspace.session.run(CreateTrack(track_id(), "cup", 0, Box(20, 10, 60, 50)))
    monkeypatch.setattr(SubmitDialog, "exec", lambda _: SubmitDialog.DialogCode.Accepted)
    desktop.run("task.submit")
    reviewing = window.assembly.review_actions.reviewing

    def is_compared() -> bool:
        return reviewing.earlier is not None and reviewing.earlier.is_prediction

    desktop.qtbot.waitUntil(is_compared, timeout=10_000)
    assert strip.label.text().startswith("Training result: boxes overlap 60% · 1 of 1 found.")
    assert reviewing.before is not None
    (reference,) = reviewing.before.tracks
    assert reference.keyframes[0].box == CUP
    assert window.context.workspace.session is not None
    assert reference.id == window.context.workspace.session.document.tracks[0].id
    assert len(reviewing.items) == 1  # the box, not a whole object on either side
    assert window.context.table.action("review.before").isChecked()
    # The work is submitted: there is nothing to accept, only to see.
    changes = window.findChild(ChangesPanel)
    assert changes is not None
    assert changes.counts.text() == "1 changed"
    assert changes.judging.isHidden()
    assert not window.context.table.action("change.accept").isEnabled()


def test_the_lead_sees_errors_and_chooses_known_results(desktop: Desktop, team: Path) -> None:
    _as(desktop, team, "Ann")
    window = desktop.window
    project = window.context.workspace.project
    assert project is not None
    for _ in range(3):
        draws(project, "Ann", Box(14, 10, 54, 50))
    lead_name = next(p.name for p in project.work.people.all() if p.has(Role.LEAD))
    _as(desktop, team, lead_name)
    desktop.run("lead.board")
    lead = window.assembly.lead_actions.window
    assert lead is not None
    board, page = lead.board, lead.gold
    desktop.qtbot.waitUntil(lambda: board.model.rowCount() > 0, timeout=10_000)
    notes = [board.model.index(row, 8).data() for row in range(board.model.rowCount())]
    assert notes.count("reference") == 2
    desktop.run("lead.gold")
    assert lead.tabs.currentWidget() is page
    desktop.qtbot.waitUntil(lambda: page.people.rowCount() == 1, timeout=10_000)
    assert [page.people.index(0, c).data() for c in (0, 2, 3)] == ["Ann", "1", "0"]
    (line,) = page.chart.lines
    assert line.marks[0].y == pytest.approx(36 / 44, abs=1e-3)
    assert "Tracks: 2 references." in page.warning.text()
    # A complete task is added on the board, and one is taken out of use on the page.
    lead.show_page(lead.board)
    waiting = next(
        row.task_id
        for row in project.work.board()
        if row.status is TaskStatus.WAITING and row.stage == "check"
    )
    project.work.lead.close([waiting], "good as it is")
    board.read_now()
    desktop.qtbot.waitUntil(lambda: not window.context.workspace.jobs.active, timeout=10_000)
    at = next(r for r in range(board.model.rowCount()) if board.model.task_id(r) == waiting)
    board.table.selectRow(at)
    use = next(a for a in board.acts.actions if a.text() == "Use for gold tasks")
    use.trigger()
    desktop.qtbot.waitUntil(
        lambda: [k.task_id for k in project.work.gold.results()].count(waiting) == 1, timeout=10_000
    )
    lead.show_page(page)
    page.read_now()
    desktop.qtbot.waitUntil(lambda: page.known.rowCount() == 3, timeout=10_000)
    page.results.selectRow(0)
    QTest.mouseClick(page.remove, Qt.MouseButton.LeftButton)
    assert sum(1 for k in project.work.gold.results() if k.is_active) == 2
