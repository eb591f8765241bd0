"""Commands of the gallery of proposals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.annotation.keyframe_reduction import TOLERANCE
from annotator.domain.annotation.point_track import PointMark, run_of
from annotator.domain.annotation.track import Source
from annotator.domain.commands import AcceptPoints, AcceptProposals
from annotator.domain.geometry import Box, Point
from annotator.domain.proposals.box_proposals import ProposalRun, Proposed
from annotator.domain.proposals.runs import Origin
from annotator.ui.dialogs.gallery_content import ObjectGallery, PointGallery
from tests.ui.drafts import Draft

BOX = Box(10, 10, 60, 60)


@pytest.fixture
def draft(tmp_path: Path) -> Iterator[Draft]:
    made = Draft(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("is_tracked", [True, False])
def test_corrections_of_accepted_frames_open_those_around_them_while_trackers_work(
    draft: Draft, is_tracked: bool
) -> None:
    session, cup = draft.session, draft.add("cup", (0, BOX))
    session.is_tracked = is_tracked
    boxes = tuple(Proposed(frame, BOX.moved(frame**2 / 9, 0), 0.9) for frame in range(1, 30))
    session.run(AcceptProposals(cup, boxes))
    n_keyframes = len(session.document.track(cup).frames)
    session.run(ObjectGallery(session, cup, TOLERANCE).draw(15, BOX.moved(0, 100)))
    assert (len(session.document.track(cup).frames) < n_keyframes) is is_tracked

    rim = draft.add_point(cup, "rim", (0, Point(20, 20)), (30, Point(20, 20)))
    session.run(
        AcceptPoints(rim, run_of(1, [PointMark(Point(20, 20), source=Source.ACCEPTED)] * 29))
    )
    session.run(PointGallery(session, rim).draw(15, Point(90, 90)))
    assert (session.document.point(rim).mark(14) is None) is is_tracked


def test_a_mark_shows_the_tiles_after_it_occluded_until_it_is_taken_back(draft: Draft) -> None:
    session, cup = draft.session, draft.add("cup", (0, BOX), (60, BOX))
    draft.propose(cup, 1, [BOX] * 59)
    gallery = ObjectGallery(session, cup, TOLERANCE)

    def occluded() -> list[int]:
        return [frame for frame in range(61) if gallery.tile(frame).is_occluded]

    session.run(gallery.toggle_occluded(20))
    assert occluded() == list(range(20, 60))
    session.run(gallery.toggle_occluded(40))
    assert occluded() == list(range(20, 40))
    for command in gallery.accept(range(1, 60)):
        session.run(command)
    track = session.document.track(cup)
    assert [f for f in range(61) if track.state_at(f).occluded] == list(range(20, 40))


def test_a_frame_that_is_proposed_as_occluded_is_marked_visible(draft: Draft) -> None:
    session, cup = draft.session, draft.add("cup", (0, BOX), (9, BOX))
    run = ProposalRun.empty(cup, 1, 9, Origin("test", "1"))
    for frame in range(1, 9):
        run.put(Proposed(frame, BOX, 0.9, occluded=True))
    session.box_runs.replace(cup, (1, 9), [run])
    gallery = ObjectGallery(session, cup, TOLERANCE)
    assert gallery.tile(5).is_occluded
    session.run(gallery.toggle_occluded(5))
    key = session.document.track(cup).keyframe_at(5)
    assert key is not None
    assert not key.occluded
