from __future__ import annotations

import pytest

from annotator.domain.annotation.labels import (
    Label,
    LabelSet,
    SentencePart,
    Slot,
    checked_set,
)
from annotator.domain.annotation.segment import Lane
from annotator.domain.errors import EditError

POUR = Label(
    3, "Pouring something into something", "Pouring {1:something} into {2:something}", key="1"
)


def test_a_template_is_a_sentence_with_roles():
    assert POUR.slots == (Slot(1, "something"), Slot(2, "something"))
    assert POUR.sentence == (
        SentencePart("Pouring ", None),
        SentencePart("something", 0),
        SentencePart(" into ", None),
        SentencePart("something", 1),
    )
    assert Label(1, " Human:Speech").sentence == (SentencePart(" Human:Speech", None),)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ((POUR, Label(3, "other")), "Duplicate label ID"),
        ((POUR, Label(4, POUR.text)), "already"),
        ((POUR, Label(4, "other", key="1")), "is already used by “"),
        ((Label(4, "other", key="x"),), "one digit"),
        ((Label(4, "  "),), "characters"),
        ((Label(4, "y" * 501),), "characters"),
        ((Label(4, "a\nb"),), "one line"),
        (
            (Label(4, "a", "a {2:thing}"),),
            r": number the roles of the template 1, 2, 3 and so on, each once\.",
        ),
        (
            (Label(4, "a", "a {1:b} {1:c}"),),
            r": number the roles of the template 1, 2, 3 and so on, each once\.",
        ),
        ((Label(4, "a", "a {one}"),), "write a role"),
    ],
)
def test_impossible_sets_are_refused_with_the_label_named(labels, says):
    with pytest.raises(EditError, match=says):
        checked_set(LabelSet(Lane.ACTION, "actions", labels))


def test_renaming_keeps_the_number_and_a_used_label_stays():
    labels = LabelSet(Lane.ACTION, "actions", (POUR,))
    renamed = labels.with_label(Label(3, "Pouring"))
    assert renamed.find(3).text == "Pouring"
    with pytest.raises(EditError, match=r"2 times: clip\.mp4 0:03, clip\.mp4 0:07"):
        labels.without(3, ["clip.mp4 0:03", "clip.mp4 0:07"])
    with pytest.raises(EditError, match="used once: clip"):
        labels.without(3, ["clip.mp4 0:03"])
    assert labels.without(3).labels == ()
