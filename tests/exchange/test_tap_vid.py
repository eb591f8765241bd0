"""TAP-Vid files: what is read, what is written, and what is refused with the row."""

from __future__ import annotations

import contextlib
import io
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from annotator.domain.annotation.point_track import PointInfo, PointMark, PointTrack, run_of
from annotator.domain.annotation.track import Source
from annotator.domain.commands import AddImported, MarkPoints, SetPoint
from annotator.domain.errors import ExchangeError
from annotator.domain.geometry import Point
from annotator.domain.ids import point_id
from annotator.exchange.tap_vid import csv_files, marks, pickle_files
from annotator.exchange.tap_vid.csv_files import CsvExamples
from annotator.exchange.tap_vid.marks import example_of, import_command, visible_frames
from annotator.exchange.tap_vid.pickle_files import PickleExamples, VideoPictures
from tests.exchange.files import NAME, make_document

FRAMES = 5


def document_of(example, n_frames=FRAMES, size=(1280, 720)):
    document = make_document(n_frames, size)
    command, findings = import_command(example, document)
    assert findings == ()
    document.apply(command.plan(document))
    return document


def csv_file(folder, text):
    path = folder / "points.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CsvExamples(path)


def read_csv(folder, text, name=None):
    with contextlib.closing(csv_file(folder, text)) as file:
        return file.read(name or file.names()[0])


def refusal(folder, text):
    with pytest.raises(ExchangeError) as caught:
        read_csv(folder, text)
    return str(caught.value)


def csv_round_trip(folder, text, n_frames=FRAMES):
    file = csv_file(folder, text)
    documents = [document_of(file.read(name), n_frames) for name in file.names()]
    file.close()
    return b"".join(csv_files.encode(example_of(d)[0] for d in documents))


ROW = "video_900003,0.2,0.4,0,0.21,0.4,0,0.22,0.4,1,0.25,0.5,0,-0.01,0.5,0\n"
FIXED = "video_900003.mp4" + ",0.200000,0.400000,0" * 4 + ",0.000001,1.000000,1\n"


def test_rows_become_marks_of_points_that_belong_to_no_object(tmp_path):
    example = read_csv(tmp_path, ROW + ROW, NAME)
    assert [f.code for f in example.findings] == ["point-outside"]
    document = document_of(example)
    first, second = document.points
    assert [first.label, second.label] == ["point 1", "point 2"]
    assert first.info.track_id is None
    assert first.mark(0) == PointMark(Point(0.2 * 1280, 0.4 * 720), source=Source.IMPORTED)
    assert first.mark(2) == PointMark(Point(0.22 * 1280, 0.4 * 720), True, Source.IMPORTED)
    assert visible_frames(example_of(document)[0]) == [0, 1, 3, 4]


@pytest.mark.parametrize("text", [ROW, ROW + ROW, FIXED * 2, FIXED + FIXED.replace("0.2", "0.7")])
def test_rows_come_back_to_the_byte(tmp_path, text):
    assert csv_round_trip(tmp_path, text) == text.encode()


def test_zeros_of_hidden_frames_are_no_places_and_come_back(tmp_path):
    text = f"{NAME},0.2,0.4,0,0.0,0.0,1,0.0,0.0,1,0.25,0.5,0,0.0,0.0,1\n"
    document = document_of(read_csv(tmp_path, text, NAME))
    assert document.points[0].mark(1).xy is None
    assert csv_round_trip(tmp_path, text) == text.encode()


def clip_row(cells=0.5, *, start="10", end="20", form="r"):
    numbers = ",".join(f"{cells!r},{cells!r},{i % 2}" for i in range(250))
    return f"dQw4,{start},{end},{numbers}\n"


