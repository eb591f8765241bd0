"""The order in which exports hold videos."""

from __future__ import annotations

import re
from typing import Final

_DIGITS: Final = re.compile(r"([0-9]+)")


def natural_key(name: str) -> tuple[list[tuple[int, int | str]], str]:
    """Return the sort key of a name: numbers inside it count by value."""
    parts = [p for p in _DIGITS.split(name) if p]
    return [(0, int(p)) if p[0] in "0123456789" else (1, p) for p in parts], name
