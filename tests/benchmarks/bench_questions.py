"""How soon the next question is on the screen, with the video back at its start.

A rater's window on one video with 200 questions: from any frame of it, Enter brings the next
question and Home plays from the first frame. The project asks 40,000 more on 2,000 other videos.
Counted is the time from the keys to the moment at
which both have been painted, the question with its options and the picture. The bound is 100 ms for
95 of 100; what the machine was busy with besides is in it, so that the processor time of this
thread is told as well.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator import app, paths
from annotator.domain.annotation.document import VideoInfo
from annotator.domain.ids import VideoId, item_id, new_id
from annotator.domain.questions.items.item import Item
from annotator.services.project.projects import open_project
from annotator.services.settings import Settings
from annotator.store.catalog import videos
from annotator.ui.shell.main_window import MainWindow
from tests.e2e.question_team import make_asking

N_QUESTIONS, N_STEPS, WARM_UP = 200, 150, 10
N_OTHERS, PER_VIDEO = 40_000, 20
LIMIT_MS = 100.0


class _Painted(QObject):
    """Notes when a widget was last painted."""

    def __init__(self, watched: QObject) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return super().eventFilter(watched, event)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "settings.toml")
        settings.set("proposals.automatic", False)
        application = app.make_application(settings)
        team = make_asking(Path(folder), [paths.resource("demo", "coffee.mp4")], n=N_QUESTIONS)
        _ask_more(team.path)
        window = app.make_window(settings, remembers_place=False)
        window.resize(1600, 900)
        window.show()
        window.context.projects.open_path(team.path)
        window.context.workspace.sign_in(team.people["Ann"])
        window.context.tasks.claim_next()
        _wait(application, lambda: window.context.canvas.index is not None)
        window.activateWindow()
        window.context.canvas.setFocus()
        _wait(application, window.isActiveWindow)
        found = [_step(application, window) for _ in range(N_STEPS + WARM_UP)][WARM_UP:]
        window.close()
    walls, cpus = zip(*found, strict=True)
    wall, cpu = _p95(walls), _p95(cpus)
    sys.stdout.write(
        f"next question with the video at its start: p95 {wall:.1f} ms,"
        f" median {statistics.median(walls):.1f} ms; of this thread p95 {cpu:.1f} ms"
        f" (bound {LIMIT_MS:.0f} ms)\n"
    )
    return 0 if wall <= LIMIT_MS else 1


def _ask_more(path: Path) -> None:
    """Ask about other videos as well, which nobody has the files of."""
    project = open_project(path)
    known = project.questions.list()
    options = known[0][1].options
    items = []
    for i in range(N_OTHERS // PER_VIDEO):
        info = VideoInfo(VideoId(new_id()), f"other_{i}.mp4", 1280, 720, 690, 30.0, 23.0)
        videos.add_video(project.file, info, None)
        items += [
            Item(item_id(), "questions", (info.id,), f"Question {n}?", options=options)
            for n in range(PER_VIDEO)
        ]
    assert project.questions.add(items).refused == ()
    project.close()


def _step(application: QApplication, window: MainWindow) -> tuple[float, float]:
    """Answer, go on and replay; return the milliseconds until all is painted, by both clocks."""
    stage, asking = window.context.workspace.stage, window.assembly.questions.asking
    assert stage is not None
    assert window.assembly.questions.panel is not None
    stage.player.pause()
    window.context.playback.seek(random.randrange(60, window.context.workspace.n_frames))
    _wait(application, lambda: window.context.canvas.index == stage.player.state.frame)
    QTest.keyClick(window.context.canvas, Qt.Key.Key_1)
    application.processEvents()
    window.context.updates.refresh()
    painted, at = _Painted(window.assembly.questions.panel.text), asking.at
    shown: list[int] = []
    window.context.canvas.picturePainted.connect(shown.append)
    start, cpu = time.perf_counter(), time.thread_time()
    QTest.keyClick(window.context.canvas, Qt.Key.Key_Return)
    QTest.keyClick(window.context.canvas, Qt.Key.Key_Home)

    def is_there() -> bool:
        return asking.at == at + 1 and painted.count > 0 and min(shown, default=99) < 30

    _wait(application, is_there)
    taken = (time.perf_counter() - start) * 1000, (time.thread_time() - cpu) * 1000
    window.context.canvas.picturePainted.disconnect(shown.append)
    painted.deleteLater()
    return taken


def _wait(application: QApplication, is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        application.processEvents()
        if time.monotonic() > end:
            sys.exit("what was waited for never came")


def _p95(values: tuple[float, ...]) -> float:
    return statistics.quantiles(values, n=100)[94]


if __name__ == "__main__":
    sys.exit(main())
