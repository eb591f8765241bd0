"""Metrics of predictions against plain readings of their definitions, and files that are wrong."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.domain.agreement.resampling import Bootstrap
from annotator.domain.errors import ExchangeError, UserError
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset.evaluation.baselines import baseline
from annotator.services.dataset.evaluation.evaluation import (
    Evaluation,
    by_video,
    evaluate,
    worst_first,
)
from annotator.services.dataset.evaluation.models import (
    ContentFile,
    PredictionFile,
    prediction_file,
)
from annotator.services.dataset.evaluation.reference import Reference, reference_of_file
from tests.exchange import format_samples as samples

QUIET = JobToken(lambda *_: None)
W, H, N = 64, 48, 90


def _reference(seed: int = 1, n_videos: int = 5) -> dict[str, Any]:
    """A small data set in which everything occurs."""
    rng = np.random.default_rng(seed)
    found = {}
    for v in range(n_videos):
        name = f"video_{v}"
        tracks = []
        for i in range(3):
            frames = sorted(rng.choice(np.arange(0, N, 10), 6, replace=False).tolist())
            corner = rng.uniform(0, 0.6, 2)
            steps = np.cumsum(rng.normal(0, 0.02, (6, 2)), axis=0)
            boxes = [np.clip([*(corner + s), *(corner + s + 0.3)], 0, 1).tolist() for s in steps]
            tracks.append(
                {
                    "id": i,
                    "label": f"thing {i}",
                    "is_occluder": 0,
                    "bounding_boxes": boxes,
                    "initial_tracking_box": [0, 1, 0, 0, 0, 0],
                    "frame_ids": frames,
                    "timestamps": [f * 33_333 for f in frames],
                    "is_masked": [int(i == 2)] * 6,
                }
            )
        points = []
        for i in range(2):
            frames = [f for f in range(5, 60) if rng.random() < 0.8]
            path = 0.5 + np.cumsum(rng.normal(0, 0.005, (len(frames), 2)), axis=0)
            points.append(
                {
                    "id": i,
                    "label": "rim",
                    "parent_objects": [0],
                    "frame_ids": frames,
                    "points": path.T.tolist(),
                }
            )
        actions = [
            {
                "id": i,
                "label_id": int(label),
                "label": f"doing {label}",
                "parent_objects": [0],
                "timestamps": [int(s * 1e6), int((s + 0.7) * 1e6)],
                "frame_ids": [int(s * 30), int((s + 0.7) * 30)],
            }
            for i, (s, label) in enumerate(
                zip(rng.uniform(0, 2, 4), rng.integers(0, 3, 4), strict=True)
            )
        ]
        questions = [
            {
                "id": i,
                "question": f"What {i}?",
                "options": ["a", "b", "c"],
                "answer_id": int(rng.choice(3, p=[0.6, 0.3, 0.1])),
                "area": "physics" if i else "memory",
                "reasoning": "descriptive",
                "tag": ["motion", "collision"],
            }
            for i in range(3)
        ]
        found[name] = {
            "metadata": {
                "split": "valid" if v % 2 else "train",
                "video_id": name,
                "frame_rate": 30.0,
                "num_frames": N,
                "resolution": [H, W],
                "audio_samples": 0,
                "audio_sample_rate": 0.0,
                "is_cup_game": 0,
                "is_camera_moving": int(v > 2),
            },
            "object_tracking": tracks,
            "point_tracking": points,
            "action_localisation": actions,
            "sound_localisation": [],
            "mc_question": questions,
            "grounded_question": [
                {
                    "id": 0,
                    "question": "Which?",
                    "answers": [0, 1],
                    "area": "physics",
                    "reasoning": "descriptive",
                }
            ],
        }
    return found


def _guesses(reference: dict[str, Any], seed: int = 2) -> dict[str, Any]:
    """Results of a model that is often, but not always, near."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, entry in reference.items():
        tracks = [
            {
                "id": t["id"],
                "bounding_boxes": [_noisy(box, rng) for box in t["bounding_boxes"]],
                "frame_ids": t["frame_ids"],
            }
            for t in entry["object_tracking"]
        ]
        points = []
        for p in entry["point_tracking"]:
            keep = [i for i in range(len(p["frame_ids"])) if rng.random() < 0.9]
            places = np.array(p["points"])[:, keep] + rng.normal(0, 0.02, (2, len(keep)))
            frames = [p["frame_ids"][i] for i in keep]
            points.append({"id": p["id"], "points": places.tolist(), "frame_ids": frames})
        actions = []
        for a in entry["action_localisation"] * 2:
            start = a["timestamps"][0] / 1e6 + rng.normal(0, 0.15)
            actions.append(
                {
                    "label": str(a["label_id"]),
                    "score": str(round(float(rng.random()), 6)),
                    "timestamps": [max(0, start), max(0, start) + 0.7],
                }
            )
        found[name] = {
            "object_tracking": tracks,
            "point_tracking": points,
            "action_localisation": actions,
            "mc_question": [
                {"id": q["id"], "answer_id": int(rng.integers(3))} for q in entry["mc_question"]
            ],
            "grounded_question": {"0": [{**t, "score": 0.9} for t in tracks]},
        }
    plain: dict[str, Any] = json.loads(json.dumps(found, default=float))
    return plain


