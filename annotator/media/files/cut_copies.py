"""Copies of media files with only the visible and audible parts; frames keep their places.

A copy is encoded anew: packets that come before a cut may hold pictures from after it, and the
last packet of a sound reaches beyond. Frames keep their numbers and time stamps, so that an answer
about the copy is one about the whole. Pictures that are not to be seen, but stand before one that
is, are plain gray; there is nothing after the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import av
import numpy as np
from av.audio.stream import AudioStream
from av.video.stream import VideoStream
from numpy.typing import NDArray

from annotator.domain.errors import MediaError
from annotator.media.audio.reader import Audio
from annotator.media.audio.streams import AudioStreamInfo, streams
from annotator.media.decode.video import Video
from annotator.media.index.frame_table import FrameTable
from annotator.media.index.indexing import build_table
from annotator.media.values import Progress

if TYPE_CHECKING:
    from av.container import OutputContainer

SUFFIX: Final = ".mp4"

_GRAY: Final = 128
_GROUP: Final = 30
_BLOCK: Final = 4608
"""Samples per block of FLAC."""
_AHEAD_S: Final = 0.5
_SILENT_RATE: Final = 48_000
_MOST_TICKS: Final = 1 << 31
Paint: TypeAlias = Callable[[NDArray[np.uint8], int], None]
_LAYOUTS: Final = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}
# Visually lossless; without forward references, packets are frames.
_OPTIONS: Final = {"preset": "veryfast", "crf": "14", "x264-params": "bframes=0:scenecut=0"}


def write_cut(
    path: Path,
    table: FrameTable,
    target: Path,
    frames_to_keep: frozenset[int],
    *,
    heard_until_s: float | None,
    progress: Progress | None = None,
    first: int = 0,
    paint: Paint | None = None,
) -> None:
    """Write a copy of a video in which only some frames are to be seen.

    ``seen`` are their numbers, at least one; ``heard_until_s`` is where its sound ends in media
    time, None for no sound. The copy begins with the frame ``first``, with its sound. ``paint``
    draws on each picture (uint8 RGB [height, width, 3]) in place. ``progress`` gets the share done.
    MediaError when the file cannot be read or the copy cannot be written.
    """
    end = max(frames_to_keep) + 1
    sounds = _sounds(path, table, heard_until_s, table.time(first) if first else 0.0)
    try:
        with (
            Video(path, table=table) as video,
            av.open(str(target), "w", options=_units(table, sounds)) as out,
        ):
            pictures = _Pictures(out, table, first)
            for sound in sounds:
                sound.begin(out)
            for index in range(first, end):
                for sound in sounds:
                    sound.write_to(table.time(index) + _AHEAD_S)
                image = _image(video, index, is_seen=index in frames_to_keep)
                if paint is not None:
                    image = image.copy()
                    paint(image, index)
                pictures.write(image, index)
                if progress is not None:
                    progress((index - first) / (end - first))
            pictures.finish()
            for sound in sounds:
                sound.write_to(None)
    except (av.FFmpegError, OSError) as error:
        raise _not_written(path, error) from error
    finally:
        for sound in sounds:
            sound.close()


def write_silent(
    path: Path, table: FrameTable, target: Path, progress: Progress | None = None
) -> None:
    """Write a copy of a video without its sound; every picture as it is, where that can be had.

    MediaError when the file cannot be read or the copy cannot be written.
    """
    try:
        with (
            av.open(str(path)) as source,
            av.open(str(target), "w", options=_units(table)) as out,
        ):
            template = source.streams[table.stream_index]
            assert isinstance(template, VideoStream)
            stream = out.add_stream_from_template(template)
            # Where packets do not say when they are shown (AVI), a copy would guess at their order.
            is_told = True
            for packet in source.demux(template):
                if packet.size:
                    is_told = is_told and packet.pts is not None
                    packet.stream = stream
                    out.mux(packet)
        is_same = is_told and _is_same(table, build_table(target))
    except (av.FFmpegError, MediaError, ValueError):
        is_same = False
    except OSError as error:
        raise _not_written(path, error) from error
    if not is_same:
        write_cut(
            path, table, target, frozenset(range(len(table))), heard_until_s=None, progress=progress
        )


def _is_same(table: FrameTable, other: FrameTable) -> bool:
    return (
        table.size == other.size
        and table.orientation == other.orientation
        and np.array_equal(table.pts, other.pts)
    )


def _units(table: FrameTable, sounds: Sequence[_Sound] = ()) -> dict[str, str]:
    """Keep the units of time stamps, of where streams begin too."""
    ticks = table.time_base.denominator
    common = lcm(ticks, *(sound.rate for sound in sounds))
    return {
        "video_track_timescale": str(ticks),
        "movie_timescale": str(common if common < _MOST_TICKS else ticks),
    }


def _not_written(path: Path, error: Exception) -> MediaError:
    return MediaError(
        f"Cannot write the video copy for raters: {error}.",
        hint="Free disk space, or create the work package without videos.",
        where=str(path),
    )


def _image(video: Video, index: int, *, is_seen: bool) -> NDArray[np.uint8]:
    """Return a frame as it is shown, upright; a gray one where there is none to be seen."""
    if is_seen:
        with suppress(MediaError):  # a damaged one keeps its place
            return np.ascontiguousarray(video.image(index))
    width, height = video.size
    return np.full((height, width, 3), _GRAY, dtype=np.uint8)


class _Pictures:
    """The pictures of a copy: encoded one by one, each at its time."""

    def __init__(self, out: OutputContainer, table: FrameTable, first: int = 0) -> None:
        self._out = out
        self._base = table.time_base
        # Those below 0 cannot be written, nor two at one time.
        count = np.arange(len(table))
        stamps = max(0, int(table.pts[0])) + table.ticks
        if first:
            stamps = table.ticks - table.ticks[first]
        self._stamps = np.maximum.accumulate(stamps - count) + count
        self._durations = dict(zip(self._stamps.tolist(), table.duration.tolist(), strict=True))
        rate = Fraction(table.frame_rate).limit_denominator(1001) or Fraction(25)
        stream = out.add_stream("libx264", rate=rate, options=dict(_OPTIONS))
        assert isinstance(stream, VideoStream)
        self._stream = stream
        stream.width, stream.height = table.size
        is_even = stream.width % 2 == 0 and stream.height % 2 == 0
        stream.pix_fmt = "yuv420p" if is_even else "yuv444p"
        stream.time_base = stream.codec_context.time_base = table.time_base
        stream.codec_context.gop_size = _GROUP

    def write(self, image: NDArray[np.uint8], index: int) -> None:
        """Write a picture as the frame of that number."""
        frame = av.VideoFrame.from_ndarray(image, "rgb24").reformat(format=self._stream.pix_fmt)
        frame.pts, frame.time_base = int(self._stamps[index]), self._base
        self._mux(frame)

    def finish(self) -> None:
        """Write the remaining packets of the encoder."""
        self._mux(None)

    def _mux(self, frame: av.VideoFrame | None) -> None:
        for packet in self._stream.encode(frame):
            packet.duration = max(0, self._durations.get(packet.pts or 0, 0))
            self._out.mux(packet)


def _sounds(
    path: Path, table: FrameTable, until_s: float | None, from_s: float = 0.0
) -> list[_Sound]:
    """Return all sounds of a file in their order, to be written as far as they may be heard."""
    if until_s is None:
        return []
    return [_Sound(path, table, until_s, each, from_s) for each in streams(path)]


class _Sound:
    """One sound of a copy, written a little ahead of the pictures; silence, so that the others keep
    their places, where it cannot be read.
    """

    def __init__(
        self,
        path: Path,
        table: FrameTable,
        until_s: float,
        info: AudioStreamInfo,
        from_s: float = 0.0,
    ) -> None:
        self._info = info
        self._audio: Audio | None = None
        start_s, end_s, self.rate, self._channels = 0.0, table.duration_s, _SILENT_RATE, 1
        with suppress(MediaError):
            audio = Audio(path, info.stream, table.origin_s, until_s=until_s)
            self._audio, self.rate, self._channels = audio, audio.rate, audio.channels
            start_s, end_s = audio.start_s, audio.start_s + audio.duration
        self._origin = round(max(0.0, table.origin_s) * self.rate)
        # Not one sample beyond, not even in part.
        self._end = int(min(until_s * self.rate, round(end_s * self.rate)))
        self._at = max(round(start_s * self.rate), -self._origin)
        if self._at >= self._end:  # one that begins later is silent as far as it may be heard
            self._at, self._end = 0, max(1, int(min(until_s, table.duration_s) * self.rate))

        if from_s:
            begin = round(from_s * self.rate)
            self._at, self._origin = max(self._at, begin), -begin
            self._end = max(self._end, self._at + 1)

    def begin(self, out: OutputContainer) -> None:
        """Reserve space for the sound in the copy."""
        self._out = out
        stream = out.add_stream("flac", rate=self.rate)
        assert isinstance(stream, AudioStream)
        self._stream = stream
        n = self._channels
        stream.layout = _LAYOUTS.get(n, f"{n} channels")
        stream.format = "s16"
        # A title is the name of the handler in this kind of file.
        for key, text in (("language", self._info.language), ("handler_name", self._info.title)):
            if text:
                stream.metadata[key] = text

    def write_to(self, until_s: float | None) -> None:
        """Write on to a media time; None: to the end."""
        wanted = self._end if until_s is None else min(self._end, round(until_s * self.rate))
        while self._at < wanted and (until_s is None or wanted - self._at >= _BLOCK):
            n = min(_BLOCK, wanted - self._at)
            self._mux(self._frame(self._samples(n)))
        if until_s is None:
            self._mux(None)

    def close(self) -> None:
        """Let the file go."""
        if self._audio is not None:
            self._audio.close()

    def _samples(self, n: int) -> NDArray[np.float32]:
        if self._audio is None:
            return np.zeros((n, self._channels), dtype=np.float32)
        return self._audio.samples(self._at, n)

    def _frame(self, samples: NDArray[np.float32]) -> av.AudioFrame:
        pcm = np.clip(np.rint(samples * 32767.0), -32768, 32767).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(pcm).reshape(1, -1), "s16", self._stream.layout.name
        )
        frame.sample_rate, frame.time_base = self.rate, Fraction(1, self.rate)
        frame.pts = self._at + self._origin
        self._at += len(samples)
        return frame

    def _mux(self, frame: av.AudioFrame | None) -> None:
        for packet in self._stream.encode(frame):
            self._out.mux(packet)
