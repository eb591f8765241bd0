"""Answers of the people in a demo, computed from the rules of its story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from annotator.domain.annotation.document import Document
from annotator.domain.answers import Flagged, FrameBox, Picked, Spans, Value
from annotator.domain.forms.checking import options_of
from annotator.domain.forms.field import Field, FieldKind
from annotator.domain.geometry import Box
from annotator.domain.ids import VideoId
from annotator.domain.json_type import Json
from annotator.domain.questions.dealing import PairAnswer
from annotator.domain.questions.items.item import Item
from annotator.services.demo.story import AnswerRule, Ranked


class DemoAnswers:
    """Looks up what somebody answers, and keeps count of the questions that were written."""

    def __init__(self, ranked: Sequence[Ranked], names: Mapping[VideoId, str]) -> None:
        self._ranked = ranked
        self._names = names
        self._written: set[str] = set()

    def of(self, rules: Sequence[AnswerRule], who: str, item: Item) -> dict[int, dict[str, Json]]:
        """Return the answers about an item by entry and field, in the words of the story."""
        clips = [self._names[video_id] for video_id in item.video_ids]
        found: dict[int, dict[str, Json]] = {}
        for rule in rules:
            if not _fits(rule, who, clips, item):
                continue
            told = found.setdefault(rule.entry, {})
            if rule.writes:
                told.update(self._next_question(clips))
            if rule.ranks and (answer := self._by_rank(item.text, clips)):
                told["answer"] = answer
            told.update(rule.values)
        return found

    def _next_question(self, clips: Sequence[str]) -> dict[str, Json]:
        fitting = [each for each in self._ranked if not set(clips) & set(each.unfit)]
        chosen = next((each for each in fitting if each.text not in self._written), fitting[0])
        self._written.add(chosen.text)
        return {
            "question": chosen.text,
            "answer": _first(chosen, clips),
            "properties": list(chosen.properties),
            "statement": chosen.statement,
        }

    def _by_rank(self, text: str, clips: Sequence[str]) -> str:
        for each in self._ranked:
            if each.text == text:
                return (
                    PairAnswer.IRRELEVANT if set(clips) & set(each.unfit) else _first(each, clips)
                )
        return ""


def value_of(field: Field, item: Item, told: Json, document: Document, middle: int) -> Value:
    """Return the answer that a story means, a box on the frame in the ``middle`` of the video.

    ValueError when it cannot be an answer to the field.
    """
    match field.kind:
        case FieldKind.CHOICE:
            return _picked(field, item, [msgspec.convert(told, str)])
        case FieldKind.CHOICES:
            return _picked(field, item, msgspec.convert(told, list[str]))
        case FieldKind.SPANS:
            return Spans(msgspec.convert(told, tuple[tuple[int, int], ...]))
        case FieldKind.BOX:
            return FrameBox(middle, Box(*msgspec.convert(told, tuple[float, float, float, float])))
        case FieldKind.TRACKS:
            labels = msgspec.convert(told, list[str])
            return tuple(track.id for track in document.tracks if track.label in labels)
        case FieldKind.FLAG:
            return Flagged(msgspec.convert(told, str))
        case FieldKind.PROPERTIES:
            return msgspec.convert(told, tuple[str, ...])
        case FieldKind.NUMBER:
            return msgspec.convert(told, float)
        case FieldKind.TRUTH:
            return msgspec.convert(told, bool)
        case FieldKind.CONFIDENCE:
            return msgspec.convert(told, int)
        case FieldKind.TEXT:
            return msgspec.convert(told, str)


def _fits(rule: AnswerRule, who: str, clips: Sequence[str], item: Item) -> bool:
    return (
        (not rule.who or who in rule.who)
        and (not rule.clips or bool(set(rule.clips) & set(clips)))
        and rule.text in item.text
    )


def _first(question: Ranked, clips: Sequence[str]) -> str:
    places = [question.order.index(clip) for clip in clips]
    return PairAnswer.FIRST if places[0] < places[1] else PairAnswer.SECOND


def _picked(field: Field, item: Item, wanted: Sequence[str]) -> Picked:
    """Return the options that are named by key or by text."""
    options = options_of(field, item)
    keys = {option.text: option.key for option in options} | {o.key: o.key for o in options}
    if unknown := [each for each in wanted if each not in keys]:
        raise ValueError(f"“{field.key}” has no option “{unknown[0]}”")
    return Picked(tuple(keys[each] for each in wanted))
