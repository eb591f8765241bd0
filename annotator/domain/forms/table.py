"""Forms and viewings as tables of a recipe file; faults are reported with their path.

    viewing = { extent = "before-cut", is_muted = false, has_tracks = false, layout = "together" }

    [task_types.form]
    entries = [1, 1]               # how often an item is answered, least and most

    [[task_types.form.fields]]
    key = "answer"
    title = "Which answer is correct?"
    kind = "choice"                # see `FieldKind`
    from_item = true               # the options are those of the item
    is_shuffled = true

    [[task_types.form.fields.options]]
    key = "none"
    text = "None of these"

The keys of a field are those of `Field`.
"""

from __future__ import annotations

from typing import Final

from annotator.domain.forms.field import (
    OTHER,
    Field,
    FieldCondition,
    FieldKind,
    Form,
    ItemScope,
    Option,
)
from annotator.domain.forms.frames import NAMED
from annotator.domain.forms.restricted_view import Extent, PairLayout, Viewing
from annotator.domain.toml import TomlTable, fault, must_be_one_of, must_differ

MAX_ENTRIES_OF_ITEM: Final = 20
MAX_BOUND: Final = 1e9
MAX_FRAME: Final = 10**8

_PICKED: Final = frozenset((FieldKind.CHOICE, FieldKind.CHOICES))
_NEED_OPTIONS: Final = _PICKED | {FieldKind.FLAG}
_HAVE_OPTIONS: Final = _NEED_OPTIONS | {FieldKind.PROPERTIES}
_COUNTED: Final = frozenset(
    (FieldKind.CHOICES, FieldKind.TEXT, FieldKind.PROPERTIES, FieldKind.SPANS, FieldKind.TRACKS)
)
_BOUNDED: Final = _COUNTED | {FieldKind.NUMBER}
_BEGUN: Final = frozenset((FieldKind.TEXT,))
_ON_A_FRAME: Final = frozenset((FieldKind.BOX,))
_YES_NO: Final = ("yes", "no")
RESERVED: Final = frozenset(("overruled",))
"""Keys that fields of the program itself have."""


def form_from(table: TomlTable) -> Form:
    """Return the form that a table describes; RecipeError names the path of the first fault."""
    fields = table.entries("fields", _field)
    if not fields:
        raise fault(table.at("fields"), "A form must have at least one field.")
    must_differ([field_row.key for field_row in fields], table.at("fields"), "key")
    for i, field_row in enumerate(fields):
        if field_row.key in RESERVED:
            where = table.at(f"fields[{i}].key")
            raise fault(where, f"“{field_row.key}” is reserved. Use another key.")
    for i, field_row in enumerate(fields):
        _check_condition(field_row, fields[:i], table.at(f"fields[{i}].shown_if"))
        if field_row.shortcut and field_row.shortcut in (other.shortcut for other in fields[:i]):
            where = table.at(f"fields[{i}].shortcut")
            raise fault(where, f"Duplicate shortcut “{field_row.shortcut}”.")
    form = Form(fields, table.span("entries", 0, MAX_ENTRIES_OF_ITEM, (1, 1)))
    table.done()
    return form


def viewing_from(table: TomlTable) -> Viewing:
    """Return the viewing that a table describes; RecipeError names the path of the fault."""
    made = Viewing(
        table.word("extent", Extent, Extent.WHOLE),
        table.truth("is_muted"),
        table.truth("has_tracks"),
        table.word("layout", PairLayout, PairLayout.TOGETHER),
    )
    table.done()
    return made


def _field(table: TomlTable) -> Field:
    field = Field(
        key=table.name("key"),
        title=table.text("title"),
        kind=table.word("kind", FieldKind),
        options=table.entries("options", _option),
        from_item=table.truth("from_item"),
        has_other=table.truth("has_other"),
        is_shuffled=table.truth("is_shuffled"),
        is_required=table.truth("is_required", default=True),
        minimum=table.bound("minimum", MAX_BOUND),
        maximum=table.bound("maximum", MAX_BOUND),
        shown_if=table.optional("shown_if", _condition),
        needed=table.texts("needed"),
        prefill=table.text("prefill", ""),
        help=table.text("help", ""),
        shortcut=table.text("shortcut", ""),
        is_voted=table.truth("is_voted", default=True),
        frame=table.name_or_number("frame", NAMED, MAX_FRAME),
        asked_of=table.word("asked_of", ItemScope, ItemScope.ALL),
    )
    table.done()
    _check_options(field, table)
    _check_bounds(field, table)
    _check_kind(table, field.kind, "from_item", field.from_item, _PICKED)
    _check_kind(table, field.kind, "has_other", field.has_other, _PICKED)
    _check_kind(table, field.kind, "is_shuffled", field.is_shuffled, _PICKED)
    _check_kind(table, field.kind, "prefill", bool(field.prefill), _BEGUN)
    _check_kind(table, field.kind, "frame", bool(field.frame), _ON_A_FRAME)
    if field.shortcut and not (len(field.shortcut) == 1 and "a" <= field.shortcut <= "z"):
        raise fault(table.at("shortcut"), "A shortcut must be one lowercase letter, a to z.")
    return field


