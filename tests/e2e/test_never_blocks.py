"""However much there is to do, the window is not held for longer than it takes to draw it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from annotator.domain.annotation.labels import LabelSet
from annotator.domain.annotation.point_track import PointInfo, PointRun, PointTrack
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import AddImported, CreateTrack, DeletePoints, DeleteTracks
from annotator.domain.geometry import Box
from annotator.domain.ids import TrackId, point_id, segment_id, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import create_project
from annotator.services.transfer import OpenFile, export_project
from annotator.services.transfer.snapshot import ExportRequest
from annotator.ui.commands import transfer_actions
from annotator.ui.commands.transfer_actions import Import
from annotator.ui.dialogs import file_dialogs
from annotator.ui.dialogs.project.report_dialog import ReportDialog
from tests.calls import counted_calls
from tests.e2e.conftest import Desktop
from tests.e2e.watch import Watch
from tests.media.encoding import write_video

N_FRAMES = 1800
N_TRACKS = 50
KEY_EVERY = 3

# Calls of functions on the main thread in one turn of the event loop, which do not depend on the
# machine: at most 90,000 where everything on the screen changes, and several hundred thousand where
# each keyframe of the file takes a few. `bench_blocks` measures how long the turns take.
LIMIT = 150_000


def make_long_clip(path: Path) -> Path:
    images = (np.full((36, 64, 3), i % 200, np.uint8) for i in range(N_FRAMES))
    return write_video(path, images, preset="ultrafast", g="60")


def dense_tracks(every: int) -> tuple[Track, ...]:
    return tuple(
        Track(
            TrackInfo(track_id(), f"thing {number}", number, number - 1),
            tuple(
                Keyframe(f, Box(1 + f / 90, 2, 9 + f / 90, 20 + number / 9), source=Source.IMPORTED)
                for f in range(0, N_FRAMES, every)
            ),
        )
        for number in range(1, N_TRACKS + 1)
    )


def dense_points() -> tuple[PointTrack, ...]:
    chance = np.random.default_rng(1)
    flags = np.ones(N_FRAMES, np.uint8)
    return tuple(
        PointTrack(PointInfo(point_id(), None, f"point {n}", n, n)).with_run(
            PointRun(0, chance.uniform(0, 36, (N_FRAMES, 2)), flags)
        )
        for n in range(1, 21)
    )


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two videos; on the first 50 tracks with 600 keyframes each, 20 points on every frame."""
    folder = tmp_path_factory.mktemp("big")
    clip = make_long_clip(folder / "long.mp4")
    other = folder / "other.mp4"
    other.write_bytes(clip.read_bytes() + b"\0")
    project = create_project(folder / "big", title="Big")
    assert project.add_videos([clip, other]).failed == ()
    label = project.label_set(Lane.ACTION).labels[0]
    segments = tuple(
        Segment(segment_id(), Lane.ACTION, label.text, f, f + 5, label.id)
        for f in range(0, N_FRAMES - 5, 6)
    )
    first, second = (task.id for task in project.tasks())
    project.open_task(first).run(
        AddImported(dense_tracks(KEY_EVERY), segments, None, dense_points())
    )
    project.open_task(second).run(AddImported(dense_tracks(KEY_EVERY)[:5]))
    project.close()
    return project.path


@pytest.fixture(scope="module")
def to_import(big: Path) -> Path:
    """A file with 50 tracks of 60 boxes for the first video."""
    project = create_project(big.with_name("seed"), title="Seed")
    assert project.add_videos([big.with_name("long.mp4")]).failed == ()
    project.open_task(project.tasks()[0].id).run(AddImported(dense_tracks(30)))
    request = ExportRequest(big.with_name("seed.json"))
    export_project(project, request, JobToken(lambda _fraction, _text: None))
    project.close()
    return request.path


