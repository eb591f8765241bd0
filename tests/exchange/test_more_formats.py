"""Formats of DIVE, VIAME, Praat, BORIS, EPIC-KITCHENS, DeepLabCut and of point arrays: documented
examples, readers of others, and bad input.
"""

from __future__ import annotations

import contextlib
import io
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pympi
import pytest

from annotator.domain.annotation.document import Document
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Track, TrackInfo
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, PointId, SegmentId, TrackId
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.document_conversion import content_of
from annotator.exchange.formats.base.file_content import VideoContent
from annotator.exchange.formats.points import point_arrays
from annotator.services.transfer.formats import FORMATS, format_of_content
from tests.exchange import format_samples as samples
from tests.exchange.test_formats import TIMES, VIDEO, imported, read


def _archive(path: Path, **arrays: np.ndarray) -> Path:
    np.savez(path, **arrays)
    return path


def test_viame(tmp_path: Path) -> None:
    (content,) = read("viame", samples.VIAME, tmp_path)
    assert (content.name, content.rate) == ("clip", 30)
    (track,) = content.tracks
    # The best pair of the last row names the track.
    assert (track.label, track.key) == ("kettle", "1")
    assert [(k.frame, k.box, k.occluded) for k in track.keyframes] == [
        (2, Box(14, 20, 54, 80), True),
        (3, Box(16, 20, 56, 80), False),
        (4, None, False),
    ]
    assert track.attributes == {"material": "steel", "full": {"2": "yes"}}
    assert track.scores == {2: 1.0, 3: 0.5}


def test_dive(tmp_path: Path) -> None:
    (content,) = read("dive", samples.DIVE, tmp_path)
    (track,) = content.tracks
    assert (track.label, track.attributes) == ("kettle", {"material": "steel"})
    # Without interpolation a feature counts for its own frame only.
    assert [(k.frame, k.box is None, k.occluded) for k in track.keyframes] == [
        (0, False, False),
        (2, False, True),
        (3, True, False),
        (6, False, False),
        (7, True, False),
    ]
    assert track.scores == {0: 0.9}
    (lift,) = content.segments
    assert (lift.label, lift.frames, lift.lane) == ("lift", (0, 3), Lane.ACTION)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_textgrid_in_all_encodings(tmp_path: Path, encoding: str) -> None:
    (content,) = read("textgrid", samples.TEXTGRID.encode(encoding), tmp_path)
    assert [(s.lane, s.label, s.times_us) for s in content.segments] == [
        (Lane.ACTION, 'pour "hot" tea', (500_000, 1_000_000)),
        (Lane.SOUND, "bell", (250_000, 750_000)),
    ]
    assert [f.code for f in content.findings] == ["without-length"]


def test_textgrid_in_the_short_form(tmp_path: Path) -> None:
    (content,) = read("textgrid", samples.TEXTGRID_SHORT, tmp_path)
    assert [(s.label, s.times_us) for s in content.segments] == [("pour", (500_000, 1_000_000))]


def test_another_reader_takes_our_textgrids(tmp_path: Path) -> None:
    segments = [
        Segment(SegmentId("a"), Lane.ACTION, 'pour "tea"', 15, 30),
        Segment(SegmentId("b"), Lane.ACTION, "lift", 20, 45),
        Segment(SegmentId("c"), Lane.SOUND, "bell", 0, 3, start_us=12_345, end_us=99_999),
    ]
    content = content_of(Document(DraftId(""), VIDEO, (), segments), TIMES)
    path = tmp_path / "clip.TextGrid"
    assert FORMATS["textgrid"].write is not None
    path.write_bytes(b"".join(FORMATS["textgrid"].write([content])))
    grid = pympi.Praat.TextGrid(str(path))
    found = {
        tier.name: [each for each in tier.get_intervals() if each[2]] for tier in grid.get_tiers()
    }
    assert found["actions-1"] == [(0.5, 1.0, 'pour "tea"')]
    assert found["actions-2"] == [(pytest.approx(0.666667), 1.5, "lift")]
    assert found["sounds-1"] == [(0.012345, 0.099999, "bell")]
    # Intervals leave no gap, from the beginning to the end.
    for tier in grid.get_tiers():
        ends = [each[:2] for each in sorted(tier.get_intervals())]
        assert ends[0][0] == 0
        assert all(a[1] == b[0] for a, b in pairwise(ends))
        assert ends[-1][1] == 2


