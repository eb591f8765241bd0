"""Drafts compared with their log: replayed from its first entry, the log gives the same content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from annotator.domain.annotation.document import Document
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import UserError
from annotator.domain.ids import DraftId, VideoId
from annotator.store.annotation.drafts import DraftStore, read_draft
from annotator.store.catalog import videos
from annotator.store.columns import id_text
from annotator.store.file.failures import UNSOUND

if TYPE_CHECKING:
    from annotator.domain.annotation.document import VideoInfo
    from annotator.store.file.project import ProjectFile


_UNREADABLE: tuple[type[Exception], ...] = (UserError, AssertionError, *UNSOUND)


def log_findings(file: ProjectFile) -> Iterator[Finding]:
    """Yield what differs between the drafts of a project and their logs; reads all of both."""
    infos = {stored.info.id: stored.info for stored in videos.list_videos(file)}
    rows = file.rows("SELECT id, video_id FROM draft ORDER BY id")
    for draft, video in rows:
        assert isinstance(draft, bytes)
        assert isinstance(video, bytes)
        info = infos.get(VideoId(id_text(video)))
        if info is not None:
            yield from _of_draft(file, DraftId(id_text(draft)), info)


def replayed(file: ProjectFile, draft_id: DraftId, video: VideoInfo) -> Document:
    """Return what a draft's log says that is in it; one of UNSOUND where it is damaged."""
    store = DraftStore(file, draft_id)
    document = Document(draft_id, video)
    for event in store.events():
        document.apply(store.changes_of(event.id))
    return document


def _of_draft(file: ProjectFile, draft_id: DraftId, video: VideoInfo) -> Iterator[Finding]:
    where = f"{video.name}, draft {draft_id[:8]}"
    try:
        stored = read_draft(file, draft_id, video, is_tabled=False)
    except _UNREADABLE as error:
        text = f"The draft cannot be read: {error}"
        yield Finding("damaged-draft", where, text, Severity.ERROR)
        return
    try:
        logged = replayed(file, draft_id, video)
    except _UNREADABLE as error:
        text = f"The history of the draft cannot be read: {type(error).__name__}."
        yield Finding("damaged-log", where, text, Severity.ERROR)
        return
    named = [f"“{label}”" for label in _differing(_parts(stored), _parts(logged))]
    if named:
        shown = ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")
        text = (
            f"The draft differs from its history in {shown}: the file is damaged, or another "
            "program changed it. Compare it with a backup."
        )
        yield Finding("differs-from-log", where, text, Severity.ERROR)


def _parts(document: Document) -> dict[tuple[str, str], tuple[str, object]]:
    """Return what a document has by type and identity, with its name for people."""
    found: dict[tuple[str, str], tuple[str, object]] = {}
    for track in document.tracks:
        found["track", track.id] = track.label, (track.info, track.keyframes)
    for point in document.points:
        runs = [point.path.run(*span) for span in _spans(point.path.frames().tolist())]
        marks = [(run.start, run.xy.tobytes(), run.flags.tobytes()) for run in runs]
        found["point", point.id] = point.label, (point.info, marks)
    for segment in document.segments:
        found["segment", segment.id] = segment.label, segment
    for comment in document.comments:
        found["comment", comment.id] = comment.text[:40], comment
    for key, answer in document.answers.items():
        found["answer", str(tuple(key))] = f"answer to {key.field}", answer
    return found


def _spans(frames: list[int]) -> Iterator[tuple[int, int]]:
    start = None
    for i, frame in enumerate(frames):
        start = frame if start is None else start
        if i + 1 == len(frames) or frames[i + 1] != frame + 1:
            yield start, frame + 1
            start = None


def _differing(
    one: Mapping[tuple[str, str], tuple[str, object]],
    other: Mapping[tuple[str, str], tuple[str, object]],
) -> Iterator[str]:
    nothing = ("", None)
    for key in sorted(one.keys() | other.keys()):
        here, there = one.get(key, nothing), other.get(key, nothing)
        if here[1] != there[1]:
            yield here[0] or there[0]
