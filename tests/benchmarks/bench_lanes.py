"""How long an edit takes in the real window, from the event to the painted picture.

The project is an hour with sound, 500 tracks, 60 points with a mark on every frame and 2,000
segments, as in ``bench_paint``; the window is the program's own, 1600 by 1000, with all its panels,
on a screen of its own. Keys nudge an edge, the mouse drags one, an object is clicked for a role, a
point is placed, and the wheel goes through lanes, time and zoom. The clock runs from before the
event until the window has painted what it made dirty on picture and lanes, and has handed that to
the screen. 95 of 100 must take 16 ms or less; a busy machine shows in the time by the clock and
less in the processor time of the main thread, on which the bound is put, as in ``bench_paint``; the
best of some rounds counts. What is shown after that (inspector, lists, state of the actions) is
told as the processor time of the whole gesture.

The first gestures after opening are told apart: nothing is warm then.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import av
import numpy as np

from annotator.domain.commands import AddImported
from annotator.services.project.projects import create_project
from tests.benchmarks.bench_paint import HOUR_FRAMES, HOUR_RATE, hour_document
from tests.benchmarks.played_window import surroundings

LIMIT_MS = 16.0
SOUND_RATE = 16_000

_PROGRAM = """
import json, sys, time
from pathlib import Path
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from annotator import app
from annotator.domain.annotation.segment import Lane
from annotator.services.settings import Settings
from annotator.ui.timeline.model.lane_contents import SegmentLane

project, rounds = Path(sys.argv[1]), int(sys.argv[2])
settings = Settings()
settings.set("proposals.automatic", False)
application = app.make_application(settings)
window = app.make_window(settings)
window.setWindowState(Qt.WindowState.WindowNoState)  # a small screen maximizes it
window.resize(1600, 1000)
window.show()
window.context.projects.open_path(project)
workspace, line = window.context.workspace, window.assembly.timeline
end = time.monotonic() + 60
while workspace.stage is None or window.context.canvas.index is None:
    application.processEvents()
    assert time.monotonic() < end
painted, shown = [], []
real, real_event = line.paintEvent, window.event
def watched(event):
    real(event)
    painted.append(event.region().boundingRect())
def watched_window(event):
    is_paint = event.type() == QEvent.Type.UpdateRequest
    done = real_event(event)
    if is_paint and painted and not shown:
        shown.append((time.perf_counter(), time.thread_time()))
    return done
line.paintEvent, window.event = watched, watched_window

def rest(seconds=0.25):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        application.processEvents()
        time.sleep(0.002)

def timed(act):
    rest(0.03)
    painted.clear()
    shown.clear()
    begin, busy = time.perf_counter(), time.thread_time()
    act()
    while not shown:
        application.processEvents()
        assert time.perf_counter() - begin < 5
    application.processEvents()
    clock, paint = shown[0]
    whole = time.thread_time() - busy
    return (clock - begin) * 1e3, (paint - busy) * 1e3, whole * 1e3

def p95(values):
    return sorted(values)[int(len(values) * 0.95) - 1]

