"""Box around a clicked object, from a segmentation model added by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from annotator.assist.models.box_tracker import loaded
from annotator.assist.models.installed import Installed, installed_models
from annotator.assist.models.manifest import FitNetwork, ModelTask
from annotator.domain.geometry import Box, Point

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_PX: Final = 3


def fitters() -> list[Installed]:
    """Return the added models for box fitting, by name."""
    return [each for each in installed_models() if each.manifest.task is ModelTask.BOX_FIT]


def fitted_box(model: Installed, picture: NDArray[np.uint8], click: Point) -> Box | None:
    """Return the box around the object at a place, None when the model finds nothing there.

    ``picture`` is RGB [h, w, 3]; places are in image pixels. AssistError when the model cannot be
    used.
    """
    about = model.manifest.network
    assert isinstance(about, FitNetwork)
    height, width = picture.shape[:2]
    scale = np.array([about.width / width, about.height / height])
    small = cv2.resize(picture, (about.width, about.height), interpolation=cv2.INTER_AREA)
    mean, std = (np.array(channel_values, np.float32) for channel_values in (about.mean, about.std))
    values = (small.astype(np.float32) / 255 - mean) / std
    place = np.array([click.x, click.y]) * scale
    outputs = loaded(model.manifest, model.folder).run(
        {
            about.image: np.ascontiguousarray(values.transpose(2, 0, 1)[None]),
            about.point: place.astype(np.float32)[None, None],
        }
    )
    mask = cv2.resize(outputs[about.mask][0, 0], (width, height), interpolation=cv2.INTER_LINEAR)
    return _box_at(np.asarray(mask > 0), click)


def _box_at(is_object: NDArray[np.bool_], click: Point) -> Box | None:
    """Return the box around the part of a mask [h, w] that a place lies in."""
    height, width = is_object.shape
    x, y = min(int(click.x), width - 1), min(int(click.y), height - 1)
    _, parts, sizes, _ = cv2.connectedComponentsWithStats(is_object.astype(np.uint8))
    part = int(parts[max(y, 0), max(x, 0)])
    if part == 0:
        return None
    left, top, wide, high = (
        int(sizes[part, key])
        for key in (cv2.CC_STAT_LEFT, cv2.CC_STAT_TOP, cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT)
    )
    if min(wide, high) < _LEAST_PX:
        return None
    return Box(float(left), float(top), float(left + wide), float(top + high))
