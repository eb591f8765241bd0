"""Statistics of a data set: counts, distributions, and co-occurrence of labels.

Everything is computed from the facts about annotations; each bar and cell knows the rows behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from annotator.domain.errors import UserError
from annotator.domain.recipes.recipe import Tool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.dataset.facts import Fact, VideoFacts

    Rows = NDArray[np.int64]

QUESTIONS: Final = "questions"
VIDEOS: Final = "videos"
ATTRIBUTE: Final = "attribute "
"""Begins the key of a chart of the values of an attribute."""
VALUES: Final = "values of "
"""Begins the type of a count of the different values of a metadata column."""
UNKNOWN: Final = ""
"""Value of missing metadata."""

GRID: Final = 16
"""Cells of the position map, in each direction."""

CAMERA: Final = "camera"
SPLIT: Final = "split"
USES: Final = ("tracks", "in actions", "in sounds", "in answers")
_MOST_LABELS: Final = 30
_AT_ONCE: Final = 2000
_VIDEO_S: Final = (5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 60.0, 120.0, 300.0)
_LENGTH_S: Final = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0, 60.0)
_COUNTS: Final = (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 50.0)
_SHARES: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
_SIZES: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0)
_WORDS: Final = (1.0, 3.0, 5.0, 8.0, 12.0, 16.0, 24.0, 40.0)


class VideoStatistics(msgspec.Struct, frozen=True, gc=False):
    """A video with its metadata as text by column, and the facts about its annotations.

    ``done`` is the day of its last submission, None where there is none.
    """

    id: str
    name: str
    duration_s: float
    frame_rate: float
    metadata: dict[str, str]
    facts: VideoFacts
    done: date | None = None


class QuestionFacts(msgspec.Struct, frozen=True, gc=False):
    """A finished question about a video; ``video`` counts the videos from 0.

    ``objects`` are the tracks that answer it.
    """

    id: str
    kind: str
    video: int
    text: str
    groups: tuple[tuple[str, str], ...] = ()
    objects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueCount:
    """A value with the rows that it counts: of annotations of one tool, videos or questions."""

    name: str
    value: float
    rows: Rows


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars under one title; ``of`` says what their rows are. ``unit`` is that of the values.

    ``is_ranked``: from the most frequent down, as labels are; else in the order of a scale.
    """

    key: str
    of: str
    bars: tuple[ValueCount, ...]
    is_ranked: bool = False


