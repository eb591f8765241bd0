"""The pictures of guidelines: files in a folder beside the project, which the recipe names.

They go along in work packages, and lie in a folder beside the project made of one there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from annotator.domain.errors import WorkError
from annotator.domain.inner_path import is_inner_path
from annotator.services import entry_values as values
from annotator.sync.archive import Archive, ArchiveError

UNPACKED: Final = "pictures"
"""The fact of a project made from a package that names the folder its pictures lie in."""

SUFFIXES: Final = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp"))
MAX_BYTES: Final = 64 << 20
MAX_FILES: Final = 2000


class GuidelineImages(msgspec.Struct):
    """Where the pictures of a package belong: their entries, by path below the folder."""

    entries: dict[str, str]


def pictures_folder(project_path: Path, name: str) -> Path | None:
    """Return the folder of that name beside a project; None when it is not there, or elsewhere."""
    if not is_inner_path(name):
        return None
    home = project_path.parent.resolve()
    folder = (home / name).resolve()
    return folder if folder.is_dir() and folder.is_relative_to(home) else None


def pictures_in(folder: Path | None) -> dict[str, Path]:
    """Return the pictures below a folder (None: there are none) by their path in it, without links.

    WorkError when there are too many, or they are too large together, to travel.
    """
    images: dict[str, Path] = {}
    total = 0
    for base, below, names in os.walk(folder) if folder is not None else ():
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            path = Path(base, name)
            inner = os.path.relpath(path, folder).replace(os.sep, "/")
            if path.suffix.lower() not in SUFFIXES or path.is_symlink() or not is_inner_path(inner):
                continue
            images[inner] = path
            total += path.stat().st_size
            if total > MAX_BYTES or len(images) > MAX_FILES:
                raise WorkError(
                    f"Cannot include the guideline images: the limit is {MAX_FILES} files and "
                    f"{MAX_BYTES >> 20} MB in total.",
                    code="large-pictures",
                    hint="Reduce the image size, or move unused images out of the folder.",
                    where=str(folder),
                )
    return images


def picture_entries(pictures: Mapping[str, Path]) -> Iterator[tuple[str, bytes]]:
    """Yield the entries of a package that hold pictures, given by their path in the folder."""
    entries: dict[str, str] = {}
    for i, (inner, path) in enumerate(pictures.items()):
        entries[inner] = f"pictures/{i}"
        yield entries[inner], path.read_bytes()
    if entries:
        yield "pictures.json", values.entry(GuidelineImages(entries))


def unpack_pictures(archive: Archive, project_path: Path) -> Path | None:
    """Write the pictures of a package into a new folder beside a project; None without any.

    ArchiveError, with nothing left behind, when one would lie outside of it.
    """
    if "pictures.json" not in archive.names:
        return None
    entries = values.read_entry(archive, "pictures.json", GuidelineImages).entries
    if not entries:
        return None
    if len(entries) > MAX_FILES or not all(is_inner_path(inner) for inner in entries):
        raise ArchiveError(
            "Cannot unpack the work package: an image path is outside the image folder.",
            hint="No project was created. Request the file again.",
            where=str(archive.path),
        )
    folder = _new_folder(project_path)
    n_bytes_left = MAX_BYTES
    for inner, entry in entries.items():
        body = archive.read(entry)
        n_bytes_left -= len(body)
        if n_bytes_left < 0 or Path(inner).suffix.lower() not in SUFFIXES:
            remove_pictures(folder)
            raise ArchiveError(
                "Cannot unpack the work package: an image file is not an image.",
                where=str(archive.path),
            )
        path = folder / inner
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def remove_pictures(folder: Path) -> None:
    """Take away a folder that `unpack_pictures` has made."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _new_folder(project_path: Path) -> Path:
    """Create an unused folder beside a project."""
    number, folder = 1, project_path.with_name(f"{project_path.stem}-pictures")
    while folder.exists():
        number += 1
        folder = project_path.with_name(f"{project_path.stem}-pictures-{number}")
    folder.mkdir()
    return folder
