"""``annotator follow``: follow named points through a video without a window."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from annotator.cli.common import output
from annotator.cli.common.progress import Report, progress
from annotator.domain.errors import UserError

if TYPE_CHECKING:
    from annotator.domain.geometry import Point
    from annotator.domain.proposals.points import ProposedPoint
    from annotator.media import Video

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
@output.force_option
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
        output.check(json_path, video, writes="json", force=force)
    with Video(video) as source:
        known = _checked(source, points)
        with progress("Following") as report:
            found = propose_paths(source, known, tracker=tracker, report=report)
    if json_path is None:
        for name, path in found.items():
            for p in path:
                cells = [f"{p.xy.x:.2f}", f"{p.xy.y:.2f}"] if p.xy else ["-", "-"]
                row = [name, str(p.frame), *cells, str(_is_hidden(p)), f"{p.confidence:.3f}"]
                click.echo("\t".join(row))
        return
    text = json.dumps({"points": {n: _record(p) for n, p in found.items()}}, allow_nan=False)
    write_atomically(json_path, [text.encode(), b"\n"])
    click.echo(json_path)


def propose_paths(
    video: Video, known: dict[str, dict[int, Point]], *, tracker: str | None, report: Report
) -> dict[str, list[ProposedPoint]]:
    """Return every point on every frame; known places stand with confidence 1."""
    from annotator.assist import DEFAULT_POINTS, propose_points
    from annotator.domain.proposals.points import ProposedPoint

    anchors = {name: sorted(places.items()) for name, places in known.items()}
    found: dict[str, dict[int, ProposedPoint]] = {name: {} for name in known}
    wanted = sum(_reach(list(places), len(video)) for places in known.values())
    proposals = propose_points(video, anchors, tracker=tracker or DEFAULT_POINTS)
    for n_seen, (name, proposed) in enumerate(proposals):
        found[name][proposed.frame] = proposed
        report(min(1.0, n_seen / (2 * wanted)), "")
    for name, places in known.items():
        for frame, place in places.items():
            found[name][frame] = ProposedPoint(frame, place, False, 1.0)
    return {
        name: [path.get(f, ProposedPoint(f, None, False, 0.0)) for f in range(len(video))]
        for name, path in found.items()
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


def _checked(video: Video, points: Sequence[NamedPoint]) -> dict[str, dict[int, Point]]:
    from annotator.domain.geometry import Point

    width, height = video.size
    known: dict[str, dict[int, Point]] = {}
    for name, frame, x, y in points:
        if frame >= len(video):
            text = f"frame {frame} does not exist. The video has frames 0 to {len(video) - 1}."
            raise UserError(text, where=str(video.path))
        if not (0 <= x <= width and 0 <= y <= height):
            text = (
                f"point “{name}” on frame {frame} is outside the image of {width} x {height} pixels"
            )
            raise UserError(f"{text}: {x:g},{y:g}.")
        places = known.setdefault(name, {})
        if frame in places:
            text = f"Point “{name}” has two positions on frame {frame}."
            raise UserError(text, hint="Specify one position per point and frame.")
        places[frame] = Point(x, y)
    return known
