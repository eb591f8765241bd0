"""``annotator media``: probe a media file, save one frame, fetch videos."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.terminal import progress
from annotator.domain.errors import UserError
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.json_type import Json
    from annotator.media.files.probe import ProbeReport
    from annotator.media.index.frame_table import FrameTable


@click.group("media")
def media_group() -> None:
    """Inspect video files, extract frames, and fetch the videos of a project."""


@media_group.command("probe")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--frames",
    "has_frames",
    is_flag=True,
    help="Decode every frame with annotator and with OpenCV, and list frame times.",
)
def probe_command(file: Path, is_json: bool, has_frames: bool) -> None:
    """Show streams, frame count and known problems of a media file.

    Reports where OpenCV, which most benchmarks load videos with, counts frames
    differently. Damaged frames are found with --frames only.
    """
    from annotator.media.files.probe import probe

    with progress("Decoding") as report:
        media = probe(
            file,
            check_frames=has_frames,
            progress=lambda done, total: report(done / max(total, 1), ""),
        )
    if is_json:
        value = _facts(media)
        if has_frames and media.table is not None:
            value["frames"] = list(_frame_rows(media.table))
        click.echo(json.dumps(value, ensure_ascii=False, indent=1))
        return
    for line in _lines(media):
        click.echo(line)
    if has_frames and media.table is not None:
        click.echo("frame\tpts\ttime\tsync")
        for row in _frame_rows(media.table):
            mark = "*" if row["sync"] else ""
            click.echo(f"{row['index']}\t{row['pts']}\t{row['time']:.6f}\t{mark}")


@media_group.command("extract-frame")
@click.argument("video", type=click.Path(path_type=Path))
@click.argument("index", type=int)
@click.argument("out", metavar="OUT.png", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "out_option",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="As OUT.png.",
)
@terminal.force_option
def frame_command(
    video: Path, index: int, out: Path | None, out_option: Path | None, force: bool
) -> None:
    """Write one frame of a video as PNG.

    INDEX is the frame index in presentation order, starting at 0.
    """
    from annotator.media import Video
    from annotator.media.decode.convert import png_bytes
    from annotator.services.files import write_atomically

    out = out or out_option
    if out is None:
        raise click.UsageError("Specify the output file.")
    if out.suffix.lower() != ".png":
        raise UserError(
            "Cannot write the frame: only PNG output is supported.",
            hint="Use a file name that ends in .png.",
            where=str(out),
        )
    terminal.check(out, video, writes="image", force=force)
    with Video(video) as source:
        if not 0 <= index < len(source):
            text = f"frame {index} does not exist. The video has frames 0 to {len(source) - 1}."
            raise UserError(text, where=str(video))
        picture = source.image(index)
    write_atomically(out, [png_bytes(picture)])
    click.echo(out)


@media_group.command("fetch")
@click.argument("project", type=click.Path(path_type=Path))
@click.argument("names", metavar="[VIDEO]...", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="All missing videos of the project.")
@click.option("--from", "template", metavar="ADDRESS", help="Where the videos are, from now on.")
@click.option(
    "--addresses",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="CSV file with the columns name and address, used once. Addresses may be signed.",
)
@click.option("--login", metavar="NAME", help="Login of the server. Its password is asked for.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@click.pass_context
def fetch_command(
    context: click.Context,
    project: Path,
    names: tuple[str, ...],
    is_all: bool,
    template: str | None,
    addresses: Path | None,
    login: str | None,
    as_json: bool,
) -> None:
    """Fetch missing videos of a project into the cache of this computer.

    Without VIDEO or --all, those of your tasks. ADDRESS is a template such as
    https://HOST/videos/{name}, s3://BUCKET/{hash}.mp4, sftp://HOST/videos/{name},
    smb://HOST/SHARE/{name} or file:///FOLDER/{name}. Default: the address in
    the invitation or the recipe.
    """
    from annotator.services.fetching import fetch
    from annotator.services.fetching.remote_files import keep_login
    from annotator.services.fetching.video_cache import video_cache
    from annotator.services.project.projects import open_project
    from annotator.services.settings import Settings

    settings = Settings()
    cache = video_cache(settings)
    listed = fetch.read_addresses(addresses) if addresses is not None else {}
    fetched: list[str] = []
    failed: list[str] = []
    opened = open_project(project)
    try:
        if template is not None:
            fetch.keep_template(opened, template)
        if used := fetch.template_of(opened):
            if login is not None:
                keep_login(fetch.source_of(used), login, _password(login))
            fetch.allow(settings, used)
        videos = {entry.id: entry for entry in opened.videos()}
        id_by_name = {entry.name: entry.id for entry in videos.values()}
        if unknown := [name for name in names if name not in id_by_name]:
            raise click.UsageError(f"Unknown video “{one_line(unknown[0])}”.")
        names_wanted = list(videos) if is_all else fetch.in_hand(opened)
        names_wanted = [id_by_name[name] for name in names] or names_wanted
        missing = [videos[video_id] for video_id in names_wanted if videos[video_id].path is None]
        with progress("Fetching", lambda: "Stopped. The next run goes on from here.") as report:
            for i, entry in enumerate(missing):

                def report_share(share: float, i: int = i, name: str = entry.name) -> None:
                    report((i + share) / len(missing), name)

                try:
                    fetch.fetch_video(
                        opened, entry.id, cache, addresses=listed, progress=report_share
                    )
                    fetched.append(entry.name)
                except UserError as error:
                    fail(f"{entry.name}: {error}")
                    failed.append(entry.name)
    finally:
        opened.close()
    if as_json:
        value = {"fetched": fetched, "failed": failed, "cache": str(cache.folder)}
        click.echo(json.dumps(value, ensure_ascii=False))
    else:
        click.echo(f"{many(len(fetched), 'video')} fetched, {len(failed)} failed.")
    if failed:
        context.exit(FAILURE)


def _password(login: str) -> str:
    """Return a password from the environment, or ask for it."""
    found = os.environ.get("ANNOTATOR_MEDIA_PASSWORD")
    return found or str(click.prompt(f"Password of {one_line(login)}", hide_input=True, err=True))


def _facts(media: ProbeReport) -> dict[str, Json]:
    return {
        "path": str(media.path),
        "container": media.container,
        "codec": media.codec,
        "pixel_format": media.pixel_format,
        "width": media.size[0],
        "height": media.size[1],
        "rotation": media.rotation,
        "is_flipped": media.is_flipped,
        "pixel_shape": f"{media.sar.numerator}:{media.sar.denominator}",
        "frame_rate": media.rate,
        "is_variable_rate": media.is_variable_rate,
        "n_frames": media.n_frames,
        "duration_s": media.duration_s,
        "opencv_count": media.opencv_count,
        "opencv_frames": media.opencv_frames,
        "audio": [
            {
                "stream": sound.stream,
                "codec": sound.codec,
                "rate": sound.rate,
                "channels": sound.channels,
                "layout": sound.layout,
                "language": sound.language,
                "duration_s": sound.duration_s,
            }
            for sound in media.audio
        ],
        "findings": [{"code": f.code, "text": f.text, "frame": f.frame} for f in media.findings],
    }


def _lines(media: ProbeReport) -> Iterator[str]:
    yield f"{one_line(str(media.path))}: {media.container}"
    if media.codec is None:
        yield "  no video stream"
    else:
        width, height = media.size
        turned = f", rotated by {media.rotation} degrees" if media.rotation else ""
        flipped = ", mirrored" if media.is_flipped else ""
        yield f"  video   {media.codec}, {media.pixel_format}, {width} x {height}{turned}{flipped}"
        rate = "variable rate, on average" if media.is_variable_rate else "constant rate,"
        yield f"  frames  {media.n_frames}, {rate} {media.rate:.3f}/s, {media.duration_s:.3f} s"
        if media.sar != 1:
            yield f"  pixels  {media.sar.numerator}:{media.sar.denominator}, displayed as stored"
        read = "" if media.opencv_frames is None else f", reads {media.opencv_frames}"
        yield f"  opencv  reports {media.opencv_count}{read}"
    for sound in media.audio:
        length = "" if sound.duration_s is None else f", {sound.duration_s:.3f} s"
        channels = f"{sound.channels} channel{'s' if sound.channels != 1 else ''}"
        yield f"  audio   {sound.codec}, {sound.rate} Hz, {channels}{length}"
    for finding in media.findings:
        yield f"  issue   {one_line(finding.text)}"


def _frame_rows(table: FrameTable) -> Iterator[dict[str, Json]]:
    sync = table.sync
    for index in range(len(table)):
        yield {
            "index": index,
            "pts": int(table.pts[index]),
            "time": table.time(index),
            "sync": bool(sync[index]),
        }
