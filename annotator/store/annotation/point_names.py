"""Names of points that were used for objects of a kind."""

from __future__ import annotations

from typing import Final, cast

from annotator.store.file.project import ProjectFile

_NAMES: Final = (
    "SELECT p.label, COUNT(*) AS uses FROM point p"
    " JOIN track t ON t.draft_id = p.draft_id AND t.id = p.track_id"
    " WHERE t.label = ? GROUP BY p.label ORDER BY uses DESC, p.label LIMIT ?"
)
_MOST: Final = 200


def point_names(file: ProjectFile, object_label: str) -> list[str]:
    """Return the names of the points of all objects with a label, most frequent first."""
    rows = cast("list[tuple[str, int]]", file.rows(_NAMES, (object_label, _MOST)))
    return [name for name, _ in rows]
