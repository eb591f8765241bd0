"""A project with stages and its people, for tests of the window."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.geometry import Box
from annotator.domain.ids import PersonId, TaskId, TrackId, track_id
from annotator.domain.people import Role
from annotator.domain.work.records import Verdict
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.session import Session

KIND = "object-tracks"
CUP, MUG = Box(20, 60, 80, 120), Box(150, 20, 210, 90)


@dataclass
class Team:
    """The project file and who works on it."""

    path: Path
    people: dict[str, PersonId] = field(default_factory=dict)

    def do(self, project: OpenProject, name: str, stage: str) -> Session:
        """Let somebody take the next task of boxes at a stage."""
        project.work.people.sign_in(self.people[name])
        record = project.work.claim_next(KIND, stage)
        assert record is not None
        return project.open_task(record.id)

    def annotated(self, *, n: int = 2) -> list[TrackId]:
        """Ann draws a cup and a mug and hands in; returns the objects."""
        project = open_project(self.path)
        session = self.do(project, "Ann", "annotate")
        keys = [track_id() for _ in range(n)]
        for key, label, box in zip(keys, ("cup", "mug"), (CUP, MUG), strict=False):
            session.run(CreateTrack(key, label, 0, box))
            session.run(SetKeyframe(key, 30, box))
        project.work.submit(session)
        project.close()
        return keys

    def checked(self, key: TrackId, box: Box, verdict: Verdict | None = None) -> None:
        """Ben moves an object on frame 30 and hands in."""
        project = open_project(self.path)
        session = self.do(project, "Ben", "check")
        session.run(SetKeyframe(key, 30, box))
        project.work.submit(session, verdict)
        project.close()

    def task(self) -> TaskId:
        project = open_project(self.path)
        found = next(t.id for t in project.tasks() if t.kind == KIND)
        project.close()
        return found


def make_team(folder: Path, clip: Path, names: tuple[str, ...]) -> Team:
    """Make a project by the recipe of the Perception Test with some people and one video."""
    video = folder / clip.name
    video.write_bytes(clip.read_bytes())
    project = create_project(folder / "team", title="Team", recipe="perception-test")
    team = Team(project.path)
    for name in names:
        made = project.work.people.add(name, (Role.RATER, Role.REVIEWER))
        team.people[name] = made.id
    report = project.add_videos([video])
    assert report.failed == ()
    project.close()
    return team
