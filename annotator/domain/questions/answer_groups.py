"""Groups of open answers that a lead has marked as equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from annotator.domain.ids import ItemId, MergeId, PersonId
from annotator.domain.votes import Merge, Vote, grouped, normalized
from annotator.domain.work.records import Instant


@dataclass(frozen=True, slots=True)
class Merged:
    """A stored merge of answers to a field, for all items of a kind with that question.

    ``parted_by`` and ``parted_at`` are set when it was undone; such a merge has no effect. Times in
    milliseconds since 1970.
    """

    id: MergeId
    kind: str
    field: str
    question: str
    texts: tuple[str, ...]
    title: str
    by: PersonId
    at: Instant
    parted_by: PersonId | None = None
    parted_at: Instant | None = None

    @property
    def holds(self) -> bool:
        return self.parted_at is None


class Merges:
    """The merges that hold in tasks of one kind, found by field and question."""

    def __init__(self, merged: Iterable[Merged] = ()) -> None:
        self._merges: dict[tuple[str, str], list[Merged]] = {}
        for each in merged:
            if each.holds:
                self._merges.setdefault((each.field, each.question), []).append(each)
        self._titles: dict[tuple[str, str], dict[str, str]] = {}

    def __bool__(self) -> bool:
        return bool(self._merges)

    def of(self, field: str, question: str) -> tuple[Merge, ...]:
        """Return the merges of answers to a field about items with that question."""
        found = self._merges.get((field, question), ())
        return tuple(Merge(each.texts, each.title, each.by) for each in found)

    def counted_text(self, field: str, question: str, text: str) -> str:
        """Return the text that an answer counts as: the title of its merge, else itself."""
        place = field, question
        if place not in self._merges:
            return text
        if place not in self._titles:
            merges = self.of(field, question)
            texts = [t for merge in merges for t in (merge.title, *merge.texts)]
            votes = [Vote("", str(i), t) for i, t in enumerate(texts)]
            said, _ = grouped(votes, merges)
            titles = (str(vote.value) for vote in said)
            self._titles[place] = dict(zip(map(normalized, texts), titles, strict=True))
        return self._titles[place].get(normalized(text), text)

    def behind(self, field: str, question: str, title: str) -> tuple[Merged, ...]:
        """Return the merges that made the group of that title."""
        found = self._merges.get((field, question), ())
        return tuple(
            each for each in found if self.counted_text(field, question, each.title) == title
        )


NO_MERGES: Final = Merges()


class OpenAnswer(NamedTuple):
    """Text typed in a field of an item with that question."""

    item_id: ItemId
    question: str
    text: str


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """An answer to a question in all its spellings, the most frequent first.

    ``votes`` counts how often it was given, ``items`` about how many items. ``merged`` are the
    merges it came of.
    """

    field: str
    question: str
    title: str
    spellings: tuple[tuple[str, int], ...]
    votes: int
    items: int
    merged: tuple[Merged, ...] = ()


def answer_groups(
    field: str, answers: Iterable[OpenAnswer], merges: Merges = NO_MERGES
) -> list[AnswerGroup]:
    """Return the groups of answers to a field: by question, in each the most frequent first."""
    by_question: dict[str, list[OpenAnswer]] = {}
    for each in answers:
        if each.text.strip():
            by_question.setdefault(each.question, []).append(each)
    found: list[AnswerGroup] = []
    for question, theirs in by_question.items():
        groups = _groups(field, question, theirs, merges)
        found += sorted(groups, key=lambda group: (-group.votes, group.title))
    return found


def _groups(
    field: str, question: str, answers: Sequence[OpenAnswer], merges: Merges
) -> list[AnswerGroup]:
    votes = [Vote("", str(i), answer.text) for i, answer in enumerate(answers)]
    grouped_texts, _ = grouped(votes, merges.of(field, question))
    spelled: dict[str, Counter[str]] = {}
    items: dict[str, set[ItemId]] = {}
    for vote, answer in zip(grouped_texts, answers, strict=True):
        title = str(vote.value)
        spelled.setdefault(title, Counter())[answer.text.strip()] += 1
        items.setdefault(title, set()).add(answer.item_id)
    return [
        AnswerGroup(
            field,
            question,
            title,
            tuple(sorted(count.items(), key=lambda s: (-s[1], s[0]))),
            count.total(),
            len(items[title]),
            merges.behind(field, question, title),
        )
        for title, count in spelled.items()
    ]
