from __future__ import annotations

import pytest

from annotator.domain.annotation.changes import ChangeSet
from annotator.domain.annotation.track import Keyframe
from annotator.domain.commands import AddImported
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from tests.domain.edits import make_document, make_track


def test_an_import_and_what_it_knew_of_the_video_are_one_step() -> None:
    document = make_document()
    track = make_track(Keyframe(0, Box(0, 0, 9, 9)))
    step = ChangeSet("import", tuple(AddImported((track,), (), {"questions": [1]}).plan(document)))
    assert step.topics == {"track", "keyframe", "video"}
    document.apply(step.changes)
    assert document.video.extra == {"questions": [1]}
    assert document.find_track(track.id) == track
    document.apply(step.inverse().changes)
    assert document.video.extra == {}
    assert document.find_track(track.id) is None
    document.apply(step.changes)
    assert document.video.extra == {"questions": [1]}


def test_an_import_that_brings_nothing_is_no_step() -> None:
    document = make_document()
    with pytest.raises(EditError, match=r"No change is required\."):
        AddImported((), (), dict(document.video.extra)).plan(document)