def told(times):
    clock, busy, whole = zip(*times)
    middle = sorted(busy)[len(busy) // 2]
    return {"clock": p95(clock), "busy": p95(busy), "median": middle, "whole": p95(whole)}

held, left = Qt.KeyboardModifier, Qt.MouseButton.LeftButton
ctrl, none = held.ControlModifier, held.NoModifier
document = workspace.session.document
actions = [s for s in document.segments if s.lane is Lane.ACTION]
chosen = actions[len(actions) // 2]
workspace.selection.set_segment(chosen.id)
window.context.playback.seek(chosen.start)
at_s = float(line.viewport.axis.edges[chosen.start])
line.viewport.set_view_range(at_s - 10, at_s + 30)
window.activateWindow()
window.context.canvas.setFocus()
rest(0.3)

def nudge():
    key = Qt.Key.Key_Right if (nudges[0] // 10) % 2 else Qt.Key.Key_Left
    nudges[0] += 1
    QTest.keyClick(window.context.canvas, key, ctrl)
nudges = [0]

def place(segment, edge):
    for i in line.viewport.layout.visible_rows():
        row = line.viewport.layout.rows[i]
        if isinstance(row, SegmentLane) and any(s.id == segment.id for s in row.segments):
            x = line.viewport.layout.axis_left + line.viewport.axis.left_of(edge)
            return QPoint(round(x), line.viewport.layout.top_of(i) + 12)
    raise AssertionError("not in sight")

def move(at):
    where = QPointF(at)
    screen = line.mapToGlobal(where)
    event = QMouseEvent(QMouseEvent.Type.MouseMove, where, screen, left, left, none)
    application.sendEvent(line, event)

def drags(n):
    workspace.selection.set_segment(chosen.id)
    rest(0.1)
    now = workspace.session.document.segment(chosen.id)
    at = place(now, now.end)
    QTest.mousePress(line, left, none, at)
    rest(0.05)
    moves = [timed(lambda i=i: move(at + QPoint(8 + 3 * (i % 20), 0))) for i in range(n)]
    drop = timed(lambda: QTest.mouseRelease(line, left, none, at + QPoint(30, 0)))
    workspace.session.undo()
    rest(0.5)
    return moves, drop

tracks = [t.id for t in workspace.session.document.tracks]
def slot(i):
    workspace.selection.set_segment(chosen.id)
    rest(0.05)
    QTest.keyClick(window.context.canvas, Qt.Key.Key_1)
    rest(0.05)
    def act():
        # A click on an object in the picture selects it; the role takes it with the next event.
        workspace.selection.set_tracks([tracks[(7 * i + 3) % len(tracks)]])
    return timed(act)

def place_points(n):
    window.context.canvas.tools.set_tool("point")
    window.context.canvas.points.set_looping(True)
    point = workspace.session.document.points[0]
    workspace.selection.set_points(point.info.track_id, [point.id])
    rest(0.5)
    def click(i):
        QTest.mouseClick(window.context.canvas, left, none, QPoint(100 + 9 * i, 120 + 5 * i))
    times = [timed(lambda i=i: click(i)) for i in range(n)]
    window.context.canvas.points.set_looping(False)
    window.context.canvas.tools.set_tool("select")
    return times

def wheel(dx, dy, held_keys=none):
    where = QPointF(line.width() * 0.6, line.height() - 40)
    event = QWheelEvent(where, line.mapToGlobal(where), QPoint(), QPoint(dx, dy), left.NoButton,
                        held_keys, Qt.ScrollPhase.NoScrollPhase, False)
    application.sendEvent(line, event)

def wheels(dx, dy, held_keys=none, n=60):
    # There and back, a step of the wheel each.
    return [timed(lambda s=1 if i < n // 2 else -1: wheel(s * dx, s * dy, held_keys))
            for i in range(n)]

opening = told([timed(nudge) for _ in range(20)])
end = time.monotonic() + 120
while not workspace.stage.sound.state.is_complete:
    rest(0.5)
    assert time.monotonic() < end
rest(4.0)
found = []
for _ in range(rounds):
    moves, drops = [], []
    for i in range(8):
        m, d = drags(12)
        moves += m; drops.append(d)
    workspace.selection.set_segment(chosen.id)
    rest(0.5)
    found.append({
        "nudge": told([timed(nudge) for _ in range(60)]),
        "drag": told(moves), "drop": told(drops),
        "slot": told([slot(i) for i in range(40)]),
        "point": told(place_points(40)), "first nudges": opening,
        "scroll lanes": told(wheels(0, -120)),
        "scroll time": told(wheels(-120, 0)),
        "zoom": told(wheels(0, 120, ctrl)),
    })
print(json.dumps(found))
window.close()
"""


def hour_project(folder: Path) -> Path:
    """Make a project of an hour in which there is much of everything."""
    video = folder / "hour.mp4"
    with av.open(str(video), "w") as container:
        stream = container.add_stream("mpeg4", rate=int(HOUR_RATE))
        stream.width, stream.height, stream.gop_size = 64, 48, 60
        sound = container.add_stream("aac", rate=SOUND_RATE, layout="mono")
        gray = av.VideoFrame.from_ndarray(np.full((72, 64), 90, np.uint8), "yuv420p")
        chance = np.random.default_rng(1)
        for frame in range(HOUR_FRAMES):
            gray.pts = None
            container.mux(stream.encode(gray))
            if frame % int(HOUR_RATE) == 0:
                container.mux(sound.encode(_second_of_sound(frame // int(HOUR_RATE), chance)))
        container.mux(stream.encode())
        container.mux(sound.encode())
    project = create_project(folder / "hour.annot", title="Hour")
    project.add_videos([video])
    session = project.open_task(project.tasks()[0].id)
    hour = hour_document(session.document)
    session.run(AddImported(hour.tracks, hour.segments, points=hour.points))
    path = project.path
    project.close()
    return path


def _second_of_sound(second: int, chance: np.random.Generator) -> av.AudioFrame:
    """Return a tone that rises and falls, with noise, for part of the seconds."""
    at = second + np.arange(SOUND_RATE) / SOUND_RATE
    loud = 0.1 + 0.4 * (second % 7 > 3)
    wave = loud * np.sin(2 * np.pi * (600 + second % 40 * 50) * at)
    wave += 0.05 * chance.standard_normal(SOUND_RATE)
    frame = av.AudioFrame.from_ndarray(wave.astype(np.float32)[None], "fltp", "mono")
    frame.sample_rate, frame.pts = SOUND_RATE, second * SOUND_RATE
    return frame


def main(project: Path | None = None, rounds: int = 3) -> int:
    """Measure and print; status 1 when a bound is missed."""
    with tempfile.TemporaryDirectory() as name, surroundings() as environment:
        path = project or hour_project(Path(name))
        command = [sys.executable, "-c", _PROGRAM, str(path), str(rounds)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        return 1
    found = json.loads(done.stdout.splitlines()[-1])
    missed = False
    for gesture in found[0]:
        best = min((r[gesture] for r in found), key=lambda r: r["busy"])
        is_met = best["busy"] <= LIMIT_MS
        missed |= not is_met
        sys.stdout.write(
            f"{gesture}: 95 % painted within {best['busy']:.1f} ms, median {best['median']:.1f} ms"
            f" (by the clock {best['clock']:.1f} ms, all of it {best['whole']:.1f} ms)"
            f" <= {LIMIT_MS} {'met' if is_met else 'MISSED'}\n"
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
