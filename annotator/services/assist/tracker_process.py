"""The tracker process: low priority, one video's pictures within a budget, requests in order.

It ends when its parent closes the pipe or dies, and of its own accord after a job that left it
with too much memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from annotator.domain.errors import MediaError, UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.box_proposals import Anchor
from annotator.domain.proposals.runs import Origin, Suggestion
from annotator.services.assist.messages import (
    AnyRequest,
    Cancel,
    Failed,
    PointRequest,
    ProposalBatch,
    Reply,
    Request,
    RequestEnd,
    row_type,
)

if TYPE_CHECKING:
    from annotator.assist import Pictures
    from annotator.media import Video
    from annotator.media.decode.convert import CompactImage

_log = logging.getLogger(__name__)

_NICENESS: Final = 10
_LEAST_BYTES: Final = 448 << 20
_MOST_BYTES: Final = 1 << 30
_DECODED_BYTES: Final = 128 << 20
_BESIDE_BYTES: Final = 1088 << 20
"""CSRT leaks: with more than this beside its pictures the process makes way for a fresh one."""
_RETURN_S: Final = 1.0
_BATCH_S: Final = 0.04


def serve(pipe: Connection) -> None:
    """Run the worker process: answer requests until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    _Server(pipe).run()


class _Server:
    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._requests: queue.Queue[AnyRequest] = queue.Queue()
        self._canceled: set[int] = set()
        self._videos = OpenVideo()
        self._sent = time.monotonic()

    def run(self) -> None:
        from annotator.assist import use_threads

        use_threads(1)
        threading.Thread(target=self._receive, name="requests", daemon=True).start()
        while True:
            request = self._requests.get()
            with returning_memory():
                self._send(self._answer(request))
            self._canceled.discard(request.id)
            if peak_bytes() > pictures_bytes() + _BESIDE_BYTES:
                return

    def _receive(self) -> None:
        decoder = msgspec.msgpack.Decoder(Request | PointRequest | Cancel)
        try:
            while data := self._pipe.recv_bytes():
                message = decoder.decode(data)
                if isinstance(message, Cancel):
                    self._canceled.add(message.id)
                else:
                    self._requests.put(message)
        except (EOFError, OSError):
            pass
        os._exit(0)  # the parent has ended; no clean-up is needed

    def _answer(self, request: AnyRequest) -> Reply:
        try:
            return self._propose(request)
        except UserError as error:
            return Failed(request.id, str(error))
        except Exception as error:
            # The worker's boundary: plug-ins and OpenCV can raise anything, and the next request
            # must still be served.
            _log.exception("tracker %s", request.tracker)
            kind = type(error).__name__
            return Failed(request.id, f"The tracker “{request.tracker}” failed: {kind}: {error}")

    def _propose(self, request: AnyRequest) -> RequestEnd:
        def is_canceled() -> bool:
            return request.id in self._canceled

        if isinstance(request, Request):
            origin = self._boxes(request, is_canceled)
        else:
            origin = self._points(request, is_canceled)
        settings = msgspec.json.encode(origin.parameters)
        return RequestEnd(request.id, (origin.name, origin.version, settings), is_canceled())

    def _boxes(self, request: Request, cancel: Callable[[], bool]) -> Origin:
        from annotator.assist import OtherObjects, installed, propose

        tracker = installed().get(request.tracker)
        if not cancel():
            anchors = [Anchor(f, Box(*box) if box else None) for f, box in request.anchors]
            span = (request.start, request.end)
            other_boxes = request.other_boxes().astype(np.float64)
            proposals = propose(
                self._videos.pictures(request),
                anchors,
                span,
                tracker=request.tracker,
                others=OtherObjects(request.others_start, other_boxes),
                hidden_is_absent=request.hidden_is_absent,
                cancel=cancel,
            )
            self._send_all(request.id, 4, ((0, proposed) for proposed in proposals))
        return tracker.origin()

    def _points(self, request: PointRequest, cancel: Callable[[], bool]) -> Origin:
        from annotator.assist import installed

        tracker = installed().get_for_points(request.tracker)
        if not cancel():
            anchors = {
                str(i): [(frame, Point(x, y)) for frame, x, y in path]
                for i, path in enumerate(request.paths)
            }
            pictures = self._videos.pictures(request)
            span = (request.start, request.end)
            proposals = tracker.propose_points(pictures, anchors, span, cancel=cancel)
            self._send_all(request.id, 2, ((int(name), each) for name, each in proposals))
        return tracker.origin()

    def _send_all(
        self, request_id: int, width: int, proposals: Iterator[tuple[int, Suggestion]]
    ) -> None:
        """Send proposals for the gaps of a request, as many at once as come within a moment."""
        nowhere = (float("nan"),) * width
        rows: list[tuple[object, ...]] = []
        since = 0.0
        for gap, proposed in proposals:
            place = nowhere if proposed.place is None else proposed.place
            rows.append((gap, proposed.frame, place, proposed.confidence, proposed.occluded))
            now = time.monotonic()
            if now - since >= _BATCH_S:
                self._send(
                    ProposalBatch(request_id, width, np.array(rows, row_type(width)).tobytes())
                )
                rows, since = [], now
        if rows:
            self._send(ProposalBatch(request_id, width, np.array(rows, row_type(width)).tobytes()))

    def _send(self, reply: Reply) -> None:
        with contextlib.suppress(OSError):
            self._pipe.send_bytes(msgspec.msgpack.encode(reply))


