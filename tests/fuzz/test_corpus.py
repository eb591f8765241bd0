"""Every input that a reader ever failed on, and a few new ones for each reader."""

from __future__ import annotations

import contextlib
import lzma
import random
from pathlib import Path

import pytest

from annotator.domain.errors import UserError
from tests.fuzz.__main__ import CORPUS, attempt
from tests.fuzz.targets import Target, targets

N_NEW = 8


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Target]:
    return {target.name: target for target in targets(tmp_path_factory.mktemp("fuzz"))}


def test_every_reader_reads_the_file_that_is_damaged(
    readers: dict[str, Target], tmp_path: Path
) -> None:
    for target in readers.values():
        path = tmp_path / f"input{target.suffix}"
        path.write_bytes(target.seed)
        target.read(path)


def test_what_once_failed_ends_in_a_result_or_an_error(
    readers: dict[str, Target], tmp_path: Path
) -> None:
    kept = sorted(path for path in CORPUS.glob("*/*") if path.is_file())
    assert kept
    for path in kept:
        target = readers[path.parent.name]
        copy = tmp_path / f"input{target.suffix}"
        body = path.read_bytes()
        copy.write_bytes(lzma.decompress(body) if path.suffix == ".xz" else body)
        with contextlib.suppress(UserError):
            target.read(copy)


def test_new_inputs_end_in_a_result_or_an_error(readers: dict[str, Target], tmp_path: Path) -> None:
    for name, target in readers.items():
        for n in range(N_NEW):
            assert attempt(target, random.Random(f"tests {name} {n}"), tmp_path) == ""
