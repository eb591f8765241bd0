"""Nothing of a video beyond what a task lets be seen can be had: decoded for real."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from annotator.domain.annotation.canonical import document_value
from annotator.domain.annotation.document import Document
from annotator.domain.answer import AnswerKey
from annotator.domain.commands import CreateTrack, SetKeyframe
from annotator.domain.forms.restricted_view import Extent, Viewing, limited_document, limited_video
from annotator.domain.geometry import Box
from annotator.domain.ids import DraftId, track_id
from annotator.media.audio.reader import Audio
from annotator.media.decode.server import FrameServer
from annotator.media.decode.thumbnails import thumbs
from annotator.media.decode.video import Video
from annotator.media.index.frame_table import FrameTable
from annotator.media.values import Picture, PictureRequest
from annotator.services.packages.packages import open_package, pack_tasks
from annotator.services.playback.player import Player
from annotator.services.project.projects import OpenProject, open_project
from annotator.services.project.restricted_video import SeenVideo, open_sound
from annotator.services.session import Session
from annotator.services.sound.soundscape import Soundscape, SpectrogramStyle
from tests.media.encoding import add_sound, encode
from tests.media.pattern import read_number
from tests.services.questions.question_team import QuestionTeam, item, recipe
from tests.store.samples import video_info

N, CUT, MIDDLE = 24, 9, 12
BEFORE = 'viewing = { extent = "before-cut" }'
ONE = 'viewing = { extent = "middle-frame" }'
MUTED = "viewing = { is_muted = true }"


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip whose pictures say their numbers, with a tone from its beginning to its end."""
    folder = tmp_path_factory.mktemp("seen")
    silent = folder / "silent.mp4"
    encode(silent, numbers=range(N))
    path = folder / "clip.mp4"
    add_sound(silent, path, seconds=1.0)
    return path


class Room:
    """A clip that is asked about, opened by a rater under a viewing: in the project, or in one
    made of a package without the clip, which the rater has anyway.
    """

    def __init__(
        self, folder: Path, clip: Path, viewing: str, cut: int | None, *, travels: bool = False
    ) -> None:
        self.team = QuestionTeam(folder, 0, text=recipe(viewing=viewing))
        self.project: OpenProject = self.team.project
        self.project.add_videos([clip])
        self.video_id = self.project.videos()[0].id
        if cut is not None:
            extra = dict(self.project.media.video(self.video_id).info.extra)
            self.project.set_extra({self.video_id: {**extra, "metadata": {"cut_frame": cut}}})
        self.task = self.team.add(item(self.video_id))
        if travels:
            self.project = self._package(folder, clip.parent)
            self.session: Session = self.project.open_task(self.task)
        else:
            self.session = self.team.as_("Ann", self.task)[0]
        assert self.session.table_bytes is not None
        assert self.session.video_path is not None
        self.table = FrameTable.from_bytes(self.session.table_bytes)
        self.path = self.session.video_path

    def _package(self, folder: Path, clips: Path) -> OpenProject:
        ann, path = self.team.people["Ann"].id, folder / "ann.work"
        pack_tasks(self.project, path, ann, n_tasks=1, stage="answer")
        self.team.project.close()
        assert open_package(path, folder / "mine.annot", media_folders=[clips]).missing == ()
        project = open_project(folder / "mine.annot")
        project.work.people.sign_in(ann)
        return project

    @property
    def seen(self) -> SeenVideo:
        return self.project.restricted_video(self.video_id, self.session.viewing)


EITHER = pytest.mark.parametrize("travels", [False, True], ids=["project", "package"])


@pytest.fixture(params=[False, True], ids=["project", "package"])
def before(tmp_path: Path, clip: Path, request: pytest.FixtureRequest) -> Iterator[Room]:
    room = Room(tmp_path, clip, BEFORE, CUT, travels=request.param)
    yield room
    room.project.close()


@pytest.fixture(params=[False, True], ids=["project", "package"])
def one(tmp_path: Path, clip: Path, request: pytest.FixtureRequest) -> Iterator[Room]:
    room = Room(tmp_path, clip, ONE, None, travels=request.param)
    yield room
    room.project.close()


