"""Nouns with their numbers, as in "1 box" and "2 boxes"."""

from __future__ import annotations


def many(count: int, noun: str) -> str:
    """Return "1 box", "2 boxes", "0 tracks"."""
    plural = noun + ("es" if noun.endswith(("x", "s")) else "s")
    return f"{count} {noun if count == 1 else plural}"


def are(count: int, noun: str) -> str:
    """Return "1 box is", "2 boxes are"."""
    return f"{many(count, noun)} {'is' if count == 1 else 'are'}"
