"""Random changes of files: of bytes, of JSON values, of rows in a database."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import tomllib
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

ODD: Final[tuple[Any, ...]] = (
    *(None, True, -1, 0, 1e308, float("nan"), 10**30, -(10**30), "", "x" * 300, "\ud800"),
    *([], {}, "1e999", "0" * 64, "00000000-0000-0000-0000-000000000000", "../../etc/passwd"),
)
_ODD_TOML: Final = (
    *("-1", "0", "1e308", "inf", "nan", "9223372036854775807", "-9223372036854775808", '""'),
    *("[]", "{}", "true", "[[[]]]", "1979-05-27T07:32:00Z", '"../../etc/passwd"', '"\\u0000"'),
    *('"' + "x" * 300 + '"', "[nan, inf]", "{ a = { b = 1 } }", "0.0", "1000000000"),
)
_TOML_VALUE: Final = re.compile(r"(?m)^([\w-]+ = )(.*)$")
_PARTS: Final = (
    *(b"-1", b"1e999", b"NaN", b'"', b",", b"\n", b"\x00", b"\xff", b"{", b"]", b"9" * 30),
    *(b"\xef\xbb\xbf", b"\r\n", b"<!DOCTYPE a>", b"&a;", b"..", b"\t", b"\\ud800", b"[" * 200),
)


def bytes_changed(data: bytes, chance: random.Random) -> bytes:
    """Put odd bytes into a few places, and take some away."""
    found = bytearray(data)
    for _ in range(chance.randrange(1, 5)):
        at, n = chance.randrange(len(found) + 1), chance.randrange(12)
        found[at : at + n] = chance.choice(_PARTS) if chance.random() < 0.7 else b""
    if chance.random() < 0.05:
        del found[chance.randrange(len(found) + 1) :]
    return bytes(found)


def value_changed(value: Any, chance: random.Random) -> Any:
    """Put something odd into a random place of a JSON value."""
    places: list[tuple[Any, Any]] = []

    def walk(parent: Any, key: Any, node: Any) -> None:
        places.append((parent, key))
        if isinstance(node, dict | list):
            inner = node.items() if isinstance(node, dict) else enumerate(node)
            for k, each in list(inner):
                walk(node, k, each)

    box = [value]
    walk(box, 0, value)
    parent, key = chance.choice(places)
    other, at = chance.choice(places)
    match chance.randrange(3):
        case 0:
            parent[key] = chance.choice(ODD)
        case 1 if isinstance(parent, dict):
            del parent[key]
        case _:
            parent[key] = json.loads(json.dumps(other[at]))
    return box[0]


def file_changed(data: bytes, chance: random.Random) -> bytes:
    """Change a file by its values where it is JSON or TOML, or by its bytes."""
    if chance.random() < 0.5:
        with suppress(ValueError, RecursionError):
            value = value_changed(json.loads(data), chance)
            return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        with suppress(ValueError, IndexError):
            text = data.decode("utf-8")
            tomllib.loads(text)
            line = chance.choice(list(_TOML_VALUE.finditer(text)))
            return f"{text[: line.end(1)]}{chance.choice(_ODD_TOML)}{text[line.end() :]}".encode()
    return bytes_changed(data, chance)


def rows_changed(path: Path, chance: random.Random) -> None:
    """Put something odd into a few cells of a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        rows = connection.execute(
            "SELECT m.name, p.name FROM sqlite_schema m, pragma_table_info(m.name) p"
            " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"
        ).fetchall()
        for _ in range(chance.randrange(1, 4)):
            table, column = chance.choice(rows)
            old = connection.execute(
                f'SELECT "{column}" FROM "{table}" ORDER BY random() LIMIT 1'
            ).fetchone()
            if old is None:
                continue
            new = _cell_changed(old[0], chance)
            with suppress(sqlite3.Error, OverflowError):
                connection.execute(
                    f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" IS ?', (new, old[0])
                )


def _cell_changed(old: Any, chance: random.Random) -> Any:
    if isinstance(old, str) and chance.random() < 0.6:
        return file_changed(old.encode(), chance).decode("utf-8", "replace")
    if isinstance(old, bytes) and old and chance.random() < 0.6:
        return bytes_changed(old, chance)
    odd = chance.choice((-1, 0, 1, 2**62, 1e308, "", "x", b"", b"\xff" * 16, None))
    return odd if type(odd) is not bool else int(odd)
