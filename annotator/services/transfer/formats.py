"""The formats of files that can be imported and exported, by name and by extension."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from annotator.domain.errors import ExchangeError
from annotator.exchange.formats.base.format import Format, Loss
from annotator.exchange.formats.registry import OTHERS

PERCEPTION_TEST: Final = "perception-test"
TAP_VID_PICKLE: Final = "tapvid-pickle"
TAP_VID_CSV: Final = "tapvid-csv"

_HEAD_BYTES: Final = 4096
_ALL: Final = ("boxes", "points", "actions", "sounds", "questions")
_POINT_LOSSES: Final = frozenset(
    (
        Loss.BOXES,
        Loss.ACTIONS,
        Loss.SOUNDS,
        Loss.ROLES,
        Loss.SOUND_SOURCES,
        Loss.NOTES,
        Loss.QUESTIONS,
        Loss.POINT_OBJECTS,
        Loss.FRAME_RATE,
    )
)
_OWN: Final = (
    Format(
        PERCEPTION_TEST,
        "Perception Test (JSON)",
        (".json",),
        "json",
        holds=_ALL,
        losses=frozenset((Loss.HUMAN_KEYFRAMES, Loss.OCCLUDED_POINTS, Loss.OUT_OF_VIEW)),
        source="Perception Test repository, data format",
        has_frame_choice=True,
        detect=lambda head: head.lstrip()[:1] == b"{" and not _is_of_others(head, ".json"),
    ),
    Format(
        TAP_VID_PICKLE,
        "TAP-Vid points (pickle)",
        (".pkl", ".pickle"),
        "pickle",
        needs_videos=True,
        holds=("points",),
        losses=_POINT_LOSSES,
        source="TAP-Vid repository",
    ),
    Format(
        TAP_VID_CSV,
        "TAP-Vid points (CSV)",
        (".csv",),
        "table",
        needs_videos=True,
        holds=("points",),
        losses=_POINT_LOSSES,
        source="TAP-Vid repository",
        detect=lambda head: _has_numbers(head) and not _is_of_others(head, ".csv"),
    ),
)
FORMATS: Final = {form.name: form for form in (*_OWN, *OTHERS)}
"""By name."""


def format_of(path: Path) -> Format:
    """Return the format that a file extension names; ExchangeError for an extension of none, or of
    several formats. The first formats of JSON and CSV files are those of new ones.
    """
    formats = _with_extension(path)
    formats = [form for form in formats if form.writes]
    if len(formats) == 1 or (formats and formats[0].name in (PERCEPTION_TEST, TAP_VID_CSV)):
        return formats[0]
    if formats:
        names = ", ".join(form.name for form in formats)
        raise ExchangeError(
            f"Several formats have the extension “{path.suffix}”: {names}.",
            hint="Specify the format.",
            where=str(path),
        )
    names_of: dict[str, list[str]] = {}
    for form in FORMATS.values():
        for suffix in filter(None, form.suffixes):
            names_of.setdefault(suffix, []).append(form.name)
    extensions = "; ".join(f"{suffix} ({', '.join(names)})" for suffix, names in names_of.items())
    raise ExchangeError(
        f"The extension “{path.suffix}” does not name a format."
        if path.suffix
        else "The file name has no extension that names a format.",
        hint=f"Extensions of formats: {extensions}. Or specify the format.",
        where=str(path),
    )


def format_of_content(path: Path) -> Format:
    """Return the format of an existing file by its extension and its first bytes.

    ExchangeError if they match no format, or several.
    """
    head = _head_of(path)
    formats = _with_extension(path)
    if len(formats) > 1:
        formats = [form for form in formats if form.reads]
        fitting = [form for form in formats if form.detect is not None and form.detect(head)]
        # A table of no known format needs a mapping of its columns.
        named = [form for form in formats if form.fields]
        formats = fitting[:1] or named or formats
    if len(formats) == 1:
        return formats[0]
    if not formats:
        head = head.lstrip(b"\xef\xbb\xbf \t\r\n")
        if head[:1] == b"{":
            return FORMATS[PERCEPTION_TEST]
        if len(head) > 1 and head[0] == 0x80 and head[1] <= 5:
            return FORMATS[TAP_VID_PICKLE]
    return format_of(path)


def format_named(name: str) -> Format:
    """Return a form by its name; ExchangeError when there is none."""
    try:
        return FORMATS[name]
    except KeyError:
        text = f"Unknown format “{name}”. Available formats: {', '.join(FORMATS)}."
        raise ExchangeError(text) from None


def _with_extension(path: Path) -> list[Format]:
    extension = path.suffix.lower()
    return [form for form in FORMATS.values() if extension and extension in form.suffixes]


def _has_numbers(head: bytes) -> bool:
    """Return whether the second cell of the first line is a number: there is no line of names."""
    cells = head.split(b"\n", 1)[0].split(b",", 2)
    try:
        float(cells[1])
    except (IndexError, ValueError):
        return False
    return True


def _is_of_others(head: bytes, suffix: str) -> bool:
    return any(
        form.detect is not None and form.detect(head) for form in OTHERS if suffix in form.suffixes
    )


def _head_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return b""
