"""Exit codes and error lines of the command line, and crash reports for bugs."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable

from annotator import log
from annotator.domain.errors import UserError

SUCCESS = 0
FAILURE = 1
NOT_PERMITTED = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
_PERMISSION_CODES = frozenset({"lead-only", "wrong-pin", "sign-in"})


def run(command: Callable[[], object]) -> int:
    """Call a command and return its exit code; never raises.

    0 success, 1 errors were reported, 2 invalid usage, 3 not permitted, 70 internal error, 130
    interrupted.
    """
    try:
        status = command()
        _flush()
    except UserError as error:
        fail(str(error))
        code = getattr(error, "code", "")
        return NOT_PERMITTED if code in _PERMISSION_CODES else FAILURE
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # The reader of a pipe has had enough; nothing more can be said to it.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except Exception as error:
        return _stopped(error)
    return status if isinstance(status, int) else SUCCESS


def fail(text: str) -> int:
    """Print an error on one line of standard error; return its exit status."""
    import click

    click.echo(f"annotator: error: {one_line(text)}", err=True)
    return FAILURE


def one_line(text: str) -> str:
    """Return text with control characters and line breaks made visible (paths may hold them)."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _flush() -> None:
    with contextlib.suppress(ValueError):
        sys.stdout.flush()


def _interrupted() -> int:
    import click

    click.echo("annotator: interrupted.", err=True)
    return INTERRUPTED


def _stopped(error: Exception) -> int:
    """Return the status for what click raises to end a command, or for a crash."""
    import click

    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.Abort):
        return _interrupted()
    if isinstance(error, click.ClickException):
        # click writes each choice on a line of its own.
        fail(error.format_message().replace(":\n\t", ": ").replace("\n\t", " "))
        context = getattr(error, "ctx", None)
        if context is not None:
            click.echo(f"Run “{context.command_path} --help” for the options.", err=True)
        return error.exit_code
    return _crashed(error)


def _crashed(error: Exception) -> int:
    from annotator.services.background.jobs import CanceledError

    if isinstance(error, CanceledError):
        return _interrupted()
    report = log.write_report(type(error), error, error.__traceback__)
    where = f" Report: {report.path}" if report else ""
    last = traceback.format_exception_only(error)[-1].strip()
    fail(f"internal error: {last}.{where}")
    return INTERNAL_ERROR
