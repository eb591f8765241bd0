"""The commands on real files: what they write, what they say, and their status."""

from __future__ import annotations

import json
import sys

import cv2
import numpy as np
import pytest

from annotator import log
from annotator.media import Video
from tests.exchange.files import NAME, canonical, example, write_file
from tests.media.sounds import write_sound


@pytest.fixture
def project(call, clip, tmp_path):
    done = call("new", tmp_path / "küche", clip, "--recipe", "perception-test")
    assert (done.status, done.err) == (0, "")
    path = tmp_path / "küche.annot"
    assert done.out.strip() == str(path)
    assert path.is_file()
    return path


def entry_for_clip():
    return {
        "metadata": {"video_id": "video_5", "num_frames": 40, "resolution": [64, 96]},
        "object_tracking": [
            {
                "id": 0,
                "label": "cup",
                "frame_ids": [0, 30],
                "bounding_boxes": [[0.1, 0.1, 0.5, 0.5], [0.2, 0.2, 0.5, 0.5]],
                "timestamps": [0, 1000000],
            }
        ],
    }


def test_probe_tells_the_truth_in_words_and_as_json(call, clip):
    words = call("probe", clip)
    assert words.status == 0
    assert "h264, yuv420p, 96 x 64" in words.out
    facts = json.loads(call("probe", "--json", "--frames", clip).out)
    assert (facts["n_frames"], facts["opencv_count"], facts["opencv_frames"]) == (40, 40, 40)
    with Video(clip) as video:
        assert [f["time"] for f in facts["frames"]] == [video.time(i) for i in range(40)]
        assert [f["pts"] for f in facts["frames"]] == [video.pts(i) for i in range(40)]
    rows = call("probe", "--frames", clip).out.splitlines()
    assert len(rows) > 40
    assert rows[-1].startswith("39\t")


def test_frame_writes_exactly_the_picture(call, clip, tmp_path):
    out = tmp_path / "bild süß.png"
    done = call("frame", clip, 17, out)
    assert (done.status, done.err) == (0, "")
    picture = cv2.imdecode(np.fromfile(out, np.uint8), cv2.IMREAD_UNCHANGED)
    with Video(clip) as video:
        assert np.array_equal(picture[:, :, ::-1], video.image(17))


@pytest.mark.parametrize("index", [40, -1])
def test_frame_refuses_numbers_that_are_not_there(call, clip, tmp_path, index):
    done = call("frame", "--", clip, index, tmp_path / "a.png")
    assert done.status == 1
    assert f"frame {index} does not exist. The video has frames 0 to 39." in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_frame_writes_png_only_and_into_folders_that_exist(call, clip, tmp_path):
    assert "PNG" in call("frame", clip, 0, tmp_path / "a.jpg").err
    done = call("frame", clip, 0, tmp_path / "no" / "a.png")
    assert (done.status, "No such file or directory" in done.err) == (1, True)


def test_track_gives_a_box_and_a_confidence_for_each_frame(call, clip, tmp_path):
    out = tmp_path / "boxes.json"
    boxes = ["--box", "10:20,10,60,50", "--box", "30:22.5,10,62.5,50"]
    done = call("track", clip, *boxes, "--output", out)
    assert (done.status, done.err) == (0, "")
    found = json.loads(out.read_text())
    assert sorted(found) == ["boxes", "confidence"]
    assert len(found["boxes"]) == len(found["confidence"]) == 40
    assert found["boxes"][10] == [20, 10, 60, 50]
    assert found["boxes"][30] == [22.5, 10, 62.5, 50]
    assert found["confidence"][10] == 1
    assert all(b is None or (len(b) == 4 and b[0] < b[2] and b[1] < b[3]) for b in found["boxes"])
    assert all(0 <= c <= 1 for c in found["confidence"])
    assert len(call("track", clip, *boxes).out.splitlines()) == 40


@pytest.mark.parametrize(
    ("boxes", "said", "status"),
    [
        (["40:1,1,9,9"], "does not exist. The video has frames 0 to", 1),
        (["0:9,1,1,9"], "x1 < x2", 1),
        (["0:200,1,300,9"], "96 x 64", 1),
        (["0:1,1,9,9", "0:1,1,9,8"], "two boxes", 1),
        (["1,1,9,9"], "30:10,20,110,95.5", 2),
        (["0:1,1,9,nan"], "30:10,20,110,95.5", 2),
        ([], "--box", 2),
    ],
)
def test_track_refuses_boxes_that_make_no_sense(call, clip, boxes, said, status):
    done = call("track", clip, *(a for box in boxes for a in ("--box", box)))
    assert done.status == status
    assert said in done.err
    assert "Traceback" not in done.err


def test_track_names_trackers_that_do_not_exist(call, clip):
    done = call("track", clip, "--box", "0:1,1,30,30", "--tracker", "crystal-ball")
    assert done.status == 1
    assert "crystal-ball" in done.err


