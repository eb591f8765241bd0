"""Reading the tables of a recipe, and writing plain values as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Final, TypeVar

from annotator.domain.errors import RecipeError


def toml_text(table: Mapping[str, Any]) -> str:
    """Return a table as a file; lists of tables have a line for each. ValueError for other values.

    Texts, numbers, truths, lists and tables are known, which is all that recipes hold.
    """
    return "".join(f"{_key(key)} = {_value(value, is_top=True)}\n" for key, value in table.items())


def _value(value: object, *, is_top: bool = False) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        lines = [_value(each) for each in value]
        if is_top and any(isinstance(each, Mapping) for each in value):
            return "[\n" + "".join(f"  {line},\n" for line in lines) + "]"
        return f"[{', '.join(lines)}]"
    raise ValueError(f"{type(value).__name__} cannot stand in a recipe")


def _key(key: str) -> str:
    is_bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if is_bare else _text(key)


def _text(text: str) -> str:
    # JSON's escapes are TOML's as well; what JSON leaves as it is and TOML does not is a DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


MAX_ENTRIES: Final = 200
MAX_TEXT: Final = 500
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")


class TomlTable:
    """One table of the file, which knows its path and which of its keys have been read."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise fault(path, "Must be a table.")
        self._value = value
        self._path = path
        self._asked: set[str] = set()

    def at(self, key: str) -> str:
        """Return the path of a key of this table."""
        return f"{self._path}.{key}" if self._path else key

    def has(self, key: str) -> bool:
        """Return whether a key is there."""
        return key in self._value

    def done(self) -> None:
        """Refuse unknown keys."""
        for key in self._value:
            if key not in self._asked:
                near = get_close_matches(str(key), sorted(self._asked), 1)
                hint = f"Did you mean “{near[0]}”?" if near else _listed(self._asked)
                raise RecipeError("Unknown key.", where=self.at(str(key)), hint=hint)

    def text(self, key: str, default: str | None = None, *, limit: int = MAX_TEXT) -> str:
        """Return a text that is not empty, or the default."""
        found = self._get(key, default)
        if not isinstance(found, str):
            raise fault(self.at(key), "Must be text.")
        if default is None and not found.strip():
            raise fault(self.at(key), "Must not be empty.")
        if len(found) > limit:
            raise fault(self.at(key), f"Has {len(found)} characters. The limit is {limit}.")
        return found

    def name(self, key: str) -> str:
        """Return a word of small letters, digits and hyphens."""
        found = self.text(key)
        if not _NAME.fullmatch(found):
            raise fault(self.at(key), "Must contain only lowercase letters, digits and hyphens.")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty if it is not there."""
        found = self._get(key, [])
        if not isinstance(found, list) or len(found) > MAX_ENTRIES:
            raise fault(self.at(key), f"Must be a list of at most {MAX_ENTRIES} texts.")
        for i, each in enumerate(found):
            if not isinstance(each, str) or not each.strip() or len(each) > MAX_TEXT:
                raise fault(self.at(f"{key}[{i}]"), f"Must have 1 to {MAX_TEXT} characters.")
        return tuple(found)

    def word(self, key: str, words: type[E], default: E | None = None) -> E:
        """Return one of the words of an enumeration."""
        found = self._get(key, default)
        return word_of(words, found, self.at(key))

    def whole(self, key: str, low: int, high: int, *, default: int | None = None) -> int:
        """Return a whole number from ``low`` to ``high``."""
        found = self._get(key, default)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            raise fault(self.at(key), f"Must be an integer from {low} to {high}.")
        return found

    def name_or_number(self, key: str, names: Iterable[str], high: int) -> str:
        """Return one of some words, or a whole number from 0 on as text; "" if it is not there."""
        found, known = self._get(key, ""), tuple(names)
        if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= high:
            return str(found)
        if not isinstance(found, str) or (found and found not in known):
            raise fault(self.at(key), f"Must be an integer or one of: {', '.join(known)}.")
        return found

    def number(self, key: str, high: float) -> float | None:
        """Return a number above 0, None where there is none."""
        self._asked.add(key)
        if key not in self._value:
            return None
        found = self._value[key]
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found <= high:
            raise fault(self.at(key), f"Must be a number greater than 0 and at most {high:g}.")
        return float(found)

    def bound(self, key: str, most: float) -> float | None:
        """Return a number of any sign, None where there is none."""
        self._asked.add(key)
        found = self._value.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float) or not abs(found) <= most:
            raise fault(self.at(key), f"Must be a number from {-most:g} to {most:g}.")
        return float(found)

    def numbers(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return as many numbers as the default has."""
        found = self._get(key, list(default))
        values = found if isinstance(found, list) else []
        numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(values) != len(default) or len(numbers) != len(default):
            raise fault(self.at(key), f"Must be a list of {len(default)} numbers.")
        return tuple(map(float, numbers))

    def span(self, key: str, low: int, high: int, default: tuple[int, int]) -> tuple[int, int]:
        """Return the least and the most, as in ``[1, 2]``."""
        found = self._get(key, list(default))
        if (
            not isinstance(found, list)
            or len(found) != 2
            or any(isinstance(each, bool) or not isinstance(each, int) for each in found)
            or not low <= found[0] <= found[1] <= high
            or found[1] < 1
        ):
            raise fault(
                self.at(key),
                f"Must be two integers from {low} to {high}: minimum and maximum.",
            )
        return found[0], found[1]

    def plain(self, key: str) -> bool | float | str:
        """Return a text, a number or a truth value."""
        found = self._get(key)
        if not isinstance(found, bool | int | float | str):
            raise fault(self.at(key), "Must be text, a number, true or false.")
        return found

    def truth(self, key: str, *, default: bool = False) -> bool:
        """Return true or false; the default if it is not there."""
        found = self._get(key, default=default)
        if not isinstance(found, bool):
            raise fault(self.at(key), "Must be true or false.")
        return found

    def entries(self, key: str, make: Callable[[TomlTable], T]) -> tuple[T, ...]:
        """Return the result of ``make`` for each table of a list."""
        found = self._get(key, [])
        if not isinstance(found, list) or len(found) > MAX_ENTRIES:
            raise fault(self.at(key), f"Must be a list of at most {MAX_ENTRIES} tables.")
        return tuple(make(TomlTable(each, self.at(f"{key}[{i}]"))) for i, each in enumerate(found))

    def optional(self, key: str, make: Callable[[TomlTable], T]) -> T | None:
        """Return the result of ``make`` for a table, None if it is absent."""
        self._asked.add(key)
        return make(TomlTable(self._value[key], self.at(key))) if key in self._value else None

    def _get(self, key: str, default: object = None) -> object:
        self._asked.add(key)
        found = self._value.get(key, default)
        if found is None:
            raise missing(self.at(key))
        return found


