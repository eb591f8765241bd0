"""Short messages that tell the user what is out of the ordinary, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["info", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the window: what is the case, and (``hint``) what can be done."""

    level: Level
    text: str
    hint: str | None = None
