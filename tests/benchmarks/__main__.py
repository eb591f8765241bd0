"""Runs all measurements one after the other: ``make bench``. Status 1 when any misses its target.

``python -m tests.benchmarks lanes lead`` runs those of ``bench_lanes.py`` and ``bench_lead.py``.
A measurement is a module ``bench_*.py``, either a program (``python -m tests.benchmarks.NAME``) or
tests for pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PYTEST = ["pytest", "-q", "-s", "-o", "python_files=bench_*.py", "-p", "no:xdist", "--timeout=0"]


def main(names: Sequence[str] = ()) -> int:
    """Run the measurements of these names, or every one, and list those that missed."""
    paths = {path.stem.removeprefix("bench_"): path for path in sorted(_HERE.glob("bench_*.py"))}
    if unknown := [name for name in names if name not in paths]:
        sys.stderr.write(f"Unknown: {', '.join(unknown)}. There are: {', '.join(paths)}.\n")
        return 2
    missed = []
    for path in [paths[name] for name in names or paths]:
        sys.stdout.write(f"\n== {path.stem}\n")
        sys.stdout.flush()
        is_program = "__main__" in path.read_text(encoding="utf-8")
        arguments = [f"tests.benchmarks.{path.stem}"] if is_program else [*_PYTEST, str(path)]
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(command, cwd=_HERE.parents[1], env=_environment(), check=False)
        if done.returncode != 0:
            missed.append(path.stem)
    sys.stdout.write(f"\nMissed: {', '.join(missed)}\n" if missed else "\nAll targets reached.\n")
    return 1 if missed else 0


def _environment() -> dict[str, str]:
    """Return the environment, in which Qt draws into memory where there is no display."""
    has_display = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    is_left = has_display or not sys.platform.startswith("linux")
    drawing = {} if is_left else {"QT_QPA_PLATFORM": "offscreen"}
    return {**drawing, **os.environ}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
