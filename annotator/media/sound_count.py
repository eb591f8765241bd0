"""How many samples a sound stream has when it is taken out of its file as a whole."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from av.error import FFmpegError

from annotator.media.sound_streams import open_sound

if TYPE_CHECKING:
    from av.audio.stream import AudioStream
    from av.packet import Packet


def count_samples(path: str | os.PathLike[str]) -> tuple[int, int]:
    """Return samples per channel and rate of the first sound stream; (0, 0) without sound.

    Decodes it all, since the declared length leaves out the encoder's padding at the end, which
    ``ffmpeg -i video.mp4 sound.wav`` writes and loaders count. Raises MediaError.
    """
    with open_sound(path) as container:
        if not container.streams.audio:
            return 0, 0
        stream = container.streams.audio[0]
        samples = 0
        # Where a file is damaged, what can be read is what a loader gets.
        with contextlib.suppress(FFmpegError):
            for packet in container.demux(stream):
                samples += _decoded(packet)
        return samples, stream.codec_context.sample_rate


def _decoded(packet: Packet[AudioStream]) -> int:
    try:
        return sum(frame.samples for frame in packet.decode())
    except FFmpegError:
        return 0
