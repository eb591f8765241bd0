"""The real window playing a real project in a process of its own, and what it says of itself."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.commands import AddImported
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.project.projects import create_project
from tests.benchmarks.bench_window import screen
from tests.media.loopback import Loopback

N_TRACKS = 20

# Plays for a while as a person would and writes what happened, once a second and at the end.
_PROGRAM = """
import json, os, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from annotator import app
from annotator.services.settings import Settings

project, seconds, speed, is_looping = Path(sys.argv[1]), *map(float, sys.argv[2:])
settings = Settings()
application = app.make_application(settings)
window = app.make_window(settings)
window.show()
painted = set()
lines = []

def begin():
    player = window.context.workspace.stage.player
    window.context.canvas.picturePainted.connect(painted.add)
    player.set_speed(speed)
    window.context.table.action("play.loop").setChecked(bool(is_looping))
    if is_looping:
        window.context.table.run("play.loop")
        player.loop((0, window.context.workspace.n_frames))
    watch.start(1000)
    window.context.table.run("play.toggle")

def note():
    state = window.context.workspace.stage.player.state
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if os.name == "posix" else 0
    lines.append({"at": time.monotonic(), "rss_mb": pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
                  "dropped": state.dropped, "frame": state.frame, "silent": state.is_silent})
    if time.monotonic() - started > seconds or not state.is_playing:
        watch.stop()
        print(json.dumps({"lines": lines, "painted": len(painted), "notice": state.notice,
                          "cpu_s": time.process_time() - cpu, "took_s": time.monotonic() - started,
                          "n_frames": window.context.workspace.n_frames,
                          "is_playing": state.is_playing,
                          "budget_mb": settings.whole("playback.cache_mb")}))
        window.close()

watch = QTimer()
watch.timeout.connect(note)
window.context.projects.open_path(project)
started, cpu = time.monotonic() + 2.0, time.process_time()
QTimer.singleShot(2000, begin)
sys.exit(application.exec())
"""


@contextlib.contextmanager
def surroundings() -> Iterator[dict[str, str]]:
    """Give the environment of a workspace: a screen, a silent loudspeaker, an empty home."""
    with tempfile.TemporaryDirectory() as name, screen() as variables:
        folder = Path(name)
        homes = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "STATE")}
        sound = {"XDG_RUNTIME_DIR": name, "PULSE_SERVER": f"unix:{folder}/native"}
        old = {key: os.environ.get(key) for key in sound}
        os.environ.update(sound)
        server = Loopback(folder)
        server.start()
        try:
            yield {**os.environ, **homes, **variables}
        finally:
            server.stop()
            for key, value in old.items():
                os.environ.pop(key) if value is None else os.environ.update({key: value})


def project_with_tracks(folder: Path, video: Path, size: tuple[int, int]) -> Path:
    """Make a project on a video with tracks that move all over the picture."""
    project = create_project(folder / "play.annot", title="Play")
    project.add_videos([video])
    session = project.open_task(project.tasks()[0].id)
    width, height = size
    tracks = []
    for number in range(1, N_TRACKS + 1):
        info = TrackInfo(track_id(), f"object {number % 7}", number, number - 1)
        keys = []
        for frame in range(0, session.document.video.n_frames, 30):
            x = (number * 83 + frame * 3) % (width - 160)
            y = (number * 57 + frame * 2) % (height - 120)
            keys.append(Keyframe(frame, Box(x, y, x + 150, y + 110), source=Source.IMPORTED))
        tracks.append(Track(info, tuple(keys)))
    session.run(AddImported(tuple(tracks), ()))
    path = project.path
    project.close()
    return path


def play(
    project: Path,
    environment: dict[str, str],
    *,
    seconds: float,
    speed: float = 1.0,
    is_looping: bool = False,
) -> dict[str, Any]:
    """Let the window play and return its report."""
    arguments = [str(project), str(seconds), str(speed), str(int(is_looping))]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    return report
