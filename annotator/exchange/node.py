"""A value of a JSON file with its path, checked against the expected type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice, pairwise
from operator import lt
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SHOWN: Final = 40


class Node:
    """A value and its path (``$.video_1.object_tracking[3]``).

    Every question raises ExchangeError, with the path as its place, when the value is not that.
    """

    __slots__ = ("_parent", "_step", "value")

    def __init__(self, value: Json, path: str | int, parent: Node | None = None) -> None:
        """``path`` is the whole of it, or within ``parent`` the key or the position."""
        self.value = value
        self._step = path
        self._parent = parent

    @property
    def path(self) -> str:
        """The path, computed on demand."""
        if self._parent is None:
            return str(self._step)
        if isinstance(self._step, int):
            return f"{self._parent.path}[{self._step}]"
        return member_path(self._parent.path, self._step)

    def fail(self, text: str) -> ExchangeError:
        return ExchangeError(text, where=self.path)

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def key(self, key: str) -> Node:
        """Return a member of an object that must have it."""
        members = self.object()
        if key not in members:
            raise self.fail(f"The key {json.dumps(key)} is missing.")
        return Node(members[key], key, self)

    def object(self) -> dict[str, Json]:
        if not isinstance(self.value, dict):
            raise self._expected("an object")
        return self.value

    def items(self) -> list[Node]:
        """Return the elements of a list."""
        return [Node(item, i, self) for i, item in enumerate(self._list())]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self._expected("text")
        return self.value

    def whole(self) -> int:
        """Return a whole number; true and false are none."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self._expected("an integer")
        return self.value

    def number(self) -> int | float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._expected("a number")
        return self.value

    def flag(self) -> bool:
        """Return a yes or no: true, false, 1 or 0."""
        if isinstance(self.value, bool):
            return self.value
        if self.value in (0, 1) and isinstance(self.value, int):
            return self.value == 1
        raise self._expected("0, 1, true or false")

    def wholes(self) -> list[int]:
        values = self._list()
        # A path for each of millions of numbers would cost more than reading them.
        if set(map(type, values)) <= {int}:
            return list(values)  # type: ignore[arg-type]
        return [i.whole() for i in self.items()]

    def numbers(self) -> list[int | float]:
        values = self._list()
        if set(map(type, values)) <= {int, float}:
            return list(values)  # type: ignore[arg-type]
        return [i.number() for i in self.items()]

    def flags(self) -> list[bool]:
        values = self._list()
        if set(map(type, values)) <= {int, bool} and not set(values) - {0, 1}:
            return [v == 1 for v in values]
        return [i.flag() for i in self.items()]

    def count(self) -> int:
        """Return the length of a list."""
        return len(self._list())

    def counted(self, count: int) -> Node:
        """Return this list after making sure of its length."""
        found = self.count()
        if found != count:
            raise self.fail(f"Expected a list of {count} entries, found {found}.")
        return self

    def ascending(self) -> Node:
        """Return this list of numbers after making sure that each is larger than the last."""
        values = self.numbers()
        if all(map(lt, values, islice(values, 1, None))):
            return self
        for i, (before, after) in enumerate(pairwise(values)):
            if after <= before:
                raise Node(None, i + 1, self).fail(
                    f"The list must be in ascending order: {after} follows {before}."
                )
        return self

    def _list(self) -> list[Json]:
        if not isinstance(self.value, list):
            raise self._expected("a list")
        return self.value

    def _expected(self, what: str) -> ExchangeError:
        shown = json.dumps(self.value, ensure_ascii=False)
        shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
        return self.fail(f"Expected {what}, found {shown}.")


def member_path(path: str, key: str) -> str:
    """Return the path of a member: ``$.name``, or ``$["a name"]`` where dots would not do."""
    return f"{path}.{key}" if _PLAIN_KEY.match(key) else f"{path}[{json.dumps(key)}]"


def walk(node: Node, key: str) -> Iterator[Node]:
    """Yield the elements of a list under a key; a missing key is an empty list."""
    if node.has(key):
        yield from node.key(key).items()
