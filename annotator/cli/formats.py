"""``annotator formats`` and ``annotator convert``: exchange formats without a project."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE
from annotator.cli.common.terminal import show_findings

if TYPE_CHECKING:
    from annotator.exchange.formats.base.format import Format, Loss


@click.command("formats")
def formats_command() -> None:
    """List the exchange formats with their extensions, contents and losses."""
    from annotator.exchange.formats.base.format import Loss
    from annotator.services.transfer import FORMATS

    for form in FORMATS.values():
        endings = " ".join(form.suffixes)
        where = ", one video per file" if form.is_per_video else ""
        where += ", a folder" if form.is_folder else ""
        where += "" if form.reads else ", only written"
        where += "" if form.writes else ", only read"
        click.echo(f"{form.name:<16} {endings:<14} {form.title}{where}")
        _show(f"holds {', '.join(form.holds)}")
        if losses := [loss for loss in Loss if loss in form.losses and _is_shown(loss, form)]:
            _show(f"loses {', '.join(losses)}")


def _is_shown(loss: Loss, form: Format) -> bool:
    """Return whether a loss does not follow from what a format holds."""
    from annotator.exchange.formats.base.format import Loss

    kinds = {
        Loss.POINT_OBJECTS: {"points"},
        Loss.OCCLUDED_POINTS: {"points"},
        Loss.ROLES: {"actions"},
        Loss.SOUND_SOURCES: {"sounds"},
        Loss.NOTES: {"actions", "sounds"},
    }
    is_kind = loss in {Loss.BOXES, Loss.POINTS, Loss.ACTIONS, Loss.SOUNDS, Loss.QUESTIONS}
    return not is_kind and bool(kinds.get(loss, set(form.holds)) & set(form.holds))


def _show(text: str) -> None:
    """Print text below the title of a format, in lines of at most 100 characters."""
    indent = " " * 17
    after = indent + " " * 6
    click.echo(fill(text, 100, initial_indent=indent, subsequent_indent=after))


@click.command("convert")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--from", "from_name", metavar="NAME", help="Format of IN. Default: detected.")
@click.option("--to", "to_name", metavar="NAME", help="Format of OUT. Default: its extension.")
@click.option(
    "--media",
    "media",
    metavar="VIDEO",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Video file that the annotations belong to. Repeatable.",
)
@terminal.force_option
@click.pass_context
def convert_command(
    context: click.Context,
    source: Path,
    target: Path,
    from_name: str | None,
    to_name: str | None,
    media: tuple[Path, ...],
    force: bool,
) -> None:
    """Convert annotations from one format to another.

    Frame numbers and image sizes come from the --media files, or from IN where
    it contains them. Everything that OUT cannot hold is listed. The exit code is
    1 if a record was left out.
    """
    from annotator.services.transfer import format_named, format_of
    from annotator.services.transfer.conversion import convert
    from annotator.services.transfer.formats import format_of_content

    reads = format_named(from_name) if from_name else format_of_content(source)
    writes = format_named(to_name) if to_name else format_of(target)
    if not writes.is_folder:
        terminal.check(target, source, *media, writes=writes.content, force=force)
    conversion = convert(source, target, (reads, writes), media)
    n_errors = show_findings(conversion.findings)
    for path in conversion.paths:
        click.echo(path)
    if n_errors:
        context.exit(FAILURE)
