"""Dealing seats to people: every seat so often, nobody beyond their room, nobody a family twice.

A seat is first given to whoever has most room. What is left is found by paths on which people pass
seats on to each other, as in a flow through a network; when no path is left, no dealing whatever
would fill more.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StudySeat:
    """Place to assign: to ``need`` of the ``allowed`` people, at most one per ``family`` each."""

    need: int
    allowed: frozenset[int]
    family: Hashable


@dataclass(slots=True)
class _Tried:
    """State of a search: seats, people with room for one more, and their families."""

    seats: set[int] = field(default_factory=set)
    people: set[int] = field(default_factory=set)
    asked: set[tuple[int, Hashable]] = field(default_factory=set)

    def add(self, other: _Tried) -> None:
        self.seats |= other.seats
        self.people |= other.people
        self.asked |= other.asked


class Dealing:
    """Seats in people's hands; people are counted from 0."""

    def __init__(self, seats: Sequence[StudySeat], n_people: int, lot: random.Random) -> None:
        self._seats = seats
        self._room = [0] * n_people
        self._of_person: list[dict[Hashable, int]] = [{} for _ in range(n_people)]
        self.people_of: list[set[int]] = [set() for _ in seats]
        self._order = [_shuffled(sorted(seat.allowed), lot) for seat in seats]
        self._turn = _shuffled(list(range(len(seats))), lot)
        self._lot = lot

    @property
    def unmet(self) -> int:
        """How many people are still wanted, over all seats."""
        return sum(self._open(s) for s in range(len(self._seats)))

    def fill(self, room: Sequence[int]) -> None:
        """Deal as many seats as can be dealt with that room for each person.

        What was dealt is passed on where that helps; room only grows from call to call, and nobody
        has fewer seats after one.
        """
        self._room = list(room)
        for s in sorted(self._turn, key=lambda s: len(self._seats[s].allowed)):
            self._hand_out(s)
        stuck = _Tried()
        for s in self._turn:
            while self._open(s) and s not in stuck.seats and self._find_path(s, stuck):
                pass

    def _hand_out(self, s: int) -> None:
        """Give a seat to whoever has most room, by lot among equals."""
        seat = self._seats[s]
        free = [p for p in self._order[s] if self._left(p) > 0 and self._may_have(p, seat)]
        self._lot.shuffle(free)
        free.sort(key=self._left, reverse=True)
        for p in free[: self._open(s)]:
            self._give(s, p)

    def _find_path(self, start: int, stuck: _Tried) -> bool:
        """Fill a seat by passing others on.

        If there is no way, all that was tried is ``stuck``: nothing of it leads anywhere as long as
        nobody gets more room.
        """
        tried = _Tried({start})
        passed: dict[int, tuple[int, int]] = {}  # a seat, who passes it on, the seat they take
        queue = deque([start])
        while queue:
            s = queue.popleft()
            family = self._seats[s].family
            for p in self._order[s]:
                ask = p, family
                if p in self.people_of[s] or ask in tried.asked or ask in stuck.asked:
                    continue
                tried.asked.add(ask)
                other = self._of_person[p].get(family)
                if other is not None:
                    left = [other]
                elif p in tried.people or p in stuck.people:
                    continue
                elif self._left(p) > 0:
                    self._pass_on(start, s, p, passed)
                    return True
                else:
                    tried.people.add(p)
                    theirs = self._of_person[p]
                    left = [o for f, o in theirs.items() if (p, f) not in tried.asked]
                    tried.asked.update((p, f) for f in theirs)
                for o in left:
                    if o not in tried.seats and o not in stuck.seats:
                        tried.seats.add(o)
                        passed[o] = p, s
                        queue.append(o)
        stuck.add(tried)
        return False

    def _pass_on(self, start: int, s: int, p: int, passed: dict[int, tuple[int, int]]) -> None:
        self._give(s, p)
        while s != start:
            p, taken = passed[s]
            self.people_of[s].remove(p)
            del self._of_person[p][self._seats[s].family]
            self._give(taken, p)
            s = taken

    def _give(self, s: int, p: int) -> None:
        self.people_of[s].add(p)
        self._of_person[p][self._seats[s].family] = s

    def _may_have(self, p: int, seat: StudySeat) -> bool:
        return seat.family not in self._of_person[p]

    def _open(self, s: int) -> int:
        return self._seats[s].need - len(self.people_of[s])

    def _left(self, p: int) -> int:
        return self._room[p] - len(self._of_person[p])


def _shuffled(numbers: list[int], lot: random.Random) -> list[int]:
    lot.shuffle(numbers)
    return numbers
