"""Open answers: equal texts up to spelling, and texts that a lead has merged."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from annotator.domain.votes.outcome import Vote

_ARTICLES: Final = re.compile(r"^(?:(?:a|an|the)\s+)+")
_MEANT: Final = frozenset("%#&@*")
"""Punctuation signs that represent a word."""
_SPELLED: Final = str.maketrans({"−": "-", **dict.fromkeys("'’‘`´ʼ", "")})
_PASSES: Final = 4
"""A sign that goes can bring an accent to its letter, or an article to the beginning."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A lead's word that several texts are one answer, ``title`` being how it is called.

    ``texts`` are compared by their normalized form. It holds for one item, or for all (None).
    """

    texts: tuple[str, ...]
    title: str
    by: str
    item_id: str | None = None


@dataclass(frozen=True, slots=True)
class SpellingGroup:
    """An answer in all its spellings, the most frequent first, with how often each was given."""

    title: str
    spellings: tuple[tuple[str, int], ...]


Groups: TypeAlias = Mapping[str, tuple[SpellingGroup, ...]]
"""The groups of each item, in the order in which they were first given."""


@lru_cache(maxsize=65_536)
def normalized(text: str) -> str:
    """Return the normalized form of a text for comparison.

    Compatible characters are equal (NFKC), as are capitals and small letters. White space and
    punctuation separate words; they keep their meaning in numbers ("3.5", "-2"), and some signs are
    words ("%"). Leading articles are removed. A text that would become empty stays unchanged.
    """
    for _ in range(_PASSES):
        before, text = text, _simplified(text)
        if text == before:
            break
    return text


def grouped(votes: Sequence[Vote], merges: Sequence[Merge] = ()) -> tuple[list[Vote], Groups]:
    """Return the votes with group titles instead of texts, and the groups.

    The title is what the lead called it, the last word counting; else the spelling that was given
    most over all items, of equally many the one that sorts first. The votes themselves are not
    changed: other merges give other groups.
    """
    unions = _Unions(merges)
    texts = [str(vote.value).strip() for vote in votes]
    keys = [unions.key(v.item_id, normalized(text)) for v, text in zip(votes, texts, strict=True)]
    spelled: dict[_Key, Counter[str]] = {}
    for key, text in zip(keys, texts, strict=True):
        spelled.setdefault(key, Counter())[text] += 1
    titles = {key: unions.titles.get(key) or _ranked(count)[0][0] for key, count in spelled.items()}
    spellings, of_items = [], dict[str, dict[str, Counter[str]]]()
    for vote, key, text in zip(votes, keys, texts, strict=True):
        spellings.append(vote._replace(value=titles[key]))
        of_item = of_items.setdefault(vote.item_id, {})
        of_item.setdefault(titles[key], Counter())[text] += 1
    return spellings, {
        item: tuple(SpellingGroup(title, _ranked(count)) for title, count in item_votes.items())
        for item, item_votes in of_items.items()
    }


_Key: TypeAlias = tuple[str, str]
"""The item that has merges of its own ("" for all others), and the first text of a group."""


class _Unions:
    """Which texts are one answer: on the items with merges of their own, and on all others."""

    def __init__(self, merges: Sequence[Merge]) -> None:
        self._merges = merges
        self._own = {merge.item_id for merge in merges if merge.item_id is not None}
        self._first: dict[str, dict[str, str]] = {}
        self.titles: dict[_Key, str] = {}

    def key(self, item_id: str, text: str) -> _Key:
        scope = item_id if item_id in self._own else ""
        if scope not in self._first:
            self._unite(scope)
        return scope, self._first[scope].get(text, text)

    def _unite(self, scope: str) -> None:
        valid = [merge for merge in self._merges if merge.item_id in (None, scope)]
        first = self._first[scope] = _united(valid)
        for merge in valid:
            self.titles[scope, first[normalized(merge.title)]] = merge.title


def _united(merges: Sequence[Merge]) -> dict[str, str]:
    """Return for each text that is merged the first, by the alphabet, of all that it is one with.

    A title is one of the texts, so that merges under the same title are one.
    """
    first: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for merge in merges:
        for text in map(normalized, (merge.title, *merge.texts)):
            if text not in first:
                first[text], members[text] = text, [text]
        together = {first[normalized(text)] for text in (merge.title, *merge.texts)}
        root = min(together)
        for other in together - {root}:
            for text in members.pop(other):
                first[text] = root
                members[root].append(text)
    return first


def _simplified(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = " ".join(_bare(folded).split())
    return _ARTICLES.sub("", words) or words or " ".join(folded.split())


def _bare(text: str) -> str:
    """Return a text without apostrophes, with spaces for all other punctuation that means none."""
    text = text.translate(_SPELLED)
    kept: list[str] = []
    for at, sign in enumerate(text):
        is_space = unicodedata.category(sign)[0] in "PZC" and sign not in _MEANT
        if is_space and not _is_of_number(sign, kept[-1] if kept else " ", text[at + 1 : at + 3]):
            kept.append(" ")
        else:
            kept.append(sign)
    return "".join(kept)


def _is_of_number(sign: str, before: str, after: str) -> bool:
    """Return whether a sign parts the digits of a number, or begins one."""
    if before.isdigit():
        return sign in ".,:/" and after[:1].isdigit()
    if sign == "-":
        return before == " " and after.lstrip(".,")[:1].isdigit()
    return sign in ".," and before in " -" and after[:1].isdigit()


def _ranked(count: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(count.items(), key=lambda each: (-each[1], each[0])))