def test_boris_project_and_table(tmp_path: Path) -> None:
    path = tmp_path / "study.boris"
    path.write_text(samples.BORIS)
    form = format_of_content(path)
    assert form.name == "boris"
    assert form.read is not None
    clip, other = form.read(path)
    assert (clip.name, other.name) == ("clip", "other")
    assert [(s.lane, s.label, s.times_us) for s in clip.segments] == [
        (Lane.SOUND, "hitting", (500_000, 1_000_000)),
        (Lane.ACTION, "lift", (600_000, 1_500_000)),
    ]
    assert clip.segments[1].attributes == {"subject": "Ann", "modifiers": "cup|red"}
    # The second file begins where the first one ends.
    assert [s.times_us for s in other.segments] == [(500_000, 1_000_000)]
    assert {f.code for f in clip.findings} == {"without-length", "without-stop"}
    (content,) = read("boris", samples.BORIS_TABLE, tmp_path)
    assert [(s.label, s.times_us) for s in content.segments] == [("pouring", (500_000, 1_000_000))]


def test_epic_kitchens(tmp_path: Path) -> None:
    (content,) = read("epic-kitchens", samples.EPIC, tmp_path)
    (segment,) = content.segments
    assert (segment.label, segment.times_us) == ("pour tea", (500_000, 64_000_000))
    assert segment.attributes["narration"] == "pour the tea"
    form = FORMATS["epic-kitchens"]
    assert form.write is not None
    line = b"".join(form.write([content])).decode().splitlines()[1]
    assert line.startswith("clip_0,clip,clip,00:00:00.500,00:00:00.50,00:01:04.00,30,3840,pour tea")


def test_deeplabcut(tmp_path: Path) -> None:
    (content,) = read("deeplabcut", samples.DLC, tmp_path)
    handle, rim = content.points
    assert (content.name, handle.label) == ("clip", "handle")
    assert handle.places == {30: Point(30, 40), 31: Point(31, 40)}
    assert rim.places == {31: Point(1.5, 2.5)}
    path = tmp_path / "kitchenDLC_resnet50.csv"
    path.write_text(samples.DLC_ANALYSIS)
    assert format_of_content(path).name == "deeplabcut"
    assert FORMATS["deeplabcut"].read is not None
    (content,) = FORMATS["deeplabcut"].read(path)
    assert content.name == "kitchen"
    assert content.points[0].scores == {0: 0.9, 1: 0.1}


def test_arrays_of_points(tmp_path: Path) -> None:
    tracks = np.array([[[30, 40], [31, 40], [32, 40], [33, 41]]], np.float32)
    hidden = np.array([[False, True, False, True]])
    wanted = {0: Point(30, 40), 1: None, 2: Point(32, 40)}
    form = {
        "tap": {"tracks": tracks, "occluded": hidden},
        "tapir": {"tracks": tracks[None], "visibles": ~hidden[None]},
        "cotracker": {
            "pred_tracks": tracks.swapaxes(0, 1)[None],
            "pred_visibility": (~hidden).T[None].astype(np.float32),
        },
    }
    for name, arrays in form.items():
        (content,) = point_arrays.read(_archive(tmp_path / f"{name}.npz", **arrays))
        assert content.points[0].places == wanted, name
        assert (content.name, content.n_frames) == (name, 4)
    folder = tmp_path / "scene_7"
    folder.mkdir()
    visibs = np.array([[1], [0], [1], [2]], np.uint8)
    path = _archive(folder / "anno.npz", trajs_2d=tracks.swapaxes(0, 1), visibs=visibs)
    (content,) = point_arrays.read(path)
    assert (content.name, content.points[0].places) == ("scene_7", wanted)


