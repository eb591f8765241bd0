"""The queue of suspicious annotations: found again by key, decided with reasons, sent to rounds."""

from __future__ import annotations

import copy
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import WorkError
from annotator.domain.ids import item_id
from annotator.domain.people import Role
from annotator.domain.questions.items.item import Item
from annotator.domain.recipes.recipe import Tool
from annotator.domain.work.records import TaskStatus
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset import evaluation_job, issue_queue, video_scans
from annotator.services.dataset.evaluation.baselines import baseline
from annotator.services.dataset.evaluation.evaluation import by_video, evaluate, worst_first
from annotator.services.dataset.evaluation.reference import Reference
from annotator.services.dataset.evaluation_job import evaluate_project
from annotator.services.dataset.issue_queue import (
    CONFIRMED,
    DISMISSED,
    DetectorSetting,
    Suspect,
    change_detector,
    decide,
    detectors,
    find_issues,
    find_issues_in_process,
    results,
    scored_tracks,
    send_to_round,
)
from annotator.services.dataset.video_scans import scan_videos
from annotator.services.project.projects import OpenProject, create_project, open_project
from annotator.services.transfer import import_file
from annotator.services.transfer.imports.import_submission import COMPLETE
from annotator.store.questions import items
from tests.exchange.files import canonical, example, write_file

QUIET = JobToken(lambda *_: None)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    entries = []
    for i in range(4):
        entry = copy.deepcopy(example())
        entry["metadata"]["video_id"] = f"video_{i}"
        sound = entry["sound_localisation"][0]
        sound["frame_ids"] = [sound["frame_ids"][0], sound["frame_ids"][0] + 1]
        sound["timestamps"] = [sound["timestamps"][0], sound["timestamps"][0] + 33_333]
        entries.append((f"video_{i}", entry))
    opened = create_project(tmp_path / "p", title="P", recipe="perception-test")
    opened.work.people.add("Ann", [Role.RATER])
    import_file(opened, write_file(tmp_path, canonical(*entries)), stage=COMPLETE, token=QUIET)
    yield opened
    opened.close()


def _short(project: OpenProject) -> list[Suspect]:
    found = find_issues(project, QUIET, only=["short-segment"])
    return [s for s in found if s.suspicion.tool is Tool.SOUNDS]


def test_issues_are_found_and_decisions_stay(project: OpenProject) -> None:
    found = _short(project)
    assert len(found) == 4
    assert {s.video for s in found} == {f"video_{i}.mp4" for i in range(4)}
    decide(project, found[:1], CONFIRMED)
    decide(project, found[1:2], DISMISSED, "A click is that short.")
    with pytest.raises(WorkError, match="reason"):
        decide(project, found[2:3], DISMISSED, " ")
    path = project.path
    project.close()
    again = open_project(path)
    states = {s.suspicion.key: (s.state, s.reason) for s in _short(again)}
    assert states[found[0].suspicion.key] == (CONFIRMED, "")
    assert states[found[1].suspicion.key] == (DISMISSED, "A click is that short.")
    (rated,) = [r for r in results(again, _short(again)) if r.detector.key == "short-segment"]
    assert (rated.n_open, rated.confirmed, rated.dismissed, rated.precision) == (2, 1, 1, 0.5)
    again.close()


def test_limits_can_be_changed_and_unknown_detectors_are_refused(project: OpenProject) -> None:
    assert find_issues(project, QUIET, only=["short-segment"], limits={"short-segment": 1}) == []
    with pytest.raises(WorkError, match="Unknown detector “jumps”"):
        find_issues(project, QUIET, limits={"jumps": 2.0})
    with pytest.raises(WorkError, match="Unknown detector “best”"):
        find_issues(project, QUIET, only=["best"])
    assert len({d.key for d in detectors()}) == len(detectors()) >= 8


def test_a_round_is_opened_for_the_tasks_that_drew_it(project: OpenProject) -> None:
    found = _short(project)
    n, refused = send_to_round(project, found[:2], "Short sounds")
    assert (n, refused) == (2, [])
    rounds = {
        (t.kind, project.work.record(t.id).round, project.work.record(t.id).status)
        for t in project.tasks()
    }
    assert ("sounds", 2, TaskStatus.WAITING) in rounds
    assert not any(kind != "sounds" and number > 1 for kind, number, _ in rounds)
    assert [s.state for s in _short(project)].count(CONFIRMED) == 2


def test_only_leads_decide(project: OpenProject) -> None:
    found = _short(project)
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    project.work.people.sign_in(ann.id)
    with pytest.raises(WorkError):
        decide(project, found, CONFIRMED)


def test_detectors_can_be_tuned_and_switched_off(project: OpenProject) -> None:
    rule = next(r for r in results(project, []) if r.detector.key == "short-segment")
    assert rule.limit == rule.detector.limit
    change_detector(project, "short-segment", DetectorSetting(limit=1))
    assert not [s for s in find_issues(project, QUIET) if s.suspicion.detector == "short-segment"]
    change_detector(project, "short-segment", DetectorSetting(limit=100))
    assert len(_short(project)) >= 4
    change_detector(project, "short-segment", DetectorSetting(is_on=False))
    assert not [s for s in find_issues(project, QUIET) if s.suspicion.detector == "short-segment"]
    rule = next(r for r in results(project, []) if r.detector.key == "short-segment")
    assert not rule.setting.is_on
    ann = next(p for p in project.work.people.all() if p.name == "Ann")
    project.work.people.sign_in(ann.id)
    with pytest.raises(WorkError):
        change_detector(project, "short-segment", DetectorSetting())


