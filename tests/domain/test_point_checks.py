"""What a check says of points: not done yet, too few, nowhere."""

from __future__ import annotations

from annotator.domain.annotation.point_track import PointInfo, PointMark, PointTrack, run_of
from annotator.domain.checks import check_document
from annotator.domain.commands import AddImported, CreateTrack
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, track_id
from tests.domain import edits


def make_point(number, marks, *, start=0, label="rim", track=None):
    info = PointInfo(point_id(), track, label, number, 0)
    point = PointTrack(info)
    return point.with_run(run_of(start, marks)) if marks else point


def found(document, *points, **pending):
    document.apply(AddImported((), points=points).plan(document))
    codes = {"unfinished-point", "empty-name", "pending-proposals", "beyond-video", "few-points"}
    codes |= {"never-present", "no-object"}
    return [f for f in check_document(document, **pending) if f.code in codes]


HERE = PointMark(Point(3, 4))


def test_frames_without_a_mark_inside_its_life_are_not_done():
    document = edits.make_document()
    marks = [HERE, None, PointMark(None), None, HERE]
    (finding,) = found(document, make_point(1, marks, start=5))
    assert (finding.code, finding.frame) == ("unfinished-point", 6)
    assert finding.text == "2 frames are not annotated yet, the first is 6."
    assert finding.where.endswith("point 1 “rim”")


def test_a_point_on_a_single_frame_is_not_done():
    document = edits.make_document()
    (finding,) = found(document, make_point(1, [HERE], start=5))
    assert (finding.code, finding.frame) == ("unfinished-point", 5)
    assert finding.text == "Only frame 5 is annotated. Place the point where it is last visible."


def test_waiting_proposals_names_and_places_are_looked_at():
    document = edits.make_document()
    done = make_point(1, [HERE, HERE])
    nameless = make_point(2, [HERE, HERE], label=" ")
    nowhere = make_point(3, [])
    beyond = make_point(4, [HERE, HERE], start=document.video.n_frames - 1)
    findings = found(document, done, nameless, nowhere, beyond, pending_points={done.id: 1})
    assert [(f.code, f.severity) for f in findings] == [
        ("pending-proposals", "warning"),
        ("empty-name", "error"),
        ("never-present", "error"),
        ("beyond-video", "error"),
    ]


def test_a_point_should_have_an_object_where_there_are_objects():
    document = edits.make_document()
    point = make_point(1, [HERE, HERE])
    assert found(document, point) == []
    document.apply(CreateTrack(track_id(), "cup", 0, Box(1, 1, 30, 30)).plan(document))
    (finding,) = [f for f in check_document(document) if f.point_id is not None]
    assert (finding.code, finding.point_id, finding.track_id) == ("no-object", point.id, None)
    assert finding.text == "The point belongs to no object. Choose one in the inspector."


def test_an_object_with_points_should_have_three():
    document = edits.make_document()
    owner = track_id()
    document.apply(CreateTrack(owner, "cup", 0, Box(1, 1, 30, 30)).plan(document))
    points = [make_point(i, [HERE, HERE], track=owner) for i in (1, 2)]
    (finding,) = found(document, *points)
    assert (finding.code, finding.track_id) == ("few-points", owner)
    assert found(document, make_point(3, [HERE, HERE], track=owner)) == []
