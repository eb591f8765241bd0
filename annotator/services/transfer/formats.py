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
    """A form: ``name`` on the command line, ``title`` in the window, ``suffixes`` of its files,
    ``content`` as in `annotator.services.files.check_output`.

    ``needs_videos``: what it holds can be placed in a video of the project only.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    content: str
    needs_videos: bool = False

    @property
    def suffix(self) -> str:
        """The ending that a new file gets."""
        return self.suffixes[0]


FORMATS: Final = {
    form.name: form
    for form in (
        Format(PERCEPTION_TEST, "Perception Test (JSON)", (".json",), "json"),
        Format(TAP_VID_PICKLE, "TAP-Vid points (pickle)", (".pkl", ".pickle"), "pickle", True),
        Format(TAP_VID_CSV, "TAP-Vid points (CSV)", (".csv",), "table", True),
    )
}
"""By name."""


def format_of(path: Path) -> Format:
    """Return the format that a file extension names; ExchangeError for any other extension."""
    extension = path.suffix.lower()
    for form in FORMATS.values():
        if extension in form.suffixes:
            return form
    known = ", ".join(f"{suffix} ({f.name})" for f in FORMATS.values() for suffix in f.suffixes)
    raise ExchangeError(
        f"The extension “{path.suffix}” does not name a format."
        if path.suffix
        else "The file name has no extension that names a format.",
        hint=f"Extensions of formats: {known}. Or specify the format.",
        where=str(path),
    )


def format_of_content(path: Path) -> Format:
    """Return the format of an existing file by its extension, else by its first bytes.

    ExchangeError when neither names one.
    """
    try:
        return format_of(path)
    except ExchangeError:
        try:
            with path.open("rb") as file:
                head = file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
        except OSError:
            head = b""
        if head[:1] == b"{":
            return FORMATS[PERCEPTION_TEST]
        if len(head) > 1 and head[0] == 0x80 and head[1] <= 5:
            return FORMATS[TAP_VID_PICKLE]
        raise


def format_named(name: str) -> Format:
    """Return a form by its name; ExchangeError when there is none."""
    try:
        return FORMATS[name]
    except KeyError:
        text = f"Unknown format “{name}”. Available formats: {', '.join(FORMATS)}."
        raise ExchangeError(text) from None
