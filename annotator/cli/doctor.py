"""``annotator doctor``: whether everything the program needs is on this machine."""

from __future__ import annotations

import click


@click.command("doctor")
@click.pass_context
def doctor_command(context: click.Context) -> None:
    """Tell versions, libraries, codecs and sound, and what is missing.

    For each missing thing the line that installs it is given. The exit status is
    0 when nothing is missing.
    """
    from annotator import doctor

    checks = doctor.report()
    for check in checks:
        click.echo(f"{check.state:8}{check.name}: {check.text}")
        for line in check.advice:
            click.echo(f"{'':8}  {line}")
    if not doctor.is_healthy(checks):
        context.exit(1)
