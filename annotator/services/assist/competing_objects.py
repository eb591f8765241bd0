"""Compares the objects of models: which propose the same one, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from annotator.domain.proposals.box_proposals import Overlap, ProposalRun, overlap
from annotator.domain.proposals.model_predictions import model_of

if TYPE_CHECKING:
    from annotator.domain.annotation.track import Track
    from annotator.domain.ids import TrackId
    from annotator.services.session import Session

SAME: Final = 0.5
"""Two models propose the same object from this mean IoU on."""


class Rival(NamedTuple):
    """The object of another model, and how far it agrees."""

    track: Track
    overlap: Overlap


def rivals_of(session: Session, track: Track) -> list[Rival]:
    """Return the proposals of other models for an object, most similar first."""
    model, own = model_of(track.info.extra), _run(session, track.id)
    if own is None or not model:
        return []
    found: list[Rival] = []
    for other in session.document.tracks:
        if not other.is_proposed or model_of(other.info.extra) == model:
            continue
        run = _run(session, other.id)
        agreed = overlap(own, run) if run is not None else None
        if agreed is not None and agreed.iou >= SAME:
            found.append(Rival(other, agreed))
    return sorted(found, key=lambda rival: -rival.overlap.iou)


def twins_of(session: Session, tracks: Iterable[Track]) -> list[TrackId]:
    """Return the objects that other models propose for some that are about to be accepted."""
    tracks = list(tracks)
    chosen = {track.id for track in tracks}
    found = (rival.track.id for track in tracks for rival in rivals_of(session, track))
    return [track_id for track_id in dict.fromkeys(found) if track_id not in chosen]


def _run(session: Session, track_id: TrackId) -> ProposalRun | None:
    runs = [run for run in session.box_runs.of(track_id) if run.origin.is_file]
    return max(runs, key=lambda run: run.end - run.start, default=None)
