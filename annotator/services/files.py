"""Writing files so that a reader finds the old one or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from annotator.domain.errors import UserError


def write_atomically(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside its place and move it there once it is whole and on the disk.

    UserError when the folder is missing or cannot be written; the old file is then as it was.
    """
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        text = f"cannot be written: {error.strerror or error}."
        hint = "Select an existing folder with write permission."
        raise UserError(text, hint=hint, where=str(path)) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _umask() -> int:
    """Return the bits that new files must not have; reading them means setting them twice."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def make_folder(folder: Path) -> None:
    """Make a folder where there is none; UserError when it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"cannot be created: {error.strerror or error}."
        raise UserError(text, hint="Select another folder.", where=str(folder)) from error
