"""Opens media files: the one place that turns libav's and the disk's refusals into MediaError."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, cast

import av
import av.logging
from av.container import InputContainer
from av.packet import Packet
from av.stream import Disposition, Stream
from av.video.stream import VideoStream

from annotator.domain.errors import MediaError

av.logging.set_level(None)

StreamT = TypeVar("StreamT", bound=Stream)

_COVER = Disposition.attached_pic | Disposition.timed_thumbnails

_BROKEN = (av.error.InvalidDataError, av.error.EOFError)
"""What libav says of a file whose content is at fault: nonsense, or less than is promised."""

MAX_PIXELS = 1 << 27
"""Largest picture accepted (width x height); beyond it a header is taken for damaged."""


class NoPictureError(MediaError):
    """The file is sound alone."""


@contextmanager
def media_errors(path: Path, doing: str) -> Iterator[None]:
    """Turn errors of libav and the operating system into a MediaError that names the file."""
    try:
        yield
    except av.error.FFmpegError as error:
        raise MediaError(
            f"Cannot {doing}: {_plain(error)}.", hint=_hint_for(error), where=str(path)
        ) from error
    except OSError as error:
        raise MediaError(
            f"Cannot {doing}: {error.strerror or error}.",
            hint="Check that the file exists and that you have read permission.",
            where=str(path),
        ) from error


def open_container(path: Path, *, is_parsed: bool = True) -> InputContainer:
    """Open any media file; MediaError with the reason if that fails.

    Without ``is_parsed`` packets are returned as the container cuts them, without parsing.
    """
    _check_file(path)
    options = {} if is_parsed else {"fflags": "noparse"}
    with media_errors(path, "open this file"):
        # The file: protocol keeps libav from reading meaning into names such as "a:b.mp4".
        return av.open("file:" + os.fspath(path), options=options, metadata_errors="replace")


def video_streams(container: InputContainer) -> list[VideoStream]:
    """Video streams proper: cover pictures and thumbnails are not video."""
    return [s for s in container.streams.video if not s.disposition & _COVER]


def choose_stream(container: InputContainer, path: Path) -> VideoStream:
    """Return the stream that is *the* video: the first marked default, otherwise the first."""
    streams = video_streams(container)
    if not streams:
        raise _no_video(container, path)
    stream = next((s for s in streams if s.disposition & Disposition.default), streams[0])
    if stream.codec_context is None:
        raise MediaError(
            "Cannot decode the video stream: no decoder is available for its codec.",
            hint=(
                "Convert the file to H.264, for example: ffmpeg -i IN -c:v libx264 -crf 18 OUT.mp4"
            ),
            where=str(path),
        )
    _check_size(stream, path)
    return stream


def open_video(
    path: Path, *, threads: int = 0, is_careful: bool = False, is_parsed: bool = True
) -> tuple[InputContainer, VideoStream]:
    """Open a file for decoding its video only; ``threads`` 0 means one for each processor.

    Pictures are decoded in parallel unless ``is_careful``: then one after the other, so that an
    error belongs to its packet and no picture near it is lost.
    """
    container = open_container(path, is_parsed=is_parsed)
    try:
        stream = choose_stream(container, path)
        for other in container.streams:
            if other.index != stream.index:
                other.discard = av.stream.Discard.all
        context = stream.codec_context
        context.thread_type = "SLICE" if is_careful else "AUTO"
        context.thread_count = threads
    except BaseException:
        container.close()
        raise
    return container, stream


def packets(container: InputContainer, stream: StreamT) -> Iterator[Packet[StreamT]]:
    """Read the packets of a stream from the present position, up to the closing empty packet.

    Streams that appear in the midst of a transport stream are passed over.
    """
    while True:
        try:
            yield from cast("Iterator[Packet[StreamT]]", container.demux(stream))
        except IndexError:
            # PyAV does not know the stream of this packet; the container stands behind it.
            continue
        return


def _check_file(path: Path) -> None:
    with media_errors(path, "open this file"):
        status = path.stat()
        if path.is_dir():
            raise MediaError("Cannot open the path: it is a folder, not a video.", where=str(path))
        if status.st_size == 0:
            raise MediaError(
                "Cannot open the file: it is empty (0 bytes).",
                hint="Copy it again from its source.",
                where=str(path),
            )
        with path.open("rb") as file:
            file.read(1)


def _check_size(stream: VideoStream, path: Path) -> None:
    width, height = stream.codec_context.width, stream.codec_context.height
    if width <= 0 or height <= 0 or width * height > MAX_PIXELS:
        claim = f"{width} x {height} pixels" if width > 0 and height > 0 else "an invalid size"
        raise MediaError(
            f"Cannot open the video: its header specifies {claim}, which is not supported.",
            hint="The file is probably damaged. Copy it again, or convert it.",
            where=str(path),
        )


def _no_video(container: InputContainer, path: Path) -> MediaError:
    if container.streams.audio:
        return NoPictureError(
            "Cannot open the file as a video: it has audio but no video stream.",
            hint="Open it as an audio file, or select a video file.",
            where=str(path),
        )
    return MediaError(
        "Cannot open the file: it has no video stream.",
        hint="Select a video file.",
        where=str(path),
    )


def _plain(error: av.error.FFmpegError) -> str:
    if isinstance(error, _BROKEN):
        return "it is not a video, or its header or index is damaged or missing"
    return str(error.strerror or error).rstrip(".")


def _hint_for(error: av.error.FFmpegError) -> str:
    if isinstance(error, _BROKEN):
        return "Copy the file again from its source, or repair it: ffmpeg -i IN -c copy OUT.mkv"
    return "Check that the file exists and that you have read permission."
