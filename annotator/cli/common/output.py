"""Output files of commands: what may be replaced, and the option that allows it."""

from __future__ import annotations

from pathlib import Path

import click

force_option = click.option(
    "-f", "--force", is_flag=True, help="Replace an existing recipe, package or other file."
)


def check(out: Path, *inputs: Path, writes: str, force: bool) -> None:
    """Refuse an output that must not replace the file of its name; UserError then.

    ``writes`` is the type of the output, as in `annotator.services.files.check_output`.
    """
    from annotator.services.files import check_output

    check_output(out, inputs=inputs, writes=writes, force=force)
