"""Splits of a data set: groups of videos that stay together, and how even a split of them is.

The objective is that of the Perception Test: with t the achieved share of an attribute divided by
the target share, max (1 - t)² + mean (1 - t)² over all attributes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.dataset.statistics import check_columns
from annotator.domain.errors import UserError
from annotator.domain.recipes.recipe import Tool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.dataset.statistics import DataSet

    Numbers = NDArray[np.float64]

VIDEOS: Final = "videos"
FEWEST: Final = 3
"""Attributes of fewer annotations cannot be split evenly and are left out."""


@dataclass(frozen=True, slots=True)
class SplitWish:
    """Requirements for a split.

    ``shares`` are the target fractions by name of the split, in order. Videos with the same values
    in all of ``together`` stay together, as do those that have a value of one of ``apart`` in
    common. ``pinned`` says the split of single videos by name. ``columns`` are the metadata that
    are to be even besides labels. ``tolerance`` is how far an attribute may be from its target.
    """

    shares: Mapping[str, float]
    together: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    pinned: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    tolerance: float = 0.25
    seed: int = 1
    time_limit_s: float = 60.0

    def check(self) -> None:
        """Raise UserError where the wish makes no sense."""
        if len(self.shares) < 2:
            raise UserError(
                "A split needs at least two parts.", hint="For example train=0.7 and test=0.3."
            )
        if min(self.shares.values()) <= 0 or abs(sum(self.shares.values()) - 1) > 1e-6:
            raise UserError("The fractions of the splits must be positive and add up to 1.")
        unknown = sorted(set(self.pinned.values()) - set(self.shares))
        if unknown:
            text = f"A video is fixed to “{unknown[0]}”, which is not one of the splits."
            raise UserError(text, hint=f"Splits: {', '.join(self.shares)}.")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Videos that stay together, and how much of each attribute every group has.

    ``members`` are places of videos in the data set by group; ``counts`` [groups, attributes].
    ``fixed`` is the split of a group, "" for one that is free. ``left_out`` are attributes with
    too few annotations, with their totals.
    """

    members: tuple[tuple[int, ...], ...]
    attributes: tuple[str, ...]
    counts: Numbers
    fixed: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Achieved:
    """How much of an attribute a split got; ``ratio`` is the achieved by the target share."""

    attribute: str
    split: str
    count: int
    total: int
    share: float
    target: float
    ratio: float


def group_videos(data: DataSet, wish: SplitWish) -> Groups:
    """Return the groups of a data set.

    UserError for an unknown column, and where fixed videos of a group contradict.
    """
    wish.check()
    columns = (*wish.together, *wish.apart, *wish.columns)
    check_columns(columns, [video.metadata for video in data.videos])
    names = {video.name for video in data.videos}
    stems = {name.rpartition(".")[0] or name for name in names}
    lost = sorted(name for name in wish.pinned if name not in names | stems)
    if lost:
        raise UserError(f"Cannot fix “{lost[0]}”: the project has no such video.")
    parents = list(range(len(data.videos)))

    def find(i: int) -> int:
        while parents[i] != i:
            parents[i] = parents[parents[i]]
            i = parents[i]
        return i

    keys = [wish.together] if wish.together else []
    keys += [(column,) for column in wish.apart]
    for columns in keys:
        first: dict[tuple[str, ...], int] = {}
        for i, video in enumerate(data.videos):
            values = tuple(video.metadata.get(column, "") for column in columns)
            if any(values):  # what nothing is known of stays alone
                parents[find(i)] = find(first.setdefault(values, i))
    by_root: dict[int, list[int]] = {}
    for i in range(len(data.videos)):
        by_root.setdefault(find(i), []).append(i)
    members = tuple(tuple(rows) for rows in by_root.values())
    place = {i: g for g, rows in enumerate(members) for i in rows}
    attributes, counts, left_out = _counted(data, wish.columns, place, len(members))
    return Groups(members, attributes, counts, tuple(_fixed(data, wish, members)), left_out)


def _fixed(data: DataSet, wish: SplitWish, members: Sequence[tuple[int, ...]]) -> Iterator[str]:
    for rows in members:
        told: dict[str, str] = {}
        for i in rows:
            name = data.videos[i].name
            for each in (name, name.rpartition(".")[0]):
                if each in wish.pinned:
                    told[wish.pinned[each]] = name
        if len(told) > 1:
            (one, first), (other, second) = list(told.items())[:2]
            text = f"“{first}” is fixed to “{one}” and “{second}” to “{other}”, but both belong "
            raise UserError(text + "to one group.", hint="Fix only one of them.")
        yield next(iter(told), "")


def _counted(
    data: DataSet, columns: Iterable[str], place: Mapping[int, int], n_groups: int
) -> tuple[tuple[str, ...], Numbers, tuple[tuple[str, int], ...]]:
    """Return the attributes with their counts by group, and those that are too rare."""
    counts_of: dict[str, Counter[int]] = {
        VIDEOS: Counter(place[i] for i in range(len(data.videos)))
    }

    def add(attribute: str, video: int) -> None:
        counts_of.setdefault(attribute, Counter())[place[video]] += 1

    for column in columns:
        for i, video in enumerate(data.videos):
            value = video.metadata.get(column, "")
            if value:
                add(f"{column}: {value}", i)
    for tool in (Tool.BOXES, Tool.POINTS):
        for video_of in data.columns[tool].video.tolist():
            add(tool.value, video_of)
    for tool in (Tool.ACTIONS, Tool.SOUNDS):
        tool_column = data.columns[tool]
        for video_of, label in zip(
            tool_column.video.tolist(), tool_column.label.tolist(), strict=True
        ):
            add(f"{tool.value}: {tool_column.labels[label]}", video_of)
    for question in data.questions:
        add(f"{question.kind}: {question.text}", question.video)
    kept_names = [name for name, counts in counts_of.items() if counts.total() >= FEWEST]
    rare = tuple((name, c.total()) for name, c in counts_of.items() if c.total() < FEWEST)
    counts = np.zeros((n_groups, len(kept_names)))
    for k, name in enumerate(kept_names):
        for g, n in counts_of[name].items():
            counts[g, k] = n
    return tuple(kept_names), counts, rare


def objective(counts: Numbers, chosen: NDArray[np.bool_], share: float) -> float:
    """Return how uneven a choice of groups is: 0 where every attribute meets its share."""
    off = np.square(1 - counts[chosen].sum(axis=0) / (share * counts.sum(axis=0)))
    return float(off.max() + off.mean())


def least_objective(counts: Numbers, share: float) -> float:
    """Return a bound that no choice can be below: annotations cannot be divided."""
    target = share * counts.sum(axis=0)
    off = np.minimum(np.abs(1 - np.floor(target) / target), np.abs(1 - np.ceil(target) / target))
    return float(np.square(off).max() + np.square(off).mean())


def achieved(groups: Groups, splits: Sequence[str], wish: SplitWish) -> list[Achieved]:
    """Return the content of each split by attribute, largest deviation first.

    ``splits`` are the names by group.
    """
    totals = groups.counts.sum(axis=0)
    found = []
    names = np.array(splits)
    for name, share in wish.shares.items():
        got = groups.counts[names == name].sum(axis=0)
        for attribute, n, total in zip(
            groups.attributes, got.tolist(), totals.tolist(), strict=True
        ):
            ratio = n / (share * total)
            found.append(Achieved(attribute, name, int(n), int(total), n / total, share, ratio))
    return sorted(found, key=lambda each: (-abs(1 - each.ratio), each.attribute, each.split))
