"""Plug-ins: what is found, what is broken, what lacks a model file."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from annotator.assist import FrameSource, installed
from annotator.assist.protocol import Cancel
from annotator.assist.registry import GROUP, load, propose
from annotator.domain.errors import AssistError
from annotator.domain.proposals.box_proposals import Anchor, Proposed
from annotator.domain.proposals.runs import Origin
from tests.assist.tiny_onnx import tiny_network


class StandStill:
    """The smallest plug-in: the object stays where it is."""

    name = "still"
    title = "Stands still"

    def needs(self) -> list[str]:
        return []

    def origin(self) -> Origin:
        return Origin(self.name, "1")

    def propose(
        self,
        video: FrameSource,
        anchors: Sequence[Anchor],
        span: tuple[int, int],
        *,
        cancel: Cancel,
    ) -> Iterator[Proposed]:
        for frame in range(*span):
            yield Proposed(frame, anchors[0].box, 0.5)


class Half:
    """Not a tracker: it cannot propose."""

    name = "half"


def fails() -> None:
    """Stands for a module whose import fails."""


def _point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def test_the_trackers_of_this_installation_are_there() -> None:
    found = installed()
    assert {"fused", "csrt", "points", "flow", "vit", "nano"} <= set(found.by_name)
    assert found.notices == ()
    origin = found.get("fused").origin()
    assert origin.name == "fused"
    assert origin.version


def test_a_plug_in_is_loaded_from_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    found = load([_point("still", "test_registry:StandStill")])
    assert found.get("still").title == "Stands still"


def test_a_broken_plug_in_is_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    (tmp_path / "plug_in_that_fails.py").write_text("raise RuntimeError('no license')\n")
    (tmp_path / "plug_in_with_a_typo.py").write_text("def (:\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    points = [
        _point("gone", "no_such_module:Tracker"),
        _point("bad", "plug_in_that_fails:Tracker"),
        _point("typo", "plug_in_with_a_typo:Tracker"),
        _point("half", "test_registry:Half"),
        _point("still", "test_registry:StandStill"),
    ]
    with caplog.at_level(logging.WARNING):
        found = load(points)
    assert list(found.by_name) == ["still"]
    assert len(found.notices) == 4
    assert any("“bad”" in notice and "no license" in notice for notice in found.notices)
    with pytest.raises(AssistError, match="no license"):
        found.get("bad")


def test_an_unknown_tracker_is_refused_with_the_known_ones() -> None:
    with pytest.raises(AssistError, match="Unknown tracker “"):
        installed().get("magic")


@pytest.mark.parametrize(
    ("name", "variable"), [("vit", "ANNOTATOR_VIT_MODEL"), ("nano", "ANNOTATOR_NANO_MODELS")]
)
def test_a_model_tracker_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, variable: str
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(AssistError, match=variable):
        installed().get(name)
    gone = tmp_path / "gone.onnx"
    monkeypatch.setenv(variable, f"{gone}{os.pathsep}{gone}" if name == "nano" else str(gone))
    with pytest.raises(AssistError, match="Cannot find the model file"):
        installed().get(name)


@pytest.mark.parametrize(
    "content", [b"not a network", b"", tiny_network()], ids=["text", "empty", "another-network"]
)
def test_a_file_that_is_no_model_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    model = tmp_path / "text.onnx"
    model.write_bytes(content)
    monkeypatch.setenv("ANNOTATOR_VIT_MODEL", str(model))
    monkeypatch.setenv("ANNOTATOR_NANO_MODELS", f"{model}{os.pathsep}{model}")
    for tracker, wanted in (("vit", "a network in ONNX"), ("nano", "a backbone and a neck")):
        with pytest.raises(AssistError, match=wanted) as caught:
            propose([], [], (0, 1), tracker=tracker)
        assert str(model) in str(caught.value)
        assert "again" in str(caught.value)
        for raw in ("Failed", "(-", "protobuf", "parse"):
            assert raw not in str(caught.value), str(caught.value)
