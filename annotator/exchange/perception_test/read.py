"""Reads entries of a Perception Test file into records; faults are reported by path.

Boxes have had two layouts. Current: n entries of (x1, y1, x2, y2). Legacy, before August 2023: four
rows (y2, x2, y1, x1) of n numbers. Only with n == 4 can a list be read both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import Final, TypeVar

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.fractions import MAX_BEYOND
from annotator.exchange.node import Node, member_path, walk
from annotator.exchange.perception_test.read_usual import (
    MAX_LABEL_ID,
    MAX_TIME_US,
    usual_objects,
    usual_segment,
)
from annotator.exchange.perception_test.records import (
    LANES,
    NO_OBJECT,
    POINT_KEYS,
    TASK_KEYS,
    FourNumbers,
    ObjectColumns,
    ObjectRecord,
    PointRecord,
    SegmentRecord,
    VideoRecord,
)

T = TypeVar("T")

# What no video has: numbers beyond come from damage, and would keep a program busy for years.
MAX_SIDE_PX: Final = 65_536
MAX_FRAMES: Final = 20_000_000
MIN_RATE: Final = 0.001
MAX_RATE: Final = 100_000.0


def read_video(name: str, value: Json) -> VideoRecord:
    """Return the entry of one video; invalid parts become findings.

    Findings of severity ERROR mean that records were left out. ExchangeError where the entry as a
    whole cannot be used (no object, wrong metadata).
    """
    return _VideoReader(name, Node(value, member_path("$", name))).read()


class _VideoReader:
    """Reads one entry; collects findings on the way."""

    def __init__(self, name: str, node: Node) -> None:
        self.name = name
        self.node = node
        self.findings: list[Finding] = []
        self.n_frames: int | None = None
        self.is_test = False
        self.ids: set[int] = set()
        self.lost_ids: set[int] = set()
        self.columns: ObjectColumns | None = None

    def read(self) -> VideoRecord:
        entry = self.node.object()
        metadata = self.node.key("metadata") if "metadata" in entry else Node({}, self.node.path)
        facts = dict(metadata.object())
        size, rate = self._metadata(metadata, facts)
        for key in TASK_KEYS:
            if key in entry:
                self.node.key(key).items()
        objects = self._usual_objects() or self._read_each("object_tracking", self._object)
        points = self._read_each("point_tracking", self._points)
        segments = [
            segment
            for lane, key in LANES.items()
            for segment in self._read_each(key, partial(self._segment, lane))
        ]
        raw_entries = {
            "mc_question": self._read_each("mc_question", self._choice),
            "grounded_question": self._read_each("grounded_question", self._grounded),
        }
        return VideoRecord(
            self.name,
            self.node.path,
            facts,
            size,
            self.n_frames,
            rate,
            tuple(objects),
            tuple(points),
            tuple(segments),
            {task: records for task, records in raw_entries.items() if records},
            {k: v for k, v in entry.items() if k not in TASK_KEYS and k != "metadata"},
            tuple(self.findings),
            self.columns,
        )

    def _read_each(self, task: str, read: Callable[[Node], T]) -> list[T]:
        """Return what ``read`` makes of each record of a task; a bad one becomes a finding."""
        found: list[T] = []
        for index, node in enumerate(walk(self.node, task)):
            try:
                found.append(read(node))
            except ExchangeError as error:
                where = error.where or node.path
                self.findings.append(Finding("bad-record", where, error.text, Severity.ERROR))
                if task == "object_tracking":
                    self._remember_lost(index, node.value)
        return found

    def _remember_lost(self, index: int, value: Json) -> None:
        """Note the ids by which others may refer to an object that is left out."""
        said = value.get("id") if isinstance(value, dict) else None
        self.lost_ids |= {n for n in (index, said) if isinstance(n, int)}

    def _warn(self, code: str, node: Node, text: str) -> None:
        self.findings.append(Finding(code, node.path, text))

    def _metadata(
        self, node: Node, facts: dict[str, Json]
    ) -> tuple[tuple[int, int] | None, float | None]:
        """Return size and rate after checking what the metadata say; flags become 0 or 1."""
        size = rate = None
        if node.has("resolution"):
            height, width = node.key("resolution").counted(2).wholes()
            if not (1 <= height <= MAX_SIDE_PX and 1 <= width <= MAX_SIDE_PX):
                text = f"The resolution must be [height, width], each from 1 to {MAX_SIDE_PX}."
                raise node.key("resolution").fail(text)
            size = (width, height)
        if node.has("num_frames"):
            self.n_frames = node.key("num_frames").whole()
            if not 1 <= self.n_frames <= MAX_FRAMES:
                raise node.key("num_frames").fail(
                    f"The number of frames must be from 1 to {MAX_FRAMES}."
                )
        if node.has("frame_rate"):
            rate = float(node.key("frame_rate").number())
            if not MIN_RATE <= rate <= MAX_RATE:
                text = (
                    f"The frame rate must be from {MIN_RATE:g} to {MAX_RATE:g} frames per second."
                )
                raise node.key("frame_rate").fail(text)
        for key in ("is_cup_game", "is_camera_moving"):
            if node.has(key):
                facts[key] = int(node.key(key).flag())
        if node.has("split"):
            self.is_test = node.key("split").text() == "test"
        if node.has("video_id") and node.key("video_id").text() != self.name:
            text = f"The name differs from the entry key {self.name}. Data loaders use this name."
            self._warn("other-video-id", node.key("video_id"), text)
        return size, rate

    def _id(self, node: Node, taken: set[int]) -> int:
        number = node.key("id").whole()
        if number in taken or number < 0:
            text = f"The ID {number} is " + ("negative." if number < 0 else "used twice.")
            raise node.key("id").fail(text)
        return number

    def _frames(self, node: Node) -> tuple[int, ...]:
        frames = node.ascending().wholes()
        self._in_video(node, frames, self.n_frames)
        return tuple(frames)

    def _in_video(self, node: Node, frames: Sequence[int], end: int | None) -> None:
        if not frames or (min(frames) >= 0 and (end is None or max(frames) < end)):
            return
        for i, frame in enumerate(frames):
            if frame < 0 or (end is not None and frame >= end):
                bad = Node(None, f"{node.path}[{i}]")
                raise bad.fail(
                    f"Frame {frame} does not exist in the video ({self.n_frames} frames)."
                )

    def _usual_objects(self) -> list[ObjectRecord] | None:
        if not self.node.has("object_tracking"):
            return None
        node = self.node.key("object_tracking")
        found = usual_objects(node, self.n_frames, is_test=self.is_test)
        if found is None:
            return None
        objects, self.columns = found
        self.ids.update(item.id for item in objects)
        return objects

    def _object(self, node: Node) -> ObjectRecord:
        number = self._id(node, self.ids)
        frames = self._frames(node.key("frame_ids"))
        count = len(frames)
        if not count:
            raise node.key("frame_ids").fail("Cannot import the object: it has no frames.")
        boxes, is_legacy, doubt = read_boxes(node.key("bounding_boxes"), count)
        raw = dict(node.object())
        if is_legacy:
            raw["bounding_boxes"] = [list(box) for box in boxes]
        masked = [False] * count
        if node.has("is_masked"):
            masked = node.key("is_masked").counted(count).flags()
            raw["is_masked"] = [int(flag) for flag in masked]
        if node.has("is_occluder"):
            raw["is_occluder"] = int(node.key("is_occluder").flag())
        if node.has("timestamps"):
            node.key("timestamps").counted(count).ascending()
        if node.has("initial_tracking_box"):
            start = node.key("initial_tracking_box").counted(count)
            if sum(start.flags()) != 1:
                raise start.fail("Exactly one box must be marked as initial: one 1, all others 0.")
            raw["initial_tracking_box"] = [int(flag) for flag in start.flags()]
        record = ObjectRecord(
            number,
            node.path,
            node.key("label").text(),
            bool(raw.get("is_occluder", 0)),
            frames,
            list(map(list, boxes)),
            tuple(masked),
            count == 1 and (self.is_test or not node.has("initial_tracking_box")),
            raw,
        )
        self.ids.add(number)
        self._doubts(node, record, is_legacy, doubt)
        return record

    def _doubts(self, node: Node, record: ObjectRecord, is_legacy: bool, doubt: str | None) -> None:
        if not node.path.endswith(f"[{record.id}]"):
            text = f"The ID {record.id} is not the list position. Exports use the list position."
            self._warn("id-not-index", node.key("id"), text)
        boxes = node.key("bounding_boxes")
        if doubt:
            self._warn("ambiguous-layout", boxes, doubt)
        elif is_legacy:
            self._warn(
                "legacy-layout",
                boxes,
                "The file uses the old, transposed layout. Exports use the new layout.",
            )
        for i, box in enumerate(record.boxes):
            x1, y1, x2, y2 = box
            if 0 <= x1 <= x2 <= 1 and 0 <= y1 <= y2 <= 1 and (x2 - x1) * (y2 - y1) > 0:
                continue
            place = Node(None, f"{boxes.path}[{i}]")
            if _area_inside(box) <= 0:
                text = (
                    f"The box on frame {record.frames[i]} has no area inside the image and "
                    "was skipped."
                )
                self._warn("empty-box", place, text)
            elif min(box) < 0 or max(box) > 1:
                text = "The box extends outside the image and was clipped."
                self._warn("box-outside", place, text)

    def _parents(self, node: Node) -> tuple[int, ...]:
        """Return the object ids a record names; one that points nowhere is an error."""
        if not isinstance(node.value, list):
            node.whole()
        items = node.items() if isinstance(node.value, list) else [node]
        for item in items:
            number = item.whole()
            if number in self.ids or number == NO_OBJECT:
                continue
            if number in self.lost_ids:
                self._warn(
                    "lost-object",
                    item,
                    f"Object {number} was skipped; the reference was removed.",
                )
            else:
                raise item.fail(f"Unknown object ID {number} in this video.")
        return tuple(item.whole() for item in items)

    def _segment(self, lane: Lane, node: Node) -> SegmentRecord:
        usual = usual_segment(lane, node, self.ids | {NO_OBJECT}, self.n_frames)
        if usual is not None:
            return usual
        times = node.key("timestamps").counted(2)
        first, last = times.numbers()
        if first < 0 or last < first:
            raise times.fail(f"Invalid segment: from {first} to {last} µs.")
        if last > MAX_TIME_US:
            raise times.fail(f"Invalid time: {last:g} µs is longer than any video.")
        ends = node.key("frame_ids").counted(2)
        start, end = ends.wholes()
        if end < start:
            raise ends.fail(f"Invalid segment: from frame {start} to {end}.")
        self._in_video(ends, [start], self.n_frames)
        self._in_video(ends, [start, end], None if self.n_frames is None else self.n_frames + 1)
        raw = dict(node.object())
        node.key("id").whole()
        if node.has("is_visible"):
            raw["is_visible"] = int(node.key("is_visible").flag())
        parents = self._parents(node.key("parent_objects")) if node.has("parent_objects") else ()
        label = node.key("label").text()
        if not label:
            raise node.key("label").fail("The label is missing.")
        visible = bool(raw.get("is_visible", 1))
        label_id = node.key("label_id").whole()
        if not 0 <= label_id <= MAX_LABEL_ID:
            raise node.key("label_id").fail(f"The label ID must be from 0 to {MAX_LABEL_ID}.")
        ends_us = (first, last)
        return SegmentRecord(
            node.path, lane, label, label_id, parents, (start, end), ends_us, visible, raw
        )

    def _points(self, node: Node) -> PointRecord:
        node.key("id").whole()
        label = node.key("label").text()
        frames = self._frames(node.key("frame_ids"))
        if not frames:
            raise node.key("frame_ids").fail("Cannot import the point: it has no frames.")
        xs, ys = self._places(node.key("points"), len(frames))
        parents: int | tuple[int, ...] | None = None
        if node.has("parent_objects"):
            named = node.key("parent_objects")
            found = self._parents(named)
            parents = found if isinstance(named.value, list) else found[0]
        unknown = {key: value for key, value in node.object().items() if key not in POINT_KEYS}
        return PointRecord(node.path, label, parents, frames, xs, ys, unknown)

    def _places(self, node: Node, count: int) -> tuple[list[int | float], list[int | float]]:
        """Return x and y of ``count`` places; two points can be read both ways: as two rows."""
        rows = node.items()
        if len(rows) == 2 and all(row.count() == count for row in rows):
            ys, xs = (row.numbers() for row in rows)
        else:
            pairs = [row.counted(2).numbers() for row in node.counted(count).items()]
            ys, xs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            self._warn(
                "point-layout",
                node,
                "The points are stored as pairs. Exports use two rows: y, x.",
            )
        low, high = min(min(xs), min(ys)), max(max(xs), max(ys))
        if max(-low, high) > MAX_BEYOND:
            raise node.fail(f"A point is more than {MAX_BEYOND:g} image sizes outside the image.")
        if low < 0 or high > 1:
            self._warn("point-outside", node, "A point is outside the image; its position is kept.")
        return xs, ys

    def _choice(self, node: Node) -> dict[str, Json]:
        node.key("id").whole()
        node.key("question").text()
        options = node.key("options").items()
        for option in options:
            option.text()
        if node.has("answer_id"):
            answer = node.key("answer_id").whole()
            if not 0 <= answer < len(options):
                raise node.key("answer_id").fail(f"Unknown option index {answer}.")
        return node.object()

    def _grounded(self, node: Node) -> dict[str, Json]:
        node.key("id").whole()
        node.key("question").text()
        if node.has("answers"):
            node.key("answers").items()
            self._parents(node.key("answers"))
        return node.object()


def _area_inside(box: FourNumbers) -> float:
    x1, y1, x2, y2 = (min(max(v, 0.0), 1.0) for v in box)
    return (x2 - x1) * (y2 - y1)


_LEGACY_ORDER = (3, 2, 1, 0)
"""The legacy row in which x1, y1, x2 and y2 stand."""


def read_boxes(node: Node, count: int) -> tuple[tuple[FourNumbers, ...], bool, str | None]:
    """Return ``count`` boxes as (x1, y1, x2, y2), whether the layout was legacy, and a doubt.

    ExchangeError where neither layout gives boxes with x1 <= x2 and y1 <= y2.
    """
    usual = _usual(node.value, count)
    if usual is not None:
        return _checked(node, usual), False, None
    rows = node.items()
    is_legacy_shape = len(rows) == 4 and all(row.count() == count for row in rows)
    if not is_legacy_shape:
        return _checked(node, _current(node, count)), False, None
    legacy = _legacy(rows)
    if count != 4:
        return _checked(node, legacy), True, None
    current = _current(node, count)
    fit_current, fit_legacy = _is_sound(current), _is_sound(legacy)
    if not fit_legacy:
        return _checked(node, current), False, None
    if not fit_current:
        return legacy, True, None
    is_legacy = _restlessness(legacy) < _restlessness(current)
    name = "old, transposed" if is_legacy else "current"
    doubt = f"Ambiguous layout of four boxes: the {name} layout was used because it gives"
    return (
        (legacy if is_legacy else current),
        is_legacy,
        f"{doubt} smoother motion. Check this track.",
    )


def _usual(value: Json, count: int) -> tuple[FourNumbers, ...] | None:
    """Return boxes that can be read in one way only: without a path for each of millions."""
    if not isinstance(value, list) or count in (0, 4) or len(value) != count:
        return None
    if set(map(type, value)) != {list} or set(map(len, value)) != {4}:  # type: ignore[arg-type]
        return None
    if not set(map(type, chain.from_iterable(value))) <= {int, float}:  # type: ignore[arg-type]
        return None
    return tuple(map(tuple, value))  # type: ignore[arg-type]


def _current(node: Node, count: int) -> tuple[FourNumbers, ...]:
    rows = [row.counted(4).numbers() for row in node.counted(count).items()]
    return tuple((a, b, c, d) for a, b, c, d in rows)


def _legacy(rows: list[Node]) -> tuple[FourNumbers, ...]:
    x1, y1, x2, y2 = (rows[i].numbers() for i in _LEGACY_ORDER)
    return tuple(zip(x1, y1, x2, y2, strict=True))


def _checked(node: Node, boxes: tuple[FourNumbers, ...]) -> tuple[FourNumbers, ...]:
    for i, (x1, y1, x2, y2) in enumerate(boxes):
        if x1 > x2 or y1 > y2:
            bad = Node(None, f"{node.path}[{i}]")
            raise bad.fail("Invalid box: expected [x1, y1, x2, y2] with x1 <= x2 and y1 <= y2.")
    return boxes


def _is_sound(boxes: tuple[FourNumbers, ...]) -> bool:
    return all(x1 <= x2 and y1 <= y2 for x1, y1, x2, y2 in boxes)


def _restlessness(boxes: tuple[FourNumbers, ...]) -> float:
    """Return how far the edges move in all; a reading without area moves infinitely far."""
    if any(x1 == x2 or y1 == y2 for x1, y1, x2, y2 in boxes):
        return float("inf")
    steps = (
        abs(b - a) for first, then in pairwise(boxes) for a, b in zip(first, then, strict=True)
    )
    return sum(steps)