def _pictures(room: Room, frames: range) -> list[Picture]:
    """Ask the one who decodes for frames, playing and not, and return all that ever came."""
    came = threading.Event()
    server = FrameServer(room.path, room.table, on_ready=came.set)
    found: list[Picture] = []
    for frame in frames:
        for request in (PictureRequest(frame, 0, 0), PictureRequest(frame, 0, 0, 1, True)):
            server.request(request)
            for _ in range(200):
                assert came.wait(20)
                came.clear()
                picture = server.take()
                if picture is not None:
                    found.append(picture)
                    if picture.is_exact and picture.requested == frame:
                        break
    assert all(frames.start <= f < frames.stop for span in server.loaded_spans() for f in _in(span))
    server.close()
    return found


def _in(span: tuple[int, int]) -> range:
    return range(*span)


def _numbers(pictures: list[Picture]) -> set[int | None]:
    return {read_number(picture.bgra[:, :, 2::-1]) for picture in pictures}


def test_before_the_cut_no_picture_beyond_it_is_decoded(before: Room) -> None:
    assert len(before.table) == CUT
    assert _numbers(_pictures(before, range(CUT))) == set(range(CUT))
    server = FrameServer(before.path, before.table, on_ready=lambda: None)
    for frame in (CUT, N - 1, -1):
        with pytest.raises(IndexError):
            server.request(PictureRequest(frame, 0, 0))
    server.close()
    with Video(before.path, table=before.table) as video:
        assert len(video) == CUT
        assert read_number(video.image(CUT - 1)) == CUT - 1
        with pytest.raises(IndexError):
            video.image(CUT)


def test_one_frame_is_exactly_one_picture(one: Room) -> None:
    assert _numbers(_pictures(one, range(MIDDLE, MIDDLE + 1))) == {MIDDLE}
    with Video(one.path, table=one.table) as video:
        assert read_number(video.image(MIDDLE)) == MIDDLE
        for frame in (0, MIDDLE - 1, MIDDLE + 1, N - 1):
            with pytest.raises(IndexError):
                video.image(frame)
    server = FrameServer(one.path, one.table, on_ready=lambda: None)
    with pytest.raises(IndexError):
        server.request(PictureRequest(MIDDLE - 1, 0, 0))
    server.close()


def test_small_pictures_end_where_the_video_does(before: Room) -> None:
    made = list(thumbs(before.path, before.table, 80, 64, lambda: False))
    assert {thumb.frame for thumb in made} == set(range(CUT))
    assert {read_number(thumb.bgra[:, :, 2::-1]) for thumb in made} == set(range(CUT))


def test_one_frame_has_one_small_picture(one: Room) -> None:
    made = list(thumbs(one.path, one.table, 80, 64, lambda: False))
    assert [thumb.frame for thumb in made] == [MIDDLE]
    assert read_number(made[0].bgra[:, :, 2::-1]) == MIDDLE


def test_the_length_is_that_of_what_is_seen(before: Room) -> None:
    video = before.session.document.video
    whole = before.project.media.video(before.video_id).info
    assert (video.n_frames, video.n_hidden) == (CUT, N - CUT)
    assert video.duration_s == before.table.duration_s
    assert video.duration_s == pytest.approx(whole.duration_s * CUT / N)
    assert video.extra == {}
    player = Player(before.table.times, before.table.duration_s)
    player.seek(N)
    assert player.state.frame == CUT - 1
    player.seek_time(100.0)
    assert player.state.time_s < before.table.duration_s


def test_the_player_stays_on_the_one_frame(one: Room) -> None:
    player = Player(one.table.times, one.table.duration_s, first=one.table.first)
    assert player.state.frame == MIDDLE
    for frame in (0, MIDDLE - 1, N):
        player.seek(frame)
        assert player.state.frame == MIDDLE
    player.step(-3)
    assert player.state.frame == MIDDLE
    player.seek_time(0.0)
    assert player.state.frame == MIDDLE


def test_nothing_is_heard_beyond_the_cut(before: Room) -> None:
    audio = open_sound(before.seen)
    assert audio is not None
    end_s = before.table.duration_s
    with_all = Audio(before.path, origin_s=audio.origin_s)
    heard, whole = (a.read(-0.2, 1.2) for a in (audio, with_all))
    cut = round((end_s + 0.2) * audio.rate)
    assert np.array_equal(heard[:cut], whole[:cut])
    assert np.abs(heard[:cut]).max() > 0.01
    assert np.abs(whole[cut + 100 :]).max() > 0.01
    assert not heard[cut:].any()
    assert not audio.read(end_s, end_s + 0.3).any()
    again = audio.reopen()
    assert not again.read(end_s, end_s + 0.3).any()
    assert audio.start_s + audio.duration <= end_s + 1 / audio.rate
    for each in (audio, again, with_all):
        each.close()


