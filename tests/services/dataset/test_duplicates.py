"""Videos in different splits that show the same are found, others are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.commands import CreateTrack
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset.duplicates import DuplicateReason, glimpses, near_duplicates
from annotator.services.dataset.video_scans import scan_videos
from annotator.services.project.metadata import import_metadata
from annotator.services.project.projects import OpenProject, create_project
from tests.media.encoding import write_video

QUIET = JobToken(lambda *_: None)
W, H, N = 160, 120, 40


def _clip(path: Path, seed: int, crf: int) -> Path:
    """Blobs that move; the same seed with another crf is the same scene in another file."""
    rng = np.random.default_rng(seed)
    base = np.kron(rng.integers(30, 220, (6, 8)), np.ones((20, 20)))
    speed = rng.integers(1, 4)

    def image(i: int) -> np.ndarray:
        gray = np.roll(base, int(speed) * i, axis=1).astype(np.uint8)
        return np.repeat(gray[:, :, None], 3, 2)

    return write_video(path, map(image, range(N)), crf=str(crf))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    clips = [
        _clip(tmp_path / "one.mp4", 1, 18),
        _clip(tmp_path / "again.mp4", 1, 30),
        _clip(tmp_path / "other.mp4", 2, 18),
        _clip(tmp_path / "third.mp4", 3, 18),
    ]
    opened = create_project(tmp_path / "p", title="P")
    opened.add_videos(clips)
    for task in opened.tasks():
        opened.open_task(task.id).run(CreateTrack(track_id(), "blob", 0, Box(1, 1, 9, 9)))
    table = tmp_path / "videos.csv"
    table.write_text(
        "video,split,participant,script\n"
        "one,train,p1,a\nagain,test,p9,b\nother,test,p1,a\nthird,train,,a\n"
    )
    import_metadata(opened, table)
    yield opened
    opened.close()


def test_pictures_and_columns_are_compared_across_splits(project: OpenProject) -> None:
    before = near_duplicates(project, QUIET)
    assert before.n_unscanned == 4
    assert [p.reasons for p in before.found] == [(DuplicateReason.COLUMNS,)]
    scan_videos(project, QUIET)
    found = near_duplicates(project, QUIET)
    told = [
        ({p.first.name, p.second.name}, {p.first.split, p.second.split}, p.reasons)
        for p in found.found
    ]
    assert told == [
        ({"one.mp4", "again.mp4"}, {"train", "test"}, (DuplicateReason.PICTURES,)),
        ({"one.mp4", "other.mp4"}, {"train", "test"}, (DuplicateReason.COLUMNS,)),
    ]
    assert found.found[0].bits is not None
    assert found.found[0].bits <= 4
    assert found.n_unscanned == 0


def test_pairs_within_a_split_are_listed_on_request(project: OpenProject, tmp_path: Path) -> None:
    table = tmp_path / "videos.csv"
    table.write_text("video,split\none,train\nagain,train\nother,train\nthird,train\n")
    import_metadata(project, table)
    scan_videos(project, QUIET)
    assert near_duplicates(project, QUIET).found == ()
    assert len(near_duplicates(project, QUIET, everywhere=True).found) == 2
    # Columns that are asked for and that no video has may be misspelled.
    with pytest.raises(UserError, match="the metadata column “nothing”"):
        near_duplicates(project, QUIET, columns=["nothing"], everywhere=True)


def test_glimpses_have_the_asked_height(project: OpenProject) -> None:
    path = project.videos()[0].path
    assert path is not None
    assert [picture.shape for picture in glimpses(path, 60)] == [(60, 80, 3)] * 5


def test_canceling_ends_it(project: OpenProject) -> None:
    scan_videos(project, QUIET)
    token = JobToken(lambda *_: None)
    token.cancel()
    with pytest.raises(CanceledError):
        near_duplicates(project, token)
