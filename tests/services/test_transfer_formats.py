"""Formats of other programs in a project: imported as one step, exported, and converted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.annotation.segment import Lane
from annotator.domain.annotation.track import unchecked_grid_frames
from annotator.domain.commands import CreateTrack, OpenGaps
from annotator.domain.errors import ExchangeError, UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.domain.proposals.box_proposals import open_gaps
from annotator.services.background.jobs import JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.transfer import (
    ExportRequest,
    ImportRefusedError,
    export_project,
    format_export,
    format_named,
    import_file,
)
from annotator.services.transfer.conversion import convert
from tests.exchange import format_samples as samples
from tests.media.encoding import encode

TOKEN = JobToken(lambda _fraction, _text: None)
CVAT = (
    samples.CVAT.replace("640", "96")
    .replace("360", "64")
    .replace(
        'xtl="128.00" ytl="144.00" xbr="384.00" ybr="332.00"',
        'xtl="12.00" ytl="14.00" xbr="38.00" ybr="33.00"',
    )
)
CVAT = CVAT.replace('xtl="138.00" ytl="144.00" xbr="394.00"', 'xtl="13.00" ytl="14.00" xbr="39.00"')
CVAT = CVAT.replace('ybr="332.00"', 'ybr="33.00"').replace('ytl="144.00"', 'ytl="14.00"')
CVAT = CVAT.replace("332.00,132.50", "33.00,13.50").replace("340.00,136.50", "34.00,13.75")

SINGLE = """<track id="7" label="mug" source="manual">
<box frame="5" outside="0" occluded="0" keyframe="1"
 xtl="50.00" ytl="14.00" xbr="70.00" ybr="33.00" z_order="0"></box>
</track>
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    for name, frames in (("clip", 60), ("other", 40)):
        encode(tmp_path / f"{name}.mp4", numbers=range(frames))
    made = create_project(tmp_path / "p.annot", title="P")
    made.add_videos([tmp_path / "clip.mp4", tmp_path / "other.mp4"])
    yield made
    made.close()


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_cvat_is_imported_as_one_step_and_twice_is_no_double(
    project: OpenProject, tmp_path: Path
) -> None:
    path = written(tmp_path, "task.xml", CVAT)
    report = import_file(project, path, token=TOKEN)
    (video,) = report.videos
    assert (video.name, video.n_tracks, video.n_points) == ("clip", 1, 1)
    session = project.open_task(video.task_id)
    (track,) = session.document.tracks
    assert [k.frame for k in track.keyframes] == [0, 10, 31]
    session.undo()
    assert not session.document.tracks
    assert not session.document.points
    session.redo()
    again = import_file(project, path, token=TOKEN)
    assert again.videos[0].n_tracks == 0
    assert len(project.open_task(video.task_id).document.tracks) == 1


def test_boxes_of_a_file_are_not_tracked_again_but_a_single_one_is(
    project: OpenProject, tmp_path: Path
) -> None:
    tracked = import_file(project, written(tmp_path, "task.xml", CVAT), token=TOKEN).videos[0]
    (track,) = project.open_task(tracked.task_id).document.tracks
    assert open_gaps(track, 60) == []
    assert unchecked_grid_frames(track, step=30, n_frames=60) == []
    session = project.open_task(tracked.task_id)
    session.run(OpenGaps(track.id, 0))
    opened = open_gaps(session.document.track(track.id), 60)
    assert [(gap.start, gap.end) for gap in opened] == [(1, 10), (11, 31), (32, 60)]
    assert [gap.is_after_leaving for gap in opened] == [False, False, True]
    session.undo()
    other = create_project(tmp_path / "open.annot", title="Open")
    other.add_videos([tmp_path / "clip.mp4"])
    import_file(other, tmp_path / "task.xml", token=TOKEN, is_open=True)
    (open_track,) = other.open_task(other.tasks()[0].id).document.tracks
    assert len(open_gaps(open_track, 60)) >= 2
    other.close()
    start = CVAT[: CVAT.index("<track")] + SINGLE + "</annotations>\n"
    report = import_file(project, written(tmp_path, "start.xml", start), token=TOKEN)
    tracks = project.open_task(report.videos[0].task_id).document.tracks
    (begun,) = [t for t in tracks if len(t.keyframes) == 1]
    assert [(gap.start, gap.end) for gap in open_gaps(begun, 60)] == [(0, 5), (6, 60)]


def test_labels_without_numbers_join_the_label_sets(project: OpenProject, tmp_path: Path) -> None:
    report = import_file(project, written(tmp_path, "clip.eaf", samples.ELAN), token=TOKEN)
    assert report.videos[0].n_segments == 2
    for lane, text in ((Lane.ACTION, "pouring & stirring"), (Lane.SOUND, "water")):
        labels = project.label_set(lane).labels
        assert text in {label.text for label in labels}
        assert len({label.id for label in labels}) == len(labels)


def test_an_entry_of_another_name_is_matched_by_size_and_frames_or_asked_for(
    project: OpenProject, tmp_path: Path
) -> None:
    named = CVAT.replace("clip.mp4", "kitchen_17.mp4")
    report = import_file(project, written(tmp_path, "a.xml", named), token=TOKEN)
    (note,) = [f for f in report.findings if f.code == "matched-video"]
    assert note.text == "The entry was matched with “clip.mp4”: same size and frame count."
    unknown = named.replace("<size>60</size>", "<size>61</size>")
    with pytest.raises(ImportRefusedError, match="no video “kitchen_17”"):
        import_file(project, written(tmp_path, "b.xml", unknown), token=TOKEN)
    # What is asked for is taken, and the mismatch is said.
    report = import_file(project, tmp_path / "b.xml", names=["kitchen_17=other"], token=TOKEN)
    assert "other-frame-count" in {f.code for f in report.findings}


