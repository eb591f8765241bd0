"""Models of the user's own on the command line, and in the report of the doctor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator import paths
from annotator.assist.registry import installed
from tests.assist.tiny_models import box_model
from tests.cli.conftest import Call


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setattr(paths, "data_dir", lambda: folder)
    installed.cache_clear()
    yield
    installed.cache_clear()


def test_a_model_is_added_listed_and_removed(call: Call, tmp_path: Path) -> None:
    path = box_model(tmp_path / "mine")
    added = call("models", "add", path)
    assert added.out == (
        "Added “Finds what is bright” (boxes) as the tracker model-bright-box. License: CC0-1.0.\n"
    )
    line = "model-bright-box\tboxes\tFinds what is bright\t1.0\tCC0-1.0\tready\n"
    assert call("models", "list").out == line
    assert "Finds what is bright 1.0, CC0-1.0" in call("doctor").out
    assert call("models", "remove", "bright-box").status == 0
    done = call("models", "list")
    assert (done.status, done.out) == (0, "")
    assert "No models yet." in done.err
    gone = call("models", "remove", "bright-box")
    assert (gone.status, "Unknown model" in gone.err) == (1, True)


def test_a_bad_model_is_refused_in_words(call: Call, tmp_path: Path) -> None:
    path = box_model(tmp_path / "mine", sha256="0" * 64)
    refused = call("models", "add", path)
    assert refused.status == 1
    assert "its SHA-256 is different" in refused.err
    assert "Models of your own" in refused.err
    missing = call("models", "add", tmp_path / "nothing.toml")
    assert (missing.status, "Traceback" in missing.err) == (1, False)
