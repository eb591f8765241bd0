from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.changes import ChangeSet, merge
from annotator.domain.annotation.segment import normalized_roles
from annotator.domain.annotation.track import Keyframe
from annotator.domain.commands import SetKeyframe, SplitTrack
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from tests.domain.edits import commands, make_document, make_track, run


def snapshot(document):
    return document.tracks, document.segments


@settings(max_examples=300)
@given(st.data())
def test_undoing_and_redoing_any_edits_gives_every_state_back(data):
    document = make_document()
    states, steps = [snapshot(document)], []
    for _ in range(data.draw(st.integers(1, 30))):
        command = data.draw(commands(document))
        try:
            changes = command.plan(document)
        except EditError:
            assert snapshot(document) == states[-1]
            continue
        step = ChangeSet(command.op, tuple(changes), command.frame, command.merge_key)
        document.apply(step.changes)
        steps.append(step)
        states.append(snapshot(document))
    for step, state in zip(reversed(steps), reversed(states[:-1]), strict=True):
        document.apply(step.inverse().changes)
        assert snapshot(document) == state
    for step, state in zip(steps, states[1:], strict=True):
        document.apply(step.changes)
        assert snapshot(document) == state


@settings(max_examples=300)
@given(st.data())
def test_no_edit_makes_an_impossible_document(data):
    document = make_document()
    for _ in range(20):
        try:
            run(document, data.draw(commands(document)))
        except EditError:
            continue
    ids = {t.id for t in document.tracks}
    for track in document.tracks:
        assert track.keyframes
        assert track.keyframes[0].box is not None
        assert track.info.parent_id is None or track.info.parent_id in ids
        assert track.info.parent_id != track.id
        for key in track.keyframes:
            assert 0 <= key.frame < document.video.n_frames
            assert key.box is None or (key.box.is_valid and key.box.x2 <= document.video.width)
            assert not (key.box is None and key.occluded)
    for segment in document.segments:
        assert ids.issuperset(segment.objects)
        assert segment.slots == normalized_roles(segment.lane, segment.slots)


def test_quick_nudges_become_one_change():
    track = make_track(Keyframe(0, Box(0, 0, 10, 10)))
    document = make_document(track)
    first = run(document, SetKeyframe(track.id, 0, Box(1, 0, 11, 10)))
    second = run(document, SetKeyframe(track.id, 0, Box(2, 0, 12, 10)))
    (merged,) = merge(first, second)
    assert merged.before == track.keyframes[0]
    assert merged.after == document.track(track.id).keyframes[0]


def test_a_change_set_knows_what_it_touches():
    track = make_track(Keyframe(0, Box(0, 0, 10, 10)), Keyframe(20, Box(0, 0, 10, 10)))
    new = track_id()
    changes = SplitTrack(track.id, 10, new).plan(make_document(track))
    touched = ChangeSet("split-track", tuple(changes))
    assert touched.track_ids == {track.id, new}
    assert touched.topics == {"track", "keyframe"}
