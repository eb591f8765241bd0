"""The models that a user has added: a folder for each, with manifest, network and license."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator import paths
from annotator.assist.models.box_tracker import NetworkTracker
from annotator.assist.models.manifest import (
    Manifest,
    ModelTask,
    checked_bytes,
    license_text,
    read_manifest,
    refused,
)
from annotator.assist.models.network import Network
from annotator.assist.models.point_tracker import NetworkFollower
from annotator.domain.errors import AssistError

MANIFEST: Final = "model.toml"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Installed:
    """An added model; ``problem`` is the reason why it cannot be used, "" if it can."""

    manifest: Manifest
    folder: Path
    problem: str = ""


def models_folder() -> Path:
    """Return the folder of the models; it may not exist yet."""
    return paths.data_dir() / "models"


def add_model(path: Path) -> Manifest:
    """Validate a model and its manifest, try it out, and store a copy; AssistError if invalid.

    A model of the same name is replaced.
    """
    manifest = read_manifest(path)
    folder = path.parent
    license_text(manifest, folder)
    Network(manifest, folder)
    target, fresh = _folder(manifest.name), models_folder() / f".{manifest.name}.new"
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        shutil.copyfile(path, fresh / MANIFEST)
        for name in (manifest.file, manifest.license_file):
            shutil.copyfile(folder / name, fresh / name)
        checked_bytes(manifest, fresh)
        shutil.rmtree(target, ignore_errors=True)
        fresh.rename(target)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise refused(target, f"It cannot be copied ({error.strerror}).") from error
    return manifest


def remove_model(name: str) -> None:
    """Remove an added model; AssistError when there is none of that name."""
    known = {each.manifest.name: each.folder for each in installed_models()}
    if name not in known:
        listed = ", ".join(sorted(known)) or "none"
        raise AssistError(f"Unknown model “{name}”.", hint=f"Installed models: {listed}.")
    shutil.rmtree(known[name])


def installed_models(*, checks: bool = False) -> list[Installed]:
    """Return the added models by name; with ``checks`` each is loaded and tried out."""
    models: list[Installed] = []
    folder = models_folder()
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        if place.name.startswith(".") or not (place / MANIFEST).is_file():
            continue
        try:
            manifest = read_manifest(place / MANIFEST)
            if manifest.name != place.name:
                raise refused(place, "Its folder has another name.")
        except AssistError as error:
            _log.info("model %s: %s", place.name, error)
            continue
        problem = ""
        if checks:
            try:
                Network(manifest, place)
            except AssistError as error:
                problem = str(error)
        models.append(Installed(manifest, place, problem))
    return models


def trackers() -> Iterator[NetworkTracker | NetworkFollower]:
    """Yield the trackers that the added models are."""
    for each in installed_models():
        if each.manifest.task is ModelTask.BOX_FIT:
            continue
        kind = NetworkTracker if each.manifest.task is ModelTask.BOXES else NetworkFollower
        yield kind(each.manifest, each.folder)


def _folder(name: str) -> Path:
    return models_folder() / name
