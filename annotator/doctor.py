"""Checks of the machine for `annotator doctor`: present and missing parts, and how to get them.

It loads every large library itself and so stands outside the import rules; nothing but the command
line uses it. No check raises: what cannot be loaded is a finding, not an error.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from annotator import paths, system_libraries

_DISTRIBUTIONS = (
    "PySide6-Essentials",
    "av",
    "numpy",
    "opencv-contrib-python-headless",
    "scipy",
    "sounddevice",
    "sqlite-utils",
    "msgspec",
    "click",
    "platformdirs",
)
# What phones, screen recorders and public data sets use; each must be decodable.
_DECODERS = ("h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "mjpeg", "aac", "mp3", "opus", "vorbis")
_ENOUGH_DISK_BYTES = 2 * 1024**3
_OLDEST_SQLITE = (3, 37, 0)

State = Literal["ok", "warning", "missing"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report: subject, state, finding, and a remedy (empty when fine)."""

    name: str
    state: State
    text: str
    advice: tuple[str, ...] = ()


def report() -> list[Check]:
    """Run all checks, in reading order."""
    return [
        *_program(),
        *_distributions(),
        _qt_references(),
        _opencv_wheel(),
        _sqlite(),
        _decoders(),
        *_libraries(),
        _window_system(),
        _sound(),
        _spelling(),
        *_models(),
        _disk(),
    ]


def is_healthy(checks: list[Check]) -> bool:
    """Return whether nothing is missing; warnings leave the program usable."""
    return all(check.state != "missing" for check in checks)


