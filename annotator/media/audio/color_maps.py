"""Colours for loudness that people who see colours differently can tell apart.

Each map rises evenly in lightness, so that it also reads in grey; its hue only helps. The maps are
computed from curves of our own in the OKLab colour space.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class _Path:
    """A way through colour space: hue in degrees and colourfulness from quiet to loud."""

    hues: tuple[float, ...]
    chroma: float


_PATHS = {
    "lagoon": _Path((300.0, 262.0, 215.0, 165.0, 108.0), 0.13),
    "ember": _Path((285.0, 330.0, 385.0, 425.0, 462.0), 0.15),
    "grey": _Path((0.0, 0.0), 0.0),
}
NAMES = tuple(_PATHS)
"""The maps there are; the first is the usual one."""

_DARK = (0.12, 0.97)
_LIGHT = (0.98, 0.22)
"""Lightness of silence and of the loudest: silence is the background of the theme."""


@cache
def table(name: str, *, is_dark: bool = True) -> NDArray[np.uint8]:
    """Colours from silence to loudest: uint8[256, 4] in the order blue, green, red, alpha.

    KeyError for a name that is not in ``NAMES``. The array is shared: it cannot be written to.
    """
    path = _PATHS[name]
    at = np.linspace(0.0, 1.0, 256)
    light = np.interp(at, (0.0, 1.0), _DARK if is_dark else _LIGHT)
    hue = np.radians(np.interp(at, np.linspace(0.0, 1.0, len(path.hues)), path.hues))
    # Colourfulness fades towards both ends, where screens cannot show it.
    chroma = np.full(256, path.chroma) * np.minimum(1.0, 5.0 * np.minimum(at + 0.02, 1.03 - at))
    rgb = _in_gamut(light, chroma, hue)
    out = np.full((256, 4), 255, np.uint8)
    out[:, :3] = np.rint(rgb[:, ::-1] * 255.0).astype(np.uint8)
    out.setflags(write=False)
    return out


def _in_gamut(
    light: NDArray[np.float64], chroma: NDArray[np.float64], hue: NDArray[np.float64]
) -> NDArray[np.float64]:
    """sRGB 0..1, [n, 3]; colours beyond the screen lose colourfulness, never lightness."""
    scale = np.ones_like(light)
    for _ in range(60):
        linear = _linear_rgb(light, chroma * scale * np.cos(hue), chroma * scale * np.sin(hue))
        outside = ((linear < -1e-4) | (linear > 1.0001)).any(axis=1)
        if not outside.any():
            break
        scale[outside] *= 0.93
    linear = np.clip(linear, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _linear_rgb(
    light: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Linear RGB [n, 3] of OKLab colours."""
    cones = np.stack(
        (
            light + 0.3963377774 * a + 0.2158037573 * b,
            light - 0.1055613458 * a - 0.0638541728 * b,
            light - 0.0894841775 * a - 1.2914855480 * b,
        ),
        axis=1,
    )
    to_rgb = np.array(
        (
            (4.0767416621, -3.3077115913, 0.2309699292),
            (-1.2684380046, 2.6097574011, -0.3413193965),
            (-0.0041960863, -0.7034186147, 1.7076147010),
        )
    )
    rgb: NDArray[np.float64] = (cones**3) @ to_rgb.T
    return rgb
