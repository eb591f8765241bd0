"""What people draw in the runs: a ball is put into a box, and it clicks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import (
    CreatePoint,
    CreateSegment,
    CreateTrack,
    SetKeyframe,
    SetPoint,
)
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import TrackId, point_id, segment_id, track_id
from annotator.services.session import Session
from tests.e2e.recipes.team import Team

PUT = "Putting something into something"
_PLACES = {"ball": Box(10, 10, 40, 40), "box": Box(60, 20, 120, 80), "lamp": Box(125, 5, 155, 30)}


def draw(
    team: Team, names: tuple[str, str, str], videos: Collection[str], kinds: Sequence[str]
) -> None:
    """Let three people annotate, check and verify some videos; the lead is back then."""
    for kind in kinds:
        for name, stage in zip(names, ("annotate", "check", "verify"), strict=True):
            team.sit_down(name)
            work = team.project.work
            for free in work.free_tasks(kind, stage):
                if Path(free.video).stem in videos:
                    team.lead_sits_down()
                    work.lead.assign([free.task_id], team.people[name])
                    team.sit_down(name)
                    session = team.project.open_task(free.task_id)
                    if stage == "annotate":
                        _DRAWN[kind](session)
                    work.submit(session)
    team.lead_sits_down()


def _draw_tracks(session: Session) -> None:
    last = session.document.video.n_frames - 1
    for label, box in _PLACES.items():
        track = track_id()
        session.run(CreateTrack(track, label, 0, box))
        moved = 8 if label == "ball" else 0
        end = Box(box.x1 + moved, box.y1, box.x2 + moved, box.y2)
        session.run(SetKeyframe(track, last, end))


def _draw_points(session: Session) -> None:
    for each in session.document.tracks:
        center = _PLACES[each.info.label].center
        for place in range(3):
            point = point_id()
            xy = Point(center.x - 4 + 4 * place, center.y)
            session.run(CreatePoint(point, each.id, f"part {place + 1}", 0, xy))
            for frame in range(1, session.document.video.n_frames):
                session.run(SetPoint(point, frame, xy))


def _draw_actions(session: Session) -> None:
    tracks = _by_label(session)
    action = Segment(segment_id(), Lane.ACTION, PUT, 2, 8, 101, (tracks["ball"], tracks["box"]))
    session.run(CreateSegment(action))


def _draw_sounds(session: Session) -> None:
    tracks = _by_label(session)
    sound = Segment(segment_id(), Lane.SOUND, "Interaction:hitting", 7, 9, 7, (tracks["ball"],))
    session.run(CreateSegment(sound))


def _by_label(session: Session) -> dict[str, TrackId]:
    return {each.info.label: each.id for each in session.document.tracks}


_DRAWN = {
    "object-tracks": _draw_tracks,
    "point-tracks": _draw_points,
    "actions": _draw_actions,
    "sounds": _draw_sounds,
}
