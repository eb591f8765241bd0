"""Nouns with their numbers."""

from __future__ import annotations

from annotator.domain.plurals import are, many


def test_nouns_go_with_their_numbers() -> None:
    assert [many(1, "box"), many(2, "box"), many(0, "track")] == ["1 box", "2 boxes", "0 tracks"]
    assert [are(1, "frame"), are(2, "box")] == ["1 frame is", "2 boxes are"]
