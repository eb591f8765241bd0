"""Judges exported files by the published formats alone; knows nothing of how they are written.

Each function yields what is wrong, in words that name the place; nothing where all is right.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

# --- Perception Test --------------------------------------------------------------------------

PT_TASKS: Final = (
    "object_tracking",
    "point_tracking",
    "action_localisation",
    "sound_localisation",
    "mc_question",
    "grounded_question",
)
PT_METADATA: Final = {
    "split": str,
    "video_id": str,
    "frame_rate": float,
    "num_frames": int,
    "resolution": list,
    "audio_samples": int,
    "audio_sample_rate": float,
    "is_cup_game": int,
    "is_camera_moving": int,
}
PT_AREAS: Final = {"physics", "semantics", "abstraction", "memory"}
PT_REASONING: Final = {"descriptive", "explanatory", "predictive", "counterfactual"}
PT_TAGS: Final = {
    *("change detection", "event recall", "sequencing", "visual discrimination"),
    *("action counting", "event counting", "feature matching", "object counting"),
    *("pattern breaking", "pattern discovery"),
    *("collision", "conservation", "containment", "material", "motion", "occlusion"),
    *("object attributes", "object permanence", "quantity", "solidity"),
    *("spatial relations", "stability"),
    *("action recognition", "adversarial action", "color recognition", "distractor action"),
    *("distractor object", "general knowledge", "language", "object recognition"),
    *("part recognition", "place recognition", "state recognition", "task completion"),
}
_TRACK: Final = {
    *("id", "label", "is_occluder", "bounding_boxes", "initial_tracking_box", "frame_ids"),
    *("timestamps", "is_masked"),
}
_SEGMENT: Final = {"id", "label_id", "label", "parent_objects", "timestamps", "frame_ids"}


def load(path: Path) -> Any:
    """Read JSON as it must be: UTF-8, no key twice, no number that is none."""

    def no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        assert len(found) == len(pairs), f"{path.name}: a key twice"
        return found

    def no_number(name: str) -> float:
        raise AssertionError(f"{path.name}: {name}")

    text = path.read_text(encoding="utf-8")
    return json.loads(text, object_pairs_hook=no_key_twice, parse_constant=no_number)


def perception_faults(path: Path, *, is_test: bool = False) -> Iterator[str]:
    """Judge an annotation file; ``is_test``: one of a test split, which gives nothing away."""
    found = load(path)
    if not isinstance(found, dict):
        yield "no object on top"
        return
    for name, video in found.items():
        for fault in _video_faults(name, video, is_test):
            yield f"{name}: {fault}"


def _video_faults(name: str, video: dict[str, Any], is_test: bool) -> Iterator[str]:
    if set(video) != {"metadata", *PT_TASKS}:
        yield f"keys are {sorted(video)}"
        return
    about = video["metadata"]
    for key, kind in PT_METADATA.items():
        if type(about.get(key)) is not kind:
            yield f"metadata.{key} is {about.get(key)!r}"
    if about["video_id"] != name or about["split"] not in ("train", "valid", "test"):
        yield "video_id or split"
    if {about["is_cup_game"], about["is_camera_moving"]} - {0, 1}:
        yield "flags"
    if len(about["resolution"]) != 2:
        yield "resolution"
    for task in PT_TASKS:
        if [each["id"] for each in video[task]] != list(range(len(video[task]))):
            yield f"{task}: ids are not the places"
    n_tracks = len(video["object_tracking"])
    for track in video["object_tracking"]:
        yield from (f"track {track['id']}: {f}" for f in _track_faults(track, about, is_test))
    for point in video["point_tracking"]:
        yield from (f"point {point['id']}: {f}" for f in _point_faults(point, n_tracks, about))
    for task in ("action_localisation", "sound_localisation"):
        if is_test and video[task]:
            yield f"{task} in a test file"
        extra = {"is_visible"} if task == "sound_localisation" else set()
        for each in video[task]:
            faults = _segment_faults(each, extra, n_tracks, about["num_frames"])
            yield from (f"{task} {each['id']}: {f}" for f in faults)
    for each in video["mc_question"]:
        yield from (f"question {each['id']}: {f}" for f in _choice_faults(each, is_test))
    for each in video["grounded_question"]:
        yield from (
            f"grounded {each['id']}: {f}" for f in _grounded_faults(each, n_tracks, is_test)
        )


def _track_faults(track: dict[str, Any], about: dict[str, Any], is_test: bool) -> Iterator[str]:
    if set(track) != _TRACK:
        yield f"keys are {sorted(track)}"
        return
    n = len(track["frame_ids"])
    for key in ("bounding_boxes", "initial_tracking_box", "timestamps", "is_masked"):
        if len(track[key]) != n:
            yield f"{key} has another length"
    if n == 0 or (is_test and n != 1):
        yield f"{n} frames"
    yield from _frame_faults(track["frame_ids"], about["num_frames"])
    if any(b <= a for a, b in pairwise(track["timestamps"])):
        yield "timestamps do not rise"
    for frame, at in zip(track["frame_ids"], track["timestamps"], strict=False):
        if abs(at - frame * 1e6 / about["frame_rate"]) > 0.5e6 / about["frame_rate"]:
            yield f"timestamp {at} of frame {frame}"
    if sorted(track["initial_tracking_box"]) != [0] * (n - 1) + [1]:
        yield "start is not one"
    for x1, y1, x2, y2 in track["bounding_boxes"]:
        if not (0 <= x1 < x2 <= 1 and 0 <= y1 < y2 <= 1):
            yield f"box {(x1, y1, x2, y2)}"
    if {track["is_occluder"], *track["is_masked"]} - {0, 1}:
        yield "flags"


def _frame_faults(frames: Sequence[int], n_frames: int) -> Iterator[str]:
    if any(type(frame) is not int for frame in frames):
        yield "frame_ids are no whole numbers"
    elif any(b <= a for a, b in pairwise(frames)):
        yield "frame_ids do not rise"
    elif frames and (frames[0] < 0 or frames[-1] >= n_frames):
        yield "frame_ids beyond the video"


def _point_faults(point: dict[str, Any], n_tracks: int, about: dict[str, Any]) -> Iterator[str]:
    if set(point) != {"id", "label", "parent_objects", "frame_ids", "points"}:
        yield f"keys are {sorted(point)}"
        return
    yield from _frame_faults(point["frame_ids"], about["num_frames"])
    if [len(row) for row in point["points"]] != [len(point["frame_ids"])] * 2:
        yield "points are not two rows"
    if any(not 0 <= v <= 1 for row in point["points"] for v in row):
        yield "points beyond the picture"
    if any(not 0 <= parent < n_tracks for parent in point["parent_objects"]):
        yield "parents"


def _segment_faults(
    each: dict[str, Any], extra: set[str], n_tracks: int, n_frames: int
) -> Iterator[str]:
    if set(each) != _SEGMENT | extra:
        yield f"keys are {sorted(each)}"
        return
    (start, end), (first, last) = each["timestamps"], each["frame_ids"]
    if not start < end or not 0 <= first <= last <= n_frames:
        yield f"span {first}–{last}"
    if any(not -1 <= parent < n_tracks for parent in each["parent_objects"]):
        yield "parents"
    if extra and each["is_visible"] not in (0, 1):
        yield "is_visible"


def _choice_faults(each: dict[str, Any], is_test: bool) -> Iterator[str]:
    told = {"id", "question", "options"}
    if set(each) != (told if is_test else told | {"answer_id", "area", "reasoning", "tag"}):
        yield f"keys are {sorted(each)}"
        return
    options = each["options"]
    if len(options) != 3 or len({option.strip().casefold() for option in options}) != 3:
        yield f"options are {options}"
    if is_test:
        return
    if type(each["answer_id"]) is not int or not 0 <= each["answer_id"] < 3:
        yield "answer_id"
    if each["area"] not in PT_AREAS or each["reasoning"] not in PT_REASONING:
        yield "area or reasoning"
    if not 1 <= len(each["tag"]) <= 5 or set(each["tag"]) - PT_TAGS:
        yield f"tags {each['tag']}"


def _grounded_faults(each: dict[str, Any], n_tracks: int, is_test: bool) -> Iterator[str]:
    told = {"id", "question", "area", "reasoning"}
    if set(each) - {"tag"} - told - (set() if is_test else {"answers"}) or not told <= set(each):
        yield f"keys are {sorted(each)}"
        return
    if is_test:
        return
    if not each["answers"] or any(not 0 <= a < n_tracks for a in each["answers"]):
        yield f"answers {each['answers']}"


def cut_faults(path: Path, lengths: Mapping[str, int]) -> Iterator[str]:
    """Judge a cut-frame mapping; ``lengths`` are the videos with choices and their frames."""
    found = load(path)
    if set(found) != set(lengths):
        yield f"videos are {sorted(found)}"
    for name, cut in found.items():
        if type(cut) is not int or not (cut == -1 or 0 < cut <= lengths.get(name, 0)):
            yield f"{name}: cut at {cut}"


def answer_faults(path: Path, annotated: Path, *, is_wrapped: bool) -> Iterator[str]:
    """Judge a file of answers to multiple-choice questions against the file that asks them."""
    given, asked = load(path), load(annotated)
    for name, video in given.items():
        answers = video["mc_question"] if is_wrapped else video
        questions = asked[name]["mc_question"]
        if [each["id"] for each in answers] != [each["id"] for each in questions]:
            yield f"{name}: other questions"
            continue
        for answer, question in zip(answers, questions, strict=True):
            if set(answer) != {"id", "answer_id", "answer"}:
                yield f"{name}: keys are {sorted(answer)}"
            elif question["options"][answer["answer_id"]] != answer["answer"]:
                yield f"{name}: answer {answer['id']} is another option"


# --- PACS --------------------------------------------------------------------------------------

PACS_SPLITS: Final = ("train", "val", "test")


def pacs_faults(folder: Path) -> Iterator[str]:
    """Judge the files of a PACS data set."""
    objects, questions = load(folder / "objects.json"), load(folder / "questions.json")
    materials = load(folder / "mat_questions.json")
    for name, each in objects.items():
        yield from (f"{name}: {fault}" for fault in _object_faults(name, each))
    for name, each in questions.items():
        if not _is_named(name, "question", 4) or set(each) != {
            "properties",
            "question",
            "statement",
        }:
            yield f"{name}: name or keys"
        elif not each["properties"] or not all(isinstance(p, str) for p in each["properties"]):
            yield f"{name}: properties"
    yield from (f"{n}: name" for n in materials if not _is_named(n, "q", 4))
    seen: dict[str, str] = {}
    for split in PACS_SPLITS:
        for kind, bank in (("data", questions), ("mat", materials)):
            has_labels = (split, kind) != ("test", "data")
            for pair, points in load(folder / f"{split}_{kind}.json").items():
                for name in pair.split("_"):
                    if name not in objects or seen.setdefault(name, split) != split:
                        yield f"{split}, {pair}: {name}"
                yield from (
                    f"{split}, {pair}: {fault}" for fault in _pair_faults(points, bank, has_labels)
                )
    for source, clips in load(folder / "youtube_info.json").items():
        for name, (start, end, middle) in clips.items():
            if name not in objects or not start < end or middle != (start + end) // 2:
                yield f"{source}: {name}"


def _object_faults(name: str, each: dict[str, Any]) -> Iterator[str]:
    if not _is_named(name, "object", 4):
        yield "name"
    if set(each) != {"duration", "bounding_box", "materials", "fps"}:
        yield f"keys are {sorted(each)}"
        return
    box = each["bounding_box"]
    if [type(v) for v in box] != [int] * 4:
        yield f"box {box} is not of whole pixels"
    elif not (0 <= box[0] < box[2] <= 1280 and 0 <= box[1] < box[3] <= 720):
        yield f"box {box}"
    if type(each["duration"]) is not float or each["duration"] <= 0 or each["fps"] <= 0:
        yield "times"
    if not each["materials"] or not all(isinstance(m, str) and m for m in each["materials"]):
        yield "materials"


def _pair_faults(points: dict[str, Any], bank: dict[str, Any], has_labels: bool) -> Iterator[str]:
    for key, point in points.items():
        if key not in bank:
            yield f"{key} is not in the bank"
        if set(point) != ({"text", "label"} if has_labels else {"text"}):
            yield f"{key}: keys are {sorted(point)}"
        elif has_labels and (type(point["label"]) is not int or point["label"] not in (0, 1)):
            yield f"{key}: label {point['label']}"


def _is_named(name: str, prefix: str, digits: int) -> bool:
    number = name.removeprefix(prefix)
    return name.startswith(prefix) and len(number) == digits and number.isdigit()


# --- Neptune -----------------------------------------------------------------------------------

NEPTUNE_TYPES: Final = {
    *("Temporal Ordering", "Cause And Effect", "State Changes", "Visual Narrative"),
    *("Creator Intent", "Counting", "Predictive", "Goal Reasoning", "Comparison"),
    *("Identification", "Summarization", "Other"),
}


def neptune_faults(path: Path) -> Iterator[str]:
    """Judge a flat list of sets of question, answer and decoys."""
    found = load(path)
    if not isinstance(found, list):
        yield "no list on top"
        return
    choices = [f"answer_choice_{i}" for i in range(5)]
    wanted = {"key", "video_id", "question", "answer", *choices, "answer_id", "question type"}
    keys = [each.get("key") for each in found]
    if len(set(keys)) != len(keys):
        yield "a key twice"
    for each in found:
        where = each.get("key")
        if set(each) != wanted:
            yield f"{where}: keys are {sorted(each)}"
            continue
        texts = [each[choice] for choice in choices]
        if type(each["answer_id"]) is not int or not 0 <= each["answer_id"] < 5:
            yield f"{where}: answer_id {each['answer_id']}"
        elif texts[each["answer_id"]] != each["answer"]:
            yield f"{where}: the answer is another choice"
        if len(set(texts)) != 5 or not all(texts) or not each["question"]:
            yield f"{where}: texts"
        if each["question type"] not in NEPTUNE_TYPES:
            yield f"{where}: type {each['question type']}"
        if "/" in str(each["video_id"]):
            yield f"{where}: video_id {each['video_id']}"


# --- Video-TT ----------------------------------------------------------------------------------

VIDEO_TT_COLUMNS: Final = (
    *("qid", "video_id", "question_type", "capability", "question", "duration"),
    *("question_prompt", "answer", "youtube_url"),
)
VIDEO_TT_TYPES: Final = {
    "Primary Open-ended Question",
    "Paraphrased Open-ended Question",
    "Correctly-led Open-ended Question",
    "Wrongly-led Open-ended Question",
    "Multiple-choice Question with a Single Correct Answer",
}
VIDEO_TT_CAPABILITIES: Final = {
    *("Objective Causality", "Objective Causality (Videography Phenomenon & Illusion)"),
    *("Element Attributes (Optical Illusion)", "Displacement Attribute"),
    *("Plot Attribute (Montage)", "Plot Attribute", "Element Attributes", "Element Counting"),
    *("Professional Knowledge", "Character Motivation Causality", "Element Localization"),
    *("Character Reaction Causality", "Event Counting", "Local Event Attribute"),
    *("Event Localization", "Positional Relationship", "Event Duration & Speed Attribute"),
    "Character Emotion Attribute",
}


def video_tt_faults(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Judge rows of questions: five of each video, one of each type."""
    if len({row.get("qid") for row in rows}) != len(rows):
        yield "a qid twice"
    types: dict[str, list[str]] = {}
    for row in rows:
        where = row.get("qid")
        if tuple(row) != VIDEO_TT_COLUMNS or not all(isinstance(v, str) for v in row.values()):
            yield f"{where}: columns"
            continue
        types.setdefault(row["video_id"], []).append(row["question_type"])
        if row["capability"] not in VIDEO_TT_CAPABILITIES:
            yield f"{where}: capability {row['capability']}"
        if not row["question"] or not row["answer"]:
            yield f"{where}: texts"
        is_choice = row["question_type"].startswith("Multiple-choice")
        if is_choice and row["answer"] not in ("A", "B", "C", "D"):
            yield f"{where}: answer {row['answer']}"
    for video, found in types.items():
        if len(found) % 5 or set(found) != VIDEO_TT_TYPES:
            yield f"{video}: types are {sorted(found)}"


def is_near(one: float, other: float) -> bool:
    """Tell whether two figures are the same but for rounding."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
