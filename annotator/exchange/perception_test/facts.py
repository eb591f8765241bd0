"""Video metadata of a project as metadata of this format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.json_type import Json

FACTS: Final = "metadata"
"""Under this key a video keeps what tables tell of it."""

_SPLITS: Final = ("train", "valid", "test")
_CUPS_SCRIPT: Final = re.compile(r"cups?[-_ ]?games?", re.IGNORECASE)
_YES: Final = ("1", "true", "yes", "y")
_NO: Final = ("0", "false", "no", "n")


def told_by_tables(video: VideoInfo, imported: Mapping[str, Json]) -> dict[str, Json]:
    """Return the split, whether the camera moves and whether it is a cups game, where tables say.

    A cups game is told by a column "is_cup_game", else by the import, else by the script.
    """
    facts = video.extra.get(FACTS)
    if not isinstance(facts, dict):
        return {}
    made: dict[str, Json] = {}
    if facts.get("split") in _SPLITS:
        made["split"] = facts["split"]
    if facts.get("camera") in ("static", "moving"):
        made["is_camera_moving"] = int(facts["camera"] == "moving")
    said = str(facts.get("is_cup_game", "")).strip().lower()
    if said in (*_YES, *_NO):
        made["is_cup_game"] = int(said in _YES)
    elif "script" in facts and "is_cup_game" not in imported:
        made["is_cup_game"] = int(_CUPS_SCRIPT.fullmatch(str(facts["script"]).strip()) is not None)
    return made
