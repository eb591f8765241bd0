"""What the window loads before it is shown: nothing that only later work needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_LATER = ["cv2", "scipy", "sqlite_utils", "annotator.exchange", "annotator.assist"]


def test_window_starts_without_what_comes_later(tmp_path: Path) -> None:
    program = (
        "import sys, annotator.app as app\n"
        "from annotator.services.settings import Settings\n"
        "from pathlib import Path\n"
        "settings = Settings(Path(sys.argv[1]) / 'settings.toml')\n"
        "running = app.make_application(settings)\n"
        "window = app.make_window(settings, remembers_place=False)\n"
        "window.show()\n"
        f"print([name for name in {_LATER!r} if name in sys.modules])\n"
        "window.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
