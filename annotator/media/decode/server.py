"""Serves pictures to the screen from a decode thread: the latest request wins.

The thread answers a request from its cache, or decodes the exact picture and meanwhile shows the
nearest one it has. When idle it reads ahead in the direction of travel; backwards it decodes whole
stretches before the playhead, so that stepping back finds them ready. During playback the next
pictures are also prepared for the screen: they are returned at once, whatever the thread is
decoding then.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, insort
from collections.abc import Callable
from pathlib import Path

from av.video.frame import VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter

from annotator.domain.errors import MediaError
from annotator.media.decode.cache import FrameCache
from annotator.media.decode.convert import Converter
from annotator.media.decode.decoder import Decoder, Superseded
from annotator.media.index.fingerprint import changed, fingerprint
from annotator.media.index.frame_table import FrameTable
from annotator.media.values import Picture, PictureRequest

_LONG_SIDE = 384
_COUNT = 300


class PreviewPictures:
    """At most one small picture for each of 300 stretches of a video: some 30 MB in all."""

    def __init__(self, n_frames: int) -> None:
        self._stride = max(n_frames // _COUNT, 1)
        self._pictures: dict[int, tuple[int, VideoFrame]] = {}
        self._indices: list[int] = []
        self._reformatter = VideoReformatter()

    def offer(self, index: int, picture: VideoFrame) -> None:
        """Keep a small copy of a decoded picture if its stretch has none yet."""
        stretch = index // self._stride
        if stretch in self._pictures:
            return
        scale = min(_LONG_SIDE / max(picture.width, picture.height), 1.0)
        small = self._reformatter.reformat(
            picture,
            width=max(int(picture.width * scale) & ~1, 2),
            height=max(int(picture.height * scale) & ~1, 2),
            format="yuv420p",
            interpolation=Interpolation.FAST_BILINEAR,
            threads=1,
        )
        self._pictures[stretch] = (index, small)
        insort(self._indices, index)

    def nearest(self, index: int) -> int | None:
        """Index of the kept picture nearest to a frame; None when there is none."""
        place = bisect_left(self._indices, index)
        around = self._indices[max(place - 1, 0) : place + 1]
        return min(around, key=lambda i: abs(i - index), default=None)

    def get(self, index: int) -> VideoFrame:
        """The kept picture of a frame that ``nearest`` named."""
        return self._pictures[index // self._stride][1]


_DEPTH = 2  # a full-size 4K picture takes 33 MB
_LONGEST_STRIDE = 8


class Prepared:
    """Keeps the pictures after the last request, at its size and stride.

    The stride is what the last two requests were apart, so play at four times the speed has every
    fourth frame made ready and no other. Not thread-safe.
    """

    def __init__(self) -> None:
        self._pictures: dict[int, Picture] = {}
        self._size = (0, 0)
        self._at = 0
        self._stride = 1

    def take(self, request: PictureRequest) -> Picture | None:
        """Record a request and return its picture if it is prepared."""
        step = request.index - self._at
        size = (request.width, request.height)
        if not request.is_playing or size != self._size or not 0 < abs(step) <= _LONGEST_STRIDE:
            self._pictures.clear()
            self._stride = request.direction
        elif step != self._stride:
            self._stride = step
        self._at, self._size = request.index, size
        picture = self._pictures.get(request.index)
        wanted = self._frames_ahead()
        self._pictures = {i: kept for i, kept in self._pictures.items() if i in wanted}
        return picture

    def missing(self, request: PictureRequest) -> list[int]:
        """Frames to prepare, next first; none after another request."""
        is_newest = request.index == self._at and (request.width, request.height) == self._size
        if not request.is_playing or not is_newest:
            return []
        return [index for index in self._frames_ahead() if index not in self._pictures]

    def put(self, request: PictureRequest, picture: Picture) -> None:
        """Keep a picture that was made ready after a request."""
        if picture.index in self.missing(request):
            self._pictures[picture.index] = picture

    def clear(self) -> None:
        self._pictures.clear()

    def _frames_ahead(self) -> list[int]:
        if self._stride == 0:
            return []
        return [self._at + self._stride * number for number in range(1, _DEPTH + 1)]


DEFAULT_BUDGET = 640 << 20

_AHEAD_S = 1.5  # how much is read ahead while moving forwards
_AROUND = 10  # frames to have ready on both sides after a jump
_ON_THE_WAY = 30  # a newer request this little further on does not interrupt the one in work
_STAND_IN_PAUSE_S = 0.06


class FrameServer:
    """Pictures of one video, decoded on a thread of its own.

    ``budget_bytes`` bounds the memory of decoded pictures, kept ones and libav's reserve together.
    ``on_ready`` is called when ``take`` has something new, or when ``error`` was set: on the decode
    thread, or within ``request``. It and ``reads_ahead`` may be changed at any time. All methods
    may be called from any thread and return at once, save ``close``, which waits for the picture
    being decoded.
    """

    def __init__(
        self,
        video_path: Path,
        table: FrameTable,
        *,
        budget_bytes: int = DEFAULT_BUDGET,
        on_ready: Callable[[], None],
        threads: int = 0,
        reads_ahead: bool = True,
    ) -> None:
        if fingerprint(video_path) != table.fingerprint:
            raise changed(video_path)
        self.error: MediaError | None = None
        self._table = table
        self.on_ready = on_ready
        self.reads_ahead = reads_ahead
        self._decoder = Decoder(video_path, table, threads=threads)
        # libav's pools keep the memory of dropped pictures until the last of their kind is gone,
        # which can be as much again as the pictures kept.
        self._cache = FrameCache(budget_bytes // 2)
        self._stand_ins = PreviewPictures(len(table))
        self._converter = Converter(table)
        self._lock = threading.Condition()
        self._pending: PictureRequest | None = None
        self._mailbox: Picture | None = None
        self._prepared = Prepared()
        self._handed: PictureRequest | None = None  # answered in the moment it was asked
        self._is_closing = False
        self._current = PictureRequest(0, 0, 0)
        self._posted = -1  # frame of the last delivered picture
        self._posted_at = 0.0
        self._has_answered = False
        self._damaged: set[int] = set()
        self._thread = threading.Thread(target=self._run, name="decode", daemon=True)
        self._thread.start()

    def request(self, request: PictureRequest) -> None:
        """Ask for a picture; replaces a request that is still waiting."""
        first, last = self._table.first, len(self._table) - 1
        if not first <= request.index <= last:
            raise IndexError(f"frame {request.index} is outside {first} .. {last}")
        with self._lock:
            self._pending = request
            picture = self._prepared.take(request)
            if picture is not None:
                self._mailbox, self._handed = picture, request
            self._lock.notify()
        if picture is not None:
            self.on_ready()

    def take(self) -> Picture | None:
        """Newest picture that has not been taken yet."""
        with self._lock:
            picture, self._mailbox = self._mailbox, None
        return picture

    def loaded_spans(self) -> list[tuple[int, int]]:
        """Frames at hand as ascending half-open spans; for a strip on the timeline."""
        with self._lock:
            return self._cache.spans()

    def close(self) -> None:
        """Stop the thread and release the file and all pictures."""
        with self._lock:
            self._is_closing = True
            self._lock.notify()
        self._thread.join()
        self._decoder.close()
        self._cache.clear()
        self._prepared.clear()

    # --- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while self._next_request():
                try:
                    self._answer(self._current)
                    if self.reads_ahead:
                        self._read_ahead()
                except Superseded:
                    continue
        except MediaError as error:
            with self._lock:
                self.error = error
            self.on_ready()

    def _next_request(self) -> bool:
        """Wait for a request and make it the current one; False when closing."""
        with self._lock:
            self._lock.wait_for(lambda: self._pending is not None or self._is_closing)
            if self._is_closing or self._pending is None:
                return False
            self._current, self._pending = self._pending, None
            self._cache.lean(self._current.index, self._current.direction)
        self._has_answered = False
        return True

    def _is_superseded(self) -> bool:
        """Whether the picture in work has become pointless."""
        waiting, now = self._pending, self._current
        if self._is_closing:
            return True
        if waiting is None:
            return False
        is_on_the_way = 0 <= waiting.index - now.index <= _ON_THE_WAY and waiting.direction >= 0
        # Something has to be shown before giving up, or fast scrubbing would show nothing at all.
        return not is_on_the_way and (self._has_answered or waiting.index in self._cache)

    def _is_wanted(self) -> bool:
        """Whether reading ahead has to make way for a request."""
        return self._pending is not None or self._is_closing

    def _answer(self, request: PictureRequest) -> None:
        if request is self._handed:
            self._posted, self._posted_at, self._has_answered = (
                request.index,
                time.monotonic(),
                True,
            )
            return
        picture = self._cache.get(request.index)
        if picture is None and request.index not in self._damaged:
            self._show_nearest(request)
            picture = self._decoder.frame(
                request.index,
                self._keep_and_show,
                skip_others=request.is_playing or request.direction == 0,
                stop=self._is_superseded,
            )
            if picture is None:
                self._damaged.add(request.index)
        if picture is not None:
            self._post(request, request.index, picture)
        else:
            self._show_damaged(request)

    def _show_nearest(self, request: PictureRequest) -> None:
        """Show the nearest available picture if it is nearer than the shown one."""
        if request.is_playing:
            return
        index = request.index
        cached, small = self._cache.nearest(index), self._stand_ins.nearest(index)
        best = min(
            (i for i in (cached, small) if i is not None), key=lambda i: abs(i - index), default=-1
        )
        if best < 0 or (self._posted >= 0 and abs(best - index) >= abs(self._posted - index)):
            return
        picture = self._cache.get(best) if best == cached else self._stand_ins.get(best)
        if picture is not None:
            self._post(request, best, picture)

    def _show_damaged(self, request: PictureRequest) -> None:
        """In place of a frame that cannot be decoded show the last one before it that can."""
        for index in range(request.index - 1, max(request.index - 60, -1), -1):
            picture = self._cache.get(index)
            if picture is not None:
                self._post(request, index, picture)
                return

    def _keep_and_show(self, index: int, picture: VideoFrame) -> None:
        """Use an intermediate picture; show it if nothing was shown for a while."""
        self._keep(index, picture)
        request = self._current
        is_due = time.monotonic() - self._posted_at > _STAND_IN_PAUSE_S or not self._has_answered
        if is_due and not request.is_playing and index != request.index:
            self._post(request, index, picture)

    def _keep(self, index: int, picture: VideoFrame) -> None:
        self._stand_ins.offer(index, picture)
        with self._lock:
            self._cache.put(index, picture)

    def _post(self, request: PictureRequest, index: int, picture: VideoFrame) -> None:
        shown = self._picture(request, index, picture, requested=request.index)
        self._posted, self._posted_at, self._has_answered = index, time.monotonic(), True
        with self._lock:
            if self._handed is not None and self._pending is self._handed:
                return  # a later request is already in the mailbox
            self._mailbox = shown
        self.on_ready()

    def _picture(
        self, request: PictureRequest, index: int, picture: VideoFrame, *, requested: int
    ) -> Picture:
        """Make a picture ready for the screen at the size of a request."""
        return Picture(
            index=index,
            pts=int(self._table.pts[index]),
            bgra=self._converter.bgra(picture, request.width, request.height),
            source_size=self._table.size,
            is_exact=index == requested,
            requested=requested,
        )

    # --- reading ahead ----------------------------------------------------------------------

    def _read_ahead(self) -> None:
        """Decode what will be asked next, until a request comes."""
        while not self._is_wanted():
            self._prepare()
            target = self._next_to_read()
            if target is None:
                return
            picture = self._decoder.frame(target, self._keep, stop=self._is_wanted)
            if picture is None:
                self._damaged.add(target)
            else:
                self._keep(target, picture)

    def _prepare(self) -> None:
        """Make the next pictures ready for the screen, those of them that are decoded."""
        now = self._current
        with self._lock:
            missing = self._prepared.missing(now)
        for index in missing:
            picture = self._cache.get(index)
            if picture is None or self._is_wanted():
                return
            shown = self._picture(now, index, picture, requested=index)
            with self._lock:
                self._prepared.put(now, shown)

    def _next_to_read(self) -> int | None:
        """Frame to decode next in the direction of travel; None when enough is at hand."""
        now = self._current
        sample = self._cache.get(now.index)
        if sample is None:
            return None
        room = self._cache.capacity(sample) * 2 // 3
        if now.direction < 0:
            # The run towards the missing frame nearest to the playhead decodes all before it, so
            # one run fills the room; it is not worth starting for a few frames.
            return self._first_missing(
                range(now.index - 1, max(now.index - room // 3, self._table.first) - 1, -1)
            )
        ahead = max(int(_AHEAD_S * self._table.frame_rate), 8) if now.direction > 0 else _AROUND
        last = min(now.index + min(ahead, room), len(self._table) - 1)
        gap = self._first_missing(range(now.index + 1, last + 1))
        if gap is None and now.direction == 0:
            first = max(now.index - min(_AROUND, room), self._table.first)
            gap = self._first_missing(range(now.index - 1, first - 1, -1))
        return gap

    def _first_missing(self, frames: range) -> int | None:
        for index in frames:
            if index not in self._cache and index not in self._damaged:
                return index
        return None
