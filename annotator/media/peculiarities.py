"""What a person should know of a video whose frame table is made: rate, times, shape, turn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from annotator.media.frame_table import FrameTable
from annotator.media.frames import Finding
from annotator.media.orientation import Orientation


def peculiarities(table: FrameTable, *, is_interlaced: bool) -> Iterator[Finding]:
    """Yield what is out of the ordinary but no fault of reading."""
    if is_interlaced:
        yield Finding(
            "interlaced",
            "Interlaced: a frame is both fields woven together as decoded, not deinterlaced.",
        )
    if table.sample_aspect_ratio != 1:
        yield Finding(
            "pixel-aspect",
            f"Pixels are not square (sample aspect ratio {table.sample_aspect_ratio}); frames and "
            "coordinates are in stored pixels.",
        )
    if table.orientation != Orientation():
        flip = " and mirrored" if table.orientation.is_flipped else ""
        yield Finding(
            "rotated",
            f"Shown turned by {table.orientation.rotation} degrees clockwise{flip}, "
            "as the file asks.",
        )
    if table.is_variable_rate:
        yield Finding(
            "variable-rate",
            "Frames are unevenly spaced: a frame number times a constant duration is not its time.",
        )
    yield from _time_faults(table)


def _time_faults(table: FrameTable) -> Iterator[Finding]:
    steps = np.diff(table.pts)
    backwards = np.flatnonzero(steps < 0)
    if len(backwards):
        yield Finding(
            "times-run-back",
            f"Time stamps jump back at {len(backwards)} places; the timeline goes on evenly there.",
            int(backwards[0]) + 1,
        )
    double = np.flatnonzero(steps == 0)
    if len(double):
        yield Finding(
            "double-times",
            f"{len(double)} frames have the time of the frame before.",
            int(double[0]) + 1,
        )
