"""Import and export through a real project with real videos, as loaders will read the result."""

from __future__ import annotations

import json
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.document import VideoInfo
from annotator.domain.commands import (
    CreateTrack,
    DeleteSegment,
    SetKeyframe,
    SetOutside,
    SetTrack,
)
from annotator.domain.errors import ExchangeError, ProjectError, UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import VideoId, track_id
from annotator.domain.proposals.box_proposals import ProposalRun
from annotator.domain.proposals.runs import Origin
from annotator.media import Video
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.project.projects import create_project, open_project
from annotator.services.transfer import (
    Again,
    ExportRequest,
    FileImport,
    ImportRefusedError,
    OpenFile,
    export_project,
    import_file,
)
from annotator.services.transfer.frame_times import FrameTimes
from annotator.services.transfer.proof import prove_frames, sample
from tests.exchange.files import NAME, canonical, example, write_file
from tests.media import clips
from tests.media.encoding import add_sound, encode

N_FRAMES = 75


@pytest.fixture(scope="session")
def clip(tmp_path_factory) -> Path:
    """A video with B-frames and sound, named as official files are."""
    folder = tmp_path_factory.mktemp("transfer")
    encode(folder / "silent.mp4", numbers=range(N_FRAMES), b_frames=2, gop=30)
    add_sound(folder / "silent.mp4", folder / "video_7.mp4")
    return folder / "video_7.mp4"


@pytest.fixture
def token() -> JobToken:
    return JobToken(lambda _fraction, _text: None)


@pytest.fixture
def project(tmp_path, clip):
    opened = create_project(tmp_path / "kitchen", title="Kitchen")
    opened.add_videos([clip])
    yield opened
    opened.close()


@pytest.fixture
def empty(tmp_path):
    opened = create_project(tmp_path / "empty", title="Empty")
    yield opened
    opened.close()


def draw(project, frame=3):
    session = project.open_task(project.tasks()[0].id)
    new = track_id()
    session.run(CreateTrack(new, "mug", frame, Box(10, 10, 50, 40)))
    session.run(SetKeyframe(new, 40, Box(20, 12, 60, 42)))
    session.run(SetOutside(new, 65, True))
    return session, new


def test_the_official_loaders_steps_pass_on_an_export(project, clip, tmp_path, token):
    draw(project)
    out = tmp_path / "out.json"
    report = export_project(project, ExportRequest(out, split="valid"), token)
    assert report.is_sound
    (video,) = report.videos
    assert video.proof is not None
    assert video.proof.is_proved
    entry = json.loads(out.read_text())["video_7"]
    _load_as_the_notebooks_do(entry, clip, tmp_path)
    record = entry["object_tracking"][0]
    assert record["frame_ids"] == [3, 30, 40, 60]
    assert record["timestamps"] == [100000, 1000000, 1333333, 2000000]
    assert record["initial_tracking_box"] == [1, 0, 0, 0]
    assert record["bounding_boxes"][2] == pytest.approx([20 / 96, 12 / 64, 60 / 96, 42 / 64])
    assert entry["metadata"]["split"] == "valid"


def test_export_is_the_same_when_the_video_is_gone(tmp_path, clip, token):
    video = tmp_path / clip.name
    video.write_bytes(clip.read_bytes())
    project = create_project(tmp_path / "kitchen", title="Kitchen")
    project.add_videos([video])
    draw(project)
    export_project(project, ExportRequest(tmp_path / "with.json"), token)
    project.close()
    video.unlink()
    project = open_project(tmp_path / "kitchen.annot")
    export_project(project, ExportRequest(tmp_path / "without.json"), token)
    project.close()
    written = (tmp_path / "without.json").read_bytes()
    assert json.loads(written)["video_7"]["metadata"]["audio_samples"] > 0
    assert written == (tmp_path / "with.json").read_bytes()


