"""Assignment plan of a study: participants, items and conditions.

Every item gets the same number of answers under each condition. A person answers no item twice,
none that they worked on, and sees no video under two conditions. The load is equal for all people.
Equal design, items, people and kept assignments give an equal plan.

If each video has one item, or there is one condition, people are assigned as in a network flow,
which finds a plan whenever one exists. Conditions are then assigned within each item and balanced
between people by exchanges. If several items share a video under several conditions, each person
first gets one condition per video; several such starts are tried.

A seat goes to the person with the most capacity. Remaining seats are filled along augmenting paths,
on which people pass seats on to each other. Without such a path no assignment fills more seats.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from annotator.domain.ids import ItemId, PersonId
from annotator.domain.study.design import Design, Plan, StudyAssignment, StudyItem


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


class SeatAssignment:
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
        """Number of missing people over all seats."""
        return sum(self._open(s) for s in range(len(self._seats)))

    def fill(self, room: Sequence[int]) -> None:
        """Assign as many seats as possible within the capacity of each person.

        Assigned items are passed to other people where that helps; capacity only grows from call to
        call, and each person keeps at least as many seats.
        """
        self._room = list(room)
        for s in sorted(self._turn, key=lambda s: len(self._seats[s].allowed)):
            self._hand_out(s)
        stuck = _Tried()
        for s in self._turn:
            while self._open(s) and s not in stuck.seats and self._find_path(s, stuck):
                pass

    def _hand_out(self, s: int) -> None:
        """Assign a seat to the person with the most capacity, at random among equals."""
        seat = self._seats[s]
        free = [p for p in self._order[s] if self._left(p) > 0 and self._may_have(p, seat)]
        self._lot.shuffle(free)
        free.sort(key=self._left, reverse=True)
        for p in free[: self._open(s)]:
            self._give(s, p)

    def _find_path(self, start: int, stuck: _Tried) -> bool:
        """Fill a seat by passing items to other people (an augmenting path).

        If there is none, all visited nodes are ``stuck``: they lead nowhere until a capacity grows.
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
                    candidates = [other]
                elif p in tried.people or p in stuck.people:
                    continue
                elif self._left(p) > 0:
                    self._pass_on(start, s, p, passed)
                    return True
                else:
                    tried.people.add(p)
                    theirs = self._of_person[p]
                    candidates = [o for f, o in theirs.items() if (p, f) not in tried.asked]
                    tried.asked.update((p, f) for f in theirs)
                for o in candidates:
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


_BEGINNINGS: Final = 8
_MOST_TRIED: Final = 1_000_000
"""Items times people; beyond it, the number of missing people is a lower bound."""


def plan_study(
    design: Design,
    items: Sequence[StudyItem],
    people: Sequence[PersonId],
    existing: Collection[StudyAssignment] = (),
) -> Plan:
    """Return the assignment plan; existing assignments (``kept``) stay in it.

    Kept assignments of other people count for their item. ValueError for an invalid design, or
    invalid names.
    """
    _check(design, items, people)
    plan = _best(design, items, people, existing)
    if not plan.n_open:
        return plan
    missing = _at_least_missing(design, items, people, existing)
    while (len(people) + missing) * len(items) <= _MOST_TRIED:
        strangers = [PersonId(f"stranger {n}") for n in range(missing)]
        full_plan = _best(design, items, [*people, *strangers], existing)
        if not full_plan.n_open:
            break
        missing += 1
    return Plan(plan.parts, missing, plan.n_open)


def _check(design: Design, items: Sequence[StudyItem], people: Sequence[PersonId]) -> None:
    if design.answers < 1 or design.per_person < 1:
        raise ValueError("a study has at least one answer, and one item for each person")
    if not design.conditions or len(set(design.conditions)) != len(design.conditions):
        raise ValueError("a study has conditions that differ")
    if len({each.item_id for each in items}) != len(items) or len(set(people)) != len(people):
        raise ValueError("an item or a person is there twice")


def _best(
    design: Design,
    items: Sequence[StudyItem],
    people: Sequence[PersonId],
    kept: Collection[StudyAssignment],
) -> Plan:
    work = _Work(design, items, people, kept)
    if not work.has_shared_viewings:
        return work.plan(work.by_flow())
    plans: list[Plan] = []
    for _ in range(_BEGINNINGS):
        plans.append(work.plan(work.by_viewings()))
        if not plans[-1].n_open:
            break
    return min(plans, key=lambda plan: plan.n_open)


