"""Linked questions: one primary question and its variants, and the texts two people agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.item import Item


class GroupRole(StrEnum):
    """Role of a question in its group."""

    PRIMARY = "primary"
    PARAPHRASED = "paraphrased"
    CORRECTLY_LED = "correctly-led"  # with a hint that is true
    WRONGLY_LED = "wrongly-led"  # with a hint that is false
    MULTIPLE_CHOICE = "multiple-choice"


FINISHED: Final = "finished"
"""The kind of the questions of whole groups: no task asks them, studies and data sets do."""
VARIANTS: Final = tuple(part for part in GroupRole if part is not GroupRole.PRIMARY)


@dataclass(frozen=True, slots=True)
class TextVariant:
    """The text of a variant; ``options`` only where one is picked, the right one first."""

    text: str
    options: tuple[str, ...] = ()


def variants_of(
    primary: Item,
    variants: Mapping[GroupRole, TextVariant],
    kind: str,
    source: Mapping[str, Json],
    new_id: Callable[[], ItemId] = item_id,
) -> tuple[Item, ...]:
    """Return the variants of a primary question as items of its group, in the order of `GroupRole`.

    They keep its answer and rationale. The group is named by the primary question.
    """
    items: list[Item] = []
    for part in VARIANTS:
        variant = variants.get(part)
        if variant is None:
            continue
        options = tuple(Option(f"o{i}", text) for i, text in enumerate(variant.options))
        items.append(
            Item(
                new_id(),
                kind,
                primary.video_ids,
                variant.text,
                options,
                {"answer": ("o0",)} if options else {},
                {**primary.texts, "question": variant.text},
                area=primary.area,
                reasoning=primary.reasoning,
                tags=primary.tags,
                group=group_of(primary),
                part=part,
                source={**source, "item": primary.id},
                extra=primary.extra,
            )
        )
    return tuple(items)


def group_of(primary: Item) -> str:
    """Return the name of the group of a primary question."""
    return primary.group or primary.id


def group_problems(items: Iterable[Item], where: str) -> Iterator[Finding]:
    """Yield faults of a group of items: missing or repeated parts, several videos."""
    problems = list(items)
    counts = Counter(item.part for item in problems)
    for part in GroupRole:
        if not counts[part]:
            yield _error("no-part", where, f"The {part} question is missing.")
        elif counts[part] > 1:
            yield _error(
                "same-part", where, f"There are {counts[part]} {part} questions; one is required."
            )
    for item in problems:
        if has_duplicate_option(option.text for option in item.options):
            yield _error(
                "same-options",
                where,
                f"Two options of the {item.part} question have the same text.",
            )
    for name in sorted(set(counts) - {str(part) for part in GroupRole}):
        yield _error("odd-part", where, f"“{name}” is not a part of a question group.")
    if len({item.video_ids for item in problems}) > 1:
        yield _error("other-video", where, "The questions of the group refer to different videos.")
    if len({item.group or item.id for item in problems}) > 1:
        yield _error("other-group", where, "The questions belong to different groups.")


def has_duplicate_option(texts: Iterable[str]) -> bool:
    """Return whether two options are equal up to spaces and case."""
    said = [" ".join(text.split()).casefold() for text in texts]
    return max(Counter(text for text in said if text).values(), default=0) > 1


def _error(code: str, where: str, text: str) -> Finding:
    return Finding(code, where, text, Severity.ERROR)


@dataclass(frozen=True, slots=True)
class PersonVersion:
    """Version of one of two people: texts by name, or that the question is dropped."""

    texts: Mapping[str, str]
    is_dropped: bool = False


class Alignment(StrEnum):
    """State of agreement of two people."""

    AGREED = "agreed"
    DROPPED = "dropped"
    APART = "apart"  # both texts go to both once more


@dataclass(frozen=True, slots=True)
class Aligned:
    """State of agreement of two people: the agreed texts and the fields that differ."""

    state: Alignment
    texts: Mapping[str, str]
    apart: tuple[str, ...] = ()


def align(first: PersonVersion, second: PersonVersion) -> Aligned:
    """Compare two versions: equal text, dropped by both, or different.

    Spaces do not count, letters do: one text is published. If one wants to drop it and one to keep
    it, there is no agreement.
    """
    if first.is_dropped and second.is_dropped:
        return Aligned(Alignment.DROPPED, {})
    names = list(dict.fromkeys([*first.texts, *second.texts]))
    ours, theirs = (
        {n: " ".join(v.texts.get(n, "").split()) for n in names} for v in (first, second)
    )
    apart = tuple(name for name in names if ours[name] != theirs[name])
    agreed = {name: ours[name] for name in names if name not in apart}
    is_agreed = not apart and not first.is_dropped and not second.is_dropped
    return Aligned(Alignment.AGREED if is_agreed else Alignment.APART, agreed, apart)
