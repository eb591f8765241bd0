"""Sharing a project for the first time, and inviting people to it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from annotator.domain.errors import WorkError
from annotator.domain.ids import PersonId, ProjectId
from annotator.services.fetching.fetch import own_template_of
from annotator.services.hub.hub_place import (
    INVITATION_SUFFIX,
    HubPlace,
    Invitation,
    address_of,
    keep_password,
    keep_place,
    open_hub,
    place_of,
    save_write_role,
    write_invitation,
)
from annotator.sync.folder import FolderHub
from annotator.sync.hub import LEASE_MS
from annotator.sync.postgres_setup import add_login, set_up

if TYPE_CHECKING:
    from annotator.services.hub.lead_sync import Sharing
    from annotator.services.project.projects import OpenProject


@dataclass(frozen=True, slots=True)
class Shared:
    """The hub of a project; ``password_in`` is the storage of the lead's password."""

    place: HubPlace
    is_new: bool
    password_in: str = ""


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation file, and the password of the person, which is stored nowhere; "" if none."""

    path: Path
    password: str = ""


def share(
    project: OpenProject,
    place: HubPlace,
    *,
    admin: str = "",
    password: str = "",
    lease_ms: int = LEASE_MS,
    takes_over: bool = False,
) -> Shared:
    """Set up the hub of a project; this copy of the project gets the write role.

    ``admin`` and ``password`` are the login of an administrator, needed for a database; the lead
    gets a login of their own. WorkError unless a lead asks, or when another copy of the project
    writes and is not to be taken over from.
    """
    me = project.work.people.check_lead()
    project_id = ProjectId(project.file.meta("project_id") or "")
    hub_place = place_of(project)
    password_in = ""
    if place.folder:
        is_new = not (Path(place.folder) / "hub.json").exists()
        FolderHub.create(Path(place.folder), project_id, title=project.title, lease_ms=lease_ms)
    elif not admin:
        raise WorkError(
            "An administrator of the server has to set up the database.",
            code="needs-admin",
            hint="Specify the login with --as LOGIN.",
        )
    else:
        root = msgspec.structs.replace(place, login=admin)
        address = address_of(root, password)
        is_new = set_up(address, project_id, title=project.title, lease_ms=lease_ms)
        same = hub_place is not None and (hub_place.host, hub_place.database) == (
            place.host,
            place.database,
        )
        if same and hub_place is not None:
            place = hub_place
        else:
            login = add_login(address, me.id, is_lead=True)
            place = msgspec.structs.replace(place, login=login.name)
            password_in = keep_password(place, login.password)
    if is_new or takes_over or hub_place is None or hub_place.name != place.name:
        with closing(open_hub(place, me.id)) as hub:
            if hub.board().write_role and not takes_over:
                raise WorkError(
                    "Another copy of this project publishes and collects the work of this hub.",
                    code="write-role",
                    hint="Use that copy, or take over the write role (--take-over).",
                )
            save_write_role(project, hub.take_write_role())
    keep_place(project, place)
    return Shared(place, is_new, password_in)


def invite(
    project: OpenProject,
    sharing: Sharing,
    person_id: PersonId,
    folder: Path,
    *,
    admin: str = "",
    password: str = "",
) -> Invited:
    """Add a person to the hub and write their invitation into a folder.

    For a database they get a new login, in place of an earlier one.
    """
    place = place_of(project)
    assert place is not None
    person = project.work.people.person(person_id)
    secret = ""
    if place.host:
        if not admin:
            raise WorkError(
                "An administrator of the server has to add a login for the person.",
                code="needs-admin",
                hint="Specify the login with --as LOGIN.",
            )
        root = msgspec.structs.replace(place, login=admin)
        login = add_login(address_of(root, password), person_id, is_lead=False)
        place = msgspec.structs.replace(place, login=login.name)
        secret = login.password
    sharing.add_member(person_id)
    name = "".join(c if c.isalnum() else "-" for c in person.name).strip("-") or "person"
    path = folder / f"{name}{INVITATION_SUFFIX}"
    project_id = ProjectId(project.file.meta("project_id") or "")
    invitation = Invitation(project_id, project.title, person_id, person.name, place)
    write_invitation(path, msgspec.structs.replace(invitation, videos=own_template_of(project)))
    return Invited(path, secret)
