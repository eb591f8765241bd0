"""An adjudicator's share: versions of the disputed places, what may be changed, and sources."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.domain.annotation.changes import Change, ChangeSet
from annotator.domain.annotation.document import Document
from annotator.domain.commands import (
    CreateTrack,
    DeleteTracks,
    SetKeyframe,
    SetSegment,
    SetTrack,
)
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.review import diff
from annotator.domain.review.adjudication import Disputed, as_drawn_by, sources
from tests.domain.review.test_consensus import _box, _document, _merged, _point, _segment, _track


def _two() -> tuple[Document, Document]:
    """Two raters: boxes differ on frames 50 to 79, a spoon is drawn by one, an edge differs."""
    mug = _track("mug", {0: _box(10), 49: _box(10), 50: _box(10), 99: _box(10)})
    other = _track(
        "mug", {0: _box(12), 49: _box(12), 50: _box(150), 79: _box(150), 80: _box(12), 99: _box(12)}
    )
    spoon = _track("spoon", {20: _box(90, 150)}, 2)
    first = _document([mug, spoon], [_segment("pour", 10, 20), _segment("stir", 60, 80)])
    second = _document([other], [_segment("pour", 11, 21), _segment("stir", 70, 98)])
    return first, second


def test_versions_differ_from_the_merged_work_at_the_disputed_places_alone() -> None:
    found = _merged(*_two())
    merged = found.document
    versions = [as_drawn_by(found, rater) for rater in (0, 1)]
    for version in versions:
        for item in diff(version, merged).items:
            assert item.start >= 50 or item.id != merged.tracks[0].id
            assert item.end <= 80 or item.id != merged.tracks[0].id
    first, second = versions
    assert first.tracks[0].state_at(60).box == _box(10)
    assert second.tracks[0].state_at(60).box == _box(150)
    for version in versions:  # the mean where they agree
        assert version.tracks[0].state_at(20).box == _box(11)
        assert version.tracks[0].state_at(90).box == _box(11)
    assert [t.label for t in first.tracks] == ["mug", "spoon"]
    assert [t.label for t in second.tracks] == ["mug"]
    assert [(s.start, s.end) for s in first.segments] == [(10, 20), (60, 80)]
    assert [(s.start, s.end) for s in second.segments] == [(10, 20), (70, 98)]


def test_points_are_taken_on_the_disputed_frames() -> None:
    one, other = _track("mug", {0: _box(0)}), _track("mug", {0: _box(0)})
    first = _document([one], [], [_point(one.id, 10, range(60))])
    far = _point(other.id, 10, range(60))
    moved = _point(other.id, 90, range(20, 40))
    second = _document([other], [], [far.with_run(moved.path.run(20, 40))])
    found = _merged(first, second)
    version = as_drawn_by(found, 1)
    (point,) = version.points
    mark, before = point.mark(30), point.mark(10)
    assert mark is not None
    assert mark.xy is not None
    assert mark.xy.x == 120
    assert before is not None
    assert before.xy is not None
    assert before.xy.x == 20


def _planned(document: Document, command: object) -> ChangeSet:
    return ChangeSet("test", tuple(command.plan(document)))  # type: ignore[attr-defined]


def test_only_disputed_places_may_be_changed() -> None:
    found = _merged(*_two())
    document = found.document
    disputed = Disputed.of(found.disputes)
    mug, spoon = document.tracks
    pour, stir = document.segments
    for allowed in (
        SetKeyframe(mug.id, 60, Box(5, 5, 9, 9)),
        SetKeyframe(spoon.id, 3, Box(5, 5, 9, 9)),
        SetTrack(spoon.id, label="fork"),
        DeleteTracks((spoon.id,)),
        SetSegment(replace(stir, start=68)),
    ):
        disputed.check(_planned(document, allowed))
    for refused in (
        SetKeyframe(mug.id, 20, Box(5, 5, 9, 9)),
        SetKeyframe(mug.id, 80, Box(5, 5, 9, 9)),
        SetTrack(mug.id, label="cup"),
        DeleteTracks((mug.id,)),
        SetSegment(replace(pour, start=12)),
        CreateTrack(track_id(), "knife", 0, Box(1, 1, 9, 9)),
    ):
        with pytest.raises(EditError, match="the raters agree"):
            disputed.check(_planned(document, refused))


def test_an_object_that_goes_takes_its_points_and_roles_along() -> None:
    mug, spoon = _track("mug", {0: _box(10)}), _track("spoon", {0: _box(90, 150)}, 2)
    other = _track("mug", {0: _box(10)})
    point = _point(spoon.id, 95, range(10))
    first = _document([mug, spoon], [_segment("stir", 0, 50, (spoon.id, mug.id))], [point])
    second = _document([other], [_segment("stir", 0, 50, (other.id, other.id))])
    found = _merged(first, second)
    disputed = Disputed.of(found.disputes)
    disputed.check(_planned(found.document, DeleteTracks((spoon.id,))))


def test_children_lose_a_disputed_parent() -> None:
    mug, spoon = _track("mug", {0: _box(10)}), _track("spoon", {0: _box(90, 150)}, 2)
    child = replace(mug, info=replace(mug.info, parent_id=spoon.id))
    found = _merged(_document([spoon, child]), _document([_track("mug", {0: _box(10)})]))
    disputed = Disputed.of(found.disputes)
    disputed.check(_planned(found.document, DeleteTracks((spoon.id,))))


def test_sources_name_the_raters_of_each_keyframe_and_edge_and_what_the_adjudicator_set() -> None:
    found = _merged(*_two())
    merged = found.document
    mug, spoon = merged.tracks
    told = sources(found, merged)
    tracks = told["tracks"]
    assert isinstance(tracks, dict)
    assert tracks[mug.id] == {
        "raters": [0, 1],
        "keyframes": [[frame, [0, 1]] for frame in (0, 49, 50, 79, 80, 99)],
    }
    assert tracks[spoon.id] == {"raters": [0], "keyframes": [[20, [0]]]}
    segments = told["segments"]
    assert isinstance(segments, dict)
    assert segments[merged.segments[0].id] == {
        "raters": [0, 1],
        "start": {"by": "median", "frames": {"0": 10, "1": 11}},
        "end": {"by": "median", "frames": {"0": 20, "1": 21}},
    }
    final = merged.copy()
    for command in (
        SetKeyframe(mug.id, 60, Box(5, 5, 9, 9)),
        DeleteTracks((spoon.id,)),
        SetSegment(replace(merged.segments[1], start=66)),
    ):
        final.apply(_planned(final, command).changes)
    told = sources(found, final)
    tracks, segments = told["tracks"], told["segments"]
    assert isinstance(tracks, dict)
    assert isinstance(segments, dict)
    assert tracks[mug.id]["keyframes"][3] == [60, []]  # type: ignore[call-overload,index]
    assert told["removed"] == [spoon.id]
    stir = segments[merged.segments[1].id]
    assert stir["start"] == {"by": "adjudicator", "frames": {"0": 60, "1": 70}}  # type: ignore[call-overload,index]
    assert stir["end"]["by"] == "median"  # type: ignore[call-overload,index]


def test_marks_of_points_have_sources_by_runs_of_frames() -> None:
    one, other = _track("mug", {0: _box(0)}), _track("mug", {0: _box(0)})
    first = _document([one], [], [_point(one.id, 10, range(30))])
    second = _document([other], [], [_point(other.id, 10, range(30), hidden=range(10, 13))])
    found = _merged(first, second)
    told = sources(found, found.document)["points"]
    assert isinstance(told, dict)
    (point,) = told.values()
    assert point == {"raters": [0, 1], "marks": [[0, 10, [0, 1]], [10, 13, [0]], [13, 30, [0, 1]]]}


def test_a_change_of_comments_is_free() -> None:
    disputed = Disputed(frozenset(), frozenset(), {})
    disputed.check(ChangeSet("x", (Change("comment", "c", None, None),)))  # type: ignore[arg-type]
