"""Points lie in blocks of 256 frames; a placed point rewrites one of them."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.changes import Change
from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import (
    ACCEPTED_CODE,
    PointInfo,
    PointMark,
    PointRun,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.track import Source
from annotator.domain.commands import (
    AcceptPoints,
    ClearPoints,
    CreatePoint,
    DeletePoints,
    DeleteTracks,
    SetPoint,
)
from annotator.domain.commands.points import points_change
from annotator.domain.geometry import Point
from annotator.domain.ids import PointId, point_id
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.store.annotation.drafts import DraftStore
from annotator.store.annotation.proposals import POINTS
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import tasks
from tests.store.samples import add_draft, commit, created, empty_file, state, video_info

N_FRAMES = 900
_QUICK = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Draft:
    """A draft with one object, and the document that its file should hold."""

    def __init__(self, folder: Path) -> None:
        self.file: ProjectFile = empty_file(folder)
        self.store, self.info = add_draft(self.file, video_info(n_frames=N_FRAMES))
        self.document: Document = self.store.load(self.info)
        self.track, changes = created(self.document)
        self.do(changes)

    def do(self, changes: list[Change]) -> None:
        commit(self.store, changes)
        self.document.apply(changes)

    def add_point(self) -> PointId:
        point = point_id()
        self.do(CreatePoint(point, self.track, "rim", 5, Point(1, 2)).plan(self.document))
        return point

    def check(self) -> None:
        assert state(self.store.load(self.info)) == state(self.document)

    def blocks(self) -> list[tuple[object, ...]]:
        return self.file.rows("SELECT block, start_frame, length(flags) FROM point_block")


@pytest.fixture
def draft(tmp_path: Path):
    draft = Draft(tmp_path)
    yield draft
    draft.file.close()


def _accepted(start: int, n: int) -> PointRun:
    xy = np.stack([np.arange(n) / 7, np.arange(n) / 3], axis=1)
    return PointRun(start, xy, np.full(n, ACCEPTED_CODE, dtype=np.uint8))


def test_every_field_comes_back(draft: Draft) -> None:
    extra = {"note": ["é", 1.5, None]}
    infos = (
        PointInfo(point_id(), draft.track, "Henkel 水", 7, 3, True, True, extra),
        PointInfo(point_id(), None, "rim", 8, 4),
    )
    marks = [
        PointMark(Point(0.1, 1 / 3), True, Source.IMPORTED),
        None,
        PointMark(None, True),
        PointMark(None, source=Source.ACCEPTED),
    ]
    changes = [Change("point", i.id, None, i) for i in infos]
    changes.append(points_change(PointTrack(infos[0]), run_of(254, marks)))
    draft.do(changes)
    draft.check()
    loaded = draft.store.load(draft.info)
    assert [p.info for p in loaded.points] == list(infos)
    assert [loaded.point(infos[0].id).mark(f) for f in range(254, 258)] == marks


def test_marks_lie_in_blocks_without_the_empty_frames_at_their_ends(draft: Draft) -> None:
    point = draft.add_point()
    assert draft.blocks() == [(0, 5, 1)]
    draft.do(AcceptPoints(point, _accepted(250, 400)).plan(draft.document))
    assert draft.blocks() == [(0, 5, 251), (1, 256, 256), (2, 512, 138)]
    draft.check()
    before = draft.file.rows("SELECT block, xy FROM point_block WHERE block != 1")
    draft.do(SetPoint(point, 300, Point(9, 9)).plan(draft.document))
    assert draft.file.rows("SELECT block, xy FROM point_block WHERE block != 1") == before
    draft.check()
    draft.do(ClearPoints(point, 256, 600).plan(draft.document))
    assert draft.blocks() == [(0, 5, 251), (2, 600, 50)]
    draft.check()
    gone = DeletePoints((point,)).plan(draft.document)
    draft.do(gone)
    assert (draft.blocks(), draft.file.rows("SELECT * FROM point")) == ([], [])
    draft.do([c.inverse() for c in reversed(gone)])
    assert draft.blocks() == [(0, 5, 251), (2, 600, 50)]
    draft.check()


def test_points_go_and_come_with_their_object(draft: Draft) -> None:
    draft.add_point()
    gone = DeleteTracks((draft.track,)).plan(draft.document)
    draft.do(gone)
    assert draft.store.load(draft.info).points == ()
    draft.do([c.inverse() for c in reversed(gone)])
    draft.check()
    with pytest.raises(sqlite3.IntegrityError), draft.file.transaction() as connection:
        connection.execute("UPDATE point SET track_id = zeroblob(16)")


_marks = st.none() | st.builds(
    PointMark,
    st.none() | st.builds(Point, st.floats(0, 640), st.floats(0, 480)),
    st.booleans(),
    st.sampled_from(Source),
)
_writes = st.lists(
    st.tuples(st.integers(0, 600), st.integers(1, 300), _marks, _marks), min_size=1, max_size=5
)


@settings(max_examples=25, phases=[Phase.explicit, Phase.generate])
@given(_writes)
def test_whatever_is_written_over_block_borders_goes_there_and_back(writes) -> None:
    with tempfile.TemporaryDirectory(dir=_QUICK) as folder:
        draft = Draft(Path(folder))
        point = draft.add_point()
        steps = []
        for start, length, one, other in writes:
            run = run_of(start, [one, other][: length % 2 + 1] * (length // 2 + 1))
            steps.append([points_change(draft.document.point(point), run)])
            draft.do(steps[-1])
            draft.check()
        for step in reversed(steps):
            draft.do([c.inverse() for c in reversed(step)])
        draft.check()
        assert list(draft.document.point(point).path.frames()) == [5]
        draft.file.close()


def test_proposals_come_back_bit_by_bit_and_leave_with_a_deleted_point(draft: Draft) -> None:
    point, gone = draft.add_point(), point_id()
    xy = np.array([[0.1, 1], [np.nan, np.nan]], dtype=np.float32)
    occluded, confidence = np.array([0, 1], np.uint8), np.array([0.3, np.nan], dtype=np.float32)
    run = PointProposalRun(point, 4, xy, confidence, Origin("flow", "1", {"a": [1]}), occluded)
    stray = PointProposalRun(gone, 40, xy, confidence, Origin("flow", "1"), occluded)
    draft.store.replace_runs(POINTS, point, [], [run])
    draft.store.replace_runs(POINTS, gone, [], [stray])
    found = DraftStore(draft.file, draft.store.draft_id).runs(POINTS)
    assert [(r.point_id, r.start, r.origin) for r in found] == [
        (point, 4, run.origin),
        (gone, 40, stray.origin),
    ]
    np.testing.assert_array_equal(found[0].xy, xy)
    np.testing.assert_array_equal(found[0].occluded, occluded)
    np.testing.assert_array_equal(found[0].confidence, confidence)
    with draft.file.transaction() as connection:
        tasks.close_draft(connection, draft.file.author(), draft.store.draft_id, "submit")
    assert [r.point_id for r in draft.store.runs(POINTS)] == [point]
