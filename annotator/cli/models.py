"""``annotator models``: neural networks of the user's own, as trackers."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.common.boundary import one_line


@click.group("models")
def models_group() -> None:
    """Add, list and remove neural networks that track boxes or points.

    A model is a network in ONNX format with a manifest and its license. Models
    are never downloaded. ONNX Runtime is required (extra "onnx").
    """


@models_group.command("add")
@click.argument("manifest", type=click.Path(path_type=Path))
def add_command(manifest: Path) -> None:
    """Check a model and add it to the trackers.

    MANIFEST is a TOML file beside the network and its license. A model of the
    same name is replaced.
    """
    from annotator.assist.models.installed import add_model

    added = add_model(manifest)
    click.echo(
        f"Added “{one_line(added.title)}” ({added.task.value}) as the tracker"
        f" model-{added.name}. License: {one_line(added.license)}."
    )


@models_group.command("list")
def list_command() -> None:
    """List the added models and try each of them out."""
    from annotator.assist.models.installed import installed_models

    found = installed_models(checks=True)
    if not found:
        click.echo("No models yet. “annotator models add MANIFEST” adds one.", err=True)
    for each in found:
        manifest = each.manifest
        told = (manifest.task.value, manifest.title, manifest.version, manifest.license)
        state = one_line(each.problem) or "ready"
        click.echo("\t".join((f"model-{manifest.name}", *map(one_line, told), state)))


@models_group.command("remove")
@click.argument("name", metavar="NAME")
def remove_command(name: str) -> None:
    """Remove an added model. Proposals that it made are kept."""
    from annotator.assist.models.installed import remove_model

    remove_model(name.removeprefix("model-"))
