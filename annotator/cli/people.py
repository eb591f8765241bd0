"""``annotator people``: who there is in a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli.common.boundary import one_line
from annotator.cli.package import person_named, sign_in

if TYPE_CHECKING:
    from annotator.services.project.projects import OpenProject

_ROLES = ("rater", "reviewer", "lead", "participant")


@click.command("people")
@click.argument("project", type=click.Path(path_type=Path))
@click.option("--add", "added", metavar="NAME", multiple=True, help="Add a person; repeat it.")
@click.option(
    "--role",
    "roles",
    type=click.Choice(_ROLES),
    multiple=True,
    help="What those who are added may do, a rater if absent; may be repeated.",
)
@click.option(
    "--leave",
    metavar="NAME",
    multiple=True,
    help="Let somebody leave: what they hold waits again.",
)
@click.option("--back", metavar="NAME", multiple=True, help="Let somebody who left work again.")
def people_command(
    project: Path,
    added: tuple[str, ...],
    roles: tuple[str, ...],
    leave: tuple[str, ...],
    back: tuple[str, ...],
) -> None:
    """List the people of PROJECT with their roles, or change who there is.

    Changes are for leads. A PIN is set in the window, by the person.
    """
    from annotator.domain.people import Role
    from annotator.services.project.projects import open_project

    if roles and not added:
        raise click.UsageError("--role requires --add.")
    opened = open_project(project)
    try:
        if added or leave or back:
            sign_in(opened)
        with opened.file.transaction():
            for name in added:
                opened.work.people.add(name, [Role(role) for role in roles or ("rater",)])
            for name in leave:
                opened.work.lead.remove_person(person_named(opened, name))
            for name in back:
                opened.work.lead.bring_back(person_named(opened, name))
        _list(opened)
    finally:
        opened.close()


def _list(project: OpenProject) -> None:
    for person in project.work.people.all():
        told = ", ".join(role for role in _ROLES if role in person.roles)
        left = "" if person.is_active else "\tleft"
        click.echo(f"{one_line(person.name)}\t{told}{left}")