def test_clips_are_named_as_their_files_are_and_come_back(tmp_path):
    text = clip_row() + clip_row(0.25) + clip_row(start="7.5", end="17.5")
    file = csv_file(tmp_path, text)
    assert file.names() == ["dQw4_000010_000020", "dQw4_000007_000017"]
    assert file.read("dQw4_000010_000020").points.shape == (2, 250, 2)
    file.close()
    assert csv_round_trip(tmp_path, text, 250) == text.encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ROW + "video_2,1,2\n", ["row 2", "has 3 columns", "753"]),
        (ROW + ROW.replace(",1,", ",1,0,", 1), ["row 2", "17 columns"]),
        (clip_row().replace("dQw4,10", "dQw4"), ["row 1", "752 columns"]),
        (ROW + "\n" + f"{NAME},0.1,0.1,0\n", ["row 3", "has 4 columns", "the first", "16"]),
        ("video,x,y,occluded\n" + ROW, ["row 1", "“x” in column 2", "no header"]),
        (ROW.replace("0.21", "left"), ["row 1", "“left” in column 5"]),
        (ROW.replace("0.21", "inf"), ["row 1", "“inf” in column 5"]),
        (ROW.replace("0.21", "1_0"), ["row 1", "“1_0” in column 5"]),
        (ROW.replace("0.21", "nan"), ["row 1", "visible on frame 1"]),
        (ROW.replace("0.21", "1e9"), ["row 1", "visible on frame 1"]),
        (ROW.replace("0.4,0", "0.4,nan", 1), ["row 1", "“nan” in column 4"]),
        (",0.1,0.1,0\n", ["row 1", "has no video name"]),
        (clip_row(start="soon"), ["row 1", "“soon” in column 2", "seconds"]),
        (b"\xff\xfe,0.1,0.1,0\n", ["row 1", "UTF-8"]),
        (ROW + 'a"b",0.1,"0.1,0\n', ["row 2", "CSV"]),
    ],
)
def test_a_bad_row_is_refused_with_its_number_and_the_reason(tmp_path, text, said):
    message = refusal(tmp_path, text)
    assert all(part in message for part in said), message


def test_files_beyond_any_use_are_refused(tmp_path, monkeypatch):
    with pytest.raises(ExchangeError, match="No such file"):
        CsvExamples(tmp_path / "none.csv")
    monkeypatch.setattr(csv_files, "MAX_ROWS", 2)
    assert "row 3" in refusal(tmp_path, ROW * 3)
    monkeypatch.setattr(csv_files, "MAX_ROW_BYTES", 40)
    assert "too long" in refusal(tmp_path, ROW)
    monkeypatch.setattr(csv_files, "MAX_BYTES", 40)
    assert "too large" in refusal(tmp_path, ROW)


def test_too_many_marks_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_files, "MAX_MARKS", 8)
    assert "more than 8 point marks" in refusal(tmp_path, ROW + ROW)
    monkeypatch.setattr(pickle_files, "MAX_MARKS", 4)
    with pytest.raises(ExchangeError, match="Too many points: more than"):
        read_pickle(tmp_path, {NAME: video()}, NAME)
    monkeypatch.setattr(marks, "MAX_MARKS", 4)
    monkeypatch.setattr(csv_files, "MAX_MARKS", 80)
    command, findings = import_command(read_csv(tmp_path, ROW, NAME), make_document(FRAMES))
    assert (command.points, len(findings)) == ((), 1)


@pytest.mark.parametrize(("n_frames", "size"), [(6, (1280, 720)), (4, (1280, 720)), (5, (0, 0))])
def test_points_of_another_video_are_not_taken(tmp_path, n_frames, size):
    example = read_csv(tmp_path, ROW, NAME)
    command, findings = import_command(example, make_document(n_frames, size))
    assert command.points == ()
    assert [(f.code, f.severity, f.where) for f in findings] == [("other-video", "error", "row 1")]


def video(n_points=2, n_frames=FRAMES, **changes):
    rng = np.random.default_rng(3)
    return {
        "video": np.zeros((n_frames, 4, 6, 3), np.uint8),
        "points": rng.random((n_points, n_frames, 2), np.float32),
        "occluded": rng.random((n_points, n_frames)) > 0.5,
    } | changes


def read_pickle(folder, content, name, protocol=4):
    path = folder / "points.pkl"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content, protocol))
    file = PickleExamples(path)
    try:
        return file.read(name)
    finally:
        file.close()


def _jpegs(count):
    pictures = np.empty(count, dtype=object)
    pictures[:] = [b"\xff\xd8" + bytes([i]) for i in range(count)]
    return pictures


