"""A shared project with its people: a lead, two raters and a reviewer, each with a project file."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import PersonId, ProjectId, TaskId, track_id
from annotator.domain.people import Role
from annotator.domain.work.records import Verdict
from annotator.services.hub.hub_place import HubPlace, Invitation
from annotator.services.hub.lead_sync import Sharing
from annotator.services.hub.rater_sync import Rating, join
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.sync.hub import Hub
from tests.sync.worlds import Make, World

BOX = Box(4, 4, 30, 30)
ROLES = {"Ann": [Role.RATER], "Ben": [Role.RATER], "Cat": [Role.RATER, Role.REVIEWER]}


@dataclass
class Member:
    """Somebody who works through the hub."""

    id: PersonId
    project: OpenProject
    rating: Rating
    hub: Hub

    def annotated(self, task_id: TaskId, label: str = "mug") -> None:
        """Draw a box in a task and submit it here."""
        session = self.project.open_task(task_id)
        session.run(CreateTrack(track_id(), label, 0, BOX))
        self.project.work.submit(session)

    def judged(self, task_id: TaskId, verdict: Verdict | None = None) -> None:
        """Submit a task as it is."""
        self.project.work.submit(self.project.open_task(task_id), verdict)


@dataclass
class Team:
    """The lead's project and its hub."""

    home: Path
    world: World
    project: OpenProject
    sharing: Sharing
    people: dict[str, PersonId]
    hub: Hub
    members: list[Member] = field(default_factory=list)

    @property
    def videos(self) -> Path:
        return self.home / "lead" / "videos"

    def member(self, name: str, folder: str = "") -> Member:
        """Let somebody join on a computer of theirs."""
        person_id = self.people[name]
        hub = self.world.hub(person_id)
        path = self.home / (folder or name) / "mine.annot"
        path.parent.mkdir()
        place = HubPlace(folder=str(self.home))
        project_id = hub.hello().project_id
        join(path, Invitation(project_id, "Mugs", person_id, name, place), hub)
        project = open_project(path)
        member = Member(person_id, project, Rating(project, hub, [self.videos]), hub)
        self.members.append(member)
        return member

    def lead_again(self) -> None:
        """Open the lead's project anew, as after a death of the program."""
        self.project.close()
        self.lead_opens()

    def lead_opens(self) -> None:
        """Open the lead's project, which was closed, as its file is now."""
        self.project = open_project(self.project.path)
        self.sharing = Sharing(self.project, self.hub)

    def close(self) -> None:
        for member in self.members:
            member.project.close()
        self.project.close()


def shared(home: Path, clips: Path, make_world: Make, *, recipe: str = "perception-test") -> Team:
    """Make a project, share it, and publish what can be done."""
    (home / "lead").mkdir()
    shutil.copytree(clips, home / "lead" / "videos")
    project = create_project(home / "lead" / "p.annot", title="Mugs", recipe=recipe)
    project.add_videos(sorted((home / "lead" / "videos").iterdir()))
    people = {name: project.work.people.add(name, roles).id for name, roles in ROLES.items()}
    me = project.work.me
    assert me is not None
    project_id = ProjectId(project.file.meta("project_id") or "")
    world = make_world(3_600_000, project_id, [me.id, *people.values()])
    hub = world.hub(me.id)
    hub.take_write_role()
    sharing = Sharing(project, hub)
    for person_id in people.values():
        sharing.add_member(person_id)
    sharing.publish()
    return Team(home, world, project, sharing, people, hub)
