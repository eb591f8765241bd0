"""Frames, crops, clips and overlays: the right frames, the right pixels, the times of the video."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotator.domain.annotation.segment import Lane, Segment
from annotator.domain.commands import CreateSegment, CreateTrack, SetKeyframe
from annotator.domain.errors import UserError
from annotator.domain.geometry import Box
from annotator.domain.ids import segment_id, track_id
from annotator.media import Video
from annotator.media.audio.reader import Audio
from annotator.media.audio.streams import streams
from annotator.media.index.indexing import build_table
from annotator.services.background.jobs import CanceledError, JobToken
from annotator.services.project.projects import OpenProject, create_project
from annotator.services.transfer.media_sets.rendering import LIST_NAME, RenderWish, render
from tests.media.encoding import encode
from tests.media.sounds import RATE, lag, signal, write_film

TOKEN = JobToken(lambda _fraction, _text: None)
ALL = frozenset(("frames", "crops", "clips", "overlay"))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[OpenProject]:
    encode(tmp_path / "clip.mp4", numbers=range(60), bframes=2)
    made = create_project(tmp_path / "p.annot", title="P")
    made.add_videos([tmp_path / "clip.mp4"])
    session = made.open_task(made.tasks()[0].id)
    track = track_id()
    session.run(CreateTrack(track, "cup/…", 0, Box(10, 10, 40, 30)))
    session.run(SetKeyframe(track, 30, Box(40, 10, 70, 30)))
    session.run(CreateSegment(Segment(segment_id(), Lane.ACTION, "pour tea", 12, 27)))
    yield made
    made.close()


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / LIST_NAME).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_kind_is_written_listed_and_true(project: OpenProject, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = render(project, out, RenderWish(ALL, step=15), TOKEN)
    assert done.counts == {"clips": 1, "crops": 4, "frames": 4, "overlay": 1}
    has_letters = int(cv2.__version__.partition(".")[0]) >= 5
    assert [f.code for f in done.findings] == ([] if has_letters else ["no-letters"])
    listed = rows(out)
    assert len(listed) == 10
    for row in listed:
        assert hashlib.sha256((out / row["file"]).read_bytes()).hexdigest() == row["sha256"]
    written = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
    assert written == {row["file"] for row in listed} | {LIST_NAME}
    with Video(tmp_path / "clip.mp4") as video:
        for frame in (0, 15, 30, 45):
            image = cv2.imread(str(out / f"frames/clip/{frame:06}.png"))[:, :, ::-1]
            assert np.array_equal(image, video.image(frame))
        crop = cv2.imread(str(out / "crops/clip/001_cup/000015.png"))[:, :, ::-1]
        # Half-way between the keyframes.
        assert np.array_equal(crop, video.image(15)[10:30, 25:55])
        with Video(out / "clips/clip/001_action_pour_tea.mp4") as clip:
            assert len(clip) == 15
            for i in (0, 7, 14):
                apart = np.abs(clip.image(i).astype(int) - video.image(12 + i)).mean()
                assert apart < 6
        with Video(out / "overlay/clip.mp4") as drawn:
            assert len(drawn) == 60
            assert np.allclose(
                [drawn.table.time(i) for i in range(60)],
                [video.table.time(i) for i in range(60)],
                atol=1e-3,
            )
            # The box is on its frame, and elsewhere the picture is as it was.
            edge = drawn.image(0)[20, 10].astype(int) - video.image(0)[20, 10]
            assert np.abs(edge).max() > 40
            rest = drawn.image(0)[45:, 50:].astype(int) - video.image(0)[45:, 50:]
            assert np.abs(rest).mean() < 6


def test_keyframes_and_ranges(project: OpenProject, tmp_path: Path) -> None:
    wish = RenderWish(frozenset(("frames",)), has_keyframes_only=True, span=(10, 60))
    render(project, tmp_path / "out", wish, TOKEN)
    assert [row["first_frame"] for row in rows(tmp_path / "out")] == ["30"]


def test_clips_have_their_sound(tmp_path: Path) -> None:
    truth = signal(2.0)
    write_film(tmp_path / "clip.mp4", truth, sound_at_s=0.0)
    project = create_project(tmp_path / "p.annot", title="P")
    project.add_videos([tmp_path / "clip.mp4"])
    session = project.open_task(project.tasks()[0].id)
    session.run(CreateSegment(Segment(segment_id(), Lane.SOUND, "beep", 10, 20)))
    out = tmp_path / "out"
    render(project, out, RenderWish(frozenset(("clips",))), TOKEN)
    project.close()
    (target,) = (out / "clips" / "clip").iterdir()
    whole, table = build_table(tmp_path / "clip.mp4"), build_table(target)
    start, end = float(whole.time(10)), float(whole.time(20))
    assert float(table.duration_s) == pytest.approx(end - start, abs=0.001)
    with closing(Audio(target, streams(target)[0].stream, table.origin_s)) as sound:
        n = round((end - start) * sound.rate)
        heard = sound.samples(0, n)[:, 0]
    # To the sample what is heard there in the whole.
    wanted = truth[round(start * RATE) : round(start * RATE) + n]
    assert abs(lag(heard, wanted, at=2000, length=4800, reach=1000)) <= 1


def test_a_full_folder_is_refused_and_canceling_ends_it(
    project: OpenProject, tmp_path: Path
) -> None:
    wish = RenderWish(frozenset(("frames",)))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with pytest.raises(UserError, match="not an empty folder"):
        render(project, tmp_path / "full", wish, TOKEN)
    token = JobToken(lambda _fraction, _text: None)
    token.cancel()
    with pytest.raises(CanceledError):
        render(project, tmp_path / "out", wish, token)