def _noisy(box: Sequence[float], rng: np.random.Generator) -> list[float]:
    moved = np.clip(np.array(box) + rng.normal(0, 0.03, 4), 0, 1)
    return [*np.minimum(moved[:2], moved[2:]), *np.maximum(moved[:2], moved[2:])]


def _written(folder: Path, name: str, value: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def _evaluated(
    folder: Path, reference: object, guesses: object, *, columns: Sequence[str] = (), draws: int = 0
) -> Evaluation:
    path = _written(folder, "reference.json", reference)
    with PredictionFile(_written(folder, "model.json", guesses)) as model:
        return evaluate(
            reference_of_file(path, QUIET),
            [model],
            QUIET,
            columns=columns,
            bootstrap=Bootstrap(draws),
        )


def _value(done: Evaluation, task: str, metric: str, group: str = "") -> float:
    (found,) = [r for r in done.results if (r.task, r.metric, r.group) == (task, metric, group)]
    return found.value


def test_mean_iou_is_the_mean_over_frames_then_tracks_then_videos(tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)

    def mask(box: Sequence[float]) -> np.ndarray:
        x1, y1, x2, y2 = box
        x, y = round(float(np.float32(x1 * W))), round(float(np.float32(y1 * H)))
        w, h = round(float(np.float32((x2 - x1) * W))), round(float(np.float32((y2 - y1) * H)))
        found = np.zeros((H + 2, W + 2), bool)
        found[y : y + h, x : x + w] = True
        return found

    by_video = []
    for name, entry in reference.items():
        by_track = []
        for track, guess in zip(
            entry["object_tracking"], guesses[name]["object_tracking"], strict=True
        ):
            pairs = zip(track["bounding_boxes"], guess["bounding_boxes"], strict=True)
            masks = [(mask(a), mask(b)) for a, b in pairs][2:]  # the box given is the second
            by_track.append(np.mean([(a & b).sum() / (a | b).sum() for a, b in masks]))
        by_video.append(np.mean(by_track))
    found = _value(_evaluated(tmp_path, reference, guesses), "object_tracking", "mean_iou")
    assert found == pytest.approx(np.mean(by_video), abs=1e-9)
    assert 0.3 < found < 0.95


def test_average_jaccard_is_the_mean_over_videos(tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)
    by_video = []
    for name, entry in reference.items():
        by_threshold = []
        for threshold in (1, 2, 4, 8, 16):
            hits = seen = false = 0
            for true, guess in zip(
                entry["point_tracking"], guesses[name]["point_tracking"], strict=True
            ):
                at = dict(zip(true["frame_ids"], np.array(true["points"]).T * 256, strict=True))
                there = dict(
                    zip(guess["frame_ids"], np.array(guess["points"]).T * 256, strict=True)
                )
                for frame in range(true["frame_ids"][0] + 1, N):
                    near = (
                        frame in at
                        and frame in there
                        and math.dist(at[frame], there[frame]) < threshold
                    )
                    seen += frame in at
                    hits += near
                    false += frame in there and not near
            by_threshold.append(hits / (seen + false))
        by_video.append(np.mean(by_threshold))
    done = _evaluated(tmp_path, reference, guesses)
    found = _value(done, "point_tracking", "average_jaccard_first")
    assert found == pytest.approx(np.mean(by_video), abs=1e-9)
    assert 0.1 < found < 0.9


def test_precision_of_actions_is_the_mean_over_labels_and_thresholds(tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)

    def average_precision(label: int, tiou: float) -> float:
        true = [
            (name, a["timestamps"][0] / 1e6, a["timestamps"][1] / 1e6)
            for name, entry in reference.items()
            for a in entry["action_localisation"]
            if a["label_id"] == label
        ]
        found = [
            (float(a["score"]), name, *a["timestamps"])
            for name, entry in guesses.items()
            for a in entry["action_localisation"]
            if a["label"] == str(label)
        ]
        taken: set[int] = set()
        hits = []
        for _, name, start, end in sorted(found, key=lambda each: -each[0]):
            best = (-1.0, -1)
            for i, (of, first, last) in enumerate(true):
                if of == name and i not in taken:
                    both = max(0.0, min(end, last) - max(start, first))
                    best = max(best, (both / (end - start + last - first - both), i))
            hits.append(best[0] >= tiou)
            taken |= {best[1]} if hits[-1] else set()
        areas = [
            max(sum(hits[: m + 1]) / (m + 1) for m in range(k, len(hits)))
            for k, hit in enumerate(hits)
            if hit
        ]
        return sum(areas) / len(true)

    wanted = np.mean(
        [[average_precision(label, t) for t in (0.1, 0.2, 0.3, 0.4, 0.5)] for label in range(3)]
    )
    done = _evaluated(tmp_path, reference, guesses, columns=["label"])
    assert _value(done, "action_localisation", "map") == pytest.approx(wanted, abs=1e-9)
    one = np.mean([average_precision(0, t) for t in (0.1, 0.2, 0.3, 0.4, 0.5)])
    assert _value(done, "action_localisation", "map", "doing 0") == pytest.approx(one, abs=1e-9)


def test_single_segments_have_the_best_overlap_of_their_label(tmp_path: Path) -> None:
    reference = _reference(n_videos=2)
    path = _written(tmp_path, "reference.json", reference)
    predictions = {}
    for name, entry in reference.items():
        found = []
        for i, action in enumerate(entry["action_localisation"]):
            start, end = (t / 1e6 for t in action["timestamps"])
            label = action["label"] if i % 2 else str(action["label_id"])
            if i == 0:
                continue  # nothing of it
            found.append({"label": label, "score": 0.1, "timestamps": [start + 0.35, end + 0.35]})
        predictions[name] = {"action_localisation": found}
    model = _written(tmp_path, "model.json", predictions)
    with PredictionFile(model) as opened:
        done = evaluate(reference_of_file(path, QUIET), [opened], QUIET, bootstrap=Bootstrap(0))
    items = [item for item in done.items["model"] if item.task == "action_localisation"]
    assert len(items) == sum(len(e["action_localisation"]) for e in reference.values())
    for item in items:
        actions = reference[item.video]["action_localisation"]
        own = [t / 1e6 for t in actions[item.id]["timestamps"]]
        best = 0.0
        for other in actions[1:]:
            if other["label_id"] == actions[item.id]["label_id"]:
                start, end = (t / 1e6 + 0.35 for t in other["timestamps"])
                both = max(0.0, min(own[1], end) - max(own[0], start))
                best = max(best, both / (own[1] - own[0] + end - start - both))
        assert item.values["best_tiou"] == pytest.approx(best, abs=1e-9)
        assert item.frame == actions[item.id]["frame_ids"][0]
    assert worst_first(items)[0].values["best_tiou"] == min(i.values["best_tiou"] for i in items)
    scores = by_video(items)["action_localisation"]
    assert {s.worst.video for s in scores.values()} == set(reference)


def test_top1_and_its_groups(tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)
    right = [
        (q["area"], q["answer_id"] == g["answer_id"])
        for name, entry in reference.items()
        for q, g in zip(entry["mc_question"], guesses[name]["mc_question"], strict=True)
    ]
    done = _evaluated(tmp_path, reference, guesses, columns=["area", "tag"])
    assert _value(done, "mc_question", "top1") == np.mean([r for _, r in right])
    assert _value(done, "mc_question", "top1", "physics") == np.mean(
        [r for area, r in right if area == "physics"]
    )
    assert _value(done, "mc_question", "top1", "motion") == np.mean([r for _, r in right])


def test_the_reference_scores_one_against_itself(tmp_path: Path) -> None:
    reference = _reference()
    done = _evaluated(tmp_path, reference, reference, draws=50)
    main = {(r.task, r.metric): r.value for r in done.results}
    assert main["object_tracking", "mean_iou"] == 1
    assert main["point_tracking", "average_jaccard_first"] == 1
    assert main["point_tracking", "average_jaccard_strided"] == 1
    assert main["action_localisation", "map"] == main["action_localisation", "map_activitynet"] == 1
    assert main["mc_question", "top1"] == 1
    assert not done.findings
    # Answers that do not share all frames lose a little, as with the official scorer.
    assert 0.8 < main["grounded_question", "hota"] <= 1


def test_intervals_hold_the_value_and_repeat(tmp_path: Path) -> None:
    reference = _reference(n_videos=12)
    first, again = (
        _evaluated(tmp_path, reference, _guesses(reference), draws=200) for _ in range(2)
    )
    assert first.results == again.results
    spans = [
        (r.value, r.interval) for r in first.results if r.metric in ("mean_iou", "map", "top1")
    ]
    assert len(spans) == 3
    for value, span in spans:
        assert span is not None
        assert span[0] < value < span[1]


def test_missing_and_unknown_videos_are_told_and_count_as_nothing_found(tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)
    lost = copy.deepcopy(guesses)
    del lost["video_0"]
    lost["video_9"] = guesses["video_1"]
    full, less = (_evaluated(tmp_path, reference, each) for each in (guesses, lost))
    codes = {f.code for f in less.findings}
    assert {"missing-videos", "unknown-video", "missing-items"} <= codes
    for task, metric in (("action_localisation", "map"), ("object_tracking", "mean_iou")):
        assert _value(less, task, metric) < _value(full, task, metric)
    worst = worst_first(less.items["model"])[0]
    assert (worst.video, worst.is_missing) == ("video_0", True)


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (lambda e: e["object_tracking"][0].update(frame_ids=[3, 2, 1, 0, 5, 6]), "ascending"),
        (lambda e: e["object_tracking"][0].update(bounding_boxes=[[0, 0, 1, 1]]), "6 entries"),
        (
            lambda e: e["object_tracking"][0]["bounding_boxes"].__setitem__(0, [0.5, 0, 0.1, 1]),
            "x1 ≤ x2",
        ),
        (lambda e: e["object_tracking"][1].update(id=0), "occurs twice"),
        (lambda e: e["object_tracking"][1].pop("id"), "missing"),
        (lambda e: e["point_tracking"][0].update(points=[[1], [2], [3]]), "2 entries"),
        (lambda e: e["action_localisation"][0].update(timestamps=[5, 1]), "before it starts"),
        (lambda e: e["action_localisation"][0].update(score="high"), "must be a number"),
        (lambda e: e["action_localisation"][0].update(timestamps=[0, 10**400]), "finite"),
        (lambda e: e["mc_question"][0].update(answer_id="b"), "an integer"),
        (lambda e: e["grounded_question"].update(x=[]), "named by their ID"),
        (lambda e: e["grounded_question"].update({"1": 5}), "a list"),
    ],
)
def test_records_that_are_wrong_are_named(damage: Any, text: str, tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)
    damage(guesses["video_2"])
    done = _evaluated(tmp_path, reference, guesses)
    (error,) = [f for f in done.findings if f.severity.value == "error"]
    assert text in error.text
    assert "$.video_2." in error.where


