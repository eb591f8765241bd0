"""Tiny networks with their manifests, built on the spot: they find what is bright."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE = 64
"""Side of crops and pictures that the networks take, in pixels."""
FRAMES = 8


def box_model(folder: Path, **changes: object) -> Path:
    """Write a box tracker: the box is around the centroid of what is bright in the search crop.

    Its size is that of the object, since the crop has four times its side. Return the manifest.
    """
    grid = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE
    values = {
        "least": np.float32([0.6]),
        "few": np.float32([1e-6]),
        "x_of": np.broadcast_to(grid[None, None, None], (1, 1, SIDE, SIDE)).copy(),
        "y_of": np.broadcast_to(grid[None, None, :, None], (1, 1, SIDE, SIDE)).copy(),
        "size": np.float32([[0.25, 0.25]]),
        "axes": np.array([1, 2, 3], np.int64),
        "rgb": np.array([1], np.int64),
        "none": np.float32([[0.0]]),
        "sure": np.float32([[0.9]]),
        "all": np.array([0, 1, 2, 3], np.int64),
    }
    nodes = [
        helper.make_node("ReduceMean", ["search", "rgb"], ["gray"], keepdims=1),
        helper.make_node("Sub", ["gray", "least"], ["over"]),
        helper.make_node("Relu", ["over"], ["bright"]),
        helper.make_node("ReduceSum", ["bright", "axes"], ["sum"], keepdims=0),
        helper.make_node("Add", ["sum", "few"], ["total"]),
        helper.make_node("Mul", ["bright", "x_of"], ["bx"]),
        helper.make_node("ReduceSum", ["bx", "axes"], ["sx"], keepdims=0),
        helper.make_node("Div", ["sx", "total"], ["cx1"]),
        helper.make_node("Mul", ["bright", "y_of"], ["by"]),
        helper.make_node("ReduceSum", ["by", "axes"], ["sy"], keepdims=0),
        helper.make_node("Div", ["sy", "total"], ["cy1"]),
        helper.make_node("Add", ["cx1", "none"], ["cx"]),
        helper.make_node("Add", ["cy1", "none"], ["cy"]),
        helper.make_node("Concat", ["cx", "cy", "size"], ["box"], axis=1),
        # The template is taken in and changes nothing.
        helper.make_node("ReduceSum", ["template", "all"], ["sum_of_template"], keepdims=0),
        helper.make_node("Mul", ["sum_of_template", "none"], ["nothing"]),
        helper.make_node("Add", ["sure", "nothing"], ["score"]),
    ]
    inputs = {"template": (1, 3, SIDE, SIDE), "search": (1, 3, SIDE, SIDE)}
    _save(folder, nodes, values, inputs, {"box": (1, 4), "score": (1, 1)})
    about = {
        "task": "boxes",
        "boxes": {
            "template": "template",
            "search": "search",
            "box": "box",
            "score": "score",
            "template_px": SIDE,
            "search_px": SIDE,
            "search_factor": 4.0,
        },
    }
    return _manifest(folder, "bright-box", about, changes)


def point_model(folder: Path, **changes: object) -> Path:
    """Write a point tracker: each point is at the centroid of what is bright, and hidden where
    nothing is. Return the manifest.
    """
    grid = np.arange(SIDE, dtype=np.float32) + 0.5
    values = {
        "least": np.float32([0.6]),
        "few": np.float32([1e-6]),
        "x_of": np.broadcast_to(grid[None, None, None], (1, 1, SIDE, SIDE)).copy(),
        "y_of": np.broadcast_to(grid[None, None, :, None], (1, 1, SIDE, SIDE)).copy(),
        "places": np.array([2, 3], np.int64),
        "rgb": np.array([4], np.int64),
        "last": np.array([2], np.int64),
        "second": np.array([1], np.int64),
        "zero": np.float32([0.0]),
        "much": np.float32([5.0]),
    }
    nodes = [
        helper.make_node("ReduceMean", ["video", "rgb"], ["gray"], keepdims=0),
        helper.make_node("Sub", ["gray", "least"], ["over"]),
        helper.make_node("Relu", ["over"], ["bright"]),
        helper.make_node("ReduceSum", ["bright", "places"], ["sum"], keepdims=0),
        helper.make_node("Add", ["sum", "few"], ["total"]),
        helper.make_node("Mul", ["bright", "x_of"], ["bx"]),
        helper.make_node("ReduceSum", ["bx", "places"], ["sx"], keepdims=0),
        helper.make_node("Div", ["sx", "total"], ["cx"]),
        helper.make_node("Mul", ["bright", "y_of"], ["by"]),
        helper.make_node("ReduceSum", ["by", "places"], ["sy"], keepdims=0),
        helper.make_node("Div", ["sy", "total"], ["cy"]),
        helper.make_node("Unsqueeze", ["cx", "last"], ["x"]),
        helper.make_node("Unsqueeze", ["cy", "last"], ["y"]),
        helper.make_node("Concat", ["x", "y"], ["xy"], axis=2),
        helper.make_node("Unsqueeze", ["xy", "second"], ["one"]),
        # As many rows as there are queries.
        helper.make_node("ReduceSum", ["queries", "last"], ["per_query"], keepdims=1),
        helper.make_node("Mul", ["per_query", "zero"], ["row"]),
        helper.make_node("Unsqueeze", ["row", "last"], ["rows"]),
        helper.make_node("Add", ["one", "rows"], ["tracks"]),
        helper.make_node("Sub", ["much", "sum"], ["logit"]),
        helper.make_node("Unsqueeze", ["logit", "second"], ["logits"]),
        helper.make_node("Add", ["logits", "row"], ["occlusion"]),
    ]
    inputs = {"video": (1, FRAMES, SIDE, SIDE, 3), "queries": (1, "n", 3)}
    outputs = {"tracks": (1, "n", FRAMES, 2), "occlusion": (1, "n", FRAMES)}
    _save(folder, nodes, values, inputs, outputs)
    about = {
        "task": "points",
        "points": {
            "video": "video",
            "queries": "queries",
            "tracks": "tracks",
            "occlusion": "occlusion",
            "width": SIDE,
            "height": SIDE,
            "frames": FRAMES,
            "range": [0.0, 1.0],
        },
    }
    return _manifest(folder, "bright-point", about, changes)


def fit_model(folder: Path, **changes: object) -> Path:
    """Write a segmenter: the object is what is bright. Return the manifest."""
    values = {
        "least": np.float32([0.5]),
        "rgb": np.array([1], np.int64),
        "all": np.array([0, 1, 2], np.int64),
        "zero": np.float32([0.0]),
    }
    nodes = [
        helper.make_node("ReduceMean", ["image", "rgb"], ["gray"], keepdims=1),
        helper.make_node("Sub", ["gray", "least"], ["over"]),
        helper.make_node("ReduceSum", ["point", "all"], ["clicked"], keepdims=0),
        helper.make_node("Mul", ["clicked", "zero"], ["nothing"]),
        helper.make_node("Add", ["over", "nothing"], ["mask"]),
    ]
    inputs = {"image": (1, 3, SIDE, SIDE), "point": (1, 1, 2)}
    _save(folder, nodes, values, inputs, {"mask": (1, 1, SIDE, SIDE)})
    names = {"image": "image", "point": "point", "mask": "mask"}
    about = {"task": "box-fit", "box-fit": {**names, "width": SIDE, "height": SIDE}}
    return _manifest(folder, "bright-object", about, changes)


def _save(
    folder: Path,
    nodes: list[onnx.NodeProto],
    values: dict[str, np.ndarray],
    inputs: dict[str, tuple[int | str, ...]],
    outputs: dict[str, tuple[int | str, ...]],
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    told = [
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in each.items()]
        for each in (inputs, outputs)
    ]
    kept = [numpy_helper.from_array(value, name) for name, value in values.items()]
    graph = helper.make_graph(nodes, "tiny", *told, kept)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, folder / "network.onnx")


def _manifest(
    folder: Path, name: str, about: dict[str, object], changes: dict[str, object]
) -> Path:
    (folder / "LICENSE").write_text("Free for all.\n")
    digest = hashlib.sha256((folder / "network.onnx").read_bytes()).hexdigest()
    whole: dict[str, object] = {
        "name": name,
        "title": "Finds what is bright",
        "version": "1.0",
        "license": "CC0-1.0",
        "license_file": "LICENSE",
        "file": "network.onnx",
        "sha256": digest,
        **about,
        **changes,
    }
    path = folder / "model.toml"
    path.write_text(_toml(whole))
    return path


def _toml(value: dict[str, object]) -> str:
    lines = [f"{key} = {_told(v)}" for key, v in value.items() if not isinstance(v, dict)]
    for key, part in value.items():
        if isinstance(part, dict):
            lines += [f"[{key}]", *(f"{k} = {_told(v)}" for k, v in part.items())]
    return "\n".join(lines) + "\n"


def _told(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
