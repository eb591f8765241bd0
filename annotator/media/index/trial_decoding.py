"""Bounded trial decoding where packets do not decide which frames are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from annotator.media.index.container import media_errors, open_video, packets
from annotator.media.values import Progress


@dataclass
class Trial:
    """Outcome of decoding packets [start, stop): the packet of every picture, as presented."""

    presented: list[int] = field(default_factory=list)
    first_picture: VideoFrame | None = None
    n_errors: int = 0


def decode_packets(
    path: Path, start: int, stop: int, *, n_pictures: int = 0, progress: Progress | None = None
) -> Trial:
    """Decode from packet ``start`` (a sync packet or 0); note the pictures of packets < ``stop``.

    Stops when a picture of a later packet appears, at the end, or after ``n_pictures`` (0: all).
    ``progress`` is called with the share done; raising in it cancels.
    """
    trial = Trial()
    with media_errors(path, "read this video"):
        container, stream = open_video(path, is_careful=True)
        with container:
            for frame in tagged_frames(container, stream, start, trial):
                tag = frame.pts
                if tag is None or tag >= stop:
                    break
                trial.presented.append(tag)
                if progress is not None:
                    progress(min(len(trial.presented) / max(1, stop - start), 1.0))
                if trial.first_picture is None:
                    trial.first_picture = frame
                if len(trial.presented) == n_pictures:
                    break
    return trial


def tagged_frames(
    container: InputContainer, stream: VideoStream, start: int, trial: Trial
) -> Iterator[VideoFrame]:
    """Yield decoded pictures in the decoder's order; ``pts`` of each is its packet's number."""
    for number, packet in enumerate(packets(container, stream)):
        is_last = packet.size == 0 and packet.dts is None and packet.pts is None
        if number < start or (packet.size == 0 and not is_last):
            continue
        try:
            yield from decode_tagged(stream, None if is_last else packet, number)
        except av.error.FFmpegError:
            trial.n_errors += 1


def decode_tagged(
    stream: VideoStream, packet: Packet[VideoStream] | None, number: int
) -> list[VideoFrame]:
    """Decode one packet whose number travels through the decoder in place of its PTS.

    libav carries a packet's PTS to the picture that came from it, whatever the reordering. The
    number is known and unique, which a PTS need not be.
    """
    if packet is not None:
        packet.pts = number
    return stream.codec_context.decode(packet)
