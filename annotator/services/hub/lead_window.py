"""The lead's hub for the window: a round of collecting, the live board, and actions on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.domain.ids import PersonId, TaskId
from annotator.services.fetching.fetch import keep_template
from annotator.services.hub.hub_place import HubPlace, connected, place_of
from annotator.services.hub.hub_setup import invite, share
from annotator.services.hub.hub_status import SHORT_S
from annotator.services.hub.lead_sync import Sharing
from annotator.services.workflow.sent_packages import origin_of
from annotator.sync.hub import WriteRoleLostError

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject
    from annotator.sync.hub import Hub


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A claimed task on the live board; times are milliseconds by the clock of the hub."""

    claim_id: str
    task_id: TaskId | None
    video: str
    kind: str
    stage: str
    person: str
    since: int
    seen: int
    until: int


@dataclass(frozen=True, slots=True)
class LeadHubStatus:
    """State of a shared project; ``refused`` are submissions with the reason.

    ``may_write`` is False where another copy of the project publishes and collects.
    """

    place: str
    now: int
    n_open: int
    n_submitted: int
    n_pending: int
    lines: Sequence[BoardLine]
    members: frozenset[PersonId]
    may_write: bool = True
    n_taken_in: int = 0
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SharingRequest:
    """Wish of a lead: where the work is shared, with whom, and for how long a claim lasts.

    ``admin`` and ``password`` are the login of an administrator, needed for a database alone.
    ``videos`` is the template of the addresses that people fetch videos from, "" for none.
    """

    place: HubPlace
    people: Sequence[PersonId]
    folder: Path
    admin: str = ""
    password: str = ""
    lease_h: float = 72.0
    videos: str = ""


@dataclass(frozen=True, slots=True)
class SharedNow:
    """Result of sharing: new seats, and invitation files with the passwords, "" without one."""

    n_published: int
    invitations: Sequence[tuple[str, Path, str]]


def is_shared_by_lead(project: OpenProject) -> bool:
    """Return whether a project is the lead's of a hub."""
    return place_of(project) is not None and origin_of(project) is None


def share_now(
    project: OpenProject,
    request: SharingRequest,
    on_progress: Callable[[float, str], object] = lambda _fraction, _name: None,
) -> SharedNow:
    """Share a project, invite people, and publish; see `setup.share`."""
    if request.videos:
        keep_template(project, request.videos)
    lease_ms = round(request.lease_h * 3_600_000)
    admin, password = request.admin, request.password
    if place_of(project) != request.place:
        share(project, request.place, admin=admin, password=password, lease_ms=lease_ms)
    with connected(project) as hub:
        sharing = Sharing(project, hub)
        invitations = []
        for person_id in request.people:
            invitation = invite(
                project, sharing, person_id, request.folder, admin=admin, password=password
            )
            name = project.work.people.person(person_id).name
            invitations.append((name, invitation.path, invitation.password))
        n_new = sharing.publish(on_progress=on_progress)
    return SharedNow(n_new, invitations)


def round_at(project: OpenProject) -> LeadHubStatus:
    """Collect, publish, and return the state of the work."""
    with connected(project, patience_s=SHORT_S) as hub:
        sharing = Sharing(project, hub)
        try:
            done = sharing.step()
        except WriteRoleLostError:
            return replace(_status(project, hub, sharing), may_write=False)
        status = _status(project, hub, sharing)
    return replace(status, n_taken_in=done.n_taken_in, refused=tuple(done.refused))


def publish_all(
    project: OpenProject, on_progress: Callable[[float, str], object], *, is_anew: bool = False
) -> int:
    """Offer all tasks that can be done; return how many seats are new."""
    with connected(project) as hub:
        return Sharing(project, hub).publish(is_anew=is_anew, on_progress=on_progress)


def take_back(project: OpenProject, claim_ids: Collection[str]) -> int:
    """Take claimed tasks back; return how many were."""
    project.work.people.check_lead()
    with connected(project) as hub:
        return hub.revoke(claim_ids)


def send_message(project: OpenProject, text: str, person_id: PersonId | None = None) -> None:
    """Send a message to one person, or to everybody."""
    project.work.people.check_lead()
    with connected(project) as hub:
        hub.message(text, person_id)


def _status(project: OpenProject, hub: Hub, sharing: Sharing) -> LeadHubStatus:
    board = hub.board()
    place = place_of(project)
    names = {person.id: person.name for person in project.work.people.all()}
    lines: list[BoardLine] = []
    for holder in board.holders:
        note = sharing.note(holder.seat_id)
        task = project.task(note.task_id) if note is not None else None
        stage = project.work.record(task.id).stage if task is not None else ""
        lines.append(
            BoardLine(
                holder.claim_id,
                task.id if task is not None else None,
                project.media.video(task.video_id).info.name if task else holder.seat_id,
                task.kind if task is not None else "",
                stage,
                names.get(holder.person_id, "?"),
                holder.since,
                holder.seen,
                holder.until,
            )
        )
    return LeadHubStatus(
        place.name if place is not None else "",
        board.now,
        board.n_free,
        board.n_done,
        board.n_pending,
        lines,
        sharing.members,
    )