def _load_as_the_notebooks_do(entry, clip, folder):
    """Take the steps of the public notebooks: read, assert, index tracks by id."""
    import cv2

    metadata = entry["metadata"]
    capture = cv2.VideoCapture(str(clip))
    assert capture.get(cv2.CAP_PROP_FRAME_COUNT) == metadata["num_frames"]
    frames = []
    while capture.isOpened():
        is_read, frame = capture.read()
        if not is_read:
            break
        frames.append(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB))
    capture.release()
    assert len(frames) == metadata["num_frames"]
    height, width = metadata["resolution"]
    assert np.array(frames).shape[1:3] == (height, width)
    samples, rate = _wav(clip, folder)
    assert samples.shape[0] == metadata["audio_samples"]
    assert rate == metadata["audio_sample_rate"]
    for task in ("object_tracking", "point_tracking", "mc_question", "grounded_question"):
        for index, record in enumerate(entry[task]):
            assert entry[task][record["id"]] is entry[task][index]
    for record in entry["object_tracking"]:
        start = np.where(np.array(record["initial_tracking_box"]) == 1)[0]
        assert start.shape == (1,)
        boxes = np.array(record["bounding_boxes"])
        assert boxes.shape == (len(record["frame_ids"]), 4)
        pixels = boxes * [width, height, width, height]
        assert (pixels[:, 2] > pixels[:, 0]).all()


def _wav(clip, folder):
    """Write the sound as WAV the way ``ffmpeg -i video.mp4 sound.wav`` does, and read it."""
    import av

    path = folder / "sound.wav"
    with av.open(str(clip)) as source, av.open(str(path), "w") as target:
        sound = source.streams.audio[0]
        stream = target.add_stream("pcm_s16le", rate=sound.rate, layout=sound.layout.name)
        for frame in source.decode(sound):
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    with wave.open(str(path)) as file:
        data = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        return data.reshape(-1, file.getnchannels()), file.getframerate()


def test_the_same_project_gives_the_same_bytes(project, tmp_path, token):
    draw(project)
    for name in ("a.json", "b.json"):
        export_project(project, ExportRequest(tmp_path / name), token)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert {p.suffix for p in tmp_path.iterdir() if p.name.startswith(".a")} == set()


def test_a_canonical_file_goes_through_a_project_unchanged(empty, tmp_path, token):
    second = example()
    second["metadata"]["video_id"] = "video_12"
    content = canonical((NAME, example()), ("video_12", second))
    report = import_file(empty, write_file(tmp_path, content), token=token)
    assert [(v.name, v.n_tracks, v.n_points, v.n_segments, v.is_new) for v in report.videos] == [
        ("video_12", 2, 1, 3, True),
        (NAME, 2, 1, 3, True),
    ]
    path = empty.path
    empty.close()
    opened = open_project(path, read_only=True)
    done = export_project(opened, ExportRequest(tmp_path / "out.json"), token)
    opened.close()
    assert (tmp_path / "out.json").read_bytes() == content
    unproved = [f for f in done.findings if f.code == "not-proved"]
    assert [f.where for f in unproved] == ["video_12", NAME]
    assert "frames 0, 1, 2, 5, 30, 97" in unproved[0].text
    assert done.videos[0].unproved == (0, 1, 2, 5, 30, 97)


