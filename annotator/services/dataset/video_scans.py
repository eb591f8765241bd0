"""Scans of videos: signs of errors that need the whole document, its pictures or its sound.

A scan is kept with the state that it was computed from, so that only what changed is scanned again.
Without the video file it looks at the document only, and again once the file is there.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from annotator.domain.annotation.canonical import canonical_bytes, document_value
from annotator.domain.annotation.segment import Lane
from annotator.domain.dataset.signals import Signal, signs_of, still_runs
from annotator.domain.errors import MediaError, UserError
from annotator.domain.recipes.recipe import Tool
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.snapshot import ContentPlace, snapshots
from annotator.store.questions import items
from annotator.store.workflow import submission_statistics

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from annotator.domain.annotation.document import Document
    from annotator.domain.annotation.segment import Segment
    from annotator.domain.annotation.track import Track
    from annotator.domain.geometry import Box
    from annotator.domain.ids import VideoId
    from annotator.media import Video
    from annotator.services.background.jobs import JobToken
    from annotator.services.project.projects import OpenProject
    from annotator.services.transfer.snapshot import Snapshot

STILL: Final = "still-box"
ONSET: Final = "no-onset"
ONSET_S: Final = 0.3
"""So near to the start of a sound something has to begin to sound."""

_VERSION: Final = 1
_MOST_TRACKS: Final = 24
_SIDE: Final = 32
_LEAST_CHANGE: Final = 0.3
_LEAST_CONTRAST: Final = 4.0
_QUIET_DB: Final = 20.0
GLIMPSES: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
_HASH_SIDE: Final = 8


class Scan(msgspec.Struct, frozen=True):
    """Signs of errors in a video, and hashes of five pictures (64 bits each, as hexadecimal)."""

    signs: list[Signal]
    hashes: list[str] = []


@dataclass(frozen=True, slots=True)
class ScanState:
    """How many of the videos are scanned in their present state, and how many lack files."""

    n_scanned: int
    n_videos: int
    n_without_media: int


def scans_of(project: OpenProject) -> dict[VideoId, Scan]:
    """Return the last scan of each video that was scanned."""
    decoder = msgspec.json.Decoder(Scan)
    kept = submission_statistics.scans(project.file)
    return {video: decoder.decode(body) for video, (_, body) in kept.items()}


def scan_videos(project: OpenProject, token: JobToken) -> ScanState:
    """Scan the videos that changed since they were last scanned. CanceledError when canceled;
    finished scans are kept. May run on any thread in a project with stages."""
    stored_scans = submission_statistics.scans(project.file)
    entries = project.videos()
    try:
        snapshot = snapshots(project)
        places = {place.video_id: place for place in snapshot.places}
    except UserError:  # nothing is annotated
        snapshot, places = None, {}
    n_without = 0
    try:
        for i, entry in enumerate(entries):
            token.check()
            token.report(i / len(entries), entry.name)
            n_without += entry.path is None
            place = places.get(entry.id) or ContentPlace(entry.id, entry.name, entry.path)
            source = snapshot.state if snapshot is not None else project.file
            item = place.read(source) if place.draft_id is not None else None
            state = _state(project, place, item)
            if stored_scans.get(entry.id, ("", b""))[0] != state:
                scan = _scan(project, item or place.read(source), token)
                submission_statistics.keep_scan(
                    project.file, entry.id, state, msgspec.json.encode(scan)
                )
    finally:
        if snapshot is not None:
            snapshot.close()
    return ScanState(len(entries), len(entries), n_without)


def _state(project: OpenProject, place: ContentPlace, item: Snapshot | None) -> str:
    """Return what a scan of a video depends on, as a digest."""
    asked = items.list_items(project.file, items.ItemFilter(video_id=place.video_id))
    questions = [(q.id, q.text, q.right, q.track_ids) for _, q in asked]
    told = _VERSION, place.parts, place.video_path is not None, questions
    digest = sha256(repr(told).encode())
    if not project.work.is_plain:
        digest.update(project.work.recipe_text().encode())
    if item is not None:
        digest.update(canonical_bytes(document_value(item.document)))
    return digest.hexdigest()


def _scan(project: OpenProject, item: Snapshot, token: JobToken) -> Scan:
    recipe, document = project.work.recipe, item.document
    signs = list(signs_of(document, item.questions, recipe.rules, recipe.bank))
    hashes: list[str] = []
    if item.video_path is not None:
        try:
            hashes, still = _looked_at(item.video_path, document, token)
            signs += still
            signs += _listened_to(item.video_path, item, token)
        except MediaError:
            pass  # a damaged file is reported where it is opened
    return Scan(signs, hashes)


def _looked_at(path: Path, document: Document, token: JobToken) -> tuple[list[str], list[Signal]]:
    """Return hashes of pictures, and boxes that stay where they are while the picture changes."""
    from annotator.media import Video

    with Video(path) as video:
        n = len(video)
        hashes = [_hash(video, round(share * (n - 1))) for share in GLIMPSES] if n else []
        return hashes, list(_still(video, document, token))


def _still(video: Video, document: Document, token: JobToken) -> Iterator[Signal]:
    """Yield tracks whose box stays while its image content changes."""
    runs: list[tuple[int, int, Track]] = []
    for track in document.tracks:
        still_ranges = [run for run in still_runs(track, len(video)) if run[1] < len(video)]
        if still_ranges:
            runs.append((*max(still_ranges, key=lambda run: run[1] - run[0]), track))
    runs = sorted(runs, key=lambda run: run[0] - run[1])[:_MOST_TRACKS]
    patches: dict[tuple[int, str], NDArray[np.float64]] = {}
    keys = sorted({(frame, track.id) for one, two, track in runs for frame in (one, two)})
    tracks = {track.id: track for _, _, track in runs}
    for frame, name in keys:
        token.check()
        box = tracks[name].state_at(frame).box
        if box is not None:
            patches[frame, name] = _patch(video.image(frame), box)
    for one, two, track in runs:
        first, second = patches.get((one, track.id)), patches.get((two, track.id))
        if first is None or second is None:
            continue
        value = _change(first, second)
        if value >= _LEAST_CHANGE:
            text = f"The box of “{track.label}” stays from frame {one} to {two}; its image changes."
            yield Signal(STILL, track.id, Tool.BOXES, two, round(value, 2), text)


def _patch(image: NDArray[np.uint8], box: Box) -> NDArray[np.float64]:
    """Return the content of a box as gray levels [32, 32]."""
    height, width = image.shape[:2]
    x1, x2 = (min(max(round(x), 0), width) for x in (box.x1, box.x2))
    y1, y2 = (min(max(round(y), 0), height) for y in (box.y1, box.y2))
    part = image[y1:y2, x1:x2]
    if not part.size:
        return np.zeros((_SIDE, _SIDE))
    return _shrunk(part.mean(axis=2), _SIDE)


def _shrunk(gray: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Return the means of cells of a picture as [side, side]; small ones are repeated."""
    rows = np.linspace(0, gray.shape[0], side + 1).astype(int)
    columns = np.linspace(0, gray.shape[1], side + 1).astype(int)
    sums = np.zeros((gray.shape[0] + 1, gray.shape[1] + 1))
    sums[1:, 1:] = gray.cumsum(axis=0).cumsum(axis=1)
    top, left = (
        np.minimum(rows[:-1], gray.shape[0] - 1),
        np.minimum(columns[:-1], gray.shape[1] - 1),
    )
    bottom, right = np.maximum(rows[1:], top + 1), np.maximum(columns[1:], left + 1)
    total = (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    )
    cells: NDArray[np.float64] = total / np.outer(bottom - top, right - left)
    return cells


