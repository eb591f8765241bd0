"""Pairs of objects: a fixed number of pairs per object, within one split, rare materials first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from annotator.domain.questions.random_order import Lot
from annotator.domain.toml import TomlTable

MAX_PAIRS_EACH = 20
MAX_DEALT = 200
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class PairingSpec:
    """The table ``[pairing]`` of a recipe: how many pairs an object is in, and how many questions
    are assigned to each pair.

    Questions of ``open_splits`` may be assigned in every split, all others only in their own.
    """

    pairs_each: int = 3
    questions_each: int = 13
    seed: int = 1
    open_splits: tuple[str, ...] = ("train",)


def pairing_from(table: TomlTable) -> PairingSpec:
    """Return the settings in ``[pairing]``; RecipeError names the path of the first fault."""
    made = PairingSpec(
        table.whole("pairs_each", 1, MAX_PAIRS_EACH, default=3),
        table.whole("questions_each", 1, MAX_DEALT, default=13),
        table.whole("seed", 0, MAX_SEED, default=1),
        table.texts("open_splits") if table.has("open_splits") else ("train",),
    )
    table.done()
    return made


@dataclass(frozen=True, slots=True)
class Thing:
    """A focus object: name, split and materials."""

    name: str
    split: str
    materials: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectPair:
    """Two objects of one split, by name, in the order in which they are shown."""

    first: str
    second: str
    split: str

    @property
    def name(self) -> str:
        return f"{self.first}_{self.second}"


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs, and how many each object lacks, where that is not none."""

    pairs: tuple[ObjectPair, ...]
    lacking: dict[str, int] = field(default_factory=dict)


def pair_up(
    things: Sequence[Thing],
    spec: PairingSpec,
    earlier_pairs: Sequence[ObjectPair] = (),
    used_pairs: Sequence[ObjectPair] = (),
) -> Pairing:
    """Return random pairs: equal for equal objects and seed, in any order.

    With ``made``, the existing pairs, only further ones are returned; ``gone`` are discarded pairs,
    which do not count but are not made again.

    Within a split an object is drawn in proportion to how rare its rarest material is, first and as
    a partner, until each is in ``pairs_each`` pairs; no pair comes twice. Where the numbers leave
    objects over, pairs are opened for them, so that none lacks more than one (and that only where
    the count is odd), unless a split has too few objects.
    """
    pairs: list[ObjectPair] = []
    lacking: dict[str, int] = {}
    for split in sorted({thing.split for thing in things}):
        ours = sorted((t for t in things if t.split == split), key=lambda t: t.name)
        had = sum(pair.split == split for pair in (*earlier_pairs, *used_pairs))
        lot = Lot(spec.seed, "pairs", split, *([str(had)] if had else ()))
        drawing = _Drawing(ours, spec, lot, earlier_pairs, used_pairs)
        pairs += (ObjectPair(a, b, split) for a, b in drawing.draw())
        lacking.update((name, n) for name, n in drawing.room.items() if n)
    return Pairing(tuple(pairs), lacking)


def rarity(things: Iterable[Thing]) -> dict[str, float]:
    """Return for each object by name 1 / how many objects share its rarest material."""
    found = list(things)
    counts = Counter(m for thing in found for m in set(thing.materials))
    total = max(1, len(found))
    return {t.name: max((1 / counts[m] for m in t.materials), default=1 / total) for t in found}


class _Drawing:
    """Draws the pairs of one split."""

    def __init__(
        self,
        things: Sequence[Thing],
        spec: PairingSpec,
        lot: Lot,
        earlier_pairs: Sequence[ObjectPair],
        used_pairs: Sequence[ObjectPair],
    ) -> None:
        self._names = [thing.name for thing in things]
        self._weights = rarity(things)
        self._lot = lot
        counts = Counter(name for pair in earlier_pairs for name in (pair.first, pair.second))
        self.room = {name: max(0, spec.pairs_each - counts[name]) for name in self._names}
        self._partners: dict[str, set[str]] = {name: set() for name in self._names}
        for pair in (*earlier_pairs, *used_pairs):
            self._partners.setdefault(pair.first, set()).add(pair.second)
            self._partners.setdefault(pair.second, set()).add(pair.first)
        self._pairs: list[tuple[str, str]] = []

    def draw(self) -> list[tuple[str, str]]:
        stuck: set[str] = set()
        while first := self._one([n for n in self._names if self.room[n] and n not in stuck]):
            taken = self._partners[first]
            free = [n for n in self._names if self.room[n] and n != first and n not in taken]
            second = self._one(free)
            if second is None:
                stuck.add(first)
            else:
                self._join(first, second)
        while self._open_one():
            pass
        return self._pairs

    def _one(self, names: Sequence[str]) -> str | None:
        if not names:
            return None
        return names[self._lot.weighted([self._weights[name] for name in names])]

    def _join(self, first: str, second: str) -> None:
        a, b = self._lot.shuffled((first, second))
        self._pairs.append((a, b))
        self._partners[first].add(second)
        self._partners[second].add(first)
        self.room[first] -= 1
        self.room[second] -= 1

    def _open_one(self) -> bool:
        """Replace one pair (a, b) by (a, u) and (b, v) for objects u and v that lack some."""
        names_left = [name for name in self._names for _ in range(self.room[name])]
        if len(names_left) < 2:
            return False
        u, v = names_left[0], names_left[-1]
        for pair in self._lot.shuffled(self._pairs):
            for a, b in (pair, pair[::-1]):
                is_new = a not in self._partners[u] and b not in self._partners[v]
                if is_new and len({a, b, u}) == 3 and len({a, b, v}) == 3:
                    self._pairs.remove(pair)
                    self._partners[a].discard(b)
                    self._partners[b].discard(a)
                    self.room[a] += 1
                    self.room[b] += 1
                    self._join(u, a)
                    self._join(v, b)
                    return True
        return False