def test_a_file_imported_twice_is_recognized(empty, tmp_path, token):
    content = canonical((NAME, example()))
    path = write_file(tmp_path, content)
    import_file(empty, path, token=token)
    session = empty.open_task(empty.tasks()[0].id)
    first = session.document.copy()
    again = import_file(empty, path, token=token).videos[0]
    assert (again.n_tracks, again.n_points, again.n_segments, again.n_known) == (0, 0, 0, 6)
    assert session.document.tracks == first.tracks
    assert session.document.segments == first.segments
    assert session.document.points == first.points
    export_project(empty, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content


def test_records_that_were_deleted_come_again_and_belong_to_the_tracks_there(
    empty, tmp_path, token
):
    path = write_file(tmp_path, canonical((NAME, example())))
    import_file(empty, path, token=token)
    session = empty.open_task(empty.tasks()[0].id)
    before = {s.label: s.slots for s in session.document.segments}
    for segment in session.document.segments:
        session.run(DeleteSegment(segment.id))
    again = import_file(empty, path, token=token).videos[0]
    assert (again.n_tracks, again.n_segments) == (0, 3)
    assert {s.label: s.slots for s in session.document.segments} == before


def test_what_was_imported_before_is_replaced_or_kept_beside(empty, tmp_path, token):
    path = write_file(tmp_path, canonical((NAME, example())))
    import_file(empty, path, token=token)
    session = empty.open_task(empty.tasks()[0].id)
    first = session.document.copy()
    edited = first.tracks[0]
    session.run(SetTrack(edited.id, label="renamed"))
    import_file(empty, path, again=Again.REPLACE, token=token)
    now = session.document
    assert [t.label for t in now.tracks] == [t.label for t in first.tracks]
    assert (len(now.points), len(now.segments)) == (1, 3)
    assert not {t.id for t in now.tracks} & {t.id for t in first.tracks}
    session.undo()
    assert session.document.track(edited.id).label == "renamed"
    import_file(empty, path, again=Again.BOTH, token=token)
    assert len(session.document.tracks) == 4


def test_one_undo_takes_an_import_back_and_redo_brings_it_again(empty, tmp_path, token):
    content = canonical((NAME, example()))
    import_file(empty, write_file(tmp_path, content), token=token)
    session = empty.open_task(empty.tasks()[0].id)
    session.undo()
    assert session.document.tracks == ()
    assert session.document.video.extra == {}
    session.redo()
    export_project(empty, ExportRequest(tmp_path / "out.json"), token)
    assert (tmp_path / "out.json").read_bytes() == content


def test_an_import_can_be_undone_after_a_restart(empty, tmp_path, token):
    content = canonical((NAME, example()))
    import_file(empty, write_file(tmp_path, content), token=token)
    path = empty.path
    empty.close()
    opened = open_project(path)
    session = opened.open_task(opened.tasks()[0].id)
    session.undo()
    assert session.document.tracks == ()
    assert session.document.video.extra == {}
    opened.close()
    opened = open_project(path)
    session = opened.open_task(opened.tasks()[0].id)
    assert session.document.video.extra == {}
    session.redo()
    export_project(opened, ExportRequest(tmp_path / "out.json"), token)
    opened.close()
    assert (tmp_path / "out.json").read_bytes() == content


def test_annotations_of_an_absent_video_are_proved_once_it_is_there(empty, clip, tmp_path, token):
    entry = example()
    entry["metadata"] |= {"video_id": "video_7", "num_frames": N_FRAMES, "resolution": [64, 96]}
    for record in (entry["object_tracking"][1], entry["sound_localisation"][0]):
        record["frame_ids"] = [0, 30, 60] if "bounding_boxes" in record else [70, 75]
    import_file(empty, write_file(tmp_path, canonical(("video_7", entry))), token=token)
    assert empty.videos()[0].is_missing
    empty.add_videos([clip])
    assert len(empty.videos()) == 1
    report = export_project(empty, ExportRequest(tmp_path / "out.json"), token)
    assert report.videos[0].proof is not None
    assert report.videos[0].proof.checked == (0, 1, 2, 5, 30, 60)


def test_a_bad_record_stops_everything_unless_it_may_be_skipped(empty, tmp_path, token):
    bad = example()
    bad["metadata"]["video_id"] = "video_12"
    bad["object_tracking"][1]["bounding_boxes"][0][2] = "wide"
    path = write_file(tmp_path, {NAME: example(), "video_12": bad, "video_13": 5})
    with pytest.raises(ImportRefusedError) as caught:
        import_file(empty, path, token=token)
    assert "$.video_12.object_tracking[1].bounding_boxes[0][2]" in str(caught.value)
    assert "1 more" in str(caught.value)
    assert caught.value.has_valid_records
    assert empty.videos() == []
    report = import_file(empty, path, keep_going=True, token=token)
    assert [(v.name, v.n_tracks) for v in report.videos] == [(NAME, 2), ("video_12", 1)]
    assert sum(f.severity == "error" for f in report.findings) == 2


def test_nothing_is_offered_when_no_record_is_valid(empty, tmp_path, token):
    path = write_file(tmp_path, {"video_13": 5})
    with pytest.raises(ImportRefusedError, match="no valid records") as caught:
        import_file(empty, path, token=token)
    assert not caught.value.has_valid_records


def test_chosen_entries_only(empty, tmp_path, token):
    path = write_file(tmp_path, {NAME: example(), "video_13": 5})
    assert len(import_file(empty, path, names=[NAME], token=token).videos) == 1
    with pytest.raises(ExchangeError, match="no entry “video_14”"):
        import_file(empty, path, names=["video_14"], token=token)
    with pytest.raises(ExchangeError, match="no entries"):
        import_file(empty, write_file(tmp_path, "{}"), token=token)


def test_a_submitted_task_takes_no_import(project, tmp_path, token):
    session, _ = draw(project)
    project.work.submit(session)
    entry = {"metadata": {}, "object_tracking": []}
    with pytest.raises(ImportRefusedError, match="submitted"):
        import_file(project, write_file(tmp_path, {"video_7": entry}), token=token)


def test_two_videos_of_one_name_are_not_mistaken(project, tmp_path, token):
    encode(tmp_path / "video_7.mkv", numbers=range(10, 20))
    project.add_videos([tmp_path / "video_7.mkv"])
    path = write_file(tmp_path, {"video_7": {"metadata": {}, "object_tracking": []}})
    with pytest.raises(ImportRefusedError, match="Several videos"):
        import_file(project, path, token=token)
    for task in project.tasks():
        project.open_task(task.id).run(CreateTrack(track_id(), "mug", 0, Box(1, 1, 30, 30)))
    report = export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert [f.where for f in report.findings if f.code == "same-name"] == ["video_7"]
    assert not report.is_sound
    request = ExportRequest(tmp_path / "out.json", videos=("video_7.mkv",))
    assert json.loads(_exported(project, request, token))["video_7"]["metadata"]["num_frames"] == 10


def _exported(project, request, token):
    export_project(project, request, token)
    return request.path.read_text()


def test_a_project_opened_for_reading_takes_no_import(project, tmp_path, token):
    reader = open_project(project.path, read_only=True)
    with pytest.raises(ProjectError, match=r"Cannot import: the project is open read-only\."):
        import_file(reader, write_file(tmp_path, {NAME: example()}), token=token)
    reader.close()


def test_a_canceled_import_changes_nothing(empty, tmp_path, token):
    path = write_file(tmp_path, {NAME: example()})
    token.cancel()
    with FileImport(empty, OpenFile(path)) as file, pytest.raises(CanceledError):
        file.check(token)
    assert empty.videos() == []


def test_what_is_not_finished_is_reported_and_not_exported(project, tmp_path, token):
    session, track = draw(project)
    boxes = np.tile(np.float32([1, 1, 9, 9]), (5, 1))
    run = ProposalRun(track, 10, boxes, np.ones(5, np.float32), Origin("test", "1"))
    session.box_runs.replace(track, (10, 15), [run])
    report = export_project(project, ExportRequest(tmp_path / "out.json"), token)
    codes = {f.code for f in report.findings}
    assert {"pending-proposals", "unchecked-grid"} <= codes
    assert report.is_sound
    record = json.loads((tmp_path / "out.json").read_text())["video_7"]["object_tracking"][0]
    assert not {10, 11, 12, 13, 14} & set(record["frame_ids"])


def test_times_are_those_of_the_file_not_of_a_rate(tmp_path):
    path = clips.make("jitter_mp4", tmp_path)
    with Video(path) as video:
        table = video.table
        expected = [
            round(1_000_000 * (int(pts) - int(table.pts[0])) * table.time_base) for pts in table.pts
        ]
        assert video.is_variable_rate
        info = VideoInfo(VideoId("v"), "v.mp4", 96, 64, 48, 30, 1.6)
        times = FrameTimes(table.to_bytes(), info)
        assert list(times) == times[:] == times.listed() == expected
        assert times.at(len(table)) == round(1_000_000 * video.duration)
        by_rate = FrameTimes(None, info)
        assert [by_rate.at(i) for i in (0, 1, 48)] == [0, 33333, 1600000]
        assert len(by_rate) == 48
    for rate in (24000 / 1001, 25.0, 29.97, 30.0, 64.0, 1e-3):
        times = FrameTimes(None, replace(info, frame_rate=rate))
        assert list(times.listed()) == list(times)


def test_unknown_names_and_empty_projects_are_refused(project, tmp_path, token):
    with pytest.raises(UserError, match=r"The project has no annotations to export\."):
        export_project(project, ExportRequest(tmp_path / "out.json"), token)
    draw(project)
    with pytest.raises(UserError, match="Use the video names of the project, with or without"):
        export_project(project, ExportRequest(tmp_path / "out.json", videos=("cup",)), token)
    assert not (tmp_path / "out.json").exists()
    for name in ("video_7", "video_7.mp4"):
        request = ExportRequest(tmp_path / "out.json", videos=(name,))
        assert len(export_project(project, request, token).videos) == 1


def test_a_canceled_export_leaves_no_file(project, tmp_path, token):
    draw(project)
    token.cancel()
    with pytest.raises(CanceledError):
        export_project(project, ExportRequest(tmp_path / "out.json"), token)
    assert [p.name for p in tmp_path.glob("*.json")] == []


def test_a_video_that_changed_on_disk_is_told_and_not_proved(empty, clip, tmp_path, token):
    own = tmp_path / "video_7.mp4"
    own.write_bytes(clip.read_bytes())
    empty.add_videos([own])
    draw(empty)
    encode(own, numbers=range(9, 30))
    report = export_project(empty, ExportRequest(tmp_path / "out.json"), token)
    assert report.videos[0].proof is None
    assert report.videos[0].unproved == (3, 30, 40, 60)
    assert "not-proved" in {f.code for f in report.findings}
    value = json.loads((tmp_path / "out.json").read_text())["video_7"]
    assert value["metadata"]["num_frames"] == N_FRAMES


def test_a_folder_that_is_not_there_leaves_no_trace(project, tmp_path, token):
    draw(project)
    with pytest.raises(UserError, match="No such file"):
        export_project(project, ExportRequest(tmp_path / "none" / "out.json"), token)


def test_the_proof_finds_frames_that_opencv_numbers_otherwise(clip, tmp_path):
    with Video(clip) as video:
        table = video.table.to_bytes()
    assert prove_frames(clip, table, range(N_FRAMES)).is_proved
    # The sequential reader gives a frame of another file at each place: what it must not miss.
    shifted = tmp_path / "video_7.mp4"
    encode(shifted, numbers=range(1, N_FRAMES), b_frames=2, gop=30)
    from annotator.services.transfer import proof as module

    with Video(clip) as video:
        other = next(iter(_read(shifted, 40)))
        assert module._difference(video, 40, other) == "frame 40: OpenCV returns frame 41 instead"
        assert module._difference(video, 41, other) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mirrored_mp4", "frame 0: OpenCV returns a different image"),
        ("truncated_faststart_mp4", "frame 23: OpenCV returns no frame"),
    ],
)
def test_what_loaders_would_stumble_over_is_listed(tmp_path, name, said):
    path = clips.make(name, tmp_path)
    proof = prove_frames(path, None, range(48))
    assert not proof.is_proved
    assert any(text.startswith(said) for text in proof.differences)


def _read(path, frame):
    from annotator.media.decode.opencv_reader import OpenCvReader

    with OpenCvReader(path) as reader:
        for _, picture in reader.frames({frame}, is_to_end=False):
            if picture is not None:
                yield picture


def test_samples_are_spread_and_hold_both_ends():
    assert sample(range(100), 4) == [0, 33, 66, 99]
    assert sample([5, 3, 3]) == [3, 5]
    assert sample([]) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("starts_late_mkv", "OpenCV reports 348 frames; the video has 48"),
        ("live_webm", "OpenCV does not report a frame count; the video has 48 frames"),
    ],
)
def test_a_wrong_frame_count_of_a_file_that_reads_equal_is_a_note(tmp_path, name, said):
    proof = prove_frames(clips.make(name, tmp_path), None, range(48))
    assert proof.is_proved
    assert proof.differences == ()
    assert proof.notes == (said,)
