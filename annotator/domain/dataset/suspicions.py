"""Detectors of suspicious annotations over a whole data set.

Detectors look at facts and at what scans and evaluations left, so that all of them together take
seconds for a full data set. More of them can be installed as plug-ins, see
`annotator.services.dataset.issue_queue`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from annotator.domain.dataset.facts import Fact
from annotator.domain.dataset.signals import Signal
from annotator.domain.dataset.statistics import DataSet
from annotator.domain.recipes.recipe import Tool

_FEW: Final = 20
_LEAST_SPREAD: Final = 0.05
_LANES: Final = (Tool.ACTIONS, Tool.SOUNDS)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Something that may be wrong, with its place.

    ``key`` is the same whenever it is found again. ``severity`` is 0..1. ``video`` counts the
    videos of the data set from 0.
    """

    key: str
    detector: str
    severity: float
    video: int
    text: str
    frame: int = 0
    tool: Tool | None = None
    mark_id: str = ""


class Scored(NamedTuple):
    """A track with its overlap (0..1) with the predictions of models and with other raters."""

    video: int
    track_id: str
    label: str
    frame: int
    models: dict[str, float]
    people: dict[str, float]


@dataclass(frozen=True, slots=True)
class Extra:
    """Data besides facts, by video.

    Hours and agreement (0..1) of tasks with their type, signs of the last scan, and tracks with
    the scores of the last evaluation.
    """

    hours: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    agreement: dict[int, list[tuple[str, float]]] = field(default_factory=dict)
    signs: dict[int, list[Signal]] = field(default_factory=dict)
    scores: list[Scored] = field(default_factory=list)


Find = Callable[[DataSet, Extra, float], Iterator[Suspicion]]


@dataclass(frozen=True, slots=True)
class Detector:
    """A rule that finds suspicious annotations; ``limit`` is adjustable, in ``unit``."""

    key: str
    title: str
    rule: str
    limit: float
    unit: str
    find: Find


