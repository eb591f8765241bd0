"""Work by file on the command line: out to a rater, back to the lead."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.commands import CreateTrack
from annotator.domain.geometry import Box
from annotator.domain.ids import track_id
from annotator.services.project.projects import open_project


def work_on(path: Path) -> None:
    """Do the first task of a project, as Ann."""
    opened = open_project(path)
    (ann,) = [p for p in opened.work.people.all() if p.name == "Ann"]
    opened.work.people.sign_in(ann.id)
    session = opened.open_task(opened.tasks()[0].id)
    session.run(CreateTrack(track_id(), "mug", 0, Box(4, 4, 30, 30)))
    opened.work.submit(session)
    opened.close()


def test_work_goes_out_and_comes_back(call, lead, tmp_path) -> None:
    package, mine, back = (tmp_path / n for n in ("ann.work", "ann/mine.annot", "ann.done"))
    packed = call("package", lead, package, "--for", "Ann", "--tasks", 2)
    assert packed.status == 0
    assert packed.out == f"{package}: 2 tasks, 2 newly assigned\n"
    opened = call("team", "unpack", package, mine, tmp_path / "videos")
    assert (opened.status, opened.out) == (0, f"{mine}\nAnn: 2 tasks\n")
    nothing = call("submit", mine, back)
    assert nothing.status == 1
    assert "There are no submissions to write" in nothing.err
    work_on(mine)
    submitted = call("submit", mine, back)
    assert submitted.out == f"{back}: 1 submission\n"
    assert submitted.err == "1 task not submitted yet.\n"
    key = call("team", "fingerprint", mine).out.strip()
    first = call("collect", lead, back)
    counts = "Ann, 1 new submission, 0 already collected"
    assert (first.status, first.out) == (0, f"{back}: {counts}, new key {key}\n")
    assert call("team", "accept-key", lead, "Ann", key).out == f"Ann: {key}\n"
    again = f"{back}: Ann, 0 new submissions, 1 already collected, signed {key}\n"
    assert call("collect", lead, back, back).out == again * 2
    assert call("team", "accept-key", lead, "Ann", "x").status == 1
    assert call("team", "fingerprint", lead).status == 2


def test_a_refused_file_does_not_stop_the_others(call, lead, tmp_path) -> None:
    package, mine, back = (tmp_path / n for n in ("ann.work", "ann/mine.annot", "ann.done"))
    call("package", lead, package, "--for", "Ann", "--stage", "annotate", "--include-media")
    assert call("team", "unpack", package, mine).status == 0
    work_on(mine)
    call("submit", mine, back)
    cut = tmp_path / "cut.done"
    cut.write_bytes(back.read_bytes()[:-100])
    done = call("collect", lead, cut, package, tmp_path / "none", back)
    assert done.status == 1
    assert done.out.startswith(f"{back}: Ann, 1 new submission, 0 already collected, new key ")
    lines = done.err.splitlines()
    assert len(lines) == 3
    reasons = ("damaged or incomplete", "not a submission file", "Cannot read the file")
    for line, words in zip(lines, reasons, strict=True):
        assert words in line


def test_what_cannot_be_packed_is_said_in_one_line(call, lead, tmp_path) -> None:
    out = tmp_path / "x.work"
    unknown = call("package", lead, out, "--for", "Bob")
    assert unknown.status == 1
    assert "People in this project:" in unknown.err
    assert "Ann" in unknown.err
    assert "Cannot create a work package:" in call("package", lead, out, "--for", "Ann").err
    assert call("package", lead, out).status == 2
    assert not out.exists()


def test_metadata_goes_in_with_the_videos(call, clip, tmp_path) -> None:
    table = tmp_path / "facts.csv"
    table.write_text("video,script,split\nvideo_5,cups,train\nother.mp4,pour,test\n")
    listed = tmp_path / "videos.txt"
    listed.write_text(f"{clip.parent.parent}\n")
    done = call("new", tmp_path / "p", listed, "--metadata", table)
    assert done.status == 1
    assert done.err == f"annotator: error: {table}, line 3: the project has no video “other.mp4”\n"
    table.write_text("video,split\nvideo_5,somewhere\n")
    refused = call("new", tmp_path / "q", clip, "--metadata", table)
    assert refused.status == 1
    assert "line 2: split" in refused.err
    assert not (tmp_path / "q.annot").exists()