def test_import_export_check_on_a_project(call, project, tmp_path):
    path = write_file(tmp_path, {"video_5": entry_for_clip()})
    done = call("import", project, path)
    assert (done.status, done.out) == (0, "video_5: 1 track, 0 points, 0 segments\n")
    out = tmp_path / "out.json"
    done = call("export", project, out, "--split", "test", "--video", "video_5")
    assert done.status == 0
    said = "video_5: 1 track, 2 boxes, 0 points, 0 segments; frames verified on 2 samples"
    assert f"{said}\n{out}\n" in done.out
    value = json.loads(out.read_text())
    assert value["video_5"]["metadata"]["split"] == "test"
    assert value["video_5"]["object_tracking"][0]["frame_ids"] == [0, 30]
    done = call("check", project)
    assert (done.status, done.err) == (0, "")
    assert "1 video, 1 track, 0 points, 0 segments, 0 findings, 0 errors" in done.out


def test_a_plan_says_that_the_import_would_stop(call, project, tmp_path):
    entry = entry_for_clip()
    entry["object_tracking"][0]["bounding_boxes"][0] = [0.9, 0.9, 0.1, 0.1]
    path = write_file(tmp_path, {"video_5": entry})
    done = call("import", project, path, "--dry-run")
    assert done.status == 1
    assert "1 invalid record: nothing would be imported without --on-error skip." in done.err
    assert call("import", project, path, "--dry-run", "--on-error", "skip").status == 0
    assert call("import", project, path).status == 1


def test_questions_are_counted_and_have_no_frames_to_prove(call, project, tmp_path):
    entry = {**entry_for_clip(), "mc_question": example()["mc_question"]}
    call("import", project, write_file(tmp_path, {"video_5": entry}))
    out = tmp_path / "out.json"
    done = call("export", project, out, "--video", "video_5", "--task", "mc_question")
    said = f"video_5: 0 tracks, 0 boxes, 0 points, 0 segments, 1 question\n{out}\n"
    assert (done.status, done.out) == (0, said)
    done = call("export", project, out, "--video", "video_5")
    assert "; frames verified on" in done.out


def test_export_takes_its_choice_of_frames(call, project, tmp_path):
    call("import", project, write_file(tmp_path, {"video_5": entry_for_clip()}))
    counts = {}
    for choice in ("grid", "keyframes", "all"):
        out = tmp_path / f"{choice}.json"
        assert call("export", project, out, "--frames", choice).status == 0
        record = json.loads(out.read_text())["video_5"]["object_tracking"][0]
        counts[choice] = len(record["frame_ids"])
    assert counts == {"grid": 2, "keyframes": 2, "all": 40}


def test_of_a_video_that_is_away_and_bare_there_are_no_frames_to_prove(call, tmp_path):
    bare = example() | {"object_tracking": [], "point_tracking": [], "grounded_question": []}
    assert call("new", tmp_path / "p").status == 0
    file = write_file(tmp_path, {NAME: bare})
    assert call("import", tmp_path / "p.annot", file, "--on-error", "skip").status == 0
    done = call("export", tmp_path / "p.annot", tmp_path / "out.json")
    assert "The video file is missing:" in done.err


def test_import_is_all_or_nothing_unless_told(call, project, tmp_path):
    bad = example()
    bad["object_tracking"][0]["label"] = None
    path = write_file(tmp_path, {"video_5": entry_for_clip(), NAME: bad})
    done = call("import", project, path)
    assert done.status == 1
    place = f"$.{NAME}.object_tracking[0].label"
    (line,) = done.err.splitlines()
    assert line.startswith(f"annotator: error: {path}, {place}: Expected text")
    assert "No data was imported" in line
    assert "0 tracks" in call("check", project).out
    done = call("import", project, path, "--on-error", "skip")
    assert done.status == 0
    assert done.err.splitlines()[-1] == "1 invalid record skipped."
    assert f"{NAME}: 1 track, 1 point, 3 segments, added to the project" in done.out


def test_a_canonical_file_comes_back_to_the_byte_without_its_video(call, tmp_path):
    content = canonical((NAME, example()))
    assert call("new", tmp_path / "p").status == 0
    project = tmp_path / "p.annot"
    assert call("import", project, write_file(tmp_path, content)).status == 0
    done = call("export", project, tmp_path / "out.json")
    assert done.status == 0
    assert "to show the rotation of the object." in done.err
    assert (tmp_path / "out.json").read_bytes() == content
    assert "missing" not in call("check", project).out


def test_new_says_which_videos_could_not_be_added(call, clip, tmp_path):
    text = tmp_path / "notes.mp4"
    text.write_text("no video")
    done = call("new", tmp_path / "p", clip, text, tmp_path / "gone.mp4")
    assert done.status == 1
    lines = done.err.splitlines()
    assert len(lines) == 2
    assert "notes.mp4" in lines[0]
    assert "gone.mp4" in lines[1]
    assert "1 video," in call("check", tmp_path / "p.annot").out
    again = call("new", tmp_path / "p")
    assert (again.status, "annotator:" in again.err) == (1, True)