def _at_least_missing(
    design: Design,
    items: Sequence[StudyItem],
    people: Sequence[PersonId],
    existing: Collection[StudyAssignment],
) -> int:
    """Return how many people are missing by numbers alone, at least one."""
    had: dict[ItemId, set[PersonId]] = {plan_item.item_id: set() for plan_item in items}
    n_answered = Counter(part.person_id for part in existing)
    for part in existing:
        if part.item_id in had:
            had[part.item_id].add(part.person_id)
    n_missing = {item: max(0, design.per_item - len(had[item])) for item in had}
    room = sum(max(0, design.per_person - n_answered[person]) for person in people)
    most = ceil(max(0, sum(n_missing.values()) - room) / design.per_person)
    for plan_item in items:
        free = sum(p not in plan_item.excluded and p not in had[plan_item.item_id] for p in people)
        most = max(most, n_missing[plan_item.item_id] - free)
    return max(1, most)


class _Work:
    """Input of the assignment: items and people by number, and fixed assignments."""

    def __init__(
        self,
        design: Design,
        items: Sequence[StudyItem],
        people: Sequence[PersonId],
        existing: Collection[StudyAssignment],
    ) -> None:
        self._items, self._people = items, people
        self._kept = existing
        self._keys = design.conditions
        self._lot = random.Random(f"study {design.seed}")
        place = {person: p for p, person in enumerate(people)}
        number = {item.item_id: i for i, item in enumerate(items)}
        self._need = [dict.fromkeys(design.conditions, design.answers) for _ in items]
        self._counts = [Counter[str]() for _ in people]
        self._seen: list[dict[tuple[str, ...], str]] = [{} for _ in people]
        had: list[set[str]] = [set() for _ in people]
        for part in existing:
            i, p = number.get(part.item_id), place.get(part.person_id)
            if i is not None and part.condition in self._need[i]:
                self._need[i][part.condition] = max(0, self._need[i][part.condition] - 1)
            if p is not None:
                self._counts[p][part.condition] += 1
            if i is not None and p is not None:
                self._seen[p][items[i].viewing] = part.condition
                had[p].add(_family(items[i]))
        self._allowed = [
            frozenset(
                p
                for p, person in enumerate(people)
                if person not in item.excluded and _family(item) not in had[p]
            )
            for item in items
        ]
        n_wanted = sum(sum(need.values()) for need in self._need)
        had_before = sum(counts.total() for counts in self._counts)
        self._levels = _levels(n_wanted + had_before, len(people), design.per_person)

    @property
    def has_shared_viewings(self) -> bool:
        """Whether a person could see one video under two conditions."""
        if len(self._keys) == 1:
            return False
        families: dict[tuple[str, ...], set[str]] = {}
        for each in self._items:
            families.setdefault(each.viewing, set()).add(_family(each))
        return any(viewing and len(found) > 1 for viewing, found in families.items())

    def plan(self, assigned: tuple[list[tuple[int, int, str]], int]) -> Plan:
        """Return the plan from new and existing assignments."""
        order = {each.item_id: i for i, each in enumerate(self._items)}
        rank = {person: p for p, person in enumerate(self._people)}
        parts = [
            StudyAssignment(self._items[i].item_id, self._people[p], c) for i, p, c in assigned[0]
        ]
        parts += self._kept
        parts.sort(key=lambda part: (order.get(part.item_id, -1), rank.get(part.person_id, -1)))
        return Plan(tuple(parts), 0, assigned[1])

    def by_flow(self) -> tuple[list[tuple[int, int, str]], int]:
        """Assign people to each item, then the conditions among them."""
        seats = [
            StudySeat(sum(need.values()), allowed, _family(item))
            for need, allowed, item in zip(self._need, self._allowed, self._items, strict=True)
        ]
        seat_assignment = self._filled(seats)
        conditions_of: list[dict[int, str]] = []
        counts = [counter.copy() for counter in self._counts]
        for i, people in enumerate(seat_assignment.people_of):
            open_conditions = [key for key in self._keys for _ in range(self._need[i][key])]
            conditions_of.append({})
            for p in self._by_lot(people):
                key = min(open_conditions, key=counts[p].__getitem__)
                open_conditions.remove(key)
                conditions_of[i][p] = key
                counts[p][key] += 1
        _Evening(conditions_of, counts, self._keys).even_out()
        assigned = [
            (i, p, key) for i, people in enumerate(conditions_of) for p, key in people.items()
        ]
        return assigned, seat_assignment.unmet

    def by_viewings(self) -> tuple[list[tuple[int, int, str]], int]:
        """Give everybody a condition for each video, then find people for each item."""
        under = self._conditions_of_viewings()
        seats: list[StudySeat] = []
        names: list[tuple[int, str]] = []
        for i, item in enumerate(self._items):
            for key in self._keys:
                allowed = frozenset(p for p in self._allowed[i] if under[item.viewing][p] == key)
                seats.append(StudySeat(self._need[i][key], allowed, _family(item)))
                names.append((i, key))
        seat_assignment = self._filled(seats)
        assigned = [
            (i, p, key)
            for (i, key), people in zip(names, seat_assignment.people_of, strict=True)
            for p in sorted(people)
        ]
        return assigned, seat_assignment.unmet

    def _filled(self, seats: Sequence[StudySeat]) -> SeatAssignment:
        seat_assignment = SeatAssignment(seats, len(self._people), self._lot)
        for level in self._levels:
            seat_assignment.fill([max(0, level - counts.total()) for counts in self._counts])
        return seat_assignment

    def _conditions_of_viewings(self) -> dict[tuple[str, ...], dict[int, str]]:
        """Return a balanced condition for each person and video; earlier ones stay."""
        result: dict[tuple[str, ...], dict[int, str]] = {}
        may_see: dict[tuple[str, ...], set[int]] = {}
        for item, allowed in zip(self._items, self._allowed, strict=True):
            may_see.setdefault(item.viewing, set()).update(allowed)
        counts = [counter.copy() for counter in self._counts]
        viewings = list(may_see)
        self._lot.shuffle(viewings)
        for viewing in viewings:
            conditions_seen = {
                p: self._seen[p][viewing] for p in may_see[viewing] if viewing in self._seen[p]
            }
            most = ceil(len(may_see[viewing]) / len(self._keys))
            remaining = Counter(dict.fromkeys(self._keys, most)) - Counter(conditions_seen.values())
            result[viewing] = dict(conditions_seen)
            for p in self._by_lot(may_see[viewing] - conditions_seen.keys()):
                key = self._next_condition(remaining, counts[p])
                result[viewing][p] = key
                remaining[key] -= 1
                counts[p][key] += 1
        return result

    def _next_condition(self, left: Counter[str], counts: Counter[str]) -> str:
        """Return a person's condition: of the remaining ones the least frequent for them."""
        free = [key for key in self._keys if left[key] > 0] or list(self._keys)
        return min(free, key=lambda key: (counts[key], -left[key]))

    def _by_lot(self, people: Collection[int]) -> list[int]:
        order = sorted(people)
        self._lot.shuffle(order)
        return order


