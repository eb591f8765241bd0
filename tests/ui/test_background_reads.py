"""A result of the background goes to whoever asked, as long as they are there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import shiboken6
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from annotator.services.background.jobs import JobRunner, JobToken
from annotator.ui.state.background_reads import Latest
from annotator.ui.state.threads import Bridge
from annotator.ui.state.workspace import Workspace


def test_a_result_for_a_closed_dialog_is_dropped(qtbot: QtBot) -> None:
    bridge, may_end, shown = Bridge(), threading.Event(), []
    jobs = JobRunner(bridge.post)
    refused: Callable[[object], None] = shown.append
    failed = SimpleNamespace(emit=refused)
    workspace = cast(Workspace, SimpleNamespace(jobs=jobs, failed=failed))
    label = QLabel()
    latest = Latest(workspace, "Count", label)

    def count(_token: JobToken) -> str:
        may_end.wait()
        return "12"

    def show(text: str) -> None:
        shown.append(text)
        label.setText(text)

    latest.ask(count, show)
    shiboken6.delete(label)
    may_end.set()
    qtbot.waitUntil(lambda: not jobs.active)
    assert shown == []
    jobs.close()
