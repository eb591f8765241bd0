"""Formats of other programs: documented files are read, what is written comes back, also by readers
of others; bad files are refused in one sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pympi
import pytest
import webvtt
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.annotation.document import Document, VideoInfo
from annotator.domain.annotation.point_track import (
    PointInfo,
    PointMark,
    PointPath,
    PointTrack,
    run_of,
)
from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.annotation.track import Keyframe, Source, Track, TrackInfo
from annotator.domain.errors import ExchangeError, UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import DraftId, PointId, SegmentId, TrackId, VideoId, track_id
from annotator.domain.json_type import Json
from annotator.exchange.formats.base.document_conversion import (
    boxes_on_frames,
    content_of,
    import_command,
)
from annotator.exchange.formats.base.file_content import VideoContent
from annotator.exchange.formats.base.format import Format, losses_of
from annotator.exchange.formats.boxes import mot
from annotator.exchange.formats.registry import OTHERS
from annotator.services.transfer.formats import FORMATS, format_of, format_of_content
from tests.exchange import format_samples as samples

VIDEO = VideoInfo(VideoId("v"), "clip.mp4", 640, 360, 60, 30.0, 2.0, 30)
TIMES = [round(i * 1e6 / 30) for i in range(61)]
SAMPLES = {
    "cvat": [samples.CVAT],
    "mot": [samples.MOT],
    "coco-vid": [samples.COCO],
    "activitynet": [samples.ACTIVITYNET, samples.RESULTS],
    "label-studio": [samples.LABEL_STUDIO],
    "elan": [samples.ELAN],
    "webvtt": [samples.VTT],
    "srt": [samples.SRT],
    "audacity": [samples.AUDACITY],
    "desed": [samples.DESED, samples.STRONG],
    "rttm": [samples.RTTM],
}


def read(name: str, text: str | bytes, folder: Path) -> list[VideoContent]:
    form = FORMATS[name]
    path = folder / f"clip{form.suffix}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert form.read is not None
    return form.read(path)


def imported(content: VideoContent, name: str = "x") -> Document:
    command, findings = import_command(content, Document(DraftId(""), VIDEO), TIMES[:60], name)
    assert not [f for f in findings if f.code == "bad-record"]
    return Document(DraftId(""), VIDEO, command.tracks, command.segments, command.points)


def dense(document: Document) -> list[tuple[str, dict[int, tuple[float, ...]]]]:
    """Return the boxes of each track on every frame, to a hundredth of a pixel."""
    content = content_of(document, TIMES)
    found = []
    for track in content.tracks:
        boxes = boxes_on_frames(track, VIDEO.n_frames)
        by_frame = {f: tuple(round(v, 2) for v in box.as_tuple()) for f, box, _ in boxes}
        found.append((track.label, by_frame))
    return sorted(found, key=lambda each: (each[0], sorted(each[1].items())))


def assert_same_boxes(found: Document, wanted: Document, within: float = 0.021) -> None:
    """Compare the boxes on every frame to within the rounding of the formats."""
    old, new = dense(wanted), dense(found)
    assert [(label, sorted(boxes)) for label, boxes in new] == [
        (label, sorted(boxes)) for label, boxes in old
    ]
    for (_, first), (_, second) in zip(new, old, strict=True):
        for frame, sides in first.items():
            assert sides == pytest.approx(second[frame], abs=within)


# Documented examples


def test_cvat(tmp_path: Path) -> None:
    (content,) = read("cvat", samples.CVAT, tmp_path)
    assert (content.name, content.size, content.n_frames) == ("clip", (640, 360), 60)
    (track,) = content.tracks
    assert [(k.frame, k.box is None, k.occluded) for k in track.keyframes] == [
        (0, False, False),
        (10, False, True),
        (31, True, False),
    ]
    assert track.keyframes[1].box == Box(138, 144, 394, 332)
    assert track.attributes == {"masked": {"0": False, "10": True}}
    (point,) = content.points
    assert point.places[22] == Point(336, 134.5)
    assert sorted(point.places) == [20, 21, 22, 23, 24]
    document = imported(content)
    assert document.tracks[0].keyframes[0].source is Source.IMPORTED
    # A step of the frame filter counts in frames of the video.
    stepped = samples.CVAT.replace(
        "<start_frame>0</start_frame><stop_frame>59</stop_frame><frame_filter></frame_filter>",
        "<start_frame>3</start_frame><frame_filter>step=2</frame_filter>",
    )
    (content,) = read("cvat", stepped, tmp_path)
    assert [k.frame for k in content.tracks[0].keyframes] == [3, 23, 65]


def test_attributes_go_to_cvat_and_back(tmp_path: Path) -> None:
    box = Box(10, 10, 50, 50)
    keys = (Keyframe(0, box), Keyframe(20, Box(30, 10, 70, 50)))
    attributes: dict[str, Json] = {"material": "glass & steel", "full": {"0": False, "10": True}}
    info = TrackInfo(track_id(), "cup", 1, 0, attributes=attributes)
    document = Document(DraftId(""), VIDEO, [Track(info, keys)])
    again = _again(FORMATS["cvat"], document, tmp_path)
    (track,) = again.tracks
    assert track.info.attributes == attributes
    # The change on frame 10 has a keyframe of its own, on the line between the others.
    assert [k.frame for k in track.keyframes] == [0, 10, 20]
    assert_same_boxes(again, document)


def test_mot(tmp_path: Path) -> None:
    folder = tmp_path / "kitchen" / "gt"
    folder.mkdir(parents=True)
    (folder / "gt.txt").write_text(samples.MOT)
    (folder / "labels.txt").write_text("kettle\ncup\n")
    (folder.parent / "seqinfo.ini").write_text(
        "[Sequence]\nname=clip\nframeRate=30\nseqLength=60\nimWidth=640\nimHeight=360\n"
    )
    (content,) = mot.read(folder / "gt.txt")
    assert (content.name, content.size, content.n_frames) == ("clip", (640, 360), 60)
    kettle, cup = content.tracks
    assert (kettle.label, kettle.key, cup.label) == ("kettle", "3", "cup")
    assert [(k.frame, k.box, k.occluded) for k in kettle.keyframes] == [
        (0, Box(100.5, 50, 140.5, 80), False),
        (1, Box(102.5, 50, 142.5, 80), True),
        (2, None, False),
        (3, Box(110, 50, 150, 80), False),
        (4, None, False),
    ]
    assert [f.code for f in content.findings] == ["ignored-rows"]
    assert content.name not in ("gt", "kitchen")


def test_detections_without_ids_are_tracks_of_one_frame_with_scores(tmp_path: Path) -> None:
    (content,) = read("mot", "1,-1,10,10,5,5,0.5\n1,-1,30,10,5,5,0.25\n", tmp_path)
    assert [(t.key, next(iter(t.scores.values())), len(t.keyframes)) for t in content.tracks] == [
        ("", 0.25, 2),
        ("", 0.5, 2),
    ]


def test_coco_vid(tmp_path: Path) -> None:
    (content,) = read("coco-vid", samples.COCO, tmp_path)
    (track,) = content.tracks
    assert (content.name, track.label, track.key) == ("clip", "kettle", "5")
    assert [(k.frame, k.box) for k in track.keyframes] == [
        (0, Box(10, 20, 40, 60)),
        (1, Box(11.5, 20, 41.5, 60)),
        (2, None),
    ]


def test_activitynet_and_its_results(tmp_path: Path) -> None:
    for text, score in ((samples.ACTIVITYNET, None), (samples.RESULTS, 0.7)):
        (content,) = read("activitynet", text, tmp_path)
        (segment,) = content.segments
        assert (content.name, segment.label, segment.times_us) == (
            "clip",
            "pouring",
            (500_000, 1_000_000),
        )
        assert segment.score == score
        (made,) = imported(content).segments
        assert (made.lane, made.start, made.end) == (Lane.ACTION, 15, 30)


def test_label_studio(tmp_path: Path) -> None:
    (content,) = read("label-studio", samples.LABEL_STUDIO, tmp_path)
    assert (content.name, content.n_frames) == ("clip", 60)
    document = imported(content)
    (track,) = document.tracks
    assert track.label == "kettle"
    assert [k.frame for k in track.keyframes] == [0, 30, 31]
    first, second, last = (k.box for k in track.keyframes)
    assert first is not None
    assert second is not None
    assert first.as_tuple() == pytest.approx((64, 72, 192, 216))
    assert second.as_tuple() == pytest.approx((96, 72, 224, 216))
    assert last is None
    (segment,) = document.segments
    assert (segment.lane, segment.label, segment.start, segment.end) == (
        Lane.ACTION,
        "pouring",
        30,
        46,
    )


def test_a_segment_that_ends_after_the_video_is_shortened_and_told(tmp_path: Path) -> None:
    (content,) = read("audacity", "0.5\t9.5\twater\n", tmp_path)
    command, findings = import_command(content, Document(DraftId(""), VIDEO), TIMES[:60], "x")
    assert [s.end for s in command.segments] == [60]
    assert [f.text for f in findings if f.code == "shortened"] == [
        "The end was shortened to the end of the video, by 7.500 s."
    ]


def test_elan(tmp_path: Path) -> None:
    (content,) = read("elan", samples.ELAN, tmp_path)
    assert content.name == "clip"
    assert [(s.lane, s.label, s.times_us) for s in content.segments] == [
        (Lane.ACTION, "pouring & stirring", (500_000, 1_000_000)),
        (Lane.SOUND, "water", (500_000, 1_000_000)),
    ]
    assert [f.code for f in content.findings] == ["no-time"]


def test_times_of_elan_annotations_that_depend_on_others(tmp_path: Path) -> None:
    """Slots without a time divide the time of a row, children that of their parent, as in ELAN."""
    (content,) = read("elan", samples.ELAN_DEPENDENT, tmp_path)
    assert [(s.attributes["tier"], s.label, s.times_us) for s in content.segments] == [
        ("glosses", "GIVE", (0, 1_000_000)),
        ("glosses", "ME", (1_000_000, 2_000_000)),
        ("signs", "unlabeled", (0, 2_000_000)),
        ("words", "one", (2_000_000, 2_500_000)),
        ("words", "two", (2_500_000, 3_000_000)),
        ("words", "three", (3_000_000, 3_500_000)),
        ("comments", "unsure", (1_000_000, 2_000_000)),
    ]
    assert [f.text for f in content.findings] == ["Skipped: annotations without times (2)."]


def test_subtitles(tmp_path: Path) -> None:
    (content,) = read("webvtt", samples.VTT, tmp_path)
    assert [(s.lane, s.label, s.times_us) for s in content.segments] == [
        (Lane.ACTION, "pouring & stirring", (500_000, 1_000_000)),
        (Lane.SOUND, "two lines", (1_250_000, 1_500_000)),
    ]
    (content,) = read("srt", samples.SRT, tmp_path)
    assert [(s.label, s.times_us) for s in content.segments] == [
        ("water", (500_000, 1_000_000)),
        ("two lines", (1_250_000, 1_500_000)),
    ]


def test_tables_of_sounds(tmp_path: Path) -> None:
    (content,) = read("audacity", samples.AUDACITY, tmp_path)
    assert [(s.label, s.times_us) for s in content.segments] == [
        ("water", (500_000, 1_000_000)),
        ("click", (1_250_000, 1_250_000)),
    ]
    clip, quiet = read("desed", samples.DESED, tmp_path)
    assert (clip.name, len(clip.segments), quiet.name, quiet.segments) == ("clip", 1, "quiet", ())
    first, second = read("desed", samples.STRONG, tmp_path)[0].segments
    assert (first.times_us, second.times_us) == ((500_000, 1_000_000), (30_500_000, 31_000_000))
    (content,) = read("rttm", samples.RTTM, tmp_path)
    assert [(s.label, s.times_us, s.score) for s in content.segments] == [
        ("running water", (500_000, 1_000_000), None),
        ("bell", (1_000_000, 1_250_000), 0.8),
    ]


# What is written comes back

_places = st.floats(0, 500).map(lambda v: round(v, 2))
_labels = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029\x85_"),
    min_size=1,
    max_size=12,
).map(lambda text: " ".join(text.split()) or "x")


@st.composite
def documents(draw: st.DrawFn) -> Document:
    tracks = []
    for i in range(draw(st.integers(0, 3))):
        frames = sorted(draw(st.sets(st.integers(0, 59), min_size=1, max_size=6)))
        keys = []
        for n, frame in enumerate(frames):
            x, y = draw(_places), draw(st.floats(0, 300).map(lambda v: round(v, 2)))
            is_out = n > 0 and keys[-1].box is not None and draw(st.booleans())
            box = None if is_out else Box(x, y, x + 20.25, y + 30.5)
            keys.append(Keyframe(frame, box, not is_out and draw(st.booleans())))
        info = TrackInfo(TrackId(f"t{i}"), draw(_labels), i + 1, i)
        tracks.append(Track(info, tuple(keys)))
    segments = []
    for i in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, 58))
        end = draw(st.integers(start + 1, 60))
        lane = draw(st.sampled_from(list(Lane)))
        segments.append(Segment(SegmentId(f"s{i}"), lane, draw(_labels), start, end))
    points = []
    if draw(st.booleans()):
        places = draw(st.lists(st.tuples(_places, _places), min_size=1, max_size=5))
        marks = [PointMark(Point(x, y), draw(st.booleans())) for x, y in places]
        marks[0] = PointMark(Point(*places[0]))
        path = PointPath().with_run(run_of(draw(st.integers(0, 50)), marks))
        points.append(PointTrack(PointInfo(PointId("p"), None, draw(_labels), 1, 0), path))
    return Document(DraftId(""), VIDEO, tracks, segments, points)


def _again(form: Format, document: Document, folder: Path) -> Document:
    assert form.write is not None
    path = folder / f"clip{form.suffix}"
    path.write_bytes(b"".join(form.write([content_of(document, TIMES)])))
    if form is mot.FORMAT:
        for name, body in mot.beside(content_of(document, TIMES)).items():
            (folder / name).write_bytes(body)
    assert form.read is not None
    found = form.read(path)
    if not found:
        return Document(DraftId(""), VIDEO)
    (content,) = found
    return imported(content, form.name)


@pytest.mark.parametrize(
    "form", [form for form in OTHERS if form.read and form.write], ids=lambda form: form.name
)
@settings(max_examples=60, deadline=None)
@given(document=documents())
def test_what_is_written_comes_back_up_to_the_losses(
    form: Format, tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    if form.name in ("mot", "viame") and not dense(document):
        return  # a file without rows is refused
    found = _again(form, document, tmp_path_factory.mktemp("again"))
    if "boxes" in form.holds:
        # Boxes of DIVE are whole pixels.
        assert_same_boxes(found, document, 0.51 if form.name == "dive" else 0.021)
    else:
        assert not found.tracks
    if "points" in form.holds:
        for old, new in zip(document.points, found.points, strict=True):
            seen = {f: m.xy for f, m in old.path.run(0, 60).items() if m.is_visible}
            again = {f: m.xy for f, m in new.path.run(0, 60).items() if m.is_visible}
            assert again.keys() == seen.keys()
            for frame, place in again.items():
                assert (place.x, place.y) == pytest.approx((seen[frame].x, seen[frame].y), abs=1e-6)

    def spans(which: Document) -> list[tuple[str, str, int, int]]:
        lanes = {Lane.ACTION: "actions", Lane.SOUND: "sounds"}
        wanted = [s for s in which.segments if lanes[s.lane] in form.holds]
        name = (lambda s: "_".join(s.label.split())) if form.name == "rttm" else (lambda s: s.label)
        return sorted((name(s).replace("_", " "), "", s.start, s.end) for s in wanted)

    if form.name in ("audacity", "srt"):  # one lane
        lanes = {s.lane for s in found.segments}
        assert lanes <= {Lane.SOUND}
    if "actions" in form.holds or "sounds" in form.holds:
        labels = _labels_kept(form)
        expected = [(labels(a), *rest) for a, *rest in spans(document)]
        assert sorted((labels(a), *rest) for a, *rest in spans(found)) == sorted(expected)


def _labels_kept(form: Format) -> Callable[[str], str]:
    """Return what is compared of a label: subtitles lose what looks like markup."""
    return (lambda _: "x") if form.name == "srt" else (lambda text: text)


def test_losses_are_named_only_where_something_is_lost() -> None:
    track = Track(TrackInfo(TrackId("t"), "cup", 1, 0), (Keyframe(0, Box(1, 1, 2, 2), True),))
    sound = Segment(SegmentId("s"), Lane.SOUND, "bell", 0, 3)
    full = Document(DraftId(""), VIDEO, [track], [sound])
    codes = {f.code for f in losses_of(full, FORMATS["elan"].losses, "clip")}
    assert codes == {"lost-boxes", "lost-occlusion", "lost-human-keyframes"}
    assert list(losses_of(Document(DraftId(""), VIDEO), FORMATS["elan"].losses, "clip")) == []


# Readers of others


def test_another_reader_takes_our_elan_files(tmp_path: Path) -> None:
    segments = [
        Segment(SegmentId("a"), Lane.ACTION, "pour <tea> & stir", 15, 30),
        Segment(SegmentId("b"), Lane.ACTION, "lift", 20, 45),
        Segment(SegmentId("c"), Lane.SOUND, "bell", 0, 3, start_us=12_345, end_us=99_999),
    ]
    document = Document(DraftId(""), VIDEO, (), segments)
    path = tmp_path / "clip.eaf"
    assert FORMATS["elan"].write is not None
    path.write_bytes(b"".join(FORMATS["elan"].write([content_of(document, TIMES)])))
    eaf = pympi.Elan.Eaf(str(path))
    assert sorted(eaf.get_tier_names()) == ["actions-1", "actions-2", "sounds-1"]
    assert eaf.get_annotation_data_for_tier("actions-1") == [(500, 1000, "pour <tea> & stir")]
    assert eaf.get_annotation_data_for_tier("actions-2") == [(667, 1500, "lift")]
    assert eaf.get_annotation_data_for_tier("sounds-1") == [(12, 100, "bell")]


def test_another_writer_of_elan_files_is_read(tmp_path: Path) -> None:
    eaf = pympi.Elan.Eaf(author="x")
    eaf.add_linked_file("./clip.mp4", mimetype="video/mp4")
    eaf.add_tier("hands")
    eaf.add_annotation("hands", 500, 1000, "pour")
    eaf.to_file(str(tmp_path / "other.eaf"))
    assert FORMATS["elan"].read is not None
    (content,) = FORMATS["elan"].read(tmp_path / "other.eaf")
    assert [(s.label, s.times_us) for s in content.segments] == [("pour", (500_000, 1_000_000))]


def test_another_reader_takes_our_subtitles(tmp_path: Path) -> None:
    segments = [
        Segment(SegmentId("a"), Lane.ACTION, "pour & stir", 15, 30),
        Segment(SegmentId("c"), Lane.SOUND, "bell", 0, 3),
    ]
    content = content_of(Document(DraftId(""), VIDEO, (), segments), TIMES)
    for name in ("webvtt", "srt"):
        form = FORMATS[name]
        path = tmp_path / f"clip{form.suffix}"
        assert form.write is not None
        path.write_bytes(b"".join(form.write([content])))
        cues = webvtt.read(str(path)) if name == "webvtt" else webvtt.from_srt(str(path))
        assert [(c.start, c.end) for c in cues] == [
            ("00:00:00.000", "00:00:00.100"),
            ("00:00:00.500", "00:00:01.000"),
        ]
        assert [c.text for c in cues] == [
            "bell",
            "pour &amp; stir" if name == "webvtt" else "pour & stir",
        ]


def test_cvat_reads_our_file_by_its_own_rules(tmp_path: Path) -> None:
    """As its importer does: keyframes only, linear between them, until an outside one."""
    box = Box(10, 20, 30, 40)
    keys = (Keyframe(2, box), Keyframe(12, Box(20, 20, 40, 40), True), Keyframe(20, None))
    track = Track(TrackInfo(TrackId("t"), 'a "b" <c>', 1, 0), keys)
    content = content_of(Document(DraftId(""), VIDEO, [track]), TIMES)
    assert FORMATS["cvat"].write is not None
    root = ElementTree.fromstring(b"".join(FORMATS["cvat"].write([content])))
    assert root.findtext("meta/task/labels/label/name") == 'a "b" <c>'
    (found,) = root.findall("track")
    assert found.get("label") == 'a "b" <c>'
    shapes = [(int(s.get("frame", "")), s.get("outside"), s.get("occluded")) for s in found]
    assert shapes == [(2, "0", "0"), (12, "0", "1"), (20, "1", "0")]
    assert [s.get("xtl") for s in found] == ["10.00", "20.00", "20.00"]


# Detection and refusals


def test_the_format_of_a_file_is_told_by_its_extension_and_content(tmp_path: Path) -> None:
    for name, texts in SAMPLES.items():
        for text in texts:
            path = tmp_path / f"clip{FORMATS[name].suffix}"
            path.write_text(text, encoding="utf-8")
            assert format_of_content(path).name == name
    (tmp_path / "pt.json").write_text('{"video_1": {"metadata": {}}}')
    assert format_of_content(tmp_path / "pt.json").name == "perception-test"
    assert format_of(Path("new.json")).name == "perception-test"
    with pytest.raises(ExchangeError, match="mot, thumos, audacity"):
        format_of(Path("new.txt"))
    (tmp_path / "note.txt").write_text("hello")
    with pytest.raises(ExchangeError, match="Several formats"):
        format_of_content(tmp_path / "note.txt")


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y"><!ENTITY z "&x;&x;&x;">]>'
    "<annotations><track>&z;</track></annotations>"
)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("cvat", BOMB, "document type"),
        ("cvat", "<annotations><track>", "not valid XML"),
        ("cvat", "<annotations/>", "has no tracks"),
        ("cvat", samples.CVAT.replace('xtl="128.00"', 'xtl="NaN"'), "not a number"),
        ("cvat", samples.CVAT.replace('frame="10"', 'frame="0"'), "two keyframes on frame 0"),
        ("cvat", samples.CVAT.replace('frame="10"', 'frame="1e999"'), "Track 0, frame"),
        ("cvat", samples.CVAT.replace('xbr="384.00"', 'xbr="128.00"'), "no area"),
        ("cvat", "<annotations><image id='0'/></annotations>", "CVAT for images"),
        ("cvat", "<annotations>" + "<a>" * 100, "too deeply"),
        ("mot", "0,1,1,1,1,1,1\n", "out of range"),
        ("mot", "1,1,1,1,-4,1,1\n", "no area"),
        ("mot", "1,1,1,1\n", "column 5 is missing"),
        ("mot", "1,1,1,1,2,2,1\n1,1,1,1,2,2,1\n", "two boxes on frame 1"),
        ("mot", "1,1,1,1,2,2,inf\n", "not a number"),
        ("mot", b"\xff\xfe1,1,1", "not UTF-8"),
        ("mot", "", "no boxes"),
        ("coco-vid", samples.COCO.replace('"image_id": 12', '"image_id": 13'), "no image with"),
        ("coco-vid", samples.COCO.replace('"image_id": 12', '"image_id": 11'), "two boxes"),
        ("coco-vid", samples.COCO.replace("30, 40]", "30, -40]", 1), "no area"),
        ("coco-vid", samples.COCO.replace("30, 40]", "30]", 1), "four numbers"),
        (
            "activitynet",
            samples.ACTIVITYNET.replace("[0.5, 1.0]", "[1.5, 1.0]"),
            "before it starts",
        ),
        ("activitynet", samples.ACTIVITYNET.replace("[0.5, 1.0]", "[NaN, 1.0]"), "NaN"),
        ("activitynet", '{"database": {"a": NaN,,}}', "invalid JSON at line 1"),
        ("label-studio", samples.LABEL_STUDIO.replace('"frame": 31', '"frame": 0'), "from 1"),
        (
            "label-studio",
            samples.LABEL_STUDIO.replace('"frame": 31', '"frame": 1'),
            "two keyframes",
        ),
        ("label-studio", samples.LABEL_STUDIO.replace('"start": 31', '"start": 47'), "1 ≤ start"),
        ("label-studio", samples.LABEL_STUDIO.replace('"x": 10.0', '"x": 1e99'), "out of range"),
        ("label-studio", '[{"id": 1, "data": 3}]', "object"),
        ("elan", samples.ELAN.replace('TIME_SLOT_REF1="ts1"', 'TIME_SLOT_REF1="ts9"'), "ts9"),
        ("elan", samples.ELAN.replace('TIME_VALUE="500"', 'TIME_VALUE="5000"'), "before it starts"),
        ("elan", samples.ELAN.replace("milliseconds", "PAL-frames"), "milliseconds"),
        ("webvtt", "1\n00:00.000 --> 00:01.000\nx\n", "WEBVTT"),
        ("webvtt", "WEBVTT\n\n00:01.000 --> 00:00.000\nx\n", "before it starts"),
        ("webvtt", "WEBVTT\n\n00:01 --> soon\nx\n", "not a start and an end"),
        ("audacity", "a\tb\tc\n", "not a number"),
        ("desed", "onset\toffset\n", "first line"),
        ("rttm", "SPEAKER clip 1 x 0.5 <NA> <NA> a <NA> <NA>\n", "not a number"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(
    name: str, text: str | bytes, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ExchangeError) as caught:
        read(name, text, tmp_path)
    assert said in str(caught.value)


def test_a_byte_order_mark_and_other_line_ends_are_accepted(tmp_path: Path) -> None:
    for name in ("mot", "srt", "webvtt", "audacity", "desed", "rttm"):
        for text in SAMPLES[name]:
            plain = read(name, text, tmp_path)
            unix = text.replace("\r\n", "\n")
            marked = b"\xef\xbb\xbf" + unix.replace("\n", "\r\n").encode()
            assert read(name, marked, tmp_path) == plain


def test_a_line_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="too long"):
        read("audacity", "0.5\t1.0\t" + "x" * (2 << 20), tmp_path)


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files_end_in_content_or_in_one_sentence(name: str, tmp_path: Path) -> None:
    chance = random.Random(20261122)
    tokens = (b"NaN", b"1e999", b"-1", b"", b"\xff", b"\0", b'"', b"<", b"&x;", b"null", b"9" * 25)
    form = FORMATS[name]
    assert form.write is not None
    sentences: set[str] = set()
    for _ in range(250):
        body = bytearray(chance.choice(SAMPLES[name]).encode())
        for _ in range(chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(body) + 1)
            body[at : at + chance.choice((0, 1, 4, 40))] = chance.choice(tokens)
        try:
            for content in read(name, bytes(body), tmp_path):
                document = Document(DraftId(""), VIDEO)
                command, _ = import_command(content, document, TIMES[:60], name)
                made = Document(
                    DraftId(""), VIDEO, command.tracks, command.segments, command.points
                )
                list(form.write([content_of(made, TIMES)]))
        except UserError as error:
            sentences.add(str(error))
    assert sentences
    assert "" not in sentences


def test_a_file_of_another_size_is_not_scaled(tmp_path: Path) -> None:
    text = samples.CVAT.replace("<width>640</width>", "<width>1280</width>")
    (content,) = read("cvat", text, tmp_path)
    _, findings = import_command(content, Document(DraftId(""), VIDEO), TIMES[:60], "cvat")
    assert [f.code for f in findings] == ["other-size"]
