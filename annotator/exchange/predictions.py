"""Reads files with the results of a model, as the scorers of the challenges take them.

    object_tracking      {"video_1": [{"id", "bounding_boxes", "frame_ids"}]}
    point_tracking       {"video_1": {"point_tracking": [{"id", "points", "frame_ids"}]}}
    …_localisation       {"video_1": {"…": [{"label", "score", "timestamps"}]}}     in seconds
    mc_question          {"video_1": [{"id", "answer_id"}]}
    grounded_question    {"video_1": {"grounded_question": {"0": [{"id", "score", …}]}}}

A list under a video may as well be under its task. A file of annotations is read as results of
someone who is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from annotator.domain.annotation.segment import Lane
from annotator.domain.checks import Finding, Severity
from annotator.domain.errors import ExchangeError
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.plain_files import MAX_SECONDS
from annotator.exchange.node import Node, member_path
from annotator.exchange.perception_test.read import MAX_FRAMES
from annotator.exchange.perception_test.records import LANES, TASK_KEYS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.exchange.perception_test.records import VideoRecord

T = TypeVar("T")

_CERTAIN: Final = 1.0
_NUMBERS: Final = frozenset((int, float))
_MICROSECONDS: Final = 1e6
_LANE_OF: Final = {task: lane for lane, task in LANES.items()}
MANY: Final = "multi_object_tracking"
"""Task of tracks that are matched with those of the reference by overlap."""

OBJECTS, POINTS, CHOICES, GROUNDED = (
    *("object_tracking", "point_tracking"),
    *("mc_question", "grounded_question"),
)


@dataclass(frozen=True, slots=True, eq=False)
class PredictedBoxes:
    """Boxes [n, 4] of one object as fractions of the image, one for each of ``frames`` [n]."""

    frames: NDArray[np.int64]
    boxes: NDArray[np.float64]
    score: float = _CERTAIN


@dataclass(frozen=True, slots=True, eq=False)
class PredictedPoints:
    """Places [n, 2] of one point as (x, y), fractions of the image; visible on ``frames`` [n]."""

    frames: NDArray[np.int64]
    places: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PredictedSegment:
    """Action or sound in seconds; ``label`` is a name, or a label ID as text."""

    lane: Lane
    label: str
    start: float
    end: float
    score: float = _CERTAIN


@dataclass(frozen=True, slots=True)
class Predictions:
    """Results for one video; ``tasks`` are the tasks of the file, even if empty.

    Tracks, points, answers (numbers of options) and grounded answers are by the ID of the
    annotation they are results for. ``free`` are tracks without such an ID, as trackers of many
    objects write them.

    ``reference`` is what they are compared with if that is not the result, ``reference_tracks`` are
    its tracks in the project. ``shares`` are shares of right answers by question ID, of several
    people. If ``is_partial``, missing results do not count.
    """

    tasks: frozenset[str] = frozenset()
    tracks: dict[int, PredictedBoxes] = field(default_factory=dict)
    points: dict[int, PredictedPoints] = field(default_factory=dict)
    segments: tuple[PredictedSegment, ...] = ()
    answers: dict[int, int] = field(default_factory=dict)
    grounded: dict[int, tuple[PredictedBoxes, ...]] = field(default_factory=dict)
    free: tuple[PredictedBoxes, ...] = ()
    findings: tuple[Finding, ...] = ()
    reference: VideoRecord | None = None
    reference_tracks: tuple[str, ...] = ()
    shares: dict[int, float] = field(default_factory=dict)
    is_partial: bool = False


def read_predictions(name: str, value: Json) -> Predictions:
    """Return the results for one video; invalid records are left out with an ERROR.

    ExchangeError when nothing of the entry can be used.
    """
    node = Node(value, member_path("$", name))
    findings: list[Finding] = []
    tracks: dict[int, PredictedBoxes] = {}
    points: dict[int, PredictedPoints] = {}
    answers: dict[int, int] = {}
    grounded: dict[int, tuple[PredictedBoxes, ...]] = {}
    segments: list[PredictedSegment] = []
    parts = dict(_parts(node))
    for task, part in parts.items():
        if task == OBJECTS:
            _by_id(part, _boxes, tracks, findings)
        elif task == POINTS:
            _by_id(part, _points, points, findings)
        elif task == CHOICES:
            _by_id(part, _answer, answers, findings)
        elif task == GROUNDED:
            _grounded(part, tracks, grounded, findings)
        else:
            segments += _read_each(part, _segment_reader(_LANE_OF[task]), findings)
    return Predictions(
        frozenset(parts),
        tracks,
        points,
        tuple(segments),
        answers,
        grounded,
        findings=tuple(findings),
    )


def _parts(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield what an entry has for each task."""
    if isinstance(node.value, dict):
        tasks = [task for task in TASK_KEYS if node.has(task)]
        if not tasks and node.value:
            raise node.fail(f"The entry has none of the keys {', '.join(TASK_KEYS)}.")
        for task in tasks:
            yield task, node.key(task)
        return
    records = node.items()
    first = records[0] if records else None
    if first is None or first.has("bounding_boxes"):
        yield OBJECTS, node
    elif first.has("answer_id"):
        yield CHOICES, node
    else:
        raise first.fail("The record has neither boxes nor an answer.")