def test_frames_beyond_the_end_are_told_and_ignored(tmp_path: Path) -> None:
    reference = _reference()
    guesses = _guesses(reference)
    point = guesses["video_2"]["point_tracking"][0]
    jaccard = "point_tracking", "average_jaccard_first"
    before = _value(
        _evaluated(tmp_path, reference, guesses), "point_tracking", "average_jaccard_first"
    )
    point["frame_ids"].append(N + 3)
    for row in point["points"]:
        row.append(0.5)
    done = _evaluated(tmp_path, reference, guesses)
    assert "extra-frames" in {f.code for f in done.findings}
    assert _value(done, *jaccard) == before


@pytest.mark.parametrize("text", ["", "[]", '{"video_0": [NaN]}', '{"video_0": [}', "\x00\xff"])
def test_files_that_cannot_be_read_are_refused_or_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(text, encoding="latin-1")
    reference = _written(tmp_path, "reference.json", _reference())
    try:
        with PredictionFile(path) as model:
            done = evaluate(reference_of_file(reference, QUIET), [model], QUIET)
    except ExchangeError as error:
        assert "model.json" in str(error)  # noqa: PT017
    else:
        assert any(f.severity.value == "error" for f in done.findings)


def test_baselines(tmp_path: Path) -> None:
    path = _written(tmp_path, "reference.json", _reference(n_videos=40))

    reference = Reference(path)
    names = ("static", "linear", "majority", "random")
    models = [baseline(name, reference, QUIET, 3) for name in names]
    done = evaluate(reference_of_file(path, QUIET), models, QUIET, bootstrap=Bootstrap(0))
    values = {(r.model, r.metric): r.value for r in done.results if not r.group}
    assert values["linear", "mean_iou"] > values["static", "mean_iou"] > 0.1
    assert values["majority", "top1"] > values["random", "top1"] > 0
    assert values["linear", "average_jaccard_first"] > values["static", "average_jaccard_first"]
    with pytest.raises(UserError, match="Unknown baseline"):
        baseline("best", reference, QUIET)
    with pytest.raises(UserError, match="needs a project"):
        baseline("raters", reference, QUIET)


