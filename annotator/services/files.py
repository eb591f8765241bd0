"""Atomic writing of files; never over a project, a video or an input.

`check_output` is for the places where a person names a file (commands and dialogs), `protect` for
services that know the files of their project. `write_atomically` itself refuses to replace what is
a project or a media file by its content, in every call.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from annotator import temporary
from annotator.domain.errors import UserError
from annotator.paths import PROJECT_SUFFIX

MEDIA_SUFFIXES: Final = frozenset(
    (
        *(".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".ts", ".mts", ".m2ts", ".mpg", ".mpeg"),
        *(".3gp", ".wmv", ".flv", ".ogv"),
        *(".wav", ".mp3", ".m4a", ".aac", ".flac", ".ogg", ".opus"),
    )
)
"""Endings of video and audio files; no output may have one of them."""

_PROJECT, _MEDIA, _PACKAGE, _RECIPE = "project", "media", "package", "recipe"
_TITLES: Final = {
    _PROJECT: "a project",
    _MEDIA: "a media file",
    _PACKAGE: "a work package or another archive",
    _RECIPE: "a recipe or label set",
    "image": "an image",
    "pickle": "a pickle file",
    "parquet": "a Parquet file",
    "numpy": "a NumPy archive",
    "json": "a JSON file",
    "table": "a table",
    "text": "a text file",
    "xml": "an XML file",
    "subtitles": "a subtitle file",
    "other": "a file of another type",
}
_SIGNATURES: Final = (
    (0, b"SQLite format 3\0", _PROJECT),
    (4, b"ftyp", _MEDIA),
    (4, b"moov", _MEDIA),
    (4, b"mdat", _MEDIA),
    (0, b"\x1aE\xdf\xa3", _MEDIA),
    (0, b"RIFF", _MEDIA),
    (0, b"OggS", _MEDIA),
    (0, b"fLaC", _MEDIA),
    (0, b"ID3", _MEDIA),
    (0, b"FLV", _MEDIA),
    (0, b"\x00\x00\x01\xba", _MEDIA),
    (0, b"0&\xb2u", _MEDIA),
    (0, b"PK\x03\x04", _PACKAGE),
    (0, b"\x89PNG", "image"),
    (0, b"PAR1", "parquet"),
)
_BY_SUFFIX: Final = {
    ".work": _PACKAGE,
    ".done": _PACKAGE,
    ".toml": _RECIPE,
    ".png": "image",
    ".pkl": "pickle",
    ".pickle": "pickle",
    ".parquet": "parquet",
    ".npz": "numpy",
    ".json": "json",
    ".boris": "json",
    ".csv": "table",
    ".tsv": "table",
    ".rttm": "table",
    ".txt": "text",
    ".textgrid": "text",
    ".xml": "xml",
    ".eaf": "xml",
    ".vtt": "subtitles",
    ".srt": "subtitles",
}
_HEAD_BYTES: Final = 32


def check_output(
    path: Path,
    *,
    inputs: Iterable[Path] = (),
    writes: str | None = None,
    force: bool = False,
    is_confirmed: bool = False,
) -> None:
    """Refuse an output file that must not be replaced.

    Projects, media files and ``inputs`` are never replaced. Recipes, packages and files of another
    type than ``writes`` ("json", "package", …; None: what the name says) are replaced with
    ``force``; ``is_confirmed`` means that a person agreed to replace this very file, which suffices
    if the type stays the same. UserError otherwise.
    """
    protect(path, inputs)
    if path.is_dir() or not path.exists() or force:
        return
    old, new = kind_of(path), writes or _BY_SUFFIX.get(path.suffix.lower(), "other")
    is_precious = old in (_PACKAGE, _RECIPE)
    if old is None or (old == new and (is_confirmed or not is_precious)):
        return
    raise UserError(
        f"Cannot replace the file: it is {_TITLES[old]}.",
        hint="Use another file name."
        if is_confirmed
        else "Use another file name, or replace the file with --force.",
        where=str(path),
    )


def protect(path: Path, files: Iterable[Path] = ()) -> None:
    """Refuse an output path that is one of ``files``, a project or a media file; UserError then.

    Files are compared by device and inode, so links and other spellings of a name count, too.
    """
    kind = kind_of(path)
    suffix = path.suffix.lower()
    if suffix == PROJECT_SUFFIX or suffix in MEDIA_SUFFIXES:
        kind = _PROJECT if suffix == PROJECT_SUFFIX else _MEDIA
    if kind in (_PROJECT, _MEDIA):
        text = f"Cannot write to this file: its name or content is that of {_TITLES[kind]}."
        raise UserError(text, hint="Use another file name.", where=str(path))
    if any(is_same_file(path, each) for each in files):
        text = "Cannot write to this file: it is in use as an input."
        raise UserError(text, hint="Use another file name.", where=str(path))


def is_same_file(path: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, or will when it is written."""
    with contextlib.suppress(OSError):
        return path.samefile(other)
    return os.path.normcase(path.absolute()) == os.path.normcase(other.absolute())


