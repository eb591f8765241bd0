"""Round numbers for the ruler: which moments and which frames get a mark and a label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from annotator.ui.timeline.model.axis import TimeAxis

_TIME_STEPS_S: Final = (
    *(0.00001, 0.00002, 0.00005, 0.0001, 0.0002, 0.0005),
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0),
)
_FRAME_STEPS: Final = (1, 2, 5, 10, 20, 50)
_SAMPLE_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
_GRID_FACTORS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


@dataclass(frozen=True, slots=True)
class RulerTick:
    """A mark at a pixel, with a label where it is a main one."""

    x: float
    text: str = ""


def format_time(seconds: float, decimals: int = 3) -> str:
    """Return minutes, seconds and a fraction ("02:05.033"), with hours where there are any.

    The last digit is rounded, so that neighbouring frames differ.
    """
    sign = "-" if seconds < 0 else ""
    unit = 10**decimals
    total = round(abs(seconds) * unit)
    whole, part = divmod(total, unit)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02}" if hours else f"{minutes:02}"
    tail = f".{part:0{decimals}}" if decimals else ""
    return f"{sign}{head}:{rest:02}{tail}"


def time_step(axis: TimeAxis, least_px: float) -> float:
    """Return the smallest round number of seconds that is at least so many pixels wide."""
    wanted = least_px / axis.scale
    return next((s for s in _TIME_STEPS_S if s >= wanted), _TIME_STEPS_S[-1])


def time_ticks(axis: TimeAxis, least_px: float) -> list[RulerTick]:
    """Return labelled marks at round times, and unlabelled ones at fifths between them."""
    step = time_step(axis, least_px)
    decimals = next((d for d in range(5) if step >= 0.999 * 10**-d), 5)
    first = math.floor(axis.start_s / step)
    last = math.ceil(axis.end_s / step)
    ticks = []
    for i in range(first, last + 1):
        for part in range(5):
            seconds = (i + part / 5) * step
            x = axis.x_of_time(seconds)
            if -least_px <= x <= axis.width + least_px:
                ticks.append(RulerTick(x, "" if part else format_time(seconds, decimals)))
    return ticks


def frame_step(axis: TimeAxis, least_px: float, grid_step: int) -> int:
    """Return a round number of frames of at least so many pixels.

    Below the annotation grid 1, 2, 5, …; from there on multiples of the grid.
    """
    wanted = least_px / max(axis.typical_cell_px, 1e-9)
    small = [s for s in _FRAME_STEPS if s < grid_step]
    steps = [*small, *(grid_step * factor for factor in _GRID_FACTORS)]
    return next((s for s in steps if s >= wanted), steps[-1])


def frame_ticks(axis: TimeAxis, least_px: float, grid_step: int) -> list[RulerTick]:
    """Return labelled marks in the middle of every n-th frame in sight."""
    step = frame_step(axis, least_px, grid_step)
    start, end = axis.visible_frames()
    first = start // step * step
    return [RulerTick(axis.middle_of(f), str(f)) for f in range(first, end, step)]


def sample_ticks(axis: TimeAxis, least_px: float) -> list[RulerTick]:
    """Return labelled marks on every n-th sample of the sound, counted from media time 0."""
    rate = axis.sample_rate
    wanted = least_px * rate / axis.scale
    step = next((s for s in _SAMPLE_STEPS if s >= wanted), _SAMPLE_STEPS[-1])
    first, last = math.floor(axis.start_s * rate / step), math.ceil(axis.end_s * rate / step)
    return [
        RulerTick(axis.x_of_time(i * step / rate), f"{i * step:,}") for i in range(first, last + 1)
    ]


def grid_frames(axis: TimeAxis, grid_step: int, least_px: float) -> list[int]:
    """Return the grid frames in sight, every n-th where they would stand too dense."""
    spacing = max(axis.typical_cell_px * grid_step, 1e-9)
    stride = grid_step * max(1, math.ceil(least_px / spacing))
    start, end = axis.visible_frames()
    return list(range(start // stride * stride, end, stride))
