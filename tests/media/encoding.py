"""Writes small videos with PyAV: plain encoding, and muxing of packets tampered with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.packet import Packet
from numpy.typing import NDArray

from tests.media.pattern import picture

RATE = 30
SIZE = (96, 64)
Image = NDArray[np.uint8]


def write_video(path: Path, images: Iterable[Image], **options: str) -> Path:
    """Encode pictures [height, width, 3] at 30 per second as H.264, with options of x264."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=RATE, options=options)
        stream.pix_fmt = "yuv420p"
        for number, image in enumerate(images):
            if not number:
                stream.height, stream.width = image.shape[:2]
            out.mux(stream.encode(av.VideoFrame.from_ndarray(image, "rgb24")))
        out.mux(stream.encode(None))
    return path


def encode(
    path: Path,
    *,
    codec: str = "libx264",
    numbers: Iterable[int] = range(48),
    size: tuple[int, int] = SIZE,
    pixels: str = "yuv420p",
    gop: int = 12,
    b_frames: int = 0,
    rate: int = RATE,
    time_base: Fraction | None = None,
    pts: Sequence[int] | None = None,
    container: str | None = None,
    mux_options: dict[str, str] | None = None,
    aspect: Fraction | None = None,
    paint: Callable[[int], np.ndarray] | None = None,
    tamper: Callable[[list[Packet]], list[Packet]] | None = None,
    flags: int = 0,
    **options: Any,
) -> None:
    """Encode numbered pictures; ``pts`` in ``time_base`` (default 1/rate), counted up if absent.

    ``tamper`` gets all packets in decoding order and returns those to write.
    """
    base = time_base or Fraction(1, rate)
    with av.open(str(path), "w", format=container, options=mux_options or {}) as out:
        stream = out.add_stream(codec, rate=rate)
        context = stream.codec_context
        stream.width, stream.height, stream.pix_fmt = *size, pixels
        context.time_base = base
        stream.time_base = base
        context.gop_size = gop
        context.max_b_frames = b_frames
        context.flags |= flags
        if aspect is not None:
            context.sample_aspect_ratio = aspect
        context.options = _options(codec, gop, b_frames, options)
        packets: list[Packet] = []
        for place, number in enumerate(numbers):
            image = paint(number) if paint else picture(number, *size)
            frame = av.VideoFrame.from_ndarray(image, "rgb24").reformat(format=pixels)
            frame.pts = pts[place] if pts is not None else place
            frame.time_base = base
            packets += stream.encode(frame)
        packets += stream.encode(None)
        for packet in tamper(packets) if tamper else packets:
            packet.stream = stream
            out.mux(packet)


def remux(
    source: Path,
    path: Path,
    *,
    container: str | None = None,
    mux_options: dict[str, str] | None = None,
    tamper: Callable[[list[Packet]], list[Packet]] | None = None,
) -> None:
    """Copy the video packets of one file into another container."""
    with (
        av.open(str(source)) as given,
        av.open(str(path), "w", format=container, options=mux_options or {}) as out,
    ):
        template = given.streams.video[0]
        stream = out.add_stream_from_template(template)
        packets = [p for p in given.demux(template) if p.size]
        for packet in tamper(packets) if tamper else packets:
            packet.stream = stream
            out.mux(packet)


def copied(packet: Packet, data: bytes | None = None) -> Packet:
    """A new packet like another one, with other bytes if given."""
    new = Packet(bytes(packet) if data is None else data)
    new.pts, new.dts, new.duration = packet.pts, packet.dts, packet.duration
    new.time_base, new.is_keyframe = packet.time_base, packet.is_keyframe
    return new


def add_sound(source: Path, path: Path, *, start_s: float = 0.0, seconds: float = 1.0) -> None:
    """Copy a video and give it a beep that starts at a time of its own."""
    rate = 48000
    with av.open(str(source)) as given, av.open(str(path), "w") as out:
        template = given.streams.video[0]
        video = out.add_stream_from_template(template)
        sound = out.add_stream("aac", rate=rate)
        sound.layout = "mono"
        waiting = [p for p in given.demux(template) if p.size]
        time = np.arange(int(seconds * rate)) / rate
        wave = (0.3 * np.sin(2 * np.pi * 440 * time)).astype(np.float32)
        for at in range(0, len(wave), 1024):
            frame = av.AudioFrame.from_ndarray(wave[None, at : at + 1024], "fltp", "mono")
            frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
            frame.pts = int(start_s * rate) + at
            for packet in sound.encode(frame):
                _mux_up_to(out, video, waiting, float(packet.pts * packet.time_base))
                out.mux(packet)
        for packet in sound.encode(None):
            out.mux(packet)
        _mux_up_to(out, video, waiting, float("inf"))


def _mux_up_to(out: Any, stream: Any, waiting: list[Packet], seconds: float) -> None:
    while waiting and float(waiting[0].pts * waiting[0].time_base) <= seconds + 0.2:
        packet = waiting.pop(0)
        packet.stream = stream
        out.mux(packet)


def _options(codec: str, gop: int, b_frames: int, given: dict[str, Any]) -> dict[str, str]:
    options = {key.replace("_", "-"): str(value) for key, value in given.items()}
    if codec == "libx264":
        params = options.pop("params", "")
        fixed = f"keyint={gop}:min-keyint={gop}:scenecut=0:bframes={b_frames}:threads=1"
        options = {"preset": "veryfast", "crf": "20", **options}
        options["x264-params"] = f"{fixed}:{params}" if params else fixed
    elif codec == "libx265":
        params = options.pop("params", "")
        fixed = f"keyint={gop}:min-keyint={gop}:scenecut=0:bframes={b_frames}:log-level=none"
        fixed += ":pools=1:frame-threads=1"
        options = {"preset": "ultrafast", "crf": "20", **options}
        options["x265-params"] = f"{fixed}:{params}" if params else fixed
    elif codec == "libsvtav1":
        options = {"preset": "9", "crf": "12", "svtav1-params": f"keyint={gop}:lp=1", **options}
    elif codec.startswith("libvpx"):
        options = {"deadline": "realtime", "cpu-used": "8", "b": "400k", **options}
    elif codec in ("mpeg4", "mpeg2video", "mjpeg"):
        options = {"qscale": "3", "global_quality": "354", **options}
    return options
