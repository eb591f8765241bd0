"""Comments: everybody answers, nobody changes the words of others, and they are handed on."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.canonical import canonical_bytes, document_value
from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.comment import WHOLE_TASK, Pin, threads
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.track import Keyframe
from annotator.domain.checks import check_document
from annotator.domain.commands import (
    AddComment,
    Command,
    DeleteComment,
    DeleteTracks,
    EditComment,
    ReplyToComment,
    ResolveComments,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import CommentId, PersonId, SegmentId, TrackId, new_id
from tests.domain.edits import make_document, make_track, run

ADA, BEN = PersonId(new_id()), PersonId(new_id())


def _added(document: Document, pin: Pin = WHOLE_TASK, at: int = 1000) -> CommentId:
    key = CommentId(new_id())
    run(document, AddComment(key, ADA, at, " Look here \n", pin))
    return key


def _answered(document: Document, parent: CommentId, by: PersonId, at: int = 2000) -> CommentId:
    key = CommentId(new_id())
    run(document, ReplyToComment(key, parent, by, at, "Done"))
    return key


def test_remark_is_pinned_answered_and_resolved() -> None:
    document = make_document(make_track(Keyframe(0, Box(1, 2, 3, 4))))
    pin = Pin(frame=7, track_id=document.tracks[0].id)
    remark = _added(document, pin)
    assert document.comment(remark).text == "Look here"
    first = _answered(document, remark, BEN)
    second = _answered(document, first, ADA, at=3000)
    assert [c.parent_id for c in document.replies_to(remark)] == [remark, remark]
    assert document.comment(second).pin == pin
    run(document, ResolveComments((second, remark)))
    assert document.comment(remark).is_resolved
    assert not document.comment(second).is_resolved
    with pytest.raises(EditError, match=r"No change is required\."):
        run(document, ResolveComments((remark,)))
    run(document, ResolveComments((remark,), is_resolved=False))
    assert not document.comment(remark).is_resolved


def test_only_the_author_rewords_or_deletes() -> None:
    document = make_document()
    remark = _added(document)
    for command in (EditComment(remark, BEN, 2000, "No"), DeleteComment(remark, BEN)):
        with pytest.raises(
            EditError, match=r"Cannot edit the comment: it was written by another person\."
        ):
            run(document, command)
    run(document, EditComment(remark, ADA, 2000, "Look there"))
    assert document.comment(remark).edited_at == 2000
    with pytest.raises(EditError, match=r"No change is required\."):
        run(document, EditComment(remark, ADA, 3000, "Look there"))
    own = _answered(document, remark, ADA)
    answer = _answered(document, remark, BEN)
    with pytest.raises(EditError, match=r"Cannot delete the comment: it has replies\."):
        run(document, DeleteComment(remark, ADA))
    run(document, DeleteComment(answer, BEN))
    gone = ChangeSet("", DeleteComment(remark, ADA).plan(document))  # type: ignore[arg-type]
    document.apply(gone.changes)
    assert document.comments == ()
    document.apply(gone.inverse().changes)
    assert {c.id for c in document.comments} == {remark, own}


@pytest.mark.parametrize("text", ["", " \n", "x" * 4001, "a\x07b"])
def test_words_that_are_refused(text: str) -> None:
    document = make_document()
    with pytest.raises(EditError):
        run(document, AddComment(CommentId(new_id()), ADA, 0, text))
    assert document.comments == ()


@pytest.mark.parametrize(
    "pin",
    [
        Pin(frame=40),
        Pin(frame=-1),
        Pin(span=(5, 5)),
        Pin(span=(30, 41)),
        Pin(track_id=TrackId(new_id())),
        Pin(segment_id=SegmentId(new_id())),
    ],
)
def test_pins_to_what_is_not_there_are_refused(pin: Pin) -> None:
    document = make_document()
    with pytest.raises(EditError):
        run(document, AddComment(CommentId(new_id()), ADA, 0, "Here", pin))


def test_remark_outlives_what_it_is_about() -> None:
    document = make_document(make_track(Keyframe(0, Box(1, 2, 3, 4))))
    track = document.tracks[0].id
    remark = _added(document, Pin(track_id=track))
    run(document, DeleteTracks((track,)))
    assert document.comment(remark).pin.track_id == track


def test_commands_on_comments_that_are_gone() -> None:
    document, lost = make_document(), CommentId(new_id())
    commands: list[Command] = [
        ReplyToComment(CommentId(new_id()), lost, ADA, 0, "?"),
        EditComment(lost, ADA, 0, "?"),
        ResolveComments((lost,)),
        DeleteComment(lost, ADA),
    ]
    for command in commands:
        with pytest.raises(EditError, match=r"The comment no longer exists\."):
            run(document, command)


def test_threads_come_by_place_then_time() -> None:
    document = make_document()
    late = _added(document, Pin(frame=20), at=1)
    early = _added(document, Pin(span=(3, 9)), at=5)
    again = _added(document, Pin(frame=3), at=4)
    whole = _added(document, at=9)
    answer = _answered(document, late, BEN, at=0)
    found = [[c.id for c in thread] for thread in threads(document.comments)]
    assert found == [[whole], [again], [early], [late, answer]]
    lone = [c for c in document.comments if c.id == answer]
    assert [[c.id for c in t] for t in threads(lone)] == [[answer]]


def test_body_has_comments_only_where_there_are_any() -> None:
    document = make_document(make_track(Keyframe(0, Box(1, 2, 3, 4))))
    before, findings = canonical_bytes(document_value(document)), list(check_document(document))
    assert b"comments" not in before
    remark = _added(document, Pin(frame=3))
    (value,) = document_value(document)["comments"]  # type: ignore[misc]
    assert value == {
        "id": remark,
        "author_id": ADA,
        "at": 1000,
        "text": "Look here",
        "pin": {"frame": 3},
        "parent_id": None,
        "is_resolved": False,
    }
    assert list(check_document(document)) == findings
    run(document, DeleteComment(remark, ADA))
    assert canonical_bytes(document_value(document)) == before