def _program() -> Iterator[Check]:
    yield Check("annotator", "ok", f"{_version_of('annotator') or 'unknown version'}")
    yield Check("Python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield Check("system", "ok", platform.platform())
    if paths.resource("themes", "light.toml").is_file():
        yield Check("resources", "ok", str(paths.resources()))
    else:
        yield Check(
            "resources",
            "missing",
            f"resources not found at {paths.resources()}",
            ("Reinstall annotator.",),
        )


def _distributions() -> Iterator[Check]:
    for name in _DISTRIBUTIONS:
        version = _version_of(name)
        if version is None:
            yield Check(name, "missing", "not installed", (f"{_pip()} install {name}",))
        else:
            yield Check(name, "ok", version)


def _qt_references() -> Check:
    """Warn of the one pairing of PySide6 and Python that is known to end the program."""
    version = _version_of("PySide6-Essentials") or ""
    if version.startswith("6.12.") and sys.version_info < (3, 12):
        return Check(
            "PySide6 and Python",
            "warning",
            f"PySide6 {version} has a reference-counting bug under Python "
            f"{platform.python_version()} that crashes the program",
            (f'{_pip()} install "PySide6-Essentials<6.12"',),
        )
    return Check("PySide6 and Python", "ok", "compatible")


def _opencv_wheel() -> Check:
    """Insist on one OpenCV, without a window system of its own that would load a second Qt."""
    package_name = "opencv-contrib-python-headless"
    installed = sorted(
        {
            name
            for distribution in importlib.metadata.distributions()
            if (name := (distribution.metadata["Name"] or "").lower()).startswith("opencv")
        }
    )
    repair = (
        f"{_pip()} uninstall -y {' '.join(installed)}",
        f"{_pip()} install {package_name}",
    )
    if len(installed) > 1:
        return Check("OpenCV wheel", "warning", f"conflicting packages: {installed}", repair)
    try:
        cv2 = importlib.import_module("cv2")
    except ImportError as error:
        return Check("OpenCV wheel", "missing", str(error), (f"{_pip()} install {package_name}",))
    folder = Path(cv2.__path__[0])
    is_headless = bool(cv2.version.headless) and not (folder / "qt").exists()
    if not is_headless:
        return Check(
            "OpenCV wheel", "warning", "includes its own Qt, which conflicts with PySide6", repair
        )
    return Check("OpenCV wheel", "ok", f"headless {cv2.__version__}")


def _sqlite() -> Check:
    try:
        sqlite3 = importlib.import_module("sqlite3")
    except ImportError as error:
        return Check("SQLite", "missing", str(error), ("Use a Python build that includes SQLite.",))
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        return Check(
            "SQLite",
            "missing",
            f"{sqlite3.sqlite_version} is too old",
            ("Use SQLite 3.37 or newer.",),
        )
    return Check("SQLite", "ok", str(sqlite3.sqlite_version))


def _decoders() -> Check:
    try:
        av = importlib.import_module("av")
    except ImportError as error:
        return Check("decoders", "missing", str(error), (f"{_pip()} install av",))
    absent = [name for name in _DECODERS if not _has_decoder(av.Codec, name)]
    ffmpeg = ".".join(str(part) for part in av.library_versions["libavcodec"])
    if absent:
        return Check(
            "decoders",
            "warning",
            f"FFmpeg does not support {', '.join(absent)}",
            (f"{_pip()} install --force-reinstall av",),
        )
    return Check("decoders", "ok", f"{', '.join(_DECODERS)} (libavcodec {ffmpeg})")


def _has_decoder(codec: type, name: str) -> bool:
    try:
        codec(name, "r")
    except ValueError:
        return False
    return True


def _libraries() -> Iterator[Check]:
    missing = system_libraries.missing_libraries()
    if not missing:
        yield Check("system libraries", "ok", "complete")
    purposes = {
        "program": "required to start the program",
        "window": "required for the window",
        "sound": "required for audio",
    }
    for purpose, meaning in purposes.items():
        lacking = [library for library in missing if library.purpose == purpose]
        if lacking:
            names = ", ".join(library.soname for library in lacking)
            state: State = "missing" if system_libraries.is_blocking(lacking) else "warning"
            advice = tuple(system_libraries.advice(lacking))
            yield Check("system libraries", state, f"{names}: {meaning}", advice)
    if system_libraries.is_font_missing():
        advice = tuple(system_libraries.advice([], fonts=True))
        yield Check("fonts", "warning", "no fonts found; text would be displayed as boxes", advice)


def _window_system() -> Check:
    """Find the plug-in by which Qt would open a window, and try to load it with all it needs."""
    try:
        core = importlib.import_module("PySide6.QtCore")
    except ImportError as error:
        return Check("window", "missing", str(error), tuple(_line_for_qt()))
    version = core.qVersion()
    chosen = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] or _usual_platform()
    if chosen is None:
        text = f"Qt {version}; no display is available, so only commands without a window work"
        return Check(
            "window", "warning", text, ("Start annotator in a desktop session, or set DISPLAY.",)
        )
    folder = Path(core.QLibraryInfo.path(core.QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    files = sorted(folder.glob(f"*q{chosen}*"))
    if not files:
        platforms = sorted(path.stem for path in folder.iterdir()) if folder.is_dir() else []
        text = f"Qt {version} has no platform plug-in '{chosen}'. Available: {', '.join(platforms)}"
        return Check("window", "missing", text, ("Unset QT_QPA_PLATFORM.",))
    try:
        ctypes.CDLL(str(files[0]))
    except OSError as error:
        return Check("window", "missing", f"Qt {version}, {chosen}: {error}", tuple(_line_for_qt()))
    return Check("window", "ok", f"Qt {version} on {chosen}")


def _usual_platform() -> str | None:
    if sys.platform == "darwin":
        return "cocoa"
    if sys.platform == "win32":
        return "windows"
    if os.environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    return "xcb" if os.environ.get("DISPLAY") else None


def _line_for_qt() -> list[str]:
    missing = system_libraries.missing_libraries()
    lines = system_libraries.advice([item for item in missing if item.purpose != "sound"])
    return lines or [f"{_pip()} install --force-reinstall PySide6-Essentials"]


def _sound() -> Check:
    try:
        sounddevice = importlib.import_module("sounddevice")
    except (ImportError, OSError) as error:
        missing = system_libraries.missing_libraries()
        advice = system_libraries.advice([item for item in missing if item.purpose == "sound"])
        return Check("sound", "warning", f"videos play silently: {error}", tuple(advice))
    try:
        devices = [row["name"] for row in sounddevice.query_devices() if row["max_output_channels"]]
        chosen = sounddevice.query_devices(kind="output")["name"] if devices else ""
    except sounddevice.PortAudioError as error:
        return Check("sound", "warning", f"videos play silently: {error}")
    if not devices:
        text = "no audio output device; videos play silently"
        return Check(
            "sound", "warning", text, ("Connect an audio device or start an audio server.",)
        )
    return Check("sound", "ok", f"{chosen} (1 of {len(devices)})")


def _spelling() -> Check:
    """Report the installed dictionaries; without any, answers have no spell checking."""
    from annotator.services.spelling import FALLBACK, dictionaries, is_available

    if not is_available():
        return Check(
            "spelling",
            "ok",
            "not installed: the spelling of answers is not checked",
            (f"{_pip()} install spylls",),
        )
    own = sorted(dictionaries())
    return Check("spelling", "ok", f"dictionaries: {', '.join(own) or f'only {FALLBACK}'}")


def _models() -> Iterator[Check]:
    """Look at the networks that were added; nothing where there are none."""
    from annotator.assist.models.installed import installed_models

    for each in installed_models(checks=True):
        name, manifest = f"model {each.manifest.name}", each.manifest
        if each.problem:
            advice = ("Add the model again: annotator models add MANIFEST",)
            yield Check(name, "warning", each.problem, advice)
        else:
            yield Check(name, "ok", f"{manifest.title} {manifest.version}, {manifest.license}")


def _disk() -> Check:
    try:
        folder = paths.data_dir()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("disk", "missing", str(error), ("Make your home folder writable.",))
    copies = sum(c.stat().st_size for c in (folder / "backups").glob("*/*.annot"))
    text = f"{free / 1024**3:.1f} GB free at {folder}, {copies / 1024**3:.1f} GB of backups there"
    if free < _ENOUGH_DISK_BYTES:
        return Check("disk", "warning", text, ("Free disk space before a long session.",))
    return Check("disk", "ok", text)


def _version_of(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _pip() -> str:
    return f"{sys.executable} -m pip"
