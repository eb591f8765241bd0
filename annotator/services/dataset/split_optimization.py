"""Splits by an integer program: the linear relaxation is solved, rounded and improved.

Small programs are solved as a whole by HiGHS, too. Three splits are two programs: the first split
against the others, then those among themselves.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from annotator.domain.dataset.split_groups import (
    Achieved,
    Groups,
    SplitWish,
    achieved,
    group_videos,
    least_objective,
    objective,
)
from annotator.domain.errors import UserError
from annotator.services.background.jobs import JobToken
from annotator.services.project.metadata import KEY as METADATA
from annotator.services.project.metadata import facts_of
from annotator.store.workflow.travel import set_meta

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from annotator.domain.dataset.statistics import DataSet
    from annotator.domain.ids import VideoId
    from annotator.domain.json_type import Json
    from annotator.services.project.projects import OpenProject

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

KEY: Final = "split"
_SMALL: Final = 400  # groups: up to this number the program is solved exactly
_TANGENTS: Final = (0.0, 0.002, 0.01, 0.03, 0.1, 0.25, 0.5, 1.0)
_KICKS: Final = 3
_EPS: Final = 1e-12


@dataclass(frozen=True, slots=True)
class SplitProgram:
    """One integer program: this split against all later ones.

    ``value`` is the objective that was reached, ``bound`` what no split can be below (from the
    relaxation, and because annotations cannot be divided).
    """

    split: str
    value: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the value may be from the best one."""
        return max(0.0, self.value - self.bound)


@dataclass(frozen=True, slots=True)
class Split:
    """A split of the videos: names of splits by name of the video."""

    by_video: dict[str, str]
    steps: tuple[SplitProgram, ...]
    achieved: tuple[Achieved, ...]
    n_groups: int
    left_out: tuple[tuple[str, int], ...]
    seconds: float

    def beyond(self, tolerance: float) -> list[Achieved]:
        """Return the attributes that are farther from their target than allowed."""
        return [each for each in self.achieved if abs(1 - each.ratio) > tolerance]


PROVENANCE: Final = "split"
"""Under this key a project keeps how its split was made."""


def in_usual_order(names: Iterable[str]) -> list[str]:
    """Return names of splits: train, valid and test first, the others by name."""
    usual = ("train", "valid", "test")
    return sorted(set(names), key=lambda n: (usual.index(n) if n in usual else len(usual), n))


def save_split(project: OpenProject, split: Split, wish: SplitWish) -> int:
    """Make the split metadata of the videos; return how many have another one now.

    ProjectError in a project that is open read-only.
    """
    changed: dict[VideoId, dict[str, Json]] = {}
    for info, _ in project.media.all():
        name = split.by_video.get(info.name)
        facts = facts_of(info)
        if name is not None and facts.get(KEY) != name:
            changed[info.id] = {**info.extra, METADATA: {**facts, KEY: name}}
    rows = {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "shares": dict(wish.shares),
        "together": list(wish.together),
        "apart": list(wish.apart),
        "columns": list(wish.columns),
        "pinned": dict(wish.pinned),
        "tolerance": wish.tolerance,
        "seed": wish.seed,
        "steps": [{"split": s.split, "value": s.value, "bound": s.bound} for s in split.steps],
    }
    with project.work.transactions.together():
        if changed:
            project.set_extra(changed)
        with project.file.transaction() as connection:
            set_meta(connection, PROVENANCE, json.dumps(rows, ensure_ascii=False))
    return len(changed)


def split_videos(data: DataSet, wish: SplitWish, token: JobToken) -> Split:
    """Return a split of the videos of a data set.

    UserError where the wish cannot be met; CanceledError when canceled.
    """
    began = time.monotonic()
    groups = group_videos(data, wish)
    if len(groups.members) < len(wish.shares):
        text = f"The videos form {len(groups.members)} groups, fewer than there are splits."
        raise UserError(text, hint="Keep fewer columns together.")
    names = list(wish.shares)
    splits = np.array([names[-1]] * len(groups.members), dtype=object)
    free = np.ones(len(groups.members), np.bool_)
    steps: list[SplitProgram] = []
    for n, name in enumerate(names[:-1]):
        rest = sum(wish.shares[split_name] for split_name in names[n:])
        chosen, step = _one(groups, free, name, wish.shares[name] / rest, wish, token)
        splits[chosen] = name
        free &= ~chosen
        steps.append(step)
    group_split = achieved(groups, splits.tolist(), wish)
    by_video = {
        data.videos[i].name: str(splits[g]) for g, rows in enumerate(groups.members) for i in rows
    }
    seconds = time.monotonic() - began
    n_groups = len(groups.members)
    return Split(by_video, tuple(steps), tuple(group_split), n_groups, groups.left_out, seconds)


def _one(
    groups: Groups, free: Flags, name: str, share: float, wish: SplitWish, token: JobToken
) -> tuple[Flags, SplitProgram]:
    """Choose the groups of one split among those that are free."""
    rows = np.flatnonzero(free)
    counts = groups.counts[rows]
    has_any = counts.sum(axis=0) > 0
    counts = counts[:, has_any]
    fixed_splits = np.array([groups.fixed[g] for g in rows])
    low = (fixed_splits == name).astype(np.float64)
    high = ((fixed_splits == name) | (fixed_splits == "")).astype(np.float64)
    until = time.monotonic() + wish.time_limit_s / max(1, len(wish.shares) - 1)
    relaxed, bound = _solved(counts, share, wish.tolerance, low, high, is_whole=False, until=until)
    bound = max(bound, least_objective(counts, share))
    starts = [np.rint(relaxed) > 0]
    if len(rows) <= _SMALL:
        token.check()
        whole_solution, least = _solved(
            counts, share, wish.tolerance, low, high, is_whole=True, until=until
        )
        starts.append(np.rint(whole_solution) > 0)
        bound = max(bound, least)
    search = _Search(counts, share, low != high, until, wish.seed, token)
    chosen = search.run(starts, bound)
    flags = np.zeros(len(free), np.bool_)
    flags[rows[chosen]] = True
    return flags, SplitProgram(name, objective(counts, chosen, share), bound)


