"""``annotator track`` and ``annotator follow``: objects and points through a video, no window."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from annotator.cli.batch import trackers_named
from annotator.cli.common import terminal
from annotator.cli.common.boundary import FAILURE, fail, one_line
from annotator.cli.common.terminal import Report, progress, show_findings
from annotator.domain.errors import UserError
from annotator.domain.plurals import many

if TYPE_CHECKING:
    from annotator.domain.geometry import Box, Point
    from annotator.domain.proposals.box_proposals import Proposed
    from annotator.domain.proposals.point_proposals import ProposedPoint
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
@terminal.force_option
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
        terminal.check(json_path, video, writes="json", force=force)
    with Video(video) as source:
        anchors = _checked(source, boxes)
        with progress("Tracking") as report:
            proposals = propose_track(source, anchors, tracker=tracker, report=report)
    rows = [list(p.box.as_tuple()) if p.box is not None else None for p in proposals]
    confidence = [round(p.confidence, 4) for p in proposals]
    if json_path is None:
        for proposed, row in zip(proposals, rows, strict=True):
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
    from annotator.services.batch.prepared_proposals import Preparation
    from annotator.services.batch.trackable_gaps import model_named
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
            collected, failed = preparation.collect(opened)
    finally:
        opened.close()
    show_findings(findings)
    for name, reason in failed.items():
        fail(f"{name}: {reason}")
    for name in sorted(collected.videos):
        click.echo(one_line(name))
    if collected.n_objects or collected.n_gaps:
        counts = f"{many(collected.n_objects, 'object')}, {many(collected.n_gaps, 'gap')}"
        click.echo(f"{many(len(collected.videos), 'video')}: {counts} tracked.")
    else:
        click.echo("Nothing to track: all proposals are up to date.")
    if failed:
        context.exit(FAILURE)


def propose_track(
    video: Video, known: dict[int, Box], *, tracker: str | None, report: Report
) -> list[Proposed]:
    """Return box and confidence of every frame; given boxes have confidence 1."""
    from annotator.assist import DEFAULT, propose
    from annotator.domain.proposals.box_proposals import Anchor, Proposed

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
    anchors: dict[int, Box] = {}
    for frame, numbers in boxes:
        if frame >= len(video):
            text = f"frame {frame} does not exist. The video has frames 0 to {len(video) - 1}."
            raise UserError(text, where=str(video.path))
        if frame in anchors:
            raise UserError(f"Frame {frame} has two boxes.", hint="Specify one box per frame.")
        box = Box(*numbers)
        inside = box.clipped(width, height)
        if not box.is_valid or inside.width < 1 or inside.height < 1:
            text = f"Invalid box on frame {frame}: it must have x1 < x2 and y1 < y2 and overlap"
            raise UserError(f"{text} the image of {width} x {height} pixels.")
        anchors[frame] = inside
    return anchors


_NUMBER = r"\s*([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?\d+)?)\s*"
_POINT = re.compile(rf"(.+)@(\d+):{_NUMBER},{_NUMBER}")


class NamedPoint(NamedTuple):
    """A named point on a frame, in image pixels."""

    name: str
    frame: int
    x: float
    y: float


class PointParameter(click.ParamType[NamedPoint]):
    """``NAME@FRAME:x,y``."""

    name = "NAME@FRAME:x,y"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> NamedPoint:
        match = _POINT.fullmatch(str(value))
        if match is None:
            self.fail(
                f"invalid point “{value}”. Use NAME@FRAME:X,Y, for example handle@30:412.5,220",
                param,
                ctx,
            )
        name, frame, x, y = match.groups()
        return NamedPoint(name, int(frame), float(x), float(y))


@click.command("track-points")
@click.argument("video", type=click.Path(path_type=Path))
@click.option(
    "points",
    "--point",
    type=PointParameter(),
    multiple=True,
    required=True,
    help="Known point position in image pixels. Repeatable; all points are tracked together.",
)
@click.option(
    "json_path",
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="JSON file for positions, occlusion and confidences.",
)
@click.option("--tracker", default=None, help="Tracker to use. Default: the standard one.")
@terminal.force_option
def follow_command(
    video: Path,
    points: tuple[NamedPoint, ...],
    json_path: Path | None,
    tracker: str | None,
    force: bool,
) -> None:
    """Track named points between given positions.

    A point given once is tracked to both ends of the video. Coordinates are
    image pixels; the center of the top-left pixel is (0.5, 0.5). The JSON is
    {"points": {NAME: {"xy": [[x, y] or null for each frame], "occluded": [0 or 1
    for each frame], "confidence": [0..1 for each frame]}}}; where xy is null the
    point is out of view or was not asked for. Without --output a table is
    printed.
    """
    from annotator.media import Video
    from annotator.services.files import write_atomically

    if json_path is not None:
        terminal.check(json_path, video, writes="json", force=force)
    with Video(video) as source:
        anchors = _checked_points(source, points)
        with progress("Following") as report:
            proposals = propose_paths(source, anchors, tracker=tracker, report=report)
    if json_path is None:
        for name, path in proposals.items():
            for p in path:
                cells = [f"{p.xy.x:.2f}", f"{p.xy.y:.2f}"] if p.xy else ["-", "-"]
                row = [name, str(p.frame), *cells, str(_is_hidden(p)), f"{p.confidence:.3f}"]
                click.echo("\t".join(row))
        return
    text = json.dumps({"points": {n: _record(p) for n, p in proposals.items()}}, allow_nan=False)
    write_atomically(json_path, [text.encode(), b"\n"])
    click.echo(json_path)


def propose_paths(
    video: Video,
    anchors_by_point: dict[str, dict[int, Point]],
    *,
    tracker: str | None,
    report: Report,
) -> dict[str, list[ProposedPoint]]:
    """Return every point on every frame; given places have confidence 1."""
    from annotator.assist import DEFAULT_POINTS, propose_points
    from annotator.domain.proposals.point_proposals import ProposedPoint

    anchors = {name: sorted(places.items()) for name, places in anchors_by_point.items()}
    paths: dict[str, dict[int, ProposedPoint]] = {name: {} for name in anchors_by_point}
    n_frames_total = sum(_reach(list(places), len(video)) for places in anchors_by_point.values())
    proposals = propose_points(video, anchors, tracker=tracker or DEFAULT_POINTS)
    for n_seen, (name, proposed) in enumerate(proposals):
        paths[name][proposed.frame] = proposed
        report(min(1.0, n_seen / (2 * n_frames_total)), "")
    for name, places in anchors_by_point.items():
        for frame, place in places.items():
            paths[name][frame] = ProposedPoint(frame, place, False, 1.0)
    return {
        name: [path.get(f, ProposedPoint(f, None, False, 0.0)) for f in range(len(video))]
        for name, path in paths.items()
    }


def _reach(frames: Sequence[int], n_frames: int) -> int:
    """How many frames are followed."""
    return n_frames if len(frames) == 1 else max(frames) - min(frames) + 1


def _record(path: Sequence[ProposedPoint]) -> dict[str, list[object]]:
    return {
        "xy": [[p.xy.x, p.xy.y] if p.xy else None for p in path],
        "occluded": [_is_hidden(p) for p in path],
        "confidence": [round(p.confidence, 4) for p in path],
    }


def _is_hidden(proposed: ProposedPoint) -> int:
    """1 where the point cannot be seen, be it covered or out of view."""
    return int(proposed.occluded or proposed.xy is None)


def _checked_points(video: Video, points: Sequence[NamedPoint]) -> dict[str, dict[int, Point]]:
    from annotator.domain.geometry import Point

    width, height = video.size
    anchors: dict[str, dict[int, Point]] = {}
    for name, frame, x, y in points:
        if frame >= len(video):
            text = f"frame {frame} does not exist. The video has frames 0 to {len(video) - 1}."
            raise UserError(text, where=str(video.path))
        if not (0 <= x <= width and 0 <= y <= height):
            text = (
                f"point “{name}” on frame {frame} is outside the image of {width} x {height} pixels"
            )
            raise UserError(f"{text}: {x:g},{y:g}.")
        places = anchors.setdefault(name, {})
        if frame in places:
            text = f"Point “{name}” has two positions on frame {frame}."
            raise UserError(text, hint="Specify one position per point and frame.")
        places[frame] = Point(x, y)
    return anchors
