"""Heavy work in a thread, for a caller that waits while the window goes on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from threading import Thread
from typing import Final, TypeVar

from PySide6.QtCore import QEventLoop, QObject, Qt, QThread, QTimer, Signal, Slot

from annotator.ui.state.bridge import Bridge
from annotator.ui.state.garbage import GarbageOnMain

T = TypeVar("T")

_LASTING_MS: Final = 200


class WindowAside(QObject):
    """The window's ``services.jobs.Aside``.

    Until the work is done an event loop of its own paints and plays. Keys and clicks wait in Qt's
    queue, results of other threads in the bridge: nothing can come between an edit and what follows
    from it. ``lasting`` tells when that takes long enough to be shown, and when it is over.
    """

    lasting = Signal(bool)

    _ended = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._bridge = bridge
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_LASTING_MS)
        self._timer.timeout.connect(partial(self.lasting.emit, True))
        self._loop: QEventLoop | None = None
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    def __call__(self, work: Callable[[], T], /) -> T:
        if QThread.currentThread() is not self.thread():
            return work()  # a job's thread: nobody waits for it
        if self._loop is not None:
            # Asked from within the loop below: the one who waits there must not wait for longer.
            return work()
        self._bridge.hold()
        self._loop = QEventLoop()
        self._timer.start()
        try:
            with (
                GarbageOnMain.put_off(),
                ThreadPoolExecutor(1, thread_name_prefix="aside") as thread,
            ):
                future = thread.submit(work)
                future.add_done_callback(self._tell)
                self._loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        finally:
            self._loop = None
            self._timer.stop()
            self.lasting.emit(False)
            self._bridge.release()
        return future.result()

    def let_go(self, things: list[object]) -> None:
        """Free what is large in a thread, once everybody here has let go of it, too."""
        thread = Thread(target=things.clear, name="aside")
        QTimer.singleShot(0, self, thread.start)

    def _tell(self, _future: Future[T]) -> None:
        """Called in the thread."""
        self._ended.emit()

    @Slot()
    def _on_ended(self) -> None:
        if self._loop is not None:
            self._loop.quit()