def test_dictionaries_lists_and_pictures_as_jpeg_are_read(tmp_path):
    plain = read_pickle(tmp_path, {"goat": video()}, "goat")
    listed = [video(), video(video=_jpegs(5)), video(video=np.array([b"\xff\xd8a"] * 5))]
    for name in "012":
        example = read_pickle(tmp_path, listed, name)
        assert np.array_equal(example.points, plain.points)
        assert np.array_equal(example.occluded, plain.occluded)
    wide = video()
    wide["points"] = np.asfortranarray(wide["points"].astype(">f8"))
    assert np.array_equal(read_pickle(tmp_path, [wide], "0").points, plain.points)
    loose = read_pickle(tmp_path, {"goat": video(video=list(_jpegs(5)), query=[1])}, "goat")
    assert [(f.code, f.text) for f in loose.findings] == [
        ("unknown-key", "Keys not imported: query.")
    ]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ({"a": 3}, "$.a"),
        ({"a": {}}, "$.a.points"),
        ({"a": video(points=np.zeros((2, 5, 3), "f4"))}, "$.a.points"),
        ({"a": video(points=np.zeros((2, 5, 2), "i4"))}, "$.a.points"),
        ({"a": video(points=[1.0])}, "$.a.points"),
        ({"a": video(points=_jpegs(5))}, "$.a.points"),
        ({"a": video(occluded=np.zeros((2, 4), bool))}, "$.a.occluded"),
        ({"a": video(occluded=np.zeros((2, 5), "f4"))}, "$.a.occluded"),
        ({"a": video(video=np.zeros((4, 4, 6, 3), "u1"))}, "$.a.video"),
        ({"a": video(video=np.zeros((5, 4, 6), "u1"))}, "$.a.video"),
        ({"a": video(video=np.zeros((5, 4, 6, 3), "f4"))}, "$.a.video"),
        ({"a": video(video=np.array([b"GIF89a"] * 5))}, "$.a.video"),
        ({"a": video(video="film.mp4")}, "$.a.video"),
        ({"a": video(points=np.full((2, 5, 2), np.nan, "f4"))}, "$.a"),
    ],
)
def test_what_is_no_example_is_refused_by_its_path(tmp_path, content, place):
    with pytest.raises(ExchangeError) as caught:
        read_pickle(tmp_path, content, "a")
    assert caught.value.where == place


def test_a_pickle_of_something_else_is_refused(tmp_path):
    with pytest.raises(ExchangeError, match="neither a dictionary nor a list"):
        read_pickle(tmp_path, 5, "a")


def pickled(documents, size=(6, 4)):
    videos = []
    for document in documents:
        example, _ = example_of(document)
        count = example.n_frames
        pictures = (np.full((size[1], size[0], 3), i, np.uint8) for i in range(count))
        videos.append(
            (example.name, VideoPictures(count, *size, pictures), example.points, example.occluded)
        )
    return b"".join(pickle_files.encode(videos))


def test_a_pickle_is_plain_of_protocol_4_and_for_every_numpy(tmp_path):
    content = {NAME: video(), "ünder": video(3)}
    documents = []
    for name in content:
        documents.append(document_of(read_pickle(tmp_path, content, name)))
    first = pickled(documents[:1])
    found = pickle.loads(first)
    assert list(found) == [NAME]
    assert list(found[NAME]) == ["video", "points", "occluded"]
    example = found[NAME]
    assert (example["video"].dtype, example["video"].shape) == (np.uint8, (5, 4, 6, 3))
    assert example["video"][3, 0, 0].tolist() == [3, 3, 3]
    assert example["points"].dtype == np.float32
    assert np.array_equal(example["points"], content[NAME]["points"])
    assert example["occluded"].dtype == np.bool_
    assert np.array_equal(example["occluded"], content[NAME]["occluded"])
    names = {(module, name) for module, name in _globals(first)}
    assert names == {
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
    }
    again = pickled([document_of(read_pickle(tmp_path, first, NAME))])
    assert again == first


def _globals(content):
    seen = []

    class Seeing(pickle.Unpickler):
        def find_class(self, module, name):
            seen.append((module, name))
            return super().find_class(module, name)

    Seeing(io.BytesIO(content)).load()
    assert content[1] == 4
    return seen


def test_pictures_must_be_as_many_as_told():
    short = VideoPictures(2, 3, 3, [np.zeros((3, 3, 3), np.uint8)])
    with pytest.raises(ValueError, match="27 bytes for an array of 54"):
        list(pickle_files.encode([("a", short, np.zeros((1, 2, 2)), np.zeros((1, 2), bool))]))


