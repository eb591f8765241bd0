"""TAP-Vid files through a real project: into a video by name, out with its pictures."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from annotator.domain.commands import CreatePoint, CreateTrack, SetPoint
from annotator.domain.errors import ExchangeError, UserError
from annotator.domain.geometry import Box, Point
from annotator.domain.ids import point_id, track_id
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import create_project, open_project
from annotator.services.transfer import (
    FORMATS,
    ExportRequest,
    ImportRefusedError,
    export_project,
    format_of,
    import_file,
    tap_vid,
)
from tests.media.encoding import encode

N_FRAMES = 12


@pytest.fixture(scope="session")
def clip(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tap")
    encode(folder / "goat.mp4", numbers=range(N_FRAMES))
    return folder / "goat.mp4"


@pytest.fixture
def token():
    return JobToken(lambda _fraction, _text: None)


@pytest.fixture
def project(tmp_path, clip):
    opened = create_project(tmp_path / "points", title="Points")
    opened.add_videos([clip])
    yield opened
    opened.close()


def row(name="goat", count=N_FRAMES):
    return (
        f"{name}," + ",".join(f"{(i + 10) / 100!r},0.5,{int(i > 8)}" for i in range(count)) + "\n"
    )


def write(folder, text, name="in.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def draw(project):
    session = project.open_task(project.tasks()[0].id)
    owner, point = track_id(), point_id()
    session.run(CreateTrack(owner, "mug", 0, Box(4, 4, 60, 50)))
    session.run(CreatePoint(point, owner, "handle", 2, Point(9.5, 16)))
    session.run(SetPoint(point, 4, Point(48, 32)))
    return session


def test_rows_go_into_the_video_of_their_name_and_out_again(project, tmp_path, token):
    content = row() + row()
    report = import_file(project, write(tmp_path, content), token=token)
    assert [(v.name, v.n_points, v.is_new) for v in report.videos] == [("goat", 2, False)]
    path = project.path
    project.close()
    opened = open_project(path)
    out = tmp_path / "out.csv"
    done = export_project(opened, ExportRequest(out, format_name="tapvid-csv"), token)
    assert out.read_bytes() == content.encode()
    assert done.is_sound
    assert (done.videos[0].n_points, done.videos[0].proof.is_proved) == (2, True)
    opened.open_task(opened.tasks()[0].id).undo()
    assert opened.open_task(opened.tasks()[0].id).document.points == ()
    opened.close()


def test_drawn_points_go_out_with_pictures_and_come_back(project, clip, tmp_path, token):
    draw(project)
    out = tmp_path / "out.pkl"
    done = export_project(project, ExportRequest(out, format_name="tapvid-pickle"), token)
    assert done.is_sound
    assert {f.code for f in done.findings} >= {"unfinished-point"}
    example = pickle.loads(out.read_bytes())["goat"]
    assert example["video"].shape == (N_FRAMES, 64, 96, 3)
    from annotator.media import Video

    with Video(clip) as video:
        offset = np.abs(example["video"][7].astype(int) - video.image(7))
    assert offset.mean() < 2
    assert np.flatnonzero(~example["occluded"][0]).tolist() == [2, 4]
    assert example["points"][0, 4].tolist() == [0.5, 0.5]
    import_file(project, out, token=token)
    session = project.open_task(project.tasks()[0].id)
    drawn, back = session.document.points
    for frame in (2, 4):
        assert abs(drawn.mark(frame).xy.x - back.mark(frame).xy.x) < 1e-4
    again = tmp_path / "again.pkl"
    export_project(project, ExportRequest(again, format_name="tapvid-pickle"), token)
    session.undo()
    export_project(project, ExportRequest(again, format_name="tapvid-pickle"), token)
    assert again.read_bytes() == out.read_bytes()


def test_an_entry_can_be_given_to_a_video_of_another_name(project, tmp_path, token):
    path = write(tmp_path, row("sheep") + row("cow=red"))
    with pytest.raises(ImportRefusedError, match="no video “sheep”") as caught:
        import_file(project, path, token=token)
    assert str(caught.value).count("in.csv") == 1
    for video in ("goat", "goat.mp4"):
        report = import_file(project, path, names=[f"sheep={video}"], token=token)
        assert [v.n_points for v in report.videos] == [1]
    import_file(project, path, names=["cow=red=goat"], token=token)
    with pytest.raises(ImportRefusedError, match="no video “barn”"):
        import_file(project, path, names=["sheep=barn"], token=token)
    with pytest.raises(ExchangeError, match="no entry “pig”"):
        import_file(project, path, names=["pig=goat"], token=token)
    listed = [
        {"points": np.zeros((1, N_FRAMES, 2), "f4"), "occluded": np.zeros((1, N_FRAMES), "?")}
    ]
    path = write(tmp_path, pickle.dumps(listed), "in.pickle")
    assert import_file(project, path, names=["0=goat"], token=token).videos[0].n_points == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (row() + row()[:-5] + "\n", "row 2"),
        (row() + row("video_2", 3), "no video “video_2”"),
        (
            row(count=11),
            "Frame count mismatch: 11 for the points, 12 for the video",
        ),
        (row() + "goat" + ",x" * 36 + "\n", "row 2"),
    ],
)
def test_nothing_is_half_imported(project, tmp_path, token, content, said):
    with pytest.raises(ExchangeError, match=said):
        import_file(project, write(tmp_path, content), token=token)
    assert project.open_task(project.tasks()[0].id).document.points == ()


def test_a_pickle_with_code_is_refused_by_name(project, tmp_path, token):
    content = b"\x80\x04cposix\nsystem\nX\x05\x00\x00\x00touch\x85R."
    with pytest.raises(
        ExchangeError,
        match=r"byte 16: it refers to “posix\.system”",
    ):
        import_file(project, write(tmp_path, content, "in.pkl"), token=token)


def test_no_points_no_file(project, tmp_path, token):
    session = project.open_task(project.tasks()[0].id)
    session.run(CreateTrack(track_id(), "mug", 0, Box(4, 4, 60, 50)))
    request = ExportRequest(tmp_path / "out.csv", format_name="tapvid-csv")
    with pytest.raises(UserError, match="no points"):
        export_project(project, request, token)
    empty = {
        "goat": {"points": np.zeros((0, N_FRAMES, 2)), "occluded": np.zeros((0, N_FRAMES), "?")}
    }
    path = write(tmp_path, pickle.dumps(empty), "in.pkl")
    assert import_file(project, path, token=token).videos[0].n_points == 0
    with pytest.raises(ExchangeError, match=r"”\. Available formats:"):
        export_project(project, ExportRequest(tmp_path / "a", format_name="tiff"), token)


def test_pictures_are_bounded(project, tmp_path, token, monkeypatch):
    draw(project)
    request = ExportRequest(tmp_path / "out.pkl", format_name="tapvid-pickle")
    monkeypatch.setattr(tap_vid, "SHORT_SIDE_PX", 32)
    export_project(project, request, token)
    assert pickle.loads(request.path.read_bytes())["goat"]["video"].shape == (N_FRAMES, 32, 48, 3)
    monkeypatch.setattr(tap_vid, "MAX_PICTURE_BYTES", 1000)
    with pytest.raises(UserError, match="The images would require more than"):
        export_project(project, request, token)


def test_a_video_that_is_not_at_hand_has_no_pictures(tmp_path, token):
    opened = create_project(tmp_path / "gone", title="Gone")
    encode(tmp_path / "goat.mp4", numbers=range(N_FRAMES))
    opened.add_videos([tmp_path / "goat.mp4"])
    import_file(opened, write(tmp_path, row()), token=token)
    (tmp_path / "goat.mp4").unlink()
    with pytest.raises(UserError, match="no points to export"):
        export_project(
            opened, ExportRequest(tmp_path / "a.pkl", format_name="tapvid-pickle"), token
        )
    request = ExportRequest(tmp_path / "a.csv", format_name="tapvid-csv")
    done = export_project(opened, request, token)
    assert request.path.read_text() == row()
    assert done.videos[0].unproved == tuple(range(9))
    opened.close()


def test_endings_tell_the_form(tmp_path):
    names = {
        ending: format_of(tmp_path / f"a{ending}").name for ending in (".PKL", ".csv", ".json")
    }
    assert names == {".PKL": "tapvid-pickle", ".csv": "tapvid-csv", ".json": "perception-test"}
    for name in ("a.x", "a.html", "a", "a.annot"):
        with pytest.raises(ExchangeError, match=r"\.json \(perception-test, coco-vid, "):
            format_of(tmp_path / name)
    assert all(FORMATS[name].name == name for name in FORMATS)
