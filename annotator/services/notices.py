"""Short messages about unusual conditions, and their remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["info", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the window: the condition and (``hint``) the remedy."""

    level: Level
    text: str
    hint: str | None = None
