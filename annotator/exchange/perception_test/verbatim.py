"""Values as they stood in an imported file, and values of our own where somebody edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import numpy as np

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.geometry import Box
from annotator.domain.json_type import Json
from annotator.exchange.fractions import DECIMALS
from annotator.exchange.perception_test.kept_boxes import (
    BOXES_KEY,
    N_LETTERS,
    boxes_from,
    said_times,
    size_of,
)
from annotator.exchange.perception_test.records import EXTRA_KEY, as_object

_ARE_NUMBERS: Final = frozenset((int, float))


@dataclass(frozen=True, slots=True)
class Original:
    """The record a track was imported from, by frame; empty for a track drawn here."""

    boxes: dict[int, list[Json]] = field(default_factory=dict)
    times: dict[int, int | float] = field(default_factory=dict)
    start_frame: int | None = None
    letters: dict[int, str] = field(default_factory=dict)
    size: tuple[int, int] | None = None

    @classmethod
    def of(cls, extra: dict[str, Json]) -> Original:
        """Return the record by frame; whatever is not as the import left it counts as absent.

        ``extra`` is that of the track.
        """
        raw, kept = as_object(extra.get(EXTRA_KEY)), as_object(extra.get(BOXES_KEY))
        raw = {**raw, **said_times(raw, kept)}
        letters = str(kept.get("letters", ""))
        pairs = [letters[i : i + N_LETTERS] for i in range(0, len(letters), N_LETTERS)]
        frames = [f for f in _list(raw, "frame_ids") if isinstance(f, int)]
        boxes = [b for b in _list(raw, "bounding_boxes") if isinstance(b, list)]
        times = [t for t in _list(raw, "timestamps") if isinstance(t, int | float)]
        marked = [
            f for f, mark in zip(frames, _list(raw, "initial_tracking_box"), strict=False) if mark
        ]
        return cls(
            dict(zip(frames, boxes, strict=False)),
            dict(zip(frames, times, strict=False)),
            marked[0] if marked else None,
            dict(zip(frames, pairs, strict=False)),
            size_of(kept),
        )

    def box(self, frame: int, shown: Box | None, video: VideoInfo) -> list[Json] | None:
        """Return the box as it stood in the file, if it is the one shown and may be written."""
        said = self.boxes.get(frame) or self._worked_out(frame, shown)
        if said is None or shown is None or len(said) != 4:
            return None
        x1, y1, x2, y2 = cast("list[float]", said)
        if not _ARE_NUMBERS.issuperset((type(x1), type(y1), type(x2), type(y2))):
            return None
        # As `pixel_box` has it, of a box that lies inside.
        is_inside = x1 >= 0 and y1 >= 0 and x2 <= 1 and y2 <= 1
        left, right = x1 * video.width, x2 * video.width
        top, bottom = y1 * video.height, y2 * video.height
        is_shown = shown.as_tuple() == (left, top, right, bottom)
        return said if is_inside and left < right and top < bottom and is_shown else None

    def _worked_out(self, frame: int, shown: Box | None) -> list[Json] | None:
        """Return the box that stood in the file if it is the one shown."""
        letters = self.letters.get(frame, "")
        if shown is None or self.size is None or len(letters) != N_LETTERS:
            return None
        boxes, are_same = boxes_from(np.array([shown.as_tuple()], np.float64), letters, self.size)
        found: list[Json] = boxes[0].tolist()
        return found if are_same[0] else None


def fractions(box: Box | None, video: VideoInfo) -> list[Json] | None:
    """Return a box as fractions of the picture, inside it; None where no area is left."""
    if box is None:
        return None
    w, h = video.width, video.height
    inside = box.clipped(w, h)
    x1, x2 = round(inside.x1 / w, DECIMALS), round(inside.x2 / w, DECIMALS)
    y1, y2 = round(inside.y1 / h, DECIMALS), round(inside.y2 / h, DECIMALS)
    return [x1, y1, x2, y2] if x1 < x2 and y1 < y2 else None


def ordered(record: Mapping[str, Json], keys: Sequence[str]) -> dict[str, Json]:
    """Return a record with the known keys first, in their order, then the others in theirs."""
    known = {key: record[key] for key in keys if key in record}
    return {**known, **{key: value for key, value in record.items() if key not in known}}


def _list(raw: dict[str, Json], key: str) -> list[Json]:
    value = raw.get(key)
    return value if isinstance(value, list) else []
