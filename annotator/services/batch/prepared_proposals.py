"""Proposals of a project prepared on this computer, by a process that outlives the window.

Plan and results are in a folder of the user, one per project. The process holds a lock there while
it runs, so every window can detect it.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator import paths
from annotator.domain.errors import UserError
from annotator.services.batch.job_plan import (
    ModelName,
    Planned,
    TrackerNames,
    VideoJob,
    plan,
    read_plan,
)
from annotator.services.batch.job_results import Collected, collect
from annotator.services.batch.job_runners import STOP, run, status
from annotator.store.file.lock import LockedError, ProjectLock, is_locked

if TYPE_CHECKING:
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject

WORKERS: Final = 2
_START_S: Final = 30.0
_END_S: Final = 15.0
_LOOK_S: Final = 0.5
_GLANCE_S: Final = 1.0


class Preparation:
    """Preparation of proposals for the project at a path, if one is under way."""

    def __init__(self, project: Path) -> None:
        name = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:24]
        self._folder = paths.data_dir() / "proposals" / name
        self._jobs = self._folder / "jobs.jsonl"
        self._results = self._folder / "results"

    @property
    def is_begun(self) -> bool:
        """Whether a plan waits, runs, or has results to collect."""
        return self._jobs.exists()

    @property
    def is_running(self) -> bool:
        """Whether a process runs the plan."""
        return is_locked(self._results)

    def plan(
        self,
        project: OpenProject,
        trackers: TrackerNames,
        model: ModelName | None,
        on_progress: Callable[[float, str], object] = lambda _fraction, _name: None,
    ) -> Planned:
        """Plan the tracking; UserError while an earlier plan runs."""
        if self.is_running:
            raise UserError(
                "Proposals are being prepared for this project already.",
                hint="Wait until that has finished, or stop it in the status bar.",
            )
        self._results.mkdir(parents=True, exist_ok=True)
        return plan(project, self._jobs, trackers, model=model, on_progress=on_progress)

    def launch(self) -> None:
        """Start a process for the plan and wait until it has started work."""
        (self._results / STOP).unlink(missing_ok=True)
        program = [] if getattr(sys, "frozen", False) else ["-m", "annotator"]
        arguments = ["batch", "run", str(self._jobs), str(self._results), "--alone"]
        with (self._folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, *program, *arguments, "--workers", str(WORKERS)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        # It outlives this program; a thread waits for its end meanwhile.
        threading.Thread(target=process.wait, daemon=True).start()
        until = time.monotonic() + _START_S
        while time.monotonic() < until and process.returncode is None and not self.is_running:
            time.sleep(_LOOK_S / 5)

    def run_here(self, token: JobToken) -> None:
        """Run the plan in this program; CanceledError when canceled, finished results are kept."""
        with alone(self._results):
            run(self._planned(), self._results, token, workers=WORKERS)

    def follow(self, token: JobToken) -> None:
        """Report how far the process is until it ends; CanceledError when canceled."""
        jobs = self._planned()
        while True:
            is_running = self.is_running
            found = status(jobs, self._results)
            share = found.n_done / found.n_passes if found.n_passes else 1.0
            token.report(share, f"{found.n_done} / {found.n_passes}")
            if not is_running:
                return
            token.check()
            time.sleep(_LOOK_S)

    def stop(self) -> None:
        """Ask the process to end and wait; finished results are kept."""
        (self._results / STOP).touch()
        until = time.monotonic() + _END_S
        while time.monotonic() < until and self.is_running:
            time.sleep(_LOOK_S / 5)

    def collect(self, project: OpenProject) -> tuple[Collected, dict[str, str]]:
        """Import the results into the project; return them, and failed videos with reasons.

        After that nothing is left of the preparation.
        """
        jobs = self._planned()
        done = collect(project, self._results, jobs[0].trackers) if jobs else Collected()
        failed = dict(status(jobs, self._results).failed)
        shutil.rmtree(self._folder, ignore_errors=True)
        return done, failed

    def _planned(self) -> list[VideoJob]:
        return read_plan(self._jobs) if self._jobs.exists() else []


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold a folder of results meanwhile; UserError while another process holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + _GLANCE_S
    while True:
        try:
            lock = ProjectLock(folder)
            break
        except LockedError as error:
            # `is_locked` in another process holds it for an instant.
            if time.monotonic() > until:
                raise UserError("Another process runs this batch.", where=str(folder)) from error
            time.sleep(0.02)
    try:
        yield
    finally:
        lock.release()
