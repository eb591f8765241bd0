"""Rule language that selects the tracks which answer a question, one line of text.

    fills slot 1 of "Putting something into something" and not absent at end
    touched first or (present at start and label has "cup")

A condition is one of

    fills slot N of "LABEL"        fills any slot of "LABEL"
    touched [first | last]         has a role in an action; is the first, the last to get one
    present at start | end         absent at start | end
    number N by appearance | touch | left
    last by appearance | touch | left
    label is "TEXT"                label has "TEXT"        without regard to case
    sounds ["LABEL"]               makes a sound
    attribute "NAME"               such as is_occluder

joined by ``not``, ``and``, ``or`` (in this order of strength) and brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NoReturn, TypeAlias

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import Track
from annotator.domain.errors import RecipeError
from annotator.domain.ids import TrackId

ORDERS = ("appearance", "touch", "left")
"""By what tracks can be numbered; see `RuleFacts.order`."""


class RuleFacts:
    """Facts of one document for rules; labels are compared without surrounding spaces."""

    def __init__(self, document: Document) -> None:
        self.tracks = {t.id: t for t in document.tracks}
        self._n_frames = document.video.n_frames
        self._slots: dict[tuple[Lane, str], list[tuple[TrackId, int]]] = {}
        touches: list[TrackId] = []
        for segment in document.segments:  # by start
            for i, track in enumerate(segment.slots):
                if not track or track not in self.tracks:
                    continue
                key = segment.lane, segment.label.strip()
                self._slots.setdefault(key, []).append((track, i + 1))
                if segment.lane is Lane.ACTION:
                    touches.append(track)
        self._touched = tuple(dict.fromkeys(touches))
        self._sounding = {
            track
            for (lane, _), segments in self._slots.items()
            if lane is Lane.SOUND
            for track, _ in segments
        }
        self._orders: dict[str, tuple[TrackId, ...]] = {"touch": self._touched}

    def fills(self, track: TrackId, label: str, slot: int | None) -> bool:
        """Return whether a track fills a role (from 1, None: any) of an action of that label."""
        found = self._slots.get((Lane.ACTION, label.strip()), ())
        return any(track == each and slot in (None, i) for each, i in found)

    def sounds(self, track: TrackId, label: str | None) -> bool:
        """Return whether a track makes a sound of that label (None: any)."""
        if label is None:
            return track in self._sounding
        return any(track == each for each, _ in self._slots.get((Lane.SOUND, label.strip()), ()))

    def is_present(self, track: TrackId, *, at_end: bool) -> bool:
        """Return whether a track is in the picture on the first or last frame."""
        frame = max(0, self._n_frames - 1) if at_end else 0
        return self.tracks[track].state_at(frame).is_present

    def order(self, by: str) -> tuple[TrackId, ...]:
        """Return tracks in an order: "appearance", by the first frame they are seen on; "touch",
        by the start of the first action they have a role in, then by role; "left", from left to
        right where each is first seen. Of equals, the one with the smaller number comes first."""
        if by not in self._orders:
            self._orders[by] = tuple(_sorted(self.tracks.values(), by))
        return self._orders[by]


def _sorted(tracks: Iterable[Track], by: str) -> list[TrackId]:
    found: list[tuple[float, int, TrackId]] = []
    for track in tracks:
        first = next((k for k in track.keyframes if k.box is not None), None)
        if first is None or first.box is None:
            continue
        rank = float(first.frame) if by == "appearance" else first.box.center.x
        found.append((rank, track.info.number, track.id))
    return [id_ for _, _, id_ in sorted(found)]


Condition: TypeAlias = Callable[[RuleFacts, TrackId], bool]
MAX_DEPTH: Final = 50
_TOKEN: Final = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(\d+)|([A-Za-z]+)|([()])|(\S))""")
_MAX_NUMBER: Final = 1000


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # text, number, word, bracket, end
    value: str
    place: int


def condition_from(text: str, where: str) -> Condition:
    """Return the condition in a line; RecipeError names path and character of the fault."""
    return _Parser(text, where).whole()