def _read_each(part: Node, read: Callable[[Node], T], findings: list[Finding]) -> list[T]:
    found: list[T] = []
    for node in part.items():
        try:
            found.append(read(node))
        except ExchangeError as error:
            where = error.where or node.path
            findings.append(Finding("bad-record", where, error.text, Severity.ERROR))
    return found


def _by_id(
    part: Node, read: Callable[[Node], T], found: dict[int, T], findings: list[Finding]
) -> None:
    def one(node: Node) -> None:
        number = node.key("id").whole()
        if number in found:
            raise node.key("id").fail(f"The ID {number} occurs twice; the first one counts.")
        found[number] = read(node)

    _read_each(part, one, findings)


def _frames(node: Node) -> NDArray[np.int64]:
    frames = node.key("frame_ids").ascending().wholes()
    if frames and not 0 <= frames[0] <= frames[-1] <= MAX_FRAMES:
        raise node.key("frame_ids").fail(f"Frame numbers must be from 0 to {MAX_FRAMES}.")
    return np.array(frames, np.int64)


def _numbers(node: Node, shape: tuple[int, int]) -> NDArray[np.float64]:
    """Return a table of finite numbers."""
    value = node.value
    if (
        isinstance(value, list)
        and len(value) == shape[0]
        and all(type(row) is list and len(row) == shape[1] for row in value)
        and set(map(type, chain.from_iterable(value))) <= _NUMBERS  # type: ignore[arg-type]
    ):
        usual = _finite(value, shape)
        if usual is not None:
            return usual
    # Anything else is looked at number by number, to say where it is wrong.
    rows = [row.counted(shape[1]).numbers() for row in node.counted(shape[0]).items()]
    numbers = _finite(rows, shape)
    if numbers is None:
        raise node.fail("All numbers must be finite.")
    return numbers


def _finite(rows: object, shape: tuple[int, int]) -> NDArray[np.float64] | None:
    """Return a table as an array, None where a number is not finite."""
    try:
        found = np.array(rows, np.float64).reshape(shape)
    except OverflowError:
        return None
    return found if np.isfinite(found).all() else None


def _boxes(node: Node) -> PredictedBoxes:
    frames = _frames(node)
    boxes = _numbers(node.key("bounding_boxes"), (len(frames), 4))
    if (boxes[:, :2] > boxes[:, 2:]).any():
        raise node.key("bounding_boxes").fail("Boxes must be [x1, y1, x2, y2], x1 ≤ x2, y1 ≤ y2.")
    return PredictedBoxes(frames, np.clip(boxes, 0.0, 1.0), _score(node))


def _points(node: Node) -> PredictedPoints:
    frames = _frames(node)
    ys_xs = _numbers(node.key("points"), (2, len(frames)))
    return PredictedPoints(frames, ys_xs[::-1].T)


def _answer(node: Node) -> int:
    return node.key("answer_id").whole()


def _score(node: Node) -> float:
    """Return how sure a record is: a number, also as text."""
    if not node.has("score"):
        return _CERTAIN
    told = node.key("score")
    try:
        value = float(told.text() if isinstance(told.value, str) else told.number())
    except (ValueError, OverflowError):
        raise told.fail("The score must be a number.") from None
    if not np.isfinite(value):
        raise told.fail("The score must be finite.")
    return value


def _segment_reader(lane: Lane) -> Callable[[Node], PredictedSegment]:
    def read(node: Node) -> PredictedSegment:
        is_annotation = node.has("label_id")
        label_node = node.key("label")
        label = str(label_node.whole()) if isinstance(label_node.value, int) else label_node.text()
        times = node.key("timestamps").counted(2)
        try:
            start, end = (float(bound) for bound in times.numbers())
        except OverflowError:
            raise times.fail("All numbers must be finite.") from None
        if not 0 <= start <= end:
            raise times.fail("The segment must not end before it starts.")
        unit = _MICROSECONDS if is_annotation else 1.0
        if end / unit > MAX_SECONDS:
            raise times.fail(f"The segment must end within {MAX_SECONDS:,.0f} seconds.")
        return PredictedSegment(lane, label, start / unit, end / unit, _score(node))

    return read


def _grounded(
    part: Node,
    tracks: dict[int, PredictedBoxes],
    boxes_of: dict[int, tuple[PredictedBoxes, ...]],
    findings: list[Finding],
) -> None:
    """Read tracks by question, or the questions of annotations, which name tracks."""
    if isinstance(part.value, list):

        def named(node: Node) -> tuple[PredictedBoxes, ...]:
            answers = node.key("answers").wholes()
            return tuple(tracks[number] for number in answers if number in tracks)

        _by_id(part, named, boxes_of, findings)
        return
    for key in part.object():
        node = part.key(key)
        if not key.isdecimal() or len(key) > 9:
            text = "Questions are named by their ID."
            findings.append(Finding("bad-record", node.path, text, Severity.ERROR))
            continue
        try:
            boxes_of[int(key)] = tuple(_read_each(node, _boxes, findings))
        except ExchangeError as error:
            findings.append(
                Finding("bad-record", error.where or node.path, error.text, Severity.ERROR)
            )