def kind_of(path: Path) -> str | None:
    """Return the type of an existing file by its content, else by its name; None if it is empty."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return None
    for offset, mark, kind in _SIGNATURES:
        if head.startswith(mark, offset):
            # Archives of NumPy are ZIP files.
            is_numpy = kind == _PACKAGE and path.suffix.lower() == ".npz"
            return "numpy" if is_numpy else kind
    if len(head) > 1 and head[0] == 0x80 and head[1] <= 5:
        return "pickle"
    suffix = path.suffix.lower()
    if suffix in MEDIA_SUFFIXES:
        return _MEDIA
    if not head:
        return None
    if suffix not in _BY_SUFFIX and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return "json"
    return _BY_SUFFIX.get(suffix, "other")


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside its place and move it there once it is whole and on the disk.

    UserError when the folder is missing or cannot be written, or when the old file is a project or
    a media file; it is then as it was.
    """
    if kind_of(path) in (_PROJECT, _MEDIA):
        protect(path)
    try:
        with temporary.new_file(path) as place, place.open("wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        text = f"cannot be written: {error.strerror or error}."
        hint = "Select an existing folder with write permission."
        raise UserError(text, hint=hint, where=str(path)) from error


def refuse_filled(folder: Path) -> None:
    """Raise UserError where a folder holds anything."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        hint = "Specify an empty or a new folder."
        raise UserError(
            "Cannot write there: it is not an empty folder.", hint=hint, where=str(folder)
        )


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Make a folder that is there as a whole or not at all: yields where its files are written.

    UserError when it exists and holds anything, or cannot be made. An error leaves nothing behind.
    """
    refuse_filled(folder)
    make_folder(folder.parent)
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(temporary.new_folder(folder))
        except OSError as error:
            text = f"cannot be created: {error.strerror or error}."
            raise UserError(text, hint="Select another folder.", where=str(folder)) from error
        yield place


@contextlib.contextmanager
def swapped(path: Path) -> Iterator[Path]:
    """Give a place of the same name where a file or folder, and what goes beside it, is written;
    without an error all of it is then moved to where ``path`` is.

    A folder replaces an earlier one as a whole. UserError where that has anything that the new one
    has not, or the files cannot be moved; nothing is changed then.
    """
    make_folder(path.parent)
    with tempfile.TemporaryDirectory(
        temporary.SUFFIX, f".{path.name[:40]}.", path.parent, ignore_cleanup_errors=True
    ) as name:
        yield Path(name, path.name)
        try:
            files = sorted(Path(name).iterdir(), key=lambda entry: entry.name == path.name)
            for entry in files:
                if entry.is_dir():
                    _check_replaceable(path.parent / entry.name, entry)
            for entry in files:
                _put_in_place(entry, path.parent / entry.name)
        except OSError as error:
            text = f"cannot be written: {error.strerror or error}."
            hint = "Select an existing folder with write permission."
            raise UserError(text, hint=hint, where=str(path)) from error


def _check_replaceable(old: Path, new: Path) -> None:
    known = {each.name for each in new.iterdir()}
    others = {each.name for each in old.iterdir()} - known if old.is_dir() else set()
    if others:
        raise UserError(
            f"The folder has other files, for example “{min(others)[:80]}”.",
            hint="Select a new or an empty folder.",
            where=str(old),
        )


def _put_in_place(new: Path, place: Path) -> None:
    if new.is_dir() and place.is_dir():
        place.rename(new.with_name(f"{new.name}.old"))
    elif place.exists():
        protect(place)
    new.rename(place) if new.is_dir() else new.replace(place)


def make_folder(folder: Path) -> None:
    """Make a folder where there is none; UserError when it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"cannot be created: {error.strerror or error}."
        raise UserError(text, hint="Select another folder.", where=str(folder)) from error