def test_models_and_people_are_compared_with_the_tracks(
    project: OpenProject, tmp_path: Path
) -> None:
    with Reference(project) as reference:
        records = [v.record for v in reference.videos(QUIET)]
        assert reference.count() == len(records)
        models = [baseline("static", reference, QUIET), baseline("linear", reference, QUIET)]
        done = evaluate(reference.videos(QUIET), models, QUIET, bootstrap=Bootstrap(0))
    tracks = list(scored_tracks(done))
    by_key = {
        key: [s for s in find_issues(project, QUIET, scores=tracks) if s.suspicion.detector == key]
        for key in ("models-differ", "no-model-agrees", "people-differ")
    }
    by_model = {
        model: {item.mark_id: item.values["mean_iou"] for item in items if item.mark_id}
        for model, items in done.items.items()
    }
    gaps = {m: abs(by_model["static"][m] - by_model["linear"][m]) for m in by_model["static"]}
    assert len(gaps) == sum(len(r.objects) for r in records)
    wanted = {m for m, gap in gaps.items() if gap >= 0.5}
    assert {s.suspicion.mark_id for s in by_key["models-differ"]} == wanted
    best = {m: max(by_model["static"][m], by_model["linear"][m]) for m in gaps}
    low = {m for m, value in best.items() if value < 0.2}
    assert {s.suspicion.mark_id for s in by_key["no-model-agrees"]} == low
    assert by_key["people-differ"] == []
    assert wanted | low


def test_large_projects_are_looked_through_in_another_process(
    project: OpenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Reference(project) as reference:
        models = [baseline("static", reference, QUIET), baseline("linear", reference, QUIET)]
        done = evaluate(reference.videos(QUIET), models, QUIET, bootstrap=Bootstrap(0))
    tracks = list(scored_tracks(done))
    decide(project, _short(project)[:1], DISMISSED, "It is so.")
    here = find_issues(project, QUIET, scores=tracks)
    assert {s.suspicion.detector for s in here} >= {"short-segment", "models-differ"}
    monkeypatch.setattr(issue_queue, "APART_FROM", 1)
    with monkeypatch.context() as patch:
        patch.setattr(issue_queue, "find_issues", None)  # nothing of it is done in this process
        assert find_issues_in_process(project, QUIET, tracks) == here
    token = JobToken(lambda *_: None)
    token.cancel()
    with pytest.raises(CanceledError):
        find_issues_in_process(project, token)


@pytest.mark.parametrize("apart_from", [1, 1000])
def test_evaluations_of_large_projects_run_in_another_process(
    project: OpenProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart_from: int
) -> None:
    monkeypatch.setattr(evaluation_job, "APART_FROM", apart_from)
    if apart_from == 1:
        monkeypatch.setattr(evaluation_job, "_evaluated", None)  # nothing is done in this process
    told: list[float | None] = []
    chosen = [(None, "static"), (None, "linear")]
    token = JobToken(lambda share, _: told.append(share))
    scores = evaluate_project(project, chosen, ["split"], token)
    with Reference(project) as reference:
        models = [baseline(name, reference, QUIET) for _, name in chosen]
        done = evaluate(reference.videos(QUIET), models, QUIET, columns=["split"])
    assert repr(scores.results) == repr(done.results)  # NaN is NaN
    assert scores.models == ("static", "linear")
    assert list(scores.tracks()) == list(scored_tracks(done))
    for model, single in done.items.items():
        assert repr(scores.worst[model]) == repr(worst_first(single))
        of_videos = by_video(single)
        found = {task: {v: s.mean for v, s in by.items()} for task, by in of_videos.items()}
        assert scores.means[model] == found
        worst = of_videos["object_tracking"]["video_2"].worst
        assert repr(scores.worst_of(model, "object_tracking", "video_2")) == repr(worst)
    assert scores.save(tmp_path) == len(list(tmp_path.glob("*.csv"))) > 0
    folder = scores.folder
    assert folder.exists()
    del scores
    gc.collect()
    assert not folder.exists()
    token.cancel()
    with pytest.raises(CanceledError):
        evaluate_project(project, chosen, ["split"], token)


def test_videos_are_scanned_again_when_their_questions_change(
    project: OpenProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scan_videos(project, QUIET).n_scanned == 4
    calls: list[str] = []
    whole = video_scans._scan
    monkeypatch.setattr(video_scans, "_scan", lambda *a: calls.append("again") or whole(*a))
    scan_videos(project, QUIET)
    assert calls == []
    video = project.videos()[0].id
    asked = Item(item_id(), "questions", (video,), "How many?")
    with project.file.transaction() as connection:
        items.add_items(connection, None, 0, [asked])
    scan_videos(project, QUIET)
    assert calls == ["again"]