def test_canceling_ends_it(tmp_path: Path) -> None:
    path = _written(tmp_path, "reference.json", _reference())
    token = JobToken(lambda *_: None)
    token.cancel()
    with pytest.raises(CanceledError):
        evaluate(
            reference_of_file(path, QUIET), [baseline("static", Reference(path), QUIET)], token
        )


def test_tracks_of_other_formats_are_matched_by_overlap(tmp_path: Path) -> None:
    """A MOT file of the reference's own boxes finds all of them, one with noise fewer."""
    reference = _reference(n_videos=1)
    entry = reference["video_0"]
    for track in entry["object_tracking"]:
        track["initial_tracking_box"] = [1, 0, 0, 0, 0, 0]
    rng = np.random.default_rng(3)
    values = {}
    for name, noise in (("exact", 0.0), ("noisy", 6.0)):
        rows = []
        for track in entry["object_tracking"]:
            for frame, (x1, y1, x2, y2) in zip(
                track["frame_ids"], track["bounding_boxes"], strict=True
            ):
                sides = np.array([x1 * W, y1 * H, (x2 - x1) * W, (y2 - y1) * H])
                sides[:2] += rng.normal(0, noise, 2)
                cells = ",".join(f"{side:.6f}" for side in sides)
                rows.append(f"{frame + 1},{track['id'] + 1},{cells},1,1,1")
        folder = tmp_path / name / "video_0" / "gt"
        folder.mkdir(parents=True)
        file = folder / "gt.txt"
        file.write_text("\n".join(sorted(rows, key=lambda r: int(r.split(",")[0]))) + "\n")
        path = _written(tmp_path, "reference.json", reference)
        model = prediction_file(file)
        done = evaluate(reference_of_file(path, QUIET), [model], QUIET, bootstrap=Bootstrap(20))
        assert isinstance(model, ContentFile)
        values[name] = {r.metric: r.value for r in done.results if r.by == "all"}
    assert values["exact"]["mota"] == values["exact"]["idf1"] == 1.0
    assert values["exact"]["hota"] == pytest.approx(1.0, abs=1e-3)
    assert values["noisy"]["hota"] < 0.8
    assert values["noisy"]["mota"] < 1.0


@pytest.mark.parametrize("task", ["object_tracking", "mc_question", "action_localisation"])
def test_results_of_one_task_are_read_by_their_ids(task: str, tmp_path: Path) -> None:
    """As submitted to a challenge: a list under each video, or under its task."""
    guesses = _guesses(_reference())
    told = {
        name: entry[task] if task != "action_localisation" else {task: entry[task]}
        for name, entry in guesses.items()
    }
    with prediction_file(_written(tmp_path, f"{task}.json", told)) as model:
        assert isinstance(model, PredictionFile)


def test_content_of_another_size_is_not_used(tmp_path: Path) -> None:
    path = _written(tmp_path, "reference.json", _reference(n_videos=1))
    file = tmp_path / "video_0.xml"
    file.write_text(samples.CVAT.replace("clip", "video_0"), encoding="utf-8")
    model = prediction_file(file)
    done = evaluate(reference_of_file(path, QUIET), [model], QUIET)
    assert {f.code for f in done.findings if f.severity.value == "error"} == {"other-size"}
