"""A small real video, a project, and a way to call commands."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotator import cli
from annotator.domain.people import Role
from annotator.services.project.projects import open_project
from tests.media.encoding import encode


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


Call = Callable[..., Outcome]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command line in this process."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        status = cli.main([str(a) for a in arguments])
        said = capsys.readouterr()
        return Outcome(status, said.out, said.err)

    return run


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video whose path has blanks, an umlaut and a line break in it."""
    folder = tmp_path_factory.mktemp("cli") / "mein Vidéo\nzwei"
    folder.mkdir()
    encode(folder / "video_5.mp4", numbers=range(40), b_frames=2, gop=20)
    return folder / "video_5.mp4"


@pytest.fixture
def lead(call: Call, clip: Path, tmp_path: Path) -> Path:
    """A project with two videos in a folder, and a rater called Ann."""
    videos = tmp_path / "videos"
    videos.mkdir()
    shutil.copy(clip, videos / "one.mp4")
    # The same pictures, but another file: an empty box at its end.
    (videos / "two.mp4").write_bytes(clip.read_bytes() + b"\0\0\0\x08free")
    path = tmp_path / "lead.annot"
    assert call("new", path, videos, "--recipe", "perception-test").status == 0
    opened = open_project(path)
    opened.work.people.add("Ann", [Role.RATER])
    opened.close()
    return path
