"""Proposals made in advance: from the detections of a model, and from the keyframes of drafts."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.proposals.predicted import model_of
from annotator.services.assist.preparing import model_named, prepare_detections, prepare_drafts
from annotator.services.background.jobs import CancelledError, JobToken
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.transfer import import_file

TOKEN = JobToken(lambda _fraction, _text: None)


N_FRAMES = 90


def make_clip(path: Path) -> None:
    """Write a clip in which a square with a pattern goes to the right over a still pattern."""
    rng = np.random.default_rng(5)

    def pattern(height: int, width: int, cell: int) -> np.ndarray:
        cells = rng.integers(0, 256, (-(-height // cell), -(-width // cell), 3), np.uint8)
        return cells.repeat(cell, 0).repeat(cell, 1)[:height, :width]

    ground, square = pattern(180, 320, 20) // 3, pattern(60, 60, 10)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.width, stream.height, stream.pix_fmt = 320, 180, "yuv420p"
        stream.options = {"preset": "ultrafast", "g": "30"}
        for i in range(N_FRAMES):
            image = ground.copy()
            image[60:120, 20 + 2 * i : 80 + 2 * i] = square
            for packet in stream.encode(av.VideoFrame.from_ndarray(image, "rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)


def place(frame: int) -> tuple[float, float, float, float]:
    """Where the square of the clip is."""
    return (20 + 2 * frame, 60, 80 + 2 * frame, 120)


@pytest.fixture
def project(tmp_path: Path):
    make_clip(tmp_path / "clip.mp4")
    made = create_project(tmp_path / "p.annot", title="P")
    made.add_videos([tmp_path / "clip.mp4"])
    yield made
    made.close()


def detect(project: OpenProject, folder: Path, *frames: int) -> None:
    """Import detections of the square without IDs, and of something that is there once only."""
    rows = [f"{f + 1},-1,{20 + 2 * f},60,60,60,0.8,-1,-1,-1" for f in frames]
    rows.append("1,-1,250,10,40,30,0.3,-1,-1,-1")
    path = folder / "clip.txt"
    path.write_text("\n".join(rows))
    import_file(project, path, as_proposals=True, model="det", token=TOKEN)


def test_detections_become_objects_that_wait_in_the_task(
    project: OpenProject, tmp_path: Path
) -> None:
    detect(project, tmp_path, 0, 30, 60)
    model = model_named(project, "det")
    done = prepare_detections(project, model, "fused", TOKEN)
    assert done.videos == (("clip.mp4", 2),)
    (task,) = project.tasks()
    session = project.open_task(task.id)
    objects = [t for t in session.document.tracks if model_of(t.info.extra) == "det + fused"]
    square = max(objects, key=lambda t: len(session.pending(t.id)))
    found = {p.frame: p.box for p in session.pending(square.id) if p.box is not None}
    assert set(found) == set(range(N_FRAMES))
    ious = [box.iou(Box(*place(frame))) for frame, box in found.items()]
    assert np.mean(ious) > 0.9
    # A second run has nothing left to do.
    assert prepare_detections(project, model, "fused", TOKEN).videos == ()


def test_a_model_that_is_not_there_is_named(project: OpenProject, tmp_path: Path) -> None:
    detect(project, tmp_path, 0)
    with pytest.raises(UserError, match="no predictions of a model “other”") as error:
        model_named(project, "other")
    assert error.value.hint == "Use one of: det."


def test_gaps_of_drafts_are_filled_and_canceling_keeps_what_is_done(
    project: OpenProject, tmp_path: Path
) -> None:
    (task,) = project.tasks()
    session = project.open_task(task.id)
    new = track_id()
    session.run(CreateTrack(new, "square", 0, Box(*place(0))))
    session.run(SetKeyframe(new, 40, Box(*place(40))))
    # A draft that is open here is left to the window.
    assert prepare_drafts(project, "fused", TOKEN).videos == ()
    del session
    project.close()
    again = open_project(tmp_path / "p.annot")
    stopped = JobToken(lambda _fraction, _text: None)
    stopped.cancel()
    with pytest.raises(CancelledError):
        prepare_drafts(again, "fused", stopped)
    done = prepare_drafts(again, "fused", TOKEN)
    assert done.videos == (("clip.mp4", 1),)
    assert prepare_drafts(again, "fused", TOKEN).videos == ()
    session = again.open_task(task.id)
    found = {p.frame: p.box for p in session.pending(new) if p.box is not None}
    assert set(range(1, 40)) <= set(found)
    assert np.mean([box.iou(Box(*place(frame))) for frame, box in found.items()]) > 0.9
    again.close()


def test_a_missing_video_is_reported(project: OpenProject, tmp_path: Path) -> None:
    detect(project, tmp_path, 0)
    project.close()
    (tmp_path / "clip.mp4").unlink()
    again = open_project(tmp_path / "p.annot")
    done = prepare_detections(again, ("det", ""), "fused", TOKEN)
    assert done.videos == ()
    assert [f.code for f in done.findings] == ["missing-media"]
    again.close()
