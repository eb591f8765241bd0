"""A project of the size of the Perception Test: imported, opened, exported.

Compared with what msgspec and the standard library's json take to read the same bytes into values
and to write them, each in one process. Each measurement is a process of its own; the peak of memory
is that of all it starts together. Times are those of a clock on the wall and, behind them, those of
all processors. What counts is how often a step takes what json takes, on the wall. Where others
keep the machine busy that says little; the same of the work, shared by the processors there are,
says what a quiet one would do.

``python -m tests.benchmarks.bench_dataset 1161`` takes a tenth of the videos.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import psutil

from annotator.services.background.jobs import JobRunner, JobToken
from annotator.services.project.projects import create_project, open_project
from annotator.services.transfer import ExportRequest, export_project, import_file
from annotator.services.transfer.perception_test import MAX_PROCESSES
from tests.benchmarks.dataset_file import N_VIDEOS, write_dataset

RATIO: Final = 3.0
MEMORY_MB: Final = 500.0
OPEN_S: Final = 1.0

_LOOK_EVERY_S: Final = 0.1
_N_PROCESSES: Final = min(MAX_PROCESSES, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds on the wall and of all processors, and the peak of memory in MB."""

    wall: float
    work: float
    memory: float


def main() -> int:
    """Print the figures; 1 when a target is missed."""
    n_videos = int(sys.argv[1]) if len(sys.argv) > 1 else N_VIDEOS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_dataset(folder / "all.json", n_videos)
        size = (folder / "all.json").stat().st_size
        sys.stdout.write(f"{n_videos} videos, {size / 1e6:.0f} MB of JSON\n")
        plain = {tool: _measured(folder, f"plain-{tool}") for tool in ("msgspec", "json")}
        for tool, (read, write) in plain.items():
            sys.stdout.write(f"{tool:8} reads in {_said(read)}, writes in {_said(write)}\n")
        is_met = True
        (took,) = _measured(folder, "import")
        is_met &= _compared("import", took, {tool: found[0] for tool, found in plain.items()})
        for step in ("open", "export"):
            (took,) = _measured(folder, step)
            if step == "open":
                is_met &= took.wall <= OPEN_S
                sys.stdout.write(f"open     {_said(took)}, target {OPEN_S:g} s\n")
            else:
                is_met &= _compared(step, took, {tool: f[1] for tool, f in plain.items()})
        is_same = (folder / "all.json").read_bytes() == (folder / "out.json").read_bytes()
        sys.stdout.write(f"the file comes back to the byte: {'yes' if is_same else 'NO'}\n")
    return int(not (is_met and is_same))


def _compared(name: str, took: Took, plain: dict[str, Took]) -> bool:
    """Print how often a step takes what each tool takes; met where that holds for json."""
    listed = ", ".join(
        f"{took.wall / found.wall:.1f} times {tool} on the wall"
        f" ({took.work / _N_PROCESSES / found.work:.1f} of the work, shared)"
        for tool, found in plain.items()
    )
    is_met = took.wall <= RATIO * plain["json"].wall and took.memory <= MEMORY_MB
    mark = "met" if is_met else "MISSED"
    sys.stdout.write(f"{name:8} {_said(took)}: {listed}; target {RATIO:g} times  {mark}\n")
    return is_met


def _said(took: Took) -> str:
    return f"{took.wall:.1f} s (work {took.work:.1f} s, {took.memory:.0f} MB)"


def _measured(folder: Path, step: str) -> tuple[Took, ...]:
    """Carry a step out in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_dataset", "--step", step, str(folder)]
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "home")}
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    return msgspec.json.decode(done.stdout, type=tuple[Took, ...])


def _carry_out(step: str, folder: Path) -> list[Took]:
    path, project = folder / "all.json", folder / "all.annot"
    token = JobToken(lambda _fraction, _text: None)
    if step == "plain-msgspec":
        return _plain(path, folder, msgspec.json.decode, msgspec.json.encode)
    if step == "plain-json":
        return _plain(path, folder, json.loads, _dumped)
    if step == "import":
        with contextlib.closing(create_project(project, title="All")) as opened:
            return [_took(lambda: import_file(opened, path, token=token))]
    if step == "open":
        jobs = JobRunner(lambda call: call())
        took = _took(lambda: open_project(project, jobs=jobs).tasks())
        jobs.close()
        return [took]
    with contextlib.closing(open_project(project, read_only=True)) as opened:
        return [_took(lambda: export_project(opened, ExportRequest(folder / "out.json"), token))]


def _plain(
    path: Path, folder: Path, read: Callable[[bytes], Any], write: Callable[[Any], bytes]
) -> list[Took]:
    values: list[Any] = []
    reading = _took(lambda: values.append(read(path.read_bytes())))
    writing = _took(lambda: (folder / "plain.json").write_bytes(write(values[0])))
    (folder / "plain.json").unlink()
    return [reading, writing]


def _dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _took(act: Callable[[], object]) -> Took:
    before, began = _work(), time.perf_counter()
    with _watched() as memory:
        act()
    wall = time.perf_counter() - began
    return Took(wall, _work() - before, max(memory))


def _work() -> float:
    """Return the processor time of this process and of those that have ended, in seconds."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in found)


@contextlib.contextmanager
def _watched() -> Iterator[list[float]]:
    """Note what this process and those it starts have in memory together, in MB."""
    found, is_over, me = [0.0], threading.Event(), psutil.Process()

    def look() -> None:
        while not is_over.wait(_LOOK_EVERY_S):
            with contextlib.suppress(psutil.Error):
                family = [me, *me.children(recursive=True)]
                found.append(sum(each.memory_info().rss for each in family) / 2**20)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield found
    finally:
        is_over.set()
        watcher.join()
        found.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        sys.stdout.buffer.write(msgspec.json.encode(_carry_out(sys.argv[2], Path(sys.argv[3]))))
    else:
        sys.exit(main())
