"""Resolution of votes: resolved, one more vote needed, or adjudication."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from annotator.domain.votes.outcome import (
    Ballot,
    ExcludedVote,
    Fault,
    ItemFlag,
    Outcome,
    RuleKind,
    State,
    Value,
    Vote,
    VoteResult,
    VotingRule,
    as_set,
    in_order,
    is_sound,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.int64]


def resolve(votes: Iterable[Vote], rule: VotingRule, ballot: Ballot | None = None) -> VoteResult:
    """Return the outcome of votes, in order of submission, by a rule.

    All votes are of one field: a set of options is resolved option by option, and a vote that is no
    set does not count there. Early agreement decides nothing before all have answered; an item on
    which no further votes could bring a decision goes to adjudication without them.
    """
    ballot = ballot or Ballot()
    counting, excluded = _counting(votes, ballot)
    is_set = any(isinstance(vote.value, tuple) for vote in counting)
    if is_set:
        stray = [vote for vote in counting if not isinstance(vote.value, tuple)]
        excluded += [ExcludedVote(vote, Fault.NOT_AN_OPTION) for vote in stray]
        counting = [vote for vote in counting if isinstance(vote.value, tuple)]
    resolution = (_of_sets if is_set else _of_values)(counting, rule)
    outcomes = {outcome.item_id: outcome for outcome in resolution}
    flagged: dict[str, list[ItemFlag]] = {}
    for flag in ballot.flags:
        flagged.setdefault(flag.item_id, []).append(flag)
    for item in (*ballot.items, *flagged):
        if item not in outcomes:
            outcomes[item] = Outcome(item, State.OPEN, None, 0, 0, (), rule.raters)
    for item, flags in flagged.items():
        outcomes[item] = _flagged(outcomes[item], tuple(flags))
    return VoteResult(outcomes, tuple(excluded))


class _Sieve:
    """Decides for each vote whether it counts."""

    def __init__(self, ballot: Ballot) -> None:
        options = ballot.options
        self._each = options if isinstance(options, Mapping) else None
        self._all = None if options is None or self._each is not None else frozenset(options)
        self._of_item: dict[str, frozenset[Value] | None] = {}
        self._people = None if ballot.people is None else frozenset(ballot.people)

    def fault(self, vote: Vote) -> Fault | None:
        """Return the fault of a single vote."""
        if self._people is not None and vote.person_id not in self._people:
            return Fault.UNKNOWN_PERSON
        if not is_sound(vote.value):
            return Fault.NOT_AN_OPTION
        options = self._options(vote.item_id)
        if options is None:
            return None
        said = vote.value if isinstance(vote.value, tuple) else (vote.value,)
        return None if options.issuperset(said) else Fault.NOT_AN_OPTION

    def _options(self, item_id: str) -> frozenset[Value] | None:
        if self._each is None:
            return self._all
        if item_id not in self._of_item:
            known = self._each.get(item_id)
            self._of_item[item_id] = None if known is None else frozenset(known)
        return self._of_item[item_id]


def _counting(votes: Iterable[Vote], ballot: Ballot) -> tuple[list[Vote], list[ExcludedVote]]:
    """Return the votes that count, one for each item and person, and the others."""
    sieve, reopened = _Sieve(ballot), frozenset(ballot.reopened)
    counting: dict[tuple[str, str], Vote] = {}
    excluded: list[ExcludedVote] = []
    for counted_vote in votes:
        fault = sieve.fault(counted_vote)
        if fault is not None:
            excluded.append(ExcludedVote(counted_vote, fault))
            continue
        vote = counted_vote
        if isinstance(counted_vote.value, tuple):
            vote = counted_vote._replace(value=as_set(counted_vote.value))
        key = counted_vote.item_id, counted_vote.person_id
        before = counting.get(key)
        if before is None:
            counting[key] = vote
        elif key in reopened:
            excluded.append(ExcludedVote(before, Fault.ANSWERED_ANEW))
            counting[key] = vote
        else:
            excluded.append(ExcludedVote(vote, Fault.ANSWERED_BEFORE))
    return list(counting.values()), excluded


def _of_values(votes: Sequence[Vote], rule: VotingRule) -> Iterator[Outcome]:
    """Yield the outcome of each item on which everybody gave one answer."""
    items, item = _coded([vote.item_id for vote in votes])
    values = in_order(vote.value for vote in votes)
    place = {value: i for i, value in enumerate(values)}
    code = np.array([place[vote.value] for vote in votes], np.int64)
    of, code, count = _counted(item, code, len(values))
    n = np.bincount(item, minlength=len(items))
    starts = np.searchsorted(of, np.arange(len(items) + 1))
    best = count[starts[:-1]]
    has_second = np.diff(starts) > 1
    second = np.where(has_second, count[np.where(has_second, starts[:-1] + 1, 0)], 0)
    states = _states(best, second, n, rule)
    rows = zip(items, _slices(starts), n.tolist(), states, strict=True)
    tallied = [(values[k], m) for k, m in zip(code.tolist(), count.tolist(), strict=True)]
    for name, where, size, state in rows:
        tally = tuple(tallied[where])
        value, most = tally[0] if state is State.DECIDED else (None, tally[0][1])
        yield _outcome(name, state, value, most, size, tally, rule)


def _of_sets(votes: Sequence[Vote], rule: VotingRule) -> Iterator[Outcome]:
    """Yield the outcome of each item on which everybody ticked options."""
    items, item = _coded([vote.item_id for vote in votes])
    ticked = [(i, o) for i, vote in zip(item.tolist(), votes, strict=True) for o in _options(vote)]
    values = sorted({option for _, option in ticked})
    place = {option: i for i, option in enumerate(values)}
    codes = np.array([place[option] for _, option in ticked], np.int64)
    of, code, count = _counted(np.array([i for i, _ in ticked], np.int64), codes, len(values))
    n = np.bincount(item, minlength=len(items))
    most = np.maximum(count, n[of] - count)
    states = _states(most, n[of] - most, n[of], rule)
    # An option without any check counts as rejected by all.
    untold = _states(n, np.zeros_like(n), n, rule)
    tallied = [(values[k], m) for k, m in zip(code.tolist(), count.tolist(), strict=True)]
    starts = np.searchsorted(of, np.arange(len(items) + 1))
    rows = zip(items, _slices(starts), n.tolist(), untold, strict=True)
    for name, where, size, state in rows:
        tally = tuple(tallied[where])
        worst = max((state, *states[where]), key=_WORSE.index)
        value = as_set(option for option, m in tally if 2 * m > size)
        least = int(most[where].min(initial=size))
        yield _outcome(
            name, worst, value if worst is State.DECIDED else None, least, size, tally, rule
        )


_WORSE = (State.DECIDED, State.TIE, State.ADJUDICATION, State.OPEN)


def _states(best: Codes, second: Codes, n: Codes, rule: VotingRule) -> list[State]:
    """Return where items stand, from the votes for their first and second answers, and for all."""
    left = np.maximum(rule.max_raters - n, 0)
    if rule.kind is RuleKind.MAJORITY:
        is_decided, can_be = 2 * best > n, 2 * (best + left) > n + left
    elif rule.kind is RuleKind.K_OF_N:
        is_decided = (best >= rule.k) & (second < rule.k)
        can_be = (best + left >= rule.k) & (second < rule.k)
    else:
        is_decided = can_be = best == n
    found = np.where(is_decided, 0, np.where(can_be & (left > 0), 1, 2))
    return [_WORSE[k] for k in np.where(n < rule.raters, 3, found).tolist()]


def _outcome(
    item_id: str,
    state: State,
    value: Value | None,
    votes_for: int,
    n: int,
    tally: tuple[tuple[Value, int], ...],
    rule: VotingRule,
) -> Outcome:
    wanted = {State.OPEN: rule.raters - n, State.TIE: 1}.get(state, 0)
    return Outcome(item_id, state, value, votes_for, n - votes_for, tally, wanted)


def _flagged(outcome: Outcome, flags: tuple[ItemFlag, ...]) -> Outcome:
    if any(flag.discards for flag in flags):
        return replace(outcome, state=State.DISCARDED, value=None, wanted=0, flags=flags)
    return replace(outcome, flags=flags)


def _coded(names: Collection[str]) -> tuple[list[str], Codes]:
    """Return the names once each, as they come, and which of them each one is."""
    known = list(dict.fromkeys(names))
    place = {name: i for i, name in enumerate(known)}
    return known, np.array([place[name] for name in names], np.int64)


def _counted(item: Codes, code: Codes, n_codes: int) -> tuple[Codes, Codes, Codes]:
    """Return the counts of answers: (item, code, count) by item, most frequent first."""
    keys, count = np.unique(item * max(n_codes, 1) + code, return_counts=True)
    of, answer = np.divmod(keys, max(n_codes, 1))
    order = np.lexsort((answer, -count, of))
    return of[order], answer[order], count[order]


def _slices(starts: Codes) -> Iterator[slice]:
    return (slice(start, end) for start, end in pairwise(starts.tolist()))


def _options(vote: Vote) -> tuple[str, ...]:
    return vote.value if isinstance(vote.value, tuple) else ()
