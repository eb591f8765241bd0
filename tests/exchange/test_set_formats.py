"""Formats of sets: YOLO, masks of YouTube-VIS and BURST, KWCOCO, AVA, THUMOS, SLEAP, Datumaro:
documented examples, readers of others, and bad input.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest
import sleap_io
from pycocotools import mask as coco_mask

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
from annotator.exchange.formats.base.document_conversion import content_of, import_command
from annotator.exchange.formats.boxes import mask_tracks, yolo
from annotator.exchange.formats.points import sleap
from annotator.exchange.node import Node
from annotator.services.transfer.formats import FORMATS, format_of_content
from tests.exchange import format_samples as samples
from tests.exchange.test_formats import TIMES, VIDEO, imported, read
from tests.exchange.test_more_formats import mutate


def _set(folder: Path, labels: dict[str, str], settings: str = "") -> Path:
    (folder / "labels" / "train").mkdir(parents=True, exist_ok=True)
    (folder / "images" / "train").mkdir(parents=True, exist_ok=True)
    for name, text in labels.items():
        (folder / "labels" / "train" / name).write_text(text)
    path = folder / "data.yaml"
    path.write_text(
        settings or "train: images/train\nval: images/train\nnames: {0: kettle, 1: cup}\n"
    )
    return path


def test_yolo_without_tracks(tmp_path: Path) -> None:
    path = _set(
        tmp_path,
        {
            "clip_000002.txt": "0 0.106250 0.208333 0.125000 0.250000\n\n",
            "clip_000003.txt": "1 0.375000 0.333333 0.125000 0.166667\n",
            "other_000000.txt": "",
        },
    )
    assert format_of_content(path).name == "yolo"
    clip, other = yolo.read(path)
    assert (clip.name, other.name, other.tracks) == ("clip", "other", ())
    assert [f.code for f in clip.findings] == ["no-identity"]
    document = imported(clip)
    first, second = document.tracks
    assert (first.label, [(k.frame, k.box is None) for k in first.keyframes]) == (
        "kettle",
        [(2, False), (3, True)],
    )
    box = first.keyframes[0].box
    assert box is not None
    assert box.as_tuple() == pytest.approx((28, 30, 108, 120), abs=0.01)
    assert second.label == "cup"


def test_yolo_of_a_tracker_has_tracks_and_scores(tmp_path: Path) -> None:
    rows = {f"clip_{f:06}.txt": f"0 0.{f + 1} 0.5 0.1 0.1 0.75 7\n" for f in range(3)}
    (content,) = yolo.read(_set(tmp_path, rows))
    (track,) = content.tracks
    assert (track.key, track.scores) == ("7", {0: 0.75, 1: 0.75, 2: 0.75})
    # On a line: two keyframes, and the end.
    assert [k.frame for k in track.keyframes] == [0, 2, 3]
    (content,) = yolo.read(
        _set(
            tmp_path,
            {
                "clip_000000.txt": "0 0.5 0.5 0.1 0.1 4\n",
                **{f"clip_{f:06}.txt": "" for f in (1, 2)},
            },
        )
    )
    assert content.tracks[0].key == "4"
    (content,) = yolo.read(_set(tmp_path, {"clip_000000.txt": "0 0.5 0.5 0.1 0.1 0.4\n"}))
    assert content.tracks[0].scores == {0: 0.4}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("train: ../../images\nnames: [a]\n", "outside the set"),
        ("train: /etc/images\nnames: [a]\n", "no label files"),
        ("train: images/train\nnames: {0: a, 2: b}\n", "without gaps"),
        ("train: images/train\n", "classes are missing"),
        ("train: [images/train, {a: 1}]\nnames: [a]\n", "must name a folder"),
        ("a: !!python/object/apply:os.system ['true']\n", "not valid YAML"),
        ("- 1\n", "settings of a YOLO set"),
        ("names: [a\n", "not valid YAML"),
    ],
)
def test_settings_of_yolo_sets_that_are_refused(settings: str, said: str, tmp_path: Path) -> None:
    path = _set(tmp_path / "a" / "b", {"clip_000000.txt": "0 0.5 0.5 0.1 0.1\n"}, settings)
    with pytest.raises(ExchangeError) as error:
        yolo.read(path)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2 0.5 0.5 0.1 0.1", "no class 2"),
        ("0 0.5 0.5 0.1", "numbers instead of"),
        ("0 0.1 0.1 0.2 0.2 0.3 0.3 0.4 0.4", "polygons"),
        ("0 1.5 0.5 0.1 0.1", "out of range"),
        ("0 0.5 0.5 0 0.1", "no area"),
        ("0 nan 0.5 0.1 0.1", "not a number"),
        ("0 0.5 0.5 0.1 0.1 3\n0 0.6 0.5 0.1 0.1 3", "two boxes on one frame"),
    ],
)
def test_rows_of_yolo_sets_that_are_refused(row: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError) as error:
        yolo.read(_set(tmp_path, {"clip_000000.txt": row}))
    assert said in str(error.value)
    with pytest.raises(ExchangeError, match="frame number"):
        yolo.read(_set(tmp_path / "b", {"clip.txt": ""}))


def test_a_download_in_a_yolo_set_is_told_and_not_run(tmp_path: Path) -> None:
    settings = "train: images/train\nnames: [a]\ndownload: touch /tmp/never\n"
    (content,) = yolo.read(_set(tmp_path, {"clip_000000.txt": "0 0.5 0.5 0.1 0.1\n"}, settings))
    assert "download" in [f.code for f in content.findings]


def test_youtube_vis(tmp_path: Path) -> None:
    (content,) = read("youtube-vis", samples.YOUTUBE_VIS, tmp_path)
    assert format_of_content(tmp_path / "clip.json").name == "youtube-vis"
    (track,) = content.tracks
    assert (content.name, content.size, track.label) == ("video_1", (320, 240), "cup")
    # Frames are those of the image names; between annotated images the box moves evenly.
    assert [(k.frame, k.box) for k in track.keyframes] == [
        (5, Box(100, 60, 102, 100)),
        (10, Box(100, 60, 102, 100.5)),
        (15, None),
    ]
    assert [f.code for f in content.findings] == ["lost-mask"]


def test_burst(tmp_path: Path) -> None:
    (content,) = read("burst", samples.BURST, tmp_path)
    assert format_of_content(tmp_path / "clip.json").name == "burst"
    (track,) = content.tracks
    assert (content.name, content.n_frames, track.label, track.key) == ("v1", 3, "mug", "4")
    assert [k.frame for k in track.keyframes] == [1, 2, 3]
    rle = {"size": [6, 8], "counts": b"d033000:"}
    x, y, w, h = coco_mask.toBbox(rle)
    assert track.keyframes[0].box == Box(x, y, x + w, y + h)
    assert track.scores == {2: 0.5}


@pytest.mark.parametrize("seed", range(40))
def test_boxes_of_masks_are_those_of_the_coco_api(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = (int(v) for v in rng.integers(1, 60, 2))
    mask = np.zeros((height, width), np.uint8, order="F")
    for _ in range(int(rng.integers(0, 5))):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        mask[y : y + int(rng.integers(1, 20)), x : x + int(rng.integers(1, 20))] = 1
    told = coco_mask.encode(mask)
    node = Node({"size": [height, width], "counts": told["counts"].decode()}, "$")
    box = mask_tracks._box_of(node, (width, height))
    x, y, w, h = coco_mask.toBbox(told)
    assert (box.as_tuple() if box is not None else (0, 0, 0, 0)) == (x, y, x + w, y + h)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("youtube-vis", samples.YOUTUBE_VIS.replace("[240,320]", "[320,240]"), "is not 320 x 240"),
        ("youtube-vis", samples.YOUTUBE_VIS.replace("52460", "99999999"), "more pixels"),
        ("youtube-vis", samples.YOUTUBE_VIS.replace("[null,{", "[{"), "2 masks for 3 images"),
        ("youtube-vis", samples.YOUTUBE_VIS.replace("00010", "00005"), "same frame number"),
        ("burst", samples.BURST.replace("d033000:", "d\u00e93"), "cannot be decoded"),
        ("burst", samples.BURST.replace('{"4":1}', "{}"), "is missing"),
        ("ava", "v,0902,0.1,0.2,0.1,0.8,12,1\n", "no area"),
        ("ava", "v,0902,0.1,0.2,0.3\n", "5 columns"),
        ("ava", "v,0902,0.1,0.2,0.3,0.8,1,1\nv,0902,0.2,0.2,0.3,0.8,1,1\n", "two boxes"),
        ("thumos", "clip 1.0\n", "a start and an end"),
        ("thumos", "clip 2.0 1.0\n", "before it starts"),
        ("sleap", "hello", "not a SLEAP file"),
        ("sleap", b"\x89HDF\r\n\x1a\n" + b"\0" * 200, "damaged"),
    ],
)
def test_bad_files_are_refused(name: str, text: str | bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError) as error:
        read(name, text, tmp_path)
    assert said in str(error.value)


def test_kwcoco(tmp_path: Path) -> None:
    (content,) = read("coco-vid", samples.KWCOCO, tmp_path)
    assert (content.name, content.rate) == ("video_900001", 30)
    mug, other = content.tracks
    assert (mug.label, mug.key, mug.keyframes[0]) == (
        "mug",
        "4",
        Keyframe(30, Box(128, 144, 384, 332), True, mug.keyframes[0].source),
    )
    assert (other.label, other.key) == ("unlabeled", "b")


def test_ava(tmp_path: Path) -> None:
    (tmp_path / "ava_action_list_v2.2.pbtxt").write_text(samples.AVA_LIST)
    clip, empty = read("ava", samples.AVA, tmp_path)
    assert format_of_content(tmp_path / "clip.csv").name == "ava"
    assert (clip.name, empty.name, empty.tracks) == ("video_1", "empty", ())
    first, second = clip.tracks
    assert (first.key, second.key, first.label) == ("1", "2", "person")
    assert first.times_us == (902_000_000, 903_000_000, 903_500_000, 906_000_000, 906_500_000)
    assert sorted((s.label, s.times_us) for s in clip.segments if s.objects == ("1",)) == [
        ("stand", (901_500_000, 903_500_000)),
        ("stand", (905_500_000, 906_500_000)),
        ("watch (a person)", (901_500_000, 902_500_000)),
    ]


def test_actions_of_persons_come_back_at_their_seconds(tmp_path: Path) -> None:
    info = TrackInfo(TrackId("t"), "cook", 1, 0)
    keys = (Keyframe(0, Box(64, 36, 128, 72)), Keyframe(50, Box(128, 36, 192, 72)))
    action = Segment(SegmentId("a"), Lane.ACTION, "stir", 0, 45, slots=(TrackId("t"),))
    document = Document(DraftId(""), VIDEO, [Track(info, keys)], [action])
    form = FORMATS["ava"]
    assert form.files is not None
    for name, body in form.files([content_of(document, TIMES)]):
        (tmp_path / name).write_bytes(body)
    lines = (tmp_path / "annotations.csv").read_text().splitlines()
    assert lines == [
        "clip,0000,0.100,0.100,0.200,0.200,1,1",
        "clip,0001,0.160,0.100,0.260,0.200,1,1",
    ]
    assert form.read is not None
    (content,) = form.read(tmp_path / "annotations.csv")
    found = imported(content)
    (track,) = found.tracks
    assert [(k.frame, k.box is None) for k in track.keyframes] == [
        (0, False),
        (30, False),
        (45, True),
    ]
    (segment,) = found.segments
    assert (segment.label, segment.start, segment.end, segment.objects) == (
        "stir",
        0,
        45,
        (track.id,),
    )


def test_scores_of_persons_stay_with_their_frames(tmp_path: Path) -> None:
    text = "clip,0001,0.1,0.1,0.2,0.2,3,0.75\nclip,0001,0.1,0.1,0.2,0.2,4,0.25\n"
    (content,) = read("ava", text, tmp_path)
    document = Document(DraftId(""), VIDEO)
    command, findings = import_command(content, document, TIMES[:60], "ava")
    assert [f.code for f in findings if f.code == "bad-record"] == []
    (track,) = command.tracks
    assert command.scores[track.id] == {30: 0.75}
    found = [command.scores[segment.id] for segment in command.segments]
    assert sorted(score for scores in found for score in scores.values()) == [0.25, 0.75]


def test_points_with_decimals_are_not_taken_for_persons(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("clip,0.1,0.2,0.0,0.3,0.4,1.0\n")
    assert format_of_content(path).name == "tapvid-csv"


def test_thumos(tmp_path: Path) -> None:
    (tmp_path / "Diving_val.txt").write_text(samples.THUMOS)
    (tmp_path / "CliffDiving_val.txt").write_text("clip 0.5 1.0\n")
    (tmp_path / "Golf_test.txt").write_text("clip 0.5 1.0\n")
    path = tmp_path / "Diving_val.txt"
    assert format_of_content(path).name == "thumos"
    assert FORMATS["thumos"].read is not None
    found = {c.name: c for c in FORMATS["thumos"].read(path)}
    assert sorted(s.label for s in found["clip"].segments) == ["CliffDiving", "Diving"]
    assert [s.times_us for s in found["other"].segments] == [(4_200_000, 9_700_000)]


def test_thumos_comes_back_to_a_tenth_of_a_second(tmp_path: Path) -> None:
    segments = [
        Segment(SegmentId("a"), Lane.ACTION, "pour", 3, 30),
        Segment(SegmentId("b"), Lane.ACTION, "lift", 30, 60),
        Segment(SegmentId("c"), Lane.SOUND, "bell", 0, 3),
    ]
    form = FORMATS["thumos"]
    assert form.files is not None
    made = dict(form.files([content_of(Document(DraftId(""), VIDEO, (), segments), TIMES)]))
    assert made == {"lift_val.txt": b"clip  1.0 2.0\n", "pour_val.txt": b"clip  0.1 1.0\n"}
    for name, body in made.items():
        (tmp_path / name).write_bytes(body)
    assert form.read is not None
    (content,) = form.read(tmp_path / "lift_val.txt")
    found = imported(content)
    assert sorted((s.label, s.start, s.end) for s in found.segments) == [
        ("lift", 30, 60),
        ("pour", 3, 30),
    ]


def _points() -> Document:
    marks = [PointMark(Point(30, 40)), PointMark(Point(31, 40), True), PointMark(Point(32.25, 41))]
    track = Track(TrackInfo(TrackId("t"), "mug", 1, 0), (Keyframe(0, Box(1, 1, 90, 90)),))
    points = [
        PointTrack(
            PointInfo(PointId(name), owner, label, i + 1, i), PointPath().with_run(run_of(5, marks))
        )
        for i, (name, owner, label) in enumerate(
            [("p", TrackId("t"), "handle"), ("q", TrackId("t"), "rim"), ("r", None, "rim")]
        )
    ]
    return Document(DraftId(""), VIDEO, [track], [], points)


def test_another_reader_takes_our_slp_files(tmp_path: Path) -> None:
    path = tmp_path / "clip.slp"
    path.write_bytes(b"".join(sleap.write([content_of(_points(), TIMES)])))
    labels = sleap_io.load_slp(str(path), open_videos=False)
    assert labels.skeletons[0].node_names == ["handle", "rim"]
    assert [Path(v.filename).name for v in labels.videos] == ["clip.mp4"]
    assert [frame.frame_idx for frame in labels] == [5, 6, 7]
    mug, alone = labels[0].instances
    assert (mug.track.name, alone.track.name) == ("mug 1", "points")
    assert mug.numpy().tolist() == [[29.5, 39.5], [29.5, 39.5]]
    assert [bool(v) for v in labels[1].instances[0].points["visible"]] == [False, False]
    (content,) = sleap.read(path)
    assert content.name == "clip"
    assert {p.label: p.places for p in content.points}["mug 1 handle"] == {
        5: Point(30, 40),
        6: None,
        7: Point(32.25, 41),
    }


def test_predictions_of_sleap_are_read_with_their_scores(tmp_path: Path) -> None:
    skeleton = sleap_io.Skeleton(["tip"])
    video = sleap_io.Video("/data/clip.mp4", open_backend=False)
    instance = sleap_io.PredictedInstance.from_numpy(
        np.array([[9.5, 19.5]]), skeleton=skeleton, point_scores=np.array([0.75]), score=0.5
    )
    labels = sleap_io.Labels(
        [sleap_io.LabeledFrame(video=video, frame_idx=3, instances=[instance])]
    )
    path = tmp_path / "other.slp"
    sleap_io.save_slp(labels, str(path), embed=False)
    (content,) = sleap.read(path)
    (point,) = content.points
    assert (content.name, point.label, point.places) == ("clip", "tip", {3: Point(10, 20)})
    assert point.scores == {3: pytest.approx(0.75)}


def test_datumaro_lists_boxes_and_points_of_each_frame() -> None:
    form = FORMATS["datumaro"]
    assert form.write is not None
    body = json.loads(b"".join(form.write([content_of(_points(), TIMES)])))
    assert (body["dm_format_version"], body["media_type"]) == ("1.0", 2)
    names = [label["name"] for label in body["categories"]["label"]["labels"]]
    assert names == ["mug", "handle", "rim"]
    item = next(each for each in body["items"] if each["attr"]["frame"] == 6)
    assert (item["id"], item["image"]["size"]) == ("clip_000006", [360, 640])
    box, handle, *_ = item["annotations"]
    assert (box["type"], box["bbox"], box["attributes"]["track_id"]) == ("bbox", [1, 1, 89, 89], 1)
    assert (handle["type"], handle["visibility"]) == ("points", [1])


MUTATED = {
    "challenge-results": json.dumps(
        {
            "clip": [
                {"id": 4, "bounding_boxes": [[0.1, 0.1, 0.2, 0.2]], "frame_ids": [0]},
                {"id": 5, "bounding_boxes": [], "frame_ids": [], "score": "0.5"},
            ]
        }
    ),
    "youtube-vis": samples.YOUTUBE_VIS,
    "burst": samples.BURST,
    "ava": samples.AVA,
    "thumos": samples.THUMOS,
}


@pytest.mark.parametrize("name", MUTATED)
def test_mutated_files_end_in_a_result_or_an_error(name: str, tmp_path: Path) -> None:
    """300 mutations each; a further run takes 5,000, with other seeds."""
    mutate(name, MUTATED[name].encode(), tmp_path, range(300))


@pytest.mark.parametrize("seed", range(200))
def test_mutated_yolo_sets_end_in_a_result_or_an_error(seed: int, tmp_path: Path) -> None:
    mutate_yolo(tmp_path, seed)


def mutate_yolo(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = ["-1", "1e999", "nan", ":", "{", "]", "&a", "*a", "!!x", "\n", "0", "..", "/", "\t"]

    def mutated(text: str) -> str:
        for _ in range(int(rng.integers(1, 4))):
            at, n = int(rng.integers(len(text) + 1)), int(rng.integers(0, 8))
            text = text[:at] + parts[int(rng.integers(len(parts)))] + text[at + n :]
        return text

    settings = "train: images/train\nval: images/train\nnames: {0: kettle, 1: cup}\n"
    row = "0 0.106250 0.208333 0.125000 0.250000 0.5 3\n"
    is_settings = bool(rng.integers(2))
    path = _set(
        folder,
        {"clip_000002.txt": row if is_settings else mutated(row)},
        mutated(settings) if is_settings else settings,
    )
    with contextlib.suppress(ExchangeError):
        yolo.read(path)


def test_results_of_the_challenge(tmp_path: Path) -> None:
    sides = [[0.1, 0.1, 0.2, 0.2], [0.2, 0.1, 0.3, 0.2]]
    boxes = {"clip": [{"id": 4, "bounding_boxes": sides, "frame_ids": [0, 30]}]}
    (content,) = read("challenge-results", json.dumps(boxes), tmp_path)
    assert format_of_content(tmp_path / "clip.json").name == "challenge-results"
    (track,) = imported(content).tracks
    assert (track.label, [k.frame for k in track.keyframes]) == ("object 4", [0, 30])
    box = track.keyframes[1].box
    assert box is not None
    assert box.as_tuple() == pytest.approx((128, 36, 192, 72))
    actions = {
        "clip": {
            "action_localisation": [
                {"label": 7, "score": "0.25", "timestamps": [0.5, 1.0]},
                {"label": "pour", "score": 0.5, "timestamps": [0.5, 1.0]},
            ]
        }
    }
    (content,) = read("challenge-results", json.dumps(actions), tmp_path)
    assert format_of_content(tmp_path / "clip.json").name == "challenge-results"
    assert [(s.label, s.label_id, s.score) for s in content.segments] == [
        ("", 7, 0.25),
        ("pour", None, 0.5),
    ]
    points = {"clip": {"point_tracking": [{"id": 1, "points": [[0.5], [0.25]], "frame_ids": [3]}]}}
    (content,) = read("challenge-results", json.dumps(points), tmp_path)
    (point,) = imported(content).points
    assert point.path.run(3, 4).items()
    mark = point.mark(3)
    assert mark is not None
    assert mark.xy == Point(160, 180)
    with pytest.raises(ExchangeError, match="answers only"):
        read("challenge-results", '{"clip": [{"id": 1, "answer_id": 2}]}', tmp_path)
    bad = '{"clip": [{"id": 1, "bounding_boxes": [[0, 0, 1]], "frame_ids": [0]}]}'
    with pytest.raises(ExchangeError, match="bounding_boxes"):
        read("challenge-results", bad, tmp_path)
