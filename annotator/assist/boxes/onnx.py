"""Trackers with a neural network (ViT, Nano) for whom a model file is at hand.

The files are named by environment variables, since models are large and chosen by the user:
``ANNOTATOR_VIT_MODEL`` (one .onnx file); ``ANNOTATOR_NANO_MODELS`` (backbone and head, two .onnx
files separated by the system's path separator).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from annotator.assist.boxes.arrays import Box4
from annotator.assist.boxes.single import SingleTracker
from annotator.assist.pictures import View
from annotator.assist.protocol import Stepper
from annotator.domain.errors import AssistError
from annotator.domain.json_type import Json

_SMALLEST_PX: Final = 6
_TRIAL_PX: Final = 128


class ModelStepper:
    """Follows a box by one of OpenCV's network trackers."""

    def __init__(self, make: Callable[[], cv2.Tracker]) -> None:
        self._make = make

    def start(self, view: View, frame: int, box: Box4) -> None:
        """Show the network the object; `box` is in the view's pixels."""
        self._view = view
        self._tracker = self._make()
        low = np.clip(np.round(box[:2]), 0, np.array(view.size) - _SMALLEST_PX)
        high = np.clip(np.round(box[2:]), low + _SMALLEST_PX, view.size)
        (x, y), (w, h) = (int(v) for v in low), (int(v) for v in high - low)
        self._tracker.init(_bgr(view, frame), (x, y, w, h))
        self._offset = box - np.concatenate([low, high])
        self._box = box

    def step(self, frame: int) -> tuple[Box4, float]:
        """Follow to a neighboring frame; return the box and the network's score."""
        found, (x, y, w, h) = self._tracker.update(_bgr(self._view, frame))
        if found:
            self._box = np.array([x, y, x + w, y + h], np.float64) + self._offset
        score = float(self._tracker.getTrackingScore())
        return self._box, float(np.clip(score, 0.0, 1.0)) if found else 0.0

    def adjust(self, box: Box4) -> None:
        """Keep to its own view."""


class ModelTracker(SingleTracker):
    """A network tracker; subclasses name the OpenCV class and its files."""

    variable: str
    files: tuple[str, ...]
    opencv_name: str

    def paths(self) -> list[str]:
        """Return the model files named by the environment."""
        return [p for p in os.environ.get(self.variable, "").split(os.pathsep) if p]

    def needs(self) -> list[str]:
        wanted = " and ".join(self.files)
        paths = self.paths()
        if len(paths) != len(self.files):
            return [
                (
                    f"A model file is required. Set {self.variable} to the path of the "
                    f"{wanted} (.onnx)."
                )
            ]
        return [
            f"Cannot find the model file {path} ({self.variable}). Check the path of the {what}."
            for path, what in zip(paths, self.files, strict=True)
            if not Path(path).is_file()
        ]

    def parameters(self) -> dict[str, Json]:
        return {"models": [Path(path).name for path in self.paths()], "opencv": cv2.__version__}

    def stepper(self) -> Callable[[], Stepper]:
        paths = self.paths()
        try:
            _try_out(self.create(paths))
        except cv2.error as error:
            required = " and ".join(f"a {kind}" for kind in self.files)
            raise AssistError(
                f"Cannot load the model for {self.title}: {required} in ONNX format "
                f"{'is' if len(self.files) == 1 else 'are'} required, and the model must be made "
                "for this tracker.",
                hint=f"Download the model for OpenCV's {self.opencv_name} again and set "
                f"{self.variable} to "
                f"{'its path' if len(self.files) == 1 else 'both paths'}, or select another "
                "tracker.",
                where=", ".join(paths),
            ) from error
        return lambda: ModelStepper(lambda: self.create(paths))

    def create(self, paths: list[str]) -> cv2.Tracker:
        """Make OpenCV's tracker from the files."""
        raise LookupError(f"{type(self).__name__} names no tracker")


class VitTracker(ModelTracker):
    """OpenCV's TrackerVit."""

    name = "vit"
    title = "ViT network (model file)"
    variable = "ANNOTATOR_VIT_MODEL"
    files = ("network",)
    opencv_name = "TrackerVit"

    def create(self, paths: list[str]) -> cv2.Tracker:
        parameters = cv2.TrackerVit.Params()
        parameters.net = paths[0]
        return cv2.TrackerVit.create(parameters)


class NanoTracker(ModelTracker):
    """OpenCV's TrackerNano."""

    name = "nano"
    title = "Nano network (two model files)"
    variable = "ANNOTATOR_NANO_MODELS"
    files = ("backbone", "neck and head")
    opencv_name = "TrackerNano"

    def create(self, paths: list[str]) -> cv2.Tracker:
        parameters = cv2.TrackerNano.Params()
        parameters.backbone, parameters.neckhead = paths
        return cv2.TrackerNano.create(parameters)


def _try_out(tracker: cv2.Tracker) -> None:
    """Follow a box once on a gray picture: a network of another kind fails here, by cv2.error.

    OpenCV reads any network in ONNX form, and looks at its inputs and outputs when it is used.
    """
    gray = np.full((_TRIAL_PX, _TRIAL_PX, 3), 128, np.uint8)
    gray[40:80, 40:80] = 200
    tracker.init(gray, (40, 40, 40, 40))
    tracker.update(gray)


def _bgr(view: View, frame: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.ascontiguousarray(view.color(frame)[..., ::-1])
