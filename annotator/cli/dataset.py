"""``annotator dataset``: what a finished data set is, and how models do on it."""

from __future__ import annotations

import click

from annotator.cli.evaluation import evaluate_command


@click.group("dataset")
def dataset_group() -> None:
    """Evaluate, split and release data sets."""


dataset_group.add_command(evaluate_command)
