"""Make the demo clip: the picture of a given file bit by bit, with a sound track of our own.

Run as ``python packaging/make_demo_media.py SOURCE.mp4 resources/demo/coffee.mp4``. The source is
named in resources/demo/LICENSES.md; its own sound track is silent. The sound is computed here from
noise and decaying sines, and is timed by what is seen: kettle and mug leave the table at frame 3,
the stream leaves the spout at frame 44 and reaches the mug two frames later.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

_RATE = 48_000
_FRAME_RATE = Fraction(30_000, 1001)
_LIFT_FRAME = 3
_POUR_FRAME = 46
# Frames at which the kettle is held highest and lowest: a longer fall is a louder splash.
_FALL = {46: 0.45, 60: 0.5, 97: 1.0, 127: 0.5, 165: 1.0, 198: 0.5, 238: 1.0, 273: 0.5, 287: 0.7}


def make(source: Path, target: Path) -> None:
    """Copy the video packets of `source` and add the computed sound; replaces `target` whole."""
    # A name that FFmpeg still recognizes as MP4.
    partial = target.with_name(f".{target.name}")
    with av.open(str(source)) as reader, av.open(str(partial), "w", format="mp4") as writer:
        old = reader.streams.video[0]
        video = writer.add_stream_from_template(old)
        audio = writer.add_stream("aac", rate=_RATE, layout="stereo")
        audio.bit_rate = 96_000
        packets = [packet for packet in reader.demux(old) if packet.dts is not None]
        last = max(packets, key=lambda packet: packet.pts or 0)
        end = float(((last.pts or 0) + (last.duration or 0)) * (last.time_base or 0))
        for packet in packets:
            packet.stream = video
            writer.mux(packet)
        for frame in _frames(synthesise(end)):
            writer.mux(audio.encode(frame))
        writer.mux(audio.encode(None))
    partial.replace(target)


def synthesise(duration_s: float) -> Samples:
    """Compute the sound: shape (2, samples), values within -1..1, the same on every run."""
    random = np.random.default_rng(20_26)
    count = round(duration_s * _RATE)
    sound = np.zeros((2, count))
    sound += 0.0012 * random.standard_normal((2, count))
    _add(sound, _lift(random), at_s=_seconds(_LIFT_FRAME), side=-0.3)
    _add(sound, _ceramic(), at_s=_seconds(_LIFT_FRAME + 2), side=0.4)
    _add(sound, _pour(count - round(_seconds(_POUR_FRAME) * _RATE), random), _seconds(_POUR_FRAME))
    fade = np.minimum(1, np.arange(count)[::-1] / (0.03 * _RATE))
    return np.asarray(sound * fade * (0.7 / np.abs(sound).max()))


def _lift(random: np.random.Generator) -> Samples:
    """Sound of a steel kettle leaving the table: a short scrape and a dull ring."""
    time = np.arange(round(0.5 * _RATE)) / _RATE
    scrape = random.standard_normal(time.size) * np.exp(-time / 0.025) * 0.35
    ring = sum(
        gain * np.sin(2 * np.pi * pitch * time) * np.exp(-time / fall)
        for pitch, gain, fall in ((612, 0.5, 0.09), (1490, 0.35, 0.07), (2630, 0.2, 0.05))
    )
    return (scrape + ring) * np.minimum(1, time / 0.002)


def _ceramic() -> Samples:
    """Sound of a mug leaving the table: a bright tick."""
    time = np.arange(round(0.25 * _RATE)) / _RATE
    tick = sum(
        gain * np.sin(2 * np.pi * pitch * time) * np.exp(-time / fall)
        for pitch, gain, fall in ((2140, 0.4, 0.02), (3910, 0.3, 0.014), (6120, 0.15, 0.008))
    )
    return np.asarray(tick) * np.minimum(1, time / 0.001)


def _pour(count: int, random: np.random.Generator) -> Samples:
    """Sound of the stream: noise through a resonance that rises as the mug fills, and bubbles."""
    progress = np.linspace(0, 1, count)
    sound = _resonant(random.standard_normal(count), progress)
    time = np.arange(round(0.06 * _RATE)) / _RATE
    for start in np.sort(random.uniform(0, count - time.size, round(55 * count / _RATE))):
        at = int(start)
        pitch = (500 + 900 * progress[at]) * random.uniform(0.8, 2.4)
        rise = pitch * (time + 2.5 * time**2)
        bubble = np.sin(2 * np.pi * rise) * np.exp(-time / random.uniform(0.006, 0.016))
        sound[at : at + time.size] += bubble * random.uniform(0.1, 0.5) * np.minimum(1, time / 6e-4)
    frames = _POUR_FRAME + np.arange(count) / _RATE * float(_FRAME_RATE)
    fall = np.interp(frames, list(_FALL), list(_FALL.values()))
    return np.asarray(sound * fall * np.minimum(1, np.arange(count) / (0.12 * _RATE)))


def _resonant(noise: Samples, progress: Samples) -> Samples:
    """Filter noise block by block: the air above the liquid resonates higher as it shortens."""
    block, hop = 4096, 1024
    window = np.hanning(block + 1)[:block]
    pitches = np.fft.rfftfreq(block, 1 / _RATE)
    result = np.zeros(noise.size + block)
    padded = np.concatenate([noise, np.zeros(block)])
    for start in range(0, noise.size, hop):
        center = 480 * 2 ** (1.5 * progress[start])
        peaks = sum(
            gain / (1 + ((pitches - ratio * center) / (0.16 * ratio * center)) ** 2)
            for ratio, gain in ((1, 1.0), (2.9, 0.55), (4.8, 0.3))
        )
        hiss = 0.05 * np.exp(-(((pitches - 5200) / 3600) ** 2))
        spectrum = np.fft.rfft(padded[start : start + block] * window) * (peaks + hiss)
        result[start : start + block] += np.fft.irfft(spectrum) * window
    cut = result[: noise.size]
    return np.asarray(cut / cut.std() * 0.22)


def _add(sound: Samples, part: Samples, at_s: float, side: float = 0.15) -> None:
    """Mix a mono part in at a time; `side` runs from -1 (left) to 1 (right)."""
    start = round(at_s * _RATE)
    end = min(start + part.size, sound.shape[1])
    sound[0, start:end] += part[: end - start] * np.sqrt((1 - side) / 2)
    sound[1, start:end] += part[: end - start] * np.sqrt((1 + side) / 2)


def _frames(sound: Samples) -> list[av.AudioFrame]:
    """Cut samples into pieces of the encoder's size, with their places in time."""
    frames = []
    for start in range(0, sound.shape[1], 1024):
        piece = np.ascontiguousarray(sound[:, start : start + 1024].astype(np.float32))
        frame = av.AudioFrame.from_ndarray(piece, format="fltp", layout="stereo")
        frame.sample_rate = _RATE
        frame.pts = start
        frame.time_base = Fraction(1, _RATE)
        frames.append(frame)
    return frames


def _seconds(frame: int) -> float:
    return float(frame / _FRAME_RATE)


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
