"""Numbers with their nouns and units."""

from __future__ import annotations


def many(count: int, noun: str) -> str:
    """Return "1 box", "2 boxes", "0 tracks"."""
    plural = noun + ("es" if noun.endswith(("x", "s")) else "s")
    return f"{count} {noun if count == 1 else plural}"


def data_size(n_bytes: int) -> str:
    """Return "820 bytes", "1.5 kB", "2.0 GB"."""
    size, units = float(n_bytes), ["bytes", "kB", "MB", "GB", "TB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{n_bytes} bytes" if units[0] == "bytes" else f"{size:.1f} {units[0]}"