def test_a_project_of_another_form_is_refused(call, tmp_path):
    path = tmp_path / "x.annot"
    path.write_bytes(b"not a project at all, and long enough to look at" * 10)
    for command in (["check", path], ["export", path, tmp_path / "o.json"], ["import", path, path]):
        done = call(*command)
        assert done.status == 1
        assert "x.annot" in done.err
        assert done.err.count("\n") == 1
    assert log.pending_crash_reports() == []


def test_check_finds_damage(call, project, tmp_path):
    call("import", project, write_file(tmp_path, {"video_5": entry_for_clip()}))
    body = bytearray(project.read_bytes())
    body[8192:40960] = b"\xff" * (40960 - 8192)
    broken = tmp_path / "broken.annot"
    broken.write_bytes(body)
    done = call("check", broken)
    assert done.status == 1
    assert "damaged" in done.err


def test_the_window_needs_a_display_and_a_project(call, project, tmp_path):
    done = call("open", tmp_path / "none.annot")
    assert (done.status, "the project: it does not exist" in done.err) == (1, True)
    done = call("open", project)
    assert (done.status, "display" in done.err) == (1, True)
    assert "display" in call().err


def test_a_project_file_in_place_of_a_command_is_opened(call, project, tmp_path):
    done = call(tmp_path / "none.annot")
    assert (done.status, "the project: it does not exist" in done.err) == (1, True)
    done = call(project)
    assert (done.status, "display" in done.err) == (1, True)
    done = call("clip.mp4")
    assert (done.status, "No such command" in done.err) == (2, True)


def test_videos_in_place_of_a_command_are_opened(call, project, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("annotator.cli.commands.open_files", lambda names: opened.append(names))
    clip = project.parent / "clip.mp4"
    clip.touch()
    call(clip, project.parent)
    call("open", clip, clip)
    assert opened == [(str(clip), str(project.parent)), (str(clip), str(clip))]
    monkeypatch.undo()
    done = call("open", clip, tmp_path / "gone.mp4")
    assert (done.status, "Cannot open the file: it does not exist" in done.err) == (1, True)
    done = call("open", clip)
    assert (done.status, "display" in done.err) == (1, True)


def test_a_display_that_does_not_answer_is_told(call, project, monkeypatch):
    # Qt would end the program on the spot, and leave a report of a crash.
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("DISPLAY", ":4095")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    done = call("open", project)
    assert (done.status, "does not respond" in done.err) == (1, True)


def test_a_missing_library_of_the_system_is_told(call, project, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    # As the loader answers where a shared library cannot be found: the import fails.
    monkeypatch.setitem(sys.modules, "annotator.app", None)
    done = call("open", project)
    assert done.status == 1
    assert "annotator doctor" in done.err
    assert log.pending_crash_reports() == []


def test_doctor_lists_what_it_looked_at(call):
    done = call("doctor")
    assert done.status == 0
    assert "OpenCV wheel" in done.out


def test_points_go_in_and_out_as_csv_and_pickle(call, project, tmp_path):
    rows = tmp_path / "points.csv"
    rows.write_text("sheep" + ",0.25,0.5,0" * 40 + "\n")
    done = call("import", project, rows)
    assert (done.status, "no video “sheep”" in done.err) == (1, True)
    assert done.err.count("points.csv") == 1
    done = call("import", project, rows, "--video", "sheep=video_5")
    assert (done.status, done.out) == (0, "sheep: 0 tracks, 1 point, 0 segments\n")
    out = tmp_path / "out.csv"
    done = call("export", project, out)
    assert done.status == 0
    assert out.read_text() == "video_5" + ",0.25,0.5,0" * 40 + "\n"
    pictures = tmp_path / "points"
    assert call("export", project, pictures, "--format", "tapvid-pickle").status == 0
    done = call("import", project, pictures, "--format", "tapvid-pickle")
    assert (done.status, done.out) == (0, "video_5: 0 tracks, 1 point, 0 segments\n")
    wide = tmp_path / "wide.csv"
    wide.write_text(rows.read_text() + "sheep,0.25,0.5\n")
    done = call("import", project, wide)
    assert done.status == 1
    assert "wide.csv, row 2: has 3 columns" in done.err


def test_sounds_of_a_file_without_video_go_out_and_come_back(call, tmp_path):
    sound = write_sound(tmp_path / "talk.wav", np.zeros(16_000, np.float32), "pcm_s16le")
    subtitles = tmp_path / "talk.srt"
    subtitles.write_text("1\n00:00:00,250 --> 00:00:00,750\nhello\n", encoding="utf-8")
    for name in ("one", "two"):
        assert call("new", tmp_path / name, sound).status == 0
    assert call("import", tmp_path / "one.annot", subtitles).status == 0
    done = call("export", tmp_path / "one.annot", tmp_path / "talk.eaf")
    assert (done.status, "1 segment" in done.out, "verified" in done.out) == (0, True, False)
    assert call("import", tmp_path / "two.annot", tmp_path / "talk.eaf").status == 0
    again = call("export", tmp_path / "two.annot", tmp_path / "again.eaf")
    assert again.status == 0
    text = (tmp_path / "again.eaf").read_text(encoding="utf-8")
    assert 'TIME_VALUE="250"' in text
    assert 'TIME_VALUE="750"' in text
