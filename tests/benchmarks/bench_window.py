"""How long until the window can be used: `annotator open` on the demo against a bare window.

Both are fresh processes that show the same first frame of the same video; they take turns, so that
a busy machine is busy for both, and the median of the ratios of neighbors counts. A window counts
as usable when its first exact picture has been painted and it takes the next event. That it is, is
proved at that very moment: a key steps to the next frame, and after that a drag draws a box that is
stored. When either was done, and when all of the window is there, is told too, counted from the
start like the first. The bound is 1.5.
They run on a screen of their own (Xvfb) where there is one, else without a screen.

The bare window imports numpy before Qt: after it, each import costs twice as much.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from annotator.services.demo.first_demo import create_demo

ROUNDS, WARM_UP = 9, 1
LIMIT = 1.5

# What both programs say when they can be used: the time on the clock that all processes share.
_REPORT = """
import sys, time
def report():
    sys.stdout.write(f"{time.monotonic()}\\n")
    sys.stdout.flush()
"""

# One decoded frame in one window, with what a program that shows video cannot do without.
BARE = """
import av
import numpy
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget

class Window(QWidget):
    is_reported = False
    def paintEvent(self, event):
        painter = QPainter(self)
        painter.drawImage(self.rect(), image)
        painter.end()
        if not self.is_reported:
            self.is_reported = True
            QTimer.singleShot(0, lambda: (report(), self.close()))

app = QApplication([])
with av.open(sys.argv[1]) as container:
    pixels = next(container.decode(video=0)).to_ndarray(format="bgra")
height, width = pixels.shape[:2]
image = QImage(pixels.data, width, height, QImage.Format.Format_RGB32)
window = Window()
window.resize(1360, 860)
window.show()
sys.exit(app.exec())
"""

# The real program from its real entry; only the proof and the ending are ours.
OURS = """
import contextlib
from annotator.cli.common import window_start as command
libraries = command.window_libraries

def wait(condition):
    from PySide6.QtTest import QTest
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        QTest.qWait(1)
    assert condition()

def prove(window, frame, painted, begin):
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest
    def tell():
        sys.stdout.write(f"{time.monotonic() - begin}\\n")
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    # To the window of the system, as a key of the keyboard comes.
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Right)
    wait(lambda: frame + 1 in painted)
    tell()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_B)
    canvas = window.context.canvas
    assert window.context.workspace.session is not None
    tracks = len(window.context.workspace.session.document.tracks)
    middle = canvas.rect().center()
    drag = [middle, middle + QPoint(30, 20), middle + QPoint(60, 40)]
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=drag[0])
    for place in drag[1:]:
        QTest.mouseMove(canvas, place)
        QTest.qWait(1)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=drag[-1])
    assert len(window.context.workspace.session.document.tracks) == tracks + 1
    assert window.context.workspace.session.undo_op
    tell()
    wait(lambda: window.context.workspace.frame == frame + 1 and window.staging.is_complete)
    tell()
    window.context.table.run("edit.undo")
    # The next round begins where this one did.
    window.context.playback.seek(frame)
    window.close()

def attempt(window, frame, painted, begin):
    # An exception in a slot would be written into a crash report, and the window stay open.
    try:
        prove(window, frame, painted, begin)
    except BaseException as error:
        sys.stdout.write(f"the window does not act: {error!r}\\n")
        window.close()

def watched(window, picture_painted):
    from PySide6.QtCore import QTimer
    painted = []
    def act():
        begin = time.monotonic()
        report()
        attempt(window, painted[0], painted, begin)
    def on_painted(index):
        painted.append(index)
        if len(painted) == 1:
            QTimer.singleShot(0, act)
    picture_painted.connect(on_painted)
    return window

# What is imported when is the program's own affair: this waits until it has the window's modules.
@contextlib.contextmanager
def libraries_watched():
    with libraries():
        yield
    from annotator import app
    make, first = app.make_window, app.first_window
    def make_watched(*arguments, **options):
        window = make(*arguments, **options)
        return watched(window, window.context.canvas.picturePainted)
    def first_watched(*arguments):
        window = first(*arguments)
        return window and watched(window, window.opening.first.picturePainted)
    app.make_window, app.first_window = make_watched, first_watched

command.window_libraries = libraries_watched
sys.argv = ["annotator", "open", sys.argv[1]]
from annotator.__main__ import main
sys.exit(main())
"""


@contextlib.contextmanager
def screen() -> Iterator[dict[str, str]]:
    """Give the variables that lead to a screen of our own."""
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        yield {"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":none"}
        return
    read, write = os.pipe()
    command = [xvfb, "-displayfd", str(write), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read, encoding="ascii") as told:
            number = told.readline().strip()
        yield {"QT_QPA_PLATFORM": "xcb", "DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait()


def seconds(program: str, argument: Path, environment: dict[str, str]) -> list[float]:
    """Run a program; return when its picture was painted, and for ours when the next one was, when
    a box was drawn and when the window was complete, all counted from the start."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", _REPORT + program, str(argument)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    usable, *later = done.stdout.splitlines()
    picture = float(usable) - begin
    # What the program could not do it says in words, and that is no number.
    return [picture, *(picture + float(line) for line in later)]


def main() -> int:
    """Measure both and print the ratios; status 1 when the bound is missed."""
    with tempfile.TemporaryDirectory() as name, screen() as variables:
        folder = Path(name)
        kinds = ("CACHE", "CONFIG", "DATA", "STATE")
        homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in kinds}
        environment = {**os.environ, **homes, **variables}
        # Installed libraries are compiled; so is the program from its second start on.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        project = create_demo(folder / "demo")
        video = next(project.parent.glob("*.mp4"))
        pairs = [
            (seconds(BARE, video, environment), seconds(OURS, project, environment))
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]
    bare = [b for (b,), _ in pairs]
    sys.stdout.write(
        f"bare window with one frame: {statistics.median(bare):.2f} s (best {min(bare):.2f};"
        f" {variables['QT_QPA_PLATFORM']})\n"
    )
    ratios = []
    for stage, what in enumerate(("usable", "next frame shown", "box drawn", "complete")):
        ours = [own[stage] for _, own in pairs]
        ratios.append(statistics.median(o / b for o, b in zip(ours, bare, strict=True)))
        least = min(ours) / min(bare)
        times = f"{statistics.median(ours):.2f} s (best {min(ours):.2f})"
        sys.stdout.write(f"{what}: {times}; ratio {ratios[-1]:.2f}, of the best {least:.2f}\n")
    is_met = ratios[0] <= LIMIT
    sys.stdout.write(f"usable {ratios[0]:.2f} <= {LIMIT} {'met' if is_met else 'MISSED'}\n")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
