"""``annotator dataset release``, ``verify`` and ``compare``."""

from __future__ import annotations

from pathlib import Path

import click

from annotator.cli.common.boundary import FAILURE, one_line
from annotator.cli.common.terminal import progress, show_findings
from annotator.cli.team.people import sign_in
from annotator.domain.plurals import many


@click.command("release")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--title", metavar="TEXT", help="Title of the data set. Default: of the project.")
@click.option(
    "--split", "splits", metavar="NAME", multiple=True, help="Release only this split. Repeatable."
)
@click.option(
    "--withhold",
    "withheld",
    metavar="SPLIT",
    multiple=True,
    help="Put the answers of this split into a folder of their own. Repeatable.",
)
@click.option(
    "--format",
    "formats",
    metavar="NAME",
    multiple=True,
    help="Also write this format, see “annotator formats”. Repeatable.",
)
@click.option("--media", "has_media", is_flag=True, help="Copy the videos into the release.")
@click.option(
    "--sign",
    "key",
    metavar="KEY",
    type=click.Path(path_type=Path),
    help="Sign the certificate with this Ed25519 private key (PEM).",
)
@click.pass_context
def release_command(
    context: click.Context,
    project: Path,
    folder: Path,
    title: str | None,
    splits: tuple[str, ...],
    withheld: tuple[str, ...],
    formats: tuple[str, ...],
    has_media: bool,
    key: Path | None,
) -> None:
    """Write a release of the data set into a new folder. Lead only.

    Contains annotations by split, label sets, recipe and guidelines, statistics,
    a data card (README.md), the list of videos (media.csv) and a certificate
    that “annotator verify” checks. The exit code is 1 if a record was left out.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.releases.release import ReleaseWish, write_release
    from annotator.services.project.projects import open_project

    opened = open_project(project)
    try:
        sign_in(opened)
        wish = ReleaseWish(title or opened.title, splits, withheld, formats, has_media, key)
        with progress("Writing release") as report:
            release = write_release(opened, folder, wish, JobToken(report))
    finally:
        opened.close()
    n_errors = show_findings(dict.fromkeys(release.findings))
    click.echo(
        f"{release.folder}: {many(release.n_videos, 'video')}, {many(release.n_files, 'file')}"
    )
    if n_errors:
        context.exit(FAILURE)


@click.command("verify")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--media",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of the videos. Default: those in the release.",
)
@click.option(
    "--key",
    "fingerprint",
    metavar="FINGERPRINT",
    default="",
    help="Fingerprint of the key that must have signed it, as “verify” prints it.",
)
@click.pass_context
def verify_command(
    context: click.Context, folder: Path, media: Path | None, fingerprint: str
) -> None:
    """Check a release against its certificate.

    Compares signature, files, records and counts, recomputes the statistics from
    the annotations, and decodes proof frames of the videos with FFmpeg and
    OpenCV. The exit code is 1 if anything differs.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.releases.verification import verify_release

    with progress("Verifying") as report:
        result = verify_release(folder, media, JobToken(report), fingerprint=fingerprint)
    for problem in result.problems:
        click.echo(one_line(f"{problem.where}: {problem.text}"))
    if result.signed_by:
        click.echo(f"Signed with the key {result.signed_by}.")
    if result.is_public:
        text = "This copy is without the withheld answers; statistics cannot be recomputed."
        click.echo(text)
    without = f", {result.n_without_media} not available" if result.n_without_media else ""
    click.echo(
        f"{many(result.n_files, 'file')} and {many(result.n_videos, 'video')} checked{without}: "
        + (many(len(result.problems), "difference") if result.problems else "all match")
    )
    if result.problems:
        context.exit(FAILURE)


@click.command("compare")
@click.argument("first", metavar="A", type=click.Path(path_type=Path))
@click.argument("second", metavar="B", type=click.Path(path_type=Path))
@click.pass_context
def compare_command(context: click.Context, first: Path, second: Path) -> None:
    """List the additions, removals and changes from release A to release B.

    A and B are folders of releases or Perception Test files. The exit code is 1
    if they differ.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.dataset.releases.verification import compare_releases

    with progress("Comparing") as report:
        changes = compare_releases(first, second, JobToken(report))
    for title, names in (
        ("added", changes.videos_added),
        ("removed", changes.videos_removed),
    ):
        if names:
            click.echo(one_line(f"videos {title}: {len(names):,}, for example {names[0]}"))
    if changes.moved:
        video, old, new = changes.moved[0]
        text = (
            f"videos in another split: {len(changes.moved):,}, for example {video}: {old} → {new}"
        )
        click.echo(one_line(text))
    for task in changes.tasks:
        numbers = f"{task.added:,} added, {task.removed:,} removed, {task.changed:,} changed"
        click.echo(f"{task.task}: {numbers}")
        for video, text in task.examples:
            click.echo(one_line(f"  {video}: {text}"))
    if changes.are_none:
        click.echo("No differences.")
    else:
        context.exit(FAILURE)
