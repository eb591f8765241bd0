"""Hard clips and their true pictures, made once for a test session."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from tests.media import clips
from tests.media.reference import sequential

ClipMaker = Callable[[str], Path]


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> ClipMaker:
    """Path of a hard clip by name; encoded on first use."""
    folder = tmp_path_factory.mktemp("clips")
    return lambda name: clips.make(name, folder)


@pytest.fixture(scope="session")
def truth(clip: ClipMaker) -> Callable[[str], list[np.ndarray]]:
    """What FFmpeg's sequential decode presents of a clip, stored orientation."""
    return lru_cache(maxsize=2)(lambda name: sequential(clip(name)))
