"""Output of commands: findings, numbers, output files and a progress bar."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import one_line

if TYPE_CHECKING:
    from annotator.domain.checks import Finding


def show_findings(findings: Iterable[Finding]) -> int:
    """Write findings to standard error, the worst first; return how many are errors."""
    from annotator.domain.checks import Severity

    found = list(findings)
    for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
        for finding in found:
            if finding.severity is severity:
                click.echo(f"{severity}: {one_line(str(finding))}", err=True)
    return sum(f.severity is Severity.ERROR for f in found)


force_option = click.option(
    "-f", "--force", is_flag=True, help="Replace an existing recipe, package or other file."
)


def check(out: Path, *inputs: Path, writes: str, force: bool) -> None:
    """Refuse an output that must not replace the file of its name; UserError then.

    ``writes`` is the type of the output, as in `annotator.services.files.check_output`.
    """
    from annotator.services.files import check_output

    check_output(out, inputs=inputs, writes=writes, force=force)


def data_size(n_bytes: int) -> str:
    """Return "820 bytes", "1.5 kB", "2.0 GB"."""
    size, units = float(n_bytes), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{n_bytes} bytes" if units[0] == "bytes" else f"{size:.1f} {units[0]}"


_STEPS = 1000
_NAME_LENGTH = 32
Report = Callable[[float | None, str], None]


@contextlib.contextmanager
def progress(title: str, when_stopped: Callable[[], str] = lambda: "") -> Iterator[Report]:
    """Show a bar on standard error; yields the function to call with fraction (0..1) and text.

    ``when_stopped`` is the message after an interruption (Ctrl+C).
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
