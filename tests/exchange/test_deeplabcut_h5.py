"""DeepLabCut tables in HDF5, written by pandas as DeepLabCut does, and files that are none."""

from __future__ import annotations

import contextlib
import pickle
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas
import pytest

from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Point
from annotator.exchange.formats.points.deeplabcut_h5 import read
from annotator.services.transfer.formats import format_of, format_of_content

HEADS = ["scorer", "bodyparts", "coords"]
LABELED = [f"labeled-data/clip/img{frame:03}.png" for frame in (3, 10)]


def columns(*parts: list[str], heads: list[str] = HEADS) -> pandas.MultiIndex:
    return pandas.MultiIndex.from_product([["me"], *parts], names=heads)


def labeled(index: Any) -> pandas.DataFrame:
    values = [[10.0, 20.0, 30.5, 40.5], [11.0, 21.0, np.nan, np.nan]]
    return pandas.DataFrame(values, columns=columns(["nose", "tail"], ["x", "y"]), index=index)


@pytest.mark.parametrize("is_split", [False, True])
def test_labeled_frames(tmp_path: Path, is_split: bool) -> None:
    path = tmp_path / "CollectedData_me.h5"
    parts = [tuple(name.split("/")) for name in LABELED]
    index = pandas.MultiIndex.from_tuples(parts) if is_split else LABELED
    labeled(index).to_hdf(path, key="df_with_missing", mode="w")
    (content,) = read(path)
    assert content.name == "clip"
    nose, tail = content.points
    assert (nose.label, nose.places) == ("nose", {3: Point(10.5, 20.5), 10: Point(11.5, 21.5)})
    assert tail.places == {3: Point(31, 41)}
    assert format_of_content(path).name == "deeplabcut-h5"
    with pytest.raises(ExchangeError):
        format_of(path)  # it is only read


def test_analyzed_video_with_two_animals(tmp_path: Path) -> None:
    path = tmp_path / "kitchenDLC_resnet50.h5"
    heads = ["scorer", "individuals", "bodyparts", "coords"]
    named = columns(["ant", "bee"], ["nose"], ["x", "y", "likelihood"], heads=heads)
    frames = 2500
    values = np.tile([1.0, 2.0, 0.9, 5.0, 6.0, 0.25], (frames, 1))
    values[:, 0] += np.arange(frames)
    table = pandas.DataFrame(values, columns=named)
    table.to_hdf(path, key="df_with_missing", format="table", mode="w")
    (content,) = read(path)
    assert content.name == "kitchen"
    ant, bee = content.points
    assert (ant.label, bee.label) == ("ant nose", "bee nose")
    assert len(ant.places) == frames
    assert ant.places[frames - 1] == Point(frames + 0.5, 2.5)
    assert bee.scores[7] == 0.25


def test_a_pickle_that_calls_something_is_refused_and_not_carried_out(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    table = pandas.DataFrame([[1.0, 2.0]], columns=columns(["nose"], ["x", "y"]))
    table.to_hdf(path, key="df_with_missing", format="table", mode="w")
    trap = tmp_path / "trap"

    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (trap,)

    for data in (pickle.dumps(Trap(), 0), pickle.dumps(Trap()), b"(lp0\n.", b"garbage", b"."):
        with h5py.File(path, "a") as file:
            file["df_with_missing"].attrs["non_index_axes"] = np.bytes_(data)
        with pytest.raises(ExchangeError):
            read(path)
    assert not trap.exists()


def test_files_that_are_no_such_table_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(200))
    with pytest.raises(ExchangeError, match="damaged"):
        read(path)
    for frame in (
        pandas.DataFrame([[1.0]], columns=["x"]),
        labeled(["one", "two"]),
        labeled(LABELED).astype({("me", "nose", "x"): "int64"}),
        pandas.DataFrame(),
    ):
        frame.to_hdf(path, key="df_with_missing", mode="w")
        with pytest.raises(ExchangeError):
            read(path)
    with h5py.File(path, "w") as file:
        file["a"] = np.zeros(3)
    with pytest.raises(ExchangeError, match="not a table"):
        read(path)


def test_bytes_changed_at_random_end_in_a_result_or_an_error(tmp_path: Path) -> None:
    path, rng = tmp_path / "a.h5", np.random.default_rng(91)
    labeled(LABELED).to_hdf(path, key="df_with_missing", mode="w")
    whole = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in range(60):
        changed = whole.copy()
        places = rng.integers(0, len(changed), rng.integers(1, 40))
        changed[places] = rng.integers(0, 256, len(places))
        path.write_bytes(changed.tobytes())
        with contextlib.suppress(ExchangeError):
            read(path)
