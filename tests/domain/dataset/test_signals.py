"""Signs of errors in one document: what jumps, what stays apart, what answers contradict."""

from __future__ import annotations

import pytest

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.dataset.signals import ANSWER, APART, JUMP, Signal, signs_of, still_runs
from annotator.domain.forms.field import Option
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, ItemId, SegmentId, TrackId, VideoId
from annotator.domain.questions.grounding_rules import condition_from
from annotator.domain.questions.items.bank import Bank, Template
from annotator.domain.questions.items.grounded import GroundedRule
from annotator.domain.questions.items.item import Item

VIDEO = VideoInfo(VideoId("v"), "v.mp4", 400, 300, 120, 30.0, 4.0)


def _track(name: str, label: str, *boxes: tuple[int, float, float], number: int = 1) -> Track:
    keys = [Keyframe(frame, Box(x, y, x + 40, y + 40)) for frame, x, y in boxes]
    return Track(TrackInfo(TrackId(name), label, number, number - 1), tuple(keys))


def _document(*tracks: Track, segments: tuple[Segment, ...] = ()) -> Document:
    return Document(DraftId(""), VIDEO, list(tracks), list(segments))


def _signs(detector: str, document: Document, *items: Item, **how: object) -> list[Signal]:
    rules, bank = how.get("rules", ()), how.get("bank")
    found = signs_of(document, items, rules, bank)  # type: ignore[arg-type]
    return [sign for sign in found if sign.detector == detector]


def test_a_box_that_leaves_and_comes_back_jumps() -> None:
    spike = _track("a", "mug", (0, 10, 10), (10, 12, 10), (20, 250, 200), (30, 16, 10))
    even = _track("b", "cup", (0, 10, 10), (10, 80, 10), (20, 150, 10), (30, 220, 10))
    (sign,) = _signs(JUMP, _document(spike, even))
    assert (sign.mark_id, sign.frame) == ("a", 20)
    # 304 px from one neighbor, 302 from the other, 4 between these; the boxes are 40 px wide.
    assert sign.value == pytest.approx((302 - 4) / 40, abs=0.05)


def test_roles_far_apart() -> None:
    def tie(*slots: str) -> Segment:
        roles = tuple(TrackId(slot) for slot in slots)
        return Segment(SegmentId("s"), Lane.ACTION, "stir", 10, 50, slots=roles)

    near = _track("a", "mug", (0, 10, 10)), _track("b", "spoon", (0, 53, 10))
    assert _signs(APART, _document(*near, segments=(tie("a", "b"),))) == []
    # They meet for some frames only: that is near enough.
    passing = _track("b", "spoon", (0, 300, 10), (60, 0, 10))
    assert _signs(APART, _document(near[0], passing, segments=(tie("a", "b"),))) == []
    far = _track("b", "spoon", (0, 300, 10))
    signs = _signs(APART, _document(near[0], far, segments=(tie("a", "b"),)))
    assert {round(sign.value, 2) for sign in signs} == {0.5}
    assert signs[0].mark_id == "s"
    assert _signs(APART, _document(near[0], segments=(tie("a"),))) == []


def _rule() -> GroundedRule:
    where = 'label has "cup"'
    return GroundedRule(
        "cups", "grounded", "Track the cups.", "a", "b", (), (), where, condition_from(where, "x")
    )


def test_answers_of_rules_that_no_longer_hold() -> None:
    cups = [_track(f"c{i}", f"cup {i}", (0, 50 * i, 10), number=i + 1) for i in range(3)]
    item = Item(
        ItemId("i"),
        "grounded",
        (VIDEO.id,),
        "Track the cups.",
        track_ids=(TrackId("c0"), TrackId("gone")),
        source={"made": "rule", "rule": "cups"},
    )
    (sign,) = _signs(ANSWER, _document(*cups), item, rules=(_rule(),))
    assert sign.text == "“Track the cups.”: “cup 1”, “cup 2” missing, “deleted object” extra."
    names = tuple(track.id for track in cups)
    same = Item(
        ItemId("i"), "grounded", (VIDEO.id,), item.text, track_ids=names, source=item.source
    )
    assert _signs(ANSWER, _document(*cups), same, rules=(_rule(),)) == []


@pytest.mark.parametrize(("right", "is_wrong"), [("3", False), ("three", False), ("2", True)])
def test_counts_that_differ_from_the_tracks(right: str, is_wrong: bool) -> None:
    cups = [_track(f"c{i}", f"cup {i}", (0, 50 * i, 10)) for i in range(3)]
    condition = condition_from('label has "cup"', "x")
    template = Template("n", "How many cups are {where}?", "a", "b", (), counts=condition)
    item = _choice("How many cups are there?", right)
    found = _signs(ANSWER, _document(*cups), item, bank=Bank("k", (template,)))
    assert bool(found) is is_wrong
    other = _choice("How many spoons are there?", "9")
    assert _signs(ANSWER, _document(*cups), other, bank=Bank("k", (template,))) == []


@pytest.mark.parametrize(("right", "is_wrong"), [("mug, cup", False), ("Cup then mug", True)])
def test_orders_that_differ_from_the_tracks(right: str, is_wrong: bool) -> None:
    tracks = _track("a", "cup", (30, 50, 10)), _track("b", "mug", (0, 90, 10))
    template = Template(
        "o", "In which order?", "a", "b", (), lists=condition_from("present at end", "x")
    )
    found = _signs(
        ANSWER, _document(*tracks), _choice("In which order?", right), bank=Bank("k", (template,))
    )
    assert bool(found) is is_wrong


def _choice(text: str, right: str) -> Item:
    options = (Option("o0", "another"), Option("o1", right))
    return Item(ItemId("q"), "final", (VIDEO.id,), text, options, right={"answer": ("o1",)})


def test_stretches_on_which_a_box_stays() -> None:
    track = _track("a", "mug", (0, 10, 10), (30, 10, 10), (60, 100, 10))
    assert still_runs(track, 120) == [(0, 30), (60, 119)]
    keys = (Keyframe(0, Box(0, 0, 9, 9), occluded=True), Keyframe(50, Box(0, 0, 9, 9)))
    assert still_runs(Track(track.info, keys), 51) == []
