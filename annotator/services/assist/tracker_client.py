"""The tracker process as the program sees it: requests in, boxes out, the window stays smooth.

If the process crashes, the request it was at fails with a notice and a fresh process takes over.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import msgspec

from annotator.services.assist.messages import AnyRequest, Cancel, Failed, Reply, RequestEnd
from annotator.services.assist.tracker_process import serve

_log = logging.getLogger(__name__)


class AssistWorker:
    """The program's end: sends requests to the process; calls `on_reply` on its own thread.

    One request runs at a time, others wait in order. Every request is answered by exactly one
    `RequestEnd` or `Failed` as its last reply, unless the worker is closed meanwhile.
    """

    def __init__(self, on_reply: Callable[[Reply], None]) -> None:
        self._on_reply = on_reply
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._waiting: dict[int, AnyRequest] = {}
        self._canceled: set[int] = set()
        self._retried: set[int] = set()
        self._sender = ThreadPoolExecutor(1, "assist-requests")

    @property
    def pid(self) -> int | None:
        """The process's id while one runs."""
        return self._process.pid if self._process is not None else None

    def run(self, request: AnyRequest) -> None:
        """Queue a request; starts the process when there is none, and fails when none can be."""
        with self._lock:
            self._waiting[request.id] = request
            failed = self._start() if self._pipe is None else []
            self._send(request)
        self._fail(failed)

    def cancel(self, request_id: int) -> None:
        """Cancel a waiting or running request; its `RequestEnd` reports the cancellation."""
        with self._lock:
            if request_id in self._waiting:
                self._canceled.add(request_id)
                self._send(Cancel(request_id))

    def close(self) -> None:
        """End the process and drop waiting requests; no reply comes after this returns."""
        with self._lock:
            self._waiting.clear()
            process = self._process
            self._pipe = self._process = None
        if process is not None:
            # It only reads. One that is still starting would hear of a goodbye a second later,
            # and the window would wait for it.
            process.kill()
            process.join()
        self._sender.shutdown(wait=False)

    def _start(self) -> list[Failed]:
        """Start the process; where the system allows no more, all that waits has failed."""
        ends: list[Connection] = []
        try:
            ends += self._context.Pipe()
            process = self._context.Process(
                target=serve, args=(ends[1],), name="annotator-assist", daemon=True
            )
            process.start()
        except OSError as error:
            for end in ends:
                end.close()
            refused, self._waiting = self._waiting, {}
            reason = error.strerror or type(error).__name__
            text = f"Cannot start a tracker ({reason}). Close other programs, and then track again."
            return [Failed(request_id, text) for request_id in refused]
        ends[1].close()
        self._pipe, self._process = ends[0], process
        threading.Thread(
            target=self._listen, args=(ends[0], process), name="assist-replies", daemon=True
        ).start()
        return []

    def _fail(self, failed: list[Failed]) -> None:
        """Notify outside the lock: a listener may send the next request."""
        for reply in failed:
            self._on_reply(reply)

    def _send(self, message: AnyRequest | Cancel) -> None:
        if self._pipe is not None:
            # In a thread: a process that is still starting reads a long message late.
            self._sender.submit(_put, self._pipe, msgspec.msgpack.encode(message))

    def _listen(self, pipe: Connection, process: BaseProcess) -> None:
        decoder = msgspec.msgpack.Decoder(Reply)
        with contextlib.suppress(EOFError, OSError):
            while True:
                reply = decoder.decode(pipe.recv_bytes())
                with self._lock:
                    known = self._pipe is pipe and reply.id in self._waiting
                    if known and isinstance(reply, RequestEnd | Failed):
                        self._forget(reply.id)
                if known:
                    self._on_reply(reply)
        process.join()
        self._bury(pipe, process)
        pipe.close()

    def _bury(self, pipe: Connection, process: BaseProcess) -> None:
        """Handle the end of the process: repeat its current request once, in a new process, with
        the others.

        A request that was canceled meanwhile is done; one that fails twice is reported.
        """
        with self._lock:
            if self._pipe is not pipe:
                return
            self._pipe = self._process = None
            crashed = None
            failed: list[Failed] = []
            if process.exitcode != 0 and self._waiting:
                crashed = self._waiting[next(iter(self._waiting))]
            ended = [i for i in self._waiting if i in self._canceled]
            if crashed is not None and crashed.id not in ended:
                if crashed.id in self._retried:
                    ended.append(crashed.id)
                self._retried.add(crashed.id)
            replies: list[Reply] = [self._ending(request_id, crashed) for request_id in ended]
            for request_id in ended:
                self._forget(request_id)
            if self._waiting:
                failed = self._start()
                for request in self._waiting.values():
                    self._send(request)
        if crashed is not None:
            _log.info("the tracker process ended with code %s", process.exitcode)
        self._fail(failed)
        for reply in replies:
            self._on_reply(reply)

    def _ending(self, request_id: int, crashed: AnyRequest | None) -> Reply:
        """Return the reply to a request that gets no other."""
        if request_id in self._canceled or crashed is None:
            return RequestEnd(request_id, (self._waiting[request_id].tracker, "", b"{}"), True)
        text = (
            f"Tracking failed on frames {crashed.start} to {crashed.end - 1}, also on a second "
            "attempt. These frames have no proposals: add a keyframe between them, or select "
            "another tracker in the preferences."
        )
        return Failed(request_id, text, is_crash=True)

    def _forget(self, request_id: int) -> None:
        self._waiting.pop(request_id, None)
        self._canceled.discard(request_id)
        self._retried.discard(request_id)


def _put(pipe: Connection, data: bytes) -> None:
    # A process that has just died is noticed, and answered for, by the listening thread.
    with contextlib.suppress(OSError):
        pipe.send_bytes(data)