def _levels(total: int, n_people: int, most: int) -> list[int]:
    """Return rising capacities of people, so that the load stays equal."""
    if not n_people:
        return []
    even = {total // n_people, ceil(total / n_people), most}
    return sorted(level for level in even if level <= most)


def _family(each: StudyItem) -> str:
    return f"family {each.family}" if each.family else f"item {each.item_id}"


class _Evening:
    """Exchanges of conditions along chains of people and items, which leave each item as it is."""

    def __init__(
        self, given: list[dict[int, str]], counts: list[Counter[str]], keys: Sequence[str]
    ) -> None:
        self._given, self._counts, self._keys = given, counts, keys
        self._items_of: list[list[int]] = [[] for _ in counts]
        for i, found in enumerate(given):
            for p in found:
                self._items_of[p].append(i)

    def even_out(self) -> None:
        """Exchange conditions until each person has them balanced, if possible.

        Each exchange makes the counts strictly more even, so it ends.
        """
        pairs = [(one, other) for one in self._keys for other in self._keys if one != other]
        is_even = False
        while not is_even:
            is_even = True
            for one, other in pairs:
                for p, counts in enumerate(self._counts):
                    while counts[one] >= counts[other] + 2:
                        links = self._chain(p, one, other)
                        if not links:
                            break
                        self._exchange(links, one, other)
                        is_even = False

    def _chain(self, start: int, one: str, other: str) -> list[tuple[int, int, int]]:
        """Return links (person, item, next person), the last first, from a person with too many
        items of one condition to a person with too many of the other; none if there is no such
        chain."""
        came: dict[int, tuple[int, int]] = {}
        queue = deque([start])
        while queue:
            p = queue.popleft()
            for i, q in self._exchanges(p, one, other):
                if q == start or q in came:
                    continue
                came[q] = p, i
                if self._counts[q][other] > self._counts[q][one]:
                    return _links(came, start, q)
                queue.append(q)
        return []

    def _exchanges(self, p: int, one: str, other: str) -> Iterator[tuple[int, int]]:
        """Yield possible exchange partners of a person, with the item."""
        for i in self._items_of[p]:
            if self._given[i][p] == one:
                yield from ((i, q) for q, key in self._given[i].items() if key == other)

    def _exchange(self, links: list[tuple[int, int, int]], one: str, other: str) -> None:
        for p, i, q in links:
            self._given[i][p], self._given[i][q] = other, one
        self._counts[links[-1][0]].update({one: -1, other: 1})
        self._counts[links[0][2]].update({one: 1, other: -1})


def _links(came: dict[int, tuple[int, int]], start: int, end: int) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    q = end
    while q != start:
        p, i = came[q]
        found.append((p, i, q))
        q = p
    return found