def test_plain_tables_with_other_names_of_columns(tmp_path: Path) -> None:
    dense = "Video,Track ID,Class,Frame,Left,Top,Width,Height,Confidence\n" + "".join(
        f"clip.mp4,7,cup,{f},{10 + f},20,30,40,0.{f + 1}\n" for f in range(3)
    )
    path = tmp_path / "boxes.csv"
    path.write_text(dense)
    assert format_of_content(path).name == "csv"
    (content,) = read("csv", dense, tmp_path)
    (track,) = content.tracks
    assert (content.name, track.label, track.key) == ("clip", "cup", "7")
    # A row for each frame: what lies on a line between others is left out, and the end is kept.
    assert [(k.frame, k.box) for k in track.keyframes] == [
        (0, Box(10, 20, 40, 60)),
        (2, Box(12, 20, 42, 60)),
        (3, None),
    ]
    assert track.scores == {0: 0.1, 1: 0.2, 2: 0.3}
    (content,) = read("csv", "label,onset,offset\npour,0.5,1\n", tmp_path)
    (segment,) = content.segments
    assert (segment.lane, segment.times_us) == (Lane.ACTION, (500_000, 1_000_000))
    (content,) = read("csv", "type,label,start_frame,end_frame\nsound,bell,3,9\n", tmp_path)
    assert (content.segments[0].lane, content.segments[0].frames) == (Lane.SOUND, (3, 9))
    (content,) = read(
        "csv", "id,label,frame,x,y,occluded\n1,tip,4,1.5,2,0\n1,tip,5,,,1\n", tmp_path
    )
    assert content.points[0].places == {4: Point(1.5, 2), 5: None}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("viame", "1,a,2,14,20,54,80,1.0,-1\n1,a,2,14,20,54,80,1.0,-1\n", "two boxes on frame 2"),
        ("viame", "1,a,2,14,20,14,80,1.0,-1\n", "has no area"),
        ("viame", "# fps: 30\n", "has no boxes"),
        ("dive", '{"version": 3, "tracks": {}}', "Only version 2"),
        ("dive", samples.DIVE.replace('"frame":6', '"frame":1'), "must ascend"),
        ("dive", samples.DIVE.replace("[14,20,54,80]", "[14,20,NaN,80]"), "NaN"),
        ("textgrid", "hello", "ends too early"),
        ("textgrid", samples.TEXTGRID.replace("xmax = 0.75", "xmax = 0.1"), "before it starts"),
        ("textgrid", b"\xff\xfe\x00", "neither UTF-8 nor UTF-16"),
        ("boris", "Behavior,Start (s)\n", "no column “Stop"),
        ("boris", samples.BORIS_TABLE.replace("0.500,1.000", "1.500,1.000"), "before it starts"),
        ("epic-kitchens", samples.EPIC.replace("00:00:00.50", "0.5"), "not a time"),
        ("deeplabcut", samples.DLC.replace("img0030", "image"), "does not name a frame"),
        ("deeplabcut", samples.DLC.replace("img0031", "img0030"), "stands twice"),
        ("deeplabcut", "scorer,a\ncoords,x\n", "bodyparts is missing"),
        ("csv", "a,b\n1,2\n", "must name the columns"),
        ("csv", "label,frame,x1,y1,x2,y2\ncup,0,1,1,1,2\n", "no area"),
        ("csv", "id,label,frame,x1,y1,x2,y2\n1,c,0,1,1,2,2\n1,c,0,1,1,2,2\n", "two boxes"),
        ("csv", "type,label,onset,offset\nsmell,x,0,1\n", "Unknown type"),
        ("csv", "label,onset,offset\nx,2,1\n", "before it starts"),
    ],
)
def test_bad_files_are_refused_with_their_place(
    name: str, text: str | bytes, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ExchangeError) as error:
        read(name, text, tmp_path)
    assert said in str(error.value)
    assert error.value.where


