"""``annotator track``: follow one object through a video without a window."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.batch import trackers_named
from annotator.cli.common import output
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.findings import show_findings
from annotator.cli.common.progress import Report, progress
from annotator.cli.common.words import many
from annotator.domain.errors import UserError

if TYPE_CHECKING:
    from annotator.domain.geometry import Box
    from annotator.domain.proposals.boxes import Proposed
    from annotator.media import Video

_BOX = re.compile(r"(\d+):" + ",".join([r"\s*([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?\d+)?)\s*"] * 4))


class BoxParameter(click.ParamType[tuple[int, tuple[float, ...]]]):
    """``FRAME:x1,y1,x2,y2``; gives the frame and the four numbers."""

    name = "FRAME:x1,y1,x2,y2"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, tuple[float, ...]]:
        match = _BOX.fullmatch(str(value))
        if match is None:
            self.fail(
                f"invalid box “{value}”. Use FRAME:X1,Y1,X2,Y2, for example 30:10,20,110,95.5",
                param,
                ctx,
            )
        frame, *numbers = match.groups()
        return int(frame), tuple(float(n) for n in numbers)


@click.command("track-box")
@click.argument("video", type=click.Path(path_type=Path))
@click.option(
    "boxes",
    "--box",
    type=BoxParameter(),
    multiple=True,
    required=True,
    help="Known box in image pixels. Repeatable; between two boxes the tracker runs both ways.",
)
@click.option(
    "json_path",
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="JSON file for boxes and confidences.",
)
@click.option("--tracker", default=None, help="Tracker to use. Default: the standard one.")
@output.force_option
def track_command(
    video: Path,
    boxes: tuple[tuple[int, tuple[float, ...]], ...],
    json_path: Path | None,
    tracker: str | None,
    force: bool,
) -> None:
    """Track an object from one or more boxes.

    Coordinates are image pixels; the center of the top-left pixel is (0.5, 0.5).
    The JSON is {"boxes": [[x1, y1, x2, y2] or null for each frame],
    "confidence": [0..1 for each frame]}; null means out of view. Without
    --output a table is printed.
    """
    from annotator.media import Video
    from annotator.services.files import write_atomically

    if json_path is not None:
        output.check(json_path, video, writes="json", force=force)
    with Video(video) as source:
        known = _checked(source, boxes)
        with progress("Tracking") as report:
            found = propose_track(source, known, tracker=tracker, report=report)
    rows = [list(p.box.as_tuple()) if p.box is not None else None for p in found]
    confidence = [round(p.confidence, 4) for p in found]
    if json_path is None:
        for proposed, row in zip(found, rows, strict=True):
            cells = [f"{v:.2f}" for v in row] if row else ["-"] * 4
            click.echo("\t".join([str(proposed.frame), *cells, f"{proposed.confidence:.3f}"]))
        return
    text = json.dumps({"boxes": rows, "confidence": confidence}, allow_nan=False)
    write_atomically(json_path, [text.encode(), b"\n"])
    click.echo(json_path)


@click.command("propose")
@click.argument("project", type=click.Path(path_type=Path))
@click.option(
    "--detections",
    metavar="MODEL",
    help="Track the single boxes that were imported as proposals of this model.",
)
@click.option("--tracker", default=None, help="Tracker to use. Default: the standard one.")
@click.pass_context
def propose_command(
    context: click.Context, project: Path, detections: str | None, tracker: str | None
) -> None:
    """Track objects in many tasks in advance.

    By default the tracker runs from the keyframes of the tasks that people have
    in progress. With --detections it links and tracks the boxes that a model
    found on single frames; the results wait as proposals in every task of the
    video. Interrupt it with Ctrl+C and run it again to continue.
    """
    from annotator.services.background.jobs import JobToken
    from annotator.services.batch.preparing import Preparation
    from annotator.services.batch.wanted import model_named
    from annotator.services.project.projects import open_project

    trackers = trackers_named(tracker, None)
    opened = open_project(project)
    try:
        model = model_named(opened, detections) if detections is not None else None
        preparation = Preparation(opened.path)
        findings = preparation.plan(opened, trackers, model).findings
        try:
            with progress("Tracking") as report:
                preparation.run_here(JobToken(report))
        finally:
            done, failed = preparation.collect(opened)
    finally:
        opened.close()
    show_findings(findings)
    for name, reason in failed.items():
        fail(f"{name}: {reason}")
    for name in sorted(done.videos):
        click.echo(one_line(name))
    if done.n_objects or done.n_gaps:
        counts = f"{many(done.n_objects, 'object')}, {many(done.n_gaps, 'gap')}"
        click.echo(f"{many(len(done.videos), 'video')}: {counts} tracked.")
    else:
        click.echo("Nothing to track: all proposals are up to date.")
    if failed:
        context.exit(FAILURE)


def propose_track(
    video: Video, known: dict[int, Box], *, tracker: str | None, report: Report
) -> list[Proposed]:
    """Return box and confidence of every frame; known boxes stand with confidence 1."""
    from annotator.assist import DEFAULT, propose
    from annotator.domain.proposals.boxes import Anchor, Proposed

    anchors = [Anchor(frame, known[frame]) for frame in sorted(known)]
    found = {frame: Proposed(frame, box, 1.0) for frame, box in known.items()}
    for start, end in _gaps(sorted(known), len(video)):
        for proposed in propose(video, anchors, (start, end), tracker=tracker or DEFAULT):
            found[proposed.frame] = proposed
            report(len(found) / len(video), "")
    return [found.get(frame, Proposed(frame, None, 0.0)) for frame in range(len(video))]


def _gaps(frames: Sequence[int], n_frames: int) -> list[tuple[int, int]]:
    """Return the half-open spans between, before and after the given frames."""
    ends = [-1, *frames, n_frames]
    spans = [(a + 1, b) for a, b in pairwise(ends)]
    return [(a, b) for a, b in spans if a < b]


def _checked(video: Video, boxes: Sequence[tuple[int, tuple[float, ...]]]) -> dict[int, Box]:
    from annotator.domain.geometry import Box

    width, height = video.size
    known: dict[int, Box] = {}
    for frame, numbers in boxes:
        if frame >= len(video):
            text = f"frame {frame} does not exist. The video has frames 0 to {len(video) - 1}."
            raise UserError(text, where=str(video.path))
        if frame in known:
            raise UserError(f"Frame {frame} has two boxes.", hint="Specify one box per frame.")
        box = Box(*numbers)
        inside = box.clipped(width, height)
        if not box.is_valid or inside.width < 1 or inside.height < 1:
            text = f"Invalid box on frame {frame}: it must have x1 < x2 and y1 < y2 and overlap"
            raise UserError(f"{text} the image of {width} x {height} pixels.")
        known[frame] = inside
    return known