def test_a_file_of_another_size_or_beyond_the_end_changes_nothing(
    project: OpenProject, tmp_path: Path
) -> None:
    before = project.path.read_bytes()
    larger = written(tmp_path, "clip.xml", CVAT.replace("<width>96", "<width>192"))
    with pytest.raises(ImportRefusedError, match="192 x 64 pixels in the file, 96 x 64"):
        import_file(project, larger, token=TOKEN)
    late = written(tmp_path, "clip.txt", samples.MOT.replace("4,3,110", "400,3,11"))
    with pytest.raises(ImportRefusedError, match="Frame 399 does not exist"):
        import_file(project, late, token=TOKEN, form=format_named("mot"))
    assert project.path.read_bytes() == before


def drawn(project: OpenProject) -> None:
    for entry in project.videos():
        (task,) = [t for t in project.tasks() if t.video_id == entry.id]
        session = project.open_task(task.id)
        session.run(CreateTrack(track_id(), "cup", 3, Box(10, 10, 30, 30)))


def test_several_videos_go_into_a_folder_and_come_back(
    project: OpenProject, tmp_path: Path
) -> None:
    drawn(project)
    out = tmp_path / "out"
    report = export_project(project, ExportRequest(out, format_name="cvat"), TOKEN)
    assert report.is_sound
    assert sorted(p.name for p in out.iterdir()) == ["clip.xml", "other.xml"]
    assert [v.n_boxes for v in report.videos] == [1, 1]
    assert all(v.proof is not None and v.proof.is_proved for v in report.videos)
    out = tmp_path / "mot"
    report = export_project(project, ExportRequest(out, format_name="mot"), TOKEN)
    assert report.is_sound
    assert (out / "clip" / "gt" / "labels.txt").read_text() == "cup\n"
    rows = (out / "clip" / "gt" / "gt.txt").read_text().splitlines()
    assert (len(rows), rows[0], rows[-1]) == (
        57,
        "4,1,10,10,20,20,1,1,1",
        "60,1,10,10,20,20,1,1,1",
    )
    assert "seqLength=60" in (out / "clip" / "seqinfo.ini").read_text()
    single = tmp_path / "all.json"
    report = export_project(project, ExportRequest(single, format_name="coco-vid"), TOKEN)
    assert report.is_sound
    assert [v.n_boxes for v in report.videos] == [57, 37]
    target = tmp_path / "a.txt"
    target.write_text("")
    with pytest.raises(UserError, match="one video per file"):
        export_project(project, ExportRequest(target, format_name="mot"), TOKEN)


def test_what_a_format_cannot_hold_is_said(project: OpenProject, tmp_path: Path) -> None:
    drawn(project)
    request = ExportRequest(tmp_path / "clip.eaf", videos=("clip",), format_name="elan")
    report = export_project(project, request, TOKEN)
    assert {f.text for f in report.findings} >= {"Not exported: boxes (1)."}


def test_files_are_converted_without_a_project(project: OpenProject, tmp_path: Path) -> None:
    source = written(tmp_path, "clip.xml", CVAT)
    forms = format_named("cvat"), format_named("mot")
    done = convert(source, tmp_path / "clip.txt", forms)
    rows = (tmp_path / "clip.txt").read_text().splitlines()
    assert len(rows) == 31
    assert rows[5].startswith("6,1,12.5,14,26,19,")
    assert {f.code for f in done.findings} >= {"lost-points"}
    back = convert(
        tmp_path / "clip.txt", tmp_path / "back.xml", forms[::-1], [tmp_path / "clip.mp4"]
    )
    assert back.paths == (tmp_path / "back.xml",)
    with pytest.raises(ExchangeError, match="does not tell the image size"):
        convert(tmp_path / "clip.txt", tmp_path / "back.xml", forms[::-1])
    with pytest.raises(ExchangeError, match="without a project"):
        convert(source, tmp_path / "x.pkl", (forms[0], format_named("tapvid-pickle")))
    with pytest.raises(UserError):
        convert(source, source, forms)


def test_times_follow_the_video_of_variable_rate(tmp_path: Path) -> None:
    eaf = written(tmp_path, "clip.eaf", samples.ELAN)
    done = convert(eaf, tmp_path / "a.json", (format_named("elan"), format_named("activitynet")))
    assert "guessed-rate" in {f.code for f in done.findings}
    assert '"segment(frames)": [15, 30]' in (tmp_path / "a.json").read_text()


@pytest.mark.parametrize("content", ["tracks", "points"])
def test_a_written_file_that_lacks_content_is_told(
    project: OpenProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    import_file(project, written(tmp_path, "task.xml", CVAT), token=TOKEN)
    form = format_named("cvat")
    assert form.read is not None
    read = form.read
    lossy = replace(form, read=lambda path: [replace(v, **{content: ()}) for v in read(path)])
    clip = [video.id for video in project.videos() if video.name == "clip.mp4"]
    request = ExportRequest(tmp_path / "out.xml", clip, format_name="cvat")
    sound = export_project(project, request, TOKEN)
    assert "not-as-written" not in {f.code for f in sound.findings}
    monkeypatch.setattr(format_export, "format_named", lambda _: lossy)
    again = ExportRequest(tmp_path / "again.xml", clip, format_name="cvat")
    assert "not-as-written" in {f.code for f in export_project(project, again, TOKEN).findings}
