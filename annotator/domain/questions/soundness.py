"""What a finished question must be: its options differ, and one of them is right."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain.checks import Finding, Severity
from annotator.domain.questions.item import Item

LEAST_OPTIONS = 2


def problems_of(item: Item, where: str, *, needs_right: bool = False) -> Iterator[Finding]:
    """Yield what is wrong with an item; ``where`` names it for people.

    ``needs_right``: the answer must be known, as in the finished questions of a data set.
    """
    if not item.video_ids:
        yield _error("no-video", where, "It names no video to look at.")
    if len(set(item.video_ids)) < len(item.video_ids):
        yield _error("same-video", where, "It shows a video beside itself.")
    keys = [option.key for option in item.options]
    texts = [" ".join(option.text.split()).casefold() for option in item.options]
    if len(set(keys)) < len(keys) or len(set(texts)) < len(texts):
        yield _error("same-options", where, "Two of its options are the same.")
    if any(not text for text in texts):
        yield _error("empty-option", where, "An option has no text.")
    if item.options and len(item.options) < LEAST_OPTIONS:
        yield _error("few-options", where, "It has one option, so there is nothing to choose.")
    if not item.options:
        return
    if needs_right and not any(item.right.values()):
        yield _error("no-right-answer", where, "None of its options is the right answer.")
    for answers in item.right.values():
        for key in answers:
            if key not in keys:
                text = f"Its right answer “{key[:80]}” is not one of its options."
                yield _error("answer-outside", where, text)


def _error(code: str, where: str, text: str) -> Finding:
    return Finding(code, where, text, Severity.ERROR)
