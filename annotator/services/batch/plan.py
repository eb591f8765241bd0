"""Plans of what to track: a job for each video, with its gaps; and results brought back.

A job knows a video by its content and its path, and each gap by a key: the hash of all that its
result depends on. So results can be made anywhere, in any order and twice, and one that is there
already is not made again. Results are proposals in files, never annotation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from annotator.domain.annotation.canonical import canonical_bytes
from annotator.domain.checks import Finding
from annotator.domain.errors import UserError
from annotator.domain.ids import DraftId, VideoId
from annotator.domain.proposals.boxes import Gap, ProposalRun
from annotator.services.assist.preparing import bounded, drafts_in_hand, gaps_to_fill
from annotator.services.batch.results import read_result, result_path
from annotator.services.files import write_atomically
from annotator.store.annotation import proposals as stored
from annotator.store.annotation.drafts import read_draft
from annotator.store.catalog import videos
from annotator.store.columns import id_bytes

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.services.project.projects import OpenProject

FORMAT: Final = "annotator-batch/1"
MAX_PLAN_BYTES: Final = 1 << 30
_MAX_GAPS: Final = 1_000_000


class PlannedAnchor(msgspec.Struct):
    """A fixed frame; ``box`` is x1, y1, x2, y2 in image pixels, None for out of view."""

    frame: int
    box: tuple[float, float, float, float] | None


class PlannedGap(msgspec.Struct):
    """Frames ``start <= f < end`` to be filled from the anchors."""

    key: str
    start: int
    end: int
    anchors: list[PlannedAnchor]


class VideoJob(msgspec.Struct):
    """All gaps of one video, whose pictures are decoded once for each gap.

    ``table`` is the frame table, so that a worker does not have to read the whole file first.
    """

    name: str
    path: str
    content: str
    tracker: str
    gaps: list[PlannedGap]
    table: bytes = b""
    format: str = FORMAT


@dataclass(frozen=True, slots=True)
class Planned:
    """Result of planning: jobs, gaps, and videos that were left out with the reason."""

    n_jobs: int
    n_gaps: int
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class Collected:
    """Result of collecting: gaps that got proposals, and damaged results."""

    n_gaps: int = 0
    n_waiting: int = 0
    damaged: list[str] = field(default_factory=list)


class _Wanted(NamedTuple):
    draft_id: DraftId
    video_id: VideoId
    document: Document
    kept: Sequence[ProposalRun]
    gaps: list[Gap]


def plan(
    project: OpenProject,
    path: Path,
    tracker: str,
    on_progress: Callable[[float, str], object] = lambda _fraction, _name: None,
) -> Planned:
    """Write the jobs for the drafts that people have in hand, one line each.

    Gaps with proposals that are up to date are left out.
    """
    lines: list[bytes] = []
    findings: list[Finding] = []
    n_gaps = 0
    found = list(_wanted(project))
    for i, wanted in enumerate(found):
        entry = project.footage.video(wanted.video_id)
        on_progress(i / len(found), entry.info.name)
        place = project.footage.path(wanted.video_id)
        if place is None or entry.content_hash is None:
            text = "The video file is missing. Locate the video first."
            findings.append(Finding("missing-media", entry.info.name, text))
            continue
        gaps = [
            PlannedGap(
                key_of(entry.content_hash, gap, tracker),
                *bounded(gap),
                [
                    PlannedAnchor(a.frame, a.box.as_tuple() if a.box is not None else None)
                    for a in (gap.lower, gap.upper)
                    if a is not None
                ],
            )
            for gap in wanted.gaps
        ]
        table = videos.frame_table(project.file, wanted.video_id) or b""
        job = VideoJob(entry.info.name, str(place), entry.content_hash, tracker, gaps, table)
        lines.append(msgspec.json.encode(job))
        n_gaps += len(gaps)
    write_atomically(path, [line + b"\n" for line in lines])
    return Planned(len(lines), n_gaps, tuple(findings))


def read_plan(path: Path) -> list[VideoJob]:
    """Return the jobs of a plan; UserError when it is none."""
    try:
        if path.stat().st_size > MAX_PLAN_BYTES:
            raise ValueError("it is too long")
        lines = path.read_bytes().splitlines()
        jobs = [msgspec.json.decode(line, type=VideoJob) for line in lines if line.strip()]
        if any(job.format != FORMAT for job in jobs):
            raise ValueError("it is of another version")
        if sum(len(job.gaps) for job in jobs) > _MAX_GAPS:
            raise ValueError("it has too many gaps")
    except (OSError, msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UserError(
            f"Cannot read the plan: {error}.",
            hint="Write it with “annotator batch plan”.",
            where=str(path),
        ) from error
    return jobs


def collect(project: OpenProject, folder: Path, tracker: str) -> Collected:
    """Bring results into the drafts they were made for, as proposals.

    What was made from keyframes that have changed since is not taken; a damaged file is named and
    the rest goes on.
    """
    done = Collected()
    for wanted in _wanted(project):
        entry = project.footage.video(wanted.video_id)
        draft = id_bytes(wanted.draft_id)
        for gap in wanted.gaps:
            key = key_of(entry.content_hash or "", gap, tracker)
            path = result_path(folder, key)
            if not path.exists():
                done.n_waiting += 1
                continue
            try:
                run = read_result(path, gap.track_id, *bounded(gap))
            except UserError as error:
                done.damaged.append(str(error))
                continue
            old = [
                each
                for each in wanted.kept
                if each.track_id == gap.track_id and each.start < gap.end and gap.start < each.end
            ]
            stored.replace_runs(project.file, draft, gap.track_id, old, [run])
            done.n_gaps += 1
    return done


def key_of(content: str, gap: Gap, tracker: str) -> str:
    """Return the name of the result for a gap: the hash of all that it depends on."""
    from annotator.assist import installed

    origin = installed().get(tracker).origin()
    anchors = [
        [a.frame, *([round(v, 3) for v in a.box.as_tuple()] if a.box is not None else [])]
        for a in (gap.lower, gap.upper)
        if a is not None
    ]
    told: dict[str, Any] = {
        "content": content,
        "span": list(bounded(gap)),
        "anchors": anchors,
        "tracker": [origin.name, origin.version, origin.parameters],
    }
    return hashlib.sha256(canonical_bytes(told)).hexdigest()


def _wanted(project: OpenProject) -> Iterator[_Wanted]:
    for draft_id, video_id in drafts_in_hand(project):
        info = project.footage.video(video_id).info
        document = read_draft(project.file, draft_id, info)
        kept = stored.read_runs(project.file, id_bytes(draft_id))
        gaps = list(gaps_to_fill(document, kept))
        if gaps:
            yield _Wanted(draft_id, video_id, document, kept, gaps)
