"""Videos that are on a server: fetched for the tasks at hand, in a real window."""

from __future__ import annotations

import getpass
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from annotator.domain.people import Role
from annotator.services.fetching.fetch import keep_template
from annotator.services.hub.hub_place import HubPlace
from annotator.services.hub.hub_status import join_now
from annotator.services.hub.lead_window import SharingRequest, share_now
from annotator.services.project.projects import create_project
from annotator.ui.bars.empty_page import EmptyPage
from annotator.ui.work.shared.video_fetching import FetchLine
from tests.e2e.conftest import Desktop, make_clip
from tests.services.fetching.servers import (
    PASSWORD,
    Web,
    login,
    smb_server,
    ssh_server,
    web_server,
)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    (tmp_path / "served").mkdir()
    with web_server(tmp_path / "served") as server:
        yield server


@pytest.fixture
def mine(tmp_path: Path, web: Web) -> Path:
    """Ann's project in a shared one, whose three videos are on the server alone."""
    return _joined(tmp_path, web.folder, web.address)


def _joined(tmp_path: Path, folder: Path, address: str) -> Path:
    """Let Ann join a project whose three videos are in a folder that she reads by an address."""
    made = create_project(tmp_path / "lead", title="Cups", recipe="perception-test")
    made.add_videos([make_clip(folder / f"{i}.mp4", shade=40 + 20 * i) for i in range(3)])
    ann = made.work.people.add("Ann", (Role.RATER,)).id
    keep_template(made, f"{address}/{{name}}")
    share_now(made, SharingRequest(HubPlace(folder=str(tmp_path / "hub")), [ann], tmp_path))
    made.close()
    (tmp_path / "ann").mkdir()
    return join_now(tmp_path / "Ann.annot-invite", tmp_path / "ann" / "mine.annot")


@pytest.fixture(autouse=True)
def _own_cache(desktop: Desktop, tmp_path: Path) -> None:
    desktop.window.context.workspace.settings.set("videos.cache", str(tmp_path / "cache"))


def _wait(desktop: Desktop, holds: Callable[[], bool]) -> None:
    desktop.qtbot.waitUntil(holds, timeout=30_000)


def test_videos_of_tasks_are_fetched_once_the_person_agrees(
    desktop: Desktop, mine: Path, web: Web
) -> None:
    window = desktop.window
    assert window.context.projects.open_path(mine)
    fetching, shared = window.context.tasks.fetching, window.context.tasks.shared
    _wait(desktop, lambda: shared.status is not None and len(shared.status.ready) == 3)
    _wait(desktop, lambda: len(fetching.missing) == 3)
    (line,) = window.findChildren(FetchLine)
    source = f"The source is {web.address}."
    assert line.line.text() == f"3 videos of your tasks are not on this computer yet. {source}"
    assert web.requests == [], "nobody has agreed yet"
    _wait(desktop, line.button.isEnabled)
    line.button.click()
    _wait(desktop, lambda: fetching.missing == ())
    assert not line.isVisible()
    assert window.context.workspace.settings.text("videos.sources") == web.address
    window.context.table.run("task.next")
    _wait(desktop, lambda: window.assembly.pages.is_working)
    assert window.context.workspace.stage is not None
    assert not window.context.workspace.stage.is_missing


