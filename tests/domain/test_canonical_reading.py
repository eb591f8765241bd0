"""What is handed in reads back as the same document."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.canonical import canonical_bytes, document_value, read_document
from annotator.domain.annotation.document import Document
from annotator.domain.errors import EditError, ProjectError
from annotator.domain.ids import DraftId, new_id
from tests.domain import edits


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_document_survives_its_canonical_form(data: st.DataObject) -> None:
    document = edits.make_document()
    for _ in range(data.draw(st.integers(0, 12))):
        with contextlib.suppress(EditError):
            edits.run(document, data.draw(edits.commands(document, with_comments=True)))
    body = canonical_bytes(document_value(document))
    found = read_document(body, DraftId(new_id()), document.video)
    assert canonical_bytes(document_value(found)) == body
    assert found.segments == document.segments
    assert found.comments == document.comments
    shown = [replace(t.info, is_locked=False, is_hidden=False) for t in document.tracks]
    assert [t.info for t in found.tracks] == shown
    assert [t.keyframes for t in found.tracks] == [t.keyframes for t in document.tracks]
    for point in document.points:
        other = found.point(point.id)
        assert other.path.frames().tolist() == point.path.frames().tolist()
        frames = [int(f) for f in point.path.frames()]
        assert [other.mark(f) for f in frames] == [point.mark(f) for f in frames]


def _body(document: Document) -> bytes:
    return canonical_bytes(document_value(document))


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b"\xff", b'{"video":{"width":1,"height":1,"n_frames":1},"tracks":[3]}'],
)
def test_damaged_bytes_are_refused(body: bytes) -> None:
    document = edits.make_document()
    with pytest.raises(ProjectError, match="damaged"):
        read_document(body, document.draft_id, document.video)


def test_body_of_another_video_is_refused() -> None:
    document = edits.make_document()
    longer = replace(document.video, n_frames=document.video.n_frames + 1)
    with pytest.raises(ProjectError, match="another video"):
        read_document(_body(document), document.draft_id, longer)
