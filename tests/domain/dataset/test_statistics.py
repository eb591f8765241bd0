"""Counts of a data set: bars of charts."""

from __future__ import annotations

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.dataset.facts import facts_of
from annotator.domain.dataset.statistics import DataSet, VideoStatistics
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId, VideoId


def test_videos_without_objects_are_not_counted_with_those_that_have_one() -> None:
    videos = []
    for name, n_objects in (("a", 0), ("b", 1), ("c", 4), ("d", 0)):
        info = VideoInfo(VideoId(name), name, 64, 48, 90, 30.0, 3.0)
        tracks = [
            Track(TrackInfo(TrackId(f"{name}{i}"), "cup", 1, 0), (Keyframe(0, Box(1, 1, 9, 9)),))
            for i in range(n_objects)
        ]
        facts = facts_of(Document(DraftId(""), info, tracks))
        videos.append(VideoStatistics(name, name, 3.0, 30.0, {}, facts, None))
    (chart,) = [c for c in DataSet(videos).charts() if c.key == "objects_per_video"]
    bars = {bar.name: bar.value for bar in chart.bars}
    assert {name: n for name, n in bars.items() if n} == {"0": 2, "1": 1, "4–5": 1}
