"""Every check finds what it is for, and nothing in a document that is in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotator.domain.annotation.track import Keyframe
from annotator.domain.checks import check_document, check_steps
from annotator.domain.commands import SetTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from tests.domain.edits import make_document, make_track

BOX = Box(10, 10, 60, 60)


def codes(*tracks, pending=None):
    return [f.code for f in check_document(make_document(*tracks), pending)]


def whole(box=BOX, **info):
    """Return a track that is judged everywhere."""
    return make_track(Keyframe(0, box, settled=True), **info)


def test_a_document_in_order_has_no_findings():
    assert codes(whole(), whole(BOX.moved(100, 0), label="spoon", number=2)) == []


def test_grid_frames_that_nobody_looked_at():
    (finding,) = check_document(make_document(make_track(Keyframe(5, BOX))))
    assert finding.code == "unchecked-grid"
    assert finding.frame == 10
    assert "3 grid frames are" in finding.text


def test_proposals_that_wait():
    track = whole()
    (finding,) = check_document(make_document(track), {track.id: 1})
    assert (finding.code, finding.track_id) == ("pending-proposals", track.id)
    assert "1 proposal is" in finding.text


def test_a_track_without_a_name():
    assert codes(whole(label=" ")) == ["empty-name"]


def test_a_track_that_is_never_present():
    assert codes(make_track(Keyframe(0, None))) == ["never-present"]


def test_boxes_that_cover_nothing_or_little():
    assert codes(whole(Box(500, 10, 600, 60))) == ["empty-box"]
    assert codes(whole(Box(10, 10, 12, 60))) == ["tiny-box"]


def test_keyframes_beyond_the_video():
    assert "beyond-video" in codes(make_track(Keyframe(0, BOX, settled=True), Keyframe(99, BOX)))


def test_a_child_whose_parent_is_gone():
    assert codes(whole(parent_id=track_id())) == ["no-parent"]


def test_one_object_drawn_twice():
    first, second = whole(), whole(BOX.moved(1, 0), number=2)
    (finding,) = check_document(make_document(first, second))
    assert (finding.code, finding.track_id) == ("duplicate-track", second.id)
    other = replace(second, info=replace(second.info, label="spoon"))
    assert codes(first, other) == []
    assert codes(first, whole(BOX.moved(40, 0), number=2)) == []


def test_doubles_are_found_as_by_comparing_every_frame():
    chance = np.random.default_rng(5)

    def wandering(number):
        frames = [0, *sorted(set(chance.integers(1, 90, size=int(chance.integers(0, 5))).tolist()))]
        near = BOX.moved(float(chance.integers(0, 4)) / 2, 0)
        boxes = [None if i and chance.random() < 0.2 else near for i in range(len(frames))]
        return make_track(*map(Keyframe, frames, boxes), number=number)

    tracks = [wandering(number) for number in range(1, 26)]
    found = [f for f in check_document(make_document(*tracks)) if f.code == "duplicate-track"]
    expected = []
    for i, first in enumerate(tracks):
        for second in tracks[i + 1 :]:
            overlaps = []
            for frame in sorted({*first.frames, *second.frames}):
                a, b = first.state_at(frame).box, second.state_at(frame).box
                if a is not None or b is not None:
                    overlaps.append(a.iou(b) if a is not None and b is not None else 0.0)
            if sum(overlaps) / len(overlaps) >= 0.9:
                expected.append((first.info.number, second.id))
    said = [(int(f.text.split("track ")[1].split()[0]), f.track_id) for f in found]
    assert said == expected
    assert 3 < len(said) < 200


def test_steps_look_at_the_same_things_until_something_changes():
    first, second = whole(), whole(BOX.moved(1, 0), number=2)
    document = make_document(first, second)

    def looked_at():
        return {step.key: tuple(map(id, step.subjects)) for step in check_steps(document)}

    before = looked_at()
    assert looked_at() == before
    document.apply(SetTrack(second.id, label="spoon").plan(document))
    after = looked_at()
    changed = {key for key in before if after.get(key) != before[key]}
    assert changed == {("track", second.id), ("doubles", first.id)}
