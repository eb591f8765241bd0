"""Hub status of a rater's project for the window, and the exchanges that change it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.domain.ids import TaskId
from annotator.services.fetching.fetch import template_of
from annotator.services.hub.claims import Claims
from annotator.services.hub.hub_place import (
    connected,
    keep_password,
    open_hub,
    password_of,
    place_of,
    read_invitation,
)
from annotator.services.hub.rater_sync import STOCK, Rating, join
from annotator.services.workflow.sent_packages import origin_of
from annotator.store.workflow import travel
from annotator.sync.hub import Message, check_protocol

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject


SHORT_S: Final = 1.0
"""For how long a window repeats a call: the next exchange comes by itself."""


@dataclass(frozen=True, slots=True)
class ProjectHubStatus:
    """State of a rater's project: unsent submissions and tasks that are ready to open.

    ``receipts`` say of each task what became of the last submission: when it was received (ms), or
    what the lead's project made of it; None while it waits to be sent. ``missing`` are videos that
    were not found just now; ``is_fetchable``: the project says where they are.
    """

    place: str
    n_waiting: int
    ready: frozenset[TaskId]
    unread: tuple[Message, ...] = ()
    receipts: Mapping[TaskId, int | str | None] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    is_fetchable: bool = False


def join_now(invitation: Path, path: Path, password: str = "") -> Path:
    """Create a person's project for a shared project and return its path.

    ``password`` is kept in the keyring of the system. UserError says why it cannot be.
    """
    from annotator.services.project.projects import with_suffix

    told = read_invitation(invitation)
    if told.place.host and password:
        keep_password(told.place, password)
    path = with_suffix(path).absolute()
    with closing(open_hub(told.place, told.person_id)) as hub:
        join(path, told, hub)
    return path


def needs_password(invitation: Path) -> str:
    """Return the person whose password an invitation needs, "" for none."""
    told = read_invitation(invitation)
    return told.person if told.place.host and not password_of(told.place) else ""


def is_shared(project: OpenProject) -> bool:
    """Return whether a project belongs to one person of a shared project."""
    return origin_of(project) is not None and place_of(project) is not None


def hub_status_of(project: OpenProject) -> ProjectHubStatus:
    """Return the hub status of a project, as far as it is known offline."""
    place, claims = place_of(project), Claims(project)
    tasks = {claim.assignment_id: claim.task_id for claim in claims.all()}
    receipts: dict[TaskId, int | str | None] = {}
    sent_claims = claims.sent()
    for key, assignment_id in travel.submissions_with_assignments(project.file):
        sent = sent_claims.get(key)
        if assignment_id in tasks:
            receipts[tasks[assignment_id]] = (sent.outcome or sent.at) if sent else None
    return ProjectHubStatus(
        place.name if place is not None else "",
        len(claims.outbox()),
        frozenset(claim.task_id for claim in claims.stock()),
        tuple(claims.unread()),
        receipts,
    )


def exchange(project: OpenProject, *, stock: int = STOCK) -> ProjectHubStatus:
    """Send, renew, fetch messages and fill the stock; HubError if that fails."""
    with connected(project, patience_s=SHORT_S) as hub:
        rating = Rating(project, hub)
        done = rating.exchange()
        told = hub.hello()
        check_protocol(told.oldest, told.newest)  # asked before a task is claimed
        rating.fill_stock(stock)
    lost = [project.task(claim.task_id).video_id for claim in done.lost]
    names = tuple(project.media.video(video_id).info.name for video_id in lost)
    now = hub_status_of(project)
    is_fetchable = bool(template_of(project))
    return replace(now, lost=names, missing=tuple(rating.missing), is_fetchable=is_fetchable)


def next_task(project: OpenProject) -> TaskId | None:
    """Return the next task to begin: one in stock, else one more from the hub; None without any."""
    claims = Claims(project)
    for claim in claims.stock():
        return claim.task_id
    with connected(project) as hub:
        return Rating(project, hub).next_task()