def _option(table: TomlTable) -> Option:
    made = Option(table.text("key"), table.text("text"), table.text("help", ""))
    table.done()
    return made


def _condition(table: TomlTable) -> FieldCondition:
    made = FieldCondition(table.text("field"), table.texts("any_of"), table.texts("all_of"))
    table.done()
    return made


def _check_kind(
    table: TomlTable, kind: FieldKind, key: str, is_set: bool, kinds: frozenset[FieldKind]
) -> None:
    if is_set and kind not in kinds:
        names = ", ".join(sorted(kinds))
        raise fault(
            table.at(key), f"Not allowed for a field of kind “{kind}”. Allowed for: {names}."
        )


def _check_options(made: Field, table: TomlTable) -> None:
    where = table.at("options")
    if made.kind in _NEED_OPTIONS and not made.options and not made.from_item:
        raise fault(where, f"A field of kind “{made.kind}” requires options.")
    _check_kind(table, made.kind, "options", bool(made.options), _HAVE_OPTIONS)
    must_differ([option.key for option in made.options], where, "key")
    must_differ([option.text.strip() for option in made.options], where, "text")
    keys = [option.key for option in made.options]
    if made.has_other and OTHER in keys:
        raise fault(
            f"{where}[{keys.index(OTHER)}].key", "This key is reserved for the “other” answer."
        )
    _check_kind(table, made.kind, "needed", bool(made.needed), frozenset((FieldKind.CHOICES,)))
    for i, key in enumerate(made.needed):
        must_be_one_of(key, keys, table.at(f"needed[{i}]"), "option")


def _check_bounds(made: Field, table: TomlTable) -> None:
    for key, bound in (("minimum", made.minimum), ("maximum", made.maximum)):
        _check_kind(table, made.kind, key, bound is not None, _BOUNDED)
        if bound is None or made.kind not in _COUNTED:
            continue
        if bound != int(bound) or bound < (key == "maximum"):
            raise fault(table.at(key), "Must be an integer ≥ 0.")
    if made.minimum is not None and made.maximum is not None and made.minimum > made.maximum:
        raise fault(table.at("maximum"), f"Must not be less than the minimum, {made.minimum:g}.")
    if made.kind is FieldKind.CHOICES and not made.from_item and made.minimum is not None:
        most = len(made.options) + made.has_other
        if made.minimum > most:
            raise fault(
                table.at("minimum"), f"Must not be greater than the number of options, {most}."
            )


def _check_condition(made: Field, earlier: tuple[Field, ...], where: str) -> None:
    condition = made.shown_if
    if condition is None:
        return
    # Only what stands above, so that nothing waits for itself.
    must_be_one_of(condition.field, [e.key for e in earlier], f"{where}.field", "earlier field")
    other = next(each for each in earlier if each.key == condition.field)
    for name, wanted in (("any_of", condition.any_of), ("all_of", condition.all_of)):
        if wanted and not other.from_item:
            _check_answers(other, wanted, f"{where}.{name}")


def _check_answers(other: Field, wanted: tuple[str, ...], where: str) -> None:
    """Make sure that a field can be answered with what a condition waits for."""
    if other.kind in _NEED_OPTIONS:
        known = [option.key for option in other.options] + [OTHER] * other.has_other
    elif other.kind is FieldKind.TRUTH:
        known = list(_YES_NO)
    else:
        raise fault(where, f"“{other.key}” has no options. Remove this key to accept any answer.")
    for i, key in enumerate(wanted):
        must_be_one_of(key, known, f"{where}[{i}]", "answer")
