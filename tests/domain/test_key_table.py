"""Keyframes as columns say what the keyframes say."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.key_table import KeyTable, TabledTrack, columns_of
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.checks import check_document, check_steps
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, TrackId, VideoId

N_FRAMES = 60
VIDEO = VideoInfo(VideoId("v"), "mug.mp4", 64, 48, N_FRAMES, 30.0, 2.0, 10)

sides = st.floats(-10, 80, allow_nan=False, width=32)
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    sides,
    sides,
    st.floats(0, 30, width=32),
    st.floats(0, 30, width=32),
)
keyframes = st.builds(
    Keyframe,
    st.integers(0, N_FRAMES + 5),
    st.none() | boxes,
    st.booleans(),
    st.sampled_from(Source),
    st.booleans(),
)
keyed = st.lists(keyframes, max_size=6, unique_by=lambda key: key.frame).map(
    lambda keys: tuple(sorted(keys, key=lambda key: key.frame))
)
documents = st.lists(keyed, max_size=5).map(
    lambda found: [
        Track(TrackInfo(TrackId(f"t{i}"), "mug", i, i), keys) for i, keys in enumerate(found)
    ]
)


def tabled(tracks: list[Track]) -> list[TabledTrack]:
    table = KeyTable.of(tracks)
    return [TabledTrack(track.info, table, row) for row, track in enumerate(tracks)]


@given(documents, st.randoms(use_true_random=False))
def test_tracks_of_a_table_are_the_tracks_it_was_made_of(tracks, random):
    found = tabled(tracks)
    assert found == tracks
    assert [t.frames for t in found] == [t.frames for t in tracks]
    rows = random.sample(range(len(tracks)), len(tracks))
    other = KeyTable.of(found).ordered(rows)
    assert [other.keyframes(row) for row in range(len(rows))] == [
        tracks[row].keyframes for row in rows
    ]


@given(documents, st.integers(-2, N_FRAMES + 8), st.integers(0, 20))
def test_presence_is_that_of_the_keyframes(tracks, start, length):
    for track, same in zip(tracks, tabled(tracks), strict=True):
        expected = track.is_present_in(start, start + length)
        assert same.is_present_in(start, start + length) == expected


@given(documents)
def test_a_check_of_all_at_once_finds_what_the_steps_find(tracks):
    for same in (tracks, tabled(tracks)):
        document = Document(DraftId("d"), VIDEO, same)
        stepwise = [finding for step in check_steps(document) for finding in step.find()]
        assert list(check_document(document)) == stepwise


def test_a_table_is_found_again_only_by_all_its_tracks_in_order():
    tracks = [Track(TrackInfo(TrackId(f"t{i}"), "mug", i, i)) for i in range(3)]
    found = tabled(tracks)
    table = found[0].table
    assert KeyTable.of(found) is table
    assert KeyTable.of(found[:2]) is not table
    assert KeyTable.of([found[1], found[0], found[2]]) is not table


def test_columns_of_one_track_are_those_of_its_keyframes():
    keys = (Keyframe(3, Box(1, 2, 3, 4)), Keyframe(9, None))
    tracks = [Track(TrackInfo(TrackId(f"t{i}"), "mug", i, i), keys[i:]) for i in range(2)]
    for track, same in zip(tracks, tabled(tracks), strict=True):
        frames, corners = columns_of(same)
        assert frames.tolist() == list(track.frames)
        assert [bool(row[0] != row[0]) for row in corners] == [
            k.box is None for k in track.keyframes
        ]
    assert columns_of(tracks[0])[1][0].tolist() == [1, 2, 3, 4]


def test_a_track_of_a_table_is_another_when_anything_differs():
    (track,) = [Track(TrackInfo(TrackId("t"), "mug", 1, 1), (Keyframe(3, Box(1, 2, 3, 4)),))]
    (same,) = tabled([track])
    assert same == track
    assert hash(same) == hash(tabled([track])[0])
    assert same != replace(track, info=replace(track.info, label="cup"))
    assert same != track.with_keyframes([Keyframe(4, Box(1, 2, 3, 4))])
    assert same != "t"
