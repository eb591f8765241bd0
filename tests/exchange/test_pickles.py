"""Pickles are data or nothing: what is read, and what a file may not do."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from annotator.domain.errors import ExchangeError
from annotator.exchange import pickles as pickle_file
from annotator.exchange.pickles import PickleFile


def opened(folder, content):
    path = folder / "points.pkl"
    path.write_bytes(content)
    return PickleFile(path)


def refusal(folder, content):
    with pytest.raises(ExchangeError) as caught:
        opened(folder, content)
    assert "points.pkl" in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_values_and_arrays_are_read_from_every_protocol(tmp_path, protocol):
    pictures = np.empty(2, dtype=object)
    pictures[:] = [b"\xff\xd8one", b"\xff\xd8"]
    content = {
        "points": np.arange(12, dtype=">f4").reshape(2, 3, 2),
        "turned": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        "flags": np.array([[True, False]]),
        "texts": np.array([b"ab", b"abc"]),
        "pictures": pictures,
        "rate": np.float32(1.5),
        "rest": [1, -70000, 1 << 40, 2.5, None, True, "süß", (3, [4]), {5: "x"}],
    }
    with opened(tmp_path, pickle.dumps(content, protocol)) as file:
        found = file.value
        for key in ("points", "turned", "flags", "texts"):
            assert np.array_equal(file.array(found[key]), content[key])
        assert file.head(found["pictures"].data[0], 2) == b"\xff\xd8"
        assert found["rate"] == 1.5
        assert found["rest"] == content["rest"]
        with pytest.raises(ValueError, match="not an array of numbers"):
            file.array(found["pictures"])


class _Runs:
    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call[0], self.call[1:]


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        ((os.system, "touch harm"), f"{os.name}.system"),
        ((eval, "1"), "eval"),
        ((np.load, "harm.npy"), "numpy"),
        ((subprocess.Popen, "harm"), "Popen"),
        ((np.poly1d, [1]), "poly1d"),
        ((getattr, 1, "real"), "getattr"),
    ],
)
def test_a_pickle_that_carries_code_is_refused_by_name(tmp_path, monkeypatch, protocol, call, name):
    monkeypatch.chdir(tmp_path)
    said = refusal(tmp_path, pickle.dumps({"a": [_Runs(*call)]}, protocol))
    assert "it refers to “" in said
    assert name in said
    assert not (tmp_path / "harm").exists()


class _State:
    def __init__(self):
        self.x = 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"video,1,2", "the file is not a pickle."),
        (pickle.dumps({}, 0), "the file is not a pickle."),
        (
            pickle.dumps({1, 2}, 4),
            "it contains the unsupported operation 0x8f",
        ),
        (pickle.dumps(_State(), 4), "_State"),
        (pickle.dumps(_State(), 2), "_State"),
        (pickle.dumps(np.array(["a"]), 4), "unsupported array type ("),
        (pickle.dumps(np.zeros(1, dtype=[("a", "f4")]), 4), "unsupported array type ("),
        (pickle.dumps(np.zeros(3), 4)[:60], "the file is truncated"),
        (b"\x80\x04]K\x01b.", "damaged"),
        (b"\x80\x04K\x01K\x02R.", "it contains a function call; only NumPy arrays are supported"),
        (b"\x80\x04]K\x01\x85b.", "it modifies an object; only NumPy arrays are supported"),
        (b"\x80\x04(h\x07.", "damaged"),
        (b"\x80\x04.", "damaged"),
        (b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.", "the file is truncated"),
        (
            b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff.",
            "64 MB",
        ),
        (
            b"\x80\x04cnumpy\nndarray\n)R.",
            "it contains a function call; only NumPy arrays are supported",
        ),
        (b"\x80\x04X\x01\x00\x00\x00\xff.", "damaged"),
        (b"\x80\x04}]K\x01s.", "damaged"),
    ],
)
def test_what_is_no_plain_data_is_refused(tmp_path, content, said):
    assert said in refusal(tmp_path, content)


def test_shapes_must_fit_what_is_there(tmp_path):
    content = pickle.dumps(np.zeros((2, 3), "f4"), 4)
    for wrong in (b"K\x02K\x04\x86", b"K\x00K\x00\x86", b"K\x02J\xff\xff\xff\xff\x86"):
        assert refusal(tmp_path, content.replace(b"K\x02K\x03\x86", wrong))


def test_small_files_cannot_ask_for_much(tmp_path, monkeypatch):
    before = psutil.Process().memory_info().rss
    # A place in the memory of the machine far away costs the usual reader gigabytes.
    with opened(tmp_path, b"\x80\x04Nr\xff\xff\xff\x7f.") as file:
        assert file.value is None
    assert psutil.Process().memory_info().rss - before < 50 << 20
    monkeypatch.setattr(pickle_file, "MAX_STEPS", 100)
    assert "it has more than 100 operations" in refusal(tmp_path, b"\x80\x04" + b"N0" * 200 + b"N.")
    monkeypatch.setattr(pickle_file, "MAX_BYTES", 10)
    assert "exceeds the limit" in refusal(tmp_path, b"\x80\x04" + b"N0" * 200 + b"N.")


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(ExchangeError, match="folder"):
        PickleFile(tmp_path)
    with pytest.raises(ExchangeError, match="No such file"):
        PickleFile(tmp_path / "none.pkl")


@settings(max_examples=100)
@given(st.binary(max_size=200), st.integers(2, 5))
def test_noise_ends_in_a_refusal_or_a_value(tmp_path_factory, noise, protocol):
    path = tmp_path_factory.getbasetemp() / "noise.pkl"
    path.write_bytes(bytes([0x80, protocol]) + noise)
    try:
        PickleFile(path).close()
    except ExchangeError as error:
        assert "noise.pkl" in str(error)  # noqa: PT017 - either end is right


_arrays = npst.arrays(
    st.sampled_from(["f4", "f8", "b1", "u1", "<i8", ">f4"]), npst.array_shapes(max_side=4)
)


@settings(max_examples=60)
@given(st.dictionaries(st.text(max_size=4), _arrays, max_size=4), st.integers(2, 5))
def test_arrays_are_what_the_usual_reader_gives(tmp_path_factory, content, protocol):
    path = tmp_path_factory.getbasetemp() / "arrays.pkl"
    path.write_bytes(pickle.dumps(content, protocol))
    with PickleFile(path) as file:
        for key, array in content.items():
            found = file.array(file.value[key])
            assert found.dtype == array.dtype
            assert np.array_equal(found, array, equal_nan=array.dtype.kind == "f")


def test_nothing_of_the_usual_reader_is_imported():
    program = "import sys, annotator.exchange.pickles; print('pickle' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
