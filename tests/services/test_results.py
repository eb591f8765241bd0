"""What is exported of a project with stages: the results of its tasks, joined."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.commands import AddImported, CreateSegment, CreateTrack, DeleteTracks
from annotator.domain.errors import EditError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.domain.people import Role
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.session import Session
from annotator.services.transfer import ExportRequest, export_project, import_file
from tests.exchange.files import NAME, example, write_file
from tests.store.samples import video_info

NAMES = ("Ann", "Ben", "Cleo")


@pytest.fixture
def project(tmp_path: Path):
    made = create_project(tmp_path / "p.annot", title="P", recipe="perception-test")
    for name in NAMES:
        made.work.people.add(name, (Role.RATER, Role.REVIEWER))
    made.add_absent_video(video_info("video_1.mp4"))
    yield made
    made.close()


def _next(project: OpenProject, name: str, kind: str, stage: str) -> Session:
    (person,) = [p for p in project.work.people.all() if p.name == name]
    project.work.people.sign_in(person.id)
    record = project.work.claim_next(kind, stage)
    assert record is not None
    return project.open_task(record.id)


def _done(project: OpenProject, kind: str, names: tuple[str, ...], *commands: object) -> None:
    for name, stage in zip(names, ("annotate", "check", "verify"), strict=True):
        session = _next(project, name, kind, stage)
        for command in commands if stage == "annotate" else ():
            session.run(command)
        project.work.submit(session)


def _export(project: OpenProject, path: Path) -> tuple[dict, list[str]]:
    report = export_project(project, ExportRequest(path), JobToken(lambda _fraction, _text: None))
    content = json.loads(path.read_text())
    return content["video_1"], [f.text for f in report.findings if f.code == "not-complete"]


def test_an_export_joins_what_each_task_came_to(project: OpenProject, tmp_path: Path) -> None:
    mug = track_id()
    _done(project, "object-tracks", NAMES, CreateTrack(mug, "mug", 0, Box(4, 4, 30, 30)))
    first, open_ = _export(project, tmp_path / "a.json")
    assert [t["label"] for t in first["object_tracking"]] == ["mug"]
    assert first["action_localisation"] == []
    assert len(open_) == 3
    assert "“Actions” is at the stage “Annotate”" in " ".join(open_)
    action = Segment(segment_id(), Lane.ACTION, "Holding something", 0, 20, 1, (mug,))
    stray = Track(TrackInfo(track_id(), "not asked for", 9, 0), (Keyframe(0, Box(1, 1, 9, 9)),))
    _done(project, "actions", NAMES[::-1], CreateSegment(action), AddImported((stray,)))
    second, open_ = _export(project, tmp_path / "b.json")
    # The boxes are those of the task for boxes; the action is that of the task for actions.
    assert [t["label"] for t in second["object_tracking"]] == ["mug"]
    (found,) = second["action_localisation"]
    assert found["parent_objects"] == [second["object_tracking"][0]["id"]]
    assert len(open_) == 2


def test_a_track_that_went_later_leaves_its_role_open(project: OpenProject, tmp_path: Path) -> None:
    mug, lid = track_id(), track_id()
    drawn = [CreateTrack(t, n, 0, Box(4, 4, 30, 30)) for t, n in ((mug, "mug"), (lid, "lid"))]
    _done(project, "object-tracks", NAMES, *drawn)
    text = "Putting something into something"
    action = Segment(segment_id(), Lane.ACTION, text, 0, 20, 1, (mug, lid))
    _done(project, "actions", NAMES, CreateSegment(action))
    (lead,) = [p for p in project.work.people.all() if p.has(Role.LEAD)]
    project.work.people.sign_in(lead.id)
    (task,) = [t.id for t in project.tasks() if t.kind == "object-tracks"]
    project.work.lead.open_round([task], title="Again", reason="One is enough.", stage="verify")
    again = project.work.claim_next("object-tracks")
    assert again is not None
    session = project.open_task(again.id)
    session.run(DeleteTracks((mug,)))
    project.work.submit(session)
    content, _ = _export(project, tmp_path / "c.json")
    assert [t["label"] for t in content["object_tracking"]] == ["lid"]
    assert content["action_localisation"][0]["parent_objects"] == []


def test_without_a_hand_in_the_draft_is_exported(project: OpenProject, tmp_path: Path) -> None:
    session = _next(project, "Ann", "object-tracks", "annotate")
    session.run(CreateTrack(track_id(), "cup", 0, Box(4, 4, 30, 30)))
    content, _ = _export(project, tmp_path / "d.json")
    assert [t["label"] for t in content["object_tracking"]] == ["cup"]


def test_leads_import_all_there_is_and_raters_what_their_tools_make(tmp_path: Path) -> None:
    project = create_project(tmp_path / "q.annot", title="Q", recipe="perception-test")
    lead = project.work.me
    assert lead is not None
    ann = project.work.people.add("Ann", (Role.RATER,))
    project.add_absent_video(video_info(f"{NAME}.mp4", n_frames=130))
    path = write_file(tmp_path, {NAME: example()})
    project.work.people.sign_in(ann.id)
    record = project.work.claim_next()
    assert record is not None
    with pytest.raises(EditError, match=r"Existing annotations \("):
        import_file(project, path, token=JobToken(lambda _fraction, _text: None))
    project.work.release(record.id)
    project.work.people.sign_in(lead.id)
    import_file(project, path, token=JobToken(lambda _fraction, _text: None))
    session = project.open_task(record.id)
    assert session.document.points
    assert session.document.segments
    assert session.undo() is not None
    assert session.redo() is not None
    project.close()
