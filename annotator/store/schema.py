"""The schema of a project file: the steps that make or upgrade it, and whether a file has it.

Each step is a file in ``resources/schema``. The first one makes all tables; a later version of the
program that changes them adds a step, and never edits an earlier one.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from annotator import paths

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID: Final = 0x414E4E4F  # "ANNO"
MAJOR, MINOR = 3, 0
USER_VERSION = MAJOR << 16 | MINOR
STEPS = ("0001_tables",)

DIGEST: Final = "845782f2da6bf667cf9785f5e4a85e706be3af05f44624652b05cc135d006ba2"
"""Digest of the present schema: files with it are recognized without building the schema."""

_MIGRATIONS: Final = ("_sqlite_migrations", "idx__sqlite_migrations_migration_set_name")
"""Made by sqlite-utils, with quotes and line breaks of its version."""

_PLAIN_TABLE: Final = re.compile(r'CREATE TABLE [\[\]"\w]+ \(([\s\[\]"\w,]+)\)\Z')
_OF_SQLITE: Final = re.compile(r"sqlite_(sequence|stat[14]|autoindex_\w+)\Z")
_OBJECTS: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"


def migrate(connection: sqlite3.Connection) -> None:
    """Apply every missing migration, each in its own transaction."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations("annotator")
    for name in STEPS:
        migrations(name=name)(_step(script_of(name)))
    migrations.apply(Database(connection))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {USER_VERSION}")


def script_of(step: str) -> str:
    """Return the SQL statements of a step."""
    return paths.resource("schema", f"{step}.sql").read_text(encoding="utf-8")


def _step(script: str) -> Callable[[Database], None]:
    def step(database: Database) -> None:
        _run_statements(database.conn, script)

    return step


def _run_statements(connection: sqlite3.Connection, script: str) -> None:
    """Run several statements within the current transaction, which `executescript` would end."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


class _Object(NamedTuple):
    type: str
    name: str
    table: str
    sql: str | None


def foreign_object(connection: sqlite3.Connection) -> str:
    """Return a description of an unknown or missing object of a database; "" if it has the schema
    after one of the steps, by the text of every statement."""
    objects = {_Object(*row) for row in connection.execute(_OBJECTS)}
    own = {schema_object for schema_object in objects if not _is_of_sqlite(schema_object)}
    if _digest(own) == DIGEST:
        return ""
    n_steps = _steps_applied(connection, own)
    expected = _schema_after(STEPS[:n_steps])
    if own == expected:
        return ""
    names = {schema_object.name for schema_object in expected}
    for schema_object in sorted(own - expected, key=lambda o: (o.name in names, o.name)):
        article = "an" if schema_object.type == "index" else "a"
        if schema_object.name in names:
            return f"the {schema_object.type} “{schema_object.name}” was changed"
        return (
            f"it has {article} {schema_object.type} “{schema_object.name[:80]}” of another program"
        )
    missing = min(expected - own, key=lambda o: (o.type != "table", o.name))
    return f"it lacks the {missing.type} “{missing.name}”"


def _is_of_sqlite(each: _Object) -> bool:
    """Return whether SQLite or sqlite-utils created an object; never a trigger or view."""
    if each.type == "index" and each.sql is None:
        return _OF_SQLITE.match(each.name) is not None
    if each.name in _MIGRATIONS:
        is_plain = each.sql is not None and _PLAIN_TABLE.match(each.sql) is not None
        is_index = each.type == "index" and each.table == _MIGRATIONS[0]
        return is_index or (each.type == "table" and is_plain)
    return each.type == "table" and _OF_SQLITE.match(each.name) is not None


def _steps_applied(connection: sqlite3.Connection, own: set[_Object]) -> int:
    """Return how many steps a file says it has seen, at most those there are."""
    try:
        rows = connection.execute(f"SELECT name FROM {_MIGRATIONS[0]} LIMIT 1000").fetchall()
    except sqlite3.OperationalError:
        return len(STEPS) if own else 0
    told = {str(row[0]) for row in rows}
    return sum(name in told for name in STEPS)


@cache
def _schema_after(steps: tuple[str, ...]) -> frozenset[_Object]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in steps:
            _run_statements(connection, script_of(step))
        rows = {_Object(*row) for row in connection.execute(_OBJECTS)}
    return frozenset(each for each in rows if not _is_of_sqlite(each))


def _digest(own: set[_Object]) -> str:
    text = "\n".join(sorted("\0".join(map(str, each)) for each in own))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
