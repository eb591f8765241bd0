"""Encoding of identifiers, times and JSON in columns."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, cast

import msgspec

from annotator.domain.json_type import Json

_ID_BYTES: Final = 16
_objects: Final = msgspec.json.Decoder(dict[str, object])
_texts: Final = msgspec.json.Decoder(tuple[str, ...])
_encoder: Final = msgspec.json.Encoder()


@lru_cache(maxsize=4096)
def id_bytes(text: str) -> bytes:
    """Return the 16 bytes of an identifier; ValueError when it is not a UUID."""
    value = bytes.fromhex(text.replace("-", ""))
    if len(value) != _ID_BYTES:
        raise ValueError("an identifier has 16 bytes")
    return value


@lru_cache(maxsize=4096)
def id_text(value: bytes) -> str:
    """Return the 36 characters of an identifier."""
    text = value.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def now_text() -> str:
    """Return the time in UTC as ISO 8601 with milliseconds, as in 2026-11-20T09:30:00.125Z."""
    return _text_of(datetime.now(UTC))


def instant_text(instant_ms: int) -> str:
    """Return an instant, in milliseconds since 1970-01-01 UTC, as `now_text` does."""
    return _text_of(datetime.fromtimestamp(instant_ms / 1000, UTC))


def json_text(value: Json | tuple[Json, ...]) -> str:
    """Return a value as JSON text."""
    return _encoder.encode(value).decode()


def json_object(text: str) -> dict[str, Json]:
    """Return the object a JSON column holds."""
    return cast("dict[str, Json]", _objects.decode(text))


def json_texts(text: str) -> tuple[str, ...]:
    """Return the list of texts a JSON column holds."""
    return _texts.decode(text)


def _text_of(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