def _change(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return 1 minus the correlation of two patches; 0 where there is nothing to compare."""
    if max(one.std(), other.std()) < _LEAST_CONTRAST:
        return 0.0
    product = ((one - one.mean()) * (other - other.mean())).mean()
    return float(1 - product / max(one.std() * other.std(), 1e-6))


def _hash(video: Video, frame: int) -> str:
    """Return the difference hash of a picture: 64 bits, mostly equal for similar pictures."""
    gray = _shrunk(video.image(frame).mean(axis=2), _HASH_SIDE + 1)[:_HASH_SIDE]
    bits = (gray[:, 1:] > gray[:, :-1] + 0.5).ravel()
    return f"{int(''.join('1' if bit else '0' for bit in bits), 2):016x}"


def _listened_to(path: Path, item: Snapshot, token: JobToken) -> Iterator[Signal]:
    """Yield sounds near whose start nothing begins to sound."""
    from annotator.media.audio.scan import SoundScan
    from annotator.media.audio.streams import NoSoundError
    from annotator.media.audio.waveform import Transients
    from annotator.media.index.frame_table import FrameTable

    sounds = [s for s in item.document.segments if s.lane is Lane.SOUND]
    if not sounds:
        return
    origin_s = None
    if item.table is not None:
        table = FrameTable.from_bytes(item.table)
        origin_s = table.origin_s if len(table) else None
    try:
        scan = SoundScan(path, origin_s=origin_s)
    except NoSoundError:
        return
    times = FrameTimes(item.table, item.document.video)
    with closing(scan):
        heard = Transients(scan.grid)
        starts = [(_start_s(segment, times), segment) for segment in sounds]
        ranges = {
            number
            for start, _ in starts
            for number in scan.grid.stretches(start - 2 * ONSET_S, start + 2 * ONSET_S)
        }
        for number in sorted(ranges):
            samples = scan.stretch(number, lambda: token.is_canceled)
            token.check()
            if samples is not None:
                heard.write(number, samples)
        for start, segment in starts:
            rise = heard.greatest_rise(start - ONSET_S, start + ONSET_S)
            if start > ONSET_S and rise < _QUIET_DB:
                text = f"“{segment.label}”: no onset within {ONSET_S} s ({rise:.0f} dB)."
                yield Signal(ONSET, segment.id, Tool.SOUNDS, segment.start, round(rise, 1), text)


def _start_s(segment: Segment, times: FrameTimes) -> float:
    micros = segment.start_us if segment.start_us is not None else times.at(segment.start)
    return micros / 1e6
