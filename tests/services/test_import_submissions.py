"""Imports that enter the work: as the submission of each task's first stage."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import WorkError
from annotator.domain.people import Role
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset.statistics import collect
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.transfer import import_file
from annotator.services.transfer.imports.import_submission import COMPLETE, stages_after_import
from annotator.store.workflow import submissions
from tests.exchange.files import canonical, example, write_file

QUIET = JobToken(lambda *_: None)
N_VIDEOS = 12


@pytest.fixture
def path(tmp_path: Path) -> Path:
    entries = []
    for i in range(N_VIDEOS):
        entry = copy.deepcopy(example())
        entry["metadata"]["video_id"] = f"video_{i}"
        entries.append((f"video_{i}", entry))
    return write_file(tmp_path, canonical(*entries))


@pytest.fixture
def project(tmp_path: Path):
    opened = create_project(tmp_path / "team", title="Team", recipe="perception-test")
    opened.work.people.add("Ann", [Role.RATER, Role.REVIEWER])
    yield opened
    opened.close()


def _stages(project: OpenProject) -> set[tuple[str, str, TaskStatus]]:
    records = [project.work.record(task.id) for task in project.tasks()]
    return {(r.kind, r.stage, r.status) for r in records if r.base_id is not None}


def test_tasks_go_on_at_the_second_stage_without_the_importer(
    project: OpenProject, path: Path
) -> None:
    report = import_file(project, path, stage="check", token=QUIET)
    assert len(report.videos) == N_VIDEOS
    assert _stages(project) == {("object-tracks", "check", TaskStatus.WAITING)}
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    assert not project.work.in_hand()
    project.work.people.sign_in(ann.id)
    record = project.work.claim_next("object-tracks")
    assert record is not None
    assert record.stage == "check"
    assert project.open_task(record.id).document.tracks


def test_complete_imports_are_the_result_of_every_kind_that_draws_such_content(
    project: OpenProject, path: Path, tmp_path: Path
) -> None:
    import_file(project, path, stage=COMPLETE, token=QUIET)
    kinds = {kind for kind, _, _ in _stages(project)}
    assert kinds == {"object-tracks", "point-tracks", "actions", "sounds"}
    assert {status for _, _, status in _stages(project)} == {TaskStatus.COMPLETE}
    # Statistics see it, and who imported which file is part of the submission.
    data = collect(project, QUIET)
    counts = {c.kind: c.annotations for c in data.counts()}
    entry = json.loads(path.read_bytes())["video_0"]
    assert counts["boxes"] == N_VIDEOS * len(entry["object_tracking"])
    assert counts["points"] == N_VIDEOS * len(entry["point_tracking"])
    assert counts["sounds"] == N_VIDEOS * len(entry["sound_localisation"])
    task = next(t for t in project.tasks() if t.kind == "sounds")
    (submission,) = project.work.submissions(task.id)
    body = json.loads(submissions.read_body(project.file, submission.id))
    assert body["source"] == {"file": path.name, "stage": COMPLETE}
    assert project.label_set(Lane.SOUND).labels


def test_the_exported_file_says_what_was_imported(
    project: OpenProject, path: Path, tmp_path: Path
) -> None:
    from annotator.services.transfer import ExportRequest, export_project

    import_file(project, path, stage=COMPLETE, token=QUIET)
    out = tmp_path / "again.json"
    export_project(project, ExportRequest(out, frames="keys"), QUIET)
    before, after = (json.loads(p.read_bytes())["video_3"] for p in (path, out))
    for task in ("object_tracking", "action_localisation", "sound_localisation"):
        assert after[task] == before[task]


def test_what_somebody_has_begun_is_left_alone(project: OpenProject, path: Path) -> None:
    import_file(project, path, stage="check", token=QUIET)
    before = project.tasks()
    again = import_file(project, path, stage="check", token=QUIET)
    assert {f.code for f in again.findings} >= {"not-submitted"}
    assert sum(v.n_tracks for v in again.videos) == 0
    assert project.tasks() == before
    assert all(len(project.work.submissions(t.id)) <= 1 for t in before)


def test_canceling_takes_everything_back(project: OpenProject, path: Path) -> None:
    class Stopping(JobToken):
        """Is canceled at the seventh video that is submitted."""

        def report(self, fraction: float | None, text: str = "") -> None:
            if fraction is not None and fraction > 0.5 and text == "video_6":
                self.cancel()

    with pytest.raises(CanceledError):
        import_file(project, path, stage=COMPLETE, token=Stopping(lambda *_: None))
    assert not project.tasks()
    assert not project.videos()
    import_file(project, path, stage=COMPLETE, token=QUIET)
    assert len(project.videos()) == N_VIDEOS


def test_unknown_stages_and_plain_projects_are_refused(
    project: OpenProject, path: Path, tmp_path: Path
) -> None:
    assert [key for key, _ in stages_after_import(project)] == ["check", "verify", COMPLETE]
    with pytest.raises(WorkError, match="Available stages: check, verify, complete"):
        import_file(project, path, stage="annotate", token=QUIET)
    plain = create_project(tmp_path / "plain", title="Plain")
    with pytest.raises(WorkError, match="no stages"):
        import_file(plain, path, stage=COMPLETE, token=QUIET)
    plain.close()


def test_raters_cannot_import_submissions(project: OpenProject, path: Path) -> None:
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    project.work.people.sign_in(ann.id)
    with pytest.raises(WorkError, match="only a lead"):
        import_file(project, path, stage=COMPLETE, token=QUIET)
    assert not project.videos()


def test_opening_such_a_project_claims_nothing(
    project: OpenProject, path: Path, tmp_path: Path
) -> None:
    import_file(project, path, stage=COMPLETE, token=QUIET)
    place = project.path
    project.close()
    again = open_project(place)
    assert not again.work.in_hand()
    again.close()
