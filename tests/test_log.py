"""Crash reports: written for every kind of end, offered once, and never in the way."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator import log, paths


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the log a folder of its own and put the hooks back afterwards."""
    monkeypatch.setattr(paths, "log_dir", lambda: tmp_path)
    monkeypatch.setattr(log, "_listeners", [])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    logger = logging.getLogger("annotator")
    before, level = logger.handlers[:], logger.level
    yield tmp_path
    log.close()
    for handler in logger.handlers[:]:
        if handler not in before:
            logger.removeHandler(handler)
            handler.close()
    logger.setLevel(level)


def _fail() -> None:
    try:
        message = "the kettle fell"
        raise ValueError(message)
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)


def test_an_uncaught_exception_becomes_a_report(
    folder: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    heard: list[log.CrashReport] = []
    log.set_up()
    log.on_crash(heard.append)
    _fail()
    (report,) = log.pending_crash_reports()
    assert report.title == "ValueError: the kettle fell"
    assert "test_log.py" in report.path.read_text("utf-8")
    assert heard[0].path == report.path
    assert str(report.path) in capsys.readouterr().err
    assert "kettle" in (folder / "annotator.log").read_text("utf-8")
    assert caplog.records[-1].levelname == "CRITICAL"


def test_an_exception_on_a_thread_becomes_a_report(caplog: pytest.LogCaptureFixture) -> None:
    log.install_hooks()
    thread = threading.Thread(target=lambda: [][1], name="decode")
    thread.start()
    thread.join()
    (report,) = log.pending_crash_reports()
    assert "thread decode" in report.path.read_text("utf-8")
    assert report.title.startswith("IndexError")
    assert caplog.records


def test_a_report_that_was_seen_is_not_offered_again(caplog: pytest.LogCaptureFixture) -> None:
    log.install_hooks()
    _fail()
    (report,) = log.pending_crash_reports()
    seen = log.mark_seen(report)
    assert seen.is_file()
    assert log.pending_crash_reports() == []
    assert caplog.records


def test_an_interrupt_is_no_crash(capsys: pytest.CaptureFixture[str]) -> None:
    log.install_hooks()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert log.pending_crash_reports() == []
    assert "KeyboardInterrupt" in capsys.readouterr().err


def test_a_folder_that_refuses_leaves_the_program_running(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse() -> Path:
        message = "read-only"
        raise PermissionError(message)

    monkeypatch.setattr(paths, "log_dir", refuse)
    assert log.set_up() is None
    _fail()
    assert "the kettle fell" in capsys.readouterr().err
    assert caplog.records


def test_only_the_newest_reports_are_kept(folder: Path) -> None:
    for _ in range(25):
        log.write_report(ValueError, ValueError("again"), None)
    assert len(list(folder.glob("crash-*.txt"))) == 20


def test_a_fault_below_python_is_offered_and_a_clean_end_leaves_nothing(folder: Path) -> None:
    program = (
        "import sys, ctypes; from pathlib import Path; from annotator import log, paths\n"
        f"paths.log_dir = lambda: Path({str(folder)!r})\n"
        "log.set_up()\n"
        "log.close() if sys.argv[1] == 'end' else ctypes.string_at(0)"
    )
    for how in ("end", "fall"):
        subprocess.run([sys.executable, "-c", program, how], check=False, capture_output=True)
    (report,) = log.pending_crash_reports()
    assert report.title.startswith(("Fatal", "Windows fatal"))
    assert len(list(folder.glob("crash-fault-*"))) == 1


def test_the_empty_file_of_a_killed_program_is_dropped(folder: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    gone = folder / f"crash-fault-{killed.pid}.txt"
    running = folder / f"crash-fault-{os.getppid()}.txt"
    for path in (gone, running):
        path.touch()
    assert log.pending_crash_reports() == []
    assert not gone.exists()
    assert running.exists() or sys.platform == "win32"