def test_arrays_of_objects_and_of_other_shapes_are_refused(tmp_path: Path) -> None:
    evil = tmp_path / "evil.npz"
    body = io.BytesIO()
    np.save(body, np.array([{"a": 1}], object), allow_pickle=True)
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("tracks.npy", body.getvalue())
    with pytest.raises(ExchangeError, match="Object arrays"):
        point_arrays.read(evil)
    for arrays in (
        {"tracks": np.zeros((2, 3))},
        {"tracks": np.zeros((2, 3, 2)), "occluded": np.zeros((3, 3), bool)},
        {"other": np.zeros(3)},
    ):
        with pytest.raises(ExchangeError):
            point_arrays.read(_archive(tmp_path / "bad.npz", **arrays))
    bad = tmp_path / "cut.npz"
    bad.write_bytes(_archive(tmp_path / "ok.npz", tracks=np.zeros((1, 3, 2))).read_bytes()[:80])
    with pytest.raises(ExchangeError, match="Cannot read"):
        point_arrays.read(bad)


SAMPLES = {
    "viame": samples.VIAME,
    "dive": samples.DIVE,
    "textgrid": samples.TEXTGRID,
    "boris": samples.BORIS_TABLE,
    "epic-kitchens": samples.EPIC,
    "deeplabcut": samples.DLC,
    "csv": "video,id,label,frame,x1,y1,x2,y2,start_s,end_s,score\nc.mp4,1,cup,0,1,2,3,4,,,0.5\n"
    "c.mp4,,pour,,,,,,0.5,1.5,\n",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_mutated_files_end_in_a_result_or_an_error(name: str, tmp_path: Path) -> None:
    """300 mutations each; a further run takes 5,000, with other seeds."""
    mutate(name, SAMPLES[name].encode(), tmp_path, range(300))


def mutate(name: str, sample: bytes, folder: Path, seeds: range) -> None:
    parts = (b"-1", b"1e999", b"NaN", b'"', b",", b"\n", b"\x00", b"\xff", b"{", b"]", b"9" * 30)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        data = bytearray(sample)
        for _ in range(int(rng.integers(1, 5))):
            at, n = int(rng.integers(len(data) + 1)), int(rng.integers(0, 12))
            data[at : at + n] = parts[int(rng.integers(len(parts)))] if rng.random() < 0.7 else b""
        with contextlib.suppress(ExchangeError):
            for content in read(name, bytes(data), folder):
                assert isinstance(content, VideoContent)


def test_attributes_of_all_types_go_through_plain_tables(tmp_path: Path) -> None:
    segment = Segment(
        SegmentId("a"), Lane.ACTION, "pour", 3, 30, extra={"attributes": {"hand": "left, say"}}
    )
    info = PointInfo(PointId("p"), None, "tip", 1, 0, extra={"attributes": {"firm": {"4": True}}})
    path = PointPath().with_run(run_of(4, [PointMark(Point(3, 4)), PointMark(Point(4, 4))]))
    attributes: dict[str, Json] = {"full": {"0": False, "10": True}, "mass": 2.5}
    track = Track(
        TrackInfo(TrackId("t"), "cup", 1, 0, attributes=attributes),
        (Keyframe(0, Box(1, 1, 9, 9)), Keyframe(20, Box(1, 1, 9, 9))),
    )
    document = Document(DraftId(""), VIDEO, [track], [segment], [PointTrack(info, path)])
    form = FORMATS["csv"]
    assert form.write is not None
    (content,) = read("csv", b"".join(form.write([content_of(document, TIMES)])), tmp_path)
    found = imported(content, "csv")
    assert found.tracks[0].info.attributes == attributes
    assert found.points[0].attributes == {"firm": {"4": True}}
    assert found.segments[0].attributes == {"hand": "left, say"}
    bad = b"label,start_s,end_s,attributes\npour,1,2,[1]\n"
    with pytest.raises(ExchangeError, match="JSON object"):
        read("csv", bad, tmp_path)
