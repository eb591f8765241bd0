"""Findings as lines."""

from __future__ import annotations

from collections.abc import Iterable

import click

from annotator.cli.boundary import one_line
from annotator.domain.checks import Finding, Severity

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def show_findings(findings: Iterable[Finding]) -> int:
    """Write findings to standard error, the worst first; return how many are errors."""
    found = list(findings)
    for severity in _ORDER:
        for finding in found:
            if finding.severity is severity:
                click.echo(f"{severity}: {one_line(str(finding))}", err=True)
    return sum(f.severity is Severity.ERROR for f in found)