def _short_segments(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    for tool in _LANES:
        for video, fact in _facts(data, tool):
            n = fact.end - fact.start
            if n < limit:
                text = f"“{fact.label}” lasts {n} {'frame' if n == 1 else 'frames'}."
                yield _about("short-segment", 0.5, video, fact, tool, text)


def _absent_objects(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    for video, row in enumerate(data.videos):
        tracks = {fact.id: fact for fact in row.facts.get(Tool.BOXES, ())}
        for tool in _LANES:
            for fact in row.facts.get(tool, ()):
                yield from _absent(video, tool, fact, tracks, limit)


def _absent(
    video: int, tool: Tool, fact: Fact, tracks: Mapping[str, Fact], limit: float
) -> Iterator[Suspicion]:
    for name in set(fact.objects) - {""}:
        track = tracks.get(name)
        if track is None:
            text = f"“{fact.label}”: an object of its roles does not exist."
            yield _about("absent-object", 1.0, video, fact, tool, text, name)
            continue
        gap = max(track.start - fact.end, fact.start - track.end)
        if gap >= limit:
            text = f"“{fact.label}”: “{track.label}” is not in the image meanwhile."
            yield _about("absent-object", 0.8, video, fact, tool, text, name)


def _duplicates(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    for video, row in enumerate(data.videos):
        facts = row.facts.get(Tool.BOXES, [])
        for i, one in enumerate(facts):
            for other in facts[i + 1 :]:
                if _overlap(one, other) >= limit and _common(one, other) >= limit:
                    is_same = one.label == other.label
                    text = f"“{other.label}” has nearly the same boxes as “{one.label}”."
                    severity = 0.9 if is_same else 0.6
                    yield _about(
                        "duplicate-track", severity, video, other, Tool.BOXES, text, one.id
                    )


def _rare_labels(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    for tool in Tool:
        counts = Counter(fact.label for _, fact in _facts(data, tool))
        frequent = [label for label, n in counts.items() if n >= limit]
        rare = {
            label: near
            for label, n in counts.items()
            if n <= 2 and (near := _near(label, frequent)) is not None
        }
        for video, fact in _facts(data, tool):
            if fact.label in rare:
                text = f"“{fact.label}” is rare; “{rare[fact.label]}” occurs often."
                yield _about("rare-label", 0.7, video, fact, tool, text)


def _rare_pairs(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    matrix = data.action_sound()
    totals = matrix.values.sum(axis=1)
    actions = data.columns[Tool.ACTIONS]
    for row, column in zip(*(i.tolist() for i in matrix.values.nonzero()), strict=True):
        n, total = int(matrix.values[row, column]), int(totals[row])
        if total < 20 or n / total > limit / 100:
            continue
        names = matrix.row_names[row], matrix.column_names[column]
        for i in matrix.rows_of(row, column).tolist():
            text = f"“{names[0]}” has an object in common with “{names[1]}”: {n} of {total} times."
            yield _about(
                "rare-pair",
                0.4,
                int(actions.video[i]),
                actions.facts[i],
                Tool.ACTIONS,
                text,
                names[1],
            )


def _still_boxes(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    for video, fact in _facts(data, Tool.BOXES):
        seconds = fact.n_present / (data.videos[video].frame_rate or 30.0)
        if fact.n_marks == 1 and seconds > limit:
            text = f"“{fact.label}” has one keyframe for {seconds:.0f} s."
            yield _about("single-keyframe", 0.3, video, fact, Tool.BOXES, text)


def _few_agree(data: DataSet, extra: Extra, limit: float) -> Iterator[Suspicion]:
    for video, found in extra.agreement.items():
        for kind, value in found:
            if value < limit:
                text = f"{kind}: the last two submissions agree by {value:.2f}."
                key = f"disagreement:{data.videos[video].id}:{kind}"
                yield Suspicion(key, "disagreement", 1 - value, video, text)


def _fast_tasks(data: DataSet, extra: Extra, limit: float) -> Iterator[Suspicion]:
    by_kind: dict[str, list[float]] = {}
    for found in extra.hours.values():
        for kind, hours in found:
            by_kind.setdefault(kind, []).append(hours)
    usual = {kind: median(values) for kind, values in by_kind.items() if len(values) >= 5}
    for video, found in extra.hours.items():
        for kind, hours in found:
            if kind in usual and hours < usual[kind] * limit / 100:
                minutes, all_minutes = 60 * hours, 60 * usual[kind]
                text = f"{kind}: {minutes:.1f} min, usually {all_minutes:.1f} min."
                key = f"fast-task:{data.videos[video].id}:{kind}"
                yield Suspicion(key, "fast-task", 0.6, video, text)


def _signs(key: str, severity: float, *, is_low: bool = False) -> Find:
    """Return how to find the signs of a detector that reach its limit, or stay below it."""

    def find(data: DataSet, extra: Extra, limit: float) -> Iterator[Suspicion]:
        for video, signs in extra.signs.items():
            for sign in signs:
                is_beyond = sign.value < limit if is_low else sign.value >= limit
                if sign.detector == key and is_beyond:
                    mark = sign.mark_id if sign.tool is not None else ""
                    name = f"{key}:{sign.mark_id}"
                    yield Suspicion(
                        name, key, severity, video, sign.text, sign.frame, sign.tool, mark
                    )

    return find


def _scored(key: str, scored: Scored, severity: float, text: str) -> Suspicion:
    name, place = f"{key}:{scored.track_id}", (scored.frame, Tool.BOXES, scored.track_id)
    return Suspicion(name, key, severity, scored.video, f"“{scored.label}”: {text}", *place)


def _people_differ(_: DataSet, extra: Extra, limit: float) -> Iterator[Suspicion]:
    for each in extra.scores:
        value = min(each.people.values(), default=1.0)
        if value < limit:
            text = f"the boxes of two people overlap by {value:.2f}."
            yield _scored("people-differ", each, 1 - value, text)


def _models_differ(_: DataSet, extra: Extra, limit: float) -> Iterator[Suspicion]:
    for each in extra.scores:
        if len(each.models) < 2:
            continue
        best, worst = (f(each.models, key=lambda m: each.models[m]) for f in (max, min))
        gap = each.models[best] - each.models[worst]
        if gap >= limit:
            told = ", ".join(f"{name} {each.models[name]:.2f}" for name in (best, worst))
            yield _scored("models-differ", each, 0.5 * gap, f"models differ ({told}).")


def _models_against_people(_: DataSet, extra: Extra, limit: float) -> Iterator[Suspicion]:
    for each in extra.scores:
        best = max(each.models.values(), default=1.0)
        if best < limit:
            text = f"no model overlaps by more than {best:.2f}."
            yield _scored("no-model-agrees", each, 0.9 - 0.5 * best, text)


def _unusual_sizes(data: DataSet, _: Extra, limit: float) -> Iterator[Suspicion]:
    """Compare the root of the mean area of each track with those of its label, in log scale."""
    tracks = data.columns[Tool.BOXES]
    areas = tracks.numbers[:, 7] * tracks.numbers[:, 8]
    sizes = np.log(np.where(areas > 0, areas, np.nan)) / 2
    for label in range(len(tracks.labels)):
        rows = np.flatnonzero((tracks.label == label) & (areas > 0))
        if len(rows) < _FEW:
            continue
        away = sizes[rows] - np.median(sizes[rows])
        spread = 1.4826 * float(np.median(np.abs(away)))
        if spread <= 0:
            continue
        off = away / max(spread, _LEAST_SPREAD)
        for k in np.flatnonzero(np.abs(off) >= limit).tolist():
            row = int(rows[k])
            fact, word = tracks.facts[row], "larger" if away[k] > 0 else "smaller"
            times = float(np.exp(abs(away[k])))
            text = f"“{fact.label}” is {times:.1f} times {word} than usual."
            severity = min(0.8, 0.3 + abs(float(off[k])) / 40)
            place = int(tracks.video[row])
            yield _about("unusual-size", severity, place, fact, Tool.BOXES, text)


DETECTORS: Final = (
    Detector(
        "absent-object",
        "Object not in the image",
        "An object in a role is in the image during its action or sound.",
        1,
        "frames",
        _absent_objects,
    ),
    Detector(
        "duplicate-track",
        "Duplicate track",
        "No two tracks of a video have nearly the same mean box and the same frames.",
        0.85,
        "overlap",
        _duplicates,
    ),
    Detector(
        "disagreement",
        "Low agreement",
        "The last two submissions of a task agree.",
        0.5,
        "agreement",
        _few_agree,
    ),
    Detector(
        "rare-label",
        "Possible misspelling",
        "No label that occurs once or twice is nearly that of a frequent one.",
        10,
        "times",
        _rare_labels,
    ),
    Detector(
        "fast-task",
        "Implausibly fast task",
        "No task took much less than the usual time of its type.",
        20,
        "percent",
        _fast_tasks,
    ),
    Detector(
        "short-segment",
        "Short segment",
        "Every action and sound lasts at least this long.",
        3,
        "frames",
        _short_segments,
    ),
    Detector(
        "rare-pair",
        "Unusual action and sound",
        "Actions share objects only with sounds that usually occur with them.",
        2,
        "percent",
        _rare_pairs,
    ),
    Detector(
        "single-keyframe",
        "Single keyframe",
        "No object is in the image for long with one keyframe only.",
        20,
        "seconds",
        _still_boxes,
    ),
    Detector(
        "unusual-size",
        "Unusual size",
        "No track is much larger or smaller than other tracks of its label.",
        4,
        "deviations",
        _unusual_sizes,
    ),
    Detector(
        "answer-contradicts",
        "Answer contradicts tracks",
        "Answers equal those that the rules of the recipe compute from the tracks.",
        1,
        "differences",
        _signs("answer-contradicts", 0.95),
    ),
    Detector(
        "jump",
        "Jumping box",
        "No box leaves both its neighbors in time and comes back.",
        2,
        "box sizes",
        _signs("jump", 0.7),
    ),
    Detector(
        "apart-objects",
        "Roles far apart",
        "Objects in the roles of an action or sound come near each other.",
        0.15,
        "of the diagonal",
        _signs("apart-objects", 0.6),
    ),
    Detector(
        "still-box",
        "Still box",
        "A box that does not move keeps its image.",
        0.8,
        "change",
        _signs("still-box", 0.65),
    ),
    Detector(
        "no-onset",
        "No onset",
        "A sound starts within 0.3 s of a rise in loudness.",
        6,
        "dB",
        _signs("no-onset", 0.45, is_low=True),
    ),
    Detector(
        "people-differ",
        "People differ",
        "The boxes of two people on the same object overlap.",
        0.6,
        "IoU",
        _people_differ,
    ),
    Detector(
        "models-differ",
        "Models differ",
        "Models agree on how well they follow an object.",
        0.5,
        "IoU",
        _models_differ,
    ),
    Detector(
        "no-model-agrees",
        "No model agrees",
        "At least one model follows the object.",
        0.2,
        "IoU",
        _models_against_people,
    ),
)
"""The detectors that come with the program."""


def _facts(data: DataSet, tool: Tool) -> Iterator[tuple[int, Fact]]:
    for video, row in enumerate(data.videos):
        for fact in row.facts.get(tool, ()):
            yield video, fact


def _about(
    detector: str,
    severity: float,
    video: int,
    fact: Fact,
    tool: Tool,
    text: str,
    more: str = "",
) -> Suspicion:
    key = f"{detector}:{fact.id}" + (f":{more}" if more else "")
    return Suspicion(key, detector, severity, video, text, fact.start, tool, fact.id)


def _overlap(one: Fact, other: Fact) -> float:
    """Return the IoU of two mean boxes."""
    width = min(one.x + one.width / 2, other.x + other.width / 2) - max(
        one.x - one.width / 2, other.x - other.width / 2
    )
    height = min(one.y + one.height / 2, other.y + other.height / 2) - max(
        one.y - one.height / 2, other.y - other.height / 2
    )
    both = max(0.0, width) * max(0.0, height)
    together = one.width * one.height + other.width * other.height - both
    return both / together if together > 0 else 0.0


def _common(one: Fact, other: Fact) -> float:
    """Return the share of common frames of two lives."""
    both = max(0, min(one.end, other.end) - max(one.start, other.start))
    together = one.end - one.start + other.end - other.start - both
    return both / together if together else 0.0


def _near(label: str, others: list[str]) -> str | None:
    """Return a label that differs in one letter, or in case and blanks only."""
    plain = _plain(label)
    for other in others:
        if other != label and (_plain(other) == plain or _is_one_off(plain, _plain(other))):
            return other
    return None


def _plain(text: str) -> str:
    return "".join(text.lower().split())


def _is_one_off(one: str, other: str) -> bool:
    """Return whether one letter was changed, left out or put in; short words differ too easily."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 5 or one[-1:].isdigit():
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    return one[start + 1 :] == other[start + 1 :] or (
        one[start:] == other[start + 1 :] or one[start + 1 :] == other[start:]
    )
