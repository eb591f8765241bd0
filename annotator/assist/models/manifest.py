"""Manifests of models: task, license, and names of inputs and outputs.

A manifest is a TOML file beside the network (ONNX) and its license. Nothing in it is run.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from annotator.domain.errors import AssistError, RecipeError
from annotator.domain.inner_path import is_inner_path
from annotator.domain.toml import TomlTable, fault

MAX_MANIFEST: Final = 100_000
MAX_LICENSE: Final = 1_000_000
MAX_MODEL: Final = 2_000_000_000
_MAX_PX: Final = 4096
_MAX_FRAMES: Final = 1024
_MAX_FACTOR: Final = 20.0
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class ModelTask(StrEnum):
    """Purpose of a network."""

    BOXES = "boxes"  # follow the box of an object from one frame to the next
    POINTS = "points"  # follow points through a stretch of frames
    BOX_FIT = "box-fit"  # find the object that was clicked


@dataclass(frozen=True, slots=True)
class BoxNetwork:
    """Names and sizes of a box tracker.

    ``template`` and ``search`` are inputs [1, 3, n, n] (float32, RGB, normalized by ``mean`` and
    ``std`` of values 0 to 1): crops of ``template_px`` and ``search_px`` around the box, with sides
    of ``template_factor`` and ``search_factor`` times the square root of its area. ``box`` is the
    output [1, 4]: center x, center y, width and height as shares of the search crop; ``score``
    [1, 1] is 0 to 1, "" if the network has none.
    """

    template: str
    search: str
    box: str
    score: str
    template_px: int
    search_px: int
    template_factor: float
    search_factor: float
    mean: tuple[float, ...]
    std: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class PointNetwork:
    """Names and sizes of a point tracker.

    ``video`` is the input [1, frames, height, width, 3] (float32, RGB, from ``low`` to ``high``),
    ``queries`` [1, n, 3]: frame, y and x of each point in pixels of the input. ``tracks`` is the
    output [1, n, frames, 2]: x and y in pixels of the input; ``occlusion`` [1, n, frames] is a
    logit, positive where the point is hidden. ``distance`` [1, n, frames] is a logit, positive
    where the place is expected to be far off, "" if the network has none.
    """

    video: str
    queries: str
    tracks: str
    occlusion: str
    distance: str
    width: int
    height: int
    frames: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class FitNetwork:
    """Names and sizes of a segmentation model that is prompted by a click.

    ``image`` is the input [1, 3, height, width] (float32, RGB, normalized by ``mean`` and ``std``
    of values 0 to 1), ``point`` [1, 1, 2]: x and y of the click in pixels of the input. ``mask`` is
    the output [1, 1, h, w] of any size: a logit, positive where the object is.
    """

    image: str
    point: str
    mask: str
    width: int
    height: int
    mean: tuple[float, ...]
    std: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """A model: name, title, version, license and source; its file with the SHA-256 of its bytes."""

    name: str
    title: str
    version: str
    license: str
    license_file: str
    source: str
    file: str
    sha256: str
    task: ModelTask
    network: BoxNetwork | PointNetwork | FitNetwork


def read_manifest(path: Path) -> Manifest:
    """Return the manifest in a file; AssistError names the fault."""
    try:
        size = path.stat().st_size
        if size > MAX_MANIFEST:
            raise refused(path, f"It has {size} bytes. The limit is {MAX_MANIFEST}.")
        value = tomllib.loads(path.read_bytes().decode("utf-8"))
        return _manifest(TomlTable(value, ""))
    except OSError as error:
        raise refused(path, f"{error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise refused(path, f"It is not a TOML file ({error}).") from error
    except RecipeError as error:
        raise refused(path, f"{error.where}: {error.text} {error.hint}".strip()) from error


def checked_bytes(manifest: Manifest, folder: Path) -> bytes:
    """Return the network; AssistError when it is missing, too large, or not the one described."""
    path = folder / manifest.file
    try:
        if path.stat().st_size > MAX_MODEL:
            raise refused(path, f"Models of more than {MAX_MODEL // 10**9} GB are not supported.")
        found = path.read_bytes()
    except OSError as error:
        raise refused(path, f"{error.strerror}.") from error
    if hashlib.sha256(found).hexdigest() != manifest.sha256:
        raise refused(
            path, "The file is not the one that the manifest describes: its SHA-256 is different."
        )
    return found


def license_text(manifest: Manifest, folder: Path) -> str:
    """Return the text of the license; AssistError when there is none."""
    path = folder / manifest.license_file
    try:
        if path.stat().st_size > MAX_LICENSE:
            raise refused(path, "The license text is too long.")
        text = path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise refused(path, f"{error.strerror}.") from error
    if not text.strip():
        raise refused(path, "The license text is empty.")
    return text


def _manifest(table: TomlTable) -> Manifest:
    task = table.word("task", ModelTask)
    manifest = Manifest(
        name=table.name("name"),
        title=table.text("title"),
        version=table.text("version"),
        license=table.text("license"),
        license_file=_beside(table, "license_file"),
        source=table.text("source", ""),
        file=_beside(table, "file"),
        sha256=table.text("sha256").lower(),
        task=task,
        network=_network(table, task),
    )
    if not _HASH.fullmatch(manifest.sha256):
        raise fault(table.at("sha256"), "Must be 64 hexadecimal digits.")
    table.done()
    return manifest


def _beside(table: TomlTable, key: str) -> str:
    found = table.text(key)
    if not is_inner_path(found) or "/" in found:
        raise fault(table.at(key), "Must be the name of a file in the folder of the manifest.")
    return found


def _network(table: TomlTable, task: ModelTask) -> BoxNetwork | PointNetwork | FitNetwork:
    match task:
        case ModelTask.BOXES:
            return _box_network(table)
        case ModelTask.POINTS:
            return _point_network(table)
        case ModelTask.BOX_FIT:
            return _fit_network(table)


def _fit_network(table: TomlTable) -> FitNetwork:
    part = _part(table, ModelTask.BOX_FIT)
    made = FitNetwork(
        image=part.text("image"),
        point=part.text("point"),
        mask=part.text("mask"),
        width=part.whole("width", 8, _MAX_PX),
        height=part.whole("height", 8, _MAX_PX),
        mean=part.numbers("mean", (0.0, 0.0, 0.0)),
        std=part.numbers("std", (1.0, 1.0, 1.0)),
    )
    part.done()
    _check_spread(made.std, part)
    return made


def _check_spread(std: tuple[float, ...], part: TomlTable) -> None:
    if min(std) <= 0:
        raise fault(part.at("std"), "Must be greater than 0.")


def _box_network(table: TomlTable) -> BoxNetwork:
    part = _part(table, ModelTask.BOXES)
    box_network = BoxNetwork(
        template=part.text("template"),
        search=part.text("search"),
        box=part.text("box"),
        score=part.text("score", ""),
        template_px=part.whole("template_px", 8, _MAX_PX),
        search_px=part.whole("search_px", 8, _MAX_PX),
        template_factor=part.number("template_factor", _MAX_FACTOR) or 2.0,
        search_factor=part.number("search_factor", _MAX_FACTOR) or 4.0,
        mean=part.numbers("mean", (0.0, 0.0, 0.0)),
        std=part.numbers("std", (1.0, 1.0, 1.0)),
    )
    part.done()
    _check_spread(box_network.std, part)
    return box_network


def _point_network(table: TomlTable) -> PointNetwork:
    part = _part(table, ModelTask.POINTS)
    low, high = part.numbers("range", (-1.0, 1.0))
    point_network = PointNetwork(
        video=part.text("video"),
        queries=part.text("queries"),
        tracks=part.text("tracks"),
        occlusion=part.text("occlusion"),
        distance=part.text("distance", ""),
        width=part.whole("width", 8, _MAX_PX),
        height=part.whole("height", 8, _MAX_PX),
        frames=part.whole("frames", 2, _MAX_FRAMES),
        low=low,
        high=high,
    )
    part.done()
    if not low < high:
        raise fault(part.at("range"), "The first number must be less than the second.")
    return point_network


def _part(table: TomlTable, task: ModelTask) -> TomlTable:
    found = table.optional(task.value, lambda part: part)
    if found is None:
        raise fault(table.at(task.value), "This table is required: it names inputs and outputs.")
    return found


def refused(path: Path, why: str) -> AssistError:
    """Return the error for a model that cannot be used."""
    return AssistError(
        f"Cannot use the model: {why}",
        hint="See “Models of your own” in the guide.",
        where=str(path),
    )
