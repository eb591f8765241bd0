"""Paths that stay where they are: relative ones, written the same on every system."""

from __future__ import annotations

from typing import Final

MAX_LENGTH: Final = 200

_REFUSED: Final = frozenset('\\:*?"<>|')


def is_inner_path(text: str) -> bool:
    """Whether a text names something below a folder, with slashes, and nothing outside of it.

    Refused are absolute paths, drives, "." and "..", hidden names, and names that some systems do
    not allow.
    """
    parts = text.split("/")
    return (
        0 < len(text) <= MAX_LENGTH
        and text.isprintable()
        and not _REFUSED & set(text)
        and all(part and part == part.strip(" .") for part in parts)
    )