def pictures_bytes() -> int:
    """Return how many bytes of pictures are kept: a sixteenth of the memory, within limits.

    A gap that does not fit is decoded again by each of some seven passes.
    """
    return min(max(memory_bytes() // 16, _LEAST_BYTES), _MOST_BYTES)


def memory_bytes() -> int:
    """Return the memory of this computer, in bytes; 0 where the system does not say."""
    if sys.platform == "win32":
        kilobytes = ctypes.c_ulonglong()
        ctypes.windll.kernel32.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
        return kilobytes.value << 10
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class OpenVideo:
    """The video worked on last, kept open with its pictures: gaps and objects share them."""

    def __init__(self) -> None:
        self._key: tuple[str, bytes | None] | None = None
        self._video: Video | None = None
        self._pictures: Pictures | None = None

    def pictures(self, request: AnyRequest) -> Pictures:
        from annotator.assist import Pictures
        from annotator.media import FrameTable, Video

        key = (request.path, request.table)
        if self._pictures is None or key != self._key:
            if self._video is not None:
                self._video.close()
            self._pictures = self._video = None
            table = FrameTable.from_bytes(request.table) if request.table else None
            self._video = Video(request.path, table=table, budget_bytes=_DECODED_BYTES, threads=2)
            self._pictures = Pictures(_Unbroken(self._video), budget_bytes=pictures_bytes())
            self._key = key
        return self._pictures


class _Unbroken:
    """A video in which the picture before stands in for a damaged one: trackers carry on."""

    def __init__(self, video: Video) -> None:
        self._video = video
        self._last: CompactImage | None = None

    def __len__(self) -> int:
        return len(self._video)

    def image(self, index: int, /) -> NDArray[np.uint8]:
        return self.compact(index).rgb()

    def compact(self, index: int, /) -> CompactImage:
        try:
            self._last = self._video.compact(index)
        except MediaError:
            if self._last is None:
                raise
        return self._last


@contextlib.contextmanager
def returning_memory() -> Iterator[None]:
    """Return freed memory to the system every second, and at the end.

    The allocator of glibc does not use again all the room that pictures leave: a gap of 286 frames
    at 1080p took 2.5 GB, of which 1.2 GB were in use.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is None:
        yield
        return
    is_done = threading.Event()

    def run() -> None:
        while not is_done.wait(_RETURN_S):
            trim(0)
        trim(0)

    thread = threading.Thread(target=run, name="memory", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def peak_bytes() -> int:
    """The most memory this process has held, in bytes; 0 where the system does not say.

    Linux counts in ``ru_maxrss`` what the process that started this one had held, which may be a
    window with gigabytes; its own account of the process does not.
    """
    if sys.platform == "win32":
        return 0
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