class _Parser:
    """Reads a line from left to right, one token ahead."""

    def __init__(self, text: str, where: str) -> None:
        self._where = where
        self._tokens = self._split(text)
        self._at = 0
        self._depth = 0

    def whole(self) -> Condition:
        found = self._either()
        if self._now.kind != "end":
            self._fail("Expected “and” or “or”.")
        return found

    def _split(self, text: str) -> list[_Token]:
        tokens: list[_Token] = []
        end = 0
        while match := _TOKEN.match(text, end):
            end = match.end()
            place = end - len(match.group().lstrip()) + 1
            double, single, number, word, bracket, odd = match.groups()
            if odd is not None:
                problem = "Unclosed quotation mark." if odd in "\"'" else f"“{odd}”?"
                raise RecipeError(f"Character {place}: {problem}", where=self._where)
            if number is not None:
                tokens.append(_Token("number", number, place))
            elif word is not None:
                tokens.append(_Token("word", word.lower(), place))
            elif bracket is not None:
                tokens.append(_Token("bracket", bracket, place))
            else:
                tokens.append(_Token("text", double if double is not None else single, place))
        tokens.append(_Token("end", "", len(text) + 1))
        return tokens

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *words: str) -> str | None:
        """Step over one of these words and return it, None where another stands."""
        if self._now.kind in ("word", "bracket") and self._now.value in words:
            self._at += 1
            return self._tokens[self._at - 1].value
        return None

    def _need(self, *words: str) -> str:
        found = self._take(*words)
        if found is None:
            self._fail(f"Expected {' or '.join(f'“{word}”' for word in words)}.")
        return found

    def _text(self) -> str:
        if self._now.kind != "text" or not self._now.value.strip():
            self._fail("Expected text in quotation marks.")
        self._at += 1
        return self._tokens[self._at - 1].value

    def _number(self) -> int:
        value = self._now.value
        is_number = self._now.kind == "number" and len(value) < len(str(_MAX_NUMBER)) + 1
        if not is_number or not 1 <= int(value) <= _MAX_NUMBER:
            self._fail(f"Expected an integer from 1 to {_MAX_NUMBER}.")
        self._at += 1
        return int(value)

    def _fail(self, text: str) -> NoReturn:
        raise RecipeError(f"Character {self._now.place}: {text}", where=self._where)

    def _either(self) -> Condition:
        found = self._both()
        while self._take("or"):
            found = _or(found, self._both())
        return found

    def _both(self) -> Condition:
        found = self._single()
        while self._take("and"):
            found = _and(found, self._single())
        return found

    def _single(self) -> Condition:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"Parentheses and “not” are nested more than {MAX_DEPTH} levels deep.")
        if self._take("not"):
            found = _not(self._single())
        elif self._take("("):
            found = self._either()
            self._need(")")
        else:
            found = self._test()
        self._depth -= 1
        return found

    def _test(self) -> Condition:
        word = self._need(
            "fills", "touched", "present", "absent", "number", "last", "label", "sounds",
            "attribute", "not", "(",
        )  # fmt: skip
        if word == "fills":
            return self._fills()
        if word == "touched":
            place = self._take("first", "last")
            return _nth("touch", -1 if place == "last" else 0) if place else _touched
        if word in ("present", "absent"):
            self._need("at")
            is_present = _present(at_end=self._need("start", "end") == "end")
            return is_present if word == "present" else _not(is_present)
        if word in ("number", "last"):
            index = self._number() - 1 if word == "number" else -1
            self._need("by")
            return _nth(self._need(*ORDERS), index)
        if word == "label":
            return _label(is_whole=self._need("is", "has") == "is", text=self._text())
        if word == "sounds":
            return _sounds(self._text() if self._now.kind == "text" else None)
        return _attribute(self._text())

    def _fills(self) -> Condition:
        slot: int | None = None
        if self._take("any"):
            self._need("slot")
        else:
            self._need("slot")
            slot = self._number()
        self._need("of")
        label = self._text()
        return lambda facts, track: facts.fills(track, label, slot)


def _and(a: Condition, b: Condition) -> Condition:
    return lambda facts, track: a(facts, track) and b(facts, track)


def _or(a: Condition, b: Condition) -> Condition:
    return lambda facts, track: a(facts, track) or b(facts, track)


def _not(a: Condition) -> Condition:
    return lambda facts, track: not a(facts, track)


def _touched(facts: RuleFacts, track: TrackId) -> bool:
    return track in facts.order("touch")


def _nth(by: str, index: int) -> Condition:
    return lambda facts, track: facts.order(by)[index:][:1] == (track,)


def _present(*, at_end: bool) -> Condition:
    return lambda facts, track: facts.is_present(track, at_end=at_end)


def _label(*, is_whole: bool, text: str) -> Condition:
    wanted = text.strip().casefold()

    def test(facts: RuleFacts, track: TrackId) -> bool:
        label = facts.tracks[track].label.strip().casefold()
        return label == wanted if is_whole else wanted in label

    return test


def _sounds(label: str | None) -> Condition:
    return lambda facts, track: facts.sounds(track, label)


def _attribute(name: str) -> Condition:
    return lambda facts, track: bool(facts.tracks[track].info.attributes.get(name))
