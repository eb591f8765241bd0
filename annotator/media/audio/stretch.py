"""Prepare sound for the loudspeakers: two channels, another speed at the same pitch, other rate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from av.audio.frame import AudioFrame
from av.error import BlockingIOError as NothingYetError
from av.error import EOFError as DrainedError
from av.filter import Graph
from numpy.typing import NDArray

_MIN_TEMPO = 0.5
_MAX_TEMPO = 2.0
"""One atempo filter keeps its quality between these; a chain of them reaches further."""
_MINUS_3_DB = math.sqrt(0.5)


def mix_matrix(channel_names: Sequence[str], outputs: int) -> NDArray[np.float32]:
    """Weights [channels, outputs] that fold any channels to mono or stereo without clipping.

    Sides and backs go to their side, the centre to both, low frequencies nowhere; channels whose
    names tell no side are dealt out left and right in turn.
    """
    sides = [_weights(name, number) for number, name in enumerate(channel_names)]
    if len(sides) == 1:
        sides = [(1.0, 1.0)]
    matrix = np.array(sides, dtype=np.float32)
    if outputs == 1:
        matrix = matrix.mean(axis=1, keepdims=True)
    total = matrix.sum(axis=0).max(initial=0.0)
    return matrix / total if total > 1 else matrix


class Stretcher:
    """Turn float32 [n, channels] at `rate` to [m, outputs] at `output_rate`, `speed` times as fast.

    One instance serves one unbroken run. The pitch stays at every speed. Blocks come out later
    than they go in, `flush` gives the rest.

    `lead_s`: what sounds at any moment of the output is on average this much media time ahead of
    (output time × speed); begin to push this much earlier and picture and sound agree.
    """

    def __init__(
        self,
        channel_names: Sequence[str],
        rate: int,
        *,
        output_rate: int,
        outputs: int = 2,
        speed: float = 1.0,
    ) -> None:
        self._matrix = mix_matrix(channel_names, outputs)
        self._rate = rate
        self._outputs = outputs
        self._layout = "stereo" if outputs == 2 else "mono"
        self._pushed = 0
        tempos = _tempos(speed)
        self.lead_s: float = sum(
            _half_window(rate) * math.prod(tempos[:stage]) for stage in range(len(tempos))
        )
        is_plain = speed == 1.0 and rate == output_rate
        self._graph = None if is_plain else self._build(output_rate, tempos)

    def push(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take [n, channels], give what is ready as [m, outputs]."""
        mixed = samples @ self._matrix
        if self._graph is None:
            return mixed
        if len(mixed):
            frame = AudioFrame.from_ndarray(mixed.reshape(1, -1), "flt", self._layout)
            frame.sample_rate = self._rate
            frame.time_base = Fraction(1, self._rate)
            frame.pts = self._pushed
            self._pushed += len(mixed)
            self._graph.push(frame)
        return self._pull(self._graph)

    def flush(self) -> NDArray[np.float32]:
        """Give what the filters still hold; nothing may be pushed after it."""
        if self._graph is None or self._pushed == 0:
            return np.zeros((0, self._outputs), np.float32)
        self._graph.push(None)
        return self._pull(self._graph)

    def _build(self, output_rate: int, tempos: list[float]) -> Graph:
        graph = Graph()
        chain = [
            graph.add(
                "abuffer",
                sample_rate=str(self._rate),
                sample_fmt="flt",
                channel_layout=self._layout,
                time_base=f"1/{self._rate}",
            ),
            *(graph.add("atempo", f"{tempo:.9f}") for tempo in tempos),
        ]
        if output_rate != self._rate:
            chain.append(graph.add("aresample", str(output_rate)))
        chain.append(graph.add("aformat", sample_fmts="flt", channel_layouts=self._layout))
        chain.append(graph.add("abuffersink"))
        graph.link_nodes(*chain).configure()
        return graph

    def _pull(self, graph: Graph) -> NDArray[np.float32]:
        parts = [np.zeros((0, self._outputs), np.float32)]
        while True:
            try:
                frame = graph.pull()
            except (NothingYetError, DrainedError):
                return np.concatenate(parts)
            assert isinstance(frame, AudioFrame)
            parts.append(frame.to_ndarray().astype(np.float32).reshape(-1, self._outputs))


def _tempos(speed: float) -> list[float]:
    """Factors within the good range of one atempo filter whose product is `speed`."""
    if speed == 1.0:
        return []
    count = max(1, math.ceil(abs(math.log2(speed)) - 1e-9))
    return [min(_MAX_TEMPO, max(_MIN_TEMPO, speed ** (1 / count)))] * count


def _half_window(rate: int) -> float:
    """Seconds from the edge to the middle of atempo's window: a power of two above rate / 24.

    atempo dates its output by the edge of the window it joins on, so a sound comes early by half
    a window for each filter of a chain.
    """
    window: int = 1 << math.ceil(math.log2(rate // 24))
    return window / 2 / rate


def _weights(name: str, number: int) -> tuple[float, float]:
    """How much of one channel goes left and right."""
    if name.startswith("LFE"):
        return 0.0, 0.0
    if name in ("FL", "DL"):
        return 1.0, 0.0
    if name in ("FR", "DR"):
        return 0.0, 1.0
    if name in ("FC", "BC", "TC"):
        return _MINUS_3_DB, _MINUS_3_DB
    if name.endswith("L"):
        return _MINUS_3_DB, 0.0
    if name.endswith("R"):
        return 0.0, _MINUS_3_DB
    return (1.0, 0.0) if number % 2 == 0 else (0.0, 1.0)
