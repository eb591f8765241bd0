"""For how long large acts hold the window at a stretch: opening, deleting, importing, submitting.

What `tests/e2e/test_never_blocks.py` does, where it counts calls, in time: the longest turn of the
main thread in its own processor time, in frames of 16 ms, scaled to a quiet machine. Most
acts stay within one frame; where all that is on the screen changes, the turn that draws the whole
window anew counts, which three frames are left to.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Desktop, accepted_plans, desktop, make_desktop, settings
from tests.e2e.test_never_blocks import big, longest_turns, to_import
from tests.e2e.watch import FRAME_S, TimeWatch

__all__ = ["accepted_plans", "big", "desktop", "make_desktop", "settings", "to_import"]

LIMIT = 3.0


def test_each_large_act_leaves_the_window_free(
    desktop: Desktop,
    big: Path,
    to_import: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copy = tmp_path / "copy.annot"
    turns = longest_turns(TimeWatch(), desktop, big, to_import, copy, monkeypatch)
    frames = {name: longest_s / FRAME_S for name, longest_s in turns.items()}
    for name, longest in sorted(frames.items(), key=lambda each: -each[1]):
        sys.stdout.write(f"\n{name}: longest turn {longest:.2f} frames ({longest * 16:.0f} ms)")
    sys.stdout.write("\n")
    assert max(frames.values()) <= LIMIT
