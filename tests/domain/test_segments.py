"""Commands on segments and the rules that look at them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.edits import NothingToDoError
from annotator.domain.annotation.labels import Label, LabelSet
from annotator.domain.annotation.segment import OPEN_ROLE, Lane, Segment, frame_span
from annotator.domain.annotation.track import Keyframe
from annotator.domain.checks import check_document
from annotator.domain.checks.document_checks import segment_place
from annotator.domain.commands import (
    ClearSlot,
    CreateSegment,
    DeleteSegment,
    DuplicateSegments,
    MergeSegments,
    SetSegment,
    SetSlot,
    SetVisible,
    SplitSegment,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from tests.domain.edits import TIMES_US, make_document, make_track, run

BOX = Box(10, 10, 60, 60)
LABELS = {
    Lane.ACTION: LabelSet(
        Lane.ACTION,
        "Actions",
        (Label(1, "Putting something into something", "Putting {1:something} into {2:a box}"),),
    ),
    Lane.SOUND: LabelSet(Lane.SOUND, "Sounds", (Label(5, "Interaction: fluid"),)),
}


def _action(start: int, end: int, *slots: object, label: str = "") -> Segment:
    text = label or "Putting something into something"
    return Segment(segment_id(), Lane.ACTION, text, start, end, 1, slots)  # type: ignore[arg-type]


def _sound(start_us: int, end_us: int) -> Segment:
    span = frame_span(TIMES_US, start_us, end_us)
    return Segment(
        segment_id(),
        Lane.SOUND,
        "Interaction: fluid",
        *span,
        5,
        start_us=start_us,
        end_us=end_us,
    )


def _with(*segments: Segment) -> Document:
    document = make_document(make_track(Keyframe(0, BOX)), make_track(Keyframe(0, BOX), number=2))
    for segment in segments:
        run(document, CreateSegment(segment))
    return document


def test_split_keeps_every_moment_once() -> None:
    action, sound = _action(4, 20), _sound(100_000, 900_000)
    document = _with(action, sound)
    for old in (action, sound):
        new = segment_id()
        run(document, SplitSegment(old.id, 10, new, TIMES_US[10]))
        head, rest = document.segment(old.id), document.segment(new)
        assert (head.start, head.end, rest.start, rest.end) == (old.start, 10, 10, old.end)
        assert (rest.label, rest.slots) == (old.label, old.slots)
    sounds = [s for s in document.segments if s.lane is Lane.SOUND]
    assert [(s.start_us, s.end_us) for s in sounds] == [
        (100_000, TIMES_US[10]),
        (TIMES_US[10], 900_000),
    ]
    actions = [s for s in document.segments if s.lane is Lane.ACTION]
    assert {s.start_us for s in actions} == {None}


@pytest.mark.parametrize("frame", [0, 4, 20, 39])
def test_split_needs_a_frame_inside(frame: int) -> None:
    action = _action(4, 20)
    with pytest.raises(EditError, match="inside"):
        SplitSegment(action.id, frame, segment_id()).plan(_with(action))


def test_split_and_merge_are_inverse() -> None:
    for old in (_action(4, 20), _sound(100_000, 900_000)):
        document, new = _with(old), segment_id()
        run(document, SplitSegment(old.id, 10, new, TIMES_US[10]))
        run(document, MergeSegments((new, old.id)))
        assert document.segments == (old,)


def test_merge_keeps_the_role_that_one_of_them_names() -> None:
    document = _with()
    mug, box = (t.id for t in document.tracks)
    first, second = _action(0, 10, mug), _action(8, 12, None, box)
    inner = _action(2, 5)
    for segment in (first, second, inner):
        run(document, CreateSegment(segment))
    run(document, MergeSegments((second.id, first.id, inner.id)))
    (merged,) = document.segments
    assert (merged.id, merged.start, merged.end, merged.slots) == (first.id, 0, 12, (mug, box))


def test_merge_refuses_gaps_other_labels_and_other_objects() -> None:
    document = _with()
    mug, box = (t.id for t in document.tracks)
    base = _action(0, 10, mug)
    for other, word in (
        (_action(11, 20, mug), "gap"),
        (_action(5, 20, mug, label="Dropping"), "labels"),
        (_action(5, 20, box), "objects"),
    ):
        for segment in (base, other):
            run(document, CreateSegment(segment))
        with pytest.raises(EditError, match=word):
            MergeSegments((base.id, other.id)).plan(document)
    with pytest.raises(EditError, match="two"):
        MergeSegments((base.id, base.id)).plan(document)


def test_roles_are_filled_marked_as_not_annotated_and_opened_again() -> None:
    action = _action(4, 20)
    document = _with(action)
    mug, box = (t.id for t in document.tracks)
    run(document, SetSlot(action.id, 1, box))
    assert document.segment(action.id).slots == (OPEN_ROLE, box)
    assert [document.segment(action.id).is_open(i) for i in range(3)] == [True, False, True]
    with pytest.raises(EditError, match=r"The role is already open\."):
        ClearSlot(action.id, 0).plan(document)
    run(document, SetSlot(action.id, 0, mug))
    assert document.segment(action.id).slots == (mug, box)
    run(document, ClearSlot(action.id, 0))
    assert document.segment(action.id).slots == (OPEN_ROLE, box)
    run(document, ClearSlot(action.id, 1))
    assert document.segment(action.id).slots == ()
    run(document, SetSlot(action.id, 0, None))
    assert document.segment(action.id).slots == (None,)
    with pytest.raises(EditError):
        SetSlot(action.id, 9, mug).plan(document)
    with pytest.raises(EditError):
        SetSlot(action.id, 0, track_id()).plan(document)
    with pytest.raises(EditError):
        ClearSlot(action.id, 3).plan(document)


def test_an_open_role_before_a_filled_one_is_kept_and_found() -> None:
    action, sound = _action(4, 20), _sound(0, 50_000)
    document = _with(action, sound)
    mug, box = (t.id for t in document.tracks)
    run(document, SetSlot(action.id, 1, box))
    found = [f for f in check_document(document, labels=LABELS) if f.code == "empty-slot"]
    assert [(f.segment_id, f.text) for f in found] == [
        (action.id, "Not filled: role 1 (something).")
    ]
    assert document.segment(action.id).objects == (box,)
    assert document.segment(action.id).first_open == 0
    run(document, SetSlot(sound.id, 2, mug))
    assert document.segment(sound.id).slots == (mug,)  # the objects of a sound have no order
    other = _action(18, 25, None)
    run(document, CreateSegment(other))
    run(document, MergeSegments((action.id, other.id)))
    assert document.segment(action.id).slots == (None, box)
    run(document, SetSegment(replace(_action(4, 20, mug, OPEN_ROLE), id=action.id)))
    assert document.segment(action.id).slots == (mug,)


def test_copies_and_visibility() -> None:
    sound = replace(_sound(0, 50_000), extra={"note": 1})
    document = _with(sound)
    new = segment_id()
    run(document, DuplicateSegments(((sound.id, new),)))
    assert document.segment(new) == replace(sound, id=new, extra={})
    run(document, SetVisible(new, is_visible=False))
    assert not document.segment(new).is_visible
    with pytest.raises(NothingToDoError):
        SetVisible(new, is_visible=False).plan(document)


def test_times_that_are_empty_or_before_the_video_are_refused() -> None:
    document = _with()
    for start_us, end_us in ((500, 500), (700, 500), (-5, 500)):
        bad = replace(_sound(0, 50_000), start_us=start_us, end_us=end_us)
        with pytest.raises(EditError):
            CreateSegment(bad).plan(document)
    action = _action(0, 5)
    run(document, CreateSegment(action))
    with pytest.raises(EditError):
        SetSegment(replace(action, end=0)).plan(document)


def test_a_file_of_sound_alone_takes_sounds() -> None:
    document = make_document(n_frames=0)
    assert frame_span((), 2_000, 90_300) == (2, 91), "milliseconds take the place of frames"
    sound = Segment(segment_id(), Lane.SOUND, "tap", 2, 91, start_us=2_000, end_us=90_300)
    run(document, CreateSegment(sound))
    assert document.segments == (sound,)
    new = segment_id()
    run(document, SplitSegment(sound.id, 50, new, 50_000))
    assert [(s.start_us, s.end_us) for s in document.segments] == [
        (2_000, 50_000),
        (50_000, 90_300),
    ]
    assert list(check_document(document)) == []
    assert segment_place(document, document.segments[0]).endswith("“tap” at 0.002 s")
    with pytest.raises(EditError):
        CreateSegment(Segment(segment_id(), Lane.ACTION, "lift", 0, 1)).plan(document)


def test_findings_name_what_is_missing() -> None:
    document = _with()
    mug, box = (t.id for t in document.tracks)
    gone = make_track(Keyframe(0, BOX), Keyframe(20, None), number=3)
    document = Document(document.draft_id, document.video, [*document.tracks, gone])
    segments = [
        _action(0, 5, mug),  # the second role is open
        _action(0, 9, mug, box),
        _action(5, 9, mug, box),  # once more
        _action(25, 30, gone.id, None),  # the object has left
        replace(_action(30, 35, mug, box), label_id=77),
        _sound(0, 90_000),
    ]
    for segment in segments:
        run(document, CreateSegment(segment))

    def quiet(segment: Segment) -> float:
        return 0.0001

    found = check_document(document, labels=LABELS, loudness=quiet)
    codes = {(f.code, f.segment_id) for f in found if f.segment_id is not None}
    assert codes == {
        ("empty-slot", segments[0].id),
        ("same-twice", segments[2].id),
        ("out-of-view", segments[3].id),
        ("unknown-label", segments[4].id),
        ("silence", segments[5].id),
    }


def test_a_sound_out_of_view_is_not_told_of_its_objects() -> None:
    gone = make_track(Keyframe(0, BOX), Keyframe(1, None))
    sound = replace(_sound(200_000, 900_000), slots=(gone.id,))
    document = make_document(gone)
    run(document, CreateSegment(sound))
    assert "out-of-view" in {f.code for f in check_document(document)}
    run(document, SetVisible(sound.id, is_visible=False))
    assert "out-of-view" not in {f.code for f in check_document(document)}


def test_segments_stay_in_order_through_every_edit() -> None:
    first, second, third = _action(10, 14), _action(20, 28), _action(30, 34)
    document = _with(first, second, third)

    def ordered() -> list[tuple[int, int, str]]:
        found = [(s.start, s.end, s.id) for s in document.segments]
        assert found == sorted(found)
        return found

    assert [start for start, *_ in ordered()] == [10, 20, 30]
    run(document, SetSegment(replace(first, start=25, end=38)))
    assert [start for start, *_ in ordered()] == [20, 25, 30]
    run(document, CreateSegment(_action(5, 8)))
    assert [start for start, *_ in ordered()] == [5, 20, 25, 30]
    run(document, SplitSegment(second.id, 24, segment_id()))
    assert [start for start, *_ in ordered()] == [5, 20, 24, 25, 30]
    run(document, DeleteSegment(third.id))
    assert [start for start, *_ in ordered()] == [5, 20, 24, 25]
