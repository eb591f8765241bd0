"""Scans of videos with real pictures and sound: boxes left behind, sounds that are not there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack
from annotator.domain.dataset.signals import Signal
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset import video_scans
from annotator.services.dataset.video_scans import ONSET, STILL, Scan, scan_videos, scans_of
from annotator.services.project.projects import OpenProject, create_project

QUIET = JobToken(lambda *_: None)
W, H, N, RATE = 160, 120, 90, 48_000
MUG, GROUND = Box(20, 20, 60, 60), Box(90, 40, 140, 90)


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mug that is taken away after one second, and a click at two seconds."""
    path = tmp_path_factory.mktemp("scan") / "clip.mp4"
    rng = np.random.default_rng(3)
    ground = np.kron(rng.integers(60, 200, (H // 4, W // 4)), np.ones((4, 4)))
    mug = np.kron(rng.integers(0, 255, (10, 10)), np.ones((4, 4)))
    sound = np.zeros(RATE * 3, np.float32)
    sound[RATE * 2 : RATE * 2 + 4000] = 0.5 * rng.standard_normal(4000)
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=30, options={"crf": "16"})
        video.width, video.height, video.pix_fmt = W, H, "yuv420p"
        audio = container.add_stream("aac", rate=RATE, layout="mono")
        for i in range(N):
            picture = ground.copy()
            if i < 30:
                picture[20:60, 20:60] = mug
            frame = av.VideoFrame.from_ndarray(
                np.repeat(picture[:, :, None], 3, axis=2).astype(np.uint8), format="rgb24"
            )
            container.mux(video.encode(frame))
        container.mux(video.encode())
        for start in range(0, len(sound), 1024):
            part = av.AudioFrame.from_ndarray(
                sound[None, start : start + 1024], format="fltp", layout="mono"
            )
            part.sample_rate, part.pts, part.time_base = RATE, start, Fraction(1, RATE)
            container.mux(audio.encode(part))
        container.mux(audio.encode())
    return path


@pytest.fixture
def project(tmp_path: Path, clip: Path) -> Iterator[OpenProject]:
    opened = create_project(tmp_path / "p", title="P")
    opened.add_videos([Path(shutil.copy(clip, tmp_path))])
    session = opened.open_task(opened.tasks()[0].id)
    session.run(CreateTrack(track_id(), "mug", 0, MUG))
    session.run(CreateTrack(track_id(), "ground", 0, GROUND))
    for label, start in (("click", 60), ("nothing", 30)):
        segment = Segment(segment_id(), Lane.SOUND, label, start, start + 15)
        session.run(CreateSegment(segment))
    yield opened
    opened.close()


def _scan(project: OpenProject) -> Scan:
    state = scan_videos(project, QUIET)
    assert (state.n_scanned, state.n_videos) == (1, 1)
    (found,) = scans_of(project).values()
    return found


def _beyond(found: Scan) -> dict[str, list[Signal]]:
    by_detector: dict[str, list[Signal]] = {}
    for sign in found.signs:
        by_detector.setdefault(sign.detector, []).append(sign)
    return by_detector


def test_pictures_and_sound_are_compared_with_the_annotations(project: OpenProject) -> None:
    found = _beyond(_scan(project))
    (still,) = found[STILL]
    assert still.text == "The box of “mug” stays from frame 0 to 89; its image changes."
    assert still.value > 0.8
    values = {sign.text.split("”")[0][1:]: sign.value for sign in found[ONSET]}
    assert values["nothing"] < 6
    assert values.get("click", 99) > 9


def test_only_what_changed_is_scanned_again(
    project: OpenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _scan(project)
    assert len(first.hashes) == 5
    calls: list[str] = []
    whole = video_scans._scan
    monkeypatch.setattr(video_scans, "_scan", lambda *a: calls.append("again") or whole(*a))
    assert _scan(project) == first
    assert calls == []
    session = project.open_task(project.tasks()[0].id)
    session.run(CreateTrack(track_id(), "spoon", 0, Box(1, 1, 9, 9)))
    _scan(project)
    assert calls == ["again"]


def test_without_the_file_only_the_document_is_looked_at(project: OpenProject) -> None:
    for path in (entry.path for entry in project.videos()):
        assert path is not None
        path.unlink()
    state = scan_videos(project, QUIET)
    assert state.n_without_media == 1
    (found,) = scans_of(project).values()
    assert (found.signs, found.hashes) == ([], [])


def test_canceling_ends_it(project: OpenProject) -> None:
    token = JobToken(lambda *_: None)
    token.cancel()
    with pytest.raises(CanceledError):
        scan_videos(project, token)
    assert scans_of(project) == {}
