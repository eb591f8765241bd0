"""Notes on an indexed video: rate, times, pixel shape, rotation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from annotator.media.index.frame_table import FrameTable
from annotator.media.index.orientation import Orientation
from annotator.media.values.frames import Finding


def peculiarities(table: FrameTable, *, is_interlaced: bool) -> Iterator[Finding]:
    """Yield what is out of the ordinary but no fault of reading."""
    if is_interlaced:
        yield Finding(
            "interlaced",
            "Interlaced video: each decoded frame contains two fields and is not deinterlaced.",
        )
    if table.sample_aspect_ratio != 1:
        yield Finding(
            "pixel-aspect",
            f"Non-square pixels (sample aspect ratio {table.sample_aspect_ratio}): frames and "
            "coordinates use stored pixels.",
        )
    if table.orientation != Orientation():
        flip = " and mirrored" if table.orientation.is_flipped else ""
        yield Finding(
            "rotated",
            f"Rotated by {table.orientation.rotation} degrees clockwise{flip} according to the "
            "file header.",
        )
    if table.is_variable_rate:
        yield Finding(
            "variable-rate",
            "Variable frame rate: frame times are not multiples of a constant duration.",
        )
    yield from _time_faults(table)


def _time_faults(table: FrameTable) -> Iterator[Finding]:
    steps = np.diff(table.pts)
    backwards = np.flatnonzero(steps < 0)
    if len(backwards):
        yield Finding(
            "times-run-back",
            (
                f"Time stamps jump backward at {len(backwards)} places; the timeline is continued "
                "without the jumps."
            ),
            int(backwards[0]) + 1,
        )
    double = np.flatnonzero(steps == 0)
    if len(double):
        yield Finding(
            "double-times",
            f"{len(double)} frames have the same time as the previous frame.",
            int(double[0]) + 1,
        )