def word_of(words: type[E], value: object, where: str) -> E:
    """Return the word of an enumeration that a text is, or raise RecipeError."""
    if not isinstance(value, str):
        raise fault(where, "Must be text.")
    must_be_one_of(value, list(words), where, "word")
    return words(value)


def must_be_one_of(value: str, known: Iterable[str], where: str, noun: str) -> None:
    """Raise RecipeError with a suggestion unless a text is allowed."""
    names = [str(each) for each in known]
    if value in names:
        return
    near = get_close_matches(value, names, 1)
    raise RecipeError(
        f"Unknown {noun} “{value[:80]}”.",
        where=where,
        hint=f"Did you mean “{near[0]}”?" if near else _listed(names),
    )


def must_differ(names: list[str], where: str, key: str) -> None:
    """Raise RecipeError at the second of two equal names."""
    for i, name in enumerate(names):
        if name in names[:i]:
            raise fault(f"{where}[{i}].{key}", f"Duplicate “{name}”.")


def _listed(names: Iterable[str]) -> str:
    return f"Available: {', '.join(sorted(set(names)))}."


def missing(where: str) -> RecipeError:
    """Return the error for a missing key."""
    return fault(where, "This key is missing.")


def fault(where: str, text: str) -> RecipeError:
    """Return the error for a fault at a path."""
    return RecipeError(text, where=where or "recipe")
