"""The tracker process as the program sees it: requests in, boxes out, the window stays smooth.

If the process crashes, the request it was at fails with a notice and a fresh process takes over.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import msgspec

from annotator.services.assist_messages import AnyRequest, Cancel, Done, Failed, Reply
from annotator.services.assist_process import serve

_log = logging.getLogger(__name__)


class AssistWorker:
    """The parent's end: hands requests to the process; calls `on_reply` on a thread of its own.

    One request runs at a time, others wait in order. Every request is answered by exactly one
    `Done` or `Failed` as its last reply, unless the worker is closed meanwhile.
    """

    def __init__(self, on_reply: Callable[[Reply], None]) -> None:
        self._on_reply = on_reply
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._pipe: Connection | None = None
        self._process: BaseProcess | None = None
        self._waiting: dict[int, AnyRequest] = {}

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
        """Stop a request, running or waiting; its `Done` says that it was cancelled."""
        with self._lock:
            if request_id in self._waiting:
                self._send(Cancel(request_id))

    def close(self) -> None:
        """End the process and forget what waits; no reply comes after this returns."""
        with self._lock:
            self._waiting.clear()
            process = self._process
            self._pipe = self._process = None
        if process is not None:
            # It only reads. One that is still starting would hear of a goodbye a second later,
            # and the window would wait for it.
            process.kill()
            process.join()

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
        """Tell, outside the lock: whoever hears of it may ask for the next thing."""
        for reply in failed:
            self._on_reply(reply)

    def _send(self, message: AnyRequest | Cancel) -> None:
        if self._pipe is not None:
            # A process that has just died is noticed, and answered for, by the listening thread.
            with contextlib.suppress(OSError):
                self._pipe.send_bytes(msgspec.msgpack.encode(message))

    def _listen(self, pipe: Connection, process: BaseProcess) -> None:
        decoder = msgspec.msgpack.Decoder(Reply)
        with contextlib.suppress(EOFError, OSError):
            while True:
                reply = decoder.decode(pipe.recv_bytes())
                with self._lock:
                    known = self._pipe is pipe and reply.id in self._waiting
                    if known and isinstance(reply, Done | Failed):
                        del self._waiting[reply.id]
                if known:
                    self._on_reply(reply)
        process.join()
        self._bury(pipe, process)
        pipe.close()

    def _bury(self, pipe: Connection, process: BaseProcess) -> None:
        """The process is gone: blame the request it was at, hand the others to a new one."""
        with self._lock:
            if self._pipe is not pipe:
                return
            self._pipe = self._process = None
            crashed = None
            failed: list[Failed] = []
            if process.exitcode != 0 and self._waiting:
                crashed = self._waiting.pop(next(iter(self._waiting)))
            if self._waiting:
                failed = self._start()
                for request in self._waiting.values():
                    self._send(request)
        self._fail(failed)
        if crashed is not None:
            _log.info("the tracker process ended with code %s", process.exitcode)
            text = (
                f"The tracker “{crashed.tracker}” crashed on frames {crashed.start} to "
                f"{crashed.end - 1}. It was restarted; these frames have no proposals."
            )
            self._on_reply(Failed(crashed.id, text, is_crash=True))
