"""A shared project in real windows: sharing, joining, a folder that goes away, and receipts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.people import Role
from annotator.domain.work.records import Reason, Verdict, VerdictKind
from annotator.services.hub.hub_place import HubPlace, read_invitation
from annotator.services.hub.hub_status import exchange, join_now, next_task
from annotator.services.hub.lead_window import SharingRequest, round_at, send_message, share_now
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.ui.lead.sharing.sharing_dialog import ShareDialog
from annotator.ui.lead.window import LeadWindow
from annotator.ui.work.task_strips import ReturnStrip
from annotator.ui.work.tasks_panel import TasksPanel
from annotator.ui.work.work_list import WorkList
from tests.e2e.conftest import Desktop, make_clip


@pytest.fixture
def lead(tmp_path: Path) -> Path:
    """A project of two videos with two people."""
    videos = tmp_path / "videos"
    videos.mkdir()
    made = create_project(tmp_path / "lead", title="Cups", recipe="perception-test")
    made.add_videos([make_clip(videos / f"{i}.mp4", shade=40 + 20 * i) for i in range(2)])
    for name in ("Ann", "Ben"):
        made.work.people.add(name, (Role.RATER,))
    made.close()
    return made.path


def _wait(desktop: Desktop, holds: Callable[[], bool]) -> None:
    desktop.qtbot.waitUntil(holds, timeout=30_000)


def _as_lead(path: Path) -> OpenProject:
    project = open_project(path)
    boss = next(p for p in project.work.people.all() if p.has(Role.LEAD))
    project.work.people.sign_in(boss.id)
    return project


def test_a_lead_shares_the_work_and_sees_who_has_what(
    desktop: Desktop, lead: Path, tmp_path: Path
) -> None:
    window = desktop.window
    assert window.context.projects.open_path(lead)
    project = window.context.workspace.project
    assert project is not None
    boss = next(p for p in project.work.people.all() if p.has(Role.LEAD))
    window.context.workspace.sign_in(boss.id)
    window.context.updates.refresh()
    desktop.run("lead.share")

    def dialogs() -> list[ShareDialog]:
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, ShareDialog)]

    _wait(desktop, lambda: bool(dialogs()))
    (dialog,) = dialogs()
    assert not dialog.on.isEnabled()
    dialog.folder.setText(str(tmp_path / "hub"))
    for _ in range(3):
        dialog.on.click()
    collecting = window.assembly.lead_actions.collecting
    _wait(desktop, lambda: collecting.status is not None and collecting.status.n_open == 2)
    assert (tmp_path / "Ann.annot-invite").exists()
    (tmp_path / "ann").mkdir()
    join_now(tmp_path / "Ann.annot-invite", tmp_path / "ann" / "mine.annot")
    mine = open_project(tmp_path / "ann" / "mine.annot")
    exchange(mine, stock=1)
    mine.close()
    collecting.watch(is_seen=True)
    _wait(desktop, lambda: len(collecting.status.lines) == 1)
    (line,) = collecting.status.lines
    assert line.person == "Ann"
    (board,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, LeadWindow)]
    page = board.sharing
    _wait(desktop, lambda: page.lines.rowCount() == 1)
    page.table.selectRow(0)
    page.back.click()
    _wait(desktop, lambda: not collecting.status.lines)


def test_a_refusal_while_sharing_asks_again_with_what_was_entered(
    desktop: Desktop, lead: Path, tmp_path: Path
) -> None:
    window = desktop.window
    assert window.context.projects.open_path(lead)
    project = window.context.workspace.project
    assert project is not None
    window.context.workspace.sign_in(
        next(p for p in project.work.people.all() if p.has(Role.LEAD)).id
    )
    window.context.updates.refresh()
    desktop.run("lead.share")

    def dialogs() -> list[ShareDialog]:
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, ShareDialog)]

    _wait(desktop, lambda: bool(dialogs()))
    (dialog,) = dialogs()
    dialog.folder.setText(str(tmp_path / "Dropbox" / "hub"))
    dialog.videos.setText("https://lab/{name}?sig=1")
    for words in ("contains a signature", "Dropbox"):
        for _ in range(3):
            dialog.on.click()
        _wait(desktop, lambda words=words: words in dialog.problem.text() and dialog.isVisible())
        assert dialog.pages.currentIndex() == 0
        assert dialog.folder.text() == str(tmp_path / "Dropbox" / "hub")
        dialog.videos.setText("https://lab/{name}")
    dialog.folder.setText(str(tmp_path / "hub"))
    for _ in range(3):
        dialog.on.click()
    collecting = window.assembly.lead_actions.collecting
    _wait(desktop, lambda: collecting.status is not None and collecting.status.n_open == 2)
    told = read_invitation(tmp_path / "Ann.annot-invite")
    assert told.videos == "https://lab/{name}"


def test_a_rater_joins_works_offline_and_hears_what_became_of_it(
    desktop: Desktop, lead: Path, tmp_path: Path
) -> None:
    project = _as_lead(lead)
    ann = next(p.id for p in project.work.people.all() if p.name == "Ann")
    hub = tmp_path / "hub"
    share_now(project, SharingRequest(HubPlace(folder=str(hub)), [ann], tmp_path))
    (tmp_path / "ann").mkdir()
    shutil.copytree(tmp_path / "videos", tmp_path / "ann" / "videos")
    path = join_now(tmp_path / "Ann.annot-invite", tmp_path / "ann" / "mine.annot")
    window = desktop.window
    assert window.context.projects.open_path(path)
    if window.context.workspace.person is None:
        window.context.workspace.sign_in(ann)
    shared = window.context.tasks.shared
    _wait(desktop, lambda: shared.status is not None and len(shared.status.ready) == 2)
    start_list = window.assembly.pages.start.mine.list
    (panel,) = window.findChildren(TasksPanel)
    for work_list in (start_list, panel.mine):
        _wait(desktop, lambda shown=work_list: _texts(shown)[:1] == ["Ready to start"])
    hub.rename(tmp_path / "away")
    window.context.table.run("task.next")
    _wait(desktop, lambda: window.context.workspace.session is not None)
    _wait(desktop, lambda: _texts(panel.mine)[:1] == ["In progress"])
    assert "Ready to start" in _texts(panel.mine)
    window.context.workspace.run(CreateTrack(track_id(), "cup", 0, Box(10, 10, 60, 60)))
    session = window.context.workspace.session
    assert session is not None
    window.context.workspace.project.work.submit(session)
    window.context.tasks.show_mine()
    shared.exchange()
    _wait(desktop, lambda: bool(shared.problem))
    assert shared.status is not None
    assert shared.status.n_waiting == 1
    card = window.assembly.pages.start.mine.hub
    assert "You can continue to work: 1 task ready, 1 submission to send" in card.line.text()
    (tmp_path / "away").rename(hub)
    send_message(project, "Mark occluded cups.")
    shared.exchange()
    _wait(desktop, lambda: not shared.problem and shared.status.n_waiting == 0)
    assert [message.text for message in shared.status.unread] == ["Mark occluded cups."]
    shared.mark_read(shared.status.unread[0])
    assert shared.status.unread == ()
    assert round_at(project).n_taken_in == 1
    shared.exchange()
    _wait(desktop, lambda: "taken in" in shared.status.receipts.values())
    project.close()


def test_work_that_is_sent_back_shows_its_reasons_to_the_next_rater(
    desktop: Desktop, tmp_path: Path
) -> None:
    project = create_project(tmp_path / "lead", title="Cups", recipe="perception-test")
    (tmp_path / "videos").mkdir()
    project.add_videos([make_clip(tmp_path / "videos" / "cups.mp4")])
    people = project.work.people
    for name in ("Ann", "Ben", "Dan"):
        people.add(name, (Role.RATER,))
    people.add("Cat", (Role.REVIEWER,))
    ids = {p.name: p.id for p in people.all()}
    hub = HubPlace(folder=str(tmp_path / "hub"))
    share_now(
        project, SharingRequest(hub, [ids[name] for name in ("Ann", "Ben", "Cat", "Dan")], tmp_path)
    )
    why = Verdict(VerdictKind.SEND_BACK, (Reason("Draw the handle."),))
    for name, verdict in (("Ann", None), ("Ben", None), ("Cat", why)):
        (tmp_path / name).mkdir()
        mine = open_project(join_now(tmp_path / f"{name}.annot-invite", tmp_path / name / "mine"))
        if mine.work.me is None:
            mine.work.people.sign_in(ids[name])
        task = next_task(mine)
        assert task is not None
        session = mine.open_task(task)
        if name == "Ann":
            session.run(CreateTrack(track_id(), "cup", 0, Box(10, 10, 60, 60)))
        mine.work.submit(session, verdict)
        exchange(mine, stock=0)
        mine.close()
        assert round_at(project).n_taken_in == 1
    (tmp_path / "Dan").mkdir()
    shutil.copytree(tmp_path / "videos", tmp_path / "Dan" / "videos")
    window = desktop.window
    dan = join_now(tmp_path / "Dan.annot-invite", tmp_path / "Dan" / "mine")
    assert window.context.projects.open_path(dan)
    if window.context.workspace.person is None:
        window.context.workspace.sign_in(ids["Dan"])
    shared = window.context.tasks.shared
    _wait(desktop, lambda: shared.status is not None and bool(shared.status.ready))
    work = window.assembly.pages.start.mine.list
    _wait(desktop, lambda: work.count() > 1)
    assert work.item(0).text() == "Sent back"
    assert window.focusWidget() is work
    assert "“Draw the handle.”" in work.item(1).text()
    window.context.table.run("task.next")
    _wait(desktop, lambda: window.assembly.pages.is_working)
    (strip,) = [w for w in window.findChildren(ReturnStrip) if w.isVisible()]
    assert "Draw the handle." in strip.label.text()
    project.close()


def test_a_project_of_one_person_shows_nothing_of_it(desktop: Desktop, project: Path) -> None:
    window = desktop.window
    assert window.context.projects.open_path(project)
    assert window.context.tasks.shared.status is None
    assert not window.assembly.lead_actions.collecting.is_shared


def test_the_certificate_is_chosen_in_a_file_dialog(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = tmp_path / "ca.crt"
    chosen.write_text("-----BEGIN CERTIFICATE-----\n", encoding="ascii")
    dialog = ShareDialog([], 2, tmp_path, desktop.window)
    dialog.by_server.click()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
    server = dialog.certificate.parentWidget()
    (browse,) = server.findChildren(QPushButton)
    browse.click()
    dialog.host.setText("localhost")
    assert dialog.request().place.certificate == chosen.read_text(encoding="ascii")
    dialog.deleteLater()


def _texts(work_list: WorkList) -> list[str]:
    return [work_list.item(row).text() for row in range(work_list.count())]