@dataclass(frozen=True, slots=True)
class Matrix:
    """Counts by two things at once; ``rows_of`` returns the rows behind a cell.

    ``is_grid``: rows and columns are shares of the height and the width of the image.
    """

    key: str
    of: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    values: NDArray[np.int64]
    rows_of: Callable[[int, int], Rows]
    is_grid: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How much there is of one type of annotation."""

    kind: str
    videos: int
    annotations: int
    marks: int
    classes: int

    @property
    def mean(self) -> float:
        """Annotations in each video that has any."""
        return self.annotations / self.videos if self.videos else 0.0


@dataclass(slots=True)
class AnnotationArrays:
    """Facts of one tool over all videos, as arrays."""

    facts: list[Fact]
    video: NDArray[np.int64]
    label: NDArray[np.int64]
    labels: list[str]
    numbers: NDArray[np.float64]  # [n, 9]: start … height, as in Fact


def check_columns(asked: Iterable[str], metadata: Iterable[Mapping[str, str]]) -> None:
    """Raise UserError if a column is in the metadata of no video: it may be misspelled."""
    known = dict.fromkeys(column for row in metadata for column in row)
    unknown = next((column for column in asked if column not in known), None)
    if unknown is not None:
        hint = f"Columns: {', '.join(known)}." if known else "Import metadata of the videos first."
        raise UserError(f"No video has the metadata column “{unknown}”.", hint=hint)


@dataclass(slots=True)
class DataSet:
    """All facts of a data set, ready for statistics."""

    videos: list[VideoStatistics]
    questions: list[QuestionFacts] = field(default_factory=list)
    columns: dict[Tool, AnnotationArrays] = field(init=False)

    def __post_init__(self) -> None:
        self.columns = {tool: _columns(self.videos, tool) for tool in Tool}

    def only(self, keep: Callable[[VideoStatistics], bool]) -> DataSet:
        """Return the data set of some of the videos."""
        chosen = [i for i, video in enumerate(self.videos) if keep(video)]
        new = {old: i for i, old in enumerate(chosen)}
        questions = [
            QuestionFacts(q.id, q.kind, new[q.video], q.text, q.groups, q.objects)
            for q in self.questions
            if q.video in new
        ]
        return DataSet([self.videos[i] for i in chosen], questions)

    def release(self) -> None:
        """Free all rows in pieces, because freeing a large value blocks all threads."""
        for columns in self.columns.values():
            columns.facts.clear()
        for rows in (self.questions, self.videos):
            while rows:
                del rows[-_AT_ONCE:]

    def metadata_columns(self) -> list[str]:
        """Return the metadata columns that any video has, in the order they are met."""
        return list(dict.fromkeys(c for video in self.videos for c in video.metadata))

    def counts(self) -> list[Count]:
        """Return how much there is of each type of annotation, and of questions by type."""
        rows = []
        for tool in Tool:
            tool_column = self.columns[tool]
            n_marks = int(tool_column.numbers[:, 2].sum())
            used = len(np.unique(tool_column.label))
            rows.append(
                Count(
                    tool.value,
                    len(np.unique(tool_column.video)),
                    len(tool_column.facts),
                    n_marks,
                    used,
                )
            )
        for kind in dict.fromkeys(q.kind for q in self.questions):
            questions_of_kind = [q for q in self.questions if q.kind == kind]
            texts = len({q.text for q in questions_of_kind})
            rows.append(
                Count(
                    kind,
                    len({q.video for q in questions_of_kind}),
                    len(questions_of_kind),
                    0,
                    texts,
                )
            )
        for column in self.metadata_columns():
            values = [v.metadata[column] for v in self.videos if v.metadata.get(column)]
            if len(set(values)) < len(values):
                rows.append(Count(f"{VALUES}{column}", len(values), 0, 0, len(set(values))))
        return rows

    def charts(self) -> list[Chart]:
        """Return all charts that have something to show."""
        tracks, points = self.columns[Tool.BOXES], self.columns[Tool.POINTS]
        chart_list = [
            self._videos("video_duration", [v.duration_s for v in self.videos], _VIDEO_S, "s"),
            *(self._by_metadata(column) for column in self.metadata_columns()),
            *self._by_week(),
        ]
        for tool in Tool:
            chart_list.append(_labels(f"{tool.value}_labels", tool, self.columns[tool]))
        for tool in Tool:
            chart_list += _by_attribute(tool, self.columns[tool])
        per_video = np.bincount(tracks.video, minlength=len(self.videos))
        chart_list += [
            self._videos("objects_per_video", per_video.tolist(), (0.0, *_COUNTS), ""),
            self._seconds("track_length", Tool.BOXES),
            _histogram("track_occlusion", Tool.BOXES, _hidden(tracks), _SHARES, "share"),
            _histogram("box_size", Tool.BOXES, _sizes(tracks), _SIZES, ""),
            _histogram("point_occlusion", Tool.POINTS, _hidden(points), _SHARES, "share"),
            self._points_per_object(),
            self._seconds("action_duration", Tool.ACTIONS),
            self._seconds("sound_duration", Tool.SOUNDS),
            self._roles(),
        ]
        for column in dict.fromkeys(c for q in self.questions for c, _ in q.groups):
            chart_list.append(self._questions(column))
        if self.questions:
            words = [len(q.text.split()) for q in self.questions]
            chart_list.append(_histogram("question_words", QUESTIONS, np.array(words), _WORDS, ""))
        return [chart for chart in chart_list if any(bar.value for bar in chart.bars)]

    def action_sound(self) -> Matrix:
        """Return how often an action and a sound of a video have an object in common.

        The rows behind a cell are actions.
        """
        actions, sounds = self.columns[Tool.ACTIONS], self.columns[Tool.SOUNDS]
        n = max(1, len(sounds.facts))
        codes: list[int] = []
        first_action = first_sound = 0
        for video in self.videos:
            theirs = video.facts.get(Tool.ACTIONS, ()), video.facts.get(Tool.SOUNDS, ())
            by_object: dict[str, list[int]] = {}
            for j, fact in enumerate(theirs[1], first_sound):
                for object_name in set(fact.objects) - {""}:
                    by_object.setdefault(object_name, []).append(j)
            for i, fact in enumerate(theirs[0], first_action):
                object_ids = {
                    j
                    for object_name in fact.objects
                    if object_name
                    for j in by_object.get(object_name, ())
                }
                codes += [i * n + j for j in object_ids]
            first_action, first_sound = first_action + len(theirs[0]), first_sound + len(theirs[1])
        pairs = np.sort(np.fromiter(codes, np.int64, len(codes)))
        listed = np.stack([pairs // n, pairs % n], axis=1)
        values = np.zeros((len(actions.labels), len(sounds.labels)), np.int64)
        cells = actions.label[listed[:, 0]], sounds.label[listed[:, 1]]
        np.add.at(values, cells, 1)

        def rows_of(row: int, column: int) -> Rows:
            return np.unique(listed[(cells[0] == row) & (cells[1] == column), 0])

        return Matrix(
            "action_sound",
            Tool.ACTIONS,
            tuple(actions.labels),
            tuple(sounds.labels),
            values,
            rows_of,
        )

    def matrices(self) -> list[Matrix]:
        """Return all matrices that have something to show."""
        found = [self.action_sound(), self.label_pairs(), self.positions(), self.sizes()]
        found += [self.track_use(c) for c in (CAMERA, SPLIT) if c in self.metadata_columns()]
        return [matrix for matrix in found if matrix.values.any()]

    def label_pairs(self) -> Matrix:
        """Return in how many videos two labels of tracks occur together, of the most frequent.

        On the diagonal: how many videos have the label. The rows behind a cell are videos.
        """
        tracks = self.columns[Tool.BOXES]
        n = min(_MOST_LABELS, len(tracks.labels))
        is_there = np.zeros((len(self.videos), n), np.bool_)
        used = tracks.label < n
        is_there[tracks.video[used], tracks.label[used]] = True
        counts = is_there.astype(np.int64)
        names = tuple(tracks.labels[:n])

        def rows_of(row: int, column: int) -> Rows:
            return np.flatnonzero(is_there[:, row] & is_there[:, column])

        return Matrix("label_pairs", VIDEOS, names, names, counts.T @ counts, rows_of)

    def positions(self) -> Matrix:
        """Return how many tracks have the mean center of their boxes in each cell of a grid."""
        return self._on_grid("positions", 5, 6)

    def sizes(self) -> Matrix:
        """Return how many tracks have each mean width and height, as shares of the image."""
        return self._on_grid("sizes", 7, 8)

    def _on_grid(self, key: str, x: int, y: int) -> Matrix:
        tracks = self.columns[Tool.BOXES]
        cells = np.clip((tracks.numbers[:, (x, y)] * GRID).astype(np.int64), 0, GRID - 1)
        values = np.zeros((GRID, GRID), np.int64)
        np.add.at(values, (cells[:, 1], cells[:, 0]), 1)
        names = tuple(f"{i / GRID:.2f}" for i in range(GRID))

        def rows_of(row: int, column: int) -> Rows:
            return np.flatnonzero((cells[:, 1] == row) & (cells[:, 0] == column))

        return Matrix(key, Tool.BOXES, names, names, values, rows_of, is_grid=True)

    def track_use(self, column: str) -> Matrix:
        """Return for each value of a metadata column how many tracks there are, and how many of
        them play a role in actions, in sounds, and are answers to questions.
        """
        tracks = self.columns[Tool.BOXES]
        index = {
            (int(v), fact.id): i
            for i, (v, fact) in enumerate(zip(tracks.video, tracks.facts, strict=True))
        }
        used: dict[str, set[int]] = {}
        for name, tool in (("actions", Tool.ACTIONS), ("sounds", Tool.SOUNDS)):
            tool_column = self.columns[tool]
            used[name] = {
                index[int(v), o]
                for v, fact in zip(tool_column.video, tool_column.facts, strict=True)
                for o in fact.objects
                if (int(v), o) in index
            }
        used["answers"] = {
            index[q.video, o] for q in self.questions for o in q.objects if (q.video, o) in index
        }
        metadata_values = [video.metadata.get(column, UNKNOWN) for video in self.videos]
        names = sorted(set(metadata_values))
        number = {name: i for i, name in enumerate(names)}
        place = np.array([number[name] for name in metadata_values], np.int64)[tracks.video]
        is_used = np.ones((len(tracks.facts), len(USES)), np.bool_)
        for i, rows in enumerate(used.values(), 1):
            is_used[:, i] = False
            is_used[list(rows), i] = True
        values = np.zeros((len(names), len(USES)), np.int64)
        np.add.at(values, place, is_used.astype(np.int64))

        def rows_of(row: int, column: int) -> Rows:
            return np.flatnonzero((place == row) & is_used[:, column])

        return Matrix(f"tracks_by_{column}", Tool.BOXES, tuple(names), USES, values, rows_of)

    def _by_week(self) -> Iterator[Chart]:
        """Yield the submissions of each week with any: videos, and by type."""
        weeks = [_week(video.done) if video.done is not None else "" for video in self.videos]
        names = sorted(set(weeks) - {""})
        of_week = {name: i for i, name in enumerate(names)}
        place = np.array([of_week.get(week, -1) for week in weeks], np.int64)
        yield _in_order("videos_by_week", VIDEOS, names, place)
        for tool in Tool:
            rows = place[self.columns[tool].video] if len(self.columns[tool].facts) else place[:0]
            yield _in_order(f"{tool.value}_by_week", tool, names, rows)

    def _videos(
        self, key: str, values: Sequence[float], edges: Sequence[float], unit: str
    ) -> Chart:
        return _histogram(key, VIDEOS, np.array(values, np.float64), edges, unit)

    def _by_metadata(self, column: str) -> Chart:
        values = [video.metadata.get(column, UNKNOWN) for video in self.videos]
        return _ranked(f"videos_by_{column}", VIDEOS, values)

    def _seconds(self, key: str, tool: Tool) -> Chart:
        each = self.columns[tool]
        rates = np.array([video.frame_rate or 30.0 for video in self.videos])
        frames = (
            each.numbers[:, 3] if tool is Tool.BOXES else each.numbers[:, 1] - each.numbers[:, 0]
        )
        seconds = frames / rates[each.video] if len(each.facts) else frames
        return _histogram(key, tool, seconds, _LENGTH_S, "s")

    def _points_per_object(self) -> Chart:
        points, tracks = self.columns[Tool.POINTS], self.columns[Tool.BOXES]
        owned = Counter(
            (int(v), fact.objects[0])
            for v, fact in zip(points.video, points.facts, strict=True)
            if fact.objects
        )
        each = zip(tracks.video.tolist(), tracks.facts, strict=True)
        counts = np.fromiter((owned[v, f.id] for v, f in each), np.int64, len(tracks.facts))
        has_points = np.isin(tracks.video, np.unique(points.video))
        values = np.where(has_points, counts, -1)
        chart = _histogram("points_per_object", Tool.BOXES, values, (0.0, *_COUNTS), "")
        return Chart(chart.key, chart.of, chart.bars)

    def _roles(self) -> Chart:
        """Return how many roles of actions have an object, by the number of the role."""
        facts = self.columns[Tool.ACTIONS].facts
        n_roles = max((len(fact.objects) for fact in facts), default=0)
        bars = []
        for role in range(n_roles):
            rows = [i for i, f in enumerate(facts) if len(f.objects) > role and f.objects[role]]
            bars.append(ValueCount(f"{role + 1}", len(rows), np.array(rows, np.int64)))
        return Chart("action_roles", Tool.ACTIONS, tuple(bars))

    def _questions(self, column: str) -> Chart:
        rows: dict[str, list[int]] = {}
        for i, question in enumerate(self.questions):
            for name, value in question.groups:
                if name == column:
                    rows.setdefault(value, []).append(i)
        return _bars(f"questions_by_{column}", QUESTIONS, rows)


_numbers: Final = attrgetter(
    *("start", "end", "n_marks", "n_present", "n_hidden", "x", "y", "width", "height")
)


def _columns(videos: Sequence[VideoStatistics], tool: Tool) -> AnnotationArrays:
    facts = [fact for video in videos for fact in video.facts.get(tool, ())]
    counts = [len(video.facts.get(tool, ())) for video in videos]
    labels: dict[str, int] = {}
    for name, _ in Counter(fact.label for fact in facts).most_common():
        labels.setdefault(name, len(labels))
    n = len(facts)
    numbers = np.empty((n, 9))
    for start in range(0, n, _AT_ONCE):
        # In steps, since other threads wait while a list becomes an array.
        part = facts[start : start + _AT_ONCE]
        numbers[start : start + len(part)] = [_numbers(fact) for fact in part]
    return AnnotationArrays(
        facts,
        np.repeat(np.arange(len(videos)), counts),
        np.fromiter((labels[fact.label] for fact in facts), np.int64, n),
        list(labels),
        numbers,
    )


def _hidden(each: AnnotationArrays) -> NDArray[np.float64]:
    """Return the share of its frames on which each is occluded."""
    shares: NDArray[np.float64] = each.numbers[:, 4] / np.maximum(each.numbers[:, 3], 1)
    return shares


def _sizes(each: AnnotationArrays) -> NDArray[np.float64]:
    """Return the root of the share of the image that each covers."""
    sizes: NDArray[np.float64] = np.sqrt(each.numbers[:, 7] * each.numbers[:, 8])
    return sizes


def _labels(key: str, tool: Tool, each: AnnotationArrays) -> Chart:
    order = np.argsort(each.label, kind="stable")
    counts = np.bincount(each.label, minlength=len(each.labels))
    ends = np.cumsum(counts)
    bars = tuple(
        ValueCount(name, int(count), order[end - count : end])
        for name, count, end in zip(each.labels, counts.tolist(), ends.tolist(), strict=True)
    )
    return Chart(key, tool, bars, is_ranked=True)


def _by_attribute(tool: Tool, each: AnnotationArrays) -> Iterator[Chart]:
    """Yield for each attribute how many annotations have each value."""
    rows: dict[str, dict[str, list[int]]] = {}
    for i, fact in enumerate(each.facts):
        for key, value in fact.attributes:
            rows.setdefault(key, {}).setdefault(value, []).append(i)
    for key, found in rows.items():
        yield _bars(f"{ATTRIBUTE}{key}", tool, found)


def _ranked(key: str, of: str, values: Iterable[str]) -> Chart:
    rows: dict[str, list[int]] = {}
    for i, value in enumerate(values):
        rows.setdefault(value, []).append(i)
    return _bars(key, of, rows)


def _week(day: date) -> str:
    """Return the week of a day as ISO 8601 writes it: 2026-W47."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def _in_order(key: str, of: str, names: Sequence[str], place: NDArray[np.int64]) -> Chart:
    """Return how many rows are in each of several places, from 0; those at -1 in none."""
    found = (np.flatnonzero(place == i) for i in range(len(names)))
    bars = (ValueCount(name, len(rows), rows) for name, rows in zip(names, found, strict=True))
    return Chart(key, of, tuple(bars))


