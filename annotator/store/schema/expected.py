"""Expected schema of a project file: the tables, indexes and triggers that the ladder makes."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from contextlib import closing
from functools import cache
from typing import Final, NamedTuple

from annotator.store.schema import ladder

DIGEST: Final = "c92a07e360274aa1677e18cda5e932f80f57e7d8bec3080db79b6b02c2cea19c"
"""Digest of the present schema: files with it are recognized without building the schema."""

_MIGRATIONS: Final = ("_sqlite_migrations", "idx__sqlite_migrations_migration_set_name")
"""Made by sqlite-utils, with quotes and line breaks of its version."""

_PLAIN_TABLE: Final = re.compile(r'CREATE TABLE [\[\]"\w]+ \(([\s\[\]"\w,]+)\)\Z')
_OF_SQLITE: Final = re.compile(r"sqlite_(sequence|stat[14]|autoindex_\w+)\Z")


class _Object(NamedTuple):
    type: str
    name: str
    table: str
    sql: str | None


def foreign_object(connection: sqlite3.Connection) -> str:
    """Return what is in a database that this program does not make, or lacks, in words; "" if it
    has the schema of one of the steps of the ladder, by the text of every statement.
    """
    found = {_Object(*row) for row in connection.execute(_OBJECTS)}
    own = {each for each in found if not _is_of_sqlite(each)}
    if _digest(own) == DIGEST:
        return ""
    n_steps = _steps_applied(connection, own)
    expected = _schema_after(tuple(script for _, script in ladder.STEPS[:n_steps]))
    if own == expected:
        return ""
    names = {each.name for each in expected}
    for each in sorted(own - expected, key=lambda o: (o.name in names, o.name)):
        article = "an" if each.type == "index" else "a"
        if each.name in names:
            return f"the {each.type} “{each.name}” was changed"
        return f"it has {article} {each.type} “{each.name[:80]}” of another program"
    missing = min(expected - own, key=lambda o: (o.type != "table", o.name))
    return f"it lacks the {missing.type} “{missing.name}”"


_OBJECTS: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"


def _is_of_sqlite(each: _Object) -> bool:
    """Tell what SQLite and sqlite-utils make by themselves; triggers and views are never that."""
    if each.type == "index" and each.sql is None:
        return _OF_SQLITE.match(each.name) is not None
    if each.name in _MIGRATIONS:
        is_plain = each.sql is not None and _PLAIN_TABLE.match(each.sql) is not None
        is_index = each.type == "index" and each.table == _MIGRATIONS[0]
        return is_index or (each.type == "table" and is_plain)
    return each.type == "table" and _OF_SQLITE.match(each.name) is not None


def _steps_applied(connection: sqlite3.Connection, own: set[_Object]) -> int:
    """Return how many steps of the ladder a file says it has seen, at most those there are."""
    try:
        rows = connection.execute(f"SELECT name FROM {_MIGRATIONS[0]} LIMIT 1000").fetchall()
    except sqlite3.OperationalError:
        return len(ladder.STEPS) if own else 0
    told = {str(row[0]) for row in rows}
    return sum(name in told for name, _ in ladder.STEPS)


@cache
def _schema_after(scripts: tuple[str, ...]) -> frozenset[_Object]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in scripts:
            ladder.run_statements(connection, script)
        rows = {_Object(*row) for row in connection.execute(_OBJECTS)}
    return frozenset(each for each in rows if not _is_of_sqlite(each))


def _digest(own: set[_Object]) -> str:
    text = "\n".join(sorted("\0".join(map(str, each)) for each in own))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
