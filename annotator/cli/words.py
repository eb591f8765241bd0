"""Numbers with their nouns."""

from __future__ import annotations


def many(count: int, noun: str) -> str:
    """Return "1 box", "2 boxes", "0 tracks"."""
    plural = noun + ("es" if noun.endswith("x") else "s")
    return f"{count} {noun if count == 1 else plural}"
