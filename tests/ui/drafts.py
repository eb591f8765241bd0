"""Drafts of real project files for tests of views: no video file is needed for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.commands import CreatePoint, CreateTrack, SetKeyframe, SetPoint
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import PointId, TrackId, VideoId, new_id, point_id, track_id
from annotator.domain.json_type import Json
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.point_proposals import PointProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.media.values import Picture
from annotator.services.session import Session
from annotator.store.annotation.drafts import DraftStore
from annotator.store.catalog import videos
from annotator.store.file.file_opening import create_file
from annotator.store.file.project import ProjectFile
from annotator.store.workflow import tasks
from tests.store.samples import begun_draft

WIDTH, HEIGHT, N_FRAMES, RATE = 640, 360, 300, 30.0


class Draft:
    """A session on a project file of its own; close it after use."""

    def __init__(
        self,
        folder: Path,
        *,
        size: tuple[int, int] = (WIDTH, HEIGHT),
        n_frames: int = N_FRAMES,
    ) -> None:
        self._file: ProjectFile = create_file(folder / "views.annot", title="Views")
        info = VideoInfo(
            VideoId(new_id()), "clip.mp4", *size, n_frames, RATE, duration_s=n_frames / RATE
        )
        videos.add_video(self._file, info, None)
        draft_id = begun_draft(self._file, info.id)
        task_id = tasks.list_tasks(self._file)[0].id
        self.session = Session(DraftStore(self._file, draft_id), info, task_id=task_id)

    def close(self) -> None:
        self._file.close()

    def add(self, label: str, *keys: tuple[int, Box]) -> TrackId:
        """Create a track with a box on each of the frames given."""
        new = track_id()
        self.session.run(CreateTrack(new, label, *keys[0]))
        for frame, box in keys[1:]:
            self.session.run(SetKeyframe(new, frame, box))
        return new

    def propose(
        self, track: TrackId, start: int, boxes: list[Box | None], confidence: float = 0.8
    ) -> None:
        """Put proposals for consecutive frames beside a track."""
        rows = [[np.nan] * 4 if b is None else list(b.as_tuple()) for b in boxes]
        run = ProposalRun(
            track,
            start,
            np.array(rows, dtype=np.float32),
            np.full(len(boxes), confidence, dtype=np.float32),
            Origin("test", "1"),
        )
        self.session.box_runs.replace(track, (start, start + len(boxes)), [run])

    def add_point(self, track: TrackId, label: str, *marks: tuple[int, Point]) -> PointId:
        """Create a point of an object with a place on each of the frames given."""
        new = point_id()
        self.session.run(CreatePoint(new, track, label, *marks[0]))
        for frame, xy in marks[1:]:
            self.session.run(SetPoint(new, frame, xy))
        return new

    def propose_point(
        self,
        point: PointId,
        start: int,
        places: list[Point | None],
        confidence: float = 0.8,
        anchors: list[Json] | None = None,
    ) -> None:
        """Put proposals for consecutive frames beside a point; None is occluded."""
        n = len(places)
        run = PointProposalRun(
            point,
            start,
            np.array([(np.nan, np.nan) if p is None else (p.x, p.y) for p in places], np.float32),
            np.full(n, confidence, np.float32),
            Origin("test", "1", {} if anchors is None else {"anchors": anchors}),
            np.array([p is None for p in places], np.uint8),
        )
        self.session.point_runs.replace(point, (start, start + n), [run])


def picture(
    index: int,
    size: tuple[int, int] = (WIDTH, HEIGHT),
    *,
    shown: tuple[int, int] | None = None,
    is_exact: bool = True,
) -> Picture:
    """Return a picture whose gray value tells its frame number; ``shown`` is its scaled size."""
    width, height = shown or size
    bgra = np.full((height, width, 4), 255, dtype=np.uint8)
    bgra[:, :, :3] = index % 200 + 20
    return Picture(index, index * 512, bgra, size, is_exact, index)