_numbers = st.one_of(
    st.floats(0, 1), st.floats(0, 1).map(lambda v: round(v, 6)), st.floats(-5, 5), st.just(0.0)
)


@settings(max_examples=60)
@given(st.data(), st.tuples(st.integers(1, 4000), st.integers(1, 4000)))
def test_import_then_export_is_the_identity_on_csv(tmp_path_factory, data, size):
    rows = data.draw(st.integers(1, 3))
    decimals = data.draw(st.sampled_from([None, 3, 6, 9]))
    text = ""
    for _ in range(rows):
        cells = []
        for _ in range(FRAMES):
            for value in (data.draw(_numbers), data.draw(_numbers)):
                cells.append(repr(value) if decimals is None else f"{value:.{decimals}f}")
            cells.append(str(data.draw(st.integers(0, 1))))
        text += f"{NAME},{','.join(cells)}\n"
    example = read_csv(tmp_path_factory.mktemp("csv"), text)
    document = document_of(example, FRAMES, size)
    assert b"".join(csv_files.encode([example_of(document)[0]])) == text.encode()


@settings(max_examples=40)
@given(
    npst.arrays("f4", (2, FRAMES, 2), elements=st.floats(0, 1, width=32)),
    npst.arrays("?", (2, FRAMES)),
)
def test_import_then_export_is_the_identity_on_pickles(tmp_path_factory, points, occluded):
    folder = tmp_path_factory.mktemp("pickle")
    content = {NAME: video(points=points, occluded=occluded)}
    document = document_of(read_pickle(folder, content, NAME))
    found = pickle.loads(pickled([document]))[NAME]
    assert np.array_equal(found["occluded"], occluded)
    assert np.array_equal(found["points"][~occluded], points[~occluded])
    again = document_of(read_pickle(folder, pickled([document]), NAME))
    assert pickled([again]) == pickled([document])


_places = st.builds(Point, st.floats(0, 1280), st.floats(0, 720))
_marks = st.one_of(
    st.builds(PointMark, _places, st.just(False), st.sampled_from([Source.HUMAN, Source.ACCEPTED])),
    st.builds(PointMark, st.one_of(st.none(), _places), st.just(True)),
    st.just(PointMark(None)),
    st.none(),
)


@settings(max_examples=60)
@given(st.lists(_marks, min_size=1, max_size=FRAMES), st.booleans())
def test_what_was_drawn_comes_back_visible_where_it_was(tmp_path_factory, drawn, is_pickle):
    point = PointTrack(PointInfo(point_id(), None, "rim", 1, 0)).with_run(run_of(0, drawn))
    document = make_document(FRAMES)
    document.apply(AddImported((), points=(point,)).plan(document))
    folder = tmp_path_factory.mktemp("drawn")
    if is_pickle:
        back = document_of(read_pickle(folder, pickled([document]), NAME))
    else:
        text = b"".join(csv_files.encode([example_of(document)[0]]))
        back = document_of(read_csv(folder, text, NAME))
    for frame in range(FRAMES):
        before, after = point.mark(frame), back.points[0].mark(frame)
        assert after.is_visible == (before is not None and before.is_visible)
        if after.is_visible:
            assert abs(after.xy.x - before.xy.x) < 1e-3
            assert abs(after.xy.y - before.xy.y) < 1e-3


def test_an_edit_changes_its_own_numbers_and_a_hidden_frame_keeps_the_last_place(tmp_path):
    document = document_of(read_csv(tmp_path, ROW, NAME))
    (point,) = document.points
    document.apply(SetPoint(point.id, 1, Point(640, 360)).plan(document))
    document.apply(MarkPoints(point.id, 3, 5, "outside").plan(document))
    text = b"".join(csv_files.encode([example_of(document)[0]])).decode()
    assert text == f"{NAME},0.2,0.4,0,0.5,0.5,0,0.22,0.4,1,0.22,0.4,1,0.22,0.4,1\n"


def test_an_accepted_place_beyond_the_picture_is_written_as_occluded():
    away = PointMark(Point(-3, 10), source=Source.ACCEPTED)
    point = PointTrack(PointInfo(point_id(), None, "rim", 1, 0)).with_run(run_of(0, [away]))
    document = make_document(FRAMES)
    document.apply(AddImported((), points=(point,)).plan(document))
    example, findings = example_of(document)
    assert example.occluded.all()
    assert [f.code for f in findings] == ["point-outside"]
