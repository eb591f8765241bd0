"""Splits: groups stay together, constraints hold, and no better split exists on small cases."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.dataset.facts import Fact
from annotator.domain.dataset.split_groups import (
    SplitWish,
    group_videos,
    least_objective,
    objective,
)
from annotator.domain.dataset.statistics import DataSet, VideoStatistics
from annotator.domain.errors import UserError
from annotator.domain.recipes.recipe import Tool
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.dataset.split_optimization import PROVENANCE, save_split, split_videos
from annotator.services.project.metadata import facts_of
from annotator.services.project.projects import create_project
from annotator.services.transfer import import_file
from tests.exchange.files import canonical, example, write_file

QUIET = JobToken(lambda *_: None)
HALVES = SplitWish({"train": 0.5, "test": 0.5}, time_limit_s=1)


def _data(n_videos: int, seed: int = 3, n_labels: int = 4) -> DataSet:
    rng = np.random.default_rng(seed)
    videos = []
    for i in range(n_videos):
        labels = rng.integers(0, n_labels, rng.integers(1, 6))
        facts = [Fact(f"{i}-{k}", f"doing {label}", 0, 9) for k, label in enumerate(labels)]
        metadata = {
            "script": f"s{i % 3}",
            "participant": f"p{i // 2}",
            "camera": "moving" if i % 4 == 0 else "static",
        }
        videos.append(
            VideoStatistics(str(i), f"v{i}.mp4", 9.0, 30.0, metadata, {Tool.ACTIONS: facts})
        )
    return DataSet(videos)


@pytest.mark.parametrize(
    "wish",
    [
        replace(HALVES, together=("script", "participants")),
        replace(HALVES, apart=("participants",)),
        replace(HALVES, columns=("participants",)),
    ],
)
def test_a_misspelled_column_is_not_ignored(wish: SplitWish) -> None:
    with pytest.raises(UserError, match="the metadata column “participants”") as error:
        split_videos(_data(11), wish, QUIET)
    assert error.value.hint == "Columns: script, participant, camera."


@pytest.mark.parametrize("seed", range(4))
def test_no_split_of_a_small_set_is_better(seed: int) -> None:
    data = _data(11, seed)
    found = split_videos(data, HALVES, QUIET)
    groups = group_videos(data, HALVES)
    assert len(groups.members) == 11
    best = min(
        objective(groups.counts, np.array(flags), 0.5)
        for flags in product([False, True], repeat=11)
    )
    (step,) = found.steps
    assert step.value == pytest.approx(best, abs=1e-9)
    assert step.bound <= best + 1e-9
    assert step.gap < 0.02


def test_bounds_are_below_every_split() -> None:
    groups = group_videos(_data(40), HALVES)
    rng = np.random.default_rng(1)
    least = least_objective(groups.counts, 0.3)
    for _ in range(200):
        assert objective(groups.counts, rng.random(40) < 0.3, 0.3) >= least


def test_groups_stay_together_and_values_apart() -> None:
    data = _data(60)
    wish = replace(HALVES, together=("script", "participant"), apart=("participant",))
    found = split_videos(data, wish, QUIET)
    assert found.n_groups == 30
    by_participant: dict[str, set[str]] = {}
    for video in data.videos:
        by_participant.setdefault(video.metadata["participant"], set()).add(
            found.by_video[video.name]
        )
    assert all(len(splits) == 1 for splits in by_participant.values())
    assert set(found.by_video.values()) == {"train", "test"}


def test_three_splits_meet_their_shares_and_say_what_is_farthest() -> None:
    data = _data(300)
    shares = {"train": 0.2, "valid": 0.5, "test": 0.3}
    wish = SplitWish(shares, columns=("camera",), time_limit_s=4)
    found = split_videos(data, wish, QUIET)
    assert len(found.steps) == 2
    for name, share in shares.items():
        n = sum(each == name for each in found.by_video.values())
        assert n / 300 == pytest.approx(share, abs=0.02)
    assert {"camera: moving", "actions: doing 0", "videos"} <= {a.attribute for a in found.achieved}
    off = [abs(1 - each.ratio) for each in found.achieved]
    assert off == sorted(off, reverse=True)
    assert off[0] < 0.05
    assert not found.beyond(0.25)


def test_fixed_videos_stay_and_contradictions_are_named() -> None:
    data = _data(20)
    wish = replace(HALVES, pinned={"v3.mp4": "test", "v4": "train"})
    found = split_videos(data, wish, QUIET)
    assert (found.by_video["v3.mp4"], found.by_video["v4.mp4"]) == ("test", "train")
    clash = replace(wish, apart=("script",), pinned={"v0": "test", "v3": "train"})
    with pytest.raises(UserError, match=r"“v\d.mp4” is fixed to .* belong to one group"):
        split_videos(data, clash, QUIET)
    with pytest.raises(UserError, match="no such video"):
        split_videos(data, replace(HALVES, pinned={"v99": "test"}), QUIET)


def test_what_cannot_be_even_is_named() -> None:
    data = _data(12)
    lumps = {Tool.ACTIONS: [Fact(f"x{i}", "rare", 0, 9) for i in range(30)]}
    data = DataSet([*data.videos, VideoStatistics("x", "x.mp4", 9.0, 30.0, {}, lumps)])
    found = split_videos(data, HALVES, QUIET)
    assert {each.attribute for each in found.beyond(0.25)} == {"actions: rare"}


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        (SplitWish({"train": 1.0}), "at least two"),
        (SplitWish({"train": 0.5, "test": 0.6}), "add up to 1"),
        (SplitWish({"train": 1.5, "test": -0.5}), "positive"),
        (replace(HALVES, pinned={"v1": "dev"}), "not one of the splits"),
        (replace(HALVES, apart=("script", "participant")), "fewer than there are splits"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(wish: SplitWish, text: str) -> None:
    with pytest.raises(UserError, match=text):
        split_videos(_data(8), wish, QUIET)


def test_the_same_seed_gives_the_same_split_and_canceling_ends_it() -> None:
    data = _data(80)
    one, other = (split_videos(data, HALVES, QUIET).by_video for _ in range(2))
    assert one == other
    token = JobToken(lambda *_: None)
    token.cancel()
    with pytest.raises(CanceledError):
        split_videos(data, HALVES, token)


def test_a_saved_split_is_metadata_with_provenance(tmp_path: Path) -> None:
    entries = []
    for i in range(6):
        entry = example()
        entry["metadata"]["video_id"] = f"video_{i}"
        entries.append((f"video_{i}", entry))
    project = create_project(tmp_path / "p", title="P")
    import_file(project, write_file(tmp_path, canonical(*entries)), token=QUIET)
    from annotator.services.dataset.statistics import collect

    data = collect(project, QUIET)
    found = split_videos(data, HALVES, QUIET)
    assert save_split(project, found, HALVES) == 6
    assert save_split(project, found, HALVES) == 0
    told = {info.name: facts_of(info)["split"] for info, _ in project.media.all()}
    assert told == found.by_video
    assert '"seed": 1' in (project.file.meta(PROVENANCE) or "")
    project.close()
