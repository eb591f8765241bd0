"""Fields of a form: question, kind of answer, and conditions; part of the recipe."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

OTHER: Final = "other"
"""What an answer typed beside the options counts as, in conditions and in the order shown."""


class FieldKind(StrEnum):
    """How a field is answered; `value` has the type of the answer.

    Options are the choices, the reasons of a flag, or the suggestions for properties.
    """

    CHOICE = "choice"  # one option
    CHOICES = "choices"  # any number of options
    TRUTH = "truth"  # yes or no
    TEXT = "text"
    NUMBER = "number"
    CONFIDENCE = "confidence"  # a whole number, 1 to 5
    PROPERTIES = "properties"  # a list of short texts, with completion
    SPANS = "spans"  # stretches of time
    BOX = "box"  # a box on a given frame
    TRACKS = "tracks"  # object tracks, picked in the picture or from the list
    FLAG = "flag"  # something is wrong with the unit; a reason, and words where they are needed


class ItemScope(StrEnum):
    """Of which items a field is asked."""

    ALL = "all"
    WITH_OPTIONS = "with-options"  # those with something to choose from
    WITHOUT_OPTIONS = "without-options"  # open questions


@dataclass(frozen=True, slots=True)
class Option:
    """One of several answers; ``key`` is stored, ``text`` is shown, verbatim."""

    key: str
    text: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class FieldCondition:
    """A field is asked only where another of the same form was answered with one of ``any_of``,
    and with each of ``all_of``.

    Options by their keys, yes and no as "yes" and "no", a ticked option of several by its key.
    Nothing in either: answered at all.
    """

    field: str
    any_of: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a form.

    ``from_item``: the options are those of the item, not of the form. ``has_other``: one more
    option with free text. ``is_shuffled``: each rater has an own order of options, stored with the
    answer. ``minimum`` and ``maximum`` limit a number, the number of options, properties, spans or
    tracks, or the characters of a text. ``prefill`` names the text of the item that is the initial
    answer. ``needed`` are options of a multiple choice that must all be checked; otherwise the item
    is discarded. ``is_voted``: the answers of several raters are resolved. ``frame`` is the frame
    of a box, by a name of `frames` or by number; "": any frame. ``asked_of`` limits the field to
    items with or without options.
    """

    key: str
    title: str
    kind: FieldKind
    options: tuple[Option, ...] = ()
    from_item: bool = False
    has_other: bool = False
    is_shuffled: bool = False
    is_required: bool = True
    minimum: float | None = None
    maximum: float | None = None
    shown_if: FieldCondition | None = None
    needed: tuple[str, ...] = ()
    prefill: str = ""
    help: str = ""
    shortcut: str = ""
    is_voted: bool = True
    frame: str = ""
    asked_of: ItemScope = ItemScope.ALL


@dataclass(frozen=True, slots=True)
class Form:
    """Fields that a task asks about each item.

    ``entries`` is how often one item may be answered, least and most: a rater who writes one or two
    questions about a pair fills the form once or twice.
    """

    fields: tuple[Field, ...]
    entries: tuple[int, int] = (1, 1)

    def field(self, key: str) -> Field | None:
        """Return the field of that key, None if there is none."""
        for each in self.fields:
            if each.key == key:
                return each
        return None
