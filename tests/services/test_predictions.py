"""Predictions of models: imported as proposals, offered where a task begins, accepted or not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.labels import Label
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Source
from annotator.domain.commands import (
    AcceptPoints,
    AcceptProposals,
    AcceptSegments,
    DeleteTracks,
    SetKeyframe,
)
from annotator.domain.errors import ProjectError
from annotator.domain.people import Role
from annotator.domain.proposals.model_predictions import model_of, score_of
from annotator.domain.proposals.point_proposals import accepted_run
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.transfer import (
    ExportRequest,
    ImportRefusedError,
    export_project,
    import_file,
)
from tests.media.encoding import encode

TOKEN = JobToken(lambda _fraction, _text: None)


def mot(*rows: tuple[int, int, float, float, float]) -> str:
    """Return a MOT file of boxes 20 x 10, given by track, frame from 0, left, top and score."""
    return "".join(f"{f + 1},{t},{x},{y},20,10,{s},-1,-1,-1\n" for t, f, x, y, s in rows)


# Track 1 goes right from frame 10 to 39, least certain on frame 20; track 2 stands on 0 to 4.
MOVING = [(1, f, 10 + f, 20.0, 0.3 if f == 20 else 0.9) for f in range(10, 40)]
ROWS = mot(*MOVING, *((2, f, 60.0, 40.0, 0.5) for f in range(5)))
ACTIONS = {
    "results": {
        "clip": [
            {"label": "pour", "segment": [0.4, 1.2], "score": 0.8},
            {"label": "stir", "segment": [1.0, 1.6], "score": 0.4},
        ]
    }
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    encode(tmp_path / "clip.mp4", numbers=range(60))
    made = create_project(tmp_path / "p.annot", title="P")
    made.add_videos([tmp_path / "clip.mp4"])
    yield made
    made.close()


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_objects_of_a_model_wait_as_proposals_and_are_no_annotation(
    project: OpenProject, tmp_path: Path
) -> None:
    path = written(tmp_path, "clip.txt", ROWS)
    report = import_file(
        project, path, as_proposals=None, model="yolo", model_version="11", token=TOKEN
    )
    assert report.model is not None
    assert (report.model.name, report.model.version) == ("yolo", "11")
    (task,) = project.tasks()
    session = project.open_task(task.id)
    moving, _ = session.document.tracks
    assert moving.is_proposed
    assert not moving.keyframes
    assert model_of(moving.info.extra) == "yolo 11"
    assert score_of(moving.info.extra) == pytest.approx(np.mean([0.3] + [0.9] * 29))
    # Every frame of the model is there, and the least certain one is the one it doubted.
    pending = session.pending(moving.id)
    assert [p.frame for p in pending] == list(range(10, 60))
    assert min(pending, key=lambda p: p.confidence).frame == 20
    boxes = {p.frame: p.box.as_tuple() for p in pending if p.box is not None}
    assert boxes == {f: pytest.approx((10 + f, 20, 30 + f, 30)) for f in range(10, 40)}
    # Nothing of it is exported or handed in.
    out = tmp_path / "out.json"
    done = export_project(project, ExportRequest(out), TOKEN)
    assert [v.n_tracks for v in done.videos] == [0]
    (said,) = [f for f in done.findings if f.code == "pending-proposals"]
    assert said.text.endswith("2 objects, 0 points, 0 segments.")
    handed = project.work.submit(session)
    assert b"yolo" not in handed.body


def test_accepted_frames_become_few_keyframes_and_the_rest_stays_proposed(
    project: OpenProject, tmp_path: Path
) -> None:
    import_file(project, written(tmp_path, "clip.txt", ROWS), as_proposals=True, token=TOKEN)
    (task,) = project.tasks()
    session = project.open_task(task.id)
    moving, still = session.document.tracks
    # A box drawn by hand on one frame: the model's other frames still wait.
    box = session.pending(moving.id)[5].box
    assert box is not None
    session.run(SetKeyframe(moving.id, 15, box, source=Source.ACCEPTED))
    assert [p.frame for p in session.pending(moving.id)] == [*range(10, 15), *range(16, 60)]
    session.run(AcceptProposals(moving.id, tuple(session.pending(moving.id))))
    track = session.document.track(moving.id)
    assert not session.pending(moving.id)
    assert len(track.keyframes) <= 4
    assert track.keyframes[-1].frame == 40
    assert track.keyframes[-1].box is None
    for frame in range(10, 40):
        found = track.state_at(frame).box
        assert found is not None
        assert found.as_tuple() == pytest.approx((10 + frame, 20, 30 + frame, 30), abs=2)
    assert track.state_at(50).box is None
    # Dismissing an object removes it; both can be undone, down to the import.
    session.run(DeleteTracks((still.id,)))
    assert len(session.document.tracks) == 1
    for _ in range(4):
        session.undo()
    assert not session.document.tracks
    session.redo()
    assert [t.is_proposed for t in session.document.tracks] == [True, True]
    assert len(session.pending(moving.id)) == 50


def test_segments_of_a_model_are_accepted_with_their_origin(
    project: OpenProject, tmp_path: Path
) -> None:
    path = written(tmp_path, "found.json", json.dumps(ACTIONS))
    report = import_file(project, path, as_proposals=None, token=TOKEN)
    assert report.model is not None
    assert report.model.name == "found"
    (task,) = project.tasks()
    session = project.open_task(task.id)
    pour, _ = session.document.segments
    assert pour.is_proposed
    assert score_of(pour.extra) == 0.8
    session.run(AcceptSegments((pour.id,)))
    pour = session.document.segment(pour.id)
    assert not pour.is_proposed
    out = tmp_path / "out.json"
    export_project(project, ExportRequest(out), TOKEN)
    (entry,) = json.loads(out.read_bytes()).values()
    assert [s["label"] for s in entry["action_localisation"]] == ["pour"]
    assert "proposed" not in out.read_text()
    session.undo()
    assert session.document.segment(pour.id).is_proposed


def test_the_same_file_twice_brings_nothing_and_two_models_stand_side_by_side(
    project: OpenProject, tmp_path: Path
) -> None:
    path = written(tmp_path, "clip.txt", ROWS)
    (task,) = project.tasks()
    for _ in range(2):
        report = import_file(project, path, as_proposals=True, model="a", token=TOKEN)
        assert len(project.open_task(task.id).document.tracks) == 2
    assert (report.videos[0].n_tracks, report.videos[0].n_known) == (0, 2)
    session = project.open_task(task.id)
    import_file(project, path, as_proposals=True, model="b", token=TOKEN)
    # The session that is open gets them, too.
    assert project.offer_predictions(session) == 1
    models = [model_of(t.info.extra) for t in session.document.tracks]
    assert models == ["a", "a", "b", "b"]
    assert [t.info.number for t in session.document.tracks] == [1, 2, 3, 4]


def test_every_rater_gets_them_and_who_checks_does_not(tmp_path: Path) -> None:
    encode(tmp_path / "clip.mp4", numbers=range(60))
    project = create_project(tmp_path / "p.annot", title="P", recipe="perception-test")
    project.add_videos([tmp_path / "clip.mp4"])
    ann = project.work.people.add("Ann", [Role.RATER])
    bea = project.work.people.add("Bea", [Role.RATER, Role.REVIEWER])
    import_file(
        project, written(tmp_path, "clip.txt", ROWS), as_proposals=True, model="m", token=TOKEN
    )
    assert not project.work.in_hand()
    project.work.people.sign_in(ann.id)
    record = project.work.claim_next("object-tracks")
    assert record is not None
    session = project.open_task(record.id)
    assert len(session.document.tracks) == 2
    first = session.document.tracks[0].id
    session.run(AcceptProposals(first, tuple(session.pending(first))))
    project.work.submit(session)
    project.work.people.sign_in(bea.id)
    record = project.work.claim_next("object-tracks")
    assert record is not None
    checked = project.open_task(record.id).document
    assert [t.id for t in checked.tracks] == [first]
    project.close()


def test_they_outlive_a_restart_and_damaged_ones_are_named(
    project: OpenProject, tmp_path: Path
) -> None:
    import_file(project, written(tmp_path, "clip.txt", ROWS), as_proposals=True, token=TOKEN)
    (task,) = project.tasks()
    session = project.open_task(task.id)
    moving = session.document.tracks[0].id
    project.close()
    again = open_project(tmp_path / "p.annot")
    assert len(again.open_task(task.id).pending(moving)) == 50
    with again.file.transaction() as connection:
        connection.execute("DELETE FROM prediction_offered")
        connection.execute("UPDATE prediction SET body = ?", (b'{"video": 1}',))
    again.close()
    again = open_project(tmp_path / "p.annot")
    with pytest.raises(ProjectError, match="damaged"):
        again.open_task(task.id)
    again.close()


def test_a_video_that_is_not_there_and_boxes_beyond_the_end_are_refused(
    project: OpenProject, tmp_path: Path
) -> None:
    absent = {
        "results": {"elsewhere": ACTIONS["results"]["clip"]},
    }
    encode(tmp_path / "other.mp4", numbers=range(30))
    project.add_videos([tmp_path / "other.mp4"])
    path = written(tmp_path, "found.json", json.dumps(absent))
    with pytest.raises(ImportRefusedError, match="no video “elsewhere”"):
        import_file(project, path, as_proposals=True, token=TOKEN)
    late = written(tmp_path, "clip.txt", mot((1, 400, 10.0, 10.0, 0.5)))
    with pytest.raises(ImportRefusedError, match="Frame 400 does not exist"):
        import_file(project, late, as_proposals=True, token=TOKEN)
    (first, _) = project.tasks()
    assert not project.open_task(first.id).document.tracks


def test_an_offer_that_was_cut_short_is_made_again_as_a_whole(
    project: OpenProject, tmp_path: Path
) -> None:
    points = "scorer,m,m,m\nbodyparts,tip,tip,tip\ncoords,x,y,likelihood\n" + "".join(
        f"{f},{10 + f},20,0.{f + 1}\n" for f in range(5)
    )
    for name, text in (
        ("clip.txt", ROWS),
        ("found.json", json.dumps(ACTIONS)),
        ("clip.csv", points),
    ):
        import_file(project, written(tmp_path, name, text), as_proposals=True, token=TOKEN)
    (task,) = project.tasks()
    document = project.open_task(task.id).document
    assert (len(document.tracks), len(document.segments), len(document.points)) == (2, 2, 1)
    project.close()
    again = open_project(tmp_path / "p.annot")
    # As if the program had ended before it could note what it had done, and lost the runs.
    with again.file.transaction() as connection:
        connection.execute("DELETE FROM prediction_offered")
        connection.execute("DELETE FROM proposal_run")
    session = again.open_task(task.id)
    document = session.document
    assert (len(document.tracks), len(document.segments), len(document.points)) == (2, 2, 1)
    assert [len(session.pending(t.id)) for t in document.tracks] == [50, 60]
    (point,) = document.points
    assert [round(p.confidence, 1) for p in session.pending_points(point.id)] == [
        *(0.1, 0.2, 0.3, 0.4, 0.5)
    ]
    # The points are accepted like others, and then they are annotation.
    session.run(AcceptPoints(point.id, accepted_run(session.pending_points(point.id))))
    assert not session.document.point(point.id).is_proposed
    assert len(session.document.decided().points) == 1
    assert not session.document.decided().segments
    again.close()


def test_results_with_numbers_of_labels_get_the_texts_of_the_project(
    project: OpenProject, tmp_path: Path
) -> None:
    labels = project.label_set(Lane.ACTION)
    project.set_label_set(replace(labels, labels=(Label(7, "pour tea"),)))
    name = project.videos()[0].name.rpartition(".")[0]
    told = [{"label": 7, "score": "0.25", "timestamps": [0.1, 0.9]}]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({name: {"action_localisation": told}}))
    import_file(project, path, as_proposals=None, token=JobToken(lambda *_: None))
    session = project.open_task(project.tasks()[0].id)
    (segment,) = session.document.segments
    assert (segment.label, segment.label_id, segment.is_proposed) == ("pour tea", 7, True)
