"""Question, answer and decoys made elsewhere: judged, corrected, or discarded and counted why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from annotator.domain.answer import Picked, Spans, Value
from annotator.domain.forms.field import Field
from annotator.domain.ids import ItemId, VideoId, item_id
from annotator.domain.json_type import Json
from annotator.domain.questions.answer_resolution import lacking
from annotator.domain.questions.items.item import Item, Purpose
from annotator.domain.questions.random_order import Lot

QUESTION: Final = "question"
ANSWER: Final = "answer"
DECOY: Final = "decoy-"
TYPE: Final = "type"
"""Names of the texts of an item, and of the fields that correct them."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """One set: a question about a video, its answer and the wrong answers beside it.

    ``video`` is the name of the video. ``extra`` is what else was known of it, by name.
    ``judgement`` are the right answers to fields about it, by their keys, where they are known:
    such a set is there to train raters by, and one without a video to see whether they read.
    """

    key: str
    video: str
    question: str
    answer: str
    decoys: tuple[str, ...]
    type: str
    extra: Mapping[str, Json] = field(default_factory=dict)
    judgement: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def item_of(
    answer_set: AnswerSet,
    video: VideoId | None,
    kind: str,
    purpose: Purpose = Purpose.WORK,
    new_id: Callable[[], ItemId] = item_id,
) -> Item:
    """Return the item in which raters judge a set and correct its texts."""
    texts = {QUESTION: answer_set.question, ANSWER: answer_set.answer, TYPE: answer_set.type}
    texts |= {f"{DECOY}{i}": decoy for i, decoy in enumerate(answer_set.decoys)}
    return Item(
        new_id(),
        kind,
        (video,) if video is not None else (),
        answer_set.question,
        right=answer_set.judgement,
        texts=texts,
        purpose=purpose,
        source={"made": "import", "key": answer_set.key},
        extra=dict(answer_set.extra),
    )


def set_of(item: Item, video: str) -> AnswerSet:
    """Return the set that an item has; ``video`` is the name of its video."""
    decoys = sorted(
        (int(name.removeprefix(DECOY)), text)
        for name, text in item.texts.items()
        if name.startswith(DECOY) and name.removeprefix(DECOY).isdecimal()
    )
    return AnswerSet(
        str(item.source.get("key", item.id)),
        video,
        item.texts.get(QUESTION, item.text),
        item.texts.get(ANSWER, ""),
        tuple(text for _, text in decoys if text),
        item.texts.get(TYPE, ""),
        item.extra,
    )


def choices_of(found: AnswerSet, seed: int) -> tuple[tuple[str, ...], int]:
    """Return answer and decoys in random order, and the position of the answer."""
    lot = Lot(seed, "choices", found.key)
    choices = lot.shuffled(found.decoys)
    place = lot.below(len(choices) + 1)
    choices.insert(place, found.answer)
    return tuple(choices), place


def missing_of(fields: Iterable[Field], answers: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the statements that must all be ticked and are not, by key: nothing means kept."""
    return tuple(key for each in fields for key in lacking(each, answers.get(each.key)))


def corrected(
    item: Item,
    answers: Mapping[str, Value],
    kind: str,
    source: Mapping[str, Json],
    new_id: Callable[[], ItemId] = item_id,
) -> Item:
    """Return the item with the corrected texts of a rater; empty ones stay unchanged.

    Fields are named as the texts are. Options that were picked (the type, the modality) become
    texts of that name. ``source`` says whose they are.
    """
    texts = dict(item.texts)
    for name, value in answers.items():
        if isinstance(value, str) and value.strip():
            texts[name] = value.strip()
        elif isinstance(value, Picked) and len(value.keys) == 1:
            texts[name] = value.keys[0]
    return replace(
        item,
        id=new_id(),
        kind=kind,
        text=texts.get(QUESTION, item.text),
        texts=texts,
        source={**item.source, **source, "item": item.id},
    )


@dataclass(frozen=True, slots=True)
class TemporalCertificate:
    """The shortest stretches that prove an answer: how many, how long together, from the first to
    the last, and which share of the video they are. Seconds."""

    n_spans: int
    length_s: float
    reach_s: float
    share: float


def certificate_of(
    spans: Spans, seconds: Callable[[int], float], duration_s: float
) -> TemporalCertificate | None:
    """Return the measures of spans, None where there are none; ``seconds`` is when a frame begins,
    for the frame after the last when that one ends."""
    if not spans.spans:
        return None
    length = sum(seconds(end) - seconds(start) for start, end in spans.spans)
    reach = seconds(spans.spans[-1][1]) - seconds(spans.spans[0][0])
    return TemporalCertificate(
        len(spans.spans), length, reach, length / duration_s if duration_s else 0.0
    )


@dataclass(frozen=True, slots=True)
class SetRating:
    """Rating of one set by one person: the statements left unticked, by key."""

    item: ItemId
    rater: str
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiscardRate:
    """How many there were and how many of them were discarded."""

    total: int = 0
    discarded: int = 0

    @property
    def share(self) -> float | None:
        return self.discarded / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class DiscardReport:
    """Why sets were discarded.

    ``reasons`` counts discarded sets by each statement they lack; a set may lack several.
    ``by_rater`` counts what each rater would have discarded.
    """

    sets: DiscardRate
    reasons: Mapping[str, int]
    by_type: Mapping[str, DiscardRate]
    by_rater: Mapping[str, DiscardRate]


def discard_report(
    types: Mapping[ItemId, str],
    settled: Mapping[ItemId, Sequence[str]],
    judgements: Iterable[SetRating],
) -> DiscardReport:
    """Return the report on all resolved sets.

    ``types`` is the type of each set, ``settled`` the problems of each after its ratings were
    combined: none for a set that is kept.
    """
    reasons: Counter[str] = Counter()
    by_type: dict[str, DiscardRate] = {}
    by_rater: dict[str, DiscardRate] = {}
    for id_, missing in settled.items():
        reasons.update(set(missing))
        _count(by_type, types.get(id_, ""), is_discarded=bool(missing))
    for judgement in judgements:
        if judgement.item in settled:
            _count(by_rater, judgement.rater, is_discarded=bool(judgement.missing))
    sets = DiscardRate(len(settled), sum(bool(missing) for missing in settled.values()))
    ranked = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    return DiscardReport(
        sets, dict(ranked), dict(sorted(by_type.items())), dict(sorted(by_rater.items()))
    )


def _count(shares: dict[str, DiscardRate], name: str, *, is_discarded: bool) -> None:
    old = shares.get(name, DiscardRate())
    shares[name] = DiscardRate(old.total + 1, old.discarded + is_discarded)
