"""Jobs run in the background, report, can be canceled, and speak on the main thread only."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest

from annotator.domain.errors import MediaError, UserError
from annotator.services.background.jobs import JobRunner, JobState, JobStatus, JobToken


class Loop:
    """A main thread's queue of calls, run by hand."""

    def __init__(self) -> None:
        self.calls: queue.Queue[Callable[[], object]] = queue.Queue()
        self.runner = JobRunner(self.calls.put)
        self.seen: list[JobStatus] = []
        self.threads: set[int] = set()
        self.runner.status_changed.add(self._note)

    def _note(self, status: JobStatus) -> None:
        self.seen.append(status)
        self.threads.add(threading.get_ident())

    def run_until_final(self) -> JobStatus:
        while not (self.seen and self.seen[-1].is_final):
            self.calls.get(timeout=20)()
        return self.seen[-1]


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.runner.close()


def test_result_arrives_on_the_main_thread(loop: Loop) -> None:
    got: list[tuple[int, int]] = []

    def work(token: JobToken) -> int:
        token.report(0.5, "half")
        return threading.get_ident()

    job = loop.runner.submit("Count", work, lambda n: got.append((n, threading.get_ident())))
    assert loop.runner.active == (job.status,)
    assert loop.run_until_final().state is JobState.DONE
    main = threading.get_ident()
    assert got[0][1] == main
    assert got[0][0] != main
    assert loop.threads == {main}
    assert [(s.state, s.fraction, s.text) for s in loop.seen] == [
        (JobState.WAITING, None, ""),
        (JobState.RUNNING, None, ""),
        (JobState.RUNNING, 0.5, "half"),
        (JobState.DONE, 1.0, ""),
    ]
    assert job.status is loop.seen[-1]
    assert loop.runner.active == ()


def test_users_error_is_told(loop: Loop) -> None:
    told: list[UserError] = []

    def work(_: JobToken) -> None:
        raise MediaError("It is broken.", hint="Copy it again.", where="a.mp4")

    loop.runner.submit("Read", work, told.append, failed=told.append)
    status = loop.run_until_final()
    assert (status.state, status.text) == (
        JobState.FAILED,
        "a.mp4: It is broken. Copy it again.",
    )
    assert [type(t) for t in told] == [MediaError]


def test_bug_is_raised_on_the_main_thread(loop: Loop, caplog: pytest.LogCaptureFixture) -> None:
    loop.runner.submit("Divide", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        loop.run_until_final()
    assert loop.seen[-1].state is JobState.FAILED
    assert "Divide" in caplog.text


def test_canceled_job_stops_and_delivers_nothing(loop: Loop) -> None:
    started, results = threading.Event(), []

    def work(token: JobToken) -> None:
        started.set()
        while True:
            token.check()

    job = loop.runner.submit("Spin", work, results.append)
    assert started.wait(20)
    job.cancel()
    assert loop.run_until_final().state is JobState.CANCELED
    assert results == []


def test_job_canceled_between_work_and_delivery_delivers_nothing(loop: Loop) -> None:
    results: list[int] = []
    job = loop.runner.submit("Quick", lambda _: 1, results.append)
    running = loop.calls.get(timeout=20)
    done = loop.calls.get(timeout=20)
    job.cancel()
    running()
    done()
    assert loop.seen[-1].state is JobState.CANCELED
    assert results == []


def test_closing_waits_and_silences(loop: Loop) -> None:
    started, results = threading.Event(), []

    def work(token: JobToken) -> None:
        started.set()
        while not token.is_canceled:
            token.report(None)

    loop.runner.submit("Spin", work, results.append)
    assert started.wait(20)
    loop.runner.close()
    seen = len(loop.seen)
    while not loop.calls.empty():
        loop.calls.get()()
    assert len(loop.seen) == seen
    assert results == []


def test_a_result_that_nobody_wants_is_given_back() -> None:
    posted: list[Callable[[], object]] = []
    runner = JobRunner(posted.append)
    delivered: list[int] = []
    back: list[int] = []
    job = runner.submit("One", lambda _: 1, delivered.append, unwanted=back.append)
    while len(posted) < 2:
        threading.Event().wait(0.005)
    job.cancel()
    for call in posted:
        call()
    assert delivered == []
    assert back == [1]
    runner.close()
