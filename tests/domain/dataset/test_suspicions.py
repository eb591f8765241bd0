"""Each detector finds what breaks its rule, and nothing where nothing does."""

from __future__ import annotations

from annotator.domain.dataset.facts import Fact
from annotator.domain.dataset.statistics import DataSet, VideoStatistics
from annotator.domain.dataset.suspicions import DETECTORS, Extra, Suspicion
from annotator.domain.recipes.recipe import Tool


def _video(number: int, **facts: list[Fact]) -> VideoStatistics:
    by_tool = {Tool(name): found for name, found in facts.items()}
    return VideoStatistics(f"id{number}", f"v{number}.mp4", 10.0, 30.0, {}, by_tool)


def _track(name: str, label: str, start: int = 0, end: int = 300, x: float = 0.5) -> Fact:
    return Fact(name, label, start, end, 10, end - start, 0, x, 0.5, 0.2, 0.2)


def _action(name: str, label: str, start: int, end: int, *objects: str) -> Fact:
    return Fact(name, label, start, end, 0, end - start, 0, objects=objects)


def _found(detector: str, data: DataSet, extra: Extra | None = None) -> list[Suspicion]:
    (each,) = [d for d in DETECTORS if d.key == detector]
    return list(each.find(data, extra or Extra(), each.limit))


CLEAN = DataSet(
    [
        _video(
            i,
            boxes=[_track(f"m{i}", "mug", 0, 300, 0.2), _track(f"s{i}", "spoon", 0, 300, 0.8)],
            actions=[_action(f"a{i}", "stir", 30, 90, f"m{i}", f"s{i}")],
            sounds=[_action(f"n{i}", "clink", 40, 60, f"m{i}")],
        )
        for i in range(30)
    ]
)


def test_a_clean_data_set_has_no_suspicions() -> None:
    extra = Extra(
        {i: [("Tracks", 0.5)] for i in range(30)}, {i: [("Tracks", 0.9)] for i in range(30)}
    )
    assert [s for d in DETECTORS for s in d.find(CLEAN, extra, d.limit)] == []


def test_objects_that_are_not_there_and_short_segments() -> None:
    data = DataSet(
        [
            _video(
                0,
                boxes=[_track("m", "mug", 100, 200)],
                actions=[_action("a", "stir", 30, 90, "m"), _action("b", "lift", 150, 152, "gone")],
            )
        ]
    )
    texts = {s.text for s in _found("absent-object", data)}
    assert texts == {
        "“stir”: “mug” is not in the image meanwhile.",
        "“lift”: an object of its roles does not exist.",
    }
    (short,) = _found("short-segment", data)
    assert (short.frame, short.tool, short.mark_id) == (150, Tool.ACTIONS, "b")


def test_duplicates_are_found_once() -> None:
    data = DataSet(
        [
            _video(
                0,
                boxes=[
                    _track("m", "mug"),
                    _track("n", "mug", x=0.505),
                    _track("s", "spoon", x=0.1),
                ],
            )
        ]
    )
    (found,) = _found("duplicate-track", data)
    assert found.text == "“mug” has nearly the same boxes as “mug”."
    assert found.key == "duplicate-track:n:m"


def test_misspelled_labels_are_found_and_numbered_ones_are_not() -> None:
    labels = ["red cup"] * 12 + ["red  Cup", "redd cup", "blue cup", "cup 1"]
    data = DataSet([_video(i, boxes=[_track(f"t{i}", label)]) for i, label in enumerate(labels)])
    assert {s.text.split("”")[0][1:] for s in _found("rare-label", data)} == {
        "red  Cup",
        "redd cup",
    }


def test_unusual_pairs_single_keyframes_disagreement_and_haste() -> None:
    odd = _video(
        99,
        boxes=[_track("m99", "mug"), Fact("k", "jar", 0, 900, 1, 900, 0, 0.1, 0.1, 0.1, 0.1)],
        actions=[_action("a99", "stir", 30, 90, "m99")],
        sounds=[_action("n99", "bark", 40, 60, "m99")],
    )
    many = [
        _video(
            i,
            boxes=[_track(f"m{i}", "mug")],
            actions=[_action(f"a{i}", "stir", 30, 90, f"m{i}")],
            sounds=[_action(f"n{i}", "clink", 40, 60, f"m{i}")],
        )
        for i in range(60)
    ]
    data = DataSet([*many, odd])
    (pair,) = _found("rare-pair", data)
    assert (pair.video, "1 of 61 times" in pair.text) == (60, True)
    (single,) = _found("single-keyframe", data)
    assert single.text == "“jar” has one keyframe for 30 s."
    extra = Extra(
        {i: [("Tracks", 0.01 if i == 3 else 0.5)] for i in range(20)},
        {5: [("Tracks", 0.2), ("Sounds", 0.8)]},
    )
    (fast,) = _found("fast-task", data, extra)
    assert (fast.video, fast.text) == (3, "Tracks: 0.6 min, usually 30.0 min.")
    (low,) = _found("disagreement", data, extra)
    assert (low.video, low.key) == (5, "disagreement:id5:Tracks")
