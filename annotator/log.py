"""The log file, and reports of crashes that the next start offers to open; nothing is sent.

Three kinds of end are covered: an exception nobody caught on the main thread, one on another
thread, and a fault below Python, which `faulthandler` writes into a file opened beforehand.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import logging.handlers
import os
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from annotator import paths

_LOG_BYTES = 1_000_000
_LOG_FILES = 3
_MAX_REPORTS = 20

_logger = logging.getLogger(__name__)
_listeners: list[Callable[[CrashReport], None]] = []
_fault_file: TextIO | None = None


@dataclass(frozen=True, slots=True)
class CrashReport:
    """A report on disk: where it is, when it happened (UTC) and its last line as a title."""

    path: Path
    at: datetime
    title: str


def set_up(*, is_verbose: bool = False) -> Path | None:
    """Start the log file and the crash hooks; give the path of the log.

    Where no file can be written (None), the log goes to standard error and the program runs on.
    """
    logger = logging.getLogger("annotator")
    logger.setLevel(logging.DEBUG if is_verbose else logging.INFO)
    handler: logging.Handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    path: Path | None = None
    try:
        path = paths.log_dir() / "annotator.log"
        handler = logging.handlers.RotatingFileHandler(
            path, maxBytes=_LOG_BYTES, backupCount=_LOG_FILES, encoding="utf-8"
        )
    except OSError:
        path = None
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s")
    )
    for old in logger.handlers[:]:
        if getattr(old, "is_annotator_log", False):
            logger.removeHandler(old)
            old.close()
    handler.is_annotator_log = True  # type: ignore[attr-defined]
    logger.addHandler(handler)
    install_hooks()
    return path


def install_hooks() -> None:
    """Send uncaught exceptions and faults into report files; safe to call more than once."""
    sys.excepthook = _on_exception
    threading.excepthook = _on_thread_exception
    _watch_faults()


def on_crash(listener: Callable[[CrashReport], None]) -> None:
    """Have `listener` called after a report was written; on the thread that failed."""
    _listeners.append(listener)


def write_report(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> CrashReport | None:
    """Write one exception into a new report file; None when the disk refuses it."""
    import platform

    now = datetime.now(UTC)
    text = "".join(traceback.format_exception(kind, error, trace))
    head = (
        f"annotator {_version()}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{now.isoformat(timespec='seconds')}, thread {threading.current_thread().name}\n\n"
    )
    name = f"crash-{now.strftime('%Y%m%dT%H%M%S%f')}-{os.getpid()}.txt"
    try:
        path = paths.log_dir() / name
        path.write_text(head + text, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return None
    _forget_oldest()
    return CrashReport(path, now, text.strip().splitlines()[-1])


def pending_crash_reports() -> list[CrashReport]:
    """List unread crash reports, newest first; remove empty leftovers."""
    reports = []
    for path in paths.log_dir().glob("crash-*.txt"):
        with contextlib.suppress(OSError):
            if path.stat().st_size == 0:
                _drop_if_abandoned(path)
                continue
            lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            reports.append(CrashReport(path, at, _title(lines)))
    return sorted(reports, key=lambda report: report.at, reverse=True)


def mark_seen(report: CrashReport) -> Path:
    """Keep a report but never offer it again; give its new path."""
    seen = report.path.with_name(report.path.name.replace("crash-", "seen-", 1))
    return report.path.replace(seen)


def close() -> None:
    """End the watch for faults and remove its empty file; for a clean exit."""
    global _fault_file
    if _fault_file is None:
        return
    faulthandler.disable()
    path = Path(_fault_file.name)
    _fault_file.close()
    _fault_file = None
    with contextlib.suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()


def _on_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    _logger.critical("Uncaught exception", exc_info=(kind, error, trace))
    report = write_report(kind, error, trace)
    if report is None:
        sys.__excepthook__(kind, error, trace)
        return
    # pythonw on Windows has no standard error.
    if sys.stderr is not None:
        sys.stderr.write(f"Internal error: {report.title}\nReport: {report.path}\n")
    for listener in list(_listeners):
        listener(report)


def _on_thread_exception(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and args.exc_type is not SystemExit:
        _on_exception(args.exc_type, args.exc_value, args.exc_traceback)


def _watch_faults() -> None:
    global _fault_file
    if _fault_file is not None:
        return
    try:
        path = paths.log_dir() / f"crash-fault-{os.getpid()}.txt"
        _fault_file = path.open("w", encoding="utf-8")
    except OSError:
        return
    faulthandler.enable(_fault_file)


def _drop_if_abandoned(path: Path) -> None:
    """Remove the empty fault file of an ended program; a running one still needs it."""
    number = path.stem.rpartition("-")[2]
    if number == str(os.getpid()) or (number.isdigit() and _is_running(int(number))):
        return
    path.unlink(missing_ok=True)


def _is_running(process_id: int) -> bool:
    if sys.platform == "win32":
        # An open file cannot be removed there, so nothing is lost by trying.
        return False
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _title(lines: list[str]) -> str:
    """Give the line that says most: the head of a fault's dump, else the last of a traceback."""
    if not lines:
        return ""
    return lines[0] if lines[0].startswith(("Fatal", "Windows fatal")) else lines[-1]


def _forget_oldest() -> None:
    kept = sorted(paths.log_dir().glob("*-2*.txt"), key=lambda path: path.stat().st_mtime)
    for path in kept[:-_MAX_REPORTS]:
        path.unlink(missing_ok=True)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("annotator")
    except PackageNotFoundError:
        return "from a checkout"
