"""Missing system libraries, and the commands that install them.

Uses the standard library alone: it runs with the machine's own Python before the virtual
environment exists (``packaging/system-check``) and later inside ``annotator doctor``.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator import paths

_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
_FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".pfb", ".pcf.gz")


@dataclass(frozen=True, slots=True)
class Library:
    """One system library: file name, purpose, and package by distribution family."""

    soname: str
    purpose: str
    packages: dict[str, str]


@dataclass(frozen=True, slots=True)
class Family:
    """A family of distributions that share package names and the installing command."""

    name: str
    title: str
    ids: tuple[str, ...]
    install: str
    fonts: str


def missing_libraries() -> list[Library]:
    """List the libraries that the dynamic loader cannot find; empty on macOS and Windows."""
    if not sys.platform.startswith("linux"):
        return []
    return [library for library in _table()[0] if not _loads(library.soname)]


def is_font_missing() -> bool:
    """Return whether a Linux machine has no font at all, so that every text would be boxes."""
    if not sys.platform.startswith("linux"):
        return False
    for folder in _FONT_FOLDERS:
        for _, _, names in os.walk(Path(folder).expanduser()):
            if any(name.lower().endswith(_FONT_SUFFIXES) for name in names):
                return False
    return True


def packages_for(missing: Iterable[Library], family: Family, *, fonts: bool = False) -> list[str]:
    """Name the packages of a family that bring the missing libraries, each once, sorted."""
    names = {library.packages[family.name] for library in missing}
    if fonts:
        names.add(family.fonts)
    return sorted(names)


def install_line(packages: Sequence[str], family: Family) -> str:
    """Write the command that installs the packages, as an ordinary user would type it."""
    return f"sudo {family.install} {' '.join(packages)}"


def families() -> list[Family]:
    """List the families of distributions whose package names are known."""
    return _table()[1]


def this_family() -> Family | None:
    """Find the family of the running system by /etc/os-release; None when it is unknown."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return None
    words = [release.get("ID", ""), *release.get("ID_LIKE", "").split()]
    for family in families():
        # "opensuse-tumbleweed" and its like begin with the family's id.
        if any(word == i or word.startswith(f"{i}-") for word in words for i in family.ids):
            return family
    return None


def advice(missing: Sequence[Library], *, fonts: bool = False) -> list[str]:
    """Return the commands that install the missing parts: one, or one per family if unknown."""
    if not missing and not fonts:
        return []
    family = this_family()
    if family is not None:
        return [install_line(packages_for(missing, family, fonts=fonts), family)]
    return [
        f"{known.title}: {install_line(packages_for(missing, known, fonts=fonts), known)}"
        for known in families()
    ]


def is_blocking(missing: Sequence[Library]) -> bool:
    """Return whether the program cannot start here with these libraries missing."""
    has_display = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    needed = {"program", "window"} if has_display else {"program"}
    return any(library.purpose in needed for library in missing)


def main() -> int:
    """Check, install with apt-get where allowed, else print the command.

    Returns 0 when the program can start (perhaps without sound), 1 when it cannot.
    """
    missing, fonts = missing_libraries(), is_font_missing()
    if not missing and not fonts:
        return 0
    if _may_install():
        family = next(debian for debian in families() if debian.name == "debian")
        _apt_install(packages_for(missing, family, fonts=fonts))
        missing, fonts = missing_libraries(), is_font_missing()
    if not missing and not fonts:
        return 0
    _say(_summary(missing, fonts=fonts))
    _say("Install the missing components with:")
    for line in advice(missing, fonts=fonts):
        _say(f"  {line}")
    return 1 if is_blocking(missing) else 0


def _summary(missing: Sequence[Library], *, fonts: bool) -> str:
    names = [library.soname for library in missing] + (["a font"] if fonts else [])
    listed = ", ".join(names)
    if is_blocking(missing):
        return f"Cannot start: the system lacks {listed}."
    return f"The program can start, but the system lacks {listed}."


def _table() -> tuple[list[Library], list[Family]]:
    text = paths.resource("system_libraries.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    found = [Family(**{**row, "ids": tuple(row["ids"])}) for row in data["family"]]
    libraries = [
        Library(row["soname"], row["purpose"], {family.name: row[family.name] for family in found})
        for row in data["library"]
    ]
    return libraries, found


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _may_install() -> bool:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and shutil.which("apt-get") is not None


def _apt_install(packages: Sequence[str]) -> None:
    """Install with apt-get, refreshing its lists when the first try fails."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    _say(f"Installing {' '.join(packages)}")
    for command in (install, ["apt-get", "update"], install):
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
        if command is install and done.returncode == 0:
            return


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
