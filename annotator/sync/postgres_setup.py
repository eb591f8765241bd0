"""Set up of a PostgreSQL hub by an administrator: roles, database, schema, and a login per person.

The schema belongs to the role hub_owner, which cannot sign in and is no superuser. Logins are in
one of the groups hub_lead and hub_rater, and may connect to this database alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from annotator import paths
from annotator.domain.errors import ProjectError
from annotator.domain.ids import PersonId, ProjectId
from annotator.sync.hub import LEASE_MS, PROTOCOL, HubError
from annotator.sync.postgres import connect, explained

if TYPE_CHECKING:
    import psycopg

SCHEMA: Final = 1
"""The newest schema that this program knows: the last of the numbered files in resources/hub."""

_GROUPS: Final = ("hub_owner", "hub_lead", "hub_rater")
_LOCK: Final = 0x616E6E6F74  # of the advisory lock: one set-up at a time
_CONNECTIONS: Final = 4
_TIMEOUT: Final = "15s"


class Login(NamedTuple):
    """A new login and its password, which is stored nowhere."""

    name: str
    password: str


def set_up(
    admin: Mapping[str, str], project_id: ProjectId, *, title: str = "", lease_ms: int = LEASE_MS
) -> bool:
    """Make the database of ``admin`` the hub of a project; return whether it is new.

    ``admin`` is an address with a login that may create roles and databases (see `PostgresHub`).
    One that is the project's hub already is upgraded. ProjectError when it is another project's.
    """
    from psycopg import sql

    with explained():
        with connect({**admin, "dbname": "postgres"}) as connection:
            for group in _GROUPS:
                row = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (group,))
                if row.fetchone() is None:
                    connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(group)))
            name = admin["dbname"]
            row = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,))
            if row.fetchone() is None:
                database = sql.Identifier(name)
                connection.execute(sql.SQL("CREATE DATABASE {}").format(database))
                connection.execute(
                    sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database)
                )
                connection.execute(
                    sql.SQL("GRANT CREATE ON DATABASE {} TO hub_owner").format(database)
                )
                connection.execute(
                    sql.SQL("GRANT TEMPORARY ON DATABASE {} TO hub_lead").format(database)
                )
        with connect(admin) as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            return _schema(connection, project_id, title, lease_ms)


def add_login(admin: Mapping[str, str], person_id: PersonId, *, is_lead: bool) -> Login:
    """Make a login for a person, in place of an earlier one; the server never sees the password."""
    from psycopg import sql

    login = Login(f"a_{secrets.randbelow(10**10):010d}", secrets.token_urlsafe(15))
    group = "hub_lead" if is_lead else "hub_rater"
    with explained(), connect(admin) as connection, connection.transaction():
        verifier = connection.pgconn.encrypt_password(
            login.password.encode(), login.name.encode(), b"scram-sha-256"
        )
        name = sql.Identifier(login.name)
        create = "CREATE ROLE {} LOGIN CONNECTION LIMIT {} IN ROLE {} PASSWORD {}"
        connection.execute(
            sql.SQL(create).format(
                name, sql.Literal(_CONNECTIONS), sql.Identifier(group), verifier.decode()
            )
        )
        timeout = sql.SQL("ALTER ROLE {} SET statement_timeout = {}")
        connection.execute(timeout.format(name, sql.Literal(_TIMEOUT)))
        database = sql.Identifier(admin["dbname"])
        connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, name))
        old = connection.execute(
            "SELECT login::text FROM hub.person WHERE id = %s::uuid AND login IS NOT NULL",
            (person_id,),
        ).fetchone()
        connection.execute(
            "INSERT INTO hub.person (id, login) VALUES (%s::uuid, %s)"
            " ON CONFLICT (id) DO UPDATE SET login = excluded.login",
            (person_id, login.name),
        )
        if old is not None:
            # What the old one did keeps its name; it can only not sign in any more.
            connection.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(old[0])))
    return login


def _schema(
    connection: psycopg.Connection[Any], project_id: ProjectId, title: str, lease_ms: int
) -> bool:
    """Make the schema, or bring it up to date; return whether it was made."""
    has_schema = connection.execute("SELECT to_regclass('hub.meta') IS NOT NULL").fetchone()
    if has_schema is not None and has_schema[0]:
        row = connection.execute("SELECT schema, project_id::text FROM hub.meta").fetchone()
        if row is None or row[1] != project_id:
            raise ProjectError(
                "The database is the hub of another project.",
                hint="Create a separate database for each project.",
            )
        if row[0] > SCHEMA:
            raise HubError(
                "The hub was set up by a newer version of annotator.",
                hint="Install the newer version.",
            )
        return False
    # So that no login can put large objects into the database.
    for function in ("lo_create(oid)", "lo_creat(integer)", "lo_from_bytea(oid, bytea)"):
        connection.execute(f"REVOKE EXECUTE ON FUNCTION pg_catalog.{function} FROM PUBLIC")
    connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    connection.execute("SET LOCAL ROLE hub_owner")
    for number in range(1, SCHEMA + 1):
        connection.execute(paths.resource("hub", f"{number:03d}.sql").read_bytes())
    connection.execute(
        "INSERT INTO hub.meta (oldest, newest, project_id, title, lease_ms)"
        " VALUES (%s, %s, %s::uuid, %s, %s)",
        (PROTOCOL, PROTOCOL, project_id, title, lease_ms),
    )
    connection.execute("RESET ROLE")
    return True
