"""Label sets as files: read back as they were, refused with the row and the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator import paths
from annotator.domain.annotation.labels import (
    MAX_LABELS,
    Label,
    LabelSet,
    label_set_text,
    parse_label_set,
)
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import ExchangeError

HEAD = 'lane = "action"\nname = "Actions"\n'
ONE = '[[label]]\nid = 3\ntext = "Pouring"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + "[[label]\n", r"set\.toml: Invalid TOML.*line 3"),
        ('name = "x"\n', "“lane” must be"),
        ('lane = "smell"\nname = "x"\n', "“lane” must be"),
        ('lane = "sound"\n', "“name” must"),
        (HEAD + "label = 3\n", r"\[\[label\]\]"),
        (HEAD + "label = [3]\n", r"\[\[label\]\]"),
        (HEAD + 'tint = "red"\n', "Unknown key “tint”"),
        (HEAD + ONE + 'tint = "red"\n', "row 1: Unknown key “tint”"),
        (HEAD + ONE + "[[label]]\nid = 4\n", "row 2: The key “text” is missing"),
        (HEAD + '[[label]]\ntext = "a"\n', "row 1: The key “id” is missing"),
        (HEAD + '[[label]]\nid = "4"\ntext = "a"\n', "row 1: “id” must be an integer"),
        (HEAD + '[[label]]\nid = true\ntext = "a"\n', "row 1: “id” must be an integer"),
        (HEAD + '[[label]]\nid = -1\ntext = "a"\n', "row 1: “id” must be from 0 to"),
        (HEAD + '[[label]]\nid = 1\ntext = ["a"]\n', "row 1: “text” must be text"),
        (HEAD + ONE + f'help = "{"y" * 501}"\n', "row 1: “help” has 501 characters"),
        (HEAD + f'[[label]]\nid = 4\ntext = "{"y" * 900_000}"\n', "row 1: “text” has 900000"),
        (HEAD + ONE + '[[label]]\nid = 4\ntext = "a\\nb"\n', "row 2: .*one line"),
        (HEAD + ONE + ONE, "row 2: Duplicate label ID 3"),
        (HEAD + ONE + 'template = "Pouring {2:it}"\n', "row 1: .*number the roles"),
        (
            HEAD + ONE * 1 + '[[label]]\nid = 4\ntext = "b"\n' + '[[label]]\nid = 5\ntext = "b"\n',
            "row 3: .*already",
        ),
        (
            HEAD + "".join(f'[[label]]\nid={i}\ntext="{i}"\n' for i in range(MAX_LABELS + 1)),
            "The limit is",
        ),
    ],
)
def test_impossible_files_are_refused_with_row_and_reason(text: str, says: str) -> None:
    with pytest.raises(ExchangeError, match=rf"(?s){says}"):
        parse_label_set(text, where="set.toml")


_line = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
_texts = _line.filter(lambda t: t.strip())


@given(st.dictionaries(_texts, st.tuples(_line, st.none() | st.integers(0, 99)), max_size=6))
def test_files_read_back_as_the_same_set(rows: dict[str, tuple[str, int | None]]) -> None:
    labels = tuple(
        Label(i * 7, text, "{1:a} on {2:b}" if i % 2 else "", color, str(i), help_)
        for i, (text, (help_, color)) in enumerate(rows.items())
    )
    known = LabelSet(Lane.SOUND, 'my "own" set', labels)
    assert parse_label_set(label_set_text(known), where="x") == known


def test_shipped_sets_can_be_read_and_keep_the_known_names() -> None:
    sets = {}
    for path in paths.resource("labels").iterdir():
        found = parse_label_set(path.read_text(encoding="utf-8"), where=path.name)
        sets[found.lane] = found
    sounds = {label.text: label.id for label in sets[Lane.SOUND].labels}
    assert len(sounds) == 17
    assert (sounds[" Human:Speech"], sounds["Animal:other"]) == (0, 17)
    actions = sets[Lane.ACTION]
    assert actions.find(21).text == "Lifting something and placing it back down"
    assert [slot.word for slot in actions.find(103).slots] == ["something"] * 3