def test_nothing_holds_the_window(
    desktop: Desktop,
    big: Path,
    to_import: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with counted_calls() as n_calls:
        watch = Watch(n_calls)
        turns = longest_turns(watch, desktop, big, to_import, tmp_path / "copy.annot", monkeypatch)
    assert min(turns.values()) > 0
    assert {name for name, longest in turns.items() if longest > LIMIT} == set(), str(turns)


def test_a_file_to_import_is_opened_in_the_background(
    desktop: Desktop,
    project: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desktop.open(project)
    window, workspace = desktop.window, desktop.window.context.workspace
    threads = []

    def opened(path: Path, columns: Mapping[str, str] | None = None) -> OpenFile:
        threads.append(threading.current_thread())
        return OpenFile(path, columns=columns)

    monkeypatch.setattr(transfer_actions, "OpenFile", opened)
    torn = tmp_path / "torn.json"
    torn.write_text('{"mug": {"metadata"', encoding="utf-8")
    with qtbot.waitSignal(workspace.failed, timeout=20_000) as told:
        Import(workspace, window, window.context.panels.tasks.reload).start(torn)
    assert "torn.json" in str(told.args[0])
    assert len(threads) == 1
    assert threading.main_thread() not in threads


def longest_turns(
    watch: Watch,
    desktop: Desktop,
    big: Path,
    to_import: Path,
    copy: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, float]:
    """Do much of everything in the window; return the longest turn of each act, as it is watched.

    ``copy`` is where the project is copied to. ``big`` has been submitted after that.
    """
    window, workspace = desktop.window, desktop.window.context.workspace
    found: dict[str, float] = {}

    def measure(name: str, act: Callable[[], object], is_done: Callable[[], bool]) -> None:
        longest = watch.longest(act, lambda: is_done() and not workspace.bridge.is_held)
        assert is_done(), name
        found[name] = min(longest, found.get(name, longest))

    def tracks() -> int:
        return len(workspace.session.document.tracks) if workspace.session else 0

    def idle() -> bool:
        return not workspace.is_at_work

    # Twice more after the first time, which loads what every later opening finds loaded.
    for _ in range(3):
        workspace.take_project(None)
        measure(
            "open project",
            lambda: window.context.projects.open_path(big),
            lambda: tracks() == N_TRACKS,
        )
    first, second = window.context.panels.tasks.ids()
    for _ in range(2):
        measure("switch task", lambda: workspace.open_task(second), lambda: tracks() == 5)
        measure("switch back", lambda: workspace.open_task(first), lambda: tracks() == N_TRACKS)
    ids = [t.id for t in workspace.session.document.tracks]
    for _ in range(2):
        workspace.selection.clear()
        measure("select all", lambda: workspace.selection.set_tracks(ids), lambda: True)
    measure("delete tracks", lambda: workspace.run(DeleteTracks(tuple(ids))), lambda: tracks() == 0)
    for _ in range(2):
        measure("undo", lambda: run(desktop, "edit.undo"), lambda: tracks() == N_TRACKS)
        measure("redo", lambda: run(desktop, "edit.redo"), lambda: tracks() == 0)
    measure("undo", lambda: run(desktop, "edit.undo"), lambda: tracks() == N_TRACKS)
    points = tuple(p.id for p in workspace.session.document.points)
    assert len(points) == 20
    measure(
        "delete points",
        lambda: workspace.run(DeletePoints(points)),
        lambda: not workspace.session.document.points,
    )
    track = with_proposals(desktop)
    measure(
        "accept all",
        lambda: run(desktop, "proposal.accept-all"),
        lambda: len(workspace.session.document.track(track).keyframes) > 20,
    )
    measure(
        "undo acceptance", lambda: run(desktop, "edit.undo"), lambda: not workspace.bridge.is_held
    )
    label = workspace.project.label_set(Lane.ACTION)
    new = replace(label.labels[0], text="Renaming something", template="")
    named = LabelSet(label.lane, label.name, (new, *label.labels[1:]))
    measure("rename a label", lambda: workspace.project.set_label_set(named), idle)
    monkeypatch.setattr(file_dialogs, "ask_copy", lambda *_: copy)
    measure("save a copy", lambda: run(desktop, "project.copy"), lambda: copy.exists() and idle())
    before = tracks()
    measure(
        "import",
        lambda: Import(workspace, window, window.context.panels.tasks.reload).start(to_import),
        lambda: idle() and tracks() == before + N_TRACKS,
    )
    for dialog in window.findChildren(ReportDialog):
        dialog.close()
    measure("undo import", lambda: run(desktop, "edit.undo"), lambda: tracks() == before)
    session = workspace.session
    measure("submit", lambda: workspace.project.work.submit(session), lambda: session.is_submitted)
    return found


def run(desktop: Desktop, action_id: str) -> None:
    desktop.window.context.updates.refresh()
    desktop.window.context.table.run(action_id)


def with_proposals(desktop: Desktop) -> TrackId:
    """Draw a track and give it a proposal on every other frame of the video."""
    session = desktop.window.context.workspace.session
    assert session is not None
    made = track_id()
    session.run(CreateTrack(made, "shaky", 0, Box(5, 5, 20, 20)))
    chance = np.random.default_rng(2)
    walk = np.cumsum(chance.normal(0, 0.8, (N_FRAMES - 1, 4)), 0) * 0.3
    boxes = np.clip(walk + np.array([20, 8, 40, 28]), 1, 35).astype(np.float32)
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 3)
    sure = np.full(N_FRAMES - 1, 0.9, np.float32)
    session.box_runs.replace(
        made, (1, N_FRAMES), [ProposalRun(made, 1, boxes, sure, Origin("fused", "1"))]
    )
    desktop.window.context.workspace.selection.set_tracks([made])
    return made
