"""Final options: the right answer among wrong ones that are right elsewhere, drawn with a seed.

A wrong answer that is never right in any video gives itself away. So the wrong ones are drawn in
proportion to how often each is the right answer to the same question over the videos of the same
script; only where too few ever are right does the rest of the pool fill up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.domain.checks import Finding, Severity
from annotator.domain.forms.field import Option
from annotator.domain.ids import ItemId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.items.bank import Bank, pool_of
from annotator.domain.questions.items.item import Item
from annotator.domain.questions.random_order import Lot

RIGHT: Final = "answer"
"""The field whose right answer a finished question has."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question of the bank with its resolved answer as text.

    ``video`` is the name of its video: with it and the text of the question it is drawn for.
    """

    item: Item
    answer: str
    video: str

    @property
    def script(self) -> str:
        return str(self.item.source.get("script", ""))

    @property
    def place(self) -> tuple[str, str]:
        """The question and script over which right answers are counted."""
        return self.item.text, self.script


def final_questions(
    bank: Bank, answered: Sequence[AnsweredQuestion], new_id: Callable[[], ItemId] = item_id
) -> tuple[tuple[Item, ...], tuple[Finding, ...]]:
    """Return the finished questions in the given order, and those that failed.

    The source of each has the seed, the counts and the item it was drawn from. The same input gives
    the same options in the same order, whatever other scripts ask.
    """
    frequencies: dict[tuple[str, str], Counter[str]] = {}
    for entry in answered:
        frequencies.setdefault(entry.place, Counter())[entry.answer] += 1
    items: list[Item] = []
    findings: list[Finding] = []
    for entry in answered:
        counts = frequencies[entry.place]
        texts = _options(bank, entry, counts)
        if texts is None:
            text = f"“{entry.item.text}” has fewer than {bank.n_options} answers to choose from."
            findings.append(Finding("few-options", entry.video, text, Severity.ERROR))
            continue
        items.append(_final(bank, entry, texts, counts, new_id()))
    return tuple(items), tuple(findings)


def _options(
    bank: Bank, entry: AnsweredQuestion, counts: Mapping[str, int]
) -> tuple[str, ...] | None:
    """Return the final options in their order, None where there are too few."""
    lot = Lot(bank.seed, entry.video, entry.item.text)
    pool = pool_of([entry.answer, *(option.text for option in entry.item.options)])
    wrong_texts = [text for text in pool if text != entry.answer]
    template = bank.template(str(entry.item.source.get("template", "")))
    if template is not None and template.is_binary:
        negatives = [*wrong_texts[:1], bank.unknown]
    else:
        negatives = draw_negatives(wrong_texts, counts, bank.n_options - 1, lot)
    if len(negatives) < bank.n_options - 1:
        return None
    # The place of the right answer is drawn by itself, and so each is as likely.
    shuffled_texts = lot.shuffled(negatives)
    shuffled_texts.insert(lot.below(bank.n_options), entry.answer)
    return tuple(shuffled_texts)


def draw_negatives(
    others: Iterable[str], counts: Mapping[str, int], count: int, lot: Lot
) -> list[str]:
    """Return up to ``count`` wrong answers, drawn one after the other without putting back."""
    left = list(others)
    drawn: list[str] = []
    while left and len(drawn) < count:
        weights = [float(counts.get(text, 0)) for text in left]
        if not any(weights):
            weights = [1.0] * len(left)
        drawn.append(left.pop(lot.weighted(weights)))
    return drawn


def _final(
    bank: Bank,
    entry: AnsweredQuestion,
    texts: Sequence[str],
    counts: Mapping[str, int],
    id_: ItemId,
) -> Item:
    old = entry.item
    keys = {option.text: option.key for option in old.options}
    options = tuple(Option(keys.get(text, f"x{i}"), text) for i, text in enumerate(texts))
    right = options[texts.index(entry.answer)].key
    counted: dict[str, Json] = {text: counts[text] for text in sorted(counts)}
    source: dict[str, Json] = {
        **old.source,
        "made": "final",
        "item": old.id,
        "seed": bank.seed,
        "right_over_script": counted,
    }
    return Item(
        id_,
        bank.final_kind,
        old.video_ids,
        old.text,
        options,
        {RIGHT: (right,)},
        area=old.area,
        reasoning=old.reasoning,
        tags=old.tags,
        source=source,
        extra=old.extra,
    )
