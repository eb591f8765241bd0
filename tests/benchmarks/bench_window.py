"""How long until the window can be used: `annotator open` on the demo against a bare window.

Both are fresh processes that show the same first frame of the same video; they take turns, so that
a busy machine is busy for both, and the median of the ratios of neighbours counts. A window counts
as usable when its first picture has been painted and it takes the next event. The bound is 1.5.
They run on a screen of their own (Xvfb) where there is one, else without a screen.
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

from annotator.services.projects import create_demo

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

# The real program from its real entry; only the ending is ours.
OURS = """
from annotator.cli import window as command
real = command.open_window

def open_watched(project):
    from PySide6.QtCore import QTimer
    from annotator import app
    make = app.make_window
    def make_watched(*arguments, **options):
        window = make(*arguments, **options)
        seen = []
        def painted(index):
            if not seen:
                seen.append(index)
                QTimer.singleShot(0, lambda: (report(), window.close()))
        window.canvas.picturePainted.connect(painted)
        return window
    app.make_window = make_watched
    return real(project)

command.open_window = open_watched
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


def seconds(program: str, argument: Path, environment: dict[str, str]) -> float:
    """Run a program and return the time from its start to its report."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", _REPORT + program, str(argument)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout.split()[0]) - begin


def main() -> int:
    """Measure both and print the ratio; status 1 when it is missed."""
    with tempfile.TemporaryDirectory() as name, screen() as variables:
        folder = Path(name)
        homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE")}
        environment = {**os.environ, **homes, **variables}
        # Installed libraries are compiled; so is the program from its second start on.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        project = create_demo(folder / "demo")
        video = next(project.parent.glob("*.mp4"))
        pairs = [
            (seconds(BARE, video, environment), seconds(OURS, project, environment))
            for _ in range(WARM_UP + ROUNDS)
        ][WARM_UP:]
    bare, ours = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    verdict = "met" if ratio <= LIMIT else "MISSED"
    sys.stdout.write(
        f"window usable after {ours:.2f} s, bare window with one frame {bare:.2f} s"
        f" ({variables['QT_QPA_PLATFORM']}); ratio {ratio:.2f} <= {LIMIT} {verdict}\n"
    )
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
