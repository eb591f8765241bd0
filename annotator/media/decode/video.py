"""``Video``: the documented way to read a video frame by frame, exactly."""

from __future__ import annotations

import operator
import os
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from annotator.domain.errors import MediaError
from annotator.media.decode.cache import FrameCache
from annotator.media.decode.convert import CompactImage, Converter
from annotator.media.decode.decoder import Decoder
from annotator.media.index.container import open_container
from annotator.media.index.fingerprint import FileStamp, changed, content_hash, fingerprint
from annotator.media.index.frame_table import FrameTable
from annotator.media.index.indexing import build_table
from annotator.media.values import MediaFinding

if TYPE_CHECKING:
    from annotator.media.audio.reader import Audio

DEFAULT_BUDGET = 384 << 20

# Reading frame after frame leaves only so much behind: memory that is used again at once is much
# faster than memory that grows.
_TRAIL_BUDGET = 48 << 20
_READING_ON = 30
# Going back by more opens the file a second time: two passes from both ends read in turns.
_FAR_BACK = 30


class _Reader:
    """One place at which a video is read: going on leaves a trail, going back fills the cache."""

    def __init__(self, decoder: Decoder, cache: FrameCache) -> None:
        """Share a cache with the other readers."""
        self.last = -1
        self._decoder = decoder
        self._cache = cache
        self._trail = FrameCache(min(cache.budget_bytes, _TRAIL_BUDGET))

    def __contains__(self, index: int) -> bool:
        return index in self._cache or index in self._trail

    def picture(self, index: int) -> VideoFrame | None:
        """Return a frame; None when it is damaged beyond decoding."""
        step, self.last = index - self.last, index
        if not 0 < step <= _READING_ON:
            self._cache.lean(index, -1 if -2 <= step < 0 else 0)
        self._trail.lean(index, 0)
        return self._cache.get(index) or self._trail.get(index) or self._decode(index, step)

    def close(self) -> None:
        self._decoder.close()
        self._trail.clear()

    def _decode(self, index: int, step: int) -> VideoFrame | None:
        """Decode a frame that lies ``step`` frames after the last requested one.

        The first write to new memory is slow. Sequential reading keeps a short trail of pictures,
        reading with a step only the last one; stepping back or jumping keeps all decoded pictures,
        because they took the most work.
        """
        is_jump = not -2 <= step <= 2
        if not 0 < step <= _READING_ON:
            return self._decoder.frame(index, self._cache.put, skip_others=is_jump)
        keep = None if is_jump else self._trail.put
        picture = self._decoder.frame(index, keep, skip_others=is_jump)
        if picture is not None and is_jump:
            self._trail.clear()
            self._trail.put(index, picture)
        self._decoder.work_ahead(keep)
        return picture


