"""``annotator doctor``: whether everything the program needs is on this machine."""

from __future__ import annotations

import click


@click.command("doctor")
@click.pass_context
def doctor_command(context: click.Context) -> None:
    """Check the installation: libraries, codecs, audio, display.

    Shows the command that installs each missing part. The exit code is 1 if
    something is missing.
    """
    from annotator import doctor

    checks = doctor.report()
    for check in checks:
        click.echo(f"{check.state:8}{check.name}: {check.text}")
        for line in check.advice:
            click.echo(f"{'':8}  {line}")
    if not doctor.is_healthy(checks):
        context.exit(1)
