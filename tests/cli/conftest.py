"""A small real video, a project, and a way to call commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotator import cli
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
