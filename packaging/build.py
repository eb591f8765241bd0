"""Build what is handed out: a wheel and a source archive, and a stand-alone folder if possible.

Run by ``make package``. The folder needs PyInstaller, which a developer's environment lacks until
``.venv/bin/pip install pyinstaller`` adds it (Debian needs ``binutils`` and ``libpython3`` for it).
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Build into dist/ and name what was built; the first failing step ends it."""
    steps = [
        [sys.executable, "-m", "hatchling", "build", "-d", "dist"],
        [sys.executable, "packaging/gather_licenses.py", "build/licenses"],
    ]
    if importlib.util.find_spec("PyInstaller"):
        spec = [
            "packaging/pyinstaller.spec",
            "--distpath",
            "dist",
            "--workpath",
            "build/pyinstaller",
        ]
        steps.append(
            [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", *spec]
        )
    else:
        sys.stderr.write("PyInstaller is not installed: no stand-alone folder this time.\n")
    for step in steps:
        done = subprocess.run(step, cwd=_ROOT, check=False)
        if done.returncode != 0:
            return done.returncode
    for path in sorted((_ROOT / "dist").iterdir()):
        sys.stdout.write(f"dist/{path.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
