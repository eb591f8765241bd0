"""A progress bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

import click

from annotator.cli.common.boundary import one_line

_STEPS = 1000
_NAME_LENGTH = 32

Report = Callable[[float | None, str], None]


@contextlib.contextmanager
def progress(title: str, when_stopped: Callable[[], str] = lambda: "") -> Iterator[Report]:
    """Show a bar on standard error; yields the function to call with fraction (0..1) and text.

    ``when_stopped`` says what was done when somebody interrupts it (Ctrl+C).
    """
    try:
        with _bar(title) as report:
            yield report
    except KeyboardInterrupt:
        if said := when_stopped():
            click.echo(one_line(said), err=True)
        raise


@contextlib.contextmanager
def _bar(title: str) -> Iterator[Report]:
    if not sys.stderr.isatty():
        yield lambda _fraction, _text: None
        return
    with click.progressbar(
        length=_STEPS, label=title, file=sys.stderr, item_show_func=_shown
    ) as bar:

        def report(fraction: float | None, text: str) -> None:
            step = bar.pos if fraction is None else round(fraction * _STEPS)
            bar.update(max(0, min(step, _STEPS) - bar.pos), text)

        yield report
        report(1.0, "")


def _shown(text: str | None) -> str:
    return one_line(text or "")[:_NAME_LENGTH]
