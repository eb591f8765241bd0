"""Reads on through a sound in long blocks, decoded inside FFmpeg without a word of Python.

Some ten times less work for the interpreter than frame by frame, so that a window stays smooth
meanwhile. It vouches for nothing: where time stamps leave the count of samples it says so, and the
exact decoder has to be asked.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from av.audio.frame import AudioFrame
from av.error import EOFError as DrainedError
from av.error import FFmpegError
from av.filter import Graph

from annotator.media.waveform import Floats

_LENGTH = 1 << 14
_SLACK_S = 0.005
_PLANAR_LIMIT = 8
"""From this many planes on, FFmpeg interleaves the samples before Python looks at them."""


class NoFlowError(Exception):
    """The sound does not run on evenly here, or cannot be read in this way at all."""


class SoundFlow:
    """The sound of one stream from about `start_s` (the file's own time stamps) on.

    `index` counts all streams of the file. Raises NoFlowError when this way is not open.
    """

    def __init__(self, path: Path, index: int, rate: int, channels: int, start_s: float) -> None:
        self._rate = rate
        self._channels = channels
        self._expected_s: float | None = None
        kind = "flt" if channels >= _PLANAR_LIMIT else "fltp"
        try:
            self._graph = Graph()
            source = self._graph.add(
                "amovie",
                filename=str(path),
                stream_index=str(index),
                seek_point=str(max(0.0, start_s)),
                dec_threads="1",
            )
            gather = self._graph.add("asetnsamples", f"n={_LENGTH}:p=0")
            form = self._graph.add("aformat", f"sample_fmts={kind}")
            self._sink = self._graph.add("abuffersink")
            source.link_to(gather)
            gather.link_to(form)
            form.link_to(self._sink)
            self._graph.configure()
        except (FFmpegError, OSError, ValueError) as error:
            raise NoFlowError from error

    def next(self) -> tuple[float, Floats]:
        """The next block: time stamp in seconds and samples, float32[channels, n], finite.

        NoFlowError at the end, where there is a gap, and where the kind of sound changes.
        """
        try:
            frame = self._sink.pull()
        except (DrainedError, FFmpegError, OSError, ValueError) as error:
            raise NoFlowError from error
        assert isinstance(frame, AudioFrame)
        if frame.pts is None or frame.time_base is None or frame.sample_rate != self._rate:
            raise NoFlowError
        tick = float(frame.time_base)
        at_s = frame.pts * tick
        if self._expected_s is not None and abs(at_s - self._expected_s) > _SLACK_S + tick:
            raise NoFlowError
        # Counted on from the first block, so that the jitter of time stamps does not matter.
        at_s = at_s if self._expected_s is None else self._expected_s
        raw: Floats = frame.to_ndarray().astype(np.float32, copy=False)
        planes = raw if frame.format.is_planar else raw.reshape(-1, self._channels).T
        if len(planes) != self._channels:
            raise NoFlowError
        if not np.isfinite(planes).all():
            planes = np.nan_to_num(planes, nan=0.0, posinf=1.0, neginf=-1.0)
        self._expected_s = at_s + planes.shape[1] / self._rate
        return at_s, planes
