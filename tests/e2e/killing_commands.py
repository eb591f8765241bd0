"""Kills commands that write at random moments, and looks at what they leave.

Whatever was there before is there whole; what a command makes is there whole or not at all; run
again, the command does what it was asked for.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotator.domain.people import Role
from annotator.services.entry_values import WORK
from annotator.services.packages.packages import pack_tasks
from annotator.services.packages.submissions import pack_submissions
from annotator.services.project.project_checks import check_project
from annotator.services.project.projects import create_project, open_project
from annotator.sync.archive import Archive
from annotator.temporary import SUFFIX
from tests.media.encoding import encode

N_CLIPS: Final = 6
_ROOT: Final = Path(__file__).resolve().parents[2]
_HARM: Final = ("damaged-file", "damaged-draft", "damaged-log", "differs-from-log")


@dataclass(frozen=True)
class Scenario:
    """A command by its words, and what must hold of the folder after it was killed."""

    name: str
    words: tuple[str, ...]
    holds: Callable[[Path], None]


def make_seed(folder: Path) -> None:
    """Make the files that the commands work on: clips, a project, a package, what came back."""
    videos = folder / "videos"
    videos.mkdir()
    for i in range(N_CLIPS):
        encode(videos / f"clip{i}.mp4", numbers=range(6 + i))
    path = folder / "lead.annot"
    made = create_project(path, title="Lead", recipe="annotate-review")
    made.add_videos([videos / f"clip{i}.mp4" for i in range(N_CLIPS - 2)])
    ann = made.work.people.add("Ann", (Role.RATER,))
    lead = made.work.me
    assert lead is not None
    pack_tasks(made, folder / "ann.work", ann.id, n_tasks=2, stage="annotate")
    made.close()
    _run(folder, "team", "unpack", "ann.work", "ann/mine.annot", "videos")
    mine = open_project(folder / "ann" / "mine.annot")
    mine.work.people.sign_in(ann.id)
    for task in mine.tasks():
        session = mine.open_task(task.id)
        mine.work.submit(session)
    pack_submissions(mine, folder / "ann.done")
    mine.close()
    rows: list[dict[str, Any]] = []
    images: list[dict[str, Any]] = []
    for i in range(N_CLIPS):
        images.append({"id": i, "video_id": i, "frame_index": 0})
        for n in range(40):
            box = [1 + n, 2, 30, 40]
            rows.append({"id": len(rows), "image_id": i, "track_id": n, "bbox": box})
            rows[-1]["category_id"] = 1
    table = {
        "videos": [{"id": i, "name": f"clip{i}"} for i in range(N_CLIPS)],
        "images": images,
        "annotations": rows,
        "categories": [{"id": 1, "name": "cup"}],
    }
    (folder / "boxes.json").write_text(json.dumps(table))
    plain = create_project(folder / "plain.annot", title="Plain")
    plain.add_videos([videos / f"clip{i}.mp4" for i in range(N_CLIPS)])
    plain.close()
    _run(folder, "import", "plain.annot", "boxes.json")
    empty = create_project(folder / "empty.annot", title="Empty")
    empty.add_videos([videos / f"clip{i}.mp4" for i in range(N_CLIPS)])
    empty.close()


def kill_once(seed: Path, place: Path, scenario: Scenario, chance: random.Random) -> float:
    """Run a command in a copy of the seed and kill it; return after how many seconds.

    AssertionError when something is lost, half there, or cannot be done after that.
    """
    shutil.copytree(seed, place)
    try:
        started = time.monotonic()
        process = _started(place, scenario.words)
        until = chance.uniform(0.2, 2.2)
        with suppress(subprocess.TimeoutExpired):
            process.wait(until)
        process.send_signal(signal.SIGKILL)
        process.wait()
        after = time.monotonic() - started
        _sound(place)
        scenario.holds(place)
        left = [p.name for p in place.iterdir() if p.name.startswith(".") and "lock" not in p.name]
        assert all(SUFFIX in name for name in left), left
        again = _run(place, *scenario.words)
        assert again.returncode == 0, again.stderr
        _sound(place)
        scenario.holds(place)
        return after
    finally:
        shutil.rmtree(place)


def _sound(place: Path) -> None:
    for path in place.glob("*.annot"):
        found = [f for f in check_project(path).findings if f.code in _HARM]
        assert found == [], found


def _started(place: Path, words: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "annotator", *words],
        cwd=place,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _run(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "annotator", *words],
        cwd=place,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(_ROOT)}


def _import_holds(place: Path) -> None:
    opened = open_project(place / "empty.annot", read_only=True)
    try:
        for task in opened.tasks():
            if task.draft_id is not None:
                n_tracks = len(opened.open_task(task.id, takes=False).document.tracks)
                assert n_tracks in (0, 40), n_tracks
    finally:
        opened.close()


def _add_holds(place: Path) -> None:
    opened = open_project(place / "lead.annot", read_only=True)
    try:
        assert {t.video_id for t in opened.tasks()} == {v.id for v in opened.videos()}
    finally:
        opened.close()


def _package_holds(place: Path) -> None:
    path = place / "new.work"
    if path.exists():
        with Archive(path, WORK) as archive:
            for name in archive.names:
                if not name.startswith("media/"):
                    archive.read(name)


def _unpack_holds(place: Path) -> None:
    path = place / "other.annot"
    if path.exists():
        open_project(path, read_only=True).close()
        path.unlink()  # so that it can be made again


def _export_holds(place: Path) -> None:
    path = place / "out.json"
    if path.exists():
        value: dict[str, Any] = json.loads(path.read_bytes())
        assert len(value["annotations"]) == N_CLIPS * 40


def _release_holds(place: Path) -> None:
    path = place / "release"
    if path.exists():
        done = _run(place, "verify", "release")
        assert done.returncode == 0, done.stdout + done.stderr
        shutil.rmtree(path)  # so that it can be made again


def _nothing(_: Path) -> None:
    pass


SCENARIOS: Final = (
    Scenario("import", ("import", "empty.annot", "boxes.json"), _import_holds),
    Scenario("add videos", ("project", "add-videos", "lead.annot", "videos"), _add_holds),
    Scenario(
        "package",
        ("package", "lead.annot", "new.work", "--for", "Ann", "--tasks", "1", "--force"),
        _package_holds,
    ),
    Scenario("unpack", ("team", "unpack", "ann.work", "other.annot", "videos"), _unpack_holds),
    Scenario("collect", ("collect", "lead.annot", "ann.done"), _nothing),
    Scenario(
        "export", ("export", "plain.annot", "out.json", "--format", "coco-vid"), _export_holds
    ),
    Scenario("release", ("release", "plain.annot", "release"), _release_holds),
)
