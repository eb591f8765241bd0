"""Audio streams of a file, and opening one of them."""

from __future__ import annotations

import os
from dataclasses import dataclass

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.error import FileNotFoundError as MissingFileError

from annotator.domain.errors import MediaError

_HANDLERS = {"SoundHandler", "Core Media Audio"}
"""What programs write as a name when the person gave none."""

_UNKNOWN = "und"
"""The language that some kinds of file name where none is known."""


class NoSoundError(MediaError):
    """The file has no sound stream."""


@dataclass(frozen=True, slots=True)
class AudioStreamInfo:
    """One sound stream as the file declares it; `stream` is the number `Audio` takes."""

    stream: int
    codec: str
    rate: int
    channels: int
    layout: str
    language: str | None
    duration_s: float | None
    title: str | None = None


def streams(path: str | os.PathLike[str]) -> tuple[AudioStreamInfo, ...]:
    """List the sound streams of a file without decoding. Raises MediaError."""
    with open_sound(path) as container:
        return described(container)


def described(container: InputContainer) -> tuple[AudioStreamInfo, ...]:
    """The sound streams of an open file."""
    return tuple(_info(number, stream) for number, stream in enumerate(container.streams.audio))


def open_sound(path: str | os.PathLike[str]) -> InputContainer:
    """Open a media file for its sound. Raises MediaError with a text for people."""
    where = os.fspath(path)
    try:
        # The file: protocol keeps libav from reading meaning into names such as "a:b.wav".
        return av.open("file:" + where, metadata_errors="replace")
    except MissingFileError as error:
        raise MediaError("Cannot find the file.", where=where) from error
    except OSError as error:
        raise MediaError(f"Cannot open the file: {error.strerror}.", where=where) from error
    except (FFmpegError, ValueError) as error:
        raise MediaError(
            "Cannot open the file: it is not an audio or video file, or its beginning is damaged.",
            hint="Try to open it in another player, or copy it again from its source.",
            where=where,
        ) from error


def _info(number: int, stream: AudioStream) -> AudioStreamInfo:
    context, words = stream.codec_context, stream.metadata
    language = words.get("language")
    title = words.get("title") or words.get("handler_name") or None
    length_s = None
    if stream.duration is not None and stream.time_base is not None:
        length_s = float(stream.duration * stream.time_base)
    return AudioStreamInfo(
        stream=number,
        codec=context.name if context else "unknown",
        rate=context.sample_rate if context else 0,
        channels=context.channels if context else 0,
        layout=context.layout.name if context else "",
        language=None if language == _UNKNOWN else language,
        duration_s=length_s,
        title=None if title in _HANDLERS else title,
    )