class Video:
    """A video as a sequence of frames: ``len(v)``, ``v.image(i)``, ``v.time(i)``.

    Frames are the pictures that FFmpeg's sequential decode presents, counted from 0: edit lists and
    pre-roll are honored, interlaced video counts full woven frames. Pictures are uint8 RGB of
    shape (height, width, 3) in display orientation (rotation and flips of the container applied)
    and in stored pixels (a sample aspect ratio is reported, not applied). Media time is seconds
    since frame 0. Not thread-safe: one ``Video`` to a thread.

    ``table`` is a frame table made before for the same file; without one the file is indexed.
    Decoded pictures are kept up to ``budget_bytes``; libav may hold as much again in reserve. After
    going back by more than 30 frames the file is read at two places, which share the budget.
    MediaError when the file cannot be used, is not the table's, or changed since it was opened.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        table: FrameTable | None = None,
        budget_bytes: int = DEFAULT_BUDGET,
        threads: int = 0,
    ) -> None:
        self.path = Path(path)
        self._stamp = FileStamp.of(self.path)
        if table is None:
            table = build_table(self.path)
        elif table.fingerprint != fingerprint(self.path):
            raise changed(self.path)
        self._stamp.check(self.path)
        self.table = table
        self._threads = threads
        self._cache = FrameCache(budget_bytes)
        self._readers = [_Reader(Decoder(self.path, table, threads=threads), self._cache)]
        self._converter = Converter(table)
        self._audio: Audio | None = None

    def __enter__(self) -> Video:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.table)

    def image(self, index: int) -> NDArray[np.uint8]:
        """Frame as uint8 RGB (height, width, 3) in display orientation.

        IndexError outside 0 .. len - 1; MediaError when this frame is damaged beyond decoding.
        """
        return self._converter.rgb(self.picture(index))

    def compact(self, index: int) -> CompactImage:
        """Frame in half the memory of `image`, to be kept; errors as there."""
        return CompactImage(self.picture(index), self.table.orientation)

    def scaled(self, index: int, width: int, height: int) -> NDArray[np.uint8]:
        """Frame as `image` gives it, averaged down to a size in pixels."""
        return self._converter.scaled_rgb(self.picture(index), width, height)

    def picture(self, index: int) -> VideoFrame:
        """Frame as the decoder's own picture, stored orientation; for code inside this package."""
        index = self._checked(index)
        picture = self._reader_at(index).picture(index)
        if picture is None:
            raise MediaError(
                f"Cannot decode frame {index}: it is damaged.",
                hint="Later frames keep their indexes.",
                where=str(self.path),
            )
        return picture

    def pts(self, index: int) -> int:
        """Presentation time stamp in units of ``time_base``, as the file has it."""
        return int(self.table.pts[self._checked(index)])

    def time(self, index: int) -> float:
        """Media time in seconds at which a frame appears; 0.0 for frame 0."""
        return self.table.time(self._checked(index))

    def index_at(self, seconds: float) -> int:
        """Frame that is shown at a media time; clamped to the first and last frame."""
        return self.table.index_at(seconds)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of every image, in display orientation."""
        return self.table.size

    @property
    def rotation(self) -> int:
        """Clockwise turn in degrees (0, 90, 180, 270) that has been applied to stored pictures."""
        return self.table.orientation.rotation

    @property
    def is_variable_rate(self) -> bool:
        """Whether frames are unevenly spaced in time."""
        return self.table.is_variable_rate

    @property
    def frame_rate(self) -> float:
        """Average frames per second; never multiply it with a frame number to get a time."""
        return self.table.frame_rate

    @property
    def time_base(self) -> Fraction:
        """Seconds per unit of ``pts``."""
        return self.table.time_base

    @property
    def duration(self) -> float:
        """Seconds from the start of frame 0 to the end of the last frame."""
        return self.table.duration_s

    @property
    def findings(self) -> tuple[MediaFinding, ...]:
        """Known problems of the file."""
        return self.table.findings

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hex) of the file; reads it whole on first use."""
        self._stamp.check(self.path)
        return content_hash(self.path)

    @property
    def audio(self) -> Audio | None:
        """The first sound track on this video's media time; None when the file is silent."""
        if self._audio is None and self._has_sound:
            from annotator.media.audio.reader import Audio

            self._audio = Audio(self.path, origin_s=self.table.origin_s, until_s=self.table.until_s)
        return self._audio

    @cached_property
    def _has_sound(self) -> bool:
        with open_container(self.path) as container:
            return bool(container.streams.audio)

    def close(self) -> None:
        """Release the file and all kept pictures."""
        for reader in self._readers:
            reader.close()
        self._cache.clear()
        if self._audio is not None:
            self._audio.close()
            self._audio = None

    def _reader_at(self, index: int) -> _Reader:
        """Return who has a frame, or is nearest to it; a second one after a long way back."""
        holders = [reader for reader in self._readers if index in reader]
        nearest = min(holders or self._readers, key=lambda reader: abs(index - reader.last))
        if holders or len(self._readers) > 1 or nearest.last - index <= _FAR_BACK:
            return nearest
        decoder = Decoder(self.path, self.table, threads=self._threads)
        self._readers.append(_Reader(decoder, self._cache))
        return self._readers[-1]

    def _checked(self, index: int) -> int:
        index = operator.index(index)
        if not 0 <= index < len(self.table):
            raise IndexError(f"frame {index} is outside 0 .. {len(self.table) - 1}")
        return index