def test_waveform_and_spectrogram_end_at_the_cut(before: Room, tmp_path: Path) -> None:
    calls: queue.Queue[object] = queue.Queue()
    end_s, cache = before.table.duration_s, tmp_path / "sounds"
    # What was measured of the whole sound and kept is not taken for it.
    for until_s in (None, end_s):
        sound = Soundscape(
            before.path,
            post=calls.put,
            origin_s=before.table.origin_s,
            until_s=until_s,
            cache_folder=cache,
        )
        give_up_at = time.monotonic() + 60
        while not sound.state.is_complete:
            assert time.monotonic() < give_up_at
            calls.get(timeout=60)()  # type: ignore[operator]
        if until_s is None:
            sound.close()
    assert sound.state.end_s <= end_s + 1 / sound.state.rate
    peaks = sound.peaks(0.0, 1.0, 200)
    assert peaks is not None
    beyond = int(np.ceil(end_s * 200)) + 2
    assert np.nanmax(np.abs(peaks.high[: beyond - 4])) > 0.01
    assert not np.nan_to_num(peaks.high[beyond:]).any()
    assert not np.nan_to_num(peaks.low[beyond:]).any()
    keys = sound.tile_keys(0.0, 10.0, 0.001, SpectrogramStyle())
    assert keys
    assert sound.tile_keys(end_s + 0.1, 10.0, 0.001, SpectrogramStyle()) == []
    assert (sound.transients(end_s + 0.01, 10.0) == []).all()
    sound.close()


@EITHER
def test_what_is_muted_has_no_sound(tmp_path: Path, clip: Path, travels: bool) -> None:
    room = Room(tmp_path, clip, MUTED, None, travels=travels)
    assert len(room.table) == N
    assert open_sound(room.seen) is None
    # Another task may let it be heard, but none that came with the package.
    audio = open_sound(room.project.restricted_video(room.video_id, Viewing()))
    assert (audio is None) is travels
    if audio is not None:
        audio.close()
    room.project.close()


def test_one_frame_has_no_sound(one: Room) -> None:
    assert open_sound(one.seen) is None


@EITHER
@pytest.mark.parametrize("cut", [N, N + 100, None, 0, -1])
def test_a_cut_at_the_end_or_beyond_cuts_nothing(
    tmp_path: Path, clip: Path, cut: int | None, travels: bool
) -> None:
    room = Room(tmp_path, clip, BEFORE, cut, travels=travels)
    video = room.session.document.video
    assert (len(room.table), video.n_frames, video.n_hidden) == (N, N, 0)
    assert not room.table.is_limited
    room.project.close()


def test_answers_reach_no_further_and_submissions_are_of_the_whole_video(before: Room) -> None:
    session = before.session
    question_set = before.project.questions.question_set(session)
    before.team.answer_all(session, question_set)
    assert document_value(session.document)["video"] == {"width": 96, "height": 64, "n_frames": N}
    handed = before.project.work.submit(session)
    document = before.project.work.document_of(handed.id, session)
    assert AnswerKey(question_set.items[0].id, "which") in document.answers


def test_a_file_found_again_is_limited_as_before(before: Room, tmp_path: Path) -> None:
    before.project.locate(before.video_id, before.path)
    assert before.session.table_bytes is not None
    assert len(FrameTable.from_bytes(before.session.table_bytes)) == CUT


def test_what_was_drawn_ends_with_the_video() -> None:
    info = video_info(n_frames=90)
    document = Document(DraftId("d"), info)
    moving, later = track_id(), track_id()
    for command in (
        CreateTrack(moving, "mug", 0, Box(0, 0, 10, 10)),
        SetKeyframe(moving, 80, Box(80, 0, 90, 10)),
        CreateTrack(later, "spoon", 60, Box(0, 0, 10, 10)),
    ):
        document.apply(command.plan(document))
    seen = limited_video(info, Viewing(Extent.BEFORE_CUT), 41)
    limited = limited_document(document, seen)
    (track,) = limited.tracks
    assert track.id == moving
    assert max(track.frames) == 40
    for frame in range(41):
        assert track.state_at(frame).box == document.track(moving).state_at(frame).box
    assert limited_document(document, info) is document
