"""Texts for people: names of edits, times, spans, and actions with their objects."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Segment
from annotator.domain.annotation.track import Phase, TrackState
from annotator.domain.workflow import TaskState

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document
    from annotator.domain.work.records import Instant


class Piece(NamedTuple):
    """Plain text, or a role: ``slot`` counts from 0, ``is_open`` without an object."""

    text: str
    slot: int | None = None
    is_open: bool = False


def pieces(segment: Segment, label: Label | None, document: Document) -> list[Piece]:
    """Return the sentence of a segment in pieces; roles missing in the template follow."""
    piece_list: list[Piece] = []
    named: set[int] = set()
    sentence = label.sentence if label is not None else ()
    if label is None or label.text != segment.label:
        piece_list.append(Piece(segment.label.strip()))
        named.update(range(len(label.slots)) if label is not None else ())
        sentence = ()
    for text, slot in sentence:
        if slot is None:
            piece_list.append(Piece(text if label is not None and label.template else text.strip()))
        else:
            piece_list.append(_role(segment, slot, text, document))
            named.add(slot)
    extra = [i for i in range(len(segment.slots)) if i not in named]
    for place, slot in enumerate(extra):
        piece_list.append(Piece(": " if not place else ", "))
        piece_list.append(_role(segment, slot, "", document))
    return piece_list


def sentence_text(segment: Segment, label: Label | None, document: Document) -> str:
    """Return the sentence as plain text, with blanks as "[something]"."""
    words = (f"[{p.text}]" if p.is_open else p.text for p in pieces(segment, label, document))
    return "".join(words)


def _role(segment: Segment, slot: int, word: str, document: Document) -> Piece:
    if segment.is_open(slot):
        return Piece(word or "–", slot, is_open=True)
    track_id = segment.slots[slot]
    if track_id is None:
        return Piece(_tr("{word} (not annotated)").format(word=word or "–"), slot)
    track = document.find_track(track_id)
    return Piece(track.label if track is not None else "?", slot, is_open=track is None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("sentence", text)


_OPS = {
    "create-track": "Create object",
    "delete-track": "Delete object",
    "set-track": "Edit object",
    "set-keyframe": "Move box",
    "delete-keyframe": "Delete keyframe",
    "delete-keyframes": "Delete keyframes",
    "set-occluded": "Occluded",
    "clear-occluded": "Not occluded",
    "set-outside": "Out of view",
    "clear-outside": "In view",
    "accept-proposals": "Accept proposals",
    "accept-segments": "Accept proposed segments",
    "thin-keyframes": "Thin keyframes",
    "settle-gap": "Dismiss proposals",
    "open-gap": "Track again",
    "settle-begin": "Dismiss proposals",
    "dismiss-range": "Dismiss proposals",
    "check-frame": "Check frame",
    "split-track": "Split object",
    "split-into-children": "Split into children",
    "join-tracks": "Merge objects",
    "swap-tracks": "Swap objects",
    "create-point": "Create point",
    "set-point": "Place point",
    "mark-point": "Set point state",
    "clear-point": "Clear point",
    "accept-points": "Accept proposals",
    "set-point-info": "Edit point",
    "delete-point": "Delete point",
    "create-segment": "Create segment",
    "set-segment": "Edit segment",
    "rename-label": "Rename label",
    "delete-segment": "Delete segment",
    "split-segment": "Split segment",
    "merge-segments": "Merge segments",
    "duplicate-segment": "Duplicate segment",
    "set-segment-attributes": "Change attribute",
    "set-slot": "Fill role",
    "clear-slot": "Open role",
    "revert-difference": "Revert change",
    "add-comment": "Add comment",
    "reply-to-comment": "Reply to comment",
    "edit-comment": "Edit comment",
    "resolve-comment": "Resolve comment",
    "delete-comment": "Delete comment",
    "set-answer": "Answer",
    "clear-answer": "Clear answer",
    "import": "Import annotations",
    "begin": "Begin with the previous stage",
    "fill-demo": "Create demo project",
}
_FINDINGS = {
    "beyond-video": "Exceeds video length",
    "duplicate-track": "Duplicate object",
    "empty-box": "Empty box",
    "empty-name": "Name missing",
    "attribute-missing": "Attribute missing",
    "attribute-value": "Invalid attribute value",
    "empty-slot": "Open role",
    "few-checks": "Too few attention checks",
    "few-references": "Too few references for gold tasks",
    "few-points": "Too few points",
    "few-tests": "Too few test tasks",
    "never-present": "Never in view",
    "no-object": "Object missing",
    "no-parent": "Parent missing",
    "out-of-view": "All objects out of view",
    "pending-proposals": "Unreviewed proposals",
    "same-twice": "Duplicate action",
    "silence": "Sound over silent audio",
    "tiny-box": "Very small box",
    "too-few": "Too few answers",
    "too-short": "Text too short",
    "unanswered": "Unanswered",
    "unchecked-grid": "Unchecked grid frames",
    "unfinished-point": "Incomplete point track",
    "unknown-label": "Label not in label set",
    "video": "File note",
}
_TAKES_ALONG = ("delete-track", "split-track", "join-tracks", "split-into-children")
_TASK_STATES = {
    TaskState.WAITING: "to do",
    TaskState.IN_PROGRESS: "in progress",
    TaskState.SUBMITTED: "submitted",
}
_PHASES = {
    Phase.BEFORE: "Before first keyframe",
    Phase.KEYFRAME: "Keyframe",
    Phase.INTERPOLATED: "Interpolated",
    Phase.HELD: "Held from previous keyframe",
    Phase.OUTSIDE: "Out of view",
}


def op_text(op: str) -> str:
    """Name an edit, as in "Undo Move box"."""
    return _translated(_OPS.get(op, op))


def finding_title(code: str) -> str:
    """Return the title of a kind of finding; empty without one."""
    return _translated(_FINDINGS[code]) if code in _FINDINGS else ""


def finding_titles() -> dict[str, str]:
    """Return the kinds of finding with their names, in the order of these."""
    named = ((code, _translated(title)) for code, title in _FINDINGS.items())
    return dict(sorted(named, key=lambda each: each[1].casefold()))


def role_word(label: Label | None, slot: int) -> str:
    """Name a role by the word of the template."""
    words = {s.number - 1: s.word for s in label.slots} if label is not None else {}
    return words.get(slot) or _translated("the object")


def counted(n: int, one: str, many: str) -> str:
    """Return the singular or plural text for a number; both may contain ``{n}``."""
    return (one if n == 1 else many).format(n=n)


def side_effects_text(changes: ChangeSet) -> str:
    """Return the side effects of an edit: "3 segments and 2 points moved too"."""
    if changes.op not in _TAKES_ALONG or changes.is_undone or not changes.track_ids:
        return ""
    n_segments, n_points = len(changes.segment_ids), len(changes.point_ids)
    parts = [
        counted(n, _translated(one), _translated(many))
        for n, one, many in (
            (n_segments, "{n} segment", "{n} segments"),
            (n_points, "{n} point", "{n} points"),
        )
        if n
    ]
    if not parts:
        return ""
    return _translated("Also changed: {what}.").format(what=_translated(" and ").join(parts))


def task_state_text(state: TaskState) -> str:
    return _translated(_TASK_STATES[state])


def phase_text(state: TrackState) -> str:
    """Return the reason for the appearance of an object on a frame."""
    if state.phase is Phase.KEYFRAME and state.box is None:
        return _translated("Keyframe: out of view")
    return _translated(_PHASES[state.phase])


def time_text(seconds: float) -> str:
    """Write a media time as minutes, seconds and milliseconds, with hours where there are any."""
    sign = "−" if seconds < -0.0005 else ""
    total = round(abs(seconds) * 1000)
    minutes, milliseconds = divmod(total, 60_000)
    hours, minutes = divmod(minutes, 60)
    rest = f"{minutes:02d}:{milliseconds // 1000:02d}.{milliseconds % 1000:03d}"
    return f"{sign}{hours}:{rest}" if hours else f"{sign}{rest}"


def speed_text(speed: float) -> str:
    """Write a speed, as in "0.5×" or "−2×"."""
    return f"{speed:g}×".replace("-", "−")


def size_text(width: int, height: int) -> str:
    return f"{width} × {height}"


def moment_text(at: Instant | datetime, now: datetime | None = None) -> str:
    """Say when something is, by the clock of this machine: with the day unless it is today, and
    with the year unless it is this one.

    ``at`` is an aware time, or milliseconds since 1970 (UTC).
    """
    then = (at if isinstance(at, datetime) else datetime.fromtimestamp(at / 1000, UTC)).astimezone()
    today = (now or datetime.now().astimezone()).date()
    if then.date() == today:
        return then.strftime("%H:%M")
    return then.strftime("%d %b %H:%M" if then.year == today.year else "%d %b %Y %H:%M")


def ago_text(then: datetime, now: datetime | None = None) -> str:
    """Return a relative time: "just now", "12 s ago", "3 min ago", else the clock time."""
    seconds = ((now or datetime.now(UTC)) - then).total_seconds()
    if seconds < 2:
        return _translated("just now")
    if seconds < 60:
        return _translated("{n} s ago").format(n=int(seconds))
    if seconds < 3600:
        return _translated("{n} min ago").format(n=int(seconds // 60))
    return _translated("at {time}").format(time=then.astimezone().strftime("%H:%M"))


def _translated(text: str) -> str:
    return QCoreApplication.translate("words", text)
