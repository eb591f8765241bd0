"""The hubs of the tests of protocol and storage, for projects that are shared through them."""

from __future__ import annotations

from tests.sync.conftest import make_world, postgres

__all__ = ["make_world", "postgres"]
