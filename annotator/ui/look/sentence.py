"""An action in words: its template with the names of the objects in the blanks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane, Segment

if TYPE_CHECKING:
    from annotator.domain.annotation.document import Document


class Piece(NamedTuple):
    """Plain text, or a role: ``slot`` counts from 0, ``is_open`` while nobody has judged it."""

    text: str
    slot: int | None = None
    is_open: bool = False


def pieces(segment: Segment, label: Label | None, document: Document) -> list[Piece]:
    """Return what the segment says; roles that the template does not have follow at the end."""
    found: list[Piece] = []
    named: set[int] = set()
    sentence = label.sentence if label is not None else ()
    if label is None or label.text != segment.label:
        found.append(Piece(segment.label.strip()))
        named.update(range(len(label.slots)) if label is not None else ())
        sentence = ()
    for text, slot in sentence:
        if slot is None:
            found.append(Piece(text if label is not None and label.template else text.strip()))
        else:
            found.append(_role(segment, slot, text, document))
            named.add(slot)
    extra = [i for i in range(len(segment.slots)) if i not in named]
    for place, slot in enumerate(extra):
        found.append(Piece(": " if not place else ", "))
        found.append(_role(segment, slot, "", document))
    return found


def sentence_text(segment: Segment, label: Label | None, document: Document) -> str:
    """Return the sentence as plain text, with blanks as "[something]"."""
    words = (f"[{p.text}]" if p.is_open else p.text for p in pieces(segment, label, document))
    return "".join(words)


def sentence_html(
    segment: Segment,
    label: Label | None,
    document: Document,
    *,
    armed: int | None,
    ink: str,
    accent: str,
) -> str:
    """Return the sentence with its roles as links ``slot:N``; the waiting one stands out.

    ``ink`` colours roles that are open, ``accent`` those that are filled.
    """
    parts = []
    found = pieces(segment, label, document)
    for text, slot, is_open in found:
        if slot is None:
            parts.append(escape(text))
            continue
        shown = (
            f"{slot + 1}&thinsp;{escape(text)}" if not is_open else f"{slot + 1}: {escape(text)}"
        )
        style = f"color:{ink if is_open else accent};"
        if slot == armed:
            style += "background-color:palette(highlight);font-weight:600;"
        parts.append(f'<a href="slot:{slot}" style="{style}">[{shown}]</a>')
    if segment.lane is Lane.SOUND and len(segment.slots) < 9:
        word = _tr("sound source") if not segment.slots else _tr("another")
        style = "background-color:palette(highlight);" if armed == len(segment.slots) else ""
        parts.append(
            f' <a href="slot:{len(segment.slots)}" style="color:{ink};{style}">[+ {word}]</a>'
        )
    return "".join(parts)


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
