"""Findings as lines."""

from __future__ import annotations

from collections.abc import Iterable
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
