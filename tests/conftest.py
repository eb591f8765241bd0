"""What every test gets: a home of its own, no display, no network, and no silent failure."""

from __future__ import annotations

import logging
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

_HOME = tempfile.TemporaryDirectory(prefix="annotator-tests-", ignore_cleanup_errors=True)


def _isolate() -> None:
    """Point every folder of the user into a temporary one, before Qt or platformdirs look."""
    home = Path(_HOME.name)
    folders = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_STATE_HOME": home / "state",
        "XDG_CACHE_HOME": home / "cache",
        "APPDATA": home / "appdata",
        "LOCALAPPDATA": home / "localappdata",
    }
    for name, folder in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        os.environ[name] = str(folder)
    if "XDG_RUNTIME_DIR" not in os.environ:
        runtime = home / "runtime"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["PYTHONUTF8"] = "1"
    if sys.platform.startswith("linux"):
        os.environ["LC_ALL"] = "C.UTF-8"


_isolate()

# The same examples for everybody; `HYPOTHESIS_PROFILE=search` looks for new ones.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True, max_examples=50)
hypothesis.settings.register_profile("search", deadline=None, max_examples=1000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


class _Collector(logging.Handler):
    """Keeps what the program logs at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def _no_unexpected_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which the program logs a warning, unless it asks for `caplog` itself."""
    collector = _Collector()
    logger = logging.getLogger("annotator")
    logger.addHandler(collector)
    yield
    logger.removeHandler(collector)
    if "caplog" not in request.fixturenames:
        assert collector.lines == []


@pytest.fixture(autouse=True)
def _no_unseen_exception() -> Iterator[None]:
    """Fail a test in which an exception ended up in the hook of last resort."""
    seen: list[str] = []
    before = sys.excepthook
    sys.excepthook = lambda kind, error, _: seen.append(f"{kind.__name__}: {error}")
    yield
    sys.excepthook = before
    assert seen == []


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Refuse every connection that would leave the machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        is_inet = self.family in (socket.AF_INET, socket.AF_INET6)
        if is_inet and isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1"):
            message = f"a test tried to reach {address[0]}"
            raise PermissionError(message)
        connect(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", guarded)
    yield
    patch.undo()