@contextmanager
def _served(scheme: str, home: Path, folder: Path, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve a folder of videos; the value is its address."""
    if scheme == "sftp":
        with ssh_server(home) as port:
            yield f"sftp://{getpass.getuser()}@127.0.0.1:{port}{folder}"
    elif scheme == "smb":
        with smb_server(home, folder) as port, login(getpass.getuser(), PASSWORD):
            yield f"smb://127.0.0.1:{port}/videos"
    else:
        with web_server(folder.parent) as bucket:
            patch.setenv("AWS_ENDPOINT_URL", bucket.address)
            patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
            patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
            yield f"s3://{folder.name}"


@pytest.mark.parametrize("scheme", ["sftp", "smb", "s3"])
def test_videos_come_from_other_servers_too(
    desktop: Desktop, scheme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "served" / "lab-videos"
    folder.mkdir(parents=True)
    # A short path: sockets of the servers are in it, and their names have a limit.
    short = tempfile.TemporaryDirectory(prefix="annotator-")
    with short as home, _served(scheme, Path(home), folder, monkeypatch) as address:
        window = desktop.window
        assert window.context.projects.open_path(_joined(tmp_path, folder, address))
        fetching = window.context.tasks.fetching
        _wait(desktop, lambda: len(fetching.missing) == 3)
        (line,) = window.findChildren(FetchLine)
        assert f"The source is {scheme}://" in line.line.text()
        _wait(desktop, line.button.isEnabled)
        line.button.click()
        _wait(desktop, lambda: fetching.missing == ())
    shutil.rmtree(folder)
    window.context.table.run("task.next")
    _wait(desktop, lambda: window.assembly.pages.is_working)
    assert window.context.workspace.stage is not None
    assert not window.context.workspace.stage.is_missing


def test_an_open_task_waits_for_its_video_and_fetching_waits_for_playing(
    desktop: Desktop, mine: Path, web: Web, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    web.folder.rename(away)
    window = desktop.window
    assert window.context.projects.open_path(mine)
    fetching, shared = window.context.tasks.fetching, window.context.tasks.shared
    _wait(desktop, lambda: shared.status is not None and len(shared.status.ready) == 3)
    window.context.table.run("task.next")
    _wait(
        desktop,
        lambda: (
            window.context.workspace.stage is not None and window.context.workspace.stage.is_missing
        ),
    )
    page = window.assembly.pages.currentWidget()
    assert isinstance(page, EmptyPage)
    _wait(desktop, lambda: web.address in page.text.text())
    desktop.run("video.fetch")
    _wait(desktop, lambda: "is not at" in page.text.text())
    # A part of it comes back: the open task's video.
    assert window.context.workspace.session is not None
    name = window.context.workspace.session.document.video.name
    web.folder.mkdir()
    shutil.copy(away / name, web.folder)
    desktop.run("video.fetch")
    _wait(desktop, lambda: window.assembly.pages.is_working)
    others = [path.name for path in away.iterdir() if path.name != name]
    _wait(desktop, lambda: all(f"HEAD /{other}" in web.requests for other in others))
    _wait(desktop, lambda: len(fetching.missing) == 2 and not fetching.is_busy)
    desktop.qtbot.wait(300)
    window.context.table.run("play.loop")
    window.context.table.run("play.toggle")
    stage = window.context.workspace.stage
    assert stage is not None
    _wait(desktop, lambda: stage.player.state.is_playing)
    for path in away.iterdir():
        shutil.copy(path, web.folder)
    fetching.start()
    _wait(desktop, lambda: fetching.is_busy)
    desktop.qtbot.wait(1500)
    assert stage.player.state.is_playing
    assert len(fetching.missing) == 2, "nothing is stored while a video plays"
    window.context.table.run("play.toggle")
    _wait(desktop, lambda: fetching.missing == ())


def test_a_project_of_ones_own_fetches_the_open_video(
    desktop: Desktop, web: Web, tmp_path: Path
) -> None:
    made = create_project(tmp_path / "own", title="Own")
    made.add_videos([make_clip(tmp_path / "clip.mp4", shade=90)])
    keep_template(made, f"{web.address}/.store/{{name}}")
    made.close()
    # In a hidden folder: elsewhere below the project it would be found by itself.
    (web.folder / ".store").mkdir()
    (tmp_path / "clip.mp4").rename(web.folder / ".store" / "clip.mp4")
    window = desktop.window
    assert window.context.projects.open_path(made.path)
    _wait(desktop, window.context.table.action("video.fetch").isEnabled)
    desktop.run("video.fetch")
    _wait(desktop, lambda: window.assembly.pages.is_working)
