"""A window that is ended from outside closes in order, whatever is open in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.services.project.projects import open_project

_ROOT = Path(__file__).parents[2]
_PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from annotator import app, log
from annotator.services.settings import Settings

project, with_dialog = Path(sys.argv[1]), sys.argv[2] == "dialog"
settings = Settings(project.with_name("settings.toml"))
settings.set("proposals.automatic", False)
log.set_up()
application = app.make_application(settings)

def look():
    (window,) = [w for w in QApplication.topLevelWidgets() if hasattr(w, "staging")]
    stage = window.context.workspace.stage
    if not window.staging.is_complete or stage is None or window.context.canvas.index is None:
        return
    timer.stop()
    stage.player.seek(40)
    if with_dialog:
        QTimer.singleShot(500, lambda: print("open", flush=True))
        window.context.table.run("app.preferences")
    else:
        print("open", flush=True)

timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
code = app.run_window(settings, project)
log.close()
sys.exit(code)
"""


@pytest.mark.skipif(
    os.name == "nt", reason="on Windows no process can send these signals to another one"
)
@pytest.mark.parametrize("what", ["picture", "dialog"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_closes_the_window_in_order(
    project: Path, tmp_path: Path, name: str, what: str
) -> None:
    state = tmp_path / "state"
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(project), what],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(state), "PYTHONPATH": str(_ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        process.send_signal(getattr(signal, name))
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, list(state.rglob("crash-*"))) == (0, []), errors
    opened = open_project(project)
    view = opened.view_state()
    assert view is not None
    assert view.frame == 40
    opened.close()
