"""A network in ONNX format, run by ONNX Runtime (extra ``onnx``) on the processor.

It is loaded from bytes that were checked, so that no other file is read on its behalf.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from annotator.assist.models.manifest import (
    BoxNetwork,
    FitNetwork,
    Manifest,
    checked_bytes,
    refused,
)
from annotator.domain.errors import AssistError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

MISSING: Final = (
    "ONNX Runtime is not installed. Install annotator with the extra “onnx”, for example "
    "pip install 'annotator[onnx]'."
)
_THREADS: Final = 2
_TRIAL_POINTS: Final = 2
_ANY: Final = -1


def is_runtime_there() -> bool:
    """Return whether ONNX Runtime is installed."""
    return importlib.util.find_spec("onnxruntime") is not None


class Network:
    """A loaded network; `run` gives its outputs by name."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        """Load a network and try it out; AssistError says why it cannot be used."""
        if not is_runtime_there():
            raise AssistError(MISSING)
        import onnxruntime

        self.manifest = manifest
        self._place = folder / manifest.file
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(_THREADS, os.cpu_count() or 1)
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        body = checked_bytes(manifest, folder)
        try:
            self._session = onnxruntime.InferenceSession(
                body, options, providers=["CPUExecutionProvider"], enable_fallback=0
            )
        except Exception as error:  # the runtime raises errors of a library of its own
            raise refused(
                self._place, f"It is not a network in ONNX format ({_line(error)})."
            ) from error
        self._outputs = _outputs_of(manifest)
        self._check_names()
        self._try_out()

    def run(self, inputs: Mapping[str, Floats]) -> dict[str, Floats]:
        """Return outputs by name, as float32; AssistError when the network fails."""
        names = list(self._outputs)
        try:
            found = self._session.run(names, dict(inputs))
        except Exception as error:
            raise refused(self._place, f"The network failed ({_line(error)}).") from error
        return {
            name: np.asarray(value, np.float32) for name, value in zip(names, found, strict=True)
        }

    def _check_names(self) -> None:
        inputs, expected = _types(self._session.get_inputs()), set(_inputs_of(self.manifest))
        outputs = _types(self._session.get_outputs())
        if set(inputs) != expected:
            raise refused(
                self._place,
                f"The manifest names the inputs {_listed(expected)}; the network has "
                f"{_listed(inputs)}.",
            )
        if not set(self._outputs) <= set(outputs):
            raise refused(
                self._place,
                f"The manifest names the outputs {_listed(self._outputs)}; the network has "
                f"{_listed(outputs)}.",
            )
        for name, kind in {**inputs, **{n: outputs[n] for n in self._outputs}}.items():
            if kind != "tensor(float)":
                raise refused(self._place, f"“{name}” is a {kind}; tensor(float) is required.")

    def _try_out(self) -> None:
        """Run the network once on gray pictures: shapes that do not fit are found here."""
        inputs, shapes = _trial(self.manifest)
        outputs = self.run(inputs)
        for name, wanted_shape in shapes.items():
            shape = outputs[name].shape
            is_alike = len(shape) == len(wanted_shape) and all(
                one == other or (other == _ANY and one > 0)
                for one, other in zip(shape, wanted_shape, strict=True)
            )
            if not is_alike:
                raise refused(
                    self._place,
                    f"The output “{name}” has the shape {_shape(shape)}; {_shape(wanted_shape)} is "
                    "required.",
                )
            if not np.isfinite(outputs[name]).all():
                raise refused(self._place, f"The output “{name}” is not a finite number.")


def _inputs_of(manifest: Manifest) -> Sequence[str]:
    network = manifest.network
    if isinstance(network, BoxNetwork):
        return (network.template, network.search)
    if isinstance(network, FitNetwork):
        return (network.image, network.point)
    return (network.video, network.queries)


def _outputs_of(manifest: Manifest) -> Sequence[str]:
    network = manifest.network
    if isinstance(network, BoxNetwork):
        return tuple(filter(None, (network.box, network.score)))
    if isinstance(network, FitNetwork):
        return (network.mask,)
    return tuple(filter(None, (network.tracks, network.occlusion, network.distance)))


def _trial(manifest: Manifest) -> tuple[dict[str, Floats], dict[str, tuple[int, ...]]]:
    """Return inputs to try a network with, and the shapes of the outputs they must give."""
    network = manifest.network
    if isinstance(network, BoxNetwork):
        sides = {network.template: network.template_px, network.search: network.search_px}
        shapes: dict[str, tuple[int, ...]] = {network.box: (1, 4)}
        if network.score:
            shapes[network.score] = (1, 1)
        gray = {name: np.full((1, 3, px, px), 0.5, np.float32) for name, px in sides.items()}
        return gray, shapes
    if isinstance(network, FitNetwork):
        size = (network.height, network.width)
        gray = {network.image: np.full((1, 3, *size), 0.5, np.float32)}
        click = {network.point: np.array([[[size[1] / 2, size[0] / 2]]], np.float32)}
        return {**gray, **click}, {network.mask: (1, 1, _ANY, _ANY)}
    n, size = _TRIAL_POINTS, (network.height, network.width)
    middle = np.array([0.0, size[0] / 2, size[1] / 2], np.float32)
    inputs = {
        network.video: np.zeros((1, network.frames, *size, 3), np.float32),
        network.queries: np.tile(middle, (1, n, 1)),
    }
    query_shape = (1, n, network.frames)
    expected_shapes: dict[str, tuple[int, ...]] = {
        network.tracks: (*query_shape, 2),
        network.occlusion: query_shape,
    }
    return inputs, {
        **expected_shapes,
        **({network.distance: query_shape} if network.distance else {}),
    }


def _types(values: Sequence[Any]) -> dict[str, str]:
    return {each.name: str(each.type) for each in values}


def _listed(names: Mapping[str, object] | Sequence[str] | set[str]) -> str:
    return ", ".join(f"“{name}”" for name in sorted(names)) or "none"


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join("n" if side == _ANY else str(side) for side in shape)


def _line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
