"""Background work: a thread pool that delivers its results on the main thread."""

from __future__ import annotations

import logging
import threading
import types
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Generic, Protocol, TypeVar

from annotator.domain.errors import UserError

T = TypeVar("T")


class Listeners(Generic[T]):
    """Calls every listener of an event, in the order of registration.

    A bound method is held weakly, so that a closed window needs no farewell; a plain function, a
    lambda or a built-in method is held until `remove`. Services notify on the main thread only;
    this class neither checks nor changes the thread.
    """

    __slots__ = ("_references",)

    def __init__(self) -> None:
        self._references: list[Callable[[], Callable[[T], None] | None]] = []

    def add(self, listener: Callable[[T], None]) -> Callable[[T], None]:
        """Call `listener` from now on; adding it twice changes nothing. Returns `listener`."""
        if listener not in self._living():
            self._references.append(_reference(listener))
        return listener

    def remove(self, listener: Callable[[T], None]) -> None:
        """Stop calling `listener`; an unknown listener is no error."""
        self._references = [ref for ref in self._references if ref() not in (listener, None)]

    def notify(self, news: T) -> None:
        """Call every listener with `news`.

        Listeners added meanwhile hear the next news, those removed meanwhile are still called
        once. When one raises, the others are called all the same and the error reaches the caller.
        """
        with ExitStack() as stack:
            for listener in reversed(self._living()):
                stack.callback(listener, news)

    def __len__(self) -> int:
        return len(self._living())

    def _living(self) -> list[Callable[[T], None]]:
        pairs = [(ref, ref()) for ref in self._references]
        self._references = [ref for ref, listener in pairs if listener is not None]
        return [listener for _, listener in pairs if listener is not None]


def _reference(listener: Callable[[T], None]) -> Callable[[], Callable[[T], None] | None]:
    if isinstance(listener, types.MethodType):
        return weakref.WeakMethod(listener)
    return lambda: listener


Post = Callable[[Callable[[], object]], object]


class BackgroundCall(Protocol):
    """Runs slow work on a thread and returns its result to the main thread.

    The caller waits, but the window paints and plays, and input is delivered later. Errors of the
    work are raised here.
    """

    def __call__(self, work: Callable[[], T], /) -> T: ...


def inline(work: Callable[[], T], /) -> T:
    """Run inline: a `BackgroundCall` for use without a window."""
    return work()


_WORKERS = 5
_WORTH_TELLING = 0.005
_logger = logging.getLogger(__name__)