def _bars(key: str, of: str, rows: dict[str, list[int]]) -> Chart:
    ordered = sorted(rows.items(), key=lambda each: (-len(each[1]), each[0]))
    bars = (ValueCount(name, len(found), np.array(found, np.int64)) for name, found in ordered)
    return Chart(key, of, tuple(bars), is_ranked=True)


def _histogram(
    key: str, of: str, values: NDArray[np.float64], edges: Sequence[float], unit: str
) -> Chart:
    """Return how many values are up to each edge and above the one before; negative ones nowhere.

    The first bar begins at 0, the last has no end.
    """
    place = np.searchsorted(np.array(edges), values, side="left")
    place = np.where(values < 0, -1, place)
    bars = []
    for i in range(len(edges) + 1):
        rows = np.flatnonzero(place == i)
        bars.append(ValueCount(_range(edges, i, unit), len(rows), rows))
    while bars and not bars[-1].value:
        bars.pop()
    while bars and not bars[0].value:
        del bars[0]
    return Chart(key, of, tuple(bars))


def _range(edges: Sequence[float], i: int, unit: str) -> str:
    """Return the name of a bar: "up to 5 s", "5–10 s", "over 300 s"; shares in percent."""

    def number(value: float) -> str:
        return f"{value:.0%}" if unit == "share" else f"{value:g}"

    tail = f" {unit}" if unit not in ("", "share") else ""
    if i == len(edges):
        return f"> {number(edges[-1])}{tail}"
    if i == 0:
        return f"{'≤ ' if edges[0] else ''}{number(edges[0])}{tail}"
    is_whole = edges is _COUNTS or edges == (0.0, *_COUNTS)
    if is_whole:
        low = int(edges[i - 1]) + 1
        return f"{low}" if low == edges[i] else f"{low}–{number(edges[i])}"
    return f"{number(edges[i - 1])}–{number(edges[i])}{tail}"
