"""Facts about the tracks of a document that rules query, computed once for all rules."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Track
from annotator.domain.ids import TrackId

ORDERS = ("appearance", "touch", "left")
"""By what tracks can be numbered; see `RuleFacts.order`."""


class RuleFacts:
    """Looks at one document. Labels of segments are compared without the spaces around them."""

    def __init__(self, document: Document) -> None:
        self.tracks = {t.id: t for t in document.tracks}
        self._n_frames = document.video.n_frames
        self._slots: dict[tuple[Lane, str], list[tuple[TrackId, int]]] = {}
        touches: list[TrackId] = []
        for segment in document.segments:  # by start
            for i, track in enumerate(segment.slots):
                if not track or track not in self.tracks:
                    continue
                key = segment.lane, segment.label.strip()
                self._slots.setdefault(key, []).append((track, i + 1))
                if segment.lane is Lane.ACTION:
                    touches.append(track)
        self._touched = tuple(dict.fromkeys(touches))
        self._sounding = {
            track
            for (lane, _), found in self._slots.items()
            if lane is Lane.SOUND
            for track, _ in found
        }
        self._orders: dict[str, tuple[TrackId, ...]] = {"touch": self._touched}

    def fills(self, track: TrackId, label: str, slot: int | None) -> bool:
        """Tell whether a track fills a role (from 1, None: any) of an action of that label."""
        found = self._slots.get((Lane.ACTION, label.strip()), ())
        return any(track == each and slot in (None, i) for each, i in found)

    def sounds(self, track: TrackId, label: str | None) -> bool:
        """Tell whether a track makes a sound of that label (None: any)."""
        if label is None:
            return track in self._sounding
        return any(track == each for each, _ in self._slots.get((Lane.SOUND, label.strip()), ()))

    def is_present(self, track: TrackId, *, at_end: bool) -> bool:
        """Tell whether a track is in the picture on the first or last frame."""
        frame = max(0, self._n_frames - 1) if at_end else 0
        return self.tracks[track].state_at(frame).is_present

    def order(self, by: str) -> tuple[TrackId, ...]:
        """Return tracks in an order: "appearance", by the first frame they are seen on; "touch",
        by the start of the first action they have a role in, then by role; "left", from left to
        right where each is first seen. Of equals, the one with the smaller number comes first."""
        if by not in self._orders:
            self._orders[by] = tuple(_sorted(self.tracks.values(), by))
        return self._orders[by]


def _sorted(tracks: Iterable[Track], by: str) -> list[TrackId]:
    found: list[tuple[float, int, TrackId]] = []
    for track in tracks:
        first = next((k for k in track.keyframes if k.box is not None), None)
        if first is None or first.box is None:
            continue
        rank = float(first.frame) if by == "appearance" else first.box.center.x
        found.append((rank, track.info.number, track.id))
    return [id_ for _, _, id_ in sorted(found)]
