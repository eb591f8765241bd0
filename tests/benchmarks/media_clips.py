"""Clips for the media benchmark: like a phone's video, a broadcast's long groups, two hours."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from tests.media.encoding import add_sound

RATE = 30
_SMALL_S = 4
_AAC = Fraction(1024, 48000)  # seconds in a packet of sound


def phone_like(path: Path, n_frames: int = 300) -> Path:
    """720p as phones record it: a sync frame every two seconds, no B-frames, jittering times."""
    jitter = np.random.default_rng(3).integers(-90, 90, n_frames)
    pts = [3000 * i + int(j) for i, j in enumerate(jitter)]
    params = "keyint=60:min-keyint=60:scenecut=0:bframes=0:ref=1:cabac=0"
    return _encode(path, (1280, 720), pts, "6M", params)


def long_groups(path: Path, n_frames: int = 500) -> Path:
    """1080p30 with B-frames and a sync frame every 250 frames."""
    params = "keyint=250:min-keyint=250:scenecut=0:bframes=3"
    return _encode(path, (1920, 1080), [3000 * i for i in range(n_frames)], "8M", params)


def two_hours(source: Path, path: Path) -> Path:
    """Packets of a short clip with sound over and over, up to 216,000 frames."""
    if path.exists():
        return path
    scratch = path.with_suffix(".part.mp4")
    with av.open(str(source)) as given, av.open(str(scratch), "w") as out:
        streams = {s.index: out.add_stream_from_template(s) for s in given.streams}
        packets = [p for p in given.demux() if p.size]
        steps = {s.index: Fraction(1, RATE) if s.type == "video" else _AAC for s in given.streams}
        data = [(p.stream_index, bytes(p), p.is_keyframe) for p in packets]
        seconds = dict.fromkeys(steps, Fraction(0))
        for _ in range(2 * 3600 // _SMALL_S):
            for index, body, is_key in data:
                packet = av.Packet(body)
                packet.time_base, packet.is_keyframe = Fraction(1, 144000), is_key
                packet.pts = packet.dts = int(seconds[index] * 144000)
                packet.stream = streams[index]
                seconds[index] += steps[index]
                out.mux(packet)
    return scratch.replace(path)


def without_sound(source: Path, path: Path) -> Path:
    """The pictures of a file alone."""
    if path.exists():
        return path
    with av.open(str(source)) as given, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(video=0):
            if packet.size:
                packet.stream = stream
                out.mux(packet)
    return path


def small_phone(path: Path) -> Path:
    """Four seconds at 640 x 360 with sound, the material of the two-hour file."""
    if path.exists():
        return path
    params = "keyint=60:min-keyint=60:scenecut=0:bframes=0:ref=1"
    times = [3000 * i for i in range(_SMALL_S * RATE)]
    silent = _encode(path.with_suffix(".silent.mp4"), (640, 360), times, "1M", params)
    add_sound(silent, path, seconds=_SMALL_S)
    return path


def _encode(path: Path, size: tuple[int, int], pts: list[int], rate: str, params: str) -> Path:
    if path.exists():
        return path
    scratch = path.with_suffix(".part.mp4")
    with av.open(str(scratch), "w") as out:
        stream = out.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 90000)
        stream.codec_context.options = {
            "preset": "veryfast",
            "b": rate,
            "maxrate": rate,
            "bufsize": rate,
            "x264-params": params,
        }
        for image, time in zip(_scene(size, len(pts)), pts, strict=True):
            frame = av.VideoFrame.from_ndarray(image, "gray").reformat(format="yuv420p")
            frame.pts, frame.time_base = time, Fraction(1, 90000)
            for packet in stream.encode(frame):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)
    return scratch.replace(path)


def _scene(size: tuple[int, int], n_frames: int):
    """Textured backdrop under a hand-held camera, objects crossing, a little sensor noise."""
    rng = np.random.default_rng(11)
    width, height = size
    backdrop = _texture(rng, width + 160, height + 160)
    things = [_texture(rng, width // 8, height // 6) for _ in range(6)]
    noise = [rng.integers(-3, 4, (height, width), dtype=np.int16) for _ in range(5)]
    for number in range(n_frames):
        shift = 80 + 60 * np.array([np.sin(number / 37), np.cos(number / 29)])
        left, top = shift.astype(int)
        image = backdrop[top : top + height, left : left + width].astype(np.int16)
        for place, thing in enumerate(things):
            y = int((height - thing.shape[0]) * (0.5 + 0.5 * np.sin(number / 31 + place)))
            x = int((width - thing.shape[1]) * (0.5 + 0.5 * np.cos(number / (23 + place) + place)))
            image[y : y + thing.shape[0], x : x + thing.shape[1]] = thing
        yield np.clip(image + noise[number % 5], 0, 255).astype(np.uint8)


def _texture(rng: np.random.Generator, width: int, height: int) -> np.ndarray:
    """Noise at several scales, like foliage or cloth."""
    image = np.zeros((height, width))
    for scale, weight in ((64, 90), (16, 45), (4, 20)):
        coarse = rng.normal(0, 1, (height // scale + 2, width // scale + 2))
        fine = np.kron(coarse, np.ones((scale, scale)))
        smooth = fine
        for axis in (0, 1):
            smooth = sum(np.roll(smooth, k, axis) for k in range(scale)) / scale
        image += weight * smooth[:height, :width]
    return np.clip(128 + image, 0, 255).astype(np.uint8)
