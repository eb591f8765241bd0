"""The forms of files that can be imported and exported."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError

PERCEPTION_TEST: Final = "perception-test"
TAP_VID_PICKLE: Final = "tapvid-pickle"
TAP_VID_CSV: Final = "tapvid-csv"


@dataclass(frozen=True, slots=True)
class Format:
    """A form: ``name`` on the command line, ``title`` in the window, ``suffixes`` of its files.

    ``needs_videos``: what it holds can be placed in a video of the project only.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    needs_videos: bool = False

    @property
    def suffix(self) -> str:
        """The ending that a new file gets."""
        return self.suffixes[0]


FORMATS: Final = {
    form.name: form
    for form in (
        Format(PERCEPTION_TEST, "Perception Test (JSON)", (".json",)),
        Format(TAP_VID_PICKLE, "TAP-Vid points (pickle)", (".pkl", ".pickle"), True),
        Format(TAP_VID_CSV, "TAP-Vid points (CSV)", (".csv",), True),
    )
}
"""By name."""


def format_of(path: Path) -> Format:
    """Return the form that a file's ending stands for; JSON where it says nothing."""
    ending = path.suffix.lower()
    return next((f for f in FORMATS.values() if ending in f.suffixes), FORMATS[PERCEPTION_TEST])


def format_named(name: str) -> Format:
    """Return a form by its name; ExchangeError when there is none."""
    try:
        return FORMATS[name]
    except KeyError:
        text = f"Unknown format “{name}”. Available formats: {', '.join(FORMATS)}."
        raise ExchangeError(text) from None
