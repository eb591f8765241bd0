"""Plain values as TOML, for recipes that are handed on in part."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


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
