"""``annotator media fetch``, and ``annotator hub next`` where the videos are on a server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.services.project.projects import create_project, open_project
from annotator.services.settings import Settings
from tests.cli.conftest import Call
from tests.services.fetching.servers import Web, web_server


@pytest.fixture
def web(tmp_path: Path, clip: Path) -> Iterator[Web]:
    (tmp_path / "served").mkdir()
    shutil.copy(clip, tmp_path / "served" / "clip.mp4")
    with web_server(tmp_path / "served") as server:
        yield server


@pytest.fixture
def project(tmp_path: Path, clip: Path) -> Path:
    """A project of one video, which is gone, and Ann as a rater."""
    shutil.copy(clip, tmp_path / "clip.mp4")
    made = create_project(tmp_path / "p.annot", title="Mugs", recipe="perception-test")
    made.add_videos([tmp_path / "clip.mp4"])
    made.work.people.add("Ann", ["rater"])
    made.close()
    (tmp_path / "clip.mp4").unlink()
    return tmp_path / "p.annot"


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path) -> Iterator[None]:
    """Have a cache of one's own, and no agreement with any server."""
    settings = Settings()
    settings.set("videos.cache", str(tmp_path / "cache"))
    settings.set("videos.sources", "")
    yield
    settings = Settings()
    settings.set("videos.cache", "")
    settings.set("videos.sources", "")


def test_missing_videos_are_fetched(call: Call, project: Path, web: Web) -> None:
    # Elsewhere below the project's folder the file would be found by itself.
    (web.folder / ".hidden").mkdir()
    (web.folder / "clip.mp4").rename(web.folder / ".hidden" / "clip.mp4")
    template = f"{web.address}/.hidden/{{name}}"
    outcome = call("media", "fetch", project, "--all", "--from", template, "--json")
    assert outcome.status == 0, outcome.err
    assert json.loads(outcome.out)["fetched"] == ["clip.mp4"]
    assert Settings().text("videos.sources") == web.address
    outcome = call("media", "fetch", project, "--all")
    assert (outcome.status, outcome.out) == (0, "0 videos fetched, 0 failed.\n")
    opened = open_project(project)
    assert not opened.videos()[0].is_missing
    opened.close()


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--all",), 1, "does not say where"),
        (("nothing.mp4",), 2, "Unknown video"),
        (("--all", "--from", "https://lab/{name}?sig=1"), 1, "contains a signature"),
        (("--all", "--from", "ftp://lab/{name}"), 1, "must begin with"),
    ],
)
def test_what_cannot_be_fetched_is_said(
    call: Call, project: Path, arguments: tuple[str, ...], status: int, words: str
) -> None:
    outcome = call("media", "fetch", project, *arguments)
    assert outcome.status == status
    assert words in outcome.err


def test_claimed_tasks_bring_their_videos(
    call: Call, project: Path, web: Web, tmp_path: Path
) -> None:
    assert call("hub", "init", project, tmp_path / "hub").status == 0
    template = f"{web.address}/{{name}}"
    people = call("hub", "people", project, "--invite", "Ann", "-o", tmp_path, "--videos", template)
    assert people.status == 0, people.err
    assert call("hub", "publish", project).status == 0
    (tmp_path / "ann").mkdir()
    mine = tmp_path / "ann" / "mine.annot"
    assert call("hub", "join", tmp_path / "Ann.annot-invite", mine).status == 0
    outcome = call("hub", "next", mine)
    assert outcome.status == 1
    assert "annotator media fetch" in outcome.err
    assert web.requests == [], "nobody has agreed to the server"
    assert call("media", "fetch", mine).status == 0
    opened = open_project(mine)
    assert not opened.videos()[0].is_missing
    opened.close()