def _solved(
    counts: Numbers,
    share: float,
    tolerance: float,
    low: Numbers,
    high: Numbers,
    *,
    is_whole: bool,
    until: float,
) -> tuple[Numbers, float]:
    """Return the solution and the bound of the program, relaxed or in whole groups.

    Variables: groups, shares reached by attribute, their squared errors, the largest of these, and
    how far the tolerance is exceeded. Squares are held from below by tangents.
    """
    from scipy import sparse
    from scipy.optimize import Bounds, LinearConstraint, milp

    n, k = counts.shape
    weights = sparse.csr_matrix((counts / (share * counts.sum(axis=0))).T)
    one, none = sparse.identity(k, format="csr"), sparse.csr_matrix((k, k))
    column = sparse.csr_matrix((k, 1))
    empty = sparse.csr_matrix((k, n))
    rules = [LinearConstraint(sparse.hstack([weights, -one, none, column, none]), 0, 0)]
    for tangent in (*_TANGENTS, *(-t for t in _TANGENTS[1:])):
        # square ≥ tangent² + 2 · tangent · (error − tangent), with error = 1 − share reached
        parts = [empty, 2 * tangent * one, one, column, none]
        rules.append(LinearConstraint(sparse.hstack(parts), 2 * tangent - tangent**2, np.inf))
    largest = sparse.hstack([empty, none, -one, np.ones((k, 1)), none])
    rules.append(LinearConstraint(largest, 0, np.inf))
    for side in (1, -1):
        limits = sparse.hstack([empty, side * one, none, column, one])
        rules.append(LinearConstraint(limits, side - tolerance, np.inf))
    costs = np.concatenate([np.zeros(n + k), np.full(k, 1 / k), [1.0], np.full(k, 10.0)])
    most = np.concatenate([high, np.full(3 * k + 1, np.inf)])
    bounds = Bounds(np.concatenate([low, np.zeros(3 * k + 1)]), most)
    integrality = np.concatenate([np.full(n, int(is_whole)), np.zeros(3 * k + 1)])
    limit = max(1.0, (until - time.monotonic()) / 2)
    solution = milp(
        costs,
        constraints=rules,
        bounds=bounds,
        integrality=integrality,
        options={"time_limit": limit},
    )
    if solution.x is None:
        return (low + high) / 2, 0.0
    excess = float(solution.x[-k:].sum())
    least = (
        solution.mip_dual_bound
        if is_whole and solution.mip_dual_bound is not None
        else solution.fun
    )
    # Beyond the tolerance the penalty is part of the bound; without it nothing is known.
    return np.asarray(solution.x[:n]), 0.0 if excess > _EPS else max(0.0, float(least))


class _Search:
    """Improves a choice: single groups change sides while that helps, then a few are thrown."""

    def __init__(
        self,
        counts: Numbers,
        share: float,
        is_free: Flags,
        until: float,
        seed: int,
        token: JobToken,
    ) -> None:
        self._weights = counts / (share * counts.sum(axis=0))
        self._is_free = is_free
        self._until = until
        self._token = token
        self._rng = np.random.Generator(np.random.PCG64(seed))

    def run(self, starts: Sequence[Flags], bound: float) -> Flags:
        """Return the best choice that is found from the starts until the time is over."""
        chosen, value = min((self._descended(s.copy()) for s in starts), key=lambda each: each[1])
        began, idle = time.monotonic(), 0
        while time.monotonic() < self._until and value - bound > _EPS and self._is_free.any():
            share = (time.monotonic() - began) / max(1e-9, self._until - began)
            self._token.check()
            self._token.report(min(1.0, share), f"{value:.6f}, at best {bound:.6f}")
            other, better = self._descended(self._thrown(chosen.copy()))
            idle = 0 if better < value - _EPS else idle + 1
            if better < value - _EPS:
                chosen, value = other, better
            if idle > 400:  # as good as it gets
                break
        return chosen

    def _thrown(self, chosen: Flags) -> Flags:
        """Change the sides of a few groups that have the attribute which is farthest off."""
        reached = self._weights[chosen].sum(axis=0)
        worst = int(np.square(1 - reached).argmax())
        rows = np.flatnonzero(self._is_free & (self._weights[:, worst] > 0))
        if not len(rows):
            rows = np.flatnonzero(self._is_free)
        thrown = self._rng.choice(rows, min(_KICKS, len(rows)), replace=False)
        chosen[thrown] = ~chosen[thrown]
        return chosen

    def _descended(self, chosen: Flags) -> tuple[Flags, float]:
        """Change sides one group at a time, the best first, until none helps."""
        free = np.flatnonzero(self._is_free)
        weights = self._weights[free]
        reached = self._weights[chosen].sum(axis=0)
        value = _value(reached)
        while len(free):
            signs = np.where(chosen[free], -1.0, 1.0)
            off = np.square(1 - reached - signs[:, None] * weights)
            values = off.max(axis=1) + off.mean(axis=1)
            best = int(values.argmin())
            if values[best] >= value - _EPS:
                break
            value = float(values[best])
            reached = reached + signs[best] * weights[best]
            chosen[free[best]] = ~chosen[free[best]]
        return chosen, value


def _value(reached: Numbers) -> float:
    off = np.square(1 - reached)
    return float(off.max() + off.mean())
