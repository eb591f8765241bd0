"""Themes that can be read, objects that can be told apart, icons that can be tinted."""

from __future__ import annotations

import itertools
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import annotator
from annotator import paths

_THEMES = ("light", "dark", "high-contrast")
_PLANES = ("window", "surface", "raised", "timeline", "lane")
_TEXT = ("text", "text_dim", "link", "accent", "warning", "error", "success")
_MARKS = ("focus", "border_strong", "playhead", "keyframe", "interpolated", "proposed", "doubtful")
_MARKS_OF_LANES = ("gap", "grid_line", "waveform")

# Machado, Oliveira and Fernandes 2009, full severity, for linear RGB.
_VISION = {
    "full": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Ottosson's OKLab: linear RGB to cone responses, and their cube roots to lightness and two axes.
_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_AXES = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _linear(value: str) -> NDArray[np.float64]:
    coded = np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def _contrast(first: str, second: str) -> float:
    light = sorted(float(_linear(value) @ [0.2126, 0.7152, 0.0722]) for value in (first, second))
    return (light[1] + 0.05) / (light[0] + 0.05)


def _perceived(value: str, vision: str) -> NDArray[np.float64]:
    seen = np.clip(np.array(_VISION[vision]) @ _linear(value), 0, 1)
    return _AXES @ np.cbrt(_CONES @ seen)


def _colors(theme: str) -> dict[str, str]:
    text = paths.resource("themes", f"{theme}.toml").read_text(encoding="utf-8")
    colors: dict[str, str] = tomllib.loads(text)["colors"]
    return colors


def _objects() -> list[str]:
    text = paths.resource("themes", "objects.toml").read_text(encoding="utf-8")
    return [row["value"] for row in tomllib.loads(text)["color"]]


def _icons() -> list[str]:
    return sorted(path.stem for path in paths.resource("icons").glob("*.svg"))


def test_themes_name_the_same_colors() -> None:
    names = [list(_colors(theme)) for theme in _THEMES]
    assert names[0] == names[1] == names[2]


@pytest.mark.parametrize("theme", _THEMES)
def test_text_of_a_theme_reaches_aa(theme: str) -> None:
    colors = _colors(theme)
    pairs = [(name, plane) for name in _TEXT for plane in _PLANES]
    pairs += [("text", "hover"), ("text", "pressed"), ("text_disabled", "surface")]
    pairs += [("accent_text", "accent"), ("selection_text", "selection")]
    pairs += [(name, f"{name}_surface") for name in ("warning", "error", "success")]
    faint = {
        pair: round(ratio, 2)
        for pair in pairs
        if (ratio := _contrast(colors[pair[0]], colors[pair[1]])) < 4.5
    }
    assert faint == {}


@pytest.mark.parametrize("theme", _THEMES)
def test_marks_of_a_theme_reach_three_to_one(theme: str) -> None:
    colors = _colors(theme)
    pairs = [(mark, plane) for mark in _MARKS for plane in _PLANES]
    pairs += [(mark, plane) for mark in _MARKS_OF_LANES for plane in ("timeline", "lane")]
    faint = [pair for pair in pairs if _contrast(colors[pair[0]], colors[pair[1]]) < 3]
    assert faint == []


@pytest.mark.parametrize("vision", _VISION)
def test_objects_are_told_apart(vision: str) -> None:
    seen = {value: _perceived(value, vision) for value in _objects()}
    assert len(seen) == 12
    too_near = [
        pair
        for pair in itertools.combinations(seen, 2)
        if np.linalg.norm(seen[pair[0]] - seen[pair[1]]) < 0.07
    ]
    assert too_near == []


@pytest.mark.parametrize("theme", _THEMES)
def test_objects_stand_out_from_the_planes(theme: str) -> None:
    surface = _perceived(_colors(theme)["surface"], "full")
    near = [v for v in _objects() if np.linalg.norm(_perceived(v, "full") - surface) < 0.15]
    assert near == []


@pytest.mark.parametrize("name", _icons())
def test_icon_is_drawn_on_the_grid_in_the_color_of_the_text(name: str) -> None:
    text = paths.resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    if name == "annotator":
        return
    assert root.get("viewBox") == "0 0 24 24"
    assert root.get("stroke") == "currentColor"
    assert root.get("stroke-width") == "1.75"
    paints = {e.get(key) for e in root.iter() for key in ("fill", "stroke")}
    assert paints <= {None, "none", "currentColor"}


def test_every_icon_is_used() -> None:
    code = [p.read_text(encoding="utf-8") for p in Path(annotator.__file__).parent.rglob("*.py")]
    named = set(re.findall(r"[\"']([a-z-]+)(?:\.svg)?[\"']", "\n".join(code)))
    actions = paths.resource("actions.toml").read_text(encoding="utf-8")
    named.update(re.findall(r'icon = "([a-z-]+)"', actions))
    assert sorted(set(_icons()) - named) == []


def test_every_icon_is_drawn_by_qt(qapp: object) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    assert qapp is not None
    empty = []
    for name in _icons():
        image = QImage(24, 24, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        QSvgRenderer(str(paths.resource("icons", f"{name}.svg"))).render(painter)
        painter.end()
        if not np.asarray(image.constBits()).any():
            empty.append(name)
    assert len(_icons()) > 40
    assert empty == []
