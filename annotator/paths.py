"""Paths of shipped resources and of the user's folders."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_APP_NAME = "annotator"

PROJECT_SUFFIX = ".annot"
"""The ending of project files."""


@lru_cache
def resources() -> Path:
    """Give the folder of shipped data: inside an installed package, else beside the checkout's."""
    package = Path(__file__).resolve().parent
    packaged = package / "_resources"
    return packaged if packaged.is_dir() else package.parent / "resources"


def resource(*parts: str) -> Path:
    """Give the path of one shipped file, as in ``resource("icons", "play.svg")``."""
    return resources().joinpath(*parts)


def resource_names(folder: str) -> list[str]:
    """Give the names of the shipped TOML files of a folder, without the extension."""
    return sorted(path.stem for path in resource(folder).glob("*.toml"))


def data_dir() -> Path:
    """Give the user's folder for things worth keeping (demo project, backups); made on demand.

    Other users may not read it: it has copies of projects.
    """
    import platformdirs

    return _created(platformdirs.user_data_path(_APP_NAME, appauthor=False), mode=0o700)


def config_dir() -> Path:
    """Give the user's folder for settings; made on demand."""
    import platformdirs

    return _created(platformdirs.user_config_path(_APP_NAME, appauthor=False))


def cache_dir() -> Path:
    """Give the user's folder for things that can be computed again; made on demand."""
    import platformdirs

    return _created(platformdirs.user_cache_path(_APP_NAME, appauthor=False))


def log_dir() -> Path:
    """Give the user's folder for the log and crash reports; made on demand."""
    import platformdirs

    return _created(platformdirs.user_log_path(_APP_NAME, appauthor=False))


def _created(folder: Path, mode: int | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if mode is not None and folder.stat().st_mode & 0o777 != mode:
        folder.chmod(mode)
    return folder
