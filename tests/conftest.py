"""What every test gets: a home of its own, no display, no network, and no silent failure."""

from __future__ import annotations

import gc
import logging
import os
import socket
import sys
import tempfile
import traceback
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import pytest

try:
    import fcntl
except ImportError:
    # Windows: tests that follow the clock share the machine with the others there.
    fcntl = None  # type: ignore[assignment]

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


_TESTS_PER_COLLECTION = 20
_since_collection = 0


@pytest.fixture(autouse=True)
def _garbage_on_main() -> Iterator[None]:
    """Collect garbage between tests only: a widget must not be destroyed by another thread."""
    global _since_collection
    gc.disable()
    yield
    _since_collection += 1
    if _since_collection >= _TESTS_PER_COLLECTION:
        _since_collection = 0
        gc.collect()
        # What is left belongs to the whole run: thousands of tests, modules and examples, which
        # every later collection would go through again.
        gc.freeze()


@pytest.fixture(autouse=True)
def _no_unseen_exception() -> Iterator[None]:
    """Fail a test in which an exception ended up in the hook of last resort."""
    seen: list[str] = []
    before = sys.excepthook
    sys.excepthook = lambda *raised: seen.append("".join(traceback.format_exception(*raised)))
    yield
    sys.excepthook = before
    assert not seen, "\n".join(seen)


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


class _Turns:
    """Lets a test that follows the clock run while no other worker runs any test."""

    def __init__(self, run: str) -> None:
        folder = Path(tempfile.gettempdir())
        self._paths = [folder / f"annotator-{run}-{name}" for name in ("gate", "turn")]
        self._gate, self._turn = (path.open("w", encoding="utf-8") for path in self._paths)

    @contextmanager
    def take(self, *, is_alone: bool) -> Iterator[None]:
        # Whoever waits to be alone holds the gate meanwhile, so that nobody slips in.
        fcntl.flock(self._gate, fcntl.LOCK_EX)
        fcntl.flock(self._turn, fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH)
        fcntl.flock(self._gate, fcntl.LOCK_UN)
        try:
            yield
        finally:
            fcntl.flock(self._turn, fcntl.LOCK_UN)

    def close(self) -> None:
        for file, path in zip((self._gate, self._turn), self._paths, strict=True):
            file.close()
            path.unlink(missing_ok=True)


_TURNS = pytest.StashKey[_Turns]()


def pytest_configure(config: pytest.Config) -> None:
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run and fcntl is not None:
        config.stash[_TURNS] = _Turns(run)


def pytest_unconfigure(config: pytest.Config) -> None:
    if _TURNS in config.stash:
        config.stash[_TURNS].close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # A sound server is in play: what is heard has to arrive in time.
        if "loopback" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real_time)
    # First, so that a worker seldom waits for a long test of the other to end.
    items.sort(key=lambda item: item.get_closest_marker("real_time") is None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if _TURNS not in item.config.stash:
        return (yield)
    with item.config.stash[_TURNS].take(is_alone=bool(item.get_closest_marker("real_time"))):
        return (yield)
