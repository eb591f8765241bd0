"""``annotator formats``, ``convert``, and import and export in formats of other programs."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Call
from tests.exchange import format_samples as samples


def test_formats_are_listed(call: Call) -> None:
    done = call("formats")
    assert done.status == 0
    assert (
        "cvat             .xml           CVAT for video 1.1 (XML), one video per file" in done.out
    )
    of_mot = done.out.split("mot  ")[1].split("coco-vid")[0]
    assert "holds boxes\n" in of_mot
    assert "which frames a person" in of_mot
    # What a format does not hold at all needs no word.
    assert "sound" not in of_mot
    assert len([line for line in done.out.splitlines() if not line.startswith(" ")]) == 32


def test_a_file_is_converted(call: Call, tmp_path: Path) -> None:
    source = tmp_path / "clip.xml"
    source.write_text(samples.CVAT, encoding="utf-8")
    target = tmp_path / "clip.txt"
    done = call("convert", source, target)
    assert done.status == 1
    assert "Several formats have the extension “.txt”: mot, thumos, audacity" in done.err
    done = call("convert", source, target, "--to", "mot")
    assert (done.status, done.out.strip()) == (0, str(target))
    assert "Not exported: points (1)." in done.err
    assert target.read_text().startswith("1,1,128,144,256,188,1,1,1\n")


def test_bad_files_end_in_one_line(call: Call, tmp_path: Path) -> None:
    source = tmp_path / "clip.xml"
    source.write_text(samples.CVAT.replace('xtl="128.00"', 'xtl="1e999"'), encoding="utf-8")
    done = call("convert", source, tmp_path / "out.json", "--to", "coco-vid")
    assert done.status == 1
    assert "Track 0, xtl: “1e999” is not a number." in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "out.json").exists()


def test_subtitles_are_imported_and_exported(call: Call, lead: Path, tmp_path: Path) -> None:
    cues = tmp_path / "cues.vtt"
    cues.write_text("WEBVTT\n\naction-1\n00:00.200 --> 00:00.600\npour\n", encoding="utf-8")
    done = call("import", lead, cues)
    assert done.status == 1  # two videos: which one is not clear
    assert "no video “cues”" in done.err
    done = call("import", lead, cues, "--video", "cues=one")
    assert (done.status, done.out.strip()) == (0, "cues: 0 tracks, 0 points, 1 segment")
    out = tmp_path / "one.eaf"
    done = call("export", lead, out, "--video", "one")
    assert done.status == 0, done.err
    assert "pour" in out.read_text(encoding="utf-8")
