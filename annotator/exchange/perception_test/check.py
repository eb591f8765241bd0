"""Validates a Perception Test file by the rules of the format alone.

Shares no code with reading and writing, so that a mistake there is not repeated here. What the
official loaders and scorers cannot read is an ERROR, unusual content a WARNING.

Object tracks are checked for all tracks of an entry at once; track by track where the answer is no.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import lt
from typing import Any, Final

import numpy as np

from annotator.domain.checks import Finding, Severity

_TASKS: Final = (
    "object_tracking",
    "point_tracking",
    "action_localisation",
    "sound_localisation",
    "mc_question",
    "grounded_question",
)
_METADATA: Final[dict[str, type | tuple[type, ...]]] = {
    "split": str,
    "video_id": str,
    "frame_rate": (int, float),
    "num_frames": int,
    "resolution": list,
    "audio_samples": int,
    "audio_sample_rate": (int, float),
    "is_cup_game": int,
    "is_camera_moving": int,
}
AREAS: Final = ("physics", "semantics", "abstraction", "memory")
REASONINGS: Final = ("descriptive", "explanatory", "predictive", "counterfactual")
_TAGS: Final = frozenset(
    (
        *("change detection", "event recall", "sequencing", "visual discrimination"),
        *("action counting", "event counting", "feature matching", "object counting"),
        *("pattern breaking", "pattern discovery"),
        *("collision", "conservation", "containment", "material", "motion", "occlusion"),
        *("object attributes", "object permanence", "quantity", "solidity"),
        *("spatial relations", "stability"),
        *("action recognition", "adversarial action", "color recognition", "distractor action"),
        *("distractor object", "general knowledge", "language", "object recognition"),
        *("part recognition", "place recognition", "state recognition", "task completion"),
    )
)
_OFFICIAL_NAME: Final = re.compile(r"video_\d+")


def check_file(content: object) -> Iterator[Finding]:
    """Yield every rule that a parsed file breaks, by path."""
    if not isinstance(content, dict):
        yield _error("$", "The top level must be an object with one key per video.")
        return
    labels: dict[str, dict[object, set[object]]] = {}
    for name, entry in content.items():
        yield from check_entry(str(name), entry, labels)
    yield from check_labels(labels)


def check_labels(labels: Mapping[str, Mapping[object, set[object]]]) -> Iterator[Finding]:
    """Yield where numbers and labels, collected by task, are not one to one."""
    for task, known in labels.items():
        numbers: dict[object, list[object]] = {}
        for number, names in known.items():
            if len(names) > 1:
                shown = ", ".join(f"“{name}”" for name in sorted(map(str, names)))
                yield _error("$", f"{task}: label_id {number} is used for several labels: {shown}.")
            for name in names:
                numbers.setdefault(name, []).append(number)
        for name, found in numbers.items():
            if len(found) > 1:
                shown = ", ".join(sorted(map(str, found)))
                yield _error("$", f"{task}: the label “{name}” has several IDs: {shown}.")


def check_entry(
    name: str,
    entry: object,
    labels: dict[str, dict[object, set[object]]] | None = None,
    *,
    is_json: bool = False,
) -> Iterator[Finding]:
    """Yield every rule that the entry of one video breaks; ``labels`` collects label ids.

    ``is_json``: it was parsed by a reader that takes nothing else, so all numbers are finite.
    """
    path = f"$.{name}"
    if not isinstance(entry, dict):
        yield _error(path, "An entry must be an object.")
        return
    for key in ("metadata", *_TASKS):
        if key not in entry:
            yield _error(path, f"The key {key} is missing. Data loaders require it.")
    if any(not isinstance(entry.get(task, []), list) for task in _TASKS):
        yield _error(path, "Each task must be a list.")
        return
    metadata = entry.get("metadata")
    facts = metadata if isinstance(metadata, dict) else {}
    yield from _metadata(name, facts, f"{path}.metadata")
    if not is_json:
        yield from _not_a_number(entry, path)
    is_sound = are_sound(entry.get("object_tracking", ()), facts)
    for task in _TASKS:
        for i, record in enumerate(entry.get(task, [])):
            place = f"{path}.{task}[{i}]"
            if not isinstance(record, dict):
                yield _error(place, "A record must be an object.")
                continue
            if record.get("id") != i:
                yield _error(place, f"The id must be {i}, the position in the list.")
            if task == "object_tracking":
                yield from _object(record, place)
                if not is_sound:
                    yield from _object_lists(record, facts, place)
            elif task == "point_tracking":
                yield from _points(record, facts, place)
                yield from _references(record.get("parent_objects"), entry, place)
            elif task in ("action_localisation", "sound_localisation"):
                yield from _segment(record, facts, place, has_sound=task.startswith("sound"))
                yield from _references(record.get("parent_objects"), entry, place)
                if labels is not None:
                    known_labels = labels.setdefault(task, {})
                    known_labels.setdefault(record.get("label_id"), set()).add(record.get("label"))
            elif task == "mc_question":
                yield from _choice(record, place)
                yield from _question(record, place)
            else:
                yield from _question(record, place)
                yield from _references(record.get("answers", []), entry, place, may_lack=False)


def _metadata(name: str, facts: Mapping[str, object], path: str) -> Iterator[Finding]:
    for key, kind in _METADATA.items():
        value = facts.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            yield _error(f"{path}.{key}", f"Missing value or wrong type: {value!r:.40}.")
    if facts.get("split") not in ("train", "valid", "test"):
        yield _error(f"{path}.split", "The split must be train, valid or test.")
    if facts.get("video_id") != name:
        yield _error(f"{path}.video_id", f"Must be {name}, the key of the entry.")
    elif not _OFFICIAL_NAME.fullmatch(name):
        text = "Official names have the form video_ and a number."
        yield Finding("unusual", f"{path}.video_id", text, Severity.NOTE)
    sizes = facts.get("resolution")
    if isinstance(sizes, list) and (
        len(sizes) != 2 or not all(isinstance(v, int) and v > 0 for v in sizes)
    ):
        yield _error(f"{path}.resolution", "The resolution must be [height, width].")


def _object(record: Mapping[str, object], path: str) -> Iterator[Finding]:
    if not isinstance(record.get("label"), str):
        yield _error(f"{path}.label", "The label must be text.")
    elif not str(record["label"]).strip():
        yield _warning(f"{path}.label", "The object has no name.")
    if record.get("is_occluder") not in (0, 1):
        yield _error(f"{path}.is_occluder", "Must be 0 or 1.")


def _object_lists(
    record: Mapping[str, object], facts: Mapping[str, object], path: str
) -> Iterator[Finding]:
    frames = record.get("frame_ids")
    if not isinstance(frames, list) or not frames:
        yield _error(f"{path}.frame_ids", "Must be a list with at least one frame.")
        return
    for key in ("bounding_boxes", "initial_tracking_box", "timestamps", "is_masked"):
        values = record.get(key)
        if not isinstance(values, list) or len(values) != len(frames):
            yield _error(
                f"{path}.{key}", f"Must have {len(frames)} entries, the length of frame_ids."
            )
            return
    yield from _frames(frames, facts, f"{path}.frame_ids")
    yield from _times(record["timestamps"], frames, facts, f"{path}.timestamps")
    for key in ("initial_tracking_box", "is_masked"):
        if not _all_flags(record[key]):
            yield _error(f"{path}.{key}", "Entries must be 0 or 1.")
    start = record["initial_tracking_box"]
    if isinstance(start, list) and start.count(1) != 1:
        yield _error(f"{path}.initial_tracking_box", "Exactly one entry must be 1.")
    boxes = record["bounding_boxes"]
    for i, box in enumerate(boxes if isinstance(boxes, list) else []):
        yield from _box(box, f"{path}.bounding_boxes[{i}]")


def _box(box: object, path: str) -> Iterator[Finding]:
    if not isinstance(box, list) or len(box) != 4 or not all(map(_is_number, box)):
        yield _error(path, "A box must be four numbers: [x1, y1, x2, y2].")
        return
    x1, y1, x2, y2 = box
    if not (0 <= x1 <= x2 <= 1 and 0 <= y1 <= y2 <= 1):
        yield _error(path, "Box coordinates must be within 0..1, with x1 <= x2 and y1 <= y2.")
    elif x1 == x2 or y1 == y2:
        yield _error(path, "The box has zero area. The official scorer fails on such boxes.")


def _points(
    record: Mapping[str, object], facts: Mapping[str, object], path: str
) -> Iterator[Finding]:
    frames, points = record.get("frame_ids"), record.get("points")
    if not isinstance(frames, list) or not isinstance(points, list) or len(points) != 2:
        yield _error(path, "frame_ids must be a list, and points must be two rows: y, x.")
        return
    yield from _frames(frames, facts, f"{path}.frame_ids")
    for i, row in enumerate(points):
        if not isinstance(row, list) or len(row) != len(frames):
            yield _error(f"{path}.points[{i}]", f"Must have {len(frames)} entries.")
        elif not (_are_all(float, row) and min(row) >= 0 and max(row) <= 1) and not all(
            _is_number(v) and 0 <= v <= 1 for v in row
        ):
            yield _warning(f"{path}.points[{i}]", "A point is outside 0..1.")


def _segment(
    record: Mapping[str, object], facts: Mapping[str, object], path: str, *, has_sound: bool
) -> Iterator[Finding]:
    number = record.get("label_id")
    if not isinstance(number, int) or isinstance(number, bool):
        yield _error(f"{path}.label_id", "Must be an integer.")
    if not isinstance(record.get("label"), str) or not record["label"]:
        yield _error(f"{path}.label", "Must be text.")
    times, frames = record.get("timestamps"), record.get("frame_ids")
    for key, ends in (("timestamps", times), ("frame_ids", frames)):
        if not isinstance(ends, list) or len(ends) != 2 or not all(map(_is_number, ends)):
            yield _error(f"{path}.{key}", "Must be two numbers, start and end.")
            return
        if ends[0] < 0 or ends[1] < ends[0]:
            yield _error(
                f"{path}.{key}", "Must not be negative, and the end must not be before the start."
            )
    if isinstance(times, list) and times[0] == times[1]:
        yield _warning(f"{path}.timestamps", "The segment has zero duration.")
    count = facts.get("num_frames")
    if isinstance(frames, list) and isinstance(count, int) and frames[1] > count:
        yield _error(f"{path}.frame_ids", f"The segment ends after the video ({count} frames).")
    if has_sound and record.get("is_visible") not in (0, 1):
        yield _error(f"{path}.is_visible", "Must be 0 or 1.")


def _choice(record: Mapping[str, object], path: str) -> Iterator[Finding]:
    options = record.get("options")
    if not isinstance(options, list) or len(set(map(str, options))) != 3 or len(options) != 3:
        yield _warning(f"{path}.options", "Expected three different options.")
    answer = record.get("answer_id", 0)
    if not isinstance(answer, int) or not 0 <= answer < len(
        options if isinstance(options, list) else []
    ):
        yield _error(f"{path}.answer_id", "Must be the index of an option.")


def _question(record: Mapping[str, object], path: str) -> Iterator[Finding]:
    question = record.get("question")
    if not isinstance(question, str) or not question.strip():
        yield _error(f"{path}.question", "Must be text.")
    if record.get("area", "physics") not in AREAS:
        yield _warning(f"{path}.area", "Unknown area.")
    if record.get("reasoning", "descriptive") not in REASONINGS:
        yield _warning(f"{path}.reasoning", "Unknown reasoning type.")
    tags = record.get("tag", [])
    for tag in tags if isinstance(tags, list) else [tags]:
        if tag not in _TAGS:
            yield _warning(f"{path}.tag", f"Unknown tag: {tag!r:.40}.")


def _references(
    value: object, entry: Mapping[str, object], path: str, *, may_lack: bool = True
) -> Iterator[Finding]:
    objects = entry.get("object_tracking")
    count = len(objects) if isinstance(objects, list) else 0
    for number in value if isinstance(value, list) else [value]:
        is_index = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < count
        if not is_index and not (may_lack and number in (-1, None)):
            yield _error(path, f"Unknown object ID {number}.")


def _frames(frames: list[object], facts: Mapping[str, object], path: str) -> Iterator[Finding]:
    count = facts.get("num_frames")
    last = -1
    is_sound = _are_all(int, frames) and frames[0] >= 0 and _ascend(frames)  # type: ignore[operator]
    for i, frame in enumerate([] if is_sound else frames):
        if not isinstance(frame, int) or isinstance(frame, bool) or frame <= last:
            yield _error(f"{path}[{i}]", "Frames must be integers ≥ 0 in ascending order.")
            return
        last = frame
    last = frames[-1] if is_sound else last  # type: ignore[assignment]
    if isinstance(count, int) and last >= count:
        yield _error(f"{path}[{len(frames) - 1}]", f"The video has {count} frames.")


def _times(
    times: object, frames: list[object], facts: Mapping[str, object], path: str
) -> Iterator[Finding]:
    values = times if isinstance(times, list) else []
    last = -1.0
    is_sound = _are_all(int, values) and values[0] >= 0 and _ascend(values)
    for i, time in enumerate([] if is_sound else values):
        if not _is_number(time) or time <= last:
            yield _error(f"{path}[{i}]", "Times must be numbers in ascending order.")
            return
        last = time
    rate = facts.get("frame_rate")
    if not isinstance(rate, int | float) or rate <= 0:
        return
    slack = SLACK_FRAMES / rate * 1e6
    for i, (time, frame) in enumerate(zip(values, frames, strict=True)):
        expected = frame / rate * 1e6 if isinstance(frame, int) else time
        if abs(time - expected) > slack:
            text = (
                f"The time {time:.0f} µs does not match frame {frame} at {rate:g} frames per "
                "second."
            )
            yield _warning(f"{path}[{i}]", text)
            return


def _not_a_number(value: object, path: str) -> Iterator[Finding]:
    if isinstance(value, float) and not math.isfinite(value):
        yield _error(path, "NaN and infinity are not allowed in JSON.")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _not_a_number(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _not_a_number(item, f"{path}[{i}]")


def _all_flags(values: object) -> bool:
    if not isinstance(values, list):
        return False
    is_sound = _are_all(int, values) and min(values) >= 0 and max(values) <= 1
    return is_sound or all(v in (0, 1) and not isinstance(v, bool) for v in values)


def _are_all(kind: type, values: list[object]) -> bool:
    return set(map(type, values)) == {kind}


def _ascend(values: list[object]) -> bool:
    return all(map(lt, values, islice(values, 1, None)))  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _error(path: str, text: str) -> Finding:
    return Finding("broken-rule", path, text, Severity.ERROR)


def _warning(path: str, text: str) -> Finding:
    return Finding("unusual", path, text)


SLACK_FRAMES: Final = 1.5
"""How far a time may lie from frame / rate in a video of constant rate."""

_NUMBERS: Final = frozenset((int, float))


def are_sound(records: Sequence[object], facts: Mapping[str, object]) -> bool:
    """Return whether frames, times, boxes and flags of all tracks are beyond doubt."""
    count, rate = facts.get("num_frames"), facts.get("frame_rate")
    if type(count) is not int or type(rate) not in _NUMBERS or not rate > 0:  # type: ignore[operator]
        return False
    columns: list[list[Any]] = []
    for key in ("frame_ids", "timestamps", "bounding_boxes", "initial_tracking_box", "is_masked"):
        values = [r.get(key) for r in records if isinstance(r, dict)]
        if len(values) != len(records) or set(map(type, values)) != {list}:
            return False
        columns.append(values)
    frames, times, boxes, starts, masks = columns
    lengths = list(map(len, frames))
    if not all(lengths) or any(list(map(len, column)) != lengths for column in columns):
        return False
    flags = list(chain.from_iterable(chain(starts, masks)))
    if set(map(type, flags)) != {int} or min(flags) < 0 or max(flags) > 1:
        return False
    if any(start.count(1) != 1 for start in starts):
        return False
    return _are_in_order(frames, times, lengths, count, rate) and _are_boxes(boxes)  # type: ignore[arg-type]


def _are_in_order(
    frames: list[list[Any]],
    times: list[list[Any]],
    lengths: list[int],
    count: int,
    rate: float,
) -> bool:
    """Return whether frames and times ascend within each track, and belong together."""
    all_frames, all_times = list(chain(*frames)), list(chain(*times))
    if set(map(type, all_frames)) != {int} or not set(map(type, all_times)) <= _NUMBERS:
        return False
    if min(all_frames) < 0 or max(all_frames) >= count or min(all_times) < 0:
        return False
    frame, time = np.array(all_frames, np.float64), np.array(all_times, np.float64)
    is_first = np.zeros(len(frame), np.bool_)
    is_first[np.cumsum([0, *lengths[:-1]])] = True
    is_after = (frame[1:] > frame[:-1]) & (time[1:] > time[:-1])
    is_near = np.abs(time - frame / rate * 1e6) <= SLACK_FRAMES / rate * 1e6
    return bool((is_after | is_first[1:]).all() and is_near.all())


def _are_boxes(boxes: list[list[Any]]) -> bool:
    """Return whether all are four numbers that make a box with area inside the picture."""
    rows = list(chain(*boxes))
    if set(map(type, rows)) != {list} or set(map(len, rows)) != {4}:
        return False
    numbers = list(chain(*rows))
    if set(map(type, numbers)) != {float}:
        return False
    corners = np.array(numbers, np.float64).reshape(-1, 4)
    is_inside = (corners >= 0).all() and (corners <= 1).all()
    return bool(is_inside and (corners[:, :2] < corners[:, 2:]).all())
