"""Exact decoding of any frame: seek to a sync packet, decode forward, identify each picture.

Every packet is sent with its own number as PTS, so a decoded picture says which packet it came
from; the frame table says which frame that is. Nothing is inferred from times. Where a seek lands
is checked packet by packet against the table; when it lands elsewhere the next way of seeking is
tried, and reading from the file's start is the last, which cannot be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from annotator.domain.errors import MediaError
from annotator.media.index.container import media_errors, open_video, packets
from annotator.media.index.fingerprint import FileStamp, changed, fingerprint
from annotator.media.index.frame_table import NO_PTS, FrameTable
from annotator.media.index.trial_decoding import decode_tagged

Sink = Callable[[int, VideoFrame], None]
"""Takes every frame that comes out of the decoder on the way: (frame index, stored picture)."""

Stop = Callable[[], bool]
"""Asked before each packet; True abandons the wait for a frame."""

_BYTE_SEEKERS = {"mpegts", "mpeg", "vob"}
_SKIPPING_CODECS = {"h264", "mpeg4", "mpeg2video"}
_SEEK_COST = 4  # packets that decode in the time a seek takes
_PATIENCE = 40  # packets after the target's until a picture that did not come counts as lost
_EARLIER = (0, 1, 4)  # sync packets to go back by when a picture does not come


class _Elsewhere(Exception):  # noqa: N818 - a turn in the way, not an error
    """A seek landed where the table does not expect it."""


class Superseded(Exception):  # noqa: N818 - asked for by the caller, not an error
    """Decoding was canceled by ``stop``; it can continue from its position."""


class Decoder:
    """Decodes single frames and runs of frames of one video; not thread-safe.

    ``threads`` 0 means one for each processor. MediaError when the file cannot be read or is not
    the one the table was made from.
    """

    def __init__(self, path: Path, table: FrameTable, *, threads: int = 0) -> None:
        self._path = path
        self._table = table
        self._threads = threads
        self._stamp = FileStamp.of(path)
        self._packets: Iterator[Packet[VideoStream]] = iter(())
        self._way = "start"
        self._next = 0  # number of the packet that will be fed next
        self._entered = 0  # first frame that is exact in this run
        self._shown = -1  # last frame that came out in this run
        self._is_running = False
        self._is_careful = False  # the file is damaged: decode one picture after the other
        self._stop: Stop | None = None
        self._skips: bool | None = None  # the last setting of the codec
        self._counts: dict[int, int] = {}  # pictures seen of packets that carry several
        self._waiting: dict[int, VideoFrame] = {}  # came out, not asked for yet
        self.n_errors = 0
        self._container, self._stream = self._opened()
        self._ways = _ways_to_seek(self._container.format.name)
        self._can_skip = self._stream.codec_context.codec.canonical_name in _SKIPPING_CODECS

    def close(self) -> None:
        """Release the file."""
        self._container.close()
        self._is_running = False
        self._waiting.clear()

    def check_file(self) -> None:
        """MediaError when the file changed since the decoder was made."""
        self._stamp.check(self._path)

    def frame(
        self,
        index: int,
        sink: Sink | None = None,
        *,
        skip_others: bool = False,
        stop: Stop | None = None,
    ) -> VideoFrame | None:
        """Decode one frame in stored orientation; None when it is damaged beyond decoding.

        Frames that come out on the way go to ``sink``. With ``skip_others`` pictures that no other
        picture depends on are not decoded on the way, which makes a jump cheaper. Superseded is
        raised as soon as ``stop`` returns True. IndexError for frames that the table does not let
        be seen.
        """
        if not self._table.first <= index < len(self._table):
            last = len(self._table) - 1
            raise IndexError(f"frame {index} is outside {self._table.first} .. {last}")
        self._stop = stop
        for passed in [number for number in self._waiting if number < index]:
            del self._waiting[passed]
        if index in self._waiting:
            return self._waiting.pop(index)
        if not self._can_continue(index):
            self.check_file()
            self._enter(index, 0)
        picture = self._go_to(index, sink, skip_others)
        for earlier in _EARLIER:
            if picture is not None:
                break
            if not self._is_careful:
                self._is_careful = True
                self._reopen()
            self._enter(index, earlier)
            picture = self._go_to(index, sink, skip_others=False)
        return picture

    def work_ahead(self, sink: Sink | None) -> None:
        """Hand the decoder one more packet, to work on while the caller uses the last frame."""
        if self._is_running and not self._waiting:
            try:
                self._step(-1, sink, skip_others=False)
            except _Elsewhere:
                self._is_running = False

    # --- entering ---------------------------------------------------------------------------

    def _opened(self) -> tuple[InputContainer, VideoStream]:
        container, stream = open_video(
            self._path, threads=self._threads, is_careful=self._is_careful
        )
        if stream.index != self._table.stream_index:
            container.close()
            raise self._changed()
        return container, stream

    def _reopen(self) -> None:
        self.close()
        self._container, self._stream = self._opened()
        self._skips = None

    def _can_continue(self, index: int) -> bool:
        """Whether decoding on from here reaches the frame, and sooner than a seek would."""
        if not self._is_running or index <= self._shown or index < self._entered:
            return False
        place = self._table.sync_before(index)
        return int(self._table.sync_packet[place]) - self._next <= _SEEK_COST

    def _enter(self, index: int, earlier: int) -> None:
        """Stand before the sync packet from which a frame is exact, decoder empty."""
        place = self._table.sync_before(index, skip=earlier)
        packet = int(self._table.sync_packet[place])
        while True:
            self._way = self._ways[0] if packet else "start"
            try:
                self._seek(self._way, packet)
                break
            except _Elsewhere:
                self._avoid_way()
        self._entered = int(self._table.sync_frame[place])
        self._shown = -1
        self._counts.clear()
        self._waiting.clear()
        self._is_running = True

    def _avoid_way(self) -> None:
        """The way that was taken does not work in this file: do not take it again."""
        self._is_running = False
        if self._way == "start":
            raise self._changed()
        self._ways.remove(self._way)

    def _seek(self, way: str, packet: int) -> None:
        """Move to a packet; _Elsewhere when this way does not lead at or before it."""
        table = self._table
        target = {
            "byte": int(table.packet_pos[packet]),
            "dts": int(table.packet_dts[packet]),
            "pts": int(table.packet_pts[packet]),
            "start": 0,
        }[way]
        if way == "start":
            with media_errors(self._path, "read this video"):
                self._reopen()
            self._next = 0
            self._packets = packets(self._container, self._stream)
        else:
            if target in (NO_PTS, -1):
                raise _Elsewhere
            self._jump(target, is_byte=way == "byte", packet=packet)
        while self._next < packet:
            self._take()

    def _jump(self, target: int, *, is_byte: bool, packet: int) -> None:
        try:
            self._container.seek(
                target, stream=self._stream, backward=True, unsupported_byte_offset=is_byte
            )
        except (av.error.FFmpegError, OSError):
            raise _Elsewhere from None
        coming = packets(self._container, self._stream)
        try:
            first = next(coming)
        except (StopIteration, av.error.FFmpegError):
            raise _Elsewhere from None
        landed = self._number_of(first)
        if landed is None or landed > packet:
            raise _Elsewhere
        self._next = landed
        self._packets = chain((first,), coming)

    def _number_of(self, packet: Packet[VideoStream]) -> int | None:
        """Number of a packet by its identity in the table; None when that is not unique."""
        places = self._table.packets_like(packet.pos, packet.pts, packet.dts)
        return places[0] if len(places) == 1 else None

    def _changed(self) -> MediaError:
        """Why the file is not the table's: another file, or one too damaged to be read alike."""
        if fingerprint(self._path) != self._table.fingerprint:
            return changed(self._path)
        return MediaError(
            "Cannot decode the video: its packets differ from the frame table.",
            hint="Copy the file again from its source, or repair it: ffmpeg -i IN -c copy OUT.mkv",
            where=str(self._path),
        )

    # --- running ----------------------------------------------------------------------------

    def _go_to(self, index: int, sink: Sink | None, skip_others: bool) -> VideoFrame | None:
        """Run to a frame; where the packets leave the table, enter again by another way."""
        while True:
            try:
                return self._run_to(index, sink, skip_others)
            except _Elsewhere:
                self._avoid_way()
                self._enter(index, 0)

    def _run_to(self, index: int, sink: Sink | None, skip_others: bool) -> VideoFrame | None:
        """Feed packets until a frame comes out; None when it does not though it should have."""
        last = int(self._table.frame_packet[index]) + _PATIENCE
        while self._is_running:
            if self._stop is not None and self._stop():
                raise Superseded
            wanted = self._step(index, sink, skip_others)
            if wanted is not None:
                return wanted
            if self._shown > index and self._next > last:
                break
        return None

    def _step(self, index: int, sink: Sink | None, skip_others: bool) -> VideoFrame | None:
        """Feed one packet; return the requested frame if it is decoded, and queue later ones."""
        wanted: VideoFrame | None = None
        for number, picture in self._feed(index if skip_others else 0):
            if number == index:
                wanted = picture
            elif number > index:
                self._waiting[number] = picture
            if sink is not None:
                sink(number, picture)
        return wanted

    def _feed(self, skip_below: int) -> list[tuple[int, VideoFrame]]:
        """Send the next packet to the decoder and name what comes out."""
        number = self._next
        packet = self._take()
        if packet is None:
            self._is_running = False
        elif packet.size == 0:
            return []
        if self._can_skip:
            frames = self._table.frames_of(number) if skip_below and packet is not None else ()
            is_idle = bool(frames) and frames[-1] < skip_below
            if is_idle is not self._skips:
                self._stream.codec_context.skip_frame = "NONREF" if is_idle else "DEFAULT"
                self._skips = is_idle
        try:
            pictures = decode_tagged(self._stream, packet, number)
        except av.error.FFmpegError:
            self.n_errors += 1
            return []
        return list(self._named(pictures))

    def _named(self, pictures: list[VideoFrame]) -> Iterator[tuple[int, VideoFrame]]:
        for picture in pictures:
            tag = picture.pts
            if tag is None:
                continue
            frames = self._table.frames_of(tag)
            count = self._counts.get(tag, 0)
            if len(frames) > 1:
                self._counts[tag] = count + 1
            if count >= len(frames):
                continue
            number = frames[count]
            self._shown = max(self._shown, number)
            if number >= max(self._entered, self._table.first):
                picture.pts = int(self._table.pts[number])
                yield number, picture

    def _take(self) -> Packet[VideoStream] | None:
        """Next packet, checked against the table; None at the end of the stream."""
        table = self._table
        try:
            packet = next(self._packets, None)
        except (av.error.FFmpegError, OSError) as error:
            if self._next < len(table.packet_pos) or not isinstance(error, av.error.FFmpegError):
                with media_errors(self._path, "read this video"):
                    raise
            packet = None
        is_bare = packet is None or (packet.size == 0 and packet.pts is None and packet.dts is None)
        # A torn stream may have a bare packet before the one that closes it.
        if is_bare and self._next >= len(table.packet_pos):
            return None
        if packet is None or not table.is_packet(self._next, packet.pos, packet.pts, packet.dts):
            raise _Elsewhere
        self._next += 1
        return packet


def _ways_to_seek(container: str) -> list[str]:
    """Ways to try, the likeliest to land right first; "start" reads everything and always does."""
    if container in _BYTE_SEEKERS:
        return ["byte", "dts", "pts", "start"]
    if "matroska" in container:
        return ["pts", "dts", "start"]
    return ["dts", "pts", "start"]