class JobState(StrEnum):
    """How far a job is; the last three are final."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELED = "canceled"


@dataclass(frozen=True, slots=True)
class JobStatus:
    """State of a job for the window; ``fraction`` is 0..1, None if unknown.

    ``is_quiet`` marks an optional job that nobody waits for: it is not announced.
    """

    id: int
    title: str
    fraction: float | None
    text: str
    state: JobState
    is_quiet: bool = False

    @property
    def is_final(self) -> bool:
        return self.state in (JobState.DONE, JobState.FAILED, JobState.CANCELED)


class CanceledError(Exception):
    """Ends a canceled job; never an error."""


class JobToken:
    """Cancellation and progress of a job."""

    def __init__(self, report: Callable[[float | None, str], None]) -> None:
        self._canceled = threading.Event()
        self._report = report

    @property
    def is_canceled(self) -> bool:
        return self._canceled.is_set()

    def check(self) -> None:
        """Leave the job when it has been canceled; call it at each step."""
        if self.is_canceled:
            raise CanceledError

    def report(self, fraction: float | None, text: str = "") -> None:
        """Report progress; may be called often."""
        self._report(fraction, text)

    def follow(self, text: str = "") -> Callable[[float], None]:
        """Return a callback for file operations that receives the share done, 0..1.

        It raises when the job was canceled, and reports progress at a limited rate.
        """
        told = -1.0

        def tell(share: float) -> None:
            nonlocal told
            self.check()
            if not told <= share < told + _WORTH_TELLING:
                told = share
                self.report(share, text)

        return tell

    def cancel(self) -> None:
        self._canceled.set()


class Job(Generic[T]):
    """A piece of background work."""

    def __init__(self, status: JobStatus, report: Callable[[float | None, str], None]) -> None:
        self.status = status
        self.token = JobToken(report)

    def cancel(self) -> None:
        """Ask the work to stop; its result will not be delivered."""
        self.token.cancel()


class JobRunner:
    """Runs jobs in a few threads and delivers results through ``post``, on the main thread."""

    def __init__(self, post: Post) -> None:
        self.status_changed: Listeners[JobStatus] = Listeners()
        self._post = post
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="job")
        self._jobs: dict[int, Job[object]] = {}
        self._next_id = 1
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether the program is ending: no more jobs are accepted."""
        return self._is_closed

    @property
    def active(self) -> tuple[JobStatus, ...]:
        """The waiting and running jobs, oldest first."""
        return tuple(job.status for job in self._jobs.values())

    def submit(
        self,
        title: str,
        work: Callable[[JobToken], T],
        on_done: Callable[[T], object] | None = None,
        *,
        failed: Callable[[UserError], object] | None = None,
        unwanted: Callable[[T], object] | None = None,
        is_quiet: bool = False,
    ) -> Job[T]:
        """Run ``work(token)`` in the pool and ``done(result)`` on the main thread.

        A UserError of the work goes to ``failed`` and into the status; any other exception is a bug
        and is raised again on the main thread. A result that comes after the job was canceled goes
        to ``unwanted``, to give back what it holds. Call this on the main thread.
        """
        number, self._next_id = self._next_id, self._next_id + 1
        status = JobStatus(number, title, None, "", JobState.WAITING, is_quiet)
        job: Job[T] = Job(status, lambda fraction, text: self._on_report(number, fraction, text))
        self._jobs[number] = job  # type: ignore[assignment]
        self.status_changed.notify(status)
        self._pool.submit(self._run, job, work, on_done, failed, unwanted)
        return job

    def close(self) -> None:
        """Cancel everything and wait until the threads have ended; nothing is delivered after."""
        self._is_closed = True
        for job in list(self._jobs.values()):
            job.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._jobs.clear()

    def _run(
        self,
        job: Job[T],
        work: Callable[[JobToken], T],
        on_done: Callable[[T], object] | None,
        failed: Callable[[UserError], object] | None,
        unwanted: Callable[[T], object] | None,
    ) -> None:
        """The body of a pool thread: whatever the work does ends here."""
        self._send(lambda: self._change(job, replace(job.status, state=JobState.RUNNING)))
        try:
            job.token.check()
            result = work(job.token)
        except CanceledError:
            self._send(lambda: self._end(job, JobState.CANCELED, "", None))
        except UserError as error:
            refused = error
            self._send(
                lambda: self._end(
                    job, JobState.FAILED, str(refused), failed and (lambda: failed(refused))
                )
            )
        except Exception as error:
            bug = error
            _logger.exception("job %r failed", job.status.title)
            text = "The job failed because of an internal error."
            self._send(lambda: self._end(job, JobState.FAILED, text, lambda: _raise(bug)))
        else:
            give_back = partial(unwanted, result) if unwanted else None
            if self._is_closed and give_back:
                give_back()
            deliver = partial(on_done, result) if on_done else None
            self._send(lambda: self._end(job, JobState.DONE, "", deliver, give_back))

    def _send(self, call: Callable[[], object]) -> None:
        if not self._is_closed:
            self._post(call)

    def _on_report(self, number: int, fraction: float | None, text: str) -> None:
        def change() -> None:
            job = self._jobs.get(number)
            if job:
                self._change(job, replace(job.status, fraction=fraction, text=text))

        self._send(change)

    def _change(self, job: Job[T], status: JobStatus) -> None:
        if not self._is_closed:
            job.status = status
            self.status_changed.notify(status)

    def _end(
        self,
        job: Job[T],
        state: JobState,
        text: str,
        then: Callable[[], object] | None,
        give_back: Callable[[], object] | None = None,
    ) -> None:
        if self._is_closed or job.token.is_canceled:
            state, text, then = JobState.CANCELED, "", give_back
        if self._is_closed:
            if then:
                then()
            return
        self._jobs.pop(job.status.id, None)
        fraction = 1.0 if state is JobState.DONE else job.status.fraction
        self._change(job, replace(job.status, fraction=fraction, text=text, state=state))
        if then:
            then()


def _raise(error: Exception) -> None:
    raise error
