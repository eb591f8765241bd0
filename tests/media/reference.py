"""The truth that the engine is measured against: FFmpeg's own sequential decode, by PyAV."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
from av.video.reformatter import Interpolation

from annotator.media.index.container import video_streams


def sequential(path: Path) -> list[np.ndarray]:
    """All pictures in the order the decoder presents them, stored orientation, RGB.

    Written without anything of the index or the seeking decoder. Packets that the decoder refuses
    are passed over and empty ones not sent, as ``ffmpeg`` does.
    """
    pictures = []
    with av.open(str(path)) as container:
        stream = video_streams(container)[0]
        for packet in container.demux(stream):
            if packet.size == 0 and packet.dts is not None:
                continue
            try:
                frames = packet.decode()
            except av.error.FFmpegError:
                continue
            for frame in frames:
                rgb = frame.reformat(format="rgb24", interpolation=Interpolation.FAST_BILINEAR)
                pictures.append(rgb.to_ndarray())
    return pictures
