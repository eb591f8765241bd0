"""A box tracker from a network of the user: template and search crop in, box out."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from annotator.assist.boxes.arrays import Box4
from annotator.assist.boxes.single import SingleTracker
from annotator.assist.models.manifest import BoxNetwork, Manifest
from annotator.assist.models.network import MISSING, Network, is_runtime_there
from annotator.assist.pictures import View
from annotator.assist.protocol import Stepper
from annotator.domain.json_type import Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALLEST_PX: Final = 2.0


class NetworkTracker(SingleTracker):
    """Follows boxes with an added model."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self.name, self.title = f"model-{manifest.name}", manifest.title
        self._manifest, self._folder = manifest, folder

    def needs(self) -> list[str]:
        return [] if is_runtime_there() else [MISSING]

    def parameters(self) -> dict[str, Json]:
        manifest = self._manifest
        return {
            "model": manifest.name,
            "model_version": manifest.version,
            "model_sha256": manifest.sha256,
            "license": manifest.license,
        }

    def stepper(self) -> Callable[[], Stepper]:
        network = loaded(self._manifest, self._folder)
        return lambda: NetworkStepper(network)


@lru_cache(maxsize=4)
def loaded(manifest: Manifest, folder: Path) -> Network:
    """Return a network, loaded once for each process; AssistError as `Network`."""
    return Network(manifest, folder)


class NetworkStepper:
    """Follows one object; the template is the crop it was started with."""

    def __init__(self, network: Network) -> None:
        self._network = network
        about = network.manifest.network
        assert isinstance(about, BoxNetwork)
        self._about = about

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Take hold of the object; ``box`` is in the view's pixels."""
        about = self._about
        self._view, self._box = view, box
        crop, _ = _crop(view.color(frame), box, about.template_factor, about.template_px)
        self._template = self._normal(crop)

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and the network's score."""
        about = self._about
        picture = self._view.color(frame)
        crop, corner = _crop(picture, self._box, about.search_factor, about.search_px)
        outputs = self._network.run(
            {about.template: self._template, about.search: self._normal(crop)}
        )
        x, y, side = corner
        cx, cy, width, height = (float(v) for v in outputs[about.box][0])
        score = float(outputs[about.score][0, 0]) if about.score else 0.5
        half = np.array([abs(width), abs(height)]) * side / 2
        center = np.array([x + cx * side, y + cy * side])
        box = np.concatenate([center - half, center + half])
        if np.isfinite(box).all() and (half * 2 >= _SMALLEST_PX).all():
            self._box = box
        else:
            score = 0.0
        return self._box, float(np.clip(score, 0.0, 1.0))

    def adjust(self, box: Box4) -> None:
        """Search next around the box that several trackers agree on."""
        self._box = box

    def _normal(self, crop: NDArray[np.uint8]) -> NDArray[np.float32]:
        about = self._about
        mean, std = (np.array(each, np.float32) for each in (about.mean, about.std))
        values = (crop.astype(np.float32) / 255 - mean) / std
        return np.ascontiguousarray(values.transpose(2, 0, 1)[None])


def _crop(
    picture: NDArray[np.uint8], box: Box4, factor: float, px: int
) -> tuple[NDArray[np.uint8], tuple[float, float, float]]:
    """Return a square crop around a box, resized to ``px``, and its left, top and side.

    What lies outside the picture is gray.
    """
    width, height = np.maximum(box[2:] - box[:2], 1.0)
    side = float(np.sqrt(width * height) * factor)
    x, y = (box[:2] + box[2:]) / 2 - side / 2
    scale = px / side
    move = np.array([[scale, 0, -x * scale], [0, scale, -y * scale]])
    made = cv2.warpAffine(
        picture, move, (px, px), flags=cv2.INTER_LINEAR, borderValue=(128, 128, 128)
    )
    return np.asarray(made, np.uint8), (float(x), float(y), side)
